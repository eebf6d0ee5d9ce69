//! Impact, interpolation-based model checking and property-directed reachability on small programs, and on random ones against brute
//! force.

use crate::support::generator::random_program;
use crate::support::small_programs::small_programs;
use crate::support::*;
use verifier::program::{Budget, Program};
use verifier::strategies::{imc, impact, pdr};

/// The algorithms on blocks, each with a setting.
#[derive(Clone, Copy, Debug)]
enum Algorithm {
    Impact(impact::Options),
    Imc(imc::Options),
    Pdr(pdr::Options),
}

/// All algorithms with and without invariants, Impact also without forced covering, and beside decision diagrams.
fn algorithms() -> Vec<Algorithm> {
    let mut all = vec![Algorithm::Impact(impact::Options { invariants: false, forced: false, diagrams: false })];
    all.push(Algorithm::Impact(impact::Options { diagrams: true, ..impact::Options::default() }));
    for invariants in [true, false] {
        all.push(Algorithm::Impact(impact::Options { invariants, ..impact::Options::default() }));
        all.push(Algorithm::Imc(imc::Options { invariants, ..imc::Options::default() }));
        all.push(Algorithm::Pdr(pdr::Options { invariants, ..pdr::Options::default() }));
    }
    all
}

/// The verdict of an algorithm, and its counts.
fn by_algorithm(program: &Program, algorithm: Algorithm, budget: Budget<'_>) -> (Verdict, String) {
    let mut solver = smt::standard(smt::Limits::default());
    let (outcome, counts) = match algorithm {
        Algorithm::Impact(options) => {
            let mut counts = impact::Counts::default();
            (impact::run(program, options, &mut solver, budget, &mut counts), format!("{counts:?}"))
        }
        Algorithm::Imc(options) => {
            let mut counts = imc::Counts::default();
            (imc::run(program, options, &mut solver, budget, &mut counts), format!("{counts:?}"))
        }
        Algorithm::Pdr(options) => {
            let mut counts = pdr::Counts::default();
            (pdr::run(program, options, &mut solver, budget, &mut counts), format!("{counts:?}"))
        }
    };
    (verdict(program, outcome), counts)
}

/// The verdict of some algorithms, which must agree.
fn check_by(algorithms: &[Algorithm], text: &str, expected: Verdict) {
    let program = source(text);
    for algorithm in algorithms {
        let (verdict, counts) = by_algorithm(&program, *algorithm, patient());
        assert_eq!(verdict, expected, "{algorithm:?}: {counts}");
    }
}

/// The verdict of all algorithms.
fn check(text: &str, expected: Verdict) {
    check_by(&algorithms(), text, expected);
}

#[test]
fn small_programs_have_their_verdicts() {
    for (text, expected) in small_programs() {
        check(&text, expected);
    }
}

#[test]
fn bounds_that_nothing_reaches_are_kept() {
    // Interpolants of paths say which numbers are not 101, one by one.
    let are_few = |a: &Algorithm| !matches!(a, Algorithm::Impact(_));
    let algorithms: Vec<Algorithm> = algorithms().into_iter().filter(are_few).collect();
    check_by(
        &algorithms,
        "int x = 0; while (*) { if (x < 100) x = x + 2; else x = 0; } if (x == 101) error();",
        Verdict::True,
    );
}

#[test]
fn loops_follow_each_other_and_nest() {
    let text = "
        u8 n = input(); u8 x = 0; u8 y = 0;
        while (x < n) { x = x + 1; y = y + 1; }
        while (*) { u8 k = 0; while (k < 2) { k = k + 1; x = x + 1; y = y + 1; } }
        if (x != y) error();";
    check(text, Verdict::True);
    check(&text.replace("k = k + 1; x = x + 1; y = y + 1;", "k = k + 1; x = x + 1; y = y + 2;"), Verdict::False);
}

#[test]
fn recursion_is_unrolled() {
    let text =
        "u8 n = input(); assume(n <= 9); down() { if (n != 0) { n = n - 1; down(); } } down(); if (n != 0) error();";
    check(text, Verdict::True);
    check(&text.replace("n = n - 1;", "if (n == 7) error(); n = n - 1;"), Verdict::False);
    let endless = source("down() { if (*) down(); } down(); int x = 0; if (x != 0) error();");
    let of_each_kind = algorithms().split_off(4);
    for algorithm in of_each_kind {
        let (verdict, counts) = by_algorithm(&endless, algorithm, budget(5_000));
        assert_eq!(verdict, Verdict::Unknown("call stack deeper than 200".into()), "{algorithm:?}: {counts}");
    }
}

/// `KERF_FUZZ_RUNS` sets how many programs.
#[test]
fn fuzz_no_answer_is_wrong() {
    let (runs, algorithms) = (kerf_testing::fuzz_runs(240), algorithms());
    let mut solved = 0;
    for seed in 0..runs {
        let program = random_program(seed);
        let Some(violated) = brute_force(&program.cfa, 3_000) else { continue };
        let algorithm = algorithms[seed as usize % algorithms.len()];
        let (verdict, counts) = by_algorithm(&program, algorithm, budget(2_000));
        match verdict {
            Verdict::True => assert!(!violated, "seed {seed}: {algorithm:?} proves what is wrong"),
            Verdict::False => assert!(violated, "seed {seed}: {algorithm:?} refutes what is right"),
            Verdict::Unknown(_) => continue,
            Verdict::Rejected(reason) => panic!("seed {seed}: {algorithm:?}: {reason} {counts}"),
        }
        solved += 1;
    }
    assert!(solved * 2 > runs, "{solved} of {runs}");
}
