//! Asks several solvers the queries of verifications, and compares their times and answers:
//! `cargo run -p kerf-tests --bin queries --release -- FILE...` (`--help` has the options).
//!
//! **Programs.** A folder stands for the task programs in it (`kerf_tests::tasks`). A list has the format of `kerf_tests::listed`. Programs
//! with other properties than unreach-call are left out.
//!
//! **Measurement.** Each program is verified for `--time` seconds, in a process of its own, with the answers of circuits and Z3 together,
//! as in `kerf verify`. Each query that the cache does not answer also goes to circuits alone and to Z3 alone, each with `--limit` seconds.
//! Their time does not count against `--time`, so that the queries are those of a run without them. A program ends early when they have
//! taken `--others` seconds in total.
//!
//! **Output.** A line for each program has the number of queries, then for each solver its processor time in seconds and the number of
//! queries that it did not answer. With `--slow`, there is also a line for each query for which a solver took that long (`--save` writes
//! these queries as SMT-LIB). At the end are the sums for all queries, for those without floats, and for those that all solvers decide.
//! The exit code is 1 if two solvers disagree, else 0.

use anyhow::{Context, Result};
use clap::Parser;
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::{LoadOptions, clang, load};
use kerf_tests::{listed, tasks};
use smt::{Answer, Cached, Engine, Interrupter, Limits, Model, Options, Solver, SolverError, Statistics, Validation};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use verifier::program::Budget;
use verifier::strategies::portfolio::Strategy;
use verifier::verify::{Task, verify};

const SOLVERS: [&str; 3] = ["z3", "bits", "fast"];

/// The index in [`SOLVERS`] of the solver whose answers the verification gets. It is asked first.
const LEADER: usize = 2;

/// Stack size of the thread that verifies, as in `kerf`: terms may be deep.
const STACK_BYTES: usize = 1 << 30;

/// What one solver did.
#[derive(Clone, Copy, Default)]
struct Score {
    time: Duration,
    undecided: u64,
    /// The part of the time that went into queries that all solvers decided.
    shared: Duration,
    /// The part of the time that went into queries that circuits can express: bit-vectors and memories, no floats.
    sayable: Duration,
}

/// What the solvers did on the queries of one program.
#[derive(Clone, Default)]
struct Scores {
    queries: u64,
    disagreements: u64,
    of: [Score; SOLVERS.len()],
}

/// Compare the time that each solver takes for the queries of programs
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    settings: Settings,
    /// A list of programs
    #[arg(long, value_name = "LIST", conflicts_with = "files")]
    index: Option<PathBuf>,
    /// Take only every N-th program of the list
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Take only programs of the list whose category contains one of these words, separated by commas
    #[arg(long, value_name = "CATEGORIES", default_value = "")]
    only: String,
    /// Measure one file for a machine with pointers of this many bits, in this process
    #[arg(long, value_name = "BITS", hide = true)]
    one: Option<u32>,
    /// Programs, or folders of programs
    files: Vec<PathBuf>,
}

/// How programs are verified and solvers asked.
#[derive(clap::Args, Clone)]
struct Settings {
    /// The strategy that asks the queries
    #[arg(long, default_value = "bmc")]
    strategy: String,
    /// Time limit of a verification, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    time: u64,
    /// Time limit of a query, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    limit: u64,
    /// Total time limit, in seconds, of the solvers whose answers the verification does not use
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    others: u64,
    /// Print queries that take longer, in seconds
    #[arg(long, value_name = "SECONDS")]
    slow: Option<f64>,
    /// Folder in which these queries are saved as SMT-LIB files
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
}

impl Settings {
    /// Adds the settings to the arguments of `command`.
    fn pass<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let numbers = [("--time", self.time), ("--limit", self.limit), ("--others", self.others)];
        for (name, n) in numbers {
            command.arg(name).arg(n.to_string());
        }
        if let Some(slow) = self.slow {
            command.arg("--slow").arg(slow.to_string());
        }
        if let Some(folder) = &self.save {
            command.arg("--save").arg(folder);
        }
        command.arg("--strategy").arg(&self.strategy)
    }
}

