//! A report as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which editors and code hosts show.
//!
//! A violation is a result of the level `error` with its path as a code flow; undefined behaviour on the way is a `note`. Why there is
//! no answer is a notification of the run, since it is about no place in the program. What is proved has no result.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::report::excerpt::Excerpt;
use crate::report::{Cause, Place, Report, Step, Verdict};

/// The rule of undefined behaviour that was found on the way.
const POSSIBLE_ERROR: &str = "possible-error";

/// The log of a run that verified these properties of the program in `files`.
pub fn log(report: &Report, properties: &[String], files: &[PathBuf]) -> Value {
    let rule = |id: &str, text: String, level: &str| json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": level } });
    let violated = |property: &String| rule(property, format!("The property {property} does not hold"), "error");
    let undefined = "Undefined behaviour that the property does not ask for".to_string();
    let mut rules = vec![rule(POSSIBLE_ERROR, undefined, "note")];
    rules.extend(properties.iter().map(violated));
    let mut results = Vec::new();
    if let (Verdict::False { property }, Some(violation)) = (&report.verdict, &report.violation) {
        let known = rules.iter().position(|rule| rule["id"] == **property);
        let index = known.unwrap_or_else(|| {
            rules.push(violated(property));
            rules.len() - 1
        });
        let found = Found {
            rule: index,
            level: "error",
            what: &violation.what,
            place: &violation.place,
            excerpt: &violation.excerpt,
        };
        results.push(found.result(&rules, &violation.steps, files));
    }
    if let Some(error) = &report.possible_error {
        let found = Found { rule: 0, level: "note", what: &error.what, place: &error.place, excerpt: &error.excerpt };
        results.push(found.result(&rules, &error.steps, files));
    }
    let mut invocation = json!({ "executionSuccessful": true, "exitCode": report.verdict.exit_code() });
    if let Verdict::Unknown { kind, reason } = &report.verdict {
        invocation["executionSuccessful"] = (!matches!(kind, Cause::Crash | Cause::Defect)).into();
        invocation["toolExecutionNotifications"] = json!([{
            "level": "warning",
            "message": { "text": format!("No answer: {reason}") },
            "descriptor": { "id": kind.to_string() },
        }]);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "kerf", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": results,
            "properties": { "result": report.verdict.to_string() },
        }],
    })
}

/// Something wrong at a place.
struct Found<'a> {
    /// The index of its rule.
    rule: usize,
    level: &'a str,
    what: &'a str,
    place: &'a Place,
    excerpt: &'a Option<Excerpt>,
}

impl Found<'_> {
    fn result(&self, rules: &[Value], steps: &[Step], files: &[PathBuf]) -> Value {
        let passed: Vec<Value> = steps.iter().map(|step| flow_location(step, files)).collect();
        let mut place = location(self.place, files);
        // Columns of debug information count bytes; those of an excerpt count characters.
        if let (Some(mark), Some(region)) =
            (self.excerpt.as_ref().and_then(|shown| shown.marks.first()), place.pointer_mut("/physicalLocation/region"))
        {
            region["startColumn"] = mark.column.into();
            region["endColumn"] = (mark.column + mark.length).into();
        }
        let mut result = json!({
            "ruleId": rules[self.rule]["id"],
            "ruleIndex": self.rule,
            "level": self.level,
            "message": { "text": self.what },
            "locations": [place],
        });
        if !passed.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": passed }] }]);
        }
        result
    }
}

/// A step of a path, with the variables that it changes.
fn flow_location(step: &Step, files: &[PathBuf]) -> Value {
    let mut location = location(&step.place, files);
    let changes: Vec<String> = step.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let changes = if changes.is_empty() { String::new() } else { format!("({})", changes.join(", ")) };
    let text = format!("{} {changes}", step.text);
    if !text.trim().is_empty() {
        location["message"] = json!({ "text": text.trim() });
    }
    let mut flow = json!({ "location": location });
    if !step.values.is_empty() {
        let state: Map<String, Value> =
            step.values.iter().map(|(name, value)| (name.clone(), json!({ "text": value }))).collect();
        flow["state"] = state.into();
    }
    flow
}

