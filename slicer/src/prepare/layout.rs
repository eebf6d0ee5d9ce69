//! Concrete addresses for the objects that operations still name, and the replacement of `Addr` leaves by them.
//!
//! An address that the program never inspects as a number may be any number, so kerf chooses it. Objects with such addresses lie
//! in a separate area ([`Area::PROGRAM`]), in which no program has its memory, or hardly any on 32-bit platforms. The order there is: functions,
//! fixed objects, sites. Between objects there are gaps of at least 16 bytes, and their bases are multiples of 16, which the
//! width of cells relies on. Each site owns a range for its instances; that it makes no more instances than fit is an
//! assumption (`prepare`).
//!
//! **Known objects** ([`Known`]) are those whose address the outside knows, or the program compares or computes with. They lie
//! where the platform lets a program have its memory ([`Area::USER`]): anywhere, aligned, and disjoint from each other (but one may
//! begin where another ends).

use crate::cfa_edit;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::regions::edge_terms;
use crate::prepare::slots::share;
use anyhow::{Result, bail};
use cfa::bv::{BvCmp, BvOp};
use cfa::term::{Kind, Leaf, Term};
use cfa::{
    Allocation, AssumeKind, Assumed, Assumption, Cfa, EdgeId, Id, InputKind, Matters, ObjectId, ObjectKind, Op, Scope,
    Sort, Unsupported, VarId,
};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::ops::Range;

/// Minimum distance between two objects, and minimum alignment of an object, in bytes.
pub(super) const GAP_BYTES: u64 = 16;
/// Distance between two objects if there is room, in bytes. No 32-bit index leads from one to another, so that executions detect
/// accesses outside of their objects.
const SPREAD_BYTES: u64 = 1 << 36;
/// Maximum length of the range of a site with known addresses, in bytes, for 32-bit and 64-bit pointers. Ranges are shorter if there are many
/// sites.
const KNOWN_SITE_BYTES: [u64; 2] = [1 << 28, 1 << 44];
/// Number of blocks for which the range of a site has room if possible, where a test relies on the range.
pub(super) const MANY_BLOCKS: u64 = 1 << 16;
/// Number of blocks of one site that no program makes: more than a machine has memory for, or hours to allocate.
const TOO_MANY_BLOCKS: u64 = 1 << 40;
/// Number of blocks of one site that no analysis tells apart one by one, so that it does not matter whether the next one lies at the place of
/// the first.
const MANY_APART: u64 = 1 << 16;
/// Maximum number of objects that are placed freely (each pair of them needs a condition); further ones get a fixed place.
pub const FREE_OBJECTS: usize = 24;

/// Addresses in `begin..end`, for 32-bit and 64-bit pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area([(u64, u64); 2]);

impl Area {
    /// The area of objects whose addresses are never inspected.
    pub const PROGRAM: Area = Area(cfa::graph::PROGRAM_AREA);
    /// The area in which programs have their memory, apart from [`Area::PROGRAM`]. That it lies there is an assumption.
    pub const USER: Area = Area([(1 << 12, (1 << 32) - (1 << 12)), (1 << 12, 1 << 47)]);

    /// The area for pointers of `pointer_bits` bits.
    pub fn range(self, pointer_bits: u32) -> (u64, u64) {
        self.0[usize::from(pointer_bits >= 64)]
    }
}

/// The part of [`Area::USER`] where no known object lies, because fixed ones do; `None` if fixed ones lie elsewhere.
fn taken_by_fixed(pointer_bits: u32) -> Option<(u64, u64)> {
    let (fixed, user) = (Area::PROGRAM.range(pointer_bits), Area::USER.range(pointer_bits));
    (user.0 <= fixed.0 && fixed.1 <= user.1).then_some(fixed)
}

