//! What strategies by exploration share: explore, check the paths to targets, and draw the conclusion.

use crate::engine::counterexample::{Feasibility, check_path};
use crate::engine::cpa::{Cx, Located, Statistics};
use crate::engine::explore::{Exploration, Limits, Pause};
use crate::engine::proof::certificate;
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use smt::Solver;
use std::time::Duration;

/// What is done with paths to targets.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Time for one of them.
    pub limit: Duration,
    /// After so many infeasible ones, the search for a feasible one ends.
    pub most: u32,
}

/// Explores `program` by `cpa`.
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
    let mut cx = Cx::new(program, solver, budget);
    let mut exploration = Exploration::new(&mut cpa, &mut cx, limits);
    let result = conclude(&mut exploration, &mut cpa, &mut cx, paths, imprecise);
    *statistics = cx.statistics;
    result
}

fn conclude<C: Located>(
    exploration: &mut Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
    paths: Paths,
    imprecise: &str,
) -> Result<Outcome, Halt> {
    let mut doubts: Option<String> = None;
    let mut tried = 0;
    loop {
        let target = match exploration.run(cpa, cx) {
            Ok(Pause::Done) => break,
            Ok(Pause::Target(n)) => n,
            // What is known to be imprecise stays so, however long it would take.
            Err(Halt::OutOfBudget(limit)) if doubts.is_some() => {
                return Ok(Outcome::Unknown(format!("{} ({limit})", doubts.unwrap_or_default())));
            }
            Err(halt) => return Err(halt),
        };
        match check_path(cpa, &exploration.arg, cx, target, paths.limit)? {
            Feasibility::Feasible(candidate) => return Ok(Outcome::Alarm(candidate)),
            Feasibility::Infeasible => doubts = doubts.or_else(|| Some(imprecise.into())),
            Feasibility::Undecided(reason) => doubts = doubts.or_else(|| Some(format!("solver: {reason}"))),
        }
        tried += 1;
        if tried >= paths.most {
            break;
        }
    }
    if let Some(reason) = doubts {
        return Ok(Outcome::Unknown(reason));
    }
    match exploration.cut.first() {
        Some((_, Halt::Unsupported(reason) | Halt::OutOfBudget(reason))) => Ok(Outcome::Unknown(reason.clone())),
        Some((_, halt)) => Ok(Outcome::Unknown(halt.to_string())),
        None => Ok(Outcome::Proof(Box::new(certificate(exploration, cpa, cx)))),
    }
}
