//! Satisfiability of terms: the solver trait and its layers.
//!
//! Reading order:
//! 1. `solver`: the trait, limits, errors; `model`: values that satisfy a query;
//! 2. the layers `cache` (answers and models of earlier queries), `validate` (checks every answer, in debug builds), `racing`
//!    (two solvers on one query) and `lazy` (makes no solver before the first query);
//! 3. the engines `bits` (circuits and CaDiCaL; the only module that calls CaDiCaL) and `z3` (the only module that calls Z3;
//!    its `raw` has all `unsafe` code of this crate);
//! 4. `lrat`: proofs of SAT solvers, checked;
//! 5. `smtlib`: queries as text for other solvers;
//! 6. `horn`: Horn clauses, which Z3 solves, too;
//! 7. `interpolation`: conditions between the parts of an infeasible trace.
//!
//! [`mod@chain`] composes the layers, and says which engine answers. `algebra` simplifies queries before them: it treats equations with products as polynomials.
//!
//! ```
//! use cfa::bv::{Bv, BvCmp, BvOp};
//! use cfa::eval::Value;
//! use cfa::{Sort, Terms};
//! use smt::{Answer, Limits, Solver, standard};
//!
//! let mut terms = Terms::new();
//! let x = terms.fresh("x", Sort::Bv(8));
//! let [square, nine] = [terms.bv_op(BvOp::Mul, x, x), terms.int(8, 9)];
//! let (is_nine, is_below) = (terms.eq(square, nine), terms.cmp(BvCmp::Ult, x, nine));
//! let mut solver = standard(Limits::default());
//! solver.assert(&terms, is_nine)?;
//! assert_eq!(solver.check(&terms, &[is_below])?, Answer::Sat);
//! assert_eq!(solver.model_value(&terms, x)?, Value::Bv(Bv::new(8, 3)));
//! # Ok::<(), smt::SolverError>(())
//! ```

#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod algebra;
pub mod bits;
pub mod cache;
pub mod chain;
pub mod horn;
pub mod interpolation;
pub mod lazy;
pub mod lrat;
pub mod model;
pub mod racing;
#[cfg(test)]
mod random_queries;
pub mod smtlib;
pub mod solver;
pub mod validate;
pub mod z3;

pub use algebra::Algebra;
pub use bits::{Bits, Preprocessing};
pub use cache::Cached;
pub use chain::{Engine, Make, Options, SECOND_OPINION, Validation, chain, standard};
pub use lazy::Lazy;
pub use model::Model;
pub use racing::Racing;
pub use solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
pub use validate::Validating;
pub use z3::spacer::Spacer;
pub use z3::{Mode, Z3, z3_version};
