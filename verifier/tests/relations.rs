//! Relations between variables, as an option of the interval analysis, on programs that they decide, and on some that they do not.

use crate::support::*;
use verifier::domains::intervals::Additions;
use verifier::domains::{Merge, PartKind};
use verifier::strategies::composition::Composition;

/// Checks that `text` holds, that intervals need relations for the proof, and that `wrong`, which differs only slightly, is not proved.
fn check(text: &str, wrong: &str) {
    let plain = Composition::of_parts(vec![PartKind::Invariants]);
    let related = Composition { additions: Additions { relations: true, ..Additions::default() }, ..plain.clone() };
    let imprecise = Verdict::Unknown("merged states are too imprecise".into());
    assert_eq!(by(&source(text), &plain).0, imprecise, "{text}");
    assert_eq!(by(&source(text), &related).0, Verdict::True, "{text}");
    let verdict = by(&source(wrong), &related).0;
    assert!(verdict == imprecise || verdict == Verdict::False, "{verdict:?}: {wrong}");
    // States that are not joined reach the target by real paths only.
    let apart = Composition { merge: Merge::Sep, max_states: 200, ..related };
    let verdict = by(&source(wrong), &apart).0;
    assert!(verdict != Verdict::True, "{wrong}");
}

#[test]
fn a_counter_stops_at_its_bound() {
    let program = |step: u32| {
        format!("int n = input(); int i = 0; assume(n >= 0); while (i < n) {{ i = i + {step}; }} if (i != n) error();")
    };
    check(&program(1), &program(2));
}

#[test]
fn conditions_exclude_each_other() {
    let program = |condition: &str| {
        format!(
            "int x = input(); int y = input(); assume(x < y); int t = y; while (*) {{ t = y; }} if ({condition}) error();"
        )
    };
    check(&program("x == y"), &program("x != y"));
    check(&program("t < x"), &program("t > x"));
}

#[test]
fn what_is_overwritten_is_not_related() {
    let program = |change: &str| {
        format!("int x = input(); int y = input(); assume(x < y); while (*) {{ {change} }} if (x >= y) error();")
    };
    check(&program(""), &program("x = x + 1;"));
    check(&program("int z = x; x = z;"), &program("y = input();"));
}

#[test]
fn unsigned_and_signed_orders_are_apart() {
    let program = |kind: &str| {
        format!(
            "{kind} x = input(); {kind} y = input(); assume(x < y); u32 a = x; u32 b = y; while (*) {{ a = x; }}
            if (a >= b) error();"
        )
    };
    check(&program("u32"), &program("int"));
}
