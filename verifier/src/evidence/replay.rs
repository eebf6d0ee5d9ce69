//! Replay of a counterexample: the uncut program runs on the inputs that a search found.

use crate::evidence::outcome::InputVector;
use crate::program::{Budget, Program};
use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::interpret::{End, InputEvent, InputSource, Run, RunLimits, run};
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, InputKind, LocId, OUTSIDE_MEMORY, Op, Sort, Span, VarId};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::VecDeque;

/// Steps of the way to the target that a counterexample keeps: the last ones.
const KEPT_STEPS: usize = 400;
/// Most edges that a replay executes.
const MAX_STEPS: u64 = 500_000_000;

/// An execution that reaches a target, replayed on the uncut program.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The target reached.
    pub target: LocId,
    /// All inputs, in the order in which the run took them.
    pub inputs: Vec<InputEvent>,
    /// The last steps of the run, in order.
    pub steps: Vec<ReplayedStep>,
    /// Edges executed altogether.
    pub n_steps: u64,
    /// Where a signed operation overflows first, which C leaves undefined and which wraps around here.
    pub overflow: Option<Span>,
}

/// An edge of a replayed run.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// The edge.
    pub edge: EdgeId,
    /// Variables that it set, with their new values.
    pub values: Vec<(VarId, Value)>,
    /// Calls under way.
    pub depth: usize,
}

/// Why a counterexample is none, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The uncut program does not reach a target on these inputs, but ends so; and why the search may have been right nevertheless.
    Diverged(String, Cause),
    /// It does, but only by what nobody can know.
    Depends(String),
}

/// Why a search may give an alarm that the uncut program does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Searches assume invalid accesses away; the execution has one.
    InvalidAccess,
    /// The execution takes other inputs: the order of addresses, which was free for the search.
    AddressOrder,
    /// A construct without a model, which the slice has no need of.
    Unsupported,
    /// The execution is too long.
    Limits,
    /// The search was in a slice, which may do more than the program.
    Slice,
    /// None of these: the search or the replay is wrong.
    Defect,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Doubt::Diverged(end, Cause::Defect) => {
                write!(f, "counterexample does not replay for no known reason: {end}")
            }
            Doubt::Diverged(end, _) => write!(f, "counterexample does not replay: {end}"),
            Doubt::Depends(reason) => write!(f, "counterexample does not count: {reason}"),
        }
    }
}

/// Runs the uncut program on the candidate's inputs.
///
/// The run counts only if it does not hang on what nobody can know: results that the language leaves open (it must reach the
/// target whether these have all bits clear, all bits set, or the values found) and library results that a model approximates.
///
pub fn replay(program: &Program, candidate: &InputVector, budget: Budget) -> Result<Counterexample, Doubt> {
    let cfa = &*program.cfa;
    let mut source = candidate.inputs.clone();
    let mut steps: VecDeque<ReplayedStep> = VecDeque::new();
    let limits = RunLimits { steps: MAX_STEPS, deadline: Some(budget.deadline) };
    let found = run(cfa, &mut source, limits, &mut |machine, edge| {
        let op = &cfa.edges[edge].op;
        if matches!(op, Op::Skip) {
            return;
        }
        if steps.len() == KEPT_STEPS {
            steps.pop_front();
        }
        let values = op.written().into_iter().filter_map(|v| Some((v, machine.value(v)?.clone()))).collect();
        steps.push_back(ReplayedStep { edge, values, depth: machine.stack().len() });
    });
    let End::Target(target) = found.end else {
        return Err(Doubt::Diverged(describe(cfa, &found.end), cause(program, candidate, &found)));
    };
    // A slice keeps the inputs that matter. What was explored may be more than the slice for the targets.
    let matters = OnceCell::new();
    let is = |e: EdgeId, wanted: fn(&InputKind) -> bool| {
        matches!(&cfa.edges[e].op, Op::Input { kind, .. } if wanted(kind))
            && program.slice.kept.contains(e.index())
            && matters.get_or_init(|| slicer::slice_for_targets(cfa)).kept.contains(e.index())
    };
    let approximate = |k: &InputKind| matches!(k, InputKind::Approximate(_));
    if let Some(input) = found.inputs.iter().find(|i| is(i.edge, approximate)) {
        let place = cfa.place(cfa.edges[input.edge].span);
        let outside = |k: &InputKind| matches!(k, InputKind::Approximate(name) if **name == *OUTSIDE_MEMORY);
        let what = match is(input.edge, outside) {
            true => "what lies outside the program's memory",
            false => "what a library function computes, which kerf approximates",
        };
        return Err(Doubt::Depends(format!("it depends on {what}, at {place}")));
    }
    let open = |k: &InputKind| matches!(k, InputKind::Undefined);
    if let Some(input) = found.inputs.iter().find(|i| is(i.edge, open)) {
        for ones in [false, true] {
            let mut source = OpenResults { inputs: candidate.inputs.clone(), ones };
            if !matches!(run(cfa, &mut source, limits, &mut |_, _| ()).end, End::Target(_)) {
                let place = cfa.place(cfa.edges[input.edge].span);
                let what = "a result that the language leaves open";
                return Err(Doubt::Depends(format!("it depends on {what}, such as at {place}")));
            }
        }
    }
    Ok(Counterexample {
        target,
        inputs: found.inputs,
        steps: steps.into(),
        n_steps: found.steps,
        overflow: found.overflow,
    })
}

/// Why the run that was `found` for `candidate` does not end at a target.
fn cause(program: &Program, candidate: &InputVector, found: &Run) -> Cause {
    let is_other = |input: &InputEvent| {
        let of_search = candidate.inputs.get(&input.edge).and_then(|values| values.get(input.occurrence as usize));
        of_search.is_some_and(|value| *value != input.value)
    };
    match found.end {
        End::InvalidAccess { .. } => Cause::InvalidAccess,
        // Slices on the way leave out guards of what they leave out.
        End::GuardFailed(_) => Cause::Slice,
        End::Unsupported(_) => Cause::Unsupported,
        End::StepLimit | End::OutOfTime => Cause::Limits,
        _ if found.inputs.iter().any(is_other) => Cause::AddressOrder,
        _ if program.slice != Slice::whole(&program.cfa) => Cause::Slice,
        _ => Cause::Defect,
    }
}

/// The candidate's inputs, but for results that the language leaves open.
struct OpenResults {
    inputs: FxHashMap<EdgeId, Vec<Value>>,
    ones: bool,
}

impl InputSource for OpenResults {
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value {
        match (kind, sort) {
            (InputKind::Undefined, Sort::Bv(w)) if self.ones => Value::Bv(Bv::ones(w)),
            (InputKind::Undefined, _) => Value::zero(sort),
            _ => self.inputs.value(edge, occurrence, kind, sort),
        }
    }
}

fn describe(cfa: &Cfa, end: &End) -> String {
    let place = |e: &EdgeId| cfa.place(cfa.edges[*e].span);
    match end {
        End::Target(_) => "the target is reached".into(),
        End::Finished => "the program ends".into(),
        End::DeadEnd(_) => "the execution ends before".into(),
        End::GuardFailed(e) => format!("a trap at {}", place(e)),
        End::InvalidAccess { edge, .. } => format!("an invalid access to memory at {}", place(edge)),
        End::Unsupported(e) => format!("an unsupported construct at {}", place(e)),
        End::StepLimit => "too many steps".into(),
        End::OutOfTime => "timeout".into(),
    }
}
