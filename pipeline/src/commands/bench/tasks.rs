//! Sets of verification tasks: kerf's own `index.tsv`, SV-COMP's `.yml` definitions and `.set` files, BenchExec's `.xml` files, C files
//! and automata that state their verdict in the first line, and directories of these.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::commands::bench::definition::{self, TaskSet};
use crate::commands::bench::score::clean;
use crate::commands::task::Definition;
use crate::worker::UserError;

/// A program, a property, and the expected verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    /// Identifier, unique within its set.
    pub id: String,
    /// Category for the score table.
    pub category: String,
    /// The files of the program.
    pub files: Vec<PathBuf>,
    /// The property's name, such as `unreach-call`.
    pub property: String,
    /// The `.prp` file, if the set names one that exists.
    pub property_file: Option<PathBuf>,
    /// The expected verdict: `true` or `false`.
    pub expected: String,
    /// `ILP32` or `LP64`; empty if the set does not state it.
    pub data_model: String,
}

/// Which tasks of a set to run.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    /// Only tasks with this property.
    pub property: String,
    /// Only tasks of these categories; of all if empty.
    pub categories: Vec<String>,
    /// Only every n-th task of each category.
    pub sample: usize,
    /// Only this part of what the rest leaves.
    pub part: Option<Part>,
    /// No task with one of these identifiers.
    pub skip: BTreeSet<String>,
}

/// One of several parts, each of which has every n-th task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Part {
    /// The part's number, from 0.
    index: usize,
    /// Number of parts.
    count: usize,
}

impl TryFrom<String> for Part {
    type Error = String;

    fn try_from(text: String) -> Result<Part, String> {
        Part::parse(&text)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl Part {
    /// Reads `I/N`, with I from 1.
    pub(crate) fn parse(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Part { index: number - 1, count }),
            _ => Err("expected I/N with I from 1 to N".into()),
        }
    }
}

/// The identifiers in a file: the first word of each line that is no comment (`#`).
pub(super) fn read_skipped(path: &Path) -> Result<BTreeSet<String>, UserError> {
    let text = text_of(path)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines.filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect())
}

/// The tasks of the sets at `paths` that match `selection`, in the order of the sets.
pub(super) fn read(paths: &[PathBuf], selection: &Selection) -> Result<Vec<Task>, UserError> {
    let mut tasks = Vec::new();
    for path in paths {
        read_set(path, None, &mut tasks)?;
    }
    if tasks.is_empty() {
        let paths: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        return Err(UserError(format!("{}: no tasks found (index.tsv, .yml, .set, .xml, .c, .cfa)", paths.join(", "))));
    }
    tell_apart(&mut tasks)?;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    tasks.retain(|task| {
        let chosen = task.property == selection.property
            && !selection.skip.contains(&task.id)
            && (selection.categories.is_empty() || selection.categories.contains(&task.category));
        chosen && {
            let count = seen.entry(task.category.clone()).or_default();
            *count += 1;
            (*count - 1).is_multiple_of(selection.sample)
        }
    });
    if let Some(Part { index, count }) = selection.part {
        let mut next = 0..;
        tasks.retain(|_| next.next().is_some_and(|i: usize| i % count == index));
    }
    if tasks.is_empty() {
        let what = &selection.property;
        return Err(UserError(format!("no task with the property {what} in these categories")));
    }
    Ok(tasks)
}

/// Gives tasks the names that they have in tables of results, which tell tasks with different files apart.
fn tell_apart(tasks: &mut [Task]) -> Result<(), UserError> {
    let mut files: BTreeMap<(String, String, String), &[PathBuf]> = BTreeMap::new();
    for task in tasks.iter_mut() {
        (task.id, task.category) = (clean(&task.id), clean(&task.category));
    }
    for task in tasks.iter() {
        let key = (task.category.clone(), task.id.clone(), task.property.clone());
        let other = files.entry(key).or_insert(&task.files);
        if *other != task.files {
            let [one, other] = [&task.files, *other].map(|files| files[0].display());
            let why = "tables of results, which have no tabs, newlines and double quotes, could not tell them apart";
            return Err(UserError(format!("{one} and {other} are both called '{}': {why}", task.id)));
        }
    }
    Ok(())
}

