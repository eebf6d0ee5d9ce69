//! A short run of open programs with fixed seeds: what is proved, no native run with a random outside reaches.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::long_run::Run;
use kerf_tests::open::{Family, Options, compare};
use std::time::Duration;

#[test]
fn fuzz_open_programs_agree_with_native_runs() {
    let run = Run::of_test(0, 45);
    let count = run.count;
    let options = Options { run, families: Family::ALL.to_vec(), timeout: Duration::from_secs(2) };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    let all = summary.all();
    assert!(all.discarded * 20 <= count && all.alarms * 10 >= count, "too few verdicts: {summary}");
}
