//! How fast control dependence is on large graphs (`cargo bench -p kerf-slicer`): time, dependences found, and how time grows.
//!
//! One function of `n` nodes of each shape; ten thousand functions would be easier.

use kerf_testing::Random;
use slicer::dependence::control_dep::dod::decisions;
use slicer::dependence::control_dep::max_path::MaxPathForest;
use slicer::dependence::control_dep::{ntscd, standard};
use slicer::dependence::dominators::Digraph;
use std::time::Instant;

/// A structured function: statements, branches with and without an else part, loops, returns, nested up to 20 deep.
struct Structured {
    edges: Vec<(u32, u32)>,
    nodes: u32,
    random: Random,
    exit: u32,
}

impl Structured {
    fn graph(n: u32) -> Digraph {
        let mut s = Structured { edges: Vec::new(), nodes: 2, random: Random::new(1), exit: 1 };
        let mut at = 0;
        while s.nodes < n {
            at = s.statement(at, 0);
        }
        s.edges.push((at, s.exit));
        Digraph::new(s.nodes as usize, &s.edges)
    }

    fn node_after(&mut self, v: u32) -> u32 {
        self.nodes += 1;
        self.edges.push((v, self.nodes - 1));
        self.nodes - 1
    }

    fn block(&mut self, mut at: u32, depth: u32) -> u32 {
        for _ in 0..1 + self.random.below(4) {
            at = self.statement(at, depth + 1);
        }
        at
    }

    /// Some nodes after `at`; where control goes on.
    fn statement(&mut self, at: u32, depth: u32) -> u32 {
        if depth >= 20 {
            return self.node_after(at);
        }
        match self.random.below(20) {
            0..=1 => {
                let (yes, no) = (self.node_after(at), self.node_after(at));
                let yes = self.block(yes, depth);
                let no = self.block(no, depth);
                let join = self.node_after(yes);
                self.edges.push((no, join));
                join
            }
            2..=3 => {
                let yes = self.node_after(at);
                let yes = self.block(yes, depth);
                let join = self.node_after(yes);
                self.edges.push((at, join));
                join
            }
            4 => {
                let head = self.node_after(at);
                let body = self.node_after(head);
                let body = self.block(body, depth);
                self.edges.push((body, head));
                self.node_after(head)
            }
            5 if depth > 0 => {
                self.edges.push((at, self.exit));
                self.node_after(at)
            }
            _ => self.node_after(at),
        }
    }
}

/// A state machine in an endless loop: `while (1) { if (s == 0) ... else if (s == 1) ... }`.
fn machine(n: u32) -> Digraph {
    let mut edges = vec![(0, 1)];
    let tests: Vec<u32> = (1..n - 3).step_by(3).collect();
    for &test in &tests {
        let next = if test == tests[tests.len() - 1] { 1 } else { test + 3 };
        edges.extend([(test, test + 1), (test + 1, test + 2), (test + 2, 1), (test, next)]);
    }
    Digraph::new(3 * tests.len() + 1, &edges)
}

/// The same, left after the last test: standard dependence, quadratic here, is the square of a third of the nodes, halved.
fn machine_with_exit(n: u32) -> Digraph {
    let machine = machine(n);
    let exit = machine.len() as u32;
    let mut edges: Vec<(u32, u32)> = (0..exit).flat_map(|v| machine.next(v).iter().map(move |&w| (v, w))).collect();
    edges.push((exit - 3, exit));
    edges.retain(|e| *e != (exit - 3, 1));
    Digraph::new(machine.len() + 1, &edges)
}

/// Any two successors for each node: one large irreducible component.
fn tangle(n: u32) -> Digraph {
    let mut random = Random::new(1);
    // Mostly short jumps, as compilers lay code out.
    let edges: Vec<(u32, u32)> = (0..n - 1)
        .flat_map(|v| {
            let jump =
                if random.one_in(10) { random.below(n) } else { (v + random.below(40)).saturating_sub(10).min(n - 1) };
            [(v, v + 1), (v, jump)]
        })
        .collect();
    Digraph::new(n as usize, &edges)
}

/// The graph with an end that every node reaches: nodes without successors, and one of each endless cycle, go there.
fn with_end(graph: &Digraph) -> (Digraph, u32) {
    let end = graph.len() as u32;
    let mut edges: Vec<(u32, u32)> = (0..end).flat_map(|v| graph.next(v).iter().map(move |&w| (v, w))).collect();
    edges.extend((0..end).filter(|&v| graph.next(v).is_empty()).map(|v| (v, end)));
    let reversed = Digraph::new(end as usize + 1, &edges).reversed();
    let mut seen = vec![false; end as usize + 1];
    let mut reach = |from: u32| {
        let mut stack = vec![from];
        while let Some(v) = stack.pop() {
            if !std::mem::replace(&mut seen[v as usize], true) {
                stack.extend(reversed.next(v));
            }
        }
        seen.iter().position(|s| !s)
    };
    let mut next = reach(end);
    while let Some(v) = next {
        edges.push((v as u32, end));
        next = reach(v as u32);
    }
    (Digraph::new(end as usize + 1, &edges), end)
}

fn time<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64())
}

fn main() {
    println!("shape          nodes   standard            NTSCD               orders");
    type Shape = fn(u32) -> Digraph;
    const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];
    let shapes: [(&str, Shape, &[u32]); 4] = [
        ("structured", Structured::graph, &SIZES),
        ("machine", machine, &SIZES),
        ("with exit", machine_with_exit, &[1_000, 10_000]),
        ("tangle", tangle, &SIZES),
    ];
    for (name, shape, sizes) in shapes {
        for &n in sizes {
            let graph = shape(n);
            let (ended, end) = with_end(&graph);
            let (standard, by_standard) = time(|| {
                let mut count = 0u64;
                standard::for_each_dependence(&ended, end, |_, _| count += 1);
                count
            });
            let ((forest, ntscd), by_ntscd) = time(|| {
                let forest = MaxPathForest::new(&graph);
                let mut count = 0u64;
                ntscd::for_each_dependence(&graph, &forest, |_, _| count += 1);
                (forest, count)
            });
            let (orders, by_orders) = time(|| decisions(&graph, &forest).len());
            println!(
                "{name:10} {:9}  {standard:9} {by_standard:6.3} s  {ntscd:9} {by_ntscd:6.3} s  {orders:6} {by_orders:6.3} s",
                graph.len()
            );
        }
    }
}
