//! Worker processes: everything that can crash, hang or exhaust memory runs in one.
//!
//! LLVM aborts on corrupt bitcode, a solver can use up all memory, and an analysis may never terminate. None of this may cost the
//! answer, so the parent forks, and the child does the work under limits and reports over a pipe, with one JSON message per line.
//! The child is forked and not executed anew, because loading the shared libraries twice would take longer than verifying a small
//! program. The fork is safe because it happens before the parent has started any thread.
//!
//! The child is the leader of a process group of its own and dies with its parent, so that clang and native runs that it starts
//! can be terminated with it.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::report::Part;

/// Stack size of the thread that does the work. It costs only address space: pages are allocated when they are touched.
const STACK_BYTES: usize = 256 << 20;
/// An upper bound of the address space that a worker reserves without using it: its stack, libraries, and the allocator's arenas.
const UNUSED_BYTES: u64 = 768 << 20;

/// A user error: a bad file or a bad option. One line that names the file and how to fix it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UserError(pub String);

/// The current activity of a worker; the parent shows it and uses it to explain a death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before the first report.
    Starting,
    /// clang runs on a source file.
    Compiling,
    /// LLVM reads a module; a crash now is the file's fault.
    Loading,
    /// The module is translated to a control-flow automaton.
    Translating,
    /// Points-to analysis, promotion, dependences and the slice.
    Slicing,
    /// The verification itself.
    Analysing,
    /// A counterexample is replayed, or a certificate is checked.
    Checking,
    /// Evidence is written.
    Writing,
}

impl Phase {
    /// The name of the phase, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Starting => "starting",
            Phase::Compiling => "compiling",
            Phase::Loading => "loading",
            Phase::Translating => "translating",
            Phase::Slicing => "slicing",
            Phase::Analysing => "analysing",
            Phase::Checking => "checking",
            Phase::Writing => "writing",
        }
    }
}

#[derive(Serialize, Deserialize)]
enum Message {
    Phase { phase: Phase, detail: String, at_ms: f64 },
    Progress(String),
    Ended(Part),
    Done(serde_json::Value),
    UserError(String),
    Bug(String),
}

/// The worker's end of the pipe, and its limits; shared by the threads of a worker.
pub struct Reporter {
    pipe: Mutex<BufWriter<File>>,
    start: Instant,
    deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    /// Whether somebody is shown what the worker is doing.
    is_watched: bool,
}

impl Reporter {
    /// Announces that `phase` begins, on `detail` (a file, a function, a strategy; may be empty).
    pub fn phase(&self, phase: Phase, detail: &str) {
        let at_ms = self.start.elapsed().as_secs_f64() * 1e3;
        self.send(&Message::Phase { phase, detail: detail.to_string(), at_ms });
    }

    /// Announces how a part of the analysis ended, so that it is known even if the worker does not finish.
    pub fn ended(&self, part: Part) {
        self.send(&Message::Ended(part));
    }

    /// Does some work of the current phase; meanwhile, `progress` is asked a few times a second what it is doing, if anybody is told.
    pub fn watching<T>(&self, progress: &(dyn Fn() -> String + Sync), work: impl FnOnce() -> T) -> T {
        if !self.is_watched {
            return work();
        }
        std::thread::scope(|scope| {
            // Dropped once the work has ended, in whatever way.
            let (_working, ended) = mpsc::channel::<()>();
            let watch = move || {
                let mut told = String::new();
                while ended.recv_timeout(BETWEEN_LOOKS) == Err(mpsc::RecvTimeoutError::Timeout) {
                    let text = progress();
                    if text != told {
                        self.send(&Message::Progress(text.clone()));
                        told = text;
                    }
                }
            };
            // Without memory for a thread nobody is told.
            let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
            work()
        })
    }

