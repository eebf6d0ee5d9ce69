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
    check(
        &["--criterion", "check", "--annotate"],
        expect![[r#"
            a.c
                  1  extern int input(void);
                  2  extern void check(int);
                  3  int total, table[4];
            +     4  static int twice(int n) {
            +     5    return n + n;
                  6  }
            +     7  int main(void) {
            +     8    int i = input();
            -     9    int unrelated = twice(3);
            +    10    table[i & 3] = twice(i);
            +    11    for (int k = 0; k < i; k++) {
            +    12      total += table[k & 3];
                 13    }
            >    14    check(total);
            -    15    if (unrelated > 5)
            -    16      total = 0;
            -    17    return total;
                 18  }
        "#]],
    );
    check(
        &["--criterion", "10:i", "--annotate"],
        expect![[r#"
            a.c
                  1  extern int input(void);
                  2  extern void check(int);
                  3  int total, table[4];
            -     4  static int twice(int n) {
            -     5    return n + n;
                  6  }
            +     7  int main(void) {
            +     8    int i = input();
            -     9    int unrelated = twice(3);
            >    10    table[i & 3] = twice(i);
            -    11    for (int k = 0; k < i; k++) {
            -    12      total += table[k & 3];
                 13    }
            -    14    check(total);
            -    15    if (unrelated > 5)
            -    16      total = 0;
            -    17    return total;
                 18  }
        "#]],
    );
}

#[test]
fn the_chain_to_the_criterion_is_told() {
    check(
        &["-c", "check", "--why", "10"],
        expect![[r#"
        a.c:10  table[i & 3] = twice(i);  what is stored in table flows to a.c:12
        a.c:12  total += table[k & 3];    the value of total flows to a.c:14
        a.c:14  check(total);             the criterion
    "#]],
    );
    check(
        &["-c", "check", "--why", "a.c:5"],
        expect![[r#"
        a.c:5   return n + n;             is what twice returns to a.c:10
        a.c:10  table[i & 3] = twice(i);  what is stored in table flows to a.c:12
        a.c:12  total += table[k & 3];    the value of total flows to a.c:14
        a.c:14  check(total);             the criterion
    "#]],
    );
    check(
        &["-c", "17:total", "--why", "9"],
        expect![[r#"
        a.c:9   int unrelated = twice(3);  the value of unrelated flows to a.c:15
        a.c:15  if (unrelated > 5)         decides whether a.c:16 is reached
        a.c:16  total = 0;                 the value of total flows to a.c:17
        a.c:17  return total;              the criterion
    "#]],
    );
    check(
        &["-c", "check", "--why", "16"],
        expect![[r#"
        kerf: line 16 is not in the slice: nothing on it matters to the criterion
        exit status 1
    "#]],
    );
    check(
        &["-c", "check", "--why", "3"],
        expect![[r#"
        kerf: line 3 has no code that can be executed
        exit status 1
    "#]],
    );
}

#[test]
fn what_matches_nothing_is_an_error() {
    check(
        &["--criterion", "chek"],
        expect![[r#"
        kerf: criterion 'chek': no call of chek can be executed; functions called: check, input, twice
        exit status 1
    "#]],
    );
    check(
        &["--criterion", "13"],
        expect![[r#"
        kerf: criterion '13': line 13 has no code that can be executed; the lines nearest to it: 9, 10, 11, 12, 14, 15, 16, 17
        exit status 1
    "#]],
    );
    check(
        &["--criterion", "10:j"],
        expect![[r#"
        kerf: criterion '10:j': no variable j on line 10; variables there: i, k, table, total, unrelated
        exit status 1
    "#]],
    );
    check(
        &["--annotate"],
        expect![[r#"
        a.c
              1  extern int input(void);
              2  extern void check(int);
              3  int total, table[4];
        -     4  static int twice(int n) {
        -     5    return n + n;
              6  }
        -     7  int main(void) {
        -     8    int i = input();
        -     9    int unrelated = twice(3);
        -    10    table[i & 3] = twice(i);
        -    11    for (int k = 0; k < i; k++) {
        -    12      total += table[k & 3];
             13    }
        -    14    check(total);
        -    15    if (unrelated > 5)
        -    16      total = 0;
        -    17    return total;
             18  }
        kerf: no call that violates the property can be executed, so the slice is empty; --criterion names another
    "#]],
    );
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

#[test]
fn what_is_never_called_is_cut() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = "void check(int);\nint idle(int x) {\n  return x + 1;\n}\nint main(void) {\n  check(3);\n}\n";
    std::fs::write(dir.path().join("b.c"), text).expect("a file");
    let answer = kerf(dir.path(), &["slice", "-c", "check", "--annotate", "b.c"]);
    expect![[r#"
        b.c
              1  void check(int);
              2  int idle(int x) {
        -     3    return x + 1;
              4  }
        +     5  int main(void) {
        >     6    check(3);
              7  }
    "#]]
    .assert_eq(&answer.out);
}
