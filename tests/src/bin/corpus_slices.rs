//! Slices every program of a list on the targets of its property, writes the slices as modules, and has LLVM check them:
//! `cargo run -p kerf-tests --bin corpus_slices --release -- --index PATH --jobs 2`.
//!
//! The list is a table with tabs, with columns `id`, `path` (from the list's folder) and `data_model` (`ILP32` or `LP64`). Each program
//! is sliced in a process of its own, as LLVM may end it. Prints a line for each program, and the failures by cause.
//! Exit code 0 if there are none.

use anyhow::{Context, Result, bail};
use frontend_llvm::{LoadOptions, load};
use kerf_tests::kerf::parallel;
use kerf_tests::slices::emit;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Time for one program.
const LIMIT: Duration = Duration::from_secs(300);

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [one, file, bits, out] = &arguments[..]
        && one == "--one"
    {
        println!("{}", slice_one(file.into(), bits.parse()?, out.into())?);
        return Ok(ExitCode::SUCCESS);
    }
    let (mut index, mut jobs) = (PathBuf::new(), 2);
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--index" => index = value.into(),
            [name, value] if name == "--jobs" => jobs = value.parse()?,
            other => bail!("unknown option {other:?}; there are --index, --jobs"),
        }
    }
    let programs = programs(&index)?;
    let results = parallel(&programs, jobs, |p| {
        let start = Instant::now();
        let result = run(p);
        let text = result.as_ref().map_or_else(|why| format!("FAILED {why:#}"), Clone::clone);
        println!("{}\t{:.2}\t{text}", p.id, start.elapsed().as_secs_f64());
        result
    });
    let mut causes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (p, result) in programs.iter().zip(&results) {
        match result {
            Ok(sizes) => {
                let numbers: Vec<usize> = sizes.split(' ').filter_map(|n| n.parse().ok()).collect();
                let [b, a] = numbers[..] else { bail!("{}: '{sizes}'", p.id) };
                before.push(b);
                after.push(a);
            }
            Err(why) => causes.entry(format!("{why:#}")).or_default().push(&p.id),
        }
    }
    for (why, ids) in &causes {
        println!("{:5}  {why}: {}", ids.len(), ids.join(" "));
    }
    let mut shares: Vec<f64> = before.iter().zip(&after).map(|(b, a)| 100.0 * *a as f64 / *b as f64).collect();
    shares.sort_unstable_by(f64::total_cmp);
    let median = shares.get(shares.len() / 2).copied().unwrap_or(0.0);
    let total = 100.0 * after.iter().sum::<usize>() as f64 / (before.iter().sum::<usize>() as f64).max(1.0);
    println!(
        "{} programs, {} sliced and accepted by LLVM; instructions kept: {total:.0} % of all, {median:.0} % of the median program",
        programs.len(),
        shares.len()
    );
    Ok(if causes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Listed {
    id: String,
    file: PathBuf,
    bits: u32,
}

fn programs(index: &PathBuf) -> Result<Vec<Listed>> {
    let text = std::fs::read_to_string(index).with_context(|| format!("--index {}", index.display()))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| head.iter().position(|h| *h == name).with_context(|| format!("no column {name}"));
    let (id, path, model) = (column("id")?, column("path")?, column("data_model")?);
    let folder = index.parent().context("the list lies in no folder")?;
    let listed = lines.map(|line| line.split('\t').collect::<Vec<_>>()).filter(|cells| cells.len() > model);
    Ok(listed
        .map(|cells| Listed {
            id: cells[id].into(),
            file: folder.join(cells[path]),
            bits: if cells[model] == "LP64" { 64 } else { 32 },
        })
        .collect())
}

/// Slices a program in a process of its own; instructions before and after.
fn run(p: &Listed) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("slice.bc");
    let mut child = Command::new(std::env::current_exe()?)
        .arg("--one")
        .arg(&p.file)
        .arg(p.bits.to_string())
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("out of time");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let done = child.wait_with_output()?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        let line = text.lines().find(|l| !l.is_empty()).unwrap_or("").replace(&p.file.display().to_string(), "FILE");
        match done.status.code() {
            Some(1) => bail!("{line}"),
            _ => bail!("{}: {line}", done.status),
        }
    }
    let clang = frontend_llvm::clang::find()?;
    let check = Command::new(clang)
        .args(["-w", "-c", "-emit-llvm", &format!("-m{}", p.bits), "-o", "/dev/null"])
        .arg(&out)
        .output()?;
    if !check.status.success() {
        bail!(
            "the written module does not compile: {}",
            String::from_utf8_lossy(&check.stderr).lines().next().unwrap_or("")
        );
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_string())
}

fn slice_one(file: PathBuf, bits: u32, out: PathBuf) -> Result<String> {
    let options = LoadOptions { pointer_bits: bits, keep_module: true, ..LoadOptions::default() };
    let loaded = load(&[file], &options)?;
    let targets = loaded.targets.clone();
    let stats = emit(loaded, "main", targets, &Default::default(), &Default::default(), &out, |cfa| {
        slicer::criteria::of_targets(cfa)
    })?;
    Ok(format!("{} {}", stats.before.instructions, stats.after.instructions))
}