fn read_set(path: &Path, category: Option<&str>, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    if path.is_dir() {
        let index = path.join("index.tsv");
        if index.is_file() {
            return read_index(&index, tasks);
        }
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
            .map_err(|e| UserError(format!("{}: {e}", path.display())))?
            .filter_map(|entry| entry.ok().map(|e| e.path()))
            .filter(|entry| entry.is_dir() || matches!(extension(entry), "yml" | "c" | "cfa"))
            .collect();
        entries.sort();
        return entries.iter().try_for_each(|entry| read_set(entry, category, tasks));
    }
    match extension(path) {
        "tsv" => read_index(path, tasks),
        "yml" | "yaml" => read_definition(path, category, tasks),
        "set" => read_list(path, category, tasks),
        "xml" => read_benchmark(path, tasks),
        "c" => read_marked(path, "// EXPECT: ", tasks),
        "cfa" => read_marked(path, "# EXPECT: ", tasks),
        _ => Err(UserError(format!(
            "{}: not a set of tasks (index.tsv, .yml, .set, .xml, or a directory)",
            path.display()
        ))),
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn text_of(path: &Path) -> Result<String, UserError> {
    std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))
}

/// Reads a table with a header line; columns are found by name.
fn read_index(path: &Path, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    let text = text_of(path)?;
    let base = path.parent().unwrap_or(Path::new("."));
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| {
        let found = header.iter().position(|h| *h == name);
        found.ok_or_else(|| UserError(format!("{}: no column '{name}'", path.display())))
    };
    let (id, category, file) = (column("id")?, column("category")?, column("path")?);
    let (property, expected, model) = (column("property")?, column("expected")?, column("data_model")?);
    for line in lines.filter(|l| !l.is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or("").to_string();
        tasks.push(Task {
            id: cell(id),
            category: cell(category),
            files: vec![base.join(cell(file))],
            property: cell(property),
            property_file: None,
            expected: cell(expected),
            data_model: cell(model),
        });
    }
    Ok(())
}

/// Reads a list of patterns for `.yml` files; the category is the list's name unless it has another one.
fn read_list(path: &Path, category: Option<&str>, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    let category = category.or(path.file_stem().and_then(|s| s.to_str()));
    for file in listed(path)? {
        read_set(&file, category, tasks)?;
    }
    Ok(())
}

/// The files that a list of patterns names. Patterns are relative to the list.
fn listed(path: &Path) -> Result<Vec<PathBuf>, UserError> {
    let text = text_of(path)?;
    let base = path.parent().unwrap_or(Path::new("."));
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let found: Vec<Vec<PathBuf>> = lines.map(|line| matching(path, &base.join(line))).collect::<Result<_, _>>()?;
    Ok(found.concat())
}

/// The files that match a pattern of the file `of`.
fn matching(of: &Path, pattern: &Path) -> Result<Vec<PathBuf>, UserError> {
    let pattern = pattern.display().to_string();
    let found = glob::glob(&pattern).map_err(|e| UserError(format!("{}: {pattern}: {e}", of.display())))?;
    Ok(found.flatten().collect())
}

/// Reads the task sets of a benchmark definition; the category is the set's name.
fn read_benchmark(path: &Path, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    let files = |patterns: &[PathBuf], sets: &[PathBuf]| -> Result<Vec<PathBuf>, UserError> {
        let mut files = Vec::new();
        for pattern in patterns {
            files.extend(matching(path, pattern)?);
        }
        for set in sets {
            files.extend(listed(set)?);
        }
        Ok(files)
    };
    for set in definition::read(path, &text_of(path)?)? {
        let TaskSet { name, include, include_sets, exclude, exclude_sets, properties } = &set;
        let excluded: BTreeSet<PathBuf> = files(exclude, exclude_sets)?.into_iter().collect();
        let mut found = Vec::new();
        for file in files(include, include_sets)?.iter().filter(|file| !excluded.contains(*file)) {
            read_set(file, name.as_deref(), &mut found)?;
        }
        found.retain(|task| properties.is_empty() || properties.contains(&task.property));
        tasks.append(&mut found);
    }
    Ok(())
}

