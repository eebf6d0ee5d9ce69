//! The time that an analysis has, and why it stops before it has an answer.

use crate::program::progress::{Count, Progress};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why an analysis stopped before it had an answer. This is not a verdict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Halt {
    /// Its time is over.
    #[error("timeout")]
    OutOfTime,
    /// A limit on states, terms or memory was reached; the string names it.
    #[error("{0}")]
    OutOfBudget(String),
    /// The call stack would have more frames than this.
    #[error("call stack deeper than {0}")]
    TooDeep(u32),
    /// A construct without a model may be reachable.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The solver gave no answer.
    #[error("solver: {0}")]
    Solver(String),
}

/// The time that an analysis may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// When it has to stop.
    pub deadline: Instant,
    /// If this is set, there is no time left.
    stop: Option<&'a AtomicBool>,
    /// When all has to stop, whatever else is tried.
    last: Instant,
    /// Where an analysis notes what it is doing.
    progress: Option<&'a Progress>,
    /// The memory that may be used, in bytes.
    memory_bytes: Option<u64>,
}

/// The share of the memory that explorations leave to single steps that need much, and to the check of what they find.
const KEPT_MEMORY: f64 = 0.25;

impl<'a> Budget<'a> {
    /// A budget until `deadline`.
    pub fn until(deadline: Instant) -> Budget<'a> {
        Budget { deadline, stop: None, last: deadline, progress: None, memory_bytes: None }
    }

    /// The same budget, under which an analysis notes in `progress` what it is doing.
    pub fn noting(self, progress: &'a Progress) -> Budget<'a> {
        Budget { progress: Some(progress), ..self }
    }

    /// The same budget, in a process that may use so many bytes of address space, some of which is reserved already and not used (stacks).
    pub fn within(self, address_space_bytes: Option<u64>) -> Budget<'a> {
        let unused = memory_now().map_or(0, |now| now.reserved_bytes - now.used_bytes.min(now.reserved_bytes));
        Budget { memory_bytes: address_space_bytes.map(|limit| limit.saturating_sub(unused)), ..self }
    }

    /// Notes what the analysis is doing.
    pub fn note(self, what: Count, number: u64) {
        self.progress.iter().for_each(|progress| progress.note(what, number));
    }

    /// Counts one more of what the analysis is doing.
    pub fn count(self, what: Count) {
        self.progress.iter().for_each(|progress| progress.add(what));
    }

    /// Forgets what was noted, since something else begins.
    pub fn begin(self) {
        self.progress.iter().for_each(|progress| progress.reset());
    }

    /// The same budget, but it also ends once `stop` is set.
    ///
    /// `stop` replaces the previous stop flag, so the code that sets `stop` has to watch the previous flag, too.
    pub fn unless<'b>(self, stop: &'b AtomicBool) -> Budget<'b>
    where
        'a: 'b,
    {
        let shorter: Budget<'b> = self;
        Budget { stop: Some(stop), ..shorter }
    }

    /// A budget of at most `duration` from now, which also ends when this one does.
    pub fn at_most(self, duration: Duration) -> Budget<'a> {
        Budget { deadline: self.deadline.min(Instant::now() + duration), ..self }
    }

    /// The time that is left; zero once the deadline has passed or the stop flag is set.
    pub fn left(self) -> Duration {
        match self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            true => Duration::ZERO,
            false => self.deadline.saturating_duration_since(Instant::now()),
        }
    }

    /// The limits of a solver under this budget.
    pub fn limits(self) -> smt::Limits {
        smt::Limits { query: None, deadline: Some(self.deadline) }
    }

    /// Frees what an analysis has left, which takes seconds for gigabytes of small objects: if there is no time for that any more, the memory
    /// is left to the system, since the process ends soon.
    pub fn free<T>(self, left: T) {
        if Instant::now() >= self.last {
            std::mem::forget(left);
        }
    }

    /// Returns an error once the time is over.
    pub fn check(self) -> Result<(), Halt> {
        if self.left().is_zero() { Err(Halt::OutOfTime) } else { Ok(()) }
    }

    /// Returns an error once most of the memory is used. Cost: that of reading a small file. Where the system has no such file, memory counts as
    /// free.
    pub fn check_memory(self) -> Result<(), Halt> {
        let Some(limit) = self.memory_bytes else { return Ok(()) };
        let used = memory_now().map_or(0, |now| now.used_bytes);
        if used as f64 <= limit as f64 * (1.0 - KEPT_MEMORY) {
            return Ok(());
        }
        Err(Halt::OutOfBudget(format!("{} MB of memory", used / 1_000_000)))
    }
}

/// The memory of this process.
struct Memory {
    /// The address space that is reserved, in bytes. It does not shrink when memory is freed.
    reserved_bytes: u64,
    /// The memory that is used, in bytes.
    used_bytes: u64,
}

fn memory_now() -> Option<Memory> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| {
        let size = status.lines().find_map(|line| line.strip_prefix(name))?;
        size.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(Memory { reserved_bytes: bytes("VmSize:")?, used_bytes: bytes("VmRSS:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_memory_may_be_used() {
        let now = memory_now().expect("Linux tells");
        assert!(1 << 20 < now.used_bytes && now.used_bytes < now.reserved_bytes);
        let budget = Budget::until(Instant::now());
        let reserved = now.reserved_bytes;
        for (limit, is_enough) in [(None, true), (Some(8 * reserved), true), (Some(reserved), false)] {
            assert_eq!(budget.within(limit).check_memory().is_ok(), is_enough, "{limit:?}");
        }
    }
}
