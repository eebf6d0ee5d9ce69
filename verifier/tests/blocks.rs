//! The block graph: the order in a block, its exits, and transition systems that are explored on demand.

use crate::support::generator::random_program;
use crate::support::*;
use verifier::blocks::{BlockGraph, Blocks, CutId, ExitKind, Limits, Next, System, Unrolling};
use verifier::program::{Halt, Program};

const LIMITS: Limits = Limits { cuts: 200, depth: 20 };

/// Explores the blocks of a program as far as the limits go, and calls `check` with each.
fn each_block(
    program: &Program,
    blocks: Blocks,
    check: &mut dyn FnMut(&BlockGraph<'_>, &verifier::blocks::BlockPaths),
) {
    let mut terms = program.overlay();
    let mut graph = BlockGraph::new(program, blocks);
    let explored = graph.explore(&mut terms, LIMITS.cuts, LIMITS.depth, patient());
    assert!(matches!(explored, Ok(()) | Err(Halt::OutOfBudget(_) | Halt::TooDeep(_))), "{explored:?}");
    let mut cut = Some(CutId::START);
    let mut seen = vec![CutId::START];
    while let Some(at) = cut {
        let block = graph.block(&mut terms, at, patient()).expect("a block");
        check(&graph, &block);
        for exit in &block.exits {
            if let ExitKind::End(to) = exit.kind
                && !seen.contains(&to)
                && seen.len() < LIMITS.cuts
            {
                seen.push(to);
            }
        }
        cut = seen.iter().skip_while(|c| **c != at).nth(1).copied();
    }
}

#[test]
fn fuzz_places_come_after_their_predecessors() {
    for seed in 0..kerf_testing::fuzz_runs(100) {
        let program = random_program(seed);
        for (name, blocks) in Blocks::ALL {
            each_block(&program, blocks, &mut |_, block| {
                for (i, inner) in block.inner.iter().enumerate() {
                    for (_, next) in &inner.steps {
                        match next {
                            Next::Inner(to) => assert!(*to > i, "seed {seed}, {name}"),
                            Next::Exit(exit) => assert!(*exit < block.exits.len(), "seed {seed}, {name}"),
                        }
                    }
                }
                for (i, a) in block.exits.iter().enumerate() {
                    let same = |b: &&verifier::blocks::Exit| (a.loc, a.stack, a.kind) == (b.loc, b.stack, b.kind);
                    assert_eq!(block.exits[i..].iter().filter(same).count(), 1, "seed {seed}, {name}");
                }
            });
        }
    }
}

#[test]
fn each_loop_and_target_is_an_exit() {
    let program = source("u8 x = 0; while (*) { if (x == 7) error(); x = x + 1; } if (x == 9) error();");
    let mut found = Vec::new();
    each_block(&program, Blocks::Loops, &mut |_, block| {
        let targets = block.exits.iter().filter(|e| e.kind == ExitKind::Target).count();
        found.push((block.exits.len() - targets, targets));
    });
    // The start leads to the head of the loop; the head to itself, and to each target.
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], (1, 0));
    assert_eq!(found[1].0, 1);
    assert!(found[1].1 >= 1);
}

#[test]
fn recursion_is_explored_on_demand() {
    let program = source("u8 n = input(); down() { n = n + 1; if (*) down(); } down(); if (n == 3) error();");
    let mut terms = program.overlay();
    let mut system = System::new(&program);
    let complete = system.complete(&mut terms, LIMITS, patient());
    assert!(matches!(complete, Err(Halt::TooDeep(20) | Halt::OutOfBudget(_))), "{complete:?}");
    let mut executions = Unrolling::new(CutId::START);
    for _ in 0..60 {
        executions.extend(&mut system, &mut terms, patient()).expect("time");
    }
    assert_eq!(executions.last(), 60);
    assert!(!executions.cuts(60).is_empty() && !executions.reached.is_empty());
}
