//! Control dependence within a function against its definitions, computed naively on small graphs: all of four nodes, and thousands
//! of random ones. Then the documents' examples, calls that may not return, and orders, on programs.

use cfa::LocId;
use cfa::text::parse;
use kerf_testing::Random;
use slicer::dependence::control_dep::dod::decisions;
use slicer::dependence::control_dep::max_path::MaxPathForest;
use slicer::dependence::control_dep::{ControlDependence, ControlKind, ntscd, standard};
use slicer::dependence::dominators::Digraph;
use slicer::dependence::relevant::Live;
use std::collections::BTreeSet;

/// Pairs of a node and the branch that it depends on.
type Dependences = BTreeSet<(u32, u32)>;

/// A graph of `n` nodes with at most `degree` successors each.
fn random_graph(random: &mut Random, n: u32, degree: u32) -> Digraph {
    let mut edges = Vec::new();
    for v in 0..n {
        for _ in 0..random.below(degree + 1) {
            edges.push((v, random.below(n)));
        }
    }
    Digraph::new(n as usize, &edges)
}

/// The graphs on four nodes with at most two successors each.
fn graphs_of_four() -> impl Iterator<Item = Digraph> {
    let mut choices: Vec<Vec<u32>> = vec![vec![]];
    choices.extend((0..4).map(|a| vec![a]));
    choices.extend((0..4).flat_map(|a| (a + 1..4).map(move |b| vec![a, b])));
    let k = choices.len();
    (0..k.pow(4)).map(move |i| {
        let edges: Vec<(u32, u32)> =
            (0..4u32).flat_map(|v| choices[i / k.pow(v) % k].iter().map(move |&w| (v, w))).collect();
        Digraph::new(4, &edges)
    })
}

fn nodes(graph: &Digraph) -> std::ops::Range<u32> {
    0..graph.len() as u32
}

fn edges(graph: &Digraph) -> Vec<(u32, u32)> {
    nodes(graph).flat_map(|v| graph.next(v).iter().map(move |&w| (v, w))).collect()
}

/// Nodes from which some path without `avoided` reaches `to`.
fn reach(graph: &Digraph, to: u32, avoided: Option<u32>) -> Vec<bool> {
    let mut found = vec![false; graph.len()];
    found[to as usize] = Some(to) != avoided;
    loop {
        let new = nodes(graph)
            .find(|&v| !found[v as usize] && Some(v) != avoided && graph.next(v).iter().any(|&w| found[w as usize]));
        let Some(v) = new else { return found };
        found[v as usize] = true;
    }
}

/// Nodes from which some maximal path does not contain `v`: the greatest set without `v` that can be stayed in to the end.
fn avoids(graph: &Digraph, v: u32) -> Vec<bool> {
    let mut found: Vec<bool> = nodes(graph).map(|w| w != v).collect();
    let stays = |found: &[bool], w: u32| graph.next(w).is_empty() || graph.next(w).iter().any(|&x| found[x as usize]);
    while let Some(w) = nodes(graph).find(|&w| found[w as usize] && !stays(&found, w)) {
        found[w as usize] = false;
    }
    found
}

/// Nodes from which some maximal path contains `b` before any `a`, or no `a`.
fn may_miss_or_come_late(graph: &Digraph, a: u32, b: u32) -> Vec<bool> {
    let mut found = avoids(graph, a);
    found[b as usize] = true;
    found[a as usize] = false;
    while let Some(v) =
        nodes(graph).find(|&v| v != a && !found[v as usize] && graph.next(v).iter().any(|&w| found[w as usize]))
    {
        found[v as usize] = true;
    }
    found
}

/// Some successor of `p` has the property, and some has it not.
fn some_not_all(graph: &Digraph, p: u32, property: impl Fn(u32) -> bool) -> bool {
    graph.next(p).iter().any(|&s| property(s)) && !graph.next(p).iter().all(|&s| property(s))
}

