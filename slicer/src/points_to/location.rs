//! Locations: pairs of an object and an offset, numbered densely, so that sets of locations are bitmaps.
//!
//! The first numbers stand for each object at any offset, the next ones for values computed from its address (mangled); all
//! other locations are numbered in order of discovery. So sets of many objects, which keep no offsets, are dense.

use crate::points_to::sparse_set::{Gathering, SparseSet};
use cfa::offset::{MODULUS_BITS, Offset, Pointee};
use cfa::{Cfa, ObjectId};
use rustc_hash::FxHashMap;

/// Maximum number of exact offsets of an object that are distinguished; others are known modulo 2^[`MODULUS_BITS`].
const EXACT_OFFSETS: u16 = 64;
/// Largest exact offset that is tracked in objects of unknown size.
const UNKNOWN_SIZE: u64 = 1 << 12;
/// Maximum size of sets that track offsets: where so much is mixed, offsets gain little, and each one must be propagated.
pub(super) const OFFSETS_TRACKED: usize = 2048;

/// How a pointee changes on its way along an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Flow {
    /// It does not change: a copy.
    Plain,
    /// A constant is added to the address.
    Plus(i64),
    /// An unknown multiple of 2^n is added.
    Modulo(u8),
    /// The value is a part of the address, or computed from it in a way that hides the pointer.
    Mangle,
    /// As `Mangle`, by arithmetic: the result is not an address of the outside unless it is converted to an address
    /// again.
    Compute,
    /// Only values that are mangled already flow on.
    OnlyMangled,
}

/// The numbers of the locations found so far.
pub(super) struct Locations {
    pointer_bits: u32,
    /// Number of the first mangled location; twice this number is the number of the first location with an offset.
    stride: u32,
    /// The object that stands for memory outside the program.
    outside: Option<u32>,
    found: Vec<(u32, Offset)>,
    /// For each flow, its result for each location in `found`; 0 where it has not been computed yet.
    flowed: FxHashMap<Flow, Vec<u32>>,
    numbers: FxHashMap<(u32, Offset), u32>,
    /// Number of exact offsets of each object that have a number.
    exact: Vec<u16>,
    /// The largest exact offset that is tracked in each object.
    bounds: Vec<u32>,
    gathering: Gathering,
}

impl Locations {
    /// Only the locations without offsets of the objects of `cfa`.
    pub(super) fn new(cfa: &Cfa) -> Locations {
        let objects = cfa.objects.len() as u32;
        let bound = |size: Option<u64>| size.unwrap_or(UNKNOWN_SIZE).min(i32::MAX as u64) as u32;
        Locations {
            pointer_bits: cfa.pointer_bits,
            stride: objects.max(1).next_multiple_of(64),
            outside: cfa.outside().map(|o| o.0),
            found: Vec::new(),
            flowed: FxHashMap::default(),
            numbers: FxHashMap::default(),
            exact: vec![0; cfa.objects.len()],
            bounds: cfa.objects.iter().map(|o| bound(o.size_bytes)).collect(),
            gathering: Gathering::default(),
        }
    }

    /// The number of a location, or of a coarser one that contains it.
    pub(super) fn number(&mut self, (object, offset): Pointee) -> u32 {
        self.number_at(object.0, offset)
    }

    fn number_at(&mut self, object: u32, mut offset: Offset) -> u32 {
        if offset.is_mangled() {
            return self.stride + object;
        }
        if Some(object) == self.outside {
            return object;
        }
        if let Some(&n) = self.numbers.get(&(object, offset)) {
            return n;
        }
        if let Some(k) = offset.as_exact() {
            let o = object as usize;
            if k < 0 || k > i64::from(self.bounds[o]) || self.exact[o] >= EXACT_OFFSETS {
                offset = offset.modulo(MODULUS_BITS);
            } else {
                self.exact[o] += 1;
            }
        }
        if offset == Offset::ANY {
            return object;
        }
        *self.numbers.entry((object, offset)).or_insert_with(|| {
            self.found.push((object, offset));
            2 * self.stride + self.found.len() as u32 - 1
        })
    }

    /// The object's index and the offset.
    fn parts(&self, location: u32) -> (u32, Offset) {
        match location / self.stride {
            0 => (location, Offset::ANY),
            1 => (location - self.stride, Offset::MANGLED),
            _ => self.found[(location - 2 * self.stride) as usize],
        }
    }

    /// The location with this number.
    pub(super) fn pointee(&self, location: u32) -> Pointee {
        let (object, offset) = self.parts(location);
        (ObjectId(object), offset)
    }

    /// The set that results from applying `flow` to the locations of `set`.
    pub(super) fn flow(&mut self, flow: Flow, set: &SparseSet) -> SparseSet {
        let mut cache = self.flowed.remove(&flow).unwrap_or_default();
        let mut ids = std::mem::take(&mut self.gathering);
        for location in set.iter() {
            match flow {
                Flow::Mangle => {
                    ids.insert(self.stride + self.parts(location).0);
                    continue;
                }
                Flow::Compute => {
                    let object = self.parts(location).0;
                    if Some(object) != self.outside {
                        ids.insert(self.stride + object);
                    }
                    continue;
                }
                Flow::OnlyMangled => {
                    if (self.stride..2 * self.stride).contains(&location) {
                        ids.insert(location);
                    }
                    continue;
                }
                Flow::Plain | Flow::Plus(_) | Flow::Modulo(_) => {}
            }
            if flow == Flow::Plain || location < 2 * self.stride {
                ids.insert(location);
                continue;
            }
            let i = (location - 2 * self.stride) as usize;
            if i >= cache.len() {
                cache.resize(self.found.len(), 0);
            }
            if cache[i] == 0 {
                let (object, offset) = self.found[i];
                // Object 0 at any offset has number 0: it is the only one that is computed again each time.
                cache[i] = match flow {
                    Flow::Plus(k) => self.number_at(object, offset.plus(k, self.pointer_bits)),
                    Flow::Modulo(bits) => self.number_at(object, offset.modulo(bits)),
                    Flow::Plain | Flow::Mangle | Flow::Compute | Flow::OnlyMangled => location,
                };
            }
            ids.insert(cache[i]);
        }
        self.flowed.insert(flow, cache);
        self.gathering = ids;
        self.gathering.take()
    }

    /// Whether `flow` leaves the whole set unchanged.
    pub(super) fn keeps(&self, flow: Flow, set: &SparseSet) -> bool {
        match flow {
            Flow::Plain => true,
            Flow::Plus(_) | Flow::Modulo(_) => set.last().is_none_or(|l| l < 2 * self.stride),
            Flow::Mangle | Flow::Compute | Flow::OnlyMangled => false,
        }
    }

    /// Whether `object` stands for the memory outside the program.
    pub(super) fn is_outside(&self, object: ObjectId) -> bool {
        Some(object.0) == self.outside
    }

    /// Whether the set contains a value computed from an address in a way that hides the pointer.
    pub(super) fn any_mangled(&self, set: &SparseSet) -> bool {
        set.meets(self.stride..2 * self.stride)
    }

    /// The objects of the set, each once, ascending, each with the join of its offsets.
    pub(super) fn pointees(&self, set: &SparseSet) -> Vec<Pointee> {
        let mut all: Vec<Pointee> = set.iter().map(|l| self.pointee(l)).collect();
        all.sort_by_key(|p| p.0);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.join(next.1);
            }
            same
        });
        all
    }
}
