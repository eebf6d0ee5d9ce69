//! Tables of results as files: read again, continued, and taken together.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::commands::bench::score::{COLUMNS, Outcome};
use crate::commands::bench::tasks::Task;
use crate::commands::bench::versus::Results;
use crate::worker::UserError;

/// The results in files and in folders of files, one set per tool. The parts of one tool in one folder belong together.
///
/// A set has the name of its file if there is only one tool in it, otherwise the tool's.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Results>> {
    let mut all = Vec::new();
    for path in paths {
        let outcomes = if path.is_dir() { read_folder(path)? } else { read_outcomes(path)? };
        let mut of_tool = split(outcomes);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let [one] = &mut of_tool[..] {
            one.name = stem;
        } else if paths.len() > 1 {
            of_tool.iter_mut().for_each(|results| results.name = format!("{stem}:{}", results.name));
        }
        all.append(&mut of_tool);
    }
    Ok(all)
}

/// One set of results per tool, in the order in which the tools appear.
pub(super) fn split(outcomes: Vec<Outcome>) -> Vec<Results> {
    let mut all: Vec<Results> = Vec::new();
    for outcome in outcomes {
        match all.iter_mut().find(|results| results.name == outcome.tool) {
            Some(results) => results.outcomes.push(outcome),
            None => all.push(Results { name: outcome.tool.clone(), outcomes: vec![outcome] }),
        }
    }
    all
}

/// All results in the `.tsv` files of a folder, by the files' names.
fn read_folder(folder: &Path) -> Result<Vec<Outcome>> {
    let failed = |e: std::io::Error| UserError(format!("{}: {e}", folder.display()));
    let entries: Result<Vec<PathBuf>, _> =
        std::fs::read_dir(folder).map_err(failed)?.map(|e| e.map(|e| e.path())).collect();
    let mut files = entries.map_err(failed)?;
    files.retain(|file| file.extension().is_some_and(|e| e == "tsv"));
    files.sort();
    if files.is_empty() {
        return Err(UserError(format!("{}: no tables of results (.tsv)", folder.display())).into());
    }
    let parts: Vec<Vec<Outcome>> = files.iter().map(|file| read_outcomes(file)).collect::<Result<_>>()?;
    Ok(parts.concat())
}

/// Reads results written by `--out` or by another scorer with the same columns.
fn read_outcomes(path: &Path) -> Result<Vec<Outcome>> {
    let text = std::fs::read_to_string(path).map_err(|e| UserError(format!("{}: {e}", path.display())))?;
    parse(path, &text)
}

fn parse(path: &Path, text: &str) -> Result<Vec<Outcome>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_reader(text.as_bytes());
    let wrong = |why: String| UserError(format!("{}: not a table of results: {why}", path.display()));
    let head = reader.headers().map_err(|e| wrong(e.to_string()))?;
    if !head.iter().any(|column| column == "verdict") {
        return Err(wrong("no column 'verdict'".into()).into());
    }
    let outcomes: Result<Vec<Outcome>, _> = reader.deserialize().collect();
    let outcomes = outcomes.map_err(|e| wrong(e.to_string()))?;
    let seconds = |o: &Outcome| [Some(o.cpu_s), Some(o.wall_s), Some(o.rss_mb), o.search_s, o.check_s, o.graph_s];
    match outcomes.iter().find(|o| seconds(o).into_iter().flatten().any(|n| !n.is_finite())) {
        Some(odd) => Err(wrong(format!("{} takes a time or memory that is no number", odd.id)).into()),
        None => Ok(outcomes),
    }
}

/// What tells the results of a table apart.
#[derive(PartialEq, Eq, Hash)]
struct Key(String, String, String, String);

impl Key {
    fn of(outcome: &Outcome) -> Key {
        let [tool, category, id, property] =
            [&outcome.tool, &outcome.category, &outcome.id, &outcome.property].map(Clone::clone);
        Key(tool, category, id, property)
    }

    fn wanted(tool: &str, task: &Task) -> Key {
        Key(tool.into(), task.category.clone(), task.id.clone(), task.property.clone())
    }
}

/// A table that grows by one line per result.
pub(super) struct Table {
    file: File,
    /// The results that it had when it was opened.
    pub before: Vec<Outcome>,
}

impl Table {
    /// Opens a table, or makes it. A last line that is cut off is removed.
    ///
    /// # Errors
    /// User errors: the file cannot be written, or it is something else.
    pub(super) fn open(path: &Path) -> Result<Table> {
        let failed = |e: std::io::Error| UserError(format!("{}: {e}", path.display()));
        let text = match std::fs::read_to_string(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed)?,
        };
        let head = COLUMNS.join("\t");
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        if whole.lines().next().is_some_and(|first| first != head) || (whole.is_empty() && !head.starts_with(&text)) {
            let why = "has other columns than this version of kerf writes: choose another file, or remove it";
            return Err(UserError(format!("{}: {why}", path.display())).into());
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        if whole.is_empty() {
            writeln!(file, "{head}").map_err(failed)?;
        }
        let before = if whole.is_empty() { Vec::new() } else { parse(path, whole)? };
        Ok(Table { file, before })
    }

    /// Adds a result, which is in the file afterwards.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn add(&mut self, outcome: &Outcome) -> Result<()> {
        self.file.write_all(format!("{}\n", outcome.to_line()).as_bytes()).context("cannot write the results")
    }
}

/// Which results of an earlier run stand for runs of now. Each result stands for one run.
///
/// `settings` are those of each tool. Results of the same tool with other settings are an error: they would be mixed.
pub(super) struct Done {
    by_key: HashMap<Key, Vec<Outcome>>,
}

impl Done {
    /// # Errors
    /// User errors: the table at `path` has results of a tool with other settings.
    pub(super) fn new(path: &Path, before: Vec<Outcome>, settings: &[(String, String)]) -> Result<Done, UserError> {
        let mut by_key: HashMap<Key, Vec<Outcome>> = HashMap::new();
        for outcome in before {
            let other = settings.iter().find(|(tool, now)| *tool == outcome.tool && *now != outcome.settings);
            if let Some((tool, now)) = other {
                let then = &outcome.settings;
                let why = format!(
                    "has results of {tool} with '{then}', but now it is '{now}': choose another file, or remove it"
                );
                return Err(UserError(format!("{}: {why}", path.display())));
            }
            by_key.entry(Key::of(&outcome)).or_default().push(outcome);
        }
        by_key.values_mut().for_each(|outcomes| outcomes.reverse());
        Ok(Done { by_key })
    }

    /// Takes the result of a run, if there is one.
    pub(super) fn take(&mut self, tool: &str, task: &Task) -> Option<Outcome> {
        self.by_key.get_mut(&Key::wanted(tool, task))?.pop()
    }
}
