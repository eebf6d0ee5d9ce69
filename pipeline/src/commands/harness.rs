//! `kerf harness`: writes a C file that calls a function with arbitrary arguments.
//!
//! The program is read in a worker, like any other. The harness is compiled there before it is handed out: one that does not compile would
//! be of no use.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use frontend_llvm::clang::{self, ClangOptions};
use frontend_llvm::{LoadOptions, describe};

use crate::cli::HarnessArgs;
use crate::commands::{Session, is_c, print, program, result_of, work};
use crate::config::Settings;
use crate::driver::Program;
use crate::environment::{self, Bounds, Harness};
use crate::worker::{Phase, Reporter, UserError};

pub(super) fn run(args: HarnessArgs, session: Session) -> Result<u8> {
    let settings = Settings::resolve(args.config.as_deref(), None, args.partial())?;
    let program = program(&args.program.files, &settings)?;
    if program.cfa_file().is_some() {
        return Err(UserError("an automaton has no types, of which a harness would make values".into()).into());
    }
    if let Some(path) = args.output.as_ref().filter(|path| path.exists() && !args.force) {
        return Err(UserError(format!("{}: exists already (--force writes it anew)", path.display())).into());
    }
    let bounds = Bounds { max_elements: args.max_elements, depth: args.depth, globals: args.globals };
    let folder = folder(args.output.as_deref())?;
    let worker = work(&settings, &args.show(), &session, |reporter| {
        write(&program, &args.function, &bounds, &folder, reporter)
    })?;
    let harness = result_of(worker, &settings)?;
    let Some(path) = &args.output else {
        print(&harness.text)?;
        return Ok(0);
    };
    let name = path.display().to_string();
    std::fs::write(path, &harness.text).map_err(|e| UserError(format!("{name}: cannot be written: {e}")))?;
    print(&format!("{}\n", command(&harness, &name, &args)))?;
    Ok(0)
}

/// The command that verifies the program with a harness of this name.
fn command(harness: &Harness, name: &str, args: &HarnessArgs) -> String {
    let mut words = vec!["kerf".to_string(), "verify".into()];
    let mut option = |name: &str, value: Option<String>| words.extend(value.into_iter().flat_map(|v| [name.into(), v]));
    let shown = |path: &PathBuf| path.display().to_string();
    option("--config", args.config.as_ref().map(shown));
    option("--compile-commands", args.compile_commands.as_ref().map(shown));
    option("--data-model", args.data_model.map(|model| model.to_string()));
    option("--entry", harness.entry.clone());
    words.push(name.into());
    words.extend(harness.files.iter().map(shown));
    let options = &args.program.clang.options;
    words.extend((!options.is_empty()).then(|| "--".to_string()));
    words.extend(options.iter().cloned());
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// The folder in which the harness will be.
fn folder(output: Option<&Path>) -> Result<PathBuf, UserError> {
    let folder = output.and_then(Path::parent).filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::canonicalize(folder).map_err(|e| UserError(format!("{}: {e}", folder.display())))
}

/// Writes a harness that compiles.
fn write(program: &Program, function: &str, bounds: &Bounds, folder: &Path, reporter: &Reporter) -> Result<Harness> {
    // Only bitcode and assembly of the user's can crash LLVM's reader.
    match program.files.iter().find(|file| !is_c(file)) {
        Some(file) => reporter.phase(Phase::Loading, &file.display().to_string()),
        None => reporter.phase(Phase::Compiling, &program.files[0].display().to_string()),
    }
    let pointer_bits = program.data_model.pointer_bits();
    let options = LoadOptions {
        pointer_bits,
        clang_options: program.clang_options.clone(),
        entry: function.into(),
        only_needed: program.only_needed,
        ..LoadOptions::default()
    };
    let described = describe::describe(&program.files, &options, function).map_err(|e| UserError(format!("{e:#}")))?;
    let failed = |why: String| UserError(format!("{function}: no harness can be written: {why}"));
    let harness = environment::write(&described, bounds, folder).map_err(failed)?;
    reporter.phase(Phase::Compiling, "the harness");
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let source = temporary.path().join("harness.c");
    std::fs::write(&source, &harness.text).context("cannot write the harness")?;
    // The harness of a static function includes its file, which has options of its own.
    let own = program.files.iter().find(|file| std::fs::canonicalize(file).is_ok_and(|file| file == described.file));
    let mut options = own.map_or(Vec::new(), |file| program.clang_options.of(file));
    options.push(format!("-I{}", folder.display()));
    let options = ClangOptions::for_all(options);
    clang::compile(&source, &temporary.path().join("harness.bc"), described.pointer_bits, &options).map_err(|e| {
        failed(format!("it would not compile: {}", format!("{e:#}").replace(&*source.to_string_lossy(), "harness.c")))
    })?;
    Ok(harness)
}
