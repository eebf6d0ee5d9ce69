//! A short run of the differential test with fixed seeds: random C programs against native runs.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::differential::{Options, Style, compare};
use std::time::Duration;

#[test]
fn fuzz_random_programs_agree_with_native_runs() {
    let count = std::env::var("KERF_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let options =
        Options { style: Style::General, seed: 1_000_000, count, jobs: 2, timeout: Duration::from_secs(2), keep: None };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= count, "too many programs with undefined behaviour: {summary}");
    assert!(summary.proved * 10 >= count && summary.alarms * 10 >= count, "too few verdicts: {summary}");
}

#[test]
fn fuzz_hardware_models_agree_with_native_runs() {
    let count = std::env::var("KERF_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(50);
    let options =
        Options { style: Style::Hardware, seed: 0, count, jobs: 2, timeout: Duration::from_secs(2), keep: None };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.proved * 10 >= count && summary.alarms * 10 >= count, "too few verdicts: {summary}");
}