fn standard_by_definition(graph: &Digraph, end: u32) -> Dependences {
    let mut found = Dependences::new();
    for v in nodes(graph).filter(|v| *v != end) {
        let around = reach(graph, end, Some(v));
        let branches = nodes(graph).filter(|&p| some_not_all(graph, p, |s| !around[s as usize]));
        found.extend(branches.map(|p| (v, p)));
    }
    found
}

fn ntscd_by_definition(graph: &Digraph) -> Dependences {
    let mut found = Dependences::new();
    for v in nodes(graph) {
        let avoids = avoids(graph, v);
        let branches = nodes(graph).filter(|&p| some_not_all(graph, p, |s| !avoids[s as usize]));
        found.extend(branches.map(|p| (v, p)));
    }
    found
}

/// Triples of a branch and two nodes, the lesser one first.
fn dod_by_definition(graph: &Digraph) -> BTreeSet<(u32, u32, u32)> {
    let mut found = BTreeSet::new();
    for a in nodes(graph) {
        for b in a + 1..graph.len() as u32 {
            let (without_a, without_b) = (avoids(graph, a), avoids(graph, b));
            let (late_a, late_b) = (may_miss_or_come_late(graph, a, b), may_miss_or_come_late(graph, b, a));
            for p in nodes(graph).filter(|&p| !without_a[p as usize] && !without_b[p as usize]) {
                let by = |late: &[bool]| graph.next(p).iter().any(|&s| !late[s as usize]);
                if by(&late_a) && by(&late_b) {
                    found.insert((p, a, b));
                }
            }
        }
    }
    found
}

/// All that is reported, each once.
fn collect(search: impl FnOnce(&mut dyn FnMut(u32, u32))) -> Dependences {
    let mut found = Dependences::new();
    search(&mut |v, p| assert!(found.insert((v, p)), "reported twice: {v} on {p}"));
    found
}

/// NTSCD and DOD of a graph are what their definitions say; returns how many triples there are.
fn check_strong(graph: &Digraph) -> usize {
    let forest = MaxPathForest::new(graph);
    let ntscd = collect(|each| ntscd::for_each_dependence(graph, &forest, each));
    assert_eq!(ntscd, ntscd_by_definition(graph), "NTSCD of {:?}", edges(graph));
    let mut dod = BTreeSet::new();
    for d in decisions(graph, &forest) {
        for &a in &d.first {
            dod.extend(d.second.iter().map(|&b| (d.predicate, a.min(b), a.max(b))));
        }
    }
    assert_eq!(dod, dod_by_definition(graph), "DOD of {:?}", edges(graph));
    dod.len()
}

#[test]
fn strong_dependence_is_as_defined_on_all_graphs_of_four_nodes() {
    let triples: usize = graphs_of_four().map(|g| check_strong(&g)).sum();
    assert!(triples > 0);
}

#[test]
fn strong_dependence_is_as_defined_on_random_graphs() {
    let mut random = Random::new(1);
    let mut triples = 0;
    for round in 0..20_000 {
        let (n, degree) = (1 + random.below(9), 1 + round % 3);
        let graph = random_graph(&mut random, n, degree);
        triples += check_strong(&graph);
    }
    assert!(triples > 0);
}

/// Several cycles without exits that branches enter anywhere: where orders are decided.
#[test]
fn strong_dependence_is_as_defined_around_endless_cycles() {
    let mut random = Random::new(2);
    let mut triples = 0;
    for _ in 0..5_000 {
        let (cycle, branches) = (2 + random.below(5) as u32, 1 + random.below(5) as u32);
        let mut all: Vec<(u32, u32)> = (0..cycle).map(|i| (i, (i + 1) % cycle)).collect();
        let n = cycle + branches;
        for p in cycle..n {
            // To the cycle or to a later branch, so that the cycle is entered for sure (mostly).
            let later = |random: &mut Random| {
                if p + 1 < n && random.below(3) == 0 {
                    p + 1 + random.below(u64::from(n - p - 1)) as u32
                } else {
                    random.below(u64::from(cycle)) as u32
                }
            };
            for _ in 0..2 + random.below(2) {
                all.push((p, later(&mut random)));
            }
        }
        if random.below(4) == 0 {
            all.push((random.below(u64::from(n)) as u32, random.below(u64::from(n)) as u32));
        }
        triples += check_strong(&Digraph::new(n as usize, &all));
    }
    assert!(triples > 5_000, "{triples} triples");
}

