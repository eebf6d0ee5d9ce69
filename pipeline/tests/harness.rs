//! The harness on small programs: which of them reach their target when they are compiled and run on given inputs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kerf_pipeline::harness::surroundings::Surroundings;
use kerf_pipeline::harness::{Channel, Experiment, InputValue, Outcome, run};

/// A result of `function` with these bytes.
fn result(function: &str, bytes: &[u8]) -> InputValue {
    InputValue { function: function.into(), channel: Channel::Result, bytes: bytes.into() }
}

fn int(value: i32) -> InputValue {
    result("__VERIFIER_nondet_int", &value.to_le_bytes())
}

/// What becomes of the program with both data models, which must be the same.
fn check(sources: &[&str], target: &str, inputs: &[InputValue]) -> String {
    let [long, short] = [64, 32].map(|pointer_bits| check_on(pointer_bits, sources, target, inputs));
    assert_eq!(long, short, "the data models differ");
    long
}

/// What becomes of the program with one data model, and the shell script's answer, which must agree.
fn check_on(pointer_bits: u32, sources: &[&str], target: &str, inputs: &[InputValue]) -> String {
    check_in(&Surroundings::default(), pointer_bits, sources, target, inputs)
}

/// Likewise, in these surroundings.
fn check_in(around: &Surroundings, pointer_bits: u32, sources: &[&str], target: &str, inputs: &[InputValue]) -> String {
    let dir = tempfile::tempdir().expect("a directory");
    let file = |(i, text): (usize, &&str)| -> PathBuf {
        let path = dir.path().join(format!("user {i}.c"));
        std::fs::write(&path, text).expect("a file");
        path
    };
    let files: Vec<PathBuf> = sources.iter().enumerate().map(file).collect();
    let out = dir.path().join("out");
    std::fs::create_dir(&out).expect("a directory");
    let targets = [target.to_string()];
    let experiment = Experiment {
        files: &files,
        clang_options: &[],
        options_of: &BTreeMap::new(),
        pointer_bits,
        targets: &targets,
        assertions: &[],
        stubs: &[],
        inputs,
        surroundings: around,
        dir: &out,
        deadline: None,
    };
    match run(&experiment).expect("clang") {
        Outcome::Reached => {
            let script = std::process::Command::new("sh").arg(out.join("reproduce.sh")).output().expect("a shell");
            let said = String::from_utf8_lossy(&script.stdout).into_owned();
            assert!(said.contains("exit status 107"), "{said} {}", String::from_utf8_lossy(&script.stderr));
            "reproduced".to_string()
        }
        Outcome::NotRun(reason) | Outcome::Ended(reason) => reason.replace(&*dir.path().to_string_lossy(), "DIR"),
    }
}