    /// The time at which to give up, early enough to say why.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The address space that the worker may use.
    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory_bytes
    }

    fn send(&self, message: &Message) {
        // Without a parent there is nobody to report to; the parent's death ends this process anyway.
        if let (Ok(mut pipe), Ok(line)) = (self.pipe.lock(), serde_json::to_string(message)) {
            let _ = writeln!(pipe, "{line}").and_then(|()| pipe.flush());
        }
    }
}

/// How a worker ended.
#[derive(Debug)]
pub enum Ending<T> {
    /// It ended with a result.
    Finished(T),
    /// It ended with a user error, one line.
    UserError(String),
    /// It ended with a bug in kerf: a panic or an unexpected error.
    Bug(String),
    /// It died without a message, for this reason.
    Died(Death),
    /// The parent terminated it at the hard timeout.
    TimedOut,
    /// The parent was asked to stop (Ctrl-C).
    Interrupted,
}

/// The reason why a worker died without a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Death {
    /// The worker, or a library in it, could not allocate memory.
    OutOfMemory,
    /// The recursion was too deep.
    StackOverflow,
    /// Any other reason, in words.
    Crash(String),
}

impl std::fmt::Display for Death {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Death::OutOfMemory => f.write_str("out of memory"),
            Death::StackOverflow => f.write_str("stack overflow"),
            Death::Crash(how) => write!(f, "the worker died ({how})"),
        }
    }
}

/// Information about a worker's run, even if it died.
#[derive(Debug)]
pub struct Run<T> {
    /// How it ended.
    pub ending: Ending<T>,
    /// The phases that it announced, each with its detail and its duration in milliseconds.
    pub phases: Vec<(Phase, String, f64)>,
    /// The parts of the analysis that ended, in order.
    pub parts: Vec<Part>,
    /// CPU time of the worker and of all processes that it waited for, in seconds.
    pub cpu_s: f64,
    /// Maximum resident memory of the worker or of one of its processes, in MiB.
    pub rss_mb: f64,
    /// Wall-clock time, in seconds.
    pub wall_s: f64,
}

impl<T> Run<T> {
    /// The phase in which the worker ended, and its detail.
    pub fn last_phase(&self) -> (Phase, &str) {
        self.phases.last().map_or((Phase::Starting, ""), |(phase, detail, _)| (*phase, detail))
    }

    /// What was tried: the parts that ended and the one in which the worker ended, if it did not finish.
    pub fn tried(&self) -> Vec<Part> {
        let end = match &self.ending {
            Ending::TimedOut => "timeout".to_string(),
            Ending::Died(death) => death.to_string(),
            _ => "stopped".into(),
        };
        let last = self.phases.last().filter(|(phase, ..)| matches!(phase, Phase::Analysing | Phase::Checking));
        let last = last.map(|(_, name, ms)| Part { name: name.clone(), ms: *ms, end, ..Part::default() });
        self.parts.iter().cloned().chain(last).collect()
    }
}

