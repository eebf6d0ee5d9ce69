//! Guards accesses of objects whose contents only models of the C library know.
//!
//! A stream is a block of memory, and programs may declare what `FILE` consists of. What a model keeps there is not what a C library
//! keeps there. No other access is supported, and where one might happen, that it does not is assumed.

use crate::cfa_edit;
use crate::points_to::PointsTo;
use crate::prepare::layout::SiteRanges;
use crate::prepare::outside::accessed;
use cfa::term::{Sort, Term};
use cfa::{AssumeKind, Cfa, EdgeId, ObjectId, Op, Unsupported, VarId};
use std::collections::BTreeSet;

/// An access that may lie in hidden objects.
pub(super) struct HiddenAccess {
    edge: EdgeId,
    address: Term,
    /// The hidden objects in which it may lie.
    objects: Vec<ObjectId>,
}

/// The accesses of hidden objects by others than insiders.
pub(super) fn hidden_accesses(cfa: &Cfa, memory: VarId, points_to: &PointsTo) -> Vec<HiddenAccess> {
    let mut found = Vec::new();
    if !cfa.objects.iter().any(|o| o.hidden) {
        return found;
    }
    for edge in cfa.edges.ids().filter(|e| !cfa.funcs[cfa.locs[cfa.edges[*e].from].func].insider) {
        for t in cfa.terms.subterms(&cfa.edges[edge].op.terms(), |_| false) {
            for address in accessed(cfa, memory, t) {
                let objects: BTreeSet<ObjectId> =
                    points_to.of(address).iter().map(|p| p.0).filter(|o| cfa.objects[*o].hidden).collect();
                if !objects.is_empty() {
                    found.push(HiddenAccess { edge, address, objects: Vec::from_iter(objects) });
                }
            }
        }
    }
    found
}

/// The objects in which some of these accesses may lie; their addresses must be known.
pub(super) fn objects_of(accesses: &[HiddenAccess]) -> impl Iterator<Item = ObjectId> + '_ {
    accesses.iter().flat_map(|a| a.objects.iter().copied())
}

/// Guards these accesses. One that can only lie in hidden objects is unsupported. Others may as well lie in the program's own memory,
/// where a pointer from outside points to, and end the execution in hidden objects; returns the guards.
pub(super) fn guard_hidden_accesses(
    cfa: &mut Cfa,
    accesses: &[HiddenAccess],
    points_to: &PointsTo,
    ranges: &SiteRanges,
) -> Vec<EdgeId> {
    let mut guards = Vec::new();
    for HiddenAccess { edge, address, objects } in accesses {
        // Conditions do not read memory.
        let reads = |t: &Term| matches!(cfa.terms.sort(*t), Sort::Array { .. });
        let is_nested = cfa.terms.subterms(&[*address], |_| false).iter().any(reads);
        if is_nested || points_to.of(*address).iter().all(|p| cfa.objects[p.0].hidden) {
            let op = Unsupported { may_call: false, ..Unsupported::opaque("an access to the contents of a FILE") };
            cfa_edit::insert_before(cfa, *edge, Op::Unsupported(Box::new(op)));
            continue;
        }
        let within: Vec<Term> = objects.iter().map(|o| ranges.contain(cfa, *o, *address)).collect();
        let is_hidden = cfa.terms.or_all(within);
        let cond = cfa.terms.not(is_hidden);
        guards.push(cfa_edit::insert_before(cfa, *edge, Op::Assume { cond, kind: AssumeKind::Guard }));
    }
    guards
}
