//! `kerf bench`: runs task sets and prints the score.

mod changes;
mod definition;
mod documents;
mod export;
mod results;
mod runner;
mod score;
mod tasks;
mod tool;
mod versus;

use std::io::{IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use sha2::{Digest, Sha256};

use crate::cli::BenchArgs;
use crate::commands::print;
use crate::external_solver::SecondSolver;
use crate::limits::{show_bytes, show_duration};
use crate::worker::{UserError, interrupted};
pub(crate) use documents::Document;
use results::{Done, Table, split};
use runner::{Run, Setup, processors};
use score::{Outcome, check_share, native, reasons, rows, second, table};
pub(crate) use tasks::Part;
use tasks::Selection;
use tool::Program;
pub(crate) use tool::Tool;
use versus::Results;

pub(super) fn run(args: BenchArgs) -> Result<u8> {
    if !args.show.is_empty() {
        return show_again(&args);
    }
    let setup = setup(&args)?;
    let tasks = tasks::read(&args.tasks, &selection(&args)?)?;
    let mut out = args.out.as_deref().map(Table::open).transpose()?;
    let mut outcomes = Vec::new();
    let mut runs: Vec<Run> =
        tasks.iter().flat_map(|task| (0..setup.tools.len()).map(move |tool| Run { tool, task })).collect();
    if let (Some(table), Some(path)) = (&mut out, &args.out) {
        let names = setup.tools.iter().map(|tool| tool.name.clone());
        let settings: Vec<(String, String)> = names.zip(setup.settings.iter().cloned()).collect();
        let mut done = Done::new(path, std::mem::take(&mut table.before), &settings)?;
        runs.retain(|run| match done.take(&setup.tools[run.tool].name, run.task) {
            Some(outcome) => {
                outcomes.push(outcome);
                false
            }
            None => true,
        });
        if !outcomes.is_empty() {
            eprintln!("kerf: {} has {} of {} results", path.display(), outcomes.len(), outcomes.len() + runs.len());
        }
    }
    let bar = progress(runs.len());
    let (mut score, mut wrong) = (0, 0);
    outcomes.extend(runner::run(&runs, &setup, |outcome| {
        if let Some(out) = &mut out {
            out.add(outcome)?;
        }
        score += outcome.score();
        if outcome.status == "WRONG" {
            wrong += 1;
            let Outcome { verdict, expected, id, tool, .. } = outcome;
            bar.suspend(|| eprintln!("WRONG {verdict} (is {expected}): {id} by {tool}"));
        }
        bar.set_message(format!("score {score}, {wrong} wrong"));
        bar.inc(1);
        Ok(())
    })?);
    bar.finish_and_clear();
    let ended = outcomes.len();
    let mut all = split(outcomes);
    all.sort_by_key(|results| setup.tools.iter().position(|tool| tool.name == results.name));
    write_files(&all, &args)?;
    show_all(&all, &args)?;
    if interrupted() {
        eprintln!("kerf: interrupted after {ended} of {} runs", tasks.len() * setup.tools.len());
        return Ok(crate::commands::UNKNOWN);
    }
    Ok(0)
}

/// Which tasks the arguments ask for.
fn selection(args: &BenchArgs) -> Result<Selection, UserError> {
    Ok(Selection {
        property: args.property.clone(),
        categories: args.category.clone(),
        sample: args.sample as usize,
        part: args.part,
        skip: args.skip.as_deref().map(tasks::read_skipped).transpose()?.unwrap_or_default(),
    })
}

/// How the arguments ask for the tasks to be run.
fn setup(args: &BenchArgs) -> Result<Setup> {
    let kerf = std::env::current_exe().context("cannot find the executable of kerf")?;
    let mut tools = [&args.tools[..], &documents::tools(&args.documents)].concat();
    if tools.is_empty() {
        tools.push(from_options(args));
    }
    for (i, tool) in tools.iter().enumerate() {
        if tools[..i].iter().any(|other| other.name == tool.name) {
            return Err(UserError(format!("--tool: two tools are called '{}'", tool.name)).into());
        }
    }
    let reports = tools.iter().any(|tool| matches!(tool.program, Program::Kerf(_)));
    if !reports && (args.native || args.second.is_some()) {
        return Err(
            UserError("--native and --second are about configurations of kerf, but no tool is one".into()).into()
        );
    }
    let (jobs, cores) = (usize::from(args.jobs), args.cores.map(usize::from));
    let limits = format!(
        "{}, {}{}",
        show_duration(args.timeout),
        show_bytes(args.memory),
        match cores {
            None => String::new(),
            Some(1) => ", 1 core".into(),
            Some(cores) => format!(", {cores} cores"),
        }
    );
    // What only configurations of kerf have: the build, and what is done with its answers.
    let mut build = if reports { format!(" [{}]", fingerprint(&kerf)?) } else { String::new() };
    build.push_str(if args.native { ", native runs" } else { "" });
    build.extend(args.second.iter().map(|second| format!(", repeated by {}", second.display())));
    let settings = tools.iter().map(|tool| {
        let build = if matches!(tool.program, Program::Kerf(_)) { build.as_str() } else { "" };
        score::clean(&format!("{}{build}; {limits}", tool.text()))
    });
    Ok(Setup {
        settings: settings.collect(),
        kerf,
        tools,
        timeout: args.timeout,
        memory_bytes: args.memory,
        processors: processors(jobs, cores)?,
        native: args.native,
        second: args.second.as_deref().map(|p| SecondSolver::new(p, args.timeout)).transpose()?,
    })
}

/// The configuration of kerf that options describe where there is no `--tool`.
fn from_options(args: &BenchArgs) -> Tool {
    let mut options = Vec::new();
    if let Some(strategy) = &args.strategy {
        options.extend(["--strategy".to_string(), strategy.text.clone()]);
    }
    if args.no_slice {
        options.push("--no-slice".to_string());
    }
    Tool { name: "kerf".into(), program: Program::Kerf(options) }
}

/// The first digits of a program's SHA-256: results of another build are not those of this one.
fn fingerprint(program: &Path) -> Result<String> {
    let failed = || format!("cannot read {}", program.display());
    let mut file = std::fs::File::open(program).with_context(failed)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer).with_context(failed)? {
            0 => return Ok(hash.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect()),
            n => hash.update(&buffer[..n]),
        }
    }
}

