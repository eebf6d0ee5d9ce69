//! What the edges of a program read and write, laid out for the walks along data dependences.

use crate::dependence::relevant::Live;
use cfa::footprint::{Footprints, Read, Written};
use cfa::{Cfa, EdgeId, Id, Op, VarId};

/// The footprints of the live edges, one after the other.
pub struct Accesses {
    reads: Vec<Read>,
    writes: Vec<Written>,
    /// Where each edge's reads and writes begin; one more entry at the end.
    first: Vec<(u32, u32)>,
}

impl Accesses {
    /// Of the live edges. Linear in the size of their operations.
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
    /// Where each variable's edges begin; one more entry at the end.
    first: Vec<u32>,
}

impl Writers {
    /// Collects the writers. Linear.
    pub fn new(cfa: &Cfa, accesses: &Accesses) -> Writers {
        let mut pairs: Vec<(VarId, EdgeId)> =
            cfa.edges.ids().flat_map(|e| accesses.writes(e).iter().map(move |w| (w.var, e))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let first = (0..=cfa.vars.len()).map(|v| pairs.partition_point(|p| p.0.index() < v) as u32).collect();
        Writers { edges: pairs.into_iter().map(|p| p.1).collect(), first }
    }

    /// Live edges that write `v`, ascending.
    pub fn of(&self, v: VarId) -> &[EdgeId] {
        &self.edges[self.first[v.index()] as usize..self.first[v.index() + 1] as usize]
    }
}