/// The parent's behaviour while it waits.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    /// Whether to show phase, progress and the time on standard error (meant for terminals).
    pub spinner: bool,
    /// Whether to pass the worker's standard error through instead of keeping it to diagnose a death.
    pub verbose: bool,
    /// The time from which the timeout counts.
    pub start: Instant,
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn note_interrupt(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Makes Ctrl-C and similar signals set a flag; see [`interrupted`]. To be called once per process, in the parent.
pub fn catch_interrupts() {
    let handler: extern "C" fn(libc::c_int) = note_interrupt;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only stores to an atomic.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
}

/// Whether the user asked the process to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Runs `job` in a child process under `limits` and waits for its end.
///
/// # Errors
/// No child could be created. Everything that happens in the child is an [`Ending`]. The caller must not have started a thread.
pub fn run<T, F>(limits: Limits, waiting: Waiting, job: F) -> Result<Run<T>>
where
    T: Serialize + DeserializeOwned,
    F: FnOnce(&Reporter) -> Result<T> + Send,
{
    let (reader, writer) = pipe().context("cannot make a pipe")?;
    let mut log = memory_file().context("cannot make a memory file")?;
    std::io::stdout().flush()?;
    // SAFETY: the process has a single thread (the caller guarantees this), so that the child finds all locks free.
    match unsafe { libc::fork() } {
        -1 => bail!("cannot fork: {}", std::io::Error::last_os_error()),
        0 => {
            drop(reader);
            let deadline = limits.soft_timeout().map(|t| waiting.start + t);
            let (pipe, is_watched) = (Mutex::new(BufWriter::new(writer)), waiting.spinner);
            let memory_bytes = limits.memory_bytes;
            let reporter = Reporter { pipe, start: waiting.start, deadline, memory_bytes, is_watched };
            enter_child(limits, (!waiting.verbose).then_some(&log));
            let message = work(&reporter, job);
            reporter.send(&message);
            // SAFETY: ends this process at once; the kernel cleans up everything that needs it.
            unsafe { libc::_exit(0) }
        }
        child => {
            drop(writer);
            // SAFETY: a plain system call. The child makes it too, because either may come first.
            unsafe { libc::setpgid(child, child) };
            wait_for(child, reader, &mut log, limits, waiting)
        }
    }
}

/// Sets the limits and the environment of a new child.
fn enter_child(limits: Limits, log: Option<&File>) {
    // SAFETY: plain system calls on valid arguments.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() == 1 {
            libc::_exit(1);
        }
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            libc::signal(signal, libc::SIG_DFL);
        }
        lower_limit(libc::RLIMIT_CORE, 0);
        if let Some(bytes) = limits.memory_bytes {
            lower_limit(libc::RLIMIT_AS, bytes);
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        libc::dup2(null, 0);
        libc::dup2(null, 1);
        if let Some(log) = log {
            libc::dup2(log.as_raw_fd(), 2);
        }
    }
}

/// Lowers a resource limit to `value`, or leaves it unchanged if it is already lower.
///
/// # Safety
/// Changes the resources that this process may use; callers must be in a child.
pub(crate) unsafe fn lower_limit(resource: libc::__rlimit_resource_t, value: u64) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for both calls.
    unsafe {
        if libc::getrlimit(resource, &mut limit) == 0 {
            limit.rlim_cur = limit.rlim_cur.min(value);
            limit.rlim_max = limit.rlim_max.min(value);
            libc::setrlimit(resource, &limit);
        }
    }
}

