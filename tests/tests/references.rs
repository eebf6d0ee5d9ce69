//! What comments and documents cite is in REFERENCES.md.

use kerf_tests::sources;
use std::fs;
use std::path::PathBuf;

/// Folders with sources, below the project's.
const SOURCES: [&str; 6] = ["cfa", "frontend-llvm", "pipeline", "slicer", "tests", "verifier"];

#[test]
fn citations_in_brackets_are_resolved() {
    let root = sources::root();
    let references = fs::read_to_string(root.join("REFERENCES.md")).expect("REFERENCES.md");
    let sources: Vec<PathBuf> = SOURCES.iter().flat_map(|folder| sources::files(&root.join(folder), "rs")).collect();
    let mut documents = sources::files(&root.join("docs"), "md");
    documents.extend(["ARCHITECTURE.md", "ADDING_AN_ANALYSIS.md"].map(|name| root.join(name)));
    let in_sources = check(&references, &sources, "//");
    let in_documents = check(&references, &documents, "");
    assert!(in_sources > 20 && in_documents > 10, "only {in_sources} and {in_documents} citations were found");
}

/// The number of citations in the files, each of which must have an entry. Only lines that begin with `prefix` cite.
fn check(references: &str, files: &[PathBuf], prefix: &str) -> usize {
    let mut cited = 0;
    for file in files {
        let text = fs::read_to_string(file).expect("a readable file");
        for citation in citations(text.lines().filter_map(|line| line.trim_start().strip_prefix(prefix))) {
            cited += 1;
            let entry = format!("- **{citation}**:");
            assert!(references.contains(&entry), "{}: REFERENCES.md has no entry {citation}", file.display());
        }
    }
    cited
}

/// Author and year of each citation in brackets, where semicolons part several.
fn citations<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let groups = lines.flat_map(|line| line.split('[').skip(1).filter_map(|part| part.split_once(']')).map(|p| p.0));
    groups.flat_map(|group| group.split("; ")).filter_map(|one| {
        let year = one.as_bytes().windows(7).position(|w| {
            w[0] == b' '
                && (w.starts_with(b" 19") || w.starts_with(b" 20"))
                && w[3..5].iter().all(u8::is_ascii_digit)
                && &w[5..] == b", "
        })?;
        one[..year].starts_with(char::is_uppercase).then(|| &one[..year + 5])
    })
}
