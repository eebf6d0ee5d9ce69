//! `kerf verify --optimise`: LLVM optimises the program, kerf slices it, LLVM optimises the slice, and kerf verifies what is left, in the
//! order of Symbiotic [Lemberger 2018, 4.3].
//!
//! What is verified is the result. So the answer says that it rests on the optimisations: they preserve what a program does only
//! if it has no undefined behaviour. The slice keeps what may run forever or trap, so that it reaches an error on no more
//! inputs than the optimised program.
//!
//! Optimisations would inline a function whose call is the error, or delete calls of an empty one, so its body is dropped first.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use frontend_llvm::clang::{self, ClangOptions};
use frontend_llvm::property::{Property, Targets};
use slicer::dependence::control_dep::ControlKind;
use slicer::dependence::summary::Direction;
use slicer::points_to::PointsToKind;

use crate::commands::slice::slicing::{self, SlicePlan};
use crate::config::Optimise;
use crate::driver::{Form, Program};
use crate::loading::{self, LoadPlan};
use crate::worker::{Phase, Reporter, UserError};

/// What an answer about an optimised program rests on.
pub(super) const ASSUMPTION: &str = "LLVM's optimisations, before and after slicing, preserve whether the error is reached: they may use \
                                     undefined behaviour of the program to remove it, or to change what leads to it";

/// The optimised slice of a program, or the optimised program if it is not to be sliced; it is written into `dir`.
///
/// # Errors
/// User errors: the program cannot be compiled, linked, sliced or written, or its property is not about calls.
pub(super) fn optimised(
    program: &Program,
    level: Optimise,
    is_sliced: bool,
    dir: &Path,
    reporter: &Reporter,
) -> Result<Program> {
    check(program)?;
    let file = |name: &str| dir.join(name);
    let of =
        |module: PathBuf| Program { files: vec![module], clang_options: ClangOptions::default(), ..program.clone() };
    let whole = of(linked(program, &file("linked.bc"), dir, reporter)?);
    let loaded = loading::load(&whole, LoadPlan::default(), reporter)?;
    reporter.phase(Phase::Compiling, "with optimisations");
    let mut module = whole.files[0].clone();
    for (i, target) in loaded.target_symbols.iter().enumerate() {
        // Without a body, a function has no debug information, which knew it by another name.
        if !loaded.targets.contains(target) {
            let names = loaded.targets.join(" or ");
            return Err(UserError(format!("--optimise: {target}() is called {names} in the source only")).into());
        }
        let without_body = file(&format!("extern{i}.bc"));
        let arguments = ["--delete".into(), format!("--func={target}")];
        run(Command::new(clang::llvm_tool("llvm-extract")).args(arguments).arg(&module).arg("-o").arg(&without_body))?;
        module = without_body;
    }
    optimise(&module, level, &file("optimised.bc"))?;
    if !is_sliced {
        return Ok(of(file("optimised.bc")));
    }
    let plan = SlicePlan {
        criteria: None,
        direction: Direction::Backward,
        options: slicer::SliceOptions {
            control: ControlKind::NtscdDod,
            keep_traps: true,
            ..slicer::SliceOptions::default()
        },
        points_to: PointsToKind::Andersen,
        form: Form::Counts,
        why: None,
        annotate: false,
        page: false,
        output: Some(file("slice.bc")),
        keep_ends: true,
    };
    slicing::slice(&of(file("optimised.bc")), &plan, reporter)?;
    reporter.phase(Phase::Compiling, "the slice with optimisations");
    optimise(&file("slice.bc"), level, &file("program.bc"))?;
    Ok(of(file("program.bc")))
}

/// Refuses what is lost in optimised modules.
fn check(program: &Program) -> Result<(), UserError> {
    let what = match &program.specification.property {
        _ if program.cfa_file().is_some() => "an automaton is no module",
        _ if program.only_needed => "name the program's files, which a compilation database does not tell apart",
        _ if !program.substitutions.is_empty() => "it does not go with --stub and --replace",
        _ if program.automata.is_some() => "modules contain no specification automata",
        Property::UnreachCall(Targets::Label(_)) => "optimised modules have no labels",
        Property::UnreachCall(_) => return Ok(()),
    };
    Err(UserError(format!("--optimise: {what}")))
}

/// The program as one module.
fn linked(program: &Program, to: &Path, dir: &Path, reporter: &Reporter) -> Result<PathBuf> {
    let mut modules = Vec::new();
    for (i, file) in program.files.iter().enumerate() {
        if !matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i")) {
            modules.push(file.clone());
            continue;
        }
        reporter.phase(Phase::Compiling, &file.display().to_string());
        let module = dir.join(format!("module{i}.bc"));
        clang::compile(file, &module, program.data_model.pointer_bits(), &program.clang_options)
            .map_err(|e| UserError(format!("{e:#}")))?;
        modules.push(module);
    }
    run(Command::new(clang::llvm_tool("llvm-link")).args(&modules).arg("-o").arg(to))?;
    Ok(to.to_path_buf())
}

/// Optimises a module. Vectors would be harder to verify than loops.
fn optimise(module: &Path, level: Optimise, to: &Path) -> Result<()> {
    let options = ["-c", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize", "-w"];
    let clang = clang::find().map_err(|e| UserError(format!("{e:#}")))?;
    run(Command::new(clang).args(options).arg(format!("-{level}")).arg(module).arg("-o").arg(to))
}

/// Runs a program of LLVM.
///
/// # Errors
/// A user error with the first line that it prints.
fn run(command: &mut Command) -> Result<()> {
    let program = Path::new(command.get_program()).display().to_string();
    let failed = |why: String| UserError(format!("--optimise: {program}: {why}"));
    let ended = command.stdin(Stdio::null()).output().map_err(|e| failed(e.to_string()))?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(failed(said.lines().next().unwrap_or("failed").to_string()).into());
    }
    Ok(())
}
