//! What loading says: errors in one line, unsupported constructs by name, assumptions, targets.

use frontend_llvm::property::Targets;
use frontend_llvm::{LoadOptions, LoadedProgram, load};
use std::path::PathBuf;

fn load_text(name: &str, text: &[u8]) -> Result<LoadedProgram, String> {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join(name);
    std::fs::write(&file, text).expect("the folder can be written");
    load(std::slice::from_ref(&file), &LoadOptions::default())
        .map_err(|e| format!("{e:#}").replace(&file.display().to_string(), name))
}

fn error(name: &str, text: &[u8]) -> String {
    load_text(name, text).expect_err("the file is not accepted")
}

fn program(text: &str) -> LoadedProgram {
    load_text("a.c", text.as_bytes()).expect("the file is accepted")
}

/// The reasons of unsupported edges, and the assumptions.
fn check(text: &str, unsupported: &[&str], assumptions: &[&str]) {
    let loaded = program(text);
    let reasons: Vec<&str> = loaded.statistics.unsupported.keys().map(String::as_str).collect();
    assert_eq!(reasons, unsupported);
    let said: Vec<String> = loaded.raw.cfa.assumptions.iter().map(|a| a.what.to_string()).collect();
    assert_eq!(said, assumptions);
}

#[test]
fn errors_are_one_clear_line() {
    assert_eq!(error("a.c", b"int main(void) {"), "a.c: does not compile: line 1: expected '}'");
    assert_eq!(error("a.bc", b"junk"), "a.bc: not LLVM bitcode (it does not begin like bitcode)");
    assert!(error("a.bc", b"BC\xC0\xDE\x35\x14\x00\x00").starts_with("a.bc: corrupt or truncated bitcode"));
    assert_eq!(error("a.txt", b"hello"), "a.txt: neither LLVM bitcode nor textual IR");
    assert_eq!(
        error("a.ll", b"define i32 @main() {\n  ret i64 0\n}\n"),
        "a.ll: not valid LLVM IR: line 2:7: value doesn't match function result type 'i32'"
    );
    assert_eq!(
        error("a.ll", b"target datalayout = \"E\"\ndefine i32 @main() {\n  ret i32 0\n}\n"),
        "a.ll: big-endian targets are not supported (compile for x86 or another little-endian target)"
    );
    assert_eq!(
        error("a.c", b"int f(void) { return 0; }"),
        "a.c: no function main with a body (choose another with --entry)"
    );
    let missing = load(&[PathBuf::from("nowhere.c")], &LoadOptions::default()).expect_err("there is no such file");
    assert_eq!(missing.to_string(), "nowhere.c: no such file");
}

#[test]
fn old_c_compiles() {
    check("main() { return f(2); } f(n) { return n + 1; }", &[], &[]);
}

#[test]
fn what_has_no_model_is_named() {
    check(
        "#include <unistd.h>\nint main(void) { if (fork()) return 1; __asm__(\"hlt\"); return 0; }",
        &["fork is not supported", "inline assembly \"hlt\""],
        &[],
    );
    // Linux's WARN is such an instruction with a table, and goes on behind it.
    check(
        "int main(void) { __asm__(\"1: ud2\\n.pushsection x\\n.long 1b\\n.popsection\"); return 0; }",
        &["inline assembly \"1: ud2\""],
        &[],
    );
    check(
        "int wordexp(const char *, void *, int); int main(void) { return wordexp(\"\", 0, 0); }",
        &["library function wordexp has no model"],
        &[],
    );
}

#[test]
fn undefined_functions_and_globals_are_assumptions() {
    check(
        "int f(void); void *g(void); extern int n; int main(void) { g(); return f() + n; }",
        &[],
        &[
            "f is undefined: it may return any value, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program",
            "g is undefined: it may return any value (but no address in or just beyond an object or function that the program knows from elsewhere, unless the program computes with that address, and no pointer that is a number from 0x100000000000000 to 0x7ffffffffffffff), neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program",
            "n is only declared: it is not one of the program's own variables, it may hold any value at the start, and nothing outside the program changes it",
        ],
    );
}

