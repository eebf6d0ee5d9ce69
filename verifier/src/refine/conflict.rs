//! Infeasible prefixes of a path, each with a set of conditions that exclude each other.
//!
//! The first prefix is the shortest. For further ones, the condition that ends an infeasible prefix is replaced by a skip, and the rest
//! of the path is examined (sliced path prefixes: Beyer, Löwe, Wendler, FORTE 2015).

use crate::cpa::precision::Refinable;
use crate::cpa::{Action, Cpa, Cx, Located, Step};
use crate::evidence::outcome::InputVector;
use crate::program::Halt;
use crate::reach::path_check::{Feasibility, PathFormula, check_path, check_steps, path_formula};
use cfa::{Op, Term};
use smt::{Answer, Limits, SolverError};
use std::time::{Duration, Instant};

/// Why a prefix of a path is infeasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The index of the last step of the prefix, which is a condition.
    pub end: usize,
    /// The indices of the steps whose conditions exclude each other, ascending.
    pub conditions: Vec<usize>,
}

/// The judgement on a path.
#[derive(Clone, Debug)]
pub(crate) enum Judgement {
    /// These inputs take it.
    Feasible(InputVector),
    /// The path is infeasible, and these conflicts were found (possibly none).
    Infeasible(Vec<Conflict>),
    /// The solver could not tell, for this reason.
    Undecided(String),
}

/// Judges a path by executing it with the full precision of `cpa`, and by the solver if that does not exclude it. Finds at most
/// `max_conflicts` conflicts.
///
/// Errors: those of the analysis, and `OutOfTime`.
pub(crate) fn by_values<C: Located + Refinable>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    steps: &[Step<'_>],
    max_conflicts: usize,
    limit: Duration,
) -> Result<Judgement, Halt> {
    let mut conflicts = Vec::new();
    let everything = cpa.full_precision();
    let mut run = Execution::new(cpa, cx);
    for (i, step) in steps.iter().enumerate() {
        if run.step(cpa, cx, *step, &everything)? {
            continue;
        }
        conflicts.push(Conflict { end: i, conditions: vec![i] });
        let skip = Step { action: Action::Op(&Op::Skip), ..*step };
        if conflicts.len() >= max_conflicts || !run.step(cpa, cx, skip, &everything)? {
            break;
        }
    }
    if !conflicts.is_empty() {
        return Ok(Judgement::Infeasible(conflicts));
    }
    Ok(judgement(check_steps(cx, steps, limit)?))
}

fn judgement(feasibility: Feasibility) -> Judgement {
    match feasibility {
        Feasibility::Feasible(candidate) => Judgement::Feasible(candidate),
        Feasibility::Infeasible => Judgement::Infeasible(Vec::new()),
        Feasibility::Undecided(reason) => Judgement::Undecided(reason),
    }
}

/// An execution of `cpa` along one path.
pub(crate) struct Execution<C: Cpa> {
    state: C::State,
    buffer: Vec<C::State>,
    steps: u32,
}

/// Number of steps between two checks of the time limit.
const STEPS_PER_CHECK: u32 = 1024;

impl<C: Located> Execution<C> {
    /// The state before the first step.
    pub(crate) fn new(cpa: &mut C, cx: &mut Cx<'_>) -> Execution<C> {
        let start = cx.program.start();
        Execution { state: cpa.initial(cx, start), buffer: Vec::new(), steps: 0 }
    }

    /// Takes a step. If it cannot be taken, returns `false` and leaves the state unchanged.
    pub(crate) fn step(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        step: Step<'_>,
        pi: &C::Precision,
    ) -> Result<bool, Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_CHECK) {
            cx.budget.check()?;
        }
        self.buffer.clear();
        cpa.transfer(cx, &self.state, step, pi, &mut self.buffer)?;
        let Some(next) = self.buffer.pop() else { return Ok(false) };
        self.state = next;
        Ok(true)
    }
}

/// Time limit for shrinking cores and finding further prefixes, after the first core.
const IMPROVEMENT: Duration = Duration::from_millis(100);

