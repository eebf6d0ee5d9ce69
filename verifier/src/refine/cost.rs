//! The cost of a refinement, by which one of several refinements is chosen. A cheap one tracks no loop counters, which would unroll the
//! loops, and no memories, whose values rarely repeat (Beyer, Löwe, Wendler, FORTE 2015, "domain-type score").

use crate::cpa::precision::Tracked;
use crate::program::Program;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, Op, Sort, VarId};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// The loop counters of a slice: variables whose values in one iteration of a loop depend on those in the previous iteration.
pub(super) struct Counters {
    slice: Slice,
    counters: FixedBitSet,
}

impl Counters {
    /// Computes the counters of the slice of `program`. Cost: linear in the program.
    pub(super) fn new(program: &Program) -> Counters {
        let (cfa, slice) = (&*program.cfa, &program.slice);
        let n = cfa.locs.len();
        let edges = |set: &FixedBitSet| set.ones().map(|e| &cfa.edges[EdgeId::from_index(e)]).collect::<Vec<_>>();
        let next = edges(&slice.live).into_iter().map(|edge| (edge.from.0, edge.to.0));
        let component = components(n, next);
        let mut size = vec![0u32; n];
        component.iter().for_each(|c| size[*c as usize] += 1);
        let mut flows = Vec::new();
        for edge in edges(&slice.kept) {
            let (from, to) = (component[edge.from.index()], component[edge.to.index()]);
            if let Op::Assign(list) = &edge.op
                && from == to
                && (size[from as usize] > 1 || edge.from == edge.to)
            {
                for (v, t) in list.iter() {
                    flows.extend(cfa.terms.vars(*t).into_iter().map(|w| (w.0, v.0)));
                }
            }
        }
        let component = components(cfa.vars.len(), flows.iter().copied());
        let mut counters = FixedBitSet::with_capacity(cfa.vars.len());
        for (w, v) in flows {
            if component[w as usize] == component[v as usize] {
                counters.insert(v as usize);
                counters.insert(w as usize);
            }
        }
        Counters { slice: slice.clone(), counters }
    }

    /// Whether these are the counters of the slice of `program`.
    pub(super) fn are_of(&self, program: &Program) -> bool {
        self.slice == program.slice
    }

    /// Whether `v` is expensive to track: a counter or a memory.
    pub(super) fn is_dear(&self, cfa: &Cfa, v: VarId) -> bool {
        self.counters.contains(v.index()) || matches!(cfa.vars[v].sort, Sort::Array { .. })
    }

    /// The cost, to be compared lexicographically: the number of counters and memories; then that of all variables and conditions.
    pub(super) fn cost(&self, cfa: &Cfa, tracked: &Tracked) -> (usize, usize) {
        let dear = tracked.vars().filter(|v| self.is_dear(cfa, *v)).count();
        (dear, tracked.len())
    }
}

/// For each of `0..n`, the number of its strongly connected component.
fn components(n: usize, edges: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut graph = DiGraph::<(), (), u32>::with_capacity(n, n);
    for _ in 0..n {
        graph.add_node(());
    }
    for (a, b) in edges {
        graph.add_edge(a.into(), b.into(), ());
    }
    let mut component = vec![0; n];
    for (i, nodes) in kosaraju_scc(&graph).into_iter().enumerate() {
        nodes.into_iter().for_each(|v| component[v.index()] = i as u32);
    }
    component
}