#[test]
fn targets_are_calls() {
    let text = "void reach_error(void) {} void __assert_fail(const char *, const char *, unsigned, const char *);
                int main(int n, char **v) {
                    void (*f)(void) = reach_error;
                    if (n == 1) reach_error();
                    if (n == 2) f();
                    if (n == 3) __assert_fail(\"\", \"\", 0, \"\");
                    return 0;
                }";
    let loaded = program(text);
    assert_eq!(loaded.targets, ["reach_error"]);
    // The direct call, and that of the function which stands at its address.
    assert_eq!(loaded.raw.cfa.targets.len(), 2);
    let only_assert = program("#include <assert.h>\nint main(int n, char **v) { assert(n > 1); return 0; }");
    assert_eq!((only_assert.targets, only_assert.raw.cfa.targets.len()), (vec!["__assert_fail".to_string()], 1));
}

#[test]
fn a_named_target_is_the_only_one() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("a.c");
    std::fs::write(
        &file,
        "void bad(void); void reach_error(void); int main(int n, char **v) { if (n > 1) bad(); reach_error(); }",
    )
    .expect("the folder can be written");
    let options = LoadOptions { targets: Targets::Function("bad".into()), ..LoadOptions::default() };
    let loaded = load(&[file], &options).expect("the file is accepted");
    assert_eq!((loaded.targets, loaded.raw.cfa.targets.len()), (vec!["bad".to_string()], 1));
}

#[test]
fn edges_name_the_instructions_that_they_come_from() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("a.ll");
    let text = "declare i32 @__VERIFIER_nondet_int()
        declare void @reach_error()
        define i32 @main() {
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %y = add i32 %x, 1
          %c = icmp slt i32 %y, 5
          br i1 %c, label %bad, label %good
        bad:
          call void @reach_error()
          unreachable
        good:
          ret i32 0
        }";
    std::fs::write(&file, text).expect("the folder can be written");
    let options = LoadOptions { keep: frontend_llvm::Keep::ModuleToSlice, ..LoadOptions::default() };
    let loaded = load(&[file], &options).expect("the file is accepted");
    let module = loaded.module.expect("the module was asked for");
    let size = module.size();
    assert_eq!((size.globals, size.functions, size.blocks, size.instructions), (0, 1, 3, 7));
    let mut places: Vec<(usize, usize)> = loaded
        .raw
        .cfa
        .edges
        .iter()
        .filter_map(|e| module.instruction(e.origin))
        .map(|(f, b, i)| {
            assert_eq!(f, "main");
            (b, i)
        })
        .collect();
    places.dedup();
    // The input, the ways of the branch, the call of the target, the return.
    places.sort_unstable();
    places.dedup();
    assert_eq!(places, [(0, 0), (0, 3), (1, 0), (2, 0)]);
}

#[test]
fn the_arguments_of_observed_functions_are_passed() {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("a.c");
    let text = "void see(int); void __VERIFIER_assume(int); void reach_error(void);
                int main(int n, char **v) { see(n + 3); __VERIFIER_assume(n); reach_error(); }";
    std::fs::write(&file, text).expect("the folder can be written");
    let observed = ["see", "__VERIFIER_assume"].map(String::from).to_vec();
    let options = LoadOptions { targets: Targets::Nothing, observed, ..LoadOptions::default() };
    let loaded = load(&[file], &options).expect("the file is accepted");
    assert!(loaded.targets.is_empty() && loaded.raw.cfa.targets.is_empty());
    let cfa = &loaded.raw.cfa;
    for name in ["see", "__VERIFIER_assume"] {
        let (f, function) = cfa.funcs.iter_enumerated().find(|(_, f)| f.name == name).expect("a function");
        assert!(cfa.edges.iter().any(|e| e.op == cfa::Op::Call(f)), "{name} is called");
        let passed = |e: &cfa::Edge| e.op.written() == function.params;
        assert!(cfa.edges.iter().any(passed), "{name} is passed its argument");
    }
}

/// Files of one name in two directories are told apart by these; others keep the names that the compiler was given.
#[test]
fn files_of_one_name_have_their_directories() {
    let dir = tempfile::tempdir().expect("a directory");
    let clang = frontend_llvm::clang::find().expect("a clang");
    let compiled = |folder: &str, name: &str, text: &str| {
        let folder = dir.path().join(folder);
        std::fs::create_dir_all(&folder).expect("a directory");
        std::fs::write(folder.join(name), text).expect("a file");
        let mut command = std::process::Command::new(&clang);
        let done = command.args(["-g", "-c", "-emit-llvm", name, "-o", "out.bc"]).current_dir(&folder).status();
        assert!(done.expect("clang runs").success());
        folder.join("out.bc")
    };
    let files = [
        compiled("one", "part.c", "int f(void) { return 1; }"),
        compiled("two", "part.c", "int g(void) { return 2; }"),
        compiled("main", "main.c", "int f(void); int g(void); int main(void) { return f() + g(); }"),
    ];
    let names = || load(&files, &LoadOptions::default()).expect("a program").raw.cfa.files;
    let count = |names: &[String], end: &str| names.iter().filter(|f| f.ends_with(end)).count();
    // The source is found from here.
    let found = names();
    assert!(["one/part.c", "two/part.c", "main/main.c"].iter().all(|end| count(&found, end) == 1), "{found:?}");
    // Where it is not, the names are those that the compiler was given, as far as they tell the files apart.
    for source in ["one/part.c", "two/part.c", "main/main.c"] {
        std::fs::remove_file(dir.path().join(source)).expect("a file");
    }
    let gone = names();
    assert_eq!((count(&gone, "one/part.c"), count(&gone, "two/part.c")), (1, 1), "{gone:?}");
    assert!(gone.iter().any(|f| f == "main.c"), "{gone:?}");
}

