//! The tables of the documents that kerf's analyses come from, for kerf's configurations: what runs for each document, and how its
//! tables and figures are printed from the results.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use serde::Deserialize;

use crate::commands::bench::measures::RATE;
use crate::commands::bench::score::{Outcome, median};
use crate::commands::bench::tool::{Program, Tool};
use crate::commands::bench::versus::{self, Results};

/// A document with an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
pub(crate) enum Document {
    /// Slicing and CEGAR for symbolic execution: Tables 2 and 3, Fig. 29 and 30.
    #[value(name = "lemberger-2018")]
    #[serde(rename = "lemberger-2018")]
    Lemberger2018,
    /// Symbolic execution beside value analysis: Fig. 4 and 5.
    #[value(name = "lemberger-2015")]
    #[serde(rename = "lemberger-2015")]
    Lemberger2015,
    /// BDDs on event-condition-action systems: Tables 2 to 4.
    #[value(name = "beyer-stahlbauer-2014")]
    #[serde(rename = "beyer-stahlbauer-2014")]
    BeyerStahlbauer2014,
    /// Backward analyses: Tables 1 to 4, Fig. 7 and 8.
    #[value(name = "kreppel-2019")]
    #[serde(rename = "kreppel-2019")]
    Kreppel2019,
    /// k-induction by k, without invariants and with invariants for which 0, 1 or 2 variables are interesting: Tables 5.2 to 5.5.
    #[value(name = "dangl-2013")]
    #[serde(rename = "dangl-2013")]
    Dangl2013,
}

/// Megabytes in a mebibyte.
const MB_PER_MIB: f64 = 1.048576;

/// The largest k of [Dangl 2013, 5.2].
const LAST_K: u32 = 10;

/// A table of [Dangl 2013, 5.5] with a column for each k.
struct ByK {
    title: &'static str,
    /// kerf's strategy.
    base: &'static str,
    /// Its setting that the table is about.
    setting: &'static str,
    /// Whether the document shows the answer for each task, not only sums.
    each_task: bool,
}

const TABLES_BY_K: [ByK; 4] = [
    ByK { title: "Table 5.2: k-induction with invariants", base: "k-induction", setting: "", each_task: true },
    ByK { title: "Table 5.3: without invariants", base: "k-induction-plain", setting: "", each_task: true },
    ByK {
        title: "Table 5.4: with invariants, no variable is interesting",
        base: "k-induction",
        setting: ",interesting-variables=0",
        each_task: false,
    },
    ByK {
        title: "Table 5.5: with invariants, one variable is interesting",
        base: "k-induction",
        setting: ",interesting-variables=1",
        each_task: true,
    },
];

impl ByK {
    /// The strategy for one k. Violations count only if they need no more iterations than k, as in the document.
    fn strategy(&self, k: u32) -> String {
        format!("{},first-k={k},last-k={k},parallel-base=false{}", self.base, self.setting)
    }
}

impl Document {
    /// The configurations that the document compares, by the names of kerf's strategies.
    fn strategies(self) -> Vec<String> {
        let names: &[&str] = match self {
            Document::Lemberger2018 => &["symex", "symex-slicing", "symex-cegar", "symex-cegar-slicing"],
            Document::Lemberger2015 => &["value", "symex"],
            Document::BeyerStahlbauer2014 => &["value-cegar", "bmc", "predicate", "impact", "bdd", "bdd+impact"],
            Document::Kreppel2019 => &[
                "bdd",
                "bdd-backward",
                "bdd,order=dfs",
                "bdd-backward-dfs",
                "predicate",
                "predicate-backward",
                "predicate,order=dfs",
                "predicate-backward-dfs",
            ],
            Document::Dangl2013 => {
                return TABLES_BY_K.iter().flat_map(|table| (1..=LAST_K).map(|k| table.strategy(k))).collect();
            }
        };
        names.iter().map(|name| name.to_string()).collect()
    }

    /// What runs for the document: its configurations under the names of their strategies.
    fn tools(self) -> Vec<Tool> {
        let tool = |name: String| Tool { program: Program::Kerf(vec!["--strategy".into(), name.clone()]), name };
        self.strategies().into_iter().map(tool).collect()
    }

    /// The document's tables for these results: those of its configurations, or all if none is among them.
    pub(super) fn tables(self, all: &[Results]) -> String {
        let named = |name: String| all.iter().find(|results| results.name == name).cloned();
        let mut own: Vec<Results> = self.strategies().into_iter().filter_map(named).collect();
        if own.is_empty() {
            own = all.to_vec();
        }
        match self {
            Document::Lemberger2018 => slicing(&own),
            Document::Lemberger2015 => successors(&own),
            Document::BeyerStahlbauer2014 => by_category(&own),
            Document::Kreppel2019 => directions(&own),
            Document::Dangl2013 => by_k(&own),
        }
    }
}

