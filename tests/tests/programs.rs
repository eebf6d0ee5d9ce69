//! All task programs of `tests/programs` with their expected verdicts, through the binary.

use kerf_tests::kerf::Answer;
use kerf_tests::tasks::{assert_all, check, check_strategy, programs};
use std::path::{Path, PathBuf};

/// Compositions, refinement, slicing on the way and what runs on blocks never give a wrong answer. One strategy for every fifth
/// program.
#[test]
fn other_strategies_are_never_wrong() {
    const STRATEGIES: [&str; 26] = [
        "symex",
        "symex-merged",
        "symex-slicing",
        "symex-cegar",
        "symex-cegar-slicing",
        "invariants,array-slots=true,relations=true",
        "value",
        "value-cegar",
        "value-cegar-slicing",
        "value,merge=join,slice-first=true",
        "signs",
        "impact",
        "imc",
        "explicit",
        "concrete",
        "bdd",
        "value+bdd,merge=agree,domain-types=eq,variable-order=declaration",
        "pdr",
        "predicate",
        "predicate-cartesian,scope=function",
        "predicate-slicing",
        "predicate+invariants,merge=join,blocks=calls",
        "value+symbolic,order=few-iterations+deep-calls+dfs",
        "value+invariants,merge=join,slicing=target-path",
        "value+symbolic,merge=agree,slicing=target-location",
        "value+symbolic,cegar=true,slicing=target-path,order=shallow-calls+reverse-postorder",
    ];
    // Where a strategy was wrong, its certificates were, or it ended by a panic.
    const TROUBLE: [(&str, &str); 3] = [
        ("remaining_text_true.c", "value+bdd"),
        ("signals_true.c", "symex-merged"),
        ("early_return_false.c", "explicit"),
    ];
    let files = programs("programs");
    let mut runs: Vec<(&PathBuf, &str)> = files.iter().step_by(5).zip(STRATEGIES.into_iter().cycle()).collect();
    for (name, strategy) in TROUBLE {
        runs.extend(files.iter().filter(|file| file.ends_with(name)).map(|file| (file, strategy)));
    }
    assert_all(&runs, |(file, strategy)| check_strategy(file, strategy));
}

/// Against the direction of control, and from both ends, no program has another verdict.
#[test]
fn backward_analyses_are_never_wrong() {
    const STRATEGIES: [&str; 9] = [
        "predicate-backward",
        "both-ends",
        "bdd-backward",
        "value-backward",
        "predicate-backward-dfs",
        "bdd-backward-dfs",
        "predicate+invariants,direction=backward",
        "value+bdd,direction=backward,merge=agree",
        "bdd,direction=both",
    ];
    let files = programs("programs");
    let runs: Vec<(&PathBuf, &str)> = files.iter().zip(STRATEGIES.into_iter().cycle()).collect();
    assert_all(&runs, |(file, strategy)| check_strategy(file, strategy));
}

#[test]
fn task_programs_have_their_verdicts() {
    let files = programs("programs");
    // A sixteenth of them without slicing too: the verdict must not depend on it.
    let unsliced: Vec<&PathBuf> = files.iter().step_by(16).collect();
    assert_all(&unsliced, |file| check(file, &["--no-slice"], |_| None));
    let files: Vec<&PathBuf> = files.iter().collect();
    assert_all(&files, |file| {
        let folder = tempfile::tempdir().expect("a directory");
        let output = folder.path().display().to_string();
        check(file, &["--output", &output], |answer| native_run(file, answer))
    });
}

/// What is wrong with the native run of a violation. A program says `NATIVE: no` with the reason where a run cannot show it.
fn native_run(file: &Path, answer: &Answer) -> Option<String> {
    let said = answer.output.lines().find(|line| line.starts_with("Native run on these inputs: "))?;
    let text = std::fs::read_to_string(file).expect("a readable file");
    let excused = text.lines().any(|line| line.starts_with("// NATIVE: no ("));
    (!excused && !said.ends_with(": reproduced.")).then(|| said.to_string())
}
