//! Reading a program: from files to a raw automaton, with specification automata and what a witness demands woven in.

use std::path::PathBuf;

use anyhow::Result;
use cfa::source_map::SourceMap;
use cfa::{Cfa, EdgeId, RawCfa};
use frontend_llvm::property::Property;
use frontend_llvm::{Allocator, Keep, LoadOptions, LoadedProgram, ProgramModule, Watched};
use slicer::automaton::{self, Woven};

use crate::cfa_file;
use crate::driver::{Program, violation};
use crate::witness::guide::{Doubt, Guide};
use crate::worker::{Phase, Reporter, UserError};

/// What is needed of a program in addition to its automaton.
#[derive(Debug, Clone, Default)]
pub struct LoadPlan {
    /// Functions whose calls pass their arguments even if they have no definition.
    pub observed: Vec<String>,
    /// Functions without a body that allocate memory.
    pub allocators: Vec<(String, Allocator)>,
    /// Functions that criteria name for another reason.
    pub named: Vec<String>,
    /// Whether to keep the module, and what for.
    pub keep: Keep,
    /// Whether handlers of signals may run at any time, as slices have it.
    pub signals_arrive: bool,
    /// What a witness demands of the program.
    pub guide: Option<Guide>,
}

/// A program as the front-end produces it, with its automata woven in.
#[derive(Debug)]
pub struct Loaded {
    /// The program as lowered.
    pub raw: RawCfa,
    /// The functions whose calls violate the property.
    pub targets: Vec<String>,
    /// The linker's names of these functions, as far as they are in the program.
    pub target_symbols: Vec<String>,
    /// The undefined functions whose failing assertions violate it, too.
    pub assertions: Vec<String>,
    /// The module that the program was read from, if [`LoadPlan::keep`] asked for it.
    pub module: Option<ProgramModule>,
    /// The result of weaving in the automata.
    pub woven: Woven,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Notes for the user if nothing in the program can violate the property.
    pub notes: Vec<String>,
    /// The loops and local variables of the source.
    pub source: SourceMap,
    /// What of [`LoadPlan::guide`] was not understood.
    pub doubts: Vec<Doubt>,
}

/// Reads and links the files, translates them, and weaves in the automata. If the program is given as an automaton, `plan` has no
/// effect: only a front-end can provide what it asks for.
///
/// # Errors
/// User errors: a file cannot be read, compiled or linked, lacks the entry function, or does not fit the question.
pub fn load(program: &Program, plan: LoadPlan, reporter: &Reporter) -> Result<Loaded> {
    if let Some(file) = program.cfa_file() {
        reporter.phase(Phase::Translating, &file.display().to_string());
        let mut loaded = cfa_file::load(file, program)?;
        let text = "an automaton has no source, which witnesses are about".to_string();
        loaded.doubts.extend(plan.guide.map(|_| Doubt { index: None, text }));
        return Ok(loaded);
    }
    // Only the user's bitcode and assembly can crash LLVM's reader; clang's own output is sound.
    let llvm = |file: &&PathBuf| !matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i" | "h"));
    match program.files.iter().find(llvm) {
        Some(file) => reporter.phase(Phase::Loading, &file.display().to_string()),
        None => reporter.phase(Phase::Compiling, &program.files[0].display().to_string()),
    }
    let Property::UnreachCall(targets) = &program.specification.property;
    let options = LoadOptions {
        pointer_bits: program.data_model.pointer_bits(),
        entry: program.entry.clone(),
        targets: targets.clone(),
        undefined: program.undefined,
        observed: plan.observed,
        allocators: plan.allocators,
        named: plan.named,
        only_needed: program.only_needed,
        substitutions: program.substitutions.clone(),
        heap_context: program.heap_context,
        watched: watched(program, plan.guide.as_ref()),
        clang_options: program.clang_options.clone(),
        keep: plan.keep,
        signals_arrive: plan.signals_arrive,
    };
    let loaded = frontend_llvm::load(&program.files, &options).map_err(|e| UserError(format!("{e:#}")))?;
    let LoadedProgram { mut raw, targets, target_symbols, assertions, events, source, files, notes, module, .. } =
        loaded;
    let mut woven = match &program.automata {
        Some(automata) => automaton::weave(&mut raw.cfa, &automata.list, &events)
            .map_err(|e| UserError(format!("{}:{e}", automata.file)))?,
        None => Woven::default(),
    };
    let what = |cfa: &Cfa, e: EdgeId| violation(cfa, e, &targets).unwrap_or_else(|| "the property is violated".into());
    let property = program.specification.property.name();
    let guide = plan.guide.as_ref();
    let doubts = guide.map(|guide| guide.weave(&mut raw.cfa, &source, &mut woven, property, &what));
    Ok(Loaded {
        raw,
        targets,
        target_symbols,
        assertions,
        module,
        woven,
        files,
        notes,
        source,
        doubts: doubts.unwrap_or_default(),
    })
}

/// What automata and witnesses observe of a program.
fn watched(program: &Program, guide: Option<&Guide>) -> Option<Watched> {
    let mut watched = program.automata.as_ref().map(|automata| Watched {
        functions: automaton::functions(&automata.list),
        variables: automaton::variables(&automata.list),
    });
    if let Some(guide) = guide {
        let variables = guide.variables(program.data_model.pointer_bits());
        watched.get_or_insert_default().variables.extend(variables);
    }
    watched
}
