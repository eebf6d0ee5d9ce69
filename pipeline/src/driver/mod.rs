//! The path through the crates: files, automaton, slice, strategy, replay or certificate check, report.
//!
//! Everything here runs in a worker process. User errors are [`UserError`](crate::worker::UserError)s; any other error, and a panic, is a bug in kerf. An
//! analysis that gives up is neither: its report has the verdict `unknown`.

mod alarm;

pub use alarm::native_run;
pub(crate) use alarm::violation;
use alarm::{Whole, alarm, report_fault};

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use cfa::Cfa;
use cfa::view::Slice;
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::property::Specification;
use frontend_llvm::{Keep, Substitutions, Undefined};
use serde::{Deserialize, Serialize};
use slicer::PrepareOptions;
use slicer::automaton::{Automaton, Woven};
use verifier::evidence::blocked::Blocked;
use verifier::evidence::outcome::UnknownReason;
use verifier::program::{Budget, Progress, unsupported};
use verifier::reach::pictures::Drawing;
use verifier::strategies::portfolio::Strategy;
use verifier::verify::{Event, Task, Verdict as Verified};

use crate::assumptions;
use crate::cfa_file;
use crate::commands::certificate::checking::what_was_checked;
use crate::commands::slice::slicing;
use crate::config::DataModel;
use crate::graphs;
use crate::loading::{LoadPlan, Loaded, load};
use crate::report::counterexample::{self};
use crate::report::excerpt::{Excerpt, Sources};
use crate::report::html::details::Details;
use crate::report::undecided::{self, Undecided};
use crate::report::vacuity::Vacuity;
use crate::report::{self, Cause, Evidence, Part, Proof, Report, Verdict};
use crate::witness::format::{Content, Invariant, Witness};
use crate::witness::guide::{self, Doubt, Guide};
use crate::witness::own;
use crate::worker::{Phase, Reporter};

/// The certificate's name in the output directory.
pub const CERTIFICATE: &str = "certificate.txt";

/// Time limit of a run without a limit.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// A program and the question to answer about it.
#[derive(Debug, Clone)]
pub struct Program {
    /// C or LLVM files, which are linked if there are several, or one automaton (`.cfa`). They exist and are readable.
    pub files: Vec<PathBuf>,
    /// The widths of C's types, for C files.
    pub data_model: DataModel,
    /// Further options for clang, for C files.
    pub clang_options: ClangOptions,
    /// Whether only those files count that the entry needs.
    pub only_needed: bool,
    /// Functions that are not verified as they are.
    pub substitutions: Substitutions,
    /// The function at which executions start.
    pub entry: String,
    /// What must hold.
    pub specification: Specification,
    /// Automata that observe executions; what they define as an error must not happen either.
    pub automata: Option<Automata>,
    /// What undefined functions do with memory.
    pub undefined: Undefined,
    /// Number of levels of functions that return fresh memory whose call sites allocate separate objects.
    pub heap_context: u32,
}

impl Program {
    /// The file of the program's automaton, if the program is given as one.
    pub fn cfa_file(&self) -> Option<&Path> {
        self.files.first().map(PathBuf::as_path).filter(|file| cfa_file::is_cfa(file))
    }
}

/// Specification automata and the file that they were read from.
#[derive(Debug, Clone)]
pub struct Automata {
    /// The file's name, for messages.
    pub file: String,
    /// The automata in the file.
    pub list: Vec<Automaton>,
}

/// How to verify.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The strategy to use.
    pub strategy: Strategy,
    /// Whether to verify the slice instead of the whole program.
    pub slice: bool,
    /// The solver that decides queries.
    pub solver: smt::Engine,
    /// The directory for evidence, which exists. Without it, nothing is written.
    pub output: Option<PathBuf>,
    /// Whether a witness of the verdict is wanted.
    pub witness: bool,
    /// Candidates for invariants from a witness, which are not believed.
    pub hints: Vec<Invariant>,
    /// What a witness demands of the program besides the property.
    pub guide: Option<Guide>,
    /// A time at which to give up before the worker has to.
    pub deadline: Option<Instant>,
    /// Whether to look whether the checks of a proved program are reached.
    pub vacuity: bool,
    /// Whether to look for a smaller counterexample.
    pub shrink: bool,
    /// The file for a unit test of the counterexample.
    pub unit_test: Option<PathBuf>,
}

