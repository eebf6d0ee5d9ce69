//! A short run of the test of slices by execution with fixed seeds.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::slices::{Options, compare};

#[test]
fn fuzz_slices_show_what_the_program_shows() {
    let count = std::env::var("KERF_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let options = Options { seed: 1_000_000, count, jobs: 2, batch: 20, builds: 1, inputs: 3, keep: None };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= summary.runs, "too many runs with undefined behaviour: {summary}");
    assert!(summary.values >= 10 * count, "too few values shown: {summary}");
}
