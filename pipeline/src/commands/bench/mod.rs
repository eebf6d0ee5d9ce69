//! `kerf bench`: runs task sets and prints the score.

mod changes;
mod definition;
mod documents;
mod export;
mod measures;
mod page;
mod results;
mod runner;
mod score;
mod tasks;
mod tool;
mod versus;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use sha2::{Digest, Sha256};

use crate::cli::BenchArgs;
use crate::commands::{print, print_json};
use crate::config::BenchSettings;
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
    let settings = BenchSettings::resolve(args.config.as_deref(), args.partial())?;
    let shown = Shown { json: args.json, documents: settings.documents.value.clone() };
    if !args.show.is_empty() {
        return show_again(&args, &settings, &shown);
    }
    if settings.tasks.value.is_empty() {
        let what = "no tasks: name task sets, or state `tasks` in the table [bench] of a --config file";
        return Err(UserError(what.into()).into());
    }
    check_outputs(&settings)?;
    let setup = setup(&settings)?;
    let tasks = tasks::read(&settings.tasks.value, &selection(&settings)?)?;
    let mut out = settings.out.value.as_deref().map(Table::open).transpose()?;
    let mut outcomes = Vec::new();
    let mut runs: Vec<Run> =
        tasks.iter().flat_map(|task| (0..setup.tools.len()).map(move |tool| Run { tool, task })).collect();
    if let (Some(table), Some(path)) = (&mut out, &settings.out.value) {
        let names = setup.tools.iter().map(|tool| tool.name.clone());
        let stated: Vec<(String, String)> = names.zip(setup.settings.iter().cloned()).collect();
        let mut done = Done::new(path, std::mem::take(&mut table.before), &stated)?;
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
        write_settings(&settings, path)?;
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
    write_files(&all, &settings)?;
    show_all(&all, &shown)?;
    if interrupted() {
        eprintln!("kerf: interrupted after {ended} of {} runs", tasks.len() * setup.tools.len());
        return Ok(crate::commands::UNKNOWN);
    }
    Ok(0)
}

/// Finds out before the runs that something could not be written after them.
fn check_outputs(settings: &BenchSettings) -> Result<(), UserError> {
    let files = [
        &settings.out.value,
        &settings.html.value,
        &settings.csv.value,
        &settings.xml.value,
        &settings.quantile_plot.value,
        &settings.score_plot.value,
        &settings.scatter_plot.value,
    ];
    let files: Vec<&PathBuf> = files.into_iter().flatten().collect();
    for (i, file) in files.iter().enumerate() {
        if files[..i].contains(file) {
            return Err(UserError(format!("{}: is to be written twice, for different options", file.display())));
        }
        // Folders for `--xml` are made.
        let folder = file
            .parent()
            .filter(|_| Some(*file) != settings.xml.value.as_ref())
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(UserError(format!("{}: {} is no directory", file.display(), folder.display())));
        }
    }
    Ok(())
}

/// How results are shown.
struct Shown {
    /// As JSON instead of text.
    json: bool,
    /// The documents whose tables are printed.
    documents: Vec<Document>,
}

/// Which tasks the settings ask for.
fn selection(settings: &BenchSettings) -> Result<Selection, UserError> {
    Ok(Selection {
        property: settings.property.value.clone(),
        categories: settings.category.value.clone(),
        sample: settings.sample.value as usize,
        part: settings.part.value,
        skip: settings.skip.value.as_deref().map(tasks::read_skipped).transpose()?.unwrap_or_default(),
    })
}

/// How the settings ask for the tasks to be run.
fn setup(settings: &BenchSettings) -> Result<Setup> {
    let kerf = std::env::current_exe().context("cannot find the executable of kerf")?;
    let mut tools = [&settings.tools.value[..], &documents::tools(&settings.documents.value)].concat();
    if tools.is_empty() {
        tools.push(own_tool(settings));
    }
    for (i, tool) in tools.iter().enumerate() {
        if tools[..i].iter().any(|other| other.name == tool.name) {
            return Err(UserError(format!("--tool: two tools are called '{}'", tool.name)).into());
        }
    }
    if settings.scatter_plot.value.is_some() && tools.len() != 2 {
        return Err(UserError(format!("a scatter plot compares two tools, not {}", tools.len())).into());
    }
    let (native, second) = (settings.native.value, settings.second.value.as_deref());
    let reports = tools.iter().any(|tool| matches!(tool.program, Program::Kerf(_)));
    if !reports && (native || second.is_some()) {
        return Err(
            UserError("--native and --second are about configurations of kerf, but no tool is one".into()).into()
        );
    }
    let (timeout, memory_bytes) = (settings.timeout.value, settings.memory.value);
    let (jobs, cores) = (usize::from(settings.jobs.value), settings.cores.value.map(usize::from));
    let limits = format!(
        "{}, {}{}",
        show_duration(timeout),
        show_bytes(memory_bytes),
        match cores {
            None => String::new(),
            Some(1) => ", 1 core".into(),
            Some(cores) => format!(", {cores} cores"),
        }
    );
    // What only configurations of kerf have: the build, and what is done with its answers.
    let mut build = if reports { format!(" [{}]", fingerprint(&kerf)?) } else { String::new() };
    build.push_str(if native { ", native runs" } else { "" });
    build.extend(second.map(|second| format!(", repeated by {}", second.display())));
    let stated = tools.iter().map(|tool| {
        let build = if matches!(tool.program, Program::Kerf(_)) { build.as_str() } else { "" };
        score::clean(&format!("{}{build}; {limits}", tool.text()))
    });
    Ok(Setup {
        settings: stated.collect(),
        kerf,
        tools,
        timeout,
        memory_bytes,
        processors: processors(jobs, cores)?,
        native,
        second: second.map(|p| SecondSolver::new(p, timeout)).transpose()?,
    })
}

