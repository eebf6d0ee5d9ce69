//! Backward analyses: any analysis on the [reversed program](crate::program::reversed) [Kreppel 2019, 2.2, 3.1].
//!
//! What an exploration of the reversed program reaches is a set of states from which a target may be reached. A path to its end, the
//! entry of the program, is a path of the program against its direction: it is checked, and becomes inputs, in the direction of the
//! program. If the entry is not reached, then the complement of the set is an invariant, and the certificate (`certificate.rs`) says so: no
//! step leads into the set from outside, the entry is outside, and targets are inside.
//!
//! [From both ends](both_ends), explorations of the program and of its reverse take turns, each within what the one before it has reached.

pub mod both_ends;
mod certificate;

use crate::cpa::skeleton::location::Walk;
use crate::cpa::{Cx, Located, Step};
use crate::evidence::outcome::UnknownReason;
use crate::program::reversed::{Place, Reversed};
use crate::program::shortcuts::{Copies, Shortcut};
use crate::program::{Budget, Halt, Program};
use crate::reach::arg::{Arg, NodeId};
use crate::reach::cegar::{Refinement, Refiner};
use crate::reach::explore::Exploration;
use crate::reach::path_check::{Feasibility, check_steps};
use certificate::{Layers, Way};
use cfa::{Id, LocId};
use checker::Certificate;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::time::Duration;

/// A refiner for explorations of a reversed program, or within layers, made from one that knows nothing of this.
pub struct Turned<'a, R> {
    /// Judges paths of what is explored.
    pub inner: R,
    /// What is explored.
    pub turn: &'a Turn<'a>,
    /// Time limit for one path of the program.
    pub limit: Duration,
}

/// An exploration of a reversed program, or within layers.
pub struct Turn<'a> {
    program: &'a Program,
    /// The reverse of the program, if it is that which is explored.
    reversed: Option<&'a Reversed>,
    layers: Layers<'a>,
    /// The edges of shortcuts in what is explored.
    copies: Copies,
    /// What is to be known of an unfinished exploration, if anything.
    collecting: Option<Collecting<'a>>,
}

/// Collects paths to targets that an unfinished backward exploration knows.
struct Collecting<'a> {
    known: &'a RefCell<Vec<Shortcut>>,
    /// The time that this may take.
    time: Duration,
    /// The time of all turns.
    budget: Budget<'a>,
}

/// Maximum number of shortcuts, and of those that begin at one location.
const MOST_SHORTCUTS: (usize, usize) = (24, 6);

impl<'a> Turn<'a> {
    /// The exploration of `reversed`, the reverse of `program`.
    pub fn backward(program: &'a Program, reversed: &'a Reversed) -> Turn<'a> {
        let layers = Layers::new(program, reversed.heads());
        Turn { program, reversed: Some(reversed), layers, copies: Copies::default(), collecting: None }
    }

    /// The steps of the program for a path of what is explored, which is the program with assumptions and shortcuts.
    fn without_additions(&self, path: &[Step<'_>]) -> Vec<checker::Step> {
        let original = |step: &Step<'_>| match step.taken {
            checker::Step::Edge(e) if e.index() >= self.program.cfa.edges.len() => self.copies.get(&e).copied(),
            taken => Some(taken),
        };
        path.iter().filter_map(original).collect()
    }
}

impl<R> Turned<'_, R> {
    /// Checks the path of the program whose reverse is `path`, a path of `reversed`.
    fn turn<P>(&self, cx: &mut Cx<'_>, reversed: &Reversed, path: &[Step<'_>]) -> Result<Refinement<P>, Halt> {
        let path: Vec<checker::Step> = path.iter().map(|step| step.taken).collect();
        if let Some(construct) = reversed.without_model(self.turn.program, &path) {
            return Ok(Refinement::Stuck(UnknownReason::Unsupported(construct)));
        }
        self.check(cx, reversed.forward(&path), "only the reverse of a path is feasible")
    }

    /// Checks a path of the program; `infeasible` is what it means if it is none.
    fn check<P>(&self, cx: &mut Cx<'_>, path: Vec<checker::Step>, infeasible: &str) -> Result<Refinement<P>, Halt> {
        let program = self.turn.program;
        let mut walk = Walk::new(program);
        let steps: Vec<Step<'_>> = path.into_iter().map(|taken| walk.take(taken)).collect();
        debug_assert!(program.is_target(walk.at), "the path ends at {}", walk.at);
        let feasibility = cx.with_program(program, |cx| check_steps(cx, &steps, self.limit));
        Ok(match feasibility? {
            Feasibility::Feasible(inputs) => Refinement::Feasible(inputs),
            Feasibility::Infeasible => Refinement::Stuck(UnknownReason::Imprecise(infeasible.into())),
            Feasibility::Undecided(reason) => Refinement::Stuck(UnknownReason::Solver(reason)),
        })
    }
}

