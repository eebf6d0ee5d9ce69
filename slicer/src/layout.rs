//! Concrete addresses for the objects that are still named, and the replacement of `Addr` leaves by them.
//!
//! Order: the null page, functions, fixed objects, sites. Objects have gaps of at least 16 bytes and bases that are multiples of
//! 16, which the width of cells relies on. Each site owns a range for its instances; that it makes no more
//! than fit is an assumption, which the front-end prints with the first site.

use crate::edit;
use crate::regions::edge_terms;
use anyhow::{Result, bail};
use cfa::bv::BvOp;
use cfa::term::{Leaf, Term};
use cfa::{Allocation, Cfa, Id, InputKind, ObjectId, ObjectKind, Op, Scope, Sort};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Bytes between two objects, and the least alignment of one.
const GAP_BYTES: u64 = 16;
/// Bytes between two objects where there is room: no index of 32 bits leads from one to another, so that runs notice that an
/// access lies outside of its object.
const SPREAD_BYTES: u64 = 1 << 36;
/// First address that anything has: the page of null stays free.
const FIRST_ADDRESS: u64 = 0x1_0000;
/// Bytes of the range of one site, for 64-bit pointers.
const SITE_RANGE_BYTES: u64 = 1 << 46;
/// Addresses from here on are not used, for 64-bit pointers (the non-negative half).
const END_64: u64 = 1 << 63;

/// Bits of the arbitrary part of an exposed object's address, in units of its alignment.
const FREE_BITS: u32 = 8;

/// Assigns addresses to all objects that an operation names and substitutes them. Those of `exposed` objects are not fixed: a
/// variable holds the address, which an input moves by a multiple of the alignment.
///
/// Errors: the objects do not fit into the address space.
pub fn assign_addresses(cfa: &mut Cfa, exposed: &FixedBitSet) -> Result<()> {
    let named = named_objects(cfa);
    let moving: Vec<ObjectId> = named
        .iter()
        .copied()
        .filter(|o| exposed.contains(o.index()) && !matches!(cfa.objects[*o].kind, ObjectKind::Function(_)))
        .collect();
    let end = if cfa.pointer_bits >= 64 { END_64 } else { 1 << cfa.pointer_bits };
    let rank = |o: &ObjectId| match cfa.objects[*o].kind {
        ObjectKind::Function(_) => 0,
        ObjectKind::Global | ObjectKind::Stack(_) => 1,
        ObjectKind::Site(_) => 2,
    };
    let (fixed, sites): (Vec<ObjectId>, Vec<ObjectId>) = named.into_iter().partition(|o| rank(o) < 2);
    let mut order = fixed;
    order.sort_by_key(rank);
    let mut at = FIRST_ADDRESS;
    let spread = (end / 4 / (order.len() as u64 + 1)).min(SPREAD_BYTES) / GAP_BYTES * GAP_BYTES;
    let functions = order.iter().filter(|o| rank(o) == 0).count();
    for (i, o) in order.into_iter().enumerate() {
        let gap = if i + 1 < functions { GAP_BYTES } else { spread.max(GAP_BYTES) };
        let object = &mut cfa.objects[o];
        let base = aligned(at, object.align_bytes)?;
        let free = if exposed.contains(o.index()) { object.align_bytes.max(1) << FREE_BITS } else { 0 };
        let size = object.size_bytes.unwrap_or(1).max(1) + free;
        let Some(behind) = base.checked_add(size).and_then(|x| x.checked_add(gap)).filter(|x| *x < end) else {
            bail!("the program's objects do not fit into {} bits of addresses", cfa.pointer_bits);
        };
        object.base = Some(base);
        at = behind;
    }
    place_sites(cfa, &sites, at, end)?;
    let moved = moving.into_iter().map(|o| (o, moving_address(cfa, o))).collect();
    substitute(cfa, &moved);
    Ok(())
}

/// Gives each site a range of the same number of bytes.
fn place_sites(cfa: &mut Cfa, sites: &[ObjectId], at: u64, end: u64) -> Result<()> {
    if sites.is_empty() {
        return Ok(());
    }
    let room = (end - at) / sites.len() as u64;
    let mut at = at;
    for &o in sites {
        let object = &cfa.objects[o];
        let base = aligned(at, object.align_bytes)?;
        let stride = object.stride_bytes.max(1);
        let free = object.align_bytes.max(1) << FREE_BITS;
        let range = room.min(SITE_RANGE_BYTES).saturating_sub(base - at).saturating_sub(free);
        if range / stride == 0 {
            bail!("the allocations of {} sites do not fit into {} bits of addresses", sites.len(), cfa.pointer_bits);
        }
        cfa.objects[o].base = Some(base);
        at = base + range + free;
    }
    Ok(())
}

