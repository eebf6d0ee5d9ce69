//! Points-to sets, each stored once (Barbar and Sui, "Hash consed points-to sets", SAS 2021): most nodes of a large graph have one of a
//! few large sets, and the same sets are united again and again.
//!
//! Sets are named by numbers; what unions result in is remembered. Sets that no node has any longer are given up now and then.

use crate::points_to::sparse_set::SparseSet;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Number of words of bitmaps that are stored, at least, before sets that nobody has are given up: few in builds with assertions, so
/// that tests give some up.
const MANY_WORDS: usize = if cfg!(debug_assertions) { 1 << 4 } else { 1 << 23 };

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SetId(u32);

impl SetId {
    /// The empty set.
    pub(super) const EMPTY: SetId = SetId(0);

    /// Whether the set is empty.
    pub(super) fn is_empty(self) -> bool {
        self == SetId::EMPTY
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// All sets that nodes have.
pub(super) struct Sets {
    sets: Vec<SparseSet>,
    /// The sets, by their members.
    numbers: HashTable<SetId>,
    /// Numbers that were given up.
    free: Vec<SetId>,
    /// For two sets, their union, and what of the second one was new.
    unions: FxHashMap<(SetId, SetId), (SetId, SetId)>,
    /// Number of words of all bitmaps, now and after sets were last given up.
    words: usize,
    words_kept: usize,
}

impl Sets {
    /// The empty set.
    pub(super) fn new() -> Sets {
        let mut sets = Sets {
            sets: Vec::new(),
            numbers: HashTable::new(),
            free: Vec::new(),
            unions: FxHashMap::default(),
            words: 0,
            words_kept: 0,
        };
        let empty = sets.number(SparseSet::default());
        debug_assert!(empty.is_empty());
        sets
    }

    /// The set with this number.
    pub(super) fn get(&self, set: SetId) -> &SparseSet {
        &self.sets[set.index()]
    }

    /// The number of members.
    pub(super) fn len(&self, set: SetId) -> usize {
        self.get(set).len()
    }

    /// The number of `set`.
    pub(super) fn number(&mut self, set: SparseSet) -> SetId {
        let hash = FxBuildHasher.hash_one(&set);
        let sets = &mut self.sets;
        if let Some(&known) = self.numbers.find(hash, |id| sets[id.index()] == set) {
            return known;
        }
        self.words += set.words();
        let id = match self.free.pop() {
            Some(id) => {
                sets[id.index()] = set;
                id
            }
            None => {
                sets.push(set);
                SetId(sets.len() as u32 - 1)
            }
        };
        self.numbers.insert_unique(hash, id, |id| FxBuildHasher.hash_one(&sets[id.index()]));
        id
    }

    /// The members of both sets, and those of them that only `b` has.
    pub(super) fn union(&mut self, a: SetId, b: SetId) -> (SetId, SetId) {
        if b.is_empty() || a == b {
            return (a, SetId::EMPTY);
        }
        if a.is_empty() {
            return (b, b);
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let new = self.get(b).without(self.get(a));
        let both = match new.len() {
            0 => (a, SetId::EMPTY),
            n => {
                let is_within = self.len(a) + n == self.len(b);
                let new = self.number(new);
                let all = if is_within { b } else { self.number(self.get(a).union(self.get(new))) };
                (all, new)
            }
        };
        self.unions.insert((a, b), both);
        both
    }

    /// Adds the members of `other` to `set`.
    pub(super) fn absorb(&mut self, set: &mut SetId, other: SetId) {
        *set = self.union(*set, other).0;
    }

    /// The symmetric difference of both sets.
    pub(super) fn difference(&mut self, a: SetId, b: SetId) -> SetId {
        let (only_b, only_a) = (self.union(a, b).1, self.union(b, a).1);
        self.union(only_a, only_b).0
    }

    /// Whether it pays off to look for sets that nobody has.
    pub(super) fn are_many(&self) -> bool {
        self.words > 2 * self.words_kept + MANY_WORDS
    }

    /// Gives up all sets but those that are `used`, whose numbers stay. What unions result in is forgotten.
    pub(super) fn retain(&mut self, used: impl Iterator<Item = SetId>) {
        let mut is_used = vec![false; self.sets.len()];
        is_used[SetId::EMPTY.index()] = true;
        used.for_each(|id| is_used[id.index()] = true);
        self.unions = FxHashMap::default();
        self.numbers.retain(|id| is_used[id.index()]);
        self.free.clear();
        for (i, _) in is_used.iter().enumerate().filter(|(_, used)| !**used) {
            self.words -= self.sets[i].words();
            self.sets[i] = SparseSet::default();
            self.free.push(SetId(i as u32));
        }
        self.words_kept = self.words;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets that are used keep their numbers, others are found anew.
    #[test]
    fn sets_that_nobody_has_are_given_up() {
        let mut sets = Sets::new();
        let mut of = |range: std::ops::Range<u32>| sets.number(range.collect());
        let (a, b) = (of(0..100), of(50..150));
        let (all, new) = sets.union(a, b);
        assert_eq!((sets.len(all), sets.get(new)), (150, &(100..150).collect()));
        assert_eq!((sets.union(a, b), sets.union(all, b)), ((all, new), (all, SetId::EMPTY)));
        let either = sets.difference(a, b);
        assert_eq!(sets.get(either), &(0..50).chain(100..150).collect());
        sets.retain([all, b].into_iter());
        assert_eq!((sets.number((0..150).collect()), sets.number((50..150).collect()), sets.words), (all, b, 6));
        let again = sets.number((0..100).collect());
        assert_eq!((sets.union(again, b).0, sets.words), (all, 10));
    }
}
