//! Refinement of precisions by infeasible paths: which variables and conditions have to be tracked so that a path is excluded.
//!
//! The refinement is an interpolation in the sense of Beyer, Löwe (FASE 2013), for explicit values, and of [Lemberger 2018, 2.5], for
//! values and constraints: an interpolant at a position of the path says which values and constraints make the rest of the path
//! infeasible. It is computed in three steps:
//!
//! 1. `conflict` finds conditions that exclude each other;
//! 2. `need` follows the values that they read backward along the path;
//! 3. `reduce` drops what the analysis does not need, by running the analysis itself along the path.
//!
//! `slicing` wraps an analysis, so that it runs on a slice of the program that grows with each infeasible path. `assumptions` finds
//! conditions that are worth tracking although they contradict nothing.
//!
//! The precision is the union over all positions; the pivot is the first position where the precision makes a difference.
//!
//! For example, the path `x = 0; y = 5; assume(x > 0)` is infeasible by its condition alone, which needs `x` and not `y`. So `x` is tracked
//! from the start of the path on.
//!
//! If a path has several infeasible prefixes (Beyer, Löwe, Wendler, FORTE 2015), these yield several refinements, of which `cost` chooses
//! one.
//!
//! Predicates come from interpolants instead (`interpolation`).
//!
//! In a composition, the parts are tried in turn: only the first ones get the new precision if this suffices to exclude the path
//! (refinement selection among analyses: Beyer, Löwe, Wendler, SPIN 2015).

mod assumptions;
pub(crate) mod conflict;
mod cost;
pub mod interpolation;
mod need;
mod reduce;
pub mod slicing;

use crate::cpa::precision::{Conditions, Refinable, Tracked};
use crate::cpa::{Cx, Located, Step};
use crate::evidence::outcome::UnknownReason;
use crate::program::Halt;
use crate::reach::arg::{Arg, NodeId};
use crate::reach::cegar::{Refinement, Refiner};
use crate::reach::path_check::steps_to;
use assumptions::Assumptions;
use cfa::VarId;
use conflict::{Conflict, Judgement};
use cost::Counters;
use std::time::Duration;

/// Options of refinement.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of infeasible prefixes of one path to choose from; 1 for the shortest prefix only.
    pub prefixes: usize,
    /// Time limit for dropping what one refinement does not need.
    pub reduction: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { prefixes: 4, reduction: Duration::from_millis(60) }
    }
}

/// Refines precisions over variables and conditions.
pub struct PathRefiner<'a, P> {
    options: Options,
    conditions: Conditions,
    /// Time limit for one query whether a path is feasible.
    limit: Duration,
    /// The reason to report if an infeasible path cannot be excluded.
    imprecise: &'a str,
    /// The union of all refinements; `None` before the first one.
    total: Option<P>,
    /// Everything that at least one part tracks.
    tracked: Tracked,
    counters: Option<Counters>,
    assumptions: Option<Assumptions>,
    /// Time limit for the next reduction; less than the option says after reductions that were not worth their time.
    reduction: Duration,
}

/// A reduction is worth its time if it drops at least one in this many tracked variables and conditions.
const WORTH_ITS_TIME: usize = 8;

