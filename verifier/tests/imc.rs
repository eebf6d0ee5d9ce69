//! Interpolation-based model checking on small programs, and on random ones against brute force.

mod support;

use support::generator::random_program;
use support::*;
use verifier::program::Program;
use verifier::strategies::imc::{self, Counts, Options};

fn by_imc(program: &Program, options: Options, ms: u64) -> (Verdict, Counts) {
    let mut solver = smt::standard(smt::Limits::default());
    let mut counts = Counts::default();
    let outcome = imc::run(program, options, &mut solver, budget(ms), &mut counts);
    (verdict(program, outcome), counts)
}

/// The verdict with and without invariants.
fn check(text: &str, expected: Verdict) {
    let program = source(text);
    for invariants in [true, false] {
        let options = Options { invariants, ..Options::default() };
        let (verdict, counts) = by_imc(&program, options, 60_000);
        assert_eq!(verdict, expected, "{options:?}: {counts:?}");
    }
}

#[test]
fn equal_variables_stay_equal() {
    check("u8 x = input(); u8 y = x; while (*) { x = x + 1; y = y + 1; } if (x != y) error();", Verdict::True);
}

#[test]
fn a_lock_is_taken_and_released() {
    let text = "
        int lock = 0; int old = 0; int new = 1;
        while (old != new) {
            if (lock != 0) error();
            lock = 1;
            old = new;
            if (*) { if (lock != 1) error(); lock = 0; new = old + 1; }
        }
        if (lock != 1) error();";
    check(text, Verdict::True);
    check(&text.replace("new = old + 1;", "new = old;"), Verdict::False);
}

#[test]
fn an_invariant_is_a_disjunction() {
    let text = "
        int mode = input(); assume(mode == 0 || mode == 7); int other = 7 - mode;
        while (*) { int t = mode; mode = other; other = t; }
        if (mode != 0 && mode != 7) error();";
    check(text, Verdict::True);
    check(&text.replace("mode != 0 &&", ""), Verdict::False);
}

#[test]
fn bounds_that_nothing_reaches_are_kept() {
    check("int x = 0; while (*) { if (x < 100) x = x + 2; else x = 0; } if (x == 101) error();", Verdict::True);
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
fn violations_after_some_rounds_are_found() {
    check("u8 n = 0; while (*) { n = n + 1; if (n == 5) error(); }", Verdict::False);
    check("u8 n = 0; u8 m = 0; while (n < 4) { n = n + 1; m = m + 2; } if (m != 8) error();", Verdict::True);
}

#[test]
fn locals_of_callers_are_kept() {
    let text = "
        int result = 0;
        step() { int old = result; while (*) old = old + 0; result = old + 1; }
        int before = input(); result = before;
        step();
        if (result != before + 1) error();";
    check(text, Verdict::True);
    check(&text.replace("before + 1) error", "before) error"), Verdict::False);
}

#[test]
fn recursion_is_unrolled() {
    let text =
        "u8 n = input(); assume(n <= 9); down() { if (n != 0) { n = n - 1; down(); } } down(); if (n != 0) error();";
    check(text, Verdict::True);
    check(&text.replace("n = n - 1;", "if (n == 7) error(); n = n - 1;"), Verdict::False);
    let endless = "down() { if (*) down(); } down(); int x = 0; if (x != 0) error();";
    let (verdict, _) = by_imc(&source(endless), Options::default(), 5_000);
    assert_eq!(verdict, Verdict::Unknown("call stack deeper than 200".into()));
}

/// `KERF_FUZZ_RUNS` sets how many programs.
#[test]
fn fuzz_no_answer_is_wrong() {
    let runs = kerf_testing::fuzz_runs(150);
    let mut solved = 0;
    for seed in 0..runs {
        let program = random_program(seed);
        let Some(violated) = brute_force(&program.cfa, 3_000) else { continue };
        let options = Options { invariants: seed % 2 == 0, ..Options::default() };
        match by_imc(&program, options, 2_000) {
            (Verdict::True, _) => assert!(!violated, "seed {seed}: proves what is wrong"),
            (Verdict::False, _) => assert!(violated, "seed {seed}: refutes what is right"),
            (Verdict::Unknown(_), _) => continue,
            (Verdict::Rejected(reason), counts) => panic!("seed {seed}: {reason} {counts:?}"),
        }
        solved += 1;
    }
    assert!(solved * 2 > runs, "{solved} of {runs}");
}
