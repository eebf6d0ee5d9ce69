//! Open programs against native runs. An open program uses functions and variables that it does not define, its *outside*; for native
//! runs, these are defined at random.
//!
//! A program notes what it observes of the outside and of addresses, and calls the target if its notes have the sum that they had in some
//! native run. So the target is reachable, and `true` is wrong, unless an assumption that is printed with it excludes that run. A
//! disagreement is therefore reported with the assumptions, so that a person can judge it; `EXCLUDED` has those that were judged.
//!
//! `pieces` has the programs, `outside.c` the part that all outsides have in common.

mod pieces;

use crate::kerf::{Verdict, verify};
use crate::long_run::{Run, milliseconds, sum};
use anyhow::{Context, Result, bail};
use kerf_testing::Random;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What programs have to do with the outside.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Pointers from outside with an object of the program as default.
    Defaults,
    /// Integers as addresses.
    Integers,
    /// Weak undefined symbols.
    Weak,
    /// Addresses as numbers: order, distance, bits, hashes.
    Numbers,
    /// Blocks that were freed, and new ones.
    Freed,
    /// Addresses whose bits pass through tables, branches, floating-point numbers.
    Bits,
    /// Undefined variables, which outside pointers may point to.
    Variables,
    /// Functions that change what they were given (`--extern havoc`).
    Havoc,
    /// Functions of the C library, called with what the standard leaves open.
    Library,
    /// Structures, unions, function pointers, heap, strings, floats, with numbers from outside.
    Mixture,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 10] = [
        Family::Defaults,
        Family::Integers,
        Family::Weak,
        Family::Numbers,
        Family::Freed,
        Family::Bits,
        Family::Variables,
        Family::Havoc,
        Family::Library,
        Family::Mixture,
    ];
}

impl std::fmt::Display for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// Parts of printed assumptions that exclude what native runs of a family's programs do.
const EXCLUDED: [(Family, &str); 2] = [
    (Family::Freed, "no new block lies where one was freed or resized"),
    (Family::Numbers, "different constants share no bytes"),
];

/// What to run.
#[derive(clap::Parser, Clone, Debug)]
pub struct Options {
    /// Which programs, and where they go.
    #[command(flatten)]
    pub run: Run,
    /// The families of programs
    #[arg(long, value_delimiter = ',', default_values_t = Family::ALL)]
    pub families: Vec<Family>,
    /// Time limit for one verification
    #[arg(long = "timeout-ms", value_name = "MS", default_value = "4000", value_parser = milliseconds)]
    pub timeout: Duration,
}

/// Numbers of programs, by the result of the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// All programs.
    pub programs: usize,
    /// Programs without a native run that ended.
    pub discarded: usize,
    /// Verdicts `false`, which are right.
    pub alarms: usize,
    /// Verdicts `unknown`.
    pub unknown: usize,
    /// Verdicts `true` that a printed assumption explains, or for which no second native run reached the target.
    pub excluded: usize,
    /// Wrong verdicts `true`, and answers that report a defect.
    pub disagreements: usize,
}

/// The results of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The counts by the first family of a program.
    pub counts: BTreeMap<Family, Counts>,
    /// Descriptions of what disagreed.
    pub disagreements: Vec<String>,
    /// Number of verdicts `unknown` by the first words of the reason.
    pub reasons: BTreeMap<String, usize>,
}

impl Summary {
    /// The counts of all families together.
    pub fn all(&self) -> Counts {
        self.counts.values().fold(Counts::default(), |all, of_family| all + *of_family)
    }
}

