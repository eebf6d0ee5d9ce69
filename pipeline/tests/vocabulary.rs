//! Functions of CBMC, SeaHorn and KLEE, and the options of clang that a program needs.

use crate::support::{check_bad, folder, kerf};

/// The last line of what `kerf verify` says about a program.
fn verdict(text: &str, options: &[&str]) -> String {
    let prp = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let of_assert = "CHECK( init(main()), LTL(G ! call(sassert())) )\n";
    let dir = folder(&[("a.c", text), ("error.prp", prp), ("call.prp", of_assert)]);
    let answer = kerf(dir.path(), &[&["verify"], options, &["a.c"]].concat());
    answer.out.lines().last().unwrap_or(&answer.err).to_string()
}

const FALSE: &str = "RESULT: false(unreach-call)";
const TRUE: &str = "RESULT: true";

/// Where the property names a function, it is the call of this one that counts: other assertions end the execution if they fail, and
/// CBMC's do not even that.
#[test]
fn assertions_that_are_no_targets() {
    let program = |assertion: &str| {
        format!(
            "extern void reach_error(void), sassert(int), klee_abort(void), __CPROVER_assert(int, const char *);\n\
             int nondet_int(void);\n\
             int main(void) {{ int x = nondet_int(); {assertion}; if (x == 3) reach_error(); return 0; }}\n"
        )
    };
    for (assertion, error, call) in [
        ("sassert(x != 3)", TRUE, FALSE),
        ("sassert(x != 4)", FALSE, FALSE),
        ("if (x == 3) klee_abort()", TRUE, TRUE),
        ("__CPROVER_assert(x != 3, \"text\")", FALSE, TRUE),
    ] {
        assert_eq!(verdict(&program(assertion), &["--property", "error.prp"]), error, "{assertion}");
        let call_counts = verdict(&program(assertion), &["--property", "call.prp"]);
        assert_eq!(call_counts, call, "{assertion}");
        assert_eq!(verdict(&program(assertion), &[]), FALSE, "{assertion}");
    }
}

/// What is said about a failing assertion, and that it is called through a pointer.
#[test]
fn failing_assertions_are_told() {
    let text = "extern void sassert(int);\nvoid (*volatile check)(int) = sassert;\nextern int nd_int(void);\n\
                int main(void) {\n    int x = nd_int();\n    check(x != 8);\n    return 0;\n}\n";
    let dir = folder(&[("a.c", text)]);
    let answer = kerf(dir.path(), &["verify", "a.c"]);
    assert!(answer.out.starts_with("sassert() fails at a.c:6 in main()\n"), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("nd_int  8\n"), "{}", answer.out);
    // Anybody may give a function such a name: what it is taken for is said.
    for said in
        ["nd_int is undefined: by its name it is SeaHorn's", "sassert is undefined: by its name it is SeaHorn's"]
    {
        assert!(answer.out.contains(said), "{}", answer.out);
    }
    let prefixed = text.replace("sassert", "__VERIFIER_assert").replace("nd_int", "__VERIFIER_nondet_int");
    let dir = folder(&[("a.c", prefixed.as_str())]);
    let answer = kerf(dir.path(), &["verify", "a.c"]);
    assert!(answer.out.ends_with("RESULT: false(unreach-call)\n"), "{}{}", answer.out, answer.err);
    assert!(!answer.out.contains("Assumptions:"), "{}", answer.out);
}

/// Functions with the same names and other parameters are undefined functions like all others.
#[test]
fn functions_with_other_parameters() {
    let text = "extern void sassert(int, int);\nextern int nd_int(int), assume(int, int);\n\
                int main(void) {\n    assume(0, 0);\n    sassert(0, 0);\n    if (nd_int(3) == 8) __builtin_trap();\n\
                \x20   return 0;\n}\n";
    let dir = folder(&[("a.c", text)]);
    let answer = kerf(dir.path(), &["verify", "a.c"]);
    assert!(answer.out.ends_with("RESULT: true\n"), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("no call of reach_error()"), "{}", answer.out);
}

/// What has no meaning here is said, not passed over.
#[test]
fn what_is_not_understood_is_unknown() {
    for (call, reason) in [
        ("__CPROVER_array_set(p, 1)", "__CPROVER_array_set is not supported"),
        ("__CPROVER_assert(0.5, \"half\")", "__CPROVER_assert of a floating-point number"),
        ("__CPROVER_assume(-0.0)", "__CPROVER_assume of a floating-point number"),
        ("klee_get_value_i32(x)", "klee_get_value_i32 is not supported"),
        ("sea_tracking_on()", "sea_tracking_on is not supported"),
        ("__VERIFIER_assert_some(x)", "__VERIFIER_assert_some is not supported"),
        ("__ESBMC_unroll(3)", "__ESBMC_unroll is not supported"),
        ("__SMACK_code(\"skip\")", "__SMACK_code is not supported"),
    ] {
        let text = format!(
            "extern void __CPROVER_array_set(int *, int), __CPROVER_assert();\n\
             extern void __CPROVER_assume(), klee_get_value_i32(int), sea_tracking_on(void), __VERIFIER_assert_some(int);\n\
             extern void __ESBMC_unroll(int), __SMACK_code(const char *, ...);\n\
             int main(void) {{ int x = 0, *volatile q = &x, *p = q; {call}; __CPROVER_assert(x == 0, \"\"); return 0; }}\n"
        );
        let found = verdict(&text, &[]);
        assert!(found.starts_with("RESULT: unknown") && found.contains(reason), "{call}: {found}");
    }
}

/// Options for clang stand after `--`, for every command that compiles, and for the native run.
#[test]
fn options_for_clang() {
    let program = "#include \"limit.h\"\n#include <assert.h>\nint nondet_int(void);\n\
                   int main(void) { int x = nondet_int(); if (x < LIMIT) assert(x != ODD); return 0; }\n";
    let dir = folder(&[("a.c", program)]);
    std::fs::create_dir(dir.path().join("inc")).expect("a folder");
    std::fs::write(dir.path().join("inc/limit.h"), "#define LIMIT 10\n").expect("a file");
    let options = |odd: &'static str| ["--", odd, "-Iinc"];
    let run = |command: &[&str], odd| kerf(dir.path(), &[command, &options(odd)].concat());
    let violated = run(&["verify", "--output", "out", "a.c"], "-DODD=9");
    assert_eq!(violated.code, 10, "{}{}", violated.out, violated.err);
    assert!(violated.out.contains("Native run on these inputs: reproduced."), "{}", violated.out);
    let holds = run(&["verify", "--output", "out", "a.c"], "-DODD=10");
    assert_eq!(holds.code, 0, "{}{}", holds.out, holds.err);
    let checked = run(&["certificate", "check", "a.c", "out/certificate.txt"], "-DODD=10");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    for command in [&["slice", "a.c"][..], &["cfa", "a.c"], &["compare", "a.c"]] {
        let answer = run(command, "-DODD=9");
        assert_eq!(answer.code, 0, "{command:?}: {}{}", answer.out, answer.err);
    }
    let bad = "-DODD=9: what is after -- is for clang, but there is no C file";
    check_bad(&[("a.ll", "")], &["verify", "a.ll", "--", "-DODD=9"], bad);
}
