//! All task programs of `tests/programs` with their expected verdicts, through the binary.

use kerf_tests::tasks::{assert_all, check, check_strategy, programs};
use std::path::PathBuf;

/// Compositions, refinement and slicing on the way never give a wrong answer. One strategy for each program.
#[test]
fn strategies_that_explore_are_never_wrong() {
    const STRATEGIES: [&str; 13] = [
        "symex",
        "symex-slicing",
        "symex-cegar",
        "symex-cegar-slicing",
        "invariants",
        "value",
        "value-cegar",
        "value-cegar-slicing",
        "value,merge=join,slice-first=true",
        "value+symbolic,order=few-iterations+deep-calls+dfs",
        "value+invariants,merge=join,slicing=target-path",
        "value+symbolic,merge=agree,slicing=target-location",
        "value+symbolic,cegar=true,slicing=target-path,order=shallow-calls+reverse-postorder",
    ];
    let files = programs("programs");
    let runs: Vec<(&PathBuf, &str)> = files.iter().zip(STRATEGIES.into_iter().cycle()).collect();
    assert_all(&runs, |(file, strategy)| check_strategy(file, strategy));
}

#[test]
fn task_programs_have_their_verdicts() {
    let files = programs("programs");
    // A third of them without slicing too: the verdict must not depend on it.
    let unsliced = files.iter().step_by(3).map(|f| (f, &["--no-slice"][..]));
    let runs: Vec<(&PathBuf, &[&str])> = files.iter().map(|f| (f, &[][..])).chain(unsliced).collect();
    assert_all(&runs, |(file, options)| check(file, options, |_| None));
}
