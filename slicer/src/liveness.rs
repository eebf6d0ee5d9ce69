//! Edges from which a criterion can be reached: the part of the program that slices are made of.

use cfa::{Cfa, EdgeId, Id, LocId, Op};
use fixedbitset::FixedBitSet;

/// Locations and edges from which a criterion can be reached.
#[derive(Clone, Debug)]
pub struct Live {
    /// One bit for each edge.
    pub edges: FixedBitSet,
    /// One bit for each location.
    pub locs: FixedBitSet,
}

impl Live {
    /// Walks backward from `criteria`: from a location behind a call also to the exit of the callee, from an entry to all calls of
    /// the function (paths need not return to where they were called from). Linear.
    pub fn new(cfa: &Cfa, criteria: &[LocId]) -> Live {
        let mut callers: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(f) = edge.op {
                callers[f.index()].push(e);
            }
        }
        let mut live = Live {
            edges: FixedBitSet::with_capacity(cfa.edges.len()),
            locs: FixedBitSet::with_capacity(cfa.locs.len()),
        };
        let mut stack: Vec<LocId> = criteria.to_vec();
        while let Some(l) = stack.pop() {
            if live.locs.put(l.index()) {
                continue;
            }
            for &e in cfa.into(l) {
                live.edges.insert(e.index());
                stack.push(cfa.edges[e].from);
                if let Op::Call(f) = cfa.edges[e].op {
                    stack.push(cfa.funcs[f].exit);
                }
            }
            let f = cfa.locs[l].func;
            if cfa.funcs[f].entry == l {
                for &e in &callers[f.index()] {
                    live.edges.insert(e.index());
                    stack.push(cfa.edges[e].from);
                }
            }
        }
        live
    }

    /// Whether a criterion can be reached over `e`.
    pub fn edge(&self, e: EdgeId) -> bool {
        self.edges.contains(e.index())
    }

    /// Whether a criterion can be reached from `l`.
    pub fn loc(&self, l: LocId) -> bool {
        self.locs.contains(l.index())
    }
}
