//! `kerf slice` from outside: criteria, explanations, the source with its lines marked.

use expect_test::{Expect, expect};
use std::path::Path;
use std::process::Command;

struct Answer {
    code: i32,
    out: String,
    err: String,
}

/// Runs `kerf` with these arguments in `dir`.
fn kerf(dir: &Path, args: &[&str]) -> Answer {
    let output = Command::new(env!("CARGO_BIN_EXE_kerf")).args(args).current_dir(dir).output().expect("kerf runs");
    Answer {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

const PROGRAM: &str = "\
extern int input(void);
extern void check(int);
int total, table[4];
static int twice(int n) {
  return n + n;
}
int main(void) {
  int i = input();
  int unrelated = twice(3);
  table[i & 3] = twice(i);
  for (int k = 0; k < i; k++) {
    total += table[k & 3];
  }
  check(total);
  if (unrelated > 5)
    total = 0;
  return total;
}
";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.c"), PROGRAM).expect("a file");
    dir
}

/// What `kerf slice OPTIONS a.c` prints on both streams.
fn check(options: &[&str], expected: Expect) {
    let answer = kerf(folder().path(), &[&["slice"], options, &["a.c"]].concat());
    let code = if answer.code == 0 { String::new() } else { format!("exit status {}\n", answer.code) };
    expected.assert_eq(&format!("{}{}{code}", answer.out, answer.err));
}

#[test]
fn lines_are_marked() {
    check(&["--criterion", "check", "--annotate"], expect![[""]]);
    check(&["--criterion", "10:i", "--annotate"], expect![[""]]);
}

#[test]
fn the_chain_to_the_criterion_is_told() {
    check(&["-c", "check", "--why", "10"], expect![[""]]);
    check(&["-c", "check", "--why", "a.c:5"], expect![[""]]);
    check(&["-c", "17:total", "--why", "9"], expect![[""]]);
    check(&["-c", "check", "--why", "16"], expect![[""]]);
    check(&["-c", "check", "--why", "3"], expect![[""]]);
}

#[test]
fn what_matches_nothing_is_an_error() {
    check(&["--criterion", "chek"], expect![[""]]);
    check(&["--criterion", "13"], expect![[""]]);
    check(&["--criterion", "10:j"], expect![[""]]);
    check(&["--annotate"], expect![[""]]);
}

#[test]
fn a_page_shows_the_marks() {
    let dir = folder();
    let answer = kerf(dir.path(), &["slice", "-c", "check", "--html", "a.html", "--json", "a.c"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let page = std::fs::read_to_string(dir.path().join("a.html")).expect("a page");
    for part in ["<h1>Slice for check</h1>", "class=\"criterion\" id=\"a.c:14\"", "class=\"cut\" id=\"a.c:16\""] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("for (int k = 0; k &#60; i; k++)"), "{page}");
    let report: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!((&report["criteria"], &report["sources"][0]["rows"][13]["mark"]), (&1.into(), &"criterion".into()));
}
