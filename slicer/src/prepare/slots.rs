//! The distances between the blocks of allocation sites whose size is not constant.
//!
//! Each block has a slot of its own, and no block may be larger than its slot. So slots are as large as all memory of a 64-bit platform
//! where there is room for them. Smaller ones are left to programs with many sites, to 32-bit platforms, and to sites that make several
//! blocks whose addresses the program computes with or compares. Where a program requests more than a slot has, the block is a construct without
//! a model; where no program has so much memory, on 64-bit platforms and on the stack, its executions end by an assumption.

use crate::cfa_edit;
use crate::prepare::layout::{Area, FREE_OBJECTS, GAP_BYTES, MANY_BLOCKS, unsupported_unless};
use crate::prepare::occurrences::Occurrences;
use cfa::bv::{BvCmp, BvOp};
use cfa::graph::LEAST_SLOT_BYTES;
use cfa::term::{Kind, Leaf, Term, Terms};
use cfa::{Allocation, AssumeKind, Assumed, Assumption, Cfa, EdgeId, Matters, ObjectId, ObjectKind, Op};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The largest slot, in bytes, for 32-bit and 64-bit pointers: on 64-bit platforms, no program has more memory.
const LARGEST_SLOT_BYTES: [u64; 2] = [1 << 30, 1 << 47];
/// The largest array on a stack, in bytes, for which any program has room: twice as many as Linux gives to a stack by default.
const LARGEST_STACK_BYTES: u64 = 1 << 24;
/// The smallest slot on 32-bit platforms, in bytes, if nothing is known of the sizes of a site's blocks: there is room for some thousands.
const LEAST_BYTES_OF_32_BITS: u64 = 1 << 16;
/// Number of definitions of variables that are put into each other, from the size of a block backwards.
const DEFINITIONS: usize = 4;

/// Chooses the slots of all sites whose size is not constant, and guards their allocations. The objects `known` (ascending) lie in the
/// memory of the program. Of the sites `compared` (ascending), a test of whether an address lies in one of their blocks relies on their ranges:
/// these are to hold many blocks.
///
/// Expects that each such site is allocated by edges `var := base + n * stride, n := n + 1`.
pub(super) fn choose_slots(cfa: &mut Cfa, (known, compared): (&[ObjectId], &[ObjectId]), occurrences: &Occurrences) {
    let mut edges: Vec<EdgeId> = cfa.allocations.keys().copied().collect();
    edges.sort_unstable();
    let sites: BTreeSet<ObjectId> = cfa.allocations.values().map(|a| a.object).filter(|o| is_site(cfa, *o)).collect();
    let placed = sites.iter().filter(|o| known.binary_search(o).is_err());
    let shares: u64 = placed.map(|o| share(cfa, *o, occurrences)).sum();
    let largest = largest_blocks(cfa);
    let mut guards: BTreeMap<Assumed, Vec<EdgeId>> = BTreeMap::new();
    for e in edges {
        let Allocation { object, size, .. } = cfa.allocations[&e];
        if !is_site(cfa, object) || cfa.objects[object].size_bytes.is_some() {
            continue;
        }
        let mut bytes = slot_bytes(cfa, object, shares, (known, compared), occurrences);
        if needs_room(cfa, object, (known, compared), occurrences) {
            bytes = bytes.min(slot_for(largest[&object], cfa.objects[object].align_bytes));
        }
        cfa.objects[object].stride_bytes = bytes;
        set_stride(cfa, e, bytes);
        if cfa.terms.upper_bound(size) < bytes.into() {
            continue;
        }
        let limit = cfa.terms.int(cfa.pointer_bits, bytes);
        let fits = cfa.terms.cmp(BvCmp::Ult, size, limit);
        let largest_of_all = if cfa.objects[object].heap { LEAST_SLOT_BYTES[1] } else { LARGEST_STACK_BYTES };
        if bytes < largest_of_all {
            unsupported_unless(cfa, e, fits, format!("a block whose size is not constant, of {bytes} bytes or more"));
        } else {
            let guard = cfa_edit::insert_before(cfa, e, Op::Assume { cond: fits, kind: AssumeKind::Guard });
            guards.entry(assumed(cfa, object)).or_default().push(guard);
        }
    }
    let assumptions = guards.into_iter().map(|(what, edges)| Assumption::of_proofs(what, Matters::IfKept(edges)));
    cfa.assumptions.extend(assumptions);
}

/// What is assumed where a block must fit into its slot.
fn assumed(cfa: &Cfa, o: ObjectId) -> Assumed {
    let object = &cfa.objects[o];
    let largest = LARGEST_SLOT_BYTES[1];
    // No platform has such a block, so the allocation would fail.
    if object.heap && object.stride_bytes == largest {
        Assumed::AllocationSucceeds
    } else {
        Assumed::BlockSize { bits: object.stride_bytes.trailing_zeros() }
    }
}

/// How much of the room for sites that kerf places one of them gets, in relation to the others.
pub(super) fn share(cfa: &Cfa, o: ObjectId, occurrences: &Occurrences) -> u64 {
    match cfa.objects[o].size_bytes {
        _ if occurrences.is_single(o) => 1,
        Some(_) => 4,
        None => 256,
    }
}

