//! Sets of machine integers as sorted lists of disjoint intervals [Dangl 2013, 3.2.1.1].
//!
//! The intervals are over unsigned numbers, so that each set has a unique form; signed intervals are split where the sign changes. In
//! the cited work, the intervals are over the integers; here every operator wraps around, as machine integers do. If a set has more
//! than [`MAX_RANGES`] intervals, the smallest gaps are closed.

use smallvec::{SmallVec, smallvec};

/// Maximum number of intervals in a set.
pub const MAX_RANGES: usize = 8;

/// The least and the greatest number of an interval.
pub type Range = (u64, u64);

/// A set of numbers of a given width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ranges {
    width: u32,
    /// Ascending, disjoint and not adjacent.
    all: SmallVec<[Range; 2]>,
}

/// The greatest number of `width` bits, from 1 to 64.
pub fn greatest(width: u32) -> u64 {
    debug_assert!((1..=64).contains(&width));
    u64::MAX >> (64 - width)
}

/// `k` of `width` bits as a signed number.
pub fn signed(k: u64, width: u32) -> i64 {
    ((k << (64 - width)) as i64) >> (64 - width)
}

impl Ranges {
    /// The empty set.
    pub fn empty(width: u32) -> Ranges {
        Ranges { width, all: SmallVec::new() }
    }

    /// All numbers.
    pub fn full(width: u32) -> Ranges {
        Ranges { width, all: smallvec![(0, greatest(width))] }
    }

    /// Only `k`.
    pub fn single(width: u32, k: u64) -> Ranges {
        Ranges::interval(width, k, k)
    }

    /// The numbers from `low` to `high`; empty if `low` is greater than `high`.
    pub fn interval(width: u32, low: u64, high: u64) -> Ranges {
        debug_assert!(high <= greatest(width));
        Ranges { width, all: if low <= high { smallvec![(low, high)] } else { SmallVec::new() } }
    }

    /// The integers from `low` to `high` (which is not less), reduced modulo 2^width; both bounds are given modulo 2^128.
    pub fn modulo(width: u32, low: u128, high: u128) -> Ranges {
        let greatest = greatest(width);
        if high.wrapping_sub(low) >= u128::from(greatest) {
            return Ranges::full(width);
        }
        let (low, high) = (low as u64 & greatest, high as u64 & greatest);
        if low <= high {
            return Ranges::interval(width, low, high);
        }
        Ranges::of(width, [(0, high), (low, greatest)])
    }

    /// The signed numbers from `low` to `high`.
    pub fn signed_interval(width: u32, low: i64, high: i64) -> Ranges {
        if low > high {
            return Ranges::empty(width);
        }
        Ranges::modulo(width, low as u128, high as u128)
    }

