//! The dominator tree and the post-dominator tree of a function [Lemberger 2018, 3.1.2].
//!
//! A location `a` dominates a location `b` if every path from the entry to `b` passes `a`; it post-dominates `b` if every path from
//! `b` to an end passes `a`. Executions end at the exit, at targets, and wherever else no edge leaves; all ends lead to one more node,
//! which is the root of the post-dominator tree. Calls count as steps that return.

use crate::dependence::dominators::{Digraph, immediate_dominators};
use cfa::{Cfa, FuncId, LocId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The immediate dominators of one function's locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DominatorTrees {
    /// The locations that the function's entry reaches, ascending.
    pub locs: Vec<LocId>,
    /// The immediate dominator of each of them; `None` for the entry.
    pub dominators: Vec<Option<LocId>>,
    /// The immediate post-dominator of each of them; `None` where there is none: at ends, where ends differ, and where no end is
    /// reached.
    pub post_dominators: Vec<Option<LocId>>,
}

impl DominatorTrees {
    /// The trees of `f`. Cost: O(m log n).
    pub fn new(cfa: &Cfa, f: FuncId) -> DominatorTrees {
        let entry = cfa.funcs[f].entry;
        let locs = reached(cfa, entry);
        let number: FxHashMap<LocId, u32> = locs.iter().copied().zip(0..).collect();
        let end = locs.len() as u32;
        let steps = |l: &LocId| cfa.out(*l).iter().map(|e| (number[l], number[&cfa.edges[*e].to])).collect::<Vec<_>>();
        let mut edges: Vec<(u32, u32)> = locs.iter().flat_map(steps).collect();
        edges.extend(locs.iter().filter(|l| cfa.out(**l).is_empty()).map(|l| (number[l], end)));
        let graph = Digraph::new(locs.len() + 1, &edges);
        // The additional end node is no location: it is left out.
        let tree = |found: Vec<Option<u32>>| -> Vec<Option<LocId>> {
            found[..locs.len()].iter().map(|d| d.and_then(|d| locs.get(d as usize).copied())).collect()
        };
        let dominators = tree(immediate_dominators(&graph, number[&entry]));
        let post_dominators = tree(immediate_dominators(&graph.reversed(), end));
        DominatorTrees { locs, dominators, post_dominators }
    }
}

/// The locations that `entry` reaches without leaving its function, ascending.
fn reached(cfa: &Cfa, entry: LocId) -> Vec<LocId> {
    let mut found = vec![entry];
    let mut seen: FxHashSet<LocId> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&l) = found.get(next) {
        next += 1;
        found.extend(cfa.out(l).iter().map(|e| cfa.edges[*e].to).filter(|to| seen.insert(*to)));
    }
    found.sort_unstable();
    found
}