/// Does the job on a thread with a large stack and turns its end into a message.
fn work<T: Serialize, F: FnOnce(&Reporter) -> Result<T> + Send>(reporter: &Reporter, job: F) -> Message {
    static PANIC: Mutex<String> = Mutex::new(String::new());
    // SAFETY: this process has one thread so far. Errors are not to capture backtraces: when memory runs out while one is captured, the
    // standard library waits for ever for a lock that it holds.
    unsafe { std::env::set_var("RUST_LIB_BACKTRACE", "0") };
    std::panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        if let Ok(mut text) = PANIC.lock() {
            *text = info.to_string();
        }
    }));
    let result = std::thread::scope(|scope| {
        let body = || -> Result<serde_json::Value> {
            let value = catch_unwind(AssertUnwindSafe(|| job(reporter)));
            let value = value.unwrap_or_else(|_| bail!("{}", PANIC.lock().map(|t| t.clone()).unwrap_or_default()))?;
            Ok(serde_json::to_value(value)?)
        };
        match std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body) {
            Ok(thread) => thread.join().unwrap_or_else(|_| bail!("the worker's thread panicked")),
            Err(error) => bail!("out of memory: {error}"),
        }
    });
    match result {
        Ok(value) => Message::Done(value),
        Err(error) if error.is::<UserError>() => Message::UserError(one_line(&format!("{error}"))),
        Err(error) => Message::Bug(one_line(&format!("{error:#}"))),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The parent's side: reads messages until the worker has finished, died, or exceeded its time.
fn wait_for<T: DeserializeOwned>(
    child: libc::pid_t,
    mut pipe: File,
    log: &mut File,
    limits: Limits,
    waiting: Waiting,
) -> Result<Run<T>> {
    let hard = limits.hard_timeout().map(|t| waiting.start + t);
    let spinner = waiting.spinner.then(|| spinner(limits.timeout, waiting.start));
    let (mut begun, mut parts): (Vec<(Phase, String, f64)>, Vec<Part>) = Default::default();
    let (mut pending, mut chunk) = (Vec::new(), vec![0u8; 1 << 16]);
    let mut ending = None;
    while ending.is_none() {
        let now = Instant::now();
        if interrupted() {
            ending = Some(Ending::Interrupted);
        } else if hard.is_some_and(|at| now >= at) {
            ending = Some(Ending::TimedOut);
        } else if readable(&pipe, hard.map(|at| at - now)) {
            let n = pipe.read(&mut chunk).unwrap_or(0);
            if n == 0 {
                break;
            }
            pending.extend_from_slice(&chunk[..n]);
            let whole = pending.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
            for line in pending.drain(..whole).collect::<Vec<u8>>().split(|&b| b == b'\n').filter(|l| !l.is_empty()) {
                match serde_json::from_slice(line)? {
                    Message::Phase { phase, detail, at_ms } => {
                        show(&spinner, &format!("{} {detail}", phase.name()));
                        begun.push((phase, detail, at_ms));
                    }
                    Message::Progress(text) => {
                        let (phase, detail) = begun.last().map_or(("", ""), |(p, detail, _)| (p.name(), detail));
                        let colon = if text.is_empty() { "" } else { ": " };
                        show(&spinner, &format!("{phase} {detail}{colon}{text}"));
                    }
                    Message::Ended(part) => parts.push(part),
                    Message::Done(value) => ending = Some(Ending::Finished(serde_json::from_value(value)?)),
                    Message::UserError(text) => ending = Some(Ending::UserError(text)),
                    Message::Bug(text) => ending = Some(bug_or_memory(text)),
                }
            }
        } else if let Some(spinner) = &spinner {
            tick(spinner);
        }
    }
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    let (status, usage) = reap(child, ending.is_some());
    let is_full = limits.memory_bytes.is_some_and(|limit| limit <= usage.ru_maxrss as u64 * 1024 + UNUSED_BYTES);
    let ending = ending.unwrap_or_else(|| Ending::Died(cause_of_death(status, log, is_full)));
    let wall_s = waiting.start.elapsed().as_secs_f64();
    Ok(Run {
        ending,
        phases: durations(begun, wall_s * 1e3),
        parts,
        cpu_s: cpu_seconds(&usage),
        rss_mb: usage.ru_maxrss as f64 / 1024.0,
        wall_s,
    })
}

/// Terminates what is left of the worker's process group and waits for the worker.
fn reap(child: libc::pid_t, kill_first: bool) -> (libc::c_int, libc::rusage) {
    let mut status = 0;
    // SAFETY: `rusage` is plain data, for which zeros are valid; system calls on valid arguments.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if kill_first {
            libc::kill(-child, libc::SIGKILL);
        }
        while libc::wait4(child, &mut status, 0, &mut usage) == -1
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
        libc::kill(-child, libc::SIGKILL);
        (status, usage)
    }
}