/// Reads a program whose first line is `mark` with `VERDICT PROPERTY DATA-MODEL`, and perhaps `WITH` and the program's further files; other
/// files are not tasks.
fn read_marked(path: &Path, mark: &str, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    let bytes = std::fs::read(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(words) = text.lines().next().and_then(|line| line.strip_prefix(mark)) else { return Ok(()) };
    let words: Vec<&str> = words.split_whitespace().collect();
    let [expected, property, model, ..] = words[..] else {
        return Err(UserError(format!("{}:1: expected a verdict, a property and a data model", path.display())));
    };
    let name = |part: Option<&std::ffi::OsStr>| part.and_then(|s| s.to_str()).unwrap_or(".").to_string();
    let further = words.iter().skip_while(|word| **word != "WITH").skip(1).map(|word| path.with_file_name(word));
    tasks.push(Task {
        id: name(path.file_stem()),
        category: name(path.parent().and_then(Path::file_name)),
        files: std::iter::once(path.to_path_buf()).chain(further).collect(),
        property: property.into(),
        property_file: None,
        expected: expected.into(),
        data_model: model.into(),
    });
    Ok(())
}

/// Reads a task definition: one task per property with a known verdict.
fn read_definition(path: &Path, category: Option<&str>, tasks: &mut Vec<Task>) -> Result<(), UserError> {
    let definition = Definition::read(path)?;
    let base = path.parent().unwrap_or(Path::new("."));
    let files = definition.files(path)?;
    let stem = |path: &Path| path.file_stem().and_then(|s| s.to_str()).unwrap_or("").to_string();
    let folder = base.file_name().and_then(|s| s.to_str()).unwrap_or(".");
    for property in definition.properties {
        let Some(expected) = property.expected_verdict else { continue };
        let file = base.join(&property.property_file);
        tasks.push(Task {
            id: format!("{folder}/{}", stem(path)),
            category: category.unwrap_or(folder).to_string(),
            files: files.clone(),
            property: stem(&file),
            property_file: file.is_file().then_some(file),
            expected: expected.to_string(),
            data_model: definition.options.data_model.clone(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Selection {
        Selection {
            property: "unreach-call".into(),
            categories: Vec::new(),
            sample: 1,
            part: None,
            skip: BTreeSet::new(),
        }
    }

    fn shown(tasks: &[Task], base: &Path) -> Vec<String> {
        let row = |t: &Task| {
            let file = t.files[0].strip_prefix(base).unwrap_or(&t.files[0]).display().to_string();
            format!("{} {} {file} {} {} {}", t.id, t.category, t.property, t.expected, t.data_model)
        };
        tasks.iter().map(row).collect()
    }

    #[test]
    fn an_index_is_read_by_column_and_sampled_by_category() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut text = "id\tcategory\tpath\tproperty\texpected\tsubproperty\tdata_model\n".to_string();
        for i in 0..4 {
            text += &format!("{i}\tA\tA/{i}.c\tunreach-call\ttrue\t\tILP32\n");
        }
        text += "9\tB\tB/9.c\tunreach-call\tfalse\t\tLP64\n10\tB\tB/10.c\tno-overflow\tfalse\t\tLP64\n";
        std::fs::write(dir.path().join("index.tsv"), text).expect("a file");
        let tasks = read(&[dir.path().to_path_buf()], &Selection { sample: 3, ..all() }).expect("tasks");
        let expected = [
            "0 A A/0.c unreach-call true ILP32",
            "3 A A/3.c unreach-call true ILP32",
            "9 B B/9.c unreach-call false LP64",
        ];
        assert_eq!(shown(&tasks, dir.path()), expected);
        let part = |text: &str| {
            let selection = Selection { part: Some(Part::parse(text).expect("a part")), ..all() };
            shown(&read(&[dir.path().to_path_buf()], &selection).expect("tasks"), dir.path()).len()
        };
        assert_eq!((part("1/2"), part("2/2"), part("1/1")), (3, 2, 5));
        assert!(["0/2", "3/2", "1", "1/0", "-1/2"].into_iter().all(|text| Part::parse(text).is_err()));
        std::fs::write(dir.path().join("skip.txt"), "# wrong labels\n0 the sum wraps around\n\n").expect("a file");
        let skip = read_skipped(&dir.path().join("skip.txt")).expect("identifiers");
        let tasks = read(&[dir.path().to_path_buf()], &Selection { sample: 3, skip, ..all() }).expect("tasks");
        assert_eq!(shown(&tasks, dir.path()), ["1 A A/1.c unreach-call true ILP32", expected[2]]);
    }

    #[test]
    fn definitions_are_found_through_sets_and_folders() {
        let dir = tempfile::tempdir().expect("a directory");
        let loops = dir.path().join("loops");
        std::fs::create_dir(&loops).expect("a directory");
        let definition = "format_version: '2.0'\n\n# a comment\ninput_files: 'a.i'\n\nproperties:\n  - property_file: \
                          ../properties/unreach-call.prp\n    expected_verdict: false\n  - property_file: \
                          ../properties/termination.prp\n\noptions:\n  language: C\n  data_model: ILP32\n";
        std::fs::write(loops.join("a.yml"), definition).expect("a file");
        std::fs::write(loops.join("a.i"), "int main(void) { return 0; }\n").expect("a file");
        std::fs::write(dir.path().join("Loops.set"), "# all\nloops/*.yml\n").expect("a file");
        let tasks = read(&[dir.path().join("Loops.set")], &all()).expect("tasks");
        assert_eq!(shown(&tasks, dir.path()), ["loops/a Loops loops/a.i unreach-call false ILP32"]);
        std::fs::copy(loops.join("a.yml"), loops.join("big.yml")).expect("a file");
        let benchmark = "<benchmark><rundefinition><tasks name='L'><includesfile>Loops.set</includesfile><exclude>loops/b*</exclude>\
                         <propertyfile>p/unreach-call.prp</propertyfile></tasks></rundefinition></benchmark>";
        std::fs::write(dir.path().join("l.xml"), benchmark).expect("a file");
        let tasks = read(&[dir.path().join("l.xml")], &all()).expect("tasks");
        assert_eq!(shown(&tasks, dir.path()), ["loops/a L loops/a.i unreach-call false ILP32"]);
        std::fs::remove_file(loops.join("big.yml")).expect("a file");
        let tasks = read(&[dir.path().to_path_buf()], &all()).expect("tasks");
        assert_eq!(shown(&tasks, dir.path()), ["loops/a loops loops/a.i unreach-call false ILP32"]);
    }

    #[test]
    fn programs_may_state_their_verdict() {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(dir.path().join("own")).expect("a directory");
        let file = |name: &str, text: &str| std::fs::write(dir.path().join("own").join(name), text).expect("a file");
        file("a.c", "// EXPECT: false unreach-call LP64 UNKNOWN-OK\n");
        file("b.c", "int main() {}\n");
        file("b.cfa", "cfa 1\n");
        file("d.cfa", "# EXPECT: true unreach-call LP64\ncfa 1\n");
        let tasks = read(&[dir.path().to_path_buf()], &all()).expect("tasks");
        assert_eq!(
            shown(&tasks, dir.path()),
            ["a own own/a.c unreach-call false LP64", "d own own/d.cfa unreach-call true LP64"]
        );
        file("e.c", "// EXPECT: true unreach-call LP64 UNKNOWN-OK WITH b.c f.c\n");
        let tasks = read(&[dir.path().join("own/e.c")], &all()).expect("a task");
        assert_eq!(tasks[0].files, ["e.c", "b.c", "f.c"].map(|name| dir.path().join("own").join(name)));
        file("c.c", "// EXPECT: false\n");
        assert!(read(&[dir.path().to_path_buf()], &all()).unwrap_err().0.contains("c.c:1: expected a verdict"));
    }

    #[test]
    fn bad_sets_are_named() {
        let dir = tempfile::tempdir().expect("a directory");
        let bad = dir.path().join("a.yml");
        std::fs::write(&bad, "input_files: {").expect("a file");
        assert!(read(&[bad], &all()).unwrap_err().0.contains("a.yml: not a task definition"));
        assert!(read(&[dir.path().join("none.set")], &all()).is_err());
    }
}
