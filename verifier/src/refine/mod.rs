//! Refinement of precisions from infeasible paths: which variables and which conditions have to be tracked so that a path is excluded.
//!
//! Interpolation in the sense of Beyer, Löwe (FASE 2013), for explicit values, and of Lemberger 2018, 2.5, for values and constraints: an
//! interpolant at a position of the path says which values and constraints the rest of the path needs to be infeasible. Here
//! `conflict` finds conditions that exclude each other, `need` follows the values that they read backward along the path, and
//! `reduce` leaves out what the analysis itself, run along the path, can do without. The precision is the union over all
//! positions; the first position where it makes a difference is the pivot.
//!
//! Several infeasible prefixes of one path (Beyer, Löwe, Wendler, FORTE 2015) give several refinements to choose from (`cost`).

mod assumptions;
pub(crate) mod conflict;
mod cost;
mod need;
mod reduce;
pub mod slicing;

use crate::cpa::precision::{Precision, Tracked};
use crate::cpa::{Action, Cx, Located, Step};
use crate::program::Halt;
use crate::reach::arg::{Arg, NodeId};
use crate::reach::cegar::{Refinement, Refiner};
use crate::reach::path_check::steps_to;
use assumptions::Assumptions;
use cfa::{Op, VarId};
use conflict::{Conflict, Judgement};
use cost::Counters;
use std::time::Duration;

/// What an analysis keeps of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditions {
    /// The values that it fixes, of the variables that are tracked.
    Values,
    /// A constraint, if it is tracked itself.
    Constraints,
}

/// Options of refinement.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Infeasible prefixes of one path to choose from; 1 for the shortest.
    pub prefixes: usize,
    /// Time for leaving out what one refinement can do without.
    pub reduction: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options { prefixes: 4, reduction: Duration::from_millis(60) }
    }
}

/// Refines precisions of variables and conditions.
pub struct PathRefiner<'a> {
    options: Options,
    conditions: Conditions,
    /// Time for one question to the solver whether a path is real.
    limit: Duration,
    /// What it means that an infeasible path cannot be excluded.
    imprecise: &'a str,
    /// The union of all refinements.
    total: Precision,
    counters: Option<Counters>,
    assumptions: Option<Assumptions>,
    /// Time for leaving out, this time: less where it was in vain before.
    reduction: Duration,
}

/// Leaving out is worth its time if it is of this part of what was needed.
const WORTH_ITS_TIME: usize = 8;

impl<'a> PathRefiner<'a> {
    /// A refiner for an analysis that treats conditions as `conditions` says.
    pub fn new(options: Options, conditions: Conditions, limit: Duration, imprecise: &'a str) -> PathRefiner<'a> {
        let total = Precision::nothing();
        let reduction = options.reduction;
        PathRefiner { options, conditions, limit, imprecise, total, counters: None, assumptions: None, reduction }
    }

    /// The union of all refinements so far: what a search that begins anew begins with.
    pub fn precision(&self) -> &Precision {
        &self.total
    }

    /// Precisions that exclude the path, the least first, and the conflict that they are for; `None` if the analysis cannot exclude it.
    fn interpolate<'c, C: Located<Precision = Precision>>(
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
            if !reduce::excludes(cpa, cx, prefix, &all)? {
                continue;
            }
            let dear = |v: VarId| counters.is_dear(&cfa, v);
            let least = reduce::reduce(cpa, cx, prefix, &all, &dear, time)?;
            before += all.len();
            after += least.len();
            // Of equal ones, the shortest prefix.
            if best.as_ref().is_none_or(|([b, _], _)| counters.cost(&cfa, &least) < counters.cost(&cfa, b)) {
                best = Some(([least, all], conflict));
            }
        }
        let in_vain = before - after < before / WORTH_ITS_TIME;
        let least = self.options.reduction / 3;
        self.reduction = if in_vain { least.max(self.reduction / 2) } else { self.options.reduction };
        Ok(best)
    }

    /// The first node of the path on whose way to the next one what `tracked` asks for is established by a step that did not track it.
    fn pivot<C: Located<Precision = Precision>>(
        &self,
        cx: &Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
        steps: &[Step<'_>],
        tracked: &Precision,
    ) -> Option<NodeId> {
        let path = arg.path(target).into_iter();
        let ends = path.flat_map(|(before, run, after)| arg.runs.steps(run).iter().map(move |_| (before, after)));
        ends.zip(steps).find_map(|((before, after), step)| {
            let with = &arg.node(after).precision;
            let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken) else { return None };
            let news = match (op, self.conditions) {
                (Op::Assume { .. }, Conditions::Constraints) => {
                    tracked.tracks_condition(e) && !with.tracks_condition(e)
                }
                (Op::Assume { cond, .. }, Conditions::Values) => {
                    cx.program.base.vars(*cond).into_iter().any(|v| tracked.tracks(v) && !with.tracks(v))
                }
                _ => op.written().into_iter().any(|v| tracked.tracks(v) && !with.tracks(v)),
            };
            news.then_some(before)
        })
    }
}

impl<C: Located<Precision = Precision>> Refiner<C> for PathRefiner<'_> {
    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<Precision>, Halt> {
        let steps = steps_to(arg, cx, target);
        let judgement = match self.conditions {
            Conditions::Values => conflict::by_values(cpa, cx, &steps, self.options.prefixes, self.limit)?,
            Conditions::Constraints => conflict::by_constraints(cx, &steps, self.options.prefixes, self.limit)?,
        };
        let conflicts = match judgement {
            Judgement::Feasible(candidate) => return Ok(Refinement::Feasible(candidate)),
            Judgement::Undecided(reason) => return Ok(Refinement::Stuck(format!("solver: {reason}"))),
            Judgement::Infeasible(conflicts) => conflicts,
        };
        let Some((tracked, conflict)) = self.interpolate(cpa, cx, &steps, &conflicts)? else {
            return Ok(Refinement::Stuck(self.imprecise.into()));
        };
        // To track more can be worse by chance: where the least precision was there, the next one is tried.
        let found = tracked.into_iter().find_map(|tracked| {
            let needed = Precision::nothing().join(&tracked);
            Some((self.pivot(cx, arg, target, &steps[..=conflict.end], &needed)?, tracked))
        });
        let Some((pivot, tracked)) = found else {
            return Ok(Refinement::Stuck("an infeasible path comes back with a precision that excludes it".into()));
        };
        let (mut needed, steps) = (Precision::nothing().join(&tracked), &steps[..=conflict.end]);
        if self.conditions == Conditions::Constraints {
            let assumptions = self.assumptions.get_or_insert_with(|| Assumptions::new(&cx.program.cfa));
            let dear = |v: VarId| self.counters.as_ref().is_some_and(|c| c.is_dear(&cx.program.cfa, v));
            for about in assumptions.about(cx.program, steps, conflict, &tracked, &dear) {
                needed = needed.join(&about);
            }
        }
        let pivot = self.pivot(cx, arg, target, steps, &needed).unwrap_or(pivot);
        if let Precision::Only(needed) = &needed {
            self.total = self.total.join(needed);
        }
        if let Precision::Only(all) = &self.total {
            cx.statistics.tracked_vars = all.vars().count() as u64;
            cx.statistics.tracked_conditions = all.conditions().count() as u64;
        }
        Ok(Refinement::Spurious { pivot, precision: self.total.clone() })
    }
}
