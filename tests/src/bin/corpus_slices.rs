//! Slices every program of a list on the targets of its property, writes the slices as modules, and has LLVM check them:
//! `cargo run -p kerf-tests --bin corpus_slices --release -- --index PATH --jobs 2`.
//!
//! The list has the format of `kerf_tests::listed`. Each program is compiled, then sliced from its bitcode in several ways, each in a
//! process of its own, since LLVM may end the process. For each program, a line with seconds and instructions by way is printed; then the
//! failures by cause; then for each category what is kept. `--only TEXT` takes the programs with this text in their category. The exit
//! code is 0 if nothing failed, else 1.

use anyhow::{Context, Result, bail};
use clap::Parser;
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::{LoadOptions, clang, load};
use kerf_tests::kerf::parallel;
use kerf_tests::listed::{Listed, programs};
use kerf_tests::slices::emit;
use slicer::SliceOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Maximum time for one slice.
const LIMIT: Duration = Duration::from_secs(300);

/// The ways of slicing, the usual one first.
fn ways() -> Vec<(&'static str, SliceOptions)> {
    let usual = SliceOptions::default();
    vec![
        ("sensitive", usual),
        ("insensitive", SliceOptions { context_sensitive: false, ..usual }),
        ("with traps", SliceOptions { keep_traps: true, ..usual }),
    ]
}

/// Slice the programs of a list in all ways, and measure the slices
#[derive(Parser)]
struct Options {
    /// The list of programs
    #[arg(long, value_name = "LIST")]
    index: Option<PathBuf>,
    /// Number of programs that are sliced at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Take only programs whose category contains this
    #[arg(long, value_name = "CATEGORY", default_value = "")]
    only: String,
    /// Slice one file in one way, in this process
    #[arg(long, num_args = 3, value_names = ["FILE", "WAY", "OUT"], hide = true)]
    one: Option<Vec<String>>,
}

