//! Explores, checks the paths to targets, and refines, until there is a conclusion.

use crate::cpa::{Cx, Located, Statistics};
use crate::evidence::outcome::Outcome;
use crate::program::Halt;
use crate::reach::cegar::{Ending, Refiner, search};
use crate::reach::explore::{Exploration, Limits};
use crate::reach::export::{Drawing, draw};
use std::time::Duration;

/// What is done with paths to targets.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Time for one of them.
    pub limit: Duration,
    /// After so many that are neither real nor excluded by a refinement, the search ends.
    pub most: u32,
}

/// How a program is explored.
#[derive(Clone, Copy, Debug)]
pub struct ExploreOptions {
    /// Limits of the exploration.
    pub limits: Limits,
    /// What is done with paths to targets.
    pub paths: Paths,
    /// Whether the graph of the states reached is drawn.
    pub draw: bool,
}

/// What an exploration came to.
#[derive(Debug)]
pub struct Explored {
    /// What it found, or why it ended before it had an answer.
    pub outcome: Result<Outcome, Halt>,
    /// Its counts and times.
    pub statistics: Statistics,
    /// The graph of the states reached last, if it was to be drawn and is not too large.
    pub graph: Option<Box<Drawing>>,
}

/// Explores the program of `cx` by `cpa`, refined by `refiner`, and draws `graph` if that is to be done and no restart follows.
pub fn refined<C: Located>(
    cx: &mut Cx<'_>,
    cpa: &mut C,
    refiner: &mut dyn Refiner<C>,
    options: ExploreOptions,
    graph: &mut Option<Box<Drawing>>,
) -> Result<Ending, Halt> {
    let mut exploration = Exploration::new(cpa, cx, options.limits);
    let ending = search(&mut exploration, cpa, cx, refiner, options.paths.most);
    if options.draw && !matches!(ending, Ok(Ending::Restart)) {
        *graph = draw(&exploration, cpa, cx);
    }
    ending
}
