//! Where the values of variables are kept: a slot for each variable that occurs in the view.

use crate::cpa::dead_variables::used_variables;
use crate::program::Program;
use cfa::{FuncId, IndexVec, Scope, Sort, VarId};
use rustc_hash::FxHashMap;

/// Where variables are kept.
pub struct Slots {
    /// By variable.
    pub of: IndexVec<VarId, Place>,
    /// The global ones by slot.
    pub globals: Vec<VarId>,
    /// Those of a function by slot.
    pub locals: FxHashMap<FuncId, Vec<VarId>>,
}

/// Where a variable is kept.
#[derive(Clone, Copy)]
pub struct Place {
    /// Its slot among those of its scope.
    pub slot: u32,
    /// Whether it is local to a function.
    pub local: bool,
    /// What its word is.
    pub words: Words,
}

/// What the word of a variable is.
#[derive(Clone, Copy)]
pub enum Words {
    /// The value.
    Values,
    /// The number of a wide bit-vector.
    Wides,
    /// The number of a memory.
    Memories,
}

/// The slot of a variable that does not occur in the view.
pub const UNUSED: u32 = u32::MAX;

impl Slots {
    /// Gives a slot to each variable that occurs in the view of `program`.
    pub fn new(program: &Program) -> Slots {
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
