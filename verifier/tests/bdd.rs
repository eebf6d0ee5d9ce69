//! Sets of states as decision diagrams: the documents' example, codes of values, walking back, limits.

use crate::support::*;
use verifier::domains::bdd::{Options, Order};
use verifier::domains::{Merge, PartKind};
use verifier::evidence::outcome::Outcome;
use verifier::program::domain_types::DomainType;
use verifier::strategies::composition::Composition;

/// [Beyer, Stahlbauer 2014, Fig. 1]: where the sides of the first test meet, `(a = 0 and in != 1) or (a = 3 and in = 1)`.
fn figure_1() -> verifier::program::Program {
    source("int a = 0; int in = input(); if (in == 1) { a = 3; } if (in == 1) { if (a == 0) error(); }")
}

#[test]
fn figure_1_is_true() {
    let (verdict, statistics) = by(&figure_1(), &Composition::bdd());
    assert_eq!(verdict, Verdict::True);
    // No solver, and one state where paths meet.
    assert_eq!((statistics.solver_calls, statistics.targets), (0, 0));
    let counted = statistics.diagrams.expect("diagrams were counted");
    // `in` is 1 or not, `a` is 0, 3, or anything else.
    assert_eq!((counted.variables, counted.bits, counted.widenings), (2, 3, 0));
}

/// A joined state lies on many paths, and the one that was found first does not lead to the error.
#[test]
fn paths_are_walked_back_through_joined_states() {
    let program = source(
        "int a = 0; int b = 0; while (0 == 0) { int in = input(); \
         if (in == 1) { if (a == 0) { a = 1; } } \
         if (in == 2) { if (a == 1) { a = 2; b = 5; } } \
         if (in == 3) { if (a == 2) { if (b == 5) { a = 3; } } } \
         if (a == 3) { if (in == 7) error(); } }",
    );
    let (verdict, statistics) = by(&program, &Composition::bdd());
    assert_eq!(verdict, Verdict::False);
    assert_eq!((statistics.targets, statistics.stuck), (1, 0));
}

#[test]
fn variables_get_the_bits_that_they_need() {
    let program = source("int i = 0; while (i < 100) i = i + 1; if (i != 100) error();");
    let (verdict, statistics) = by(&program, &Composition::bdd());
    let counted = statistics.diagrams.expect("diagrams were counted");
    assert_eq!((verdict, counted.bits), (Verdict::True, 8));
    // Below zero, the highest bit is a sign; values that no constant is as large as widen the variable.
    let program = source("int i = 0; while (input()) { i = i - 3; if (i == 0 - 300) error(); }");
    let (verdict, statistics) = by(&program, &Composition::bdd());
    let counted = statistics.diagrams.expect("diagrams were counted");
    assert_eq!(verdict, Verdict::False);
    assert!(counted.bits < 48, "{counted:?}");
    let program = source("int i = 1; while (i != 0) { i = i + i; } if (i == 1) error();");
    let (verdict, statistics) = by(&program, &Composition::bdd());
    let counted = statistics.diagrams.expect("diagrams were counted");
    assert_eq!(verdict, Verdict::True);
    assert!(counted.widenings > 5, "{counted:?}");
}

/// What a variable was before it got more bits keeps its value.
#[test]
fn variables_that_are_widened_keep_their_values() {
    let program = source(
        "int i = 1; int j = 1; int n = 0; while (n < 8) { n = n + 1; i = i + i; j = j + j; } if (i != j) error();",
    );
    let (verdict, statistics) = by(&program, &Composition::bdd());
    assert_eq!(verdict, Verdict::True);
    assert!(statistics.diagrams.expect("diagrams were counted").widenings > 4);
}

/// Values that are no constants of the program have one code, unless variables are compared with each other.
#[test]
fn other_values_are_told_apart_where_it_matters() {
    let copies = source("int x = input(); int y = x; if (x == 1) error(); if (y == 1) { if (x != 1) error(); }");
    assert_eq!(by(&copies, &Composition::bdd()).0, Verdict::False);
    let compared = "int x = input(); int y = input(); if (x == y) { if (x != 3) { if (y == 3) error(); } }";
    assert_eq!(by(&source(compared), &Composition::bdd()).0, Verdict::True);
    let compared = "int x = input(); int y = input(); if (x != 3) { if (y != 3) { if (x != y) error(); } }";
    assert_eq!(by(&source(compared), &Composition::bdd()).0, Verdict::False);
}

