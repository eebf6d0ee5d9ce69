//! Runs the slicers on one program after another: compile, slice, measure, verify.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use slicer::criteria::{self, Request};
use slicer::dependence::summary::Direction;
use verifier::strategies::portfolio::Strategy;

use crate::commands::compare::slicers::{Row, Slicer};
use crate::commands::slice::slicing::{self, SlicePlan};
use crate::driver::{self, Form, Plan, Program};
use crate::limits::Limits;
use crate::loading::{self, LoadPlan};
use crate::process;
use crate::report::{Cause, Report, Verdict};
use crate::worker::{self, Death, Ending, Phase, Reporter, Run, UserError, Waiting};

/// What to compare, and how.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// The slicers, in the order of the table.
    pub slicers: Vec<Slicer>,
    /// What to slice for, as written and as parsed; if absent, what the property says.
    pub criteria: Option<(String, Vec<Request>)>,
    /// How to verify each slice; `None` to skip verification.
    pub strategy: Option<Strategy>,
    /// Limits of each step.
    pub limits: Limits,
}

/// A program in the form that all slicers get.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Whole {
    functions: usize,
    instructions: usize,
    targets: Vec<String>,
}

/// Compares the slicers on one program and calls `finished` for each row. A slicer that fails has a row that says so. If the
/// program cannot be read, there are no rows, and the result is the reason. Stops early on Ctrl-C.
pub(super) fn run(
    program: &Program,
    setup: &Setup,
    mut finished: impl FnMut(Row) -> Result<()>,
) -> Result<Result<(), String>> {
    let dir = tempfile::tempdir().context("cannot make a temporary directory")?;
    let file = program.files[0].display().to_string();
    let bitcode = dir.path().join("program.bc");
    let mut program = program.clone();
    let compiled = in_worker(setup, |reporter| to_bitcode(&program, &bitcode, reporter))?;
    match value(compiled) {
        Ok(true) => program.files = vec![bitcode],
        Ok(false) => {}
        Err(Failure { reason, .. }) => return Ok(Err(named(&file, &reason))),
    }
    let whole = match value(in_worker(setup, |reporter| measure(&program, reporter))?) {
        Ok(whole) => whole,
        Err(Failure { reason, .. }) => return Ok(Err(named(&file, &reason))),
    };
    for (i, slicer) in setup.slicers.iter().enumerate() {
        let mut row = Row {
            file: file.clone(),
            slicer: slicer.name().to_string(),
            instructions_before: whole.instructions,
            functions_before: whole.functions,
            ..Row::default()
        };
        let out = dir.path().join(format!("{i}.bc"));
        match slice(&program, slicer, setup, &whole, &out, &mut row)? {
            Ok(sliced) if for_property(setup, &whole) => verify(&program, &sliced, setup, &mut row)?,
            Ok(_) => {}
            Err(reason) => row.error = Some(reason),
        }
        if worker::interrupted() {
            break;
        }
        finished(row)?;
    }
    Ok(Ok(()))
}

/// Whether slices keep what the property is about; otherwise a verdict about a slice says nothing about the program.
fn for_property(setup: &Setup, whole: &Whole) -> bool {
    let Some((_, requests)) = &setup.criteria else { return true };
    let functions = criteria::functions(requests);
    whole.targets.iter().all(|target| functions.contains(target))
}

/// Slices; returns the file with the result, or the reason why there is none.
fn slice(
    program: &Program,
    slicer: &Slicer,
    setup: &Setup,
    whole: &Whole,
    out: &Path,
    row: &mut Row,
) -> Result<Result<PathBuf, String>> {
    match slicer {
        Slicer::Nothing => {
            (row.instructions, row.functions) = (Some(whole.instructions), Some(whole.functions));
            Ok(Ok(program.files[0].clone()))
        }
        Slicer::Own { options, points_to, .. } => {
            let plan = SlicePlan {
                criteria: setup.criteria.as_ref().map(|(_, requests)| requests.clone()),
                direction: Direction::Backward,
                options: *options,
                points_to: *points_to,
                form: Form::Counts,
                why: None,
                annotate: false,
                page: false,
                output: Some(out.to_path_buf()),
                keep_ends: false,
            };
            let run = in_worker(setup, |reporter| slicing::slice(program, &plan, reporter))?;
            (row.slice_s, row.slice_mb) = (Some(run.wall_s), Some(run.rss_mb));
            Ok(value(run).map_err(|failure| failure.reason).map(|report| {
                let size = report.emitted.unwrap_or_default().after;
                (row.instructions, row.functions) = (Some(size.instructions), Some(size.functions));
                out.to_path_buf()
            }))
        }
        Slicer::External { program: tool, .. } => {
            let criteria = setup.criteria.as_ref().map_or_else(|| whole.targets.join(","), |(text, _)| text.clone());
            let mut command = Command::new(tool);
            command.args(["-c", &criteria, "-entry", &program.entry, "-o"]).arg(out).arg(&program.files[0]);
            let sliced = external(command, setup, out, row)?;
            let Ok(out) = sliced else { return Ok(sliced) };
            let module = Program { files: vec![out.clone()], ..program.clone() };
            let size = value(in_worker(setup, |reporter| measure(&module, reporter))?);
            Ok(size.map_err(|failure| failure.reason).map(|size| {
                (row.instructions, row.functions) = (Some(size.instructions), Some(size.functions));
                out
            }))
        }
    }
}

