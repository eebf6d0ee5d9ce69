//! What a bench runs: configurations of this kerf, and other verifiers as commands with placeholders.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::commands::bench::tasks::Task;

/// The words with which a command states that it is a configuration of this kerf.
const KERF: &str = "kerf verify";

/// A verifier with its options, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Tool {
    /// The name, which stands in tables and in the column `tool`.
    pub name: String,
    /// What runs.
    pub program: Program,
}

/// What a tool runs for each task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Program {
    /// `kerf verify` of this executable with these options, in addition to those that state a task.
    Kerf(Vec<String>),
    /// A command for the shell. `{file}`, `{model}`, `{property}` and `{timeout}` (whole seconds) stand for what the task is.
    Shell(String),
}

impl TryFrom<String> for Tool {
    type Error = String;

    fn try_from(text: String) -> Result<Tool, String> {
        Tool::parse(&text)
    }
}

impl Tool {
    /// Reads `NAME=COMMAND`. A command that begins with `kerf verify` is a configuration of this kerf; its options are separated by
    /// blanks.
    pub(crate) fn parse(text: &str) -> Result<Tool, String> {
        let (name, command) = text.split_once('=').ok_or("expected NAME=COMMAND")?;
        let (name, command) = (name.trim(), command.trim());
        if name.is_empty() || name.contains(['/', '\t', '\n', '"']) {
            return Err(format!("'{name}' is no name for a tool"));
        }
        let program = match command.strip_prefix(KERF) {
            Some(options) if options.is_empty() || options.starts_with(' ') => {
                if let Some(placeholder) = PLACEHOLDERS.iter().find(|p| options.contains(**p)) {
                    return Err(format!("'{KERF}' gets what the task is from the bench: leave {placeholder} out"));
                }
                Program::Kerf(options.split_whitespace().map(str::to_string).collect())
            }
            _ if !command.contains(FILE) => return Err(format!("the command of '{name}' needs {FILE}")),
            _ => Program::Shell(command.to_string()),
        };
        Ok(Tool { name: name.to_string(), program })
    }

    /// The command as it was written.
    pub(crate) fn text(&self) -> String {
        match &self.program {
            Program::Kerf(options) => [&[KERF.to_string()], &options[..]].concat().join(" "),
            Program::Shell(command) => command.clone(),
        }
    }
}

const FILE: &str = "{file}";
const PLACEHOLDERS: [&str; 4] = [FILE, "{model}", "{property}", "{timeout}"];

/// The shell that runs `template` for a task. A simple command takes its place, so that what is measured is the command.
pub(super) fn shell(template: &str, task: &Task, timeout: Duration) -> Command {
    let files: Vec<String> = task.files.iter().map(|file| quoted(file)).collect();
    let line = template
        .replace("{model}", &task.data_model)
        .replace("{property}", &task.property)
        .replace("{timeout}", &timeout.as_secs().to_string())
        .replace(FILE, &files.join(" "));
    let mut command = Command::new("bash");
    command.args(["-c", &line]);
    command
}

/// A path as one word for the shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The verdict in a verifier's output, and its details: the last line `RESULT: ...` or `Verification result: ...`, or a last line that
/// is only a verdict.
pub(super) fn verdict_in(output: &str) -> (String, String) {
    let mut lines = output.lines().rev().map(str::trim).filter(|l| !l.is_empty());
    let last = lines.clone().next().unwrap_or("no output");
    if let Some(found) = lines.find_map(stated) {
        return found;
    }
    match last {
        "TRUE" | "FALSE" | "UNKNOWN" | "TIMEOUT" | "ERROR" => (last.to_lowercase(), String::new()),
        _ => ("error".into(), last.to_string()),
    }
}

/// The verdict and its details in a line that states a result.
fn stated(line: &str) -> Option<(String, String)> {
    let (head, rest) = line.split_once(':')?;
    if !["result", "verification result"].contains(&head.trim_end().to_lowercase().as_str()) {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let verdict = rest[..end].to_lowercase();
    let known = ["true", "false", "unknown", "timeout", "error"].contains(&verdict.as_str());
    known.then(|| (verdict, rest[end..].trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_and_commands_are_told_apart() {
        let tool = Tool::parse("symex = kerf verify  --strategy symex").expect("a tool");
        assert_eq!(tool.program, Program::Kerf(vec!["--strategy".into(), "symex".into()]));
        assert_eq!((tool.name.as_str(), tool.text().as_str()), ("symex", "kerf verify --strategy symex"));
        let tool = Tool::parse("other=a=1 ./other {file} -t {timeout}").expect("a tool");
        assert_eq!(tool.program, Program::Shell("a=1 ./other {file} -t {timeout}".into()));
        for (text, why) in [
            ("symex", "expected NAME=COMMAND"),
            ("=kerf verify", "no name"),
            ("a/b=kerf verify", "no name"),
            ("a=other", "needs {file}"),
            ("a=kerf verify {file}", "leave {file} out"),
            ("a=kerf verifying", "needs {file}"),
        ] {
            assert!(Tool::parse(text).unwrap_err().contains(why), "{text}");
        }
    }

    #[test]
    fn commands_get_the_task() {
        let task = Task {
            id: "1".into(),
            category: "A".into(),
            files: vec!["a.c".into(), "b it's.c".into()],
            property: "no-overflow".into(),
            property_file: None,
            expected: "true".into(),
            data_model: "LP64".into(),
        };
        let command = shell("v {file} {model} {property} {timeout}", &task, Duration::from_secs(15));
        let line = command.get_args().last().expect("a line").to_string_lossy().into_owned();
        assert_eq!(line, r"v a.c 'b it'\''s.c' LP64 no-overflow 15");
    }

    #[test]
    fn verdicts_are_found_in_what_verifiers_print() {
        let found = |text: &str| {
            let (verdict, detail) = verdict_in(text);
            format!("{verdict}|{detail}")
        };
        assert_eq!(found("RESULT: true\n\n"), "true|");
        assert_eq!(found("RESULT: true\nRESULT: false(unreach-call)\nbye\n"), "false|(unreach-call)");
        assert_eq!(found("Verification result: TRUE. No property violation\n"), "true|. No property violation");
        assert_eq!(found("Result : unknown (out of memory)"), "unknown|(out of memory)");
        assert_eq!(found("checking\nFALSE\n"), "false|");
        assert_eq!(found("RESULT: truely\nkilled"), "error|killed");
        assert_eq!(found(""), "error|no output");
    }
}
