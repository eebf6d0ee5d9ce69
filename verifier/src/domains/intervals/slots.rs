//! Array slots: what is known of single cells of memories [Dangl 2013, 4.7.1].
//!
//! A slot is a cell at a known address, or at one that a term describes, such as `a[i]`. A write replaces what is known of the slots that
//! it surely covers, and forgets those that it may cover: the distance of the two addresses decides, by equal terms or by the values of
//! the variables in them. When a variable of an address is overwritten, the address is rewritten as definitions are, or its slot is
//! forgotten.
//!
//! Slots are read with the width with which they were written; nothing is known of their bytes.

use crate::domains::intervals::eval::Evaluator;
use crate::domains::intervals::ranges::{Ranges, greatest};
use crate::domains::intervals::value::Value;
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};
use imbl::OrdMap;

/// Maximum number of slots in a state; later ones are not tracked.
const MAX_SLOTS: usize = 64;

/// A place in a memory: a term, or nothing, plus a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Address {
    base: Option<Term>,
    offset: u64,
    width: u32,
}

impl Address {
    /// The address `k` of `width` bits.
    pub(super) fn known(width: u32, k: u64) -> Address {
        Address { base: None, offset: k, width }
    }

    /// The address that `t` describes.
    pub(super) fn of(terms: &Terms, t: Term) -> Option<Address> {
        let width = terms.width(t);
        if let Some(k) = terms.as_bv(t) {
            return Some(Address::known(width, k.to_u64()?));
        }
        let (base, k) = terms.base_offset(t);
        Some(Address { base: Some(base), offset: k.to_u64()?, width })
    }

    /// The term in it.
    pub(super) fn base(&self) -> Option<Term> {
        self.base
    }

    /// The numbers that the address may be.
    fn values(&self, at: &mut Evaluator<'_>) -> Option<Value> {
        let offset = Value::single(self.width, self.offset);
        match self.base {
            None => Some(offset),
            Some(base) => Some(Value::apply(BvOp::Add, &at.eval(base)?, &offset)),
        }
    }

    /// The possible distances from `other` to this address, in bytes modulo the size of the address space.
    pub(super) fn distance(&self, other: &Address, at: &mut Evaluator<'_>) -> Option<Value> {
        if self.width != other.width {
            return None;
        }
        if self.base == other.base {
            let distance = self.offset.wrapping_sub(other.offset) & greatest(self.width);
            return Some(Value::single(self.width, distance));
        }
        Some(Value::apply(BvOp::Sub, &self.values(at)?, &other.values(at)?))
    }

    /// The address as a term.
    fn term(&self, terms: &mut Terms) -> Term {
        let offset = terms.int(self.width, self.offset);
        match self.base {
            None => offset,
            Some(base) => terms.bv_op(BvOp::Add, base, offset),
        }
    }
}

/// How a read of a cell and a write to one of the same memory lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overlap {
    Same,
    Disjoint,
    Open,
}

impl Overlap {
    /// The overlap of `read_bytes` bytes with `written_bytes` bytes, which begin at these distances before them.
    pub(super) fn at(distance: &Value, read_bytes: u64, written_bytes: u64) -> Overlap {
        let width = distance.width();
        if distance.as_single() == Some(0) && read_bytes == written_bytes {
            return Overlap::Same;
        }
        let mut meeting = Ranges::interval(width, 0, written_bytes - 1);
        if read_bytes > 1 {
            let before = greatest(width) - (read_bytes - 2);
            meeting = meeting.union(&Ranges::interval(width, before, greatest(width)));
        }
        if distance.intersect(&Value::of_ranges(meeting)).is_none() { Overlap::Disjoint } else { Overlap::Open }
    }
}

/// A cell of a memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot {
    /// The memory, a variable.
    pub memory: VarId,
    /// Where the cell lies.
    pub address: Address,
    /// Its width in bits, a multiple of 8.
    pub width: u32,
}

impl Slot {
    /// The value of the cell, as a term.
    fn read(&self, terms: &mut Terms, memory: Sort) -> Term {
        let memory = terms.var(self.memory, memory);
        let address = self.address.term(terms);
        terms.read(memory, address, self.width)
    }
}

/// What is known of slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Slots {
    values: OrdMap<Slot, Value>,
}

