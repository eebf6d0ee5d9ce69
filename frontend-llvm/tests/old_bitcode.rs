//! Bitcode of clang 13, 14, 16 and 22: each build reads all that is not newer than its LLVM, to the same meaning and the same names, and
//! says of the rest that it is newer. The files in `old_bitcode/` were compiled from `program.c` beside them.

use cfa::eval::Value;
use cfa::interpret::{End, InputSource, RunLimits, run};
use cfa::{EdgeId, InputKind, Sort};
use frontend_llvm::{LLVM_MAJOR, LoadOptions, load};
use slicer::{PrepareOptions, prepare};
use std::path::Path;

/// Inputs under which the program calls its error function; with others it returns.
const TO_THE_ERROR: u64 = 4;

/// One number for all inputs of the type `int`, zero for memory.
struct Always(u64);

impl InputSource for Always {
    fn value(&mut self, _: EdgeId, _: u32, _: &InputKind, sort: Sort) -> Value {
        match sort {
            Sort::Bv(32) => Value::Bv(cfa::bv::Bv::new(32, self.0)),
            other => Value::zero(other),
        }
    }
}

fn check(clang: u32) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/old_bitcode/llvm{clang}.bc"));
    let loaded = load(std::slice::from_ref(&file), &LoadOptions::default());
    if clang > LLVM_MAJOR {
        let said = loaded.expect_err("bitcode of a newer LLVM is not accepted").to_string();
        let expected = format!("{}: bitcode of a newer LLVM than kerf reads ({LLVM_MAJOR}): ", file.display());
        assert!(said.starts_with(&expected), "{said}");
        return;
    }
    let loaded = loaded.expect("older bitcode is accepted");
    assert!(loaded.statistics.unsupported.is_empty(), "{:?}", loaded.statistics.unsupported);
    assert_eq!(loaded.targets, ["reach_error"]);
    let cfa = &loaded.raw.cfa;
    assert!(cfa.files.iter().any(|f| f == "program.c"), "{:?}", cfa.files);
    // What debug information tells of globals and of stack slots: structs, arrays, type names, pointers, constants.
    let parts: Vec<String> = cfa
        .objects
        .iter_enumerated()
        .flat_map(|(o, _)| cfa.object_parts.get(&o).into_iter().flatten())
        .map(|p| format!("{} {:?} {}+{}", p.source.name, p.source.format, p.offset_bytes, p.size_bytes))
        .collect();
    for expected in [
        "points[1].x Signed 16+4",
        "points[1].y Signed 20+2",
        "points[2].weight Float(Double) 40+8",
        "offsets[3] Signed 12+4",
        "names[1] Pointer 8+8",
        "operation Pointer 0+8",
        "total Signed 0+4",
        "p Pointer 0+8",
    ] {
        assert!(parts.iter().any(|p| p == expected), "no {expected} in {parts:#?}");
    }
    let (cfa, _) = prepare(loaded.raw, &PrepareOptions::default()).expect("it can be prepared");
    let limits = RunLimits { steps: 100_000, deadline: None };
    let end = |n| run(&cfa, &mut Always(n), limits, &mut |_, _| {}).end;
    assert!(matches!(end(TO_THE_ERROR), End::Target(_)), "{:?}", end(TO_THE_ERROR));
    assert_eq!(end(3), End::Finished);
    assert_eq!(end(TO_THE_ERROR + 1), End::Finished);
}

#[test]
fn clang_13() {
    check(13);
}

#[test]
fn clang_14() {
    check(14);
}

#[test]
fn clang_16() {
    check(16);
}

#[test]
fn clang_22() {
    check(22);
}
