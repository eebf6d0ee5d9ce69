//! Memories in which some cells are known.
//!
//! The values are accompanied by a second memory with cells of the same size, which are all ones where the value is known and zero where
//! it is not. So writes and copies of any length treat both in the same way. Unknown cells have the value zero, so that two memories are
//! equal if and only if both parts are.

use cfa::bv::Bv;
use cfa::eval::ArrayValue;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Maximum length, in cells, of a copy that is done cell by cell, which keeps the hash up to date.
const SHORT_COPY: u64 = 4096;

/// A memory in which some cells are known.
#[derive(Clone, Debug)]
pub(super) struct KnownArray {
    values: ArrayValue,
    /// All ones where the value is known; absent if it is known everywhere.
    known: Option<ArrayValue>,
    /// A hash of the cells that differ from the background; the same for all memories whose background has several pieces.
    hash: u64,
}

/// The hash of all memories whose hash is not kept up to date.
const UNHASHED: u64 = 1;

impl PartialEq for KnownArray {
    fn eq(&self, other: &KnownArray) -> bool {
        self.hash == other.hash
            && match (&self.known, &other.known) {
                (None, None) => true,
                (Some(a), Some(b)) => a == b,
                (Some(k), None) | (None, Some(k)) => *k == self.everywhere(),
            }
            && self.values == other.values
    }
}

impl Eq for KnownArray {}

impl KnownArray {
    /// The memory in which every cell is `value`.
    pub(super) fn constant(index: u32, value: Bv) -> KnownArray {
        let mut array = KnownArray { values: ArrayValue::constant(index, value), known: None, hash: 0 };
        array.hash = array.background_hash();
        array
    }

    /// The memory in which no cell is known.
    pub(super) fn unknown(index: u32, elem: u32) -> KnownArray {
        let nothing = ArrayValue::constant(index, Bv::new(elem, 0));
        let mut array = KnownArray { values: nothing.clone(), known: Some(nothing), hash: 0 };
        array.hash = array.background_hash();
        array
    }

    /// The hash; equal for equal memories.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether nothing is known. May return `false` for some memories without a known cell.
    pub(super) fn is_unknown(&self) -> bool {
        self.known.as_ref().is_some_and(|k| k.background().len() == 1 && k.background()[0].1.is_zero())
            && self.hash == self.background_hash()
    }

    /// The whole memory, if every cell is known.
    pub(super) fn complete(&self) -> Option<&ArrayValue> {
        self.known.is_none().then_some(&self.values)
    }

    fn elem(&self) -> u32 {
        self.values.elem_bits()
    }

    /// The `known` part of a memory in which every cell is known.
    fn everywhere(&self) -> ArrayValue {
        ArrayValue::constant(self.values.index_bits(), Bv::ones(self.elem()))
    }

    /// Whether the cells of the background are known.
    fn known_by_default(&self) -> bool {
        self.known.as_ref().is_none_or(|k| !k.background()[0].1.is_zero())
    }

    fn background_hash(&self) -> u64 {
        let mut h = FxHasher::default();
        self.values.background()[0].1.hash(&mut h);
        self.known_by_default().hash(&mut h);
        h.finish() | 2
    }

    /// The contribution of the cell at `at` to the hash.
    fn weight(&self, at: u64) -> u64 {
        let value = self.values.cell(at);
        let known = self.known.as_ref().is_none_or(|k| !k.cell(at).is_zero());
        if known == self.known_by_default() && value == self.values.background()[0].1 {
            return 0;
        }
        let mut h = FxHasher::default();
        (at, known).hash(&mut h);
        value.hash(&mut h);
        let x = (h.finish() ^ 0x2545_f491_4f6c_dd1d).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (x ^ (x >> 29)) << 2
    }

    /// The value of `width` bits at `address`, if all its cells are known.
    pub(super) fn read(&self, address: u64, width: u32) -> Option<Bv> {
        if self.known.as_ref().is_some_and(|k| !k.read(address, width).is_ones()) {
            return None;
        }
        Some(self.values.read(address, width))
    }

