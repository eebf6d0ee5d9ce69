//! What a verification found, as data: it crosses the pipe from the worker, becomes JSON, and is printed.

pub mod counterexample;
pub mod files;
pub mod terminal;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The answer. Its `Display` is what follows `RESULT: `.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum Verdict {
    /// No execution violates the property, and a certificate of that was checked.
    True,
    /// An execution violates the property, and was replayed.
    False {
        /// The property's name, such as `unreach-call`.
        property: String,
    },
    /// Neither was shown.
    Unknown {
        /// Why, in words.
        reason: String,
    },
}

impl Verdict {
    /// `unknown` for this reason.
    pub fn unknown(reason: impl Into<String>) -> Verdict {
        Verdict::Unknown { reason: reason.into() }
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

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("true"),
            Verdict::False { property } => write!(f, "false({property})"),
            Verdict::Unknown { reason } => {
                let reason: Vec<&str> = reason.split_whitespace().collect();
                write!(f, "unknown ({})", reason.join(" "))
            }
        }
    }
}

/// A place in the program. Without debug information there is only the function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Source file as the debug information names it.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// The enclosing function.
    pub function: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}"),
            (Some(file), None) => f.write_str(file),
            (None, Some(line)) => write!(f, "line {line}"),
            (None, None) if self.function.is_empty() => f.write_str("?"),
            (None, None) => write!(f, "{}()", self.function),
        }
    }
}

/// One step of a counterexample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// What happens, as text: `x := x + 1`, `assume x > 3`, `call f`.
    pub text: String,
    /// Variables that change here, with their new values.
    pub values: Vec<(String, String)>,
}

/// One nondeterministic value of a counterexample.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The call site.
    pub place: Place,
    /// The function that yields the value, such as `__VERIFIER_nondet_int`.
    pub source: String,
    /// How many times this call site was passed before.
    pub occurrence: u32,
    /// The value as C would write it.
    pub value: String,
}

/// A violation of the property, found and replayed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Violation {
    /// One line for a person: `reach_error() is called`.
    pub what: String,
    /// Where the property is violated.
    pub place: Place,
    /// The way there.
    pub steps: Vec<Step>,
    /// The inputs that lead there, in execution order.
    pub inputs: Vec<Input>,
    /// Where the way passes a signed overflow, which C leaves undefined and which wraps around here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_overflow: Option<String>,
    /// The run of the compiled program on these inputs; `None` if there was none.
    pub native_run: Option<NativeRun>,
}

/// What the compiled program did with the inputs of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NativeRun {
    /// It reached the violation too.
    Reproduced,
    /// It did not, or was not run, for this reason.
    NotReproduced(String),
    /// It ended otherwise, so, and nothing explains it: the verdict may be wrong.
    Unexplained(String),
}

/// What a `true` rests on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Proof {
    /// How it was found, for a person: `all loops unwound completely (bound 12)`.
    pub method: String,
    /// What the checker confirmed, for a person: `37 nodes, 41 queries`.
    pub checked: String,
}

/// Times and counts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Phases in order with their wall-clock milliseconds.
    pub phases_ms: Vec<(String, f64)>,
    /// Wall-clock time of the whole run in seconds.
    pub wall_s: f64,
    /// CPU time of the worker and its processes in seconds.
    pub cpu_s: f64,
    /// Greatest resident memory in MiB.
    pub rss_mb: f64,
    /// Counts by name, such as `cfa.edges`.
    pub counts: BTreeMap<String, u64>,
    /// What the analysis did, in order.
    pub parts: Vec<Part>,
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
    /// Milliseconds of its parts by name: `transfer`, `merge`, `stop` (of long explorations estimates), `refinement`, `slicing`; that of the
    /// `solver` is part of the others.
    pub times_ms: BTreeMap<String, f64>,
    /// Edges that each slice keeps that was made on the way.
    pub slice_sizes: Vec<u64>,
    /// How it ended, in words.
    pub end: String,
}

/// The check of the points-to solution and of the split of memory.
pub const MEMORY: &str = "memory";

/// Whether the part of this name puts to the test what a technique found.
pub fn is_check(part: &str) -> bool {
    matches!(part, "replay" | "certificate" | MEMORY)
}

/// A file that backs the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What it is: `certificate`, `harness`, ...
    pub kind: String,
    /// Where it lies.
    pub path: String,
}

/// All that a verification has to say.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// With `false`.
    pub violation: Option<Violation>,
    /// With `true`.
    pub proof: Option<Proof>,
    /// What the verdict rests on beyond the program's text.
    pub assumptions: Vec<String>,
    /// What the answer may be worth less for: that nothing in the program can violate the property, or matches an event.
    pub notes: Vec<String>,
    /// Times and counts.
    pub statistics: Statistics,
    /// Files written.
    pub evidence: Vec<Evidence>,
    /// What went wrong beside the answer, such as a file that could not be written.
    pub warnings: Vec<String>,
}

impl Report {
    /// A report that holds nothing but the answer.
    pub fn new(verdict: Verdict) -> Report {
        Report {
            verdict,
            violation: None,
            proof: None,
            assumptions: Vec::new(),
            notes: Vec::new(),
            statistics: Statistics::default(),
            evidence: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
