//! Random programs against native runs: the concrete semantics of the CFA, and the verdicts of `kerf verify`.
//!
//! For each program, native runs give the checksum for some inputs (for all of them, if there are few). The CFA, both with objects left in
//! memory and promoted, must reach the target on the same inputs if and only if the checksum is the one asked for. A verdict must not
//! contradict what is known: `true` is wrong if an execution reaches the target, `false` is wrong if none does.

use crate::kerf::{Answer, Verdict, verify};
use crate::long_run::{Run, milliseconds, sum};
use crate::native::{Vector, checksums};
use crate::random_c::{Inputs, Program};
use anyhow::{Context, Result};
use cfa::eval::Value;
use cfa::interpret::{End, InputSource, RunLimits, run};
use cfa::{Cfa, EdgeId, InputKind, Sort};
use frontend_llvm::{LoadOptions, load};
use kerf_testing::Random;
use slicer::{PrepareOptions, prepare};
use std::path::Path;
use std::time::Duration;

/// What kind of programs.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Functions, loops, arrays, pointers, structures.
    General,
    /// Hardware models that were converted to C.
    Hardware,
}

/// What to run.
#[derive(clap::Parser, Clone, Debug)]
pub struct Options {
    /// Which programs, and where they go.
    #[command(flatten)]
    pub run: Run,
    /// The kind of programs
    #[arg(long, value_enum, default_value_t = Style::General)]
    pub style: Style,
    /// Time limit for one verification
    #[arg(long = "timeout-ms", value_name = "MS", default_value = "2000", value_parser = milliseconds)]
    pub timeout: Duration,
}

/// The results of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of programs compared.
    pub programs: usize,
    /// Number of programs that were not compared, because a native run had undefined behaviour or ran out of time.
    pub discarded: usize,
    /// Number of runs of the interpreter.
    pub runs: usize,
    /// Number of verdicts `true` that are not known to be wrong.
    pub proved: usize,
    /// Number of verdicts `false` that are not known to be wrong.
    pub alarms: usize,
    /// Number of verdicts `unknown`.
    pub unknown: usize,
    /// Descriptions of what disagreed, with the seed.
    pub disagreements: Vec<String>,
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.programs += other.programs;
        self.discarded += other.discarded;
        self.runs += other.runs;
        self.proved += other.proved;
        self.alarms += other.alarms;
        self.unknown += other.unknown;
        self.disagreements.extend(other.disagreements);
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} programs ({} discarded), {} runs; {} proved, {} alarms, {} unknown; {} disagreements",
            self.programs,
            self.discarded,
            self.runs,
            self.proved,
            self.alarms,
            self.unknown,
            self.disagreements.len()
        )
    }
}

/// Number of programs that are compiled together.
const BATCH: usize = 25;
/// Number of input vectors for a program with too many inputs to enumerate them.
const TRIED: usize = 4;
/// Number of values in such a vector; later inputs of a run are zero.
const VALUES: usize = 24;

/// Generates programs and compares; calls `progress` after each batch.
///
/// Errors: programs cannot be compiled, or files not be written. Disagreements are no errors.
pub fn compare(options: &Options, progress: &(dyn Fn(&Summary) + Sync)) -> Result<Summary> {
    let seeds = options.run.seeds();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    sum(&batches, options.run.jobs, |batch| compare_batch(batch, options), Summary::add, progress)
}

/// A program with what native runs know about it.
struct Case {
    program: Program,
    /// Runs with their checksums.
    runs: Vec<(Vector, u32)>,
    /// The checksum that the target asks for.
    asked: u32,
    /// Whether some run has it; `None` where that is not known.
    reachable: Option<bool>,
}

fn vectors(program: &Program, random: &mut Random) -> Vec<Vector> {
    match program.inputs {
        Inputs::None => vec![Vec::new()],
        Inputs::Nibble => (0..16).map(|v| vec![v]).collect(),
        Inputs::Free => (0..TRIED).map(|_| (0..VALUES).map(|_| random.input()).collect()).collect(),
    }
}

/// Chooses the checksum that the target asks for: in half of the cases one that a run has, else one that no run has.
fn ask(program: Program, runs: Vec<(Vector, u32)>, random: &mut Random) -> Case {
    let hit = random.one_in(2);
    let some = random.pick(&runs).1;
    let mut asked = some;
    while !hit && runs.iter().any(|(_, c)| *c == asked) {
        asked = asked.wrapping_add(1 + random.below(1000) as u32);
    }
    let reachable = match program.inputs {
        _ if hit => Some(true),
        Inputs::None | Inputs::Nibble => Some(false),
        Inputs::Free => None,
    };
    Case { program, runs, asked, reachable }
}