fn main() -> Result<ExitCode> {
    let Arguments { settings, index, every, only, one, files } = Arguments::parse();
    if let (Some(bits), [file]) = (one, &files[..]) {
        let scores = std::thread::scope(|scope| {
            let work = || measure(file, bits, &settings);
            std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?.join().expect("scores")
        })?;
        print_one(&scores);
        return Ok(ExitCode::SUCCESS);
    }
    let programs = match index {
        Some(index) => listed(&index, every, &only)?,
        None => given(&files),
    };
    println!("{:40} {:>7} | {}", "program", "queries", SOLVERS.map(|s| format!("{s:>9} {:>5}", "open")).join(" | "));
    let mut sum = Scores::default();
    for (name, file, bits) in &programs {
        match run_one(file, *bits, &settings) {
            Ok(scores) if scores.queries == 0 => {}
            Ok(scores) => {
                print_line(name, &scores);
                sum.add(&scores);
            }
            Err(why) => println!("{name:40} {why:#}"),
        }
    }
    print_line("all", &sum);
    for (of, times) in [
        ("all queries", sum.of.map(|s| s.time)),
        ("queries without floats", sum.of.map(|s| s.sayable)),
        ("queries that all decide", sum.of.map(|s| s.shared)),
    ] {
        let [z3, bits, fast] = times.map(|t| t.as_secs_f64());
        let [less, less_both] = [bits, fast].map(|t| z3 / t.max(1e-9));
        println!(
            "{of}: Z3 {z3:.2} s, circuits {bits:.2} s ({less:.1} times less), both together {fast:.2} s ({less_both:.1} times less)"
        );
    }
    println!("{} disagreements", sum.disagreements);
    Ok(if sum.disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn listed(index: &Path, every: usize, only: &str) -> Result<Vec<(String, PathBuf, u32)>> {
    let mut programs = listed::programs(index)?;
    programs.retain(|p| p.property == "unreach-call" && only.split(',').any(|c| p.category.contains(c)));
    let chosen = programs.into_iter().step_by(every.max(1));
    Ok(chosen.map(|p| (format!("{} {}", p.id, p.category), p.file, p.bits)).collect())
}

fn given(paths: &[PathBuf]) -> Vec<(String, PathBuf, u32)> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::read_dir(path) {
            Ok(entries) => {
                files.extend(entries.flatten().map(|e| e.path()).filter(|f| f.extension().is_some_and(|e| e == "c")))
            }
            Err(_) => files.push(path.clone()),
        }
    }
    files.sort();
    let task = |file: PathBuf| {
        let expected = tasks::expected(&file);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (expected.property == "unreach-call").then(|| (name, file, if expected.data_model == "LP64" { 64 } else { 32 }))
    };
    files.into_iter().filter_map(task).collect()
}

fn run_one(file: &Path, bits: u32, settings: &Settings) -> Result<Scores> {
    let mut command = Command::new(std::env::current_exe()?);
    let out = settings.pass(&mut command).arg("--one").arg(bits.to_string()).arg(file).output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().take(lines.len().saturating_sub(1)).for_each(|slow| println!("    {slow}"));
    Scores::parse(&text).with_context(|| {
        let error = String::from_utf8_lossy(&out.stderr);
        format!("{}: {}", out.status, error.lines().next().unwrap_or("no output"))
    })
}

impl Scores {
    fn add(&mut self, other: &Scores) {
        self.queries += other.queries;
        self.disagreements += other.disagreements;
        for (mine, theirs) in self.of.iter_mut().zip(other.of) {
            mine.time += theirs.time;
            mine.undecided += theirs.undecided;
            mine.shared += theirs.shared;
            mine.sayable += theirs.sayable;
        }
    }

