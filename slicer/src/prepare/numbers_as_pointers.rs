//! Pointers that are read from memory in which a number was stored.
//!
//! A conversion from a number to a pointer yields an address from outside, which may be that of anything the outside knows. In
//! memory, no conversion is visible: by a union, a copy of bytes or a cast of the memory's own address, a number is read as a pointer,
//! and points-to analysis says that this pointer points nowhere. It is assumed that no such pointer is used. This file finds where the
//! assumption matters: at reads of pointers from places at which a number may be stored. A *number* is a nonzero value that has no
//! pointer type and whose bits are not those of an address that the analysis follows, whatever variables, functions and choices it
//! went through. A part of an address, or an address of which a byte was cleared, counts as a number, too.
//!
//! The same rules tell which values may be numbers where they are compared with addresses (`address_comparison`).

use crate::points_to::{Pointee, PointsTo, is_block, memory_bases};
use crate::prepare::array_terms::ArrayTerms;
use cfa::offset::Offset;
use cfa::term::{Kind, Sort, Term};
use cfa::{Assumed, Assumption, Cfa, EdgeId, Id, InputKind, Matters, ObjectId, Op, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of places in one object that are distinguished.
const PLACES: usize = 256;

/// Some bytes of an object: where they begin, as far as that is known, and how many there are (`None` if that is not known).
type Place = (Offset, Option<u64>);

/// Terms whose values may be numbers: neither zero nor addresses that points-to analysis follows.
pub(super) struct MayBeNumbers(FixedBitSet);

impl MayBeNumbers {
    /// Whether the value of `t` may be a number.
    pub(super) fn contains(&self, t: Term) -> bool {
        self.0.contains(t.index())
    }
}

/// Records the assumption that pointers in memory were stored as pointers, and returns the terms that may be numbers. `accesses` are
/// the reads and writes of pointers.
pub(super) fn assume_stored_pointers(
    cfa: &mut Cfa,
    accesses: &FxHashSet<Term>,
    memory: Option<VarId>,
    points_to: &PointsTo,
    array_terms: &ArrayTerms,
) -> MayBeNumbers {
    let reached = |e: &EdgeId| points_to.reaches(cfa.locs[cfa.edges[*e].from].func);
    let edges: Vec<EdgeId> = cfa.edges.ids().filter(reached).collect();
    // Operands come before what is made of them.
    let terms = cfa.terms.all_subterms(edges.iter().flat_map(|e| cfa.edges[*e].op.terms()));
    let mut numbers = Numbers {
        cfa,
        memory,
        points_to,
        accesses,
        terms: FixedBitSet::with_capacity(cfa.terms.len()),
        vars: FixedBitSet::with_capacity(cfa.vars.len()),
        places: FxHashMap::default(),
        stored: FxHashSet::default(),
        copied: FxHashSet::default(),
        changed: true,
    };
    while std::mem::take(&mut numbers.changed) {
        numbers.copied.clear();
        terms.ones().for_each(|t| numbers.visit(Term::from_index(t)));
        edges.iter().for_each(|e| numbers.visit_edge(*e));
    }
    let reads_number = |e: &EdgeId| {
        let all = array_terms.within(cfa, &cfa.edges[*e].op.terms());
        let mut pointers = all.into_iter().filter(|t| cfa.terms.kind(*t) == Kind::Read && accesses.contains(t));
        pointers.any(|t| numbers.may_be_read(t))
    };
    let calls = edges.iter().any(|e| matches!(cfa.edges[*e].op, Op::CallIndirect(_)));
    let edges: Vec<EdgeId> = edges.iter().copied().filter(reads_number).collect();
    let found = numbers.terms;
    if !edges.is_empty() {
        // A violation may lie in a function that is called if a number is its address: then nothing leads there in the graph.
        let matters = if calls { Matters::IfReached(edges) } else { Matters::IfExecuted(edges) };
        cfa.assumptions.push(Assumption::of_proofs(Assumed::StoredAsPointers, matters));
    }
    MayBeNumbers(found)
}

/// What may be a number: the least solution of the rules in this `impl`.
struct Numbers<'a> {
    cfa: &'a Cfa,
    memory: Option<VarId>,
    points_to: &'a PointsTo,
    /// The reads and writes of pointers.
    accesses: &'a FxHashSet<Term>,
    /// Terms that may be numbers: other than zero, and than addresses that the analysis follows.
    terms: FixedBitSet,
    /// Variables that may be numbers.
    vars: FixedBitSet,
    /// The places at which numbers may be stored.
    places: FxHashMap<ObjectId, FxHashSet<Place>>,
    /// The stores that have been recorded: the number of the set of pointees, and bytes.
    stored: FxHashSet<(u32, Option<u64>)>,
    /// The copies that have been followed in this round.
    copied: FxHashSet<(u32, u32, Option<u64>)>,
    changed: bool,
}

