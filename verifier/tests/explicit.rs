//! Explicit-state exploration over compiled blocks: on small programs, on random ones against brute force, and its certificates with rows
//! left out.

use crate::support::generator::random_program;
use crate::support::small_programs::small_programs;
use crate::support::*;
use checker::Certificate;
use verifier::evidence::outcome::Outcome;
use verifier::program::{Budget, Halt, Program};
use verifier::strategies::explicit::{self, Counts};

fn explored(program: &Program, budget: Budget<'_>) -> (Result<Outcome, Halt>, Counts) {
    let mut counts = Counts::default();
    let mut solver = smt::standard(smt::Limits::default());
    let outcome = explicit::run(program, &mut solver, budget, &mut counts);
    (outcome, counts)
}

fn check(text: &str, expected: Verdict) -> Counts {
    let program = source(text);
    let (outcome, counts) = explored(&program, patient());
    assert_eq!(verdict(&program, outcome), expected, "{text}: {counts:?}");
    counts
}

/// An event-condition-action program: a counter on which no proof depends, and a value that is computed.
const EVENTS: &str = "
    u8 state = 1; u32 seen = 0; u32 sum = 3; u8 in = 0;
    while (*) {
        in = input();
        assume(in >= 1 && in <= 4);
        if (in == 1) { if (state == 1) { state = 5; seen = seen + 1; } }
        else { if (in == 2) { if (state == 5) { if (sum < 100) { state = 9; sum = (sum * 7) % 61 + 200; } } }
        else { if (in == 3) { if (state == 9) { state = 1; seen = seen + 2; sum = 3; } } } }
        if (state == 9) { if (seen > 5) { if (sum < 200) { error(); } } }
    }";

#[test]
fn event_condition_action_programs() {
    let counts = check(EVENTS, Verdict::True);
    assert!(counts.states < 25_000 && counts.untracked > 0, "{counts:?}");
    check(&EVENTS.replace("sum < 200", "sum > 199"), Verdict::False);
    // The counter alone decides.
    check(&EVENTS.replace("sum < 200", "seen == 7"), Verdict::False);
}

/// What a counter is modulo a power of two decides tests, however many values it has.
#[test]
fn counters_have_remainders() {
    let events =
        EVENTS.replace("seen = 0;", "seen = 1;").replace("seen + 1", "seen + 4").replace("sum < 200", "seen == 2690");
    let counts = check(&events, Verdict::True);
    assert!(counts.states < 25_000 && counts.infeasible == 0, "{counts:?}");
    check(&events.replace("2690", "29"), Verdict::False);
    check(&events.replace("seen = 1;", "seen = 0;").replace("2690", "28"), Verdict::False);
    // The first test comes before the assignment.
    check("u32 n = input(); if (n == 2) { error(); } n = 1; while (*) { n = n + 2; }", Verdict::False);
    check("u32 n = 1; while (*) { n = n + 2; if (n == 0) { error(); } }", Verdict::True);
    check("u8 n = 1; f() { u8 k = n * 4; if (k == 6) { error(); } } while (*) { n = n + 3; f(); }", Verdict::True);
    check("u8 n = 1; f() { u8 k = n * 4; if (k == 28) { error(); } } while (*) { n = n + 3; f(); }", Verdict::False);
}

#[test]
fn inputs_have_classes() {
    let counts = check("u32 x = input(); if (x < 10) { if (x > 20) { error(); } }", Verdict::True);
    assert!(counts.runs < 10, "{counts:?}");
    check("u32 x = input(); if (x == 4000000000) { error(); }", Verdict::False);
    // Two inputs that are compared with each other: no class says which one is greater.
    let (outcome, _) =
        explored(&source("u8 x = input(); u8 y = input(); if (x < y) { if (y < x) { error(); } }"), patient());
    assert!(matches!(outcome, Ok(Outcome::Unknown(_))), "{outcome:?}");
}

#[test]
fn runs_that_lead_nowhere_are_limited() {
    // Each choice turns the bit around.
    let choices = "if (*) { a = 1 - a; } ".repeat(24);
    let text = format!("u8 a = 0; while (*) {{ {choices} if (a == 2) {{ error(); }} }}");
    let (outcome, counts) = explored(&source(&text), patient());
    let is_limit = matches!(&outcome, Err(Halt::OutOfBudget(why)) if why.contains("runs"));
    assert!(is_limit && counts.states < 10, "{outcome:?} {counts:?}");
}

#[test]
fn calls_and_several_loops() {
    let text = "
        u8 n = 0; u8 i = 0;
        step() { n = n + 2; while (i < 3) { i = i + 1; } }
        while (n < 20) { i = 0; step(); if (i != 3) { error(); } }
        if (n != 20) { error(); }";
    check(text, Verdict::True);
    check(&text.replace("n != 20", "n == 20"), Verdict::False);
    let (outcome, _) =
        explored(&source("u8 n = 3; f() { if (n != 0) { n = n - 1; f(); } } f(); if (n != 0) { error(); }"), patient());
    assert!(matches!(outcome, Ok(Outcome::Unknown(_))), "{outcome:?}");
}

