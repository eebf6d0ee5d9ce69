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
