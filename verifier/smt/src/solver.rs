//! The solver trait that all layers implement, with limits, errors and statistics.
//!
//! `chain` composes the layers, and `racing` decides which engine answers a query.
//!
//! A solver is incremental: assertions stay, assumptions hold for one query. Terms are identified by their ids, so a solver
//! serves one arena (with its base) during its lifetime. Unsatisfiable, unknown and error have different types, so that no
//! caller can mistake a timeout for a proof.

use crate::model::Model;
use cfa::eval::Value;
use cfa::{Term, Terms};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The answer to a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
}

/// Why a query has no answer; the text says what the solver did.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolverError {
    /// The solver gave up because of a limit, an interruption or an incomplete theory.
    #[error("gave up: {0}")]
    Unknown(String),
    /// The query has an operator that cannot be translated.
    #[error("cannot express {0}")]
    Unsupported(String),
    /// An internal failure: the solver reports an error, or a model does not satisfy its query.
    #[error("failed: {0}")]
    Failed(String),
}

/// Resource limits of queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum time for one query.
    pub query: Option<Duration>,
    /// The time at which all queries must have ended.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// Maximum time for a query that begins now (`None`: unlimited), or the error that the deadline has passed.
    pub fn remaining(&self) -> Result<Option<Duration>, SolverError> {
        let Some(deadline) = self.deadline else { return Ok(self.query) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(SolverError::Unknown("out of time".into()));
        }
        Ok(Some(self.query.map_or(left, |q| q.min(left))))
    }
}

/// Stops a solver from another thread: the running query and all later ones end with `Unknown`.
#[derive(Clone)]
pub struct Interrupter(Arc<dyn Fn() + Send + Sync>);

impl Interrupter {
    /// An interrupter that calls `stop`.
    pub fn new(stop: impl Fn() + Send + Sync + 'static) -> Interrupter {
        Interrupter(Arc::new(stop))
    }

    /// Stops the solver.
    pub fn interrupt(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupter")
    }
}

/// Statistics of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Number of queries.
    pub queries: u64,
    /// Number of queries that an earlier answer decided.
    pub by_answer: u64,
    /// Number of queries that an earlier model satisfied.
    pub by_model: u64,
    /// Number of queries that reached the underlying solver.
    pub solved: u64,
    /// Time spent in the underlying solver.
    pub solving: Duration,
    /// Number of terms translated for the underlying solver.
    pub translated: u64,
    /// Number of queries that the underlying solver found unsatisfiable.
    pub refuted: u64,
    /// Number of these that were refuted while their circuits were built, without a SAT solver.
    pub by_circuit: u64,
    /// Number of these for which a SAT solver's proof was checked.
    pub proved: u64,
    /// Number of checked steps of such proofs, including those of searches without an answer.
    pub proof_steps: u64,
}

impl std::ops::Add for Statistics {
    type Output = Statistics;
    fn add(self, other: Statistics) -> Statistics {
        Statistics {
            queries: self.queries + other.queries,
            by_answer: self.by_answer + other.by_answer,
            by_model: self.by_model + other.by_model,
            solved: self.solved + other.solved,
            solving: self.solving + other.solving,
            translated: self.translated + other.translated,
            refuted: self.refuted + other.refuted,
            by_circuit: self.by_circuit + other.by_circuit,
            proved: self.proved + other.proved,
            proof_steps: self.proof_steps + other.proof_steps,
        }
    }
}

/// A decision procedure for Bool terms.
pub trait Solver {
    /// Asserts `t` for all later queries.
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError>;

    /// Whether the assertions have a model in which all `assumptions` hold. Assumptions may be any Bool terms.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError>;

    /// The model of the last query.
    ///
    /// Errors: `Failed` if the last query was not answered with `Sat`.
    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError>;

    /// Assumptions of the last query that contradict the assertions: a subset of those given, not necessarily minimal.
    /// Empty if the last answer was not `Unsat`.
    fn core(&mut self) -> Vec<Term>;

    /// Declares which free constants are switches: later queries assume different values for them, so that what a solver
    /// derives for one query should be reusable with other values. Replaces earlier declarations. A solver whose queries
    /// share nothing may ignore this.
    fn set_switches(&mut self, _switches: &[Term]) {}

    /// Changes the limits for later queries.
    fn set_limits(&mut self, limits: Limits);

    /// A handle that stops this solver from another thread.
    fn interrupter(&self) -> Interrupter;

    /// The statistics so far.
    fn statistics(&self) -> Statistics;

    /// The value of any term in the model of the last query; symbols without a value count as zero.
    fn model_value(&mut self, terms: &Terms, t: Term) -> Result<Value, SolverError> {
        let model = self.model(terms)?;
        model.eval(terms, t).ok_or_else(|| SolverError::Failed("a term has no value in the model".into()))
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        (**self).assert(terms, t)
    }
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        (**self).check(terms, assumptions)
    }
    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        (**self).model(terms)
    }
    fn core(&mut self) -> Vec<Term> {
        (**self).core()
    }
    fn set_switches(&mut self, switches: &[Term]) {
        (**self).set_switches(switches);
    }
    fn set_limits(&mut self, limits: Limits) {
        (**self).set_limits(limits);
    }
    fn interrupter(&self) -> Interrupter {
        (**self).interrupter()
    }
    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}
