//! Signs alone and beside other analyses, on programs that they decide, and on some that they do not.

use crate::support::*;
use verifier::domains::{Merge, PartKind};
use verifier::strategies::composition::Composition;

/// What signs say of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Holds,
    /// There is an alarm, unless joined states hide the path.
    Fails,
    TooImprecise,
}

/// What signs say of the program `text`, joined or not; certificates are checked and alarms replayed.
fn check(text: &str, expected: Answer) {
    let signs = Composition::of_parts(vec![PartKind::Signs]);
    assert_eq!(signs.merge, Merge::Join);
    let imprecise = |what: &str| Verdict::Unknown(format!("{what} are too imprecise"));
    let (joined, _) = by(&source(text), &signs);
    let (apart, _) = by(&source(text), &Composition { merge: Merge::Sep, ..signs });
    match expected {
        Answer::Holds => assert_eq!([joined, apart], [Verdict::True, Verdict::True], "{text}"),
        Answer::Fails => {
            assert_eq!(apart, Verdict::False, "{text}");
            assert!([Verdict::False, imprecise("merged states")].contains(&joined), "{joined:?}: {text}");
        }
        Answer::TooImprecise => assert_eq!([joined, apart], [imprecise("merged states"), imprecise("signs")], "{text}"),
    }
}

#[test]
fn a_positive_number_less_one_is_not_negative() {
    let program = |step: u32| {
        format!("int n = input(); assume(n >= 0); while (n > 0) {{ n = n - {step}; }} if (n != 0) error();")
    };
    check(&program(1), Answer::Holds);
    check(&program(2), Answer::Fails);
}

#[test]
fn sums_wrap_around() {
    check("i8 x = input(); assume(x > 0); x = x + 1; if (x < 0) error();", Answer::Fails);
    // Two positive numbers have no sum of zero, whether it wraps around or not.
    let sum = "int x = input(); int y = input(); assume(x > 0 && y >= 1); if (x + y == 0) error();";
    check(sum, Answer::Holds);
    check(&sum.replace("y >= 1", "y > -1"), Answer::Holds);
    check(&sum.replace("y >= 1", "y != 0"), Answer::Fails);
}

#[test]
fn comparisons_restrict_both_sides() {
    check("int x = input(); int y = input(); assume(x < y && y <= 0); if (x >= 0) error();", Answer::Holds);
    check("int x = input(); int y = input(); assume(x <= y && y <= 0); if (x >= 0) error();", Answer::Fails);
    // As unsigned numbers, negative ones are the greatest.
    check("u8 x = input(); i8 y = input(); assume(y < 0 && x == 0); if (x > y) error();", Answer::Holds);
}

/// C's conditions compare copies of variables.
#[test]
fn conditions_restrict_what_is_copied() {
    let program = "int n = input(); int a = n; int b = a; assume(b > 0); if (n <= 0) error();";
    check(program, Answer::Holds);
    check(&program.replace("assume", "a = 0 - a; assume"), Answer::Holds);
    check(&program.replace("assume", "n = input(); assume"), Answer::Fails);
    // What was copied before the loop is another number in it.
    check("int n = input(); int t = n; while (*) n = n - 1; assume(t > 0); if (n <= 0) error();", Answer::Fails);
    check("int g = input(); f() { g = input(); } int t = g; f(); assume(t > 0); if (g <= 0) error();", Answer::Fails);
}

#[test]
fn callers_keep_the_signs_of_their_locals() {
    let program = "int g = 0;
        f() { int x = input(); assume(x > 0); if (g == 0) { g = 1; f(); } if (x <= 0) error(); }
        h() { int y = 0 - 1; f(); if (y >= 0) error(); }
        h();";
    check(program, Answer::Holds);
    check(&program.replace("y >= 0", "y < 0"), Answer::Fails);
}

#[test]
fn values_within_one_sign_are_too_fine() {
    check("int x = input(); assume(x > 0); x = x + x; if (x == 1) error();", Answer::TooImprecise);
}

#[test]
fn signs_beside_explicit_values_learn_constants() {
    // Signs know that `x * y` is 0 if `x` is; explicit values compute the sign of 7 * 3 - 20.
    let text = "int a = 7; int b = a * 3 - 20; int n = input(); assume(n >= 0);
        while (n > 0) n = n - 1;
        if (n * a != 0) error(); if (b <= 0) error();";
    let parts = vec![PartKind::Value, PartKind::Signs];
    for merge in [Merge::Sep, Merge::Join, Merge::Agree] {
        let composition = Composition { merge, ..Composition::of_parts(parts.clone()) };
        assert_eq!(by(&source(text), &composition).0, Verdict::True, "{merge:?}");
    }
    check(text, Answer::TooImprecise);
}
