//! Two solvers that take turns at a query.
//!
//! No solver is the fastest on all queries: circuits in CaDiCaL are on most, but where Z3's preprocessing finds that a query is simple,
//! the search of the other is lost time. Turns that double bound that loss to some four times what the better one of the two alone takes.
//! Circuits go on where they stopped, while Z3 begins anew at each turn (in a new context, which it is not slower in than alone), so
//! that its turns are the longer ones. What circuits cannot express, Z3 gets alone. Who answered the last query that took more than one
//! turn begins the next one.

use crate::bits::Bits;
use crate::lazy::Lazy;
use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::{Term, Terms};
use std::time::{Duration, Instant};

/// The first turn of a query.
const FIRST_TURN: Duration = Duration::from_millis(750);

/// How much longer the turns of Z3 are than those of circuits.
const OTHER_TURN: u32 = 2;

/// Gates that Z3 is trusted to take in within a second: it does not stop in time while it does.
const GATES_PER_SECOND: f64 = 1_000_000.0;

/// What solvers say when their time is over.
const TIME_OUT: &str = "time-out";

fn interrupted() -> SolverError {
    SolverError::Unknown("interrupted".into())
}

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Bits,
    Other,
}

/// [`Bits`] in front, and an `S` that `F` makes for what it cannot say or does not find out.
pub struct Alternating<S, F> {
    bits: Bits,
    other: Lazy<S, F>,
    limits: Limits,
    /// Who begins.
    first: Who,
    /// Who answered the last query.
    last: Who,
    queries: u64,
}

impl<S: Solver, F: Fn(Limits) -> Result<S, SolverError>> Alternating<S, F> {
    /// `bits`, which knows nothing yet, and the solver that `make` makes.
    pub fn new(bits: Bits, make: F, limits: Limits) -> Alternating<S, F> {
        Alternating { bits, other: Lazy::new(limits, make), limits, first: Who::Bits, last: Who::Bits, queries: 0 }
    }

    /// Asks `who` for `time` at most.
    fn turn(
        &mut self,
        who: Who,
        time: Option<Duration>,
        terms: &Terms,
        assumptions: &[Term],
    ) -> Result<Answer, SolverError> {
        let limits = Limits { query: time, deadline: None };
        self.last = who;
        match who {
            Who::Bits => {
                self.bits.set_limits(limits);
                self.bits.check(terms, assumptions)
            }
            Who::Other => {
                self.other.set_limits(limits);
                self.other.check(terms, assumptions)
            }
        }
    }

    /// Whether the other solver may be asked, with so much time left.
    fn other_stops_in_time(&self, left: Option<Duration>) -> bool {
        left.is_none_or(|t| (self.bits.gates() as f64) < t.as_secs_f64() * GATES_PER_SECOND)
    }
}

impl<S: Solver, F: Fn(Limits) -> Result<S, SolverError>> Solver for Alternating<S, F> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.bits.assert(terms, t)?;
        self.other.assert(terms, t)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.queries += 1;
        let end = self.limits.remaining()?.map(|t| Instant::now() + t);
        let (mut who, mut length, mut turns) = (self.first, FIRST_TURN, 0u32);
        // Who has given up on this query.
        let mut gone: Option<Who> = None;
        loop {
            let left = end.map(|e| e.saturating_duration_since(Instant::now()));
            if left.is_some_and(|t| t.is_zero()) {
                return Err(SolverError::Unknown(TIME_OUT.into()));
            }
            if gone.is_none() && !self.other_stops_in_time(left) {
                (gone, who) = (Some(Who::Other), Who::Bits);
            }
            let turn = if who == Who::Bits { length } else { length * OTHER_TURN };
            let time = match (gone, left) {
                (Some(_), left) => left,
                (None, None) => Some(turn),
                // Of a short time each gets half.
                (None, Some(left)) => Some(turn.min(if turns == 0 { left / 2 } else { left })),
            };
            match self.turn(who, time, terms, assumptions) {
                Ok(answer) => {
                    if turns > 0 && gone.is_none() {
                        self.first = who;
                    }
                    return Ok(answer);
                }
                Err(SolverError::Unknown(reason)) if reason == TIME_OUT => {
                    if who == Who::Other {
                        self.other.begin_anew();
                    }
                }
                Err(e @ (SolverError::Unknown(_) | SolverError::Unsupported(_))) if e != interrupted() => {
                    if gone.is_some() {
                        return Err(e);
                    }
                    gone = Some(who);
                }
                Err(e) => return Err(e),
            }
            turns += 1;
            if turns.is_multiple_of(2) {
                length *= 2;
            }
            who = match gone {
                Some(Who::Other) => Who::Bits,
                Some(Who::Bits) => Who::Other,
                None if who == Who::Bits => Who::Other,
                None => Who::Bits,
            };
        }
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        match self.last {
            Who::Bits => self.bits.model(terms),
            Who::Other => self.other.model(terms),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        match self.last {
            Who::Bits => self.bits.core(),
            Who::Other => self.other.core(),
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        let (bits, other) = (self.bits.interrupter(), self.other.interrupter());
        Interrupter::new(move || {
            bits.interrupt();
            other.interrupt();
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics { queries: self.queries, ..self.bits.statistics() + self.other.statistics() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_queries::{check_solver, hard};
    use crate::z3::Z3;
    use cfa::Sort;
    use cfa::eval::recipe::Menu;
    use cfa::float::{FloatOp, Format};

    fn alternating(limits: Limits) -> impl Solver {
        Alternating::new(Bits::new(limits), Z3::new, limits)
    }

    #[test]
    fn what_circuits_cannot_say_goes_to_the_other() {
        for seed in 0..50 {
            check_solver(seed, Menu::Memory, 6, || Box::new(alternating(Limits::default())));
            check_solver(seed, Menu::Floats(Format::Half), 3, || Box::new(alternating(Limits::default())));
        }
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", Sort::Bv(64)), terms.fresh("y", Sort::Bv(64)));
        let r = terms.float(FloatOp::Rem, Format::Double, &[x, y], Sort::Bv(64));
        let nan = terms.is_nan(Format::Double, r);
        let mut solver = alternating(Limits::default());
        assert!(matches!(solver.check(&terms, &[nan]), Err(SolverError::Unsupported(_))));
    }

    #[test]
    fn limits_hold_for_both_together() {
        let mut terms = Terms::new();
        let t = hard(&mut terms);
        let mut solver = alternating(Limits { query: Some(Duration::from_secs(1)), deadline: None });
        let begin = Instant::now();
        assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("time-out".into())));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        assert!(solver.statistics().solved > 1, "both had a turn");
        solver.interrupter().interrupt();
        solver.set_limits(Limits::default());
        assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("interrupted".into())));
    }
}
