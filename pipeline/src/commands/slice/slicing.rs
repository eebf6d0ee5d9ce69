//! `kerf slice` in the worker: from files and criteria to a slice and a report about it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use cfa::dot::Options as DotOptions;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, Op};
use frontend_llvm::property::{Property, Targets};
use frontend_llvm::{Allocator, EmitOptions, Keep, ModuleSize, ProgramModule, SlicedModule, Undefined};
use serde::{Deserialize, Serialize};
use slicer::criteria::{self, Request, Wanted};
use slicer::dependence::summary::Direction;
use slicer::points_to::PointsToKind;
use slicer::{Criterion, PrepareOptions, SliceOptions, SliceStats, Sliced};

use super::annotate::{self, Annotated};
use super::why::{self, Chain, Line};
use crate::cfa_file;
use crate::driver::{Form, Program};
use crate::loading::{LoadPlan, load};
use crate::report::counterexample;
use crate::report::html::details::Details;
use crate::worker::{Phase, Reporter, UserError};

/// Copies of functions are many if this many times their instructions are more than those of the slice.
const MANY_COPIES: usize = 20;

/// What to slice for, how, and what to report.
#[derive(Debug, Clone)]
pub(crate) struct SlicePlan {
    /// The criteria; if absent, the calls that violate the property, at which executions then end.
    pub criteria: Option<Vec<Request>>,
    /// Whether to find what the criteria depend on or what depends on them.
    pub direction: Direction,
    /// The options for slicing.
    pub options: SliceOptions,
    /// The points-to analysis.
    pub points_to: PointsToKind,
    /// The form in which the automaton is printed.
    pub form: Form,
    /// A line whose presence in the slice is to be explained.
    pub why: Option<Line>,
    /// Whether to report the source with its lines marked.
    pub annotate: bool,
    /// Whether to report what a page shows.
    pub page: bool,
    /// The bitcode file for the slice. For a forward slice, this is the backward slice for everything in it, because that can be
    /// run.
    pub output: Option<PathBuf>,
    /// Whether the file has the bodies of criteria that only end the execution.
    pub keep_ends: bool,
}

/// The size of a module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Number of global variables.
    pub globals: usize,
    /// Number of functions with a body.
    pub functions: usize,
    /// Number of blocks in these functions.
    pub blocks: usize,
    /// Number of instructions in these functions.
    pub instructions: usize,
}

/// The module that was sliced and the one that was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emitted {
    /// The whole program as read.
    pub before: Size,
    /// The slice.
    pub after: Size,
}

/// A slice, in numbers and in terms of the source.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SliceReport {
    /// The automaton in the form asked for; empty for [`Form::Counts`].
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
    /// Number of operations or locations that the slice was made for.
    pub criteria: usize,
    /// Sizes by name, such as `slice.kept`.
    pub counts: BTreeMap<String, u64>,
    /// Number of unsupported edges that are left, by reason.
    pub unsupported: BTreeMap<String, u64>,
    /// The modules' sizes, if a module was written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub emitted: Option<Emitted>,
    /// Why a line is kept, if requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<Chain>,
    /// The source files with their lines marked, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<Annotated>,
    /// What a page shows, if requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<Details>,
}

/// A program that can be sliced.
pub(crate) struct Prepared {
    /// The prepared program.
    pub cfa: Cfa,
    /// The module that it was read from, if the slice is to be written.
    pub module: Option<ProgramModule>,
    /// The functions whose calls violate the property.
    pub targets: Vec<String>,
}

/// A program that was sliced.
pub(crate) struct SlicedProgram {
    /// The prepared program.
    pub cfa: Arc<Cfa>,
    /// The criteria of the slice.
    pub criteria: Vec<Criterion>,
    /// The direction in which dependences were followed.
    pub direction: Direction,
    /// The slice.
    pub sliced: Sliced,
}

