//! Decisive order dependence (Ranganath et al., TOPLAS 2007), by the theorem of Chalupa, Klaška, Strejček, Tomovič (CAV 2021).
//!
//! A branch `p` decides the order of `a` and `b` if both lie on all maximal paths from `p`, `a` comes first on all of these
//! through one successor of `p`, and `b` on all through another.
//!
//! Let `V` be the set of nodes on all maximal paths from `p`. The theorem: where the paths from `p` first meet `V` at
//! different nodes, `V` without `p` is a cycle that all paths from its nodes follow. Colour its nodes blue where paths
//! through one successor enter it, and red where those through the other do. `p` decides orders if blue and red nodes are
//! separated, that is, if going round the cycle visits first all blue ones, then all red ones. Then it decides the order of
//! each `a` from the last blue node to before the first red one, and each `b` from the last red node to before the first blue
//! one.
//!
//! The cycle is a cycle of the forest of maximal-path post-dominance, directly above `p`. In structured code each such cycle
//! has one entry, and there is no order dependence.

use crate::dependence::control_dep::max_path::MaxPathForest;
use crate::dependence::dominators::Digraph;

/// A branch and the nodes whose order it decides: each node of `first` relative to each node of `second`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The branch.
    pub predicate: u32,
    /// Nodes that come before all of `second` through one successor of the branch.
    pub first: Vec<u32>,
    /// Nodes that come before all of `first` through another successor of the branch.
    pub second: Vec<u32>,
}

/// All decisions of order in `graph`; at most one for each pair of successors of a branch.
///
/// Cost: linear in the graph; in addition, for each branch from which a cycle is entered at several nodes, the number of nodes on the
/// cycle and between the branch and the cycle.
pub fn decisions(graph: &Digraph, forest: &MaxPathForest) -> Vec<Decision> {
    let mut search = Search {
        graph,
        forest,
        entry: vec![Entry::Unknown; graph.len()],
        seen: vec![u32::MAX; graph.len()],
        searches: 0,
    };
    let mut found = Vec::new();
    for p in 0..graph.len() as u32 {
        let branches = graph.next(p).len() >= 2 && !forest.on_cycle(p);
        let Some(on_cycle) = forest.up(p).filter(|m| branches && forest.on_cycle(*m)) else { continue };
        let entries: Vec<Entry> = graph.next(p).iter().map(|&s| search.entry(s)).collect();
        if entries.iter().all(|e| *e == entries[0] && *e != Entry::Many) {
            continue;
        }
        let cycle = cycle_from(forest, on_cycle);
        let colours: Vec<Vec<u32>> = graph.next(p).iter().map(|&s| search.entries(s)).collect();
        for (i, blue) in colours.iter().enumerate() {
            for red in &colours[i + 1..] {
                found.extend(decide(&cycle, blue, red).map(|(first, second)| Decision { predicate: p, first, second }));
            }
        }
    }
    found
}

/// Where the paths from a node first meet a cycle of the forest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    Unknown,
    One(u32),
    Many,
}

struct Search<'a> {
    graph: &'a Digraph,
    forest: &'a MaxPathForest,
    entry: Vec<Entry>,
    /// The last search that visited each node.
    seen: Vec<u32>,
    searches: u32,
}

impl Search<'_> {
    /// The entry of paths from `s`, a node from which all maximal paths reach a cycle of the forest.
    ///
    /// No path visits a node twice before it reaches the cycle, so successors are finished before their predecessors.
    fn entry(&mut self, s: u32) -> Entry {
        let mut path = vec![(s, 0)];
        while let Some((v, k)) = path.pop() {
            if self.entry[v as usize] != Entry::Unknown {
                continue;
            }
            if self.forest.on_cycle(v) {
                self.entry[v as usize] = Entry::One(v);
                continue;
            }
            let successors = self.graph.next(v);
            if let Some(&next) = successors.get(k) {
                path.push((v, k + 1));
                path.push((next, 0));
                continue;
            }
            let first = self.entry[successors[0] as usize];
            let same = successors.iter().all(|&w| self.entry[w as usize] == first);
            self.entry[v as usize] = if same { first } else { Entry::Many };
        }
        self.entry[s as usize]
    }

    /// All entries of paths from `s` to a cycle of the forest.
    fn entries(&mut self, s: u32) -> Vec<u32> {
        self.searches += 1;
        let (mut stack, mut found) = (vec![s], Vec::new());
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut self.seen[v as usize], self.searches) == self.searches {
                continue;
            }
            if self.forest.on_cycle(v) {
                found.push(v);
            } else {
                stack.extend(self.graph.next(v));
            }
        }
        found
    }
}

/// The forest's cycle that contains `v`, in upward order.
fn cycle_from(forest: &MaxPathForest, v: u32) -> Vec<u32> {
    let next = |w: &u32| forest.up(*w).filter(|u| *u != v);
    std::iter::successors(Some(v), next).collect()
}

/// The two arcs of `cycle` whose order is decided, if blue and red entries are separated.
fn decide(cycle: &[u32], blue: &[u32], red: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
    if blue.iter().any(|v| red.contains(v)) {
        return None;
    }
    // Go round the cycle, starting at the first blue node after some red one.
    let some_red = cycle.iter().position(|v| red.contains(v))?;
    let round: Vec<u32> = [&cycle[some_red..], &cycle[..some_red]].concat();
    let first_blue = round.iter().position(|v| blue.contains(v))?;
    let round: Vec<u32> = [&round[first_blue..], &round[..first_blue]].concat();
    let last_blue = round.iter().rposition(|v| blue.contains(v))?;
    let first_red = round.iter().position(|v| red.contains(v))?;
    let last_red = round.iter().rposition(|v| red.contains(v))?;
    (last_blue < first_red).then(|| (round[last_blue..first_red].to_vec(), round[last_red..].to_vec()))
}
