//! Order comparisons and subtractions of addresses.
//!
//! They stay plain arithmetic where both addresses lie in one object, or in a few objects that are placed freely (so that comparisons
//! are consistent with each other). Elsewhere they become inputs.

use crate::call_graph::functions_run_once;
use crate::points_to::{Pointee, PointsTo};
use crate::prepare::promote::locations_in_cycles;
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, LocId, ObjectId, ObjectKind, Op, PointerComparison};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Maximum number of objects of one comparison that are placed freely for it.
const ORDERED_OBJECTS: usize = 6;

/// Comparisons and subtractions of two addresses: [`RawFacts::pointer_comparisons`](cfa::RawFacts::pointer_comparisons).
type Comparisons = FxHashMap<EdgeId, PointerComparison>;

/// The objects that are to be placed freely because comparisons of addresses depend on their order.
pub fn ordered_objects(cfa: &Cfa, comparisons: &Comparisons, points_to: &PointsTo) -> BTreeSet<ObjectId> {
    if comparisons.is_empty() {
        return BTreeSet::new();
    }
    let single = single_instances(cfa);
    let mut found = BTreeSet::new();
    for c in comparisons.values() {
        let objects: BTreeSet<ObjectId> =
            [c.left, c.right].iter().flat_map(|t| points_to.of(*t)).map(|p| p.0).collect();
        let few = objects.len() <= ORDERED_OBJECTS && objects.iter().all(|o| single[o.index()]);
        if few && !within_one_object(cfa, points_to, &single, c) {
            found.extend(objects);
        }
    }
    found
}

/// Replaces comparisons whose operands may lie in different objects, not all of them `placed` freely (ascending), by inputs
/// of kind `Layout`. The other comparisons stay plain arithmetic. Returns the number of comparisons replaced.
pub fn free_pointer_order(
    cfa: &mut Cfa,
    comparisons: &Comparisons,
    points_to: &PointsTo,
    placed: &[ObjectId],
) -> usize {
    if comparisons.is_empty() {
        return 0;
    }
    let single = single_instances(cfa);
    let mut comparisons: Vec<(&EdgeId, &PointerComparison)> = comparisons.iter().collect();
    comparisons.sort_unstable_by_key(|(e, _)| **e);
    let mut replaced = 0;
    for (&e, comparison) in comparisons {
        let Op::Assign(list) = &cfa.edges[e].op else { continue };
        let [(var, plain)] = **list else { continue };
        let mut objects = [comparison.left, comparison.right].into_iter().flat_map(|t| points_to.of(t)).map(|p| p.0);
        let anywhere = |o: ObjectId| single[o.index()] && placed.binary_search(&o).is_ok();
        if !within_one_object(cfa, points_to, &single, comparison) && !objects.all(anywhere) {
            cfa.memory.address_orders.insert(e, plain);
            cfa.edges[e].op = Op::Input { var, kind: InputKind::Layout };
            replaced += 1;
        }
    }
    replaced
}

fn within_one_object(cfa: &Cfa, points_to: &PointsTo, single: &[bool], c: &PointerComparison) -> bool {
    let (left, right) = (points_to.of(c.left), points_to.of(c.right));
    // Integers, and values computed from addresses, are compared or subtracted as integers.
    if left.is_empty() || right.is_empty() || is_mangled(left) || is_mangled(right) {
        return true;
    }
    if cfa.terms.base_offset(c.left).0 == cfa.terms.base_offset(c.right).0 {
        return true;
    }
    matches!((left, right), ([(a, _)], [(b, _)]) if a == b && single[a.index()])
}

fn is_mangled(set: &[Pointee]) -> bool {
    set.iter().any(|(_, offset)| offset.is_mangled())
}

/// For each object, whether it has at most one instance at a time.
pub fn single_instances(cfa: &Cfa) -> Vec<bool> {
    let cycles = locations_in_cycles(cfa);
    let in_cycle = |l: LocId| cycles[l.index()];
    let once = functions_run_once(cfa);
    let mut allocations = vec![0; cfa.objects.len()];
    for (e, a) in &cfa.allocations {
        let from = cfa.edges[*e].from;
        let f: FuncId = cfa.locs[from].func;
        allocations[a.object.index()] += if once[f.index()] && !in_cycle(from) { 1 } else { 2 };
    }
    let single = |o: ObjectId| match cfa.objects[o].kind {
        ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Stack(_) => true,
        ObjectKind::Site(_) => allocations[o.index()] == 1,
        ObjectKind::Outside => false,
    };
    cfa.objects.ids().map(single).collect()
}
