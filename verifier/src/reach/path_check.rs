//! Whether a path of the ARG is feasible: the solver decides its path formula, and a model yields the inputs.

use crate::cpa::skeleton::location::Walk;
use crate::cpa::{Action, Cx, Located, Step};
use crate::evidence::outcome::InputVector;
use crate::program::Halt;
use crate::reach::arg::{Arg, NodeId};
use cfa::eval::Value;
use cfa::path::{Effect, Env};
use cfa::term::Known;
use cfa::{EdgeId, Op, Term};
use smt::{Answer, Limits, SolverError};
use std::time::{Duration, Instant};

/// A path as a formula.
#[derive(Clone, Debug, Default)]
pub struct PathFormula {
    /// The conditions of the steps, over symbols.
    pub constraints: Vec<Term>,
    /// For each constraint, the index of its step.
    pub steps: Vec<usize>,
    /// The symbols of the inputs, in the order in which the path reads them.
    pub inputs: Vec<(EdgeId, Term)>,
}

/// What is known about a path.
#[derive(Clone, Debug)]
pub enum Feasibility {
    /// These inputs take it.
    Feasible(InputVector),
    /// No inputs take it.
    Infeasible,
    /// The solver could not tell, for this reason.
    Undecided(String),
}

/// The steps on the path from the program's entry to `n` by which `n` was found.
pub fn steps_to<'p, C: Located>(arg: &Arg<C>, cx: &Cx<'p>, n: NodeId) -> Vec<Step<'p>> {
    let mut walk = Walk::new(cx.program);
    let taken = arg.path(n).into_iter().flat_map(|(_, run, _)| arg.runs.steps(run));
    taken.map(|taken| walk.take(*taken)).collect()
}

/// The formula of a path from the program's entry.
pub fn path_formula(cx: &mut Cx<'_>, steps: &[Step<'_>]) -> PathFormula {
    formula(cx, steps, false)
}

/// Whether a path from the program's entry can be taken; the solver gets at most `limit`.
///
/// Errors: `OutOfTime`.
pub fn check_steps(cx: &mut Cx<'_>, steps: &[Step<'_>], limit: Duration) -> Result<Feasibility, Halt> {
    let formula = formula(cx, steps, true);
    check_path(cx, &formula, limit)
}

/// The formula of a path. If it `is_whole`, its conditions are made under those before them: together they say the same, but a part of them
/// says less.
fn formula(cx: &mut Cx<'_>, steps: &[Step<'_>], is_whole: bool) -> PathFormula {
    let cfa = cx.program.cfa.clone();
    let mut formula = PathFormula::default();
    let mut env = Env::default();
    let mut callers = Vec::new();
    let mut known = Known::default();
    for (i, step) in steps.iter().enumerate() {
        match step.action {
            Action::Enter(..) => callers.push(std::mem::take(&mut env.locals)),
            Action::Leave => env.locals = callers.pop().unwrap_or_default(),
            Action::Op(op) => match (env.apply(&cfa, &mut cx.terms, op), step.taken) {
                (Effect::Constrain(cond), _) => {
                    formula.constraints.push(cond);
                    formula.steps.push(i);
                    if is_whole {
                        known = known.and(&cx.terms, &[cond]);
                        cx.terms.know(&known);
                    }
                }
                (Effect::Fresh(symbol), checker::Step::Edge(e)) => {
                    debug_assert!(matches!(op, Op::Input { .. }));
                    formula.inputs.push((e, symbol));
                }
                _ => {}
            },
        }
    }
    cx.terms.know(&Known::default());
    formula
}

/// Whether the path of `formula` can be taken; the solver gets at most `limit`.
///
/// Errors: `OutOfTime`.
pub fn check_path(cx: &mut Cx<'_>, formula: &PathFormula, limit: Duration) -> Result<Feasibility, Halt> {
    let start = Instant::now();
    cx.solver.set_limits(Limits { query: Some(limit), deadline: Some(cx.budget.deadline) });
    let answer = cx.algebra.check(&mut cx.terms, cx.solver, &formula.constraints);
    cx.statistics.asked(start.elapsed());
    match answer {
        Ok(Answer::Unsat) => return Ok(Feasibility::Infeasible),
        Ok(Answer::Sat) => {}
        Err(SolverError::Unknown(_)) if cx.budget.left().is_zero() => return Err(Halt::OutOfTime),
        Err(e) => return Ok(Feasibility::Undecided(e.to_string())),
    }
    let mut candidate = InputVector::default();
    for &(edge, symbol) in &formula.inputs {
        let value = match cx.solver.model_value(&cx.terms, symbol) {
            Ok(v) => v,
            Err(_) => Value::zero(cx.terms.sort(symbol)),
        };
        candidate.inputs.entry(edge).or_default().push(value);
    }
    Ok(Feasibility::Feasible(candidate))
}