/// What runs for several documents: each configuration once.
pub(super) fn tools(documents: &[Document]) -> Vec<Tool> {
    let mut all: Vec<Tool> = Vec::new();
    for tool in documents.iter().flat_map(|document| document.tools()) {
        if !all.contains(&tool) {
            all.push(tool);
        }
    }
    all
}

/// Lines of cells: the first column is flush left, the others flush right.
fn grid(title: &str, rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = format!("{title}\n");
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(i, cell)| if i == 0 { format!("{cell:<0$}", widths[0]) } else { format!("{cell:>0$}", widths[i]) })
            .collect();
        out += &format!("  {}\n", cells.join("  ").trim_end());
    }
    out.push('\n');
    out
}

fn heads(first: &str, rest: impl IntoIterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_string()).chain(rest).collect()
}

fn correct(results: &Results) -> impl Iterator<Item = &Outcome> {
    results.outcomes.iter().filter(|o| o.status == "correct")
}

/// The mean of what is known, with one digit; `-` if nothing is.
fn mean(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<f64> = values.collect();
    if values.is_empty() { "-".into() } else { format!("{:.1}", values.iter().sum::<f64>() / values.len() as f64) }
}

/// Thousands of a count.
fn thousands(count: u64) -> f64 {
    count as f64 / 1e3
}

/// A count of a run, if its report has it.
type Count = fn(&Outcome) -> Option<u64>;

/// [Lemberger 2018, Tables 2 and 3, Fig. 29 and 30].
fn slicing(all: &[Results]) -> String {
    let mut out =
        format!("Tables 2 and 3: answers, and what each can solve and the others cannot\n{}\n", versus::tables(all));
    let runs: Vec<&Outcome> = all.iter().flat_map(|results| &results.outcomes).collect();
    let sizes = [("locations", (|o| o.locations) as Count), ("variables", |o| o.variables)];
    for (what, size) in sizes {
        // Sizes by the number of their digits, as on a logarithmic axis.
        let mut by_size: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (size, time) in runs.iter().filter_map(|o| Some((size(o)?, o.graph_s?))) {
            by_size.entry(size.max(1).ilog10()).or_default().push(time);
        }
        let mut rows = vec![heads(what, ["runs", "median s", "max s"].map(String::from))];
        for (digits, times) in by_size {
            let longest = times.iter().copied().fold(0.0, f64::max);
            let (from, runs) = (10u64.pow(digits), times.len());
            let middle = median(times).unwrap_or_default();
            rows.push(vec![format!("from {from}"), runs.to_string(), format!("{middle:.4}"), format!("{longest:.4}")]);
        }
        out += &grid(&format!("Fig. 29: time for the dependence graph and slices by the number of {what}"), &rows);
    }
    let counts: BTreeSet<u64> = runs.iter().filter_map(|o| o.refinements).collect();
    let mut rows = vec![heads("refinements", all.iter().map(|results| results.name.clone()))];
    for count in counts {
        let tasks = |r: &Results| r.outcomes.iter().filter(|o| o.refinements == Some(count)).count().to_string();
        rows.push(heads(&count.to_string(), all.iter().map(tasks)));
    }
    out + &grid("Fig. 30: number of tasks by the number of refinements", &rows)
}

/// [Lemberger 2015, Fig. 4 and 5]: successors, and successors per second, of tasks for which two analyses have the same answer.
fn successors(all: &[Results]) -> String {
    let [first, second, ..] = all else {
        return "Fig. 4 and 5 compare two configurations, but there is one\n\n".into();
    };
    let mut rows = vec![heads(
        "task",
        [first, second].iter().flat_map(|r| [format!("{}: successors", r.name), format!("{}: per s", r.name)]),
    )];
    for a in correct(first) {
        let same = |b: &&Outcome| b.id == a.id && b.category == a.category && b.verdict == a.verdict;
        let Some(b) = correct(second).find(same) else { continue };
        let cells = [a, b].map(|o| {
            let known = |value: Option<f64>| value.map_or("-".to_string(), |v| format!("{v:.0}"));
            [known(o.successors.map(|n| n as f64)), known((RATE.of)(o))]
        });
        rows.push(heads(&format!("{}/{}", a.category, a.id), cells.concat()));
    }
    grid("Fig. 4 and 5: computed successors, and successors per second of search", &rows)
}