/// A place in the program; without debug information only its function.
fn location(place: &Place, files: &[PathBuf]) -> Value {
    let mut location = json!({});
    if let Some(file) = &place.file {
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(&as_given(file, files)) } });
        if let Some(line) = place.line.filter(|line| *line > 0) {
            location["physicalLocation"]["region"] = json!({ "startLine": line });
        }
    }
    if !place.function.is_empty() {
        location["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
    }
    location
}

/// The name of a file as the user gave it: debug information may have it relative to another directory.
fn as_given(file: &str, files: &[PathBuf]) -> String {
    let given = files.iter().find(|given| given.ends_with(Path::new(file)));
    given.map_or_else(|| file.to_string(), |given| given.display().to_string())
}

/// A URI reference to a file (RFC 3986): characters that have a meaning there are escaped.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::excerpt::Mark;
    use crate::report::{PossibleError, Violation};

    fn place(line: u32) -> Place {
        Place { file: Some("a b.c".into()), line: Some(line), column: Some(5), function: "main".into() }
    }

    fn steps() -> Vec<Step> {
        let step = Step {
            place: place(3),
            text: "x = f();".into(),
            values: vec![("x".into(), "7".into())],
            ..Step::default()
        };
        vec![step, Step { place: Place { function: "g".into(), ..Place::default() }, ..Step::default() }]
    }

    #[test]
    fn violations_are_errors_with_their_paths() {
        let mut report = Report::new(Verdict::False { property: "unreach-call".into() });
        let what = "reach_error() is called".to_string();
        let mark = Mark { line: 4, column: 3, length: 5, label: String::new() };
        let excerpt = Some(Excerpt { marks: vec![mark], ..Excerpt::default() });
        report.violation = Some(Violation { what, place: place(4), excerpt, steps: steps(), ..Violation::default() });
        let log = log(&report, &["unreach-call".into()], &["/tmp/a b.c".into()]);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(
            (&result["ruleId"], &result["ruleId"]),
            (&"unreach-call".into(), &run["tool"]["driver"]["rules"][1]["id"])
        );
        assert_eq!((result["level"].as_str(), result["ruleIndex"].as_u64()), (Some("error"), Some(1)));
        let at = &result["locations"][0]["physicalLocation"];
        assert_eq!(at["artifactLocation"]["uri"], "file:///tmp/a%20b.c");
        assert_eq!(at["region"], json!({ "startLine": 4, "startColumn": 3, "endColumn": 8 }));
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"];
        assert_eq!(flow[0]["location"]["message"]["text"], "x = f(); (x = 7)");
        assert_eq!(flow[0]["state"]["x"]["text"], "7");
        assert_eq!(flow[1]["location"]["logicalLocations"][0]["name"], "g");
        assert!(flow[1]["location"].get("physicalLocation").is_none());
    }

    #[test]
    fn no_answer_is_a_notification() {
        let mut report = Report::new(Verdict::unknown(Cause::Timeout, "timeout"));
        let what = "possible memory error".to_string();
        report.possible_error = Some(PossibleError { what, place: place(9), ..PossibleError::default() });
        let log = log(&report, &["locks".into()], &[]);
        let run = &log["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&run["results"][0]["level"], &run["results"][0]["ruleId"]),
            (&"note".into(), &POSSIBLE_ERROR.into())
        );
        let said = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(said["message"]["text"], "No answer: timeout");
        assert_eq!(said["descriptor"]["id"], "timeout");
    }

    #[test]
    fn what_is_proved_has_no_result() {
        let log = log(&Report::new(Verdict::True), &["unreach-call".into()], &[]);
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    }
}
