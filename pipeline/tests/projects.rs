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
    let alias = format!("{PROGRAM}extern int same(int) __attribute__((alias(\"check\")));\n");
    let words = ["verify", "a.c", "--replace", "check=same"];
    check_bad(&[("a.c", &alias)], &words, "--replace check=same: both are names of one function");
    check_bad(
        &[("a.c", &alias)],
        &["verify", "a.c", "--stub", "same"],
        "check is also called same, which would change, too",
    );
    let ends = format!(
        "{PROGRAM}_Noreturn void stop(void) {{ for (;;) ; }}\nvoid go_on(void) {{}}\nvoid use(void) {{ stop(); }}\n"
    );
    for words in [["--stub", "stop"], ["--replace", "stop=go_on"]] {
        check_bad(&[("a.c", &ends)], &["verify", "a.c", words[0], words[1]], "stop is declared not to return");
    }
    bad(&["--replace", "check=none"], "--replace check=none: there is no function none in the program");
    bad(&["--replace", "check=read_it"], "--replace check=read_it: the types differ: ");
    bad(&["--replace", "check=main"], "--replace check=main: the types differ: int (int) and int (void)");
    bad(&["--stub", "check", "--witness", "w.yml"], "--witness: a witness is about the program without --stub");
    bad(&["--stub", "check", "--optimise", "O1"], "--optimise: it does not go with --stub and --replace");
    let dir = folder(&[MAIN, ("k.toml", "replace = ['check']\n")]);
    let answer = kerf(dir.path(), &["config", "show", "--config", "k.toml"]);
    assert!(answer.code == 1 && answer.err.contains("'check' is not of the form FUNCTION=OTHER"), "{}", answer.err);
}

/// Writes a harness for `function` in `text`, and returns its text and the answer about both files.
fn harness(text: &str, function: &str, options: &[&str]) -> (String, Answer) {
    let dir = folder(&[("a.c", text)]);
    let words = [&["harness", function, "a.c", "-o", "harness.c"], options].concat();
    let answer = kerf(dir.path(), &words);
    assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
    let written = std::fs::read_to_string(dir.path().join("harness.c")).expect("a harness");
    let words: Vec<&str> = answer.out.split_whitespace().skip(1).collect();
    let answer = kerf(dir.path(), &words);
    (written, answer)
}

const LIST: &str = "struct node { int value; struct node *next; };\nextern void reach_error(void);\n\
    int sum(const struct node *list) {\n    int n = 0;\n    for (; list; list = list->next)\n        if (++n > 2)\n            reach_error();\n    return n;\n}\n";

#[test]
fn lists_are_as_long_as_the_depth() {
    let (text, answer) = harness(LIST, "sum", &["--depth", "3"]);
    assert_eq!(result(&answer), FALSE, "{text}{}{}", answer.out, answer.err);
    let (text, answer) = harness(LIST, "sum", &["--depth", "2"]);
    assert_eq!(result(&answer), TRUE, "{text}{}{}", answer.out, answer.err);
    assert!(text.contains("struct node *next;") && text.contains("_Static_assert(sizeof(struct node) == 16"), "{text}");
}

#[test]
fn harnesses_find_seeded_bugs() {
    let error = "extern void reach_error(void);\n";
    let programs = [
        // An array and its length.
        (
            "int last(const int *a, int n) {\n    int m = 0;\n    for (int i = 0; i < n; i++)\n        if (a[i] > m)\n            m = a[i];\n    if (n == 3 && m == 77)\n        reach_error();\n    return m;\n}\n",
            "last",
        ),
        // A string.
        (
            "int is_ab(const char *s) {\n    if (s && s[0] == 'a' && s[1] == 'b' && s[2] == 0)\n        reach_error();\n    return 0;\n}\n",
            "is_ab",
        ),
        // A struct by value, typedefs, an enumeration, a bit-field and a union.
        (
            "typedef enum { RED, GREEN = 5 } color_t;\ntypedef struct { color_t color; unsigned bits : 3; union { long l; char c; } u; } item_t;\n\
          void paint(item_t item) {\n    if (item.color == GREEN && item.bits == 6 && item.u.l == 12345678901)\n        reach_error();\n}\n",
            "paint",
        ),
        // A pointer to a function, within a struct, and a nested array.
        (
            "struct ops { int (*get)(void *, int); short table[2][3]; };\nvoid use(struct ops *ops) {\n    if (ops && ops->get && ops->get(0, 1) == 4 && ops->table[1][2] == -9)\n        reach_error();\n}\n",
            "use",
        ),
        // A pointer to a pointer, and a packed struct.
        (
            "struct __attribute__((packed)) p { char c; int i; };\nvoid two(struct p *p, double **d, _Bool b) {\n    if (p && p->i == 3 && d && *d && **d == 0.5 && b)\n        reach_error();\n}\n",
            "two",
        ),
        // A static function, and a program with a main function.
        (
            "static int twice(unsigned char x) {\n    if (x == 200)\n        reach_error();\n    return 2 * x;\n}\nint main(void) { return twice(1); }\n",
            "twice",
        ),
        (
            "int twice(unsigned char x) {\n    if (x == 200)\n        reach_error();\n    return 2 * x;\n}\nint main(void) { return twice(1); }\n",
            "twice",
        ),
        // A member that is only declared, and one that leads back.
        (
            "struct hidden;\nstruct tree { struct hidden *h; struct tree *left, *right; int key; };\nint depth(struct tree *t) {\n    if (t && t->left && !t->right && t->left->key == 6 && !t->h)\n        reach_error();\n    return 0;\n}\n",
            "depth",
        ),
        // Types that lead back to themselves through their other names, and a long array of pointers.
        (
            "typedef struct s *s_p;\nstruct t { s_p up; int n; };\nstruct s { struct t *down; char *names[20]; };\nvoid walk(s_p s) {\n    if (s && s->down && s->down->n == 8 && s->names[19] && s->names[19][1] == 'z')\n        reach_error();\n}\n",
            "walk",
        ),
        // Further arguments.
        (
            "int log_it(const char *format, ...) {\n    if (format && format[0] == '%')\n        reach_error();\n    return 0;\n}\n",
            "log_it",
        ),
    ];
    for (text, function) in programs {
        let (written, answer) = harness(&format!("{error}{text}"), function, &[]);
        assert_eq!(result(&answer), FALSE, "{text}{written}{}{}", answer.out, answer.err);
    }
}

