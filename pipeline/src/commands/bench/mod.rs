//! `kerf bench`: runs task sets and prints the score.

mod runner;
mod score;
mod tasks;
mod versus;

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};

use crate::cli::BenchArgs;
use crate::commands::print;
use crate::external_solver::SecondSolver;
use crate::worker::{UserError, interrupted};
use runner::Setup;
use score::{COLUMNS, Outcome, check_share, native, reasons, rows, second, table};
use tasks::Selection;
use versus::Results;

pub(super) fn run(args: BenchArgs) -> Result<u8> {
    if !args.show.is_empty() {
        return show_again(&args);
    }
    let second = args.second.as_deref().map(|p| SecondSolver::new(p, args.timeout)).transpose()?;
    let selection =
        Selection { property: args.property.clone(), categories: args.category.clone(), sample: args.sample as usize };
    let tasks = tasks::read(&args.tasks, &selection)?;
    let mut options = Vec::new();
    if let Some(strategy) = &args.strategy {
        options.extend(["--strategy".to_string(), strategy.text.clone()]);
    }
    if args.no_slice {
        options.push("--no-slice".to_string());
    }
    let setup = Setup {
        kerf: std::env::current_exe().context("cannot find the executable of kerf")?,
        options,
        timeout: args.timeout,
        memory_bytes: args.memory,
        jobs: usize::from(args.jobs),
        native: args.native,
        second,
    };
    let mut out = args.out.as_deref().map(create).transpose()?;
    let bar = progress(tasks.len());
    let outcomes = runner::run(&tasks, &setup, |outcome| {
        if let Some(out) = &mut out {
            writeln!(out, "{}", outcome.to_line()).and_then(|()| out.flush()).context("cannot write the results")?;
        }
        if outcome.status == "WRONG" {
            bar.suspend(|| eprintln!("WRONG {} (is {}): {}", outcome.verdict, outcome.expected, outcome.id));
        }
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    show(&outcomes, args.json)?;
    if interrupted() {
        eprintln!("kerf: interrupted after {} of {} tasks", outcomes.len(), tasks.len());
        return Ok(crate::commands::UNKNOWN);
    }
    Ok(0)
}

/// Shows the results of earlier runs: each set separately, then side by side.
fn show_again(args: &BenchArgs) -> Result<u8> {
    let all: Vec<Results> = args.show.iter().map(|path| read_results(path)).collect::<Result<_>>()?;
    if let Some(path) = &args.quantile_plot {
        versus::quantile_plot(&all, path)?;
    }
    if let Some(path) = &args.scatter_plot {
        let [a, b] = &all[..] else {
            return Err(UserError("--scatter-plot compares two tables of results".into()).into());
        };
        versus::scatter_plot(a, b, path)?;
    }
    for results in &all {
        if !args.json {
            print(&format!("== {}\n", results.name))?;
        }
        show(&results.outcomes, args.json)?;
    }
    if all.len() > 1 && !args.json {
        print(&format!("\n{}", versus::tables(&all)))?;
    }
    Ok(0)
}

fn show(outcomes: &[Outcome], json: bool) -> Result<()> {
    if json {
        let all = serde_json::json!({
            "tasks": outcomes,
            "table": rows(outcomes),
            "reasons": reasons(outcomes),
            "certificate_check": check_share(outcomes),
            "second": second(outcomes),
            "native": native(outcomes),
        });
        print(&format!("{all:#}\n"))
    } else {
        print(&table(outcomes))
    }
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    let mut out = BufWriter::new(file);
    writeln!(out, "{}", COLUMNS.join("\t"))?;
    Ok(out)
}

/// Reads results written by `--out` or by another scorer with the same columns.
fn read_results(path: &Path) -> Result<Results> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{shown}: {e}")))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_reader(text.as_bytes());
    let outcomes: Result<Vec<Outcome>, _> = reader.deserialize().collect();
    let outcomes = outcomes.map_err(|e| UserError(format!("{shown}: not a table of results: {e}")))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Results { name, outcomes })
}

fn progress(tasks: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(tasks as u64);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} tasks, {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    bar
}
