//! Projects of many files: compilation databases, stubs and replacements, and harnesses.

use std::path::Path;

use crate::support::{Answer, MAIN, check_bad, folder, kerf};

/// The last line of an answer.
fn result(answer: &Answer) -> &str {
    answer.out.lines().last().unwrap_or(&answer.err)
}

/// The answer of `kerf verify` with these words, which must be this one.
fn verify(dir: &Path, words: &[&str], expected: &str) -> Answer {
    let answer = kerf(dir, &[&["verify"], words].concat());
    assert_eq!(result(&answer), expected, "{words:?}: {}{}", answer.out, answer.err);
    answer
}

const TRUE: &str = "RESULT: true";
const FALSE: &str = "RESULT: false(unreach-call)";

/// A project with two folders, in which each file has options of its own.
fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for folder in ["src", "include", "build"] {
        std::fs::create_dir(dir.path().join(folder)).expect("a directory");
    }
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file");
    write(
        "include/limit.h",
        "extern void reach_error(void);\nstatic inline void limit(int x) {\n    if (x > LIMIT)\n        reach_error();\n}\n",
    );
    write(
        "src/main.c",
        "#include \"limit.h\"\nextern int get(void);\nint main(void) {\n    limit(get());\n    return 0;\n}\n",
    );
    write("src/get.c", "int get(void) { return GET; }\n");
    write("src/other.c", "int other(void) { return 1; }\n");
    let database = r#"[
        {"directory": "DIR/build", "file": "../src/main.c",
         "command": "gcc -MD -MF main.d -I../include -DLIMIT=\"(2 + 3)\" -O3 -g -fconserve-stack -o main.o -c ../src/main.c"},
        {"directory": "DIR/build", "file": "DIR/src/get.c",
         "arguments": ["cc", "-DGET=7", "-c", "DIR/src/get.c", "-o", "get.o"]}
    ]"#;
    let here = std::fs::canonicalize(dir.path()).expect("a directory");
    write("build/compile_commands.json", &database.replace("DIR", &here.display().to_string()));
    dir
}

#[test]
fn each_file_has_the_options_of_its_entry() {
    let dir = project();
    let words = ["--compile-commands", "build", "--output", "out", "src/main.c", "src/get.c"];
    let answer = verify(dir.path(), &words, FALSE);
    // The header is found from the compiler's directory, and named from this one.
    assert!(answer.out.starts_with("reach_error() is called at include/limit.h:4 in limit()"), "{}", answer.out);
    assert!(answer.out.contains("4 |         reach_error();"), "{}", answer.out);
    assert!(answer.out.contains("  src/main.c:4       limit(get());\n"), "{}", answer.out);
    assert!(answer.out.contains("Native run on these inputs: reproduced."), "{}", answer.out);
    assert_eq!(answer.err, "kerf: src/main.c: clang does not know -fconserve-stack, which is left out\n");
    // Without files, the program is what the entry needs of the database.
    let answer = verify(dir.path(), &["--compile-commands", "build/compile_commands.json", "--output", "o"], FALSE);
    assert!(answer.out.contains("Native run on these inputs: reproduced."), "{}", answer.out);
    let words = ["--compile-commands", "build", "src/main.c", "src/get.c", "--", "-UGET", "-DGET=5"];
    verify(dir.path(), &words, TRUE);
    std::fs::write(dir.path().join("kerf.toml"), "compile-commands = \"build\"\n").expect("a file");
    verify(dir.path(), &["--config", "kerf.toml"], FALSE);
    let shown = kerf(dir.path(), &["slice", "--compile-commands", "build", "--annotate", "src/main.c", "src/get.c"]);
    assert!(
        shown.out.contains("include/limit.h") && shown.out.contains("reach_error();"),
        "{}{}",
        shown.out,
        shown.err
    );
    assert_eq!(kerf(dir.path(), &["cfa", "--compile-commands", "build", "src/get.c", "--entry", "get"]).code, 0);
}

/// A database has the programs of a whole project, each with a main function of its own.
#[test]
fn without_files_the_program_is_what_the_entry_needs() {
    let error = "extern void reach_error(void);\n";
    let one = format!(
        "{error}extern int one(void);\nint main(void) {{\n    if (one() != 1)\n        reach_error();\n    return 0;\n}}\n"
    );
    let check = format!(
        "{error}int two(void);\nint check(void) {{\n    if (two() == 2)\n        reach_error();\n    return 0;\n}}\n"
    );
    let dir = folder(&[
        ("a.c", &one),
        ("b.c", "int two(void);\nint one(void) { return two() - 1; }\nint main(void) { return one(); }\n"),
        ("c.c", "int two(void) { return 2; }\n"),
        ("d.c", &check),
    ]);
    let entry = |file| format!("{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}");
    let all: Vec<String> = ["a.c", "b.c", "c.c", "d.c"].map(entry).into();
    std::fs::write(dir.path().join("compile_commands.json"), format!("[{}]", all.join(", "))).expect("a file");
    verify(dir.path(), &["--compile-commands", ".", "--entry", "check"], FALSE);
    verify(dir.path(), &["--compile-commands", ".", "--entry", "one"], TRUE);
    let answer = kerf(dir.path(), &["verify", "--compile-commands", "."]);
    let expected = "kerf: main is defined in a.c and in b.c: name the files of the program\n";
    assert_eq!((answer.code, &*answer.err), (1, expected));
    let answer = kerf(dir.path(), &["verify", "--compile-commands", ".", "--entry", "none"]);
    assert!(answer.err.contains("no file has a function none with a body"), "{}", answer.err);
}

