//! The distances between the blocks of allocation sites whose size is not constant.
//!
//! Each block has a slot of its own, and no block may be larger than its slot. So slots are as large as all memory of a 64-bit platform
//! where there is room for them. Smaller ones are left to programs with many sites, to 32-bit platforms, and to sites that make several
//! blocks with whose addresses the program computes. Executions that request more than a slot has end there, by an assumption.

use crate::cfa_edit;
use crate::prepare::layout::{Area, FREE_OBJECTS, MANY_BLOCKS};
use crate::prepare::occurrences::Occurrences;
use cfa::bv::{BvCmp, BvOp};
use cfa::graph::LEAST_SLOT_BYTES;
use cfa::{Allocation, AssumeKind, Assumed, Assumption, Cfa, EdgeId, Matters, ObjectId, ObjectKind, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The largest slot, in bytes, for 32-bit and 64-bit pointers: on 64-bit platforms, no program has more memory.
const LARGEST_SLOT_BYTES: [u64; 2] = [1 << 30, 1 << 47];
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
    let mut guards: BTreeMap<Assumed, Vec<EdgeId>> = BTreeMap::new();
    for e in edges {
        let Allocation { object, size, .. } = cfa.allocations[&e];
        if !is_site(cfa, object) || cfa.objects[object].size_bytes.is_some() {
            continue;
        }
        let bytes = slot_bytes(cfa, object, shares, (known, compared), occurrences);
        cfa.objects[object].stride_bytes = bytes;
        set_stride(cfa, e, bytes);
        if cfa.terms.upper_bound(size) >= bytes.into() {
            let limit = cfa.terms.int(cfa.pointer_bits, bytes);
            let cond = cfa.terms.cmp(BvCmp::Ult, size, limit);
            let guard = cfa_edit::insert_before(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
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
    let (least, largest) = (LEAST_SLOT_BYTES[at], LARGEST_SLOT_BYTES[at]);
    if known.binary_search(&o).is_ok() {
        // What is placed freely takes up as much room as it needs.
        return if occurrences.is_single(o) && known.len() <= FREE_OBJECTS { largest } else { least };
    }
    let (begin, end) = Area::PROGRAM.range(cfa.pointer_bits);
    // Other objects, gaps and alignment take up to half of the area.
    let room = (end - begin) / 2 / shares.max(1);
    let has_many = !occurrences.is_single(o) && compared.binary_search(&o).is_ok();
    let room = if has_many { room * share(cfa, o, occurrences) / MANY_BLOCKS / 2 } else { room };
    (1 << room.max(1).ilog2()).clamp(least, largest)
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
