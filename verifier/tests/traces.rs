//! The steps that counterexamples keep.

use crate::support::*;
use verifier::evidence::trace::{Entry, Fold};
use verifier::verify::Verdict as Answer;

fn trace(text: &str) -> Vec<Entry> {
    let report = verified(&source(text), "value", &smt::standard);
    let Answer::False(counterexample) = report.verdict else { panic!("{report:?}") };
    counterexample.steps
}

fn folds(trace: &[Entry]) -> Vec<Fold> {
    let fold = |entry: &Entry| match entry {
        Entry::Step(_) => None,
        Entry::Folded(folded) => Some(folded.what),
    };
    trace.iter().filter_map(fold).collect()
}

#[test]
fn short_traces_are_whole_and_long_ones_keep_their_start() {
    let text = "u32 n = 5; u32 i = 0; while (i < N) { i = i + 1; n = n * 3; } if (n != 2) { error(); }";
    assert_eq!(folds(&trace(&text.replace('N', "20"))), []);
    let long = trace(&text.replace('N', "100000"));
    assert!(long.len() < 60, "{}", long.len());
    assert!(matches!(folds(&long)[..], [Fold::Iterations(n)] if n > 99_990 && n < 100_000), "{:?}", folds(&long));
    // Nothing is lost: what is folded is counted.
    let steps = |trace: &[Entry]| trace.iter().map(Entry::steps).sum::<u64>();
    let one = steps(&trace(&text.replace('N', "21"))) - steps(&trace(&text.replace('N', "20")));
    assert_eq!(steps(&long), steps(&trace(&text.replace('N', "20"))) + one * (100_000 - 20));
    // Loops within loops.
    let nested = "u32 i = 0; u32 n = 1; while (i < 300) { u32 j = 0; while (j < 300) { j = j + 1; n = n * 3; } i = i + 1; } \
                  if (n != 2) { error(); }";
    let nested = trace(nested);
    assert!(nested.len() < 200, "{}", nested.len());
    assert!(matches!(&nested[0], Entry::Step(step) if step.depth == 0));
    let outer = folds(&nested).into_iter().filter(|fold| matches!(fold, Fold::Iterations(n) if *n < 299 && *n > 290));
    assert!(outer.count() >= 1, "{:?}", folds(&nested));
}

#[test]
fn calls_that_have_not_returned_stay_and_others_are_folded() {
    let text = "
        u32 n = 1; u32 k = 0;
        work() { u32 i = 0; while (i < 5) { n = n * 3; i = i + 1; } }
        deep() { if (k == 60) { if (n != 2) { error(); } } k = k + 1; work(); deep(); }
        deep();";
    let steps = trace(text);
    let depths = || {
        steps.iter().filter_map(|entry| match entry {
            Entry::Step(step) => Some(step.depth),
            Entry::Folded(_) => None,
        })
    };
    assert_eq!(depths().max(), Some(61));
    assert!((0..=61).all(|depth| depths().any(|d| d == depth)));
    let calls = folds(&steps).into_iter().filter(|fold| *fold == Fold::Call).count();
    assert!((20..60).contains(&calls), "{calls} of {}", steps.len());
}