/// Judges a path by its formula. Finds at most `max_conflicts` conflicts; the conditions of each form an unsatisfiable core.
///
/// Errors: `OutOfTime`.
pub(crate) fn by_constraints(
    cx: &mut Cx<'_>,
    steps: &[Step<'_>],
    max_conflicts: usize,
    limit: Duration,
) -> Result<Judgement, Halt> {
    let mut formula = path_formula(cx, steps);
    let first = check_path(cx, &formula, limit)?;
    if !matches!(first, Feasibility::Infeasible) {
        return Ok(judgement(first));
    }
    let end = Instant::now() + IMPROVEMENT;
    let mut conflicts = Vec::new();
    let mut core = Some(core(cx, &formula));
    while let Some(found) = core {
        let found = shortest(cx, &formula, found, end)?;
        let Some(&last) = found.last() else { break };
        let conditions = found.iter().map(|i| formula.steps[*i]).collect();
        conflicts.push(Conflict { end: formula.steps[last], conditions });
        if conflicts.len() >= max_conflicts || Instant::now() >= end {
            break;
        }
        formula.constraints.remove(last);
        formula.steps.remove(last);
        let all = formula.constraints.len();
        core = unsatisfiable(cx, &formula, &(0..all).collect::<Vec<_>>(), end)?;
    }
    Ok(Judgement::Infeasible(conflicts))
}

/// The core of the shortest infeasible prefix, where `found` is a core of the whole formula; unneeded conditions are removed. The result
/// is as good as the time until `end` allows.
fn shortest(cx: &mut Cx<'_>, formula: &PathFormula, mut found: Vec<usize>, end: Instant) -> Result<Vec<usize>, Halt> {
    while let Some(&last) = found.last()
        && let Some(smaller) = unsatisfiable(cx, formula, &(0..last).collect::<Vec<_>>(), end)?
    {
        found = smaller;
    }
    let (mut i, mut tried) = (0, 0);
    // The last condition is needed, since the prefix before it is feasible.
    while found.len() > 1 && i + 1 < found.len() && tried < MINIMISED {
        tried += 1;
        let mut fewer = found.clone();
        fewer.remove(i);
        match unsatisfiable(cx, formula, &fewer, end)? {
            Some(core) => found = core,
            None => i += 1,
        }
    }
    Ok(found)
}

/// Maximum number of conditions of a core that are removed tentatively to see whether the core needs them.
const MINIMISED: usize = 20;

/// A subset of the constraints `of` (indices, ascending) that is unsatisfiable; `None` if there is none, or none is found until `end`.
fn unsatisfiable(
    cx: &mut Cx<'_>,
    formula: &PathFormula,
    of: &[usize],
    end: Instant,
) -> Result<Option<Vec<usize>>, Halt> {
    let limit = end.saturating_duration_since(Instant::now());
    if limit.is_zero() {
        return Ok(None);
    }
    let query: Vec<Term> = of.iter().map(|i| formula.constraints[*i]).collect();
    let start = Instant::now();
    cx.solver.set_limits(Limits { query: Some(limit), deadline: Some(cx.budget.deadline) });
    let answer = cx.algebra.check(&mut cx.terms, cx.solver, &query);
    cx.statistics.asked(start.elapsed());
    match answer {
        Ok(Answer::Unsat) => {
            let core = cx.algebra.core(cx.solver);
            Ok(Some(of.iter().copied().filter(|i| core.contains(&formula.constraints[*i])).collect()))
        }
        Err(SolverError::Unknown(_)) if cx.budget.left().is_zero() => Err(Halt::OutOfTime),
        Ok(Answer::Sat) | Err(_) => Ok(None),
    }
}

/// The core of the last query, which consisted of all constraints of `formula`.
fn core(cx: &mut Cx<'_>, formula: &PathFormula) -> Vec<usize> {
    let core = cx.algebra.core(cx.solver);
    (0..formula.constraints.len()).filter(|i| core.contains(&formula.constraints[*i])).collect()
}
