//! Programs in other languages than C, as their compilers write them: what belongs to a runtime library is never ignored.

use crate::support::{folder, kerf};

/// Verifies a module, and expects the last line to begin with `expected`.
fn check(module: &str, expected: &str) {
    let head = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
                target triple = \"x86_64-unknown-linux-gnu\"\n";
    let dir = folder(&[("a.ll", &format!("{head}{module}"))]);
    let answer = kerf(dir.path(), &["verify", "--timeout", "60s", "a.ll"]);
    let last = answer.out.lines().last().unwrap_or_default();
    assert!(last.starts_with(expected), "{expected}: {}{}\n{module}", answer.out, answer.err);
}

/// A `main` that calls `f`, which returns a number, and fails where that is 5.
fn fails_if_five(f: &str) -> String {
    format!(
        "declare void @reach_error()\ndeclare i32 @{f}()\n\
         define i32 @main() {{\n  %x = call i32 @{f}()\n  %c = icmp eq i32 %x, 5\n  br i1 %c, label %yes, label %no\n\
         yes:\n  call void @reach_error()\n  ret i32 0\nno:\n  ret i32 0\n}}\n"
    )
}

#[test]
fn functions_of_runtime_libraries_have_no_arbitrary_results() {
    check(&fails_if_five("input"), "RESULT: false");
    check(&fails_if_five("_Z5inputv"), "RESULT: false");
    for f in [
        "_ZSt4somev",
        "_ZNKSt6vectorIiSaIiEE4sizeEv",
        "_ZNSo3putEc",
        "__cxa_get_globals",
        "_ZN3std2io5stdin17h0123456789abcdefE",
        "_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio5stdin",
    ] {
        check(&fails_if_five(f), &format!("RESULT: unknown (unsupported: library function {f} has no model"));
    }
}

#[test]
fn the_target_may_have_a_mangled_name() {
    let program = fails_if_five("input");
    check(&program.replace("reach_error", "_Z11reach_errorv"), "RESULT: false");
    check(&program.replace("reach_error", "_ZN2ns11reach_errorEv"), "RESULT: true");
}

/// What a call puts above a small number is its own choice: the function may come from a file with which it was not compiled.
#[test]
fn a_call_extends_numbers_as_its_function_takes_them() {
    let main = |given: &str| {
        format!(
            "declare void @reach_error()\ndeclare i32 @f(i8 {given})\n\
             define i32 @main() {{\n  %x = call i32 @f(i8 {given} -56)\n  %c = icmp eq i32 %x, 200\n  br i1 %c, label %yes, label %no\n\
             yes:\n  call void @reach_error()\n  ret i32 0\nno:\n  ret i32 0\n}}\n"
        )
    };
    let f = "define i32 @f(i8 signext %c) {\n  %r = sext i8 %c to i32\n  ret i32 %r\n}\n";
    let misfit = "RESULT: unknown (unsupported: f is called as if it were of another type";
    for (given, expected) in [("signext", "RESULT: true"), ("zeroext", misfit), ("", misfit)] {
        let dir = folder(&[("main.ll", &main(given)), ("f.ll", f)]);
        let answer = kerf(dir.path(), &["verify", "--timeout", "60s", "main.ll", "f.ll"]);
        let last = answer.out.lines().last().unwrap_or_default();
        assert!(last.starts_with(expected), "{given}: {}{}", answer.out, answer.err);
    }
}

#[test]
fn operators_allocate() {
    let program = |new: &str, delete: &str, args: &str, holds: &str| {
        let (a, b) = (args.replace("VALUE", "i64 4"), args.replace("VALUE", "i64 4"));
        format!(
            "declare void @reach_error()\ndeclare ptr @{new}({})\ndeclare void @{delete}(ptr)\n\
             define i32 @main() {{\n  %p = call ptr @{new}({a})\n  %q = call ptr @{new}({b})\n  store i32 1, ptr %p\n\
             store i32 2, ptr %q\n  %x = load i32, ptr %p\n  call void @{delete}(ptr %p)\n  %c = icmp eq i32 %x, {holds}\n\
             br i1 %c, label %no, label %yes\nyes:\n  call void @reach_error()\n  ret i32 0\nno:\n  ret i32 0\n}}\n",
            args.replace("VALUE", "i64").replace(" 8", "").replace(" 16", "")
        )
    };
    for (new, delete, args) in [
        ("_Znwm", "_ZdlPv", "VALUE"),
        ("_Znam", "_ZdaPv", "VALUE"),
        ("_ZnwmSt11align_val_t", "_ZdlPv", "VALUE, i64 16"),
        ("__rust_alloc", "free", "VALUE, i64 8"),
        ("_RNvCsdBezzDwma51_7___rustc12___rust_alloc", "free", "VALUE, i64 8"),
    ] {
        check(&program(new, delete, args, "1"), "RESULT: true");
        check(&program(new, delete, args, "2"), "RESULT: false");
    }
}

#[test]
fn operators_may_call_those_that_the_program_replaces() {
    let program = |own: &str, used: &str| {
        format!(
            "declare void @reach_error()\ndeclare ptr @malloc(i64)\ndeclare {used}\n{own}\n\
             define i32 @main() {{\n  %p = call ptr @_Znam(i64 4)\n  call void @_ZdaPv(ptr %p)\n  ret i32 0\n}}\n"
        )
    };
    let new = "define ptr @_Znwm(i64 %n) {\n  call void @reach_error()\n  ret ptr null\n}\ndeclare ptr @_Znam(i64)";
    check(&program(new, "void @_ZdaPv(ptr)"), "RESULT: unknown (unsupported: _Znam may call an allocator");
    let delete = "define void @_ZdlPv(ptr %p) {\n  call void @reach_error()\n  ret void\n}\ndeclare void @_ZdaPv(ptr)";
    check(&program(delete, "ptr @_Znam(i64)"), "RESULT: unknown (unsupported: _ZdaPv may call an allocator");
}

