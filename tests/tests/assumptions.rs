//! What is printed with a proof: the programs of `tests/assumptions` are safe by assumptions, which must be printed, and no others.
//!
//! An execution that breaks the assumption reaches the error, but for those called `nothing`, in which nothing matters that could be assumed.

use kerf_tests::tasks::{assert_all, check, programs};

#[test]
fn proofs_tell_their_assumptions_and_no_others() {
    let files = programs("assumptions");
    assert_all(&files, |file| {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let lines = |mark: &str| -> Vec<&str> { text.lines().filter_map(|line| line.strip_prefix(mark)).collect() };
        let options: Vec<&str> = lines("// OPTIONS: ").iter().flat_map(|line| line.split(' ')).collect();
        let expected = lines("// ASSUMES: ");
        let is_empty = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("nothing"));
        assert!(!expected.is_empty() || is_empty, "{} assumes nothing", file.display());
        check(file, &options, |answer| {
            let behind = answer.output.lines().skip_while(|line| *line != "Assumptions:").skip(1);
            let printed: Vec<&str> = behind.take_while(|line| line.starts_with("  - ")).collect();
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