/// Phrases with which tools report that bitcode is newer than they support.
const TOO_NEW: [&str; 5] =
    ["Producer: 'LLVM", "Unknown attribute", "Invalid record", "Opaque pointers", "Invalid bitcode"];

/// Runs an external slicer.
fn external(command: Command, setup: &Setup, out: &Path, row: &mut Row) -> Result<Result<PathBuf, String>> {
    let forever = std::time::Duration::from_secs(365 * 24 * 3600);
    let timeout = setup.limits.timeout.unwrap_or(forever);
    let program = Path::new(command.get_program()).display().to_string();
    let ended = match process::run(command, timeout, setup.limits.memory_bytes.unwrap_or(u64::MAX)) {
        Ok(Some(ended)) => ended,
        Ok(None) => return Ok(Err("interrupted".into())),
        Err(error) => return Err(UserError(format!("{program}: {:#}", error.root_cause())).into()),
    };
    (row.slice_s, row.slice_mb) = (Some(ended.wall_s), Some(ended.rss_mb));
    // Some tools print a lot; this is the maximum number of characters shown.
    const SHOWN: usize = 300;
    if ended.killed {
        return Ok(Err(format!("timeout after {}", crate::limits::show_duration(timeout))));
    }
    let said = ended.output.lines().map(str::trim).rfind(|l| !l.is_empty()).unwrap_or("it printed nothing");
    let said: String = said.chars().take(SHOWN).collect();
    if TOO_NEW.iter().any(|words| ended.output.contains(words)) && !ended.status.success() {
        let ours = frontend_llvm::llvm_version();
        return Ok(Err(format!("it cannot read bitcode of LLVM {ours}, which is newer than its own ({said})")));
    }
    if !ended.status.success() {
        return Ok(Err(format!("{}: {said}", ended.status)));
    }
    Ok(if out.exists() { Ok(out.to_path_buf()) } else { Err(format!("it wrote no file: {said}")) })
}

/// Verifies a slice without slicing it again.
fn verify(program: &Program, sliced: &Path, setup: &Setup, row: &mut Row) -> Result<()> {
    let Some(strategy) = &setup.strategy else { return Ok(()) };
    let module = Program { files: vec![sliced.to_path_buf()], ..program.clone() };
    let plan = Plan { slice: false, ..Plan::new(strategy.clone()) };
    let run: Run<Report> = in_worker(setup, |reporter| driver::verify(&module, &plan, reporter))?;
    row.verify_s = Some(run.wall_s);
    let unknown = |failure: Failure| Verdict::unknown(failure.cause, failure.reason.lines().next().unwrap_or_default());
    row.verdict = Some(value(run).map_or_else(unknown, |report| report.verdict).to_string());
    Ok(())
}

/// Runs a step in a process of its own; its time starts now.
fn in_worker<T, F>(setup: &Setup, job: F) -> Result<Run<T>>
where
    T: Serialize + serde::de::DeserializeOwned,
    F: FnOnce(&Reporter) -> Result<T> + Send,
{
    worker::run(setup.limits, Waiting { spinner: false, verbose: false, start: Instant::now() }, job)
}

/// Why a step has no result.
struct Failure {
    /// The kind of reason.
    cause: Cause,
    /// The reason, in words.
    reason: String,
}

/// The result of a step.
fn value<T>(run: Run<T>) -> Result<T, Failure> {
    let phase = run.last_phase().0.name();
    let (cause, reason) = match run.ending {
        Ending::Finished(value) => return Ok(value),
        // Such as a slice that LLVM rejects.
        Ending::UserError(text) => (Cause::Unsupported, text),
        Ending::Bug(text) => (Cause::Defect, format!("internal error: {text}")),
        Ending::Died(Death::OutOfMemory) => (Cause::Memory, format!("{} while {phase}", Death::OutOfMemory)),
        Ending::Died(death) => (Cause::Crash, format!("{death} while {phase}")),
        Ending::TimedOut => (Cause::Timeout, format!("timeout while {phase}")),
        Ending::Interrupted => (Cause::Interrupted, "interrupted".into()),
    };
    Err(Failure { cause, reason })
}

fn named(file: &str, error: &str) -> String {
    if error.starts_with(file) { error.to_string() } else { format!("{file}: {error}") }
}

/// Compiles C to the bitcode that all slicers get, and returns whether that was necessary.
fn to_bitcode(program: &Program, bitcode: &Path, reporter: &Reporter) -> Result<bool> {
    let file = &program.files[0];
    if !matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
        return Ok(false);
    }
    reporter.phase(Phase::Compiling, &file.display().to_string());
    frontend_llvm::clang::compile(file, bitcode, program.data_model.pointer_bits(), &program.clang_options)
        .map_err(|e| UserError(format!("{e:#}")))?;
    Ok(true)
}

/// The sizes of a program, and the functions whose calls violate its property.
fn measure(program: &Program, reporter: &Reporter) -> Result<Whole> {
    let loaded =
        loading::load(program, LoadPlan { keep: frontend_llvm::Keep::ModuleToSlice, ..LoadPlan::default() }, reporter)?;
    let size = loaded.module.map(|module| module.size()).unwrap_or_default();
    let targets = loaded.targets.into_iter().chain(loaded.assertions).collect();
    Ok(Whole { functions: size.functions, instructions: size.instructions, targets })
}
