//! `kerf slice` in the worker: from files and criteria to a slice, and what is told of it.

pub mod annotate;
pub mod why;

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use cfa::dot::Options as DotOptions;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id, Op};
use frontend_llvm::property::{Property, Targets};
use serde::{Deserialize, Serialize};
use slicer::criteria::{self, Request};
use slicer::{Criterion, PrepareOptions, SliceOptions, SliceStats, Sliced};

use crate::narrate;
use crate::run::{Form, Program, load};
use crate::worker::{Phase, Reporter, UserError};
use annotate::Annotated;
use why::{Chain, Line};

/// What to slice for, how, and what to tell.
#[derive(Debug, Clone)]
pub struct SlicePlan {
    /// The criteria; without any, those calls that violate the property, at which executions then end.
    pub criteria: Option<Vec<Request>>,
    /// How to slice.
    pub options: SliceOptions,
    /// How the automaton is printed.
    pub form: Form,
    /// A line whose presence in the slice is to be explained.
    pub why: Option<Line>,
    /// Whether the source is wanted with its lines marked.
    pub annotate: bool,
}

/// A slice, told in numbers and in the words of the source.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SliceReport {
    /// The automaton in the form asked for; empty for [`Form::Counts`].
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub text: String,
    /// What the slice was made for: how many operations or locations.
    pub criteria: usize,
    /// Sizes by name, such as `slice.kept`.
    pub counts: BTreeMap<String, u64>,
    /// How many edges that are left are unsupported, by reason.
    pub unsupported: BTreeMap<String, u64>,
    /// Why a line is kept, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<Chain>,
    /// The source files with their lines marked, if that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<Annotated>,
}

/// A program that was sliced.
pub struct SlicedProgram {
    /// The prepared program.
    pub cfa: Cfa,
    /// What it was sliced for.
    pub criteria: Vec<Criterion>,
    /// The slice.
    pub sliced: Sliced,
}

/// Reads, prepares and slices `program`.
///
/// Errors: the user's, also where a criterion names nothing.
pub fn slice_program(program: &Program, plan: &SlicePlan, reporter: &Reporter) -> Result<SlicedProgram> {
    let mut program = program.clone();
    let mut observed = Vec::new();
    if let Some(requests) = &plan.criteria {
        program.specification.property = Property::UnreachCall(Targets::Nothing);
        observed = criteria::functions(requests);
    }
    let raw = load(&program, observed, reporter)?.cfa;
    reporter.phase(Phase::Slicing, "");
    let (cfa, _) = slicer::prepare(raw, &PrepareOptions::default())?;
    let criteria = match &plan.criteria {
        Some(requests) => criteria::resolve(&cfa, &program.entry, requests).map_err(|e| UserError(e.to_string()))?,
        None => criteria::of_targets(&cfa),
    };
    let sliced = slicer::slice(&cfa, &criteria, &plan.options);
    Ok(SlicedProgram { cfa, criteria, sliced })
}

/// The slice of `program` that `plan` asks for.
pub fn slice(program: &Program, plan: &SlicePlan, reporter: &Reporter) -> Result<SliceReport> {
    let mut found = slice_program(program, plan, reporter)?;
    let why = plan.why.as_ref().map(|line| why::chain(&found, line)).transpose();
    let why = why.map_err(|reason| anyhow!(UserError(reason)))?;
    let sources = if plan.annotate { annotate::annotate(&found) } else { Vec::new() };
    let counts = counts(&found.cfa, &found.sliced.slice);
    let text = print(&mut found.cfa, &found.sliced.slice, plan.form);
    let (_, unsupported) = narrate::sizes(&found.cfa);
    Ok(SliceReport { text, criteria: found.criteria.len(), counts, unsupported, why, sources })
}

/// The sizes of a program and of a slice of it.
pub fn counts(cfa: &Cfa, slice: &Slice) -> BTreeMap<String, u64> {
    let s = SliceStats::of(cfa, slice);
    [("cfa.edges", s.edges), ("slice.live", s.live), ("slice.kept", s.kept)]
        .map(|(name, count)| (name.to_string(), count as u64))
        .into()
}

/// The slice as an automaton. As text, operations that are sliced away are missing and branches that cannot lead to a criterion
/// are never taken; as a graph, the former are grey and the latter are left out. Afterwards `cfa` is what the text says.
fn print(cfa: &mut Cfa, slice: &Slice, form: Form) -> String {
    let acts = |edge: EdgeId| slice.kept.contains(edge.index());
    let live = |edge: EdgeId| slice.live.contains(edge.index());
    if form == Form::Dot {
        let faint = |edge: EdgeId| !acts(edge);
        let used = |func| cfa.edges.ids().any(|e| live(e) && cfa.locs[cfa.edges[e].from].func == func);
        return cfa::dot::dot(cfa, DotOptions { edges: Some(&live), faint: Some(&faint), funcs: Some(&used) });
    }
    let never = cfa.terms.bool(false);
    for edge in cfa.edges.ids() {
        if !live(edge) {
            cfa.edges[edge].op = Op::branch(never);
        } else if !acts(edge) {
            cfa.edges[edge].op = Op::Skip;
        }
    }
    if form == Form::Text { cfa::text::print(cfa) } else { String::new() }
}
