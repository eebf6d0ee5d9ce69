//! A race of two solvers on one query: circuits first, joined by Z3 if they take long.
//!
//! No solver is the fastest on all queries. Circuits in CaDiCaL are the fastest on most, but where Z3's preprocessing finds
//! that a query is simple, CaDiCaL's search is a waste of time. After a head start that is enough for most queries, Z3 begins
//! in a separate thread, and the first answer ends the other solver. Queries that circuits cannot express go to Z3 alone.

use crate::bits::Bits;
use crate::lazy::Lazy;
use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::{Term, Terms};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time for which circuits work on a query alone.
const HEAD_START: Duration = Duration::from_secs(2);

/// Time for which circuits work alone before a thread is started that waits for the rest of the head start; most queries
/// are answered by then. Circuits are interrupted only once, and early, since a search that is continued after an
/// interruption has lost some of its progress.
const QUICK: Duration = Duration::from_millis(200);

/// Number of gates that Z3 is assumed to read within a second. While it reads a query, it does not notice that its time is up.
const GATES_PER_SECOND: f64 = 1_000_000.0;

/// Stack size of the other solver's thread: Z3's recursion is as deep as the terms.
const STACK_BYTES: usize = 1 << 30;

/// Time between two attempts to stop a solver that may not have begun yet.
const PATIENCE: Duration = Duration::from_millis(1);

/// What solvers report when their time is over.
const TIME_OUT: &str = "time-out";

/// What solvers report when they were interrupted.
const INTERRUPTED: &str = "interrupted";

type Answered = Result<Answer, SolverError>;

/// The two solvers of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Racer {
    Bits,
    Other,
}

/// [`Bits`] first, and an `S` made by `F` for what [`Bits`] cannot express or does not decide soon.
pub struct Racing<S, F> {
    bits: Bits,
    other: Lazy<S, F>,
    limits: Limits,
    /// Whether circuits get all the time for queries that they can express.
    alone: bool,
    /// The solver that answered the last query.
    last: Racer,
    queries: u64,
}

impl<S: Solver + Send, F: Fn(Limits) -> Result<S, SolverError> + Send> Racing<S, F> {
    /// A race of `bits`, which must be new, and the solver that `make` makes.
    pub fn new(bits: Bits, make: F, limits: Limits) -> Racing<S, F> {
        Racing { bits, other: Lazy::new(limits, make), limits, alone: false, last: Racer::Bits, queries: 0 }
    }

    /// The same, except that the other solver is only asked what circuits cannot express.
    pub fn without_race(self) -> Racing<S, F> {
        Racing { alone: true, ..self }
    }

    /// Asks circuits, which get at most `time`.
    fn ask_bits(&mut self, time: Option<Duration>, terms: &Terms, assumptions: &[Term]) -> Answered {
        self.last = Racer::Bits;
        self.bits.set_limits(Limits { query: time, deadline: None });
        self.bits.check(terms, assumptions)
    }

    /// Asks the other solver, which gets at most `time`.
    fn ask_other(&mut self, time: Option<Duration>, terms: &Terms, assumptions: &[Term]) -> Answered {
        self.last = Racer::Other;
        self.other.set_limits(Limits { query: time, deadline: None });
        self.other.check(terms, assumptions)
    }

    /// Asks both, within at most `time`; the other solver begins after `wait`.
    ///
    /// The other solver is not asked if the query has become too large for it to stop in time.
    fn race(&mut self, time: Option<Duration>, wait: Duration, terms: &Terms, assumptions: &[Term]) -> Answered {
        let (gates, left) = (self.bits.gates(), time.map(|t| t.saturating_sub(wait)));
        self.bits.set_limits(Limits { query: time, deadline: None });
        self.other.set_limits(Limits { query: left, deadline: None });
        let (end_bits, stop_other) = (self.bits.turn_end(), self.other.stop_present());
        let (bits, other) = (&mut self.bits, &mut self.other);
        let done = &AtomicBool::new(false);
        let (tell, told) = channel::<()>();
        let (own, others) = std::thread::scope(|scope| {
            let work = move || {
                let is_over = told.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected);
                if is_over || !stops_in_time(gates.load(Ordering::Relaxed), left) {
                    done.store(true, Ordering::Release);
                    return Err(SolverError::Unknown(TIME_OUT.into()));
                }
                let answer = other.check(terms, assumptions);
                done.store(true, Ordering::Release);
                if answer.is_ok() {
                    end_bits.interrupt();
                }
                answer
            };
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            let own = bits.check(terms, assumptions);
            match &own {
                Err(SolverError::Unknown(reason)) if [TIME_OUT, INTERRUPTED].contains(&reason.as_str()) => drop(tell),
                Ok(_) => drop(tell),
                // Circuits cannot express the query: the other solver begins, unless it is already running.
                Err(_) => drop(tell.send(())),
            }
            let Ok(thread) = thread else { return (own, None) };
            while own.is_ok() && !done.load(Ordering::Acquire) {
                stop_other.interrupt();
                std::thread::sleep(PATIENCE);
            }
            (own, thread.join().ok())
        });
        self.bits.turn_begins();
        match (own, others) {
            (Ok(answer), Some(Ok(different))) if answer != different => {
                Err(SolverError::Failed("two solvers give different answers".into()))
            }
            (Ok(answer), _) => {
                self.last = Racer::Bits;
                // A stopped solver stays stopped, so that a new one is needed.
                self.other.begin_anew();
                Ok(answer)
            }
            (Err(_), Some(Ok(answer))) => {
                self.last = Racer::Other;
                Ok(answer)
            }
            (Err(own), _) => {
                self.other.begin_anew();
                Err(own)
            }
        }
    }
}

