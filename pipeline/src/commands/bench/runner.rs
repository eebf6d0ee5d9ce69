//! Runs kerf on tasks: one process group per task, under limits, several tasks at a time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

use crate::commands::bench::score::{CONFIRMED, Outcome, REPRODUCED, UNEXPLAINED};
use crate::commands::bench::tasks::Task;
use crate::commands::certificate::checking::{Certified, CheckReport};
use crate::driver::CERTIFICATE;
use crate::external_solver::SecondSolver;
use crate::limits::show_duration;
use crate::process;
use crate::report::{Cause, NativeRun, Report, Verdict, is_check};
use crate::worker::interrupted;

/// How tasks are run.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// The program to run, usually this one.
    pub kerf: PathBuf,
    /// Options for `kerf verify` in addition to those that the task determines.
    pub options: Vec<String>,
    /// Wall-clock time per task.
    pub timeout: Duration,
    /// Address space per task in bytes.
    pub memory_bytes: u64,
    /// Number of tasks that run at the same time.
    pub jobs: usize,
    /// Whether the program of each `false` is compiled and run on the inputs of the counterexample.
    pub native: bool,
    /// The solver that repeats the queries of each proof.
    pub second: Option<SecondSolver>,
}

/// Time after the timeout until a run is terminated from outside.
const GRACE: Duration = Duration::from_secs(3);

/// Maximum time for all queries of a proof in the second solver, in multiples of the task's timeout.
const SECOND_TIMEOUTS: u32 = 4;

/// Runs all tasks. Calls `finished` once per task, in the order in which they end. Stops early on Ctrl-C.
pub(super) fn run(
    tasks: &[Task],
    setup: &Setup,
    finished: impl FnMut(&Outcome) -> Result<()> + Send,
) -> Result<Vec<Outcome>> {
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
    let evidence = (setup.native || setup.second.is_some())
        .then(tempfile::tempdir)
        .transpose()
        .context("cannot make a temporary directory")?;
    if let Some(dir) = &evidence {
        command.arg("--output").arg(dir.path());
    }
    let Some(ended) = process::run(command, setup.timeout + GRACE, setup.memory_bytes)? else { return Ok(None) };
    let report: Option<Report> = json_in(&ended.output);
    let (verdict, detail) = match &report {
        _ if ended.killed => ("timeout".into(), "killed".into()),
        Some(Report { verdict: Verdict::Unknown { kind: Cause::Timeout, reason }, .. }) => {
            ("timeout".into(), format!("({reason})"))
        }
        Some(report) => verdict_of(&report.verdict.to_string()),
        None => ("error".into(), last_line(&ended.output)),
    };
    let second = match (&evidence, &setup.second) {
        (Some(dir), Some(second)) if verdict == "true" => {
            let Some(second) = repeat(task, setup, second, dir.path())? else { return Ok(None) };
            second
        }
        _ => String::new(),
    };
    let times = report.as_ref().map(search_and_check_s);
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
        search_s: times.map(|(search, _)| search),
        check_s: times.map(|(_, check)| check),
        second,
        native: report.filter(|_| setup.native).and_then(native_run).unwrap_or_default(),
        detail,
    };
    Ok(Some(outcome.judge()))
}

/// Wall-clock seconds of the searches, and of the checks of their results.
fn search_and_check_s(report: &Report) -> (f64, f64) {
    let seconds = |check: bool| {
        let parts = report.statistics.parts.iter().filter(|p| is_check(&p.name) == check);
        parts.map(|p| p.ms).sum::<f64>() / 1e3
    };
    (seconds(false), seconds(true))
}

/// The result of the native run in a report, if there was one.
fn native_run(report: Report) -> Option<String> {
    Some(match report.violation?.native_run? {
        NativeRun::Reproduced => REPRODUCED.into(),
        NativeRun::NotReproduced(reason) => reason,
        NativeRun::Unexplained(how) => format!("{UNEXPLAINED}{how}"),
    })
}

