//! Data dependence: which edges may define what an edge reads.
//!
//! Flow-insensitive for each variable: a read depends on every live edge that writes the variable. Memories are variables, one for
//! each region. This is as coarse as the certificate checker's condition that no kept edge reads a variable that a dropped
//! live edge writes.

use crate::liveness::Live;
use cfa::term::Kind;
use cfa::{Cfa, EdgeId, Id, Op, Term, VarId};
use fixedbitset::FixedBitSet;

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

/// The variables that a growing set of operations reads. Terms are shared, so each is looked at once.
pub struct ReadVars {
    seen: FixedBitSet,
    stack: Vec<Term>,
}

impl ReadVars {
    /// Of no operation yet.
    pub fn new(cfa: &Cfa) -> ReadVars {
        ReadVars { seen: FixedBitSet::with_capacity(cfa.terms.len()), stack: Vec::new() }
    }

    /// Adds `op` and calls `each` with the variables that it reads; those that earlier ones read may be left out.
    pub fn add(&mut self, cfa: &Cfa, op: &Op, mut each: impl FnMut(VarId)) {
        if let Op::Unsupported(u) = op {
            u.reads.iter().flatten().for_each(|v| each(*v));
        }
        self.stack.extend(op.terms());
        while let Some(t) = self.stack.pop() {
            if self.seen.put(t.0 as usize) {
                continue;
            }
            match cfa.terms.kind(t) {
                Kind::Var(v) => each(v),
                _ => self.stack.extend(cfa.terms.args(t)),
            }
        }
    }
}
