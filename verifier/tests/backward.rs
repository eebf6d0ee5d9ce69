//! Backward analyses: the documents' examples, and what calls, recursion, memories and constructs without a model are backward.

use crate::support::documents::*;
use crate::support::*;
use cfa::bv::Bv;
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Cpa, Cx, Located};
use verifier::domains::PartKind;
use verifier::domains::bdd::{self, BddCpa};
use verifier::program::Program;
use verifier::program::reversed::Reversed;
use verifier::strategies::composition::{Composition, Direction};

const NAMES: [&str; 4] = ["bdd-backward", "bdd-backward-dfs", "predicate-backward", "predicate-backward-dfs"];

/// Backward analyses that can tell all values apart.
fn precise() -> Vec<Composition> {
    let named = NAMES.iter().map(|name| Composition::named(name).expect("a name"));
    let beside = Composition::of_parts(vec![PartKind::Predicate, PartKind::Invariants]);
    named.chain([Composition { direction: Direction::Backward, ..beside }]).collect()
}

fn values() -> Composition {
    Composition::named("value-backward").expect("a name")
}

fn check(program: &Program, expected: &Verdict) {
    for composition in precise() {
        assert_eq!(by(program, &composition).0, *expected, "{composition:?}");
    }
}

#[test]
fn kreppel_2019() {
    check(&counter(2), &Verdict::True);
    check(&source("int i = 0; while (i < 2) i = i + 1; if (i == 2) error();"), &Verdict::False);
    check(&automaton(KREPPEL_2), &Verdict::True);
    check(&automaton(&KREPPEL_2.replace("2:32 a", "4:32 a")), &Verdict::False);
    check(&kreppel_3(0), &Verdict::False);
    check(&kreppel_3(7), &Verdict::True);
    // Explicit values suffice where conditions fix them.
    for (program, expected) in [
        (automaton(KREPPEL_2), Verdict::True),
        (automaton(&KREPPEL_2.replace("2:32 a", "4:32 a")), Verdict::False),
        (kreppel_3(0), Verdict::False),
        (kreppel_3(7), Verdict::True),
    ] {
        assert_eq!(by(&program, &values()).0, expected);
    }
}

/// [Kreppel 2019, Fig. 4]: backward from the error, what must hold is true, a = 2, a = 1, false.
#[test]
fn kreppel_2019_figure_4() {
    let program = automaton(KREPPEL_2);
    let reversed = Reversed::new(&program, &[]);
    let mut solver = smt::standard(smt::Limits::default());
    let mut cx = Cx::new(&reversed.program, &mut solver, patient());
    let mut cpa = Composite::new(BddCpa::new(&reversed.program, &bdd::Options::default(), true), 10);
    let precision = cpa.full_precision();
    let mut state = cpa.initial(&mut cx, reversed.program.start());
    let mut seen = Vec::new();
    loop {
        if reversed.place(cpa.key(&state).loc).is_some() {
            let label = cpa.label(&mut cx, &state);
            let is_a = |v: cfa::VarId| reversed.variable(&program, v) == Some(cfa::VarId(0));
            let value = label.env.locals.iter().find(|(v, _)| is_a(**v)).map(|(_, value)| *value);
            let mut allows = |a: u64| {
                let mut all = label.constraints.clone();
                if let Some(value) = value {
                    let number = cx.terms.constant(&Bv::new(32, a));
                    all.push(cx.terms.eq(value, number));
                }
                cx.satisfiable(&all, std::time::Duration::from_secs(60)) == Some(true)
            };
            seen.push((0..4).filter(|a| allows(*a)).collect::<Vec<u64>>());
        }
        let mut steps = Vec::new();
        cpa.steps(&reversed.program, &state, &mut steps);
        let [step] = steps[..] else { panic!("one path") };
        let mut next = Vec::new();
        cpa.transfer(&mut cx, &state, step, &precision, &mut next).expect("a step");
        match next.pop() {
            Some(after) => state = after,
            None => break,
        }
    }
    // At the error any value; before the condition 2; before the sum 1; and none before the first assignment.
    assert_eq!(seen, [vec![0, 1, 2, 3], vec![2], vec![1]]);
}

#[test]
fn calls_are_entered_at_their_ends() {
    let text = "int g = 1; f() { if (g == 1) g = g + 2; else g = g + 1; } f(); f(); if (g == 4) error();";
    check(&source(text), &Verdict::False);
    check(&source(&text.replace("g == 4", "g == 5")), &Verdict::True);
}

/// A function that has returned before it is called again, and then finds the error: its locations occur in both ways, and so does its
/// loop.
#[test]
fn errors_in_functions_that_were_called_before() {
    let text = "int g; int v; chk() { int n = 1; while (n != 0) { if (v == g) error(); n = input(); } } \
                g = 1; v = 2; chk(); g = 2; v = 3; chk(); g = 5; v = 4; chk();";
    check(&source(text), &Verdict::True);
    check(&source(&text.replace("g = 5", "g = 4")), &Verdict::False);
    check(&source(&text.replace("v = 2", "v = 1")), &Verdict::False);
}