#[test]
fn functions_without_a_name_may_be_one() {
    let dir = folder(&[(
        "a.ll",
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
         target triple = \"x86_64-unknown-linux-gnu\"\n\
         declare void @reach_error()\n\
         define private void @f() unnamed_addr {\n  ret void\n}\ndefine private void @g() unnamed_addr {\n  ret void\n}\n\
         define i32 @main() {\n  %p = alloca ptr\n  store volatile ptr @f, ptr %p\n  %f = load volatile ptr, ptr %p\n\
         %c = icmp eq ptr %f, @g\n  br i1 %c, label %yes, label %no\nyes:\n  call void @reach_error()\n  ret i32 0\n\
         no:\n  ret i32 0\n}\n",
    )]);
    let answer = kerf(dir.path(), &["verify", "a.ll"]);
    assert!(answer.out.contains("RESULT: true"), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("though unnamed_addr lets them share one"), "{}", answer.out);
}

/// `fn main() { assert!(input() != 5) }`, in both manglings; `reach_error` may be known too.
fn rust_program(panic: &str, start: &str, also: &str) -> String {
    format!(
        "declare void @{panic}(ptr, i64, ptr)\ndeclare i32 @input()\n{also}\
         define i64 @{start}(ptr %main, i64 %argc, ptr %argv, i8 %sigpipe) {{\n  ret i64 0\n}}\n\
         define internal void @rust_main() {{\n  %x = call i32 @input()\n  %c = icmp eq i32 %x, 5\n\
         br i1 %c, label %yes, label %no\nyes:\n  call void @{panic}(ptr null, i64 0, ptr null)\n  unreachable\nno:\n  ret void\n}}\n\
         define i32 @main(i32 %argc, ptr %argv) {{\n  %n = sext i32 %argc to i64\n\
         %r = call i64 @{start}(ptr @rust_main, i64 %n, ptr %argv, i8 0)\n  %s = trunc i64 %r to i32\n  ret i32 %s\n}}\n"
    )
}

#[test]
fn panics_are_failing_assertions() {
    for (panic, start) in [
        ("_ZN4core9panicking5panic17h0123456789abcdefE", "_ZN3std2rt10lang_start17h0123456789abcdefE"),
        ("_RNvNtCsgEmfK2I1SDS_4core9panicking5panic", "_RINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuECs1_1a"),
    ] {
        check(&rust_program(panic, start, ""), "RESULT: false");
        // Where the program knows reach_error, an assertion that fails only ends it.
        check(&rust_program(panic, start, "declare void @reach_error()\n"), "RESULT: true");
    }
    // What a function of the runtime does with main is not known.
    let unknown = "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal";
    let program = rust_program("_RNvNtCsgEmfK2I1SDS_4core9panicking5panic", unknown, "");
    let body =
        "define i64 @BODY(ptr %main, i64 %argc, ptr %argv, i8 %sigpipe) {\n  ret i64 0\n}\n".replace("BODY", unknown);
    let declared = program.replace(&body, &format!("declare i64 @{unknown}(ptr, i64, ptr, i8)\n"));
    assert_ne!(program, declared);
    check(&declared, "RESULT: unknown (unsupported: library function");
}

#[test]
fn answers_say_that_nothing_can_violate_the_property() {
    let answer = |text: &str, files: &[(&str, &str)], property: &str| {
        let dir = folder(&[&[("a.c", text)], files].concat());
        let told = kerf(dir.path(), &["verify", "--property", property, "a.c"]);
        assert_eq!((told.code, &*told.err), (0, ""), "{}", told.out);
        let json = kerf(dir.path(), &["verify", "--json", "--property", property, "a.c"]);
        let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        assert!(json["notes"].as_array().is_some_and(|notes| !notes.is_empty()), "{json}");
        told.out
    };
    let main = "int main(void) { return 0; }\n";
    let told = answer(main, &[], "unreach-call");
    assert!(told.contains("Note: no call of reach_error(), __VERIFIER_error() or a failing assert in"), "{told}");
    let wrong = ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_eror())) )\n");
    let told = answer(main, &[wrong], "p.prp");
    assert!(told.contains("Note: no function reach_eror in the program"), "{told}");
    let label = "extern int input(void);\nint main(void) { if (input()) goto ERROR; return 0; ERROR: return 1; }\n";
    let told = answer(label, &[], "unreach-call");
    assert!(told.contains("--property label:ERROR makes reaching it the violation"), "{told}");
    let told = answer(main, &[], "label:ERROR");
    assert!(told.contains("Note: no label ERROR in the program"), "{told}");
}

#[test]
fn the_linkers_bounds_of_sections_are_unsupported() {
    let program = |bound: &str, section: &str| {
        format!(
            "declare void @reach_error()\n@a = global i32 1, section \"{section}\"\n@{bound} = external global [0 x i32]\n\
             define i32 @main() {{\n  store i32 7, ptr @{bound}\n  %x = load i32, ptr @a\n  %c = icmp eq i32 %x, 7\n\
             br i1 %c, label %yes, label %no\nyes:\n  call void @reach_error()\n  ret i32 0\nno:\n  ret i32 0\n}}\n"
        )
    };
    for bound in ["__start_table", "__stop_table"] {
        check(&program(bound, "table"), &format!("RESULT: unknown (unsupported: store: {bound}, where the linker"));
        // No object of the program lies in that section.
        check(&program(bound, "other"), "RESULT: true");
    }
}
