//! Lines of the source with carets under what matters, as compilers print them.
//!
//! The worker reads the source, since a file that debug information names may be anything; the report carries the lines, and the parent only
//! prints them. What cannot be read, or is no longer as the debug information says, has no excerpt.

use std::collections::HashMap;
use std::fs;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::{Deserialize, Serialize};

use crate::report::Place;

/// Maximum number of lines of an excerpt.
const MAX_LINES: u32 = 20;
/// Maximum number of bytes of a line; what is longer is no source that people read.
const MAX_LINE_BYTES: usize = 20_000;
/// Maximum number of bytes of a source file.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Lines of a source file, and places in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The file as named by the debug information.
    pub file: String,
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The lines, without their ends.
    pub lines: Vec<String>,
    /// What is marked; the first one is what the excerpt is about.
    pub marks: Vec<Mark>,
}

/// A marked place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The number of the line, from 1.
    pub line: u32,
    /// The first character, from 1.
    pub column: u32,
    /// The number of characters.
    pub length: u32,
    /// What is said about it; may be empty.
    pub label: String,
}

/// A place to mark, and what to say about it.
pub type Remark<'a> = (&'a Place, String);

impl Excerpt {
    /// The lines around the first place, if there are any, with marks for all places that are in the same file and close enough.
    pub fn of(sources: &mut Sources, remarks: &[Remark<'_>]) -> Option<Excerpt> {
        let (about, _) = remarks.first()?;
        let file = about.file.clone()?;
        let lines = sources.bytes(&file);
        let mut marks: Vec<Mark> = Vec::new();
        let (mut first, mut last) = (about.line?, about.line?);
        for (place, label) in remarks.iter().filter(|(place, _)| place.file == about.file) {
            let mark = place.line.and_then(|line| Some(mark(lines.get(line.checked_sub(1)? as usize)?, line, place)));
            let Some(mark) = mark.flatten() else {
                if marks.is_empty() {
                    return None;
                }
                continue;
            };
            let (from, to) = (first.min(mark.line), last.max(mark.line));
            let is_new = marks.iter().all(|m| (m.line, m.column) != (mark.line, mark.column));
            if to - from < MAX_LINES && is_new {
                (first, last) = (from, to);
                marks.push(Mark { label: label.clone(), ..mark });
            }
        }
        let shown = lines.get(first as usize - 1..last as usize)?;
        if shown.iter().any(|line| line.len() > MAX_LINE_BYTES) {
            return None;
        }
        let lines = shown.iter().map(|line| text(line)).collect();
        Some(Excerpt { file, first_line: first, lines, marks })
    }

    /// The lines that are marked, with `FILE:LINE:COLUMN` above them and carets below. `is_error` says what colour the carets have.
    pub fn render(&self, is_error: bool, color: bool) -> String {
        let starts: Vec<usize> =
            (self.lines.iter()).scan(0, |end, line| Some(std::mem::replace(end, *end + line.len() + 1))).collect();
        let source = self.lines.join("\n");
        let annotations = self.marks.iter().enumerate().filter_map(|(i, mark)| {
            let row = mark.line.checked_sub(self.first_line)? as usize;
            let (start, line) = (starts.get(row)?, self.lines.get(row)?);
            let byte = |n: u32| line.char_indices().nth(n as usize).map_or(line.len(), |(at, _)| at);
            let from = mark.column.saturating_sub(1);
            let span = start + byte(from)..start + byte(from.saturating_add(mark.length));
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            Some(kind.span(span).label((!mark.label.is_empty()).then(|| printable(&mark.label))))
        });
        let snippet = Snippet::source(&*source).line_start(self.first_line as usize).path(printable(&self.file));
        let level = if is_error { Level::ERROR } else { Level::WARNING };
        let group = Group::with_level(level).element(snippet.annotations(annotations));
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let drawn = renderer.render(&[group]);
        drawn.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

/// A text without what a terminal would take for a command; the lines of a source are printed with care by the crate.
pub(super) fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '?',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// The mark of a place in this line: the name or number that begins there, or one character. `None` if the line has no such column.
fn mark(line: &[u8], number: u32, place: &Place) -> Option<Mark> {
    let (before, rest) = match place.column {
        // Without a column, the line's text is marked.
        None => line.split_at(line.iter().position(|b| !b.is_ascii_whitespace())?),
        Some(column) => line.split_at_checked((column as usize).checked_sub(1)?)?,
    };
    let rest = text(rest);
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
    let length = match place.column {
        None => rest.trim_end().chars().count(),
        Some(_) => rest.chars().take_while(is_word).count(),
    };
    rest.chars().next()?;
    let column = text(before).chars().count() as u32 + 1;
    Some(Mark { line: number, column, length: length.max(1) as u32, label: String::new() })
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Lines of source files, each file read once; a file that cannot be read has no lines.
#[derive(Default)]
pub struct Sources {
    files: HashMap<String, Vec<Vec<u8>>>,
}

impl Sources {
    /// The text of the line at a position, trimmed.
    pub fn line(&mut self, place: &Place) -> Option<String> {
        let (file, line) = (place.file.as_ref()?, place.line? as usize);
        let line = text(self.bytes(file).get(line.checked_sub(1)?)?);
        Some(line.trim()).filter(|line| !line.is_empty()).map(str::to_string)
    }

    /// All lines of a file, without their ends.
    pub fn lines(&mut self, file: &str) -> Vec<String> {
        self.bytes(file).iter().map(|line| text(line)).collect()
    }

    /// The bytes of all lines of a file.
    fn bytes(&mut self, file: &str) -> &[Vec<u8>] {
        self.files.entry(file.to_string()).or_insert_with(|| {
            let is_source = fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_FILE_BYTES);
            let bytes = if is_source { fs::read(file).unwrap_or_default() } else { Vec::new() };
            let lines = bytes.split_inclusive(|b| *b == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line));
            lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line).to_vec()).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed about places (line, column; 0 for an unknown column) of a file with these bytes.
    fn shown(bytes: &[u8], places: &[(u32, u32)]) -> String {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("a.c");
        fs::write(&file, bytes).expect("a file");
        let file = file.display().to_string();
        let place = |&(line, column): &(u32, u32)| Place {
            file: Some(file.clone()),
            line: Some(line),
            column: (column > 0).then_some(column),
            function: "main".into(),
        };
        let places: Vec<Place> = places.iter().map(place).collect();
        let remarks: Vec<Remark<'_>> = places.iter().map(|p| (p, format!("line {}", p.line.unwrap_or(0)))).collect();
        let excerpt = Excerpt::of(&mut Sources::default(), &remarks);
        excerpt.map_or("nothing".into(), |e| e.render(true, false).replace(&file, "a.c"))
    }

    #[test]
    fn carets_stand_below_the_word() {
        let text = b"int main(void) {\n    int x = input();\n\n\n    if (x > 5)\n        reach_error();\r\n}\n";
        let expected = " --> a.c:6:9
  |
2 |     int x = input();
  |             ----- line 2
...
6 |         reach_error();
  |         ^^^^^^^^^^^ line 6
";
        assert_eq!(shown(text, &[(6, 9), (2, 13)]), expected);
        assert!(shown(text, &[(5, 11)]).ends_with("5 |     if (x > 5)\n  |           ^ line 5\n"));
        assert!(shown(text, &[(5, 0)]).ends_with("5 |     if (x > 5)\n  |     ^^^^^^^^^^ line 5\n"));
    }

    #[test]
    fn tabs_are_as_wide_as_they_are_shown() {
        let text = shown(b"\t\tf(\tx);\n", &[(1, 6)]);
        assert!(text.ends_with("1 |         f(    x);\n  |               ^ line 1\n"), "{text}");
        assert!(text.starts_with(" --> a.c:1:6\n"), "{text}");
    }

    #[test]
    fn bytes_that_are_no_text_count_as_debug_information_counts_them() {
        // Two bytes of Latin-1, and a letter of two bytes.
        let text = shown(b"s = \"\xe4\xfc\xc3\xa4\"; f();\n", &[(1, 13)]);
        assert!(text.ends_with("1 | s = \"\u{fffd}\u{fffd}\u{e4}\"; f();\n  |            ^ line 1\n"), "{text}");
        // In the middle of a letter.
        assert!(shown(b"\xc3\xa4 = 1;\n", &[(1, 2)]).contains("a.c:1:"));
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}; fail(); {}\n", "x".repeat(9000), "y".repeat(9000));
        let text = shown(line.as_bytes(), &[(1, 9003)]);
        assert!(text.contains("xx; fail(); yy") && text.lines().all(|l| l.len() < 160), "{text}");
        let carets = text.lines().last().and_then(|l| l.find("^^^^ line 1"));
        assert_eq!(carets, text.lines().nth(2).and_then(|l| l.find("fail")), "{text}");
        let endless = format!("{}\n", "x".repeat(MAX_LINE_BYTES + 1));
        assert_eq!(shown(endless.as_bytes(), &[(1, 3)]), "nothing");
    }

    #[test]
    fn what_is_not_in_the_file_is_not_shown() {
        for (line, column) in [(3, 1), (2, 9), (0, 1), (u32::MAX, u32::MAX), (1, u32::MAX), (3, 0)] {
            assert_eq!(shown(b"int x;\nint y;\n", &[(line, column)]), "nothing", "{line}:{column}");
        }
        let text = shown(b"int x;\nint y;\n", &[(2, 5), (9, 1), (1, 5)]);
        assert_eq!(text, " --> a.c:2:5\n  |\n1 | int x;\n  |     - line 1\n2 | int y;\n  |     ^ line 2\n");
        let far = [b"a();\n".to_vec(), vec![b'\n'; 40], b"b();\n".to_vec()].concat();
        assert!(!shown(&far, &[(42, 1), (1, 1)]).contains("a()"));
    }

    #[test]
    fn what_is_no_file_has_no_lines() {
        let remark = |file: &str| {
            let place = Place { file: Some(file.into()), line: Some(1), column: Some(1), ..Place::default() };
            Excerpt::of(&mut Sources::default(), &[(&place, String::new())])
        };
        assert_eq!((remark("/dev/zero"), remark("/nowhere"), remark("/")), (None, None, None));
    }

    #[test]
    fn an_excerpt_of_another_report_cannot_break_the_printer() {
        let marks = vec![
            Mark { line: 7, column: 90, length: u32::MAX, label: "a\u{1b}[31mb".into() },
            Mark { line: 0, column: 0, length: 0, label: String::new() },
            Mark { line: 90, column: 1, length: 1, label: String::new() },
        ];
        let excerpt = Excerpt { file: "x\u{1b}.c".into(), first_line: 7, lines: vec!["f\u{1b}();".into()], marks };
        let text = excerpt.render(true, false);
        assert!(text.contains("x?.c:7") && !text.contains('\u{1b}'), "{text:?}");
        Excerpt::default().render(false, true);
    }
}
