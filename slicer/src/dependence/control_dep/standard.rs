//! Standard control dependence within a function, by post-dominance (Ferrante, Ottenstein, Warren, TOPLAS 1987).

use crate::dependence::dominators::{Digraph, immediate_dominators};

/// Calls `each(v, p)` once for each node `v` that is control dependent on the branch `p`.
///
/// Every node of `graph` must reach `end`. Cost: that of dominators, plus the number of dependences.
pub fn for_each_dependence(graph: &Digraph, end: u32, mut each: impl FnMut(u32, u32)) {
    let ipdom = immediate_dominators(&graph.reversed(), end);
    // The last branch on which each node was found to depend.
    let mut last = vec![u32::MAX; graph.len()];
    for p in 0..graph.len() as u32 {
        if graph.next(p).len() < 2 {
            continue;
        }
        // Go up the tree from each successor to the immediate post-dominator of `p`: the nodes passed before it do not
        // post-dominate `p`.
        for &s in graph.next(p) {
            let mut at = s;
            while at != end && Some(at) != ipdom[p as usize] {
                if std::mem::replace(&mut last[at as usize], p) != p {
                    each(at, p);
                }
                let Some(up) = ipdom[at as usize] else { break };
                at = up;
            }
        }
    }
}