/// Shows the results of earlier runs: each set separately, then side by side.
fn show_again(args: &BenchArgs) -> Result<u8> {
    let all = results::read(&args.show)?;
    if let Some(path) = &args.quantile_plot {
        versus::quantile_plot(&all, path)?;
    }
    if let Some(path) = &args.scatter_plot {
        let [a, b] = &all[..] else {
            return Err(UserError("--scatter-plot compares two tables of results".into()).into());
        };
        versus::scatter_plot(a, b, path)?;
    }
    write_files(&all, args)?;
    if args.changes {
        let [before, now] = &all[..] else {
            return Err(UserError(format!("--changes compares two sets of results, not {}", all.len())).into());
        };
        let changes = changes::between(before, now);
        let text = if args.json { serde_json::to_string_pretty(&changes)? + "\n" } else { changes.to_string() };
        print(&text)?;
        return Ok(0);
    }
    show_all(&all, args)?;
    Ok(0)
}

/// Writes the files for other tools that the arguments ask for.
fn write_files(all: &[Results], args: &BenchArgs) -> Result<()> {
    if let Some(folder) = &args.xml {
        export::write_xml(all, folder)?;
    }
    if let Some(path) = &args.csv {
        std::fs::write(path, export::csv(all)?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Prints each set of results, then all of them side by side, and the tables of documents.
fn show_all(all: &[Results], args: &BenchArgs) -> Result<()> {
    for results in all {
        if !args.json && all.len() > 1 {
            print(&format!("== {}\n", results.name))?;
        }
        show(&results.outcomes, args.json)?;
    }
    if all.len() > 1 && !args.json {
        print(&format!("\n{}", versus::tables(all)))?;
    }
    for document in &args.documents {
        let name = document.to_possible_value().map(|v| v.get_name().to_string()).unwrap_or_default();
        print(&format!("\n== {name}\n{}", document.tables(all)))?;
    }
    Ok(())
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

fn progress(runs: usize) -> indicatif::ProgressBar {
    if !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::new(runs as u64);
    if let Ok(style) =
        indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {msg}, {elapsed}, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}
