//! The way through the crates: files, automaton, slice, strategy, replay or certificate check, report.
//!
//! Everything here runs in a worker process. Errors of the user's are [`UserError`]s; any other error, and a panic, is
//! a bug of ours. An analysis that gives up is neither: it is a report whose verdict is `unknown`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use cfa::interpret::InputEvent;
use frontend_llvm::property::Specification;
use serde::{Deserialize, Serialize};

use crate::config::DataModel;
use crate::harness::{self, Experiment};
use crate::narrate;
use crate::report::{NativeRun, Report, Verdict};
use crate::worker::{Phase, Reporter, UserError};

/// The names that `--strategy` takes.
pub const STRATEGIES: [&str; 1] = ["auto"];

/// A program and what is asked of it.
#[derive(Debug, Clone)]
pub struct Program {
    /// C or LLVM files, linked if there are several. They exist and can be read.
    pub files: Vec<PathBuf>,
    /// Widths of C's types, for C files.
    pub data_model: DataModel,
    /// The function at which executions start.
    pub entry: String,
    /// What must hold.
    pub specification: Specification,
}

/// How to verify.
#[derive(Debug, Clone)]
pub struct Plan {
    /// One of [`STRATEGIES`].
    pub strategy: String,
    /// Whether the slice is verified instead of the whole program.
    pub slice: bool,
    /// Where evidence goes; the directory exists. Without it nothing is written.
    pub output: Option<PathBuf>,
}

/// In which form an automaton is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Only counts.
    Counts,
    /// The text format.
    Text,
    /// A graph for Graphviz.
    Dot,
}

/// An automaton or a slice of it, for people and tools.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Listing {
    /// In the form asked for; empty for [`Form::Counts`].
    pub text: String,
    /// Sizes by name, such as `edges`.
    pub counts: BTreeMap<String, u64>,
    /// How many edges are unsupported, by reason.
    pub unsupported: BTreeMap<String, u64>,
}

/// What the checker says of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer", content = "reason")]
pub enum Certified {
    /// It proves the property of this program. With what was checked.
    Valid(String),
    /// It does not, for this reason.
    Invalid(String),
    /// Neither was shown, for this reason.
    Unknown(String),
}

/// Verifies `program` and backs the verdict: `true` with a checked certificate, `false` with a replay.
pub fn verify(program: &Program, plan: &Plan, reporter: &Reporter) -> Result<Report> {
    let _ = plan;
    load(program, reporter)?;
    Ok(Report::new(Verdict::unknown("no analysis is connected to the pipeline")))
}

/// The automaton of `program`.
pub fn cfa(program: &Program, form: Form, reporter: &Reporter) -> Result<Listing> {
    let _ = form;
    load(program, reporter)?;
    Err(UserError(format!("{}: the automaton is not connected to the pipeline", program.files[0].display())).into())
}

/// The slice of `program` for the targets of its property.
pub fn slice(program: &Program, form: Form, reporter: &Reporter) -> Result<Listing> {
    let _ = form;
    load(program, reporter)?;
    Err(UserError(format!("{}: the slicer is not connected to the pipeline", program.files[0].display())).into())
}

/// Checks the certificate in the file `certificate` on the whole of `program`, without any search.
pub fn check_certificate(program: &Program, certificate: &Path, reporter: &Reporter) -> Result<Certified> {
    load(program, reporter)?;
    reporter.phase(Phase::Checking, &certificate.display().to_string());
    Ok(Certified::Unknown("the checker is not connected to the pipeline".into()))
}

/// The versions of LLVM and the solver.
pub fn versions() -> String {
    format!("LLVM 22, Z3 {}", smt::z3_version())
}

/// Compiles the program with the inputs of a replayed execution and runs it; the harness stays in `dir`.
pub fn native_run(
    program: &Program,
    cfa: &cfa::Cfa,
    events: &[InputEvent],
    targets: &[String],
    dir: &Path,
    deadline: Option<Instant>,
) -> Result<NativeRun> {
    if program.entry != "main" {
        return Ok(NativeRun::NotReproduced(format!(
            "a compiled program begins at main(), not at {}()",
            program.entry
        )));
    }
    let inputs = narrate::native_inputs(cfa, events);
    let files = &program.files;
    let experiment = Experiment { files, pointer_bits: cfa.pointer_bits, targets, inputs: &inputs, dir, deadline };
    Ok(match (harness::run(&experiment)?, narrate::beyond_native(cfa, events)) {
        (NativeRun::NotReproduced(how), Some(value)) => NativeRun::NotReproduced(format!(
            "{how}, and the execution depends on {value}, which a run cannot be given"
        )),
        (answer, _) => answer,
    })
}

/// Reads and links the files.
fn load(program: &Program, reporter: &Reporter) -> Result<()> {
    for file in &program.files {
        reporter.phase(Phase::Loading, &file.display().to_string());
    }
    Ok(())
}
