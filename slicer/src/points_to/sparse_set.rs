//! Sets of small numbers: a few members are stored in place, more as a sparse bitmap with word-wise unions.

use std::cmp::Ordering;

/// Maximum number of members that are stored in place.
const FEW: usize = 4;

/// A set of `u32`, ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum SparseSet {
    /// At most `FEW` members: the first `len` of `ids`, ascending; the other `ids` are 0.
    Few {
        /// Number of members.
        len: u8,
        /// The members.
        ids: [u32; FEW],
    },
    /// More members.
    Many(Box<Bitmap>),
}

/// The nonzero words of a bitmap with their positions, ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bitmap {
    keys: Vec<u32>,
    words: Vec<u64>,
    len: u32,
}

impl Default for SparseSet {
    fn default() -> Self {
        SparseSet::Few { len: 0, ids: [0; FEW] }
    }
}

impl SparseSet {
    /// Whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of members.
    pub(super) fn len(&self) -> usize {
        match self {
            SparseSet::Few { len, .. } => usize::from(*len),
            SparseSet::Many(bits) => bits.len as usize,
        }
    }

    /// The largest member.
    pub(super) fn last(&self) -> Option<u32> {
        match self {
            SparseSet::Few { len: 0, .. } => None,
            SparseSet::Few { len, ids } => Some(ids[usize::from(*len) - 1]),
            SparseSet::Many(bits) => {
                let (key, word) = (bits.keys.last()?, bits.words.last()?);
                Some(64 * key + 63 - word.leading_zeros())
            }
        }
    }

    /// The members, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (few, many) = match self {
            SparseSet::Few { len, ids } => (&ids[..usize::from(*len)], None),
            SparseSet::Many(bits) => (&[][..], Some(bits)),
        };
        let words = many.into_iter().flat_map(|b| b.keys.iter().zip(&b.words));
        few.iter().copied().chain(words.flat_map(|(&key, &word)| bits_of(key, word)))
    }

    /// Whether any member lies in `range`.
    pub(super) fn meets(&self, range: std::ops::Range<u32>) -> bool {
        match self {
            SparseSet::Few { .. } => self.iter().any(|i| range.contains(&i)),
            SparseSet::Many(bits) => {
                let at = bits.keys.partition_point(|k| *k < range.start / 64);
                let words = bits.keys[at..].iter().zip(&bits.words[at..]).take_while(|(k, _)| **k <= range.end / 64);
                words.flat_map(|(&key, &word)| bits_of(key, word)).any(|i| range.contains(&i))
            }
        }
    }

    /// Adds `id`; returns whether it is new.
    pub(super) fn insert(&mut self, id: u32) -> bool {
        match self {
            SparseSet::Few { len, ids } => {
                let n = usize::from(*len);
                let Err(at) = ids[..n].binary_search(&id) else { return false };
                if n < FEW {
                    ids.copy_within(at..n, at + 1);
                    ids[at] = id;
                    *len += 1;
                } else {
                    let mut bits = Bitmap::default();
                    ids.iter().for_each(|&i| {
                        bits.insert(i);
                    });
                    bits.insert(id);
                    *self = SparseSet::Many(Box::new(bits));
                }
                true
            }
            SparseSet::Many(bits) => bits.insert(id),
        }
    }

    /// Adds all members of `other`; those that are new are also added to `new`. Returns whether any were.
    pub(super) fn union(&mut self, other: &SparseSet, new: &mut SparseSet) -> bool {
        match (&mut *self, other) {
            (SparseSet::Many(into), SparseSet::Many(from)) => into.union(from, new),
            (SparseSet::Few { .. }, SparseSet::Many(_)) => {
                // The larger set becomes the union; its members are new unless they were here before.
                let old = std::mem::replace(self, other.clone());
                let known = old.iter().filter(|i| !self.insert(*i)).collect::<Vec<u32>>();
                let mut fresh = other.clone();
                known.into_iter().for_each(|i| fresh.remove(i));
                let changed = !fresh.is_empty();
                new.absorb(fresh);
                changed
            }
            (_, SparseSet::Few { .. }) => {
                let mut changed = false;
                for i in other.iter() {
                    if self.insert(i) {
                        new.insert(i);
                        changed = true;
                    }
                }
                changed
            }
        }
    }

    /// Adds all members of `other`.
    pub(super) fn absorb(&mut self, other: SparseSet) {
        if self.is_empty() {
            *self = other;
        } else {
            let mut ignored = SparseSet::default();
            self.union(&other, &mut ignored);
        }
    }

    /// The symmetric difference of both sets.
    pub(super) fn difference(&self, other: &SparseSet) -> SparseSet {
        let mut either = self.clone();
        let mut new = SparseSet::default();
        either.union(other, &mut new);
        let mut back = other.clone();
        back.union(self, &mut new);
        new
    }

    fn of_bits(bits: Bitmap) -> SparseSet {
        match bits.len as usize <= FEW {
            true => bits.keys.iter().zip(&bits.words).flat_map(|(&k, &w)| bits_of(k, w)).collect(),
            false => SparseSet::Many(Box::new(bits)),
        }
    }

    fn remove(&mut self, id: u32) {
        if let SparseSet::Many(bits) = self
            && let Ok(at) = bits.keys.binary_search(&(id / 64))
        {
            let bit = 1 << (id % 64);
            bits.len -= u32::from(bits.words[at] & bit != 0);
            bits.words[at] &= !bit;
            if bits.words[at] == 0 {
                bits.keys.remove(at);
                bits.words.remove(at);
            }
        }
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut set = SparseSet::default();
        ids.into_iter().for_each(|i| {
            set.insert(i);
        });
        set
    }
}