    fn parse(text: &str) -> Option<Scores> {
        let mut numbers = text.lines().last()?.split_whitespace().map_while(|n| n.parse::<u64>().ok());
        let mut scores = Scores { queries: numbers.next()?, disagreements: numbers.next()?, ..Scores::default() };
        for score in &mut scores.of {
            let (time, undecided) = (Duration::from_micros(numbers.next()?), numbers.next()?);
            let [shared, sayable] = [numbers.next()?, numbers.next()?].map(Duration::from_micros);
            *score = Score { time, undecided, shared, sayable };
        }
        Some(scores)
    }
}

/// Prints scores in the form that [`Scores::parse`] reads.
fn print_one(scores: &Scores) {
    let of = scores
        .of
        .map(|s| format!("{} {} {} {}", s.time.as_micros(), s.undecided, s.shared.as_micros(), s.sayable.as_micros()));
    println!("{} {} {}", scores.queries, scores.disagreements, of.join(" "));
}

fn print_line(name: &str, scores: &Scores) {
    let of = scores.of.map(|s| format!("{:9.3} {:5}", s.time.as_secs_f64(), s.undecided));
    let wrong = if scores.disagreements > 0 { " DISAGREE" } else { "" };
    println!("{name:40} {:7} | {}{wrong}", scores.queries, of.join(" | "));
}

/// Verifies `file`, and asks all solvers each query.
fn measure(file: &Path, bits: u32, settings: &Settings) -> Result<Scores> {
    let folder = tempfile::tempdir()?;
    let bitcode = folder.path().join("program.bc");
    clang::compile(file, &bitcode, bits, &ClangOptions::default())?;
    let options = LoadOptions { pointer_bits: bits, ..LoadOptions::default() };
    let loaded = load(&[bitcode], &options)?;
    let (cfa, _) = slicer::prepare(loaded.raw, &slicer::PrepareOptions::default())?;
    let cfa = Arc::new(cfa);
    let strategy = &settings.strategy;
    let strategy = Strategy::named(strategy).with_context(|| format!("no strategy {strategy}"))?;
    let slice = slicer::slice_for_targets(&cfa);
    let [time, others] = [settings.time, settings.others].map(Duration::from_secs);
    let begin = Instant::now();
    let run = Run { settings: settings.clone(), begin, over: AtomicBool::new(false), found: Mutex::default() };
    let run = Arc::new(run);
    let solver = |_| -> Box<dyn Solver> { Box::new(Cached::new(All::new(run.clone()))) };
    let budget = Budget::until(begin + time + others).unless(&run.over);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // This also ends long work between two queries.
            while !done.load(Ordering::Relaxed) {
                run.end_in_time();
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        verify(
            Task {
                cfa,
                slice,
                hints: Vec::new(),
                strategy: &strategy,
                solver: &solver,
                budget,
                draws: false,
                shrinks: false,
            },
            &mut |_| {},
        );
        done.store(true, Ordering::Relaxed);
    });
    let found = run.found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(found.scores.clone())
}

/// Processor time of all threads of this process. Other work on the machine disturbs it less than time by the clock.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time` only.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A verification whose queries are measured.
struct Run {
    settings: Settings,
    begin: Instant,
    /// Set when the time is over.
    over: AtomicBool,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    scores: Scores,
    /// Time by the clock that the other solvers took.
    others: Duration,
}

impl Run {
    fn limits(&self) -> Limits {
        Limits { query: Some(Duration::from_secs(self.settings.limit)), deadline: None }
    }

