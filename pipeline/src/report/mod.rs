//! The result of a verification, as data, which becomes JSON as it is. `driver` fills it, the worker sends it through the
//! pipe, `terminal` prints it, and `files` writes it as `statistics.json`.

pub mod counterexample;
mod deliveries;
pub mod excerpt;
pub mod files;
pub(crate) mod html;
pub mod path_c;
pub mod path_dot;
pub mod sarif;
pub mod terminal;
pub mod undecided;
pub mod vacuity;

use std::collections::BTreeMap;
use std::fmt;

use excerpt::{Excerpt, printable};
use serde::{Deserialize, Serialize};
use undecided::Undecided;
use vacuity::Vacuity;
use verifier::evidence::outcome::UnknownReason;

/// The version of the JSON that commands print, which `docs/schema` describes: the first number changes when something is taken away or
/// means something else, the second when something is added.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// The answer. Its `Display` is the text after `RESULT: `.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum Verdict {
    /// No execution violates the property, and a certificate of this was checked.
    True,
    /// An execution violates the property, and it was replayed.
    False {
        /// The property's name, such as `unreach-call`.
        property: String,
    },
    /// Neither a proof nor a violation was found.
    Unknown {
        /// The kind of reason.
        kind: Cause,
        /// The reason, in words.
        reason: String,
    },
}

/// The kinds of reasons why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Cause {
    /// A construct without a model may be reachable.
    Unsupported,
    /// The whole program does not follow the counterexample that was found.
    NotConfirmed,
    /// The certificate that was found is wrong, or could not be checked.
    NotChecked,
    /// The time limit was reached.
    Timeout,
    /// Memory ran out.
    Memory,
    /// What the analyses track or try did not suffice.
    Imprecise,
    /// A limit of a strategy was reached, such as a loop bound.
    Limit,
    /// A solver gave no answer.
    Solver,
    /// The user interrupted it.
    Interrupted,
    /// The worker died: its stack overflowed, or it crashed.
    Crash,
    /// A defect of kerf.
    Defect,
}

impl Verdict {
    /// The verdict `unknown` with this reason.
    pub fn unknown(kind: Cause, reason: impl Into<String>) -> Verdict {
        Verdict::Unknown { kind, reason: reason.into() }
    }

    /// The exit status of `kerf verify`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Verdict::True => 0,
            Verdict::False { .. } => 10,
            Verdict::Unknown { .. } => 20,
        }
    }
}

impl From<UnknownReason> for Verdict {
    fn from(reason: UnknownReason) -> Verdict {
        let kind = match &reason {
            UnknownReason::Unsupported(_) => Cause::Unsupported,
            UnknownReason::NotConfirmed(_) => Cause::NotConfirmed,
            UnknownReason::Rejected(_) | UnknownReason::NotChecked(_) => Cause::NotChecked,
            UnknownReason::OutOfTime => Cause::Timeout,
            UnknownReason::Imprecise(_) => Cause::Imprecise,
            UnknownReason::Limit(_) | UnknownReason::NotReached(_) => Cause::Limit,
            UnknownReason::Defect(_) => Cause::Defect,
            UnknownReason::Solver(_) => Cause::Solver,
        };
        Verdict::unknown(kind, reason.to_string())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False { property } => write!(f, "false({property})"),
            Verdict::Unknown { reason, .. } => {
                let reason: Vec<&str> = reason.split_whitespace().collect();
                write!(f, "unknown ({})", reason.join(" "))
            }
        }
    }
}

/// A position in the program. Without debug information, only the function is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The source file as named by the debug information.
    pub file: Option<String>,
    /// The line number, from 1.
    pub line: Option<u32>,
    /// The column in bytes, from 1, if the debug information has it.
    #[serde(default)]
    pub column: Option<u32>,
    /// The enclosing function.
    pub function: String,
}

impl Place {
    /// Whether the other place is on the same line of the same function.
    pub fn is_same_line(&self, other: &Place) -> bool {
        (&self.file, self.line, &self.function) == (&other.file, other.line, &other.function)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}", printable(file)),
            (Some(file), None) => f.write_str(&printable(file)),
            (None, Some(line)) => write!(f, "line {line}"),
            (None, None) if self.function.is_empty() => f.write_str("?"),
            (None, None) => write!(f, "{}()", self.function),
        }
    }
}

/// One step of a counterexample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The position of the step.
    pub place: Place,
    /// What happens, as text: `x := x + 1`, `assume x > 3`, `call f`.
    pub text: String,
    /// Variables that change here, with their new values.
    pub values: Vec<(String, String)>,
    /// Number of calls that have not returned.
    #[serde(default)]
    pub depth: usize,
    /// If this stands for steps that are left out: their number. All calls that have not returned, and all inputs, are among the rest of the
    /// report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<u64>,
}

/// One nondeterministic value of a counterexample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The call site.
    pub place: Place,
    /// The function that yields the value, such as `__VERIFIER_nondet_int`.
    pub source: String,
    /// Number of times that this call site was passed before.
    pub occurrence: u32,
    /// The value as C would write it.
    pub value: String,
}

/// A violation of the property, found and replayed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Violation {
    /// One line of text, such as `reach_error() is called`.
    pub what: String,
    /// Where the property is violated.
    pub place: Place,
    /// The source there, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The steps that lead there.
    pub steps: Vec<Step>,
    /// The inputs that lead there, in execution order.
    pub inputs: Vec<Input>,
    /// The position of a signed overflow on the path, which C leaves undefined and which wraps around here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_overflow: Option<String>,
    /// What it was shrunk from, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Shrinking>,
    /// The run of the compiled program on these inputs; `None` if there was none.
    pub native_run: Option<NativeRun>,
}

