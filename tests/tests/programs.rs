//! All task programs of `tests/programs` with their expected verdicts, through the binary.
//!
//! `KERF_PROGRAMS=part` runs only the programs whose names contain `part`.

use kerf_tests::kerf::{Verdict, parallel, verify};
use std::path::{Path, PathBuf};

/// The first line of a task program: `// EXPECT: true|false unreach-call LP64|ILP32 [UNKNOWN-OK]`.
struct Expected {
    verdict: Verdict,
    property: String,
    data_model: String,
    unknown_ok: bool,
}

fn expected(file: &Path) -> Expected {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let line = text.lines().next().unwrap_or("");
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["//", "EXPECT:", verdict @ ("true" | "false"), property, model @ ("LP64" | "ILP32"), rest @ ..] = &words[..]
    else {
        panic!("{}: no expectation in the first line: {line}", file.display());
    };
    Expected {
        verdict: if *verdict == "true" { Verdict::True } else { Verdict::False },
        property: property.to_string(),
        data_model: model.to_string(),
        unknown_ok: rest.contains(&"UNKNOWN-OK"),
    }
}

/// What is wrong with the answer for `file`, if anything is.
fn check(file: &Path, no_slice: bool) -> Option<String> {
    let e = expected(file);
    let mut options = vec!["--property", &e.property, "--data-model", &e.data_model, "--timeout", "20s"];
    if no_slice {
        options.push("--no-slice");
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let how = if no_slice { " --no-slice" } else { "" };
    let answer = match verify(file, &options) {
        Ok(answer) => answer,
        Err(e) => return Some(format!("{name}{how}: {e}")),
    };
    match answer.verdict() {
        Ok(v) if v == e.verdict => None,
        Ok(Verdict::Unknown) if e.unknown_ok => None,
        Ok(v) => {
            let result = answer.result.unwrap_or_default();
            let wrong = if v == Verdict::Unknown { "no answer" } else { "WRONG" };
            Some(format!("{name}{how}: {wrong}: {result}, expected {:?}", e.verdict))
        }
        Err(e) => Some(format!("{name}{how}: {e}")),
    }
}

/// The task programs that are to be run.
fn task_programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let part = std::env::var("KERF_PROGRAMS").unwrap_or_default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the task programs")
        .map(|entry| entry.expect("a file").path())
        .filter(|f| f.extension().is_some_and(|e| e == "c") && f.to_string_lossy().contains(&part))
        .collect();
    files.sort();
    files
}

/// What is wrong with the answer of `strategy` for `file`; that it has none is not.
fn check_strategy(file: &Path, strategy: &str) -> Option<String> {
    let e = expected(file);
    let options = ["--property", &e.property, "--data-model", &e.data_model, "--strategy", strategy, "--timeout", "3s"];
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let answer = match verify(file, &options) {
        Ok(answer) => answer,
        Err(e) => return Some(format!("{name} by {strategy}: {e}")),
    };
    let result = answer.result.clone().unwrap_or_default();
    match answer.verdict() {
        // A certificate that is refused is a bug of the search.
        Ok(Verdict::Unknown) if !result.contains("certificate rejected") => None,
        Ok(v) if v == e.verdict => None,
        Ok(_) => Some(format!("{name} by {strategy}: WRONG: {result}, expected {:?}", e.verdict)),
        Err(e) => Some(format!("{name} by {strategy}: {e}")),
    }
}

/// Refinement and slicing on the way never give a wrong answer. One strategy for each program.
#[test]
fn strategies_that_refine_are_never_wrong() {
    const STRATEGIES: [&str; 7] =
        ["symex", "symex-slicing", "symex-cegar", "symex-cegar-slicing", "value", "value-cegar", "value-cegar-slicing"];
    let files = task_programs();
    let runs: Vec<(&PathBuf, &str)> = files.iter().zip(STRATEGIES.into_iter().cycle()).collect();
    let failures: Vec<String> =
        parallel(&runs, 2, |(file, strategy)| check_strategy(file, strategy)).into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} of {} runs:\n{}", failures.len(), runs.len(), failures.join("\n"));
}

#[test]
fn task_programs_have_their_verdicts() {
    let files = task_programs();
    // A third of them without slicing too: the verdict must not depend on it.
    let unsliced = files.iter().step_by(3).map(|f| (f, true));
    let runs: Vec<(&PathBuf, bool)> = files.iter().map(|f| (f, false)).chain(unsliced).collect();
    let failures: Vec<String> =
        parallel(&runs, 2, |(file, no_slice)| check(file, *no_slice)).into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} of {} runs:\n{}", failures.len(), runs.len(), failures.join("\n"));
    assert!(!runs.is_empty());
}
