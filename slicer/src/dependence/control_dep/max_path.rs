//! Which nodes lie on all maximal paths from a node: the forest of maximal-path post-dominance.
//!
//! A path is maximal if it is infinite or ends at a node without successors. `P(v)`, the set of nodes on all maximal paths
//! from `v`, is the least solution of `P(v) = {v} + the intersection of P(s) over the successors s of v`. Each `P(v)`
//! consists of the nodes on the way up from `v` in a graph with at most one edge up from each node (Hecker, Bischof,
//! Snelting, "On time-sensitive control dependencies", TOPLAS 2021). This graph is a forest, except for cycles where a loop
//! without an exit is sure to be entered. So the quadratic sets, for which Chalupa et al. (CAV 2021) colour nodes backward
//! from each node, need not be computed.
//!
//! The forest is built bottom-up. Node `v` gets its edge up once the ways up from its successors meet; the edge leads to
//! where they meet. Ways that have met stay met, since they only grow at their upper ends. Ways meet once they are in the
//! same tree, so a union-find structure tells when to check; a branch waits in lists that are moved from the smaller tree to
//! the larger one.

use crate::dependence::dominators::Digraph;

const NONE: u32 = u32::MAX;

/// The nodes on all maximal paths from each node, represented as ways up.
pub struct MaxPathForest {
    up: Vec<u32>,
    on_cycle: Vec<bool>,
    meets_at_itself: Vec<bool>,
}

impl MaxPathForest {
    /// The forest of `graph`. Cost: O(m log n), plus the number of NTSCD dependences, plus, for each branch that leads to
    /// a cycle, the cycle's length.
    pub fn new(graph: &Digraph) -> MaxPathForest {
        let n = graph.len();
        let mut build = Build {
            graph,
            up: vec![NONE; n],
            meets_at_itself: vec![false; n],
            trees: (0..n as u32).collect(),
            waiting: vec![Vec::new(); n],
            ready: Vec::new(),
            met_by: vec![(NONE, false); n],
            meetings: 0,
        };
        build.run();
        let Build { up, meets_at_itself, .. } = build;
        let on_cycle = on_cycle(&up);
        MaxPathForest { up, on_cycle, meets_at_itself }
    }

    /// The next node up from `v`; the ways up from there contain all of `P(v)` except `v`.
    pub fn up(&self, v: u32) -> Option<u32> {
        Some(self.up[v as usize]).filter(|u| *u != NONE)
    }

    /// Whether the way up from `v` leads back to it.
    pub fn on_cycle(&self, v: u32) -> bool {
        self.on_cycle[v as usize]
    }

    /// The node from which on the ways up from all successors of `v` visit the same nodes; `None` if these ways have no node in
    /// common.
    pub fn meeting(&self, v: u32) -> Option<u32> {
        if self.meets_at_itself[v as usize] { Some(v) } else { self.up(v) }
    }
}

struct Build<'a> {
    graph: &'a Digraph,
    up: Vec<u32>,
    meets_at_itself: Vec<bool>,
    /// Union-find forest of the trees, by parent.
    trees: Vec<u32>,
    /// For each tree, the branches with a successor in it that are not ready.
    waiting: Vec<Vec<u32>>,
    /// Branches whose successors are all in one tree.
    ready: Vec<u32>,
    /// The last walk that passed each node: the number of the meeting, and whether it was the second of its two walks.
    met_by: Vec<(u32, bool)>,
    meetings: u32,
}

impl Build<'_> {
    fn run(&mut self) {
        for v in 0..self.graph.len() as u32 {
            self.examine(v);
        }
        while let Some(v) = self.ready.pop() {
            if self.up[v as usize] != NONE || self.meets_at_itself[v as usize] {
                continue;
            }
            let successors = self.graph.next(v);
            let meeting = successors.iter().skip(1).fold(successors[0], |m, &s| self.meet(m, s));
            if meeting == v {
                self.meets_at_itself[v as usize] = true;
            } else {
                self.up[v as usize] = meeting;
                self.unite(v, meeting);
            }
        }
    }

    /// Makes `v` ready if its successors are all in one tree; otherwise adds it to the list of each of their trees.
    fn examine(&mut self, v: u32) {
        let Some((&first, others)) = self.graph.next(v).split_first() else { return };
        let tree = self.tree(first);
        if others.iter().all(|&s| self.tree(s) == tree) {
            self.ready.push(v);
            return;
        }
        for &s in self.graph.next(v) {
            let tree = self.tree(s);
            self.waiting[tree as usize].push(v);
        }
    }

    fn tree(&mut self, mut v: u32) -> u32 {
        while self.trees[v as usize] != v {
            let above = self.trees[self.trees[v as usize] as usize];
            self.trees[v as usize] = above;
            v = above;
        }
        v
    }

    fn unite(&mut self, v: u32, w: u32) {
        let (mut small, mut large) = (self.tree(v), self.tree(w));
        if small == large {
            return;
        }
        if self.waiting[small as usize].len() > self.waiting[large as usize].len() {
            std::mem::swap(&mut small, &mut large);
        }
        self.trees[small as usize] = large;
        for b in std::mem::take(&mut self.waiting[small as usize]) {
            if self.graph.next(b).iter().all(|&s| self.tree(s) == large) {
                self.ready.push(b);
            } else {
                self.waiting[large as usize].push(b);
            }
        }
    }

    /// The node where the ways up from `a` and `b`, nodes of one tree, meet. The two walks alternate, so that neither goes far
    /// beyond that node.
    fn meet(&mut self, a: u32, b: u32) -> u32 {
        self.meetings += 1;
        let mut at = [a, b];
        loop {
            for second in [false, true] {
                let v = at[usize::from(second)];
                if v == NONE {
                    continue;
                }
                let (meeting, passed_by) = self.met_by[v as usize];
                if meeting == self.meetings && passed_by != second {
                    return v;
                }
                // On a cycle, a walk may return to where it was: the other one is still on its way there.
                let again = meeting == self.meetings;
                self.met_by[v as usize] = (self.meetings, second);
                at[usize::from(second)] = if again { NONE } else { self.up[v as usize] };
            }
        }
    }
}

/// For each node, whether the way up from it leads back to it.
fn on_cycle(up: &[u32]) -> Vec<bool> {
    let mut cycle = vec![false; up.len()];
    // The first walk that visited each node.
    let mut walk = vec![NONE; up.len()];
    for start in 0..up.len() as u32 {
        let mut v = start;
        while v != NONE && walk[v as usize] == NONE {
            walk[v as usize] = start;
            v = up[v as usize];
        }
        while v != NONE && walk[v as usize] == start && !cycle[v as usize] {
            cycle[v as usize] = true;
            v = up[v as usize];
        }
    }
    cycle
}
