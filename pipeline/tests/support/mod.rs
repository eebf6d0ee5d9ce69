//! The binary from outside: what the tests of its commands share.

pub(crate) mod browser;

use std::path::Path;
use std::process::Command;

/// What a run of `kerf` said.
pub(crate) struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs `kerf` with these arguments in `dir`.
pub(crate) fn kerf(dir: &Path, args: &[&str]) -> Answer {
    let output = Command::new(env!("CARGO_BIN_EXE_kerf")).args(args).current_dir(dir).output().expect("kerf runs");
    Answer {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    dir
}

/// Bad input: one line on standard error that contains `expected`, nothing on standard output, exit status 1.
pub(crate) fn check_bad(files: &[(&str, &str)], args: &[&str], expected: &str) {
    let dir = folder(files);
    let answer = kerf(dir.path(), args);
    assert_eq!(answer.code, 1, "{args:?}: {} {}", answer.out, answer.err);
    assert_eq!(answer.out, "", "{args:?}");
    assert_eq!(answer.err.lines().count(), 1, "{args:?}: {}", answer.err);
    assert!(answer.err.contains(expected), "{args:?}: {}", answer.err);
}

/// A program.
pub(crate) const MAIN: (&str, &str) = ("a.c", "int main(void) { return 0; }\n");

/// Counts with a loop bound of its own; the first line's number is the bound.
pub(crate) const LOOP: (&str, &str) = (
    "loop.c",
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    int sum = 0;\n    \
     for (int i = 0; i < 5; i++) sum += __VERIFIER_nondet_int() > 0;\n    if (sum > 5) reach_error();\n    return 0;\n}\n",
);
