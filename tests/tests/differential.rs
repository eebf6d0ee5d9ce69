//! A short run of the differential test with fixed seeds: random C programs against native runs.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::differential::{Options, Style, compare};
use kerf_tests::long_run::Run;
use std::time::Duration;

#[test]
fn fuzz_random_programs_agree_with_native_runs() {
    let run = Run::of_test(1_000_000, 70);
    let count = run.count;
    let options = Options { run, style: Style::General, timeout: Duration::from_secs(2) };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= count, "too many programs with undefined behaviour: {summary}");
    assert!(summary.proved * 10 >= count && summary.alarms * 10 >= count, "too few verdicts: {summary}");
}

#[test]
fn fuzz_hardware_models_agree_with_native_runs() {
    let run = Run::of_test(0, 30);
    let count = run.count;
    let options = Options { run, style: Style::Hardware, timeout: Duration::from_secs(2) };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.proved * 10 >= count && summary.alarms * 10 >= count, "too few verdicts: {summary}");
}