/// [Beyer, Stahlbauer 2014, Tables 2 to 4]: solved tasks, CPU time and reached set by category.
fn by_category(all: &[Results]) -> String {
    let categories: BTreeSet<&str> = all.iter().flat_map(|r| &r.outcomes).map(|o| o.category.as_str()).collect();
    let within = |o: &Outcome, category: Option<&str>| category.is_none_or(|c| o.category == c);
    let all_categories = || categories.iter().map(|c| Some(*c)).chain([None]);
    let mut rows = vec![
        heads("", all.iter().flat_map(|r| [r.name.clone(), String::new(), String::new(), String::new()])),
        heads("category", all.iter().flat_map(|_| ["solved", "sum s", "mean s", "states/1000"].map(String::from))),
    ];
    for category in all_categories() {
        let cells = all.iter().flat_map(|results| {
            let solved: Vec<&Outcome> = correct(results).filter(|o| within(o, category)).collect();
            let sum: f64 = solved.iter().map(|o| o.cpu_s).sum();
            [
                solved.len().to_string(),
                format!("{sum:.1}"),
                mean(solved.iter().map(|o| o.cpu_s)),
                mean(solved.iter().filter_map(|o| o.states.map(thousands))),
            ]
        });
        rows.push(heads(category.unwrap_or("total solved"), cells));
    }
    let mut out = grid("Tables 2 and 4: solved tasks, CPU time, mean size of the reached set", &rows);
    for results in all.iter().filter(|r| r.outcomes.iter().any(|o| o.bdd_nodes.is_some())) {
        let titles = ["true", "false", "sum s", "mean s", "states/1000", "BDD nodes/1000"];
        let mut rows = vec![heads("category", titles.map(String::from))];
        for category in all_categories() {
            let solved: Vec<&Outcome> = correct(results).filter(|o| within(o, category)).collect();
            let of = |verdict: &str| solved.iter().filter(|o| o.verdict == verdict).count().to_string();
            rows.push(heads(
                category.unwrap_or("total solved"),
                [
                    of("true"),
                    of("false"),
                    format!("{:.1}", solved.iter().map(|o| o.cpu_s).sum::<f64>()),
                    mean(solved.iter().map(|o| o.cpu_s)),
                    mean(solved.iter().filter_map(|o| o.states.map(thousands))),
                    mean(solved.iter().filter_map(|o| o.bdd_nodes.map(thousands))),
                ],
            ));
        }
        out += &grid(&format!("Table 3: {} in detail", results.name), &rows);
    }
    out
}

/// [Kreppel 2019, Tables 1 to 4, Fig. 7 and 8]: correct and incorrect results by category, and quantiles of time and reached states, those of two
/// directions beside each other.
fn directions(all: &[Results]) -> String {
    let categories: BTreeSet<&str> = all.iter().flat_map(|r| &r.outcomes).map(|o| o.category.as_str()).collect();
    let strategies = Document::Kreppel2019.strategies();
    // The pairs of the document, or, of other results, any two.
    let mut pairs: BTreeMap<usize, Vec<&Results>> = BTreeMap::new();
    for (i, results) in all.iter().enumerate() {
        let place = strategies.iter().position(|name| *name == results.name).unwrap_or(i);
        pairs.entry(place / 2).or_default().push(results);
    }
    let mut out = String::new();
    for (i, pair) in pairs {
        let names = || pair.iter().map(|r| r.name.clone());
        let mut groups = vec![String::new(); 2 + 2 * pair.len()];
        groups[2] = "correct".into();
        groups[2 + pair.len()] = "incorrect".into();
        let mut rows = vec![groups, heads("category", std::iter::once(String::new()).chain(names()).chain(names()))];
        for category in std::iter::once(None).chain(categories.iter().map(|c| Some(*c))) {
            for verdict in ["total", "true", "false"] {
                let count = |results: &Results, status: &str| {
                    let fits = |o: &&Outcome| {
                        o.status == status
                            && category.is_none_or(|c| o.category == c)
                            && (verdict == "total" || o.verdict == verdict)
                    };
                    results.outcomes.iter().filter(fits).count().to_string()
                };
                let head = if verdict == "total" { category.unwrap_or("all tasks") } else { "" };
                let mut row = vec![head.to_string(), verdict.to_string()];
                for status in ["correct", "WRONG"] {
                    row.extend(pair.iter().map(|results| count(results, status)));
                }
                rows.push(row);
            }
        }
        out += &grid(&format!("Table {}: results of each direction", i + 1), &rows);
        // The document shows no figure for depth-first search.
        if let Some(figure) = [7, 0, 8].get(i).filter(|figure| **figure > 0) {
            out += &quantiles(*figure, &pair, &categories);
        }
    }
    out
}