/// The condition that `address` lies in the area, as a Bool.
pub fn lies_in(cfa: &mut Cfa, area: Area, address: Term) -> Term {
    let (begin, end) = area.range(cfa.pointer_bits);
    let width = cfa.pointer_bits;
    let (first, last) = (cfa.terms.int(width, begin), cfa.terms.int(width, end - 1));
    let (above, below) = (cfa.terms.cmp(BvCmp::Ule, first, address), cfa.terms.cmp(BvCmp::Ule, address, last));
    cfa.terms.and(above, below)
}

/// The ranges of sites, as far as a condition needs them.
pub struct SiteRanges {
    /// For each known site, the variable with its length, which is free, so that blocks of different sites may lie close together.
    known: FxHashMap<ObjectId, VarId>,
    /// For each other site, a name for its length until [`assign_addresses`] decides it.
    fixed: FxHashMap<ObjectId, VarId>,
}

impl SiteRanges {
    /// Makes the variables for the sites among `known` and for those `compared`; they are set by [`assign_addresses`].
    pub fn new(cfa: &mut Cfa, known: &[ObjectId], compared: &[ObjectId]) -> SiteRanges {
        let mut ranges = SiteRanges { known: FxHashMap::default(), fixed: FxHashMap::default() };
        for &o in known.iter().chain(compared) {
            if matches!(cfa.objects[o].kind, ObjectKind::Site(_)) && !ranges.known.contains_key(&o) {
                let name = format!("range of {}", cfa.objects[o].name);
                let var = cfa.add_var(name, Sort::Bv(cfa.pointer_bits), Scope::Global);
                let is_known = known.binary_search(&o).is_ok();
                if is_known { &mut ranges.known } else { &mut ranges.fixed }.insert(o, var);
            }
        }
        ranges
    }

    /// The length of the range of `o`, in bytes; `None` if it was not asked for in [`new`](Self::new).
    pub fn bytes(&self, cfa: &mut Cfa, o: ObjectId) -> Option<Term> {
        self.known.get(&o).or_else(|| self.fixed.get(&o)).map(|v| cfa.var_term(*v))
    }

    /// Whether `o` is a site of which [`assign_addresses`] decides the length of the range, and aligns the slots.
    pub fn is_fixed(&self, o: ObjectId) -> bool {
        self.fixed.contains_key(&o)
    }

    /// The condition that `address` lies in an object, or in the range of a site, as a Bool. The object has a constant size if it is not
    /// such a site.
    pub fn contain(&self, cfa: &mut Cfa, o: ObjectId, address: Term) -> Term {
        let width = cfa.pointer_bits;
        let bytes = match self.bytes(cfa, o) {
            Some(range) => range,
            None => cfa.terms.int(width, cfa.objects[o].size_bytes.unwrap_or(u64::MAX)),
        };
        let base = cfa.terms.addr(o, width);
        let offset = cfa.terms.bv_op(BvOp::Sub, address, base);
        cfa.terms.cmp(BvCmp::Ult, offset, bytes)
    }
}

/// The maximum length of the range of a known site, in bytes, where so many sites share so much room: at least one block.
fn max_site_bytes(cfa: &Cfa, sites: usize, room: u64) -> u64 {
    // Half of the room is for what else has a place, and for gaps.
    let each = room / 2 / (sites as u64).max(1);
    let rounded = 1 << each.max(1).ilog2();
    KNOWN_SITE_BYTES[usize::from(cfa.pointer_bits >= 64)].min(rounded)
}

/// Objects whose addresses kerf may not choose, because the program or the outside depends on them. All lists are ascending.
pub struct Known {
    /// All such objects.
    pub all: Vec<ObjectId>,
    /// Those that the program computes with or compares.
    pub looked_at: Vec<ObjectId>,
    /// Those that the program computes with.
    pub exposed: Vec<ObjectId>,
}

