//! Scores the SV-COMP way, tables of them, and the reasons for `unknown`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// What came of one task. Its columns are those of the TSV.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The task.
    pub id: String,
    /// Its category.
    pub category: String,
    /// Its property.
    pub property: String,
    /// The right verdict.
    pub expected: String,
    /// The verdict given: `true`, `false`, `unknown`, `timeout`, `error`.
    pub verdict: String,
    /// `correct`, `WRONG`, or the verdict if it is neither `true` nor `false`.
    pub status: String,
    /// CPU seconds of all processes.
    pub cpu_s: f64,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// Greatest resident memory of a process in MiB.
    pub rss_mb: f64,
    /// The run of the compiled program: `reproduced`, or why it does not show the violation; empty if there was none.
    #[serde(default)]
    pub native: String,
    /// The rest of the `RESULT` line, or the last line of a run without one.
    pub detail: String,
}

/// What [`Outcome::native`] says of a run that shows the violation.
pub const REPRODUCED: &str = "reproduced";

/// The columns of the TSV, in order.
pub const COLUMNS: [&str; 11] =
    ["id", "category", "property", "expected", "verdict", "status", "cpu_s", "wall_s", "rss_mb", "native", "detail"];

impl Outcome {
    /// Fills `status` from verdict and expectation.
    pub fn judge(mut self) -> Outcome {
        self.status = match self.verdict.as_str() {
            "true" | "false" if self.verdict == self.expected => "correct".into(),
            "true" | "false" => "WRONG".into(),
            other => other.into(),
        };
        self
    }

    /// Correct true +2, correct false +1, wrong false -16, wrong true -32, else 0.
    pub fn score(&self) -> i64 {
        match (self.status.as_str(), self.verdict.as_str()) {
            ("correct", "true") => 2,
            ("correct", _) => 1,
            ("WRONG", "true") => -32,
            ("WRONG", _) => -16,
            _ => 0,
        }
    }

    /// One line of the TSV.
    pub fn to_line(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ").replace('"', "'");
        let cells = [
            clean(&self.id),
            clean(&self.category),
            clean(&self.property),
            clean(&self.expected),
            self.verdict.clone(),
            self.status.clone(),
            format!("{:.2}", self.cpu_s),
            format!("{:.2}", self.wall_s),
            format!("{:.0}", self.rss_mb),
            clean(&self.native),
            clean(&self.detail),
        ];
        cells.join("\t")
    }
}

/// A row of the score table: one category, or all.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Row {
    /// Tasks of the category.
    pub tasks: usize,
    /// Correct `true`.
    pub correct_true: usize,
    /// Correct `false`.
    pub correct_false: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// Answers `unknown` other than timeouts.
    pub unknown: usize,
    /// Runs that had to be ended.
    pub timeout: usize,
    /// Runs without an answer.
    pub error: usize,
    /// The score.
    pub score: i64,
    /// The score of a perfect verifier.
    pub best: i64,
    /// CPU seconds of all tasks.
    pub cpu_s: f64,
    /// CPU seconds of the correct ones.
    pub cpu_correct_s: f64,
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        self.tasks += 1;
        match (outcome.status.as_str(), outcome.verdict.as_str()) {
            ("correct", "true") => self.correct_true += 1,
            ("correct", _) => self.correct_false += 1,
            ("WRONG", _) => self.wrong += 1,
            ("timeout", _) => self.timeout += 1,
            ("unknown", _) => self.unknown += 1,
            _ => self.error += 1,
        }
        self.score += outcome.score();
        self.best += if outcome.expected == "true" { 2 } else { 1 };
        self.cpu_s += outcome.cpu_s;
        if outcome.status == "correct" {
            self.cpu_correct_s += outcome.cpu_s;
        }
    }
}

/// One row per category, and one for all under the name `~ all`, which sorts last.
pub fn rows(outcomes: &[Outcome]) -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for outcome in outcomes {
        rows.entry(outcome.category.clone()).or_default().add(outcome);
        rows.entry("~ all".into()).or_default().add(outcome);
    }
    rows
}

