//! Writes a slice as an LLVM module: the output of `kerf slice -o`.
//!
//! - An instruction stays if one of its edges is kept, or if an instruction that stays needs its value.
//! - A branch that is not kept goes directly to where the slice continues (`distance`).
//! - A path that cannot reach the criterion ends: by a return, if nothing matters after the function's calls either (`stop`); else in a
//!   call of `exit(0)`, which flushes output and which KLEE and similar tools treat as the end of a path; or in calls of `fflush` and
//!   `_exit` if the slice registers functions to run at `exit`, which must not run where a path is cut.
//! - Blocks that only lead on are left out, and those that always follow each other are joined (`blocks`). Casts and sums that change no
//!   address go.
//! - Unused functions and globals, and unused parameters and results, are removed by LLVM's own passes, which change no value and
//!   keep debug information.
//! - What a criterion calls stays as it is, with its body; if that only ends the execution, as an error function's does, it becomes a
//!   declaration.
//!
//! LLVM's verifier must accept the module before it is written. Reading order: `index` (from instructions to edges), `uses` (what
//! an instruction needs beyond its edges), `calls` (what no slice can contain), `distance`, `plan`, `stop`, `trap`, `blocks`, `rewrite`, `module`
//! (globals, linkage, passes).

mod blocks;
mod calls;
mod distance;
mod index;
mod module;
mod plan;
mod rewrite;
mod stop;
mod trap;
mod uses;

pub(crate) use calls::operands as words_of_assembly;
pub(crate) use module::bitcode;

use crate::ir::{Module, Value};
use crate::provenance::{ModuleSize, Parts, ProgramModule};
use anyhow::{Context, Result, anyhow, bail};
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, Id};
use distance::Distances;
use index::Index;
use plan::Planner;
use rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};

/// Options for what stays visible from outside.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// The function where execution begins.
    pub entry: String,
    /// Functions whose calls are criteria; their names and signatures are kept, and their bodies, unless these only end the execution.
    pub criteria: Vec<String>,
    /// Whether to keep bodies that only end the execution, too.
    pub keep_ends: bool,
    /// Whether to keep all global variables that other modules can see. Otherwise only those that the slice mentions are kept.
    pub keep_globals: bool,
}

/// A slice as a module of its own.
#[derive(Clone, Debug)]
pub struct SlicedModule {
    /// The size of the whole module as read.
    pub before: ModuleSize,
    /// Number of instructions that copies of functions added to it before it was sliced.
    pub copied: usize,
    /// The size of the slice.
    pub after: ModuleSize,
    /// The slice as bitcode.
    pub bitcode: Vec<u8>,
}

impl ProgramModule {
    /// For each edge, the edges without which its instruction cannot be executed in the module: those that define operands which
    /// the semantics of the edge does not read. `cfa` is the prepared program. A slice that is to be emitted must be closed under
    /// these dependences ([`cfa::ModuleFacts::companions`]). With `traps`, everything that may trap stays, including calls through pointers
    /// that may be null.
    pub fn companions(&self, cfa: &Cfa, traps: bool) -> FxHashMap<EdgeId, Vec<EdgeId>> {
        self.with(|parts| {
            let Some(program) = parts.session.program() else { return FxHashMap::default() };
            Index::new(cfa, program, &parts.provenance).companions(traps)
        })
    }

    /// The slice of the module. If it has more instructions than the program, the program is its own slice: the end of a cut execution may
    /// be longer than what it replaces, and copies of functions for [`heap_context`](crate::LoadOptions::heap_context) may all be in the slice.
    ///
    /// # Errors
    /// The slice is not closed under [`companions`](Self::companions) or passes values that it does not set; it contains
    /// something that cannot be sliced (calls that return twice, threads, callbacks); or LLVM rejects the result.
    pub fn emit(self, cfa: &Cfa, slice: &Slice, options: &EmitOptions) -> Result<SlicedModule> {
        self.with(|parts| {
            let sliced = parts.emit(cfa, slice, options)?;
            if sliced.after.instructions <= sliced.before.instructions {
                return Ok(sliced);
            }
            let whole = parts.session.parse_bitcode(&parts.whole).map_err(|why| anyhow!(why))?;
            let (bitcode, after) = finished(&whole, options)?;
            Ok(SlicedModule { bitcode, after, ..sliced })
        })
    }
}

impl<'m> Parts<'m> {
    fn emit(&self, cfa: &Cfa, slice: &Slice, options: &EmitOptions) -> Result<SlicedModule> {
        let program = self.session.program().context("no module")?;
        let before = self.size;
        let copied = ModuleSize::of(program).instructions.saturating_sub(before.instructions);
        let index = Index::new(cfa, program, &self.provenance);
        check_closed(&index, slice)?;
        calls::check(&index, slice)?;
        let distances = Distances::new(cfa, slice);
        let planner = Planner { index: &index, slice, distances: &distances };
        let whole = module::whole_functions(&index, &options.criteria);
        let ends = if options.keep_ends { Vec::new() } else { module::only_ends(program, &options.criteria) };
        let is_sliced = |f: &Value| !f.is_declaration() && !whole.contains(f) && !ends.contains(f);
        let bodies = program.functions().into_iter().filter(is_sliced);
        let plans = bodies.map(|f| planner.plan(f).map(|plan| (f, plan))).collect::<Result<Vec<_>>>()?;
        module::keep_structors(&index, slice);
        let quiet = module::runs_at_exit(&index, slice);
        let returning = if quiet { FxHashSet::default() } else { stop::returning(&index, slice, &options.entry) };
        let mut rewriter = Rewriter::new(program, quiet, returning);
        for (f, plan) in &plans {
            if module::is_copy_of_external(*f) {
                module::drop_body(*f);
            } else {
                rewriter.function(*f, plan)?;
            }
        }
        ends.into_iter().for_each(module::drop_body);
        let (bitcode, after) = finished(program, options)?;
        Ok(SlicedModule { before, copied, after, bitcode })
    }
}

/// A module without what nothing uses, and its size.
fn finished(program: &Module, options: &EmitOptions) -> Result<(Vec<u8>, ModuleSize)> {
    let seen = module::internalize(program, options);
    module::clean(program)?;
    module::show(program, &seen);
    module::verify(program)?;
    Ok((bitcode(program), ModuleSize::of(program)))
}

/// Checks that every kept edge has everything its instruction needs.
fn check_closed(index: &Index<'_, '_>, slice: &Slice) -> Result<()> {
    let (kept, live) = (|e: EdgeId| slice.kept.contains(e.index()), |e: EdgeId| slice.live.contains(e.index()));
    for (e, companions) in index.companions(false) {
        if !kept(e) {
            continue;
        }
        if let Some(missing) = companions.into_iter().find(|c| live(*c) && !kept(*c)) {
            let cfa = index.cfa;
            bail!(
                "the slice keeps what {} does ({e}), but not what it needs from {} ({missing})",
                cfa.place(cfa.edges[e].span),
                cfa.place(cfa.edges[missing].span)
            );
        }
    }
    Ok(())
}
