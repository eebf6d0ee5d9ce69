//! One HTML page that needs nothing else: no network, no further files.
//!
//! The page's data is JSON inside a script element, and the page's script makes elements of it. So there is one place where text could be
//! taken for markup: the end of that element, which [`embeddable`] rules out. The script sets texts, never markup.

use anyhow::Result;
use askama::Template;
use serde::Serialize;

/// What all pages have: colours, tables, buttons.
const STYLE: &str = include_str!("elements.css");
/// What all pages have: functions that make elements.
const SCRIPT: &str = include_str!("elements.js");

/// What is above the sections of a page, and what makes them.
pub(crate) struct Page<'a> {
    /// What the page is about, such as `a.c`.
    pub title: &'a str,
    /// What the result is, such as `RESULT`.
    pub kind: &'a str,
    /// The result.
    pub result: &'a str,
    /// The page's own style.
    pub style: &'a str,
    /// The page's own scripts, which find the data under the name `data`.
    pub scripts: &'a [&'a str],
}

#[derive(Template)]
#[template(path = "page.html")]
struct Filled<'a> {
    title: &'a str,
    kind: &'a str,
    result: &'a str,
    style: &'a str,
    json: &'a str,
    script: &'a str,
}

impl Page<'_> {
    /// The page with this data.
    ///
    /// # Errors
    /// The data cannot be written as JSON.
    pub(crate) fn with(&self, data: &impl Serialize) -> Result<String> {
        let json = embeddable(&serde_json::to_string(data)?);
        let style = [STYLE, self.style].join("\n");
        let script = [&[SCRIPT], self.scripts].concat().join("\n");
        let Page { title, kind, result, .. } = self;
        Ok(Filled { title, kind, result, style: &style, json: &json, script: &script }.render()?)
    }
}

/// JSON that may stand inside a script element. Of all characters that could end the element or begin a comment in it, `<` is the
/// first, and it occurs only inside strings, where it has another form.
fn embeddable(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text stays text, none of it is lost, and no part of the page is loaded from elsewhere.
    #[test]
    fn pages_are_whole_and_closed() {
        let text = "</script><script>alert(\"1\")</script><!-- ' \u{fffd} \u{2028} \\";
        let page = Page { title: "</title><b>", kind: "Test", result: text, style: "", scripts: &[] };
        let page = page.with(&text).expect("a page");
        // The elements of the template, and no others.
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        assert_eq!(page.matches("<title").count(), 1);
        assert!(!page.contains("<b>") && !page.contains("<!-- '"), "{page}");
        for word in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
        let json = serde_json::to_string(text).expect("JSON");
        assert_eq!(serde_json::from_str::<String>(&embeddable(&json)).expect("JSON"), text);
    }
}
