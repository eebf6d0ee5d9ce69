//! Explicit-value analysis: exhaustive where the values that matter are known, hopeless where they are inputs (B 1).

use crate::domains::value::ValueCpa;
use crate::engine::cegar::Ending;
use crate::engine::composite::Composite;
use crate::engine::cpa::Statistics;
use crate::engine::explore::Limits;
use crate::engine::precision::Precision;
use crate::engine::waitlist::Order;
use crate::program::{Budget, Halt, Program};
use crate::refine::{self, Conditions, PathRefiner};
use crate::strategies::Outcome;
use crate::strategies::reachability::{self, Paths};
use smt::Solver;
use std::time::Duration;

/// What an infeasible path means.
const IMPRECISE: &str = "explicit values are too imprecise";

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
    /// Whether precisions begin with nothing and are refined, and how.
    pub refine: Option<refine::Options>,
}

impl Default for Options {
    fn default() -> Self {
        let paths = Paths { limit: Duration::from_secs(5), most: 200 };
        Options { order: Order::BreadthFirst, max_depth: 20_000, max_states: 20_000_000, paths, refine: None }
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
    let limits = Limits { order: options.order, max_states: options.max_states };
    let paths = options.paths;
    let cpa = |precision| Composite::new(ValueCpa::with_precision(program, precision), options.max_depth);
    let Some(refine) = options.refine else {
        let cpa = cpa(Precision::Everything);
        return reachability::run(program, cpa, limits, paths, IMPRECISE, solver, budget, statistics);
    };
    let mut refiner = PathRefiner::new(refine, Conditions::Values, paths.limit, IMPRECISE);
    let mut cpa = cpa(Precision::nothing());
    match reachability::refined(program, &mut cpa, &mut refiner, limits, paths.most, solver, budget, statistics)? {
        Ending::Outcome(outcome) => Ok(outcome),
        Ending::Restart => unreachable!("only slices change what is explored"),
    }
}
