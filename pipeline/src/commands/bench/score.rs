//! SV-COMP scores, tables of them, and the reasons for `unknown`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// The result of one task. The fields are the columns of the TSV.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// The task's identifier.
    pub id: String,
    /// The task's category.
    pub category: String,
    /// The task's property.
    pub property: String,
    /// The expected verdict.
    pub expected: String,
    /// The verdict given: `true`, `false`, `unknown`, `timeout`, `error`.
    pub verdict: String,
    /// `correct`, `WRONG`, or the verdict if it is neither `true` nor `false`.
    pub status: String,
    /// CPU time of all processes, in seconds.
    pub cpu_s: f64,
    /// Wall-clock time in seconds.
    pub wall_s: f64,
    /// Maximum resident memory of a process, in MiB.
    pub rss_mb: f64,
    /// Wall-clock seconds of the techniques that searched; `None` if the run ended without a report.
    #[serde(default)]
    pub search_s: Option<f64>,
    /// Wall-clock seconds of replays and of the certificate check; `None` likewise.
    #[serde(default)]
    pub check_s: Option<f64>,
    /// Number of abstract states in the reached set, over all techniques that have one.
    #[serde(default)]
    pub states: Option<u64>,
    /// Number of successors that were computed.
    #[serde(default)]
    pub successors: Option<u64>,
    /// Number of refinements.
    #[serde(default)]
    pub refinements: Option<u64>,
    /// Number of slices made during the analysis.
    #[serde(default)]
    pub slices: Option<u64>,
    /// The last k of k-induction.
    #[serde(default)]
    pub k: Option<u64>,
    /// Nodes of the largest decision diagram.
    #[serde(default)]
    pub bdd_nodes: Option<u64>,
    /// Number of locations of the program's automaton.
    #[serde(default)]
    pub locations: Option<u64>,
    /// Number of its variables.
    #[serde(default)]
    pub variables: Option<u64>,
    /// Wall-clock seconds for the dependence graph and for slices, before and during the analysis.
    #[serde(default)]
    pub graph_s: Option<f64>,
    /// A second SMT solver's result for the queries of a proof: `confirmed`, or how many are undecided and why; empty if no
    /// solver was asked.
    #[serde(default)]
    pub second: String,
    /// The result of running the compiled program: `reproduced`, or why it does not show the violation; empty if there was no
    /// run.
    #[serde(default)]
    pub native: String,
    /// The tool's name; empty in tables of other scorers.
    #[serde(default)]
    pub tool: String,
    /// The tool's command and the limits of the run; empty likewise.
    #[serde(default)]
    pub settings: String,
    /// The rest of the `RESULT` line, or the last line of a run without one.
    pub detail: String,
}

/// [`Outcome::second`] of a proof whose queries are all unsatisfiable for the second solver too.
pub(super) const CONFIRMED: &str = "confirmed";

/// [`Outcome::native`] of a run that shows the violation.
pub(super) const REPRODUCED: &str = "reproduced";

/// Prefix of [`Outcome::native`] for a run with a different, unexplained end, which is a defect.
pub(super) const UNEXPLAINED: &str = "no known reason: ";

/// The columns of the TSV, in order.
pub(super) const COLUMNS: [&str; 25] = [
    "id",
    "category",
    "property",
    "expected",
    "verdict",
    "status",
    "cpu_s",
    "wall_s",
    "rss_mb",
    "search_s",
    "check_s",
    "states",
    "successors",
    "refinements",
    "slices",
    "k",
    "bdd_nodes",
    "locations",
    "variables",
    "graph_s",
    "second",
    "native",
    "tool",
    "settings",
    "detail",
];

impl Outcome {
    /// Sets `status` according to the verdict and the expected verdict.
    pub(super) fn judge(mut self) -> Outcome {
        self.status = match self.verdict.as_str() {
            "true" | "false" if self.verdict == self.expected => "correct".into(),
            "true" | "false" => "WRONG".into(),
            other => other.into(),
        };
        self
    }

    /// The score: correct true +2, correct false +1, wrong false -16, wrong true -32, otherwise 0.
    pub(super) fn score(&self) -> i64 {
        match (self.status.as_str(), self.verdict.as_str()) {
            ("correct", "true") => 2,
            ("correct", _) => 1,
            ("WRONG", "true") => -32,
            ("WRONG", _) => -16,
            _ => 0,
        }
    }

    /// What tells tasks apart: category, identifier, property.
    pub(super) fn task(&self) -> (&str, &str, &str) {
        (&self.category, &self.id, &self.property)
    }

