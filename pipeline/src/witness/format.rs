//! The data of a witness, and its text in YAML.
//!
//! Reading is tolerant: keys that are not known are skipped, and a number or truth value may stand for its text. Writing is exact: all
//! keys that the format requires are there, and each text is quoted, so that no reader takes a version for a number.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::worker::UserError;

/// A witness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The program and the property that it is about.
    pub task: Task,
    /// What it says.
    pub content: Content,
}

/// The program and the property that a witness is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Task {
    /// The files, each with the SHA-256 of its content in hexadecimal digits; empty where it is not stated.
    pub files: Vec<(String, String)>,
    /// The property, as in a `.prp` file.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// What a witness says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// There is an execution along these segments that violates the property.
    Violation(Vec<Segment>),
    /// The property holds, and so do these invariants.
    Correctness(Vec<Invariant>),
}

/// A part of an execution: it avoids some waypoints and ends at another one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Segment {
    /// The waypoints in their order. The last one is followed, the others are avoided.
    pub waypoints: Vec<Waypoint>,
}

/// A place of the program, and what holds where an execution passes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waypoint {
    /// Its kind.
    pub kind: Kind,
    /// Whether the execution must not pass it.
    pub avoided: bool,
    /// The place.
    pub location: Location,
    /// What holds there.
    pub constraint: Option<String>,
}

/// The kinds of waypoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// Before a statement, an expression holds.
    Assumption,
    /// The condition of a statement has a value.
    Branching,
    /// A function is called.
    FunctionEnter,
    /// A call returns, with a result.
    FunctionReturn,
    /// The violation.
    Target,
}

/// An invariant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant`, `location_invariant` or another kind.
    pub kind: String,
    /// The place.
    pub location: Location,
    /// The expression.
    pub value: String,
    /// The language of the expression, `c_expression`.
    pub format: String,
}

/// A place of the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; `None` for the leftmost suitable place of the line.
    pub column: Option<u32>,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// The kind of an invariant at a loop.
pub const LOOP_INVARIANT: &str = "loop_invariant";
/// The format of C expressions.
pub const C_EXPRESSION: &str = "c_expression";

/// A text, or what YAML takes for something else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    fn text(self) -> String {
        match self {
            Scalar::Bool(b) => b.to_string(),
            Scalar::Int(n) => n.to_string(),
            Scalar::Float(n) => format!("{n:?}"),
            Scalar::Text(text) => text,
        }
    }
}

#[derive(Deserialize)]
struct RawEntry {
    entry_type: String,
    metadata: RawMetadata,
    #[serde(default)]
    content: Vec<RawContent>,
}

#[derive(Deserialize)]
struct RawMetadata {
    format_version: Scalar,
    task: RawTask,
}

#[derive(Deserialize)]
struct RawTask {
    #[serde(default)]
    input_files: Vec<String>,
    #[serde(default)]
    input_file_hashes: std::collections::BTreeMap<String, Scalar>,
    #[serde(default)]
    specification: String,
    #[serde(default)]
    data_model: String,
}