#[test]
fn no_small_program_has_a_wrong_verdict() {
    for (text, expected) in small_programs() {
        let program = source(&text);
        match verdict(&program, explored(&program, budget(5_000)).0) {
            // Most need an invariant about several variables.
            Verdict::Unknown(_) => {}
            verdict => assert_eq!(verdict, expected, "{text}"),
        }
    }
}

/// A certificate says of each state to which runs lead that it is in a set: without a row, it does not.
#[test]
fn rows_cannot_be_left_out() {
    for text in [EVENTS, "u8 n = 0; while (n < 20) { n = n + 2; } if (n != 20) { error(); }"] {
        let program = source(text);
        let Ok(Outcome::Proof(proof)) = explored(&program, patient()).0 else { panic!("{text} is not proved") };
        accepts(&program, &proof).expect("a valid certificate");
        let sets = &proof.explored.as_ref().expect("sets").sets;
        let mut tried = 0;
        for (i, set) in sets.iter().enumerate() {
            let n = set.vars.len();
            for row in (0..set.rows.len() / n.max(1)).step_by(1 + set.rows.len() / n.max(1) / 20) {
                let mut without: Certificate = (*proof).clone();
                let rows = &mut without.explored.as_mut().expect("sets").sets[i].rows;
                rows.drain(row * n..(row + 1) * n);
                assert!(accepts(&program, &without).is_err(), "{text}: row {row} of set {i} is left out");
                tried += 1;
            }
        }
        assert!(tried > 0);
        // Splits may be left out where no other state comes of it.
        let mut unsplit: Certificate = (*proof).clone();
        unsplit.explored.as_mut().expect("sets").splits.clear();
        let _ = accepts(&program, &unsplit);
        // As text, it is the same.
        let text = checker::text::write(&program.cfa, &proof);
        let read = checker::text::read(&text, &program.cfa).expect("a certificate");
        assert_eq!(read.explored, proof.explored);
    }
}

fn accepts(program: &Program, certificate: &Certificate) -> Result<(), String> {
    let mut solver = smt::standard(smt::Limits::default());
    checker::check(&program.cfa, certificate, &mut solver, None).map(drop).map_err(|e| e.to_string())
}

/// `KERF_FUZZ_RUNS` sets how many programs.
#[test]
fn fuzz_no_answer_is_wrong() {
    let runs = kerf_testing::fuzz_runs(600);
    let mut solved = 0;
    for seed in 0..runs {
        let program = random_program(seed);
        let Some(violated) = brute_force(&program.cfa, 3_000) else { continue };
        let (outcome, counts) = explored(&program, budget(2_000));
        match verdict(&program, outcome) {
            Verdict::True => assert!(!violated, "seed {seed}: proves what is wrong"),
            Verdict::False => assert!(violated, "seed {seed}: refutes what is right"),
            Verdict::Unknown(_) => continue,
            Verdict::Rejected(reason) => panic!("seed {seed}: {reason} {counts:?}"),
        }
        solved += 1;
    }
    println!("{solved} of {runs} solved");
    assert!(solved * 4 > runs, "{solved} of {runs}");
}

/// A local that is read before it is written has any value, whatever it was in an earlier activation.
#[test]
fn locals_are_new_in_each_activation() {
    let text = "
        u8 first = 1; u8 seen = 0;
        step() { u8 old; if (first == 1) { old = 5; first = 0; } seen = old; }
        step();
        if (seen != 5) { error(); }";
    check(text, Verdict::True);
    check(&text.replace("step();", "step(); step();"), Verdict::False);
}

/// Programs of events, conditions and actions are found whatever the types of their variables.
#[test]
fn small_types_are_extended_before_they_are_compared() {
    let program = |compared: &str| {
        let mut text =
            "cfa 1\npointer_bits 64\nentry main\nfunc main entry l0 exit l1\nvar x bv8\nin main\n".to_string();
        for i in 0..250 {
            let (from, next) = (if i == 0 { 0 } else { i + 1 }, if i == 249 { 0 } else { i + 2 });
            let k = 1 + i % 100;
            text += &format!("  l{from} -> l{next}: [(not (bvslt {compared} {k}:32))]\n");
            text += &format!("  l{from} -> l{}: [(bvslt {compared} {k}:32)]\n  target l{}\n", 1000 + i, 1000 + i);
        }
        let cfa = cfa::text::parse(&text).unwrap_or_else(|e| panic!("{text}{e}"));
        let slice = cfa::view::Slice::whole(&cfa);
        Program::new(std::sync::Arc::new(cfa), slice)
    };
    assert!(explicit::suits(&program("(sext.32 x)")) && explicit::suits(&program("(zext.32 x)")));
    assert!(
        !explicit::suits(&program("(sext.32 (bvadd x 1:8))")) && !explicit::suits(&program("(sext.32 (bvmul x x))"))
    );
}