    /// One line of the TSV.
    pub(super) fn to_line(&self) -> String {
        // Checks take tenths of a millisecond, so more digits are needed.
        let fine = |seconds: Option<f64>| seconds.map(|s| format!("{s:.4}")).unwrap_or_default();
        let count = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
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
            fine(self.search_s),
            fine(self.check_s),
            count(self.states),
            count(self.successors),
            count(self.refinements),
            count(self.slices),
            count(self.k),
            count(self.bdd_nodes),
            count(self.locations),
            count(self.variables),
            fine(self.graph_s),
            clean(&self.second),
            clean(&self.native),
            clean(&self.tool),
            clean(&self.settings),
            clean(&self.detail),
        ];
        cells.join("\t")
    }
}

/// A text as a cell of the TSV.
pub(super) fn clean(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ").replace('"', "'")
}

/// A row of the score table: one category, or all of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Row {
    /// Number of tasks in the category.
    pub tasks: usize,
    /// Number of correct `true`.
    pub correct_true: usize,
    /// Number of correct `false`.
    pub correct_false: usize,
    /// Number of wrong answers.
    pub wrong: usize,
    /// Number of answers `unknown` other than timeouts.
    pub unknown: usize,
    /// Number of runs that had to be terminated.
    pub timeout: usize,
    /// Number of runs without an answer.
    pub error: usize,
    /// The score.
    pub score: i64,
    /// The score of a perfect verifier.
    pub best: i64,
    /// CPU time of all tasks, in seconds.
    pub cpu_s: f64,
    /// CPU time of the correct ones, in seconds.
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

/// One row per category, and one for all tasks under the name `~ all`, which sorts last.
pub(super) fn rows(outcomes: &[Outcome]) -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for outcome in outcomes {
        rows.entry(outcome.category.clone()).or_default().add(outcome);
        rows.entry("~ all".into()).or_default().add(outcome);
    }
    rows
}

/// The score table, the wrong answers, and the most frequent reasons for `unknown`.
pub(super) fn table(outcomes: &[Outcome]) -> String {
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
    for outcome in outcomes.iter().filter(|o| o.native.starts_with(UNEXPLAINED)) {
        let _ = writeln!(out, "  NOT REPRODUCED {}: {}", outcome.id, outcome.native);
    }
    let reasons = reasons(outcomes);
    if !reasons.is_empty() {
        let _ = writeln!(out, "most common reasons for no answer:");
        for (reason, count) in reasons.iter().take(10) {
            let _ = writeln!(out, "{count:>6}  {reason}");
        }
    }
    if let Some(share) = check_share(outcomes) {
        let _ = writeln!(out, "{share}");
    }
    for (heading, counts) in [
        ("queries of proofs, by a second solver:", second(outcomes)),
        ("compiled and run on the inputs of a violation:", native(outcomes)),
    ] {
        if !counts.is_empty() {
            let _ = writeln!(out, "{heading}");
        }
        for (what, count) in counts {
            let _ = writeln!(out, "{count:>6}  {what}");
        }
    }
    out
}

/// The share of time spent on checking certificates, over the proofs for which it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct CheckShare {
    /// Number of proofs.
    pub proofs: usize,
    /// Median of the check's share of the time of search and check.
    pub of_analysis_median: f64,
    /// Median of the check's share of the wall-clock time of the whole run.
    pub of_run_median: f64,
    /// Share of all checks together in the time of all searches and checks.
    pub of_analysis_sum: f64,
    /// Number of proofs that took more than a millisecond to find and check.
    pub measurable: usize,
    /// Median, over these, of the check's share of the time of search and check; `None` if there are none.
    pub of_measurable_median: Option<f64>,
}

/// Time of search and check, in seconds, above which a proof takes more than the constant start-up time.
const MEASURABLE_S: f64 = 0.001;

impl std::fmt::Display for CheckShare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        write!(
            f,
            "the check of the certificates of {} proofs takes, in the median, {} of the time for search and check and {} of the run; in \
             total, {} of search and check",
            self.proofs,
            percent(self.of_analysis_median),
            percent(self.of_run_median),
            percent(self.of_analysis_sum)
        )?;
        match self.of_measurable_median {
            Some(share) => {
                write!(
                    f,
                    "; in the median of the {} proofs that took over 1 ms, {} of search and check",
                    self.measurable,
                    percent(share)
                )
            }
            None => Ok(()),
        }
    }
}