impl std::ops::Add for Counts {
    type Output = Counts;
    fn add(self, other: Counts) -> Counts {
        Counts {
            programs: self.programs + other.programs,
            discarded: self.discarded + other.discarded,
            alarms: self.alarms + other.alarms,
            unknown: self.unknown + other.unknown,
            excluded: self.excluded + other.excluded,
            disagreements: self.disagreements + other.disagreements,
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { programs, discarded, alarms, unknown, excluded, disagreements } = self;
        write!(f, "{programs} programs ({discarded} discarded): {alarms} alarms, {unknown} unknown, ")?;
        write!(f, "{excluded} proofs by an assumption; {disagreements} disagreements")
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (family, counts) in &self.counts {
            writeln!(f, "{:10} {counts}", family)?;
        }
        for (reason, n) in &self.reasons {
            writeln!(f, "{n:10} {reason}")?;
        }
        write!(f, "{:10} {}", "all", self.all())
    }
}

/// An open program in its parts.
#[derive(Clone, Debug, Default)]
struct Open {
    /// The families of its pieces; it is counted for the first one.
    families: Vec<Family>,
    declarations: String,
    /// Statements of `unsigned run(void)`.
    body: String,
    /// Definitions of what the program leaves undefined.
    outside: String,
    /// Statements of the outside that are executed before the program.
    before: String,
}

impl Open {
    fn new(seed: u64, families: &[Family]) -> Open {
        let mut random = Random::new(seed ^ 0x0BE7);
        // Every family has its turn, whatever the others are.
        let mut open = Open { families: vec![families[seed as usize % families.len()]], ..Open::default() };
        while random.one_in(3) && open.families.len() < 3 {
            // Whether outside functions change memory is an option of the whole program.
            let more = random.pick(families);
            if (more == Family::Havoc) == (open.families[0] == Family::Havoc) {
                open.families.push(more);
            }
        }
        for (n, family) in open.families.clone().into_iter().enumerate() {
            pieces::add(&mut open, family, n, &mut random);
        }
        open
    }

    fn source(&self, asked: u32) -> String {
        format!(
            "#include <ctype.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             extern void reach_error(void);\n#define NOTE(what) (notes = notes * 5u + (unsigned)(what))\nunsigned run(void);\n{}\
             unsigned run(void) {{\n    unsigned notes = 1;\n{}    return notes;\n}}\n\
             int main(void) {{\n    if (run() == {asked}u) reach_error();\n    return 0;\n}}\n",
            self.declarations, self.body
        )
    }

    /// A program that runs this one with `argv[1]` outsides, each in a process of its own: `run` if `argv[2]` is `notes`, else `main`.
    fn driver(&self) -> String {
        format!(
            "{}{}\nint main(int argc, char **argv) {{\n    for (int i = 0; i < atoi(argv[1]); i++) {{\n        \
             if (fork() == 0) {{\n            alarm(5);\n            state = (unsigned)i * 7919u + 1;\n{}            \
             if (argv[2][0] == 'n') printf(\"%u\\n\", run());\n            else program_main();\n            \
             fflush(stdout);\n            _exit(0);\n        }}\n        wait(0);\n    }}\n    return 0;\n}}\n",
            include_str!("outside.c"),
            self.outside,
            self.before
        )
    }
}

/// Number of outsides with which a program is run.
const OUTSIDES: &str = "24";
/// Number of times that a binary is started: addresses differ each time.
const STARTS: usize = 3;

/// Generates programs and compares; calls `progress` after each program.
///
/// Errors: a program cannot be compiled, or kerf not be run. Disagreements are no errors.
pub fn compare(options: &Options, progress: &(dyn Fn(&Summary) + Sync)) -> Result<Summary> {
    let seeds = options.run.seeds();
    let one = |seed: &u64| {
        let open = Open::new(*seed, &options.families);
        let compared = compare_program(*seed, &open, options).with_context(|| format!("seed {seed}"))?;
        Ok((open.families[0], compared))
    };
    let add = |total: &mut Summary, (family, Compared { counts, wrong, unknown })| {
        let so_far: &mut Counts = total.counts.entry(family).or_default();
        *so_far = *so_far + counts;
        total.disagreements.extend(wrong);
        if let Some(reason) = unknown {
            *total.reasons.entry(reason).or_default() += 1;
        }
    };
    sum(&seeds, options.run.jobs, one, add, progress)
}

/// Compiles the program with the outside.
fn build(folder: &Path, open: &Open, asked: u32, weak: bool) -> Result<PathBuf> {
    let (program, outside, binary) = (folder.join("program.c"), folder.join("outside.c"), folder.join("native"));
    std::fs::write(&program, open.source(asked).replace("int main(", "int program_main("))?;
    std::fs::write(&outside, open.driver())?;
    let mut compile = Command::new(frontend_llvm::clang::find()?);
    compile.args(["-O0", "-w", "-o"]).args([&binary, &program, &outside]);
    if weak {
        compile.arg("-DWEAK");
    }
    let compiled = compile.output()?;
    if !compiled.status.success() {
        bail!("clang: {}", String::from_utf8_lossy(&compiled.stderr));
    }
    Ok(binary)
}

/// The lines that runs print.
fn runs(binary: &Path, what: &str) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for _ in 0..STARTS {
        let run = Command::new(binary).args([OUTSIDES, what]).output()?;
        lines.extend(String::from_utf8_lossy(&run.stdout).lines().map(str::to_string));
    }
    Ok(lines)
}

