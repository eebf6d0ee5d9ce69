//! A short run of calls of the C library with fixed seeds: what glibc does, no model excludes.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::library::{Options, compare, not_covered};
use kerf_tests::long_run::Run;
use std::time::Duration;

#[test]
fn fuzz_models_allow_what_glibc_does() {
    let run = Run::of_test(0, 30);
    let count = run.count;
    let options = Options { run, only: String::new(), timeout: Duration::from_secs(2) };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= count && summary.alarms * 3 >= count, "too few verdicts: {summary}");
}

#[test]
fn all_models_are_called() {
    assert_eq!(not_covered(), Vec::<String>::new());
}