/// The length of the slots of one site, where all sites that kerf places have so many shares together.
fn slot_bytes(
    cfa: &Cfa,
    o: ObjectId,
    shares: u64,
    (known, compared): (&[ObjectId], &[ObjectId]),
    occurrences: &Occurrences,
) -> u64 {
    let at = usize::from(cfa.pointer_bits >= 64);
    let (least, largest) = ([LEAST_BYTES_OF_32_BITS, LEAST_SLOT_BYTES[1]][at], LARGEST_SLOT_BYTES[at]);
    if known.binary_search(&o).is_ok() {
        // What is placed freely takes up as much room as it needs.
        return if occurrences.is_single(o) && known.len() <= FREE_OBJECTS { largest } else { least };
    }
    let (begin, end) = Area::PROGRAM.range(cfa.pointer_bits);
    // Other objects, gaps and alignment take up to half of the area.
    let room = (end - begin) / 2 / shares.max(1);
    let many = needs_room(cfa, o, (known, compared), occurrences);
    let room = if many { room * share(cfa, o, occurrences) / MANY_BLOCKS / 2 } else { room };
    (1 << room.max(1).ilog2()).clamp(least, largest)
}

/// Whether a site makes several blocks, and its range should have room for as many of them as possible: a test relies on the range, or addresses
/// are few.
fn needs_room(
    cfa: &Cfa,
    o: ObjectId,
    (known, compared): (&[ObjectId], &[ObjectId]),
    occurrences: &Occurrences,
) -> bool {
    let is_tested = [known, compared].iter().any(|list| list.binary_search(&o).is_ok());
    !occurrences.is_single(o) && (cfa.pointer_bits < 64 || is_tested)
}

/// For each site, an upper bound of the sizes of its blocks, in bytes, as far as the terms of its allocations show it, and the only values that
/// variables and local variables in memory get. That they are set before the allocation, and by nothing else, is not certain, so the bound is
/// a guess.
fn largest_blocks(cfa: &mut Cfa) -> BTreeMap<ObjectId, u128> {
    let values = only_values(cfa);
    let mut largest = BTreeMap::new();
    for Allocation { object, mut size, .. } in cfa.allocations.clone().into_values() {
        for _ in 0..DEFINITIONS {
            let mut value = |terms: &mut Terms, leaf: Leaf| match leaf {
                Leaf::Var(v) => {
                    let set = values.get(&Leaf::Var(v)).copied().flatten()?;
                    let (Kind::Read, &[_, address]) = (terms.kind(set), terms.args(set)) else { return Some(set) };
                    let Kind::Addr(o) = terms.kind(address) else { return Some(set) };
                    let stored = values.get(&Leaf::Addr(o)).copied().flatten();
                    stored.filter(|t| terms.sort(*t) == terms.sort(set)).or(Some(set))
                }
                _ => None,
            };
            size = cfa.terms.substitute(size, &mut FxHashMap::default(), &mut value);
        }
        let bytes = largest.entry(object).or_insert(0);
        *bytes = cfa.terms.upper_bound(size).max(*bytes);
    }
    largest
}

/// The terms that are assigned to variables, and written to the beginnings of objects; `None` if there are several for one.
fn only_values(cfa: &Cfa) -> FxHashMap<Leaf, Option<Term>> {
    let mut values: FxHashMap<Leaf, Option<Term>> = FxHashMap::default();
    let mut add = |what: Leaf, value: Option<Term>| {
        values.entry(what).and_modify(|old| *old = None).or_insert(value);
    };
    for edge in cfa.edges.iter() {
        let Op::Assign(list) = &edge.op else {
            edge.op.written().into_iter().for_each(|v| add(Leaf::Var(v), None));
            continue;
        };
        for &(v, value) in list {
            add(Leaf::Var(v), Some(value));
            if let (Kind::Write, &[_, address, stored]) = (cfa.terms.kind(value), cfa.terms.args(value))
                && let Kind::Addr(o) = cfa.terms.kind(address)
            {
                add(Leaf::Addr(o), Some(stored));
            }
        }
    }
    values
}

/// The length of the smallest slot for blocks of at most `bytes` bytes: the end of each block lies in its slot, too.
fn slot_for(bytes: u128, align_bytes: u64) -> u64 {
    let needed = bytes.saturating_add(1).checked_next_power_of_two();
    let needed = needed.and_then(|n| u64::try_from(n).ok()).unwrap_or(1 << 63);
    needed.max(GAP_BYTES).max(align_bytes.next_power_of_two())
}

/// Whether `o` is an allocation site.
fn is_site(cfa: &Cfa, o: ObjectId) -> bool {
    matches!(cfa.objects[o].kind, ObjectKind::Site(_))
}

/// Lets the blocks that an edge allocates lie `bytes` bytes apart.
fn set_stride(cfa: &mut Cfa, e: EdgeId, bytes: u64) {
    let Allocation { object, var, .. } = cfa.allocations[&e];
    let Op::Assign(list) = &cfa.edges[e].op else { return };
    let mut list = list.clone();
    let Some(count) = list.iter().map(|(v, _)| *v).find(|v| *v != var) else { return };
    let (n, base) = (cfa.var_term(count), cfa.terms.addr(object, cfa.pointer_bits));
    let stride = cfa.terms.int(cfa.pointer_bits, bytes);
    let offset = cfa.terms.bv_op(BvOp::Mul, n, stride);
    let address = cfa.terms.add(base, offset);
    list.iter_mut().filter(|(v, _)| *v == var).for_each(|(_, t)| *t = address);
    cfa.edges[e].op = Op::Assign(list);
}
