//! The reads and writes of a program's edges, arranged for the walks along data dependences.

use crate::dependence::relevant::Live;
use cfa::footprint::{Footprints, Read, Written};
use cfa::{Cfa, EdgeId, FuncId, Id, Op, VarId};

/// The footprints of the live edges, stored contiguously. The writes of weak inputs are not sure.
pub struct Accesses {
    reads: Vec<Read>,
    writes: Vec<Written>,
    /// Start indices of each edge's reads and writes, with one more entry at the end.
    first: Vec<(u32, u32)>,
}

impl Accesses {
    /// Collects the footprints of the live edges. Linear in the size of their operations.
    pub fn new(cfa: &Cfa, live: &Live) -> Accesses {
        let mut footprints = Footprints::new(cfa);
        let mut found =
            Accesses { reads: Vec::new(), writes: Vec::new(), first: Vec::with_capacity(cfa.edges.len() + 1) };
        for (e, edge) in cfa.edges.iter_enumerated() {
            found.first.push((found.reads.len() as u32, found.writes.len() as u32));
            if live.edge(e) && !matches!(edge.op, Op::Skip | Op::Call(_)) {
                let mut footprint = footprints.of(&edge.op);
                let weak = cfa.weak_inputs.contains(&e);
                footprint.writes.iter_mut().for_each(|w| w.sure &= !weak);
                found.reads.extend(footprint.reads);
                found.writes.extend(footprint.writes);
            }
        }
        found.first.push((found.reads.len() as u32, found.writes.len() as u32));
        found
    }

    /// What `e` reads.
    pub fn reads(&self, e: EdgeId) -> &[Read] {
        &self.reads[self.first[e.index()].0 as usize..self.first[e.index() + 1].0 as usize]
    }

    /// What `e` writes.
    pub fn writes(&self, e: EdgeId) -> &[Written] {
        &self.writes[self.first[e.index()].1 as usize..self.first[e.index() + 1].1 as usize]
    }
}

/// The live edges that write each variable.
pub struct Writers {
    edges: Vec<EdgeId>,
    /// Start index of each variable's edges, with one more entry at the end.
    first: Vec<u32>,
}

impl Writers {
    /// Collects the writers. Linear.
    pub fn new(cfa: &Cfa, accesses: &Accesses) -> Writers {
        let mut pairs: Vec<(VarId, EdgeId)> =
            cfa.edges.ids().flat_map(|e| accesses.writes(e).iter().map(move |w| (w.var, e))).collect();
        pairs.sort_unstable_by_key(|&(v, e)| (v, function(cfa, e), e));
        pairs.dedup();
        let first = (0..=cfa.vars.len()).map(|v| pairs.partition_point(|p| p.0.index() < v) as u32).collect();
        Writers { edges: pairs.into_iter().map(|p| p.1).collect(), first }
    }

    /// The live edges that write `v`, by function, ascending in each.
    pub fn of(&self, v: VarId) -> &[EdgeId] {
        &self.edges[self.first[v.index()] as usize..self.first[v.index() + 1] as usize]
    }

    /// The live edges in `f` that write `v`, ascending.
    pub fn within(&self, cfa: &Cfa, v: VarId, f: FuncId) -> &[EdgeId] {
        let all = self.of(v);
        let first = all.partition_point(|e| function(cfa, *e) < f);
        let count = all[first..].partition_point(|e| function(cfa, *e) == f);
        &all[first..first + count]
    }
}

fn function(cfa: &Cfa, e: EdgeId) -> FuncId {
    cfa.locs[cfa.edges[e].from].func
}
