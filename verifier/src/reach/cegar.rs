//! Counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu, Veith, JACM 2003; [Lemberger 2018, 2.5]), with
//! lazy abstraction.
//!
//! The loop explores until it reaches a target, and then asks the refiner about the path. The path may be real; or a precision may
//! exclude it from some state on, whose subtree is then explored again. A path that is neither leaves a doubt: the search for other
//! targets goes on, but there is no proof while the target is in the graph.
//!
//! At the end, steps that were cut off (no model, call stack too deep) are treated like targets, since refinement may exclude the paths
//! to them, too. If it does not, the bound of the call stack is raised, up to its maximum.

use crate::cpa::{Cx, Located, Step};
use crate::evidence::outcome::{InputVector, Outcome, UnknownReason};
use crate::program::{Count, Halt};
use crate::reach::arg::{Arg, NodeId};
use crate::reach::certificate::certificate;
use crate::reach::explore::{Exploration, Pause};
use crate::reach::layers::path_to;
use crate::reach::path_check::{Feasibility, check_steps};
use checker::Certificate;
use std::time::{Duration, Instant};

/// The judgement of a refiner on a path to a target.
#[derive(Clone, Debug)]
pub enum Refinement<P> {
    /// The path is real: these inputs take it.
    Feasible(InputVector),
    /// The path is infeasible, and `precision` excludes it when exploration restarts from `pivot`, a state on the path.
    Spurious {
        /// The last state before the part that was too imprecise.
        pivot: NodeId,
        /// The precision from there on.
        precision: P,
    },
    /// The path is infeasible, and the program itself has to change, for example to another slice.
    Restart,
    /// The path is neither known to be real nor can it be excluded, for this reason.
    Stuck(UnknownReason),
}

/// Judges paths to targets.
pub trait Refiner<C: Located> {
    /// Whether it can answer anything but [`Refinement::Stuck`] for an infeasible path.
    fn refines(&self) -> bool {
        true
    }

    /// The precision with which an exploration by `cpa` begins.
    fn precision(&self, cpa: &C) -> C::Precision {
        cpa.full_precision()
    }

    /// Learns from an infeasible path, given by its steps, before the exploration begins, so that the first precision may already exclude
    /// it.
    ///
    /// Errors: only those that end the search, such as running out of time.
    fn learn(&mut self, _cpa: &mut C, _cx: &mut Cx<'_>, _steps: &[Step<'_>]) -> Result<(), Halt> {
        Ok(())
    }

    /// The steps of a path to `target`: one that may be real, if several paths lead there.
    ///
    /// Errors: only those that end the search, such as running out of time.
    fn path<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, arg: &Arg<C>, target: NodeId) -> Result<Vec<Step<'p>>, Halt> {
        path_to(arg, cpa, cx, target)
    }

    /// Judges the paths to `target`.
    ///
    /// Errors: only those that end the search, such as running out of time.
    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt>;

    /// Is told what was explored when a search ends without an outcome.
    fn unfinished(&mut self, _exploration: &Exploration<C>, _cpa: &mut C, _cx: &mut Cx<'_>) {}

    /// What a finished exploration proves, which has no target.
    ///
    /// Errors: why it is no proof.
    fn certificate(
        &mut self,
        exploration: &Exploration<C>,
        cpa: &mut C,
        cx: &mut Cx<'_>,
    ) -> Result<Certificate, UnknownReason> {
        Ok(certificate(exploration, cpa, cx))
    }
}

/// The refiner for analyses whose precision does not change: it only checks paths.
#[derive(Clone, Debug)]
pub struct CheckOnly<'a> {
    /// Time limit for one path.
    pub limit: Duration,
    /// The reason to report if an infeasible path is found.
    pub imprecise: &'a str,
}

impl<C: Located> Refiner<C> for CheckOnly<'_> {
    fn refines(&self) -> bool {
        false
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        if let Some(candidate) = cpa.candidate(cx, &arg.node(target).state) {
            return Ok(Refinement::Feasible(candidate));
        }
        let steps = path_to(arg, cpa, cx, target)?;
        Ok(match check_steps(cx, &steps, self.limit)? {
            Feasibility::Feasible(candidate) => Refinement::Feasible(candidate),
            Feasibility::Infeasible => Refinement::Stuck(UnknownReason::Imprecise(self.imprecise.into())),
            Feasibility::Undecided(reason) => Refinement::Stuck(UnknownReason::Solver(reason)),
        })
    }
}

