//! What one can keep of a counterexample: its path as a C program, and a unit test of the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{folder, kerf};

/// Compiles a C file with all warnings, which must be none, and runs it.
fn run(dir: &Path, file: &str) -> Output {
    let clang = frontend_llvm::clang::find().expect("clang");
    let mut command = Command::new(clang);
    command.args(["-Wall", "-Wextra", "-o", "compiled", file, "-lm"]);
    let compiled = command.current_dir(dir).output().expect("clang runs");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success() && said.is_empty(), "{file}: {said}");
    Command::new(dir.join("compiled")).current_dir(dir).output().expect("a program")
}

/// Whether a program aborted.
fn aborted(output: &Output) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&output.status) == Some(libc::SIGABRT)
}

/// The path of the counterexample of `file`, which must be feasible; and what kerf printed.
fn path_of(dir: &Path, file: &Path, options: &[&str]) -> (String, String) {
    let file = file.to_str().expect("a name");
    let answer = kerf(dir, &[&["verify", "--timeout", "60s", "--output", "out"], options, &[file]].concat());
    assert_eq!(answer.code, 10, "{file}: {}{}", answer.out, answer.err);
    let out = dir.join("out");
    let text = std::fs::read_to_string(out.join("path.c")).unwrap_or_else(|_| panic!("{file}: {}", answer.out));
    let ran = run(&out, "path.c");
    assert!(aborted(&ran), "{file}: {}\n{text}", String::from_utf8_lossy(&ran.stderr));
    (text, answer.out)
}

/// Programs with all that a path may have: memory, floats, recursion, bit-fields, strings, wide numbers.
#[test]
fn paths_are_programs_that_abort() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let names = [
        "array_symbolic_index_false",
        "bitfields_false",
        "bytes_of_an_int_false",
        "assume_after_error_false",
        "aliasing_false",
        "bubble_sort_false",
        "buffer_handed_over_false",
        "builtin_bits_false",
        "characters_false",
        "assert_macro_false",
    ];
    for name in names {
        let dir = tempfile::tempdir().expect("a directory");
        path_of(dir.path(), &programs.join(format!("{name}.c")), &[]);
    }
}

const HEAD: &str = "extern void reach_error(void);\nextern int input(void);\nextern double real(void);\nextern float small(void);\n\
                    extern long long wide(void);\nextern unsigned char byte(void);\n";

fn path_of_text(text: &str) -> (String, String) {
    path_of_text_by(text, &[])
}

fn path_of_text_by(text: &str, options: &[&str]) -> (String, String) {
    let dir = folder(&[("a.c", &format!("{HEAD}{text}"))]);
    path_of(dir.path(), &dir.path().join("a.c"), options)
}

#[test]
fn arithmetic_is_that_of_the_program() {
    path_of_text(
        "int main(void) {\n  int a = input(), b = input();\n  long long w = wide();\n  unsigned char c = byte();\n  \
         if (b == 0 || b == -1 || c < 3 || c > 7) return 0;\n  \
         if (a / b == -7 && a % b == -2 && (w >> c) == -5 && (short)a < -100 && (unsigned)a >> c > 1000 && (signed char)w > 7)\n    \
         reach_error();\n}\n",
    );
    path_of_text(
        "int main(void) {\n  __int128 x = wide();\n  x = x * x * 3 - 7;\n  if (x > ((__int128)1 << 70) && x % 11 == 4)\n    reach_error();\n}\n",
    );
    path_of_text(
        "struct s { unsigned a : 3; int b : 13; };\nint main(void) {\n  struct s s = {input(), input()};\n  \
                  if (s.a == 5 && s.b < -4000)\n    reach_error();\n}\n",
    );
}

