//! A second SMT solver, an external program, that repeats queries which the first solver found unsatisfiable.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::process::{self, Ended};
use crate::worker::UserError;

/// A second solver's results for the queries.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Second {
    /// The solver.
    pub solver: String,
    /// Number of queries that it found unsatisfiable too.
    pub confirmed: usize,
    /// Queries that it found satisfiable.
    pub refuted: Vec<PathBuf>,
    /// Queries without an answer, each with the reason.
    pub open: Vec<(PathBuf, String)>,
    /// Its wall-clock time in seconds.
    pub wall_s: f64,
}

impl Second {
    /// Number of queries that it was asked.
    pub fn asked(&self) -> usize {
        self.confirmed + self.refuted.len() + self.open.len()
    }

    /// The counts, as text.
    pub fn summary(&self) -> String {
        let counts = format!("{} of {} queries confirmed", self.confirmed, self.asked());
        match self.open.first() {
            None => counts,
            Some((_, reason)) => format!("{counts}, {} left open: {reason}", self.open.len()),
        }
    }
}

/// Another solver and its limits.
#[derive(Debug, Clone)]
pub struct SecondSolver {
    /// A program that takes the name of an SMT-LIB file and prints `sat`, `unsat` or `unknown`.
    pub program: PathBuf,
    /// Limit on the wall-clock time of one query.
    pub query_timeout: Duration,
    /// Time at which all queries must have ended.
    pub deadline: Option<Instant>,
    /// Address space in bytes.
    pub memory_bytes: u64,
}

impl SecondSolver {
    /// The solver `program`: a file, or a name to look up in `PATH`.
    ///
    /// # Errors
    /// There is no such program.
    pub fn new(program: &Path, query_timeout: Duration) -> Result<SecondSolver, UserError> {
        let program = find(program).ok_or_else(|| UserError(format!("{}: no such program", program.display())))?;
        Ok(SecondSolver { program, query_timeout, deadline: None, memory_bytes: u64::MAX })
    }

    /// Asks the solver each of `queries`; `None` if the user interrupted it.
    pub fn ask(&self, queries: &[PathBuf]) -> Result<Option<Second>> {
        let mut second = Second { solver: self.program.display().to_string(), ..Second::default() };
        for query in queries {
            let left = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let time = left.map_or(self.query_timeout, |left| left.min(self.query_timeout));
            if time.is_zero() {
                second.open.push((query.clone(), "no time left".into()));
                continue;
            }
            let mut command = Command::new(&self.program);
            command.arg(query);
            let ended = match process::run(command, time, self.memory_bytes) {
                Ok(Some(ended)) => ended,
                Ok(None) => return Ok(None),
                Err(error) => {
                    return Err(UserError(format!("{}: {:#}", self.program.display(), error.root_cause())).into());
                }
            };
            second.wall_s += ended.wall_s;
            match answer(&ended) {
                Ok(true) => second.refuted.push(query.clone()),
                Ok(false) => second.confirmed += 1,
                Err(reason) => second.open.push((query.clone(), reason)),
            }
        }
        Ok(Some(second))
    }
}

/// Whether the query is satisfiable, or why there is no answer. Exit statuses are ignored: some solvers end with 10 and 20.
fn answer(ended: &Ended) -> Result<bool, String> {
    // Some solvers print a lot; this is the maximum number of characters shown.
    const SHOWN: usize = 200;
    if ended.killed {
        return Err("timeout".into());
    }
    if let Some(signal) = ended.status.signal() {
        return Err(format!("it was killed by signal {signal}"));
    }
    let lines = || ended.output.lines().map(str::trim).filter(|l| !l.is_empty());
    // After an error, the answer may belong to another question.
    let is_error = |l: &&str| l.trim_start_matches('(').to_ascii_lowercase().starts_with("error");
    if let Some(error) = lines().find(is_error) {
        return Err(error.chars().take(SHOWN).collect());
    }
    match lines().find(|l| ["sat", "unsat", "unknown"].contains(l)) {
        Some("sat") => Ok(true),
        Some("unsat") => Ok(false),
        Some(_) => Err("unknown".into()),
        None => {
            let said = lines().next_back().unwrap_or("nothing");
            Err(format!("it gives no answer; its output ends with: {}", said.chars().take(SHOWN).collect::<String>()))
        }
    }
}

/// The file that a shell would execute.
fn find(program: &Path) -> Option<PathBuf> {
    let runs = |p: &PathBuf| p.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    if program.components().count() > 1 {
        return Some(program.to_path_buf()).filter(runs);
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the meaning of the output `text` together with the exit status `status`.
    fn check(text: &str, status: i32, expected: Result<bool, &str>) {
        let status = std::process::ExitStatus::from_raw(status);
        let output = text.to_string();
        let ended = Ended { status, killed: false, wall_s: 0.0, cpu_s: 0.0, rss_mb: 0.0, output };
        match (answer(&ended), expected) {
            (Err(reason), Err(part)) => assert!(reason.contains(part), "{text}: {reason}"),
            (got, expected) => assert_eq!(got, expected.map_err(str::to_string), "{text}"),
        }
    }

    #[test]
    fn only_plain_answers_count() {
        let exit = |code: i32| code << 8;
        check("unsat\n", 0, Ok(false));
        check("unsat\n", exit(20), Ok(false));
        check("c a comment\nsat\n", exit(10), Ok(true));
        check("unknown\n", 0, Err("unknown"));
        check("(error \"line 3: unknown constant s0\")\nunsat\n", exit(1), Err("unknown constant s0"));
        check("unsat\n", 11, Err("signal 11"));
        check("", 0, Err("ends with: nothing"));
        check("unsatisfiable\n", 0, Err("ends with: unsatisfiable"));
    }
}
