//! A script for gdb that runs the compiled counterexample, prints the local variables at each of its steps, and stops at the error.
//!
//! Each line of the counterexample becomes a breakpoint whose commands print and go on; the functions whose call is the error stop the
//! program, with a backtrace. So `gdb -x steps.gdb` ends where a person would begin to look.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::report::Step;

/// The script's name in the directory of the harness.
pub const SCRIPT: &str = "steps.gdb";

/// Maximum number of lines at which the program is watched.
const MAX_LINES: usize = 200;

/// The script for a counterexample with these steps, whose last one calls one of the functions `targets`; the program is given so many
/// arguments.
pub fn script(steps: &[Step], targets: &[String], arguments: usize) -> String {
    let mut text = String::from(
        "# Runs the counterexample, prints variables at its steps, and stops at the error.\n\
         # To be used where reproduce.sh has built the program: gdb -x steps.gdb\n\
         set pagination off\nset confirm off\nset breakpoint pending on\nfile native\n",
    );
    let mut seen = BTreeSet::new();
    for step in steps {
        let (Some(file), Some(line)) = (&step.place.file, step.place.line) else { continue };
        // What could end the command is left out.
        if file.contains(|c: char| c.is_control() || c == '"' || c == '\\') || !seen.insert((file, line)) {
            continue;
        }
        if seen.len() > MAX_LINES {
            break;
        }
        let _ = write!(text, "break -source \"{file}\" -line {line}\ncommands\nsilent\necho {file}:{line}\\n\n");
        text.push_str("info locals\ncontinue\nend\n");
    }
    let is_name = |name: &&String| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    for target in targets.iter().filter(is_name) {
        let _ = write!(text, "break {target}\ncommands\nbacktrace\nend\n");
    }
    let _ = writeln!(text, "run{}", " x".repeat(arguments));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    #[test]
    fn each_line_is_watched_once_and_nothing_of_a_name_becomes_a_command() {
        let step = |file: &str, line| {
            let place = Place { file: Some(file.into()), line: Some(line), column: None, function: "main".into() };
            Step { place, ..Step::default() }
        };
        let steps = [step("a b.c", 3), step("a b.c", 4), step("a b.c", 3), step("x\nshell id", 5), step("q\"", 6)];
        let text = script(&steps, &["reach_error".into(), "bad name".into()], 2);
        assert_eq!(text.matches("break -source \"a b.c\" -line 3\n").count(), 1, "{text}");
        assert_eq!(text.matches("\nbreak ").count(), 3, "{text}");
        assert!(!text.contains("shell") && !text.contains("bad name"), "{text}");
        assert!(text.ends_with("break reach_error\ncommands\nbacktrace\nend\nrun x x\n"), "{text}");
    }
}
