//! The variables that are dead after a step. States forget them, so that states that agree on all live variables cover each other.

use crate::cpa::{Action, Step};
use crate::program::Program;
use cfa::{Id, LocId, Op, Scope, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The variables that die in one step.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Dying {
    /// Global variables, ascending.
    pub globals: Vec<VarId>,
    /// Locals of the function in which the step starts, ascending. For a call, those that are dead when it returns.
    pub locals: Vec<VarId>,
}

impl Dying {
    /// Whether `op` only assigns to variables that are dead after it. It may read what is dead before it.
    pub fn are_all_written(&self, op: &Op) -> bool {
        let dies = |v: &VarId| self.globals.binary_search(v).is_ok() || self.locals.binary_search(v).is_ok();
        matches!(op, Op::Assign(list) if list.iter().all(|(v, _)| dies(v)))
    }
}

/// The variables that `step` leaves dead. The cost is linear in the number of variables (in words of a bit set), so callers should keep
/// the result.
pub fn dying(program: &Program, step: &Step<'_>) -> Dying {
    let mut dying = Dying::default();
    if !program.liveness.is_complete() {
        return dying;
    }
    let dead_at = |to: LocId| {
        let written = match step.action {
            Action::Op(op) => op.written(),
            Action::Enter(..) | Action::Leave => Vec::new(),
        };
        let mut dead: Vec<VarId> = written.into_iter().filter(|&v| !program.liveness.is_live(to, v)).collect();
        dead.extend(program.liveness.ending(step.from, to));
        dead.sort_unstable();
        dead.dedup();
        dead
    };
    let own = Scope::Local(program.cfa.locs[step.from].func);
    for v in dead_at(step.to) {
        match (program.cfa.vars[v].scope, step.action) {
            (Scope::Global, _) => dying.globals.push(v),
            (scope, Action::Op(_)) if scope == own => dying.locals.push(v),
            _ => {}
        }
    }
    if let Action::Enter(_, return_to) = step.action {
        dying.locals = dead_at(return_to).into_iter().filter(|&v| program.cfa.vars[v].scope == own).collect();
    }
    dying
}

/// The variables that steps leave dead, computed once per step.
#[derive(Default)]
pub struct DeadAfter {
    of: FxHashMap<(checker::Step, LocId, LocId), Rc<Dying>>,
}

impl DeadAfter {
    /// The variables that `step` leaves dead.
    pub fn step(&mut self, program: &Program, step: &Step<'_>) -> Rc<Dying> {
        let key = (step.taken, step.from, step.to);
        self.of.entry(key).or_insert_with(|| Rc::new(dying(program, step))).clone()
    }
}

/// The variables that occur in the view's operations, ascending.
pub fn used_variables(program: &Program) -> Vec<VarId> {
    let mut used = fixedbitset::FixedBitSet::with_capacity(program.cfa.vars.len());
    for l in program.view.reachable(&program.cfa) {
        for e in program.view.out(l) {
            let op = program.op(e);
            for t in op.terms() {
                used.extend(program.base.vars(t).into_iter().map(Id::index));
            }
            used.extend(op.written().into_iter().map(Id::index));
        }
    }
    used.ones().map(VarId::from_index).collect()
}