fn main() -> Result<ExitCode> {
    let Options { index, jobs, only, one } = Options::parse();
    if let Some([file, way, out]) = one.as_deref() {
        println!("{}", slice_one(file.into(), way.parse()?, out.into())?);
        return Ok(ExitCode::SUCCESS);
    }
    let index = index.context("--index must name a list of programs")?;
    let mut programs = programs(&index)?;
    programs.retain(|p| p.category.contains(&only));
    let results = parallel(&programs, jobs, |p| {
        let result = run(p);
        let text = result.as_ref().map_or_else(|why| format!("FAILED {why:#}"), |slices| line(slices));
        println!("{}\t{}\t{text}", p.id, p.category);
        result
    });
    let mut causes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut sliced: Vec<(&str, &[Slice])> = Vec::new();
    for (p, result) in programs.iter().zip(&results) {
        match result {
            Ok(slices) => sliced.push((&p.category, slices)),
            Err(why) => causes.entry(format!("{why:#}")).or_default().push(&p.id),
        }
    }
    for (why, ids) in &causes {
        println!("{:5}  {why}: {}", ids.len(), ids.join(" "));
    }
    print_table(&sliced);
    println!("{} programs, {} sliced in all ways and accepted by LLVM", programs.len(), sliced.len());
    Ok(if causes.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The result of one way of slicing a program.
struct Slice {
    /// Time from the start of the process to its end, from bitcode to bitcode.
    seconds: f64,
    /// Number of instructions of the program.
    before: usize,
    /// Number of instructions of the slice.
    after: usize,
}

impl Slice {
    /// The percentage of instructions that are kept.
    fn share(&self) -> f64 {
        100.0 * self.after as f64 / (self.before as f64).max(1.0)
    }
}

fn line(slices: &[Slice]) -> String {
    let before = slices.first().map_or(0, |s| s.before);
    let rest = slices.iter().map(|s| format!("\t{:.3}\t{}", s.seconds, s.after));
    format!("{before}{}", rest.collect::<String>())
}

/// The median of the numbers; of an even number of them, the upper one of the two in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

/// Prints by category what is kept: the instructions of the median program and of all programs, and their shares; then the times.
fn print_table(sliced: &[(&str, &[Slice])]) {
    let categories: BTreeSet<&str> = sliced.iter().map(|(c, _)| *c).collect();
    let names = ways().into_iter().map(|(name, _)| format!("{name:>34}")).collect::<String>();
    println!("instructions: of the median program, of all; for slices also the median share and the share of all");
    println!("{:14} {:>8} {:>8} {:>9}{names}", "category", "programs", "none", "");
    for category in categories.into_iter().map(Some).chain([None]) {
        let of: Vec<&[Slice]> =
            sliced.iter().filter(|(c, _)| category.is_none_or(|x| x == *c)).map(|(_, s)| *s).collect();
        let before = |s: &&[Slice]| s[0].before;
        let total: usize = of.iter().map(before).sum();
        let middle = median(of.iter().map(|s| before(s) as f64).collect());
        let mut row = format!("{:14} {:8} {middle:8.0} {total:9}", category.unwrap_or("all"), of.len());
        for i in 0..ways().len() {
            let after: usize = of.iter().map(|s| s[i].after).sum();
            let middle = median(of.iter().map(|s| s[i].after as f64).collect());
            let share = median(of.iter().map(|s| s[i].share()).collect());
            let all = 100.0 * after as f64 / (total as f64).max(1.0);
            row += &format!("   {middle:8.0} {after:9} {share:5.1}% {all:4.1}%");
        }
        println!("{row}");
    }
    for (i, (name, _)) in ways().iter().enumerate() {
        let seconds: Vec<f64> = sliced.iter().map(|(_, s)| s[i].seconds).collect();
        let most = seconds.iter().copied().fold(0.0, f64::max);
        println!("{name}: {:.3} s for the median program, at most {most:.2} s", median(seconds));
    }
}

/// Slices a program in all ways, each in a process of its own.
fn run(p: &Listed) -> Result<Vec<Slice>> {
    let folder = tempfile::tempdir()?;
    let (program, out) = (folder.path().join("program.bc"), folder.path().join("slice.bc"));
    clang::compile(&p.file, &program, p.bits, &ClangOptions::default())?;
    let ways = ways();
    let slices = ways.iter().enumerate().map(|(way, (name, _))| {
        let slice = run_one(&program, way, &out).with_context(|| name.to_string())?;
        check(&out, p.bits).with_context(|| name.to_string())?;
        Ok(slice)
    });
    slices.collect()
}

fn run_one(program: &Path, way: usize, out: &Path) -> Result<Slice> {
    let start = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .arg("--one")
        .arg(program)
        .arg(way.to_string())
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    while child.try_wait()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("out of time");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let seconds = start.elapsed().as_secs_f64();
    let done = child.wait_with_output()?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        let line = text.lines().find(|l| !l.is_empty()).unwrap_or("").replace(&program.display().to_string(), "FILE");
        match done.status.code() {
            Some(1) => bail!("{line}"),
            _ => bail!("{}: {line}", done.status),
        }
    }
    let sizes = String::from_utf8_lossy(&done.stdout);
    let numbers: Vec<usize> = sizes.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [before, after] = numbers[..] else { bail!("'{sizes}'") };
    Ok(Slice { seconds, before, after })
}

/// Checks that clang compiles a slice to machine code.
fn check(slice: &Path, bits: u32) -> Result<()> {
    let width = clang::width_option(bits);
    let done = Command::new(clang::find()?).args(["-w", "-c", width, "-o", "/dev/null"]).arg(slice).output()?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        bail!("the written module does not compile: {}", text.lines().next().unwrap_or(""));
    }
    Ok(())
}

fn slice_one(file: PathBuf, way: usize, out: PathBuf) -> Result<String> {
    let (_, how) = ways()[way];
    let options =
        LoadOptions { keep: frontend_llvm::Keep::ModuleToSlice, signals_arrive: true, ..LoadOptions::default() };
    let loaded = load(&[file], &options)?;
    let targets = loaded.targets.clone();
    let stats = emit(loaded, "main", targets, &how, &Default::default(), &out, slicer::criteria::of_targets)?;
    Ok(format!("{} {}", stats.before.instructions, stats.after.instructions))
}