/// Assigns addresses to all objects that an operation names, and substitutes them. The addresses of `known` objects are free:
/// each is held by a variable that an input sets, and so is the length of each site's range.
///
/// Errors: the objects do not fit into the address space.
pub fn assign_addresses(cfa: &mut Cfa, known: &Known, ranges: &SiteRanges, occurrences: &Occurrences) -> Result<()> {
    let named = named_objects(cfa);
    let mut is_known = FixedBitSet::with_capacity(cfa.objects.len());
    is_known.extend(known.all.iter().map(|o| o.index()));
    let (mut moving, mut fixed, mut sites) = (Vec::new(), Vec::new(), Vec::new());
    for o in named {
        match cfa.objects[o].kind {
            ObjectKind::Outside => cfa.objects[o].base = Some(0),
            _ if is_known.contains(o.index()) => moving.push(o),
            ObjectKind::Site(_) => sites.push(o),
            ObjectKind::Function(_) | ObjectKind::Global | ObjectKind::Stack(_) => fixed.push(o),
        }
    }
    let (begin, end) = Area::PROGRAM.range(cfa.pointer_bits);
    let numbers = numbers_as_addresses(cfa);
    fixed.sort_by_key(|o| !matches!(cfa.objects[*o].kind, ObjectKind::Function(_)));
    let mut at = begin;
    let spread = ((end - begin) / 4 / (fixed.len() as u64 + 1)).min(SPREAD_BYTES) / GAP_BYTES * GAP_BYTES;
    let functions = fixed.iter().filter(|o| matches!(cfa.objects[**o].kind, ObjectKind::Function(_))).count();
    for (i, o) in fixed.into_iter().enumerate() {
        let gap = if i + 1 < functions { GAP_BYTES } else { spread.max(GAP_BYTES) };
        let object = &mut cfa.objects[o];
        let size = object.size_bytes.unwrap_or(1).max(1);
        let base = past_numbers(&numbers, at, size, object.align_bytes)?;
        let Some(next) = base.checked_add(size).and_then(|x| x.checked_add(gap)).filter(|x| *x < end) else {
            bail!("the program's objects do not fit into {} bits of addresses", cfa.pointer_bits);
        };
        object.base = Some(base);
        at = next;
    }
    let lengths = place_sites(cfa, &sites, (ranges, occurrences), &numbers, at..end)?;
    assume_places(cfa, &known.exposed, occurrences);
    let of_known = most_site_bytes(cfa, &moving).0;
    guard_ranges(cfa, ranges, |cfa, o| lengths.get(&o).copied().unwrap_or(usual_bytes(cfa, o, of_known)));
    guard_other_ranges(cfa, ranges, &lengths, occurrences);
    let moved = free_addresses(cfa, &moving, known, ranges)?;
    // A site without a place is named nowhere.
    let length = |(o, var): (&ObjectId, &VarId)| (*var, lengths.get(o).copied().unwrap_or(0));
    substitute(cfa, &moved, &ranges.fixed.iter().map(length).collect());
    Ok(())
}

/// Assigns a range to each site, with one block at least, and shares what is left of the room among them. Returns the lengths in bytes.
fn place_sites(
    cfa: &mut Cfa,
    sites: &[ObjectId],
    (ranges, occurrences): (&SiteRanges, &Occurrences),
    numbers: &FxHashSet<u64>,
    room: Range<u64>,
) -> Result<FxHashMap<ObjectId, u64>> {
    let mut lengths = FxHashMap::default();
    // Aligned slots waste no room if larger ones come first, and ranges are multiples of them.
    let mut order: Vec<ObjectId> = sites.to_vec();
    order.sort_by_key(|o| Reverse(if ranges.is_fixed(*o) { stride_of(cfa, *o) } else { 0 }));
    let largest = order.first().map_or(1, |o| if ranges.is_fixed(*o) { stride_of(cfa, *o) } else { 1 });
    let mut at = room.start.next_multiple_of(largest);
    let needed = sites.iter().fold(0, |sum: u64, o| sum.saturating_add(stride_of(cfa, *o)));
    let Some(rest) = room.end.saturating_sub(at).checked_sub(needed) else {
        bail!("the allocations of {} sites do not fit into {} bits of addresses", sites.len(), cfa.pointer_bits);
    };
    let shares: u64 = sites.iter().map(|o| share(cfa, *o, occurrences)).sum();
    for o in order {
        let stride = stride_of(cfa, o);
        let unit = if ranges.is_fixed(o) { stride } else { GAP_BYTES };
        let base = past_numbers(numbers, at, stride, cfa.objects[o].align_bytes.max(unit))?;
        let range = (stride + rest / shares * share(cfa, o, occurrences)) / unit * unit;
        let Some(range) = range.checked_sub(base - at).filter(|range| *range >= stride) else {
            bail!("a block does not fit into {} bits of addresses beside numbers that are addresses", cfa.pointer_bits);
        };
        cfa.objects[o].base = Some(base);
        lengths.insert(o, range);
        at = base + range;
    }
    Ok(lengths)
}

