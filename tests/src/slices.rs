//! Slices by execution: on random programs the sliced module shows the same values as the original.
//!
//! Each program (`random_c::watched`) is compiled, sliced on the calls of `check` under several options, and all modules of a batch are
//! linked into one native executable. There every slice runs on the same inputs as its original, each run in a process of
//! its own, and must show the same values at the same places, as standard control dependence promises if the original
//! terminates. A run of an original that ends by a signal other than `SIGABRT` (undefined behaviour, or out of time) is discarded.

use crate::kerf::parallel;
use crate::long_run::Run;
use crate::random_c::{ENTRY, Program};
use anyhow::{Context, Result, bail};
use cfa::Cfa;
use frontend_llvm::property::Targets;
use frontend_llvm::{EmitOptions, LoadOptions, LoadedProgram, SlicedModule, load};
use slicer::dependence::control_dep::ControlKind;
use slicer::{Criterion, PrepareOptions, SliceOptions, criteria, prepare, slice};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to run.
#[derive(clap::Parser, Clone, Debug)]
pub struct Options {
    /// Which programs, and where they go.
    #[command(flatten)]
    pub run: Run,
    /// Number of programs in one executable
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub batch: usize,
    /// Number of the four ways of compilation that each program is compiled in; batches take them in turn
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub builds: usize,
    /// Number of inputs on which each program is run
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub inputs: usize,
}

/// The results of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of programs.
    pub programs: usize,
    /// Number of slices made of them.
    pub slices: usize,
    /// Number of runs of slices that were compared.
    pub runs: usize,
    /// Number of runs of originals that were discarded.
    pub discarded: usize,
    /// Number of values shown by originals.
    pub values: usize,
    /// Numbers of instructions: of the originals, counted once for each slice, and of the slices.
    pub instructions: (usize, usize),
    /// What disagreed, or could not be sliced.
    pub disagreements: Vec<String>,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * self.instructions.1 as f64 / (self.instructions.0 as f64).max(1.0);
        write!(
            f,
            "{} programs, {} slices of {share:.0} % of the instructions, {} runs compared, {} discarded, {} values shown, {} disagreements",
            self.programs,
            self.slices,
            self.runs,
            self.discarded,
            self.values,
            self.disagreements.len()
        )
    }
}

/// How programs are compiled and sliced.
#[derive(Clone, Copy, Debug)]
struct Build {
    level: &'static str,
    bits: u32,
}

const BUILDS: [Build; 4] = [
    Build { level: "-O0", bits: 64 },
    Build { level: "-O2", bits: 64 },
    Build { level: "-O1", bits: 32 },
    Build { level: "-O0", bits: 32 },
];

/// The ways of slicing.
fn variants() -> Vec<(&'static str, SliceOptions, PrepareOptions)> {
    let plain = PrepareOptions { fields: true, ..PrepareOptions::default() };
    let in_memory = PrepareOptions { promote: false, ..plain };
    let standard = SliceOptions::default();
    let with = |control| SliceOptions { control, ..standard };
    vec![
        ("standard", standard, plain),
        ("ntscd", with(ControlKind::Ntscd), plain),
        ("ntscd-dod", with(ControlKind::NtscdDod), plain),
        ("insensitive", SliceOptions { context_sensitive: false, ..standard }, plain),
        ("no cutoff", SliceOptions { cutoff_diverging: false, ..standard }, plain),
        ("traps", SliceOptions { keep_traps: true, ..standard }, plain),
        ("unpromoted", standard, in_memory),
    ]
}

/// Generates programs and compares; calls `progress` after each batch.
///
/// Errors: programs cannot be compiled, linked or run. Disagreements are no errors.
pub fn compare(options: &Options, progress: &dyn Fn(&Summary)) -> Result<Summary> {
    let mut summary = Summary::default();
    for seeds in options.run.seeds().chunks(options.batch.max(1)) {
        let turn = (seeds[0] / options.batch.max(1) as u64) as usize;
        for i in 0..options.builds.min(BUILDS.len()) {
            batch(seeds, BUILDS[(turn + i) % BUILDS.len()], options, &mut summary)?;
        }
        summary.programs += seeds.len();
        progress(&summary);
    }
    Ok(summary)
}

/// A module that takes part in the runs.
struct Part {
    file: PathBuf,
    function: String,
    variant: &'static str,
}

/// An original and its slices.
struct Group {
    seed: u64,
    original: Part,
    slices: Vec<Part>,
}

