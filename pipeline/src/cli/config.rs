//! The options of `kerf config`.

use clap::{Args, Subcommand};

use crate::cli::{ClangArgs, InputArgs, OptimiseArgs, PropertyArgs, ResultArgs, StrategyArgs};
use crate::strategy;

/// The configuration.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    Show(ConfigShowArgs),
}

const CONFIG_EXAMPLES: &str =
    "Examples:\n  kerf config show --config kerf.toml --timeout 60s\n  kerf config show --strategy symex-cegar";

/// Print every setting's effective value and where it comes from, in a form that `--config` reads.
///
/// For a composition of analyses, all its settings are printed.
#[derive(Debug, Args)]
#[command(after_help = CONFIG_EXAMPLES, after_long_help = format!("{CONFIG_EXAMPLES}\n\n{}", strategy::HELP))]
pub(crate) struct ConfigShowArgs {
    #[command(flatten)]
    pub clang: ClangArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub strategy: StrategyArgs,
    #[command(flatten)]
    pub optimise: OptimiseArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}
