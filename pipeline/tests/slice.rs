//! `kerf slice` from outside: criteria, explanations, the source with its lines marked.

use crate::support::kerf;
use expect_test::{Expect, expect};
use std::process::Command;

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

/// How the lines of `a.c` are marked, a character for each line.
fn marks(options: &[&str]) -> String {
    let answer = kerf(folder().path(), &[&["slice", "--annotate"], options, &["a.c"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.err);
    answer.out.lines().skip(1).filter_map(|line| line.chars().next()).collect()
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
    assert_eq!(marks(&["--criterion", "10:i"]), "   -- ++->-- ---- ");
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
fn what_a_criterion_may_affect() {
    assert_eq!(marks(&["--forward", "-c", "9:unrelated"]), "   -- +->--- -+++ ");
    check(
        &["--forward", "-c", "8:i", "--why", "14"],
        expect![[r#"
        a.c:8   int i = input();               the criterion: the value of i flows to a.c:11
        a.c:11  for (int k = 0; k < i; k++) {  decides whether a.c:12 is reached
        a.c:12  total += table[k & 3];         the value of total flows to a.c:14
        a.c:14  check(total);                  is affected
    "#]],
    );
    check(
        &["--forward", "-c", "8:i", "--why", "5"],
        expect![[r#"
        a.c:8   int i = input();           the criterion: the value of i flows to a.c:10
        a.c:10  table[i & 3] = twice(i);   is passed to twice, at a.c:4
        a.c:4   static int twice(int n) {  the value of n flows to a.c:5
        a.c:5   return n + n;              is affected
    "#]],
    );
    // A value before a line that does not use it.
    check(
        &["--forward", "-c", "14:unrelated", "--why", "17"],
        expect![[r#"
        a.c:14  check(total);       the criterion: the value of unrelated flows to a.c:15
        a.c:15  if (unrelated > 5)  decides whether a.c:16 is reached
        a.c:16  total = 0;          the value of total flows to a.c:17
        a.c:17  return total;       is affected
    "#]],
    );
    check(
        &["--forward", "-c", "8:i", "--why", "15"],
        expect![[r#"
        kerf: line 15 is not in the slice: the criterion affects nothing on it
        exit status 1
    "#]],
    );
    // The call of `twice` on line 10 affects nothing after the one on line 9, unless contexts are ignored.
    check(
        &["--forward", "-c", "main@10:twice()", "--context-sensitive", "on"],
        expect![[r#"
              43  cfa.edges
              45  cfa.locations
              29  cfa.variables
              16  slice.kept
              43  slice.live
        unsupported: nothing
    "#]],
    );
    check(
        &["--forward", "-c", "main@10:twice()", "--context-sensitive", "off"],
        expect![[r#"
              43  cfa.edges
              45  cfa.locations
              29  cfa.variables
              22  slice.kept
              43  slice.live
        unsupported: nothing
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
    assert!(!marks(&[]).contains(['+', '>']), "nothing is kept");
    check(
        &[],
        expect![[r#"
              43  cfa.edges
              45  cfa.locations
              29  cfa.variables
               0  slice.kept
               0  slice.live
        unsupported: nothing
        kerf: no call that violates the property can be executed, so the slice is empty; choose another criterion with --criterion
    "#]],
    );
}

/// Two arrays that pointer analysis cannot tell apart, and accesses of both at fixed places.
const MEMORY: &str = "\
extern int input(void);
int left[4], right[4];
int main(void) {
  int *p = input() ? left : right;
  p[input() & 3] = 1;
  left[0] = 2;
  right[0] = 3;
  left[1] = 4;
  int done = 0;
  return done;
}
";

/// Which lines of [`MEMORY`] are kept for a criterion.
fn kept_lines(criterion: &str) -> Vec<usize> {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("m.c"), MEMORY).expect("a file");
    let answer = kerf(dir.path(), &["slice", "-c", criterion, "--annotate", "m.c"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let kept = answer.out.lines().skip(1).enumerate().filter(|(_, line)| line.starts_with('+'));
    kept.map(|(i, _)| i + 1).collect()
}

#[test]
fn a_variable_in_memory_is_its_bytes() {
    assert_eq!(kept_lines("9:left"), [3, 4, 5, 6, 8]);
    assert_eq!(kept_lines("9:left[0]"), [3, 6]);
    assert_eq!(kept_lines("9:left[1]"), [3, 8]);
    assert_eq!(kept_lines("9:right"), [3, 4, 5, 7]);
    assert_eq!(kept_lines("9:right[3]"), [3, 4, 5]);
}

#[test]
fn a_page_shows_the_marks() {
    let dir = folder();
    let answer = kerf(dir.path(), &["slice", "-c", "check", "--html", "a.html", "--json", "a.c"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let page = std::fs::read_to_string(dir.path().join("a.html")).expect("a page");
    let data = page.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let data: serde_json::Value = serde_json::from_str(data.expect("data").0).expect("JSON");
    let rows = &data["details"]["sources"][0]["rows"];
    assert_eq!((&rows[13]["mark"], &rows[15]["mark"]), (&"criterion".into(), &"cut".into()));
    assert_eq!(rows[10]["text"], "  for (int k = 0; k < i; k++) {");
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

/// Two lists that one function makes: only where its call sites allocate objects of their own do the lists stay apart.
#[test]
fn lists_of_one_constructor_stay_apart() {
    let text = "\
#include <stdlib.h>
extern void check(int);
struct node { int v; struct node *next; };
struct node *make(int v, struct node *next) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = next;
  return n;
}
int main(void) {
  struct node *a = make(1, 0);
  struct node *b = make(2, 0);
  b->v += 1;
  check(a->v);
}
";
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.c"), text).expect("a file");
    let kept = |options: &[&str]| -> Vec<usize> {
        let answer = kerf(dir.path(), &[&["slice", "--annotate", "a.c", "--criterion"], options].concat());
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        let marked = answer.out.lines().filter(|l| l.starts_with(['+', '>']));
        marked.filter_map(|l| l.split_whitespace().nth(1)?.parse().ok()).collect()
    };
    assert_eq!(kept(&["check"]), [5, 6, 8, 10, 11, 14]);
    assert_eq!(kept(&["check", "--heap-context", "0"]), [4, 5, 6, 8, 10, 11, 12, 13, 14]);
    // A criterion in the function leaves it a function.
    assert_eq!(kept(&["make@6:v"]), [4, 6, 10, 11, 12]);
}

#[test]
fn what_an_undefined_function_may_change_it_may_also_leave() {
    let program = "\
extern int input(void);
extern void fill(int *), check(int);
int main(void) {
  int m = input();
  int n = input();
  fill(&m);
  check(m);
  return n;
}
";
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.c"), program).expect("a file");
    let answer = kerf(dir.path(), &["slice", "-c", "check", "--extern", "havoc", "--why", "4", "a.c"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    expect![[r#"
        a.c:4  int m = input();  the value of m flows to a.c:7
        a.c:7  check(m);         the criterion
    "#]]
    .assert_eq(&answer.out);
}

#[test]
fn files_match_however_they_are_written() {
    let dir = folder();
    for name in ["a.c:14", "./a.c:14", "/somewhere/a.c:14"] {
        let answer = kerf(dir.path(), &["slice", "-c", name, "a.c"]);
        assert_eq!(answer.code, 0, "{name}: {}", answer.err);
    }
    assert_eq!(kerf(dir.path(), &["slice", "-c", "/somewhere/b.c:14", "a.c"]).code, 1);
}

#[test]
fn what_cannot_be_written_is_said_in_a_line() {
    let dir = folder();
    for (option, path) in [("-o", "/dev/full"), ("--html", "/dev/full"), ("-o", "/"), ("--html", "/")] {
        let answer = kerf(dir.path(), &["slice", "-c", "check", option, path, "a.c"]);
        assert_eq!((answer.code, answer.err.lines().count()), (1, 1), "{option} {path}: {}", answer.err);
        assert!(answer.err.contains(&format!("{path}: cannot be written")), "{}", answer.err);
    }
}

#[test]
fn a_result_is_told_once() {
    check(
        &["--criterion", "ret", "--why", "16"],
        expect![[r#"
        a.c:16  total = 0;     the value of total flows to a.c:17
        a.c:17  return total;  is what main returns to the criterion
    "#]],
    );
}

#[test]
fn a_program_without_lines_has_no_source_to_mark() {
    let dir = folder();
    let clang = frontend_llvm::clang::find().expect("a clang");
    let done = Command::new(clang).args(["-c", "-emit-llvm", "a.c", "-o", "a.bc"]).current_dir(dir.path()).status();
    assert!(done.expect("clang runs").success());
    for option in [&["--annotate"][..], &["--why", "3"]] {
        let answer = kerf(dir.path(), &[&["slice", "-c", "check"], option, &["a.bc"]].concat());
        assert_eq!(answer.code, 1);
        assert_eq!(answer.err, "kerf: there are no line numbers; compile the program with -g\n");
    }
}

#[test]
fn what_may_call_a_criterion_unseen_is_named() {
    let dir = folder();
    let program = "\
#include <pthread.h>
extern void check(void);
static void init(void) { check(); }
int main(void) { return pthread_atfork(init, 0, 0); }
";
    std::fs::write(dir.path().join("b.c"), program).expect("a file");
    let answer = kerf(dir.path(), &["slice", "-c", "check", "b.c"]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.err.contains("what these may call: library function pthread_atfork has no model at b.c:4"),
        "{}",
        answer.err
    );
}

const DECLARED: &str = "extern void reach_error(void), exit(int), abort(void); extern int input(void);\n";

/// Where the program violates the property, its slice does: what undefined functions know, and what runs at the end, is as before.
#[test]
fn slices_keep_violations() {
    const HAVOC: &[&str] = &["--extern", "havoc"];
    let programs: [(&[&str], &str); 13] = [
        (HAVOC, "extern void keep(int *), run(void); int main(void) { int y = 1; keep(&y); y = 2; run(); if (y == 3) reach_error(); }"),
        (
            HAVOC,
            "struct n { struct n *next; int v; }; extern void keep(struct n *), run(void);
             int main(void) { struct n a = {0, 1}, b = {0, 1}; keep(&b); b.next = &a; run(); if (a.v != 1) reach_error(); }",
        ),
        (
            &[],
            "__attribute__((destructor)) static void at_end(void) { reach_error(); }
             void (*leave)(int) = exit; int main(void) { leave(3); for (;;); }",
        ),
        (&[], "__attribute__((destructor)) static void at_end(void) { reach_error(); } int main(void) { exit(0); }"),
        (
            &[],
            "static int g; __attribute__((destructor)) static void at_end(void) { if (g == 2) reach_error(); }
             static void quit(void) { exit(0); } int main(void) { g = 2; if (input()) quit(); g = 1; quit(); }",
        ),
        (
            &[],
            "__attribute__((destructor)) static void at_end(void) { reach_error(); }
             __attribute__((constructor)) static void at_start(void) { exit(1); } int main(void) {}",
        ),
        (&[], "__attribute__((constructor)) void reach_error(void) {} int main(void) {}"),
        (&[], "__attribute__((destructor)) void reach_error(void) {} int main(void) { if (input()) exit(0); abort(); }"),
        (
            &[],
            "static int g; __attribute__((constructor)) static void at_start(int n, char **texts) { g = 1; }
             int main(void) { if (g) reach_error(); }",
        ),
        (
            HAVOC,
            "extern void keep(const char *); extern const char *get(void);
             int main(void) { keep(\"abc\"); const char *p = get(); if (p && *p == 'a' && p[1] == 'b') reach_error(); }",
        ),
        (
            HAVOC,
            "static const int table[] = {1, 2}; extern void keep(const int *); extern const int *get(void);
             int main(void) { keep(table); if (get() == table + 1) reach_error(); }",
        ),
        (
            HAVOC,
            "static const int table[] = {1, 2}; extern void keep(const int *); extern const int *get(void);
             static void tell(int i) { keep(&table[i]); } void (*volatile teller)(int) = tell;
             int main(void) { teller(1); if (get() == table + 1) reach_error(); }",
        ),
        (
            HAVOC,
            "static void f(void) {} extern void keep(void (*)(void)); extern int same(void (*)(void));
             int main(void) { keep(f); if (same(f)) reach_error(); }",
        ),
    ];
    let dir = tempfile::tempdir().expect("a directory");
    for (options, text) in programs {
        std::fs::write(dir.path().join("a.c"), format!("{DECLARED}{text}")).expect("a file");
        let slice = kerf(dir.path(), &[&["slice", "-o", "slice.bc", "a.c"], options].concat());
        assert_eq!(slice.code, 0, "{}", slice.err);
        for file in ["a.c", "slice.bc"] {
            let answer = kerf(dir.path(), &[&["verify", file], options].concat());
            assert!(answer.out.contains("RESULT: false(unreach-call)"), "{file}: {}", answer.out);
        }
    }
}

/// Where a path cannot reach the target any more, the slice does not run what is registered for the end.
#[test]
fn slices_gain_no_violations() {
    let programs = [
        "extern int atexit(void (*)(void)); static int g; static void at_end(void) { if (!g) reach_error(); }
         int (*volatile at)(void (*)(void)) = atexit;
         int main(void) { int failed = at(at_end); if (input()) abort(); g = 1; return failed; }",
        "extern int atexit(void (*)(void)); static int g; static void at_end(void) { if (!g) reach_error(); }
         int main(void) { atexit(at_end); if (input()) abort(); g = 1; }",
        "__attribute__((destructor)) void reach_error(void) {} int main(void) { abort(); }",
    ];
    let dir = tempfile::tempdir().expect("a directory");
    for text in programs {
        std::fs::write(dir.path().join("a.c"), format!("{DECLARED}{text}")).expect("a file");
        let slice = kerf(dir.path(), &["slice", "-o", "slice.bc", "a.c"]);
        assert_eq!(slice.code, 0, "{}", slice.err);
        for file in ["a.c", "slice.bc"] {
            let answer = kerf(dir.path(), &["verify", file]);
            assert!(answer.out.contains("RESULT: true"), "{file}: {}", answer.out);
        }
    }
}

/// A function of the C library that is declared without its parameters still calls nothing back.
#[test]
fn library_functions_without_parameters_stay() {
    let text = "int lseek(); static int f(int n) { return n + 1; } static struct { int (*f)(int); } s = {f};
        int main(void) { if (lseek(&s, 0, 1) > s.f(2)) reach_error(); }";
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.c"), format!("{DECLARED}{text}")).expect("a file");
    let slice = kerf(dir.path(), &["slice", "-o", "slice.bc", "a.c"]);
    assert_eq!(slice.code, 0, "{}", slice.err);
    assert!(slice.out.contains("1  lseek is called as if it were of another type"), "{}", slice.out);
    assert!(std::fs::read(dir.path().join("slice.bc")).is_ok_and(|bytes| !bytes.is_empty()));
}

/// A slice is refused if it would lack functions that run without a call in the automaton.
#[test]
fn slices_that_lack_functions_are_refused() {
    const HAVOC: &[&str] = &["--extern", "havoc"];
    let programs: [(&[&str], &str, &str); 8] = [
        (
            &[],
            "static void f(double d) { if (d > 1) reach_error(); } int main(void) { ((void (*)(float))f)(2); }",
            "f is called as if it were of another type, which a slice cannot represent (a.c:2)",
        ),
        (
            &[],
            "static int g; __attribute__((constructor)) static void at_start(int n) { g = n; }
             int main(void) { if (g) reach_error(); }",
            "constructor or destructor: with parameters, which a slice cannot represent (a.c:2)",
        ),
        (
            &[],
            "static void f(void) { reach_error(); } int main(void) {}
             __attribute__((section(\".fini_array\"), used)) static void (*const run)(void) = f;",
            "something in section .fini_array, whose contents run before or after main, which a slice cannot represent",
        ),
        (
            &[],
            "static int n; extern void free(void *); extern char *strdup(const char *);
             void *malloc(unsigned long bytes) { n++; return 0; } int main(void) { strdup(\"\"); if (n) reach_error(); }",
            "which the program replaces, which a slice cannot represent",
        ),
        (
            HAVOC,
            "static void f(void) { reach_error(); } extern void keep(void (*)(void)), (*get(void))(void);
             int main(void) { keep(f); get()(); }",
            "indirect call that may leave the program and may call f, which a slice cannot represent (a.c:3)",
        ),
        (
            HAVOC,
            "static void f(void) { reach_error(); } static void known(void) {} extern void keep(void (*)(void)), (*get(void))(void);
             int main(void) { keep(f); (input() ? known : get())(); }",
            "indirect call that may leave the program and may call f, which a slice cannot represent (a.c:3)",
        ),
        (
            &[],
            "extern int on_exit(void (*)(int, void *), void *); static void f(int s, void *p) { reach_error(); }
             int main(void) { on_exit(f, 0); }",
            "library function on_exit has no model and may call f, which a slice cannot represent (a.c:3)",
        ),
        (
            &[],
            "extern void error_at_line(int, int, const char *, unsigned, const char *, ...);
             __attribute__((destructor)) static void at_end(void) { reach_error(); }
             int main(void) { error_at_line(1, 0, \"\", 1, \"\"); abort(); }",
            "library function error_at_line has no model and may run what is registered for the end, which a slice cannot represent (a.c:4)",
        ),
    ];
    let dir = tempfile::tempdir().expect("a directory");
    for (options, text, why) in programs {
        std::fs::write(dir.path().join("a.c"), format!("{DECLARED}{text}")).expect("a file");
        let slice = kerf(dir.path(), &[&["slice", "-o", "slice.bc", "a.c"], options].concat());
        assert_eq!(slice.code, 1, "{text}: {}", slice.out);
        assert!(slice.err.contains(why), "{text}: {}", slice.err);
    }
}

/// What a library function without a model is given may lead to functions; most library functions call none, some may.
#[test]
fn library_functions_call_back_only_if_they_may() {
    let dir = tempfile::tempdir().expect("a directory");
    let program = |call: &str| {
        format!(
            "#include <search.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             extern void reach_error(void); static int count; static void f(void) {{ count++; }}
             static struct {{ void (*f)(void); char text[24]; }} s = {{f, \"\"}};
             int main(void) {{
                 {call};
                 void (*g)(void) = (void (*)(void))getenv(\"HOOK\");
                 if (g && count > 5) g();
                 s.f();
                 if (count == 1) reach_error();
                 return 0;
             }}"
        )
    };
    for (call, code) in [("tmpnam(s.text)", 0), ("twalk(&s, (void *)f)", 1)] {
        std::fs::write(dir.path().join("a.c"), program(call)).expect("a file");
        let slice = kerf(dir.path(), &["slice", "-o", "slice.bc", "a.c"]);
        assert_eq!(slice.code, code, "{call}: {}", slice.err);
        assert_eq!(code == 1, slice.err.contains("twalk has no model and may call f"), "{call}: {}", slice.err);
    }
}

/// A function that the module has, but never calls, is no mistake: nothing is left.
#[test]
fn a_criterion_that_is_never_called_leaves_an_empty_slice() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = "extern int input(void); extern void check(int); void never(void) { check(1); }
        int main(void) { int x = input(); return x * x; }";
    std::fs::write(dir.path().join("a.c"), text).expect("a file");
    let slice = kerf(dir.path(), &["slice", "-c", "check", "-o", "slice.bc", "a.c"]);
    assert_eq!(slice.code, 0, "{}", slice.err);
    assert!(slice.err.contains("no call of check can be executed, so the slice is empty"), "{}", slice.err);
    assert!(slice.out.contains("instructions        11         1"), "{}", slice.out);
    let slice = kerf(dir.path(), &["slice", "-c", "chek", "-o", "slice.bc", "a.c"]);
    assert_eq!(slice.code, 1, "{}", slice.err);
}

/// A target that only ends the execution is declared, or keeps its body if that is wanted, also where it is called through a pointer.
#[test]
fn targets_that_only_end_are_declared() {
    let dir = tempfile::tempdir().expect("a directory");
    for text in [
        "void reach_error(void) { abort(); } int main(void) { reach_error(); }",
        "void reach_error(void) { abort(); } void (*volatile run)(void) = reach_error; int main(void) { run(); }",
    ] {
        let text = format!("extern void abort(void);\n{text}");
        std::fs::write(dir.path().join("a.c"), &text).expect("a file");
        for (option, left) in [(None, "declare void @reach_error"), (Some("--keep-ends"), "call void @abort")] {
            let mut arguments = vec!["slice", "-o", "slice.bc", "a.c"];
            arguments.extend(option);
            let slice = kerf(dir.path(), &arguments);
            assert_eq!(slice.code, 0, "{}", slice.err);
            let clang = frontend_llvm::clang::find().expect("a clang");
            let print = ["-w", "-S", "-emit-llvm", "slice.bc", "-o", "-"];
            let module = Command::new(clang).args(print).current_dir(dir.path()).output().expect("clang runs");
            let module = String::from_utf8_lossy(&module.stdout).into_owned();
            assert!(module.replace("dso_local ", "").contains(left), "{text}: {module}");
            let verified = kerf(dir.path(), &["verify", "slice.bc"]);
            assert!(verified.out.contains("RESULT: false(unreach-call)"), "{text}: {}", verified.out);
        }
    }
}

/// Copies of allocating functions, and what ends cut executions, may be larger than what was cut away. The program is its own slice then.
#[test]
fn no_slice_is_larger_than_its_program() {
    let make = "struct node { int a, b, c, d; struct node *next; };
        static struct node *make(int a, int b, int c, int d, struct node *next) {
            struct node *n = malloc(sizeof *n);
            n->a = a; n->b = b; n->c = c; n->d = d; n->next = next;
            return n;
        }";
    let nodes: String = (0..12).map(|i| format!("n = make(x, x + {i}, x * {i}, {i}, n);")).collect();
    let copies = format!(
        "{make} int main(void) {{ int x = input(); struct node *n = 0; {nodes}
        while (n) {{ check(n->a + n->b + n->c + n->d); n = n->next; }} }}"
    );
    let at_exit = "static void fail(void) { reach_error(); }
        int main(void) { if (input() == 1) atexit(fail); exit(0); }";
    let dir = tempfile::tempdir().expect("a directory");
    for (program, criterion) in [(copies.as_str(), &["-c", "check"][..]), (at_exit, &[])] {
        let text = format!(
            "#include <stdlib.h>\nextern int input(void); extern void check(int), reach_error(void);\n{program}"
        );
        std::fs::write(dir.path().join("a.c"), text).expect("a file");
        let slice = kerf(dir.path(), &[&["slice", "-o", "slice.bc", "a.c"], criterion].concat());
        assert_eq!(slice.code, 0, "{}", slice.err);
        let row = slice.out.lines().find(|line| line.starts_with("instructions")).expect("a row");
        let sizes: Vec<usize> = row.split_whitespace().skip(1).take(2).map(|n| n.parse().expect("a size")).collect();
        assert!(sizes[1] <= sizes[0], "{program}: {row}");
    }
}
