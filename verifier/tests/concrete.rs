//! Concrete runs: which programs they refute, that they prove nothing, and the undefined behaviour that they meet.

use crate::support::*;
use cfa::eval::Value;
use verifier::evidence::fault::FaultKind;
use verifier::evidence::outcome::{Outcome, UnknownReason};
use verifier::program::Program;
use verifier::strategies::concrete::{self, Counts, Found, Options};
use verifier::verify::Verdict as Answer;

fn found(program: &Program, options: Options) -> (Found, Counts) {
    let mut counts = Counts::default();
    let found = concrete::run(program, options, patient(), &mut counts);
    (found, counts)
}

fn check(text: &str, expected: Verdict) -> Counts {
    let program = source(text);
    let (found, counts) = found(&program, Options::quick());
    assert_eq!(verdict(&program, found.outcome), expected, "{text}: {counts:?}");
    counts
}

fn nothing() -> Verdict {
    Verdict::Unknown("no run on concrete inputs reaches the error".into())
}

/// A hash that no solver inverts; nearly every input has a wrong one.
const HASH: &str = "
    u32 h = 2166136261; u32 i = 0;
    while (i < 100) { u32 x = input(); h = (h ^ (x & 255)) * 16777619; h = h ^ (h >> 13); h = h * h + 7; i = i + 1; }
    if (h != 305419896) { error(); }";

#[test]
fn what_most_inputs_violate_is_found() {
    assert_eq!(check(HASH, Verdict::False).runs, 1);
    // Only one input in four billions does.
    let counts = check(&HASH.replace("h != 305419896", "h == 305419896"), nothing());
    assert!(counts.runs > 10 && counts.steps < 1_000_000, "{counts:?}");
}

#[test]
fn inputs_take_what_they_are_compared_with() {
    check("u32 x = input(); if (x == 4000000017) { error(); }", Verdict::False);
    check("u32 x = input(); u32 y = x; if (y > 70000) { if (y < 70002) { error(); } }", Verdict::False);
    check("int x = input(); if (x < 0) { if (0 - x == x) { error(); } }", Verdict::False);
    // Each test needs an input of its own; earlier runs say how to pass the first ones.
    check(
        "u32 a = input(); u32 b = input(); u32 c = input(); u32 d = input(); \
         if (a == 77770) { if (b == 88880) { if (c == 99990) { if (d == 66660) { error(); } } } }",
        Verdict::False,
    );
}

#[test]
fn a_program_without_inputs_is_run_once() {
    let counts = check("u32 i = 0; while (i < 100000) { i = i + 1; } if (i == 100000) { error(); }", Verdict::False);
    assert_eq!(counts.runs, 1);
    let counts = check("u32 i = 0; while (i < 1000) { i = i + 1; } if (i != 1000) { error(); }", nothing());
    assert_eq!(counts.runs, 1);
    // It does not end.
    let options = Options { first_steps: 1_000, only_steps: 5_000, ..Options::quick() };
    let (_, counts) = found(&source("u32 i = 0; while (i < 2) { i = i * 2; } error();"), options);
    assert_eq!((counts.runs, counts.steps), (2, 6_000));
}

/// The same seeds, so the same runs.
#[test]
fn runs_do_not_depend_on_chance() {
    let program = source("u32 x = input(); u32 y = input(); if (x > 1000) { if (y == x + 1) { error(); } }");
    let inputs = || match found(&program, Options::quick()).0.outcome {
        Ok(Outcome::Alarm(candidate)) => {
            let mut all: Vec<(u32, Vec<Value>)> = candidate.inputs.into_iter().map(|(e, v)| (e.0, v)).collect();
            all.sort_by_key(|(e, _)| *e);
            format!("{all:?}")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(inputs(), inputs());
}

/// An array of two cells at a place that is the input's to choose.
const ARRAY: &str = "
cfa 1
pointer_bits 64
entry main
file 1 \"array.c\"
func main entry l0 exit l9
object a global size 8 align 8 base 4096
var mem mem64x8 holds (a)
var x bv64 of main as \"x\" unsigned
in main
  l0 -> l1: x := ? program \"input\" @1:1:1
  l1 -> l2: [(bvule 1:64 x)] @1:2:1
  l1 -> l9: [(not (bvule 1:64 x))] @1:2:1
  l2 -> l3: mem := (write mem (bvadd 4096:64 (bvmul x 4:64)) 7:32) @1:3:1
  l3 -> l4: [(= x 200:64)] @1:4:1
  l3 -> l9: [(not (= x 200:64))] @1:4:1
  target l4
";

#[test]
fn undefined_behaviour_is_reported_with_its_inputs() {
    let program = automaton(ARRAY);
    let (found, _) = found(&program, Options::quick());
    assert!(matches!(found.outcome, Ok(Outcome::Unknown(UnknownReason::NotReached(_)))));
    let fault = found.fault.expect("an access outside of the array");
    assert_eq!(
        (fault.kind, program.cfa.place(program.cfa.edges[fault.edge].span)),
        (FaultKind::InvalidAccess, "array.c:3".into())
    );
    assert_eq!((fault.inputs.len(), fault.rests_on.as_deref()), (1, None));
    // The search's alarm is not confirmed, and says where it ends.
    let report = verified(&program, "bmc", &smt::standard);
    let Answer::Unknown(reason) = &report.verdict else { panic!("{report:?}") };
    let expected = "possible memory error at array.c:3 with these inputs; the property behind it was not decided";
    assert_eq!(reason.to_string(), expected);
    assert_eq!(report.fault.expect("a fault").inputs[0].value.to_u64(), Some(200));
}
