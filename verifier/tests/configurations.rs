//! The documents' examples under each named configuration that refines by interpolants or works on blocks, from the name to the verdict.

use crate::support::documents::*;
use crate::support::{automaton, patient, source};
use cfa::view::Slice;
use verifier::domains::PartKind;
use verifier::program::Program;
use verifier::strategies::composition::Composition;
use verifier::strategies::portfolio::Strategy;
use verifier::verify::{Task, Verdict, verify};

const NAMES: [&str; 7] =
    ["predicate", "predicate-cartesian", "predicate-sbe", "predicate-slicing", "impact", "imc", "pdr"];

fn configurations() -> Vec<Strategy> {
    let with_invariants = Composition::of_parts(vec![PartKind::Predicate, PartKind::Invariants]);
    let named = NAMES.iter().map(|name| Strategy::named(name).expect("a name"));
    named.chain([Strategy::explore("predicate+invariants", with_invariants)]).collect()
}

/// Whether a program holds, by each configuration.
fn check(name: &str, program: &Program, holds: bool) {
    check_by(&configurations(), name, program, holds);
}

fn check_by(strategies: &[Strategy], name: &str, program: &Program, holds: bool) {
    for strategy in strategies {
        let task = Task {
            cfa: program.cfa.clone(),
            slice: Slice::whole(&program.cfa),
            hints: Vec::new(),
            strategy,
            solver: &smt::standard,
            budget: patient(),
            draws: false,
            shrinks: false,
        };
        let verdict = verify(task, &mut |_| {}).verdict;
        assert!(
            matches!((&verdict, holds), (Verdict::True { .. }, true) | (Verdict::False(_), false)),
            "{name} by {}: {verdict:?}",
            strategy.name()
        );
    }
}

#[test]
fn lemberger_2015() {
    check("Listing 1", &listing_1(), true);
    let wrong = source("int b; int a = input(); if (a >= 0) b = a; else b = a + 1; if (b <= a) error();");
    check("Listing 1, changed", &wrong, false);
}

#[test]
fn lemberger_2018() {
    check("the running example", &running_example(), true);
    check(
        "the running example, changed",
        &automaton(&RUNNING.replace("y := 1:64", "y := 18446744073709551615:64")),
        false,
    );
    check("Fig. 21", &automaton(FIGURE_21), false);
}

#[test]
fn kreppel_2019() {
    check("Example 1", &counter(2), true);
    check("Example 1, changed", &source("int i = 0; while (i < 2) i = i + 1; if (i == 2) error();"), false);
    check("Example 2", &automaton(KREPPEL_2), true);
    check("Example 2, changed", &automaton(&KREPPEL_2.replace("2:32 a", "4:32 a")), false);
    check("Example 3", &kreppel_3(0), false);
    check("Example 3, changed", &kreppel_3(7), true);
}

#[test]
fn dangl_2013() {
    for wrong in FIGURES_2_2_TO_2_4 {
        check(wrong, &figure_2(wrong), true);
    }
    check("Fig. 2.1 with another error", &figure_2("y == 7 && z != 0"), false);
    check("Fig. 2.5", &automaton(DANGL_2_5), true);
}

/// What no search can unroll has a contract.
#[test]
fn recursion_of_any_depth() {
    let strategies = configurations();
    let text = "u32 n = input(); down() { if (n != 0) { n = n - 1; down(); } } down(); if (n != 0) error();";
    check_by(&strategies, "recursion", &source(text), true);
    check_by(&strategies, "recursion, changed", &source(&text.replace("(n != 0) error", "(n == 0) error")), false);
}
