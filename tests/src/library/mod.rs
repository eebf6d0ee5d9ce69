//! The library's models against glibc: what a call of the C library does natively, its model must allow.
//!
//! A program calls a few functions with random constants, observes their results and effects, and calls the target if a native run has
//! observed the same. So the target is reachable, and `true` is wrong, unless an assumption that is printed with it excludes that run
//! (`EXCLUDED`). If the arguments determine what glibc does, the same program with the opposite question must not be `false`: models also
//! allow what else ISO C allows, but alarms rest on what glibc does.
//!
//! Reading order: `call` (a call, and what is observed of it), `values` (arguments), `strings`, `numbers`, `streams`, `system` (calls),
//! `groups` (which functions there are), `prelude.c` (the beginning of all programs), `native.c` (native runs).

mod call;
mod groups;
mod numbers;
mod streams;
mod strings;
mod system;
mod values;

use crate::kerf::{Verdict, verify};
use crate::long_run::{Run, milliseconds, sum};
use anyhow::{Context, Result, bail};
use call::Call;
use groups::{Group, LEFT_OUT, groups};
use kerf_testing::Random;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Functions, and parts of printed assumptions that exclude what they do natively.
const EXCLUDED: [(&str, &str); 2] = [
    ("setlocale", "the environment has no locale other than \"C\""),
    ("reallocarray", "memory allocation (malloc, new, ...) never fails, also not for 0 bytes"),
];

/// What to run.
#[derive(clap::Parser, Clone, Debug)]
pub struct Options {
    /// Which programs, and where they go.
    #[command(flatten)]
    pub run: Run,
    /// Only calls of functions whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
    /// Time limit for one verification
    #[arg(long = "timeout-ms", value_name = "MS", default_value = "4000", value_parser = milliseconds)]
    pub timeout: Duration,
}

/// The results of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of programs generated.
    pub programs: usize,
    /// Number of calls in them.
    pub calls: usize,
    /// Number of programs whose native run did not end.
    pub discarded: usize,
    /// Number of verdicts `false`, which are right.
    pub alarms: usize,
    /// Number of verdicts `unknown` because an alarm depends on what a model approximates.
    pub approximated: usize,
    /// Number of verdicts `unknown` for another reason.
    pub unknown: usize,
    /// Number of verdicts `true` that a printed assumption explains.
    pub excluded: usize,
    /// Number of programs for which it was proved that nothing else is observed than natively.
    pub exact: usize,
    /// Descriptions of what disagreed.
    pub disagreements: Vec<String>,
    /// Number of verdicts `unknown` by the first words of the reason.
    pub reasons: BTreeMap<String, usize>,
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.programs += other.programs;
        self.calls += other.calls;
        self.discarded += other.discarded;
        self.alarms += other.alarms;
        self.approximated += other.approximated;
        self.unknown += other.unknown;
        self.excluded += other.excluded;
        self.exact += other.exact;
        self.disagreements.extend(other.disagreements);
        for (reason, n) in other.reasons {
            *self.reasons.entry(reason).or_default() += n;
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (reason, n) in &self.reasons {
            writeln!(f, "{n:8} {reason}")?;
        }
        write!(
            f,
            "{} programs with {} calls ({} discarded): {} alarms, {} approximated, {} unknown, {} by an assumption; {} exact; {} disagreements",
            self.programs,
            self.calls,
            self.discarded,
            self.alarms,
            self.approximated,
            self.unknown,
            self.excluded,
            self.exact,
            self.disagreements.len()
        )
    }
}

/// Functions that have a model but no calls here, and functions that have calls here but no model.
pub fn not_covered() -> Vec<String> {
    let groups = groups();
    let mut called: Vec<&str> = groups.iter().flat_map(|g| g.names.iter().map(String::as_str)).collect();
    called.extend(LEFT_OUT.iter().map(|(name, _)| *name));
    called.sort_unstable();
    let modelled = frontend_llvm::modelled();
    let missing = modelled.iter().filter(|name| called.binary_search(name).is_err());
    // `LEFT_OUT` is not examined: it may have names that glibc does not have.
    let unknown = groups.iter().flat_map(|g| &g.names).filter(|name| modelled.binary_search(&name.as_str()).is_err());
    missing.map(|name| format!("no calls of {name}")).chain(unknown.map(|name| format!("no model of {name}"))).collect()
}

/// Maximum number of calls in one program.
const CALLS: usize = 5;

