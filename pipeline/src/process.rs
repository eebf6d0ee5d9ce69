//! Runs other programs under limits. Each has its own process group, which ends with it, and its resource use is measured.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::worker::{cpu_seconds, interrupted, lower_limit};

/// How a program ended, and what it used.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; meaningless if the program was killed.
    pub status: ExitStatus,
    /// Whether it exceeded its time.
    pub killed: bool,
    /// Wall-clock time in seconds.
    pub wall_s: f64,
    /// CPU time of the program and its children, in seconds.
    pub cpu_s: f64,
    /// Maximum resident memory of the program or a child, in MiB.
    pub rss_mb: f64,
    /// Its output on both streams.
    pub output: String,
}

/// Runs a program to its end, for at most `timeout`, with `memory_bytes` of address space; `None` if the user interrupted it.
///
/// # Errors
/// The program cannot be started, or its output cannot be kept in a temporary file.
pub fn run(mut command: Command, timeout: Duration, memory_bytes: u64) -> Result<Option<Ended>> {
    let mut output = tempfile::tempfile().context("cannot make a temporary file")?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?).process_group(0);
    // SAFETY: only system calls between fork and exec.
    unsafe {
        command.pre_exec(move || {
            lower_limit(libc::RLIMIT_AS, memory_bytes);
            lower_limit(libc::RLIMIT_CORE, 0);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
    let start = Instant::now();
    let program = command.get_program().to_os_string();
    let child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
    let pid = child.id() as libc::pid_t;
    // SAFETY: plain data, for which zeros are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let (mut status, mut killed) = (0, false);
    // SAFETY: system calls on this process's own child, which nothing else waits for, and on valid arguments.
    unsafe {
        while libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) == 0 {
            if interrupted() || start.elapsed() > timeout {
                killed = true;
                libc::kill(-pid, libc::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        libc::kill(-pid, libc::SIGKILL);
    }
    if interrupted() {
        return Ok(None);
    }
    Ok(Some(Ended {
        status: ExitStatus::from_raw(status),
        killed,
        wall_s: start.elapsed().as_secs_f64(),
        cpu_s: cpu_seconds(&usage),
        rss_mb: usage.ru_maxrss as f64 / 1024.0,
        output: read_back(&mut output)?,
    }))
}

fn read_back(output: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    output.seek(SeekFrom::Start(0))?;
    output.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
