//! A short run of calls of the C library with fixed seeds: what glibc does, no model excludes.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::library::{Options, compare, not_covered};
use std::time::Duration;

#[test]
fn fuzz_models_allow_what_glibc_does() {
    let count = std::env::var("KERF_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(80);
    let options = Options { seed: 0, count, only: String::new(), jobs: 2, timeout: Duration::from_secs(2), keep: None };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= count && summary.alarms * 3 >= count, "too few verdicts: {summary}");
}

#[test]
fn all_models_are_called() {
    assert_eq!(not_covered(), Vec::<String>::new());
}
