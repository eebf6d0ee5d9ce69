//! How the cost of slicing, from bitcode on, grows with the size of the program: time and peak memory per phase and size.
//!
//! `cargo run -p kerf-tests --bin growth --release -- --to 1000000`. Each size runs in a process of its own. Times are processor times, so
//! that other load on the machine does not count.

use anyhow::Result;
use clap::Parser;
use frontend_llvm::{LoadOptions, load};
use kerf_tests::growth::program;
use slicer::points_to::{PointsTo, PointsToKind, memory_var};
use slicer::{PrepareOptions, prepare, slice_for_targets};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Approximate number of instructions of a module.
const MODULE: usize = 1000;

/// Measure how the cost of slicing grows with the size of the program
#[derive(Parser)]
struct Options {
    /// Approximate number of instructions of the smallest program; each further one has ten times as many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    from: usize,
    /// Approximate number of instructions of the largest program
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    to: usize,
    /// Seed of the programs
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Only write the largest program
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Measure one file, in this process
    #[arg(long, value_name = "FILE", hide = true)]
    measure: Option<PathBuf>,
}

fn main() -> Result<()> {
    let Options { from, to, seed, write, measure } = Options::parse();
    if let Some(file) = measure {
        return measure_file(&file);
    }
    if let Some(file) = write {
        return Ok(std::fs::write(file, program(to / MODULE, seed))?);
    }
    println!(
        "{:>9} {:>9} {:>9} | {:>7} {:>5} | {:>9} {:>5} | {:>7} {:>5} | {:>7} {:>5} | {:>7} {:>5}",
        "wanted",
        "instr.",
        "edges",
        "load",
        "MiB",
        "points-to",
        "MiB",
        "prepare",
        "MiB",
        "slice",
        "MiB",
        "total",
        "MiB"
    );
    let folder = tempfile::tempdir()?;
    let mut size = from;
    while size <= to {
        let (source, bitcode) = (folder.path().join("growth.c"), folder.path().join("growth.bc"));
        std::fs::write(&source, program(size / MODULE, seed))?;
        frontend_llvm::clang::compile(&source, &bitcode, 64, &frontend_llvm::clang::ClangOptions::default())?;
        print!("{size:9} ");
        std::io::Write::flush(&mut std::io::stdout())?;
        let status = Command::new(std::env::current_exe()?).arg("--measure").arg(&bitcode).status()?;
        if !status.success() {
            println!("{status}");
        }
        size *= 10;
    }
    Ok(())
}

/// Runs all phases on a file and prints a line.
fn measure_file(bitcode: &Path) -> Result<()> {
    let mut total = (0.0, 0);
    let mut add = |(s, mib): (f64, u64)| {
        total = (total.0 + s, total.1.max(mib));
        format!("{s:7.2} {mib:5}")
    };
    let (loaded, cost) = timed(|| load(&[bitcode.to_path_buf()], &LoadOptions::default()));
    let loaded = loaded?;
    let (instructions, edges) = (loaded.statistics.instructions, loaded.raw.cfa.edges.len());
    print!("{instructions:9} {edges:9} | {} |", add(cost));
    std::io::Write::flush(&mut std::io::stdout())?;
    // The points-to analysis alone; preparation runs it again.
    let (solved, cost) =
        timed(|| Ok(PointsTo::analyse(&loaded.raw, memory_var(&loaded.raw.cfa)?, PointsToKind::Andersen)));
    drop(solved?);
    print!(" {:9.2} {:5} |", cost.0, cost.1);
    std::io::Write::flush(&mut std::io::stdout())?;
    let (prepared, cost) = timed(|| prepare(loaded.raw, &PrepareOptions::default()));
    let (cfa, _) = prepared?;
    print!(" {} |", add(cost));
    std::io::Write::flush(&mut std::io::stdout())?;
    let (sliced, cost) = timed(|| Ok(slice_for_targets(&cfa)));
    print!(" {} |", add(cost));
    println!(" {:7.2} {:5}   kept {} of {}", total.0, total.1, sliced?.kept.count_ones(..), cfa.edges.len());
    Ok(())
}

/// Runs `phase`. Returns its result, its processor time in seconds, and the peak of resident memory meanwhile in MiB.
fn timed<T>(phase: impl FnOnce() -> Result<T>) -> (Result<T>, (f64, u64)) {
    // Resets the peak.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let start = processor_seconds();
    let result = phase();
    (result, (processor_seconds() - start, peak_mib()))
}

/// Processor time of this thread so far, in seconds (Linux; 0 elsewhere).
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Peak of resident memory, in MiB (Linux; 0 elsewhere).
fn peak_mib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib =
        text.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