/// How to read a program that will be sliced.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// Functions whose calls pass their arguments even if they have no definition.
    pub observed: Vec<String>,
    /// Functions without a body that allocate memory.
    pub allocators: Vec<(String, Allocator)>,
    /// Functions that criteria name for another reason.
    pub named: Vec<String>,
    /// The points-to analysis.
    pub points_to: PointsToKind,
    /// Whether the module is needed in addition to its automaton.
    pub keep_module: bool,
    /// The slicing options if the slice will be written as a module, in which instructions need operands that the automaton does
    /// not read.
    pub emit: Option<SliceOptions>,
}

/// Reads and prepares `program`.
pub(crate) fn prepare(program: &Program, reading: Reading, reporter: &Reporter) -> Result<Prepared> {
    let Reading { observed, allocators, named, points_to, keep_module, emit } = reading;
    if let Some(file) = program.cfa_file().filter(|_| emit.is_some()) {
        return Err(cfa_file::no_module(file).into());
    }
    let keep = if keep_module || emit.is_some() { Keep::ModuleToSlice } else { Keep::Nothing };
    let plan = LoadPlan { observed, allocators, named, keep, signals_arrive: true, guide: None };
    let loaded = load(program, plan, reporter)?;
    reporter.phase(Phase::Slicing, "");
    let (mut cfa, _) =
        slicer::prepare(loaded.raw, &PrepareOptions { points_to, fields: true, ..PrepareOptions::default() })?;
    if let Some((module, options)) = loaded.module.as_ref().zip(emit) {
        cfa.module.companions = module.companions(&cfa, options.keep_traps);
    }
    let targets = loaded.targets.into_iter().chain(loaded.assertions).collect();
    Ok(Prepared { cfa, module: loaded.module, targets })
}

/// The module of a slice, which is still to be written.
pub(crate) fn emit(
    cfa: &Cfa,
    module: Option<ProgramModule>,
    slice: &Slice,
    options: &EmitOptions,
    reporter: &Reporter,
) -> Result<SlicedModule> {
    let module = module.context("the module was not kept")?;
    reporter.phase(Phase::Writing, "");
    let emitted = module.emit(cfa, slice, options);
    Ok(emitted.map_err(|e| UserError(format!("the slice cannot be written as a module: {e:#}")))?)
}

/// Writes the module of a slice, and returns the sizes.
pub(crate) fn write(module: &SlicedModule, out: &Path) -> Result<Emitted> {
    let written = std::fs::write(out, &module.bitcode);
    written.map_err(|e| UserError(format!("{}: cannot be written: {e}", out.display())))?;
    let size = |s: ModuleSize| Size {
        globals: s.globals,
        functions: s.functions,
        blocks: s.blocks,
        instructions: s.instructions,
    };
    Ok(Emitted { before: size(module.before), after: size(module.after) })
}

/// A slice of `program` and its module, if there is one, as `slice` makes them. Copies of functions that allocate memory make slices more
/// precise, but a slice may have several copies of the same: where they may be many, it is made without copies, too, and the smaller one
/// counts.
pub(crate) fn smaller<T>(
    program: &Program,
    slice: impl Fn(&Program) -> Result<(T, Option<SlicedModule>)>,
) -> Result<(T, Option<SlicedModule>)> {
    let first = slice(program)?;
    let are_many = |module: &SlicedModule| MANY_COPIES * module.copied > module.after.instructions;
    if !first.1.as_ref().is_some_and(are_many) {
        return Ok(first);
    }
    // It may fail: what a slice without copies may call can be more.
    let size = |(_, module): &(T, Option<SlicedModule>)| module.as_ref().map(|m| m.after.instructions);
    let second = slice(&Program { heap_context: 0, ..program.clone() });
    Ok(second.ok().filter(|second| size(second) < size(&first)).unwrap_or(first))
}

/// The options for emitting slices of `program`; the functions `criteria` stay as they are.
pub(crate) fn emit_options(program: &Program, criteria: Vec<String>) -> EmitOptions {
    // Undefined functions that access globals by name need them.
    let keep_globals = program.undefined != Undefined::ReadsArguments;
    EmitOptions { entry: program.entry.clone(), criteria, keep_globals, keep_ends: false }
}

