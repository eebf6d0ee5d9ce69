//! Ends executions before accesses that trap on every platform, or that points-to analysis shows to be invalid.
//!
//! Accesses of the program's own objects need no such guard: the replay detects those that are invalid, and promotion guards what
//! becomes variables. What remains has no memory in which anybody could look:
//!
//! - an access of memory from outside traps around null, whatever object pointer arithmetic began at: `&p->b` for a null `p`;
//! - an address that points to nothing is that of no live object: a pointer that was never set, or an offset from null.

use crate::cfa_edit;
use crate::points_to::PointsTo;
use crate::prepare::array_terms::ArrayTerms;
use crate::prepare::outside::accessed;
use cfa::bv::BvCmp;
use cfa::term::{Kind, Term};
use cfa::{AssumeKind, Cfa, EdgeId, ObjectId, ObjectKind, Op, VarId};
use smallvec::{SmallVec, smallvec};

/// The first and the last page of the address space are never mapped, nor is what lies less than a page beyond a null pointer.
const PAGE: u64 = 4096;

/// Inserts the guards; conditions of branches have no accesses. Returns those before accesses whose address points to nothing, which rest on the points-to analysis.
pub(super) fn guard_invalid_accesses(
    cfa: &mut Cfa,
    memory: VarId,
    points_to: &PointsTo,
    array_terms: &ArrayTerms,
) -> Vec<EdgeId> {
    let edges: Vec<EdgeId> = cfa.edges.ids().filter(|e| matches!(cfa.edges[*e].op, Op::Assign(_))).collect();
    let mut nowhere = Vec::new();
    for e in edges {
        let mut conditions: Vec<Term> = Vec::new();
        for Access { address, bytes, writes } in accesses(cfa, memory, array_terms, e) {
            // Code can be read, but not written.
            let is_code = |o: ObjectId| matches!(cfa.objects[o].kind, ObjectKind::Function(_));
            let points_nowhere = points_to.of(address).iter().all(|p| writes && is_code(p.0));
            if !points_nowhere && !points_to.may_be_outside(address) {
                continue;
            }
            let valid = if points_nowhere { cfa.terms.ff() } else { far_from_null(cfa, address) };
            let cond = match bytes {
                Some(bytes) => {
                    let some = cfa.terms.nonzero(bytes);
                    cfa.terms.implies(some, valid)
                }
                None => valid,
            };
            if cfa.terms.as_bool(cond) == Some(true) || conditions.contains(&cond) {
                continue;
            }
            conditions.push(cond);
            let guard = cfa_edit::insert_before(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
            if points_nowhere {
                nowhere.push(guard);
            }
        }
    }
    nowhere
}

/// An access of the program's memory.
struct Access {
    address: Term,
    /// The number of bytes, if it may be zero.
    bytes: Option<Term>,
    writes: bool,
}

/// The accesses of the operation of `e`. Leaves out those that depend on values in memory: these are held in variables before they
/// are used as addresses, except by few operations.
fn accesses(cfa: &Cfa, memory: VarId, array_terms: &ArrayTerms, e: EdgeId) -> Vec<Access> {
    let terms = &cfa.terms;
    let mut found = Vec::new();
    for t in array_terms.within(cfa, &cfa.edges[e].op.terms()) {
        let bytes = (terms.kind(t) == Kind::Copy).then(|| terms.args(t)[4]);
        let may_write = terms.kind(t) != Kind::Read;
        for (i, address) in accessed(cfa, memory, t).into_iter().enumerate() {
            let mut parts: SmallVec<[Term; 2]> = smallvec![address];
            parts.extend(bytes);
            if !array_terms.have(cfa, &parts) {
                found.push(Access { address, bytes, writes: may_write && i == 0 });
            }
        }
    }
    found
}

/// The condition that an address lies neither in the first page nor in the last one, or was computed from such an address by adding
/// less than a page.
fn far_from_null(cfa: &mut Cfa, address: Term) -> Term {
    let (base, offset) = cfa.terms.base_offset(address);
    let tested = if offset.to_u64().is_some_and(|k| k < PAGE) { base } else { address };
    let above = cfa.terms.add_int(tested, PAGE);
    let around = cfa.terms.int(cfa.pointer_bits, 2 * PAGE);
    cfa.terms.cmp(BvCmp::Ule, around, above)
}