#[test]
fn variables_are_arbitrary_on_demand() {
    let text = "extern void reach_error(void);\nint limit = 3;\nstatic int calls;\nstatic const int scale = 2;\nvoid step(int x) {\n    calls++;\n    if (x * scale > 100 && limit > 3)\n        reach_error();\n}\n";
    let (_, answer) = harness(text, "step", &[]);
    assert_eq!(result(&answer), TRUE, "{}{}", answer.out, answer.err);
    let (written, answer) = harness(text, "step", &["--globals"]);
    assert_eq!(result(&answer), FALSE, "{written}{}{}", answer.out, answer.err);
    assert!(written.contains("The static variable calls keeps its initial value."), "{written}");
}

#[test]
fn harnesses_are_compiled_like_the_program() {
    let dir = project();
    let text = "#include \"limit.h\"\nstatic void look(int x) { limit(x); }\nvoid (*looks)(int) = look;\n";
    std::fs::write(dir.path().join("src/main.c"), text).expect("a file");
    let words = ["harness", "look", "--compile-commands", "build", "-o", "harness.c", "src/main.c"];
    let answer = kerf(dir.path(), &words);
    let command = "kerf verify --compile-commands build harness.c\n";
    assert_eq!((answer.code, &*answer.out), (0, command), "{}", answer.err);
    verify(dir.path(), &["--compile-commands", "build", "harness.c"], FALSE);
    // Without files, the harness is for what the function needs.
    let least = kerf(dir.path(), &["harness", "get", "--compile-commands", "build", "-o", "h.c"]);
    let command = "kerf verify --compile-commands build h.c src/get.c\n";
    assert_eq!((least.code, &*least.out), (0, command), "{}", least.err);
    let again = kerf(dir.path(), &words);
    assert!(
        again.code == 1 && again.err.contains("harness.c: exists already (--force writes it anew)"),
        "{}",
        again.err
    );
}

#[test]
fn harnesses_that_cannot_be_written_get_one_line() {
    let text = "typedef int v4 __attribute__((vector_size(16)));\nvoid f(v4 v) {}\nvoid g(_Complex double c) {}\n";
    check_bad(
        &[("a.c", text)],
        &["harness", "f", "a.c"],
        "f: no harness can be written: the parameter v: it has a vector",
    );
    check_bad(&[("a.c", text)], &["harness", "g", "a.c"], "g: no harness can be written: the parameter c: ");
    check_bad(&[("a.c", text)], &["harness", "h", "a.c"], "a.c: there is no function h with a body");
    let text = "int g(__builtin_va_list list) { return 0; }\n\
        enum e { A, B = 200 } __attribute__((packed));\nint h(enum e e) { return e == B; }\n";
    check_bad(&[("a.c", text)], &["harness", "g", "a.c"], "the parameter list: it is a list of variable arguments");
    check_bad(&[("a.c", text)], &["harness", "h", "a.c"], "the parameter e: it is an enumeration of 1 bytes");
}

/// Bit-fields without a name are in no debug information, but move those after them.
#[test]
fn bit_fields_lie_where_the_program_has_them() {
    for (fields, value) in [
        ("unsigned en : 1; unsigned : 7; unsigned div : 8;", 200),
        ("unsigned a : 3; unsigned char : 0; unsigned div : 8;", 255),
        ("unsigned a : 20; unsigned div : 20; unsigned : 3; unsigned b : 9;", 1 << 19),
        ("char c; unsigned : 5; unsigned div : 11; short s;", 1 << 10),
    ] {
        let program = format!(
            "extern void reach_error(void);\nstruct reg {{ {fields} }};\nstruct reg regs[2];\n\
             void check(int i) {{\n    if (regs[i & 1].div == {value})\n        reach_error();\n}}\n\
             void given(const struct reg *r) {{\n    if (r && r->div == {value} && r->div != {value}u)\n        reach_error();\n}}\n"
        );
        let (text, answer) = harness(&program, "check", &["--globals"]);
        assert_eq!(result(&answer), FALSE, "{text}{}{}", answer.out, answer.err);
        let (text, answer) = harness(&program, "given", &[]);
        assert_eq!(result(&answer), TRUE, "{text}{}{}", answer.out, answer.err);
    }
}
