//! Runs: the sequences of steps between two nodes of the abstract reachability graph, where only one step could be taken on the way.
//!
//! Equal runs are stored only once: all iterations of a loop that take the same path share one run.

use checker::Step;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A run; equal ids stand for equal steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RunId(u32);

/// All runs.
#[derive(Default)]
pub struct Runs {
    steps: Vec<Step>,
    /// For each run, the index in `steps` where it ends; it begins where the previous run ends.
    ends: Vec<u32>,
    /// The runs with a given hash: nearly always one.
    ids: FxHashMap<u64, Vec<RunId>>,
}

impl Runs {
    /// The id of a run, which must have at least one step.
    pub fn id(&mut self, steps: &[Step]) -> RunId {
        debug_assert!(!steps.is_empty());
        let mut h = FxHasher::default();
        steps.hash(&mut h);
        let hash = h.finish();
        if let Some(known) = self.ids.get(&hash)
            && let Some(id) = known.iter().find(|id| self.steps(**id) == steps)
        {
            return *id;
        }
        let id = RunId(u32::try_from(self.ends.len()).expect("fewer than 2^32 runs"));
        self.steps.extend_from_slice(steps);
        self.ends.push(u32::try_from(self.steps.len()).expect("fewer than 2^32 steps in different runs"));
        self.ids.entry(hash).or_default().push(id);
        id
    }

    /// The steps of a run.
    pub fn steps(&self, run: RunId) -> &[Step] {
        let i = run.0 as usize;
        let start = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[start as usize..self.ends[i] as usize]
    }

    /// The first step of a run.
    pub fn first(&self, run: RunId) -> Step {
        self.steps(run)[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::EdgeId;

    #[test]
    fn equal_runs_are_one() {
        let mut runs = Runs::default();
        let [a, b] = [0, 1].map(|e| Step::Edge(EdgeId(e)));
        let all: [&[Step]; 4] = [&[a], &[a, b], &[b, Step::Return], &[a, b, a]];
        let ids = all.map(|steps| runs.id(steps));
        assert_eq!(all.map(|steps| runs.id(steps)), ids);
        assert_eq!(ids.map(|id| runs.steps(id)), all);
        assert_eq!(ids.map(|id| runs.first(id)), [a, a, b, a]);
    }
}
