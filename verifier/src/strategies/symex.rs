//! Symbolic execution: each path with symbolic inputs, covered where states repeat up to names (E 2).

use crate::domains::symbolic::{self, SymbolicCpa};
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
const IMPRECISE: &str = "the solver could not exclude a branch";

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
    /// Whether precisions begin with nothing and are refined, and how.
    pub refine: Option<refine::Options>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: Order::BreadthFirst,
            max_depth: 20_000,
            max_states: 5_000_000,
            limits: symbolic::Limits::default(),
            paths: Paths { limit: Duration::from_secs(60), most: 200 },
            refine: None,
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
    let limits = Limits { order: options.order, max_states: options.max_states };
    let paths = options.paths;
    let cpa =
        |precision| Composite::new(SymbolicCpa::with_precision(program, options.limits, precision), options.max_depth);
    let Some(refine) = options.refine else {
        let cpa = cpa(Precision::Everything);
        return reachability::run(program, cpa, limits, paths, IMPRECISE, solver, budget, statistics);
    };
    let mut refiner = PathRefiner::new(refine, Conditions::Constraints, paths.limit, IMPRECISE);
    let mut cpa = cpa(Precision::nothing());
    match reachability::refined(program, &mut cpa, &mut refiner, limits, paths.most, solver, budget, statistics)? {
        Ending::Outcome(outcome) => Ok(outcome),
        Ending::Restart => unreachable!("only slices change what is explored"),
    }
}
