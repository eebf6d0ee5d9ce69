//! The results of a comparison, as a table for the terminal and as comma-separated values.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::commands::compare::slicers::Row;

/// The results of one slicer over all programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Total {
    /// The slicer.
    pub slicer: String,
    /// Number of programs that it sliced.
    pub sliced: usize,
    /// Number of programs on which it failed.
    pub failed: usize,
    /// Fraction of the instructions that is left, over all programs that it sliced.
    pub kept: f64,
    /// Median over the programs of the fraction that is left.
    pub kept_median: f64,
    /// Sum of the slicing times.
    pub slice_s: f64,
    /// Maximum memory, in MiB.
    pub slice_mb: f64,
    /// Number of verdicts `true`.
    pub proved: usize,
    /// Number of verdicts `false`.
    pub refuted: usize,
    /// Number of verdicts `unknown`.
    pub unknown: usize,
    /// Sum of the verification times.
    pub verify_s: f64,
}

/// One total per slicer, in the order of their first rows.
pub(super) fn totals(rows: &[Row]) -> Vec<Total> {
    let mut names: Vec<&str> = Vec::new();
    rows.iter().for_each(|r| {
        if !names.contains(&r.slicer.as_str()) {
            names.push(&r.slicer)
        }
    });
    names.into_iter().map(|name| total(name, rows.iter().filter(|r| r.slicer == name))).collect()
}

fn total<'r>(slicer: &str, rows: impl Iterator<Item = &'r Row>) -> Total {
    let mut total = Total { slicer: slicer.to_string(), ..Total::default() };
    let (mut before, mut after, mut parts) = (0, 0, Vec::new());
    for row in rows {
        match (row.instructions, row.kept()) {
            (Some(n), Some(part)) => {
                total.sliced += 1;
                before += row.instructions_before;
                after += n;
                parts.push(part);
            }
            _ => total.failed += 1,
        }
        total.slice_s += row.slice_s.unwrap_or(0.0);
        total.slice_mb = total.slice_mb.max(row.slice_mb.unwrap_or(0.0));
        total.verify_s += row.verify_s.unwrap_or(0.0);
        match row.verdict.as_deref() {
            Some("true") => total.proved += 1,
            Some(verdict) if verdict.starts_with("false") => total.refuted += 1,
            Some(_) => total.unknown += 1,
            None => {}
        }
    }
    parts.sort_by(f64::total_cmp);
    total.kept = after as f64 / before.max(1) as f64;
    total.kept_median = parts.get(parts.len() / 2).copied().unwrap_or(0.0);
    total
}

/// Programs for which one slicer's slice is proved correct and another's refuted, one line each: one of the slicers is wrong.
pub(super) fn contradictions(rows: &[Row]) -> Vec<String> {
    let mut found = Vec::new();
    let mut files: Vec<&str> = rows.iter().map(|r| r.file.as_str()).collect();
    files.dedup();
    for file in files {
        let of = |says: fn(&str) -> bool| {
            let rows = rows.iter().filter(|r| r.file == file && r.verdict.as_deref().is_some_and(says));
            rows.map(|r| r.slicer.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (proved, refuted) = (of(|v| v == "true"), of(|v| v.starts_with("false")));
        if !proved.is_empty() && !refuted.is_empty() {
            found.push(format!("CONTRADICTION on {file}: true with {proved}, false with {refuted}"));
        }
    }
    found
}

/// The rows and their totals as text.
pub(super) fn render(rows: &[Row]) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|r| r.slicer.chars().count()).max().unwrap_or(0).max("slicer".len());
    let mut file = "";
    for row in rows {
        if row.file != file {
            file = &row.file;
            let _ =
                writeln!(out, "{file}: {} instructions, {} functions", row.instructions_before, row.functions_before);
            let _ = writeln!(
                out,
                "  {:width$} {:>8} {:>6} {:>9} {:>8} {:>7} {:>8}  verdict",
                "slicer", "instr.", "%", "functions", "slice s", "MiB", "verify s"
            );
        }
        let _ = write!(out, "  {:width$}", row.slicer);
        let (Some(n), Some(part), Some(functions)) = (row.instructions, row.kept(), row.functions) else {
            let _ = writeln!(out, " failed: {}", row.error.as_deref().unwrap_or("no slice"));
            continue;
        };
        let _ = write!(out, " {n:>8} {:>6.1} {functions:>9}", part * 100.0);
        let _ = write!(out, " {:>8} {:>7}", number(row.slice_s, 2), number(row.slice_mb, 0));
        let _ = writeln!(out, " {:>8}  {}", number(row.verify_s, 2), row.verdict.as_deref().unwrap_or("-"));
    }
    contradictions(rows).iter().for_each(|text| out.extend([text.as_str(), "\n"]));
    let files = rows.iter().map(|r| &r.file).collect::<std::collections::BTreeSet<_>>().len();
    if files > 1 {
        let _ = writeln!(out, "all {files} programs");
        let _ = writeln!(
            out,
            "  {:width$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>7} {:>8} {:>6} {:>6} {:>6}",
            "slicer", "sliced", "failed", "%", "median", "slice s", "MiB", "verify s", "true", "false", "unkn"
        );
        for t in totals(rows) {
            let _ = write!(out, "  {:width$} {:>6} {:>6}", t.slicer, t.sliced, t.failed);
            let _ = write!(out, " {:>6.1} {:>6.1}", t.kept * 100.0, t.kept_median * 100.0);
            let _ = write!(out, " {:>8.2} {:>7.0} {:>8.2}", t.slice_s, t.slice_mb, t.verify_s);
            let _ = writeln!(out, " {:>6} {:>6} {:>6}", t.proved, t.refuted, t.unknown);
        }
    }
    out
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |v| format!("{v:.digits$}"))
}