/// The result for one program.
#[derive(Default)]
struct Compared {
    counts: Counts,
    /// What disagrees.
    wrong: Option<String>,
    /// The reason for `unknown`, without places.
    unknown: Option<String>,
}

/// Compares one program.
fn compare_program(seed: u64, open: &Open, options: &Options) -> Result<Compared> {
    let mut compared = Compared::default();
    let mut counts = Counts { programs: 1, ..Counts::default() };
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(seed ^ 0xA5CED);
    let weak = random.one_in(2);
    let binary = build(folder.path(), open, 0, weak)?;
    let mut notes: Vec<u32> = runs(&binary, "notes")?.iter().filter_map(|line| line.parse().ok()).collect();
    notes.sort_unstable();
    notes.dedup();
    if notes.is_empty() {
        counts.discarded = 1;
        return Ok(Compared { counts, ..compared });
    }
    let asked = random.pick(&notes);
    let file = folder.path().join(format!("{seed}.c"));
    std::fs::write(&file, open.source(asked))?;
    let timeout = format!("{}ms", options.timeout.as_millis());
    let mut arguments = vec!["--verbose", "--timeout", &timeout];
    if open.families[0] == Family::Havoc {
        arguments.extend(["--extern", "havoc"]);
    }
    if seed.is_multiple_of(5) {
        arguments.push("--no-slice");
    }
    let answer = verify(&file, &arguments)?;
    let mut wrong = answer.defect().map(str::to_string);
    let assumed: Vec<&str> = answer.output.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    let names: Vec<String> = open.families.iter().map(ToString::to_string).collect();
    match answer.verdict()? {
        Verdict::False => counts.alarms = 1,
        Verdict::Unknown => {
            counts.unknown = 1;
            let reason = answer.result.clone().unwrap_or_default();
            compared.unknown =
                reason.split(", at ").next().map(|words| words.split(" at /").next().unwrap_or(words).to_string());
        }
        Verdict::True => {
            let is_excluded = open.families.iter().any(|family| {
                EXCLUDED.iter().any(|(of, part)| of == family && assumed.iter().any(|line| line.contains(part)))
            });
            // The runs are repeated, since addresses may be others in this binary.
            let binary = build(folder.path(), open, asked, weak)?;
            let reached = runs(&binary, "main")?.iter().filter(|line| *line == "reached").count();
            if is_excluded || reached == 0 {
                counts.excluded = 1;
            } else {
                wrong = Some(format!("true, but {reached} native runs reach the target"));
            }
        }
    }
    let Some(what) = wrong else { return Ok(Compared { counts, ..compared }) };
    counts.disagreements = 1;
    let told = format!("seed {seed} ({}): {what}", names.join(", "));
    let outside =
        if weak { open.driver().replacen("#define _GNU", "#define WEAK\n#define _GNU", 1) } else { open.driver() };
    let header: Vec<String> = [told.as_str()].iter().chain(&assumed).map(|line| format!("// {line}\n")).collect();
    let kept = options.run.keep_file(&format!("open_{seed}.c"), &(header.concat() + &open.source(asked)))?;
    options.run.keep_file(&format!("open_{seed}.outside.c"), &outside)?;
    Ok(Compared { counts, wrong: Some(format!("{}: {told}", kept.display())), ..compared })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_determined_by_their_seeds() {
        for seed in 0..50 {
            let source = Open::new(seed, &Family::ALL).source(1);
            assert_eq!(source, Open::new(seed, &Family::ALL).source(1));
            assert!(source.lines().count() < 60, "{source}");
        }
    }
}
