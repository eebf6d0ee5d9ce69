//! Variables that a step leaves dead: what states forget on the way, so that those equal in all that matters cover each other.

use crate::engine::cpa::{Action, Step};
use crate::program::Program;
use cfa::{FuncId, Id, LocId, Scope, VarId};
use rustc_hash::FxHashMap;

/// Variables by scope: what may die where.
pub struct Mortal {
    globals: Vec<VarId>,
    locals: FxHashMap<FuncId, Vec<VarId>>,
}

/// What dies in one step.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Dying {
    /// Global variables, ascending.
    pub globals: Vec<VarId>,
    /// Locals of the function that the step starts in, ascending. For a call, those that its return finds dead.
    pub locals: Vec<VarId>,
}

impl Mortal {
    /// The variables of the view's operations.
    pub fn new(program: &Program) -> Mortal {
        let mut mortal = Mortal { globals: Vec::new(), locals: FxHashMap::default() };
        for v in used_variables(program) {
            match program.cfa.vars[v].scope {
                Scope::Global => mortal.globals.push(v),
                Scope::Local(f) => mortal.locals.entry(f).or_default().push(v),
            }
        }
        mortal
    }

    /// The variables that `step` leaves dead. Cost: linear in the variables, so the result is to be kept.
    pub fn after(&self, program: &Program, step: &Step<'_>) -> Dying {
        if !program.liveness.is_complete() {
            return Dying::default();
        }
        let written = match step.action {
            Action::Op(op) => op.written(),
            Action::Enter(..) | Action::Leave => Vec::new(),
        };
        let dies = |v: VarId, to: LocId| {
            (program.liveness.is_live(step.from, v) || written.contains(&v)) && !program.liveness.is_live(to, v)
        };
        let globals = self.globals.iter().copied().filter(|&v| dies(v, step.to)).collect();
        let own = self.locals.get(&program.cfa.locs[step.from].func);
        let own = own.into_iter().flatten().copied();
        let locals = match step.action {
            Action::Op(_) => own.filter(|&v| dies(v, step.to)).collect(),
            Action::Enter(_, return_to) => own.filter(|&v| dies(v, return_to)).collect(),
            Action::Leave => Vec::new(),
        };
        Dying { globals, locals }
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