impl Slots {
    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The slots about which something is known, and their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Slot, &Value)> + '_ {
        self.values.iter()
    }

    /// The slots of `memory`.
    fn of(&self, memory: VarId) -> impl Iterator<Item = (&Slot, &Value)> + '_ {
        let first = Slot { memory, address: Address { base: None, offset: 0, width: 0 }, width: 0 };
        self.values.range(first..).take_while(move |(slot, _)| slot.memory == memory)
    }

    /// The value of `slot` if it is known by this description of its address.
    pub(super) fn known(&self, slot: &Slot) -> Option<&Value> {
        self.values.get(slot)
    }

    /// The value of `slot` if it is known, also by another description of its address.
    pub(super) fn value(&self, slot: &Slot, at: &mut Evaluator<'_>) -> Option<&Value> {
        self.values.get(slot).or_else(|| {
            let is_same = |other: &Slot, at: &mut Evaluator<'_>| {
                other.width == slot.width
                    && other.address.distance(&slot.address, at).is_some_and(|d| d.as_single() == Some(0))
            };
            self.of(slot.memory).find_map(|(other, value)| is_same(other, at).then_some(value))
        })
    }

    /// Sets what is known of `slot`.
    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        if value.is_any() {
            self.values.remove(&slot);
        } else if self.values.len() < MAX_SLOTS || self.values.contains_key(&slot) {
            self.values.insert(slot, value);
        }
    }

    /// Finds the cells of the memory `t` of which something may be known: the slots of its variables, and what it writes. They become
    /// cells of `memory`.
    pub(super) fn cells(&self, terms: &Terms, memory: VarId, t: Term, found: &mut Vec<Slot>) {
        if found.len() >= MAX_SLOTS {
            return;
        }
        match (terms.kind(t), terms.args(t)) {
            (Kind::Var(v), _) => found.extend(self.of(v).map(|(slot, _)| Slot { memory, ..*slot })),
            (Kind::Write, &[below, address, value]) => {
                let width = terms.width(value);
                found.extend(Address::of(terms, address).map(|address| Slot { memory, address, width }));
                self.cells(terms, memory, below, found);
            }
            (Kind::Ite, &[_, a, b]) => {
                self.cells(terms, memory, a, found);
                self.cells(terms, memory, b, found);
            }
            _ => {}
        }
    }

    /// Forgets the slots of `v`, and those in whose addresses `by` replaces a term by nothing.
    pub(super) fn replace(
        &mut self,
        v: VarId,
        mut by: impl FnMut(&mut Terms, Term) -> Option<Term>,
        terms: &mut Terms,
    ) {
        for (slot, value) in std::mem::take(&mut self.values).iter().filter(|(slot, _)| slot.memory != v) {
            let address = match slot.address.base {
                None => Some(slot.address),
                Some(base) => by(terms, base).and_then(|base| Address::of(terms, base)).map(|moved| Address {
                    offset: moved.offset.wrapping_add(slot.address.offset) & greatest(moved.width),
                    ..moved
                }),
            };
            if let Some(address) = address {
                self.values.insert(Slot { address, ..*slot }, value.clone());
            }
        }
    }

    /// These slots with terms of another arena, as `import` says.
    pub(super) fn imported(&self, mut import: impl FnMut(Term) -> Term) -> Slots {
        let moved = |(slot, value): (&Slot, &Value)| {
            let address = Address { base: slot.address.base.map(&mut import), ..slot.address };
            (Slot { address, ..*slot }, value.clone())
        };
        Slots { values: self.values.iter().map(moved).collect() }
    }

    /// What is known, as Bool terms over variables; `sort` is the sort of a memory.
    pub(super) fn conditions(&self, terms: &mut Terms, sort: &dyn Fn(VarId) -> Sort) -> Vec<Term> {
        let mut all = Vec::new();
        for (slot, value) in self.iter() {
            let cell = slot.read(terms, sort(slot.memory));
            all.extend(value.conditions(terms, cell));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `read` bytes at a distance meet `written` bytes at 0, byte by byte.
    fn meet(distance: u64, read: u64, written: u64) -> bool {
        (0..read).any(|byte| (distance + byte) % 256 < written)
    }

    #[test]
    fn overlaps_are_those_of_bytes() {
        for (read, written) in [(1, 1), (1, 4), (4, 1), (4, 4), (8, 2)] {
            for distance in 0..256 {
                let expected = match meet(distance, read, written) {
                    false => Overlap::Disjoint,
                    true if distance == 0 && read == written => Overlap::Same,
                    true => Overlap::Open,
                };
                assert_eq!(Overlap::at(&Value::single(8, distance), read, written), expected, "{distance} {read}");
            }
        }
    }
}
