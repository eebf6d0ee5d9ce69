//! Known bits of machine integers: which bits are zero, which are one, and which are unknown.
//!
//! This is the domain of the Linux kernel's verifier. Its operators are sound, and optimal where that is cheap (Vishwanathan, Shachnai,
//! Narayana, Nagarakatte, CGO 2022); products are computed by long multiplication. Known bits express congruences modulo powers of two,
//! which intervals cannot.

use crate::domains::intervals::ranges::greatest;

/// The numbers that agree with `value` in all bits that are not `unknown`. Both fields have the same width, which is stored in the value
/// that contains them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The known bits; unknown ones are zero.
    pub value: u64,
    /// The unknown bits.
    pub unknown: u64,
}

impl Bits {
    /// Nothing is known.
    pub fn unknown(width: u32) -> Bits {
        Bits { value: 0, unknown: greatest(width) }
    }

    /// Only `k`.
    pub fn known(k: u64) -> Bits {
        Bits { value: k, unknown: 0 }
    }

    fn of(value: u64, unknown: u64) -> Bits {
        Bits { value: value & !unknown, unknown }
    }

    /// The low `width` bits.
    pub fn low(self, width: u32) -> Bits {
        Bits { value: self.value & greatest(width), unknown: self.unknown & greatest(width) }
    }

    /// The bits that the numbers from `low` to `high` have in common.
    pub fn of_range(low: u64, high: u64) -> Bits {
        let differing = (low ^ high).checked_ilog2().map_or(0, |highest| u64::MAX >> (63 - highest));
        Bits::of(low, differing)
    }

    /// Whether `k` is in the set.
    pub fn contains(self, k: u64) -> bool {
        k & !self.unknown == self.value
    }

    /// Whether all numbers in this set are also in `other`.
    pub fn is_subset(self, other: Bits) -> bool {
        self.unknown & !other.unknown == 0 && other.contains(self.value)
    }

    /// The join: the bits that both have in common.
    pub fn union(self, other: Bits) -> Bits {
        Bits::of(self.value, self.unknown | other.unknown | (self.value ^ other.value))
    }

    /// The meet: the bits known in either; `None` if they contradict each other.
    pub fn intersect(self, other: Bits) -> Option<Bits> {
        let contradiction = (self.value ^ other.value) & !self.unknown & !other.unknown;
        (contradiction == 0).then(|| Bits::of(self.value | other.value, self.unknown & other.unknown))
    }

    /// The least number of `width` bits in the set that is at least `low`; `None` if there is none.
    pub fn next(self, low: u64, width: u32) -> Option<u64> {
        if self.contains(low) {
            return Some(low);
        }
        // The highest bit that does not match: bits above it can stay, bits below it can be chosen freely.
        let wrong = ((low ^ self.value) & !self.unknown).ilog2();
        let above = |bit: u32| low & !(u64::MAX >> (63 - bit));
        if self.value >> wrong & 1 == 1 {
            return Some(above(wrong) | self.value & (u64::MAX >> (63 - wrong)));
        }
        // This bit has to become zero, so an unknown bit above it that is zero in `low` has to become one.
        let bit = (wrong + 1..width).find(|bit| self.unknown >> bit & 1 == 1 && low >> bit & 1 == 0)?;
        Some(above(bit) | 1 << bit | self.value & ((1 << bit) - 1))
    }

    /// The greatest number of `width` bits in the set that is at most `high`; `None` if there is none.
    pub fn last(self, high: u64, width: u32) -> Option<u64> {
        let mirrored = Bits::of(!self.value & greatest(width), self.unknown);
        mirrored.next(!high & greatest(width), width).map(|k| !k & greatest(width))
    }

    /// The sum.
    pub fn sum(self, other: Bits) -> Bits {
        let unknown = self.unknown.wrapping_add(other.unknown);
        let least = self.value.wrapping_add(other.value);
        let carries = unknown.wrapping_add(least) ^ least;
        Bits::of(least, carries | self.unknown | other.unknown)
    }

    /// The difference.
    pub fn difference(self, other: Bits) -> Bits {
        let difference = self.value.wrapping_sub(other.value);
        let (most, least) = (difference.wrapping_add(self.unknown), difference.wrapping_sub(other.unknown));
        Bits::of(difference, (most ^ least) | self.unknown | other.unknown)
    }

    /// The product.
    pub fn product(self, other: Bits) -> Bits {
        let (mut left, mut right) = (self, other);
        let mut sum = Bits::known(left.value.wrapping_mul(right.value));
        while left.value | left.unknown != 0 {
            let uncertain = match (left.value & 1, left.unknown & 1) {
                (1, _) => right.unknown,
                (_, 1) => right.value | right.unknown,
                _ => 0,
            };
            sum = sum.sum(Bits { value: 0, unknown: uncertain });
            left = Bits { value: left.value >> 1, unknown: left.unknown >> 1 };
            right = Bits { value: right.value << 1, unknown: right.unknown << 1 };
        }
        sum
    }

    /// Bitwise and.
    pub fn and(self, other: Bits) -> Bits {
        let value = self.value & other.value;
        let possible = (self.value | self.unknown) & (other.value | other.unknown);
        Bits { value, unknown: possible & !value }
    }

    /// Bitwise or.
    pub fn or(self, other: Bits) -> Bits {
        let value = self.value | other.value;
        Bits { value, unknown: (self.unknown | other.unknown) & !value }
    }

    /// Bitwise exclusive or.
    pub fn xor(self, other: Bits) -> Bits {
        Bits::of(self.value ^ other.value, self.unknown | other.unknown)
    }

    /// The complement of `width` bits.
    pub fn not(self, width: u32) -> Bits {
        Bits::of(!self.value & greatest(width), self.unknown)
    }

    /// Shifted left by `by`, which is less than 64; the result may be wider.
    pub fn shifted_left(self, by: u32) -> Bits {
        Bits { value: self.value << by, unknown: self.unknown << by }
    }

    /// Shifted right by `by`, which is less than 64, filling with zeros.
    pub fn shifted_right(self, by: u32) -> Bits {
        Bits { value: self.value >> by, unknown: self.unknown >> by }
    }

    /// Shifted right by `by`, which is less than 64, filling with copies of bit 63.
    pub fn shifted_right_signed(self, by: u32) -> Bits {
        Bits { value: (self.value as i64 >> by) as u64, unknown: (self.unknown as i64 >> by) as u64 }
    }

    /// Sign-extended from `from` to `to` bits.
    pub fn sext(self, from: u32, to: u32) -> Bits {
        let extend = |k: u64| crate::domains::intervals::ranges::signed(k, from) as u64 & greatest(to);
        Bits { value: extend(self.value), unknown: extend(self.unknown) }
    }
}
