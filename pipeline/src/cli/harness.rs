//! The options of `kerf harness`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::{ProgramArgs, ShowArgs};
use crate::config::{DataModel, Partial};
use crate::limits::{parse_bytes, parse_duration};

/// Write a C file that calls a function with arbitrary arguments, to be edited and verified with the program.
///
/// Numbers are arbitrary. Pointers are null or lead to objects, arrays or strings of bounded size, or to functions that return any value.
/// A number after a pointer that is named like a size (n, len, count) is at most the number of elements. The types are declared from
/// debug information; for a static function the harness includes the source.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf harness insert list.c -o harness.c && kerf verify harness.c list.c\n  \
                        kerf harness parse --max-elements 8 --globals parse.c -- -Iinclude > harness.c\n  \
                        kerf harness insert --compile-commands build src/list.c -o harness.c")]
pub(crate) struct HarnessArgs {
    /// The function to call.
    #[arg(value_name = "FUNCTION")]
    pub function: String,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write the harness into this file, which must not exist [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write it even if the file exists.
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Maximum number of elements of arrays, and of characters of strings, to which pointers lead.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub max_elements: u64,
    /// Maximum number of pointers from an argument to the objects that it leads to; deeper ones are null.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub depth: u32,
    /// Give the variables that the function uses arbitrary values, too.
    #[arg(long)]
    pub globals: bool,
    /// How C files are compiled: a compilation database (compile_commands.json), or the folder with it.
    #[arg(long, value_name = "FILE|DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Read settings from this TOML file; options take precedence over it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Widths of C's types, for C files [default: LP64]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// Maximum wall-clock time until the answer [default: 900s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Maximum address space [default: 15GB]
    #[arg(long, value_name = "AMOUNT", value_parser = parse_bytes)]
    pub memory: Option<u64>,
}

impl HarnessArgs {
    /// The settings given on the command line.
    pub(crate) fn partial(&self) -> Partial {
        Partial {
            data_model: self.data_model,
            compile_commands: self.compile_commands.clone(),
            clang_options: Some(self.program.clang.options.clone()).filter(|options| !options.is_empty()),
            timeout: self.timeout,
            memory: self.memory,
            ..Partial::default()
        }
    }

    /// How it is shown that the command is at work.
    pub(crate) fn show(&self) -> ShowArgs {
        ShowArgs { json: false, verbose: false, quiet: self.output.is_none() }
    }
}