    /// Ends the verification if its time is over, unless a query is being asked.
    fn end_in_time(&self) {
        let Ok(found) = self.found.try_lock() else { return };
        let [time, most] = [self.settings.time, self.settings.others].map(Duration::from_secs);
        if found.others >= most || self.begin.elapsed().saturating_sub(found.others) >= time {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Prints a query for which a solver took long.
    fn tell(
        &self,
        n: u64,
        times: &[Duration; SOLVERS.len()],
        script: impl FnOnce() -> Result<String, SolverError>,
    ) -> Result<()> {
        let Some(slow) = self.settings.slow.filter(|s| times.iter().any(|t| t.as_secs_f64() >= *s)) else {
            return Ok(());
        };
        println!("query {n} (slower than {slow} s): {}", times.map(|t| format!("{:.3}", t.as_secs_f64())).join(" | "));
        if let (Some(folder), Ok(script)) = (&self.settings.save, script()) {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(format!("{}-{n}.smt2", std::process::id())), script)?;
        }
        Ok(())
    }
}

/// All solvers, each of which is asked each query.
struct All {
    solvers: [Box<dyn Solver>; SOLVERS.len()],
    run: Arc<Run>,
    assertions: Vec<cfa::Term>,
    /// The index of the solver whose answer was given.
    last: usize,
}

impl All {
    fn new(run: Arc<Run>) -> All {
        let of = |engine| {
            let options = Options { cache: false, validation: Validation::Off, engine, ..Options::default() };
            smt::chain(&options, run.limits())
        };
        let solvers = [Engine::Z3, Engine::Bits, Engine::Fast].map(of);
        All { solvers, run, assertions: Vec::new(), last: LEADER }
    }
}

impl Solver for All {
    fn assert(&mut self, terms: &cfa::Terms, t: cfa::Term) -> Result<(), SolverError> {
        self.assertions.push(t);
        self.solvers.iter_mut().try_for_each(|s| s.assert(terms, t))
    }

    fn check(&mut self, terms: &cfa::Terms, assumptions: &[cfa::Term]) -> Result<Answer, SolverError> {
        // One query at a time, so that its time is that of the process.
        let mut found = self.run.found.lock().unwrap_or_else(PoisonError::into_inner);
        let Found { scores, others } = &mut *found;
        if self.run.over.load(Ordering::Relaxed) {
            return Err(SolverError::Unknown("time-out".into()));
        }
        scores.queries += 1;
        let mut answer = Err(SolverError::Unknown("time-out".into()));
        let (mut times, mut all, mut sayable) = ([Duration::ZERO; SOLVERS.len()], true, true);
        for (i, solver) in self.solvers.iter_mut().enumerate().rev() {
            let (begin, clock) = (processor_time(), Instant::now());
            let own = solver.check(terms, assumptions);
            times[i] = processor_time().saturating_sub(begin);
            *others += if i == LEADER { Duration::ZERO } else { clock.elapsed() };
            scores.of[i].time += times[i];
            all &= own.is_ok();
            sayable &= !matches!(own, Err(SolverError::Unsupported(_)));
            scores.of[i].undecided += u64::from(own.is_err());
            scores.disagreements += u64::from(answer.is_ok() && own.is_ok() && answer != own);
            if i == LEADER || answer.is_err() {
                (answer, self.last) = (own, i);
            }
        }
        for (score, time) in scores.of.iter_mut().zip(times) {
            score.shared += if all { time } else { Duration::ZERO };
            score.sayable += if sayable { time } else { Duration::ZERO };
        }
        let script = || smt::smtlib::script(terms, &[&self.assertions[..], assumptions].concat());
        if let Err(e) = self.run.tell(scores.queries, &times, script) {
            eprintln!("{e:#}");
        }
        answer
    }

    fn model(&mut self, terms: &cfa::Terms) -> Result<&mut Model, SolverError> {
        self.solvers[self.last].model(terms)
    }

    fn core(&mut self) -> Vec<cfa::Term> {
        self.solvers[self.last].core()
    }

    fn set_limits(&mut self, limits: Limits) {
        let most = self.run.limits();
        let query = limits.query.into_iter().chain(most.query).min();
        self.solvers.iter_mut().for_each(|s| s.set_limits(Limits { query, ..most }));
    }

    fn interrupter(&self) -> Interrupter {
        self.solvers[self.last].interrupter()
    }

    fn statistics(&self) -> Statistics {
        self.solvers[self.last].statistics()
    }
}