/// The slice of `program` that `plan` asks for.
///
/// # Errors
/// User errors, among them a criterion that matches nothing.
pub(crate) fn slice(program: &Program, plan: &SlicePlan, reporter: &Reporter) -> Result<SliceReport> {
    let (mut report, module) = smaller(program, |program| slice_once(program, plan, reporter))?;
    if let Some((module, out)) = module.zip(plan.output.as_ref()) {
        report.emitted = Some(write(&module, out)?);
    }
    Ok(report)
}

/// The slice of exactly `program`, and its module if that is to be written.
fn slice_once(program: &Program, plan: &SlicePlan, reporter: &Reporter) -> Result<(SliceReport, Option<SlicedModule>)> {
    let mut program = program.clone();
    let (mut observed, mut named) = (Vec::new(), Vec::new());
    if let Some(requests) = &plan.criteria {
        program.specification.property = Property::UnreachCall(Targets::Nothing);
        (observed, named) = (criteria::functions(requests), criteria::scopes(requests));
        program.automata = None;
    }
    if plan.output.is_some() && program.automata.is_some() {
        let reason =
            "a slice for a specification automaton cannot be written as a module, since modules contain no automata";
        return Err(UserError(reason.into()).into());
    }
    let reading = Reading {
        observed: observed.clone(),
        allocators: Vec::new(),
        named,
        points_to: plan.points_to,
        keep_module: plan.annotate,
        emit: plan.output.is_some().then_some(plan.options),
    };
    let Prepared { cfa, module, targets } = prepare(&program, reading, reporter)?;
    if program.cfa_file().is_some() {
        check_passed(&cfa, &observed)?;
    }
    let criteria = match &plan.criteria {
        Some(requests) if names_uncalled(&cfa, &program.entry, requests, module.as_ref()) => Vec::new(),
        Some(requests) => criteria::resolve(&cfa, &program.entry, requests).map_err(|e| UserError(e.to_string()))?,
        None => criteria::of_targets(&cfa),
    };
    let mut found = find(cfa, criteria, plan, &observed)?;
    let never_called = module.as_ref().map_or(Vec::new(), ProgramModule::lines_never_called);
    let why = plan.why.as_ref().map(|line| why::chain(&found, line)).transpose();
    let why = why.map_err(|reason| anyhow!(UserError(reason)))?;
    let sources = if plan.annotate { annotate::annotate(&found, &never_called) } else { Vec::new() };
    if plan.annotate && sources.is_empty() {
        return Err(UserError(why::NO_LINES.into()).into());
    }
    let details = plan.page.then(|| Details::new(&found, &program.files, &never_called));
    let counts = counts(&found.cfa, &found.sliced.slice);
    let emitted = match &plan.output {
        Some(_) => {
            let written = match plan.direction {
                Direction::Backward => Cow::Borrowed(&found.sliced.slice),
                Direction::Forward => {
                    let mut criteria = slicer::to_run(&found.cfa, &found.sliced.slice);
                    criteria.extend(criteria::of_bodies(&found.cfa, &observed));
                    Cow::Owned(slicer::slice(&found.cfa, &criteria, &plan.options).slice)
                }
            };
            let called = if plan.criteria.is_some() { observed } else { targets };
            let options = EmitOptions { keep_ends: plan.keep_ends, ..emit_options(&program, called) };
            Some(emit(&found.cfa, module, &written, &options, reporter)?)
        }
        None => None,
    };
    let text = print(Arc::make_mut(&mut found.cfa), &found.sliced.slice, plan.form);
    let (_, unsupported) = counterexample::sizes(&found.cfa);
    let criteria = found.criteria.len();
    let report = SliceReport { text, criteria, counts, unsupported, emitted: None, why, sources, details };
    Ok((report, emitted))
}

