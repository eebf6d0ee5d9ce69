//! The common part of all strategies by exploration: explore, check the paths to targets, refine, and conclude.

use crate::cpa::precision::{Conditions, Refinable};
use crate::cpa::{Cx, Located};
use crate::domains::predicate::{Abstracts, Scope};
use crate::evidence::outcome::Outcome;
use crate::program::{Budget, Halt, Program};
use crate::reach::cegar::{CheckOnly, Ending, Refiner};
use crate::reach::driver::{ExploreOptions, Explored, refined, unrefined};
use crate::reach::pictures::Drawing;
use crate::refine::PathRefiner;
use crate::refine::interpolation::Interpolating;
use crate::refine::{self, slicing};
use crate::strategies::backward::{Turn, Turned};
use smt::Solver;

/// Explores `program` with `cpa`, whose precision does not change.
///
/// An infeasible path to a target shows that the analysis is too imprecise for a proof, for the reason `imprecise`. The search continues,
/// since another path may be feasible.
pub fn run<C: Located + 'static>(
    program: &Program,
    cpa: C,
    options: ExploreOptions,
    imprecise: &str,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Explored {
    unrefined(Cx::new(program, solver, budget), cpa, imprecise, options)
}

fn explored(cx: Cx<'_>, outcome: Result<Outcome, Halt>, graph: Option<Box<Drawing>>) -> Explored {
    let Cx { statistics, terms, algebra, budget, .. } = cx;
    budget.free((terms, algebra));
    Explored { outcome, statistics, graph, paused: None }
}

/// Explores one program, without restarts.
fn once<C: Located>(
    cx: &mut Cx<'_>,
    mut cpa: C,
    mut refiner: impl Refiner<C>,
    options: ExploreOptions,
    graph: &mut Option<Box<Drawing>>,
) -> Result<Outcome, Halt> {
    let ending = refined(cx, &mut cpa, &mut refiner, options, graph);
    cx.budget.free((cpa, refiner));
    match ending? {
        Ending::Outcome(outcome) => Ok(outcome),
        Ending::Restart => unreachable!("only slices change what is explored"),
    }
}

/// How a value analysis is run: where it starts, and what is refined.
#[derive(Clone, Copy)]
pub struct Configuration<'a> {
    /// How slices are explored.
    pub explore: ExploreOptions,
    /// What the analysis keeps of conditions.
    pub conditions: Conditions,
    /// The reason to report if an infeasible path cannot be excluded.
    pub imprecise: &'a str,
    /// If set, the precision begins empty and is refined with these options.
    pub refine: Option<refine::Options>,
    /// If set, refinement adds predicates, in this scope, and not variables.
    pub predicates: Option<Scope>,
    /// If set, the slice begins empty and grows with these options.
    pub slicing: Option<slicing::Options>,
    /// If set, what is explored is the reverse of a program, or it is explored within layers.
    pub turn: Option<&'a Turn<'a>>,
}

/// Explores `program` with the analyses that `analysis` creates, each for a slice of the program.
pub fn configured<C: Located + Refinable + Abstracts + 'static>(
    program: &Program,
    analysis: &dyn Fn(&Program) -> C,
    configuration: &Configuration<'_>,
    solver: &mut dyn Solver,
    budget: Budget,
) -> Explored {
    let Configuration { explore, conditions, imprecise, refine, predicates, slicing, turn } = *configuration;
    if let (None, None, None) = (refine, slicing, turn) {
        return run(program, analysis(program), explore, imprecise, solver, budget);
    }
    let limit = explore.paths.limit;
    let refiner: Box<dyn Refiner<C> + '_> = match (refine, predicates) {
        (None, _) => Box::new(CheckOnly { limit, imprecise }),
        (Some(options), Some(scope)) => Box::new(Interpolating::new(scope, options.prefixes, limit)),
        (Some(options), None) => Box::new(PathRefiner::new(options, conditions, limit, imprecise)),
    };
    let refiner: Box<dyn Refiner<C> + '_> = match turn {
        Some(turn) => Box::new(Turned { inner: refiner, turn, limit }),
        None => refiner,
    };
    let mut cx = Cx::new(program, solver, budget);
    let mut graph = None;
    let outcome = match slicing {
        None => once(&mut cx, analysis(program), refiner, explore, &mut graph),
        Some(options) => slicing::run(&mut cx, options, analysis, refiner, explore, &mut graph),
    };
    explored(cx, outcome, graph)
}