#[test]
fn floats_are_those_of_the_processor() {
    let (text, _) = path_of_text_by(
        "#include <math.h>\nint main(void) {\n  double x = real();\n  float y = small();\n  long double z = (long double)x * 3;\n  \
         if (x > 1.5 && x < 1e10 && sqrt(x) < 3 && y / 3 > 2.5f && (int)(x * 100) == 321 && floorf(y) == 9 && z > 9)\n    \
         reach_error();\n}\n",
        &["--strategy", "imc"],
    );
    assert!(text.contains("1.5 <") && text.contains("to_f64("), "{text}");
}

#[test]
fn each_activation_has_its_own_variables() {
    let (text, _) = path_of_text(
        "int sum(int n) {\n  int x = input();\n  if (n <= 0) return 0;\n  int rest = sum(n - 1);\n  return x + rest;\n}\n\
         int main(void) {\n  if (sum(3) == 1234)\n    reach_error();\n}\n",
    );
    assert!(text.contains("x_2"), "{text}");
}

#[test]
fn memory_is_a_table() {
    let (text, _) = path_of_text(
        "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  unsigned n = byte();\n  if (n < 9 || n > 20) return 0;\n  \
         char *a = malloc(n), *b = malloc(n);\n  memset(a, byte(), n);\n  a[n - 1] = 5;\n  memcpy(b, a, n);\n  int i = input();\n  \
         if (i < 0 || i >= (int)n) return 0;\n  if (b[i] == 5 && b[n - 2] == 17 && i % 5 == 2)\n    reach_error();\n}\n",
    );
    assert!(text.contains("load(&"), "{text}");
}

/// A program that was changed so that its path is another one is no path.
#[test]
fn an_infeasible_path_does_not_abort() {
    let dir = folder(&[(
        "a.c",
        &format!("{HEAD}int main(void) {{\n  int x = input();\n  if (x == 42)\n    reach_error();\n}}\n"),
    )]);
    let (text, out) = path_of(dir.path(), &dir.path().join("a.c"), &[]);
    assert!(out.contains("path in C") && text.contains("42u"), "{out}{text}");
    assert!(text.contains("// a.c:9: if (x == 42)") || text.contains("a.c:9: if (x == 42)"), "{text}");
    std::fs::write(dir.path().join("changed.c"), text.replacen("= 42u", "= 43u", 1)).expect("a file");
    let ran = run(dir.path(), "changed.c");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{said}\n{text}");
    assert!(said.contains("does not hold"), "{said}");
}

/// What C cannot express is said in the file and beside the answer.
#[test]
fn what_c_cannot_express_is_said() {
    let (text, out) = path_of_text(
        "int main(void) {\n  __bf16 x = (__bf16)small();\n  int y = input();\n  if (x + x > (__bf16)3 && y == 5)\n    reach_error();\n}\n",
    );
    assert!(text.contains("C cannot express"), "{text}");
    assert!(out.contains("Note: C cannot express"), "{out}");
}

#[test]
fn long_executions_have_no_path_in_c() {
    let text = "int main(void) {\n  int s = 0;\n  for (int i = 0; i < 100000; i++) s += i & 3;\n  if (s > 5 && input() == 7)\n    reach_error();\n}\n";
    let dir = folder(&[("a.c", &format!("{HEAD}{text}"))]);
    let answer = kerf(dir.path(), &["verify", "--output", "out", "a.c"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("Note: there is no path.c, because the execution has "), "{}", answer.out);
    assert!(!dir.path().join("out/path.c").exists());
}

/// The unit test of `a.c` that kerf writes in `dir`.
fn unit_test(dir: &Path, options: &[&str]) -> String {
    let answer = kerf(dir, &[&["verify", "--unit-test", "tests/test_a.c"], options, &["a.c"]].concat());
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("unit test  tests/test_a.c"), "{}", answer.out);
    std::fs::read_to_string(dir.join("tests/test_a.c")).expect("a test")
}