#[test]
fn orders_change_no_verdict() {
    for order in Order::ALL.map(|(_, order)| order) {
        let bdd = Options { order, ..Options::default() };
        assert_eq!(by(&figure_1(), &Composition { bdd, ..Composition::bdd() }).0, Verdict::True, "{order:?}");
    }
}

#[test]
fn large_diagrams_are_given_up() {
    // The middle bit of a product has no small diagram in any order (Bryant, IEEE Trans. Computers 1991).
    let program = source("int x = input(); int y = input(); int z = x * y; if (z == 1234567) { if (x == y) error(); }");
    let bdd = Options { max_nodes: 10_000, ..Options::default() };
    let (verdict, _) = by(&program, &Composition { bdd, ..Composition::bdd() });
    assert_eq!(verdict, Verdict::Unknown("a decision diagram of more than 10000 nodes".into()));
}

#[test]
fn only_some_domain_types_are_tracked() {
    let program = "int x = 1; int n = 0; while (n < 5) n = n + 1; if (x == 2) error();";
    let eq = Options { types: Some(DomainType::Eq), ..Options::default() };
    let composition = Composition { bdd: eq, slices_first: false, ..Composition::bdd() };
    let (verdict, statistics) = by(&source(program), &composition);
    assert_eq!((verdict, statistics.diagrams.expect("diagrams").variables), (Verdict::True, 1));
    let needs_more = source(&format!("{program} if (n == 4) error();"));
    assert!(matches!(by(&needs_more, &composition).0, Verdict::Unknown(_)));
    assert_eq!(by(&needs_more, &Composition::bdd()).0, Verdict::True);
}

#[test]
fn diagrams_run_beside_other_parts() {
    let program = source("int a = 0; int n = 0; while (n < 5) { n = n + 1; if (input()) a = 3; } if (a == 2) error();");
    for part in [PartKind::Value, PartKind::Invariants, PartKind::Predicate] {
        let mut parts = vec![part, PartKind::Bdd];
        parts.sort_unstable();
        let composition = Composition { merge: Merge::Join, ..Composition::of_parts(parts) };
        assert_eq!(by(&program, &composition).0, Verdict::True, "{}", part.name());
    }
}

/// A variable that may have any value at the entry is in several rows, none of which has all of its values.
#[test]
fn rows_cover_arbitrary_values_together() {
    let program = source(
        "int r; int s = 4; while (0 == 0) { if (s == 2147483647) { if (r == 3) { s = 4; } } \
         int in = input(); r = 0; if (in == 1) { if (s == 4) { s = 2147483647; r = 3; } } \
         if (s == 9) error(); if (r == 3) { if (s == 4) error(); } }",
    );
    let (verdict, statistics) = by(&program, &Composition::bdd());
    assert_eq!(verdict, Verdict::True, "{statistics:?}");
}

/// Where variables are only compared with constants, a proof is a list of states, which is checked without a solver.
#[test]
fn proofs_list_states_if_these_are_few() {
    let program = source(
        "int a = 0; int b = 0; while (0 == 0) { int in = input(); \
         if (in == 1) { if (a == 0) { a = 1; b = 5; } } \
         if (in == 2) { if (a == 1) { a = 0; b = 7; } } \
         if (a == 1) { if (b != 5) error(); } }",
    );
    let certificate = |composition: &Composition| match explored(&program, composition).outcome {
        Ok(Outcome::Proof(certificate)) => certificate,
        other => panic!("{other:?}"),
    };
    let listed = certificate(&Composition::bdd()).explored.expect("states are listed");
    let [set] = &listed.sets[..] else { panic!("one set, at the head of the loop") };
    assert_eq!(set.each_row().count(), 3);
    assert_eq!(by(&program, &Composition::bdd()).0, Verdict::True);
    // Side by side with other parts, states are formulas.
    let beside = Composition::of_parts(vec![PartKind::Value, PartKind::Bdd]);
    assert!(certificate(&beside).explored.is_none());
    assert_eq!(by(&program, &beside).0, Verdict::True);
}
