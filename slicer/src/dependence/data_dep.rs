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
        let mut footprints = Footprints::by_field(cfa);
        let mut found =
            Accesses { reads: Vec::new(), writes: Vec::new(), first: Vec::with_capacity(cfa.edges.len() + 1) };
        // Vectors that grow are copied.
        found.reads.reserve(cfa.edges.len());
        found.writes.reserve(cfa.edges.len());
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
    /// The functions with edges of a variable, ascending for each variable, with the start index of these edges.
    functions: Vec<(FuncId, u32)>,
    /// Start index of each variable's functions, with one more entry at the end.
    first_function: Vec<u32>,
}

impl Writers {
    /// Collects the writers. Linear, apart from the order of the functions that write the same variable.
    pub fn new(cfa: &Cfa, accesses: &Accesses) -> Writers {
        // The last edge that was met for each variable: an edge may write several parts of a variable.
        let mut last: Vec<Option<EdgeId>> = vec![None; cfa.vars.len()];
        let mut first = vec![0u32; cfa.vars.len() + 1];
        for e in cfa.edges.ids() {
            for v in accesses.writes(e).iter().map(|w| w.var.index()) {
                first[v + 1] += u32::from(last[v].replace(e) != Some(e));
            }
        }
        for v in 0..cfa.vars.len() {
            first[v + 1] += first[v];
        }
        let mut edges = vec![EdgeId(0); first[cfa.vars.len()] as usize];
        let mut next = first.clone();
        last.fill(None);
        for e in cfa.edges.ids() {
            for v in accesses.writes(e).iter().map(|w| w.var.index()) {
                if last[v].replace(e) != Some(e) {
                    edges[next[v] as usize] = e;
                    next[v] += 1;
                }
            }
        }
        let mut found = Writers { edges, first, functions: Vec::new(), first_function: Vec::new() };
        found.sort_by_function(cfa);
        found
    }

    fn sort_by_function(&mut self, cfa: &Cfa) {
        let function = |e: EdgeId| cfa.locs[cfa.edges[e].from].func;
        self.first_function.push(0);
        for v in 0..cfa.vars.len() {
            let (begin, end) = (self.first[v] as usize, self.first[v + 1] as usize);
            let edges = &mut self.edges[begin..end];
            if !edges.is_sorted_by_key(|e| function(*e)) {
                edges.sort_by_cached_key(|e| function(*e));
            }
            let mut at = begin as u32;
            for group in edges.chunk_by(|a, b| function(*a) == function(*b)) {
                self.functions.push((function(group[0]), at));
                at += group.len() as u32;
            }
            self.first_function.push(self.functions.len() as u32);
        }
    }

    /// The live edges that write `v`, by function, ascending in each.
    pub fn of(&self, v: VarId) -> &[EdgeId] {
        &self.edges[self.first[v.index()] as usize..self.first[v.index() + 1] as usize]
    }

    /// The live edges in `f` that write `v`, ascending.
    pub fn within(&self, v: VarId, f: FuncId) -> &[EdgeId] {
        let begin = self.first_function[v.index()] as usize;
        let functions = &self.functions[begin..self.first_function[v.index() + 1] as usize];
        let Ok(i) = functions.binary_search_by_key(&f, |part| part.0) else { return &[] };
        let end = functions.get(i + 1).map_or(self.first[v.index() + 1], |next| next.1);
        &self.edges[functions[i].1 as usize..end as usize]
    }
}