impl Plan {
    /// To verify by `strategy`, with slicing, and without any files or witnesses.
    pub fn new(strategy: Strategy) -> Plan {
        Plan {
            strategy,
            slice: true,
            solver: smt::Engine::default(),
            output: None,
            witness: false,
            hints: Vec::new(),
            guide: None,
            deadline: None,
            vacuity: false,
            shrink: false,
            unit_test: None,
        }
    }
}

/// The form in which an automaton is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Only counts.
    Counts,
    /// The text format.
    Text,
    /// A graph for Graphviz.
    Dot,
}

/// Verifies `program` and backs up the verdict: `true` with a checked certificate, `false` with a replay.
///
/// # Errors
/// Those of [`load`]. A program that cannot be prepared or verified is a report with the verdict `unknown`.
pub fn verify(program: &Program, plan: &Plan, reporter: &Reporter) -> Result<Report> {
    Ok(verify_guided(program, plan, reporter)?.report)
}

/// The answer about a program and what the plan's guide demands.
#[derive(Debug, Serialize, Deserialize)]
pub struct Guided {
    /// The answer.
    pub report: Report,
    /// What of the guide is not in the answer, because it was not understood.
    pub doubts: Vec<Doubt>,
    /// A witness of the verdict, if one was wanted. Its invariants are still to be proved.
    pub witness: Option<Witness>,
    /// What a page shows of the program, if there is a directory for it.
    pub(crate) details: Option<Details>,
}

impl Guided {
    /// No answer, for this reason.
    pub(crate) fn only(kind: Cause, reason: String) -> Guided {
        let report = Report::new(Verdict::unknown(kind, reason));
        Guided { report, doubts: Vec::new(), witness: None, details: None }
    }
}