/// Number of steps in which quantile functions are printed.
const STEPS: usize = 10;

/// [Kreppel 2019, Fig. 7 and 8]: quantile functions of CPU time and of the number of reached states, over the correct results of each set of
/// tasks. A row has the n-th smallest values.
fn quantiles(figure: u32, pair: &[&Results], categories: &BTreeSet<&str>) -> String {
    let measures =
        [("CPU s", (|o| Some(o.cpu_s)) as fn(&Outcome) -> Option<f64>), ("states", |o| Some(o.states? as f64))];
    let titles = measures.iter().flat_map(|(what, _)| pair.iter().map(move |r| format!("{}: {what}", r.name)));
    let mut rows = vec![heads("category", std::iter::once("n".to_string()).chain(titles))];
    for category in std::iter::once(None).chain(categories.iter().map(|c| Some(*c))) {
        let sorted = |results: &Results, value: fn(&Outcome) -> Option<f64>| {
            let within = |o: &&Outcome| category.is_none_or(|c| o.category == c);
            let mut values: Vec<f64> = correct(results).filter(within).filter_map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let lists: Vec<Vec<f64>> =
            measures.iter().flat_map(|(_, value)| pair.iter().map(|r| sorted(r, *value))).collect();
        let most = lists.iter().map(Vec::len).max().unwrap_or(0);
        // The first and the last n, and steps between them.
        let numbers: BTreeSet<usize> = (0..=STEPS).map(|step| (most * step).div_ceil(STEPS).max(1)).collect();
        for n in numbers.into_iter().filter(|n| *n <= most) {
            let cells = lists.iter().enumerate().map(|(i, values)| {
                let digits = if i < pair.len() { 2 } else { 0 };
                values.get(n - 1).map_or("-".to_string(), |value| format!("{value:.digits$}"))
            });
            rows.push(heads(category.unwrap_or("all tasks"), std::iter::once(n.to_string()).chain(cells)));
        }
    }
    grid(&format!("Fig. {figure}: quantile functions, the n-th smallest value of the correct results"), &rows)
}

/// [Dangl 2013, Tables 5.2 to 5.5]: the answer for each task by k (S safe, U unsafe, ? none, ! wrong), and sums. Results that belong to
/// none of these tables are one table together.
fn by_k(all: &[Results]) -> String {
    let mut out = String::new();
    for table in &TABLES_BY_K {
        let sets = (1..=LAST_K).filter_map(|k| Some((k, all.iter().find(|r| r.name == table.strategy(k))?)));
        let columns: Vec<(String, &Results)> = sets.map(|(k, results)| (format!("k={k}"), results)).collect();
        if !columns.is_empty() {
            out += &by_task(table.title, &columns, table.each_task);
        }
    }
    if out.is_empty() {
        let columns: Vec<(String, &Results)> = all.iter().map(|results| (results.name.clone(), results)).collect();
        out = by_task("Answers, as in Tables 5.2 to 5.5", &columns, true);
    }
    out
}

/// One table of [`by_k`], for these columns.
fn by_task(title: &str, columns: &[(String, &Results)], each_task: bool) -> String {
    let mut rows = vec![heads("task", columns.iter().map(|(name, _)| name.clone()))];
    let mut answers: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for (i, (_, results)) in columns.iter().enumerate().filter(|_| each_task) {
        for o in &results.outcomes {
            let task = (o.category.as_str(), o.id.as_str());
            answers.entry(task).or_insert_with(|| vec![String::new(); columns.len()])[i] =
                match (o.status.as_str(), o.verdict.as_str()) {
                    ("correct", "true") => "S",
                    ("correct", _) => "U",
                    ("WRONG", _) => "!",
                    _ => "?",
                }
                .into();
        }
    }
    rows.extend(answers.into_iter().map(|((category, id), cells)| heads(&format!("{category}/{id}"), cells)));
    let mut row = |head: &str, cell: &dyn Fn(&Results) -> String| {
        rows.push(heads(head, columns.iter().map(|(_, results)| cell(results))));
    };
    row("CPU time in s", &|r| format!("{:.0}", r.outcomes.iter().map(|o| o.cpu_s).sum::<f64>()));
    row("total memory in MB", &|r| format!("{:.0}", r.outcomes.iter().map(|o| o.rss_mb).sum::<f64>() * MB_PER_MIB));
    let safe =
        |verdict: &'static str| move |r: &Results| correct(r).filter(|o| o.verdict == verdict).count().to_string();
    row("safe results", &safe("true"));
    row("unsafe results", &safe("false"));
    grid(title, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(name: &str, rows: &[(&str, &str, &str)]) -> Results {
        let outcome = |(id, expected, verdict): &(&str, &str, &str)| {
            Outcome {
                id: (*id).into(),
                category: "A".into(),
                expected: (*expected).into(),
                verdict: (*verdict).into(),
                cpu_s: 2.0,
                rss_mb: 10.0,
                search_s: Some(0.5),
                states: Some(3000),
                successors: Some(40),
                refinements: Some(2),
                locations: Some(120),
                variables: Some(7),
                graph_s: Some(0.25),
                ..Outcome::default()
            }
            .judge()
        };
        Results { name: name.into(), outcomes: rows.iter().map(outcome).collect() }
    }

    /// The cells of each line of a document's tables.
    fn lines(document: Document, all: &[Results]) -> Vec<String> {
        let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        document.tables(all).lines().map(squeeze).collect()
    }

    #[test]
    fn each_document_has_its_tables() {
        let first = [("1", "true", "true"), ("2", "false", "false"), ("3", "true", "false")];
        let second = [("1", "true", "true"), ("2", "false", "unknown"), ("3", "true", "unknown")];
        let expect = |document, names: [&str; 2], expected: &[&str]| {
            let found = lines(document, &[results(names[0], &first), results(names[1], &second)]);
            for line in expected {
                assert!(found.iter().any(|l| l == line), "{line} in {found:#?}");
            }
        };
        let fig = ["from 100 6 0.2500 0.2500", "from 1 6 0.2500 0.2500", "refinements symex symex-cegar", "2 3 3"];
        expect(Document::Lemberger2018, ["symex", "symex-cegar"], &[&["correct alarm 1 0"][..], &fig].concat());
        expect(Document::Lemberger2015, ["symex", "value"], &["A/1 40 80 40 80"]);
        expect(Document::BeyerStahlbauer2014, ["predicate", "bdd"], &["total solved 2 4.0 2.0 3.0 1 2.0 2.0 3.0"]);
        let kreppel = ["category bdd bdd-backward bdd bdd-backward", "all tasks total 2 1 1 0", "false 1 0 1 0"];
        expect(Document::Kreppel2019, ["bdd-backward", "bdd"], &["all tasks total 1 2 0 1"]);
        expect(Document::Kreppel2019, ["bdd", "bdd-backward"], &kreppel);
        let fig_7 = ["category n bdd: CPU s bdd-backward: CPU s bdd: states bdd-backward: states"];
        expect(Document::Kreppel2019, ["bdd", "bdd-backward"], &fig_7);
        expect(
            Document::Kreppel2019,
            ["bdd", "bdd-backward"],
            &["all tasks 1 2.00 2.00 3000 3000", "A 2 2.00 - 3000 -"],
        );
        let sums = ["CPU time in s 6 6", "total memory in MB 31 31", "safe results 1 1", "unsafe results 1 0"];
        let answers = [&["task k=1 k=2", "A/2 U ?", "A/3 ! ?"][..], &sums].concat();
        for (i, table) in TABLES_BY_K.iter().enumerate() {
            let names = [table.strategy(1), table.strategy(2)];
            expect(Document::Dangl2013, [&names[0], &names[1]], if table.each_task { &answers } else { &sums });
            let found = lines(Document::Dangl2013, &[results(&names[0], &first)]);
            assert!(found[0].starts_with(&format!("Table 5.{}: ", i + 2)), "{found:#?}");
            assert_eq!(found.iter().any(|line| line.starts_with("A/")), table.each_task);
        }
        expect(Document::Dangl2013, ["a", "b"], &["task a b", "A/2 U ?"]);
    }

    #[test]
    fn each_configuration_runs_once() {
        let names = |documents: &[Document]| tools(documents).into_iter().map(|t| t.name).collect::<Vec<_>>();
        assert_eq!(
            names(&[Document::Lemberger2018, Document::Lemberger2015]),
            ["symex", "symex-slicing", "symex-cegar", "symex-cegar-slicing", "value"]
        );
        assert_eq!(names(Document::value_variants()).len(), 5 + 6 + 6 + 40);
        for tool in tools(Document::value_variants()) {
            crate::strategy::read(&tool.name).expect("a strategy of kerf");
        }
    }
}
