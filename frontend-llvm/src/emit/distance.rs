//! Determines the continuation of a branch that a slice does not keep: towards the next kept edge.
//!
//! Standard control dependence guarantees that all paths from such a branch reach the same next kept edge, if they reach any. But
//! one of them may stay in a loop forever if the loop's exit test was dropped together with the branch. Following decreasing
//! distances to the next kept edge always terminates. If no kept edge follows in the function, the path leads to the function's
//! exit; if that is unreachable too, it leads to where executions end, so that what ends in the program ends in the slice.

use cfa::view::Slice;
use cfa::{Cfa, Id, LocId};
use std::collections::VecDeque;

/// Least distance of a location from which the function's exit, but no kept edge, is reachable.
const EXIT: u32 = 1 << 30;
/// Least distance of a location from which executions end without a kept edge or an exit.
const END: u32 = 1 << 31;

/// For each location, the number of live edges before the next kept edge of its function, or else before the exit or an end.
pub(super) struct Distances {
    of: Vec<u32>,
}

impl Distances {
    /// Runs breadth-first searches backwards: from the kept edges, then from the exits, then from locations without live
    /// successors.
    pub(super) fn new(cfa: &Cfa, slice: &Slice) -> Distances {
        let mut distances = Distances { of: vec![u32::MAX; cfa.locs.len()] };
        let kept = slice.kept.ones().map(|e| cfa.edges[cfa::EdgeId::from_index(e)].from);
        distances.spread(cfa, slice, kept.collect(), 0);
        distances.spread(cfa, slice, cfa.funcs.iter().map(|f| f.exit).collect(), EXIT);
        let ends = cfa.locs.ids().filter(|l| !cfa.out(*l).iter().any(|e| slice.live.contains(e.index())));
        distances.spread(cfa, slice, ends.collect(), END);
        distances
    }

    /// Breadth-first search from `from`, at distance `least`, to all locations that have no distance yet.
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

    /// The distance from a location; the maximum number if only endless loops follow.
    pub(super) fn of(&self, l: LocId) -> u32 {
        self.of[l.index()]
    }
}
