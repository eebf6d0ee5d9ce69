//! The options of the commands that help a shell: `kerf completions` and `kerf man`.

use std::path::PathBuf;

use clap::Args;

/// Print a script with which a shell completes commands and options.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kerf completions bash > ~/.local/share/bash-completion/completions/kerf")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write the manual pages, one for kerf and one for each command.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kerf man ~/.local/share/man/man1 && man kerf-verify")]
pub(crate) struct ManArgs {
    /// The directory, which is made if there is none.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}
