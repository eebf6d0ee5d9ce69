//! The library's models against glibc: `cargo run --release -p kerf-tests --bin library -- --count 10000 --seed 0 --jobs 2 --only str`.
//!
//! Exit code 0 if nothing disagrees, 1 if something does. Programs that show a disagreement are kept in the folder of `--keep`. With
//! `--only` come only functions whose names contain that.

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
