//! Replay of a counterexample: the uncut program runs on the inputs that a search found.

use crate::program::{Budget, Program};
use crate::strategies::Candidate;
use cfa::eval::Value;
use cfa::interpret::{End, InputEvent, RunLimits, run};
use cfa::{Cfa, EdgeId, Id, InputKind, LocId, Op, VarId};
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

/// Runs the uncut program on the candidate's inputs.
///
/// Errors: why the run does not reach a target, in words.
pub fn replay(program: &Program, candidate: &Candidate, budget: Budget) -> Result<Counterexample, String> {
    let cfa = &*program.cfa;
    let mut source = candidate.inputs.clone();
    let mut steps: VecDeque<ReplayedStep> = VecDeque::new();
    let limits = RunLimits { steps: MAX_STEPS, deadline: Some(budget.deadline) };
    let run = run(cfa, &mut source, limits, &mut |machine, edge| {
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
    match run.end {
        End::Target(target) => {
            // The slice keeps the inputs that matter.
            let guessed = run.inputs.iter().find(|i| {
                let kept = program.slice.kept.contains(i.edge.index());
                kept && matches!(&cfa.edges[i.edge].op, Op::Input { kind: InputKind::Approximate(_), .. })
            });
            if let Some(input) = guessed {
                let place = cfa.place(cfa.edges[input.edge].span);
                return Err(format!("it depends on what a library function computes, which kerf approximates, at {place}"));
            }
            Ok(Counterexample { target, inputs: run.inputs, steps: steps.into(), n_steps: run.steps })
        }
        end => Err(describe(cfa, &end)),
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
