//! The library's models against glibc: `cargo run --release -p kerf-tests --bin library -- --count 10000 --seed 0 --jobs 2 --only str`.
//!
//! The exit code is 0 if nothing disagrees, else 1. Programs that show a disagreement are kept in the folder of `--keep`. With
//! `--only TEXT`, only functions whose names contain the text are called.

use anyhow::Result;
use clap::Parser;
use kerf_tests::library::{Options, compare};
use kerf_tests::long_run::Reporter;
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    let reporter = Reporter::start();
    let summary = compare(&Options::parse(), &|so_far| reporter.so_far(so_far))?;
    Ok(reporter.end(&summary, &summary.disagreements))
}