impl<'a, P> PathRefiner<'a, P> {
    /// A refiner for an analysis that treats conditions as specified by `conditions`.
    pub fn new(options: Options, conditions: Conditions, limit: Duration, imprecise: &'a str) -> PathRefiner<'a, P> {
        PathRefiner {
            options,
            conditions,
            limit,
            imprecise,
            total: None,
            tracked: Tracked::default(),
            counters: None,
            assumptions: None,
            reduction: options.reduction,
        }
    }

    /// Whether the path is feasible, and if not, why.
    fn judge<C: Located<Precision = P> + Refinable>(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        steps: &[Step<'_>],
    ) -> Result<Judgement, Halt> {
        match self.conditions {
            Conditions::Values => conflict::by_values(cpa, cx, steps, self.options.prefixes, self.limit),
            Conditions::Constraints => conflict::by_constraints(cx, steps, self.options.prefixes, self.limit),
        }
    }

    /// Adds a precision to all earlier ones.
    fn add<C: Refinable<Precision = P>>(&mut self, cpa: &C, cx: &mut Cx<'_>, new: P, tracked: &Tracked) -> P
    where
        P: Clone,
    {
        self.tracked.join(tracked);
        cx.statistics.tracked_vars = self.tracked.vars().count() as u64;
        cx.statistics.tracked_conditions = self.tracked.conditions().count() as u64;
        let total = match &self.total {
            Some(total) => cpa.join(total, &new),
            None => new,
        };
        self.total.insert(total).clone()
    }

    /// What to track so that the path is excluded, and the conflict by which it is excluded; `None` if the analysis cannot exclude the
    /// path. There are two answers: one that was reduced as far as time allows, and everything that the conflict needs.
    fn interpolate<'c, C: Located<Precision = P> + Refinable>(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        steps: &[Step<'_>],
        conflicts: &'c [Conflict],
    ) -> Result<Option<([Tracked; 2], &'c Conflict)>, Halt> {
        let cfa = cx.program.cfa.clone();
        let counters = match &mut self.counters {
            Some(known) if known.are_of(cx.program) => known,
            other => other.insert(Counters::new(cx.program)),
        };
        let time = self.reduction / conflicts.len().max(1) as u32;
        let mut best: Option<([Tracked; 2], &Conflict)> = None;
        let (mut before, mut after) = (0, 0);
        for conflict in conflicts {
            let all = need::need(cx.program, steps, conflict, self.conditions);
            let prefix = &steps[..=conflict.end];
            let pi = cpa.tracking(&all);
            if !reduce::excludes(cpa, cx, prefix, &pi)? {
                continue;
            }
            let dear = |v: VarId| counters.is_dear(&cfa, v);
            let least = reduce::reduce(cpa, cx, prefix, &all, &dear, time)?;
            before += all.len();
            after += least.len();
            // Among precisions of equal cost, the one for the shortest prefix is chosen.
            if best.as_ref().is_none_or(|([b, _], _)| counters.cost(&cfa, &least) < counters.cost(&cfa, b)) {
                best = Some(([least, all], conflict));
            }
        }
        let in_vain = before - after < before / WORTH_ITS_TIME;
        let least = self.options.reduction / 3;
        self.reduction = if in_vain { least.max(self.reduction / 2) } else { self.options.reduction };
        Ok(best)
    }

    /// The first precision that excludes the path and was not in effect on it. For each of `tracked`, in this order, the cheapest precision
    /// is tried first. `None` if all were in effect already: a larger precision can exclude less by chance.
    fn choose<C: Located<Precision = P> + Refinable>(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        (arg, target): (&Arg<C>, NodeId),
        steps: &[Step<'_>],
        tracked: [Tracked; 2],
    ) -> Result<Option<Choice<P>>, Halt> {
        for tracked in tracked {
            let precisions = cpa.precisions(&tracked);
            let last = precisions.len() - 1;
            for (i, precision) in precisions.into_iter().enumerate() {
                let is_last = i == last;
                if (is_last || reduce::excludes(cpa, cx, steps, &precision)?)
                    && let Some(pivot) = pivot(cpa, cx, arg, target, steps, &precision)
                {
                    return Ok(Some(Choice { precision, tracked, pivot, is_last }));
                }
            }
        }
        Ok(None)
    }
}

/// A precision that excludes a path.
struct Choice<P> {
    precision: P,
    tracked: Tracked,
    pivot: NodeId,
    /// Whether all parts of a composition have it.
    is_last: bool,
}

/// The first node of the path after which some step establishes something for which `precision` asks, but was taken without it.
fn pivot<C: Located + Refinable>(
    cpa: &C,
    cx: &Cx<'_>,
    arg: &Arg<C>,
    target: NodeId,
    steps: &[Step<'_>],
    precision: &C::Precision,
) -> Option<NodeId> {
    let path = arg.path(target).into_iter();
    let ends = path.flat_map(|(before, run, after)| arg.runs.steps(run).iter().map(move |_| (before, after)));
    ends.zip(steps).find_map(|((before, after), step)| {
        let with = &arg.node(after).precision;
        cpa.asks_more(precision, with, cx.program, step).then_some(before)
    })
}

impl<C: Located + Refinable> Refiner<C> for PathRefiner<'_, C::Precision> {
    fn precision(&self, cpa: &C) -> C::Precision {
        self.total.clone().unwrap_or_else(|| cpa.empty_precision())
    }

    fn learn(&mut self, cpa: &mut C, cx: &mut Cx<'_>, steps: &[Step<'_>]) -> Result<(), Halt> {
        let Judgement::Infeasible(conflicts) = self.judge(cpa, cx, steps)? else { return Ok(()) };
        let Some(([tracked, _], conflict)) = self.interpolate(cpa, cx, steps, &conflicts)? else { return Ok(()) };
        for precision in cpa.precisions(&tracked) {
            if reduce::excludes(cpa, cx, &steps[..=conflict.end], &precision)? {
                self.add(cpa, cx, precision, &tracked);
                cx.statistics.refinements += 1;
                break;
            }
        }
        Ok(())
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        let steps = steps_to(arg, cx, target);
        let conflicts = match self.judge(cpa, cx, &steps)? {
            Judgement::Feasible(candidate) => return Ok(Refinement::Feasible(candidate)),
            Judgement::Undecided(reason) => return Ok(Refinement::Stuck(UnknownReason::Solver(reason))),
            Judgement::Infeasible(conflicts) => conflicts,
        };
        let Some((tracked, conflict)) = self.interpolate(cpa, cx, &steps, &conflicts)? else {
            return Ok(Refinement::Stuck(UnknownReason::Imprecise(self.imprecise.into())));
        };
        let steps = &steps[..=conflict.end];
        let Some(choice) = self.choose(cpa, cx, (arg, target), steps, tracked)? else {
            return Ok(Refinement::Stuck(UnknownReason::Imprecise(
                "an infeasible path comes back with a precision that excludes it".into(),
            )));
        };
        let Choice { mut precision, mut tracked, pivot: first, is_last } = choice;
        if self.conditions == Conditions::Constraints && is_last {
            let assumptions = self.assumptions.get_or_insert_with(|| Assumptions::new(&cx.program.cfa));
            let dear = |v: VarId| self.counters.as_ref().is_some_and(|c| c.is_dear(&cx.program.cfa, v));
            for about in assumptions.about(cx.program, steps, conflict, &tracked, &dear) {
                tracked.join(&about);
            }
            precision = cpa.tracking(&tracked);
        }
        let pivot = pivot(cpa, cx, arg, target, steps, &precision).unwrap_or(first);
        let precision = self.add(cpa, cx, precision, &tracked);
        Ok(Refinement::Spurious { pivot, precision })
    }
}
