//! What is said beside an answer: whether a proof is about anything, smaller counterexamples, and why there is no answer.

use serde_json::Value;

use crate::support::{folder, kerf};

const HEAD: &str = "#include <stdlib.h>\nextern void reach_error(void);\nextern int input(void);\n\
                    extern void __VERIFIER_assume(int);\n\
                    void __VERIFIER_assert(int c) { if (!c) { reach_error(); abort(); } }\n";

/// The report about a program whose first line after [`HEAD`] is line 6.
fn report(text: &str, options: &[&str]) -> Value {
    let text = format!("{HEAD}{text}");
    let dir = folder(&[("a.c", &text)]);
    let limit: &[&str] = if options.contains(&"--timeout") { &[] } else { &["--timeout", "60s"] };
    let answer = kerf(dir.path(), &[&["verify", "--json"][..], limit, options, &["a.c"]].concat());
    serde_json::from_str(&answer.out).unwrap_or_else(|e| panic!("{e}: {}{}", answer.out, answer.err))
}

/// The lines of the checks, each with whether it is reached, and whether the end is.
fn vacuity(text: &str) -> (Vec<(u64, String)>, String) {
    // A share of the time is for this question: more than a busy machine needs.
    let report = report(text, &["--timeout", "600s"]);
    assert_eq!(report["result"], "true", "{report}");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let checks = report["vacuity"]["checks"].as_array().cloned().unwrap_or_default();
    let check = |check: &Value| (check["place"]["line"].as_u64().unwrap_or(0), word(&check["reach"]));
    (checks.iter().map(check).collect(), word(&report["vacuity"]["end"]))
}

fn reached(line: u64) -> (u64, String) {
    (line, "reached".into())
}

fn never(line: u64) -> (u64, String) {
    (line, "never".into())
}

#[test]
fn each_call_of_an_assertion_is_a_check() {
    let text = "int main(void) {\n  int x = input();\n  __VERIFIER_assert(x < 11 || x > 10);\n  if (x != x)\n    \
                __VERIFIER_assert(x == 80);\n  return 0;\n}\n";
    assert_eq!(vacuity(text), (vec![reached(8), never(10)], "reached".into()));
}

#[test]
fn a_check_that_no_run_finds_is_found_by_a_solver() {
    let text = "int main(void) {\n  unsigned x = input(), y = input();\n  if (x * 7 == 12345678 && y == x * 3 + 1)\n    \
                if (y == x * 3)\n      reach_error();\n  return 0;\n}\n";
    assert_eq!(vacuity(text), (vec![reached(9)], "reached".into()));
}

#[test]
fn assumptions_that_contradict_each_other_make_a_proof_vacuous() {
    let text = "int main(void) {\n  int x = input();\n  __VERIFIER_assume(x > 5);\n  __VERIFIER_assume(x < 3);\n  \
                if (x == 4)\n    reach_error();\n  return 0;\n}\n";
    assert_eq!(vacuity(text), (vec![never(10)], "never".into()));
    let text = text.replace("x < 3", "x < 30").replace("x == 4", "x == 400");
    assert_eq!(vacuity(&text), (vec![reached(10)], "reached".into()));
}

#[test]
fn a_program_that_ends_by_exit_ends() {
    let text = "int main(void) {\n  int x = input();\n  if (x * 2 == 7)\n    reach_error();\n  exit(x);\n}\n";
    assert_eq!(vacuity(text), (vec![reached(8)], "reached".into()));
    let text = text.replace("exit(x);", "for (;;) x++;");
    assert_eq!(vacuity(&text), (vec![reached(8)], "never".into()));
}

#[test]
fn whether_a_proof_is_vacuous_is_not_asked_where_nobody_wants_to_know() {
    let text = "int main(void) {\n  int x = input();\n  if (x * 2 == 7)\n    reach_error();\n  return 0;\n}\n";
    assert!(report(text, &["--no-vacuity"])["vacuity"].is_null());
    assert!(!report(text, &[])["vacuity"].is_null());
}

/// That a part of a test is never asked is no vacuity: it may be what is to be shown.
#[test]
fn a_test_of_several_conditions_is_one_check() {
    let text = "int main(void) {\n  int x = input(), y = input();\n  if (x > 5) return 0;\n  if (x > 7 &&\n      y > 3)\n    \
                reach_error();\n  return 0;\n}\n";
    assert_eq!(vacuity(text), (vec![reached(9)], "reached".into()));
}

/// The values of the inputs, and the verdict.
fn inputs(text: &str, options: &[&str]) -> (Vec<String>, Value) {
    let report = report(text, options);
    assert_eq!(report["result"], "false(unreach-call)", "{report}");
    let all = report["violation"]["inputs"].as_array().cloned().unwrap_or_default();
    let values = all.iter().map(|input| input["value"].as_str().unwrap_or_default().to_string()).collect();
    (values, report["violation"].clone())
}

/// Functions that might set `errno`, and do not, give the program nothing.
#[test]
fn an_errno_that_stays_as_it_is_is_no_input() {
    let text = "#include <errno.h>\nint main(void) {\n  errno = 0;\n  int x = input();\n  \
                if (abs(x) == 5 && errno == 0 && x > 0)\n    reach_error();\n  return 0;\n}\n";
    assert_eq!(inputs(text, &["--strategy", "symex"]).0, ["5"]);
}