/// Builds and runs a test as its comment says, with clang in the place of `cc`.
fn passes(dir: &Path, text: &str) -> bool {
    let command = text.lines().find_map(|line| line.strip_prefix(" *     ")).expect("a command");
    let clang = frontend_llvm::clang::find().expect("clang");
    let (build, run) = command.strip_prefix("cc").and_then(|rest| rest.split_once(" && ")).expect("two commands");
    let dir: PathBuf = dir.join("tests");
    let shell =
        |command: String| Command::new("sh").args(["-c", &command]).current_dir(&dir).output().expect("a shell");
    let built = shell(format!("{}{build}", clang.display()));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    shell(run.to_string()).status.success()
}

/// A test fails on the program, and passes once it is mended.
fn check_test(buggy: &str, mended: (&str, &str), options: &[&str]) -> String {
    let dir = folder(&[("a.c", buggy)]);
    let text = unit_test(dir.path(), options);
    assert!(!passes(dir.path(), &text), "{text}");
    assert!(buggy.contains(mended.0));
    std::fs::write(dir.path().join("a.c"), buggy.replace(mended.0, mended.1)).expect("a file");
    assert!(passes(dir.path(), &text), "{text}");
    text
}

#[test]
fn a_unit_test_fails_until_the_program_is_mended() {
    let text = check_test(
        &format!(
            "{HEAD}int main(void) {{\n  int x = input();\n  long long w = wide();\n  if (x == -5 && w == 7)\n    reach_error();\n  return 0;\n}}\n"
        ),
        ("x == -5", "x == -5 && x > 0"),
        &[],
    );
    assert!(text.contains("#include \"../a.c\"") && text.contains("{-5}") && text.contains("{7LL}"), "{text}");
    // The program asks for more inputs than the counterexample has, or ends itself.
    let buggy = format!(
        "{HEAD}#include <stdlib.h>\nint main(void) {{\n  int x = input();\n  if (x == 3)\n    reach_error();\n  return 0;\n}}\n"
    );
    for mended in ["exit(1);", "abort();", "while (input() != 4);", "return 7;", "_Exit(1);", "__builtin_trap();"] {
        check_test(&buggy, ("reach_error();", mended), &[]);
    }
}

