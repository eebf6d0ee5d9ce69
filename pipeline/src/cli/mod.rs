//! The options of every command, one module for each, and the modules `program` and `output` for those that commands share.

mod bench;
mod certificate;
mod cfa;
mod compare;
mod config;
mod harness;
mod output;
mod program;
mod shell;
mod slice;
mod verify;
mod witness;

use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use bench::BenchArgs;
pub(crate) use certificate::{CertificateArgs, CertificateCheckArgs, CertificateCommand};
pub(crate) use cfa::CfaArgs;
pub(crate) use compare::{CompareArgs, LlvmSlicerArgs};
pub(crate) use config::{ConfigArgs, ConfigCommand};
pub(crate) use harness::HarnessArgs;
pub(crate) use output::{FormArgs, QuietArgs, ReportArgs, ShowArgs};
pub(crate) use program::{ClangArgs, InputArgs, ProgramArgs, PropertyArgs, partial};
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use slice::{SliceArgs, Switch};
pub(crate) use verify::{OptimiseArgs, ResultArgs, SolverArgs, StrategyArgs, VerifyArgs};
pub(crate) use witness::{WitnessArgs, WitnessCheckArgs, WitnessCommand};

/// A verifier for LLVM bitcode and C: slices a program and then proves or refutes that an error is reachable.
#[derive(Debug, Parser)]
#[command(name = "kerf", disable_version_flag = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Print the versions of kerf, LLVM and the solver.
    #[arg(long, short = 'V', exclusive = true)]
    pub version: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Verify(VerifyArgs),
    Slice(SliceArgs),
    Compare(CompareArgs),
    LlvmSlicer(LlvmSlicerArgs),
    Cfa(CfaArgs),
    Harness(HarnessArgs),
    Certificate(CertificateArgs),
    Witness(WitnessArgs),
    Report(ReportArgs),
    Config(ConfigArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Command {
    /// Whether what the command prints is JSON with a schema.
    pub(crate) fn prints_json(&self) -> bool {
        match self {
            Command::Verify(args) => args.show.json,
            Command::Slice(args) => args.show.json,
            Command::Cfa(args) => args.show.json,
            Command::Compare(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Certificate(args) => args.prints_json(),
            Command::Witness(args) => args.prints_json(),
            Command::Config(ConfigArgs { command: ConfigCommand::Show(args) }) => args.json,
            Command::Harness(_)
            | Command::LlvmSlicer(_)
            | Command::Report(_)
            | Command::Completions(_)
            | Command::Man(_) => false,
        }
    }
}
