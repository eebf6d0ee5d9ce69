//! Checks a certificate on its own: without any search, and with the solver queries written out so that other solvers can repeat
//! them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use checker::{CheckError, Checked, Observer, Refuted};
use serde::{Deserialize, Serialize};
use slicer::PrepareOptions;
use smt::SolverError;

use crate::driver::{Program, check_memory};
use crate::external_solver::Second;
use crate::loading::{LoadPlan, load};
use crate::worker::{Phase, Reporter, UserError};

/// The checker's answer about a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "answer", content = "reason")]
pub(crate) enum Certified {
    /// It proves the property of this program; the text says what was checked.
    Valid(String),
    /// It does not prove the property, for this reason.
    Invalid(String),
    /// It is undecided whether it proves the property, for this reason.
    Unknown(String),
}

/// What to check, and how.
#[derive(Debug, Clone)]
pub(crate) struct CheckPlan {
    /// The file with the certificate.
    pub certificate: PathBuf,
    /// The solver that decides queries.
    pub solver: smt::Engine,
    /// Whether the SAT solver's answers count only with a proof that is checked.
    pub sat_proofs: bool,
    /// The directory for the queries; it exists and is empty. Without it, they are not written.
    pub queries: Option<PathBuf>,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckReport {
    /// The answer.
    #[serde(flatten)]
    pub certified: Certified,
    /// The queries written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<Queries>,
    /// What the queries of a valid certificate rest on, if SAT proofs were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sat_proofs: Option<SatProofs>,
    /// Another solver's results for these queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Second>,
}

impl CheckReport {
    /// A report that holds only an answer.
    pub(crate) fn new(certified: Certified) -> CheckReport {
        CheckReport { certified, queries: None, sat_proofs: None, second: None }
    }
}

/// The queries that the checker's solver refuted, as SMT-LIB files `0001.smt2`, `0002.smt2`, ...
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Queries {
    /// Number of files.
    pub files: usize,
    /// Queries that SMT-LIB cannot express, with the reason.
    pub inexpressible: Vec<String>,
}

impl Queries {
    /// The names of the files in `dir`.
    pub(crate) fn paths(&self, dir: &Path) -> Vec<PathBuf> {
        (1..=self.files).map(|n| dir.join(file_name(n))).collect()
    }
}

/// How the queries of a certificate were refuted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SatProofs {
    /// Number refuted by the SAT solver, each with a proof that was checked.
    pub proved: u64,
    /// Number of steps of these proofs.
    pub steps: u64,
    /// Number refuted by simplification during the translation to circuits, without the SAT solver.
    pub by_circuit: u64,
    /// Number refuted by algebra, before the solvers.
    pub by_algebra: u64,
    /// Number refuted by Z3, which gives no proof: queries that circuits cannot express.
    pub by_z3: u64,
}

impl SatProofs {
    fn new(solver: &smt::Statistics, checker: &checker::Statistics) -> SatProofs {
        SatProofs {
            proved: solver.proved,
            steps: solver.proof_steps,
            by_circuit: solver.by_circuit,
            by_algebra: checker.by_algebra as u64,
            by_z3: solver.refuted.saturating_sub(solver.proved + solver.by_circuit),
        }
    }
}

impl std::fmt::Display for SatProofs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} SAT proofs checked, {} steps; refuted without one: ", self.proved, self.steps)?;
        write!(f, "{} by circuits alone, {} by algebra, {} by Z3", self.by_circuit, self.by_algebra, self.by_z3)
    }
}

fn file_name(n: usize) -> String {
    format!("{n:04}.smt2")
}

/// Checks a certificate against the whole of `program`.
pub(crate) fn check(program: &Program, plan: &CheckPlan, reporter: &Reporter) -> Result<CheckReport> {
    let shown = plan.certificate.display();
    let text = std::fs::read(&plan.certificate).map_err(|e| UserError(format!("{shown}: {e}")))?;
    let raw = load(program, LoadPlan::default(), reporter)?.raw;
    reporter.phase(Phase::Slicing, "");
    let (cfa, _, claims) = slicer::prepare_with_claims(raw, &PrepareOptions::default())?;
    reporter.phase(Phase::Checking, &shown.to_string());
    let parsed = checker::text::read(&String::from_utf8_lossy(&text), &cfa);
    let parsed = parsed.map_err(|e| UserError(format!("{shown}: {e}")))?;
    let limits = smt::Limits { query: None, deadline: reporter.deadline() };
    let layers = smt::Options { engine: plan.solver, proofs: plan.sat_proofs, ..smt::Options::default() };
    let mut solver = smt::chain(&layers, limits);
    let mut writer = plan.queries.as_deref().map(Writer::new);
    let observer: &mut dyn Observer = match &mut writer {
        Some(writer) => writer,
        None => &mut (),
    };
    let checked = checker::check_observed(&cfa, &parsed, &mut *solver, reporter.deadline(), observer);
    let sat_proofs = checked.as_ref().ok().filter(|_| plan.sat_proofs);
    let sat_proofs = sat_proofs.map(|checked| SatProofs::new(&solver.statistics(), &checked.statistics));
    let certified = match checked.and_then(|c| match check_memory(&cfa, &claims) {
        Ok(()) => Ok(c),
        Err(why) => Err(CheckError::Undecided(why.to_string())),
    }) {
        Ok(checked) => Certified::Valid(what_was_checked(&checked)),
        Err(CheckError::Rejected(reason)) => Certified::Invalid(reason),
        Err(CheckError::Undecided(reason)) => Certified::Unknown(reason),
    };
    let queries = writer.map(Writer::finish).transpose()?;
    Ok(CheckReport { queries, sat_proofs, ..CheckReport::new(certified) })
}

/// The counts of a check, as text.
pub(crate) fn what_was_checked(checked: &Checked) -> String {
    let s = checked.statistics;
    format!("{} nodes, {} conditions refuted, {} by the solver", s.nodes, s.obligations, s.open)
}

/// Writes queries into a directory.
struct Writer<'a> {
    dir: &'a Path,
    queries: Queries,
    /// The reason why no more files can be written.
    failed: Option<UserError>,
}

impl Writer<'_> {
    fn new(dir: &Path) -> Writer<'_> {
        Writer { dir, queries: Queries::default(), failed: None }
    }

    fn finish(self) -> Result<Queries> {
        self.failed.map_or(Ok(self.queries), |error| Err(error.into()))
    }
}

impl Observer for Writer<'_> {
    fn refuted(&mut self, query: &Refuted<'_>) {
        if self.failed.is_some() {
            return;
        }
        match script(query) {
            Ok(text) => {
                let path = self.dir.join(file_name(self.queries.files + 1));
                match std::fs::write(&path, text) {
                    Ok(()) => self.queries.files += 1,
                    Err(error) => self.failed = Some(UserError(format!("{}: {error}", path.display()))),
                }
            }
            Err(error) => self.queries.inexpressible.push(error.to_string()),
        }
    }
}

/// A query as a self-contained script: its origin, the expected answer, and the question.
fn script(query: &Refuted<'_>) -> Result<String, SolverError> {
    let question = smt::smtlib::script(query.terms, &[query.condition])?;
    let mut text =
        String::from("; From the check of a certificate by kerf. A model would show that one of these is true:\n");
    for fault in query.faults() {
        let _ = writeln!(text, ";   {}", fault.replace(['\n', '\r'], " "));
    }
    text.push_str("(set-info :smt-lib-version 2.6)\n(set-info :status unsat)\n");
    text.push_str(&question);
    Ok(text)
}
