//! Checks on answers: every model is evaluated, and unsatisfiability can be asked a second time.
//!
//! The idea is that of KLEE's `ValidatingSolver`. Evaluation is `cfa::eval`, which shares nothing with the solver's translation of
//! terms.

use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::{Term, Terms};

/// Makes the solver that confirms unsatisfiability.
pub type Second = Box<dyn Fn() -> Result<Box<dyn Solver>, SolverError>>;

/// Checks the answers of `S`; an incorrect answer becomes `Failed`.
pub struct Validating<S> {
    inner: S,
    second: Option<Second>,
    assertions: Vec<Term>,
}

impl<S: Solver> Validating<S> {
    /// Checks models.
    pub fn new(inner: S) -> Validating<S> {
        Validating { inner, second: None, assertions: Vec::new() }
    }

    /// Checks models, and asks a fresh solver made by `second` whenever the answer is `Unsat`.
    pub fn with_second(inner: S, second: Second) -> Validating<S> {
        Validating { inner, second: Some(second), assertions: Vec::new() }
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

    fn check_unsat(&self, terms: &Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        let Some(second) = &self.second else { return Ok(()) };
        let mut other = second()?;
        for &t in &self.assertions {
            other.assert(terms, t)?;
        }
        match other.check(terms, assumptions) {
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
        let answer = self.inner.check(terms, assumptions)?;
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
