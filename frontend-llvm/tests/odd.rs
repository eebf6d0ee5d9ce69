//! Modules that a compiler of C hardly writes: values and types of kinds that inkwell's enums do not have, and modules that disagree.

use frontend_llvm::{LoadOptions, LoadedProgram, load};

fn load_texts(texts: &[&str]) -> LoadedProgram {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let file = |(i, text): (usize, &&str)| {
        let file = dir.path().join(format!("{i}.ll"));
        std::fs::write(&file, text).expect("the folder can be written");
        file
    };
    let files: Vec<_> = texts.iter().enumerate().map(file).collect();
    load(&files, &LoadOptions { keep: frontend_llvm::Keep::ModuleToSlice, ..LoadOptions::default() })
        .expect("the files are accepted")
}

/// Tokens, metadata, labels and types of a target are operands, results, parameters, slots and globals.
#[test]
#[cfg(feature = "llvm22")]
fn values_of_all_kinds_are_read() {
    let loaded = load_texts(&[r#"
@event = global target("spirv.Event") zeroinitializer
@events = global { i32, [2 x target("spirv.Event")] } zeroinitializer
@label = global ptr blockaddress(@jumps, %b)
@number = alias i32, getelementptr (i8, ptr @numbers, i64 4)
@numbers = global [2 x i32] [i32 1, i32 2]
@chosen = ifunc i32 (), ptr @choose
define internal ptr @choose() { ret ptr @main }
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i64 @llvm.read_register.i64(metadata)
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare void @takes(target("spirv.Event"))
declare void @llvm.assume(i1)
declare i32 @__gxx_personality_v0(...)
define void @token() {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  ret void
}
define void @target() {
  %tile = call x86_amx @llvm.x86.tilezero.internal(i16 1, i16 1)
  %loaded = load target("spirv.Event"), ptr @event
  call void @takes(target("spirv.Event") %loaded)
  ret void
}
define double @rounds(double %a) {
  %b = call double @llvm.experimental.constrained.fadd.f64(double %a, double 1.0, metadata !"round.dynamic", metadata !"fpexcept.strict")
  ret double %b
}
define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @token() to label %ok unwind label %bad
ok:
  ret void
bad:
  %switch = catchswitch within none [label %handler] unwind to caller
handler:
  %pad = catchpad within %switch [ptr null]
  catchret from %pad to label %ok
}
define void @jumps(ptr %to) {
  callbr void asm "jmp ${0:l}", "!i"() to label %a [label %b]
a:
  indirectbr ptr %to, [label %b, label %a]
b:
  ret void
}
define i32 @main() {
  %register = call i64 @llvm.read_register.i64(metadata !0)
  call void @token()
  call void @target()
  %sum = call double @rounds(double 1.0)
  call void @catches()
  call void @jumps(ptr null)
  call void @llvm.assume(i1 true) [ "align"(ptr @numbers, i64 8) ]
  %c = call i32 @chosen()
  %old = atomicrmw usub_sat ptr @number, i32 1 seq_cst
  ret i32 %old
}
!0 = !{!"rsp"}
"#]);
    let reasons: Vec<&str> = loaded.statistics.unsupported.keys().map(String::as_str).collect();
    assert_eq!(
        reasons,
        [
            "atomicrmw: the operation USubSat",
            "call: a value of type metadata",
            "call: a value of type target(\"spirv.Event\")",
            "call: a value of type token",
            "call: a value of type x86_amx",
            "call: an indirect function (ifunc)",
            "callbr: this instruction is not supported",
            "chosen is chosen when the program is loaded (ifunc), by code that runs before main",
            "load: a value of type target(\"spirv.Event\")",
        ],
    );
}

/// The priority of a constructor is a number in every module that LLVM's verifier accepts; reading does not verify.
#[test]
#[cfg(not(feature = "llvm14"))]
fn constructors_without_a_priority_run() {
    let loaded = load_texts(&[r#"
@n = global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 undef, ptr @first, ptr null }]
define void @first() {
  store i32 1, ptr @n
  ret void
}
define i32 @main() {
  ret i32 0
}
"#]);
    assert!(loaded.raw.cfa.funcs.iter().any(|f| f.name == "first"));
}

/// Linking gives the first module the data layout of the second.
#[test]
fn the_data_layout_may_come_with_the_second_module() {
    let loaded = load_texts(&[
        "define i32 @main() {\n  ret i32 0\n}\n",
        "target datalayout = \"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128\"\n",
    ]);
    assert_eq!(loaded.raw.cfa.pointer_bits, 32);
}

/// The reasons of a program's unsupported edges.
#[cfg(feature = "llvm22")]
fn unsupported(text: &str) -> Vec<String> {
    let cfa = load_texts(&[text]).raw.cfa;
    let reason = |edge: &cfa::Edge| match &edge.op {
        cfa::Op::Unsupported(what) => Some(what.reason.to_string()),
        _ => None,
    };
    cfa.edges.iter().filter_map(reason).collect()
}

/// What has an effect is never passed over, even if nobody uses a result of it.
#[test]
#[cfg(feature = "llvm22")]
fn effects_without_a_model_are_unsupported() {
    for (what, declarations, body) in [
        (
            "the intrinsic llvm.experimental.memset.pattern.p0.i32.i64",
            "declare void @llvm.experimental.memset.pattern.p0.i32.i64(ptr, i32, i64, i1)",
            "call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr %a, i32 7, i64 4, i1 false)",
        ),
        (
            "the intrinsic llvm.experimental.patchpoint.void",
            "declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)\n@a = global i32 0",
            "call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 0, i32 15, ptr @a, i32 0)",
        ),
        (
            "a global variable that is initialised outside the program",
            "@a = externally_initialized global i32 0",
            "%v = load i32, ptr @a",
        ),
        (
            "save, which may return twice",
            "declare i32 @save(ptr) returns_twice",
            "%v = call i32 @save(ptr %a) returns_twice",
        ),
    ] {
        let text = format!("{declarations}\ndefine i32 @main() {{\n%a = alloca [4 x i32]\n{body}\nret i32 0\n}}\n");
        let reasons = unsupported(&text);
        assert!(reasons.iter().any(|reason| reason.contains(what)), "{what}: {reasons:?}");
    }
    let hook = "define void @hook(ptr %f, ptr %caller) {\nret void\n}\n\
                define i32 @main() \"instrument-function-entry-inlined\"=\"hook\" {\nret i32 0\n}\n";
    assert!(unsupported(hook).iter().any(|reason| reason.contains("a call of hook that the compiler inserts")));
}