/// The check's share of the time of proofs; `None` if there are none or their times are unknown.
pub(super) fn check_share(outcomes: &[Outcome]) -> Option<CheckShare> {
    let times = |o: &Outcome| Some((o.check_s?, o.search_s? + o.check_s?, o.wall_s));
    let proofs = outcomes.iter().filter(|o| o.verdict == "true").filter_map(times);
    let proofs: Vec<(f64, f64, f64)> = proofs.filter(|(_, analysis, run)| *analysis > 0.0 && *run > 0.0).collect();
    let (check, analysis) = proofs.iter().fold((0.0, 0.0), |(c, a), p| (c + p.0, a + p.1));
    let measurable: Vec<f64> = proofs.iter().filter(|p| p.1 > MEASURABLE_S).map(|p| p.0 / p.1).collect();
    Some(CheckShare {
        proofs: proofs.len(),
        measurable: measurable.len(),
        of_measurable_median: median(measurable),
        of_analysis_median: median(proofs.iter().map(|p| p.0 / p.1).collect())?,
        of_run_median: median(proofs.iter().map(|p| p.0 / p.2).collect())?,
        of_analysis_sum: check / analysis,
    })
}

/// The median: the mean of the two middle values if their number is even, `None` if there are no values.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    Some(if values.len().is_multiple_of(2) { (values[values.len() / 2 - 1] + upper) / 2.0 } else { upper })
}

/// The reasons for missing answers with their counts, most frequent first. Parts that differ from task to task are left out.
pub(super) fn reasons(outcomes: &[Outcome]) -> Vec<(String, usize)> {
    let open = outcomes.iter().filter(|o| !matches!(o.status.as_str(), "correct" | "WRONG"));
    counted(open.map(|outcome| {
        let detail = outcome.detail.trim();
        let detail = detail.strip_prefix('(').and_then(|d| d.strip_suffix(')')).unwrap_or(detail);
        if detail.is_empty() { outcome.verdict.clone() } else { general(detail) }
    }))
}

/// The second solver's results for proofs, with their counts, in the form of [`reasons`].
pub(super) fn second(outcomes: &[Outcome]) -> Vec<(String, usize)> {
    counted(outcomes.iter().filter(|o| !o.second.is_empty()).map(|o| general(&o.second)))
}

/// The results of the native runs, with their counts, in the form of [`reasons`].
pub(super) fn native(outcomes: &[Outcome]) -> Vec<(String, usize)> {
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

/// A reason with file names replaced by `FILE`, numbers by `N`, and without line numbers.
pub(super) fn general(reason: &str) -> String {
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

/// Replaces digits that do not belong to an identifier by `N`.
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
            cpu_s: 1.0,
            wall_s: 1.0,
            rss_mb: 1.0,
            detail: detail.into(),
            ..Outcome::default()
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
    fn native_runs_that_nothing_explains_stand_out() {
        let native = |how: &str| Outcome { native: how.into(), ..outcome("7", "false", "false", "") };
        assert!(
            table(&[native(&format!("{UNEXPLAINED}it aborts"))])
                .contains("NOT REPRODUCED 7: no known reason: it aborts")
        );
        assert!(!table(&[native(REPRODUCED), native("it aborts; uninitialised")]).contains("NOT REPRODUCED"));
    }

    #[test]
    fn the_share_of_the_check_is_a_median_over_proofs() {
        let timed = |verdict: &str, times: Option<(f64, f64)>| Outcome {
            search_s: times.map(|t| t.0),
            check_s: times.map(|t| t.1),
            ..outcome("1", "true", verdict, "")
        };
        let mut outcomes = vec![timed("true", Some((0.3, 0.1))), timed("false", Some((0.0, 1.0))), timed("true", None)];
        let share = check_share(&outcomes).expect("a proof");
        assert_eq!((share.proofs, share.of_analysis_median, share.of_run_median), (1, 0.25, 0.1));
        outcomes.extend([timed("true", Some((0.0, 0.0))), timed("true", Some((0.25, 0.25)))]);
        let share = check_share(&outcomes).expect("two proofs");
        assert_eq!((share.proofs, share.of_analysis_median), (2, 0.375));
        assert!((share.of_analysis_sum - 0.35 / 0.9).abs() < 1e-9, "{share:?}");
        assert!(table(&outcomes).contains("of 2 proofs takes, in the median, 37.5 % of the time for search and check"));
        assert_eq!(check_share(&outcomes[1..2]), None);
        outcomes.push(timed("true", Some((0.0, 0.0005))));
        let share = check_share(&outcomes).expect("three proofs");
        assert_eq!((share.proofs, share.measurable, share.of_measurable_median), (3, 2, Some(0.375)));
        assert!(table(&outcomes).contains("of the 2 proofs that took over 1 ms, 37.5 %"));
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