/// Verifies `program` together with what the plan's guide demands.
///
/// # Errors
/// As [`verify`].
pub fn verify_guided(program: &Program, plan: &Plan, reporter: &Reporter) -> Result<Guided> {
    let unanswered = |kind, reason, doubts| Guided { doubts, ..Guided::only(kind, reason) };
    let (draws, keep) = plan.output.as_ref().map_or((false, Keep::Nothing), |_| (true, Keep::Module));
    let loading = LoadPlan { guide: plan.guide.clone(), keep, ..LoadPlan::default() };
    let Loaded { raw, targets, assertions, module, woven, notes, source, doubts, files, .. } =
        load(program, loading, reporter)?;
    let program = &Program { files, only_needed: false, ..program.clone() };
    if let (Some(Guide::Follow(_)), [doubt, ..]) = (&plan.guide, &doubts[..]) {
        let reason = format!("the witness is not understood: {}", doubt.text);
        return Ok(unanswered(Cause::Unsupported, reason, doubts));
    }
    reporter.phase(Phase::Slicing, "");
    let hinted = (!plan.hints.is_empty()).then(|| raw.clone());
    let (mut cfa, claims) = match slicer::prepare_with_claims(raw, &PrepareOptions::default()) {
        Ok((cfa, _, claims)) => (cfa, claims),
        Err(error) => return Ok(unanswered(Cause::Limit, format!("{error:#}"), doubts)),
    };
    let hints = hinted.map(|raw| guide::hints(&raw, &source, &plan.hints, &mut cfa));
    let (hints, unused_hints) = hints.unwrap_or_default();
    let cfa = Arc::new(cfa);
    let slices = plan.slice && plan.strategy.slices_first();
    let slice = if slices { slicer::slice_for_targets(&cfa) } else { Slice::whole(&cfa) };
    let counts = slicing::counts(&cfa, &slice);
    let sliced = slices.then(|| slice.clone());
    let whole = Whole { cfa: &cfa, targets: &targets, assertions: &assertions, woven: &woven };
    let mut details = draws.then(|| {
        let never_called = module.map_or_else(Vec::new, |module| module.lines_never_called());
        Details::for_targets(&cfa, &program.files, !slices, &never_called, &|target| whole.what_happens_at(target))
    });
    let deadline = plan.deadline.or(reporter.deadline()).unwrap_or_else(|| Instant::now() + FOREVER);
    let layers = smt::Options { engine: plan.solver, ..smt::Options::default() };
    let solver = |limits| smt::chain(&layers, limits);
    let progress = Progress::default();
    let budget = Budget::until(deadline).within(reporter.memory_bytes()).noting(&progress);
    let begin = Instant::now();
    let task = Task {
        cfa: cfa.clone(),
        slice,
        hints,
        strategy: &plan.strategy,
        solver: &solver,
        budget,
        draws,
        shrinks: plan.shrink,
    };
    let mut tell = |event: Event<'_>| tell(reporter, event);
    let told = || progress.to_string();
    let found = reporter.watching(&told, || verifier::verify::verify(task, &mut tell));
    let mut parts: Vec<Part> = found.phases.iter().map(part).collect();
    let found_by = found.found_by.unwrap_or_default();
    let (mut wrong_memory, mut vacuity) = (None, None);
    if let Verified::True { .. } = found.verdict {
        wrong_memory = part_about_memory(&cfa, &claims, reporter, &mut parts);
        let examines = plan.vacuity && wrong_memory.is_none() && !cfa.targets.is_empty();
        vacuity = examines.then(|| part_about_vacuity(&cfa, &solver, budget, begin, reporter, &mut parts));
    }
    let verified = own::Verified { program, cfa: &cfa, targets: &targets, source: &source };
    details.iter_mut().for_each(|details| details.unsliced = found.is_unsliced);
    let mut witness = None;
    let mut report = match found.verdict {
        Verified::True { .. } if wrong_memory.is_some() => {
            Report::new(Verdict::unknown(Cause::Defect, wrong_memory.unwrap_or_default()))
        }
        Verified::True { certificate, checked } => {
            let mut report = Report::new(Verdict::True);
            report.proof = Some(Proof { method: format!("found by {found_by}"), checked: what_was_checked(&checked) });
            if let Some(dir) = &plan.output {
                reporter.phase(Phase::Writing, "certificate");
                write_certificate(&checker::text::write(&cfa, &certificate), dir, &mut report);
            }
            if let Some(details) = &mut details {
                details.add_proof(&cfa, &source, &certificate);
            }
            witness = plan.witness.then(|| verified.correctness(&certificate));
            report
        }
        Verified::False(counterexample) => {
            witness = plan.witness.then(|| verified.violation(&counterexample)).flatten();
            if let Some(details) = &mut details {
                details.violated = Some(counterexample.target.0);
            }
            alarm(program, plan, &whole, &counterexample, reporter)?
        }
        Verified::Unknown(reason) => unanswered_report(&cfa, reason),
    };
    if let Some((dir, graph)) = plan.output.as_ref().zip(found.graph.as_ref()) {
        write_graph(graph, dir, &mut report, reporter);
        details.iter_mut().for_each(|details| details.add_states(graph));
    }
    report_assumptions(&cfa, sliced.filter(|_| !found.is_unsliced), &mut report);
    found.fault.iter().for_each(|fault| report_fault(&cfa, &woven, fault, &mut report));
    found.blocked.iter().for_each(|blocked| report_blocked(&whole, blocked, &mut report));
    report.vacuity = vacuity;
    report.statistics.counts = counts;
    report.statistics.parts = parts;
    let unused_hints = unused_hints.into_iter().map(|hint| format!("not used as a hint: {hint}"));
    let notes = unmatched(program, &woven).into_iter().chain(notes);
    report.notes.extend(notes.chain(found.defects.into_iter().map(defect)).chain(unused_hints));
    let witness = plan.witness.then(|| finished_witness(&verified, witness, &mut report)).flatten();
    Ok(Guided { report, doubts, witness, details })
}