#[test]
fn a_unit_test_has_arguments_variables_and_standard_input() {
    let buggy = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    char line[8];
    const char *mode = getenv("MODE");
    if (argc != 2 || strcmp(argv[1], "\"?") != 0 || !mode || strcmp(mode, "on") != 0 || !fgets(line, 8, stdin))
        return 0;
    argv[1][1] = 0;
    if (strcmp(line, "go\n") == 0 && !argv[1][1])
        reach_error();
    return 0;
}
"#;
    let text = check_test(buggy, ("\"go", "\"no"), &[]);
    assert!(
        text.contains(r#"{(char[]){"program"}, (char[]){"\"\?"}, 0}"#)
            && text.contains(r#"kerf_set("MODE", "on", 1);"#),
        "{text}"
    );
    let dir = folder(&[("a.c", &buggy.replace("stdin", "fopen(\"f\", \"r\")"))]);
    let answer = kerf(dir.path(), &["verify", "--unit-test", "t.c", "a.c"]);
    assert!(answer.out.contains("no unit test, because the program reads files"), "{}", answer.out);
}

/// The program may end its process in another file, or by a failed assertion, and its names and macros may be any.
#[test]
fn a_unit_test_passes_however_the_program_ends() {
    let program = format!(
        "{HEAD}#include <assert.h>\n#include <stdlib.h>\n#define next wide\n#define value (\n#define violated 1 +\nvoid give_up(void);\n\
         int program_main(void) {{ return 3; }}\nstatic int path_left(int kept) {{ return kept; }}\n\
         int main(void) {{\n  if (path_left(input()) == program_main())\n    reach_error();\n  return 0;\n}}\n"
    );
    let other = "#include <stdlib.h>\n#include <unistd.h>\nvoid give_up(void) { quick_exit(1); }\n";
    for mended in ["assert(0);", "give_up();", "atexit(give_up);"] {
        let dir = folder(&[("a.c", &program), ("b.c", other)]);
        let text = unit_test(dir.path(), &["b.c"]);
        assert!(!passes(dir.path(), &text), "{text}");
        std::fs::write(dir.path().join("a.c"), program.replace("reach_error();", mended)).expect("a file");
        assert!(passes(dir.path(), &text), "{mended}: {text}");
    }
}

#[test]
fn whoever_defines_the_error_the_test_fails() {
    for error in [
        "void reach_error(void) {}",
        "static void reach_error(void) { for (;;) ; }",
        "#include <assert.h>\nvoid reach_error(void) { assert(0); }",
    ] {
        let text = format!(
            "{error}\nextern int input(void);\nint main(void) {{\n  if (input() == 9)\n    reach_error();\n  return 0;\n}}\n"
        );
        check_test(&text, ("== 9", "== 9 && 0"), &[]);
    }
    // Signed numbers wrap around in the test, too.
    let text =
        format!("{HEAD}int main(void) {{\n  int n = input();\n  if (n + 1 < n)\n    reach_error();\n  return 0;\n}}\n");
    assert!(check_test(&text, ("n + 1 < n", "n == 2147483647 && n == 4"), &[]).contains(" -fwrapv "));
    let text =
        "#include <assert.h>\nextern double real(void);\nint main(void) {\n  assert(real() != 2.5);\n  return 0;\n}\n";
    check_test(text, ("!= 2.5", "!= 2.5 || 1"), &[]);
    let text = "extern void __VERIFIER_assume(int);\nvoid __CPROVER_assert(_Bool, const char *);\nunsigned nondet_uint();\nint main(int argc, char **argv) {\n  \
                unsigned n = nondet_uint();\n  __VERIFIER_assume(n < 9);\n  __CPROVER_assert(n * n != 49 || argc != 3, \"no\");\n}\n";
    check_test(text, ("!= 49", "!= 50"), &["--data-model", "ILP32"]);
}

#[test]
fn where_there_is_no_unit_test_it_says_why() {
    let program = format!(
        "{HEAD}int main(void) {{\n  if (input() == 4)\n    goto ERROR;\n  return 0;\nERROR:\n  return 1;\n}}\n"
    );
    let dir = folder(&[("a.c", &program), ("b.ll", "")]);
    let answer = kerf(dir.path(), &["verify", "--unit-test", "t.c", "--property", "label:ERROR", "a.c"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    assert!(
        answer.out.contains("Note: there is no unit test, because a label cannot be seen from outside"),
        "{}",
        answer.out
    );
    assert!(!dir.path().join("t.c").exists());
    let program =
        format!("{HEAD}int fork(void) {{ return input(); }}\nint main(void) {{ if (fork() == 4) reach_error(); }}\n");
    std::fs::write(dir.path().join("d.c"), &program).expect("a file");
    let answer = kerf(dir.path(), &["verify", "--unit-test", "t.c", "d.c"]);
    assert!(answer.out.contains("no unit test, because the program defines fork() itself"), "{}", answer.out);
    // What is no test of kerf's stays as it is.
    let answer = kerf(dir.path(), &["verify", "--unit-test", "a.c", "c.c"]);
    assert_eq!((answer.code, answer.err.is_empty()), (1, false), "{}", answer.out);
    let text = format!("{HEAD}int main(void) {{ if (input() == 4) reach_error(); }}\n");
    std::fs::write(dir.path().join("c.c"), &text).expect("a file");
    let answer = kerf(dir.path(), &["verify", "--unit-test", "c.c", "c.c"]);
    assert!(
        answer.out.contains("Note: there is no unit test, because c.c exists and is no test made by kerf"),
        "{}",
        answer.out
    );
    assert_eq!(std::fs::read_to_string(dir.path().join("c.c")).expect("a file"), text);
    for _ in 0..2 {
        let answer = kerf(dir.path(), &["verify", "--unit-test", "t.c", "c.c"]);
        assert!(answer.out.contains("unit test  t.c"), "{}{}", answer.out, answer.err);
    }
    let names = std::fs::read_dir(dir.path()).expect("a directory").flatten().map(|entry| entry.file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with('.')));
}
