//! Each dependency is used: those of the workspace by a member, those of a member by its sources.

use kerf_tests::sources::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn manifest(folder: &Path) -> Table {
    let file = folder.join("Cargo.toml");
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn table<'a>(of: &'a Table, key: &str) -> Option<&'a Table> {
    of.get(key).and_then(Value::as_table)
}

/// The workspace's manifest and the folders of its members.
fn workspace() -> (Table, Vec<PathBuf>) {
    let all = manifest(&root());
    let workspace = table(&all, "workspace").expect("a workspace").clone();
    let members = workspace["members"].as_array().expect("members");
    let folders = members.iter().map(|m| root().join(m.as_str().expect("a folder"))).collect();
    (workspace, folders)
}

/// The names of all dependencies of a member, and whether the workspace says which they are.
fn dependencies(manifest: &Table) -> Vec<(String, bool)> {
    let targets = table(manifest, "target").into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let places: Vec<&Table> = std::iter::once(manifest).chain(targets).collect();
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = places.iter().flat_map(|place| kinds.iter().filter_map(|kind| table(place, kind)));
    let of_workspace = |v: &Value| v.get("workspace").and_then(Value::as_bool) == Some(true);
    tables.flatten().map(|(name, v)| (name.clone(), of_workspace(v))).collect()
}

/// The sources of a member, without those of members in its folder.
fn sources(folder: &Path, members: &[PathBuf]) -> Vec<PathBuf> {
    let is_nested =
        |file: &PathBuf| members.iter().any(|m| m != folder && m.starts_with(folder) && file.starts_with(m));
    let mut files = kerf_tests::sources::files(folder, "rs");
    files.retain(|file| !is_nested(file));
    files
}

/// Whether code outside comments names the crate: where a path begins, or in a `use` of it as a whole.
fn names(text: &str, name: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.flat_map(|line| line.match_indices(name).map(move |(at, _)| (&line[..at], &line[at + name.len()..]))).any(
        |(before, after)| {
            let begins = !before.ends_with(is_word) && (!before.ends_with("::") || before.ends_with(" ::"));
            let whole = ["use", "extern crate"].iter().any(|word| before.trim_end().ends_with(word));
            let uses = whole && (after.starts_with(';') || after.starts_with(" as "));
            begins && (after.starts_with("::") || uses)
        },
    )
}

#[test]
fn each_dependency_of_the_workspace_is_one_of_a_member() {
    let (workspace, members) = workspace();
    let used: BTreeSet<String> =
        members.iter().flat_map(|m| dependencies(&manifest(m))).filter(|(_, shared)| *shared).map(|(n, _)| n).collect();
    let shared = table(&workspace, "dependencies").expect("dependencies");
    let unused: Vec<&String> = shared.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "no member has these dependencies of the workspace: {unused:?}");
    assert!(shared.len() > 20, "only {} dependencies were found", shared.len());
}

#[test]
fn each_dependency_of_a_member_is_named_in_its_sources() {
    let (_, members) = workspace();
    let mut unused = Vec::new();
    for member in &members {
        let texts =
            sources(member, &members).into_iter().map(|file| fs::read_to_string(file).expect("a readable file"));
        let texts: Vec<String> = texts.collect();
        for (name, _) in dependencies(&manifest(member)) {
            let ident = name.replace('-', "_");
            if !texts.iter().any(|text| names(text, &ident)) {
                unused.push(format!("{}: {name}", member.display()));
            }
        }
    }
    assert!(unused.is_empty(), "these dependencies are not named:\n{}", unused.join("\n"));
}

#[test]
fn a_name_counts_where_a_path_begins() {
    for text in
        ["use png::Encoder;", "let x = png::open();", "#[derive(png::Derive)]", "use png;", "extern crate png as p;"]
    {
        assert!(names(text, "png"), "{text}");
    }
    for text in ["// png::open()", "let png = 1;", "a.png", "crate::png::open()", "spng::open()", "png_sys::open()"] {
        assert!(!names(text, "png"), "{text}");
    }
}
