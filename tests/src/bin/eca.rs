//! Event-condition-action programs whose verdict is known: one on standard output, or a table of kerf's times and verdicts by size.
//!
//! `cargo run --release -p kerf-tests --bin eca -- --rules 500 --variables 20 --values 5 --verdict false --depth 9 > eca.c`
//!
//! `cargo run --release -p kerf-tests --bin eca -- --table --to 100000`

use anyhow::Result;
use clap::Parser;
use kerf_tests::eca::{Plan, program};
use kerf_tests::kerf::{Answer, verify};
use std::io::Write;
use std::time::Instant;

/// Write a program in the style of the RERS challenges whose verdict is known, or measure kerf on such programs
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    plan: Plan,
    /// Print a table for programs of growing size instead: both verdicts, with and without arithmetic
    #[arg(long)]
    table: bool,
    /// Approximate number of lines of the smallest program of the table; each further one has ten times as many
    #[arg(long, value_name = "LINES", default_value_t = 1000)]
    from: usize,
    /// Approximate number of lines of the largest program of the table
    #[arg(long, value_name = "LINES", default_value_t = 10_000)]
    to: usize,
    /// Time for each program of the table
    #[arg(long, value_name = "TIME", default_value = "60s")]
    timeout: String,
    /// Strategy for the table
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
}

/// The phases of `kerf verify --verbose` that the table shows, in their order; for bitcode, translation is a part of loading.
const PHASES: [&str; 4] = ["loading", "slicing", "analysing", "checking"];

fn main() -> Result<()> {
    let options = Options::parse();
    if !options.table {
        print!("{}", program(&options.plan)?);
        return Ok(());
    }
    print!("{:>7} {:>6} {:>5} {:>8} {:>5} | {:>9}", "lines", "rules", "class", "expected", "depth", "clang");
    for phase in PHASES {
        print!(" {phase:>9}");
    }
    println!(" | result");
    let mut lines = options.from;
    while lines <= options.to {
        for (arithmetic, verdict) in [(false, true), (false, false), (true, true), (true, false)] {
            row(&options, lines, Plan { arithmetic, verdict, ..options.plan })?;
        }
        lines *= 10;
    }
    Ok(())
}

/// Measures a program of about `lines` lines, and prints a row.
fn row(options: &Options, lines: usize, kind: Plan) -> Result<()> {
    // State variables and depth grow slowly with size, as they do in the challenges.
    let sized = |rules: usize| {
        let log = rules.ilog2() as usize;
        Plan { rules, variables: 8 + log * 3, depth: 4 + log / 2, ..kind }
    };
    let first = sized((lines / 10).max(20));
    let plan = sized((first.rules * lines / program(&first)?.lines().count()).max(20));
    let text = program(&plan)?;
    let folder = tempfile::tempdir()?;
    let (source, bitcode) = (folder.path().join("eca.c"), folder.path().join("eca.bc"));
    std::fs::write(&source, &text)?;
    let Plan { rules, verdict, depth, .. } = plan;
    let class = if plan.arithmetic { "MUL" } else { "EQ" };
    print!("{:7} {rules:6} {class:>5} {verdict:>8} {depth:>5} |", text.lines().count());
    let begin = Instant::now();
    frontend_llvm::clang::compile(&source, &bitcode, 64, &frontend_llvm::clang::ClangOptions::default())?;
    print!(" {:9.2}", begin.elapsed().as_secs_f64());
    std::io::stdout().flush()?;
    let answer = verify(
        &bitcode,
        &["--verbose", "--strategy", &options.strategy, "--timeout", &options.timeout, "--memory", "8GB"],
    )?;
    for phase in PHASES {
        print!(" {:9.2}", seconds(&answer, phase));
    }
    println!(" | {}", answer.result.as_deref().unwrap_or("no result"));
    Ok(())
}

/// The time of a phase in seconds, from its line `  slicing   12.3 ms`; 0 if it did not run.
fn seconds(answer: &Answer, phase: &str) -> f64 {
    let line = answer.output.lines().find_map(|line| line.trim_start().strip_prefix(phase)).unwrap_or("");
    line.trim().strip_suffix(" ms").and_then(|ms| ms.parse::<f64>().ok()).unwrap_or(0.0) / 1000.0
}