/// Whether all criteria are functions of the module of which no call can be executed: the slice for them is empty.
fn names_uncalled(cfa: &Cfa, entry: &str, requests: &[Request], module: Option<&ProgramModule>) -> bool {
    let Some(module) = module else { return false };
    let is_uncalled = |request: &Request| match &request.what {
        Wanted::Calls(name) if *request == Request::anywhere(Wanted::Calls(name.clone())) => {
            module.declares(name) && criteria::resolve(cfa, entry, std::slice::from_ref(request)).is_err()
        }
        _ => false,
    };
    // What has no model might call them.
    let all_is_seen = !cfa.edges.iter().any(|edge| matches!(&edge.op, Op::Unsupported(u) if u.may_call));
    all_is_seen && requests.iter().all(is_uncalled)
}

/// Rejects criteria that name functions without a body: a program that is given as an automaton does not say what their calls are
/// passed.
fn check_passed(cfa: &Cfa, observed: &[String]) -> Result<(), UserError> {
    let has_body = |name: &String| cfa.funcs.iter().any(|f| f.name == *name);
    match observed.iter().find(|name| !has_body(name) && cfa.external_calls.values().any(|called| called == *name)) {
        None => Ok(()),
        Some(name) => Err(UserError(format!(
            "criterion '{name}': an automaton does not say what a function without a body is passed; name a line or LINE:VARIABLE"
        ))),
    }
}

/// Slices in the direction that `plan` says; `observed` are functions whose calls are criteria.
///
/// # Errors
/// User errors: the program is too large for the graph that forward slicing uses.
fn find(cfa: Cfa, mut criteria: Vec<Criterion>, plan: &SlicePlan, observed: &[String]) -> Result<SlicedProgram> {
    let sliced = match plan.direction {
        Direction::Backward => {
            if plan.output.is_some() {
                criteria.extend(criteria::of_bodies(&cfa, observed));
            }
            slicer::slice(&cfa, &criteria, &plan.options)
        }
        Direction::Forward => {
            slicer::forward_slice(&cfa, &criteria, &plan.options).map_err(|e| UserError(e.to_string()))?
        }
    };
    Ok(SlicedProgram { cfa: Arc::new(cfa), criteria, direction: plan.direction, sliced })
}

/// The sizes of a program and of a slice of it.
pub(crate) fn counts(cfa: &Cfa, slice: &Slice) -> BTreeMap<String, u64> {
    let s = SliceStats::of(cfa, slice);
    let sizes = [("cfa.locations", cfa.locs.len()), ("cfa.variables", cfa.vars.len()), ("cfa.edges", s.edges)];
    let sizes = sizes.into_iter().chain([("slice.live", s.live), ("slice.kept", s.kept)]);
    sizes.map(|(name, count)| (name.to_string(), count as u64)).collect()
}

/// The slice as a graph: operations that are sliced away are grey, and parts that cannot reach a criterion are left out.
pub(crate) fn dot(cfa: &Cfa, slice: &Slice) -> String {
    let live = |edge: EdgeId| slice.live.contains(edge.index());
    let faint = |edge: EdgeId| !slice.kept.contains(edge.index());
    let used = |func| cfa.edges.ids().any(|e| live(e) && cfa.locs[cfa.edges[e].from].func == func);
    cfa::dot::dot(cfa, DotOptions { edges: Some(&live), faint: Some(&faint), funcs: Some(&used) })
}

/// The slice as an automaton. In the text form, operations that are sliced away are missing and branches that cannot lead to a
/// criterion are never taken; afterwards `cfa` is the automaton of the text.
fn print(cfa: &mut Cfa, slice: &Slice, form: Form) -> String {
    if form == Form::Dot {
        return dot(cfa, slice);
    }
    let never = cfa.terms.bool(false);
    for edge in cfa.edges.ids() {
        if !slice.live.contains(edge.index()) {
            cfa.edges[edge].op = Op::branch(never);
        } else if !slice.kept.contains(edge.index()) {
            cfa.edges[edge].op = Op::Skip;
        }
    }
    if form == Form::Text { cfa::text::print(cfa) } else { String::new() }
}
