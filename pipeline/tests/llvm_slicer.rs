//! kerf in the place of dg's `llvm-slicer` and of Symbiotic's `sbt-slicer`: files, messages and exit statuses as those tools' callers
//! expect them, and slices that run.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "\
#include <stdio.h>
extern int input(void);
extern void __VERIFIER_assume(int);
extern void check(int);
static int noise;
static void count(void) { noise++; }
int main(void) {
  int x = input();
  for (int i = 0; i < 3; i++)
    count();
  __VERIFIER_assume(x > 2);
  if (x > 10)
    check(x + 1);
  printf(\"%d\\n\", noise);
  return 0;
}
";

/// What the environment of the program does in a native run: the input is 41.
const ENVIRONMENT: &str = "\
#include <stdio.h>
int input(void) { return 41; }
void __VERIFIER_assume(int c) { (void)c; }
void check(int v) { printf(\"check %d\\n\", v); }
";

fn clang(dir: &Path, args: &[&str]) {
    let clang = frontend_llvm::clang::find().expect("a clang");
    let output = Command::new(clang).args(args).current_dir(dir).output().expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with `prog.bc`, and the tools by their names.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("prog.c"), PROGRAM).expect("a file");
    std::fs::write(dir.path().join("env.c"), ENVIRONMENT).expect("a file");
    clang(dir.path(), &["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "prog.c", "-o", "prog.bc"]);
    for name in ["llvm-slicer", "sbt-slicer"] {
        symlink(env!("CARGO_BIN_EXE_kerf"), dir.path().join(name)).expect("a link");
    }
    dir
}

/// The exit status and standard error of a tool in `dir`; nothing is printed on standard output.
fn tool(dir: &Path, tool: &str, args: &str) -> (i32, String) {
    let Output { status, stdout, stderr } =
        Command::new(dir.join(tool)).args(args.split_whitespace()).current_dir(dir).output().expect("the tool runs");
    assert_eq!(String::from_utf8_lossy(&stdout), "", "{args}");
    (status.code().unwrap_or(-1), String::from_utf8_lossy(&stderr).into_owned())
}

/// What the slice prints when it is compiled with the environment and run.
fn native(dir: &Path, bitcode: &str) -> String {
    clang(dir, &["-w", "-x", "ir", bitcode, "-x", "c", "env.c", "-o", "native"]);
    let output = Command::new(dir.join("native")).output().expect("the slice runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_slice_is_written_beside_the_input() {
    let dir = folder();
    let (code, said) = tool(dir.path(), "llvm-slicer", "-c check -statistics prog.bc");
    assert_eq!(code, 0, "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("Statistics before Globals/Functions/Blocks/Instr.: "), "{said}");
    assert!(lines[1].starts_with("[llvm-slicer] Sliced away ") && lines[1].ends_with(" nodes in DG"), "{said}");
    assert!(lines[2].starts_with("Statistics after Globals/Functions/Blocks/Instr.: "), "{said}");
    assert_eq!(lines[3..], ["[llvm-slicer] saving sliced module to: prog.sliced"]);
    let instructions = |line: &str| line.rsplit(' ').next().and_then(|n| n.parse::<u32>().ok()).expect("a number");
    assert!(instructions(lines[2]) < instructions(lines[0]), "{said}");
    assert_eq!(native(dir.path(), "prog.sliced"), "check 42\n");
}

#[test]
fn symbiotics_call_works() {
    let dir = folder();
    let (code, said) = tool(dir.path(), "sbt-slicer", "-c check,__assert_fail -cutoff-diverging=false -pta fs prog.bc");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("warning: -pta fs is taken as fi"), "{said}");
    assert!(said.contains("warning: criterion '__assert_fail': no call of __assert_fail can be executed"), "{said}");
    assert_eq!(native(dir.path(), "prog.sliced"), "check 42\n");
}

#[test]
fn a_criterion_that_is_not_reached_leaves_a_program_that_does_nothing() {
    let dir = folder();
    let (code, said) = tool(dir.path(), "llvm-slicer", "-c nowhere -o empty.bc prog.bc");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("No reachable slicing criteria: 'nowhere'"), "{said}");
    assert!(said.contains("functions called: "), "{said}");
    clang(dir.path(), &["-w", "-x", "ir", "empty.bc", "-o", "native"]);
    let output = Command::new(dir.path().join("native")).output().expect("it runs");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

/// As dg does it: what is affected, in a program that runs.
#[test]
fn forward_slices_run() {
    let dir = folder();
    let (code, said) = tool(dir.path(), "llvm-slicer", "-forward -c input -o forward.bc prog.bc");
    assert_eq!(code, 0, "{said}");
    // The assumption about the input decides whether the line after it is reached.
    assert_eq!(native(dir.path(), "forward.bc"), "check 42\n3\n");
    let output = Command::new(env!("CARGO_BIN_EXE_kerf"))
        .args(["slice", "--forward", "-c", "input", "-o", "out.bc", "prog.bc"])
        .current_dir(dir.path())
        .output()
        .expect("kerf runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(native(dir.path(), "out.bc"), "check 42\n3\n");
}

/// Marks, and memory of an allocator that is defined elsewhere.
const MARKED: &str = "\
extern int input(void);
extern void check(int);
extern void mark(void);
extern void *get(unsigned long);
int main(void) {
  int x = input(), y = input();
  int *p = get(sizeof *p), *q = get(sizeof *q);
  *p = x;
  *q = y;
  if (x > 10) {
    mark();
    check(7);
  }
  check(*p + 1);
  return *q;
}
";

/// What a slice of [`MARKED`] prints.
fn marked(args: &str) -> String {
    let dir = folder();
    std::fs::write(dir.path().join("marked.c"), MARKED).expect("a file");
    let environment = "#include <stdio.h>\n#include <stdlib.h>\n\
                       void mark(void) { puts(\"mark\"); }\nvoid *get(unsigned long n) { return malloc(n); }\n";
    std::fs::write(dir.path().join("env.c"), format!("{ENVIRONMENT}{environment}")).expect("a file");
    clang(dir.path(), &["-c", "-emit-llvm", "-g", "-O0", "marked.c", "-o", "marked.bc"]);
    let (code, said) = tool(dir.path(), "llvm-slicer", &format!("{args} -o out.bc marked.bc"));
    assert_eq!(code, 0, "{said}");
    native(dir.path(), "out.bc")
}

#[test]
fn calls_may_mark_what_comes_next() {
    assert_eq!(marked("-c mark"), "mark\n");
    assert_eq!(marked("-c mark -criteria-are-next-instr"), "check 7\n");
}

#[test]
fn functions_may_be_said_to_allocate() {
    assert_eq!(marked("-c check -allocation-funs get:malloc"), "check 7\ncheck 42\n");
}

#[test]
fn graphs_without_slicing() {
    let dir = folder();
    for (args, begin) in [("-dump-dg-only", "digraph sdg {"), ("-dump-dg-only -dump-bb-only", "digraph cfa {")] {
        let (code, said) = tool(dir.path(), "llvm-slicer", &format!("-c check {args} prog.bc"));
        assert_eq!((code, said.as_str()), (0, "[llvm-slicer] Dumping DG to prog.dot\n"));
        let text = std::fs::read_to_string(dir.path().join("prog.dot")).expect("a graph");
        assert!(text.starts_with(begin), "{}", text.lines().next().unwrap_or(""));
        assert!(!dir.path().join("prog.sliced").exists());
    }
}

#[test]
fn failures_are_exit_status_one() {
    let dir = folder();
    std::fs::write(dir.path().join("bad.bc"), "nonsense").expect("a file");
    for (args, expected) in [
        ("prog.bc", "No slicing criteria specified"),
        ("-c check none.bc", "none.bc: no such file"),
        ("-c check bad.bc", "bad.bc: not LLVM bitcode"),
        ("-c check -entry start prog.bc", "no function start with a body"),
        ("-c check -frobnicate prog.bc", "Unknown command line argument '-frobnicate'"),
    ] {
        let (code, said) = tool(dir.path(), "llvm-slicer", args);
        assert!(code == 1 && said.contains(expected), "{args}: {code} {said}");
    }
    assert!(!dir.path().join("prog.sliced").exists());
}

#[test]
fn the_command_is_the_same_tool() {
    let dir = folder();
    let (code, said) = tool(dir.path(), "llvm-slicer", "-c check -o one.bc prog.bc");
    assert_eq!(code, 0, "{said}");
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_kerf")).args(args).current_dir(dir.path()).output().expect("kerf runs")
    };
    let other = run(&["llvm-slicer", "-c", "check", "-o", "two.bc", "prog.bc"]);
    assert_eq!(other.status.code(), Some(0), "{}", String::from_utf8_lossy(&other.stderr));
    let read = |name: &str| std::fs::read(dir.path().join(name)).expect("a slice");
    assert_eq!(read("one.bc"), read("two.bc"));
    let help = String::from_utf8_lossy(&run(&["llvm-slicer", "-help"]).stdout).into_owned();
    assert!(help.starts_with("USAGE: llvm-slicer") && help.contains("-cutoff-diverging"), "{help}");
}

#[test]
fn slices_of_kerf_slice_run_too() {
    let dir = folder();
    for options in [
        &["--control-dep", "standard"][..],
        &["--control-dep", "ntscd+dod"],
        &["--context-sensitive", "off"],
        &["--points-to", "steensgaard"],
    ] {
        let args = [&["slice", "-c", "check", "-o", "out.bc"], options, &["prog.bc"]].concat();
        let output =
            Command::new(env!("CARGO_BIN_EXE_kerf")).args(&args).current_dir(dir.path()).output().expect("kerf runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.lines().any(|l| l.starts_with("instructions ") && l.ends_with('%')), "{said}");
        assert_eq!(native(dir.path(), "out.bc"), "check 42\n", "{options:?}");
    }
}

/// The slice of a program by the tool with `options`, linked with `outside` and run: what it prints.
fn shown(program: &str, outside: &str, options: &str) -> String {
    let dir = folder();
    std::fs::write(dir.path().join("prog.c"), program).expect("a file");
    std::fs::write(dir.path().join("env.c"), outside).expect("a file");
    clang(dir.path(), &["-w", "-c", "-emit-llvm", "-g", "-O0", "prog.c", "-o", "prog.bc"]);
    let whole = native(dir.path(), "prog.bc");
    let (code, said) = tool(dir.path(), "llvm-slicer", &format!("{options} prog.bc"));
    assert_eq!(code, 0, "{said}");
    let slice = native(dir.path(), "prog.sliced");
    assert_eq!(slice, whole, "{options}");
    slice
}

#[test]
fn undefined_functions_may_read_globals_and_what_escaped() {
    let program = "
        extern int input(void);
        extern void keep(int *p), show(void);
        int global, only_outside = 5;
        int main(void) { int given = 1, n = input(); keep(&given); given = n; global = n + 1; show(); return 0; }";
    let outside = "
        #include <stdio.h>
        extern int global, only_outside;
        static int *kept;
        int input(void) { return 41; }
        void keep(int *p) { kept = p; }
        void show(void) { printf(\"%d %d %d\\n\", *kept, global, only_outside); }";
    for mode in ["read-any", "rw-any"] {
        // The call of keep() is no more than what it passes: it is asked for, too.
        let options = format!("-c show,keep -undefined-funs {mode}");
        assert_eq!(shown(program, outside, &options), "41 42 5\n");
    }
}

#[test]
fn undefined_functions_may_change_memory_in_part() {
    let program = "
        extern int input(void);
        extern void check(int), fill(int *), poke(void);
        int global;
        int main(void) {
            int m = input();
            global = m;
            fill(&m);
            poke();
            check(m + global);
            return 0;
        }";
    let outside = "
        #include <stdio.h>
        extern int global;
        int input(void) { return 5; }
        void fill(int *p) { *p += 37; }
        void poke(void) { global++; }
        void check(int v) { printf(\"%d\\n\", v); }";
    for mode in ["rw-any", "write-args"] {
        assert_eq!(shown(program, outside, &format!("-c check -undefined-funs {mode}")), "48\n");
    }
}

#[test]
fn calls_back_that_nobody_sees_are_refused() {
    let check = |program: &str, expected: &str| {
        let dir = folder();
        std::fs::write(dir.path().join("prog.c"), program).expect("a file");
        clang(dir.path(), &["-w", "-c", "-emit-llvm", "-O0", "prog.c", "-o", "prog.bc"]);
        let (code, said) = tool(dir.path(), "llvm-slicer", "-c check prog.bc");
        assert_eq!(code, 1, "{program}: {said}");
        assert!(said.contains(expected), "{program}: {said}");
    };
    check(
        "#include <pthread.h>
        extern void check(int);
        static int n;
        static void init(void) { n = 1; }
        int main(void) { pthread_atfork(init, 0, 0); check(n); return 0; }",
        "library function pthread_atfork has no model and may call init",
    );
    check(
        "extern void check(int);
        static void (*resolve(void))(void);
        static void chosen(void) { check(1); }
        static void (*resolve(void))(void) { return chosen; }
        void f(void) __attribute__((ifunc(\"resolve\")));
        int main(void) { f(); return 0; }",
        "(ifunc)",
    );
    check(
        "extern void check(int);
        void helper(void) { check(1); }
        int main(void) { __asm__ volatile(\"call helper\" ::: \"memory\"); check(2); return 0; }",
        "assembly refers to helper",
    );
    check(
        "extern void check(int);
        extern void outside(void);
        void helper(void) { check(1); }
        __asm__(\"outside: jmp helper\");
        int main(void) { outside(); check(2); return 0; }",
        "assembly refers to helper",
    );
}

#[test]
fn a_library_function_without_a_model_that_is_given_no_function_stays() {
    let program = "
        #include <stdlib.h>
        extern int input(void);
        extern void check(int);
        static int seven(void) { return 7; }
        int main(void) { int (*f)(void) = seven; int n = input(); srand(n); check(f() + (rand() == rand()) * 0 + n); return 0; }";
    let outside = "#include <stdio.h>
        int input(void) { return 2; }
        void check(int v) { printf(\"%d\\n\", v); }";
    assert_eq!(shown(program, outside, "-c check"), "9\n");
}

#[test]
fn globals_keep_their_linkage() {
    let program = "
        extern void check(int), bump(void);
        int shared = 3;
        static int own = 4;
        int main(void) { check(shared + own); bump(); check(shared); return 0; }";
    let outside = "
        #include <stdio.h>
        extern int shared;
        void bump(void) { shared++; }
        void check(int v) { printf(\"%d\\n\", v); }";
    assert_eq!(shown(program, outside, "-c check,bump"), "7\n4\n");
}
