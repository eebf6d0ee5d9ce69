//! Non-termination sensitive control dependence (Ranganath, Amtoft, Banerjee, Hatcliff, Dwyer, TOPLAS 2007; the definition as
//! corrected by Chalupa, Klaška, Strejček, Tomovič, "Fast computation of strong control dependencies", CAV 2021).
//!
//! Node `v` depends on the branch `p` if `v` is on all maximal paths from some successor of `p`, but not from all of them. In
//! the forest of maximal-path post-dominance, these are the nodes on the ways up from `p`'s successors to the node where they
//! meet.

use crate::dependence::control_dep::max_path::MaxPathForest;
use crate::dependence::dominators::Digraph;

/// Calls `each(v, p)` once for each node `v` that depends on the branch `p`. Cost: the number of dependences, plus the number
/// of edges.
pub fn for_each_dependence(graph: &Digraph, forest: &MaxPathForest, mut each: impl FnMut(u32, u32)) {
    // The last branch on which each node was found to depend.
    let mut last = vec![u32::MAX; graph.len()];
    for p in 0..graph.len() as u32 {
        if graph.next(p).len() < 2 {
            continue;
        }
        let meeting = forest.meeting(p);
        let cycle = meeting.is_some_and(|m| forest.on_cycle(m));
        for &s in graph.next(p) {
            let mut at = Some(s);
            while let Some(v) = at {
                // Where the ways meet on a cycle, each of them contains the whole cycle.
                if Some(v) == meeting || (cycle && forest.on_cycle(v)) {
                    break;
                }
                if std::mem::replace(&mut last[v as usize], p) == p {
                    break;
                }
                each(v, p);
                at = forest.up(v);
            }
        }
    }
}