/// A program: calls of functions of one kind.
struct Program {
    seed: u64,
    calls: Vec<(String, Call)>,
    is_determined: bool,
    /// Whether it looks at `errno`, on which much in the models depends.
    with_errno: bool,
}

/// When the program calls the target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// If it observes the same as the native run.
    Same,
    /// If it observes something else.
    Other,
}

impl Program {
    /// The functions of the programs: the seeds take these lists in turn, so that all functions are called. Only functions whose names
    /// contain `only`.
    fn all(only: &str) -> Vec<(Group, Vec<String>)> {
        let mut turns = Vec::new();
        for group in groups() {
            let names: Vec<String> = group.names.iter().filter(|name| name.contains(only)).cloned().collect();
            for part in names.chunks(CALLS) {
                let Group { make, is_determined, .. } = group;
                turns.push((Group { names: Vec::new(), make, is_determined }, part.to_vec()));
            }
        }
        turns
    }

    fn new(seed: u64, turns: &[(Group, Vec<String>)]) -> Program {
        let mut random = Random::new(seed ^ 0x61BC);
        let (group, names) = &turns[seed as usize % turns.len()];
        let calls = names.iter().map(|name| (name.clone(), (group.make)(&mut random, name))).collect();
        Program { seed, calls, is_determined: group.is_determined, with_errno: random.one_in(3) }
    }

    /// A program with only call number `i` of this one.
    fn part(&self, i: usize) -> Program {
        Program { calls: vec![self.calls[i].clone()], ..*self }
    }

    /// The blocks of the calls. `seen` makes a statement of each observed expression.
    fn blocks(&self, mut seen: impl FnMut(&str) -> String) -> String {
        self.calls.iter().map(|(_, call)| call.block(self.with_errno, &mut seen)).collect()
    }

    /// The program for kerf; `native` has the values that the native run has observed.
    fn source(&self, native: &[u64], question: Question) -> String {
        let mut native = native.iter();
        let blocks = self.blocks(|expression| {
            let value = native.next().copied().unwrap_or_default();
            format!("same &= (u64)({expression}) == 0x{value:x}ull;")
        });
        let asked = if question == Question::Same { "same" } else { "!same" };
        format!(
            "{}extern void reach_error(void);\nint main(void) {{\n    int same = 1;\n{blocks}    if ({asked}) reach_error();\n    return 0;\n}}\n",
            include_str!("prelude.c")
        )
    }

    /// Number of integers that are observed of call number `i`.
    fn seen(&self, i: usize) -> usize {
        let mut n = 0;
        let (_, call) = &self.calls[i];
        call.block(self.with_errno, &mut |_| {
            n += 1;
            String::new()
        });
        n
    }
}

/// Number of programs that are compiled together.
const BATCH: usize = 50;

/// Runs programs natively, each in a process and a folder of its own. Returns what they observed; `None` if a run did not end.
fn run_natively(programs: &[Program], folder: &Path) -> Result<Vec<Option<Vec<u64>>>> {
    let mut text = String::from("#define NATIVE\n") + include_str!("prelude.c") + include_str!("native.c");
    for (i, program) in programs.iter().enumerate() {
        let blocks = program.blocks(|expression| format!("see((u64)({expression}));"));
        writeln!(text, "static void run{i}(void) {{\n{blocks}}}")?;
    }
    text.push_str("int main(void) {\n    out = dup(1);\n");
    for (i, program) in programs.iter().enumerate() {
        let input: Vec<u8> = program.calls.iter().flat_map(|(_, call)| call.input.clone()).collect();
        writeln!(text, "    run({i}, run{i}, {}, {});", values::quoted(&input), input.len())?;
    }
    text.push_str("    return 0;\n}\n");
    let (source, binary) = (folder.join("native.c"), folder.join("native"));
    std::fs::write(&source, text)?;
    let clang = frontend_llvm::clang::find()?;
    let compiled = Command::new(&clang)
        .args(["-O0", "-w"])
        .args(frontend_llvm::clang::DIALECT)
        .arg("-o")
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .with_context(|| format!("{} does not run", clang.display()))?;
    if !compiled.status.success() {
        bail!("clang: {}", String::from_utf8_lossy(&compiled.stderr));
    }
    let run = Command::new(&binary).current_dir(folder).output()?;
    let mut seen = vec![None; programs.len()];
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        let mut words = line.split(' ').map(|word| u64::from_str_radix(word, 16));
        let Some(Ok(i)) = words.next() else { bail!("a native run printed {line}") };
        seen[i as usize] = words.collect::<Result<Vec<u64>, _>>().ok();
    }
    Ok(seen)
}

