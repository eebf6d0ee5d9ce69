//! Pointers that are read from memory in which a number was stored.
//!
//! A conversion from a number to a pointer yields an address from outside, which may be that of anything the outside knows. In
//! memory, no conversion is seen: a union, a copy of bytes or a cast of the memory's own address makes a pointer of a number without
//! a word, and points-to analysis says that it points nowhere. That no such pointer is used is assumed, and this says where it
//! matters: at the reads of pointers from places at which something may be stored that is no pointer and whose bits are not those of
//! an address that the analysis follows.

use crate::points_to::{Pointee, PointsTo, is_block, memory_bases};
use cfa::term::{Kind, Term};
use cfa::{Assumed, Assumption, Cfa, EdgeId, Matters, ObjectId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of places in one object that are distinguished.
const PLACES: usize = 256;

/// Some bytes of an object: where they begin, as far as that is known, and how many there are; `None` for any number.
type Place = (cfa::offset::Offset, Option<u64>);

/// Records the assumption that pointers in memory were stored as pointers.
pub fn assume_stored_pointers(cfa: &mut Cfa, memory: VarId, points_to: &PointsTo) {
    let accesses = std::mem::take(&mut cfa.pointer_accesses);
    if accesses.is_empty() {
        return;
    }
    let mut numbers = Numbers { cfa, memory, points_to, places: FxHashMap::default(), changed: false };
    let (mut copies, mut blocks, mut reads) = (Vec::new(), Vec::new(), Vec::new());
    let reached = |e: &EdgeId| points_to.reaches(cfa.locs[cfa.edges[*e].from].func);
    for e in cfa.edges.ids().filter(reached) {
        for t in cfa.terms.subterms(&cfa.edges[e].op.terms(), |_| false) {
            match (cfa.terms.kind(t), cfa.terms.args(t)) {
                (Kind::Read, _) if accesses.contains(&t) => reads.push((e, t)),
                (Kind::Write, &[_, to, value]) if is_block(cfa, Some(memory), value) => {
                    let from = cfa.terms.args(value)[1];
                    blocks.push((from, to, u64::from(cfa.terms.width(value) / 8)));
                }
                (Kind::Write, &[_, address, value]) if !accesses.contains(&t) && numbers.is_number(value) => {
                    numbers.store(points_to.of(address), Some(u64::from(cfa.terms.width(value).div_ceil(8))));
                }
                (Kind::Copy, args) => copies.push([args[1], args[2], args[3], args[4]]),
                _ => {}
            }
        }
    }
    numbers.close_under(&copies, &blocks);
    let is_number = |(e, t): &(EdgeId, Term)| {
        let bytes = Some(u64::from(cfa.terms.width(*t).div_ceil(8)));
        numbers.may_be_at(points_to.of(cfa.terms.args(*t)[1]), bytes).then_some(*e)
    };
    let mut edges: Vec<EdgeId> = reads.iter().filter_map(is_number).collect();
    edges.dedup();
    if !edges.is_empty() {
        cfa.assumptions.push(Assumption::of_proofs(Assumed::StoredAsPointers, Matters::IfExecuted(edges)));
    }
}

/// The places at which numbers may be stored.
struct Numbers<'a> {
    cfa: &'a Cfa,
    memory: VarId,
    points_to: &'a PointsTo,
    places: FxHashMap<ObjectId, FxHashSet<Place>>,
    changed: bool,
}

impl Numbers<'_> {
    /// Whether a value that is not stored as a pointer may be other than zero and what the analysis follows.
    fn is_number(&self, value: Term) -> bool {
        let args = self.cfa.terms.args(value);
        match self.cfa.terms.kind(value) {
            _ if self.cfa.terms.as_bv(value).is_some_and(|v| v.is_zero()) => false,
            // Bytes of an input: from outside, and then followed, or uninitialised.
            Kind::Read
                if !memory_bases(self.cfa, args[0])
                    .iter()
                    .any(|b| self.cfa.terms.kind(*b) == Kind::Var(self.memory)) =>
            {
                false
            }
            Kind::Ite => self.is_number(args[1]) || self.is_number(args[2]),
            _ => self.points_to.of(value).is_empty(),
        }
    }

    /// A number may be stored in `bytes` bytes from each of `pointees` on.
    fn store(&mut self, pointees: &[Pointee], bytes: Option<u64>) {
        for &(o, offset) in pointees {
            let places = self.places.entry(o).or_default();
            let place = if places.len() < PLACES { (offset, bytes) } else { (cfa::offset::Offset::ANY, None) };
            self.changed |= places.insert(place);
        }
    }

    /// Whether a number may be stored in one of `bytes` bytes from one of `pointees` on.
    fn may_be_at(&self, pointees: &[Pointee], bytes: Option<u64>) -> bool {
        let overlap = |(at, n): &Place, offset| at.may_overlap(*n, offset, bytes);
        pointees.iter().any(|(o, offset)| {
            self.places.get(o).is_some_and(|places| places.iter().any(|place| overlap(place, *offset)))
        })
    }

    /// Lets numbers be copied: `copies` are destinations, sources (a memory and an address in it) and lengths; `blocks` are sources and
    /// destinations in memory, and lengths.
    fn close_under(&mut self, copies: &[[Term; 4]], blocks: &[(Term, Term, u64)]) {
        let (cfa, points_to) = (self.cfa, self.points_to);
        loop {
            self.changed = false;
            for &(from, to, bytes) in blocks {
                self.copy(points_to.of(from), points_to.of(to), Some(bytes));
            }
            for &[to, source, from, bytes] in copies {
                let bytes = cfa.terms.as_u64(bytes);
                for base in memory_bases(cfa, source) {
                    match cfa.terms.kind(base) {
                        Kind::Var(v) if v == self.memory => self.copy(points_to.of(from), points_to.of(to), bytes),
                        Kind::ConstArray if self.is_number(cfa.terms.args(base)[0]) => {
                            self.store(points_to.of(to), bytes);
                        }
                        // What inputs fill in is an address from outside, or uninitialised.
                        _ => {}
                    }
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    fn copy(&mut self, from: &[Pointee], to: &[Pointee], bytes: Option<u64>) {
        for (o, offset) in from {
            let Some(places) = self.places.get(o) else { continue };
            let copied: Vec<Place> =
                places.iter().filter(|(at, n)| at.may_overlap(*n, *offset, bytes)).copied().collect();
            for (at, n) in copied {
                for &(target, start) in to {
                    // The same distance from the beginning of the block.
                    match (at.as_exact(), offset.as_exact()) {
                        (Some(at), Some(offset)) if at >= offset => {
                            let there = start.plus(at - offset, self.cfa.pointer_bits);
                            self.store(&[(target, there)], n);
                        }
                        _ => self.store(&[(target, start)], bytes),
                    }
                }
            }
        }
    }
}
