//! The binary under test.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The answer of a run of `kerf verify`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What follows `RESULT: `, if there is such a line.
    pub result: Option<String>,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// What was printed on standard output, then what was printed on standard error.
    pub output: String,
}

/// A verdict without its details.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No execution reaches the target.
    True,
    /// Some execution does.
    False,
    /// No answer.
    Unknown,
}

/// Texts that an answer contains only if kerf has a defect, whatever the verdict: in the result, or with `--verbose` in the lines about a
/// phase.
const DEFECTS: [&str; 4] = [
    "certificate rejected",
    "does not replay, for no known reason",
    "not reproduced, for no known reason",
    "internal error",
];

impl Answer {
    /// The first line that reports a defect.
    ///
    /// An alarm that the program does not follow is a defect, too: the search has another semantics than the program. If there is a known
    /// reason (an invalid access, a slice), kerf's message is another one.
    pub fn defect(&self) -> Option<&str> {
        self.output.lines().find(|line| DEFECTS.iter().any(|defect| line.contains(defect)))
    }

    /// The verdict.
    ///
    /// Errors: the result line and the exit code do not fit together.
    pub fn verdict(&self) -> Result<Verdict> {
        let verdict = match (self.result.as_deref(), self.code) {
            (Some("true"), Some(0)) => Verdict::True,
            (Some(r), Some(10)) if r.starts_with("false(") => Verdict::False,
            (Some(r), Some(20)) if r.starts_with("unknown (") => Verdict::Unknown,
            _ => bail!("exit code {:?} after: {}", self.code, self.output),
        };
        Ok(verdict)
    }
}

/// The path of the binary `kerf`: what the environment variable `KERF_BINARY` says, or else the one of the same build as this program. If
/// this program runs under cargo, the latter is built first.
///
/// # Panics
/// If kerf does not build, or there is no such file.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| find().expect("the binary kerf"))
}

fn find() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("KERF_BINARY") {
        return Ok(PathBuf::from(given));
    }
    // target/release/differential, target/debug/deps/programs-0123456789abcdef
    let own = std::env::current_exe()?;
    let mut folder = own.parent().context("no folder")?;
    if folder.ends_with("deps") {
        folder = folder.parent().context("no folder")?;
    }
    let kerf = folder.join("kerf");
    if let Some(cargo) = std::env::var_os("CARGO") {
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "-p", "kerf-pipeline", "--bin", "kerf", "--no-default-features"]);
        build.arg(format!("--features=llvm{}", frontend_llvm::LLVM_MAJOR));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).output()?;
        if !built.status.success() {
            bail!("kerf does not build: {}", String::from_utf8_lossy(&built.stderr));
        }
    }
    if !kerf.exists() {
        bail!("{} does not exist: build kerf-pipeline first", kerf.display());
    }
    Ok(kerf)
}

/// Runs `kerf verify` with `options` on `file`.
///
/// Errors: the binary cannot be started.
pub fn verify(file: &Path, options: &[&str]) -> Result<Answer> {
    let run = Command::new(binary()).arg("verify").args(options).arg(file).output()?;
    let output = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let result = output.lines().find_map(|l| l.strip_prefix("RESULT: ")).map(str::to_string);
    Ok(Answer { result, code: run.status.code(), output })
}

/// Time for a verification that is known to have an answer, and for a second try on a machine on which the first time is not enough.
const USUAL: &str = "60s";
const PATIENT: &str = "900s";

/// Runs `kerf verify`, and again with much more time if the usual time was not enough. (Strategies divide the time among themselves, so a
/// long time from the beginning would make all runs slower.)
///
/// Errors: as for [`verify`].
pub fn verify_patiently(file: &Path, options: &[&str]) -> Result<Answer> {
    let within = |time| verify(file, &[options, &["--timeout", time]].concat());
    let answer = within(USUAL)?;
    let is_late =
        |result: &str| ["timeout", "out of time", "certificate not checked"].iter().any(|late| result.contains(late));
    match answer.verdict() {
        Ok(Verdict::Unknown) if answer.result.as_deref().is_some_and(is_late) => within(PATIENT),
        _ => Ok(answer),
    }
}

/// Does `work` for all `items` on `jobs` threads. Returns the results in the order of the items.
///
/// # Panics
/// If `work` does.
pub fn parallel<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((i, item)) = Some(take()).and_then(|i| Some((i, items.get(i)?))) {
                done.push((i, work(item)));
            }
            done
        };
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().flat_map(|t| t.join().expect("a worker")).collect()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, r)| r).collect()
}
