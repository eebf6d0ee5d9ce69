//! What is printed with a proof: the programs of `tests/assumptions` are safe by assumptions; these must be printed, and no others.
//!
//! An execution that violates the assumption reaches the error. Programs whose names begin with `nothing` are safe without an assumption.

use cfa::assumption::AssumptionKind;
use frontend_llvm::LoadOptions;
use kerf_tests::tasks::{assert_all, check, load_program, programs};
use slicer::{PrepareOptions, prepare};
use std::collections::BTreeSet;
use std::path::Path;
use strum::VariantArray;

#[test]
fn proofs_tell_their_assumptions_and_no_others() {
    let files = programs("assumptions");
    assert_all(&files, |file| {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let options: Vec<&str> = marked(&text, "// OPTIONS: ").flat_map(|line| line.split(' ')).collect();
        let expected: Vec<&str> = marked(&text, "// ASSUMES: ").collect();
        let is_empty = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("nothing"));
        assert!(!expected.is_empty() || is_empty, "{} assumes nothing", file.display());
        check(file, &options, |answer| {
            let printed = answer.output.lines().skip_while(|line| *line != "Assumptions:").skip(1);
            let printed: Vec<&str> = printed.take_while(|line| line.starts_with("  - ")).collect();
            let missing = expected.iter().find(|part| !printed.iter().any(|line| line.contains(*part)));
            let further = printed.iter().find(|line| !expected.iter().any(|part| line.contains(part)));
            match (missing, further) {
                (Some(part), _) => Some(format!("not printed: {part}")),
                (None, Some(line)) => Some(format!("printed, but not expected: {line}")),
                (None, None) => None,
            }
        })
    });
}

/// Kinds without a program, and why.
const LEFT_OUT: [(AssumptionKind, &str); 2] = [
    (AssumptionKind::Said, "the words of a graph in a text file, which are those of another kind"),
    (
        AssumptionKind::FunctionsApart,
        "clang's C has no such functions: a test of kerf's command has one in LLVM's text",
    ),
];

/// A new kind of assumption needs a program that is safe by it alone.
#[test]
fn each_kind_of_assumption_has_a_program() {
    let mut missing: BTreeSet<AssumptionKind> = AssumptionKind::VARIANTS.iter().copied().collect();
    for file in programs("assumptions") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let expected: Vec<&str> = marked(&text, "// ASSUMES: ").collect();
        for assumption in assumptions(&file, &text) {
            let said = assumption.to_string();
            if expected.iter().any(|part| said.contains(part)) {
                missing.remove(&AssumptionKind::from(&assumption));
            }
        }
    }
    for (kind, _) in LEFT_OUT {
        assert!(missing.remove(&kind), "{kind:?} has a program");
    }
    assert!(missing.is_empty(), "no program is safe by {missing:?} alone");
}

/// The assumptions on which a verdict about the program may rest.
fn assumptions(file: &Path, text: &str) -> Vec<cfa::Assumed> {
    let mut options = LoadOptions::default();
    let words: Vec<&str> = marked(text, "// OPTIONS: ").flat_map(str::split_whitespace).collect();
    for pair in words.windows(2) {
        match (pair[0], pair[1].split_once('=')) {
            ("--entry", _) => options.entry = pair[1].into(),
            ("--stub", _) => options.substitutions.stubs.push(pair[1].into()),
            ("--replace", Some((from, to))) => options.substitutions.replacements.push((from.into(), to.into())),
            _ => {}
        }
    }
    let loaded = load_program(file, &options).expect("the program is accepted");
    let (cfa, _) = prepare(loaded.raw, &PrepareOptions::default()).expect("the program is small");
    cfa.assumptions.into_iter().map(|assumption| assumption.what).collect()
}

/// The ends of lines that begin with `mark`.
fn marked<'a>(text: &'a str, mark: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix(mark))
}
