//! Scripts for gdb and lldb that run the compiled counterexample, print the local variables at each of its steps, and stop at the error.
//!
//! Each line of the counterexample becomes a breakpoint whose commands print and go on; the functions whose call is the error stop the
//! program, with a backtrace. So `gdb -x steps.gdb` or `lldb -s steps.lldb` ends where a person would begin to look.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::harness::surroundings::{FOLDER, INPUT, Surroundings, quoted};
use crate::report::Step;

/// The name of the script for gdb in the directory of the harness.
pub const GDB: &str = "steps.gdb";
/// The name of the script for lldb.
pub const LLDB: &str = "steps.lldb";

/// Maximum number of lines at which the program is watched.
const MAX_LINES: usize = 200;

/// The script for gdb, for a counterexample with these steps, whose last one calls one of the functions `targets`, of a program that runs
/// in these surroundings.
pub fn gdb(steps: &[Step], targets: &[String], around: &Surroundings) -> String {
    let mut text = String::from(
        "# Runs the counterexample, prints variables at its steps, and stops at the error.\n\
         # To be used where reproduce.sh has built the program: gdb -x steps.gdb\n\
         set pagination off\nset confirm off\nset breakpoint pending on\nfile native\n",
    );
    for (file, line) in lines(steps) {
        let _ = write!(text, "break -source \"{file}\" -line {line}\ncommands\nsilent\necho {file}:{line}\\n\n");
        text.push_str("info locals\ncontinue\nend\n");
    }
    for target in names(targets) {
        let _ = write!(text, "break {target}\ncommands\nbacktrace\nend\n");
    }
    for (name, value) in variables(around) {
        let _ = match value {
            Some(value) => writeln!(text, "set environment {name} {value}"),
            None => writeln!(text, "unset environment {name}"),
        };
    }
    if around.needs_folder() {
        let _ = writeln!(text, "cd {FOLDER}");
    }
    let input = around.input.as_ref().map_or_else(String::new, |_| format!(" < {}", input(around)));
    let _ = writeln!(text, "run{}{input}", words(around));
    text
}

/// Likewise, the script for lldb.
pub fn lldb(steps: &[Step], targets: &[String], around: &Surroundings) -> String {
    let mut text = String::from(
        "# Runs the counterexample, prints variables at its steps, and stops at the error.\n\
         # To be used where reproduce.sh has built the program: lldb -s steps.lldb\n\
         settings set auto-confirm true\ntarget create native\n",
    );
    for (file, line) in lines(steps) {
        let _ = write!(text, "breakpoint set --file \"{file}\" --line {line} --auto-continue true");
        let _ = writeln!(text, " --command \"script print('{file}:{line}')\" --command \"frame variable\"");
    }
    for target in names(targets) {
        let _ = writeln!(text, "breakpoint set --name {target} --command \"thread backtrace\"");
    }
    let mut options = String::new();
    for (name, value) in variables(around) {
        if let Some(value) = value {
            let _ = write!(options, " -E {name}={}", word(value.as_bytes()));
        }
    }
    if around.needs_folder() {
        let _ = write!(options, " -w {FOLDER}");
    }
    if around.input.is_some() {
        let _ = write!(options, " -i {INPUT}");
    }
    let arguments = if around.arguments.is_empty() { String::new() } else { format!(" --{}", words(around)) };
    let _ = writeln!(text, "process launch{options}{arguments}");
    text
}

/// The arguments as words of a shell, each after a space.
fn words(around: &Surroundings) -> String {
    around.arguments.iter().map(|argument| format!(" {}", word(argument))).collect()
}

/// A word of a shell. Control characters, which would end the command, are spaces.
fn word(text: &[u8]) -> String {
    let text: Vec<u8> = text.iter().map(|byte| if byte.is_ascii_control() { b' ' } else { *byte }).collect();
    String::from_utf8_lossy(&quoted(&text)).into_owned()
}

/// The variables of the environment whose names and values fit in a command.
fn variables(around: &Surroundings) -> impl Iterator<Item = (&str, Option<&str>)> {
    let is_plain = |text: &&str| !text.contains(char::is_control);
    around.variables.iter().filter_map(move |(name, value)| {
        let name = str::from_utf8(name).ok().filter(|name| is_plain(name) && !name.contains(char::is_whitespace))?;
        match value {
            Some(value) => Some((name, Some(str::from_utf8(value).ok().filter(is_plain)?))),
            None => Some((name, None)),
        }
    })
}

/// The path of the standard input, where the program runs.
fn input(around: &Surroundings) -> String {
    if !around.needs_folder() { INPUT.into() } else { format!("../{INPUT}") }
}

/// The lines of the steps, each once. Files whose names could end a command are left out.
fn lines(steps: &[Step]) -> Vec<(&str, u32)> {
    let mut seen = BTreeSet::new();
    let places = steps.iter().filter_map(|step| Some((step.place.file.as_deref()?, step.place.line?)));
    let is_plain = |file: &str| !file.contains(|c: char| c.is_control() || "\"'\\`".contains(c));
    places.filter(|(file, line)| is_plain(file) && seen.insert((*file, *line))).take(MAX_LINES).collect()
}

/// The functions whose names are words.
fn names(targets: &[String]) -> impl Iterator<Item = &String> {
    targets.iter().filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    fn around() -> Surroundings {
        Surroundings { arguments: vec![b"x".to_vec(), b"a\nb".to_vec()], ..Surroundings::default() }
    }

    fn steps() -> [Step; 6] {
        let step = |file: &str, line| {
            let place = Place { file: Some(file.into()), line: Some(line), column: None, function: "main".into() };
            Step { place, ..Step::default() }
        };
        let odd = [step("x\nshell id", 5), step("q\"", 6), step("p'", 7)];
        let [a, b, c] = odd;
        [step("a b.c", 3), step("a b.c", 4), step("a b.c", 3), a, b, c]
    }

    #[test]
    fn each_line_is_watched_once_and_nothing_of_a_name_becomes_a_command() {
        let text = gdb(&steps(), &["reach_error".into(), "bad name".into()], &around());
        assert_eq!(text.matches("break -source \"a b.c\" -line 3\n").count(), 1, "{text}");
        assert_eq!(text.matches("\nbreak ").count(), 3, "{text}");
        assert!(!text.contains("shell") && !text.contains("bad name"), "{text}");
        assert!(text.ends_with("break reach_error\ncommands\nbacktrace\nend\nrun x 'a b'\n"), "{text}");
    }

    #[test]
    fn lldb_is_told_the_same() {
        let text = lldb(&steps(), &["reach_error".into(), "bad name".into()], &around());
        let expected = "settings set auto-confirm true
target create native
breakpoint set --file \"a b.c\" --line 3 --auto-continue true --command \"script print('a b.c:3')\" --command \"frame variable\"
breakpoint set --file \"a b.c\" --line 4 --auto-continue true --command \"script print('a b.c:4')\" --command \"frame variable\"
breakpoint set --name reach_error --command \"thread backtrace\"
process launch -- x 'a b'
";
        assert!(text.ends_with(expected), "{text}");
        assert!(lldb(&[], &[], &Surroundings::default()).ends_with("target create native\nprocess launch\n"));
    }
}
