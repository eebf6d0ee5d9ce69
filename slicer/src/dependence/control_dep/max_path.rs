//! Which nodes lie on all maximal paths from a node: the forest of maximal-path post-dominance.
//!
//! A path is maximal if it is infinite or ends at a node without successors. `P(v)`, the nodes on all maximal paths from `v`, is
//! the least solution of `P(v) = {v} + the intersection of P(s) over the successors s of v`. Each `P(v)` is what is met on going up
//! from `v` in a graph with at most one edge up from each node (Hecker, Bischof, Snelting, "On time-sensitive control dependencies",
//! TOPLAS 2021): a forest, but for cycles where a loop without an exit is sure to be entered. So the quadratic sets, which Chalupa
//! et al. (CAV 2021) colour backward from each node, need not be made.
//!
//! It is built from below. Node `v` gets its edge up once the ways up from its successors meet, and leads to where they meet;
//! ways that have met stay met, since they only grow at their upper ends. Ways meet once they are in one tree, so
//! that a union-find structure tells when to look; a branch waits in lists that move from the smaller tree to the larger one.

use crate::dependence::post_dominators::Digraph;

const NONE: u32 = u32::MAX;

/// The nodes on all maximal paths from each node, as ways up.
pub struct MaxPathForest {
    up: Vec<u32>,
    on_cycle: Vec<bool>,
    meets_at_itself: Vec<bool>,
}

impl MaxPathForest {
    /// Of `graph`. Cost: O(m log n), plus the number of NTSCD dependences, plus for each branch that leads to a cycle its length.
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

    /// The next node up, after which all of `P(v)` but `v` follows.
    pub fn up(&self, v: u32) -> Option<u32> {
        Some(self.up[v as usize]).filter(|u| *u != NONE)
    }

    /// Whether going up from `v` leads back to it.
    pub fn on_cycle(&self, v: u32) -> bool {
        self.on_cycle[v as usize]
    }

    /// A node from which on the ways up from all successors of `v` are the same set, or `None` if they have no node in common.
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
    /// For each tree, branches with a successor in it that are not ready.
    waiting: Vec<Vec<u32>>,
    /// Branches whose successors are in one tree.
    ready: Vec<u32>,
    /// Who passed a node last: the number of the meeting, and which of the two.
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

    /// Makes `v` ready if its successors are in one tree, else lets it wait in the list of each tree.
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

    /// Where the ways up from `a` and `b`, nodes of one tree, meet. Both go up by turns, so that neither goes much too far.
    fn meet(&mut self, a: u32, b: u32) -> u32 {
        self.meetings += 1;
        let mut at = [a, b];
        loop {
            for who in [false, true] {
                let v = at[usize::from(who)];
                if v == NONE {
                    continue;
                }
                let (meeting, passed_by) = self.met_by[v as usize];
                if meeting == self.meetings && passed_by != who {
                    return v;
                }
                // On a cycle one may come round to where it was: the other is still on its way there.
                let again = meeting == self.meetings;
                self.met_by[v as usize] = (self.meetings, who);
                at[usize::from(who)] = if again { NONE } else { self.up[v as usize] };
            }
        }
    }
}

/// Nodes from which `up` leads back to them.
fn on_cycle(up: &[u32]) -> Vec<bool> {
    let mut cycle = vec![false; up.len()];
    // The walk that came by first.
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