/// The second solver's result for the certificate in `evidence`; `None` if the user interrupted it.
fn repeat(task: &Task, setup: &Setup, second: &SecondSolver, evidence: &Path) -> Result<Option<String>> {
    let timeout = setup.timeout * SECOND_TIMEOUTS;
    let mut command = Command::new(&setup.kerf);
    command.args(["certificate", "check", "--second-timeout", &show_duration(second.query_timeout), "--second"]);
    command.arg(&second.program);
    asked(&mut command, task, timeout);
    command.arg(evidence.join(CERTIFICATE));
    let Some(ended) = process::run(command, timeout + GRACE, setup.memory_bytes)? else { return Ok(None) };
    Ok(Some(match json_in::<CheckReport>(&ended.output) {
        _ if ended.killed => "not checked: killed".into(),
        None => format!("not checked: {}", last_line(&ended.output)),
        Some(CheckReport { certified: Certified::Valid(_), second: Some(second), .. }) => match second.asked() {
            0 => "no queries".into(),
            n if n == second.confirmed => CONFIRMED.into(),
            _ => second.summary(),
        },
        Some(CheckReport { certified: Certified::Invalid(reason), .. }) => format!("NOT VALID: {reason}"),
        Some(CheckReport { certified: Certified::Unknown(reason), .. }) => format!("not checked: {reason}"),
        Some(CheckReport { second: None, .. }) => "not asked".into(),
    }))
}

fn command(task: &Task, setup: &Setup) -> Command {
    let mut command = Command::new(&setup.kerf);
    command.arg("verify").args(&setup.options);
    asked(&mut command, task, setup.timeout);
    command
}

/// Adds the options and arguments that state a task, and the option for JSON output.
fn asked(command: &mut Command, task: &Task, timeout: Duration) {
    command.args(["--json", "--timeout", &show_duration(timeout), "--property"]);
    match &task.property_file {
        Some(file) => command.arg(file),
        None => command.arg(&task.property),
    };
    if !task.data_model.is_empty() {
        command.args(["--data-model", &task.data_model]);
    }
    command.args(&task.files);
}

/// Finds the report in the output of both streams: a JSON object that begins on a line of its own.
fn json_in<T: DeserializeOwned>(text: &str) -> Option<T> {
    let begin = text.rfind("\n{\n").map(|at| at + 1).or(text.starts_with("{\n").then_some(0))?;
    serde_json::Deserializer::from_str(&text[begin..]).into_iter().next()?.ok()
}

/// The name of a verdict, and its details.
fn verdict_of(result: &str) -> (String, String) {
    let end = result.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(result.len());
    (result[..end].to_string(), result[end..].trim().to_string())
}

fn last_line(text: &str) -> String {
    text.lines().map(str::trim).rfind(|l| !l.is_empty()).unwrap_or("no output").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Part;

    #[test]
    fn verdicts_have_a_name() {
        assert_eq!(verdict_of("true"), ("true".into(), "".into()));
        assert_eq!(verdict_of("false(unreach-call)"), ("false".into(), "(unreach-call)".into()));
        assert_eq!(verdict_of("unknown (out of memory)"), ("unknown".into(), "(out of memory)".into()));
        assert_eq!(last_line("kerf: a.c: no such file\n\n"), "kerf: a.c: no such file");
        assert_eq!(last_line(""), "no output");
    }

    #[test]
    fn the_report_is_found_after_messages() {
        let mut report = Report::new(Verdict::True);
        let part = |name: &str, ms| Part { name: name.into(), ms, ..Part::default() };
        report.statistics.parts = vec![part("bmc", 1500.0), part("k-induction", 500.0), part("certificate", 250.0)];
        let json = serde_json::to_string_pretty(&report).expect("JSON");
        for text in [format!("{json}\n"), format!("kerf: cannot write x\n{json}\n"), format!("{{\n{json}\n")] {
            let read: Report = json_in(&text).expect("a report");
            assert_eq!((read.verdict.clone(), search_and_check_s(&read)), (Verdict::True, (2.0, 0.25)));
        }
        for text in ["kerf: a.c: no such file\n", "{\n\"verdict\": 3}\n"] {
            assert!(json_in::<Report>(text).is_none(), "{text}");
        }
    }
}
