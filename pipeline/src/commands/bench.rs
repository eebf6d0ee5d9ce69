//! `kerf bench`: runs task sets and prints the score.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::print;
use crate::bench::runner::{self, Setup};
use crate::bench::score::{COLUMNS, Outcome, native, reasons, rows, table};
use crate::bench::tasks::{self, Selection};
use crate::cli::BenchArgs;
use crate::worker::{UserError, interrupted};

pub(super) fn run(args: BenchArgs) -> Result<u8> {
    for path in &args.show {
        let outcomes = read_results(path)?;
        if !args.json {
            print(&format!("== {}\n", path.display()))?;
        }
        show(&outcomes, args.json)?;
    }
    if !args.show.is_empty() {
        return Ok(0);
    }
    let selection =
        Selection { property: args.property.clone(), categories: args.category.clone(), sample: args.sample as usize };
    let tasks = tasks::read(&args.tasks, &selection)?;
    let mut options = Vec::new();
    if let Some(strategy) = &args.strategy {
        options.extend(["--strategy".to_string(), strategy.clone()]);
    }
    if args.no_slice {
        options.push("--no-slice".to_string());
    }
    let setup = Setup {
        kerf: std::env::current_exe().context("cannot find this program's file")?,
        options,
        timeout: args.timeout,
        memory_bytes: args.memory,
        jobs: usize::from(args.jobs),
        native: args.native,
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
        return Ok(super::UNKNOWN);
    }
    Ok(0)
}

fn show(outcomes: &[Outcome], json: bool) -> Result<()> {
    if json {
        let all = serde_json::json!({ "tasks": outcomes, "table": rows(outcomes), "reasons": reasons(outcomes), "native": native(outcomes) });
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

fn read_results(path: &Path) -> Result<Vec<Outcome>> {
    let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    let mut lines = text.lines();
    if lines.next().is_none_or(|header| header.trim_end() != COLUMNS.join("\t")) {
        return Err(UserError(format!("{}: not a table of results", path.display())).into());
    }
    let line = |(i, line): (usize, &str)| {
        let outcome = Outcome::from_line(line.trim_end_matches('\r'));
        outcome.ok_or_else(|| UserError(format!("{}:{}: not a line of results", path.display(), i + 2)).into())
    };
    lines.enumerate().map(line).collect()
}

fn progress(tasks: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(tasks as u64);
    if let Ok(style) = indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} tasks, {elapsed}, {eta} to go") {
        bar.set_style(style);
    }
    bar
}
