//! Order comparisons and subtractions of addresses.
//!
//! They stay plain arithmetic where both addresses lie in one object, or in a few objects that are placed freely (so that comparisons
//! are consistent with each other). Elsewhere they become inputs, unless the addresses are equal or lie in the same block of an object
//! that both may point to:
//!
//! ```text
//! var := p < q     -->     order := ?;  var := if p == q or in_one_block(p, q) then p < q else order
//! ```

use crate::cfa_edit;
use crate::points_to::{Pointee, PointsTo};
use crate::prepare::layout::SiteRanges;
use crate::prepare::occurrences::Occurrences;
use cfa::bv::{BvCmp, BvOp};
use cfa::{Cfa, EdgeId, InputKind, ObjectId, ObjectKind, Op, PointerComparison, Scope, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Maximum number of objects of one comparison that are placed freely for it.
const ORDERED_OBJECTS: usize = 6;
/// Maximum number of objects in which both operands of one comparison are looked for.
const COMMON_OBJECTS: usize = 8;

/// Comparisons and subtractions of two addresses: [`RawFacts::pointer_comparisons`](cfa::RawFacts::pointer_comparisons).
type Comparisons = FxHashMap<EdgeId, PointerComparison>;

/// The objects that are to be placed freely because comparisons of addresses depend on their order.
pub fn ordered_objects(
    cfa: &Cfa,
    comparisons: &Comparisons,
    points_to: &PointsTo,
    occurrences: &Occurrences,
) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    for c in comparisons.values() {
        let objects: BTreeSet<ObjectId> =
            [c.left, c.right].iter().flat_map(|t| points_to.of(*t)).map(|p| p.0).collect();
        let few = objects.len() <= ORDERED_OBJECTS && objects.iter().all(|o| occurrences.is_single(*o));
        if few && !within_one_object(cfa, points_to, occurrences, c) {
            found.extend(objects);
        }
    }
    found
}