/// Programs that define the target in all the ways in use.
#[test]
fn whoever_defines_the_target_its_call_counts() {
    let main =
        "int __VERIFIER_nondet_int(void);\nint main() { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n";
    for head in [
        "extern void reach_error(void);",
        "void reach_error() {}",
        "static void reach_error(void) {}",
        "static inline void reach_error(void) { for (;;) ; }",
        "#include <assert.h>\nvoid reach_error() { assert(0); }",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n\
         void reach_error() { __assert_fail(\"0\", \"a.c\", 3, \"reach_error\"); }",
    ] {
        let source = format!("{head}\n{main}");
        assert_eq!(check(&[&source], "reach_error", &[int(7)]), "reproduced", "{head}");
        assert_eq!(
            check(&[&source], "reach_error", &[int(8)]),
            "the native run ends with exit status 0 before the violation",
            "{head}"
        );
    }
}

#[test]
fn a_failing_assert_is_a_target_like_any_other() {
    let source =
        "#include <assert.h>\nint __VERIFIER_nondet_int();\nint main() { assert(__VERIFIER_nondet_int() > 0); }";
    assert_eq!(check(&[source], "__assert_fail", &[int(-1)]), "reproduced");
    let with_another = format!("void reach_error(void) {{}}\n{source}");
    assert_eq!(check(&[&with_another], "reach_error", &[int(-1)]), "the native run aborts before the violation");
    assert_eq!(check(&[source], "reach_error", &[int(-1)]), "the linker knows reach_error by another name");
}

#[test]
fn inputs_come_in_order_and_in_their_types() {
    let source = "
        void reach_error(void);
        _Bool __VERIFIER_nondet_bool(void); char __VERIFIER_nondet_char(void); unsigned char __VERIFIER_nondet_uchar(void);
        short __VERIFIER_nondet_short(void); unsigned long long __VERIFIER_nondet_ulonglong(void);
        float __VERIFIER_nondet_float(void); double __VERIFIER_nondet_double(void); int __VERIFIER_nondet_int();
        long double __VERIFIER_nondet_longdouble(void); void *__VERIFIER_nondet_pointer(void);
        int main() {
            _Bool b = __VERIFIER_nondet_bool(); char c = __VERIFIER_nondet_char(); unsigned char u = __VERIFIER_nondet_uchar();
            short s = __VERIFIER_nondet_short(); unsigned long long l = __VERIFIER_nondet_ulonglong();
            float f = __VERIFIER_nondet_float(); double d = __VERIFIER_nondet_double();
            int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
            long double e = __VERIFIER_nondet_longdouble();
            if (b && c == -3 && u == 253 && s == -300 && l == 0x8000000000000001ULL && f == 1.5f && d == -0.25 && i == 5 && j == -2147483647 - 1 && e == 3)
                reach_error();
            return 0;
        }";
    let three = [0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0x40];
    let inputs = [
        result("__VERIFIER_nondet_bool", &[1]),
        result("__VERIFIER_nondet_char", &[253]),
        result("__VERIFIER_nondet_uchar", &[253]),
        result("__VERIFIER_nondet_short", &(-300i16).to_le_bytes()),
        result("__VERIFIER_nondet_ulonglong", &0x8000_0000_0000_0001u64.to_le_bytes()),
        result("__VERIFIER_nondet_float", &1.5f32.to_le_bytes()),
        result("__VERIFIER_nondet_double", &(-0.25f64).to_le_bytes()),
        int(5),
        int(i32::MIN),
        result("__VERIFIER_nondet_longdouble", &three),
    ];
    assert_eq!(check(&[source], "reach_error", &inputs), "reproduced");
    assert_eq!(
        check(&[source], "reach_error", &inputs[..8]),
        "the native run asks for more inputs than the counterexample has"
    );
}

#[test]
fn inputs_that_fill_memory() {
    let source = "
        void reach_error(void);
        void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
        void klee_assume(__UINTPTR_TYPE__);
        int main() {
            int a; char b[3];
            klee_make_symbolic(&a, sizeof a, \"a\"); klee_make_symbolic(b, sizeof b, \"b\");
            klee_assume(a != 1);
            if (a == 2 && b[2] == 9) reach_error();
        }";
    let memory = |bytes: &[u8]| InputValue {
        function: "klee_make_symbolic".into(),
        channel: Channel::Memory,
        bytes: bytes.into(),
    };
    assert_eq!(check(&[source], "reach_error", &[memory(&[2, 0, 0, 0]), memory(&[0, 0, 9])]), "reproduced");
    let assumed_away = check(&[source], "reach_error", &[memory(&[1, 0, 0, 0]), memory(&[0, 0, 9])]);
    assert_eq!(assumed_away, "an assumption does not hold in the native run");
}

#[test]
fn programs_find_what_surrounds_them() {
    let program = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    char line[8] = "", bytes[4] = "";
    FILE *file = fopen("some/file", "r");
    const char *set = getenv("SET");
    if (argc == 3 && !strcmp(argv[1], "it's $1") && !strcmp(argv[2], "\\n") && !strcmp(argv[0], "a name"))
        if (set && !strcmp(set, "a b\n") && !getenv("UNSET") && !getenv("HOME"))
            if (fgets(line, 8, stdin) && !strcmp(line, "in\n") && !fgets(line, 8, stdin))
                if (file && fread(bytes, 1, 4, file) == 3 && !memcmp(bytes, "\0\1\377", 3) && feof(file))
                    reach_error();
    return 0;
}"#;
    let text = |text: &str| text.as_bytes().to_vec();
    let around = Surroundings {
        name: Some(text("a name")),
        arguments: vec![text("it's $1"), text("\\n")],
        variables: [(text("SET"), Some(text("a b\n"))), (text("UNSET"), None)].into(),
        input: Some(text("in\n")),
        files: [(text("some/file"), vec![0, 1, 255])].into(),
        ..Surroundings::default()
    };
    assert_eq!(check_in(&around, 64, &[program], "reach_error", &[]), "reproduced");
    let other = Surroundings { input: None, ..around };
    let ends = "the native run ends with exit status 0 before the violation";
    assert_eq!(check_in(&other, 64, &[program], "reach_error", &[]), ends);
}

#[test]
fn programs_of_several_files_and_with_undefined_functions() {
    let main = "int pick(void); void log_it(int); int main() { log_it(pick()); return pick() == 3 ? helper() : 0; }";
    let main = main.replace("int main", "int helper(void); int main");
    let other = "int __VERIFIER_nondet_int(void); int pick(void) { return __VERIFIER_nondet_int(); }
                 static void reach_error(void) {} int helper(void) { reach_error(); return 0; }";
    assert_eq!(check(&[&main, other], "reach_error", &[int(1), int(3)]), "reproduced");
}

#[test]
fn old_c_compiles() {
    let source = "main() { if (__VERIFIER_nondet_int() == 4) reach_error(); return 0; }";
    assert_eq!(check(&[source], "reach_error", &[int(4)]), "reproduced");
}

#[test]
fn what_goes_wrong_is_said() {
    let faults = [
        (
            "int main() { *(volatile int *)0 = 1; }",
            "the native run ends with a segmentation fault before the violation",
        ),
        ("#include <stdlib.h>\nint main() { abort(); }", "the native run aborts before the violation"),
        ("int main() { return 107; }", "the native run ends with exit status 107 before the violation"),
    ];
    for (source, expected) in faults {
        let source = format!("void reach_error(void) {{}}\n{source}");
        assert_eq!(check(&[&source], "reach_error", &[]), expected);
    }
    let foreign = "int *get(void); void reach_error(void) {} int main() { get()[100000] = 1; reach_error(); }";
    let missing = "it does not have the memory to which get() returns a pointer";
    assert_eq!(check_on(64, &[foreign], "reach_error", &[result("get", &[0; 8])]), missing);
    let broken = "DIR/user 0.c does not compile: expected parameter declarator";
    assert_eq!(check(&["int main( {"], "reach_error", &[]), broken);
}