/// The rows as comma-separated values with a header.
pub(super) fn csv(rows: &[Row]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).context("cannot write a row")?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, slicer: &str, instructions: Option<usize>, verdict: &str) -> Row {
        Row {
            file: file.into(),
            slicer: slicer.into(),
            instructions_before: 100,
            functions_before: 4,
            instructions,
            functions: instructions.map(|_| 2),
            slice_s: Some(0.5),
            slice_mb: Some(40.0),
            verdict: instructions.map(|_| verdict.into()),
            verify_s: instructions.map(|_| 1.25),
            error: instructions.is_none().then(|| "exit status 1: no".into()),
        }
    }

    fn rows() -> Vec<Row> {
        vec![
            row("a.c", "none", Some(100), "unknown (timeout)"),
            row("a.c", "standard", Some(20), "true"),
            row("b.c", "none", Some(100), "false(unreach-call)"),
            row("b.c", "standard", None, ""),
        ]
    }

    #[test]
    fn rows_are_grouped_by_program() {
        let expected = "\
a.c: 100 instructions, 4 functions
  slicer     instr.      % functions  slice s     MiB verify s  verdict
  none          100  100.0         2     0.50      40     1.25  unknown (timeout)
  standard       20   20.0         2     0.50      40     1.25  true
b.c: 100 instructions, 4 functions
  slicer     instr.      % functions  slice s     MiB verify s  verdict
  none          100  100.0         2     0.50      40     1.25  false(unreach-call)
  standard failed: exit status 1: no
all 2 programs
  slicer   sliced failed      % median  slice s     MiB verify s   true  false   unkn
  none          2      0  100.0  100.0     1.00      40     2.50      0      1      1
  standard      1      1   20.0   20.0     1.00      40     1.25      1      0      0
";
        assert_eq!(render(&rows()), expected);
    }

    #[test]
    fn a_wrong_slice_is_told() {
        let mut rows = rows();
        rows[0].verdict = Some("false(unreach-call)".into());
        assert_eq!(contradictions(&rows), ["CONTRADICTION on a.c: true with standard, false with none"]);
        assert!(render(&rows).contains("\nCONTRADICTION on a.c"));
    }

    #[test]
    fn values_are_separated_by_commas() {
        let text = csv(&rows()).expect("text");
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some(
                "file,slicer,instructions_before,instructions,functions_before,functions,slice_s,slice_mb,verdict,verify_s,error"
            )
        );
        assert_eq!(lines.next(), Some("a.c,none,100,100,4,2,0.5,40.0,unknown (timeout),1.25,"));
        assert_eq!(lines.last(), Some("b.c,standard,100,,4,,0.5,40.0,,,exit status 1: no"));
    }
}
