//! Data dependence: which edges may define what an edge reads.
//!
//! Flow-insensitive for each variable: a read depends on every live edge that writes the variable. Memories are variables, one for
//! each region. This is as coarse as the certificate checker's condition that no kept edge reads a variable that a dropped
//! live edge writes.

use crate::liveness::Live;
use cfa::{Cfa, EdgeId, Id, Op, Term, VarId};
use rustc_hash::FxHashMap;

/// The live edges that write each variable.
pub struct Writers {
    of_var: Vec<Vec<EdgeId>>,
}

impl Writers {
    /// Collects the writers among the live edges.
    pub fn new(cfa: &Cfa, live: &Live) -> Writers {
        let mut of_var = vec![Vec::new(); cfa.vars.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if live.edge(e) {
                edge.op.written().into_iter().for_each(|v: VarId| of_var[v.index()].push(e));
            }
        }
        Writers { of_var }
    }

    /// Live edges that write `v`, ascending.
    pub fn of(&self, v: VarId) -> &[EdgeId] {
        &self.of_var[v.index()]
    }
}

/// Variables that operations read; remembers those of terms, which operations share.
#[derive(Default)]
pub struct Readers {
    of_term: FxHashMap<Term, Box<[VarId]>>,
}

impl Readers {
    /// Calls `each` with every variable that `op` reads.
    pub fn for_each(&mut self, cfa: &Cfa, op: &Op, mut each: impl FnMut(VarId)) {
        if let Op::Unsupported(u) = op {
            u.reads.iter().flatten().for_each(|v| each(*v));
        }
        for t in op.terms() {
            let vars = self.of_term.entry(t).or_insert_with(|| cfa.terms.vars(t).into_boxed_slice());
            vars.iter().for_each(|v| each(*v));
        }
    }
}
