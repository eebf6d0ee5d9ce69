//! Offsets of pointers within objects, as far as they are known.
//!
//! The lattice, from bottom to top: an exact offset; "equal to `rem` modulo 2^`bits`" for fewer and fewer bits; "any"; and
//! *mangled* for a value that was taken apart or went through arithmetic that hides the pointer. The congruences tell
//! promotion at which byte an access lies, and regions how wide their cells may be.

use crate::ids::ObjectId;

/// Congruences finer than 2^4 bytes are not tracked: no cell is wider, and bases have no larger guaranteed alignment.
pub const MODULUS_BITS: u8 = 4;

/// The offset of a pointer from the base of (an instance of) an object, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offset {
    /// The offset (if exact) or its remainder. Exact offsets that do not fit become remainders.
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

    /// Any offset of a plain pointer.
    pub const ANY: Offset = Offset { rem: 0, bits: 0, mangled: false };

    /// The top element: anything computed from the address.
    pub const MANGLED: Offset = Offset { rem: 0, bits: 0, mangled: true };

    /// The offset, if it is exact.
    pub fn as_exact(self) -> Option<i64> {
        (self.bits == 64).then_some(i64::from(self.rem))
    }

    /// The remainder modulo 2^[`MODULUS_BITS`], if that much is known.
    pub fn remainder(self) -> Option<u32> {
        (self.bits >= MODULUS_BITS).then_some(self.rem as u32 & ((1 << MODULUS_BITS) - 1))
    }

    /// A sort key, different for different offsets.
    pub fn key(self) -> (bool, u8, i32) {
        (self.mangled, self.bits, self.rem)
    }

    /// Whether the value is not a plain sum of the address and an offset.
    pub fn is_mangled(self) -> bool {
        self.mangled
    }

    /// Whether the offset may be `k`.
    pub fn admits(self, k: i64) -> bool {
        match self.bits {
            64 => k == i64::from(self.rem),
            b => (k ^ i64::from(self.rem)) & ((1 << b) - 1) == 0,
        }
    }

    /// Whether `bytes` bytes from this offset on (`None`: any number) and `other_bytes` from `other` on may have a byte in common.
    pub fn may_overlap(self, bytes: Option<u64>, other: Offset, other_bytes: Option<u64>) -> bool {
        let (Some(bytes), Some(other_bytes)) = (bytes, other_bytes) else { return true };
        let bits = self.bits.min(other.bits);
        let distance = i64::from(other.rem) - i64::from(self.rem);
        if bits == 64 {
            return if distance >= 0 { bytes > distance as u64 } else { other_bytes > distance.unsigned_abs() };
        }
        let period = 1u64 << bits;
        let after = distance.rem_euclid(period as i64) as u64;
        bytes > after || other_bytes > (period - after) % period
    }

    /// Number of low bits of the offset that are known to be zero, at most [`MODULUS_BITS`].
    pub fn trailing_zeros(self) -> u8 {
        (self.rem.trailing_zeros() as u8).min(self.bits).min(MODULUS_BITS)
    }

    /// The join: the least upper bound of both.
    pub fn join(self, other: Offset) -> Offset {
        if self == other {
            return self;
        }
        let differ = (self.rem ^ other.rem).trailing_zeros() as u8;
        Offset { mangled: self.mangled || other.mangled, ..self }.modulo(other.bits.min(differ))
    }

    /// The offset plus an unknown multiple of 2^`bits`.
    pub fn modulo(self, bits: u8) -> Offset {
        if bits >= self.bits {
            return self;
        }
        let bits = bits.min(MODULUS_BITS);
        Offset { rem: self.rem & ((1 << bits) - 1), bits: bits.min(self.bits), mangled: self.mangled }
    }

    /// The offset plus `k`, for addresses of `pointer_bits` bits.
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

/// An object and an offset in it.
pub type Pointee = (ObjectId, Offset);

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

    /// Join is commutative and idempotent, and admits what either side admits; addition follows the concrete sum.
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

    /// `may_overlap` is true wherever ranges at admitted offsets overlap, and is exact for small offsets.
    #[test]
    fn overlaps_are_admitted() {
        let meets = |k: i64, n: i64, l: i64, m: i64| k < l + m && l < k + n;
        for a in offsets() {
            for b in offsets() {
                for (n, m) in [(1, 1), (1, 8), (4, 3), (16, 2)] {
                    let admitted = |k: &i64| a.admits(*k);
                    let overlap =
                        (-40..40).filter(admitted).any(|k| (-40..40).any(|l| b.admits(l) && meets(k, n, l, m)));
                    let may = a.may_overlap(Some(n as u64), b, Some(m as u64));
                    assert!(may || !overlap, "{a:?} {n} {b:?} {m}");
                    // Offsets within the range of this test are told apart exactly.
                    let near = |o: Offset| o.as_exact().is_none_or(|k| k.abs() < 16);
                    assert!(overlap || !may || !near(a) || !near(b), "{a:?} {n} {b:?} {m}");
                }
                assert!(a.may_overlap(None, b, Some(1)) && a.may_overlap(Some(1), b, None));
            }
        }
    }
}
