//! Runs the compiled program on the inputs of a counterexample.
//!
//! The replay in the interpreter is what backs a `false`. The harness shows the same to a person and a debugger: a C file that
//! defines the functions which yield inputs, linked with the user's program. Definitions of the targets and of the input
//! functions in the user's files are deleted from their bitcode first. Therefore programs that define `reach_error` themselves,
//! even as `static`, need no special treatment: every call goes to the harness.
//!
//! The directory then contains `harness.c`, `reproduce.sh`, which builds and runs it again, and scripts for debuggers (`debugger`).
//! A test that one can keep beside the program needs neither the harness nor LLVM (`unit_test`).

pub mod debugger;
mod signature;
mod source;
pub mod surroundings;
pub mod unit_test;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use frontend_llvm::clang::{self, WORKING_DIRECTORY};

use crate::worker::lower_limit;
use signature::Signatures;
use surroundings::Surroundings;

/// One nondeterministic value, in execution order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// The function that yields it, such as `__VERIFIER_nondet_int`.
    pub function: String,
    /// How the function yields it.
    pub channel: Channel,
    /// The value's bytes, least significant first.
    pub bytes: Vec<u8>,
}

/// How a function yields an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// As its result.
    Result,
    /// By filling the memory that its first argument points to, as `klee_make_symbolic` does.
    Memory,
}

/// A program and the inputs for its run.
#[derive(Debug, Clone)]
pub struct Experiment<'a> {
    /// The user's files.
    pub files: &'a [PathBuf],
    /// Further options with which clang compiles them.
    pub clang_options: &'a [String],
    /// The options of those files that have options of their own, which precede the others.
    pub options_of: &'a BTreeMap<PathBuf, Vec<String>>,
    /// Width of the program's pointers, 32 or 64.
    pub pointer_bits: u32,
    /// The functions whose calls are the violation.
    pub targets: &'a [String],
    /// The undefined functions that are the violation if their first argument is 0.
    pub assertions: &'a [String],
    /// Functions whose definitions do not count.
    pub stubs: &'a [String],
    /// The values, in execution order.
    pub inputs: &'a [InputValue],
    /// What the program finds around it.
    pub surroundings: &'a Surroundings,
    /// The directory of the harness, which exists.
    pub dir: &'a Path,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// The result of the run of the compiled program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It reached the target.
    Reached,
    /// It was not run to its end, for this reason.
    NotRun(String),
    /// It ended in this way.
    Ended(String),
}

/// Maximum duration of a native run.
const LONGEST_RUN: Duration = Duration::from_secs(10);
/// Maximum number of bytes that a native run may write into one file.
const LARGEST_FILE: u64 = 64 << 20;
/// Exit statuses of the harness.
const REACHED: i32 = 107;
const ASSUMPTION_FAILED: i32 = 108;
const INPUTS_EXHAUSTED: i32 = 109;

/// Makes 32-bit code compute in the formats that the program asks for; clang's default is the x87's wider format.
const EXACT_FLOATS: [&str; 2] = ["-msse2", "-mfpmath=sse"];

/// Builds the harness and runs it.
///
/// # Errors
/// Files cannot be written or clang is missing. A program that does not link or does not reach the target is an ordinary
/// [`Outcome`].
pub fn run(experiment: &Experiment) -> Result<Outcome> {
    // Commands run in this directory, where a relative path would have another meaning.
    let dir = fs::canonicalize(experiment.dir).context("cannot find the directory of the harness")?;
    let experiment = &Experiment { dir: &dir, ..experiment.clone() };
    let mut build = Build { script: String::new(), dir: experiment.dir, deadline: experiment.deadline };
    let foreign = match build.executable(experiment)? {
        Ok(foreign) => foreign,
        Err(reason) => return Ok(Outcome::NotRun(reason)),
    };
    experiment.surroundings.write(experiment.dir)?;
    let head = "#!/bin/sh\n# Builds and runs the counterexample.\ncd \"$(dirname \"$0\")\" || exit 1\n";
    let tail = "\necho \"exit status $? (107: the error is reached)\"\n";
    let script = [head.as_bytes(), build.script.as_bytes(), &experiment.surroundings.line(), tail.as_bytes()].concat();
    fs::write(experiment.dir.join("reproduce.sh"), script).context("cannot write reproduce.sh")?;
    judge(experiment, foreign.as_deref())
}

/// A build in progress: the commands so far, as a script.
struct Build<'a> {
    script: String,
    dir: &'a Path,
    deadline: Option<Instant>,
}

