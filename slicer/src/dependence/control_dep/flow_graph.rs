//! The live part of one function as a graph of small numbers, with an additional end node.

use crate::dependence::control_dep::interprocedural::Ends;
use crate::dependence::dominators::Digraph;
use crate::dependence::relevant::Live;
use cfa::{Cfa, FuncId, Id, LocId};

/// The live part of a function. Node `i` is `locs[i]`; the exit and all locations where executions may end lead to the last
/// node.
pub(super) struct FlowGraph {
    /// Locations of the nodes, ascending.
    pub locs: Vec<LocId>,
    /// Control flow.
    pub graph: Digraph,
}

impl FlowGraph {
    /// The graph of `locs`, the live locations of `f`. `number` is scratch space with an entry for each location of the program.
    pub(super) fn new(
        cfa: &Cfa,
        live: &Live,
        ends: &Ends,
        f: FuncId,
        locs: Vec<LocId>,
        number: &mut [u32],
    ) -> FlowGraph {
        for (i, l) in locs.iter().enumerate() {
            number[l.index()] = i as u32;
        }
        let end = locs.len() as u32;
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(2 * locs.len());
        for (i, &l) in (0..).zip(&locs) {
            edges.extend(live_successors(cfa, live, l).map(|m| (i, number[m.index()])));
            if ends.at[l.index()] || l == cfa.funcs[f].exit {
                edges.push((i, end));
            }
        }
        FlowGraph { graph: Digraph::new(locs.len() + 1, &edges), locs }
    }

    /// The additional end node.
    pub(super) fn end(&self) -> u32 {
        self.locs.len() as u32
    }
}

/// The live locations to which live edges lead from `l`.
pub(super) fn live_successors<'a>(cfa: &'a Cfa, live: &'a Live, l: LocId) -> impl Iterator<Item = LocId> + 'a {
    cfa.out(l).iter().filter(|e| live.edge(**e)).map(|e| cfa.edges[*e].to).filter(|m| live.loc(*m))
}
