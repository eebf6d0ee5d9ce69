//! Known values by slot: a persistent map from small numbers to words, with an incrementally updated hash.
//!
//! Slots are grouped in blocks of 32; a block has a mask of its known slots, and their words, packed. Blocks are shared between states,
//! so a step copies only the blocks that it changes, and those only if they are shared. The representation is canonical: equal maps have
//! equal blocks.

use smallvec::SmallVec;
use std::rc::Rc;

/// The number of slots in a block.
const BLOCK: u32 = 32;

/// The capacity of a block is a multiple of this number of words.
const GRAIN: usize = 4;

#[derive(Clone, Debug)]
struct Block {
    number: u32,
    known: u32,
    /// The words of the known slots, followed by unused ones.
    words: Rc<[u64]>,
}

impl Block {
    fn index(&self, bit: u32) -> usize {
        (self.known & ((1u32 << bit) - 1)).count_ones() as usize
    }

    fn words(&self) -> &[u64] {
        &self.words[..self.known.count_ones() as usize]
    }

    fn get(&self, bit: u32) -> Option<u64> {
        ((self.known >> bit) & 1 == 1).then(|| self.words[self.index(bit)])
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        bits(self.known).zip(self.words()).map(|(bit, w)| (self.number * BLOCK + bit, *w))
    }

    /// Exclusive access to the words, with room for at least `n`.
    fn own(&mut self, n: usize) -> &mut [u64] {
        if n > self.words.len() || Rc::get_mut(&mut self.words).is_none() {
            let old = self.words();
            let room = n.max(old.len()).next_multiple_of(GRAIN);
            let mut words = [0u64; BLOCK as usize];
            words[..old.len()].copy_from_slice(old);
            self.words = Rc::from(&words[..room]);
        }
        Rc::get_mut(&mut self.words).expect("not shared")
    }

    fn replace(&mut self, bit: u32, word: u64) {
        let i = self.index(bit);
        self.own(0)[i] = word;
    }

    fn insert(&mut self, bit: u32, word: u64) {
        let (i, n) = (self.index(bit), self.words().len());
        let words = self.own(n + 1);
        words.copy_within(i..n, i + 1);
        words[i] = word;
        self.known |= 1 << bit;
    }

    fn remove(&mut self, bit: u32) {
        let (i, n) = (self.index(bit), self.words().len());
        self.own(0).copy_within(i + 1..n, i);
        self.known &= !(1 << bit);
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        (self.number, self.known) == (other.number, other.known)
            && (Rc::ptr_eq(&self.words, &other.words) || self.words() == other.words())
    }
}

fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// A map from slots to words.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    hash: u64,
    shape: u64,
    /// Ascending by number; none of them is empty.
    blocks: SmallVec<[Block; 2]>,
}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        self.hash == other.hash && self.blocks == other.blocks
    }
}

impl Eq for Values {}

