//! A solver that is created by its first query.
//!
//! Creating a solver takes about ten milliseconds, more than everything else that a small program takes. Many programs never
//! ask a query, because folding and the cache decide all their conditions.

use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::{Term, Terms};
use std::sync::{Arc, Mutex, PoisonError};

/// Makes an `S` when the first query is asked, and forwards everything to it from then on.
pub struct Lazy<S, F> {
    make: F,
    inner: Option<S>,
    limits: Limits,
    /// The assertions so far.
    assertions: Vec<Term>,
    shared: Arc<Mutex<Shared>>,
    /// The statistics of solvers that were dropped.
    past: Statistics,
}

/// The state that interrupters share.
#[derive(Default)]
struct Shared {
    stopped: bool,
    inner: Option<Interrupter>,
}

impl<S: Solver, F: Fn(Limits) -> Result<S, SolverError>> Lazy<S, F> {
    /// A solver that `make` makes when it is needed.
    pub fn new(limits: Limits, make: F) -> Lazy<S, F> {
        Lazy { make, inner: None, limits, assertions: Vec::new(), shared: Arc::default(), past: Statistics::default() }
    }

    /// Drops the solver; the next query makes a new one.
    pub fn begin_anew(&mut self) {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).inner = None;
        self.past = self.statistics();
        self.inner = None;
    }

    /// A handle that stops the current solver: until that is dropped, it answers no more queries.
    pub fn stop_present(&self) -> Interrupter {
        let shared = self.shared.clone();
        Interrupter::new(move || {
            if let Some(inner) = &shared.lock().unwrap_or_else(PoisonError::into_inner).inner {
                inner.interrupt();
            }
        })
    }

    fn inner(&mut self, terms: &Terms) -> Result<&mut S, SolverError> {
        if self.inner.is_none() {
            let mut made = (self.make)(self.limits)?;
            for &t in &self.assertions {
                made.assert(terms, t)?;
            }
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            let interrupter = made.interrupter();
            if shared.stopped {
                interrupter.interrupt();
            }
            shared.inner = Some(interrupter);
            self.inner = Some(made);
        }
        self.inner.as_mut().ok_or_else(|| SolverError::Failed("there is no solver".into()))
    }
}

impl<S: Solver, F: Fn(Limits) -> Result<S, SolverError>> Solver for Lazy<S, F> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.assertions.push(t);
        self.inner.as_mut().map_or(Ok(()), |inner| inner.assert(terms, t))
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.inner(terms)?.check(terms, assumptions)
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        match &mut self.inner {
            Some(inner) => inner.model(terms),
            None => Err(SolverError::Failed("there is no model".into())),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        self.inner.as_mut().map(S::core).unwrap_or_default()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(inner) = &mut self.inner {
            inner.set_limits(limits);
        }
    }

    fn interrupter(&self) -> Interrupter {
        let shared = self.shared.clone();
        Interrupter::new(move || {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.stopped = true;
            if let Some(inner) = &shared.inner {
                inner.interrupt();
            }
        })
    }

    fn statistics(&self) -> Statistics {
        self.past + self.inner.as_ref().map(S::statistics).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::z3::Z3;
    use cfa::Sort;

    #[test]
    fn what_was_asserted_before_the_first_query_holds_in_it() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bv(8));
        let (three, five) = (terms.int(8, 3), terms.int(8, 5));
        let (is_three, is_five) = (terms.eq(x, three), terms.eq(x, five));
        let mut solver = Lazy::new(Limits::default(), Z3::new);
        solver.assert(&terms, is_three).unwrap();
        assert_eq!(solver.statistics(), Statistics::default());
        assert_eq!(solver.check(&terms, &[is_five]), Ok(Answer::Unsat));
        assert_eq!(solver.check(&terms, &[]), Ok(Answer::Sat));
        assert_eq!(solver.statistics().queries, 2);
    }

    #[test]
    fn a_new_solver_knows_what_was_asserted() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bv(8));
        let (three, five) = (terms.int(8, 3), terms.int(8, 5));
        let (is_three, is_five) = (terms.eq(x, three), terms.eq(x, five));
        let mut solver = Lazy::new(Limits::default(), Z3::new);
        assert_eq!(solver.check(&terms, &[is_five]), Ok(Answer::Sat));
        solver.assert(&terms, is_three).unwrap();
        solver.begin_anew();
        assert_eq!(solver.check(&terms, &[is_five]), Ok(Answer::Unsat));
        assert_eq!(solver.statistics().queries, 2);
    }

    #[test]
    fn an_interruption_before_the_first_query_ends_it() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bv(8));
        let five = terms.int(8, 5);
        let query = terms.eq(x, five);
        let mut solver = Lazy::new(Limits::default(), Z3::new);
        solver.interrupter().interrupt();
        assert!(matches!(solver.check(&terms, &[query]), Err(SolverError::Unknown(_))));
    }
}
