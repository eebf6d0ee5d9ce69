//! Runs tools on tasks: one process group per run, under limits, several runs at a time.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

use crate::commands::bench::score::{CONFIRMED, Outcome, REPRODUCED, UNEXPLAINED};
use crate::commands::bench::tasks::Task;
use crate::commands::bench::tool::{Program, Tool, shell, verdict_in};
use crate::commands::certificate::checking::{Certified, CheckReport};
use crate::driver::CERTIFICATE;
use crate::external_solver::SecondSolver;
use crate::limits::show_duration;
use crate::process::{self, Ended};
use crate::report::{Cause, NativeRun, Report, Verdict, is_check};
use crate::worker::{UserError, interrupted};

/// How tasks are run.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// This program.
    pub kerf: PathBuf,
    /// What runs on each task.
    pub tools: Vec<Tool>,
    /// Each tool's command with the limits, as the results state it.
    pub settings: Vec<String>,
    /// Wall-clock time per run.
    pub timeout: Duration,
    /// Address space per run in bytes.
    pub memory_bytes: u64,
    /// The processors of each run that happens at the same time.
    pub processors: Vec<Processors>,
    /// Whether the program of each `false` is compiled and run on the inputs of the counterexample.
    pub native: bool,
    /// The solver that repeats the queries of each proof.
    pub second: Option<SecondSolver>,
}

/// The processors that a run may use: all, or those with these numbers.
pub(super) type Processors = Option<Vec<usize>>;

/// Processors for `jobs` runs at the same time, `cores` for each: no processor serves two of them.
///
/// # Errors
/// User errors: this process may not use so many.
pub(super) fn processors(jobs: usize, cores: Option<usize>) -> Result<Vec<Processors>, UserError> {
    let Some(cores) = cores else { return Ok(vec![None; jobs]) };
    // SAFETY: plain data, for which zeros are valid; the call writes only into it.
    let allowed = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
        (0..libc::CPU_SETSIZE as usize).filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect::<Vec<usize>>()
    };
    if allowed.len() < jobs * cores {
        let have = allowed.len();
        return Err(UserError(format!(
            "--jobs {jobs} with --cores {cores} needs {} processors, but there are {have}",
            jobs * cores
        )));
    }
    Ok(allowed.chunks(cores).take(jobs).map(|cpus| Some(cpus.to_vec())).collect())
}

/// Restricts a program to these processors.
fn restrict(command: &mut Command, processors: &Processors) {
    let Some(cpus) = processors else { return };
    // SAFETY: plain data, for which zeros are valid; the numbers are below CPU_SETSIZE.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        cpus.iter().for_each(|cpu| libc::CPU_SET(*cpu, &mut set));
        set
    };
    // SAFETY: only a system call between fork and exec, on data that the closure owns.
    unsafe {
        command.pre_exec(move || match libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
}

/// Time after the timeout until a run is terminated from outside.
const GRACE: Duration = Duration::from_secs(3);

/// Maximum time for all queries of a proof in the second solver, in multiples of the task's timeout.
const SECOND_TIMEOUTS: u32 = 4;

/// One tool on one task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    /// The tool's place among the tools.
    pub tool: usize,
    /// The task.
    pub task: &'a Task,
}

/// Executes all runs. Calls `finished` once per run, in the order in which they end. Stops early on Ctrl-C.
pub(super) fn run(
    runs: &[Run],
    setup: &Setup,
    finished: impl FnMut(&Outcome) -> Result<()> + Send,
) -> Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((Vec::new(), finished));
    let worker = |processors: &Processors| -> Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = runs.get(index).filter(|_| !interrupted()) else { return Ok(()) };
            let Some(outcome) = run_one(*run, setup, processors)? else { return Ok(()) };
            let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let (outcomes, finished) = &mut *shared;
            finished(&outcome)?;
            outcomes.push(outcome);
        }
    };
    std::thread::scope(|scope| {
        let worker = &worker;
        let threads: Vec<_> = setup.processors.iter().map(|cpus| scope.spawn(move || worker(cpus))).collect();
        threads.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| anyhow::bail!("a thread panicked")))
    })?;
    Ok(shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).0)
}

/// Runs one tool on one task; `None` if the user interrupted it.
fn run_one(run: Run, setup: &Setup, processors: &Processors) -> Result<Option<Outcome>> {
    let outcome = match &setup.tools[run.tool].program {
        Program::Kerf(options) => run_kerf(run.task, options, setup, processors)?,
        Program::Shell(template) => {
            let mut command = shell(template, run.task, setup.timeout);
            restrict(&mut command, processors);
            process::run(command, setup.timeout + GRACE, setup.memory_bytes)?.map(|ended| {
                let (verdict, detail) =
                    if ended.killed { ("timeout".into(), "killed".into()) } else { verdict_in(&ended.output) };
                measured(run.task, &ended, verdict, detail)
            })
        }
    };
    Ok(outcome.map(|outcome| {
        let (tool, settings) = (setup.tools[run.tool].name.clone(), setup.settings[run.tool].clone());
        Outcome { tool, settings, ..outcome }.judge()
    }))
}

/// The outcome of a run, without what only kerf reports.
fn measured(task: &Task, ended: &Ended, verdict: String, detail: String) -> Outcome {
    Outcome {
        id: task.id.clone(),
        category: task.category.clone(),
        property: task.property.clone(),
        expected: task.expected.clone(),
        verdict,
        cpu_s: ended.cpu_s,
        wall_s: ended.wall_s,
        rss_mb: ended.rss_mb,
        detail,
        ..Outcome::default()
    }
}

/// Runs a configuration of kerf on one task; `None` if the user interrupted it.
fn run_kerf(task: &Task, options: &[String], setup: &Setup, processors: &Processors) -> Result<Option<Outcome>> {
    let mut command = Command::new(&setup.kerf);
    command.arg("verify").args(options);
    asked(&mut command, task, setup.timeout);
    restrict(&mut command, processors);
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
    let mut outcome = Outcome { second, ..measured(task, &ended, verdict, detail) };
    if let Some(report) = report {
        add_statistics(&mut outcome, &report);
        outcome.native = native_run(report).filter(|_| setup.native).unwrap_or_default();
    }
    Ok(Some(outcome))
}

/// Adds what a report says about its run.
fn add_statistics(outcome: &mut Outcome, report: &Report) {
    let (search, check) = search_and_check_s(report);
    let s = &report.statistics;
    let of_parts = |name: &'static str| s.parts.iter().filter_map(move |p| p.counts.get(name).copied());
    let during_analysis_ms: f64 = s.parts.iter().filter_map(|p| p.times_ms.get("slicing")).sum();
    let sum = |names: &[&'static str]| names.iter().flat_map(|name| of_parts(name)).reduce(|a, b| a + b);
    *outcome = Outcome {
        search_s: Some(search),
        check_s: Some(check),
        states: sum(&["states", "nodes"]),
        successors: sum(&["steps"]),
        refinements: sum(&["refinements"]),
        slices: sum(&["slices"]),
        k: of_parts("k").next_back(),
        bdd_nodes: of_parts("nodes of the largest diagram").max(),
        locations: s.counts.get("cfa.locations").copied(),
        variables: s.counts.get("cfa.variables").copied(),
        graph_s: s.phases_ms.iter().find(|(name, _)| name == "slicing").map(|(_, ms)| (ms + during_analysis_ms) / 1e3),
        ..std::mem::take(outcome)
    };
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
