//! Slicing as dg's `llvm-slicer` does it, in the worker: criteria that match nothing are no error, secondary criteria count if
//! they are on a path to a primary one, and without any criterion the remaining program does nothing.

use std::path::PathBuf;

use anyhow::{Result, bail};
use cfa::{Cfa, Id};
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::property::{Property, Specification, Targets};
use frontend_llvm::{HEAP_CONTEXT, SlicedModule, Substitutions};
use serde::{Deserialize, Serialize};
use slicer::criteria::{self, Request, Wanted};
use slicer::{Criterion, SliceOptions, SliceStats, Sliced};

use crate::adapters::dg::options::{Dump, Invocation};
use crate::commands::slice::slicing::{self, Emitted, Prepared, Reading};
use crate::config::DataModel;
use crate::driver::Program;
use crate::graphs;
use crate::worker::{Reporter, UserError};

/// The result of slicing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Done {
    /// Criteria that match nothing, each with what would match.
    pub unmatched: Vec<String>,
    /// Number of operations of the program.
    pub nodes: usize,
    /// Number of operations that are sliced away.
    pub cut: usize,
    /// Sizes before and after slicing.
    pub emitted: Emitted,
    /// Whether there is no criterion at all.
    pub empty: bool,
    /// The file of the graph, if only a graph was asked for.
    pub graph: Option<PathBuf>,
}

/// Slices as `invocation` says and writes the result.
///
/// # Errors
/// User errors: the module cannot be read, or contains something that `-abort-on-...` forbids.
pub fn run(invocation: &Invocation, reporter: &Reporter) -> Result<Done> {
    let program = Program {
        files: vec![invocation.input.clone()],
        // Bitcode has its own data model.
        data_model: DataModel::Lp64,
        clang_options: ClangOptions::default(),
        only_needed: false,
        substitutions: Substitutions::default(),
        entry: invocation.entry.clone(),
        specification: Specification { entry: None, property: Property::UnreachCall(Targets::Nothing) },
        automata: None,
        undefined: invocation.undefined,
        heap_context: HEAP_CONTEXT,
    };
    let (done, module) = slicing::smaller(&program, |program| slice_once(invocation, program, reporter))?;
    let emitted = module.map(|module| slicing::write(&module, &invocation.output)).transpose()?;
    Ok(Done { emitted: emitted.unwrap_or_default(), ..done })
}

/// Slices exactly `program`; there is no module if only a graph is wanted.
fn slice_once(invocation: &Invocation, program: &Program, reporter: &Reporter) -> Result<(Done, Option<SlicedModule>)> {
    let observed = criteria::functions(&invocation.primary);
    let allocators = invocation.allocators.clone();
    let mut named = criteria::scopes(&invocation.primary);
    named.extend(invocation.secondary.iter().cloned());
    let emit = Some(options(invocation));
    let reading = Reading { observed: observed.clone(), allocators, named, emit, ..Reading::default() };
    let prepared = slicing::prepare(program, reading, reporter)?;
    refuse(invocation, &prepared.cfa)?;
    if let Some(Dump::Dependences | Dump::ControlFlow) = invocation.dump {
        return Ok((dump(invocation, &prepared.cfa, None)?, None));
    }
    let (criteria, unmatched) = primary(invocation, &prepared.cfa);
    // If calls only mark a place, neither the calls nor the bodies of the called functions have to stay.
    let whole = if invocation.criteria_are_next || criteria.is_empty() { Vec::new() } else { observed };
    let mut wanted = match invocation.forward {
        true => affected(invocation, &prepared.cfa, &criteria)?,
        false => criteria.clone(),
    };
    wanted.extend(criteria::of_bodies(&prepared.cfa, &whole));
    let sliced = slice(invocation, &prepared.cfa, wanted);
    let stats = SliceStats::of(&prepared.cfa, &sliced.slice);
    if invocation.dump.is_some() {
        dump(invocation, &prepared.cfa, Some(&sliced))?;
    }
    let Prepared { cfa, module, .. } = prepared;
    let visible = slicing::emit_options(program, whole);
    let module = slicing::emit(&cfa, module, &sliced.slice, &visible, reporter)?;
    let (nodes, cut) = (stats.edges, stats.edges - stats.kept);
    let done = Done { unmatched, nodes, cut, empty: criteria.is_empty(), ..Done::default() };
    Ok((done, Some(module)))
}

