//! What a shell and a reader of manuals need: `kerf completions` and `kerf man`. Both are made from the options themselves.

use anyhow::Result;
use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::commands::print;
use crate::worker::UserError;

/// Prints the completions of a shell.
pub(super) fn completions(args: CompletionsArgs) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kerf", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(0)
}

/// Writes `kerf.1` and a page for each command, such as `kerf-verify.1`.
pub(super) fn man(args: ManArgs) -> Result<u8> {
    let failed = |error| UserError(format!("{}: {error}", args.directory.display()));
    std::fs::create_dir_all(&args.directory).map_err(failed)?;
    // Pages are named and dated by the version.
    let command = Cli::command().version(env!("CARGO_PKG_VERSION"));
    clap_mangen::generate_to(command, &args.directory).map_err(failed)?;
    Ok(0)
}