    /// Writes `width` bits at `address`; `None` is an unknown value.
    pub(super) fn write(&mut self, address: u64, width: u32, value: Option<&Bv>) {
        if let Some(v) = value
            && self.read(address, width).as_ref() == Some(v)
        {
            return;
        }
        let cells = u64::from(width / self.elem());
        let step = u64::from(self.elem() / 8);
        let end = if self.values.index_bits() >= 64 { u64::MAX } else { (1 << self.values.index_bits()) - 1 };
        let range = move || (0..cells).map(move |i| address.wrapping_add(i * step) & end);
        if value.is_none() && self.known.is_none() {
            self.known = Some(self.everywhere());
        }
        if self.hash != UNHASHED {
            self.hash = range().fold(self.hash, |h, at| h.wrapping_sub(self.weight(at)));
        }
        match value {
            Some(v) => {
                self.values.write(address, v);
                if let Some(k) = &mut self.known
                    && !k.read(address, width).is_ones()
                {
                    k.write(address, &Bv::ones(width));
                }
            }
            None => {
                self.values.write(address, &Bv::new(width, 0));
                if let Some(k) = &mut self.known {
                    k.write(address, &Bv::new(width, 0));
                }
            }
        }
        if self.hash != UNHASHED {
            self.hash = range().fold(self.hash, |h, at| h.wrapping_add(self.weight(at)));
        }
    }

    /// Copies `len` bytes from `from` in `src` to `to`; all of `src` is read before anything is written.
    pub(super) fn copy(&mut self, to: u64, src: &KnownArray, from: u64, len: u64) {
        let step = u64::from(self.elem() / 8);
        if len / step <= SHORT_COPY {
            let elem = self.elem();
            let cells: Vec<Option<Bv>> = (0..len / step).map(|i| src.read(from.wrapping_add(i * step), elem)).collect();
            for (i, cell) in cells.iter().enumerate() {
                self.write(to.wrapping_add(i as u64 * step), elem, cell.as_ref());
            }
            return;
        }
        if self.known.is_some() || src.known.is_some() {
            let theirs = src.known.clone().unwrap_or_else(|| self.everywhere());
            let mut known = self.known.take().unwrap_or_else(|| self.everywhere());
            known.copy(to, &theirs, from, len);
            self.known = Some(known);
        }
        self.values.copy(to, &src.values, from, len);
        self.hash = UNHASHED;
    }

    /// The cells that both memories know, with equal values. (If the background of one has several pieces, only explicit cells are
    /// compared.)
    pub(super) fn join(&self, other: &KnownArray) -> KnownArray {
        let elem = self.elem();
        let of_one_piece = |a: &KnownArray| {
            a.values.background().len() == 1 && a.known.as_ref().is_none_or(|k| k.background().len() == 1)
        };
        let same_background = of_one_piece(self)
            && of_one_piece(other)
            && self.known_by_default()
            && other.known_by_default()
            && self.values.background() == other.values.background();
        let mut joined =
            if same_background { self.clone() } else { KnownArray::unknown(self.values.index_bits(), elem) };
        for at in self.explicit().into_iter().chain(other.explicit()) {
            let value = self.read(at, elem).filter(|v| other.read(at, elem).as_ref() == Some(v));
            joined.write(at, elem, value.as_ref());
        }
        joined
    }

    /// The addresses of the cells that may differ from the background.
    fn explicit(&self) -> Vec<u64> {
        let known = self.known.iter().flat_map(ArrayValue::cells);
        self.values.cells().into_iter().chain(known).map(|(at, _)| at).collect()
    }

    /// What a label states about the memory. (If the background has several pieces, the label leaves them out.)
    pub(super) fn label(&self, terms: &mut Terms) -> ArrayLabel {
        let (index, elem) = (self.values.index_bits(), self.elem());
        if !self.known_by_default() || self.values.background().len() > 1 {
            let value = terms.fresh("memory", Sort::Array { index, elem });
            let mut constraints = Vec::new();
            for (address, v) in self.values.cells() {
                if self.read(address, elem).is_some() {
                    let at = terms.int(index, address);
                    let (cell, v) = (terms.read(value, at, elem), terms.constant(&v));
                    constraints.push(terms.eq(cell, v));
                }
            }
            return ArrayLabel { value, constraints };
        }
        let background = terms.constant(&self.values.background()[0].1);
        let mut t = terms.const_array(index, background);
        for (at, v) in self.values.cells() {
            let (at, v) = (terms.int(index, at), terms.constant(&v));
            t = terms.write(t, at, v);
        }
        let unknown: Vec<u64> =
            self.known.iter().flat_map(ArrayValue::cells).filter(|c| c.1.is_zero()).map(|c| c.0).collect();
        if unknown.is_empty() {
            return ArrayLabel { value: t, constraints: Vec::new() };
        }
        // All cells except the unknown ones equal those of `t`: the memory equals `t` with the memory's own cells written at the unknown
        // addresses.
        let value = terms.fresh("memory", Sort::Array { index, elem });
        for at in unknown {
            let at = terms.int(index, at);
            let own = terms.read(value, at, elem);
            t = terms.write(t, at, own);
        }
        let same = terms.eq(value, t);
        ArrayLabel { value, constraints: vec![same] }
    }
}

