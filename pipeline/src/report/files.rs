//! The files of `--output DIR` that the parent writes, so that they exist even if the worker died.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::report::{Evidence, Report, path_dot, terminal};

/// Writes `counterexample.txt` and `path.dot` (if there is a violation) and `statistics.json`, and lists them in the report.
///
/// # Errors
/// The directory or a file cannot be written.
pub fn write(report: &mut Report, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot make the directory {}", dir.display()))?;
    if let Some(violation) = &report.violation {
        let path = dir.join("counterexample.txt");
        put(&path, &terminal::render_counterexample(violation))?;
        report.evidence.push(Evidence { kind: "counterexample".into(), path: path.display().to_string() });
        let path = dir.join(path_dot::FILE);
        put(&path, &path_dot::graph(violation))?;
        report.evidence.push(Evidence { kind: "path".into(), path: path.display().to_string() });
    }
    let path = dir.join("statistics.json");
    report.evidence.push(Evidence { kind: "statistics".into(), path: path.display().to_string() });
    put(&path, &serde_json::to_string_pretty(&report.json()?)?).inspect_err(|_| {
        report.evidence.pop();
    })
}

fn put(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
