//! `kerf llvm-slicer`, and kerf called as `llvm-slicer` or `sbt-slicer`: the other tools' messages and exit statuses.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;

use crate::adapters::dg::options::{self, Invocation, Parsed, Tool};
use crate::adapters::dg::slice::{self, Done};
use crate::adapters::dg::table;
use crate::commands::slice::slicing::Size;
use crate::commands::{BAD_INPUT, check_readable, print};
use crate::limits::Limits;
use crate::worker::{self, Ending, Waiting};

/// Runs the tool on its arguments (without its name). The exit status is 0 even if no criterion is reached, and 1 for any
/// failure.
pub(super) fn run(tool: Tool, args: &[String]) -> Result<u8> {
    let invocation = match options::parse(tool, args) {
        Ok(Parsed::Help) => {
            print(&table::help(tool))?;
            return Ok(0);
        }
        Ok(Parsed::Version) => {
            print(&format!("{} of kerf {} ({})\n", tool.name(), env!("CARGO_PKG_VERSION"), crate::driver::versions()))?;
            return Ok(0);
        }
        Ok(Parsed::Run(invocation)) => invocation,
        Err(text) => return Ok(fail(&text)),
    };
    for warning in &invocation.warnings {
        eprintln!("[llvm-slicer] warning: {warning}");
    }
    if let Err(error) = check_readable(&invocation.input) {
        return Ok(fail(&format!("{}: {error}", tool.name())));
    }
    let waiting = Waiting { spinner: false, verbose: false, start: Instant::now() };
    let run = worker::run(Limits::default(), waiting, |reporter| slice::run(&invocation, reporter))?;
    match run.ending {
        Ending::Finished(done) => report(&invocation, &done),
        Ending::UserError(text) => return Ok(fail(&format!("{}: {text}", tool.name()))),
        Ending::Bug(text) => return Ok(fail(&format!("[llvm-slicer] ERROR: {text}"))),
        Ending::Died(death) => return Ok(fail(&format!("[llvm-slicer] ERROR: {death}"))),
        Ending::TimedOut | Ending::Interrupted => return Ok(fail("[llvm-slicer] ERROR: interrupted")),
    }
    Ok(0)
}

fn report(invocation: &Invocation, done: &Done) {
    let mut out = String::new();
    if let Some(path) = &done.graph {
        eprintln!("[llvm-slicer] Dumping DG to {}", path.display());
        return;
    }
    for text in &done.unmatched {
        out.push_str(&format!("[llvm-slicer] warning: {text}\n"));
    }
    if invocation.statistics {
        out.push_str(&statistics("before", &done.emitted.before));
    }
    if done.empty {
        let criteria: Vec<String> = invocation.primary.iter().map(ToString::to_string).collect();
        out.push_str(&format!("No reachable slicing criteria: '{}'\n", criteria.join(",")));
    } else {
        out.push_str(&format!("[llvm-slicer] Sliced away {} from {} nodes in DG\n", done.cut, done.nodes));
    }
    if invocation.statistics {
        out.push_str(&statistics("after", &done.emitted.after));
    }
    out.push_str(&format!("[llvm-slicer] saving sliced module to: {}\n", invocation.output.display()));
    let _ = std::io::stderr().write_all(out.as_bytes());
}

fn statistics(when: &str, size: &Size) -> String {
    let Size { globals, functions, blocks, instructions } = size;
    format!("Statistics {when} Globals/Functions/Blocks/Instr.: {globals} {functions} {blocks} {instructions}\n")
}

fn fail(text: &str) -> u8 {
    eprintln!("{text}");
    BAD_INPUT
}
