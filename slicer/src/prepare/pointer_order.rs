//! Order comparisons and subtractions of addresses.
//!
//! They stay plain arithmetic where both addresses lie in one object, or in a few objects that are placed freely (so that comparisons
//! are consistent with each other), where they are equal, and where they lie in the same block of an object that both may point to.
//! Elsewhere, blocks have any order, but one: a table of ranks, an input, says which comes first, by the addresses at which they begin.
//! Where it is not known which objects these are, and for distances, each result is an input of its own:
//!
//! ```text
//! var := p < q     -->     order := rank[block of p] < rank[block of q];  var := if p == q or in_one_block(p, q) then p < q else order
//! var := p - q     -->     order := ?;  var := if p == q or in_one_block(p, q) then p - q else order
//! ```

use crate::cfa_edit;
use crate::points_to::{Pointee, PointsTo};
use crate::prepare::layout::SiteRanges;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::tables::new_table;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Cfa, EdgeId, InputKind, ObjectId, ObjectKind, Op, PointerComparison, Scope, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Maximum number of objects of one comparison that are placed freely for it.
const ORDERED_OBJECTS: usize = 6;
/// Maximum number of objects in which the operands of one comparison are looked for.
const COMMON_OBJECTS: usize = 8;
/// Width of a rank. Blocks of the same rank are in the order of their addresses, so it bounds nothing but how many orders there are.
const RANK_BITS: u32 = 32;

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

/// The sites in whose blocks operands of a comparison are looked for, ascending.
pub fn compared_sites(cfa: &Cfa, comparisons: &Comparisons, points_to: &PointsTo) -> Vec<ObjectId> {
    let of = |c: &PointerComparison| {
        let blocks = blocks_of(cfa, points_to, c).unwrap_or_default();
        common_objects(cfa, points_to, c).into_iter().chain(blocks.into_iter().flatten())
    };
    let mut sites: Vec<ObjectId> = comparisons.values().flat_map(of).collect();
    sites.retain(|o| matches!(cfa.objects[*o].kind, ObjectKind::Site(_)));
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// Replaces comparisons whose operands may lie in different objects, not all of them `placed` freely (ascending), by ones of ranks, or by
/// inputs of kind `Layout`, where the operands are not equal and not in one block. The other comparisons stay plain arithmetic. Returns the
/// number of comparisons replaced.
pub fn free_pointer_order(
    cfa: &mut Cfa,
    comparisons: &Comparisons,
    points_to: &PointsTo,
    placed: &[ObjectId],
    (ranges, occurrences): (&SiteRanges, &Occurrences),
) -> usize {
    let mut comparisons: Vec<(&EdgeId, &PointerComparison)> = comparisons.iter().collect();
    comparisons.sort_unstable_by_key(|(e, _)| **e);
    let mut ranks = None;
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
        let by_rank = blocks_of(cfa, points_to, comparison).and_then(|blocks| {
            let table =
                *ranks.get_or_insert_with(|| new_table(cfa, "ranks of blocks", cfa.pointer_bits, RANK_BITS, None));
            let [first, second] = [(left, &blocks[0]), (right, &blocks[1])]
                .map(|(address, blocks)| block_of(cfa, blocks, ranges, address))
                .map(|block| (rank(cfa, table, block), block));
            with_order(cfa, plain, (left, right), first, second)
        });
        let op = by_rank.map_or(Op::Input { var: order, kind: InputKind::Layout }, |value| Op::assign(order, value));
        let drawn = cfa_edit::insert_before(cfa, e, op);
        cfa.memory.address_orders.insert(drawn, plain);
        let elsewhere = cfa.var_term(order);
        let value = same.into_iter().fold(elsewhere, |value, same| cfa.terms.ite(same, plain, value));
        cfa.edges[e].op = Op::assign(var, value);
    }
    replaced
}

/// The objects in which both operands may lie, ascending; none if there are too many.
fn common_objects(cfa: &Cfa, points_to: &PointsTo, c: &PointerComparison) -> Vec<ObjectId> {
    let [left, right] = [c.left, c.right].map(|t| objects_of(points_to, t));
    let common: Vec<ObjectId> = left.intersection(&right).copied().filter(|o| has_blocks(cfa, *o)).collect();
    if common.len() <= COMMON_OBJECTS { common } else { Vec::new() }
}

/// The objects in which each operand may lie, ascending; `None` if there are too many, or one has no blocks.
fn blocks_of(cfa: &Cfa, points_to: &PointsTo, c: &PointerComparison) -> Option<[Vec<ObjectId>; 2]> {
    let of = [c.left, c.right].map(|t| Vec::from_iter(objects_of(points_to, t)));
    let is_known = |objects: &Vec<ObjectId>| {
        (1..=COMMON_OBJECTS).contains(&objects.len()) && objects.iter().all(|o| has_blocks(cfa, *o))
    };
    of.iter().all(is_known).then_some(of)
}

