//! Draws graphs with Graphviz, which lays them out better than any library that could be linked instead.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::limits::Limits;
use crate::process;
use crate::worker::UserError;

/// The program that draws.
const DOT: &str = "dot";

/// Draws a graph in Graphviz's language as SVG.
///
/// # Errors
/// User errors: Graphviz is not installed, does not end within the limits, or fails.
pub(crate) fn draw(graph: &str, limits: &Limits) -> Result<String> {
    let dir = tempfile::tempdir().context("cannot make a temporary directory")?;
    let (from, to) = (dir.path().join("graph.dot"), dir.path().join("graph.svg"));
    std::fs::write(&from, graph).context("cannot write a temporary file")?;
    let mut command = Command::new(DOT);
    command.arg("-Tsvg").arg("-o").arg(&to).arg(&from);
    let timeout = limits.timeout.unwrap_or(Duration::MAX);
    let cannot = |why: String| UserError(format!("--svg: {why}; --dot prints the graph itself"));
    let ended = match process::run(command, timeout, limits.memory_bytes.unwrap_or(u64::MAX)) {
        Ok(Some(ended)) => ended,
        Ok(None) => return Err(cannot("interrupted".into()).into()),
        Err(error) => {
            return Err(cannot(format!("cannot run Graphviz's program {DOT}: {}", error.root_cause())).into());
        }
    };
    if ended.killed {
        let limit = crate::limits::show_duration(timeout);
        return Err(cannot(format!("{DOT} does not draw the graph within {limit}")).into());
    }
    if !ended.status.success() {
        let said = ended.output.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("no error message");
        return Err(cannot(format!("{DOT} fails ({}): {said}", ended.status)).into());
    }
    Ok(std::fs::read_to_string(&to).map_err(|e| cannot(format!("{DOT} writes no picture: {e}")))?)
}
