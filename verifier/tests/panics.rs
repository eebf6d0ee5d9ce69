//! A technique that panics ends alone, and the report says so.

use crate::support::*;
use std::sync::atomic::{AtomicU32, Ordering};
use verifier::evidence::outcome::UnknownReason;
use verifier::verify::Verdict as Answer;

/// A technique panics when it makes its solver; the others have their turns.
#[test]
fn a_panic_ends_one_technique_only() {
    let program = source("u32 x = input(); u32 y = x * 3; if (y == 3) { if (x == 0) { error(); } }");
    let made = AtomicU32::new(0);
    let breaks = |limits| {
        assert!(made.fetch_add(1, Ordering::SeqCst) > 1, "no solver today");
        smt::standard(limits)
    };
    let report = verified(&program, "auto", &breaks);
    assert!(matches!(report.verdict, Answer::True { .. }), "{report:?}");
    let first: Vec<(&str, &str)> =
        report.phases.iter().take(2).map(|phase| (&phase.name[..], &phase.end[..])).collect();
    assert!(first.iter().all(|(_, end)| *end == "internal error: no solver today"), "{first:?}");
    let defects: Vec<&str> = report.defects.iter().map(|(part, _)| &part[..]).collect();
    assert_eq!(defects, first.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert_eq!(report.defects[0].1, "no solver today");

    let breaks = |_| panic!("no solver at all");
    let report = verified(&program, "bmc", &breaks);
    let Answer::Unknown(UnknownReason::Defect(why)) = &report.verdict else { panic!("{report:?}") };
    assert_eq!((&why[..], report.defects.len()), ("no solver at all", 1));
}