#[test]
fn what_a_database_lacks_is_said() {
    let dir = project();
    let bad = |words: &[&str], expected: &str| {
        let answer = kerf(dir.path(), words);
        assert_eq!((answer.code, answer.err.lines().count()), (1, 1), "{}", answer.err);
        assert!(answer.err.contains(expected), "{}", answer.err);
    };
    let expected = "src/other.c: build/compile_commands.json has no entry for this file";
    bad(&["verify", "--compile-commands", "build", "src/other.c"], expected);
    bad(&["verify", "--compile-commands", "src", "src/get.c"], "src/compile_commands.json: No such file");
    std::fs::write(dir.path().join("c.json"), "[{\"file\": \"a.c\"}]").expect("a file");
    bad(&["verify", "--compile-commands", "c.json", "src/get.c"], "c.json: is no compilation database");
    std::fs::write(dir.path().join("c.json"), "[]").expect("a file");
    bad(&["verify", "--compile-commands", "c.json"], "c.json: there is no C file in it");
}

const PROGRAM: &str = "extern void reach_error(void);\nextern int read_it(void);\n\
    int check(int x) { return x * x % 7; }\nint small(int x) { return x & 3; }\n\
    int (*through)(int) = check;\nint main(void) {\n    if (through(read_it()) > 6 || check(3) > 6)\n        reach_error();\n    return 0;\n}\n";

#[test]
fn stubs_return_anything_and_do_nothing() {
    let dir = folder(&[("a.c", PROGRAM)]);
    verify(dir.path(), &["a.c"], TRUE);
    let answer = verify(dir.path(), &["--stub", "check", "--output", "out", "a.c"], FALSE);
    assert!(answer.out.contains("  - check is a stub: it may return any value, neither ends"), "{}", answer.out);
    assert!(answer.out.contains("Native run on these inputs: reproduced."), "{}", answer.out);
    let test = verify(dir.path(), &["--stub", "check", "--unit-test", "t.c", "a.c"], FALSE);
    assert!(test.out.contains("there is no unit test, because a test calls the program's check()"), "{}", test.out);
    // A function of the C library is one, too; its model does not count.
    let length = "#include <string.h>\nextern void reach_error(void);\nint main(void) {\n    if (strlen(\"abc\") != 3)\n        reach_error();\n    return 0;\n}\n";
    std::fs::write(dir.path().join("l.c"), length).expect("a file");
    verify(dir.path(), &["l.c"], TRUE);
    let answer = verify(dir.path(), &["--stub", "strlen", "--output", "out2", "l.c"], FALSE);
    assert!(answer.out.contains("Native run on these inputs: reproduced."), "{}", answer.out);
    // Recursive functions and those that take addresses of their labels have bodies to drop as well.
    let odd = "extern void reach_error(void);\nint odd(int n) {\n    static void *at[] = {&&a, &&b};\n    goto *at[n & 1];\na: return n ? odd(n - 1) : 0;\nb: return 1;\n}\n\
        int main(void) {\n    if (odd(5) > 1)\n        reach_error();\n    return 0;\n}\n";
    std::fs::write(dir.path().join("o.c"), odd).expect("a file");
    verify(dir.path(), &["--stub", "odd", "o.c"], FALSE);
}

#[test]
fn replacements_are_called_in_the_place_of_functions() {
    let dir = folder(&[("a.c", PROGRAM)]);
    let more = "int check(int);\nint wrap(int x) { return check(x) + 1; }\n";
    std::fs::write(dir.path().join("b.c"), more).expect("a file");
    let answer = verify(dir.path(), &["--replace", "check=small", "a.c"], TRUE);
    assert!(answer.out.contains("  - small is called wherever the program calls check"), "{}", answer.out);
    // In its replacement, a function is what it is.
    let answer = verify(dir.path(), &["--replace", "check=wrap", "--output", "out", "a.c", "b.c"], FALSE);
    assert!(answer.out.contains("the compiled program calls check(), not wrap()"), "{}", answer.out);
    std::fs::write(dir.path().join("k.toml"), "replace = ['check=wrap']\n").expect("a file");
    verify(dir.path(), &["--config", "k.toml", "a.c", "b.c"], FALSE);
}

#[test]
fn wrong_substitutions_get_one_line() {
    let program = ("a.c", PROGRAM);
    let bad = |words: &[&str], expected: &str| check_bad(&[program], &[&["verify", "a.c"], words].concat(), expected);
    bad(&["--stub", "none"], "--stub none: there is no function none in the program");
    bad(&["--stub", "main"], "--stub main: executions begin with main");
    bad(&["--stub", "reach_error"], "reach_error cannot be substituted, because its calls violate the property");
    bad(&["--stub", "check", "--replace", "check=small"], "check is substituted twice");
    bad(&["--replace", "check=none"], "--replace check=none: there is no function none in the program");
    bad(&["--replace", "check=read_it"], "--replace check=read_it: the types differ: ");
    bad(&["--replace", "check=main"], "--replace check=main: the types differ: int (int) and int (void)");
    bad(&["--stub", "check", "--witness", "w.yml"], "--witness: a witness is about the program without --stub");
    bad(&["--stub", "check", "--optimise", "O1"], "--optimise: it does not go with --stub and --replace");
    let dir = folder(&[MAIN, ("k.toml", "replace = ['check']\n")]);
    let answer = kerf(dir.path(), &["config", "show", "--config", "k.toml"]);
    assert!(answer.code == 1 && answer.err.contains("'check' is not of the form FUNCTION=OTHER"), "{}", answer.err);
}
