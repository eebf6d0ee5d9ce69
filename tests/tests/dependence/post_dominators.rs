//! Post-dominators by the tree of immediate ones against those of the analysis.

use super::budget;
use cfa::{Cfa, FuncId, Id, LocId, Op, Span};
use frontend_llvm::LoadOptions;
use kerf_testing::Random;
use kerf_tests::tasks::{load_program, programs};
use slicer::dependence::dominators::{Digraph, immediate_dominators};
use slicer::{PrepareOptions, prepare};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use verifier::oracle::dependence::{ByLocation, post_dominators};
use verifier::program::Program;

/// Maximum number of locations of a function that is analysed: the analysis is quadratic.
const MAX_LOCATIONS: usize = 120;

/// One function without its operations, in which all locations lead to the exit.
fn skeleton(cfa: &Cfa, f: FuncId) -> Cfa {
    let mut one = Cfa::new(64);
    let g = one.add_func("f", Span::default());
    one.entry = g;
    let mut of = vec![None; cfa.locs.len()];
    of[cfa.funcs[f].entry.index()] = Some(one.funcs[g].entry);
    of[cfa.funcs[f].exit.index()] = Some(one.funcs[g].exit);
    for (l, loc) in cfa.locs.iter_enumerated().filter(|(_, loc)| loc.func == f) {
        let from = *of[l.index()].get_or_insert_with(|| one.add_loc(g));
        for e in &loc.out {
            let to = *of[cfa.edges[*e].to.index()].get_or_insert_with(|| one.add_loc(g));
            one.add_edge(from, to, Op::Skip, Span::default());
        }
    }
    lead_to_exit(&mut one);
    one
}

/// Adds edges to the exit until all locations of the only function lead there.
fn lead_to_exit(cfa: &mut Cfa) {
    let exit = cfa.funcs[cfa.entry].exit;
    let mut stack = vec![exit];
    let mut leads = vec![false; cfa.locs.len()];
    loop {
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut leads[l.index()], true) {
                stack.extend(cfa.locs[l].into.iter().map(|e| cfa.edges[*e].from));
            }
        }
        let others = |l: &LocId| !leads[l.index()];
        let sinks = cfa.locs.ids().filter(others).find(|l| cfa.out(*l).is_empty());
        let Some(l) = sinks.or_else(|| cfa.locs.ids().find(others)) else { return };
        cfa.add_edge(l, exit, Op::Skip, Span::default());
        stack.push(l);
    }
}

/// Post-dominators of the only function of `cfa`, from the tree of the immediate ones.
fn by_tree(cfa: &Cfa) -> ByLocation<LocId> {
    let edges: Vec<(u32, u32)> = cfa.edges.iter().map(|e| (e.to.0, e.from.0)).collect();
    let tree = immediate_dominators(&Digraph::new(cfa.locs.len(), &edges), cfa.funcs[cfa.entry].exit.0);
    let above = |l: LocId| -> BTreeSet<LocId> {
        std::iter::successors(tree[l.index()], |v| tree[*v as usize]).map(LocId).collect()
    };
    cfa.locs.ids().map(|l| (l, above(l))).collect()
}

/// The tree and the analysis give the same post-dominators.
fn check_post_dominators(cfa: Cfa, what: &str) {
    let expected = by_tree(&cfa);
    let program = Program::uncompacted(Arc::new(cfa));
    let mut solver = smt::standard(smt::Limits::default());
    let found = post_dominators(&program, program.cfa.entry, &mut solver, budget()).expect("an answer");
    assert!(found == expected, "{what}: by the analysis {found:?}, by the tree {expected:?}");
}

/// The automata of every `step`-th task program, ready to be sliced.
fn task_programs(step: usize) -> impl Iterator<Item = (PathBuf, Cfa)> {
    programs("programs").into_iter().step_by(step).map(|file| {
        let loaded = load_program(&file, &LoadOptions::default()).expect("task programs load");
        let (cfa, _) = prepare(loaded.raw, &PrepareOptions::default()).expect("task programs can be prepared");
        (file, cfa)
    })
}

#[test]
fn post_dominators_of_task_programs() {
    let mut checked = 0;
    for (file, cfa) in task_programs(8) {
        let mut size = vec![0; cfa.funcs.len()];
        cfa.locs.iter().for_each(|l| size[l.func.index()] += 1);
        for (f, func) in cfa.funcs.iter_enumerated() {
            if size[f.index()] <= MAX_LOCATIONS {
                check_post_dominators(skeleton(&cfa, f), &format!("{} of {}", func.name, file.display()));
                checked += 1;
            }
        }
    }
    assert!(checked >= 50, "only {checked} functions are small enough");
}

#[test]
fn post_dominators_of_random_graphs() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut cfa = Cfa::new(64);
        let f = cfa.add_func("f", Span::default());
        cfa.entry = f;
        for _ in 0..random.below(20) {
            cfa.add_loc(f);
        }
        let (n, exit) = (cfa.locs.len(), cfa.funcs[f].exit);
        for l in cfa.locs.ids().filter(|l| *l != exit) {
            for _ in 0..random.below(3) {
                cfa.add_edge(l, LocId::from_index(random.below(n)), Op::Skip, Span::default());
            }
        }
        lead_to_exit(&mut cfa);
        check_post_dominators(cfa, &format!("seed {seed}"));
    }
}
