//! The options that say what the program is and how it is read, for all commands that read one.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::StrategyArgs;
use crate::config::{DataModel, Extern, Partial, Preset, Replacement};
use crate::limits::{parse_bytes, parse_duration};
use crate::strategy::Stated;

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The program: C (.c, .i) or LLVM (.bc, .ll) files, several of which are linked; or one automaton (.cfa), as `kerf cfa
    /// --text` prints it. Without any, those that the entry function needs of
    /// --compile-commands.
    #[arg(value_name = "FILE", required_unless_present_any = ["compile_commands", "config"])]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clang: ClangArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClangArgs {
    /// Options for clang, which compiles the C files: -I, -D, -std and others.
    #[arg(value_name = "CLANG-OPTION", last = true, allow_hyphen_values = true)]
    pub options: Vec<String>,
}

/// How programs are read, and limits. A configuration file can hold these too.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Settings for a purpose, over which --config and options take precedence.
    #[arg(long, value_enum, value_name = "NAME")]
    pub preset: Option<Preset>,
    /// Read settings from this TOML file; options take precedence over it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How C files are compiled: a compilation database (compile_commands.json), or the folder with it. Each C file has the options of
    /// its entry, and those after -- in addition.
    #[arg(long, value_name = "FILE|DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Widths of C's types, for C files [default: LP64]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// Do not look into this function: its calls return any value of its type and have no other effect than those of an undefined function
    /// (see --extern). Answers rest on this, and say so.
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    pub stub: Vec<String>,
    /// Call another function wherever the program uses this one, except in that other function. Their types must be the same.
    #[arg(long, value_name = "FUNCTION=OTHER", value_delimiter = ',')]
    pub replace: Vec<Replacement>,
    /// The function at which executions start [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// What undefined functions do [default: pure]
    #[arg(long, value_enum, value_name = "EFFECT")]
    pub r#extern: Option<Extern>,
    /// Number of levels of allocating functions (such as xmalloc) whose call sites get separate heap objects [default: 2]
    #[arg(long, value_name = "K")]
    pub heap_context: Option<u32>,
    /// Maximum wall-clock time until the answer [default: 900s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Maximum address space [default: 15GB]
    #[arg(long, value_name = "AMOUNT", value_parser = parse_bytes)]
    pub memory: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct PropertyArgs {
    /// What must hold: unreach-call, label:NAME (control never reaches a label of that name), an SV-COMP .prp file, or a .spc file of
    /// specification automata [default: unreach-call]
    #[arg(long, value_name = "NAME|FILE")]
    pub property: Option<String>,
}

/// The settings given on the command line, for [`crate::config::Settings::resolve`].
pub(crate) fn partial(
    input: &InputArgs,
    clang: Option<&ClangArgs>,
    property: Option<&PropertyArgs>,
    strategy: Option<&StrategyArgs>,
) -> Partial {
    Partial {
        preset: input.preset,
        property: property.and_then(|p| p.property.clone()),
        data_model: input.data_model,
        compile_commands: input.compile_commands.clone(),
        stub: Some(input.stub.clone()).filter(|list| !list.is_empty()),
        replace: Some(input.replace.clone()).filter(|list| !list.is_empty()),
        clang_options: clang.map(|c| c.options.clone()).filter(|options| !options.is_empty()),
        entry: input.entry.clone(),
        r#extern: input.r#extern,
        heap_context: input.heap_context,
        strategy: strategy.and_then(|s| s.strategy.clone()).map(Stated::Chosen),
        slice: strategy.and_then(|s| s.no_slice.then_some(false)),
        solver: strategy.and_then(|s| s.solver.solver),
        timeout: input.timeout,
        memory: input.memory,
        ..Partial::default()
    }
}
