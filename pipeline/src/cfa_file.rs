//! Reads programs in the text format of automata, in files whose names end in `.cfa`: what `kerf cfa --text` prints, or a user writes.
//!
//! Such a file is a whole program, in which entry, targets and the effects of undefined functions are fixed. Options that ask for
//! others are errors, since ignoring them would answer another question. The file is trusted: what it says an edge allocates,
//! frees or gives away, and what it assumes, is not compared with any source.

use std::path::{Path, PathBuf};

use cfa::text::read;
use cfa::{Cfa, EdgeId, IndexVec, Op, Span};
use frontend_llvm::Undefined;
use frontend_llvm::property::{Property, Targets};
use slicer::automaton::Woven;
use slicer::points_to::memory_var;

use crate::driver::Program;
use crate::loading::Loaded;
use crate::worker::UserError;

/// Whether a file is an automaton, by its name.
pub(crate) fn is_cfa(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "cfa")
}

/// The automaton among `files`, if there is one.
///
/// # Errors
/// It is not the only file.
pub(crate) fn only(files: &[PathBuf]) -> Result<Option<&Path>, UserError> {
    match files.iter().find(|file| is_cfa(file)) {
        Some(file) if files.len() > 1 => {
            Err(error(file, "an automaton is a whole program, which is not linked with other files"))
        }
        file => Ok(file.map(PathBuf::as_path)),
    }
}

/// The error for a slice that should be written as a module.
pub(crate) fn no_module(file: &Path) -> UserError {
    error(file, "an automaton has no LLVM module, so its slice cannot be written as bitcode (--text prints it)")
}

/// Reads the program in `file` for the question that `program` asks about it.
///
/// # Errors
/// The file is not an automaton as front-ends make them, or does not fit the question.
pub(crate) fn load(file: &Path, program: &Program) -> Result<Loaded, UserError> {
    let text = std::fs::read_to_string(file).map_err(|e| error(file, e))?;
    let (mut raw, lines) =
        read(&text).map_err(|e| UserError(format!("{}:{}: {}", file.display(), e.line, e.message)))?;
    let cfa = &mut raw.cfa;
    check_raw(cfa).map_err(|reason| error(file, reason))?;
    check_question(cfa, program).map_err(|reason| error(file, reason))?;
    name_lines(cfa, &lines, file);
    let Property::UnreachCall(wanted) = &program.specification.property;
    if *wanted == Targets::Nothing {
        cfa.targets.clear();
    }
    let mut notes = Vec::new();
    if cfa.targets.is_empty() && *wanted != Targets::Nothing {
        notes.push(format!("{} has no target, so nothing can violate the property", file.display()));
    }
    let targets = target_names(cfa);
    let (source, doubts) = Default::default();
    Ok(Loaded {
        raw,
        targets,
        target_symbols: Vec::new(),
        assertions: Vec::new(),
        module: None,
        woven: Woven::default(),
        files: vec![file.to_path_buf()],
        notes,
        source,
        doubts,
    })
}

fn error(file: &Path, reason: impl std::fmt::Display) -> UserError {
    UserError(format!("{}: {reason}", file.display()))
}

/// Rejects automata that were prepared: memory was split by claims that the text does not contain and nobody could check.
fn check_raw(cfa: &Cfa) -> Result<(), String> {
    let placed = cfa.objects.iter().any(|o| o.base.is_some());
    if placed || !cfa.memory.objects.is_empty() || !cfa.memory.address_orders.is_empty() || memory_var(cfa).is_err() {
        return Err(
            "the automaton is already prepared; use the one that `kerf cfa --text` prints without --prepared".into()
        );
    }
    Ok(())
}

/// Rejects questions that the automaton does not answer.
fn check_question(cfa: &Cfa, program: &Program) -> Result<(), String> {
    if program.automata.is_some() {
        return Err("an automaton does not record the events that specification automata observe; give --property to the `kerf cfa` that prints it".into());
    }
    if program.undefined != Undefined::ReadsArguments {
        return Err(
            "what undefined functions do is fixed in an automaton; give --extern to the `kerf cfa` that prints it"
                .into(),
        );
    }
    let asked = program.specification.entry.as_ref().or(Some(&program.entry).filter(|entry| *entry != "main"));
    if let Some(asked) = asked.filter(|name| !begins_at(cfa, name)) {
        return Err(format!("executions of an automaton begin at its entry, which is not {asked}"));
    }
    let Property::UnreachCall(wanted) = &program.specification.property;
    let call = match wanted {
        Targets::Customary | Targets::Nothing => return Ok(()),
        Targets::Function(name) => name.clone(),
        Targets::Label(name) => format!("label {name}"),
    };
    // Calls of other functions are no targets, and calls of this one are, or the text was made for another property.
    let fits = |target: &cfa::LocId| target_name(cfa, *target) == Some(&call);
    if cfa.targets.is_empty() || !cfa.targets.iter().all(fits) {
        return Err(format!("what violates the property is fixed in an automaton, and is not {call} here"));
    }
    Ok(())
}

/// Whether executions begin at the function `name`, or at the function of a front-end that calls it.
fn begins_at(cfa: &Cfa, name: &str) -> bool {
    let entry = &cfa.funcs[cfa.entry];
    let is_called = |edge: &cfa::Edge| match edge.op {
        Op::Call(f) => cfa.locs[edge.from].func == cfa.entry && cfa.funcs[f].name == name,
        _ => false,
    };
    entry.name == name || entry.is_start() && cfa.edges.iter().any(is_called)
}

/// The function whose call leads to a target, if the automaton says which.
fn target_name(cfa: &Cfa, target: cfa::LocId) -> Option<&String> {
    cfa.into(target).iter().find_map(|e| cfa.external_calls.get(e))
}

fn target_names(cfa: &Cfa) -> Vec<String> {
    let mut names: Vec<String> = cfa.targets.iter().filter_map(|l| target_name(cfa, *l).cloned()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Gives edges the positions of their lines in `file`, if no edge has a position: then the text itself is the source.
fn name_lines(cfa: &mut Cfa, lines: &IndexVec<EdgeId, u32>, file: &Path) {
    if cfa.edges.iter().any(|edge| edge.span != Span::default()) {
        return;
    }
    let number = cfa.files.len() as u32;
    cfa.files.push(file.display().to_string());
    for (e, line) in lines.iter_enumerated() {
        cfa.edges[e].span = Span { file: number, line: *line, column: 0 };
    }
}
