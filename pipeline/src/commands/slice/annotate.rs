//! The source with its lines marked: what the slice keeps, what it cuts, and what it was made for.
//!
//! A line is kept if one of its operations is kept, and cut if it has operations of which none is kept. Lines without operations
//! (declarations, braces, comments) are neither. Code that is never called is cut too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use cfa::{EdgeId, Id, Span};
use serde::{Deserialize, Serialize};

use crate::commands::slice::slicing::SlicedProgram;
use crate::commands::slice::why;
use crate::report::counterexample;
use crate::report::excerpt::Sources;

/// The effect of a slice on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mark {
    /// The line has operations, and none of them is in the slice.
    Cut,
    /// An operation of the line is in the slice.
    Kept,
    /// The slice was made for this line.
    Criterion,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The line number, from 1.
    pub line: u32,
    /// The line's text; empty if the file cannot be read.
    pub text: String,
    /// The line's mark; `None` for a line without operations.
    pub mark: Option<Mark>,
    /// Why the line is kept, in one line.
    pub why: String,
}

/// A source file with its lines marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Annotated {
    /// The file's name in the debug information.
    pub file: String,
    /// All lines, or only those with operations if the file cannot be read.
    pub rows: Vec<Row>,
}

impl Annotated {
    /// A file without marks; `None` if it is no text.
    pub(crate) fn plain(file: &Path) -> Option<Annotated> {
        let name = file.to_str()?;
        if !matches!(file.extension()?.to_str()?, "c" | "i" | "h" | "ll" | "cfa") {
            return None;
        }
        let mut sources = Sources::default();
        let rows = (1..).zip(sources.lines(name));
        let rows = rows.map(|(line, text)| Row { line, text, mark: None, why: String::new() }).collect();
        Some(Annotated { file: name.to_string(), rows })
    }
}

/// The marks of lines by file and line, each with one kept edge of the line if there is one.
type Marks = BTreeMap<u32, BTreeMap<u32, (Mark, Option<EdgeId>)>>;

/// The program's source files with their lines marked; `never_called` are lines with code that is not in the automaton.
pub(crate) fn annotate(found: &SlicedProgram, never_called: &[(String, u32)]) -> Vec<Annotated> {
    let mut by_name: BTreeMap<String, BTreeMap<u32, (Mark, Option<EdgeId>)>> = BTreeMap::new();
    for (file, marks) in marks(found) {
        by_name.insert(found.cfa.files[file as usize].clone(), marks);
    }
    for (file, line) in never_called {
        by_name.entry(file.clone()).or_default().entry(*line).or_insert((Mark::Cut, None));
    }
    let mut sources = Sources::default();
    let mut annotated = Vec::new();
    for (name, marks) in by_name {
        let lines = sources.lines(&name);
        let shown: Vec<u32> = match lines.len() {
            0 => marks.keys().copied().collect(),
            n => (1..=n as u32).collect(),
        };
        let row = |line: u32| {
            let text = lines.get(line as usize - 1).cloned().unwrap_or_default();
            let (mark, edge) = marks.get(&line).map_or((None, None), |(mark, edge)| (Some(*mark), *edge));
            // The line that ends a block has the operations that leave it, but readers do not look for them there.
            let bare = !text.is_empty() && !text.chars().any(char::is_alphanumeric);
            let mark = mark.filter(|mark| *mark != Mark::Cut || !bare);
            let why = edge.map(|e| why::in_short(found, e, &mut sources)).unwrap_or_default();
            Row { line, text, mark, why }
        };
        annotated.push(Annotated { file: name, rows: shown.into_iter().map(row).collect() });
    }
    annotated
}

fn marks(found: &SlicedProgram) -> Marks {
    let cfa = &found.cfa;
    let mut marks = Marks::new();
    let mut mark = |span: Span, mark: Mark, e: Option<EdgeId>| {
        if span.line > 0 {
            let row = marks.entry(span.file).or_default().entry(span.line).or_insert((mark, None));
            row.0 = row.0.max(mark);
            row.1 = row.1.or(e);
        }
    };
    let function = |e: EdgeId| &cfa.funcs[cfa.locs[cfa.edges[e].from].func];
    for e in cfa.edges.ids().filter(|e| !function(*e).library) {
        let span = cfa.edges[e].span;
        if found.sliced.slice.kept.contains(e.index()) {
            mark(span, Mark::Kept, Some(e));
            // The first line of a function stays with anything in it.
            mark(function(e).span, Mark::Kept, None);
        } else {
            mark(span, Mark::Cut, None);
        }
    }
    for criterion in &found.criteria {
        let edges = match &criterion.edges[..] {
            [] => counterexample::edge_with_place(cfa, criterion.at).into_iter().collect(),
            edges => edges.to_vec(),
        };
        edges.into_iter().for_each(|e| mark(cfa.edges[e].span, Mark::Criterion, Some(e)));
    }
    marks
}

/// The files as text for a terminal: `>` marks the criterion, `+` kept lines, `-` cut lines.
pub(crate) fn render(files: &[Annotated], color: bool) -> String {
    let mut out = String::new();
    for file in files {
        let _ = writeln!(out, "{}", file.file);
        for row in &file.rows {
            let (sign, code) = match row.mark {
                Some(Mark::Criterion) => ('>', "1;33"),
                Some(Mark::Kept) => ('+', "32"),
                Some(Mark::Cut) => ('-', "2"),
                None => (' ', ""),
            };
            let line = format!("{sign} {:>5}  {}", row.line, row.text);
            let line = line.trim_end();
            let _ = match color && !code.is_empty() {
                true => writeln!(out, "\x1b[{code}m{line}\x1b[0m"),
                false => writeln!(out, "{line}"),
            };
        }
    }
    out
}
