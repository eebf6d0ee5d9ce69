//! The options of `kerf witness`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::{InputArgs, ProgramArgs, PropertyArgs, QuietArgs, ShowArgs, StrategyArgs};

/// Witnesses of verdicts.
#[derive(Debug, Args)]
pub(crate) struct WitnessArgs {
    #[command(subcommand)]
    pub command: WitnessCommand,
}

impl WitnessArgs {
    /// Whether what the command prints is JSON.
    pub(crate) fn prints_json(&self) -> bool {
        let WitnessCommand::Check(args) = &self.command;
        args.show.json
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum WitnessCommand {
    Check(WitnessCheckArgs),
}

/// Check a witness of any tool against a program.
///
/// A violation witness is confirmed by `RESULT: false(...)`: an execution along its waypoints was found and replayed. A correctness witness
/// is confirmed by `RESULT: true`: its invariants and the property were proved, and the certificate was checked. Exit status as for
/// `kerf verify`: 0 true, 10 false, 20 unknown (also if the witness is refuted or not understood), 1 bad input.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  kerf verify --witness witness.yml prog.c\n  kerf witness check witness.yml prog.c"
)]
pub(crate) struct WitnessCheckArgs {
    /// The witness, in SV-COMP's format (YAML, version 2.0 or later).
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub strategy: StrategyArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub quiet: QuietArgs,
}
