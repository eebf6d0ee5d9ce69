//! The end of a running query: when its time is up, or when it is interrupted.

use crate::solver::{Interrupter, SolverError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Number of pieces of work between two checks of the time.
const PIECES: u32 = 64;

/// The time limit of a solver, shared with callbacks and other threads.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    shared: Arc<Shared>,
    pieces: u32,
}

#[derive(Debug)]
struct Shared {
    begin: Instant,
    stopped: AtomicBool,
    /// Whether another solver has answered the query.
    yields: AtomicBool,
    /// Time from `begin` to the end of the query, in nanoseconds.
    end: AtomicU64,
}

impl Deadline {
    /// A deadline that never comes.
    pub(crate) fn new() -> Deadline {
        let (stopped, yields) = (AtomicBool::new(false), AtomicBool::new(false));
        let shared = Shared { begin: Instant::now(), stopped, yields, end: AtomicU64::new(u64::MAX) };
        Deadline { shared: Arc::new(shared), pieces: 0 }
    }

    /// Limits the query that begins now to `time`.
    pub(crate) fn set(&mut self, time: Option<Duration>) {
        let end = time.map(|t| (self.shared.begin.elapsed() + t).as_nanos());
        let end = end.map_or(u64::MAX, |n| u64::try_from(n).unwrap_or(u64::MAX));
        self.shared.end.store(end, Ordering::Relaxed);
    }

    /// Whether the query must end.
    pub(crate) fn over(&self) -> bool {
        let end = self.shared.end.load(Ordering::Relaxed);
        self.stopped()
            || self.shared.yields.load(Ordering::Relaxed)
            || (end != u64::MAX && self.shared.begin.elapsed().as_nanos() >= u128::from(end))
    }

    fn stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Relaxed)
    }

    /// Counts a piece of work.
    ///
    /// Errors: `Unknown` if the query must end.
    pub(crate) fn tick(&mut self) -> Result<(), SolverError> {
        self.pieces += 1;
        if !self.pieces.is_multiple_of(PIECES) || !self.over() {
            return Ok(());
        }
        Err(self.reason())
    }

    /// Why the query ended without an answer.
    pub(crate) fn reason(&self) -> SolverError {
        SolverError::Unknown(if self.stopped() { "interrupted".into() } else { "time-out".into() })
    }

    /// A handle that ends the running query and all later ones.
    pub(crate) fn interrupter(&self) -> Interrupter {
        let shared = self.shared.clone();
        Interrupter::new(move || shared.stopped.store(true, Ordering::Relaxed))
    }

    /// Lets queries run until their time is up again, after a [`Deadline::turn_end`].
    pub(crate) fn turn_begins(&self) {
        self.shared.yields.store(false, Ordering::Relaxed);
    }

    /// A handle that ends queries, as if their time were up, until the next turn begins.
    pub(crate) fn turn_end(&self) -> Interrupter {
        let shared = self.shared.clone();
        Interrupter::new(move || shared.yields.store(true, Ordering::Relaxed))
    }
}
