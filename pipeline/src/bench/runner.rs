//! Runs kerf on tasks: one process group per task, limits on it, several at a time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use super::score::{Outcome, REPRODUCED};
use super::tasks::Task;
use crate::process;
use crate::report::{NativeRun, Report};
use crate::worker::interrupted;

/// How tasks are run.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The program to run, usually this one.
    pub kerf: PathBuf,
    /// Options for `kerf verify` beyond those that the task gives.
    pub options: Vec<String>,
    /// Wall-clock time per task.
    pub timeout: Duration,
    /// Address space per task in bytes.
    pub memory_bytes: u64,
    /// Tasks at the same time.
    pub jobs: usize,
    /// Whether the program of each `false` is compiled and run on the inputs found.
    pub native: bool,
}

/// Time past the timeout until a run is ended from outside.
const GRACE: Duration = Duration::from_secs(3);

/// Runs all tasks; `finished` is called once per task, in the order in which they end. Stops early on Ctrl-C.
pub fn run(tasks: &[Task], setup: &Setup, finished: impl FnMut(&Outcome) -> Result<()> + Send) -> Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((Vec::new(), finished));
    std::thread::scope(|scope| {
        let worker = || -> Result<()> {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index).filter(|_| !interrupted()) else { return Ok(()) };
                let Some(outcome) = run_one(task, setup)? else { return Ok(()) };
                let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let (outcomes, finished) = &mut *shared;
                finished(&outcome)?;
                outcomes.push(outcome);
            }
        };
        let threads: Vec<_> = (0..setup.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| anyhow::bail!("a thread panicked")))
    })?;
    Ok(shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).0)
}

/// Runs one task; `None` if the user interrupted it.
fn run_one(task: &Task, setup: &Setup) -> Result<Option<Outcome>> {
    let mut command = command(task, setup);
    let evidence = setup.native.then(tempfile::tempdir).transpose().context("cannot make a temporary directory")?;
    if let Some(dir) = &evidence {
        command.arg("--output").arg(dir.path());
    }
    let Some(ended) = process::run(command, setup.timeout + GRACE, setup.memory_bytes)? else { return Ok(None) };
    let (verdict, detail) = if ended.killed { ("timeout".into(), "killed".into()) } else { verdict_of(&ended.output) };
    let outcome = Outcome {
        id: task.id.clone(),
        category: task.category.clone(),
        property: task.property.clone(),
        expected: task.expected.clone(),
        verdict,
        status: String::new(),
        cpu_s: ended.cpu_s,
        wall_s: ended.wall_s,
        rss_mb: ended.rss_mb,
        native: evidence.and_then(|dir| native_run(dir.path())).unwrap_or_default(),
        detail,
    };
    Ok(Some(outcome.judge()))
}

/// What the report in an output directory says of the native run, if there was one.
fn native_run(dir: &Path) -> Option<String> {
    let report: Report = serde_json::from_slice(&std::fs::read(dir.join("statistics.json")).ok()?).ok()?;
    Some(match report.violation?.native_run? {
        NativeRun::Reproduced => REPRODUCED.into(),
        NativeRun::NotReproduced(reason) => reason,
    })
}

fn command(task: &Task, setup: &Setup) -> Command {
    let mut command = Command::new(&setup.kerf);
    command.arg("verify").args(["--timeout", &crate::limits::show_duration(setup.timeout)]);
    command.arg("--property");
    match &task.property_file {
        Some(file) => command.arg(file),
        None => command.arg(&task.property),
    };
    if !task.data_model.is_empty() {
        command.args(["--data-model", &task.data_model]);
    }
    command.args(&setup.options).args(&task.files);
    command
}

/// The verdict and the rest of the last `RESULT` line; without one `error` and the last line.
fn verdict_of(text: &str) -> (String, String) {
    let mut lines = text.lines().rev().map(str::trim).filter(|l| !l.is_empty());
    let mut last = None;
    for line in &mut lines {
        if let Some(result) = line.strip_prefix("RESULT: ") {
            let end = result.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(result.len());
            return (result[..end].to_string(), result[end..].trim().to_string());
        }
        last.get_or_insert(line);
    }
    ("error".into(), last.unwrap_or("no output").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_result_line_counts() {
        let check = |text: &str| verdict_of(text);
        assert_eq!(check("RESULT: true\n"), ("true".into(), "".into()));
        assert_eq!(check("x\nRESULT: false(unreach-call)\n\n"), ("false".into(), "(unreach-call)".into()));
        assert_eq!(check("RESULT: unknown (out of memory)"), ("unknown".into(), "(out of memory)".into()));
        assert_eq!(check("kerf: a.c: no such file"), ("error".into(), "kerf: a.c: no such file".into()));
        assert_eq!(check(""), ("error".into(), "no output".into()));
    }
}
