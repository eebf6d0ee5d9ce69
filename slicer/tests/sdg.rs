//! The system dependence graph: the papers' examples, summary edges against paths that are followed naively, both directions against each other, and
//! what a slice depends on against the slice that is a program.

use crate::common::random::scalar_program;
use crate::common::{Build, RunningExample};
use cfa::bv::BvCmp;
use cfa::{Cfa, EdgeId, FuncId, Id, Op, VarId};
use expect_test::expect;
use kerf_testing::Random;
use slicer::criteria::of_path;
use slicer::dependence::control_dep::{ControlDependence, ControlKind};
use slicer::dependence::relevant::Live;
use slicer::dependence::sdg::{Arc, Sdg, Vertex, edges_of};
use slicer::dependence::summary::{Direction, Summaries};
use slicer::{Criterion, SliceOptions, slice};
use std::collections::BTreeSet;

/// The arcs between edges, one line for each edge on which others depend, by the names given to edges.
fn arcs(cfa: &Cfa, named: &[(EdgeId, &str)]) -> String {
    let live = Live::reachable(cfa);
    let control = ControlDependence::new(cfa, &live, &[], ControlKind::Standard.into());
    let graph = Sdg::new(cfa, &live, &control).expect("a small graph");
    let name = |v: u32| match graph.vertices()[v as usize] {
        Vertex::Edge(e) => named.iter().find(|(n, _)| *n == e).map(|(_, name)| *name),
        _ => None,
    };
    let mut lines = String::new();
    for (e, from) in named {
        let v = graph.number(Vertex::Edge(*e)).expect("a live edge");
        let mut to: Vec<&str> = graph.successors(v).iter().filter_map(|(w, _)| name(*w)).collect();
        to.sort_unstable();
        lines.push_str(&format!("{from} -> {}\n", to.join(" ")));
    }
    lines
}

