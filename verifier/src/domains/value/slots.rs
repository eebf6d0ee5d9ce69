//! Where the values of variables are stored: each variable that occurs in the view has a slot.

use crate::cpa::dead_variables::used_variables;
use crate::program::Program;
use cfa::{FuncId, IndexVec, Scope, Sort, VarId};
use rustc_hash::FxHashMap;

/// The places of all variables.
pub(super) struct Slots {
    /// The place of each variable.
    pub of: IndexVec<VarId, Place>,
    /// The global variables, by slot.
    pub globals: Vec<VarId>,
    /// The locals of each function, by slot.
    pub locals: FxHashMap<FuncId, Vec<VarId>>,
}

/// The place of a variable.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Its slot, among those of the same scope.
    pub slot: u32,
    /// Whether it is local to a function.
    pub local: bool,
    /// How its word is to be read.
    pub words: Words,
}

/// The meaning of the word stored for a variable.
#[derive(Clone, Copy)]
pub(super) enum Words {
    /// The value itself.
    Values,
    /// The index of a wide bit-vector in the pool.
    Wides,
    /// The index of a memory in the pool.
    Memories,
}

/// The slot number of variables that do not occur in the view.
pub(super) const UNUSED: u32 = u32::MAX;

impl Slots {
    /// Gives a slot to each variable that occurs in the view of `program`.
    pub(super) fn new(program: &Program) -> Slots {
        let place = |v| {
            let words = match program.cfa.vars[v].sort {
                Sort::Bool | Sort::Bv(..=64) => Words::Values,
                Sort::Bv(_) => Words::Wides,
                Sort::Array { .. } => Words::Memories,
            };
            Place { slot: UNUSED, local: program.cfa.is_local(v), words }
        };
        let mut slots = Slots {
            of: program.cfa.vars.ids().map(place).collect(),
            globals: Vec::new(),
            locals: FxHashMap::default(),
        };
        for v in used_variables(program) {
            let list = match program.cfa.vars[v].scope {
                Scope::Global => &mut slots.globals,
                Scope::Local(f) => slots.locals.entry(f).or_default(),
            };
            slots.of[v].slot = list.len() as u32;
            list.push(v);
        }
        slots
    }
}