/// How many heap objects the program has that only `depth` levels of wrappers tell apart; functions in `named` stay.
fn heap_objects(text: &str, depth: u32, named: &[&str]) -> usize {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = dir.path().join("a.c");
    std::fs::write(&file, text).expect("the folder can be written");
    let named = named.iter().map(|n| n.to_string()).collect();
    let options = LoadOptions { heap_context: depth, named, ..LoadOptions::default() };
    let cfa = load(&[file], &options).expect("the file is accepted").raw.cfa;
    cfa.objects.iter().filter(|o| o.heap).count()
}

#[test]
fn call_sites_of_wrappers_allocate_objects_of_their_own() {
    let text = "
        #include <stdlib.h>
        #include <stdio.h>
        static void *fresh(size_t n) {
          void *p = malloc(n);
          if (!p) { perror(\"memory\"); abort(); }
          return p;
        }
        struct node { int v; struct node *next; };
        struct node *node(int v, struct node *next) {
          struct node *n = fresh(sizeof *n);
          n->v = v; n->next = next;
          return n;
        }
        int main(void) {
          struct node *a = node(1, 0), *b = node(2, node(3, 0));
          int *c = fresh(4);
          return a->v + b->v + *c;
        }";
    assert_eq!(heap_objects(text, 0, &[]), 1);
    // The calls in `node` and in `main`.
    assert_eq!(heap_objects(text, 1, &[]), 2);
    assert_eq!(heap_objects(text, 2, &[]), 4);
    assert_eq!(heap_objects(text, 2, &["node"]), 2);
    assert_eq!(heap_objects(text, 2, &["fresh"]), 1);
}

#[test]
fn what_only_looks_like_a_wrapper_is_left_alone() {
    let calls = "int main(void) { int *a = f(4), *b = f(8); return a && b && a != b; }";
    let check = |function: &str, expected: usize| {
        let declarations = "void *malloc(unsigned long); int __VERIFIER_nondet_int(void); void *alloca(unsigned long);";
        let text = format!("{declarations} {function} {calls}");
        assert_eq!(heap_objects(&text, 2, &[]), expected, "{function}");
    };
    check("void *f(unsigned long n) { return malloc(n); }", 2);
    check("void *f(unsigned long n) { return n > 4 ? f(4) : malloc(n); }", 1);
    check(
        "void *g(unsigned long); void *f(unsigned long n) { return n ? g(n) : malloc(n); }
           void *g(unsigned long n) { return f(n - 1); }",
        1,
    );
    check("void *f(unsigned long n) { return __VERIFIER_nondet_int() ? malloc(n) : 0; }", 1);
    check("void *f(unsigned long n) { char c[n]; c[n - 1] = 0; return malloc(n + c[n - 1]); }", 1);
    check("void *f(unsigned long n, ...) { return malloc(n); }", 1);
}

#[test]
fn calls_of_allocators_through_pointers_have_objects_of_their_own() {
    let calls = "int main(void) { int *a = f(4), *b = f(8); return a && b && a != b; }";
    let heap_objects = |function: &str, chosen: &str, depth| {
        let pointer = format!("void *(*volatile f)(unsigned long) = {chosen};");
        heap_objects(&format!("void *malloc(unsigned long); {function} {pointer} {calls}"), depth, &[])
    };
    // The third object is that of the function itself, which the address may leave.
    let wrapper = "void *h(unsigned long n) { return malloc(n); }";
    assert_eq!(heap_objects(wrapper, "h", 2), 3);
    assert_eq!(heap_objects(wrapper, "h", 0), 1);
    assert_eq!(heap_objects("", "malloc", 2), 3);
    // Another function of the same type is called as before.
    assert_eq!(heap_objects("static char c[8]; void *h(unsigned long n) { return c; }", "h", 2), 0);
}
