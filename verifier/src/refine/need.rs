//! What the conditions of a conflict need: their values are followed backward along the path, from where they are read to where they are
//! written, through calls and memories (which are variables like others).

use crate::cpa::precision::{Conditions, Tracked};
use crate::cpa::{Action, Step};
use crate::program::Program;
use crate::refine::conflict::Conflict;
use cfa::{EdgeId, Op, VarId};
use rustc_hash::FxHashSet;

/// The variables whose values decide the conflict, and the conditions of the conflict.
///
/// Cost: linear in the path and its terms.
pub(super) fn need(program: &Program, steps: &[Step<'_>], conflict: &Conflict, kept: Conditions) -> Tracked {
    let steps = &steps[..=conflict.end];
    let frames = frames(steps);
    let mut wanted: FxHashSet<(u32, VarId)> = FxHashSet::default();
    let mut vars: FxHashSet<VarId> = FxHashSet::default();
    let mut conditions: Vec<EdgeId> = Vec::new();
    let place = |frame: u32, v: VarId| if program.cfa.is_local(v) { (frame, v) } else { (GLOBAL, v) };
    for (i, step) in steps.iter().enumerate().rev() {
        let (Action::Op(op), checker::Step::Edge(e)) = (step.action, step.taken) else { continue };
        let frame = frames[i];
        let mut needs = Vec::new();
        match op {
            Op::Assume { cond, .. } => {
                let read = program.base.vars(*cond);
                let in_conflict = conflict.conditions.contains(&i);
                // The condition may fix the value of a wanted variable.
                let fixes = kept == Conditions::Values && read.iter().any(|v| wanted.contains(&place(frame, *v)));
                if in_conflict {
                    conditions.push(e);
                }
                if in_conflict || fixes {
                    needs = read;
                }
            }
            Op::Assign(list) => {
                for (v, t) in list.iter().filter(|(v, _)| wanted.remove(&place(frame, *v))) {
                    vars.insert(*v);
                    needs.extend(program.base.vars(*t));
                }
            }
            Op::Input { var, .. } => {
                if wanted.remove(&place(frame, *var)) {
                    vars.insert(*var);
                }
            }
            Op::Skip | Op::Call(_) | Op::CallIndirect(_) | Op::Unsupported(_) => {}
        }
        if kept == Conditions::Values && matches!(op, Op::Assume { .. }) {
            // A variable that a condition may fix has a value from there on, no matter which step wrote it.
            vars.extend(needs.iter().copied());
        }
        wanted.extend(needs.into_iter().map(|v| place(frame, v)));
    }
    // Initial values are arbitrary, so there is nothing to track for variables that are still wanted here.
    if kept == Conditions::Values {
        conditions.clear();
    }
    Tracked::of(vars, conditions)
}

/// The number that global variables have in place of an activation.
const GLOBAL: u32 = u32::MAX;

/// For each step, the activation in which its operation runs.
fn frames(steps: &[Step<'_>]) -> Vec<u32> {
    let (mut running, mut next) = (0, 1);
    let mut below = Vec::new();
    steps
        .iter()
        .map(|step| {
            let frame = running;
            match step.action {
                Action::Op(_) => {}
                Action::Enter(..) => {
                    below.push(running);
                    running = next;
                    next += 1;
                }
                Action::Leave => running = below.pop().unwrap_or(0),
            }
            frame
        })
        .collect()
}
