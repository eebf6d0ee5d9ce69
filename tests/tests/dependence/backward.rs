//! Backward slices against what flow dependences make of them.

use super::closure::Closure;
use super::programs::{random_criterion, random_program};
use super::{KINDS, budget};
use cfa::text::print;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, Op};
use kerf_testing::Random;
use slicer::{Criterion, SliceOptions, slice};
use std::collections::BTreeSet;
use std::sync::Arc;
use verifier::oracle::dependence::flow_dependences;
use verifier::program::Program;

pub(crate) fn kept(cfa: &Cfa, criterion: &Criterion, options: SliceOptions) -> (BTreeSet<EdgeId>, Slice) {
    let slice = slice(cfa, std::slice::from_ref(criterion), &options).slice;
    (slice.kept.ones().map(EdgeId::from_index).collect(), slice)
}

/// Within one function, slices are exactly what flow dependences make of them.
#[test]
fn data_dependence_within_a_function() {
    for seed in 0..800 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 1));
        let criterion = random_criterion(&mut random, &cfa);
        for control in KINDS {
            let options = SliceOptions { control, cutoff_diverging: false, ..SliceOptions::default() };
            let (kept, _) = kept(&cfa, &criterion, options);
            let least = Closure::of(&cfa, &criterion, control, false);
            let most = Closure::of(&cfa, &criterion, control, true);
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&cfa));
            assert!(least.is_subset(&kept), "{:?} is missing: {}", &least - &kept, what());
            assert!(kept.is_subset(&most), "{:?} is too much: {}", &kept - &most, what());
        }
    }
}

/// Through calls: a slice that is not context-sensitive keeps all dependences. A context-sensitive one keeps a part of that, and is closed
/// if the calls that it drops do nothing.
#[test]
fn data_dependence_through_calls() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 3));
        let criterion = random_criterion(&mut random, &cfa);
        for control in KINDS {
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&cfa));
            for cutoff_diverging in [false, true] {
                let options =
                    SliceOptions { control, cutoff_diverging, context_sensitive: false, ..SliceOptions::default() };
                let (everywhere, _) = kept(&cfa, &criterion, options);
                if !cutoff_diverging {
                    let least = Closure::of(&cfa, &criterion, control, false);
                    assert!(least.is_subset(&everywhere), "{:?} is missing: {}", &least - &everywhere, what());
                }
                let (kept, slice) = kept(&cfa, &criterion, SliceOptions { context_sensitive: true, ..options });
                assert!(kept.is_subset(&everywhere), "{:?} is too much: {}", &kept - &everywhere, what());
                let program = Program::uncompacted(Arc::new(without_dropped_calls(&cfa, &slice)));
                let mut solver = smt::standard(smt::Limits::default());
                for d in flow_dependences(&program, &mut solver, budget()).expect("an answer") {
                    let closed = !kept.contains(&d.on) || kept.contains(&d.from);
                    assert!(closed, "{} uses what {} defines, which is dropped: {}", d.on, d.from, what());
                }
            }
        }
    }
}

/// The live part of the program; calls that are not kept do nothing.
fn without_dropped_calls(cfa: &Cfa, slice: &Slice) -> Cfa {
    let mut cut = cfa.clone();
    for e in cfa.edges.ids() {
        if !slice.live.contains(e.index()) {
            cut.locs[cfa.edges[e].from].out.retain(|x| *x != e);
            cut.locs[cfa.edges[e].to].into.retain(|x| *x != e);
        } else if matches!(cfa.edges[e].op, Op::Call(_)) && !slice.kept.contains(e.index()) {
            cut.edges[e].op = Op::Skip;
        }
    }
    cut
}
