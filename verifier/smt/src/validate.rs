//! Checks on answers: every model is evaluated, and unsatisfiability can be asked a second time.
//!
//! The idea is that of KLEE's `ValidatingSolver`. Evaluation is `cfa::eval`, which shares nothing with the solver's translation of
//! terms.

use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::{Term, Terms};
use std::time::{Duration, Instant};

/// The time that a second solver may take in any case; beyond it, it takes no longer than the first one.
const FREE: Duration = Duration::from_millis(200);

/// Checks the answers of `S`; an incorrect answer becomes `Failed`.
pub struct Validating<S> {
    inner: S,
    second: Option<Box<dyn Solver>>,
    assertions: Vec<Term>,
    /// The time that the answers have taken, and that of the second solver.
    answering: Duration,
    confirming: Duration,
}

impl<S: Solver> Validating<S> {
    /// Checks models.
    pub fn new(inner: S) -> Validating<S> {
        let (answering, confirming) = (Duration::ZERO, Duration::ZERO);
        Validating { inner, second: None, assertions: Vec::new(), answering, confirming }
    }

    /// Checks models, and asks `second` whether it agrees with `Unsat`, with all formulas as assumptions. Together,
    /// its answers take no longer than those of `inner`, or a fraction of a second.
    pub fn with_second(inner: S, second: Box<dyn Solver>) -> Validating<S> {
        Validating { second: Some(second), ..Validating::new(inner) }
    }

    fn check_model(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        // There is nothing to check in a model that cannot be read; a caller that needs the model gets the error.
        let Ok(model) = self.inner.model(terms) else { return Ok(()) };
        for &t in assumptions.iter().chain(&self.assertions) {
            if model.holds(terms, t) == Some(false) {
                return Err(SolverError::Failed(format!("the model does not satisfy {t}")));
            }
        }
        Ok(())
    }

    fn check_unsat(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        let Some(second) = &mut self.second else { return Ok(()) };
        if self.confirming > self.answering + FREE {
            return Ok(());
        }
        let all: Vec<Term> = self.assertions.iter().chain(assumptions).copied().collect();
        let begin = Instant::now();
        let answer = second.check(terms, &all);
        self.confirming += begin.elapsed();
        match answer {
            Ok(Answer::Sat) => Err(SolverError::Failed("a second solver finds a model".into())),
            Ok(Answer::Unsat) | Err(SolverError::Unknown(_)) => Ok(()),
            Err(e) => Err(e),
        }
    }
}

impl<S: Solver> Solver for Validating<S> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.assertions.push(t);
        self.inner.assert(terms, t)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let begin = Instant::now();
        let answer = self.inner.check(terms, assumptions)?;
        self.answering += begin.elapsed();
        match answer {
            Answer::Sat => self.check_model(terms, assumptions)?,
            Answer::Unsat => self.check_unsat(terms, assumptions)?,
        }
        Ok(answer)
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        self.inner.model(terms)
    }

    fn core(&mut self) -> Vec<Term> {
        self.inner.core()
    }

    fn set_switches(&mut self, switches: &[Term]) {
        self.inner.set_switches(switches);
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn interrupter(&self) -> Interrupter {
        self.inner.interrupter()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
