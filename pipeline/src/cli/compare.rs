//! The options of `kerf compare` and `kerf llvm-slicer`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::slice::{Criteria, parse_criteria};
use crate::cli::{ClangArgs, InputArgs, PropertyArgs};
use crate::commands::compare::slicers::Slicer;
use crate::strategy::{self, Chosen};

/// Compare slicers: how much each keeps of each program, its time and memory, and the verdict on the slice.
///
/// Every slicer gets the same bitcode and writes its slice as bitcode, which is verified without slicing it again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf compare prog.c\n  \
                        kerf compare --slicer none --slicer standard --slicer dg=/usr/bin/llvm-slicer --csv *.c > sizes.csv")]
pub(crate) struct CompareArgs {
    /// The programs, each by itself: C (.c, .i) or LLVM (.bc, .ll) files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clang: ClangArgs,
    /// A slicer: none, standard, ntscd, ntscd+dod, insensitive, pass-traps, keep-diverging, steensgaard, or NAME=PROGRAM for an
    /// external llvm-slicer.
    #[arg(long, value_name = "NAME", default_values = ["none", "insensitive", "standard"])]
    pub slicer: Vec<Slicer>,
    /// What to slice for, separated by commas [default: the calls that violate the property]
    #[arg(long, short, value_name = "LIST", value_parser = parse_criteria)]
    pub criterion: Vec<Criteria>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// The strategy to verify the slices with [default: auto]
    #[arg(long, value_parser = strategy::read)]
    pub strategy: Option<Chosen>,
    /// Slice without verifying.
    #[arg(long, conflicts_with = "strategy")]
    pub no_verify: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values instead of a table.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Slice like dg's llvm-slicer, with its options, messages and exit statuses (`kerf llvm-slicer -help` lists them).
///
/// When called by the name llvm-slicer or sbt-slicer (through a link), kerf behaves like that tool.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Example:\n  kerf llvm-slicer -c __assert_fail -cd-alg ntscd -o prog.sliced prog.bc"
)]
pub(crate) struct LlvmSlicerArgs {
    /// The arguments of llvm-slicer.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}
