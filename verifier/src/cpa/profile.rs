//! Where the time of an exploration goes: transfer, merge and stop, by sampling.
//!
//! A step of explicit values takes less time than two looks at the clock are worth. So of all but the first expansions of nodes,
//! one in `INTERVAL` is timed and stands for the others, but for the time of the solver, which varies by orders of magnitude: that
//! is measured in each of them.

use std::time::{Duration, Instant};

/// What an exploration does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Successors of states.
    Transfer,
    /// Merging of states where paths meet.
    Merge,
    /// The search for a state that covers a new one.
    Stop,
}

/// Expansions for each one that is timed; a prime, so that loops of the program do not run in step with it.
const INTERVAL: u64 = 61;

/// The first expansions, each of which is timed: short explorations are not to be guessed.
const FIRST: u64 = 1_000;

/// The work of one kind.
#[derive(Clone, Copy, Default, Debug)]
struct Sampled {
    /// In the expansions that are timed and those that they stand for, without the solver.
    time: Duration,
    /// Of the solver, in all of them.
    solver: Duration,
}

/// Times of each kind of work.
#[derive(Clone, Copy, Default, Debug)]
pub struct Clock {
    work: [Sampled; 3],
    expansions: u64,
    /// The number of expansions that the present one stands for; zero if it is not timed.
    weight: u32,
    /// What is being done.
    present: Option<Work>,
    /// If that is timed: since when, and the solver's time before.
    since: Option<(Instant, Duration)>,
}

impl Clock {
    /// The expansion of a node begins.
    pub fn expand(&mut self) {
        self.weight = match self.expansions {
            n if n < FIRST => 1,
            n if n.is_multiple_of(INTERVAL) => INTERVAL as u32,
            _ => 0,
        };
        self.expansions += 1;
    }

    /// Work begins; what began before has ended.
    #[inline]
    pub fn begin(&mut self, work: Work) {
        self.present = Some(work);
        if self.weight > 0 {
            self.since = Some((Instant::now(), self.work[work as usize].solver));
        }
    }

    /// The work that began has ended.
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

    /// The solver was asked, for this time.
    pub fn asked(&mut self, time: Duration) {
        if let Some(work) = self.present {
            self.work[work as usize].solver += time;
        }
    }

    /// An estimate of the time in all expansions.
    pub fn time(&self, work: Work) -> Duration {
        let Sampled { time, solver } = self.work[work as usize];
        solver + time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solver's time counts in full, whichever expansions are timed, and each kind of work by itself.
    #[test]
    fn solver_time_is_exact() {
        let mut clock = Clock::default();
        for i in 0..1_000 {
            clock.expand();
            clock.begin(if i % 2 == 0 { Work::Transfer } else { Work::Stop });
            clock.asked(Duration::from_secs(if i == 500 { 100 } else { 0 }));
            clock.end();
            // Between two of them, it is nobody's.
            clock.asked(Duration::from_secs(1_000));
        }
        assert!(clock.time(Work::Transfer) >= Duration::from_secs(100));
        assert!(clock.time(Work::Transfer) < Duration::from_secs(110));
        assert!(clock.time(Work::Stop) < Duration::from_secs(10));
        assert_eq!(clock.time(Work::Merge), Duration::ZERO);
    }

    /// What takes the same time in each expansion is estimated from those that are timed.
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