/// Writes the requested graph next to the input.
fn dump(invocation: &Invocation, cfa: &Cfa, sliced: Option<&Sliced>) -> Result<Done> {
    let path = invocation.input.with_extension("dot");
    let text = match (sliced, invocation.dump) {
        (Some(sliced), _) => slicing::dot(cfa, &sliced.slice),
        (None, Some(Dump::Dependences)) => slicer::dependence::dot::dot(cfa, &graphs::dependences(cfa)?),
        (None, _) => cfa::dot::dot(cfa, cfa::dot::Options::ALL),
    };
    std::fs::write(&path, text).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    Ok(Done { nodes: cfa.edges.len(), graph: Some(path), ..Done::default() })
}

/// Whether the program calls what creates threads.
fn creates_threads(cfa: &Cfa) -> bool {
    let creates = |f: &cfa::Function| f.library && f.name == "pthread_create";
    cfa.edges.iter().any(|edge| matches!(edge.op, cfa::Op::Call(f) if creates(&cfa.funcs[f])))
}

/// Rejects what the caller does not want sliced.
fn refuse(invocation: &Invocation, cfa: &Cfa) -> Result<()> {
    if invocation.abort_on_threads && creates_threads(cfa) {
        bail!(UserError("the program creates threads".into()));
    }
    if invocation.abort_on_unsupported {
        let unsupported = cfa.edges.iter().find_map(|edge| match &edge.op {
            cfa::Op::Unsupported(u) => Some(format!("{} at {}", u.reason, cfa.place(edge.span))),
            _ => None,
        });
        if let Some(what) = unsupported {
            bail!(UserError(format!("unsupported: {what}")));
        }
    }
    Ok(())
}

/// The criteria that match something, and messages about the others.
fn primary(invocation: &Invocation, cfa: &Cfa) -> (Vec<Criterion>, Vec<String>) {
    let (mut found, mut unmatched) = (Vec::new(), Vec::new());
    for request in &invocation.primary {
        match criteria::resolve(cfa, &invocation.entry, std::slice::from_ref(request)) {
            Ok(criteria) if invocation.criteria_are_next => {
                found.extend(criteria.iter().map(|call| criteria::after(cfa, call)));
            }
            Ok(criteria) => found.extend(criteria),
            Err(error) => unmatched.push(error.to_string()),
        }
    }
    (found, unmatched)
}

/// How the caller wants to slice.
fn options(invocation: &Invocation) -> SliceOptions {
    let (control, cutoff_diverging) = (invocation.control, invocation.cutoff_diverging);
    SliceOptions { control, cutoff_diverging, keep_traps: true, ..SliceOptions::default() }
}

/// Everything that `primary` may affect, as criteria: a program that contains all of it is dg's result of a forward slice.
fn affected(invocation: &Invocation, cfa: &Cfa, primary: &[Criterion]) -> Result<Vec<Criterion>> {
    let found = slicer::forward_slice(cfa, primary, &options(invocation)).map_err(|e| UserError(e.to_string()))?;
    Ok(slicer::to_run(cfa, &found.slice))
}

/// The slice for `primary` and for the secondary criteria.
fn slice(invocation: &Invocation, cfa: &Cfa, primary: Vec<Criterion>) -> Sliced {
    let options = options(invocation);
    let first = slicer::slice(cfa, &primary, &options);
    let mut all = primary;
    let before = all.len();
    for name in &invocation.secondary {
        let calls = Request::anywhere(Wanted::Calls(name.clone()));
        let calls = criteria::resolve(cfa, &invocation.entry, &[calls]).unwrap_or_default();
        all.extend(calls.into_iter().filter(|c| c.edges.iter().all(|e| first.slice.live.contains(e.index()))));
    }
    for name in &invocation.preserved {
        let body = Request { function: Some(name.clone()), ..Request::anywhere(Wanted::Everything) };
        // A function that is never called needs no body.
        all.extend(criteria::resolve(cfa, &invocation.entry, &[body]).unwrap_or_default());
    }
    if all.len() == before { first } else { slicer::slice(cfa, &all, &options) }
}
