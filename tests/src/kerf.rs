//! The binary under test.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What `kerf verify` answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What follows `RESULT: `, if there is such a line.
    pub result: Option<String>,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// All that was printed.
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

/// What an answer says only where kerf is wrong somewhere, whatever the verdict: in the result, and with `--verbose` of each phase.
const DEFECTS: [&str; 4] = [
    "certificate rejected",
    "does not replay for no known reason",
    "does not show it, for no known reason",
    "internal error",
];

impl Answer {
    /// A line that tells of a defect.
    ///
    /// An alarm of a search that the program does not follow is one as well: the search computes with something else than the program. Where
    /// there is a known reason (an invalid access, a slice), that is named otherwise.
    pub fn defect(&self) -> Option<&str> {
        self.output.lines().find(|line| DEFECTS.iter().any(|defect| line.contains(defect)))
    }

    /// The verdict, if line and exit code fit together.
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

/// The binary `kerf` of the build that this program is from. Under cargo it is brought up to date first.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| find().expect("the binary kerf"))
}

fn find() -> Result<PathBuf> {
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

/// Runs `kerf verify`.
pub fn verify(file: &Path, options: &[&str]) -> Result<Answer> {
    let run = Command::new(binary()).arg("verify").args(options).arg(file).output()?;
    let output = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let result = output.lines().find_map(|l| l.strip_prefix("RESULT: ")).map(str::to_string);
    Ok(Answer { result, code: run.status.code(), output })
}

/// Time for a verification whose answer is known to be found, and for another try on a machine that is too slow for that.
const USUAL: &str = "60s";
const PATIENT: &str = "900s";

/// Runs `kerf verify` with time enough: strategies share out what they have, so that more time than usual is only given where that ends without an
/// answer.
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

/// Does `work` for all `items` on `jobs` threads; the results in the order of the items.
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