impl<C: Located, R: Refiner<C>> Refiner<C> for Turned<'_, R> {
    fn refines(&self) -> bool {
        self.inner.refines()
    }

    fn precision(&self, cpa: &C) -> C::Precision {
        self.inner.precision(cpa)
    }

    fn learn(&mut self, cpa: &mut C, cx: &mut Cx<'_>, steps: &[Step<'_>]) -> Result<(), Halt> {
        self.inner.learn(cpa, cx, steps)
    }

    fn path<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, arg: &Arg<C>, target: NodeId) -> Result<Vec<Step<'p>>, Halt> {
        self.inner.path(cpa, cx, arg, target)
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        match (self.inner.refine(cpa, cx, arg, target)?, self.turn.reversed) {
            // Where exploration was cut off, the path does not begin at the entry.
            (Refinement::Feasible(_), Some(reversed)) if cpa.is_target(&arg.node(target).state) => {
                let path = self.inner.path(cpa, cx, arg, target)?;
                self.turn(cx, reversed, &path)
            }
            (Refinement::Feasible(_), None) if !self.turn.copies.is_empty() => {
                let path = self.inner.path(cpa, cx, arg, target)?;
                self.check(cx, self.turn.without_additions(&path), "only the copy of a path is feasible")
            }
            (other, _) => Ok(other),
        }
    }

    /// Collects paths from heads of loops that were reached last.
    fn unfinished(&mut self, exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>) {
        let (Some(reversed), Some(collecting)) = (self.turn.reversed, &self.turn.collecting) else { return };
        let arg = &exploration.arg;
        let deadline = collecting.budget.at_most(collecting.time).deadline;
        let before = std::mem::replace(&mut cx.budget.deadline, deadline);
        let mut begins: FxHashMap<LocId, usize> = FxHashMap::default();
        let mut shortcuts: Vec<Shortcut> = Vec::new();
        let reached: Vec<NodeId> = arg.ids().filter(|n| !arg.node(*n).pruned).collect();
        for n in reached.into_iter().rev() {
            if shortcuts.len() == MOST_SHORTCUTS.0 || cx.budget.check().is_err() {
                break;
            }
            let at = cpa.key(&arg.node(n).state).loc;
            let Some(Place { loc, ascends: true }) = reversed.place(at) else { continue };
            let number = begins.entry(loc).or_default();
            if *number == MOST_SHORTCUTS.1 || !cx.program.is_join(at) {
                continue;
            }
            let Ok(path) = self.inner.path(cpa, cx, arg, n) else { break };
            let path: Vec<checker::Step> = path.iter().map(|step| step.taken).collect();
            let shortcut = Shortcut { at: loc, steps: reversed.forward(&path) };
            if reversed.without_model(self.turn.program, &path).is_none() && !shortcuts.contains(&shortcut) {
                *number += 1;
                shortcuts.push(shortcut);
            }
        }
        cx.budget.deadline = before;
        collecting.known.replace(shortcuts);
    }

    fn certificate(
        &mut self,
        exploration: &Exploration<C>,
        cpa: &mut C,
        cx: &mut Cx<'_>,
    ) -> Result<Certificate, UnknownReason> {
        let mut layers = self.turn.layers.clone();
        layers.add(self.turn.reversed.map_or(Way::Forward, Way::Backward), exploration, cpa, cx)?;
        layers.certificate()
    }
}
