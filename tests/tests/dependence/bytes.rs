//! Dependences through bytes of a memory against flow dependences of the same program with a variable for each byte.

use super::KINDS;
use super::backward::kept;
use super::closure::{Closure, affected};
use super::programs::{BASE, Generated, Memory, program_with_memory, random_criterion};
use cfa::bytes::Bytes;
use cfa::text::print;
use cfa::{Cfa, EdgeId, Id};
use kerf_testing::Random;
use slicer::{Criterion, SliceOptions, forward_slice};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The same random program with a memory and with variables, and what random numbers follow.
fn both(seed: u64, functions: usize) -> (Generated, Arc<Cfa>, Random) {
    let mut random = Random::new(seed);
    let program = program_with_memory(&mut random, functions, Memory::Array);
    let scalars = program_with_memory(&mut Random::new(seed), functions, Memory::Scalars);
    (program, Arc::new(scalars.cfa), random)
}

/// A criterion with some bytes of the memory, and the same one for the program with variables.
fn criteria(random: &mut Random, program: &Generated) -> (Criterion, Criterion) {
    let mut with_bytes = random_criterion(random, &program.cfa);
    with_bytes.vars.retain(|v| *v != program.memory && !program.bytes.contains(v));
    let mut with_vars = with_bytes.clone();
    for (i, v) in program.bytes.iter().enumerate().filter(|_| random.one_in(3)) {
        let byte = Bytes::from(BASE + i as u64, 1).expect("a byte");
        with_bytes.bytes.push((program.memory, byte));
        with_vars.vars.push(*v);
    }
    (with_bytes, with_vars)
}

#[test]
fn backward_within_a_function() {
    for seed in 0..800 {
        let (program, scalars, mut random) = both(seed, 1);
        let (criterion, with_vars) = criteria(&mut random, &program);
        for control in KINDS {
            let options = SliceOptions { control, cutoff_diverging: false, ..SliceOptions::default() };
            let (kept, _) = kept(&program.cfa, &criterion, options);
            let least = Closure::of(&scalars, &with_vars, control, false);
            let most = Closure::of(&scalars, &with_vars, control, true);
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&program.cfa));
            assert!(least.is_subset(&kept), "{:?} is missing: {}", &least - &kept, what());
            assert!(kept.is_subset(&most), "{:?} is too much: {}", &kept - &most, what());
        }
    }
}

/// Calls count as writing all of a memory, so that more is kept than flows.
#[test]
fn backward_through_calls() {
    for seed in 0..300 {
        let (program, scalars, mut random) = both(seed, 3);
        let (criterion, with_vars) = criteria(&mut random, &program);
        for control in KINDS {
            let options =
                SliceOptions { control, cutoff_diverging: false, context_sensitive: false, ..SliceOptions::default() };
            let (kept, _) = kept(&program.cfa, &criterion, options);
            let least = Closure::of(&scalars, &with_vars, control, false);
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&program.cfa));
            assert!(least.is_subset(&kept), "{:?} is missing: {}", &least - &kept, what());
        }
    }
}

#[test]
fn forward_within_a_function() {
    for seed in 0..300 {
        let (program, scalars, mut random) = both(seed, 1);
        let seed_edge = EdgeId::from_index(random.below(program.cfa.edges.len()));
        for control in KINDS {
            let options = SliceOptions { control, ..SliceOptions::default() };
            let criterion = Criterion::acts(&program.cfa, seed_edge);
            let found = forward_slice(&program.cfa, &[criterion], &options).expect("a small graph").slice.kept;
            let found: BTreeSet<EdgeId> = found.ones().map(EdgeId::from_index).collect();
            let expected = affected(&scalars, &[seed_edge], control);
            assert_eq!(found, expected, "seed {seed}, {control:?}, {seed_edge}\n{}", print(&program.cfa));
        }
    }
}
