//! Libraries as people write them (`tests/libraries`): kerf proves what their proofs say and finds the bugs that are seeded in them, and
//! native runs agree.
//!
//! `KERF_PROGRAMS=part` selects harnesses by their paths, as for the task programs.

use kerf_tests::kerf::Verdict;
use kerf_tests::tasks::{assert_all, check, expected, programs};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Native runs of each proof, with other random inputs in each.
const RUNS: u64 = 20;
/// The exit code of a run that calls `reach_error`; sanitizers have others.
const REACHED: Option<i32> = Some(10);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries")
}

/// The names of the libraries, which are those of their folders.
fn libraries() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the libraries").map(|entry| entry.expect("a file"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The proofs and bugs of all libraries.
fn harnesses() -> Vec<PathBuf> {
    let files = libraries().into_iter().flat_map(|name| programs(&format!("libraries/{name}")));
    files.filter(|file| has_prefix(file, "proof_") || has_prefix(file, "bug_")).collect()
}

fn has_prefix(file: &Path, prefix: &str) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
}

fn text(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a readable file")
}

#[test]
fn libraries_have_their_verdicts() {
    assert_all(&harnesses(), |file| check(file, &[], |_| None));
}

/// Random inputs reach no error of a proof, and no undefined behaviour; the inputs that a bug states reach its error.
#[test]
fn native_runs_of_libraries_agree() {
    assert_all(&harnesses(), |file| native_run(file).err());
}

/// Compiles a harness with its library and sanitizers, and runs it. Returns what is wrong.
fn native_run(file: &Path) -> Result<(), String> {
    let (expected, text) = (expected(file), text(file));
    let built = tempfile::tempdir().expect("a folder");
    let binary = built.path().join("harness");
    let mut clang = Command::new(frontend_llvm::clang::find().expect("clang"));
    clang.args(["-w", "-O1", "-o"]).arg(&binary).arg(file).args(&expected.further).arg(folder().join("native.c"));
    if !text.contains("// NATIVE: no-sanitizers (") {
        clang.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    let compiled = clang.output().expect("clang runs");
    if !compiled.status.success() {
        return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&compiled.stderr)));
    }
    let run = |variable: &str, value: &str, wanted: Option<i32>| {
        let is_proof = expected.verdict == Verdict::True;
        let leaks = if is_proof { "detect_leaks=1" } else { "detect_leaks=0" };
        let run = Command::new(&binary).env(variable, value).env("ASAN_OPTIONS", leaks).output().expect("it runs");
        let said = String::from_utf8_lossy(&run.stderr);
        let wrong = format!("{} with {variable}={value}: {:?} {said}", file.display(), run.status.code());
        if run.status.code() == wanted { Ok(()) } else { Err(wrong) }
    };
    match text.lines().find_map(|line| line.strip_prefix("// INPUTS:")) {
        Some(inputs) => run("INPUTS", inputs, REACHED),
        None => (0..RUNS).try_for_each(|seed| run("SEED", &seed.to_string(), Some(0))),
    }
}

/// Each library has proofs, and each bug in it is seeded by one file, which has inputs that show it. What kerf cannot decide yet says why.
#[test]
fn libraries_are_complete() {
    for name in libraries() {
        let folder = folder().join(&name);
        let source = text(&folder.join(format!("{name}.c")));
        let files = programs(&format!("libraries/{name}"));
        assert!(files.iter().any(|file| has_prefix(file, "proof_")), "{name} has no proof");
        let mut seeded: Vec<&str> =
            source.lines().filter_map(|line| line.strip_prefix("#ifdef ").or(line.strip_prefix("#ifndef "))).collect();
        seeded.sort_unstable();
        let mut defined = Vec::new();
        for file in files.iter().filter(|file| has_prefix(file, "proof_") || has_prefix(file, "bug_")) {
            let (expected, text) = (expected(file), text(file));
            let is_bug = has_prefix(file, "bug_");
            assert_eq!(expected.verdict == Verdict::False, is_bug, "{}", file.display());
            assert_eq!(text.contains("// INPUTS:"), is_bug, "{}", file.display());
            assert_eq!(text.contains("// BLOCKED: "), expected.unknown_ok, "{}", file.display());
            let defines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#define BUG_")).collect();
            assert_eq!(defines.len(), usize::from(is_bug), "{}", file.display());
            defined.extend(defines.iter().map(|name| format!("BUG_{name}")));
        }
        defined.sort();
        assert!(!defined.is_empty() && seeded == defined, "{name} seeds {seeded:?}, and there are {defined:?}");
    }
}
