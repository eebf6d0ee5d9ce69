//! Explorations that go on in several turns say what they would have said in one.

use crate::support::generator::random_program;
use crate::support::*;
use smt::Limits;
use verifier::program::Program;
use verifier::reach::driver::Explored;
use verifier::strategies::composition::{self, Composition};

/// What a composition says of a program in turns of a millisecond, and how many these were.
fn in_turns(program: &Program, composition: &Composition) -> (Verdict, u32) {
    let mut turns = 1;
    let mut explored = composition::run(program, composition, false, &mut smt::standard(Limits::default()), budget(1));
    while let Explored { paused: Some(paused), .. } = explored {
        // Where a millisecond is not enough for one step, more is.
        let time = if turns < 200 { budget(1) } else { patient() };
        explored = paused.resume(program, false, &mut smt::standard(Limits::default()), time);
        turns += 1;
    }
    (verdict(program, explored.outcome), turns)
}

#[test]
fn turns_end_as_one_exploration() {
    let texts = [
        "int n = 0; int s = 0; while (n < 3000) { n = n + 1; s = s + 2; } if (s != 6000) error();",
        "int n = 0; int s = 0; while (n < 3000) { n = n + 1; s = s + 2; } if (s == 6000) error();",
        "int x = input(); int n = 0; while (n < 60) { n = n + 1; if (x == n) x = x + 100; } if (x > 0 && x < 61) error();",
        "int x = input(); int n = 0; while (n < 60) { n = n + 1; if (x == n) x = x + 100; } if (x == 142) error();",
    ];
    let programs = texts.into_iter().map(source).chain((0..10).map(random_program));
    let compositions =
        [Composition::symex(), Composition::symex_merged(), Composition::value(), Composition::invariants()]
            .map(|composition| Composition { max_states: 10_000, ..composition });
    let (mut paused, mut decided) = (0, 0);
    for (i, program) in programs.enumerate() {
        for composition in &compositions {
            let (expected, _) = by(&program, composition);
            let (found, turns) = in_turns(&program, composition);
            paused += u32::from(turns > 1);
            assert!(!matches!(found, Verdict::Rejected(_)), "program {i}: {found:?} in {turns} turns");
            if let Verdict::True | Verdict::False = expected {
                assert_eq!(found, expected, "program {i} in {turns} turns");
                decided += u32::from(turns > 1);
            }
        }
    }
    assert!(paused > 3 && decided > 3, "{paused} explorations were paused, of which {decided} were decided");
}
