//! Symbolic execution: each path with symbolic inputs, covered where states repeat up to names (E 2).

use crate::domains::symbolic::{self, SymbolicCpa};
use crate::engine::composite::Composite;
use crate::engine::cpa::Statistics;
use crate::engine::explore::Limits;
use crate::engine::waitlist::Order;
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use crate::strategies::reachability::{self, Paths};
use smt::Solver;
use std::time::Duration;

/// Options of symbolic execution.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of expansion.
    pub order: Order,
    /// Most frames of the call stack.
    pub max_depth: u32,
    /// Most states.
    pub max_states: usize,
    /// Time for questions to the solver.
    pub limits: symbolic::Limits,
    /// What is done with paths to targets.
    pub paths: Paths,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: Order::BreadthFirst,
            max_depth: 20_000,
            max_states: 5_000_000,
            limits: symbolic::Limits::default(),
            paths: Paths { limit: Duration::from_secs(60), most: 200 },
        }
    }
}

/// Explores all paths with symbolic inputs.
pub fn run(
    program: &Program,
    options: &Options,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let cpa = Composite::new(SymbolicCpa::new(program, options.limits), options.max_depth);
    let limits = Limits { order: options.order, max_states: options.max_states };
    reachability::run(
        program,
        cpa,
        limits,
        options.paths,
        "the solver could not exclude a branch",
        solver,
        budget,
        statistics,
    )
}
