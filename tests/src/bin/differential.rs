//! The long run of the differential test: `cargo run -p kerf-tests --bin differential --release -- --count 10000 --seed 0 --jobs 2`.
//!
//! `--style hardware` generates programs in the style of hardware models. The exit code is 0 if nothing disagrees, else 1. Programs that
//! show a disagreement are kept in the folder of `--keep`.

use anyhow::Result;
use clap::Parser;
use kerf_tests::differential::{Options, compare};
use kerf_tests::long_run::Reporter;
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    let reporter = Reporter::start();
    let summary = compare(&Options::parse(), &|so_far| reporter.so_far(so_far))?;
    Ok(reporter.end(&summary, &summary.disagreements))
}
