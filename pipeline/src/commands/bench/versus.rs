//! Compares configurations on the same tasks, with the tables and plots of [Lemberger 2018, 4.2, Table 2, Table 3, Fig. 25 and 27].

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::ops::AddAssign;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use serde::Serialize;

use crate::commands::bench::score::Outcome;

/// The answers of one configuration.
#[derive(Debug, Clone)]
pub(super) struct Results {
    /// The configuration's name.
    pub name: String,
    /// One outcome for each task.
    pub outcomes: Vec<Outcome>,
}

/// Numbers of tasks that are safe (`t`) and unsafe (`f`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Answers {
    /// Number of tasks whose property holds.
    pub safe: usize,
    /// Number of tasks whose property is violated.
    pub r#unsafe: usize,
}

impl AddAssign<&Outcome> for Answers {
    fn add_assign(&mut self, outcome: &Outcome) {
        *(if outcome.expected == "true" { &mut self.safe } else { &mut self.r#unsafe }) += 1;
    }
}

/// How the tasks of one configuration ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Summary {
    /// The configuration's name.
    #[serde(skip)]
    pub name: String,
    /// Correct answers.
    pub correct: Answers,
    /// Wrong answers, by the expected verdict: a wrong answer for a safe task is a false alarm.
    pub wrong: Answers,
    /// Number of tasks without an answer.
    pub unknown: usize,
}

impl Results {
    /// Counts the answers.
    pub(super) fn summary(&self) -> Summary {
        let mut summary = Summary { name: self.name.clone(), ..Summary::default() };
        for outcome in &self.outcomes {
            match outcome.status.as_str() {
                "correct" => summary.correct += outcome,
                "WRONG" => summary.wrong += outcome,
                _ => summary.unknown += 1,
            }
        }
        summary
    }

    fn by_task(&self) -> HashMap<(&str, &str, &str), &Outcome> {
        self.outcomes.iter().map(|o| (o.task(), o)).collect()
    }

    /// Tasks that this configuration solves and that `other` ran on but does not solve.
    pub(super) fn solved_beyond(&self, other: &Results) -> Answers {
        let others = other.by_task();
        let mut beyond = Answers::default();
        for outcome in self.outcomes.iter().filter(|o| o.status == "correct") {
            if others.get(&outcome.task()).is_some_and(|o| o.status != "correct") {
                beyond += outcome;
            }
        }
        beyond
    }
}

/// What a configuration solves beyond each of the others, by their names.
pub(super) fn beyond<'a>(of: &Results, all: &'a [Results]) -> BTreeMap<&'a str, Answers> {
    let others = all.iter().filter(|other| other.name != of.name);
    others.map(|other| (other.name.as_str(), of.solved_beyond(other))).collect()
}

/// Correct and wrong proofs and alarms of each configuration, and for each pair of configurations what one solves beyond the
/// other.
pub(super) fn tables(all: &[Results]) -> String {
    let width = all.iter().map(|r| r.name.len()).max().unwrap_or(0).max(14) + 2;
    let mut out = String::new();
    let first = width.max(18);
    let mut line = |head: &str, cells: &mut dyn Iterator<Item = String>| {
        let _ = write!(out, "{head:<first$}");
        cells.for_each(|cell| {
            let _ = write!(out, "{cell:>width$}");
        });
        out.push('\n');
    };
    let summaries: Vec<Summary> = all.iter().map(Results::summary).collect();
    line("", &mut summaries.iter().map(|s| s.name.clone()));
    let mut row = |head, count: fn(&Summary) -> usize| line(head, &mut summaries.iter().map(|s| count(s).to_string()));
    row("correct proof", |s| s.correct.safe);
    row("correct alarm", |s| s.correct.r#unsafe);
    row("incorrect proof", |s| s.wrong.r#unsafe);
    row("incorrect alarm", |s| s.wrong.safe);
    row("unknown", |s| s.unknown);
    line("total", &mut all.iter().map(|r| r.outcomes.len().to_string()));
    line("", &mut std::iter::empty());
    line("can | cannot", &mut summaries.iter().map(|s| s.name.clone()));
    for a in all {
        line(
            &a.name,
            &mut all.iter().map(|b| {
                if std::ptr::eq(a, b) {
                    return "-".into();
                }
                let Answers { safe, r#unsafe } = a.solved_beyond(b);
                format!("{safe} t {unsafe} f")
            }),
        );
    }
    out
}

/// Width and height of a plot in pixels.
const PLOT: (u32, u32) = (900, 600);

/// Least CPU time, in seconds, that a plot distinguishes.
const LEAST_S: f64 = 0.01;

/// A line of a plot: a configuration's name, and points whose x grow.
type Line = (String, Vec<(i64, f64)>);

/// The quantile function: the CPU time in seconds of each configuration's n-th fastest solved task.
fn quantiles(results: &Results) -> Vec<(i64, f64)> {
    (1..).zip(fastest(results)).map(|(n, outcome)| (n, outcome.cpu_s)).collect()
}

/// The score-based quantile function of SV-COMP (Beyer, TACAS 2013, 3): from the sum of all negative scores on, each correct answer adds
/// its score, the fastest first. The points are the scores after each of them, with its CPU time in seconds.
fn score_quantiles(results: &Results) -> Vec<(i64, f64)> {
    let start: i64 = results.outcomes.iter().map(|o| o.score().min(0)).sum();
    let add = |score: &mut i64, outcome: &Outcome| {
        *score += outcome.score();
        Some((*score, outcome.cpu_s))
    };
    fastest(results).into_iter().scan(start, add).collect()
}

/// The solved tasks, those with the least CPU time first.
fn fastest(results: &Results) -> Vec<&Outcome> {
    let mut solved: Vec<&Outcome> = results.outcomes.iter().filter(|o| o.status == "correct").collect();
    solved.sort_by(|a, b| a.cpu_s.total_cmp(&b.cpu_s));
    solved
}

/// Draws the quantile plot: the CPU time of each configuration's n-th fastest solved task.
pub(super) fn quantile_plot(all: &[Results], path: &Path) -> Result<()> {
    let lines = all.iter().map(|results| (results.name.clone(), quantiles(results))).collect();
    draw_lines(lines, "n-th fastest solved task", path)
}

/// Draws SV-COMP's plot: the CPU time of each configuration's n-th fastest solved task by the score up to it.
pub(super) fn score_plot(all: &[Results], path: &Path) -> Result<()> {
    let lines = all.iter().map(|results| (results.name.clone(), score_quantiles(results))).collect();
    draw_lines(lines, "accumulated score", path)
}

/// Draws CPU times on a logarithmic axis.
fn draw_lines(lines: Vec<Line>, x_name: &str, path: &Path) -> Result<()> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let least = points().map(|(x, _)| *x).fold(0, i64::min);
    let most = points().map(|(x, _)| *x).fold(least + 1, i64::max);
    let longest = points().map(|(_, s)| *s).fold(1.0, f64::max);
    let draw = || -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::new(path, PLOT).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(least..most, (LEAST_S..longest * 1.2).log_scale())?;
        chart.configure_mesh().x_desc(x_name).y_desc("CPU time (s)").draw()?;
        for (i, (name, points)) in lines.iter().enumerate() {
            let style = Palette99::pick(i).stroke_width(2);
            let points = points.iter().map(|(x, s)| (*x, s.max(LEAST_S)));
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], style));
        }
        chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).border_style(BLACK).draw()?;
        Ok(area.present()?)
    };
    draw().map_err(|e| anyhow!("cannot draw {}: {e}", path.display()))
}

