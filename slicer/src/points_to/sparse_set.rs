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
    /// The number of members.
    pub(super) fn len(&self) -> usize {
        match self {
            SparseSet::Few { len, .. } => usize::from(*len),
            SparseSet::Many(bits) => bits.len as usize,
        }
    }

    /// The number of words that are stored beside the set itself.
    pub(super) fn words(&self) -> usize {
        match self {
            SparseSet::Few { .. } => 0,
            SparseSet::Many(bits) => bits.words.len(),
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

    /// Whether `id` is a member.
    pub(super) fn contains(&self, id: u32) -> bool {
        match self {
            SparseSet::Few { .. } => self.iter().any(|i| i == id),
            SparseSet::Many(bits) => {
                bits.keys.binary_search(&(id / 64)).is_ok_and(|at| bits.words[at] & (1 << (id % 64)) != 0)
            }
        }
    }

    /// The members of both sets.
    pub(super) fn union(&self, other: &SparseSet) -> SparseSet {
        match (self, other) {
            (SparseSet::Many(a), SparseSet::Many(b)) => SparseSet::Many(Box::new(a.union(b))),
            (few @ SparseSet::Few { .. }, all) | (all, few @ SparseSet::Few { .. }) => {
                let mut union = all.clone();
                few.iter().for_each(|i| {
                    union.insert(i);
                });
                union
            }
        }
    }

    /// The members that are not in `other`.
    pub(super) fn without(&self, other: &SparseSet) -> SparseSet {
        match (self, other) {
            (SparseSet::Many(a), SparseSet::Many(b)) => SparseSet::of_bits(a.without(b)),
            (SparseSet::Few { .. }, _) => self.iter().filter(|i| !other.contains(*i)).collect(),
            (SparseSet::Many(a), SparseSet::Few { .. }) => {
                let mut rest = a.clone();
                other.iter().for_each(|i| rest.remove(i));
                SparseSet::of_bits(*rest)
            }
        }
    }

    fn of_bits(bits: Bitmap) -> SparseSet {
        match bits.len as usize <= FEW {
            true => bits.keys.iter().zip(&bits.words).flat_map(|(&k, &w)| bits_of(k, w)).collect(),
            false => SparseSet::Many(Box::new(bits)),
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

    fn remove(&mut self, id: u32) {
        let Ok(at) = self.keys.binary_search(&(id / 64)) else { return };
        let bit = 1 << (id % 64);
        self.len -= u32::from(self.words[at] & bit != 0);
        self.words[at] &= !bit;
        if self.words[at] == 0 {
            self.keys.remove(at);
            self.words.remove(at);
        }
    }

    fn without(&self, other: &Bitmap) -> Bitmap {
        let mut rest = Bitmap::default();
        let mut at = 0;
        for (&key, &word) in self.keys.iter().zip(&self.words) {
            at += other.keys[at..].partition_point_from_front(key);
            let word = match other.keys.get(at) {
                Some(&k) if k == key => word & !other.words[at],
                _ => word,
            };
            if word != 0 {
                rest.push(key, word);
            }
        }
        rest
    }

    fn union(&self, other: &Bitmap) -> Bitmap {
        let n = self.keys.len().max(other.keys.len());
        let mut all = Bitmap { keys: Vec::with_capacity(n), words: Vec::with_capacity(n), len: 0 };
        let (mut i, mut j) = (0, 0);
        while i < self.keys.len() || j < other.keys.len() {
            let order = match (self.keys.get(i), other.keys.get(j)) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            match order {
                Ordering::Less => all.push(self.keys[i], self.words[i]),
                Ordering::Equal => all.push(self.keys[i], self.words[i] | other.words[j]),
                Ordering::Greater => all.push(other.keys[j], other.words[j]),
            }
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
        all
    }

    /// Adds a word after all others.
    fn push(&mut self, key: u32, word: u64) {
        self.keys.push(key);
        self.words.push(word);
        self.len += word.count_ones();
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
            let (x, y): (SparseSet, SparseSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            let rest = x.without(&y);
            let left: Vec<u32> = a.difference(&b).copied().collect();
            assert_eq!((rest.iter().collect::<Vec<u32>>(), rest.len()), (left.clone(), left.len()));
            assert_eq!(rest, left.into_iter().collect());
            assert!((0..range).all(|i| x.contains(i) == a.contains(&i)));
            let x = x.union(&y);
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
