//! Explores, checks the paths to targets, and refines, until there is a result.

use crate::cpa::{Cx, Located, Statistics};
use crate::evidence::outcome::Outcome;
use crate::program::Halt;
use crate::reach::cegar::{Ending, Refiner, search};
use crate::reach::explore::{Exploration, Limits};
use crate::reach::pictures::{Drawing, draw};
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
#[derive(Debug)]
pub struct Explored {
    /// The outcome, or why the exploration ended without one.
    pub outcome: Result<Outcome, Halt>,
    /// Its counts and times.
    pub statistics: Statistics,
    /// The graph of the states reached last, if it was to be drawn and is not too large.
    pub graph: Option<Box<Drawing>>,
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
