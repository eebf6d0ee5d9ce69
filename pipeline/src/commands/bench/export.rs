//! Results for BenchExec's table-generator: a result XML file per tool, and its CSV with all tools beside each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use askama::Template;

use crate::commands::bench::measures::{OWN, Unit};
use crate::commands::bench::score::Outcome;
use crate::commands::bench::versus::Results;
use crate::worker::UserError;

/// A run as BenchExec's results state it.
struct Run {
    /// Category and identifier of the task.
    name: String,
    property: String,
    expected: String,
    /// Titles and values.
    columns: Vec<(&'static str, String)>,
}

#[derive(Template)]
#[template(path = "results.xml")]
struct Page<'a> {
    name: &'a str,
    tool: &'a str,
    settings: &'a str,
    version: &'static str,
    runs: &'a [Run],
}

/// Writes `NAME.results.xml` for each set of results into a folder, which is made if there is none, and the `.prp` files of their
/// properties beside them.
///
/// # Errors
/// A file cannot be written; user errors: two sets have the same name.
pub(super) fn write_xml(all: &[Results], folder: &Path) -> Result<()> {
    distinct(all)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for results in all {
        let path = folder.join(format!("{}.results.xml", results.name.replace('/', "_")));
        std::fs::write(&path, xml(results)?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let properties: BTreeSet<&str> = all.iter().flat_map(|r| &r.outcomes).map(|o| o.property.as_str()).collect();
    for (property, text) in properties.into_iter().filter_map(|p| Some((p, specification(p)?))) {
        let path = folder.join(format!("{property}.prp"));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// SV-COMP's text of a property. BenchExec computes scores only where it can read it.
fn specification(property: &str) -> Option<&'static str> {
    Some(match property {
        "unreach-call" => "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "no-overflow" => "CHECK( init(main()), LTL(G ! overflow) )\n",
        "valid-memsafety" => {
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G \
             valid-memtrack) )\n"
        }
        "valid-memcleanup" => "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
        _ => return None,
    })
}

/// Names stand for sets of results in files and in tables.
fn distinct(all: &[Results]) -> Result<(), UserError> {
    let twice = all.iter().enumerate().find(|(i, results)| all[..*i].iter().any(|other| other.name == results.name));
    twice.map_or(Ok(()), |(_, results)| Err(UserError(format!("two sets of results are called {}", results.name))))
}

fn xml(results: &Results) -> Result<String> {
    let runs: Vec<Run> = results.outcomes.iter().map(run).collect();
    let settings = results.outcomes.first().map_or("", |o| o.settings.as_str());
    let tool = settings.split(' ').next().filter(|word| !word.is_empty()).unwrap_or(&results.name);
    let page = Page { name: &results.name, tool, settings, version: env!("CARGO_PKG_VERSION"), runs: &runs };
    Ok(page.render()?)
}

fn run(outcome: &Outcome) -> Run {
    let (status, category) = status(outcome);
    let mut columns = vec![
        ("status", status),
        ("category", category.to_string()),
        ("cputime", format!("{:.2}s", outcome.cpu_s)),
        ("walltime", format!("{:.2}s", outcome.wall_s)),
        ("memory", format!("{:.0}B", outcome.rss_mb * 1024.0 * 1024.0)),
    ];
    let own = OWN.iter().map(|m| (m.name, m.digits(outcome), if m.unit == Unit::Seconds { "s" } else { "" }));
    columns.extend(own.filter(|(_, digits, _)| !digits.is_empty()).map(|(name, digits, unit)| (name, digits + unit)));
    // XML has no control characters.
    columns.push(("reason", outcome.detail.replace(char::is_control, " ")));
    Run { name: name(outcome), property: outcome.property.clone(), expected: outcome.expected.clone(), columns }
}

/// What tells a task apart: an identifier is unique in its category.
fn name(outcome: &Outcome) -> String {
    format!("{}/{}", outcome.category, outcome.id)
}

/// BenchExec's status and category of a run.
fn status(outcome: &Outcome) -> (String, &'static str) {
    let category = match outcome.status.as_str() {
        "correct" => "correct",
        "WRONG" => "wrong",
        "unknown" => "unknown",
        _ => "error",
    };
    let status = match outcome.verdict.as_str() {
        // Other verifiers need not say which property is violated.
        "false" if outcome.detail.starts_with('(') => format!("false{}", outcome.detail),
        "false" => format!("false({})", outcome.property),
        "true" | "unknown" => outcome.verdict.clone(),
        "timeout" => "TIMEOUT".into(),
        _ => "ERROR".into(),
    };
    (status, category)
}

/// The table that table-generator writes as CSV: separated by tabs, with three header lines.
pub(super) fn csv(all: &[Results]) -> Result<String, UserError> {
    distinct(all)?;
    const TITLES: [&str; 5] = ["status", "category", "cputime (s)", "walltime (s)", "memory (MB)"];
    let mut titles: Vec<&str> = TITLES.into();
    titles.extend(OWN.map(|m| m.name));
    let mut out = String::new();
    let mut head = |first: &str, cell: &dyn Fn(&Results, usize) -> String| {
        out.push_str(first);
        for results in all {
            (0..titles.len()).for_each(|i| out.push_str(&format!("\t{}", cell(results, i))));
        }
        out.push('\n');
    };
    head("tool", &|results, _| results.outcomes.first().map(|o| o.tool.clone()).unwrap_or_default());
    head("run set", &|results, _| results.name.clone());
    head("", &|_, i| titles[i].to_string());
    // Each task's runs by the set; a set may lack some.
    let mut rows: BTreeMap<String, Vec<Option<&Outcome>>> = BTreeMap::new();
    for (i, results) in all.iter().enumerate() {
        for outcome in &results.outcomes {
            rows.entry(name(outcome)).or_insert_with(|| vec![None; all.len()])[i] = Some(outcome);
        }
    }
    for (name, outcomes) in rows {
        out.push_str(&name);
        for outcome in outcomes {
            let cells = outcome.map_or_else(|| vec![String::new(); titles.len()], cells);
            let _ = write!(out, "\t{}", cells.join("\t"));
        }
        out.push('\n');
    }
    Ok(out)
}

fn cells(outcome: &Outcome) -> Vec<String> {
    let (status, category) = status(outcome);
    let mut cells = vec![
        status,
        category.to_string(),
        format!("{:.2}", outcome.cpu_s),
        format!("{:.2}", outcome.wall_s),
        format!("{:.0}", outcome.rss_mb * 1.048576),
    ];
    cells.extend(OWN.map(|m| m.digits(outcome)));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(name: &str) -> Results {
        let outcome = |id: &str, expected: &str, verdict: &str, detail: &str| {
            Outcome {
                id: id.into(),
                category: "A".into(),
                property: "unreach-call".into(),
                expected: expected.into(),
                verdict: verdict.into(),
                cpu_s: 1.25,
                states: Some(7),
                tool: "kerf".into(),
                settings: "kerf verify; 15s".into(),
                detail: detail.into(),
                ..Outcome::default()
            }
            .judge()
        };
        let outcomes = vec![
            outcome("1", "false", "false", "(unreach-call)"),
            outcome("2<&\"", "true", "unknown", "(loop \"x\" <1>)"),
            outcome("3", "true", "timeout", "killed"),
        ];
        Results { name: name.into(), outcomes }
    }

    #[test]
    fn results_are_xml_whatever_they_contain() {
        let text = xml(&results("r")).expect("XML");
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&text, options).expect("XML");
        let root = document.root_element();
        assert_eq!((root.attribute("tool"), root.attribute("options")), (Some("kerf"), Some("kerf verify; 15s")));
        let runs: Vec<_> = root.children().filter(|n| n.has_tag_name("run")).collect();
        let column = |run: usize, title: &str| {
            runs[run].children().find(|n| n.attribute("title") == Some(title)).and_then(|n| n.attribute("value"))
        };
        assert_eq!(runs[1].attribute("name"), Some("A/2<&\""));
        assert_eq!((column(0, "status"), column(0, "category")), (Some("false(unreach-call)"), Some("correct")));
        assert_eq!((column(1, "status"), column(1, "reason")), (Some("unknown"), Some("(loop \"x\" <1>)")));
        assert_eq!((column(2, "status"), column(2, "category")), (Some("TIMEOUT"), Some("error")));
        assert_eq!((column(0, "cputime"), column(0, "states"), column(0, "k")), (Some("1.25s"), Some("7"), None));
    }

    #[test]
    fn tables_have_three_header_lines_and_a_row_per_task() {
        let mut other = results("other");
        other.outcomes.truncate(1);
        let text = csv(&[results("r"), other]).expect("a table");
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!((rows.len(), rows.iter().all(|row| row.len() == 33)), (6, true));
        assert_eq!((rows[0][0], rows[1][1], rows[1][17], rows[2][3]), ("tool", "r", "other", "cputime (s)"));
        assert_eq!((rows[3][0], rows[3][17], rows[4][17]), ("A/1", "false(unreach-call)", ""));
        assert!(csv(&[results("r"), results("r")]).unwrap_err().0.contains("two sets of results are called r"));
    }
}