/// The score table, the wrong answers, and the commonest reasons for `unknown`.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<20}{:>6}{:>6}{:>6}{:>6}{:>6}{:>6}{:>6}{:>8}{:>7}{:>7}{:>9}{:>13}",
        "category",
        "tasks",
        "true",
        "false",
        "WRONG",
        "unkn",
        "t/o",
        "err",
        "solved",
        "score",
        "of",
        "cpu s",
        "cpu s/solved"
    );
    for (category, r) in rows(outcomes) {
        let solved = r.correct_true + r.correct_false;
        let share = 100.0 * solved as f64 / r.tasks.max(1) as f64;
        let per_solved = if solved == 0 { 0.0 } else { r.cpu_correct_s / solved as f64 };
        let _ = writeln!(
            out,
            "{category:<20}{:>6}{:>6}{:>6}{:>6}{:>6}{:>6}{:>6}{share:>7.1}%{:>7}{:>7}{:>9.0}{per_solved:>13.2}",
            r.tasks, r.correct_true, r.correct_false, r.wrong, r.unknown, r.timeout, r.error, r.score, r.best, r.cpu_s
        );
    }
    for outcome in outcomes.iter().filter(|o| o.status == "WRONG") {
        let _ = writeln!(out, "  WRONG {} (is {}): {}", outcome.verdict, outcome.expected, outcome.id);
    }
    let reasons = reasons(outcomes);
    if !reasons.is_empty() {
        let _ = writeln!(out, "commonest reasons for no answer:");
        for (reason, count) in reasons.iter().take(10) {
            let _ = writeln!(out, "{count:>6}  {reason}");
        }
    }
    let native = native(outcomes);
    if !native.is_empty() {
        let _ = writeln!(out, "compiled and run on the inputs of a violation:");
        for (what, count) in native {
            let _ = writeln!(out, "{count:>6}  {what}");
        }
    }
    out
}

/// Reasons for no answer, without the parts that differ from task to task, with their counts, commonest first.
pub fn reasons(outcomes: &[Outcome]) -> Vec<(String, usize)> {
    let open = outcomes.iter().filter(|o| !matches!(o.status.as_str(), "correct" | "WRONG"));
    counted(open.map(|outcome| {
        let detail = outcome.detail.trim();
        let detail = detail.strip_prefix('(').and_then(|d| d.strip_suffix(')')).unwrap_or(detail);
        if detail.is_empty() { outcome.verdict.clone() } else { general(detail) }
    }))
}

/// What became of the native runs, likewise.
pub fn native(outcomes: &[Outcome]) -> Vec<(String, usize)> {
    counted(outcomes.iter().filter(|o| !o.native.is_empty()).map(|o| general(&o.native)))
}

fn counted(reasons: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> = counts.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    reasons
}

/// A reason with `FILE` for file names, without line numbers, and with `N` for numbers.
fn general(reason: &str) -> String {
    let word = |word: &str| {
        let core = word.trim_end_matches([',', ';', ')', ']']);
        let tail = &word[core.len()..];
        let file = core.trim_start_matches(['(', '[', '\'', '"']);
        let name = file.split(':').next().unwrap_or("").trim_end_matches(['\'', '"']);
        if [".c", ".i", ".h", ".bc", ".ll", ".rs"].iter().any(|e| name.len() > e.len() && name.ends_with(e)) {
            return format!("FILE{tail}");
        }
        numbers_replaced(core) + tail
    };
    reason.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Digits that do not belong to an identifier become `N`.
fn numbers_replaced(word: &str) -> String {
    let mut out = String::new();
    let mut previous = ' ';
    for c in word.chars() {
        let within_name =
            previous.is_alphabetic() || previous == '_' || (previous.is_ascii_digit() && !out.ends_with('N'));
        if !c.is_ascii_digit() || within_name {
            out.push(c);
        } else if !out.ends_with('N') || !previous.is_ascii_digit() {
            out.push('N');
        }
        previous = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(id: &str, expected: &str, verdict: &str, detail: &str) -> Outcome {
        Outcome {
            id: id.into(),
            category: "A".into(),
            property: "unreach-call".into(),
            expected: expected.into(),
            verdict: verdict.into(),
            status: String::new(),
            cpu_s: 1.0,
            wall_s: 1.0,
            rss_mb: 1.0,
            native: String::new(),
            detail: detail.into(),
        }
        .judge()
    }

    #[test]
    fn scores_are_those_of_the_competition() {
        let outcomes = [
            outcome("1", "true", "true", ""),
            outcome("2", "false", "false", "(unreach-call)"),
            outcome("3", "true", "false", "(unreach-call)"),
            outcome("4", "false", "true", ""),
            outcome("5", "true", "unknown", "(timeout after 15s)"),
        ];
        assert_eq!(outcomes.iter().map(Outcome::score).collect::<Vec<_>>(), [2, 1, -16, -32, 0]);
        let all = &rows(&outcomes)["~ all"];
        assert_eq!((all.score, all.best, all.wrong, all.unknown), (-45, 8, 2, 1));
        assert!(table(&outcomes).contains("WRONG true (is false): 4"));
    }

    #[test]
    fn reasons_are_counted_without_what_differs() {
        let outcomes = [
            outcome("1", "true", "unknown", "(unsupported inline assembly at a/b_1.c:12)"),
            outcome("2", "true", "unknown", "(unsupported inline assembly at x.i:7)"),
            outcome("3", "true", "unknown", "(loop bound 128 in f2 not enough)"),
            outcome("4", "true", "error", ""),
        ];
        let expected = [("unsupported inline assembly at FILE", 2), ("error", 1), ("loop bound N in f2 not enough", 1)];
        assert_eq!(reasons(&outcomes), expected.map(|(r, n)| (r.to_string(), n)));
    }
}
