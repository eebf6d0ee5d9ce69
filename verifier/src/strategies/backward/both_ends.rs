//! From both ends [Kreppel 2019, 5 (outlook)]: explorations of the program and of its reverse take turns, and each prunes the others.
//!
//! 1. Intervals, forward and backward alternately (Cousot and Cousot, J. Logic Programming 1992, 6): each exploration stays within the states
//!    that the one before it has reached at heads of loops. This ends when one of them proves the program, or none of the last two
//!    excluded anything.
//! 2. The composition itself, forward and backward alternately, each within the last layer of the other direction. What a turn may take
//!    grows. Paths to targets that an unfinished backward turn knows are [shortcuts](crate::program::shortcuts) of the next forward one, so that
//!    the directions meet.

use super::certificate::{Layers, Way};
use super::{Collecting, Turn};
use crate::cpa::skeleton::composite::Composite;
use crate::cpa::{Cpa, Cx, Statistics, Stop};
use crate::domains::intervals::{Interesting, InvariantsCpa};
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::program::reversed::Reversed;
use crate::program::shortcuts::{Copies, Shortcut};
use crate::program::{Budget, Halt, Program};
use crate::reach::driver::Explored;
use crate::reach::explore::{Exploration, Limits, Pause};
use crate::reach::waitlist::Order;
use crate::strategies::composition::{self, Composition};
use cfa::{LocId, Term};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::time::Duration;

/// Maximum number of layers of intervals.
const LAYERS: usize = 6;
/// The share of the time that is left for one layer of intervals.
const LAYER_SHARE: u32 = 10;
/// Maximum number of states of an exploration by intervals.
const MOST_STATES: usize = 100_000;
/// Maximum number of states at a location that become a condition.
const MOST_CONDITIONS: usize = 64;
/// The time of the first turn of the composition.
const FIRST_TURN: Duration = Duration::from_millis(500);
/// The share of the time of a backward turn in which paths to targets are collected when it has ended.
const COLLECTING_SHARE: u32 = 4;

/// Explores `program` from both ends.
pub fn run(program: &Program, composition: &Composition, draw: bool, budget: Budget<'_>) -> Explored {
    let of_program = program.loop_heads();
    let reversed = Reversed::new(program, &of_program);
    let heads: FxHashSet<LocId> = of_program.into_iter().chain(reversed.heads()).collect();
    let mut search = Search {
        program,
        reversed,
        layers: Layers::new(program, heads.iter().copied()),
        heads,
        within: [Vec::new(), Vec::new()],
        statistics: Statistics::default(),
    };
    let outcome = match search.intervals(composition, budget) {
        Ok(false) => return search.alternate(composition, draw, budget),
        Ok(true) => Ok(match search.layers.certificate() {
            Ok(certificate) => Outcome::Proof(Box::new(certificate)),
            Err(reason) => Outcome::Unknown(reason),
        }),
        Err(halt) => Err(halt),
    };
    Explored { outcome, statistics: search.statistics, graph: None, paused: None }
}

struct Search<'a> {
    program: &'a Program,
    reversed: Reversed,
    heads: FxHashSet<LocId>,
    layers: Layers<'a>,
    /// The conditions of the last layer, for explorations forward (those of a backward layer) and backward.
    within: [Vec<(LocId, Term)>; 2],
    /// Those of the last layer.
    statistics: Statistics,
}

/// The index in [`Search::within`].
const FORWARD: usize = 0;
const BACKWARD: usize = 1;

