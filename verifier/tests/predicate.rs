//! Predicate abstraction on small programs: relations, flags and disjunctions, for each kind of block and of abstraction.

use crate::support::small_programs::small_programs;
use crate::support::*;
use verifier::blocks::Blocks;
use verifier::domains::predicate::{Method, Options, Scope};
use verifier::domains::{Merge, PartKind};
use verifier::strategies::composition::Composition;

/// All kinds of blocks and abstractions, with and without joined paths, in changing scopes.
fn compositions() -> Vec<Composition> {
    let mut all = Vec::new();
    for (_, blocks) in Blocks::ALL {
        for (_, method) in Method::ALL {
            for merge in [Merge::Join, Merge::Sep] {
                let (_, scope) = Scope::ALL[all.len() % 3];
                let predicates = Options { blocks, method, scope };
                all.push(Composition { predicates, merge, max_depth: 100, ..Composition::predicate() });
            }
        }
    }
    all
}

/// The verdict of these compositions.
fn check_by(compositions: &[Composition], text: &str, expected: Verdict) {
    let program = source(text);
    for composition in compositions {
        let (verdict, statistics) = by(&program, composition);
        assert_eq!(verdict, expected, "{:?} {:?}: {statistics}", composition.predicates, composition.merge);
    }
}

/// The verdict of all settings, which must agree.
fn check(text: &str, expected: Verdict) {
    check_by(&compositions(), text, expected);
}

#[test]
fn small_programs_have_their_verdicts() {
    for (text, expected) in small_programs() {
        check(&text, expected);
    }
}

/// The states of an automaton are tracked by value and not bit by bit, and nothing is tracked beside them and the flag.
#[test]
fn states_of_an_automaton_are_tracked_by_value() {
    let text = "
        int state = 8464; int flag = 0; int n = input(); int mode = input();
        while (*) {
            if (state == 8464) { if (n > 5) state = 8480; else state = 8497; }
            else { if (state == 8480) { if (mode == 3) flag = 1; state = 8513; }
            else { if (state == 8497) { n = n + 1; if (flag == 0) state = 8513; else state = 3; }
            else { if (state == 8513) { if (flag == 1) flag = 0; state = 8464; }
            else { if (state == 3) error(); } } } }
        }";
    let usual = Composition::predicate();
    let (verdict, statistics) = by(&source(text), &usual);
    assert_eq!(verdict, Verdict::True, "{statistics}");
    let (states, flags) = (5, 2);
    assert!(statistics.tracked_conditions <= states + flags, "{statistics}");
    check_by(&[usual], &text.replace("flag == 0", "flag == 1"), Verdict::False);
}

#[test]
fn activations_of_a_recursive_function_are_kept_apart() {
    let text = "
        u8 n = input();
        down() { u8 mine = n; if (mine != 0) { n = mine - 1; down(); if (n != 0) error(); } }
        assume(n <= 3);
        down();
        if (n != 0) error();";
    let usual = [Composition::predicate()];
    check_by(&usual, text, Verdict::True);
    check_by(&usual, &text.replace("n = mine - 1; down();", "n = mine - 1; down(); n = n + 1;"), Verdict::False);
}

#[test]
fn other_parts_run_beside_it() {
    let text = "
        u8 x = input(); u8 y = x; u8 mode = 3;
        while (*) { x = x + 1; y = y + 1; if (mode == 3) mode = 5; else mode = 3; if (mode == 4) error(); }
        if (x != y) error();";
    let program = source(text);
    for other in [PartKind::Value, PartKind::Signs, PartKind::Invariants] {
        for parts in [vec![other, PartKind::Predicate], vec![PartKind::Predicate, other]] {
            for merge in [Merge::Join, Merge::Sep] {
                let composition = Composition { merge, ..Composition::of_parts(parts.clone()) };
                let (verdict, statistics) = by(&program, &composition);
                assert_eq!(verdict, Verdict::True, "{parts:?} {merge:?}: {statistics}");
            }
        }
    }
}

/// Two copies are equal because a counter has a bound, which intervals know and predicates would have to count up to.
#[test]
fn facts_of_other_parts_strengthen_abstractions() {
    let text = "
        u32 i = 0; u32 x = input(); u32 y = x;
        while (i < 1000000) { i = i + 1; y = y + (i >> 20); }
        if (x != y) error();";
    let parts = vec![PartKind::Invariants, PartKind::Predicate];
    let both = Composition::of_parts(parts);
    let (verdict, statistics) = by(&source(text), &both);
    assert_eq!(verdict, Verdict::True, "{statistics}");
    assert!(statistics.refinements <= 3, "{statistics}");
    let text = text.replace("1000000", "9").replace(">> 20", ">> 3");
    check_by(&[both.clone(), Composition { merge: Merge::Sep, ..both }], &text, Verdict::False);
}

/// The bound of a counter is an interpolant that is inductive, among others that are not.
#[test]
fn inductive_interpolants_are_preferred() {
    let text = "u32 i = 0; while (i < 1000000) i = i + 1; if (i != 1000000) error();";
    let (verdict, statistics) = by(&source(text), &Composition::predicate());
    assert_eq!(verdict, Verdict::True, "{statistics}");
    assert!(statistics.refinements <= 3, "{statistics}");
    check_by(&[Composition::predicate()], &text.replace("1000000", "4").replace("i + 1", "i + 3"), Verdict::False);
}

#[test]
fn slices_grow_with_predicates() {
    let text = "
        u8 x = input(); u8 y = x; u8 noise = 0;
        while (*) { x = x + 1; y = y + 1; noise = noise * 3 + x; }
        if (x != y) error();";
    for (text, expected) in [(text, Verdict::True), (&*text.replace("y = y + 1;", "y = y + 2;"), Verdict::False)] {
        let program = source(text);
        let composition = Composition::named("predicate-slicing").expect("a preset");
        let (verdict, statistics) = by(&program, &composition);
        assert_eq!(verdict, expected, "{statistics}");
    }
}

/// Within a called function, predicates need not be about its caller.
#[test]
fn calls_have_nested_interpolants() {
    let text = "
        u8 g = 0;
        count() { u8 i = 0; while (i < 5) { i = i + 1; g = g + 1; } if (i != 5) error(); }
        caller() { u8 kept = input(); assume(kept <= 9); count(); g = g + kept; if (g > 14) error(); }
        caller();";
    // There are cuts where the caller is left.
    for scope in [Scope::Location, Scope::Function] {
        let predicates = Options { blocks: Blocks::Edges, scope, ..Options::default() };
        let composition = Composition { predicates, ..Composition::predicate() };
        let (verdict, statistics) = by(&source(text), &composition);
        assert_eq!(verdict, Verdict::True, "{statistics}");
        assert!(statistics.interpolation.nested > 0, "{statistics}");
        check_by(&[composition], &text.replace("g > 14", "g > 13"), Verdict::False);
    }
}