/// The numbers that the program uses as addresses: kerf places no object there.
fn numbers_as_addresses(cfa: &Cfa) -> FxHashSet<u64> {
    let terms = &cfa.terms;
    if cfa.outside().is_none() {
        return FxHashSet::default();
    }
    let of_outside = |t: Term| {
        if terms.sort(t) != Sort::Bv(cfa.pointer_bits) {
            return None;
        }
        let (x, k) = terms.base_offset(t);
        let outside = matches!(terms.kind(x), Kind::Addr(o) if cfa.objects[o].kind == ObjectKind::Outside);
        if outside { k.to_u64() } else { None }
    };
    let used = terms.all_subterms(cfa.edges.ids().flat_map(|e| edge_terms(cfa, e)));
    used.ones().map(Term::from_index).filter_map(of_outside).collect()
}

/// The first aligned address from `at` on such that none of `numbers` lies in the `bytes` bytes there, or directly after them.
fn past_numbers(numbers: &FxHashSet<u64>, at: u64, bytes: u64, align_bytes: u64) -> Result<u64> {
    let mut base = aligned(at, align_bytes)?;
    loop {
        let hit = numbers.iter().filter(|k| **k >= base && **k - base <= bytes).max();
        match hit {
            Some(k) => base = aligned(k + 1, align_bytes)?,
            None => return Ok(base),
        }
    }
}

