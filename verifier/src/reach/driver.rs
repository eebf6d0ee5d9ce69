//! Explores, checks the paths to targets, and refines, until there is a result.

use crate::cpa::{Cx, Located, Statistics};
use crate::evidence::outcome::Outcome;
use crate::program::{Budget, Halt, Program};
use crate::reach::cegar::{CheckOnly, Ending, Refiner, search};
use crate::reach::explore::{Exploration, Limits};
use crate::reach::pictures::{Drawing, draw};
use cfa::Terms;
use smt::{Algebra, Solver};
use std::time::Duration;

/// Limits on checking paths to targets.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Time limit for one path.
    pub limit: Duration,
    /// Maximum number of paths that are neither real nor excluded by a refinement; the search ends after them.
    pub max_paths: u32,
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
pub struct ExploreOptions {
    /// Limits of the exploration.
    pub limits: Limits,
    /// Limits on checking paths to targets.
    pub paths: Paths,
    /// Whether to draw the graph of the reached states.
    pub draw: bool,
}

/// The result of an exploration.
pub struct Explored {
    /// The outcome, or why the exploration ended without one.
    pub outcome: Result<Outcome, Halt>,
    /// Its counts and times.
    pub statistics: Statistics,
    /// The graph of the states reached last, if it was to be drawn and is not too large.
    pub graph: Option<Box<Drawing>>,
    /// If the time was over, and the exploration can go on: what was reached.
    pub paused: Option<Box<dyn Paused>>,
}

/// An exploration that ran out of time.
pub trait Paused {
    /// Goes on with the program that was explored.
    fn resume(self: Box<Self>, program: &Program, draw: bool, solver: &mut dyn Solver, budget: Budget<'_>) -> Explored;
}

/// An exploration by an analysis that is not refined, between its turns.
struct Unrefined<C: Located> {
    cpa: C,
    exploration: Exploration<C>,
    terms: Terms,
    algebra: Algebra,
    imprecise: String,
    options: ExploreOptions,
}

/// Maximum number of terms of an exploration that is kept for another turn, while others need memory.
const MOST_KEPT_TERMS: usize = 4_000_000;

/// Explores the program of `cx` with `cpa`, whose precision does not change. The reason of an infeasible path to a target is `imprecise`.
pub fn unrefined<C: Located + 'static>(
    mut cx: Cx<'_>,
    mut cpa: C,
    imprecise: &str,
    options: ExploreOptions,
) -> Explored {
    let precision = CheckOnly { limit: options.paths.limit, imprecise }.precision(&cpa);
    let exploration = Exploration::new(&mut cpa, &mut cx, precision, options.limits);
    go_on(cx, cpa, exploration, imprecise.to_string(), options)
}

fn go_on<C: Located + 'static>(
    mut cx: Cx<'_>,
    mut cpa: C,
    mut exploration: Exploration<C>,
    imprecise: String,
    options: ExploreOptions,
) -> Explored {
    let mut refiner = CheckOnly { limit: options.paths.limit, imprecise: &imprecise };
    let ending = search(&mut exploration, &mut cpa, &mut cx, &mut refiner, options.paths.max_paths);
    let graph = if options.draw { draw(&exploration, &mut cpa, &mut cx) } else { None };
    let Cx { terms, algebra, statistics, budget, .. } = cx;
    let is_kept = matches!(ending, Err(Halt::OutOfTime)) && terms.len() <= MOST_KEPT_TERMS;
    let all = Unrefined { cpa, exploration, terms, algebra, imprecise, options };
    let mut paused: Option<Box<dyn Paused>> = None;
    match is_kept {
        true => paused = Some(Box::new(all)),
        false => budget.free(all),
    }
    let outcome = ending.map(|ending| match ending {
        Ending::Outcome(outcome) => outcome,
        Ending::Restart => unreachable!("only slices change what is explored"),
    });
    Explored { outcome, statistics, graph, paused }
}

impl<C: Located + 'static> Paused for Unrefined<C> {
    fn resume(self: Box<Self>, program: &Program, draw: bool, solver: &mut dyn Solver, budget: Budget<'_>) -> Explored {
        let Unrefined { cpa, exploration, terms, algebra, imprecise, options } = *self;
        let cx = Cx { terms, algebra, ..Cx::new(program, solver, budget) };
        go_on(cx, cpa, exploration, imprecise, ExploreOptions { draw, ..options })
    }
}

/// Explores the program of `cx` with `cpa`, refined by `refiner`. Draws `graph` if `options` ask for it and no restart follows.
///
/// Errors: as for [`search`].
pub fn refined<C: Located>(
    cx: &mut Cx<'_>,
    cpa: &mut C,
    refiner: &mut dyn Refiner<C>,
    options: ExploreOptions,
    graph: &mut Option<Box<Drawing>>,
) -> Result<Ending, Halt> {
    let mut exploration = Exploration::new(cpa, cx, refiner.precision(cpa), options.limits);
    let ending = search(&mut exploration, cpa, cx, refiner, options.paths.max_paths);
    if options.draw && !matches!(ending, Ok(Ending::Restart)) {
        *graph = draw(&exploration, cpa, cx);
    }
    cx.budget.free(exploration);
    ending
}
