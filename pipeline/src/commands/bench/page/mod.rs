//! Results as one HTML page: scores, plots, and a table of all tasks, for the tasks that filters leave.
//!
//! The data has each task once, and for each set of results a list with the task's run, or nothing, at the task's place. The page's
//! script computes scores and plots from it, since they are about the tasks that are shown. What a run is worth is decided here
//! ([`Outcome::score`]).

use std::collections::HashMap;

use anyhow::Result;
use serde::Serialize;

use crate::commands::bench::measures::{COMMON, Measure, OWN, RATE, Unit};
use crate::commands::bench::score::Outcome;
use crate::commands::bench::versus::Results;
use crate::report::html::page::Page;

const STYLE: &str = include_str!("bench.css");
const SCRIPTS: [&str; 5] = [
    include_str!("model.js"),
    include_str!("filter.js"),
    include_str!("plots.js"),
    include_str!("tables.js"),
    include_str!("start.js"),
];

/// Everything that the page shows.
#[derive(Debug, Serialize)]
struct Data<'a> {
    versions: String,
    measures: Vec<Column>,
    tasks: Vec<Task<'a>>,
    tools: Vec<Tool<'a>>,
    /// The different reasons and other texts of runs, to which [`Run`] refers.
    texts: Vec<&'a str>,
}

/// A measure that at least one run has.
#[derive(Debug, Serialize)]
struct Column {
    title: &'static str,
    /// `s`, `MiB`, or nothing.
    unit: &'static str,
}

#[derive(Debug, PartialEq, Serialize)]
struct Task<'a> {
    category: &'a str,
    id: &'a str,
    property: &'a str,
    expected: &'a str,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    name: &'a str,
    settings: &'a str,
    /// One entry for each task; `None` if it was not run.
    runs: Vec<Option<Run<'a>>>,
}

/// Status, verdict, score, the places of details, native run and second solver in [`Data::texts`], and the measures' values.
#[derive(Debug, Clone, Serialize)]
struct Run<'a>(&'a str, &'a str, i64, [usize; 3], Vec<Option<f64>>);

/// The page about these results.
///
/// # Errors
/// See [`Page::with`].
pub(super) fn page(all: &[Results]) -> Result<String> {
    let data = data(all);
    let names: Vec<&str> = all.iter().map(|results| results.name.as_str()).collect();
    let plural = |n: usize, what: &str| if n == 1 { format!("{n} {what}") } else { format!("{n} {what}s") };
    let result = format!("{}, {}", plural(data.tasks.len(), "task"), plural(names.len(), "configuration"));
    Page { title: &names.join(", "), kind: "Bench", result: &result, style: STYLE, scripts: &SCRIPTS }.with(&data)
}

fn data(all: &[Results]) -> Data<'_> {
    let known = |m: &Measure| all.iter().flat_map(|results| &results.outcomes).any(|o| (m.of)(o).is_some());
    let measures: Vec<Measure> = COMMON.into_iter().chain(OWN).chain([RATE]).filter(known).collect();
    let mut places: HashMap<(&str, &str, &str, usize), usize> = HashMap::new();
    let mut texts = Texts::default();
    let mut tasks = Vec::new();
    let mut tools = Vec::new();
    for Results { name, outcomes } in all {
        let mut seen: HashMap<(&str, &str, &str), usize> = HashMap::new();
        let mut runs = vec![None; tasks.len()];
        for o in outcomes {
            let (category, id, property) = (o.category.as_str(), o.id.as_str(), o.property.as_str());
            // A set may have a task several times.
            let count = seen.entry((category, id, property)).or_default();
            *count += 1;
            let place = *places.entry((category, id, property, *count)).or_insert_with(|| {
                tasks.push(Task { category, id, property, expected: &o.expected });
                tasks.len() - 1
            });
            runs.resize(tasks.len(), None);
            runs[place] = Some(run(o, &measures, &mut texts));
        }
        tools.push(Tool { name, settings: outcomes.first().map_or("", |o| &o.settings), runs });
    }
    tools.iter_mut().for_each(|tool| tool.runs.resize(tasks.len(), None));
    let unit = |m: Measure| match m.unit {
        Unit::Seconds => "s",
        Unit::Mebibytes => "MiB",
        Unit::Count => "",
    };
    Data {
        versions: format!("kerf {}, {}", env!("CARGO_PKG_VERSION"), crate::driver::versions()),
        measures: measures.iter().map(|m| Column { title: m.title, unit: unit(*m) }).collect(),
        tasks,
        tools,
        texts: texts.all,
    }
}

fn run<'a>(o: &'a Outcome, measures: &[Measure], texts: &mut Texts<'a>) -> Run<'a> {
    // Digits beyond a tenth of a millisecond are noise.
    let values = measures.iter().map(|m| (m.of)(o).map(|value| (value * 1e4).round() / 1e4)).collect();
    let places = [&o.detail, &o.native, &o.second].map(|text| texts.place(text));
    Run(&o.status, &o.verdict, o.score(), places, values)
}

/// Texts, each once: most runs have one of few reasons.
#[derive(Default)]
struct Texts<'a> {
    all: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Texts<'a> {
    fn place(&mut self, text: &'a str) -> usize {
        *self.places.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(id: &str, verdict: &str, states: Option<u64>) -> Outcome {
        Outcome {
            id: id.into(),
            category: "A".into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: verdict.into(),
            cpu_s: 1.25,
            states,
            detail: "(why)".into(),
            ..Outcome::default()
        }
        .judge()
    }

    fn results(name: &str, outcomes: Vec<Outcome>) -> Results {
        Results { name: name.into(), outcomes }
    }

    #[test]
    fn each_run_is_at_its_tasks_place() {
        let all = [
            results("a", vec![outcome("1", "true", Some(7)), outcome("2", "unknown", None)]),
            results("b", vec![outcome("3", "false", None), outcome("2", "true", None), outcome("2", "true", None)]),
        ];
        let data = data(&all);
        let ids: Vec<&str> = data.tasks.iter().map(|task| task.id).collect();
        assert_eq!(ids, ["1", "2", "3", "2"]);
        let statuses = |tool: usize| -> Vec<&str> {
            data.tools[tool].runs.iter().map(|run| run.as_ref().map_or("-", |run| run.0)).collect()
        };
        assert_eq!(statuses(0), ["correct", "unknown", "-", "-"]);
        assert_eq!(statuses(1), ["-", "correct", "WRONG", "correct"]);
        let titles: Vec<&str> = data.measures.iter().map(|m| m.title).collect();
        assert_eq!(titles, ["CPU time", "wall-clock time", "memory", "reached states"]);
        let first = data.tools[0].runs[0].as_ref().expect("a run");
        assert_eq!(
            (first.2, data.texts[first.3[0]], &first.4[..]),
            (2, "(why)", &[Some(1.25), Some(0.0), Some(0.0), Some(7.0)][..])
        );
        assert_eq!(data.texts, ["(why)", ""]);
    }

    /// Names, categories, settings and reasons that try to become markup.
    #[test]
    fn nothing_becomes_markup() {
        let bad = "<script>alert(1)</script><!-- \" ' &lt;";
        let outcome =
            Outcome { category: bad.into(), settings: bad.into(), detail: bad.into(), ..outcome(bad, bad, None) };
        let page = page(&[results(bad, vec![outcome])]).expect("a page");
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        assert!(!page.contains("<!-- "), "{page}");
        for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