impl Build<'_> {
    /// Builds `native`, or returns the reason why this fails. The result is a function from outside that returns a pointer, if there
    /// is one among those that yield inputs.
    fn executable(&mut self, experiment: &Experiment) -> Result<Result<Option<String>, String>> {
        let mut model = vec![clang::width_option(experiment.pointer_bits)];
        if experiment.pointer_bits == 32 {
            model.extend(EXACT_FLOATS);
        }
        let mut signatures = Signatures::default();
        let mut parts = Vec::new();
        for (i, file) in experiment.files.iter().enumerate() {
            let text = format!("program{i}.ll");
            let own = experiment.options_of.get(file).into_iter().flatten();
            let options: Vec<String> = own.chain(experiment.clang_options).cloned().collect();
            if let Err(said) = self.assembly(file, &model, &options, &text)? {
                return Ok(Err(format!("{} does not compile: {}", file.display(), first_error(&said))));
            }
            let assembly = fs::read_to_string(self.dir.join(&text)).context("cannot read the program's assembly")?;
            let here = Signatures::read(&assembly);
            let ours = |name: &&String| {
                experiment.targets.contains(name)
                    || experiment.stubs.contains(name)
                    || experiment.inputs.iter().any(|v| v.function == **name)
            };
            let delete: Vec<&String> = here.defined.iter().filter(ours).collect();
            parts.push(if delete.is_empty() {
                text
            } else {
                let part = format!("program{i}.bc");
                let mut command = vec!["llvm-extract".to_string(), "--delete".into()];
                command.extend(delete.iter().map(|name| format!("--func={name}")));
                command.extend([text, "-o".into(), part.clone()]);
                if let Err(said) = self.step(&command)? {
                    return Ok(Err(format!("its functions cannot be replaced: {}", first_error(&said))));
                }
                part
            });
            signatures.add(here);
        }
        let mut violations = experiment.targets.iter().chain(experiment.assertions);
        if !violations.any(|name| signatures.of(name).is_some()) {
            return Ok(Err(format!("the linker knows {} by another name", experiment.targets.join(" or "))));
        }
        let mut stubs: Vec<String> = Vec::new();
        loop {
            let source = match source::write(experiment, &signatures, &stubs) {
                Ok(source) => source,
                Err(reason) => return Ok(Err(reason)),
            };
            fs::write(self.dir.join("harness.c"), source).context("cannot write harness.c")?;
            let head = ["clang"].into_iter().chain(model.iter().copied()).chain(clang::DIALECT);
            let mut command: Vec<String> = head.chain(["-O0", "-w", "harness.c"]).map(str::to_string).collect();
            command.extend(parts.iter().cloned());
            command.extend(["-o", "native", "-lm", "-lpthread"].map(str::to_string));
            let before = self.script.len();
            let Err(said) = self.step(&command)? else {
                let mut functions = experiment.inputs.iter().map(|input| &input.function);
                let is_pointer = |f: &&String| signatures.of(f).is_some_and(|s| s.result == "ptr");
                return Ok(Ok(functions.find(is_pointer).cloned()));
            };
            let mut missing: Vec<String> = undefined_symbols(&said).collect();
            missing.retain(|name| !stubs.contains(name));
            missing.sort();
            missing.dedup();
            if missing.is_empty() {
                return Ok(Err(format!("it does not link: {}", first_error(&said))));
            }
            stubs.extend(missing);
            self.script.truncate(before);
        }
    }

    /// Produces the textual LLVM IR of one of the user's files.
    fn assembly(&mut self, file: &Path, model: &[&str], options: &[String], text: &str) -> Result<Result<(), String>> {
        let file =
            fs::canonicalize(file).with_context(|| format!("cannot find {}", file.display()))?.display().to_string();
        if file.ends_with(".ll") || file.ends_with(".bc") {
            // This also upgrades older bitcode and assembly.
            return self.step(&["opt", "-S", &file, "-o", text].map(str::to_string));
        }
        // Names of files in the options are relative to the user's directory.
        let here = std::env::current_dir().context("no current directory")?.display().to_string();
        let out = self.dir.join(text).display().to_string();
        let command = |more: &[String]| -> Vec<String> {
            let head = ["clang"].iter().chain(model).chain(&clang::TO_BITCODE).chain(&clang::DIALECT);
            let mut command: Vec<String> = head.copied().map(str::to_string).collect();
            command.extend(more.iter().chain(options).cloned());
            let plain = options.is_empty();
            let is_stated = options.iter().any(|option| option.starts_with(WORKING_DIRECTORY));
            let elsewhere = format!("{WORKING_DIRECTORY}{here}");
            command.extend(Some(elsewhere).filter(|_| !plain && !is_stated));
            command.extend(["-S", &file, "-o", if plain { text } else { &out }].map(str::to_string));
            command
        };
        let before = self.script.len();
        let Err(said) = self.step(&command(&[]))? else { return Ok(Ok(())) };
        for more in clang::fallbacks(&said, &self.dir.join("cprover.h"))? {
            self.script.truncate(before);
            if self.step(&command(&more))?.is_ok() {
                return Ok(Ok(()));
            }
        }
        Ok(Err(said))
    }

    /// Runs an LLVM command in the directory and adds it to the script; the inner error is its message.
    fn step(&mut self, command: &[String]) -> Result<Result<(), String>> {
        let shown: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        let program = tool(&command[0]);
        self.script.push_str(&format!("{} {} || exit 1\n", program.display(), shown[1..].join(" ")));
        let log_path = self.dir.join("build.log");
        let log = File::create(&log_path).context("cannot write build.log")?;
        let mut child = Command::new(&program);
        child.args(&command[1..]).current_dir(self.dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let status = wait(child, self.deadline)?;
        let said = fs::read_to_string(&log_path).unwrap_or_default();
        let _ = fs::remove_file(&log_path);
        match status {
            Some(status) if status.success() => Ok(Ok(())),
            Some(_) => Ok(Err(said)),
            None => Ok(Err("no time left".into())),
        }
    }
}

