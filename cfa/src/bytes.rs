//! Ranges and sets of bytes: the part of a variable that an operation touches.
//!
//! The bytes of a memory are its addresses. A scalar is always touched as a whole, which the range of all bytes represents.

use smallvec::{SmallVec, smallvec};

/// The bytes from `first` to `last`, inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bytes {
    /// The first byte.
    pub first: u64,
    /// The last byte, not less than the first.
    pub last: u64,
}

impl Bytes {
    /// All bytes of a variable.
    pub const ALL: Bytes = Bytes { first: 0, last: u64::MAX };

    /// `count` bytes from `first` on; `None` if there are none or the range wraps around.
    pub fn from(first: u64, count: u64) -> Option<Bytes> {
        let last = first.checked_add(count.checked_sub(1)?)?;
        Some(Bytes { first, last })
    }

    /// Whether the ranges share a byte.
    pub fn overlaps(self, other: Bytes) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// A set of bytes: ascending ranges that neither overlap nor touch.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct ByteSet {
    ranges: SmallVec<[Bytes; 1]>,
}

impl Clone for ByteSet {
    fn clone(&self) -> ByteSet {
        // Other than the derived function, this copies without a loop.
        ByteSet { ranges: SmallVec::from_slice(&self.ranges) }
    }
}

impl From<Bytes> for ByteSet {
    fn from(range: Bytes) -> ByteSet {
        ByteSet { ranges: smallvec![range] }
    }
}

impl ByteSet {
    /// All bytes.
    pub fn all() -> ByteSet {
        Bytes::ALL.into()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges, ascending.
    pub fn ranges(&self) -> &[Bytes] {
        &self.ranges
    }

    /// Whether a byte of `range` is in the set.
    pub fn overlaps(&self, range: Bytes) -> bool {
        let at = self.ranges.partition_point(|r| r.last < range.first);
        self.ranges.get(at).is_some_and(|r| r.overlaps(range))
    }

    /// Adds `range`.
    pub fn insert(&mut self, range: Bytes) {
        let begin = self.ranges.partition_point(|r| r.last < range.first.saturating_sub(1));
        let end = self.ranges.partition_point(|r| r.first <= range.last.saturating_add(1));
        let mut joined = range;
        if begin < end {
            joined.first = joined.first.min(self.ranges[begin].first);
            joined.last = joined.last.max(self.ranges[end - 1].last);
            self.ranges.drain(begin..end);
        }
        self.ranges.insert(begin, joined);
    }

    /// Adds all of `other`; returns the bytes that are new.
    pub fn extend(&mut self, other: &ByteSet) -> ByteSet {
        let mut new = other.clone();
        self.ranges.iter().for_each(|r| new.remove(*r));
        new.ranges.iter().for_each(|r| self.insert(*r));
        new
    }

    /// Removes `range`.
    pub fn remove(&mut self, range: Bytes) {
        let begin = self.ranges.partition_point(|r| r.last < range.first);
        let end = self.ranges.partition_point(|r| r.first <= range.last);
        if begin >= end {
            return;
        }
        let (low, high) = (self.ranges[begin].first, self.ranges[end - 1].last);
        self.ranges.drain(begin..end);
        if high > range.last {
            self.ranges.insert(begin, Bytes { first: range.last + 1, last: high });
        }
        if low < range.first {
            self.ranges.insert(begin, Bytes { first: low, last: range.first - 1 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Insertion and removal agree with the same operations on a bit set, at both ends of the range of `u64`.
    #[test]
    fn as_sets_of_bits() {
        for base in [0u64, u64::MAX - 31] {
            let (mut set, mut bits, mut seed) = (ByteSet::default(), 0u32, 7u32);
            for _ in 0..2000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (a, n) = ((seed >> 8) % 32, (seed >> 16) % 6);
                let b = (a + n).min(31);
                let mask = (a..=b).fold(0u32, |m, i| m | 1 << i);
                let range = Bytes { first: base + u64::from(a), last: base + u64::from(b) };
                assert_eq!(set.overlaps(range), bits & mask != 0);
                match seed >> 30 {
                    0 => {
                        let new = set.extend(&range.into());
                        assert_eq!(new.is_empty(), bits & mask == mask);
                        bits |= mask;
                    }
                    1 => {
                        set.insert(range);
                        bits |= mask;
                    }
                    _ => {
                        set.remove(range);
                        bits &= !mask;
                    }
                }
                let apart = set.ranges().windows(2).all(|w| w[0].last + 1 < w[1].first);
                let now = (0..32).filter(|i| set.overlaps(Bytes { first: base + i, last: base + i }));
                assert!(apart && now.fold(0u32, |m, i| m | 1 << i) == bits);
            }
        }
    }
}
