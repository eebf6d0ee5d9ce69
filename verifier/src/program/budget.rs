//! The time that an analysis has, and why it stops before it has an answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why an analysis stopped before it had an answer. Holds no verdict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Halt {
    /// The time it was given is over.
    #[error("timeout")]
    OutOfTime,
    /// A named limit on states, terms or memory is reached.
    #[error("{0}")]
    OutOfBudget(String),
    /// The call stack has more frames than this.
    #[error("call stack deeper than {0}")]
    TooDeep(u32),
    /// Something without a model can be reached.
    #[error("{0}")]
    Unsupported(String),
    /// The solver gave no answer.
    #[error("{0}")]
    Solver(String),
}

/// The time an analysis may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// When it has to stop.
    pub deadline: Instant,
    /// Once this is set, there is no time left.
    stop: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// A budget until `deadline`.
    pub fn until(deadline: Instant) -> Budget<'a> {
        Budget { deadline, stop: None }
    }

    /// The same budget, at an end once `stop` is set too.
    ///
    /// It takes the place of what else would stop it: who sets `stop` watches that.
    pub fn unless(self, stop: &AtomicBool) -> Budget<'_> {
        Budget { deadline: self.deadline, stop: Some(stop) }
    }

    /// A budget of `duration` from now, but no longer than this one.
    pub fn at_most(self, duration: Duration) -> Budget<'a> {
        Budget { deadline: self.deadline.min(Instant::now() + duration), ..self }
    }

    /// Time left.
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

    /// An error once the time is over.
    pub fn check(self) -> Result<(), Halt> {
        if self.left().is_zero() { Err(Halt::OutOfTime) } else { Ok(()) }
    }
}