fn batch(seeds: &[u64], build: Build, options: &Options, summary: &mut Summary) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let made = parallel(seeds, options.run.jobs, |seed| group(*seed, build, folder.path()));
    let mut groups = Vec::new();
    for (seed, result) in seeds.iter().zip(made) {
        let (group, stats, failures) = result?;
        for s in stats {
            summary.instructions.0 += s.before.instructions;
            summary.instructions.1 += s.after.instructions;
        }
        summary.slices += group.slices.len();
        for why in failures {
            report(summary, options, *seed, build, &why);
        }
        groups.push(group);
    }
    let binary = link(&groups, build, options.inputs, folder.path())?;
    let run = Command::new(&binary).output()?;
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words[..] {
            ["total", runs, discarded, values] => {
                summary.runs += runs.parse::<usize>()?;
                summary.discarded += discarded.parse::<usize>()?;
                summary.values += values.parse::<usize>()?;
            }
            ["differs", group, part, what] => {
                let (group, part): (usize, usize) = (group.parse()?, part.parse()?);
                let group = &groups[group];
                report(summary, options, group.seed, build, &format!("{}: {what}", group.slices[part].variant));
            }
            _ => bail!("the runs print '{line}'"),
        }
    }
    if !run.status.success() || !String::from_utf8_lossy(&run.stdout).contains("total") {
        bail!("the runs of the seeds {seeds:?} end with {}", run.status);
    }
    Ok(())
}

/// Notes a disagreement, and keeps the program.
fn report(summary: &mut Summary, options: &Options, seed: u64, build: Build, what: &str) {
    let text = format!("seed {seed} {} {} bits, {what}", build.level, build.bits);
    if let Err(why) = options.run.keep_file(&format!("slice_{seed}.c"), &Program::watched(seed).watched_source()) {
        eprintln!("seed {seed} is not kept: {why:#}");
    }
    eprintln!("{text}");
    summary.disagreements.push(text);
}

/// Compiles a program and slices it in all ways. Returns the original and its slices, their sizes, and why other slices failed.
fn group(seed: u64, build: Build, folder: &Path) -> Result<(Group, Vec<SlicedModule>, Vec<String>)> {
    let source = folder.join(format!("{seed}.c"));
    std::fs::write(&source, Program::watched(seed).watched_source())?;
    let module = folder.join(format!("{seed}.ll"));
    let clang = frontend_llvm::clang::find()?;
    let bits = format!("-m{}", build.bits);
    let done = Command::new(&clang)
        .args(["-w", "-S", "-emit-llvm", "-fwrapv", build.level, &bits])
        .args(if seed.is_multiple_of(2) { &["-g"][..] } else { &[] })
        .args(["-o".as_ref(), module.as_os_str(), source.as_os_str()])
        .output()?;
    if !done.status.success() {
        bail!("seed {seed}: {}", String::from_utf8_lossy(&done.stderr));
    }
    let text = std::fs::read_to_string(&module)?;
    let named = |name: &str| -> Result<(PathBuf, String)> {
        let function = format!("p{seed}_{name}");
        let file = folder.join(format!("{function}.ll"));
        std::fs::write(&file, text.replace(&format!("@{ENTRY}"), &format!("@{function}")))?;
        Ok((file, function))
    };
    let (file, function) = named("original")?;
    let mut group = Group { seed, original: Part { file, function, variant: "original" }, slices: Vec::new() };
    let (mut stats, mut failures) = (Vec::new(), Vec::new());
    for (i, (variant, how, prepared)) in variants().into_iter().enumerate() {
        let (file, function) = named(&format!("slice{i}"))?;
        let out = file.with_extension("bc");
        match sliced(&file, &function, &how, &prepared, &out) {
            Ok(size) => {
                stats.push(size);
                group.slices.push(Part { file: out, function, variant });
            }
            Err(why) => failures.push(format!("{variant}: {why:#}")),
        }
    }
    Ok((group, stats, failures))
}

/// Slices a file on the calls of `check`, and writes the slice to `out`.
///
/// Errors: the file cannot be loaded, prepared or written.
pub fn sliced(
    file: &Path,
    entry: &str,
    how: &SliceOptions,
    prepared: &PrepareOptions,
    out: &Path,
) -> Result<SlicedModule> {
    let options = LoadOptions {
        entry: entry.into(),
        targets: Targets::Nothing,
        observed: vec!["check".into()],
        keep: frontend_llvm::Keep::ModuleToSlice,
        signals_arrive: true,
        ..LoadOptions::default()
    };
    let loaded = load(&[file.to_path_buf()], &options)?;
    emit(loaded, entry, vec!["check".into()], how, prepared, out, |cfa| {
        let calls = criteria::Request::anywhere(criteria::Wanted::Calls("check".into()));
        // A program without a call of `check` that can be executed shows nothing.
        criteria::resolve(cfa, entry, &[calls]).unwrap_or_default()
    })
}

/// Slices a program that begins with `entry` for the criteria `wanted`, and writes the slice as a module to `out`. The bodies of
/// `functions` are criteria, too.
///
/// Errors: the program was loaded without its module, or it cannot be prepared or written.
pub fn emit(
    loaded: LoadedProgram,
    entry: &str,
    functions: Vec<String>,
    how: &SliceOptions,
    prepared: &PrepareOptions,
    out: &Path,
    wanted: impl FnOnce(&Cfa) -> Vec<Criterion>,
) -> Result<SlicedModule> {
    let module = loaded.module.context("the module was asked for")?;
    let (mut cfa, _) = prepare(loaded.raw, prepared)?;
    cfa.module.companions = module.companions(&cfa, how.keep_traps);
    let mut wanted = wanted(&cfa);
    wanted.extend(criteria::of_bodies(&cfa, &functions));
    let sliced = slice(&cfa, &wanted, how);
    let options = EmitOptions { entry: entry.into(), criteria: functions, ..EmitOptions::default() };
    let emitted = module.emit(&cfa, &sliced.slice, &options)?;
    std::fs::write(out, &emitted.bitcode)?;
    Ok(emitted)
}