#[test]
fn standard_dependence_is_as_defined_on_random_graphs() {
    let mut random = Random::new(3);
    for round in 0..10_000 {
        let n = 1 + random.below(9);
        let graph = random_graph(&mut random, n, 1 + round % 3);
        // What does not reach the end goes there.
        let end = n;
        let mut all: Vec<(u32, u32)> = edges(&graph);
        for v in 0..end {
            let graph = Digraph::new(n as usize + 1, &all);
            if !reach(&graph, end, None)[v as usize] {
                all.push((v, end));
            }
        }
        let graph = Digraph::new(n as usize + 1, &all);
        let found = collect(|each| standard::for_each_dependence(&graph, end, each));
        assert_eq!(found, standard_by_definition(&graph, end), "of {all:?}");
    }
}

/// What each location of a program depends on, one line for each that depends on something. All that can be reached is live.
fn dependences(text: &str, kind: ControlKind) -> String {
    let cfa = parse(text).expect("a program");
    let control = ControlDependence::new(&cfa, &Live::reachable(&cfa), &cfa.targets, kind.into());
    let line = |l: LocId| {
        let mut of: Vec<LocId> = control.controllers(l).to_vec();
        of.sort_unstable();
        of.iter().fold(format!("{l}:"), |line, p| format!("{line} {p}"))
    };
    let lines: Vec<String> = cfa.locs.ids().filter(|l| !control.controllers(*l).is_empty()).map(line).collect();
    lines.join("\n")
}

fn check(text: &str, standard: &str, ntscd: &str) {
    assert_eq!(dependences(text, ControlKind::Standard), standard, "standard");
    assert_eq!(dependences(text, ControlKind::Ntscd), ntscd, "NTSCD");
}

const HEAD: &str = "cfa 1\npointer_bits 64\nentry main\n";

fn main_of(exit: u32, edges: &str) -> String {
    format!("{HEAD}func main entry l0 exit l{exit}\nvar c bool of main\nin main\n{edges}")
}

/// [Lemberger 2018, Fig. 20]: an if with a loop in it. What is in the loop depends on the outer branch through the inner one only.
#[test]
fn figure_20() {
    let text = main_of(
        7,
        "l0 -> l1: skip\nl1 -> l2: [c]\nl1 -> l6: [(not c)]\nl2 -> l3: skip\nl3 -> l4: [c]\nl3 -> l6: [(not c)]\n\
         l4 -> l5: skip\nl5 -> l3: skip\nl6 -> l7: skip\n",
    );
    check(
        &text,
        "l2: l1\nl3: l1 l3\nl4: l3\nl5: l3",
        // The loop may go on for ever: whether what follows is reached hangs on both.
        "l2: l1\nl3: l1 l3\nl4: l3\nl5: l3\nl6: l1 l3\nl7: l1 l3",
    );
}

/// [Lemberger 2018, Fig. 11]: the control dependences in the graph of the running example.
#[test]
fn the_running_example() {
    let text =
        include_str!("../../cfa/tests/fixtures/running_example.cfa").replace("  target l13", "  l13 -> l19: skip");
    check(
        &text,
        "l5: l5\nl6: l5\nl13: l12\nl15: l12 l15\nl16: l15\nl18: l12",
        "l5: l5\nl6: l5\nl9: l5\nl12: l5\nl13: l12\nl15: l12 l15\nl16: l15\nl18: l15\nl19: l12 l15",
    );
}

