//! What a value may point to: objects, each with an offset as far as it is known.
//!
//! Lattice of offsets: an exact offset, below "equal to `rem` modulo 2^`bits`" for fewer and fewer bits, below "any"; a value that
//! was taken apart or went through arithmetic that pointers do not see is *mangled*, the top. The congruence is what tells
//! promotion at which byte an access lies, and regions how wide their cells may be.

use cfa::{Id, ObjectId};

/// A pointer that an undefined external function returned: it points to none of the program's objects, but calling it may do
/// anything.
pub const EXTERNAL: ObjectId = ObjectId(u32::MAX);

/// Congruences finer than 2^4 bytes are not tracked: no cell is wider, and bases are aligned no better.
pub const MODULUS_BITS: u8 = 4;

/// Offset of a pointer from the base of (an instance of) an object, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offset {
    /// The offset (where exact) or its remainder. Exact offsets that do not fit become remainders.
    rem: i32,
    /// The offset equals `rem` modulo 2^`bits`; 64 stands for an exact offset.
    bits: u8,
    /// Whether the value is no longer plain pointer arithmetic on the object's address.
    mangled: bool,
}

impl Offset {
    /// An exact offset.
    pub fn exact(rem: i64) -> Offset {
        match i32::try_from(rem) {
            Ok(rem) => Offset { rem, bits: 64, mangled: false },
            Err(_) => Offset { rem: (rem & ((1 << MODULUS_BITS) - 1)) as i32, bits: MODULUS_BITS, mangled: false },
        }
    }

    /// The top: anything computed from the address.
    pub const MANGLED: Offset = Offset { rem: 0, bits: 0, mangled: true };

    /// The offset, where it is known.
    pub fn as_exact(self) -> Option<i64> {
        (self.bits == 64).then_some(i64::from(self.rem))
    }

    /// Whether the value is no plain sum of the address and something.
    pub fn is_mangled(self) -> bool {
        self.mangled
    }

    /// Whether offset `k` is among those described.
    pub fn admits(self, k: i64) -> bool {
        match self.bits {
            64 => k == i64::from(self.rem),
            b => (k ^ i64::from(self.rem)) & ((1 << b) - 1) == 0,
        }
    }

    /// Number of low bits of the offset that surely are zero, at most [`MODULUS_BITS`].
    pub fn trailing_zeros(self) -> u8 {
        (self.rem.trailing_zeros() as u8).min(self.bits).min(MODULUS_BITS)
    }

    /// The least offset that describes both.
    pub fn join(self, other: Offset) -> Offset {
        if self == other {
            return self;
        }
        let differ = (self.rem ^ other.rem).trailing_zeros() as u8;
        Offset { mangled: self.mangled || other.mangled, ..self }.modulo(other.bits.min(differ))
    }

    /// Plus an unknown multiple of 2^`bits`.
    pub fn modulo(self, bits: u8) -> Offset {
        if bits >= self.bits {
            return self;
        }
        let bits = bits.min(MODULUS_BITS);
        Offset { rem: self.rem & ((1 << bits) - 1), bits: bits.min(self.bits), mangled: self.mangled }
    }

    /// Plus `k`, for addresses of `pointer_bits` bits.
    pub fn plus(self, k: i64, pointer_bits: u32) -> Offset {
        let sum = i64::from(self.rem).wrapping_add(k);
        match self.bits {
            64 => {
                let unused = 64 - pointer_bits.min(64);
                Offset { mangled: self.mangled, ..Offset::exact((sum << unused) >> unused) }
            }
            b => Offset { rem: (sum & ((1 << b) - 1)) as i32, ..self },
        }
    }
}

/// Sets of more objects do not track offsets: little is gained where so much is mixed, and each change propagates.
const OFFSETS_TRACKED: usize = 128;

/// An object and where in it.
pub type Pointee = (ObjectId, Offset);

/// A set of pointees, at most one for each object, ascending by object.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PointeeSet(Vec<Pointee>);

/// How an insertion changed a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Not at all.
    None,
    /// The object was there, with a lesser offset; the new one is given.
    Offset(Offset),
    /// The object is new.
    Object,
}

