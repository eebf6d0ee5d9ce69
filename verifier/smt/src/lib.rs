//! Satisfiability of terms: the solver trait and its layers.
//!
//! Reading order: `solver` (the trait, limits, errors), `model` (values that satisfy a query), the layers `cache` (answers and
//! models of earlier queries), `validate` (every answer checked, in debug builds) and `lazy` (no solver before the first query),
//! `z3` (the only module that names Z3),
//! `smtlib` (queries as text for other solvers).

pub mod cache;
pub mod lazy;
pub mod model;
pub mod smtlib;
pub mod solver;
pub mod validate;
pub mod z3;

pub use cache::Cached;
pub use lazy::Lazy;
pub use model::Model;
pub use solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
pub use validate::Validating;
pub use z3::{Mode, Z3, z3_version};

/// The usual chain of layers: cache and recent models, validation in debug builds, Z3 once it is needed.
pub fn standard(limits: Limits) -> Result<Box<dyn Solver>, SolverError> {
    let z3 = Lazy::new(limits, Z3::new);
    Ok(if cfg!(debug_assertions) { Box::new(Cached::new(Validating::new(z3))) } else { Box::new(Cached::new(z3)) })
}
