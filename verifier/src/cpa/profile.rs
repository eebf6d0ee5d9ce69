//! Where the time of an exploration goes: transfer, merge and stop, measured by sampling. What was counted of decision diagrams.
//!
//! A step of explicit values takes less time than reading the clock twice. So only the first expansions of nodes are all timed; after
//! them, one expansion in `INTERVAL` is timed and represents the others. The time of the solver is measured in every expansion, because
//! it varies by orders of magnitude.

use std::time::{Duration, Instant};

/// The kinds of work that an exploration does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Computing the successors of states.
    Transfer,
    /// Merging states where paths meet.
    Merge,
    /// Searching for a state that covers a new one.
    Stop,
}

/// One expansion in this many is timed. The interval is a prime, so that it does not coincide with the period of a loop of the program.
const INTERVAL: u64 = 61;

/// The number of expansions at the beginning that are all timed: the times of short explorations are measured, not estimated.
const FIRST: u64 = 1_000;

/// The time of one kind of work.
#[derive(Clone, Copy, Default, Debug)]
struct Sampled {
    /// Time without the solver, of the expansions that are timed and of those that they represent.
    time: Duration,
    /// Time of the solver, in all expansions.
    solver: Duration,
}

/// Times of each kind of work.
#[derive(Clone, Copy, Default, Debug)]
pub struct Clock {
    work: [Sampled; 3],
    expansions: u64,
    /// The number of expansions that the current one represents; zero if it is not timed.
    weight: u32,
    /// The current work.
    present: Option<Work>,
    /// If the current work is timed: when it began, and the time of the solver until then.
    since: Option<(Instant, Duration)>,
}

impl Clock {
    /// Starts the expansion of a node.
    pub fn expand(&mut self) {
        self.weight = match self.expansions {
            n if n < FIRST => 1,
            n if n.is_multiple_of(INTERVAL) => INTERVAL as u32,
            _ => 0,
        };
        self.expansions += 1;
    }

    /// Starts a piece of work, and ends the previous one.
    #[inline]
    pub fn begin(&mut self, work: Work) {
        self.present = Some(work);
        if self.weight > 0 {
            self.since = Some((Instant::now(), self.work[work as usize].solver));
        }
    }

    /// Ends the current work.
    #[inline]
    pub fn end(&mut self) {
        let work = self.present.take();
        if self.weight > 0
            && let (Some(work), Some((since, solver))) = (work, self.since.take())
        {
            let sampled = &mut self.work[work as usize];
            sampled.time += self.weight * since.elapsed().saturating_sub(sampled.solver - solver);
        }
    }

    /// Records a solver query that took `time`.
    pub fn asked(&mut self, time: Duration) {
        if let Some(work) = self.present {
            self.work[work as usize].solver += time;
        }
    }

    /// An estimate of the time of `work` in all expansions; the solver's part of it is exact.
    pub fn time(&self, work: Work) -> Duration {
        let Sampled { time, solver } = self.work[work as usize];
        solver + time
    }
}

/// Counts of decision diagrams.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Diagrams {
    /// How variables are ordered.
    pub order: &'static str,
    /// The number of program variables with bits in diagrams.
    pub variables: u64,
    /// The number of bits that diagrams have of them.
    pub bits: u64,
    /// How often a variable got more bits.
    pub widenings: u64,
    /// The number of operations that made a diagram.
    pub operations: u64,
    /// The number of comparisons of diagrams.
    pub comparisons: u64,
    /// The number of nodes of the largest diagram.
    pub largest: u64,
}

impl Diagrams {
    /// The counts that reports show, by name.
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        vec![
            (self.order, self.variables),
            ("bits of variables", self.bits),
            ("variables widened", self.widenings),
            ("operations on diagrams", self.operations),
            ("comparisons of diagrams", self.comparisons),
            ("nodes of the largest diagram", self.largest),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of the solver counts in full, no matter which expansions are timed, and separately for each kind of work.
    #[test]
    fn solver_time_is_exact() {
        let mut clock = Clock::default();
        for i in 0..1_000 {
            clock.expand();
            clock.begin(if i % 2 == 0 { Work::Transfer } else { Work::Stop });
            clock.asked(Duration::from_secs(if i == 500 { 100 } else { 0 }));
            clock.end();
            // A query between two pieces of work belongs to neither.
            clock.asked(Duration::from_secs(1_000));
        }
        assert!(clock.time(Work::Transfer) >= Duration::from_secs(100));
        assert!(clock.time(Work::Transfer) < Duration::from_secs(110));
        assert!(clock.time(Work::Stop) < Duration::from_secs(10));
        assert_eq!(clock.time(Work::Merge), Duration::ZERO);
    }

    /// Work that takes the same time in each expansion is estimated from the expansions that are timed.
    #[test]
    fn samples_stand_for_all() {
        let mut clock = Clock { expansions: FIRST, ..Clock::default() };
        for _ in 0..2 * INTERVAL {
            clock.expand();
            clock.begin(Work::Merge);
            if clock.since.is_some() {
                std::thread::sleep(Duration::from_millis(2));
            }
            clock.end();
        }
        assert!(clock.time(Work::Merge) >= Duration::from_millis(4 * INTERVAL));
    }
}