#[test]
fn shrinking_finds_the_smallest_values() {
    let text = "int main(void) {\n  int x = input(), y = input(), z = input();\n  if (x > 1000 && y < -7 && z != 3)\n    \
                reach_error();\n  return 0;\n}\n";
    let (values, violation) = inputs(text, &["--shrink", "--strategy", "bmc"]);
    assert_eq!(values, ["1001", "-8", "0"]);
    assert!(violation["shrunk"]["steps"].as_u64() >= violation["shrunk"]["to_steps"].as_u64(), "{violation}");
    assert!(inputs(text, &["--strategy", "bmc"]).1["shrunk"].is_null());
}

#[test]
fn shrinking_removes_iterations() {
    let text = "int main(void) {\n  int sum = 0, n = input();\n  for (int i = 0; i < n; i++) {\n    int x = input();\n    \
                if (x > 0 && x < 100)\n      sum += x;\n  }\n  if (sum > 150)\n    reach_error();\n  return 0;\n}\n";
    let (values, violation) = inputs(text, &["--shrink"]);
    assert_eq!((values.len(), values[0].as_str()), (3, "2"), "{violation}");
    let sum: i64 = values[1..].iter().map(|value| value.parse::<i64>().expect("a number")).sum();
    assert_eq!(sum, 151, "{violation}");
}

/// The scripts are run where gdb and lldb are installed.
#[test]
fn a_debugger_follows_the_path_to_the_error() {
    let text =
        format!("{HEAD}int main(void) {{\n  int x = input();\n  if (x == 42)\n    reach_error();\n  return 0;\n}}\n");
    let dir = folder(&[("a.c", &text)]);
    let answer = kerf(dir.path(), &["verify", "--output", "out", "a.c"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).expect("a file");
    assert!(read("path.dot").contains("a.c:8\\lif (x == 42)"), "{}", read("path.dot"));
    assert!(read("steps.gdb").contains("-line 8\n"), "{}", read("steps.gdb"));
    assert!(read("steps.lldb").contains("--line 8 "), "{}", read("steps.lldb"));
    follow(dir.path(), "gdb", &["-q", "-batch", "-nx", "-x", "steps.gdb"], &["x = 42", "in reach_error ()"]);
    follow(dir.path(), "lldb", &["--batch", "--no-lldbinit", "-s", "steps.lldb"], &["x = 42", "reach_error"]);
}

/// Runs a debugger in the folder of the evidence, if it is installed: it must say all of `expected`.
fn follow(dir: &std::path::Path, debugger: &str, arguments: &[&str], expected: &[&str]) {
    let versions = [debugger.to_string(), format!("{debugger}-22")];
    let run =
        |name: &String| std::process::Command::new(name).args(arguments).current_dir(dir.join("out")).output().ok();
    let Some(run) = versions.iter().find_map(run) else {
        eprintln!("NOT TESTED: {debugger} is not installed");
        return;
    };
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    if ["ptrace", "personality", "Operation not permitted"].iter().any(|why| said.contains(why)) {
        eprintln!("NOT TESTED: {debugger} may not run programs here");
        return;
    }
    assert!(expected.iter().all(|text| said.contains(text)), "{debugger}: {said}");
}

#[test]
fn an_unknown_says_what_was_tried_and_what_blocks_the_proof() {
    let text = "int main(void) {\n  unsigned x = 1, y = 1;\n  while (input()) {\n    x = x * 3 + y * 2;\n    y = x ^ y;\n  }\n  \
                if (x == 1000)\n    reach_error();\n  return 0;\n}\n";
    let report = report(text, &["--strategy", "k-induction-plain,last-k=2", "--timeout", "5s"]);
    assert!(report["result"].as_str().is_some_and(|result| result.starts_with("unknown")), "{report}");
    let open = &report["undecided"];
    assert_eq!(open["tried"][0]["name"], "k-induction-plain", "{report}");
    assert_eq!(open["blocked"]["place"]["line"], 8, "{report}");
    assert_eq!(open["blocked"]["target"]["line"], 13, "{report}");
    let values = open["blocked"]["values"].as_array().cloned().unwrap_or_default();
    assert!(values.iter().any(|pair| pair[0] == "x"), "{report}");
    let advice = open["advice"].as_array().cloned().unwrap_or_default();
    assert!(advice.iter().any(|text| text.as_str().is_some_and(|text| text.contains("--strategy auto"))), "{report}");
    assert!(report["vacuity"].is_null(), "{report}");
}

/// What a solver knows of the terms that decision diagrams made says nothing about the terms of the interpolants after them: these have the
/// same numbers.
#[test]
fn diagrams_before_interpolants_have_a_solver_of_their_own() {
    let identities = "#define CHECK(holds) if (!(holds)) reach_error()
        #define ALL(A, B) CHECK((~(A & B)) == (~A | ~B)); CHECK(((A & ~B) | (A & B)) == A); CHECK(((A ^ B) ^ B) == A); \
        CHECK(((A | B) & ~(A & B)) == (A ^ B)); CHECK(((A ^ B) & (A & B)) == 0); CHECK(((A | ~B) & (A | B)) == A)\n\
        int main(void) { int a = input(), b = input(), c = input(); ALL(a, b); ALL(b, a); ALL(b, c); ALL(c, a); }";
    let report = report(identities, &["--strategy", "bdd+impact"]);
    assert_eq!(report["result"], "true", "{report}");
}
