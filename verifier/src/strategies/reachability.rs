//! What strategies by exploration share: explore, check the paths to targets, refine, and draw the conclusion.

use crate::engine::cegar::{CheckOnly, Ending, Refiner, search};
use crate::engine::cpa::{Cx, Located, Statistics};
use crate::engine::drawing::draw;
use crate::engine::explore::{Exploration, Limits};
use crate::engine::precision::Precision;
use crate::program::{Budget, Halt, Program};
use crate::refine::{self, Conditions, PathRefiner};
use crate::slicing;
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
    cpa: C,
    limits: Limits,
    paths: Paths,
    imprecise: &str,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut cx = Cx::new(program, solver, budget);
    cx.statistics.draws = statistics.draws;
    let result = once(&mut cx, cpa, CheckOnly { limit: paths.limit, imprecise }, limits, paths);
    *statistics = cx.statistics;
    result
}

/// Explores one program, which stays as it is.
fn once<C: Located>(
    cx: &mut Cx<'_>,
    mut cpa: C,
    mut refiner: impl Refiner<C>,
    limits: Limits,
    paths: Paths,
) -> Result<Outcome, Halt> {
    match refined(cx, &mut cpa, &mut refiner, limits, paths)? {
        Ending::Outcome(outcome) => Ok(outcome),
        Ending::Restart => unreachable!("only slices change what is explored"),
    }
}

/// Explores the program of `cx` by `cpa`, refined by `refiner`.
pub fn refined<C: Located>(
    cx: &mut Cx<'_>,
    cpa: &mut C,
    refiner: &mut dyn Refiner<C>,
    limits: Limits,
    paths: Paths,
) -> Result<Ending, Halt> {
    let mut exploration = Exploration::new(cpa, cx, limits);
    let ending = search(&mut exploration, cpa, cx, refiner, paths.most);
    if cx.statistics.draws && !matches!(ending, Ok(Ending::Restart)) {
        cx.statistics.graph = draw(&exploration, cpa, cx);
    }
    ending
}

/// How an analysis of values is run: with what it begins, and what is refined.
#[derive(Clone, Copy, Debug)]
pub struct Configuration<'a> {
    /// Limits of the exploration.
    pub limits: Limits,
    /// What is done with paths to targets.
    pub paths: Paths,
    /// What the analysis keeps of conditions.
    pub conditions: Conditions,
    /// What an infeasible path means that it cannot exclude.
    pub imprecise: &'a str,
    /// Whether the precision begins with nothing and is refined, and how.
    pub refine: Option<refine::Options>,
    /// Whether the slice begins with nothing and grows, and how.
    pub slicing: Option<slicing::Options>,
}

/// Explores `program` by the analysis that `analysis` makes for a slice of it and a precision.
pub fn configured<C: Located<Precision = Precision>>(
    program: &Program,
    analysis: &dyn Fn(&Program, Precision) -> C,
    configuration: &Configuration<'_>,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let Configuration { limits, paths, conditions, imprecise, refine, slicing } = *configuration;
    let check = CheckOnly { limit: paths.limit, imprecise };
    let refiner = refine.map(|options| PathRefiner::new(options, conditions, paths.limit, imprecise));
    let mut cx = Cx::new(program, solver, budget);
    cx.statistics.draws = statistics.draws;
    let result = match (refiner, slicing) {
        (None, None) => once(&mut cx, analysis(program, Precision::Everything), check, limits, paths),
        (Some(refiner), None) => once(&mut cx, analysis(program, Precision::nothing()), refiner, limits, paths),
        (None, Some(options)) => {
            let analysis = |slice: &Program, _: &CheckOnly<'_>| analysis(slice, Precision::Everything);
            slicing::run(&mut cx, options, &analysis, check, limits, paths)
        }
        (Some(refiner), Some(options)) => {
            let analysis = |slice: &Program, r: &PathRefiner<'_>| analysis(slice, r.precision().clone());
            slicing::run(&mut cx, options, &analysis, refiner, limits, paths)
        }
    };
    *statistics = cx.statistics;
    result
}