/// Ends executions in which a site makes more blocks than its range holds, where a test of whether an address lies in one of its blocks
/// relies on the range; `most_bytes` is the maximum length of a site's range. Where programs may well make more blocks than that holds, the next
/// one is a construct without a model.
fn guard_ranges(cfa: &mut Cfa, ranges: &SiteRanges, most_bytes: impl Fn(&Cfa, ObjectId) -> u64) {
    let width = cfa.pointer_bits;
    let mut edges: Vec<EdgeId> = cfa.allocations.keys().copied().collect();
    edges.sort_unstable();
    for e in edges {
        let Allocation { object, var, size } = cfa.allocations[&e];
        let Some(range) = ranges.bytes(cfa, object) else { continue };
        let Some(offset) = offset_of_new(cfa, e, object, var) else { continue };
        let left = cfa.terms.bv_op(BvOp::Sub, range, offset);
        // A block of size 0 has an address of its own, too, and the end of each block is in the range.
        let (begins, ends) = (cfa.terms.cmp(BvCmp::Ult, offset, range), cfa.terms.cmp(BvCmp::Ult, size, left));
        let cond = cfa.terms.and(begins, ends);
        let stride = stride_of(cfa, object);
        let most = most_bytes(cfa, object).max(stride) / stride;
        if most < TOO_MANY_BLOCKS {
            let limit = cfa.terms.int(width, most * stride);
            let fits = cfa.terms.cmp(BvCmp::Ult, offset, limit);
            let reason = format!(
                "more than {most} blocks from one place, with whose addresses the program computes or which it compares"
            );
            unsupported_unless(cfa, e, fits, reason);
        }
        cfa_edit::insert_before(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
    }
}

/// The same for sites on whose ranges no test relies, where these hold so few blocks that the next one would lie at the place of another, or in
/// the range of another site. On 64-bit platforms no block comes near another one, because each site has its own distance to multiples of
/// the slots, and they begin again only after [`MANY_APART`] of them.
fn guard_other_ranges(
    cfa: &mut Cfa,
    ranges: &SiteRanges,
    lengths: &FxHashMap<ObjectId, u64>,
    occurrences: &Occurrences,
) {
    let width = cfa.pointer_bits;
    if width >= 64 {
        return;
    }
    let mut edges: Vec<EdgeId> = cfa.allocations.keys().copied().collect();
    edges.sort_unstable();
    for e in edges {
        let Allocation { object, var, .. } = cfa.allocations[&e];
        let stride = stride_of(cfa, object);
        let Some(most) = lengths.get(&object).map(|bytes| bytes / stride) else { continue };
        if most >= MANY_APART || ranges.bytes(cfa, object).is_some() || occurrences.is_single(object) {
            continue;
        }
        let Some(offset) = offset_of_new(cfa, e, object, var) else { continue };
        let limit = cfa.terms.int(width, most * stride);
        let fits = cfa.terms.cmp(BvCmp::Ult, offset, limit);
        unsupported_unless(cfa, e, fits, format!("more than {most} blocks from one place, on a 32-bit platform"));
    }
}

/// The offset of the block that `e` allocates and whose address it assigns to `var`, from the beginning of the site's range, in bytes.
fn offset_of_new(cfa: &mut Cfa, e: EdgeId, object: ObjectId, var: VarId) -> Option<Term> {
    let Op::Assign(list) = &cfa.edges[e].op else { return None };
    let &(_, address) = list.iter().find(|(v, _)| *v == var)?;
    let base = cfa.terms.addr(object, cfa.pointer_bits);
    Some(cfa.terms.bv_op(BvOp::Sub, address, base))
}

/// Lets an execution be at a construct without a model before `e`, unless `supported` holds there.
pub(super) fn unsupported_unless(cfa: &mut Cfa, e: EdgeId, supported: Term, reason: String) {
    if cfa.terms.as_bool(supported) == Some(true) {
        return;
    }
    let from = cfa.edges[e].from;
    let (next, beyond) = (cfa_edit::new_loc(cfa, from), cfa_edit::new_loc(cfa, from));
    let not_supported = cfa.terms.not(supported);
    let unsupported = Unsupported {
        reason,
        reads: Some(Box::default()),
        writes: Some(Box::default()),
        may_call: false,
        may_not_return: true,
    };
    cfa_edit::move_source(cfa, e, next);
    cfa_edit::add_like(cfa, e, from, next, Op::branch(supported));
    cfa_edit::add_like(cfa, e, from, beyond, Op::branch(not_supported));
    cfa_edit::add_like(cfa, e, beyond, next, Op::Unsupported(Box::new(unsupported)));
}

/// Makes variables with the addresses of the objects, set before anything else is executed.
fn free_addresses(
    cfa: &mut Cfa,
    objects: &[ObjectId],
    known: &Known,
    ranges: &SiteRanges,
) -> Result<FxHashMap<ObjectId, Term>> {
    let width = cfa.pointer_bits;
    let (_, end) = Area::USER.range(width);
    let first = cfa.out(cfa.funcs[cfa.entry].entry)[0];
    // If there are too many, objects that are known but not inspected get a fixed place first.
    let is_looked_at = |o: &ObjectId| known.looked_at.binary_search(o).is_ok();
    let (free, others): (Vec<ObjectId>, Vec<ObjectId>) = objects.iter().partition(|o| is_looked_at(o));
    let order: Vec<ObjectId> = free.into_iter().chain(others).collect();
    let taken = taken_by_fixed(width);
    let (most, mut at) = most_site_bytes(cfa, objects);
    let mut usual = Vec::new();
    for &o in &order {
        let bytes = usual_bytes(cfa, o, most);
        let base = aligned(at, cfa.objects[o].align_bytes)?;
        let Some(next) = base.checked_add(bytes).and_then(|x| x.checked_add(GAP_BYTES)).filter(|x| *x < end) else {
            bail!("the program's objects do not fit into {width} bits of addresses");
        };
        at = next;
        usual.push(base);
    }
    let (free, fixed) = order.split_at(order.len().min(FREE_OBJECTS));
    for (&o, &base) in fixed.iter().zip(&usual[free.len()..]) {
        if let Some(&range) = ranges.known.get(&o) {
            let bytes = usual_bytes(cfa, o, most);
            let bytes = cfa.terms.int(width, bytes);
            set_first(cfa, first, o, Op::assign(range, bytes));
        }
        cfa.objects[o].base = Some(base);
        if is_looked_at(&o) {
            let fixed = Assumed::FixedAddress { name: cfa.objects[o].name.clone(), address: base };
            cfa.assumptions.push(Assumption::of_proofs(fixed, Matters::Always));
        }
    }
    let mut moved = FxHashMap::default();
    let mut placed: Vec<(Term, Term)> = Vec::new();
    if let Some((from, to)) = taken {
        placed.push((cfa.terms.int(width, from), cfa.terms.int(width, to - from)));
    }
    if let Some(&from) = usual.get(free.len()) {
        // All fixed places are one block for the free ones.
        placed.push((cfa.terms.int(width, from), cfa.terms.int(width, at - from)));
        let looked_at: Vec<ObjectId> = free.iter().copied().filter(is_looked_at).collect();
        let naming = cfa.edges_naming(&looked_at).into_values().flatten().collect();
        let apart = Assumed::OutsideFixedPlaces { begin: from, end: at };
        cfa.assumptions.push(Assumption::of_proofs(apart, Matters::IfReached(naming)));
    }
    for (&o, &base) in free.iter().zip(&usual) {
        let bytes = usual_bytes(cfa, o, most);
        let bytes = match ranges.known.get(&o) {
            Some(&range) => free_range(cfa, first, o, range, bytes),
            None => cfa.terms.int(width, bytes),
        };
        let address = free_address(cfa, first, (o, base), bytes, &placed);
        placed.push((address, bytes));
        moved.insert(o, address);
    }
    Ok(moved)
}

/// The maximum length of the range of each site among the known `objects`, in bytes, and the address from which on these usually lie.
fn most_site_bytes(cfa: &Cfa, objects: &[ObjectId]) -> (u64, u64) {
    let (begin, end) = Area::USER.range(cfa.pointer_bits);
    let at = taken_by_fixed(cfa.pointer_bits).map_or(begin + (end - begin) / 2, |(_, end)| end);
    let sites = objects.iter().filter(|o| matches!(cfa.objects[**o].kind, ObjectKind::Site(_))).count();
    (max_site_bytes(cfa, sites, end - at), at)
}

/// The length of a site's slots.
fn stride_of(cfa: &Cfa, o: ObjectId) -> u64 {
    cfa.objects[o].stride_bytes.max(1)
}

/// The number of bytes that an object takes up where it usually lies: one that is known, and if it is a site, its blocks. A site whose range
/// is usually `usual_of_site` bytes long has more if not even one block of its size fits in, unless its slots are larger than the range of
/// any site: then its range may be longer than usual.
fn usual_bytes(cfa: &Cfa, o: ObjectId, usual_of_site: u64) -> u64 {
    let stride = cfa.objects[o].stride_bytes;
    match cfa.objects[o].kind {
        ObjectKind::Site(_) if is_vast(cfa, stride) => usual_of_site,
        ObjectKind::Site(_) => usual_of_site.max(stride),
        _ => cfa.objects[o].size_bytes.unwrap_or(1),
    }
}

/// Whether slots of so many bytes are larger than the usual range of any known site.
fn is_vast(cfa: &Cfa, stride: u64) -> bool {
    stride > KNOWN_SITE_BYTES[usize::from(cfa.pointer_bits >= 64)]
}

/// Records what is assumed about the addresses of objects with which the program computes, because these are not entirely free.
fn assume_places(cfa: &mut Cfa, exposed: &[ObjectId], occurrences: &Occurrences) {
    for (o, naming) in cfa.edges_naming(exposed) {
        let object = &cfa.objects[o];
        // Addresses from outside are any numbers.
        if object.kind == ObjectKind::Outside {
            continue;
        }
        let (name, place) = (object.name.clone(), cfa.place(object.span));
        let mut fixed = Vec::new();
        match object.kind {
            ObjectKind::Site(_) if !occurrences.is_single(o) => {
                fixed.push(Assumed::BlocksInOrder { name: name.clone(), place, stride_bytes: object.stride_bytes })
            }
            ObjectKind::Stack(f) if !occurrences.runs_once(f) => {
                fixed.push(Assumed::OneAddress { name: name.clone(), place })
            }
            _ => {}
        }
        // ISO C 7.22.3 wants blocks to be aligned for objects that fit into them.
        if object.heap && object.align_bytes == GAP_BYTES && object.size_bytes.is_none_or(|n| n < GAP_BYTES) {
            let (name, place) = (name.clone(), cfa.place(object.span));
            fixed.push(Assumed::SmallBlocksAligned { name, place, align_bytes: object.align_bytes });
        }
        let (begin, end) = Area::USER.range(cfa.pointer_bits);
        fixed.push(Assumed::InUserMemory { name, begin, end, except: taken_by_fixed(cfa.pointer_bits) });
        // Terms that follow from it may have been folded away.
        let matters = Matters::IfReached(naming);
        cfa.assumptions.extend(fixed.into_iter().map(|what| Assumption::of_proofs(what, matters.clone())));
    }
}

/// Sets `range` to any number of bytes up to that of a slot or of the usual range, if that is more; the input 0 stands for `usual_bytes`.
/// Returns the range's term.
fn free_range(cfa: &mut Cfa, first: EdgeId, o: ObjectId, range: VarId, usual_bytes: u64) -> Term {
    let width = cfa.pointer_bits;
    let max_bytes = usual_bytes.max(cfa.objects[o].stride_bytes);
    let bits = 64 - max_bytes.leading_zeros();
    let name = format!("length of {}", cfa.vars[range].name);
    let free = cfa.add_var(name, Sort::Bv(bits), Scope::Global);
    let value = cfa.var_term(free);
    let value = cfa.terms.add_int(value, usual_bytes);
    let last = cfa.terms.int(bits, max_bytes);
    let cond = cfa.terms.cmp(BvCmp::Ule, value, last);
    let value = cfa.terms.resize(width, value);
    set_first(cfa, first, o, Op::Input { var: free, kind: InputKind::Layout });
    set_first(cfa, first, o, Op::Assume { cond, kind: AssumeKind::Guard });
    set_first(cfa, first, o, Op::assign(range, value));
    cfa.var_term(range)
}

/// Inserts an operation about `o` before the program's `first` edge.
fn set_first(cfa: &mut Cfa, first: EdgeId, o: ObjectId, op: Op) -> EdgeId {
    let e = cfa_edit::insert_before(cfa, first, op);
    cfa.edges[e].span = cfa.objects[o].span;
    e
}

/// Makes a variable that is set before the program's `first` edge to the address of an object of `bytes` bytes: any aligned
/// address at which the object shares no byte with those `placed`. The input 0 stands for the address `usual`.
fn free_address(
    cfa: &mut Cfa,
    first: EdgeId,
    (o, usual): (ObjectId, u64),
    bytes: Term,
    placed: &[(Term, Term)],
) -> Term {
    let width = cfa.pointer_bits;
    let (begin, end) = Area::USER.range(width);
    let object = &cfa.objects[o];
    let name = object.name.clone();
    let site = matches!(object.kind, ObjectKind::Site(_));
    let zeros = object.align_bytes.trailing_zeros();
    let number_bits = (64 - (end - 1).leading_zeros()).min(width);
    let free =
        cfa.add_var(format!("place of {name}"), Sort::Bv(number_bits.saturating_sub(zeros).max(1)), Scope::Global);
    let address = cfa.add_var(format!("address of {name}"), Sort::Bv(width), Scope::Global);
    let value = cfa.var_term(free);
    let mut value = cfa.terms.add_int(value, usual >> zeros);
    if zeros > 0 {
        let low = cfa.terms.int(zeros, 0);
        value = cfa.terms.concat(value, low);
    }
    let value = cfa.terms.resize(width, value);
    let (least, end) = (cfa.terms.int(width, begin), cfa.terms.int(width, end));
    let last = cfa.terms.bv_op(BvOp::Sub, end, bytes);
    let (above, below) = (cfa.terms.cmp(BvCmp::Ule, least, value), cfa.terms.cmp(BvCmp::Ule, value, last));
    let mut fits = cfa.terms.and(above, below);
    for &(other, n) in placed {
        let (end_here, end_there) = (cfa.terms.add(value, bytes), cfa.terms.add(other, n));
        let (before, after) = (cfa.terms.cmp(BvCmp::Ule, end_here, other), cfa.terms.cmp(BvCmp::Ule, end_there, value));
        let apart = cfa.terms.or(before, after);
        fits = cfa.terms.and(fits, apart);
    }
    set_first(cfa, first, o, Op::Input { var: free, kind: InputKind::Layout });
    set_first(cfa, first, o, Op::Assume { cond: fits, kind: AssumeKind::Guard });
    let set = set_first(cfa, first, o, Op::assign(address, value));
    cfa.objects[o].base = None;
    // Instances of a site get their addresses where they are allocated.
    if !site {
        cfa.allocations.insert(set, Allocation { object: o, var: address, size: bytes });
    }
    cfa.var_term(address)
}

fn aligned(at: u64, align_bytes: u64) -> Result<u64> {
    match at.checked_next_multiple_of(align_bytes.max(GAP_BYTES)) {
        Some(base) => Ok(base),
        None => bail!("the program's objects do not fit into its addresses"),
    }
}

/// The objects whose address an operation names, ascending.
fn named_objects(cfa: &Cfa) -> Vec<ObjectId> {
    let of_edges = cfa.edges.ids().flat_map(|e| edge_terms(cfa, e));
    let used = cfa.terms.all_subterms(of_edges.chain(cfa.memory.address_orders.values().copied()));
    let object = |t: usize| match cfa.terms.kind(Term::from_index(t)) {
        Kind::Addr(o) => Some(o),
        _ => None,
    };
    let mut named: Vec<ObjectId> = used.ones().filter_map(object).collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Replaces the addresses and the lengths of ranges in all operations and tables.
fn substitute(cfa: &mut Cfa, moved: &FxHashMap<ObjectId, Term>, lengths: &FxHashMap<VarId, u64>) {
    let bases: Vec<Option<u64>> = cfa.objects.iter().map(|o| o.base).collect();
    let width = cfa.pointer_bits;
    let Cfa { terms, edges, frees, apart, allocations, memory, determined, .. } = cfa;
    let mut done = FxHashMap::default();
    let has_address = terms.having(|node| match node.kind {
        Kind::Addr(_) => true,
        Kind::Var(v) => lengths.contains_key(&v),
        _ => false,
    });
    let mut replace = |t: &mut Term| {
        if !has_address.contains(t.index()) {
            return;
        }
        *t = terms.substitute(*t, &mut done, &mut |terms, leaf| match leaf {
            Leaf::Addr(o) => moved.get(&o).copied().or_else(|| bases[o.index()].map(|base| terms.int(width, base))),
            Leaf::Var(v) => lengths.get(&v).map(|bytes| terms.int(width, *bytes)),
            Leaf::Sym(_) => None,
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
    apart.values_mut().flatten().for_each(&mut replace);
    memory.address_orders.values_mut().for_each(&mut replace);
    determined.values_mut().filter_map(|result| result.noted.as_mut()).for_each(|(_, at)| replace(at));
    allocations.values_mut().for_each(|a| replace(&mut a.size));
}