/// Links all modules with the driver that runs and compares them.
fn link(groups: &[Group], build: Build, inputs: usize, folder: &Path) -> Result<PathBuf> {
    let (source, joined, binary) = (folder.join("driver.c"), folder.join("joined.bc"), folder.join("runs"));
    std::fs::write(&source, driver(groups, inputs))?;
    let parts = groups.iter().flat_map(|g| std::iter::once(&g.original).chain(&g.slices));
    let clang = frontend_llvm::clang::find()?;
    let linker =
        clang.with_file_name(clang.file_name().and_then(|n| n.to_str()).unwrap_or("").replace("clang", "llvm-link"));
    run(Command::new(&linker).arg("-o").arg(&joined).args(parts.map(|p| &p.file)))?;
    let bits = format!("-m{}", build.bits);
    // Optimised code shows whether a slice still makes a promise to the compiler that it does not keep.
    let level = if build.level == "-O0" { "-O0" } else { "-O1" };
    run(Command::new(&clang).args(["-w", level, &bits, "-o"]).args([&binary, &joined, &source]))?;
    Ok(binary)
}

fn run(command: &mut Command) -> Result<()> {
    let done = command.output().with_context(|| format!("{command:?} does not run"))?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        bail!("{}: {}", command.get_program().display(), text.lines().take(4).collect::<Vec<_>>().join("; "));
    }
    Ok(())
}

/// The inputs, what `check` does, and the comparison.
const DRIVER: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define MOST 4096
struct shown { unsigned count; int sites[MOST]; long long values[MOST]; };
static struct shown *now, before;
static unsigned seed;
static unsigned mixed(unsigned long long x) {
    x += 0x9E3779B97F4A7C15ull * (seed + 1);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    unsigned value = (unsigned)(x ^ (x >> 31));
    return value & 64 ? value & 7 : value;
}
unsigned input(int site) {
    static unsigned times[4096];
    return mixed((unsigned long long)site << 32 | times[site & 4095]++);
}
unsigned env(int site, long long key) { return mixed((unsigned long long)site << 48 ^ (unsigned long long)key); }
void check(int site, long long value) {
    if (now->count < MOST) {
        now->sites[now->count] = site;
        now->values[now->count] = value;
    }
    now->count++;
}
struct part { int group, part; int (*run)(void); };
/* Whether the run came to an end of its own. */
static int runs(int (*f)(void)) {
    int status;
    now->count = 0;
    if (fork() == 0) {
        alarm(3);
        fclose(stdout);
        exit(f());
    }
    wait(&status);
    return WIFEXITED(status) || WTERMSIG(status) == SIGABRT ? 0 : WTERMSIG(status);
}
static void compare(const struct part *p) {
    unsigned n = before.count < now->count ? before.count : now->count, i;
    for (i = 0; i < n && i < MOST; i++)
        if (before.sites[i] != now->sites[i] || before.values[i] != now->values[i]) {
            printf("differs %d %d input %u, value %u: %lld at %d, not %lld at %d\n", p->group, p->part, seed, i,
                   now->values[i], now->sites[i], before.values[i], before.sites[i]);
            return;
        }
    if (before.count != now->count)
        printf("differs %d %d input %u: %u values, not %u\n", p->group, p->part, seed, now->count, before.count);
}
int main(void) {
    unsigned long total = 0, discarded = 0, values = 0;
    int end, alive = 0;
    now = mmap(0, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (seed = 0; seed < INPUTS; seed++)
        for (const struct part *p = parts; p->run; p++) {
            if (p->part < 0) {
                alive = runs(p->run) == 0;
                memcpy(&before, now, sizeof before);
                values += before.count;
                discarded += !alive;
            } else if (alive) {
                total++;
                if ((end = runs(p->run)) == 0) compare(p);
                else printf("differs %d %d input %u: ended by signal %d\n", p->group, p->part, seed, end);
            }
            fflush(stdout);
        }
    printf("total %lu %lu %lu\n", total, discarded, values);
    return 0;
}
"#;

fn driver(groups: &[Group], inputs: usize) -> String {
    let mut declared = String::new();
    let mut listed = String::from("static const struct part parts[] = {\n");
    for (g, group) in groups.iter().enumerate() {
        for (i, part) in std::iter::once(&group.original).chain(&group.slices).enumerate() {
            writeln!(declared, "int {}(void);", part.function).expect("writing to a string");
            writeln!(listed, "    {{{g}, {}, {}}},", i as i64 - 1, part.function).expect("writing to a string");
        }
    }
    listed.push_str("    {0, 0, 0}\n};\n");
    // The list follows the type of its elements.
    let (types, rest) = DRIVER.split_once("/* Whether").expect("the driver has this comment");
    format!("#define INPUTS {inputs}\n{types}{declared}{listed}/* Whether{rest}")
}
