//! `kerf compare` from outside: kerf's variants and an external slicer side by side.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int unrelated;
static void work(void) { unrelated++; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++)
    work();
  if (x > 3 && x < 3)
    reach_error();
  return unrelated;
}
";

fn kerf(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kerf")).args(args).current_dir(dir).output().expect("kerf runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// A folder with a program and with scripts that stand for external slicers.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("a.c"), PROGRAM).expect("a file");
    let scripts = [
        // Its arguments are `-c CRITERIA -entry ENTRY -o OUT IN`; it keeps everything.
        ("copy", "[ \"$1\" = -c ] && [ \"$2\" = reach_error ] && [ \"$4\" = main ] && cp \"$7\" \"$6\""),
        ("old", "echo \"$7: error: Unknown attribute kind (98) (Producer: 'LLVM22' Reader: 'LLVM 14')\" >&2; exit 1"),
        ("idle", "echo nothing to do"),
        ("slow", "sleep 60"),
    ];
    for (name, body) in scripts {
        let path = dir.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    dir
}

#[test]
fn slicers_are_measured_and_their_slices_verified() {
    let dir = folder();
    let slicers = "--slicer none --slicer standard --slicer insensitive --slicer ntscd --slicer copy=./copy";
    let args: Vec<&str> = ["compare", "--json"].into_iter().chain(slicers.split(' ')).chain(["a.c"]).collect();
    let (code, out, err) = kerf(dir.path(), &args);
    assert_eq!(code, 0, "{err}");
    let all: Value = serde_json::from_str(&out).expect("JSON");
    let rows = all["rows"].as_array().expect("rows");
    let column = |name: &str| rows.iter().map(|r| r[name].clone()).collect::<Vec<Value>>();
    assert_eq!(column("slicer"), ["none", "standard", "insensitive", "ntscd", "copy"]);
    assert_eq!(column("verdict"), ["true"; 5], "{out}");
    let instructions: Vec<u64> = column("instructions").iter().map(|n| n.as_u64().expect("a number")).collect();
    assert!(instructions[1] < instructions[0] && instructions[1] <= instructions[3], "{instructions:?}");
    assert_eq!(instructions[4], instructions[0], "the copy is the whole program");
    assert_eq!((&all["totals"][4]["sliced"], &all["totals"][4]["kept"]), (&1.into(), &1.0.into()));
}

#[test]
fn an_external_slicer_that_fails_is_a_row_that_says_why() {
    let dir = folder();
    let slicers = "--timeout 8s --no-verify --slicer old=./old --slicer idle=./idle --slicer slow=./slow";
    let args: Vec<&str> = ["compare"].into_iter().chain(slicers.split(' ')).chain(["a.c"]).collect();
    let (code, out, err) = kerf(dir.path(), &args);
    assert_eq!(code, 0, "{err}");
    let too_new = format!("old    failed: it cannot read bitcode of LLVM {}", frontend_llvm::LLVM_MAJOR);
    for expected in [&too_new, "idle   failed: it wrote no file: nothing to do", "slow   failed: timeout after 8s"] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
}

#[test]
fn one_of_several_programs_that_cannot_be_read_is_a_row_that_says_why() {
    let dir = folder();
    std::fs::write(dir.path().join("bad.c"), "int main(void) { return nonsense; }\n").expect("a file");
    let args = ["compare", "--csv", "--no-verify", "--slicer", "standard"];
    let (code, out, err) = kerf(dir.path(), &[&args[..], &["bad.c", "gone.c", "a.c"]].concat());
    assert_eq!((code, out.lines().count()), (0, 4), "{out}{err}");
    assert!(out.contains("\ngone.c,standard,"), "{out}");
    assert!(out.contains("\nbad.c,standard,") && out.contains("nonsense") && out.contains("\na.c,standard,"), "{out}");
    let (code, _, err) = kerf(dir.path(), &[&args[..], &["bad.c"]].concat());
    assert!(code == 1 && err.contains("nonsense"), "{err}");
}

#[test]
fn tables_and_values() {
    let dir = folder();
    let (code, out, err) = kerf(dir.path(), &["compare", "--csv", "--no-verify", "--slicer", "standard", "a.c"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}{err}");
    assert!(out.starts_with("file,slicer,instructions_before,") && out.contains("\na.c,standard,"), "{out}");
    let (code, _, err) = kerf(dir.path(), &["compare", "--slicer", "nonsense", "a.c"]);
    assert!(code == 1 && err.contains("unknown slicer 'nonsense'"), "{err}");
    let (code, _, err) = kerf(dir.path(), &["compare", "--no-verify", "--slicer", "x=./missing", "a.c"]);
    assert!(code == 1 && err.contains("./missing: No such file"), "{err}");
}

#[test]
fn slices_for_something_else_than_the_property_are_not_verified() {
    let dir = folder();
    let slicers = ["compare", "--json", "--slicer", "none", "--slicer", "standard", "-c"];
    for (criterion, verdict) in [("11:unrelated", Value::Null), ("reach_error", "true".into())] {
        let (code, out, err) = kerf(dir.path(), &[&slicers[..], &[criterion, "a.c"]].concat());
        assert_eq!(code, 0, "{err}");
        let all: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!([&all["rows"][0]["verdict"], &all["rows"][1]["verdict"]], [&verdict; 2], "{criterion}: {out}");
        assert_eq!(err.contains("not verified"), verdict.is_null(), "{criterion}: {err}");
    }
}
