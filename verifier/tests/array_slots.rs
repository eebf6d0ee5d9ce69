//! Array slots, as an option of the interval analysis, on programs that they decide, and on some that they do not.

use crate::support::*;
use verifier::domains::intervals::Additions;
use verifier::domains::{Merge, PartKind};
use verifier::strategies::composition::Composition;

/// Checks that `text` holds, that intervals need slots for the proof, and that `wrong`, which differs only slightly, is not proved.
fn check(text: &str, wrong: &str) {
    let plain = Composition::of_parts(vec![PartKind::Invariants]);
    let additions = Additions { array_slots: true, ..Additions::default() };
    let slots = Composition { additions, ..plain.clone() };
    let apart = Composition { merge: Merge::Sep, max_states: 200, ..slots.clone() };
    assert!(matches!(by(&source(text), &plain).0, Verdict::Unknown(_)), "{text}");
    assert_eq!(by(&source(text), &slots).0, Verdict::True, "{text}");
    for composition in [&slots, &apart] {
        let verdict = by(&source(wrong), composition).0;
        assert!(verdict != Verdict::True, "{wrong}");
    }
}

#[test]
fn a_write_is_read_again() {
    let program = |index: &str| format!("int i = input(); int a[]; a[i] = 5; if (a[{index}] != 5) error();");
    check(&program("i"), &program("i + 1"));
}

#[test]
fn known_elements_are_kept_through_loops() {
    let program = |first: u32| {
        format!(
            "u32 n = input(); assume(n < 8); int a[]; a[9] = 1; a[n] = 2; u32 i = 0;
            while (i < n) {{ a[i + {first}] = 3; i = i + 1; }} if (a[9] != 1) error();"
        )
    };
    check(&program(0), &program(3));
}

#[test]
fn an_unknown_index_forgets() {
    let program = |limit: u32| {
        format!("u32 i = input(); assume(i < {limit}); int a[]; a[8] = 1; a[i] = 2; if (a[8] != 1) error();")
    };
    check(&program(8), &program(9));
}

#[test]
fn addresses_follow_their_variables() {
    let program =
        |index: &str| format!("u64 i = input(); u8 a[]; a[i] = 7; i = i + 1; a[i] = 8; if (a[{index}] != 7) error();");
    check(&program("i - 1"), &program("i"));
    let program = |change: &str| format!("u32 i = input(); u8 a[]; a[i] = 7; {change} if (a[i] != 7) error();");
    check(&program("u32 k = i; i = input(); i = k;"), &program("u32 k = i; i = input();"));
}

#[test]
fn conditions_restrict_elements() {
    let program = |bound: u32| {
        format!(
            "u32 i = input(); u32 a[]; assume(a[i] < 10); u32 k = a[i]; i = i + 1; if (k + a[i - 1] > {bound}) error();"
        )
    };
    check(&program(18), &program(17));
}

#[test]
fn joined_elements_have_both_values() {
    let program =
        |value: u32| format!("u32 i = input(); u32 a[]; if (*) a[i] = 1; else a[i] = 2; if (a[i] == {value}) error();");
    check(&program(3), &program(2));
}

#[test]
fn copied_arrays_are_known() {
    let program = |array: &str| {
        format!("u32 i = input(); u32 a[]; u32 b[]; a[i] = 1; b = a; a[i] = 2; if ({array}[i] != 1) error();")
    };
    check(&program("b"), &program("a"));
}

#[test]
fn an_element_is_an_index() {
    let program =
        |index: u32| format!("u32 i = input(); u32 a[]; a[4] = 7; u32 b[]; b[i] = {index}; if (a[b[i]] != 7) error();");
    check(&program(4), &program(5));
}