/// What a violation was shrunk from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shrinking {
    /// The number of inputs before, also of those that no function yields.
    pub inputs: u64,
    /// The number of steps before.
    pub steps: u64,
    /// The number of steps now.
    pub to_steps: u64,
}

/// Undefined behaviour at which an execution of the whole program ends before it comes to what the property is about.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PossibleError {
    /// What it is, such as `possible memory error`.
    pub what: String,
    /// Where it is: in the program, if it shows inside a library model.
    pub place: Place,
    /// The source there, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The steps that lead there.
    pub steps: Vec<Step>,
    /// The inputs that lead there, in execution order.
    pub inputs: Vec<Input>,
    /// What decides about it although kerf does not know whether it may be so, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<String>,
}

/// What the compiled program did with the inputs of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NativeRun {
    /// It reached the violation too.
    Reproduced,
    /// It did not reach the violation, or was not run, for this reason.
    NotReproduced(String),
    /// It ended in this other way, and nothing explains it: the verdict may be wrong.
    Unexplained(String),
}

/// What a `true` is based on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Proof {
    /// How the proof was found, as text: `all loops unwound completely (bound 12)`.
    pub method: String,
    /// What the checker confirmed, as text: `37 nodes, 41 queries`.
    pub checked: String,
}

/// Times and counts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// The phases in order, each with its wall-clock milliseconds.
    pub phases_ms: Vec<(String, f64)>,
    /// What was done, in order, also if the worker died.
    #[serde(default)]
    pub time_line: Vec<Activity>,
    /// Wall-clock time of the whole run, in seconds.
    pub wall_s: f64,
    /// CPU time of the worker and its processes, in seconds.
    pub cpu_s: f64,
    /// Maximum resident memory, in MiB.
    pub rss_mb: f64,
    /// Counts by name, such as `cfa.edges`.
    pub counts: BTreeMap<String, u64>,
    /// The parts of the analysis, in order.
    pub parts: Vec<Part>,
}

/// Something that took time.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Activity {
    /// The phase, such as `analysing`.
    pub phase: String,
    /// What it was about: a file, or the name of a part of the analysis.
    pub detail: String,
    /// Wall-clock milliseconds.
    pub ms: f64,
}

/// A part of the analysis: a technique's turn, a replay, or the check of a certificate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Part {
    /// What was done, such as `bmc`.
    pub name: String,
    /// Wall-clock milliseconds.
    pub ms: f64,
    /// Counts by name, such as `queries`.
    pub counts: BTreeMap<String, u64>,
    /// Milliseconds by name of the activity: `transfer`, `merge`, `stop` (estimates for long explorations), `refinement`,
    /// `slicing`. The time of the `solver` is contained in the others.
    pub times_ms: BTreeMap<String, f64>,
    /// Number of edges that each slice keeps, for the slices made during the analysis.
    pub slice_sizes: Vec<u64>,
    /// How it ended, in words.
    pub end: String,
}

/// The check of the points-to solution and of the split of memory.
pub const MEMORY: &str = "memory";

/// The question whether the checks of a proved program are reached.
pub const VACUITY: &str = "vacuity";

/// Whether the part with this name checks the result of a technique.
pub fn is_check(part: &str) -> bool {
    matches!(part, "replay" | "shrink" | "certificate" | MEMORY | VACUITY)
}

/// A file that backs the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The kind of evidence: `certificate`, `harness`, ...
    pub kind: String,
    /// The path of the file.
    pub path: String,
}

/// The complete result of a verification.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// The version of the schema that its JSON follows.
    #[serde(default)]
    pub schema_version: String,
    /// The answer.
    pub verdict: Verdict,
    /// The violation, if the verdict is `false`.
    pub violation: Option<Violation>,
    /// Undefined behaviour that was found on the way, which the property does not ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible_error: Option<PossibleError>,
    /// The proof, if the verdict is `true`.
    pub proof: Option<Proof>,
    /// Whether the proof is about anything, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuity: Option<Vacuity>,
    /// What was tried and what may help, if the verdict is `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<Undecided>,
    /// What the verdict rests on beyond the program's text.
    pub assumptions: Vec<String>,
    /// Reasons why the answer may be less meaningful: nothing in the program can violate the property, or an event of an automaton
    /// matches nothing.
    pub notes: Vec<String>,
    /// Times and counts.
    pub statistics: Statistics,
    /// The files written.
    pub evidence: Vec<Evidence>,
    /// Problems that do not affect the answer, such as a file that could not be written.
    pub warnings: Vec<String>,
}

impl Report {
    /// A report that contains only the answer.
    pub fn new(verdict: Verdict) -> Report {
        Report {
            schema_version: SCHEMA_VERSION.into(),
            verdict,
            violation: None,
            possible_error: None,
            proof: None,
            vacuity: None,
            undecided: None,
            assumptions: Vec::new(),
            notes: Vec::new(),
            statistics: Statistics::default(),
            evidence: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The report as it is printed and written: with the text after `RESULT: `.
    ///
    /// # Errors
    /// None, as every report can be written.
    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        let mut json = serde_json::to_value(self)?;
        json["result"] = self.verdict.to_string().into();
        Ok(json)
    }
}
