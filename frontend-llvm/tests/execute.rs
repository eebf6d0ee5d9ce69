//! Programs executed on their CFA return what they return natively: both data models, unoptimised and at -O2, with and without
//! promotion. The programs in `semantics/` compute a checksum over what they observe, without inputs.

use cfa::interpret::{End, RunLimits, run};
use cfa::{EdgeId, VarId};
use frontend_llvm::{LoadOptions, load};
use rustc_hash::FxHashMap;
use slicer::{PrepareOptions, prepare};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Most edges that one program may execute.
const STEPS: u64 = 2_000_000;

fn clang(args: &[&str], source: &Path, out: &Path) {
    let clang = frontend_llvm::clang::find().expect("clang is installed");
    let output = Command::new(clang)
        .args(["-w", "-ffp-contract=off"])
        .args(args)
        .arg(source)
        .arg("-o")
        .arg(out)
        .arg("-lm")
        .output()
        .expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the program returns when it is compiled and run.
fn native(source: &Path, width: &str, dir: &Path) -> u32 {
    let exe = dir.join(format!("native{width}"));
    // Without SSE2, 32-bit code computes with the excess precision of the x87.
    clang(&["-O1", "-DNATIVE", "-msse2", width], source, &exe);
    let output = Command::new(exe).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("digits");
    text.trim().parse().expect("the program prints a number")
}

/// What the CFA returns.
fn interpreted(file: &Path, pointer_bits: u32, promote: bool) -> Result<u32, String> {
    let options = LoadOptions { pointer_bits, ..LoadOptions::default() };
    let loaded = load(&[file.to_path_buf()], &options).map_err(|e| e.to_string())?;
    let reasons: Vec<&String> = loaded.statistics.unsupported.keys().collect();
    let how = PrepareOptions { promote, wide_cells: promote, ..PrepareOptions::default() };
    let (cfa, _) = prepare(loaded.raw, &how).map_err(|e| format!("{e:#}"))?;
    let result: VarId = cfa
        .vars
        .iter_enumerated()
        .find(|(_, v)| v.name == "_start::result")
        .map(|(v, _)| v)
        .ok_or("no variable with the result of main")?;
    let mut inputs: FxHashMap<EdgeId, Vec<cfa::eval::Value>> = FxHashMap::default();
    let mut value = None;
    let limits = RunLimits { steps: STEPS, deadline: None };
    let run = run(&cfa, &mut inputs, limits, &mut |machine, _| {
        if let Some(v) = machine.value(result) {
            value = v.to_u64();
        }
    });
    match (run.end, value) {
        (End::Finished, Some(v)) => Ok(v as u32),
        (End::Unsupported(e), _) => Err(format!("unsupported at {}: one of {reasons:?}", cfa.place(cfa.edges[e].span))),
        (End::InvalidAccess { edge, address }, _) => Err(format!(
            "invalid access of {address:#x} at {}: {:?} {}",
            cfa.place(cfa.edges[edge].span),
            edge,
            cfa.edges[edge].op.terms().iter().map(|t| cfa.show(*t)).collect::<Vec<_>>().join("; ")
        )),
        (End::GuardFailed(e), _) => Err(format!("guard failed at {}", cfa.place(cfa.edges[e].span))),
        (end, _) => Err(format!("{end:?}")),
    }
}

fn check(name: &str) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/semantics").join(name);
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let mut wrong = Vec::new();
    for (width, bits) in [("-m64", 64), ("-m32", 32)] {
        let expected = native(&source, width, dir.path());
        let optimised = dir.path().join(format!("o2{width}.bc"));
        clang(&["-O2", "-c", "-emit-llvm", width], &source, &optimised);
        for (file, level) in [(&source, "unoptimised"), (&optimised, "-O2")] {
            for promote in [true, false] {
                let found = interpreted(file, bits, promote);
                if found != Ok(expected) {
                    wrong.push(format!("{width} {level} promote={promote}: {found:?} instead of {expected}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

/// Textual IR, whose result was computed once with LLVM's own code generator.
fn check_text(name: &str, expected: u32) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/semantics").join(name);
    for promote in [true, false] {
        assert_eq!(interpreted(&source, 64, promote), Ok(expected));
    }
}

/// In the language of today, with intrinsics that LLVM 16 does not have yet.
#[cfg(feature = "llvm22")]
#[test]
fn intrinsics() {
    check_text("intrinsics.ll", 616_257_342);
}

/// In the language that LLVM 22 does not read as text any more (as bitcode, it does).
#[cfg(not(feature = "llvm22"))]
#[test]
fn typed_pointers() {
    check_text("typed_pointers.ll", 1_769_482_147);
}

macro_rules! programs {
    ($($test:ident, $file:literal;)*) => {$(
        #[test]
        fn $test() {
            check($file);
        }
    )*};
}

programs! {
    integers, "integers.c";
    floats, "floats.c";
    memory, "memory.c";
    control, "control.c";
    vectors, "vectors.c";
    atomics, "atomics.c";
    library, "library.c";
}
