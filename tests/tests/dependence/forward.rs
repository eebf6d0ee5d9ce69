//! Forward slices against the closure of flow dependences and control dependences.

use super::KINDS;
use super::closure::affected;
use super::programs::{random_criterion, random_program};
use cfa::text::print;
use cfa::{Cfa, EdgeId, Id, LocId, VarId};
use kerf_testing::Random;
use slicer::dependence::relevant::Live;
use slicer::{Criterion, SliceOptions, forward_slice};
use std::collections::BTreeSet;
use std::sync::Arc;

fn forward(cfa: &Cfa, criterion: &Criterion, options: SliceOptions) -> BTreeSet<EdgeId> {
    let sliced = forward_slice(cfa, std::slice::from_ref(criterion), &options).expect("a small graph");
    let found: BTreeSet<EdgeId> = sliced.slice.kept.ones().map(EdgeId::from_index).collect();
    for e in cfa.edges.ids() {
        let chain: Vec<_> = sliced.reasons.chain(e).collect();
        assert_eq!(chain.is_empty(), !found.contains(&e), "{e} has a reason if and only if it is affected");
        assert!(chain.len() <= found.len() && chain.iter().all(|(e, _)| found.contains(e)), "{e}: {chain:?}");
    }
    found
}

/// The edges of one function that use what `v` holds at `l`.
fn uses(cfa: &Cfa, l: LocId, v: VarId) -> Vec<EdgeId> {
    let (mut found, mut seen, mut work) = (Vec::new(), BTreeSet::new(), vec![l]);
    while let Some(l) = work.pop() {
        if !seen.insert(l) {
            continue;
        }
        for &e in cfa.out(l) {
            let op = &cfa.edges[e].op;
            if op.terms().into_iter().any(|t| cfa.terms.vars(t).contains(&v)) {
                found.push(e);
            }
            if !op.written().contains(&v) {
                work.push(cfa.edges[e].to);
            }
        }
    }
    found
}

#[test]
fn edges_and_values_within_a_function() {
    for seed in 0..800 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 1));
        let mut criterion = random_criterion(&mut random, &cfa);
        if criterion.vars.is_empty() {
            criterion = Criterion::acts(&cfa, EdgeId::from_index(random.below(cfa.edges.len())));
        }
        let mut seeds = criterion.edges.clone();
        seeds.extend(criterion.vars.iter().flat_map(|v| uses(&cfa, criterion.at, *v)));
        for control in KINDS {
            let found = forward(&cfa, &criterion, SliceOptions { control, ..SliceOptions::default() });
            let expected = affected(&cfa, &seeds, control);
            assert_eq!(found, expected, "seed {seed}, {control:?}, {criterion:?}\n{}", print(&cfa));
        }
    }
}

/// Through calls the closure of single dependences forgets where it came from: it has at least what respects contexts has, and at most
/// what ignores them.
#[test]
fn through_calls() {
    let mut apart = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 3));
        let live = Live::reachable(&cfa);
        let edges: Vec<EdgeId> = cfa.edges.ids().filter(|e| live.edge(*e)).collect();
        let e = random.pick(&edges);
        let criterion = Criterion::acts(&cfa, e);
        for control in KINDS {
            let options = SliceOptions { control, ..SliceOptions::default() };
            let sensitive = forward(&cfa, &criterion, options);
            let insensitive = forward(&cfa, &criterion, SliceOptions { context_sensitive: false, ..options });
            let closure = affected(&cfa, &[e], control);
            let what = || format!("seed {seed}, {control:?}, {e}\n{}", print(&cfa));
            assert!(sensitive.is_subset(&closure), "{:?} is too much: {}", &sensitive - &closure, what());
            assert!(closure.is_subset(&insensitive), "{:?} is missing: {}", &closure - &insensitive, what());
            apart += usize::from(sensitive != insensitive);
        }
    }
    assert!(apart > 20, "contexts matter in {apart} slices only");
}