fn objects_of(points_to: &PointsTo, t: Term) -> BTreeSet<ObjectId> {
    points_to.of(t).iter().map(|p| p.0).collect()
}

/// Whether it is known where the blocks of an object begin and end.
fn has_blocks(cfa: &Cfa, o: ObjectId) -> bool {
    match cfa.objects[o].kind {
        ObjectKind::Site(_) => true,
        ObjectKind::Global | ObjectKind::Stack(_) => cfa.objects[o].size_bytes.is_some(),
        ObjectKind::Function(_) | ObjectKind::Outside => false,
    }
}

/// The rank of the block that begins at an address.
fn rank(cfa: &mut Cfa, table: VarId, block: Term) -> Term {
    let ranks = cfa.var_term(table);
    cfa.terms.read(ranks, block, RANK_BITS)
}

/// The address at which the block begins in which `address` lies, or directly behind which it lies. An address in none of `objects` is one of
/// its own.
fn block_of(cfa: &mut Cfa, objects: &[ObjectId], ranges: &SiteRanges, address: Term) -> Term {
    let mut block = address;
    for &o in objects {
        // A pointer that leads to nothing but one object may still be null.
        let begin = begin_of_block(cfa, o, ranges, address);
        let is_here = in_one_block(cfa, o, ranges, (address, begin));
        block = cfa.terms.ite(is_here, begin, block);
    }
    block
}

/// The address at which the block of `o` begins that contains `address`.
pub(super) fn begin_of_block(cfa: &mut Cfa, o: ObjectId, ranges: &SiteRanges, address: Term) -> Term {
    let width = cfa.pointer_bits;
    let base = cfa.terms.addr(o, width);
    if ranges.bytes(cfa, o).is_none() {
        return base;
    }
    let slot_bits = cfa.objects[o].stride_bytes.trailing_zeros();
    let begin_of_slot = |cfa: &mut Cfa, t: Term| {
        let (slot, low) = (cfa.terms.extract(width - 1, slot_bits, t), cfa.terms.int(slot_bits.max(1), 0));
        if slot_bits == 0 { t } else { cfa.terms.concat(slot, low) }
    };
    if ranges.is_fixed(o) {
        return begin_of_slot(cfa, address);
    }
    let from_base = cfa.terms.bv_op(BvOp::Sub, address, base);
    let offset = begin_of_slot(cfa, from_base);
    cfa.terms.bv_op(BvOp::Add, base, offset)
}

/// `plain`, an order comparison of `left` and `right`, as one of their blocks, which are given by their ranks and beginnings and differ. `None`
/// if it is no such comparison.
fn with_order(
    cfa: &mut Cfa,
    plain: Term,
    (left, right): (Term, Term),
    first: (Term, Term),
    second: (Term, Term),
) -> Option<Term> {
    let args = cfa.terms.args(plain).to_vec();
    match (cfa.terms.kind(plain), &*args) {
        (Kind::Not, &[t]) => {
            let t = with_order(cfa, t, (left, right), first, second)?;
            Some(cfa.terms.not(t))
        }
        (Kind::Ite, &[c, then, or_else]) if cfa.terms.as_u64(then).and(cfa.terms.as_u64(or_else)).is_some() => {
            let c = with_order(cfa, c, (left, right), first, second)?;
            Some(cfa.terms.ite(c, then, or_else))
        }
        (Kind::Cmp(_), &[a, b]) if (a, b) == (left, right) => Some(is_before(cfa, first, second)),
        (Kind::Cmp(_), &[a, b]) if (a, b) == (right, left) => Some(is_before(cfa, second, first)),
        _ => None,
    }
}

/// Whether one of two different blocks comes before the other one.
fn is_before(cfa: &mut Cfa, (rank, begin): (Term, Term), (other, other_begin): (Term, Term)) -> Term {
    let terms = &mut cfa.terms;
    let (less, same) = (terms.cmp(BvCmp::Ult, rank, other), terms.eq(rank, other));
    let by_address = terms.cmp(BvCmp::Ult, begin, other_begin);
    let tie = terms.and(same, by_address);
    terms.or(less, tie)
}

/// The condition that two addresses lie in one block of an object, or directly behind it, as a Bool.
///
/// A site has a slot of `stride` bytes, a power of two, for each block, which is smaller: what lies behind it is in its slot, too.
pub(super) fn in_one_block(cfa: &mut Cfa, o: ObjectId, ranges: &SiteRanges, (left, right): (Term, Term)) -> Term {
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