impl Numbers<'_> {
    fn is_number(&self, t: Term) -> bool {
        self.terms.contains(t.index())
    }

    /// Whether `t` may be a number, by what is known about its operands so far.
    fn may_be_number(&self, t: Term) -> bool {
        let terms = &self.cfa.terms;
        let args = terms.args(t);
        match terms.kind(t) {
            _ if terms.as_bv(t).is_some_and(|v| v.is_zero()) => false,
            Kind::Read if self.accesses.contains(&t) => false,
            // Bytes of an input: from outside, and then followed, or uninitialised.
            Kind::Read if !self.reads_memory(t) => false,
            _ if self.points_to.of(t).is_empty() => true,
            Kind::Var(v) => self.vars.contains(v.index()),
            Kind::Read => self.may_be_read(t),
            Kind::Ite => self.is_number(args[1]) || self.is_number(args[2]),
            // A pointer and a number that is added to it are a pointer.
            _ => {
                let no_pointer = |t: &Term| self.is_number(*t) || self.points_to.of(*t).is_empty();
                args.iter().any(|t| self.is_number(*t)) && args.iter().all(no_pointer)
            }
        }
    }

    fn reads_memory(&self, read: Term) -> bool {
        let is_memory = |base: &Term| self.is_memory(*base);
        memory_bases(self.cfa, self.cfa.terms.args(read)[0]).iter().any(is_memory)
    }

    fn is_memory(&self, t: Term) -> bool {
        self.memory.is_some_and(|memory| self.cfa.terms.kind(t) == Kind::Var(memory))
    }

    fn visit(&mut self, t: Term) {
        let terms = &self.cfa.terms;
        if matches!(terms.sort(t), Sort::Bv(_)) && !self.is_number(t) && self.may_be_number(t) {
            self.terms.insert(t.index());
            self.changed = true;
        }
        match (terms.kind(t), terms.args(t)) {
            (Kind::Write, &[_, to, value]) if is_block(self.cfa, self.memory, value) => {
                let from = terms.args(value)[1];
                self.copy(from, to, Some(u64::from(terms.width(value) / 8)));
            }
            (Kind::Write, &[_, to, value])
                if !self.accesses.contains(&t) && (self.is_number(value) || self.is_piece(value)) =>
            {
                self.store_at(to, Some(u64::from(terms.width(value).div_ceil(8))));
            }
            (Kind::Copy, &[_, to, source, from, bytes]) => {
                let bytes = terms.as_u64(bytes);
                for base in memory_bases(self.cfa, source) {
                    match terms.kind(base) {
                        Kind::Var(_) if self.is_memory(base) => self.copy(from, to, bytes),
                        Kind::ConstArray if self.is_number(terms.args(base)[0]) => {
                            self.store_at(to, bytes);
                        }
                        // What inputs fill in is an address from outside, or uninitialised.
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether `t` is only a part of an address, or of null: where it is stored, the other part may be that of another address.
    fn is_piece(&self, t: Term) -> bool {
        let is_null = self.cfa.terms.as_bv(t).is_some_and(|v| v.is_zero());
        self.cfa.terms.width(t) < self.cfa.pointer_bits && (is_null || !self.points_to.of(t).is_empty())
    }

    fn visit_edge(&mut self, e: EdgeId) {
        match &self.cfa.edges[e].op {
            Op::Assign(list) => {
                let new = self.cfa.allocations.get(&e).map(|a| a.var);
                for &(v, t) in list.iter().filter(|(v, _)| Some(*v) != new) {
                    self.assign(v, self.is_number(t));
                }
            }
            Op::Input { var, kind } => {
                let open = matches!(kind, InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout);
                self.assign(*var, !open);
            }
            Op::CallIndirect(call) => {
                for &f in self.points_to.callees(e) {
                    let func = &self.cfa.funcs[f];
                    for (&arg, &param) in call.args.iter().zip(&func.params) {
                        self.assign(param, self.is_number(arg));
                    }
                    if let (Some(from), Some(to)) = (func.result, call.result) {
                        self.assign(to, self.vars.contains(from.index()));
                    }
                }
            }
            Op::Skip | Op::Assume { .. } | Op::Call(_) | Op::Unsupported(_) => {}
        }
    }

    fn assign(&mut self, v: VarId, number: bool) {
        if number {
            self.changed |= !self.vars.put(v.index());
        }
    }

    /// Whether `read` may read bytes at which a number may be stored.
    fn may_be_read(&self, read: Term) -> bool {
        let bytes = Some(u64::from(self.cfa.terms.width(read).div_ceil(8)));
        let overlap = |(at, n): &Place, offset| at.may_overlap(*n, offset, bytes);
        self.points_to.of(self.cfa.terms.args(read)[1]).iter().any(|(o, offset)| {
            self.places.get(o).is_some_and(|places| places.iter().any(|place| overlap(place, *offset)))
        })
    }

    /// Records that a number may be stored in the `bytes` bytes from what `address` points to on.
    fn store_at(&mut self, address: Term, bytes: Option<u64>) {
        if self.stored.insert((self.points_to.set_of(address), bytes)) {
            self.points_to.of(address).iter().for_each(|p| self.store(*p, bytes));
        }
    }

    /// Records that a number may be stored in the `bytes` bytes from there on.
    fn store(&mut self, (o, offset): Pointee, bytes: Option<u64>) {
        const ANYWHERE: Place = (Offset::ANY, None);
        let places = self.places.entry(o).or_default();
        if places.contains(&ANYWHERE) {
            return;
        }
        self.changed |= places.insert((offset, bytes));
        if places.len() > PLACES {
            *places = FxHashSet::from_iter([ANYWHERE]);
        }
    }

    /// Records that the numbers in the `bytes` bytes at `from` may be copied to `to`.
    fn copy(&mut self, from: Term, to: Term, bytes: Option<u64>) {
        if !self.copied.insert((self.points_to.set_of(from), self.points_to.set_of(to), bytes)) {
            return;
        }
        let (from, to) = (self.points_to.of(from), self.points_to.of(to));
        // Their distances from the beginning of the block, and their lengths. Blocks of different objects hold the same, mostly.
        let mut found: FxHashSet<(i64, Option<u64>)> = FxHashSet::default();
        for (o, offset) in from {
            let places = self.places.get(o).into_iter().flatten();
            for (at, n) in places.filter(|(at, n)| at.may_overlap(*n, *offset, bytes)) {
                found.insert(match (at.as_exact(), offset.as_exact()) {
                    (Some(at), Some(offset)) if at >= offset => (at - offset, *n),
                    _ => (0, bytes),
                });
            }
        }
        for &(target, start) in to {
            for &(distance, n) in &found {
                self.store((target, start.plus(distance, self.cfa.pointer_bits)), n);
            }
        }
    }
}