/// [Lemberger 2018, Fig. 11]: the dependences of the running example.
#[test]
fn dependences_of_the_running_example() {
    let RunningExample { b, l2, l3, l4, l5, l6, l9, l12, l15, l16, l18, .. } = RunningExample::new();
    let named = [
        (l2, "l2"),
        (l3, "l3"),
        (l4, "l4"),
        (l5[0], "l5+"),
        (l5[1], "l5-"),
        (l6, "l6"),
        (l9, "l9"),
        (l12[0], "l12+"),
        (l12[1], "l12-"),
        (l15[0], "l15+"),
        (l15[1], "l15-"),
        (l16, "l16"),
        (l18, "l18"),
    ];
    expect![[r#"
        l2 -> l12+ l12- l5+ l5- l6
        l3 -> l9
        l4 -> l12+ l12- l15+ l15- l16
        l5+ -> l5+ l5- l6
        l5- -> l5+ l5- l6
        l6 -> l12+ l12- l5+ l5- l6
        l9 -> l15+ l15-
        l12+ -> l15+ l15- l18
        l12- -> l15+ l15- l18
        l15+ -> l15+ l15- l16
        l15- -> l15+ l15- l16
        l16 -> l15+ l15- l16
        l18 -> 
    "#]]
    .assert_eq(&arcs(&b.cfa, &named));
}

/// [Lemberger 2018, Fig. 21]: nothing decides whether the error is reached, so that the slice for it is empty; the one for a path to it has the test and
/// what the test reads.
#[test]
fn target_location_against_target_path() {
    let mut b = Build::new(32);
    let x = b.local("x", 32);
    let (tx, zero) = (b.var(x), b.int(32, 0));
    let l0 = b.step(Op::assign(x, zero));
    let below = b.cfa.terms.cmp(BvCmp::Slt, tx, zero);
    let (other, l1_yes, l1_no) = b.branch(below);
    let l3 = b.step(Op::Skip);
    let join = b.at;
    b.go(other);
    let l2 = b.step_to(Op::Skip, join);
    let l4 = b.step(Op::Skip);
    let error = b.at;
    b.cfa.targets.push(error);
    let named = [(l0, "l0"), (l1_yes, "l1+"), (l1_no, "l1-"), (l2, "l2"), (l3, "l3"), (l4, "l4")];
    expect![[r#"
        l0 -> l1+ l1-
        l1+ -> l2 l3
        l1- -> l2 l3
        l2 -> 
        l3 -> 
        l4 -> 
    "#]]
    .assert_eq(&arcs(&b.cfa, &named));
    let kept = |criteria: &[Criterion]| -> Vec<EdgeId> {
        let sliced = slice(&b.cfa, criteria, &SliceOptions::default());
        sliced.slice.kept.ones().map(EdgeId::from_index).collect()
    };
    assert_eq!(kept(&[Criterion::reach(error)]), []);
    assert_eq!(kept(&of_path(&b.cfa, &[l0, l1_yes, l3, l4])), [l0, l1_yes]);
    assert_eq!(kept(&of_path(&b.cfa, &[l0, l1_no, l2, l4])), [l0, l1_no]);
}

/// A random graph: functions with two formal-ins and -outs, a few edges, and calls.
fn random_graph(random: &mut Random) -> Sdg {
    let functions = 1 + random.below(4);
    let (mut vertices, mut arcs) = (Vec::new(), Vec::new());
    let mut edges = 0;
    let mut inside: Vec<Vec<Vertex>> = Vec::new();
    let mut calls = Vec::new();
    let pair = || (0..2).map(VarId::from_index);
    for f in (0..functions).map(FuncId::from_index) {
        let mut own = vec![Vertex::Entry(f)];
        own.extend(pair().map(|v| Vertex::FormalIn(f, v)));
        own.extend(pair().map(|v| Vertex::FormalOut(f, Some(v))));
        for _ in 0..random.below(4) {
            let e = EdgeId::from_index(edges);
            edges += 1;
            own.push(Vertex::Edge(e));
            if random.below(2) == 0 {
                let callee = FuncId::from_index(random.below(functions));
                own.extend(pair().map(|v| Vertex::ActualIn(e, v)));
                own.extend(pair().map(|v| Vertex::ActualOut(e, Some(v))));
                calls.push((e, callee));
            }
        }
        vertices.extend(&own);
        inside.push(own);
    }
    let number = |v: Vertex| vertices.iter().position(|w| *w == v).expect("a vertex") as u32;
    for own in &inside {
        for _ in 0..own.len() * 3 / 2 {
            let (a, b) = (random.pick(own), random.pick(own));
            arcs.push((number(a), number(b), Arc::Inside));
        }
    }
    for (e, f) in calls {
        arcs.push((number(Vertex::Edge(e)), number(Vertex::Entry(f)), Arc::Into));
        for v in pair() {
            arcs.push((number(Vertex::ActualIn(e, v)), number(Vertex::FormalIn(f, v)), Arc::Into));
            let out = Some(v);
            arcs.push((number(Vertex::FormalOut(f, out)), number(Vertex::ActualOut(e, out)), Arc::OutOf));
        }
    }
    Sdg::of_arcs(vertices, &arcs)
}

/// Summary edges by trying, again and again, which formal-outs each formal-in reaches over those known so far.
fn naive_summaries(graph: &Sdg) -> BTreeSet<(u32, u32)> {
    let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
    loop {
        let before = known.len();
        for into in 0..graph.vertices().len() as u32 {
            let crossed = graph.predecessors(into).iter().filter(|(_, arc)| *arc == Arc::Into);
            let callers: Vec<u32> = crossed.map(|(v, _)| *v).collect();
            let mut seen = BTreeSet::new();
            let mut work = vec![into];
            while let Some(v) = work.pop() {
                if !seen.insert(v) {
                    continue;
                }
                work.extend(graph.successors(v).iter().filter(|(_, arc)| *arc == Arc::Inside).map(|(w, _)| *w));
                work.extend(known.iter().filter(|(a, _)| *a == v).map(|(_, b)| *b));
                for &(out, _) in graph.successors(v).iter().filter(|(_, arc)| *arc == Arc::OutOf) {
                    let call = |v: u32| match graph.vertices()[v as usize] {
                        Vertex::Edge(e) | Vertex::ActualIn(e, _) | Vertex::ActualOut(e, _) => e,
                        other => panic!("{other:?} is not of a call"),
                    };
                    known.extend(callers.iter().filter(|c| call(**c) == call(out)).map(|c| (*c, out)));
                }
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

#[test]
fn summary_edges_are_the_paths_through_calls() {
    let mut found = 0;
    for seed in 0..400 {
        let graph = random_graph(&mut Random::new(seed));
        let edges = Summaries::new(&graph).edges();
        assert_eq!(edges, naive_summaries(&graph).into_iter().collect::<Vec<_>>(), "seed {seed}");
        found += edges.len();
    }
    assert!(found > 400, "{found}");
}

/// `a` depends on `b` if and only if the forward slice of `b` has `a`.
#[test]
fn both_directions_agree() {
    for seed in 0..100 {
        let graph = random_graph(&mut Random::new(seed));
        let summaries = Summaries::new(&graph);
        let all = 0..graph.vertices().len() as u32;
        let forward: Vec<_> = all.clone().map(|v| summaries.slice(&graph, &[v], Direction::Forward)).collect();
        for v in all {
            let backward = summaries.slice(&graph, &[v], Direction::Backward);
            for (w, reached) in forward.iter().enumerate() {
                assert_eq!(backward.contains(&(w as u32)), reached.contains(&v), "seed {seed}: {w} to {v}");
            }
        }
    }
}

/// A slice that is a program keeps all that its criterion depends on, in the contexts in which it does. (Without memories, which the
/// graph does not take apart where they pass between functions.)
#[test]
fn slices_keep_what_they_depend_on() {
    let mut smaller = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let cfa = scalar_program(&mut random).cfa;
        let live = Live::reachable(&cfa);
        let acting: Vec<EdgeId> =
            cfa.edges.ids().filter(|e| live.edge(*e) && !cfa.edges[*e].op.terms().is_empty()).collect();
        if acting.is_empty() {
            continue;
        }
        let e = random.pick(&acting);
        let at = cfa.edges[e].from;
        let options = SliceOptions { cutoff_diverging: false, ..SliceOptions::default() };
        let kept = slice(&cfa, &[Criterion::acts(&cfa, e)], &options).slice.kept;
        let control = ControlDependence::new(&cfa, &live, &[at, cfa.edges[e].to], ControlKind::Standard.into());
        let graph = Sdg::new(&cfa, &live, &control).expect("a small graph");
        let number = graph.number(Vertex::Edge(e)).expect("a live edge");
        let closure = Summaries::new(&graph).slice(&graph, &[number], Direction::Backward);
        let edges = edges_of(&graph, &closure);
        for needed in &edges {
            assert!(kept.contains(needed.index()), "seed {seed}: {e} depends on {needed}");
        }
        smaller += usize::from(edges.len() < kept.count_ones(..));
    }
    assert!(smaller > 0);
}