impl Search<'_> {
    /// Adds layers of intervals; `true` if the last one proves the program.
    ///
    /// Errors: `OutOfTime`.
    fn intervals(&mut self, composition: &Composition, budget: Budget<'_>) -> Result<bool, Halt> {
        let mut unchanged = 0;
        for i in 0..LAYERS {
            budget.check()?;
            let direction = i % 2;
            let share = budget.at_most(budget.left() / LAYER_SHARE);
            match self.layer(direction, composition, share) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => break,
            }
            let conditions = self.layers.conditions(MOST_CONDITIONS);
            let other = 1 - direction;
            unchanged = if self.within[other] == conditions { unchanged + 1 } else { 0 };
            self.within[other] = conditions;
            if unchanged == 2 {
                break;
            }
        }
        Ok(false)
    }

    /// Adds a layer of intervals; whether it excludes the targets. `None` if it is not complete.
    fn layer(&mut self, direction: usize, composition: &Composition, budget: Budget<'_>) -> Option<bool> {
        let conditions = &self.within[direction];
        let heads: Vec<LocId> = self.heads.iter().copied().collect();
        let (forward, backward);
        let (explored, way) = match direction {
            FORWARD => {
                forward = self.program.assuming(conditions, &self.layers.terms, &heads);
                (&forward, Way::Forward)
            }
            _ => {
                backward = self.reversed.assuming(self.program, conditions, &self.layers.terms);
                (&backward.program, Way::Backward(&backward))
            }
        };
        // What is explored has terms of its own, which a solver must not confuse with those of another program.
        let mut solver = smt::standard(budget.limits());
        let mut cx = Cx::new(explored, &mut *solver, budget);
        let intervals = InvariantsCpa::keeping_apart(explored, Interesting::default()).with(composition.additions);
        let mut cpa = Composite::new(intervals, composition.max_depth.min(100));
        let limits = Limits { order: Order::REVERSE_POSTORDER, max_states: MOST_STATES, stop: Stop::Sep };
        let precision = cpa.full_precision();
        let mut exploration = Exploration::new(&mut cpa, &mut cx, precision, limits);
        let mut excludes = true;
        loop {
            match exploration.run(&mut cpa, &mut cx) {
                Ok(Pause::Target(_)) => excludes = false,
                Ok(Pause::Done) if exploration.cut.is_empty() => break,
                // Deep recursion, constructs without a model, and explorations that take long.
                Ok(Pause::Done) | Err(_) => return None,
            }
        }
        self.layers.add(way, &exploration, &mut cpa, &mut cx).ok()?;
        self.statistics = cx.statistics;
        Some(excludes)
    }

    /// Explores with the composition, in turns.
    fn alternate(self, composition: &Composition, draw: bool, budget: Budget<'_>) -> Explored {
        let heads: Vec<LocId> = self.heads.iter().copied().collect();
        let forward = self.program.assuming(&self.within[FORWARD], &self.layers.terms, &heads);
        let backward = self.reversed.assuming(self.program, &self.within[BACKWARD], &self.layers.terms);
        let (mut of_forward, mut of_backward) = (self.layers.clone(), self.layers);
        of_forward.keep_for(false);
        of_backward.keep_for(true);
        let known: RefCell<Vec<Shortcut>> = RefCell::default();
        let (mut time, mut states, mut ended) = (FIRST_TURN, composition.first_turn, [false; 2]);
        loop {
            for direction in [FORWARD, BACKWARD] {
                // What has ended without an answer would end so again; the other one has all the time that is left.
                if ended[direction] {
                    continue;
                }
                let is_last = ended[1 - direction];
                let share = if is_last { budget } else { budget.at_most(time) };
                let max_states = if is_last { composition.max_states } else { states.min(composition.max_states) };
                let limited = Composition { max_states, ..composition.clone() };
                let mut solver = smt::standard(share.limits());
                let mut explored = if direction == FORWARD {
                    let (program, copies) = forward.with_shortcuts(self.program, &known.borrow());
                    let (layers, reversed) = (of_forward.clone(), None);
                    let turn = Turn { program: self.program, reversed, layers, copies, collecting: None };
                    composition::explore(&program, Some(&turn), &limited, draw, &mut *solver, share)
                } else {
                    let (layers, reversed) = (of_backward.clone(), Some(&backward));
                    let collecting = Some(Collecting { known: &known, time: time / COLLECTING_SHARE, budget });
                    let turn = Turn { program: self.program, reversed, layers, copies: Copies::default(), collecting };
                    composition::explore(&backward.program, Some(&turn), &limited, draw, &mut *solver, share)
                };
                if direction == FORWARD {
                    explored.statistics.shortcuts = known.borrow().len() as u64;
                }
                let is_answer = matches!(explored.outcome, Ok(Outcome::Proof(_) | Outcome::Alarm(_)));
                let is_over =
                    matches!(&explored.outcome, Err(Halt::OutOfTime) | Ok(Outcome::Unknown(UnknownReason::OutOfTime)));
                let is_full = max_states < composition.max_states && explored.statistics.states >= max_states as u64;
                ended[direction] = !is_over && !is_full;
                if is_answer || ended == [true; 2] || budget.left().is_zero() {
                    return explored;
                }
            }
            time *= 2;
            states = states.saturating_mul(2);
        }
    }
}
