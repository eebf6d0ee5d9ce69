//! Where a branch that a slice does not keep leads: towards what comes next in the slice.
//!
//! Standard control dependence makes sure that all ways from such a branch come to the same next kept edge, if they come to any;
//! but one of them may go round a loop for ever whose exit test was dropped with the branch. Following decreasing distance
//! to the next kept edge always gets there. Where no kept edge follows in the function, the way leads to its exit, and where that
//! cannot be reached either, to where executions end: what ends in the program ends in the slice.

use cfa::view::Slice;
use cfa::{Cfa, Id, LocId};
use std::collections::VecDeque;

/// Distances of locations whose next stop is their function's exit begin here.
const EXIT: u32 = 1 << 30;
/// Distances of locations behind which executions end, without a kept edge or an exit, begin here.
const END: u32 = 1 << 31;

/// For each location, how many live edges lie before the next kept one of its function, or its exit, or an end.
pub(super) struct Distances {
    of: Vec<u32>,
}

impl Distances {
    /// Breadth-first searches, backwards from the kept edges, then from the exits, then from where nothing live goes on.
    pub fn new(cfa: &Cfa, slice: &Slice) -> Distances {
        let mut distances = Distances { of: vec![u32::MAX; cfa.locs.len()] };
        let kept = slice.kept.ones().map(|e| cfa.edges[cfa::EdgeId::from_index(e)].from);
        distances.spread(cfa, slice, kept.collect(), 0);
        distances.spread(cfa, slice, cfa.funcs.iter().map(|f| f.exit).collect(), EXIT);
        let ends = cfa.locs.ids().filter(|l| !cfa.out(*l).iter().any(|e| slice.live.contains(e.index())));
        distances.spread(cfa, slice, ends.collect(), END);
        distances
    }

    /// Breadth-first search from `from`, at distance `least`, to what has no distance yet.
    fn spread(&mut self, cfa: &Cfa, slice: &Slice, from: Vec<LocId>, least: u32) {
        let mut queue = VecDeque::new();
        for l in from {
            self.reach(l, least, &mut queue);
        }
        while let Some(l) = queue.pop_front() {
            let d = self.of[l.index()] + 1;
            for &e in cfa.into(l).iter().filter(|e| slice.live.contains(e.index())) {
                self.reach(cfa.edges[e].from, d, &mut queue);
            }
        }
    }

    fn reach(&mut self, l: LocId, distance: u32, queue: &mut VecDeque<LocId>) {
        if self.of[l.index()] == u32::MAX {
            self.of[l.index()] = distance;
            queue.push_back(l);
        }
    }

    /// The distance from a location; the greatest number where only endless loops follow.
    pub fn of(&self, l: LocId) -> u32 {
        self.of[l.index()]
    }
}
