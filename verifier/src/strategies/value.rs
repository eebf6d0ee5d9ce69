//! Explicit-value analysis: exhaustive where the values that matter are known, hopeless where they are inputs (B 1).

use crate::domains::value::ValueCpa;
use crate::engine::composite::Composite;
use crate::engine::cpa::Statistics;
use crate::engine::explore::Limits;
use crate::engine::precision::Precision;
use crate::engine::waitlist::Order;
use crate::program::{Budget, Halt, Program};
use crate::refine::{self, Conditions};
use crate::slicing;
use crate::strategies::Outcome;
use crate::strategies::reachability::{self, Configuration, Paths};
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
    /// Whether the slice begins with nothing and grows, and how.
    pub slicing: Option<slicing::Options>,
}

impl Default for Options {
    fn default() -> Self {
        let paths = Paths { limit: Duration::from_secs(5), most: 200 };
        Options {
            order: Order::BreadthFirst,
            max_depth: 20_000,
            max_states: 20_000_000,
            paths,
            refine: None,
            slicing: None,
        }
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
    let configuration = Configuration {
        limits: Limits { order: options.order, max_states: options.max_states },
        paths: options.paths,
        conditions: Conditions::Values,
        imprecise: IMPRECISE,
        refine: options.refine,
        slicing: options.slicing,
    };
    let analysis = |slice: &Program, precision: Precision| {
        Composite::new(ValueCpa::with_precision(slice, precision), options.max_depth)
    };
    reachability::configured(program, &analysis, &configuration, solver, budget, statistics)
}