/// Tells the parent how the verification goes on.
fn tell(reporter: &Reporter, event: Event<'_>) {
    match event {
        Event::Begins(name) => reporter.phase(phase_of(name), name),
        Event::Ended(phase) => reporter.ended(part(phase)),
    }
}

/// The phase of a part of the verification.
fn phase_of(part: &str) -> Phase {
    if report::is_check(part) { Phase::Checking } else { Phase::Analysing }
}

/// Checks how preparation split memory, as a part of the run. Returns what is wrong with it, in words.
fn part_about_memory(cfa: &Cfa, claims: &slicer::Claims, reporter: &Reporter, parts: &mut Vec<Part>) -> Option<String> {
    reporter.phase(Phase::Checking, report::MEMORY);
    let begin = Instant::now();
    let wrong = check_memory(cfa, claims).err().map(|e| e.to_string());
    let end = wrong.clone().unwrap_or_else(|| "valid".into());
    parts.push(Part { name: report::MEMORY.into(), ms: begin.elapsed().as_secs_f64() * 1e3, end, ..Part::default() });
    wrong
}

/// Adds what a verdict rests on. `sliced` is the slice that was verified, if it was not the whole program.
fn report_assumptions(cfa: &Cfa, sliced: Option<Slice>, report: &mut Report) {
    if !matches!(report.verdict, Verdict::Unknown { .. }) {
        let reaching = sliced.unwrap_or_else(|| assumptions::slice_with_guards(cfa));
        report.assumptions = assumptions::in_words(cfa, &reaching, report.verdict == Verdict::True);
    }
}

/// Adds the state from which an induction fails, if there is no answer.
fn report_blocked(whole: &Whole<'_>, blocked: &Blocked, report: &mut Report) {
    if matches!(report.verdict, Verdict::Unknown { .. }) {
        let blocked = undecided::blocked(whole.cfa, blocked, whole.what_happens_at(blocked.target));
        report.undecided.get_or_insert_default().blocked = Some(blocked);
    }
}

/// The report without an answer, with the construct without a model if that is the reason.
fn unanswered_report(cfa: &Cfa, reason: UnknownReason) -> Report {
    let edge = match &reason {
        UnknownReason::Unsupported(what) => unsupported::edge_of(cfa, what),
        _ => None,
    };
    let place = edge.map(|edge| counterexample::place(cfa, edge));
    let excerpt = place.and_then(|place| Excerpt::of(&mut Sources::default(), &[(&place, "not supported".into())]));
    let mut report = Report::new(reason.into());
    report.undecided = excerpt.map(|shown| Undecided { unsupported: Some(shown), ..Undecided::default() });
    report
}

/// The witness with this content, if there is an answer; a warning says why there is none.
fn finished_witness(verified: &own::Verified<'_>, content: Option<Content>, report: &mut Report) -> Option<Witness> {
    if matches!(report.verdict, Verdict::Unknown { .. }) {
        return None;
    }
    let content = content.ok_or_else(|| "the violation has no position in the source".to_string());
    let made = content.and_then(|content| verified.witness(content));
    made.map_err(|why| report.warnings.push(format!("no witness: {why}"))).ok()
}

