//! Open programs against native runs: `cargo run --release -p kerf-tests --bin open -- --count 10000 --seed 0 --jobs 2 --families defaults,weak`.
//!
//! The exit code is 0 if nothing disagrees, else 1. Programs that show a disagreement are kept in the folder of `--keep`, each with a file
//! that defines its outside: `clang -O0 -w -Dmain=program_main -c open_7.c && clang -O0 -w open_7.o open_7.outside.c && ./a.out 24 main`.

use anyhow::Result;
use clap::Parser;
use kerf_tests::long_run::Reporter;
use kerf_tests::open::{Options, compare};
use std::process::ExitCode;

fn main() -> Result<ExitCode> {
    let reporter = Reporter::start();
    let summary = compare(&Options::parse(), &|so_far| reporter.so_far(so_far.all()))?;
    Ok(reporter.end(&summary, &summary.disagreements))
}
