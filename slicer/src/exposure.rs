//! Objects whose numeric address the program computes with: alignment tests, hashes, masks.
//!
//! A concrete layout would decide what such a computation yields, but the program may be loaded elsewhere. So the addresses of these
//! objects are arbitrary within what their alignment allows (`layout` does that). Moving a pointer within its object,
//! testing it for equality, storing and calling it do not expose its object; order and difference of
//! addresses are treated by `pointer_order`.

use crate::points_to::{Pointee, PointsTo};
use crate::regions::edge_terms;
use cfa::bv::BvOp;
use cfa::term::{Kind, Term};
use cfa::{Cfa, EdgeId, Id};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// Objects whose address flows into an operation whose result depends on where they lie. One bit for each object.
///
/// To be called before `pointer_order` empties its table.
pub fn exposed_objects(cfa: &Cfa, points_to: &PointsTo) -> FixedBitSet {
    let mut exposed = FixedBitSet::with_capacity(cfa.objects.len());
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    for e in cfa.edges.ids() {
        let compared = compared_as_pointers(cfa, points_to, e);
        for t in cfa.terms.subterms(&edge_terms(cfa, e), |t| seen.contains(&t)) {
            if Some(t) == compared {
                continue;
            }
            seen.insert(t);
            let args = cfa.terms.args(t);
            let carries = |t: &Term| !points_to.of(*t).is_empty();
            let depends = match cfa.terms.kind(t) {
                Kind::Bv(BvOp::Add | BvOp::Sub) => args.iter().all(carries),
                Kind::Bv(_) | Kind::Cmp(_) | Kind::BvNot | Kind::Extract { .. } | Kind::Float(..) => true,
                _ => false,
            };
            if depends {
                args.iter().flat_map(|a| points_to.of(*a)).for_each(|(o, _)| {
                    if o.index() < cfa.objects.len() {
                        exposed.insert(o.index());
                    }
                });
            }
        }
    }
    exposed
}

/// The comparison or difference of addresses that `e` assigns, if it is one of unchanged addresses.
fn compared_as_pointers(cfa: &Cfa, points_to: &PointsTo, e: EdgeId) -> Option<Term> {
    let c = cfa.pointer_comparisons.get(&e)?;
    let plain = |set: &[Pointee]| !set.is_empty() && !set.iter().any(|(_, offset)| offset.is_mangled());
    let [t] = cfa.edges[e].op.terms()[..] else { return None };
    if !plain(points_to.of(c.left)) || !plain(points_to.of(c.right)) {
        return None;
    }
    // A comparison's bit is a choice on the comparison proper.
    Some(if cfa.terms.kind(t) == Kind::Ite { cfa.terms.args(t)[0] } else { t })
}
