//! A report as one HTML page ([`page`]), whose script makes elements of the report's data. The only markup in the data are the pictures of
//! shapes, which are made here and contain no text of the program.

pub(crate) mod details;
pub(crate) mod page;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::commands::slice::annotate::Annotated;
use crate::report::{Evidence, Report};
use crate::worker::UserError;
use details::Details;
use page::Page;

/// The name of the data in an output directory.
pub(crate) const DATA: &str = "report.json";
/// The name of the page in an output directory.
pub(crate) const PAGE: &str = "report.html";
/// The number of the data's format; it changes with the meaning of the data.
const FORMAT: u32 = 1;

const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("page.js"),
    include_str!("source.js"),
    include_str!("layout.js"),
    include_str!("graphs.js"),
    include_str!("start.js"),
];

/// Everything that a page shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Data {
    /// The number of the format.
    format: u32,
    /// What the page is about, such as `a.c`.
    title: String,
    /// kerf's version, and those of LLVM and the solver.
    versions: String,
    /// The result, as `kerf verify` prints it; or the criteria of a slice.
    result: String,
    /// The report; none for a slice.
    report: Option<Report>,
    /// Each setting's name, value and source.
    settings: Vec<(String, String, String)>,
    details: Details,
}

impl Data {
    /// The page of a verification. Without details of the worker it shows the files as they are.
    pub(crate) fn verified(
        files: &[PathBuf],
        settings: Vec<(&'static str, String, String)>,
        report: &Report,
        details: Option<Details>,
    ) -> Data {
        let details = details.unwrap_or_else(|| Details {
            sources: files.iter().filter_map(|file| Annotated::plain(file)).collect(),
            ..Details::default()
        });
        Data { report: Some(report.clone()), ..Data::new(files, settings, report.verdict.to_string(), details) }
    }

    /// The page of a slice.
    pub(crate) fn sliced(
        files: &[PathBuf],
        settings: Vec<(&'static str, String, String)>,
        criteria: String,
        details: Details,
    ) -> Data {
        Data::new(files, settings, criteria, details)
    }

    fn new(files: &[PathBuf], settings: Vec<(&'static str, String, String)>, result: String, details: Details) -> Data {
        let title: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let versions = format!("kerf {}, {}", env!("CARGO_PKG_VERSION"), crate::driver::versions());
        let settings = settings.into_iter().map(|(name, value, source)| (name.to_string(), value, source)).collect();
        Data { format: FORMAT, title: title.join(", "), versions, result, report: None, settings, details }
    }

    /// The data in a file, or in the file [`DATA`] of a directory.
    ///
    /// # Errors
    /// User errors: it cannot be read, or another version of kerf has written it.
    pub(crate) fn read(path: &Path) -> Result<Data, UserError> {
        let path = if path.is_dir() { path.join(DATA) } else { path.to_path_buf() };
        let error = |what: String| UserError(format!("{}: {what}", path.display()));
        let text = std::fs::read(&path).map_err(|e| error(e.to_string()))?;
        let wrong = |e: serde_json::Error| error(format!("not what kerf verify --output writes: {e}"));
        let value: serde_json::Value = serde_json::from_slice(&text).map_err(wrong)?;
        match value["format"].as_u64() {
            Some(format) if format != u64::from(FORMAT) => {
                Err(error(format!("it has format {format}, but this version of kerf reads format {FORMAT}")))
            }
            _ => serde_json::from_value(value).map_err(wrong),
        }
    }

    /// The page.
    ///
    /// # Errors
    /// None are known: the data can be written as JSON, and the template has no code that fails.
    pub(crate) fn page(&self) -> Result<String> {
        let kind = if self.report.is_some() { "RESULT" } else { "Slice for" };
        Page { title: &self.title, kind, result: &self.result, style: STYLE, scripts: &SCRIPTS }.with(self)
    }
}

/// Writes data and page of a report into a directory, and lists the page in the report.
///
/// # Errors
/// A file cannot be written.
pub(crate) fn write(report: &mut Report, data: impl FnOnce(&Report) -> Data, dir: &Path) -> Result<()> {
    let path = dir.join(PAGE);
    report.evidence.push(Evidence { kind: "report".into(), path: path.display().to_string() });
    let data = data(report);
    let written = serde_json::to_string(&data).map_err(anyhow::Error::from);
    let written = written.and_then(|json| put(&dir.join(DATA), &json)).and_then(|()| put(&path, &data.page()?));
    written.inspect_err(|_| {
        report.evidence.pop();
    })
}

fn put(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::slice::annotate::Row;
    use crate::report::{Cause, Verdict};

    /// A page about a file whose name and text try to leave their places.
    fn hostile() -> Data {
        let text = "</script><script>alert(\"1\")</script><!-- ' \u{fffd} \u{2028} \\".to_string();
        let rows = vec![Row { line: 1, text: text.clone(), mark: None, why: String::new() }];
        let sources = vec![Annotated { file: "</title><b>.c".into(), rows }];
        let details = Details { sources, ..Details::default() };
        let report = Report::new(Verdict::unknown(Cause::Limit, text));
        Data::verified(&["</title><b>.c".into()], Vec::new(), &report, Some(details))
    }

    #[test]
    fn text_stays_text() {
        let page = hostile().page().expect("a page");
        // The elements of the template, and no others.
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert_eq!(page.matches("<title").count(), 1);
        assert!(!page.contains("<b>") && !page.contains("<!-- '"), "{page}");
    }

    /// No part of a page is loaded from elsewhere.
    #[test]
    fn pages_need_nothing_else() {
        let page = hostile().page().expect("a page");
        // The only address is that of the tips of arrows in the page itself.
        let page = page.replace("url(#arrow)", "");
        for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
