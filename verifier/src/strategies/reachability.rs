//! What strategies by exploration share: explore, check the paths to targets, refine, and draw the conclusion.

use crate::engine::cegar::{CheckOnly, Ending, Refiner, search};
use crate::engine::cpa::{Cx, Located, Statistics};
use crate::engine::explore::{Exploration, Limits};
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use smt::Solver;
use std::time::Duration;

/// What is done with paths to targets.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Time for one of them.
    pub limit: Duration,
    /// After so many that are neither real nor excluded by a refinement, the search ends.
    pub most: u32,
}

/// Explores `program` by `cpa`, whose precision does not change.
///
/// A path to a target that turns out infeasible shows that the analysis is too imprecise for a proof; `imprecise` says so. The
/// search goes on, since another path may be real.
#[allow(clippy::too_many_arguments)]
pub fn run<C: Located>(
    program: &Program,
    mut cpa: C,
    limits: Limits,
    paths: Paths,
    imprecise: &str,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut refiner = CheckOnly { limit: paths.limit, imprecise };
    match refined(program, &mut cpa, &mut refiner, limits, paths.most, solver, budget, statistics)? {
        Ending::Outcome(outcome) => Ok(outcome),
        Ending::Restart => unreachable!("only slices change what is explored"),
    }
}

/// Explores `program` by `cpa`, refined by `refiner`.
#[allow(clippy::too_many_arguments)]
pub fn refined<C: Located>(
    program: &Program,
    cpa: &mut C,
    refiner: &mut dyn Refiner<C>,
    limits: Limits,
    most: u32,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Ending, Halt> {
    let mut cx = Cx::new(program, solver, budget);
    cx.statistics = *statistics;
    let mut exploration = Exploration::new(cpa, &mut cx, limits);
    let result = search(&mut exploration, cpa, &mut cx, refiner, most);
    *statistics = cx.statistics;
    result
}