    /// The union of non-empty intervals.
    pub fn of(width: u32, ranges: impl IntoIterator<Item = Range>) -> Ranges {
        let mut all: SmallVec<[Range; 16]> = ranges.into_iter().collect();
        all.sort_unstable();
        let mut merged: SmallVec<[Range; 16]> = SmallVec::new();
        for (low, high) in all {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        while merged.len() > MAX_RANGES {
            let gap = |i: &usize| merged[i + 1].0 - merged[*i].1;
            let i = (0..merged.len() - 1).min_by_key(gap).expect("two intervals");
            merged[i].1 = merged[i + 1].1;
            merged.remove(i + 1);
        }
        Ranges { width, all: merged.into_iter().collect() }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The intervals, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Range> + ExactSizeIterator + '_ {
        self.all.iter().copied()
    }

    /// The intervals as signed numbers, split where the sign changes; the non-negative ones come first.
    pub fn signed_iter(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let (width, most) = (self.width, greatest(self.width) >> 1);
        self.iter().flat_map(move |(low, high)| {
            let parts = if low <= most && high > most {
                [Some((low, most)), Some((most + 1, high))]
            } else {
                [Some((low, high)), None]
            };
            parts.into_iter().flatten().map(move |(l, h)| (signed(l, width), signed(h, width)))
        })
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether the set contains all numbers of the width.
    pub fn is_full(&self) -> bool {
        self.all[..] == [(0, greatest(self.width))]
    }

    /// The only number in the set, if there is exactly one.
    pub fn as_single(&self) -> Option<u64> {
        match self.all[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    /// The least and the greatest number.
    pub fn bounds(&self) -> Option<Range> {
        Some((self.all.first()?.0, self.all.last()?.1))
    }

    /// The least and the greatest number in signed order.
    pub fn signed_bounds(&self) -> Option<(i64, i64)> {
        let low = self.signed_iter().map(|(low, _)| low).min()?;
        Some((low, self.signed_iter().map(|(_, high)| high).max()?))
    }

    /// Whether the set contains `k`.
    pub fn contains(&self, k: u64) -> bool {
        self.iter().any(|(low, high)| (low..=high).contains(&k))
    }

    /// The number of elements, but at most `limit`.
    pub fn count(&self, limit: u64) -> u64 {
        self.iter().fold(0u64, |n, (low, high)| n.saturating_add((high - low).saturating_add(1))).min(limit)
    }

    /// The elements, ascending. Only to be used for small sets.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.iter().flat_map(|(low, high)| low..=high)
    }

    /// The union of the two sets.
    pub fn union(&self, other: &Ranges) -> Ranges {
        debug_assert_eq!(self.width, other.width);
        Ranges::of(self.width, self.iter().chain(other.iter()))
    }

    /// The intersection of the two sets, over-approximated if it has too many intervals.
    pub fn intersect(&self, other: &Ranges) -> Ranges {
        debug_assert_eq!(self.width, other.width);
        let pairs = self.iter().flat_map(|a| other.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
        Ranges::of(self.width, pairs.filter(|(low, high)| low <= high))
    }

    /// The complement of the set, over-approximated if it has too many intervals.
    pub fn complement(&self) -> Ranges {
        Ranges::of(self.width, self.gaps())
    }

    fn gaps(&self) -> SmallVec<[Range; MAX_RANGES + 1]> {
        let (mut gaps, mut next) = (SmallVec::new(), Some(0));
        for (low, high) in self.iter() {
            if let Some(next) = next.filter(|next| *next < low) {
                gaps.push((next, low - 1));
            }
            next = high.checked_add(1).filter(|next| *next <= greatest(self.width));
        }
        gaps.extend(next.map(|next| (next, greatest(self.width))));
        gaps
    }

    /// Whether all elements are in `other`.
    pub fn is_subset(&self, other: &Ranges) -> bool {
        self.iter().all(|(low, high)| other.iter().any(|(l, h)| l <= low && high <= h))
    }

    /// Applies `f` to each interval; the resulting intervals may overlap.
    pub fn map<I: IntoIterator<Item = Range>>(&self, width: u32, f: impl Fn(Range) -> I) -> Ranges {
        Ranges::of(width, self.iter().flat_map(f))
    }

    /// The union of `old` and each cell that contains an element of this set that is not in `old`. Cells begin at `starts` (ascending,
    /// beginning with 0). This is the abstraction of [Dangl 2013, 3.2.2], with other cells than signs.
    pub fn widening(&self, old: &Ranges, starts: &[u64]) -> Ranges {
        let gaps = old.gaps();
        let pairs = self.iter().flat_map(|a| gaps.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
        let new = pairs.filter(|(low, high)| low <= high);
        let cells = cells(new, starts).into_iter().map(|i| {
            let end = starts.get(i + 1).map_or(greatest(self.width), |next| next - 1);
            (starts[i], end)
        });
        Ranges::of(self.width, old.iter().chain(cells))
    }
}

/// The indices, ascending, of the cells that intersect `ranges`. Cells begin at `starts` (ascending, beginning with 0).
pub fn cells(ranges: impl Iterator<Item = Range>, starts: &[u64]) -> Vec<usize> {
    let cell = |k: u64| starts.partition_point(|start| *start <= k) - 1;
    let mut all: Vec<usize> = ranges.flat_map(|(low, high)| cell(low)..=cell(high)).collect();
    all.sort_unstable();
    all.dedup();
    all
}
