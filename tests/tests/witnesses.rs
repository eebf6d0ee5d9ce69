//! Witnesses of task programs, through the binary: kerf confirms its own, and no witness of a wrong claim, made by mutation.

use kerf_tests::kerf::{Verdict, binary};
use kerf_tests::tasks::{assert_all, check, expected, programs};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every n-th task program has its witness checked.
const EACH: usize = 11;

/// How long the check of kerf's own witness may take: its answer is needed.
const OWN: &str = "120s";

/// How long the check of a mutant may take: no answer in this time is one that does not confirm it.
const MUTANT: &str = "5s";

/// The answer of `kerf witness check` about the text of a witness: the line with the result.
fn result(file: &Path, text: &str, dir: &Path, timeout: &str) -> String {
    let witness = dir.join("mutant.yml");
    std::fs::write(&witness, text).expect("a file");
    let mut check = Command::new(binary());
    check
        .args(["witness", "check", "--timeout", timeout, "--property", &expected(file).property])
        .arg(witness)
        .arg(file);
    let run = check.output().expect("kerf runs");
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    said.lines().last().unwrap_or("").to_string()
}

/// The same witness with the other claim: for a proof, that a violation is on any line; for a violation, that the property holds.
fn other_claims(text: &str, file: &Path) -> Vec<String> {
    let head = &text[..text.find("  content:").expect("a content")];
    if head.contains("violation_sequence") {
        return vec![format!("{}  content: []\n", head.replace("violation_sequence", "invariant_set"))];
    }
    let head = head.replace("invariant_set", "violation_sequence");
    let source = std::fs::read_to_string(file).expect("a readable file");
    let is_call =
        |line: &&(usize, &str)| ["reach_error", "VERIFIER_error", "assert"].iter().any(|f| line.1.contains(f));
    let lines: Vec<(usize, &str)> = source.lines().enumerate().collect();
    let at = lines.iter().filter(is_call).map(|(i, _)| {
        let place = format!("{{file_name: \"{}\", line: {}}}", file.display(), i + 1);
        format!("{head}  content:\n  - segment:\n    - waypoint: {{type: target, action: follow, location: {place}}}\n")
    });
    at.collect()
}

/// The same witness with another invariant, value or line.
fn mutants(text: &str) -> Vec<String> {
    let mut mutants = Vec::new();
    let replace = |i: usize, line: String| {
        let lines = text.lines().enumerate().map(|(j, old)| if i == j { line.clone() } else { old.to_string() });
        lines.map(|line| line + "\n").collect::<String>()
    };
    for (i, line) in text.lines().enumerate() {
        if let Some(value) = line.strip_prefix("      value: \"").and_then(|rest| rest.strip_suffix('"')) {
            mutants.push(replace(i, format!("      value: \"!({value})\"")));
        }
        if let Some((key, number)) = line.split_once("\\\\result == ") {
            let number: i64 = number.trim_end_matches('"').parse().expect("a number");
            mutants.push(replace(i, format!("{key}\\\\result == {}\"", number ^ 5)));
        }
        // On the next line, an invariant may hold, too.
        let number = line.strip_prefix("          line: ").filter(|_| text.contains("violation_sequence"));
        if let Some(number) = number {
            let number: u32 = number.parse().expect("a number");
            mutants.push(replace(i, line.replace(&number.to_string(), &(number + 1).to_string())));
        }
    }
    mutants.truncate(6);
    mutants
}

/// What is wrong with the witness of `file`, if anything is.
fn witnessed(file: &Path) -> Option<String> {
    let e = expected(file);
    let folder = tempfile::tempdir().expect("a directory");
    let witness = folder.path().join("w.yml").display().to_string();
    let failed = check(file, &["--witness", &witness], |_| None);
    let Ok(text) = std::fs::read_to_string(&witness) else { return failed };
    let name = file.display();
    let right = if e.verdict == Verdict::True { "RESULT: true" } else { "RESULT: false(" };
    let own = result(file, &text, folder.path(), OWN);
    if !own.starts_with(right) {
        return failed.or(Some(format!("{name}: its own witness: {own}\n{text}")));
    }
    for claim in other_claims(&text, file) {
        let said = result(file, &claim, folder.path(), MUTANT);
        let is_confirmed = said.starts_with(if e.verdict == Verdict::True { "RESULT: false(" } else { "RESULT: true" });
        if is_confirmed {
            return Some(format!("{name}: WRONG: {said}\n{claim}"));
        }
    }
    for mutant in mutants(&text) {
        let said = result(file, &mutant, folder.path(), MUTANT);
        // The negation of an invariant does not hold; other inputs may lead to the violation, too.
        let is_wrong = said.starts_with("RESULT: true");
        if is_wrong {
            return Some(format!("{name}: WRONG: {said}\n{mutant}"));
        }
    }
    failed
}

#[test]
fn witnesses_are_confirmed_and_those_of_wrong_claims_are_not() {
    let files = programs("programs");
    let about_calls = |file: &&PathBuf| !expected(file).property.starts_with("label:") && !expected(file).unknown_ok;
    let files: Vec<&PathBuf> = files.iter().filter(about_calls).step_by(EACH).collect();
    assert_all(&files, |file| witnessed(file));
}