/// The configuration of kerf that the settings describe where there are no tools.
fn own_tool(settings: &BenchSettings) -> Tool {
    let mut options = Vec::new();
    if let Some(strategy) = &settings.strategy.value {
        options.extend(["--strategy".to_string(), strategy.text.clone()]);
    }
    if !settings.slice.value {
        options.push("--no-slice".to_string());
    }
    Tool { name: "kerf".into(), program: Program::Kerf(options) }
}

/// Writes the effective settings beside the results: with `--config`, they go on with the bench or repeat it.
fn write_settings(settings: &BenchSettings, results: &Path) -> Result<()> {
    let mut path = results.as_os_str().to_owned();
    path.push(".toml");
    let path = PathBuf::from(path);
    let text = format!(
        "# Effective settings of kerf bench {} ({}) for: {}\n{}",
        env!("CARGO_PKG_VERSION"),
        crate::driver::versions(),
        results.display(),
        settings.text()
    );
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
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
fn show_again(args: &BenchArgs, settings: &BenchSettings, shown: &Shown) -> Result<u8> {
    let all = results::read(&args.show)?;
    write_files(&all, settings)?;
    if args.changes {
        let [before, now] = &all[..] else {
            return Err(UserError(format!("--changes compares two sets of results, not {}", all.len())).into());
        };
        let changes = changes::between(before, now);
        if args.json {
            print_json(changes)?
        } else {
            print(&changes.to_string())?
        }
        return Ok(0);
    }
    show_all(&all, shown)?;
    Ok(0)
}

/// Writes the files that the settings ask for, beside the results themselves.
fn write_files(all: &[Results], settings: &BenchSettings) -> Result<()> {
    let put = |path: &Path, text: String| {
        std::fs::write(path, text).map_err(|e| UserError(format!("{}: {e}", path.display())))
    };
    if let Some(path) = &settings.quantile_plot.value {
        versus::quantile_plot(all, path)?;
    }
    if let Some(path) = &settings.score_plot.value {
        versus::score_plot(all, path)?;
    }
    if let Some(path) = &settings.scatter_plot.value {
        let [a, b] = all else {
            return Err(UserError(format!("a scatter plot compares two sets of results, not {}", all.len())).into());
        };
        versus::scatter_plot(a, b, path)?;
    }
    if let Some(folder) = &settings.xml.value {
        export::write_xml(all, folder)?;
    }
    if let Some(path) = &settings.csv.value {
        put(path, export::csv(all)?)?;
    }
    if let Some(path) = &settings.html.value {
        put(path, page::page(all)?)?;
    }
    Ok(())
}

/// Prints each set of results, then all of them side by side, and the tables of documents.
fn show_all(all: &[Results], shown: &Shown) -> Result<()> {
    if shown.json {
        return print_json(json(all));
    }
    for results in all {
        if all.len() > 1 {
            print(&format!("== {}\n", results.name))?;
        }
        print(&table(&results.outcomes))?;
    }
    if all.len() > 1 {
        print(&format!("\n{}", versus::tables(all)))?;
    }
    for document in &shown.documents {
        let name = document.to_possible_value().map(|v| v.get_name().to_string()).unwrap_or_default();
        print(&format!("\n== {name}\n{}", document.tables(all)))?;
    }
    Ok(())
}

/// All results as one object; `docs/schema/bench-1.0.json` says what is in it.
fn json(all: &[Results]) -> serde_json::Value {
    let of_tool = |results: &Results| {
        let outcomes = &results.outcomes;
        serde_json::json!({
            "name": results.name,
            "settings": outcomes.first().map_or("", |o| &o.settings),
            "tasks": outcomes,
            "table": rows(outcomes),
            "reasons": reasons(outcomes),
            "certificate_check": check_share(outcomes),
            "second": second(outcomes),
            "native": native(outcomes),
            "answers": results.summary(),
            "beyond": versus::beyond(results, all),
        })
    };
    serde_json::json!({ "tools": all.iter().map(of_tool).collect::<Vec<_>>() })
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