/// A variable with the address of an exposed object, set before anything else happens: its base, moved by an input.
fn moving_address(cfa: &mut Cfa, o: ObjectId) -> Term {
    let width = cfa.pointer_bits;
    let object = &cfa.objects[o];
    let (base, step) = (object.base.unwrap_or(0), object.align_bytes.max(1));
    let (name, span, site) = (object.name.clone(), object.span, matches!(object.kind, ObjectKind::Site(_)));
    let size = object.size_bytes.unwrap_or(1);
    let free = cfa.add_var(format!("place of {name}"), Sort::Bv(FREE_BITS), Scope::Global);
    let address = cfa.add_var(format!("address of {name}"), Sort::Bv(width), Scope::Global);
    let first = cfa.out(cfa.funcs[cfa.entry].entry)[0];
    let input = edit::insert_before(cfa, first, Op::Input { var: free, kind: InputKind::Layout });
    let steps = cfa.var_term(free);
    let steps = cfa.terms.zext(width, steps);
    let (step, base) = (cfa.terms.int(width, step), cfa.terms.int(width, base));
    let offset = cfa.terms.bv_op(BvOp::Mul, steps, step);
    let at = cfa.terms.add(offset, base);
    let set = edit::insert_before(cfa, first, Op::assign(address, at));
    cfa.edges[input].span = span;
    cfa.edges[set].span = span;
    if !site {
        cfa.objects[o].base = None;
        let size = cfa.terms.int(width, size);
        cfa.allocations.insert(set, Allocation { object: o, var: address, size });
    }
    cfa.var_term(address)
}

fn aligned(at: u64, align_bytes: u64) -> Result<u64> {
    match at.checked_next_multiple_of(align_bytes.max(GAP_BYTES)) {
        Some(base) => Ok(base),
        None => bail!("the program's objects do not fit into its addresses"),
    }
}

/// Objects whose address an operation names, ascending.
fn named_objects(cfa: &Cfa) -> Vec<ObjectId> {
    let mut roots: Vec<Term> = cfa.edges.ids().flat_map(|e| edge_terms(cfa, e)).collect();
    roots.extend(cfa.address_orders.values());
    let mut named: Vec<ObjectId> = cfa
        .terms
        .leaves(&roots)
        .into_iter()
        .filter_map(|l| match l {
            Leaf::Addr(o) => Some(o),
            _ => None,
        })
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Replaces the addresses in all operations and tables.
fn substitute(cfa: &mut Cfa, moved: &FxHashMap<ObjectId, Term>) {
    let bases: Vec<Option<u64>> = cfa.objects.iter().map(|o| o.base).collect();
    let width = cfa.pointer_bits;
    let Cfa { terms, edges, frees, allocations, pointer_comparisons, address_orders, .. } = cfa;
    let mut done = FxHashMap::default();
    let mut replace = |t: &mut Term| {
        *t = terms.substitute(*t, &mut done, &mut |terms, leaf| match leaf {
            Leaf::Addr(o) => moved.get(&o).copied().or_else(|| bases[o.index()].map(|base| terms.int(width, base))),
            _ => None,
        });
    };
    for edge in edges.iter_mut() {
        match &mut edge.op {
            Op::Assign(list) => list.iter_mut().for_each(|(_, t)| replace(t)),
            Op::Assume { cond, .. } => replace(cond),
            Op::CallIndirect(call) => {
                replace(&mut call.target);
                call.args.iter_mut().for_each(&mut replace);
                call.varargs.iter_mut().for_each(&mut replace);
            }
            Op::Skip | Op::Input { .. } | Op::Call(_) | Op::Unsupported(_) => {}
        }
    }
    frees.values_mut().for_each(&mut replace);
    address_orders.values_mut().for_each(&mut replace);
    allocations.values_mut().for_each(|a| replace(&mut a.size));
    for c in pointer_comparisons.values_mut() {
        replace(&mut c.left);
        replace(&mut c.right);
    }
}