impl<C: Located> Refiner<C> for Box<dyn Refiner<C> + '_> {
    fn refines(&self) -> bool {
        (**self).refines()
    }

    fn precision(&self, cpa: &C) -> C::Precision {
        (**self).precision(cpa)
    }

    fn learn(&mut self, cpa: &mut C, cx: &mut Cx<'_>, steps: &[Step<'_>]) -> Result<(), Halt> {
        (**self).learn(cpa, cx, steps)
    }

    fn path<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, arg: &Arg<C>, target: NodeId) -> Result<Vec<Step<'p>>, Halt> {
        (**self).path(cpa, cx, arg, target)
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        (**self).refine(cpa, cx, arg, target)
    }

    fn unfinished(&mut self, exploration: &Exploration<C>, cpa: &mut C, cx: &mut Cx<'_>) {
        (**self).unfinished(exploration, cpa, cx);
    }

    fn certificate(
        &mut self,
        exploration: &Exploration<C>,
        cpa: &mut C,
        cx: &mut Cx<'_>,
    ) -> Result<Certificate, UnknownReason> {
        (**self).certificate(exploration, cpa, cx)
    }
}

/// How a search ended.
#[derive(Debug)]
pub enum Ending {
    /// It has an outcome.
    Outcome(Outcome),
    /// The refiner wants another program ([`Refinement::Restart`]).
    Restart,
}

/// Explores and refines to the end; gives up after `max_paths` paths that are neither real nor excluded.
///
/// Errors: as for [`Exploration::run`] and [`Refiner::refine`].
pub fn search<C: Located>(
    exploration: &mut Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
    refiner: &mut dyn Refiner<C>,
    max_paths: u32,
) -> Result<Ending, Halt> {
    let ending = search_to_end(exploration, cpa, cx, refiner, max_paths);
    if let Err(_) | Ok(Ending::Outcome(Outcome::Unknown(_))) = ending {
        refiner.unfinished(exploration, cpa, cx);
    }
    ending
}

fn search_to_end<C: Located>(
    exploration: &mut Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
    refiner: &mut dyn Refiner<C>,
    max_paths: u32,
) -> Result<Ending, Halt> {
    debug_assert!(max_paths > 0);
    let mut tried = 0;
    while tried < max_paths {
        let (end, cut) = match exploration.run(cpa, cx) {
            Ok(Pause::Target(n)) => (n, false),
            Ok(Pause::Done) => match exploration.cut.first().map(|(n, _)| *n) {
                Some(n) if exploration.doubts.is_empty() && refiner.refines() => (n, true),
                _ if exploration.deepen(cpa, cx) => continue,
                _ => break,
            },
            // A known imprecision remains, however much more time there is.
            Err(Halt::OutOfBudget(_)) if !exploration.doubts.is_empty() => break,
            Err(halt) => return Err(halt),
        };
        let (start, slicing) = (Instant::now(), cx.statistics.slicing_time);
        let answer = refiner.refine(cpa, cx, &exploration.arg, end);
        cx.statistics.refinement_time += start.elapsed().saturating_sub(cx.statistics.slicing_time - slicing);
        cx.budget.count(Count::Refinements);
        if answer.is_err() && !cut {
            exploration.report_again(end);
        }
        match answer? {
            Refinement::Restart => {
                cx.statistics.refinements += 1;
                return Ok(Ending::Restart);
            }
            Refinement::Spurious { pivot, precision } => {
                cx.statistics.refinements += 1;
                exploration.refine(cpa, cx, pivot, &precision);
                let arg = &exploration.arg;
                exploration.doubts.retain(|(n, _)| !arg.node(*n).pruned);
            }
            // The location where exploration was cut off is reachable.
            _ if cut && exploration.deepen(cpa, cx) => {}
            _ if cut => break,
            Refinement::Feasible(candidate) => return Ok(Ending::Outcome(Outcome::Alarm(candidate))),
            Refinement::Stuck(reason) => {
                cx.statistics.stuck += 1;
                tried += 1;
                exploration.doubts.push((end, reason));
            }
        }
    }
    Ok(Ending::Outcome(conclude(exploration, cpa, cx, refiner)))
}

fn conclude<C: Located>(
    exploration: &mut Exploration<C>,
    cpa: &mut C,
    cx: &mut Cx<'_>,
    refiner: &mut dyn Refiner<C>,
) -> Outcome {
    if let Some((_, reason)) = exploration.doubts.first() {
        return Outcome::Unknown(reason.clone());
    }
    match exploration.cut.first() {
        Some((_, halt)) => Outcome::Unknown(halt.clone().into()),
        None => match refiner.certificate(exploration, cpa, cx) {
            Ok(certificate) => Outcome::Proof(Box::new(certificate)),
            Err(reason) => Outcome::Unknown(reason),
        },
    }
}