/// Generates programs and compares; calls `progress` after each batch.
///
/// Errors: no function has such a name, programs cannot be compiled, or kerf not be run. Disagreements are no errors.
pub fn compare(options: &Options, progress: &(dyn Fn(&Summary) + Sync)) -> Result<Summary> {
    let turns = Program::all(&options.only);
    if turns.is_empty() {
        bail!("no function's name contains {}", options.only);
    }
    let seeds = options.run.seeds();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    let compare_batch = |batch: &&[u64]| {
        let folder = tempfile::tempdir()?;
        let programs: Vec<Program> = batch.iter().map(|seed| Program::new(*seed, &turns)).collect();
        let native = run_natively(&programs, folder.path()).with_context(|| format!("seeds from {}", batch[0]))?;
        let mut part = Summary::default();
        for (program, native) in programs.iter().zip(native) {
            part.programs += 1;
            part.calls += program.calls.len();
            match native {
                Some(native) => compare_program(program, &native, folder.path(), options, &mut part)?,
                None => part.discarded += 1,
            }
        }
        Ok(part)
    };
    sum(&batches, options.run.jobs, compare_batch, Summary::add, progress)
}

/// A part of the reason for `unknown` if an alarm depends on an approximation.
const APPROXIMATED: &str = "depends on what a library function computes";

/// Compares one program: as a whole, and call by call if that gives no alarm.
fn compare_program(
    program: &Program,
    native: &[u64],
    folder: &Path,
    options: &Options,
    summary: &mut Summary,
) -> Result<()> {
    let names: Vec<&str> = program.calls.iter().map(|(name, _)| name.as_str()).collect();
    let ask = |question: Question, summary: &mut Summary| -> Result<_> {
        let file = folder.join(format!("{}.c", program.seed));
        let source = program.source(native, question);
        std::fs::write(&file, &source)?;
        let timeout = format!("{}ms", options.timeout.as_millis());
        let answer =
            verify(&file, &["--verbose", "--timeout", &timeout]).with_context(|| file.display().to_string())?;
        let verdict = answer.verdict()?;
        let assumed = |part: &str| answer.output.lines().any(|line| line.starts_with("  - ") && line.contains(part));
        let is_excluded = EXCLUDED.iter().any(|(name, part)| names.contains(name) && assumed(part));
        let wrong = match (question, verdict) {
            (Question::Same, Verdict::True) if !is_excluded && names.len() == 1 => Some("true, but so it is natively"),
            (Question::Other, Verdict::False) => Some("false, but natively it is never so"),
            _ => answer.defect(),
        };
        if let Some(what) = wrong {
            let told = format!("seed {} ({}): {what}", program.seed, names.join(", "));
            let name = format!("library_{}_{}.c", program.seed, names.join("_"));
            let kept = options.run.keep_file(&name, &format!("// {told}\n{source}"))?;
            summary.disagreements.push(format!("{}: {told}", kept.display()));
        }
        Ok((verdict, answer.result.unwrap_or_default(), is_excluded))
    };
    let (verdict, reason, is_excluded) = ask(Question::Same, summary)?;
    match verdict {
        Verdict::False => summary.alarms += 1,
        Verdict::Unknown if reason.contains(APPROXIMATED) => summary.approximated += 1,
        _ if names.len() > 1 => {
            let mut from = 0;
            for i in 0..names.len() {
                let to = from + program.seen(i);
                compare_program(&program.part(i), &native[from..to], folder, options, summary)?;
                from = to;
            }
            return Ok(());
        }
        Verdict::Unknown => {
            summary.unknown += 1;
            let reason = reason.split(" at ").next().unwrap_or_default();
            *summary.reasons.entry(format!("{reason}: {}", names[0])).or_default() += 1;
        }
        Verdict::True => summary.excluded += usize::from(is_excluded),
    }
    if program.is_determined && !program.with_errno {
        let (verdict, ..) = ask(Question::Other, summary)?;
        summary.exact += usize::from(verdict == Verdict::True);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_determined_by_their_seeds() {
        let turns = Program::all("");
        for seed in 0..turns.len() as u64 {
            let source = Program::new(seed, &turns).source(&[], Question::Same);
            assert_eq!(source, Program::new(seed, &turns).source(&[], Question::Same));
        }
    }
}