/// Draws the CPU times of tasks that `a` or `b` solves against each other; a task that one of them does not solve is on that
/// one's far edge.
pub(super) fn scatter_plot(a: &Results, b: &Results, path: &Path) -> Result<()> {
    let others = b.by_task();
    let time = |o: &Outcome| (o.status == "correct").then_some(o.cpu_s.max(LEAST_S));
    let mut pairs = Vec::new();
    for outcome in &a.outcomes {
        if let Some(other) = others.get(&outcome.task()) {
            pairs.push((time(outcome), time(other)));
        }
    }
    let longest = pairs.iter().flat_map(|(x, y)| [*x, *y]).flatten().fold(1.0, f64::max);
    let edge = longest * 2.0;
    let draw = || -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::new(path, (PLOT.1, PLOT.1)).into_drawing_area();
        area.fill(&WHITE)?;
        let range = LEAST_S..edge * 1.2;
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(56)
            .build_cartesian_2d(range.clone().log_scale(), range.log_scale())?;
        let axis = |r: &Results| format!("{}: CPU time (s)", r.name);
        chart.configure_mesh().x_desc(axis(a)).y_desc(axis(b)).draw()?;
        // Equal, and ten times as much.
        for (from, to) in [(1.0, 1.0), (1.0, 10.0), (10.0, 1.0)] {
            let (begin, end) = ((LEAST_S * from, LEAST_S * to), (edge / to, edge / from));
            chart.draw_series(LineSeries::new([begin, end], &BLACK.mix(if from == to { 0.4 } else { 0.2 })))?;
        }
        let points = pairs.into_iter().filter(|(x, y)| x.or(*y).is_some());
        chart.draw_series(points.map(|(x, y)| Cross::new((x.unwrap_or(edge), y.unwrap_or(edge)), 3, BLUE)))?;
        Ok(area.present()?)
    };
    draw().map_err(|e| anyhow!("cannot draw {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(rows: &[(&str, &str, f64)]) -> Results {
        let outcome = |(i, (expected, verdict, cpu_s)): (usize, &(&str, &str, f64))| {
            let (expected, verdict) = (expected.to_string(), verdict.to_string());
            Outcome { id: i.to_string(), expected, verdict, cpu_s: *cpu_s, ..Outcome::default() }.judge()
        };
        Results { name: "a".into(), outcomes: rows.iter().enumerate().map(outcome).collect() }
    }

    /// By hand: a wrong proof and a wrong alarm are -48; then +1 after 0.5 s, +2 after 1 s, +2 after 3 s.
    #[test]
    fn score_quantiles_begin_at_the_negative_scores() {
        let all = results(&[
            ("true", "true", 3.0),
            ("false", "true", 9.0),
            ("true", "unknown", 0.1),
            ("false", "false", 0.5),
            ("true", "false", 0.2),
            ("true", "true", 1.0),
            ("true", "timeout", 15.0),
        ]);
        assert_eq!(score_quantiles(&all), [(-47, 0.5), (-45, 1.0), (-43, 3.0)]);
        assert_eq!(quantiles(&all), [(1, 0.5), (2, 1.0), (3, 3.0)]);
        assert_eq!(score_quantiles(&results(&[("true", "false", 1.0)])), []);
        // The last point is the score.
        assert_eq!(all.outcomes.iter().map(Outcome::score).sum::<i64>(), -43);
    }

    #[test]
    fn plots_are_drawn_whatever_is_solved() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.svg");
        for rows in [&[][..], &[("true", "false", 1.0)], &[("true", "true", 0.0)]] {
            for draw in [quantile_plot, score_plot] {
                draw(&[results(rows)], &path).expect("a plot");
                assert!(std::fs::read_to_string(&path).expect("a file").contains("CPU time (s)"));
            }
        }
    }
}