impl PointeeSet {
    /// The pointees, ascending by object.
    pub fn as_slice(&self) -> &[Pointee] {
        &self.0
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn widened(&self, offset: Offset) -> Offset {
        if self.0.len() > OFFSETS_TRACKED { offset.modulo(0) } else { offset }
    }

    /// Adds the pointees of `delta`, which ascend by object, changed by `map`, which keeps the object. Calls `changed` with
    /// what is new or became greater, ascending, and whether the object is new.
    pub fn union(
        &mut self,
        delta: &[Pointee],
        map: impl Fn(Pointee) -> Pointee,
        mut changed: impl FnMut(Pointee, bool),
    ) {
        /// Shorter deltas are inserted one by one.
        const MERGED: usize = 8;
        if delta.len() < MERGED {
            for &p in delta {
                let p = map(p);
                match self.insert(p) {
                    Change::None => {}
                    Change::Offset(joined) => changed((p.0, joined), false),
                    Change::Object => changed((p.0, self.widened(p.1)), true),
                }
            }
            return;
        }
        let mut new: Vec<Pointee> = Vec::new();
        let mut at = 0;
        for &p in delta {
            let (object, offset) = map(p);
            let offset = self.widened(offset);
            while at < self.0.len() && self.0[at].0.index() < object.index() {
                at += 1;
            }
            match self.0.get_mut(at) {
                Some(present) if present.0 == object => {
                    let joined = present.1.join(offset);
                    if joined != present.1 {
                        present.1 = joined;
                        changed((object, joined), false);
                    }
                }
                _ => {
                    new.push((object, offset));
                    changed((object, offset), true);
                }
            }
        }
        if !new.is_empty() {
            // From the back, so that each pointee moves once.
            let (mut old, mut fresh) = (self.0.len(), new.len());
            self.0.resize(old + fresh, new[0]);
            while fresh > 0 {
                let to = old + fresh - 1;
                if old > 0 && self.0[old - 1].0.index() > new[fresh - 1].0.index() {
                    self.0[to] = self.0[old - 1];
                    old -= 1;
                } else {
                    self.0[to] = new[fresh - 1];
                    fresh -= 1;
                }
            }
        }
    }

    /// Adds a pointee, joined with what is known of its object.
    pub fn insert(&mut self, (object, offset): Pointee) -> Change {
        let offset = self.widened(offset);
        // Propagation visits pointees in ascending order, so the last one is a good first guess.
        let at = match self.0.last() {
            Some(&(last, _)) if last.index() < object.index() => Err(self.0.len()),
            _ => self.0.binary_search_by_key(&object, |p| p.0),
        };
        match at {
            Ok(i) => {
                let joined = self.0[i].1.join(offset);
                if joined == self.0[i].1 {
                    return Change::None;
                }
                self.0[i].1 = joined;
                Change::Offset(joined)
            }
            Err(i) => {
                self.0.insert(i, (object, offset));
                Change::Object
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets() -> Vec<Offset> {
        let mut all: Vec<Offset> = (-9..10).map(Offset::exact).collect();
        for bits in 0..=MODULUS_BITS {
            all.extend((0..9).map(|k| Offset::exact(k).modulo(bits)));
        }
        all.extend([Offset::MANGLED, Offset::exact(1 << 40), Offset::exact(-(1 << 40) + 3)]);
        all
    }

    /// Join is commutative, idempotent and admits what either side admits; adding follows the concrete sum.
    #[test]
    fn offsets_form_a_lattice() {
        for a in offsets() {
            assert_eq!(a.join(a), a);
            for b in offsets() {
                let joined = a.join(b);
                assert_eq!(joined, b.join(a), "{a:?} {b:?}");
                assert_eq!(joined.join(b), joined);
                for k in -40..40 {
                    assert!(!(a.admits(k) || b.admits(k)) || joined.admits(k), "{a:?} {b:?} {k}");
                    assert!(!a.admits(k) || a.plus(5, 64).admits(k + 5) && a.modulo(2).admits(k + 12));
                    assert!(!a.admits(k) || k & ((1 << a.trailing_zeros()) - 1) == 0);
                }
            }
        }
    }

    /// A union does what inserting one by one does, and reports the same changes.
    #[test]
    fn union_is_insertion() {
        let mut seed = 3u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let all = offsets();
        for _ in 0..500 {
            let mut set = |n: u64| {
                let mut s = PointeeSet::default();
                for _ in 0..n {
                    s.insert((ObjectId(random(60) as u32), all[random(all.len() as u64) as usize]));
                }
                s
            };
            let (mut a, delta) = (set(20), set(30));
            let mut b = a.clone();
            let mut expected = Vec::new();
            for &p in delta.as_slice() {
                match b.insert(p) {
                    Change::None => {}
                    Change::Offset(joined) => expected.push((p.0, joined, false)),
                    Change::Object => expected.push((p.0, p.1, true)),
                }
            }
            let mut changes = Vec::new();
            a.union(delta.as_slice(), |p| p, |p, new| changes.push((p.0, p.1, new)));
            assert_eq!((a, changes), (b, expected));
        }
    }
}
