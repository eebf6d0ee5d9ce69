//! Dominators of a rooted graph, and post-dominators of functions as dominators of the reversed graph.
//!
//! Semi-dominators by the simple version of Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph",
//! TOPLAS 1979), with path compression without recursion: O(m log n) for graphs of any shape.

const NONE: u32 = u32::MAX;

/// A graph on `0..n`, given by the successors of each node.
#[derive(Clone, Debug)]
pub struct Digraph {
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl Digraph {
    /// A graph of `n` nodes with these edges.
    pub fn new(n: usize, edges: &[(u32, u32)]) -> Digraph {
        let mut first = vec![0u32; n + 1];
        for &(from, _) in edges {
            first[from as usize + 1] += 1;
        }
        for i in 0..n {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Digraph { first, targets }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The successors of a node.
    pub fn next(&self, v: u32) -> &[u32] {
        &self.targets[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The graph with all edges reversed.
    pub fn reversed(&self) -> Digraph {
        let edges: Vec<(u32, u32)> =
            (0..self.len() as u32).flat_map(|v| self.next(v).iter().map(move |&w| (w, v))).collect();
        Digraph::new(self.len(), &edges)
    }
}

/// Immediate dominators of the nodes that `root` reaches; `None` for the root and for nodes that it does not reach.
pub fn immediate_dominators(graph: &Digraph, root: u32) -> Vec<Option<u32>> {
    let mut state = LengauerTarjan::new(graph, root);
    state.run(&graph.reversed());
    // Translate depth-first numbers back to nodes.
    let mut idom = vec![None; graph.len()];
    for (i, &v) in state.vertex.iter().enumerate().skip(1) {
        idom[v as usize] = Some(state.vertex[state.idom[i] as usize]);
    }
    idom
}

/// The state of the algorithm. All vectors but `number` are indexed by depth-first numbers.
struct LengauerTarjan {
    number: Vec<u32>,
    vertex: Vec<u32>,
    parent: Vec<u32>,
    semi: Vec<u32>,
    idom: Vec<u32>,
    ancestor: Vec<u32>,
    label: Vec<u32>,
}

impl LengauerTarjan {
    fn new(graph: &Digraph, root: u32) -> LengauerTarjan {
        let mut number = vec![NONE; graph.len()];
        let (mut vertex, mut parent) = (Vec::new(), Vec::new());
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut enter = Some((root, 0));
        loop {
            if let Some((v, from)) = enter.take() {
                number[v as usize] = vertex.len() as u32;
                vertex.push(v);
                parent.push(from);
                path.push((v, 0));
            }
            let Some((v, k)) = path.last_mut() else { break };
            match graph.next(*v).get(*k) {
                Some(&w) => {
                    *k += 1;
                    if number[w as usize] == NONE {
                        enter = Some((w, number[*v as usize]));
                    }
                }
                None => {
                    path.pop();
                }
            }
        }
        let n = vertex.len();
        let own: Vec<u32> = (0..n as u32).collect();
        LengauerTarjan {
            number,
            vertex,
            parent,
            semi: own.clone(),
            idom: vec![0; n],
            ancestor: vec![NONE; n],
            label: own,
        }
    }

    fn run(&mut self, reversed: &Digraph) {
        let n = self.vertex.len();
        let mut bucket: Vec<Vec<u32>> = vec![Vec::new(); n];
        for w in (1..n as u32).rev() {
            for &v in reversed.next(self.vertex[w as usize]) {
                let v = self.number[v as usize];
                if v != NONE {
                    let u = self.eval(v);
                    self.semi[w as usize] = self.semi[w as usize].min(self.semi[u as usize]);
                }
            }
            bucket[self.semi[w as usize] as usize].push(w);
            let p = self.parent[w as usize];
            self.ancestor[w as usize] = p;
            for v in std::mem::take(&mut bucket[p as usize]) {
                let u = self.eval(v);
                self.idom[v as usize] = if self.semi[u as usize] < self.semi[v as usize] { u } else { p };
            }
        }
        for w in 1..n {
            if self.idom[w] != self.semi[w] {
                self.idom[w] = self.idom[self.idom[w] as usize];
            }
        }
    }

    /// The node with the least semi-dominator on the path from `v` to the root of its tree (exclusive).
    fn eval(&mut self, v: u32) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut path = Vec::new();
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            path.push(at);
            at = self.ancestor[at as usize];
        }
        for u in path.into_iter().rev() {
            let a = self.ancestor[u as usize] as usize;
            if self.semi[self.label[a] as usize] < self.semi[self.label[u as usize] as usize] {
                self.label[u as usize] = self.label[a];
            }
            self.ancestor[u as usize] = self.ancestor[a];
        }
        self.label[v as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kerf_testing::Random;

    /// Dominators by definition: `d` dominates `v` if every path from the root to `v` contains `d`.
    fn naive(graph: &Digraph, root: u32) -> Vec<Option<u32>> {
        let n = graph.len() as u32;
        let reach = |without: u32| {
            let mut seen = vec![false; n as usize];
            let mut stack = if root == without { Vec::new() } else { vec![root] };
            while let Some(v) = stack.pop() {
                if v != without && !std::mem::replace(&mut seen[v as usize], true) {
                    stack.extend(graph.next(v));
                }
            }
            seen
        };
        let all = reach(NONE);
        let dominates: Vec<Vec<bool>> =
            (0..n).map(|d| reach(d).iter().zip(&all).map(|(r, a)| *a && !r).collect()).collect();
        let strict = |d: u32, v: u32| d != v && all[d as usize] && dominates[d as usize][v as usize];
        // The immediate dominator is the strict dominator that all others dominate.
        let immediate = |v: u32| {
            let doms: Vec<u32> = (0..n).filter(|&d| strict(d, v)).collect();
            doms.iter().copied().find(|&d| doms.iter().all(|&x| x == d || strict(x, d)))
        };
        (0..n).map(|v| if all[v as usize] { immediate(v) } else { None }).collect()
    }

    #[test]
    fn as_by_definition_on_random_graphs() {
        let mut random = Random::new(1);
        for round in 0..3000 {
            let n = 1 + random.below(12);
            let m = random.below(3 * n);
            let edges: Vec<(u32, u32)> = (0..m).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Digraph::new(n as usize, &edges);
            assert_eq!(immediate_dominators(&graph, 0), naive(&graph, 0), "round {round}: {n} nodes, {edges:?}");
        }
    }

    /// Cooper, Harvey and Kennedy's algorithm, which needs quadratic time on some graphs.
    #[test]
    fn as_petgraph_on_larger_graphs() {
        let mut random = Random::new(2);
        for round in 0..300 {
            let n = 100 + random.below(400);
            // Mostly short edges, as in programs.
            let edge = |_| {
                let from = random.below(n);
                let to = if random.below(4) == 0 { random.below(n) } else { (from + 1 + random.below(3)).min(n - 1) };
                (from as u32, to as u32)
            };
            let edges: Vec<(u32, u32)> = (0..2 * n).map(edge).collect();
            let found = immediate_dominators(&Digraph::new(n as usize, &edges), 0);
            let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
            (0..n).for_each(|_| _ = graph.add_node(()));
            graph.extend_with_edges(&edges);
            let want = petgraph::algo::dominators::simple_fast(&graph, 0.into());
            let want = |v: u32| want.immediate_dominator(v.into()).map(|d| d.index() as u32);
            assert!((0..n as u32).all(|v| found[v as usize] == want(v)), "round {round}: {n} nodes, {edges:?}");
        }
    }
}