/// Whether the other solver may be asked a query with this number of gates and this much time left.
fn stops_in_time(gates: usize, left: Option<Duration>) -> bool {
    left.is_none_or(|t| (gates as f64) < t.as_secs_f64() * GATES_PER_SECOND)
}

impl<S: Solver + Send, F: Fn(Limits) -> Result<S, SolverError> + Send> Solver for Racing<S, F> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.bits.assert(terms, t)?;
        self.other.assert(terms, t)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.queries += 1;
        let time = self.limits.remaining()?;
        let end = time.map(|t| Instant::now() + t);
        // If the time is short, circuits get half of it.
        let head = time.map_or(HEAD_START, |t| HEAD_START.min(t / 2));
        let quick = QUICK.min(head);
        let first = self.ask_bits(if self.alone { time } else { Some(quick) }, terms, assumptions);
        let left = end.map(|e| e.saturating_duration_since(Instant::now()));
        let in_time = left.is_none_or(|t| !t.is_zero());
        match first {
            Err(SolverError::Unknown(reason)) if reason == TIME_OUT && !self.alone => {
                if in_time {
                    self.race(left, head.saturating_sub(quick), terms, assumptions)
                } else {
                    Err(SolverError::Unknown(reason))
                }
            }
            Err(e @ (SolverError::Unknown(_) | SolverError::Unsupported(_))) => {
                let ended = matches!(&e, SolverError::Unknown(reason) if self.alone || reason == INTERRUPTED);
                if ended || !in_time { Err(e) } else { self.ask_other(left, terms, assumptions) }
            }
            answered => answered,
        }
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        match self.last {
            Racer::Bits => self.bits.model(terms),
            Racer::Other => self.other.model(terms),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        match self.last {
            Racer::Bits => self.bits.core(),
            Racer::Other => self.other.core(),
        }
    }

    fn set_switches(&mut self, switches: &[Term]) {
        self.bits.set_switches(switches);
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
    use cfa::bv::BvOp;
    use cfa::float::{FloatOp, Format};
    use kerf_testing::recipe::Menu;

    fn racing(limits: Limits) -> impl Solver {
        Racing::new(Bits::new(limits), Z3::new, limits)
    }

    #[test]
    fn what_circuits_cannot_say_goes_to_the_other() {
        for seed in 0..50 {
            check_solver(seed, Menu::Memory, 6, || Box::new(racing(Limits::default())));
            check_solver(seed, Menu::Floats(Format::Half), 3, || Box::new(racing(Limits::default())));
            check_solver(seed, Menu::MemoryAndFloats(Format::Half), 4, || Box::new(racing(Limits::default())));
        }
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", Sort::Bv(64)), terms.fresh("y", Sort::Bv(64)));
        let r = terms.float(FloatOp::Rem, Format::Double, &[x, y], Sort::Bv(64));
        let nan = terms.is_nan(Format::Double, r);
        let mut solver = racing(Limits::default());
        assert!(matches!(solver.check(&terms, &[nan]), Err(SolverError::Unsupported(_))));
    }

    #[test]
    fn what_circuits_find_out_late_that_they_cannot_say_goes_to_the_other() {
        let mut terms = Terms::new();
        let mut query: Vec<Term> = Vec::new();
        // Enough gates to take longer than the time without a waiting thread.
        for _ in 0..6 {
            let [x, y, z] = ["x", "y", "z"].map(|n| terms.fresh(n, Sort::Bv(128)));
            let quotient = terms.bv_op(BvOp::Udiv, x, y);
            query.push(terms.eq(quotient, z));
        }
        let (x, y) = (terms.fresh("x", Sort::Bv(16)), terms.fresh("y", Sort::Bv(16)));
        let sum = terms.float(FloatOp::Add, Format::Half, &[x, y], Sort::Bv(16));
        let nan = terms.is_nan(Format::Half, sum);
        query.extend([nan, terms.not(nan)]);
        let mut solver = racing(Limits { query: Some(Duration::from_secs(60)), deadline: None });
        assert_eq!(solver.check(&terms, &query), Ok(Answer::Unsat));
    }

    #[test]
    fn limits_hold_for_both_together() {
        let mut terms = Terms::new();
        let t = hard(&mut terms);
        let mut solver = racing(Limits { query: Some(Duration::from_secs(1)), deadline: None });
        let begin = Instant::now();
        assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("time-out".into())));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        assert!(solver.statistics().solved > 1, "both had a turn");
        solver.interrupter().interrupt();
        solver.set_limits(Limits::default());
        assert_eq!(solver.check(&terms, &[t]), Err(SolverError::Unknown("interrupted".into())));
    }
}
