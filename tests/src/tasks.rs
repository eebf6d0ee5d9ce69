//! Task programs: C files that say in their first line what is to be verified and which verdict is right.

use crate::kerf::{Answer, Verdict, parallel, verify, verify_patiently};
use anyhow::{Context, Result};
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::{LoadOptions, LoadedProgram, clang, load};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The first line of a task program: `// EXPECT: true|false PROPERTY LP64|ILP32 [UNKNOWN-OK] [WITH FILE...]`.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The right verdict.
    pub verdict: Verdict,
    /// The argument of `--property`: a name, or a file in the folder of the program.
    pub property: String,
    /// The argument of `--data-model`.
    pub data_model: String,
    /// Whether the verdict `unknown` is accepted, too.
    pub unknown_ok: bool,
    /// The further files of the program.
    pub further: Vec<PathBuf>,
}

/// The expectation in the first line of `file`.
///
/// # Panics
/// If there is none, or the file cannot be read.
pub fn expected(file: &Path) -> Expected {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let line = text.lines().next().unwrap_or("");
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["//", "EXPECT:", verdict @ ("true" | "false"), property, model @ ("LP64" | "ILP32"), rest @ ..] = &words[..]
    else {
        panic!("{}: no expectation in the first line: {line}", file.display());
    };
    let beside = file.with_file_name(property);
    Expected {
        verdict: if *verdict == "true" { Verdict::True } else { Verdict::False },
        property: if beside.is_file() { beside.display().to_string() } else { property.to_string() },
        data_model: model.to_string(),
        unknown_ok: rest.contains(&"UNKNOWN-OK"),
        further: rest
            .iter()
            .skip_while(|word| **word != "WITH")
            .skip(1)
            .map(|name| file.with_file_name(name))
            .collect(),
    }
}

/// The task programs of the folder `name`, sorted; with `KERF_PROGRAMS=part` only those whose paths contain `part`.
///
/// # Panics
/// If there is no such folder.
pub fn programs(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let part = std::env::var("KERF_PROGRAMS").unwrap_or_default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the task programs")
        .map(|entry| entry.expect("a file").path())
        .filter(|f| f.extension().is_some_and(|e| e == "c") && f.to_string_lossy().contains(&part))
        .collect();
    files.sort();
    files
}

/// The bitcode of a program, once it has been compiled.
type Compiled = Arc<Mutex<Option<Vec<u8>>>>;

/// Loads a task program with `options`, for its own data model. It is compiled once for all tests: clang takes longer than everything
/// else here.
///
/// Errors: as for [`load`](frontend_llvm::load()).
pub fn load_program(file: &Path, options: &LoadOptions) -> Result<LoadedProgram> {
    static COMPILED: Mutex<BTreeMap<PathBuf, Compiled>> = Mutex::new(BTreeMap::new());
    let pointer_bits = if expected(file).data_model == "ILP32" { 32 } else { 64 };
    let compiled =
        COMPILED.lock().unwrap_or_else(PoisonError::into_inner).entry(file.to_path_buf()).or_default().clone();
    let bitcode = tempfile::Builder::new().suffix(".bc").tempfile().context("no temporary file")?.into_temp_path();
    let mut bytes = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    match &*bytes {
        Some(bytes) => std::fs::write(&bitcode, bytes)?,
        None => {
            clang::compile(file, &bitcode, pointer_bits, &ClangOptions::default())?;
            *bytes = Some(std::fs::read(&bitcode)?);
        }
    }
    drop(bytes);
    load(&[bitcode.to_path_buf()], &LoadOptions { pointer_bits, ..options.clone() })
}

/// Verifies `file` as its first line says, with further options. Returns what is wrong, if anything is. `more` is called with a right
/// answer, and may find something wrong in it.
pub fn check(file: &Path, options: &[&str], more: impl Fn(&Answer) -> Option<String>) -> Option<String> {
    let e = expected(file);
    let further: Vec<String> = e.further.iter().map(|file| file.display().to_string()).collect();
    let mut all = vec!["--property", &e.property, "--data-model", &e.data_model, "--verbose"];
    all.extend(options);
    all.extend(further.iter().map(String::as_str));
    let what = format!("{} {}", file.file_name().unwrap_or_default().to_string_lossy(), options.join(" "));
    // Where `unknown` is accepted, a short time suffices.
    let run = match e.unknown_ok {
        true => verify(file, &[&all[..], &["--timeout", "3s"]].concat()),
        false => verify_patiently(file, &all),
    };
    let answer = match run {
        Ok(answer) => answer,
        Err(e) => return Some(format!("{what}: {e}")),
    };
    if let Some(line) = answer.defect() {
        return Some(format!("{what}: {line}"));
    }
    match answer.verdict() {
        Ok(v) if v == e.verdict => more(&answer).map(|wrong| format!("{what}: {wrong}")),
        Ok(Verdict::Unknown) if e.unknown_ok => None,
        Ok(v) => {
            let result = answer.result.unwrap_or_default();
            let wrong = if v == Verdict::Unknown { "no answer" } else { "WRONG" };
            Some(format!("{what}: {wrong}: {result}, expected {:?}", e.verdict))
        }
        Err(e) => Some(format!("{what}: {e}")),
    }
}

/// What is wrong with the answer of `strategy` for `file`, if anything is; `unknown` is never wrong.
pub fn check_strategy(file: &Path, strategy: &str) -> Option<String> {
    let e = expected(file);
    let mut options = vec!["--property", &e.property, "--data-model", &e.data_model, "--strategy", strategy];
    options.extend(["--timeout", "1s", "--verbose"]);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let answer = match verify(file, &options) {
        Ok(answer) => answer,
        Err(e) => return Some(format!("{name} by {strategy}: {e}")),
    };
    if let Some(line) = answer.defect() {
        return Some(format!("{name} by {strategy}: {line}"));
    }
    let result = answer.result.clone().unwrap_or_default();
    match answer.verdict() {
        Ok(Verdict::Unknown) => None,
        Ok(v) if v == e.verdict => None,
        Ok(_) => Some(format!("{name} by {strategy}: WRONG: {result}, expected {:?}", e.verdict)),
        Err(e) => Some(format!("{name} by {strategy}: {e}")),
    }
}

/// Calls `check`, which returns what is wrong, for all `runs`, two at a time.
///
/// # Panics
/// If there are no runs, or any is wrong.
pub fn assert_all<T: Sync>(runs: &[T], check: impl Fn(&T) -> Option<String> + Sync) {
    let failures: Vec<String> = parallel(runs, 2, check).into_iter().flatten().collect();
    // Excerpts of logs keep lines with this word.
    failures.iter().for_each(|failure| eprintln!("FAILED: {failure}"));
    assert!(failures.is_empty(), "{} of {} runs failed", failures.len(), runs.len());
    assert!(!runs.is_empty());
}