/// The graph with which Chalupa et al. tell the kinds apart: `l3` is a loop on its own.
#[test]
fn a_loop_beside_a_branch() {
    let text = main_of(
        4,
        "l0 -> l1: [c]\nl0 -> l4: [(not c)]\nl1 -> l2: [c]\nl1 -> l4: [(not c)]\nl2 -> l3: skip\nl3 -> l3: [c]\n\
         l3 -> l4: [(not c)]\n",
    );
    check(&text, "l1: l0\nl2: l1\nl3: l1 l3", "l1: l0\nl2: l1\nl3: l1 l3\nl4: l0 l1 l3");
}

/// A call of a function that may abort, and one of a function that may loop: what follows depends on the call, and for the caller of
/// their caller again.
#[test]
fn calls_that_may_not_return() {
    let text = format!(
        "{HEAD}func main entry l0 exit l1\nfunc check entry l2 exit l3\nfunc wait entry l4 exit l5\nfunc again entry l6 exit l7\n\
         var c bool\n\
         in main\nl0 -> l10: call check\nl10 -> l11: call wait\nl11 -> l12: call again\nl12 -> l1: skip\n\
         in check\nl2 -> l3: [c]\nl2 -> l13: [(not c)]\nloc l13\n\
         in wait\nl4 -> l4: [c]\nl4 -> l5: [(not c)]\n\
         in again\nl6 -> l7: [c]\nl6 -> l14: [(not c)]\nl14 -> l7: call again\n"
    );
    check(
        &text,
        "l1: l0\nl3: l2\nl4: l4\nl10: l0\nl11: l0\nl12: l0\nl13: l2\nl14: l6",
        "l1: l11\nl3: l2\nl4: l4\nl5: l4\nl7: l6 l14\nl10: l0\nl11: l10\nl12: l11\nl13: l2\nl14: l6",
    );
}

/// A loop that is left only towards a call that ends at the target may as well run for ever; one after which the function goes
/// on, where the callee may come back, counts as left.
#[test]
fn loops_in_front_of_a_call_that_holds_the_target() {
    let program = |callee: &str| {
        format!(
            "{HEAD}func main entry l0 exit l1\nfunc fail entry l3 exit l4\nvar c bool\n\
             in main\nl0 -> l0: [c]\nl0 -> l2: [(not c)]\nl2 -> l1: call fail\n\
             in fail\n{callee}target l5\n"
        )
    };
    let never_returns = dependences(&program("l3 -> l5: skip\n"), ControlKind::Standard);
    assert_eq!(never_returns, "l0: l0\nl2: l0");
    let may_return = dependences(&program("l3 -> l5: [c]\nl3 -> l4: [(not c)]\n"), ControlKind::Standard);
    assert_eq!(may_return, "l0: l0\nl1: l2\nl4: l3\nl5: l3");
}

/// An endless loop with two entries: which of `l2`, `l3` comes first is decided at `l0`, and matters once both do.
#[test]
fn decided_orders() {
    let text = main_of(1, "l0 -> l2: [c]\nl0 -> l3: [(not c)]\nl2 -> l4: skip\nl4 -> l3: skip\nl3 -> l2: skip\n");
    let cfa = parse(&text).expect("a program");
    let live = Live::reachable(&cfa);
    let control = ControlDependence::new(&cfa, &live, &[], ControlKind::NtscdDod.into());
    let mut orders = control.decided_orders();
    let mut add = |l: u32| {
        let mut found = Vec::new();
        orders.add(&control, LocId(l), |p| found.push(p.0));
        found
    };
    assert_eq!([add(2), add(4), add(2), add(3), add(3)], [vec![], vec![], vec![], vec![0], vec![]]);
    let predicates = |l: u32| control.order_predicates(LocId(l)).collect::<Vec<_>>();
    assert_eq!([predicates(2), predicates(3), predicates(0)], [vec![LocId(0)], vec![LocId(0)], vec![]]);
    let without = ControlDependence::new(&cfa, &live, &[], ControlKind::Ntscd.into());
    assert_eq!(without.order_predicates(LocId(2)).count(), 0);
}