/// A memory in a label.
pub(super) struct ArrayLabel {
    /// Its value.
    pub value: Term,
    /// The constraints on the symbols in the value.
    pub constraints: Vec<Term>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Reads agree with a table of optional bytes, and equal tables give equal memories with equal hashes.
        #[test]
        fn is_a_table(
            known in any::<bool>(),
            writes in prop::collection::vec((0u64..24, prop::option::of(0u64..3), any::<bool>()), 0..40),
        ) {
            let base = || if known { KnownArray::constant(32, Bv::new(8, 0)) } else { KnownArray::unknown(32, 8) };
            let mut array = base();
            let mut table = vec![known.then_some(0u64); 32];
            for (at, v, wide) in writes {
                let width = if wide { 32 } else { 8 };
                array.write(at, width, v.map(|v| Bv::new(width, v)).as_ref());
                for i in 0..u64::from(width / 8) {
                    table[(at + i) as usize] = v.map(|v| if i == 0 { v } else { 0 });
                }
            }
            for (at, cell) in table.iter().enumerate() {
                prop_assert_eq!(array.read(at as u64, 8), cell.map(|c| Bv::new(8, c)));
            }
            let mut again = base();
            for (at, cell) in table.iter().enumerate().rev() {
                again.write(at as u64, 8, cell.map(|c| Bv::new(8, c)).as_ref());
            }
            prop_assert_eq!(array.hash(), again.hash());
            prop_assert!(array == again);
        }
    }

    proptest! {
        /// A join contains what both memories know, and is symmetric.
        #[test]
        fn joins(
            known in any::<[bool; 2]>(),
            writes in prop::collection::vec((any::<bool>(), 0u64..12, prop::option::of(0u64..3)), 0..30),
            copied in prop::option::of((any::<bool>(), 0u64..6)),
        ) {
            let base = |known| if known { KnownArray::constant(32, Bv::new(8, 1)) } else { KnownArray::unknown(32, 8) };
            let mut arrays = known.map(base);
            if let Some((which, at)) = copied {
                arrays[usize::from(which)].copy(at, &KnownArray::constant(32, Bv::new(8, 2)), 0, SHORT_COPY + 1);
            }
            for (which, at, v) in writes {
                arrays[usize::from(which)].write(at, 8, v.map(|v| Bv::new(8, v)).as_ref());
            }
            let [a, b] = &arrays;
            let (joined, turned) = (a.join(b), b.join(a));
            for at in (0..16).chain([SHORT_COPY, u64::from(u32::MAX)]) {
                let both = a.read(at, 8).filter(|v| b.read(at, 8).as_ref() == Some(v));
                let explicit = copied.is_none() || a.explicit().contains(&at) || b.explicit().contains(&at);
                prop_assert_eq!(joined.read(at, 8), both.filter(|_| explicit));
            }
            prop_assert!(joined == turned && joined.join(a) == joined && joined.join(b) == joined);
            prop_assert_eq!(joined.hash(), turned.hash());
        }
    }

    #[test]
    fn copies() {
        let mut a = KnownArray::unknown(64, 8);
        a.write(0, 32, Some(&Bv::new(32, 0x0403_0201)));
        let mut b = KnownArray::constant(64, Bv::new(8, 9));
        b.copy(100, &a, 2, 4);
        assert_eq!(b.read(100, 16), Some(Bv::new(16, 0x0403)));
        assert_eq!(b.read(101, 16), None);
        b.copy(50, &a, 0, 1 << 30);
        assert_eq!(
            (b.read(50, 16), b.read(49, 8), b.read(60, 8)),
            (Some(Bv::new(16, 0x0201)), Some(Bv::new(8, 9)), None)
        );
    }
}