/// Looks whether the checks of a proved program are reached, as a part of the run, for a share of the time that the proof took since `start`.
fn part_about_vacuity(
    cfa: &Arc<Cfa>,
    solver: &smt::Make<'_>,
    budget: Budget<'_>,
    start: Instant,
    reporter: &Reporter,
    parts: &mut Vec<Part>,
) -> Vacuity {
    reporter.phase(Phase::Checking, report::VACUITY);
    let begin = Instant::now();
    let (least, most) = VACUITY_TIME;
    let spent = start.elapsed();
    let time = spent.mul_f64(VACUITY_SHARE).clamp(least, most).min(budget.left().mul_f64(VACUITY_SHARE));
    let vacuity = Vacuity::of(cfa, &verifier::vacuity::examine(cfa, solver, budget.at_most(time)));
    let (ms, end) = (begin.elapsed().as_secs_f64() * 1e3, vacuity.summary());
    parts.push(Part { name: report::VACUITY.into(), ms, end, ..Part::default() });
    vacuity
}

/// The share of the time of the proof, and of the time that is left, for the question whether its checks are reached.
const VACUITY_SHARE: f64 = 0.2;
/// The least and the greatest time for it, if there is so much left.
const VACUITY_TIME: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(5));

/// Events of automata that match nothing, in words.
fn unmatched(program: &Program, woven: &Woven) -> Vec<String> {
    let file = program.automata.as_ref().map_or("", |automata| &automata.file);
    let text = |(line, event): &_| format!("{file}:{line}: '{event}' matches nothing in this program");
    woven.unmatched.iter().map(text).collect()
}

/// What is said about a part that ended by a defect, with this message.
fn defect((part, message): (String, String)) -> String {
    format!("{part} ended by a defect of kerf, without effect on the rest; please report it: internal error: {message}")
}

/// A phase of the verification, for the report.
fn part(phase: &verifier::verify::Phase) -> Part {
    Part {
        name: phase.name.clone(),
        ms: phase.time.as_secs_f64() * 1e3,
        counts: phase.counts.iter().map(|(name, count)| (name.to_string(), *count)).collect(),
        times_ms: phase.times.iter().map(|(name, time)| (name.to_string(), time.as_secs_f64() * 1e3)).collect(),
        slice_sizes: phase.slice_sizes.clone(),
        end: phase.end.clone(),
    }
}

/// Writes a certificate. It was checked, so the answer stands if it cannot be written.
fn write_certificate(text: &str, dir: &Path, report: &mut Report) {
    let path = dir.join(CERTIFICATE);
    match std::fs::write(&path, text) {
        Ok(()) => report.evidence.push(Evidence { kind: "certificate".into(), path: path.display().to_string() }),
        Err(error) => report.warnings.push(format!("cannot write {}: {error}", path.display())),
    }
}

/// Checks the points-to solution of the prepared program `cfa`, its calls of addresses, and the split of memory that was made by it.
///
/// # Errors
/// The solution, the calls or the split are not valid for the program.
pub fn check_memory(cfa: &Cfa, claims: &slicer::Claims) -> Result<(), checker::NotClosed> {
    checker::check_pointers(&claims.raw, &claims.pointers)?;
    checker::check_open_calls(&claims.raw, &claims.pointers, cfa)?;
    checker::check_split(&claims.raw, &claims.pointers, &claims.split)
}

/// Writes the graph of the reached states, as text and as pictures. A file that cannot be written is only a warning: the answer
/// stands.
fn write_graph(graph: &Drawing, dir: &Path, report: &mut Report, reporter: &Reporter) {
    reporter.phase(Phase::Writing, "graph of states");
    let draw = |name: &str| graphs::draw(&graph.tree, &dir.join(name));
    let dot = std::fs::write(dir.join("arg.dot"), graph.dot()).map_err(anyhow::Error::from);
    for (name, written) in [("arg.dot", dot), ("arg.svg", draw("arg.svg")), ("arg.png", draw("arg.png"))] {
        let path = dir.join(name).display().to_string();
        match written {
            Ok(()) => report.evidence.push(Evidence { kind: "states reached".into(), path }),
            Err(error) => report.warnings.push(format!("cannot write {path}: {}", error.root_cause())),
        }
    }
}

/// The versions of LLVM and the solver.
pub fn versions() -> String {
    format!("LLVM {}, Z3 {}", frontend_llvm::llvm_version(), smt::z3_version())
}