#[test]
fn recursion() {
    // The error lies in an inner activation, after a call of the same function: the locals of others have the same names.
    let text = "int n = input(); down() { int mine = n; if (n > 0) { n = n - 1; down(); } \
                if (mine == 2) { if (n != 0) error(); } } if (n <= 3) down();";
    // Decision diagrams have no locals of recursive functions, and predicate abstraction unrolls recursion without end.
    for composition in precise().into_iter().filter(|c| !c.parts.contains(&PartKind::Bdd)) {
        let composition = &Composition { max_depth: 20, ..composition };
        assert_ne!(by(&source(text), composition).0, Verdict::False);
        assert_eq!(by(&source(&text.replace("n != 0", "n == 0")), composition).0, Verdict::False);
    }
}

#[test]
fn assignments_that_read_what_they_write() {
    let text = "cfa 1\npointer_bits 64\nentry main\nfunc main entry l1 exit l5\nvar a bv8 of main\nvar b bv8 of main\nin main\n\
                l1 -> l2: a := 3:8\nl2 -> l3: b := 5:8\nl3 -> l4: a := b, b := (bvadd a b)\n\
                l4 -> l6: [(and (= 5:8 a) (= 8:8 b))]\nl4 -> l5: [(not (and (= 5:8 a) (= 8:8 b)))]\ntarget l6\n";
    check(&automaton(text), &Verdict::False);
    check(&automaton(&text.replace("8:8 b", "9:8 b")), &Verdict::True);
}

/// A construct without a model is no target, but nothing is proved if it can be reached.
#[test]
fn constructs_without_a_model() {
    let text = |guard: &str| {
        format!(
            "cfa 1\npointer_bits 64\nentry main\nfunc main entry l1 exit l4\nvar a bv8 of main\nin main\n\
             l1 -> l2: a := 3:8\nl2 -> l3: [(= {guard} a)]\nl2 -> l4: [(not (= {guard} a))]\n\
             l3 -> l4: unsupported \"magic\"\n"
        )
    };
    check(&automaton(&text("2:8")), &Verdict::True);
    for composition in precise() {
        let verdict = by(&automaton(&text("3:8")), &composition).0;
        assert!(matches!(&verdict, Verdict::Unknown(why) if why.contains("magic")), "{verdict:?}");
    }
}

fn both_ends() -> [Composition; 2] {
    let named = Composition::named("both-ends").expect("a name");
    [Composition { direction: Direction::Both, ..Composition::bdd() }, named]
}

/// Forward, nothing bounds what the input adds; backward, nothing says where counting began.
#[test]
fn either_direction_prunes_the_other() {
    let text = "int n = 0; int d = 0; int c = input(); while (c != 0) { if (n < 9) { n = n + 1; if (n == 3) d = 7; } c = input(); } \
                if (d != 0 && d != 7) error(); if (n > 9) error();";
    for composition in both_ends() {
        assert_eq!(by(&source(text), &composition).0, Verdict::True);
        let wrong = text.replace("d != 7", "d == 7");
        assert_eq!(by(&source(&wrong), &composition).0, Verdict::False);
    }
}

/// Turns of few states: forward turns find targets on paths that backward ones knew, through calls, recursion, and functions that return.
#[test]
fn the_directions_meet() {
    let text = "u8 s = 0; u8 a = 0; u8 r = 0; int n = 0; int c = 0; \
                mix() { u8 y = a * 3; if (y > 100) y = y + 1; r = y; } \
                check() { u8 before = s; a = s; mix(); if (r == 31 && n == 6 && before == s) error(); } \
                while (n < 9) { n = n + 1; c = input(); if (c != 0) { a = s + 1; mix(); s = r; } else s = s + 2; check(); }";
    let programs = [
        text.into(),
        text.replace("r == 31", "r == 32"),
        "u8 d = input(); down() { d = d - 1; if (d == 200) error(); if (d != 0) down(); } down();".into(),
    ];
    for (text, expected) in programs.iter().zip([Verdict::False, Verdict::True, Verdict::False]) {
        let mut known = 0;
        for composition in both_ends() {
            let composition = Composition { first_turn: 1, ..composition };
            let (verdict, statistics) = by(&source(text), &composition);
            known += statistics.shortcuts;
            assert_eq!(verdict, expected, "{text}");
        }
        assert!(known > 0 || expected == Verdict::True, "{text}");
    }
}

#[test]
fn the_documents_examples_from_both_ends() {
    for composition in both_ends() {
        assert_eq!(by(&counter(2), &composition).0, Verdict::True);
        assert_eq!(by(&automaton(KREPPEL_2), &composition).0, Verdict::True);
        assert_eq!(by(&automaton(&KREPPEL_2.replace("2:32 a", "4:32 a")), &composition).0, Verdict::False);
        assert_eq!(by(&kreppel_3(0), &composition).0, Verdict::False);
        assert_eq!(by(&kreppel_3(7), &composition).0, Verdict::True);
    }
}

#[test]
fn slices_on_the_way_do_not_fit() {
    let composition = Composition { slicing: Some(Default::default()), ..values() };
    assert_eq!(composition.check().expect_err("a misfit").key, "direction");
}