/// Runs the executable and returns the outcome. A pointer that the function `foreign` returns need not be that of memory which the
/// native run has.
fn judge(experiment: &Experiment, foreign: Option<&str>) -> Result<Outcome> {
    let mut errors = tempfile::tempfile().context("cannot make a temporary file")?;
    let mut child = experiment.surroundings.command(experiment.dir)?;
    child.stdout(Stdio::null()).stderr(errors.try_clone()?);
    let latest = Instant::now() + LONGEST_RUN;
    let deadline = experiment.deadline.map_or(latest, |d| d.min(latest));
    let status = wait(child, Some(deadline))?;
    let mut said = Vec::new();
    std::io::Seek::rewind(&mut errors)?;
    errors.take(LARGEST_FILE).read_to_end(&mut said)?;
    let marked = String::from_utf8_lossy(&said).contains(source::MARK);
    let how = match status {
        None => return Ok(Outcome::NotRun("the native run does not end in time".into())),
        Some(status) => match (status.code(), status.signal()) {
            (Some(REACHED), _) if marked => return Ok(Outcome::Reached),
            (Some(ASSUMPTION_FAILED), _) if marked => "an assumption does not hold in the native run".to_string(),
            (Some(INPUTS_EXHAUSTED), _) if marked => {
                "the native run asks for more inputs than the counterexample has".to_string()
            }
            (Some(code), _) => format!("the native run ends with exit status {code} before the violation"),
            (_, Some(libc::SIGSEGV)) => {
                if let Some(f) = foreign {
                    return Ok(Outcome::NotRun(format!(
                        "it does not have the memory to which {f}() returns a pointer"
                    )));
                }
                "the native run ends with a segmentation fault before the violation".to_string()
            }
            (_, Some(libc::SIGABRT)) => "the native run aborts before the violation".to_string(),
            (_, Some(libc::SIGFPE)) => "the native run ends with an arithmetic fault before the violation".to_string(),
            (_, signal) => format!("the native run is killed by signal {} before the violation", signal.unwrap_or(0)),
        },
    };
    Ok(Outcome::Ended(how))
}

/// Runs a command in this process group until `deadline`; `None` if it had to be terminated.
fn wait(mut command: Command, deadline: Option<Instant>) -> Result<Option<ExitStatus>> {
    // SAFETY: only system calls between fork and exec.
    unsafe {
        command.pre_exec(|| {
            lower_limit(libc::RLIMIT_CORE, 0);
            lower_limit(libc::RLIMIT_FSIZE, LARGEST_FILE);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => bail!("{name} is missing"),
        Err(e) => return Err(e).with_context(|| format!("cannot run {name}")),
    };
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// The path of an LLVM program.
fn tool(name: &str) -> PathBuf {
    if let (true, Ok(found)) = (name == "clang", clang::find()) {
        return found;
    }
    clang::llvm_tool(name)
}

/// The first error among a tool's messages, without its position.
fn first_error(said: &str) -> &str {
    let line = said.lines().find(|l| l.contains("error:") || l.contains("multiple definition")).or(said.lines().next());
    let line = line.unwrap_or("no reason given");
    line.rsplit_once("error:").map_or(line, |(_, what)| what).trim()
}

/// The names in the linker's complaints about undefined symbols.
fn undefined_symbols(said: &str) -> impl Iterator<Item = String> + '_ {
    said.lines().filter_map(|line| {
        let (_, name) = line.split_once("undefined reference to ")?;
        let name = name.trim().trim_matches(['`', '\'', '"']);
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| name.to_string())
    })
}

/// A word, quoted for the shell if necessary.
fn quoted(word: &str) -> String {
    String::from_utf8_lossy(&surroundings::quoted(word.as_bytes())).into_owned()
}
