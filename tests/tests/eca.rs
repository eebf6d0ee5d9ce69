//! Generated event-condition-action programs: they are what was planned, and kerf's verdicts are theirs.

use frontend_llvm::{LoadOptions, load};
use kerf_tests::eca::{Plan, Program, program};
use kerf_tests::kerf::{Verdict, parallel, verify};
use slicer::{PrepareOptions, prepare};
use std::path::Path;
use std::sync::Arc;
use verifier::program::domain_types::{DomainTypes, EcaClass, Measures};

const PLAN: Plan =
    Plan { rules: 40, variables: 5, free: 2, values: 3, arithmetic: false, seed: 0, verdict: true, depth: 4 };

fn measures(file: &Path) -> Measures {
    let raw = load(&[file.to_path_buf()], &LoadOptions::default()).expect("it loads").raw;
    let (cfa, _) = prepare(raw, &PrepareOptions::default()).expect("it is prepared");
    let slice = cfa::view::Slice::whole(&cfa);
    let program = verifier::program::Program::new(Arc::new(cfa), slice);
    Measures::new(&program, &DomainTypes::new(&program))
}

/// The simulation of all inputs is compared with the plan when a program is made.
#[test]
fn programs_are_as_planned() {
    for seed in 0..kerf_testing::fuzz_runs(40) {
        for verdict in [true, false] {
            for (rules, depth) in [(12, 1), (40, 4), (300, 12)] {
                let plan = Plan { seed, verdict, rules, depth, ..PLAN };
                let made = Program::new(&plan).expect("a program");
                assert_eq!(made.depth(), (!verdict).then_some(depth), "{plan:?}");
                assert_eq!(made.c(&plan), program(&plan).expect("a program"), "programs are functions of their plans");
            }
        }
    }
    for wrong in [Plan { variables: 1, ..PLAN }, Plan { values: 1, ..PLAN }, Plan { rules: 9, ..PLAN }] {
        assert!(program(&wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn programs_have_the_shape_of_their_class() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arithmetic, class) in [(false, EcaClass::Eq), (true, EcaClass::Mul)] {
        let plan = Plan { rules: 250, variables: 12, values: 4, arithmetic, ..PLAN };
        let text = program(&plan).expect("a program");
        let file = folder.path().join("eca.c");
        std::fs::write(&file, &text).expect("a file");
        let measures = measures(&file);
        assert_eq!((measures.class, measures.state_variables), (class, 14));
        let written = |operator: &str| text.matches(operator).count() as u64;
        // Operators of branches are those of the source. What negates a range of numbers (`!(a && b)`) counts as `!a || !b`.
        let (found, expected) = ([measures.conjunctions, measures.disjunctions], [written("&&"), written("||")]);
        assert_eq!(found.iter().sum::<u64>(), expected.iter().sum());
        assert!(found == expected || arithmetic, "{found:?} {expected:?}");
        assert_eq!(measures.products, written(" % ") + written(" * ") + written(" / "));
        assert_eq!(written("static int calculate_output"), 4);
    }
}

/// No strategy gives a wrong verdict, and `auto` gives an answer. Programs whose errors are reached are found by an execution, which is replayed.
#[test]
fn verdicts_are_those_of_the_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut runs = Vec::new();
    for (arithmetic, verdict) in [(false, true), (false, false), (true, true), (true, false)] {
        // Ranges of numbers are harder than values.
        let smaller = Plan { rules: 16, variables: 4, free: 1, depth: 3, ..PLAN };
        let plan = Plan { arithmetic, verdict, seed: 3, ..if arithmetic { smaller } else { PLAN } };
        let file = folder.path().join(format!("eca_{arithmetic}_{verdict}.c"));
        std::fs::write(&file, program(&plan).expect("a program")).expect("a file");
        for strategy in ["value", "predicate", "k-induction", "auto"] {
            runs.push((file.clone(), plan, strategy));
        }
    }
    let answers = parallel(&runs, 2, |(file, _, strategy)| {
        let time = if *strategy == "auto" { "60s" } else { "5s" };
        verify(file, &["--strategy", strategy, "--timeout", time, "--verbose"]).expect("kerf runs")
    });
    for ((_, plan, strategy), answer) in runs.iter().zip(answers) {
        assert_eq!(answer.defect(), None, "{plan:?}, {strategy}");
        let found = answer.verdict().expect("a verdict");
        let expected = if plan.verdict { Verdict::True } else { Verdict::False };
        assert!(found == expected || found == Verdict::Unknown, "{plan:?}, {strategy}: {}", answer.output);
        assert!(found == expected || *strategy != "auto", "{plan:?}: {}", answer.output);
    }
}