/// Collects members in any order. It is reused, as its words cover all numbers.
#[derive(Default)]
pub(super) struct Gathering {
    words: Vec<u64>,
    /// The positions of nonzero words, in order of discovery.
    keys: Vec<u32>,
}

impl Gathering {
    /// Adds `id`.
    pub(super) fn insert(&mut self, id: u32) {
        let key = id as usize / 64;
        if key >= self.words.len() {
            self.words.resize(key + 1, 0);
        }
        let word = &mut self.words[key];
        if *word == 0 {
            self.keys.push(key as u32);
        }
        *word |= 1 << (id % 64);
    }

    /// The set of all that was added since the last call.
    pub(super) fn take(&mut self) -> SparseSet {
        let mut keys = std::mem::take(&mut self.keys);
        // There are few runs, which a stable sort merges.
        keys.sort();
        let words: Vec<u64> = keys.iter().map(|k| std::mem::take(&mut self.words[*k as usize])).collect();
        let len = words.iter().map(|w| w.count_ones()).sum();
        SparseSet::of_bits(Bitmap { keys, words, len })
    }
}

fn bits_of(key: u32, mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(64 * key + bit)
    })
}

impl Bitmap {
    fn insert(&mut self, id: u32) -> bool {
        let (key, bit) = (id / 64, 1u64 << (id % 64));
        // Members are mostly added in ascending order.
        let at = match self.keys.last() {
            Some(&last) if last < key => Err(self.keys.len()),
            Some(&last) if last == key => Ok(self.keys.len() - 1),
            _ => self.keys.binary_search(&key),
        };
        match at {
            Ok(at) if self.words[at] & bit != 0 => return false,
            Ok(at) => self.words[at] |= bit,
            Err(at) => {
                self.keys.insert(at, key);
                self.words.insert(at, bit);
            }
        }
        self.len += 1;
        true
    }

    fn union(&mut self, other: &Bitmap, new: &mut SparseSet) -> bool {
        let mut fresh = Bitmap::default();
        let mut missing = false;
        let mut at = 0;
        for (&key, &word) in other.keys.iter().zip(&other.words) {
            at += self.keys[at..].partition_point_from_front(key);
            let present = match self.keys.get(at) {
                Some(&k) if k == key => {
                    let old = self.words[at];
                    self.words[at] |= word;
                    old
                }
                _ => {
                    missing = true;
                    0
                }
            };
            if word & !present != 0 {
                fresh.keys.push(key);
                fresh.words.push(word & !present);
                fresh.len += (word & !present).count_ones();
            }
        }
        if fresh.len == 0 {
            return false;
        }
        self.len += fresh.len;
        if missing {
            self.merge_words(other);
        }
        new.absorb(SparseSet::of_bits(fresh));
        true
    }

    /// Inserts the words of `other` at positions that this bitmap lacks.
    fn merge_words(&mut self, other: &Bitmap) {
        let n = self.keys.len() + other.keys.len();
        let (mut keys, mut words) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut i, mut j) = (0, 0);
        while i < self.keys.len() || j < other.keys.len() {
            let order = match (self.keys.get(i), other.keys.get(j)) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            if order == Ordering::Greater {
                keys.push(other.keys[j]);
                words.push(other.words[j]);
            } else {
                keys.push(self.keys[i]);
                words.push(self.words[i]);
            }
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
        keys.shrink_to_fit();
        words.shrink_to_fit();
        (self.keys, self.words) = (keys, words);
    }
}

/// Search in an ascending slice for a position that is probably near its beginning.
trait FromFront {
    fn partition_point_from_front(&self, key: u32) -> usize;
}

impl FromFront for [u32] {
    fn partition_point_from_front(&self, key: u32) -> usize {
        let mut step = 1;
        while step < self.len() && self[step - 1] < key {
            step *= 2;
        }
        let begin = if step > 1 { step / 2 - 1 } else { 0 };
        begin + self[begin..step.min(self.len())].partition_point(|k| *k < key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kerf_testing::Random;
    use std::collections::BTreeSet;

    /// Every operation agrees with the same operation on ordinary sets.
    #[test]
    fn sets_of_numbers() {
        let mut random = Random::new(3);
        let mut gathering = Gathering::default();
        for round in 0..2000 {
            let range = [8, 100, 5000][round % 3];
            let mut draw = || -> BTreeSet<u32> { (0..random.below(40)).map(|_| random.below(range)).collect() };
            let (a, b) = (draw(), draw());
            let (mut x, y): (SparseSet, SparseSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            assert_eq!(
                x.difference(&y).iter().collect::<BTreeSet<u32>>(),
                a.symmetric_difference(&b).copied().collect()
            );
            let mut new = SparseSet::default();
            let changed = x.union(&y, &mut new);
            let fresh: BTreeSet<u32> = b.difference(&a).copied().collect();
            assert_eq!((new.iter().collect::<BTreeSet<u32>>(), new.len()), (fresh.clone(), fresh.len()));
            assert_eq!(changed, !fresh.is_empty());
            let all: Vec<u32> = a.union(&b).copied().collect();
            assert_eq!(
                (x.iter().collect::<Vec<u32>>(), x.len(), x.last()),
                (all.clone(), all.len(), all.last().copied())
            );
            assert_eq!(x.meets(3..70), all.iter().any(|i| (3..70).contains(i)));
            all.iter().rev().chain(&all).for_each(|i| gathering.insert(*i));
            assert_eq!((&gathering.take(), gathering.take().len()), (&x, 0));
            assert_eq!(x, all.into_iter().collect());
        }
    }
}
