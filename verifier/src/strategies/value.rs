//! Explicit-value analysis: exhaustive where the values that matter are known, hopeless where they are inputs (B 1).

use crate::domains::value::ValueCpa;
use crate::engine::composite::Composite;
use crate::engine::cpa::Statistics;
use crate::engine::explore::Limits;
use crate::engine::waitlist::Order;
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use crate::strategies::reachability::{self, Paths};
use smt::Solver;
use std::time::Duration;

/// Options of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of expansion.
    pub order: Order,
    /// Most frames of the call stack.
    pub max_depth: u32,
    /// Most states.
    pub max_states: usize,
    /// What is done with paths to targets.
    pub paths: Paths,
}

impl Default for Options {
    fn default() -> Self {
        let paths = Paths { limit: Duration::from_secs(5), most: 200 };
        Options { order: Order::BreadthFirst, max_depth: 20_000, max_states: 20_000_000, paths }
    }
}

/// Explores all states with known values.
pub fn run(
    program: &Program,
    options: &Options,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let cpa = Composite::new(ValueCpa::new(program), options.max_depth);
    let limits = Limits { order: options.order, max_states: options.max_states };
    reachability::run(
        program,
        cpa,
        limits,
        options.paths,
        "explicit values are too imprecise",
        solver,
        budget,
        statistics,
    )
}