/// User and system time of a `rusage`, in seconds.
pub(crate) fn cpu_seconds(usage: &libc::rusage) -> f64 {
    let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn durations(begun: Vec<(Phase, String, f64)>, end_ms: f64) -> Vec<(Phase, String, f64)> {
    let ends: Vec<f64> = begun.iter().skip(1).map(|(.., at)| *at).chain([end_ms]).collect();
    begun.into_iter().zip(ends).map(|((phase, detail, at), end)| (phase, detail, end - at)).collect()
}

fn bug_or_memory<T>(text: String) -> Ending<T> {
    if speaks_of_memory(&text) { Ending::Died(Death::OutOfMemory) } else { Ending::Bug(text) }
}

fn speaks_of_memory(text: &str) -> bool {
    // Exceptions that pass from solvers in C++ to Rust are those of their allocator.
    const WORDS: [&str; 6] = [
        "memory allocation of",
        "out of memory",
        "bad_alloc",
        "cannot allocate memory",
        "allocation failed",
        "cannot catch foreign exceptions",
    ];
    let text = text.to_ascii_lowercase();
    WORDS.iter().any(|words| text.contains(words))
}

/// Why a worker died with `status`, having written `log`; `is_full` says whether it was close to its limit of memory.
fn cause_of_death(status: libc::c_int, log: &mut File, is_full: bool) -> Death {
    let mut bytes = Vec::new();
    let _ = log.seek(SeekFrom::Start(0)).and_then(|_| log.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    if speaks_of_memory(&text) {
        return Death::OutOfMemory;
    }
    if text.contains("overflowed its stack") {
        return Death::StackOverflow;
    }
    // Z3 and LLVM do not expect to get no memory everywhere.
    if is_full && libc::WIFSIGNALED(status) && [libc::SIGSEGV, libc::SIGABRT].contains(&libc::WTERMSIG(status)) {
        return Death::OutOfMemory;
    }
    let how = if libc::WIFSIGNALED(status) {
        match libc::WTERMSIG(status) {
            libc::SIGKILL => "killed from outside, perhaps for its use of memory".to_string(),
            libc::SIGSEGV => "segmentation fault".to_string(),
            libc::SIGABRT => "aborted".to_string(),
            signal => format!("signal {signal}"),
        }
    } else {
        format!("exit status {}", libc::WEXITSTATUS(status))
    };
    let said = text.lines().map(str::trim).find(|l| !l.is_empty());
    Death::Crash(said.map_or(how.clone(), |line| format!("{how}: {line}")))
}

/// A line with the time that has passed since `start`, of `timeout` if there is one, and what the worker is doing.
fn spinner(timeout: Option<Duration>, start: Instant) -> indicatif::ProgressBar {
    let bar = indicatif::ProgressBar::new(timeout.map_or(0, |t| t.as_secs().max(1)));
    let shown = if timeout.is_some() {
        "{spinner} [{bar:20}] {pos} of {len} s  {wide_msg}"
    } else {
        "{spinner} {pos} s  {wide_msg}"
    };
    if let Ok(style) = indicatif::ProgressStyle::with_template(shown) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_elapsed(start.elapsed())
}

/// Time for which a worker may be silent before a message on the terminal is worthwhile.
const QUIET: Duration = Duration::from_millis(300);
/// Time between two looks at what a worker is doing.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

fn show(spinner: &Option<indicatif::ProgressBar>, text: &str) {
    if let Some(spinner) = spinner {
        spinner.set_message(text.trim().to_string());
        tick(spinner);
    }
}

fn tick(spinner: &indicatif::ProgressBar) {
    if spinner.elapsed() > QUIET {
        spinner.set_position(spinner.elapsed().as_secs());
        spinner.tick();
    }
}

/// Waits until the pipe has data or has ended, for at most a tenth of a second or `at_most`.
fn readable(pipe: &File, at_most: Option<Duration>) -> bool {
    let wait = at_most.unwrap_or(Duration::MAX).min(Duration::from_millis(100));
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid `pollfd`.
    unsafe { libc::poll(&mut poll, 1, wait.as_millis() as libc::c_int + 1) > 0 }
}

fn pipe() -> std::io::Result<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: the array is valid, and on success both descriptors are fresh and owned by this function.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) == -1 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((File::from(OwnedFd::from_raw_fd(ends[0])), File::from(OwnedFd::from_raw_fd(ends[1]))))
    }
}

fn memory_file() -> std::io::Result<File> {
    // SAFETY: a fresh descriptor owned by this function.
    unsafe {
        match libc::memfd_create(c"kerf-worker-log".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => Err(std::io::Error::last_os_error()),
            fd => Ok(File::from(OwnedFd::from_raw_fd(fd))),
        }
    }
}