fn compare_batch(seeds: &[u64], options: &Options) -> Result<Summary> {
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(seeds[0] ^ 0x5EED);
    let make = match options.style {
        Style::General => Program::new,
        Style::Hardware => Program::hardware,
    };
    let programs: Vec<Program> = seeds.iter().map(|s| make(*s)).collect();
    let inputs: Vec<Vec<Vector>> = programs.iter().map(|p| vectors(p, &mut random)).collect();
    let asked: Vec<(&Program, &[Vector])> = programs.iter().zip(&inputs).map(|(p, v)| (p, &v[..])).collect();
    let native = checksums(&asked, folder.path()).with_context(|| format!("seeds from {}", seeds[0]))?;
    let mut summary = Summary::default();
    for ((program, vectors), checksums) in programs.into_iter().zip(inputs).zip(native) {
        let Some(checksums) = checksums.into_iter().collect::<Option<Vec<u32>>>() else {
            summary.discarded += 1;
            continue;
        };
        let case = ask(program, vectors.into_iter().zip(checksums).collect(), &mut random);
        summary.programs += 1;
        let seed = case.program.seed;
        let found = compare_program(&case, folder.path(), options, &mut summary)
            .unwrap_or_else(|e| vec![format!("fails: {e:#}")]);
        if !found.is_empty() {
            options.run.keep_file(&format!("random_{seed}.c"), &case.program.source(case.asked))?;
        }
        summary.disagreements.extend(found.into_iter().map(|what| format!("seed {seed}: {what}")));
    }
    Ok(summary)
}

/// Compares one program. Returns what disagrees.
fn compare_program(case: &Case, folder: &Path, options: &Options, summary: &mut Summary) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let file = folder.join(format!("{}.c", case.program.seed));
    std::fs::write(&file, case.program.source(case.asked))?;
    let narrow = case.program.seed % 2 == 1;
    let load_options = LoadOptions { pointer_bits: if narrow { 32 } else { 64 }, ..LoadOptions::default() };
    let raw = load(std::slice::from_ref(&file), &load_options)?.raw;
    for promoted in [false, true] {
        let (cfa, _) = prepare(
            raw.clone(),
            &PrepareOptions { promote: promoted, wide_cells: promoted, ..PrepareOptions::default() },
        )?;
        for (vector, checksum) in &case.runs {
            summary.runs += 1;
            let end = interpret(&cfa, vector);
            let expected = *checksum == case.asked;
            if !matches!(end, End::Target(_) | End::Finished) || matches!(end, End::Target(_)) != expected {
                let kind = if promoted { "promoted" } else { "raw" };
                let native = if expected { "reaches" } else { "does not reach" };
                wrong.push(format!("{kind} CFA ends with {end:?} on {vector:?}, the native run {native} the target"));
                break;
            }
        }
    }
    let timeout = format!("{}ms", options.timeout.as_millis());
    let mut arguments = vec!["--verbose", "--timeout", &timeout, "--data-model", if narrow { "ILP32" } else { "LP64" }];
    if case.program.seed.is_multiple_of(5) {
        arguments.push("--no-slice");
    }
    let answer: Answer = verify(&file, &arguments)?;
    wrong.extend(answer.defect().map(str::to_string));
    match (answer.verdict()?, case.reachable) {
        (Verdict::True, Some(true)) => wrong.push("true, but a native run reaches the target".into()),
        (Verdict::False, Some(false)) => wrong.push("false, but no execution reaches the target".into()),
        (Verdict::True, _) => summary.proved += 1,
        (Verdict::False, _) => summary.alarms += 1,
        (Verdict::Unknown, _) => {
            let reason = answer.result.unwrap_or_default();
            let suspicious = ["bug", "panic", "crash", "unsupported", "replay"];
            if !reason.contains("timeout") && suspicious.iter().any(|w| reason.contains(w)) {
                wrong.push(reason);
            }
            summary.unknown += 1;
        }
    }
    Ok(wrong)
}

/// Runs a prepared CFA on input values.
fn interpret(cfa: &Cfa, vector: &[u64]) -> End {
    let mut source = Source { values: vector.iter() };
    run(cfa, &mut source, RunLimits { steps: 10_000_000, deadline: None }, &mut |_, _| {}).end
}

/// The values of a vector for the program's own inputs, in the order of its calls, and arbitrary values for inputs that must not matter.
struct Source<'a> {
    values: std::slice::Iter<'a, u64>,
}

impl InputSource for Source<'_> {
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value {
        let number = match kind {
            InputKind::Program(_) => self.values.next().copied().unwrap_or(0),
            _ => Random::new(u64::from(edge.0) << 32 | u64::from(occurrence)).word(),
        };
        match sort {
            Sort::Bv(w) => Value::Bv(cfa::bv::Bv::new(w, number)),
            Sort::Bool => Value::Bool(number & 1 == 1),
            Sort::Array { .. } => Value::zero(sort),
        }
    }
}
