//! The long run of the test of slices by execution: `cargo run -p kerf-tests --bin slices --release -- --count 5000 --seed 0 --jobs 2`.
//!
//! The exit code is 0 if nothing disagrees, else 1. Programs that show a disagreement are kept in the folder of `--keep`.

use anyhow::Result;
use clap::Parser;
use kerf_tests::long_run::Reporter;
use kerf_tests::slices::{Options, compare};
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    let reporter = Reporter::start();
    let summary = compare(&Options::parse(), &|so_far| reporter.so_far(so_far))?;
    Ok(reporter.end(&summary, &summary.disagreements))
}