/// The summand for one entry in a hash that is a sum over all entries.
fn mix(slot: u32, word: u64) -> u64 {
    let mut x = word.wrapping_add(u64::from(slot).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The word used in `mix` to hash the set of slots; no actual word gives the same result except by chance.
const PRESENT: u64 = 0x5851_f42d_4c95_7f2d;

impl Values {
    /// The word at `slot`.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<u64> {
        let number = slot / BLOCK;
        self.blocks.iter().find(|b| b.number == number).and_then(|b| b.get(slot % BLOCK))
    }

    /// A hash of the entries.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// A hash of the set of slots that have a word.
    pub(super) fn shape(&self) -> u64 {
        self.shape
    }

    /// The entries, ascending by slot.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.blocks.iter().flat_map(Block::entries)
    }

    /// Whether any of `changes` (see [`Values::set`]) would change something.
    pub(super) fn differs(&self, changes: &[(u32, Option<u64>)]) -> bool {
        changes.iter().any(|(slot, word)| self.get(*slot) != *word)
    }

    /// Sets an entry, or removes it if `word` is `None`.
    pub(super) fn set(&mut self, slot: u32, word: Option<u64>) {
        let (number, bit) = (slot / BLOCK, slot % BLOCK);
        let i = match self.blocks.binary_search_by_key(&number, |b| b.number) {
            Ok(i) => i,
            Err(_) if word.is_none() => return,
            Err(i) => {
                self.blocks.insert(i, Block { number, known: 0, words: Rc::from([0; GRAIN]) });
                i
            }
        };
        let block = &mut self.blocks[i];
        let old = block.get(bit);
        match (old, word) {
            (None, None) => return,
            (Some(_), Some(w)) => block.replace(bit, w),
            (None, Some(w)) => {
                block.insert(bit, w);
                self.shape = self.shape.wrapping_add(mix(slot, PRESENT));
            }
            (Some(_), None) => {
                block.remove(bit);
                self.shape = self.shape.wrapping_sub(mix(slot, PRESENT));
            }
        }
        self.hash = self.hash.wrapping_sub(old.map_or(0, |w| mix(slot, w)));
        self.hash = self.hash.wrapping_add(word.map_or(0, |w| mix(slot, w)));
        if self.blocks[i].known == 0 {
            self.blocks.remove(i);
        }
    }

    /// Pairs of each block of this map with the corresponding block of `other`; `None` if some slot has a word here and none in `other`.
    fn inside<'a>(&'a self, other: &'a Values) -> Option<SmallVec<[(&'a Block, &'a Block); 4]>> {
        let mut pairs = SmallVec::new();
        let mut theirs = other.blocks.iter();
        for b in &self.blocks {
            let o = theirs.by_ref().find(|o| o.number >= b.number)?;
            if o.number != b.number || b.known & !o.known != 0 {
                return None;
            }
            pairs.push((b, o));
        }
        Some(pairs)
    }

    /// Whether every entry of this map is an entry of `other`.
    pub(super) fn is_subset(&self, other: &Values) -> bool {
        let Some(pairs) = self.inside(other) else { return false };
        pairs.iter().all(|(b, o)| {
            Rc::ptr_eq(&b.words, &o.words) || bits(b.known).zip(b.words()).all(|(bit, w)| o.get(bit) == Some(*w))
        })
    }

    /// The hash of those entries whose slots have a word in `pattern`; `None` if a slot of `pattern` has no word here.
    pub(super) fn hash_as(&self, pattern: &Values) -> Option<u64> {
        if self.shape == pattern.shape {
            return Some(self.hash);
        }
        let pairs = pattern.inside(self)?;
        let mut hash = 0u64;
        for (p, own) in pairs {
            for bit in bits(p.known) {
                let word = own.words[own.index(bit)];
                hash = hash.wrapping_add(mix(own.number * BLOCK + bit, word));
            }
        }
        Some(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn changes() -> impl Strategy<Value = Vec<BTreeMap<u32, Option<u64>>>> {
        let one = prop::collection::btree_map(0u32..100, prop::option::of(0u64..3), 0..6);
        prop::collection::vec(one, 0..30)
    }

    fn apply(all: &[BTreeMap<u32, Option<u64>>]) -> (Values, BTreeMap<u32, u64>) {
        let (mut values, mut model) = (Values::default(), BTreeMap::new());
        for step in all {
            let list: Vec<_> = step.iter().map(|(s, w)| (*s, *w)).collect();
            assert_eq!(values.differs(&list), list.iter().any(|(s, w)| model.get(s) != w.as_ref()));
            let before = values.clone();
            let entries: Vec<_> = before.entries().collect();
            list.iter().for_each(|(s, w)| values.set(*s, *w));
            // The copy does not change.
            assert_eq!(before.entries().collect::<Vec<_>>(), entries);
            for (slot, word) in step {
                match word {
                    Some(w) => model.insert(*slot, *w),
                    None => model.remove(slot),
                };
            }
        }
        (values, model)
    }

    proptest! {
        /// The map behaves like a reference map, and is canonical.
        #[test]
        fn is_a_map(all in changes()) {
            let (values, model) = apply(&all);
            prop_assert_eq!(values.entries().collect::<Vec<_>>(), model.iter().map(|(s, w)| (*s, *w)).collect::<Vec<_>>());
            let mut direct = Values::default();
            model.iter().for_each(|(s, w)| direct.set(*s, Some(*w)));
            prop_assert_eq!(&values, &direct);
            prop_assert_eq!((values.hash(), values.shape()), (direct.hash(), direct.shape()));
        }

        /// Subsets are recognised, both directly and by their hashes.
        #[test]
        fn subsets(all in changes(), keep in prop::collection::vec(any::<bool>(), 100), other in changes()) {
            let (values, model) = apply(&all);
            let mut part = values.clone();
            model.keys().filter(|s| !keep[**s as usize]).for_each(|s| part.set(*s, None));
            prop_assert!(part.is_subset(&values));
            prop_assert_eq!(values.hash_as(&part), Some(part.hash()));
            let (other, theirs) = apply(&other);
            prop_assert_eq!(other.is_subset(&values), theirs.iter().all(|(s, w)| model.get(s) == Some(w)));
            prop_assert_eq!(values.hash_as(&other).is_some(), theirs.keys().all(|s| model.contains_key(s)));
        }
    }
}