#[derive(Deserialize)]
struct RawContent {
    segment: Option<Vec<RawStep>>,
    invariant: Option<RawInvariant>,
    contract: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct RawStep {
    waypoint: RawWaypoint,
}

#[derive(Deserialize)]
struct RawWaypoint {
    r#type: String,
    action: String,
    location: RawLocation,
    constraint: Option<RawConstraint>,
    thread_id: Option<i64>,
}

#[derive(Deserialize)]
struct RawConstraint {
    value: Scalar,
}

#[derive(Deserialize)]
struct RawInvariant {
    r#type: String,
    location: RawLocation,
    #[serde(default)]
    value: Option<Scalar>,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct RawLocation {
    file_name: String,
    line: u32,
    column: Option<u32>,
}

impl RawLocation {
    fn checked(self) -> Result<Location, String> {
        if self.line == 0 || self.column == Some(0) {
            return Err("lines and columns begin at 1".into());
        }
        Ok(Location { file: self.file_name, line: self.line, column: self.column })
    }
}

/// Reads a witness.
///
/// # Errors
/// The file cannot be read, or is no witness of a kind that kerf knows.
pub fn read(path: &Path) -> Result<Witness, UserError> {
    let wrong = |what: String| UserError(format!("{}: {what}", path.display()));
    let text = std::fs::read(path).map_err(|e| wrong(e.to_string()))?;
    parse(&String::from_utf8_lossy(&text)).map_err(|e| wrong(format!("not a witness: {e}")))
}

/// Reads the text of a witness.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse(text: &str) -> Result<Witness, String> {
    let first_line = |e: String| e.lines().next().unwrap_or("").to_string();
    let mut entries: Vec<RawEntry> = serde_saphyr::from_str(text).map_err(|e| first_line(e.to_string()))?;
    let entry = match (entries.pop(), entries.is_empty()) {
        (Some(entry), true) => entry,
        (None, _) => return Err("it has no entry".into()),
        (Some(_), false) => return Err("it has several entries; only one is supported".into()),
    };
    let version = entry.metadata.format_version.text();
    if !matches!(version.as_str(), "2.0" | "2.1" | "2.2") {
        return Err(format!("format version {version} (supported: 2.0, 2.1 and 2.2)"));
    }
    let RawTask { input_files, mut input_file_hashes, specification, data_model } = entry.metadata.task;
    let hash = |file: String| {
        let hash = input_file_hashes.remove(&file).map(Scalar::text).unwrap_or_default();
        (file, hash)
    };
    let files = input_files.into_iter().map(hash).collect();
    let task = Task { files, specification: specification.trim().to_string(), data_model };
    let content = match entry.entry_type.as_str() {
        "violation_sequence" => Content::Violation(segments(entry.content)?),
        "invariant_set" => Content::Correctness(invariants(entry.content)?),
        other => return Err(format!("entries of type {other} are not supported")),
    };
    Ok(Witness { task, content })
}

fn segments(content: Vec<RawContent>) -> Result<Vec<Segment>, String> {
    let mut segments = Vec::new();
    for part in content {
        let steps = part.segment.ok_or("a violation sequence consists of segments")?;
        let waypoints: Vec<Waypoint> = steps.into_iter().map(|s| waypoint(s.waypoint)).collect::<Result<_, _>>()?;
        if waypoints.iter().position(|w| !w.avoided) != waypoints.len().checked_sub(1) {
            return Err("a segment ends with its only waypoint to follow".into());
        }
        if waypoints.iter().any(|w| w.avoided && w.kind == Kind::Target) {
            return Err("a target cannot be avoided".into());
        }
        segments.push(Segment { waypoints });
    }
    let is_target = |s: &Segment| s.waypoints.last().is_some_and(|w| w.kind == Kind::Target);
    if segments.iter().position(is_target) != segments.len().checked_sub(1) {
        return Err("a violation sequence ends with its only target".into());
    }
    Ok(segments)
}

fn waypoint(raw: RawWaypoint) -> Result<Waypoint, String> {
    let avoided = match raw.action.as_str() {
        "follow" => false,
        "avoid" => true,
        other => return Err(format!("waypoints with the action {other} are not supported")),
    };
    if raw.thread_id.is_some_and(|id| id != 0) {
        return Err("waypoints of threads are not supported".into());
    }
    let kind: Kind = raw.r#type.parse().map_err(|_| format!("a waypoint of unknown type {}", raw.r#type))?;
    let constraint = raw.constraint.map(|c| c.value.text());
    let needs = matches!(kind, Kind::Assumption | Kind::Branching);
    if needs && constraint.is_none() {
        return Err(format!("a waypoint of type {kind} needs a constraint"));
    }
    Ok(Waypoint { kind, avoided, location: raw.location.checked()?, constraint })
}

fn invariants(content: Vec<RawContent>) -> Result<Vec<Invariant>, String> {
    let mut invariants = Vec::new();
    for part in content {
        if part.contract.is_some() {
            return Err("contracts of functions are not supported".into());
        }
        let raw = part.invariant.ok_or("an invariant set consists of invariants")?;
        let value = raw.value.ok_or_else(|| format!("a {} without a value", raw.r#type))?.text();
        let location = raw.location.checked()?;
        invariants.push(Invariant { kind: raw.r#type, location, value, format: raw.format });
    }
    Ok(invariants)
}

/// The text of a witness.
pub fn write(witness: &Witness) -> String {
    let mut text = String::new();
    let (entry_type, hash) = match &witness.content {
        Content::Violation(_) => ("violation_sequence", 1),
        Content::Correctness(_) => ("invariant_set", 2),
    };
    let Task { files, specification, data_model } = &witness.task;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = format!("{hash} {:?} {now:?} {}", witness.task, std::process::id());
    let _ = write!(
        text,
        "- entry_type: {}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n    producer:\n      \
         name: \"kerf\"\n      version: {}\n    task:\n      input_files:\n",
        quoted(entry_type),
        quoted(&uuid(&seed)),
        quoted(&utc(now.as_secs())),
        quoted(env!("CARGO_PKG_VERSION")),
    );
    for (file, _) in files {
        let _ = writeln!(text, "      - {}", quoted(file));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in files {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(text, "      specification: {}", quoted(specification));
    let _ = writeln!(text, "      data_model: {}\n      language: \"C\"", quoted(data_model));
    match &witness.content {
        Content::Correctness(all) if all.is_empty() => text.push_str("  content: []\n"),
        Content::Correctness(all) => {
            text.push_str("  content:\n");
            all.iter().for_each(|invariant| write_invariant(&mut text, invariant));
        }
        Content::Violation(segments) => {
            text.push_str("  content:\n");
            for segment in segments {
                text.push_str("  - segment:\n");
                segment.waypoints.iter().for_each(|waypoint| write_waypoint(&mut text, waypoint));
            }
        }
    }
    text
}

fn write_invariant(text: &mut String, invariant: &Invariant) {
    let _ = writeln!(text, "  - invariant:\n      type: {}", quoted(&invariant.kind));
    write_location(text, "      ", &invariant.location);
    let _ = writeln!(text, "      value: {}\n      format: {}", quoted(&invariant.value), quoted(&invariant.format));
}

fn write_waypoint(text: &mut String, waypoint: &Waypoint) {
    let action = if waypoint.avoided { "avoid" } else { "follow" };
    let _ = writeln!(text, "    - waypoint:\n        type: \"{}\"\n        action: \"{action}\"", waypoint.kind);
    if let Some(constraint) = &waypoint.constraint {
        let _ = writeln!(text, "        constraint:\n          value: {}", quoted(constraint));
        let _ = match waypoint.kind {
            Kind::FunctionReturn => writeln!(text, "          format: \"acsl_expression\""),
            Kind::Assumption => writeln!(text, "          format: \"{C_EXPRESSION}\""),
            Kind::Branching | Kind::FunctionEnter | Kind::Target => Ok(()),
        };
    }
    write_location(text, "        ", &waypoint.location);
}

fn write_location(text: &mut String, indent: &str, location: &Location) {
    let _ = writeln!(text, "{indent}location:\n{indent}  file_name: {}", quoted(&location.file));
    let _ = writeln!(text, "{indent}  line: {}", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(text, "{indent}  column: {column}");
    }
}

/// A text in quotes. The escapes of JSON are escapes of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// An identifier as RFC 4122 wants it (version 4), whose random bits are a hash of `seed`.
fn uuid(seed: &str) -> String {
    let mut digits: Vec<char> = sha256(seed.as_bytes()).chars().take(32).collect();
    digits[12] = '4';
    digits[16] = ['8', '9', 'a', 'b'][digits[16].to_digit(16).unwrap_or(0) as usize % 4];
    let part = |from: usize, to: usize| digits[from..to].iter().collect::<String>();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

/// A number of seconds since 1970 as a date and time of day (ISO 8601). The days of a year that begins in March, so that leap days come
/// last, are counted in eras of 400 years.
fn utc(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "- entry_type: KIND\n  metadata:\n    format_version: VERSION\n    task:\n      input_files: [a.c]\n      \
                        input_file_hashes: {a.c: '12'}\n      specification: |\n        CHECK( init(main()), LTL(G ! call(f())) )\n      \
                        data_model: LP64\n  content:\n";

    fn error(kind: &str, content: &str) -> String {
        parse(&format!("{}{content}", HEAD.replace("KIND", kind).replace("VERSION", "2.0"))).expect_err(content)
    }

    fn waypoint(kind: &str, action: &str) -> String {
        format!("    - waypoint: {{type: {kind}, action: {action}, location: {{file_name: a.c, line: 3}}}}\n")
    }

    #[test]
    fn what_is_written_is_read_again() {
        let location = Location { file: "dir/a \"b\".c".into(), line: 3, column: Some(7) };
        let bare = Location { column: None, ..location.clone() };
        let files = vec![(location.file.clone(), sha256(b"abc"))];
        assert_eq!(files[0].1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let task = Task {
            files,
            specification: "CHECK( init(main()), LTL(G ! call(f())) )".into(),
            data_model: "LP64".into(),
        };
        let waypoint = |kind, constraint: Option<&str>, location: &Location| {
            let constraint = constraint.map(str::to_string);
            Waypoint { kind, avoided: false, location: location.clone(), constraint }
        };
        let returns = waypoint(Kind::FunctionReturn, Some("\\result == -5"), &location);
        let avoided = Waypoint { avoided: true, ..waypoint(Kind::Branching, Some("true"), &bare) };
        let segments = vec![
            Segment { waypoints: vec![avoided, returns] },
            Segment { waypoints: vec![waypoint(Kind::Target, None, &bare)] },
        ];
        let invariant = Invariant {
            kind: LOOP_INVARIANT.into(),
            location,
            value: "x <= 3 && a[2] != 4".into(),
            format: C_EXPRESSION.into(),
        };
        for content in
            [Content::Violation(segments), Content::Correctness(vec![invariant]), Content::Correctness(vec![])]
        {
            let witness = Witness { task: task.clone(), content };
            let text = write(&witness);
            assert!(text.contains("format_version: \"2.0\""), "{text}");
            assert_eq!(parse(&text), Ok(witness), "{text}");
        }
    }

    #[test]
    fn reading_is_tolerant_and_errors_say_what_is_wrong() {
        for version in ["2.0", "'2.1'", "\"2.2\""] {
            let head = HEAD.replace("KIND", "violation_sequence").replace("VERSION", version);
            let text = format!("{head}  - segment:\n{}      extra: 3\n", waypoint("target", "follow"));
            assert!(parse(&text.replace("      extra: 3\n", "")).is_ok(), "{text}");
        }
        let of = |content: &str| error("violation_sequence", &format!("  - segment:\n{content}"));
        assert_eq!(of(&waypoint("function_enter", "follow")), "a violation sequence ends with its only target");
        let avoided = format!("{}{}", waypoint("target", "avoid"), waypoint("target", "follow"));
        assert_eq!(of(&avoided), "a target cannot be avoided");
        assert_eq!(of(&waypoint("target", "cycle")), "waypoints with the action cycle are not supported");
        assert_eq!(of(&waypoint("branching", "follow")), "a waypoint of type branching needs a constraint");
        assert_eq!(of(&waypoint("jump", "follow")), "a waypoint of unknown type jump");
        assert_eq!(of(&waypoint("target", "follow").replace("line: 3", "line: 0")), "lines and columns begin at 1");
        assert_eq!(error("loop_invariant", "    []\n"), "entries of type loop_invariant are not supported");
        assert!(parse("[]").is_err() && parse("x: [").is_err() && parse("").is_err());
    }

    #[test]
    fn times_are_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(1_798_761_599), "2026-12-31T23:59:59Z");
        let id = uuid("a");
        assert_eq!((id.len(), &id[14..15]), (36, "4"));
    }
}