/// The sites in whose blocks both operands of a comparison may lie, ascending.
pub fn compared_sites(cfa: &Cfa, comparisons: &Comparisons, points_to: &PointsTo) -> Vec<ObjectId> {
    let mut sites: Vec<ObjectId> = comparisons.values().flat_map(|c| common_objects(cfa, points_to, c)).collect();
    sites.retain(|o| matches!(cfa.objects[*o].kind, ObjectKind::Site(_)));
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// Replaces comparisons whose operands may lie in different objects, not all of them `placed` freely (ascending), by inputs of kind
/// `Layout` where the operands are not equal and not in one block. The other comparisons stay plain arithmetic. Returns the number of
/// comparisons replaced.
pub fn free_pointer_order(
    cfa: &mut Cfa,
    comparisons: &Comparisons,
    points_to: &PointsTo,
    placed: &[ObjectId],
    (ranges, occurrences): (&SiteRanges, &Occurrences),
) -> usize {
    let mut comparisons: Vec<(&EdgeId, &PointerComparison)> = comparisons.iter().collect();
    comparisons.sort_unstable_by_key(|(e, _)| **e);
    let mut replaced = 0;
    for (&e, comparison) in comparisons {
        let Op::Assign(list) = &cfa.edges[e].op else { continue };
        let [(var, plain)] = **list else { continue };
        let mut objects = [comparison.left, comparison.right].into_iter().flat_map(|t| points_to.of(t)).map(|p| p.0);
        let anywhere = |o: ObjectId| occurrences.is_single(o) && placed.binary_search(&o).is_ok();
        if within_one_object(cfa, points_to, occurrences, comparison) || objects.all(anywhere) {
            continue;
        }
        replaced += 1;
        let common = common_objects(cfa, points_to, comparison);
        let (left, right) = (comparison.left, comparison.right);
        // Equal addresses are so in any order; they may both be null.
        let equal = cfa.terms.eq(left, right);
        let mut same = vec![equal];
        same.extend(common.into_iter().map(|o| in_one_block(cfa, o, ranges, (left, right))));
        let func = cfa.locs[cfa.edges[e].from].func;
        let order = cfa.add_var(format!("order.{}", cfa.vars.len()), cfa.vars[var].sort, Scope::Local(func));
        let input = cfa_edit::insert_before(cfa, e, Op::Input { var: order, kind: InputKind::Layout });
        cfa.memory.address_orders.insert(input, plain);
        let elsewhere = cfa.var_term(order);
        let value = same.into_iter().fold(elsewhere, |value, same| cfa.terms.ite(same, plain, value));
        cfa.edges[e].op = Op::assign(var, value);
    }
    replaced
}

/// The objects in which both operands may lie, ascending; none if there are too many.
fn common_objects(cfa: &Cfa, points_to: &PointsTo, c: &PointerComparison) -> Vec<ObjectId> {
    let of = |t: Term| points_to.of(t).iter().map(|p| p.0).collect::<BTreeSet<ObjectId>>();
    let has_blocks = |o: &ObjectId| match cfa.objects[*o].kind {
        ObjectKind::Site(_) => true,
        ObjectKind::Global | ObjectKind::Stack(_) => cfa.objects[*o].size_bytes.is_some(),
        ObjectKind::Function(_) | ObjectKind::Outside => false,
    };
    let common: Vec<ObjectId> = of(c.left).intersection(&of(c.right)).copied().filter(has_blocks).collect();
    if common.len() <= COMMON_OBJECTS { common } else { Vec::new() }
}

/// The condition that two addresses lie in one block of an object, or directly behind it, as a Bool.
///
/// A site has a slot of `stride` bytes, a power of two, for each block, which is smaller: what lies behind it is in its slot, too.
fn in_one_block(cfa: &mut Cfa, o: ObjectId, ranges: &SiteRanges, (left, right): (Term, Term)) -> Term {
    let width = cfa.pointer_bits;
    let base = cfa.terms.addr(o, width);
    let [from_base, other_from_base] = [left, right].map(|address| cfa.terms.bv_op(BvOp::Sub, address, base));
    if let Some(bytes) = ranges.bytes(cfa, o) {
        // The slots of a site that is placed by kerf begin at multiples of their size.
        let [first, second] = if ranges.is_fixed(o) { [left, right] } else { [from_base, other_from_base] };
        let slot_bits = cfa.objects[o].stride_bytes.trailing_zeros();
        let [slot, other] = [first, second].map(|address| cfa.terms.extract(width - 1, slot_bits, address));
        let same = cfa.terms.eq(slot, other);
        let [inside, inside_too] = [from_base, other_from_base].map(|n| cfa.terms.cmp(BvCmp::Ult, n, bytes));
        let inside = cfa.terms.and(inside, inside_too);
        return cfa.terms.and(inside, same);
    }
    let bytes = cfa.terms.int(width, cfa.objects[o].size_bytes.unwrap_or(0));
    let [inside, inside_too] = [from_base, other_from_base].map(|n| cfa.terms.cmp(BvCmp::Ule, n, bytes));
    cfa.terms.and(inside, inside_too)
}

fn within_one_object(cfa: &Cfa, points_to: &PointsTo, occurrences: &Occurrences, c: &PointerComparison) -> bool {
    let (left, right) = (points_to.of(c.left), points_to.of(c.right));
    // Integers, and values computed from addresses, are compared or subtracted as integers.
    if left.is_empty() || right.is_empty() || is_mangled(left) || is_mangled(right) {
        return true;
    }
    if cfa.terms.base_offset(c.left).0 == cfa.terms.base_offset(c.right).0 {
        return true;
    }
    matches!((left, right), ([(a, _)], [(b, _)]) if a == b && occurrences.is_single(*a))
}

fn is_mangled(set: &[Pointee]) -> bool {
    set.iter().any(|(_, offset)| offset.is_mangled())
}
