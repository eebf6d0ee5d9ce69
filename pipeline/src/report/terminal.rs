//! A report as text for a terminal, above the `RESULT` line.

use std::fmt::Write as _;

use crate::report::excerpt::{Excerpt, printable};
use crate::report::undecided::{Tried, Undecided};
use crate::report::vacuity::{Reach, Vacuity};
use crate::report::{Input, NativeRun, PossibleError, Report, Step, Verdict, Violation};

/// How a report is rendered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// Whether to print everything, however long, and the statistics.
    pub verbose: bool,
}

/// Number of steps and inputs shown at each end of a long list.
const SHOWN_AT_EACH_END: usize = 15;

/// Number of equal inputs in a row that are shown as one.
const FOLDED: usize = 4;

/// Number of inputs in the note about undefined behaviour beside another answer.
const SHOWN_INPUTS: usize = 4;

/// The components of the trusted base, printed with `--verbose`.
const TRUSTED: &str = "the translation from LLVM to the automaton and LLVM's inliner, the weaving of specification \
                       automata, the library models, the calls by name that stand for a call of an unknown pointer, \
                       the rewriting of accesses to memories and variables, the terms and their meaning; for a proof \
                       also the view of a slice, the choice of the assumptions that are printed, the checkers (of \
                       certificates, of points-to solutions) and the solver";

/// The whole report, which ends in the line `RESULT: ...`.
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    if let Some(violation) = &report.violation {
        render_violation(&mut out, violation, style);
    }
    if let Some(proof) = &report.proof {
        let _ = writeln!(out, "{}", paint(style, "1;32", "The property holds."));
        let _ = writeln!(out, "  Proof: {}", proof.method);
        let _ = writeln!(out, "  Certificate checked on the whole program: {}", proof.checked);
    }
    if let Some(vacuity) = &report.vacuity {
        render_vacuity(&mut out, vacuity, style);
    }
    if let Some(error) = &report.possible_error {
        render_possible_error(&mut out, error, matches!(report.verdict, Verdict::Unknown { .. }), style);
    }
    if !report.assumptions.is_empty() {
        let _ = writeln!(out, "Assumptions:");
        for assumption in &report.assumptions {
            let _ = writeln!(out, "  - {assumption}");
        }
    }
    for note in &report.notes {
        let _ = writeln!(out, "Note: {note}");
    }
    if let (Verdict::Unknown { .. }, Some(undecided)) = (&report.verdict, &report.undecided) {
        render_undecided(&mut out, undecided, style);
    }
    if style.verbose {
        if !matches!(report.verdict, Verdict::Unknown { .. }) {
            let _ = writeln!(out, "Trusted: {TRUSTED}.");
        }
        render_statistics(&mut out, report);
    }
    if !report.evidence.is_empty() {
        let _ = writeln!(out, "Evidence:");
        let width = report.evidence.iter().map(|e| e.kind.len()).max().unwrap_or(0);
        for evidence in &report.evidence {
            let _ = writeln!(out, "  {:width$}  {}", evidence.kind, evidence.path);
        }
    }
    // This line is never coloured, because other tools look for it.
    let _ = writeln!(out, "{}", result_line(report));
    out
}

/// The line for which other tools look.
pub fn result_line(report: &Report) -> String {
    format!("RESULT: {}", report.verdict)
}

/// A counterexample alone, in full, without colours.
pub fn render_counterexample(violation: &Violation) -> String {
    let mut out = String::new();
    render_violation(&mut out, violation, Style { color: false, verbose: true });
    out
}

fn render_violation(out: &mut String, violation: &Violation, style: Style) {
    let function = &violation.place.function;
    let within = if function.is_empty() { String::new() } else { format!(" in {function}()") };
    let head = format!("{} at {}{within}", violation.what, violation.place);
    let _ = writeln!(out, "{}", paint(style, "1;31", &head));
    render_excerpt(out, &violation.excerpt, true, style);
    match &violation.shrunk {
        Some(from) => {
            let (to, steps) = (violation.inputs.len(), from.to_steps);
            let _ = writeln!(out, "Shrunk to {to} inputs and {steps} steps, from {} steps.", from.steps);
            let (zero, others): (Vec<Input>, Vec<Input>) =
                violation.inputs.iter().cloned().partition(|input| input.value == "0");
            render_inputs(out, &others, style);
            if !zero.is_empty() {
                let _ = writeln!(out, "The inputs that are not listed are 0: {}.", zero.len());
            }
        }
        None => render_inputs(out, &violation.inputs, style),
    }
    render_steps(out, "Path to the error:", &violation.steps, style);
    let _ = writeln!(out, "Replayed on the whole program: the violation is real.");
    if let Some(place) = &violation.signed_overflow {
        let _ = writeln!(out, "The execution has a signed overflow at {place}, where the value wraps around.");
    }
    match &violation.native_run {
        Some(NativeRun::Reproduced) => {
            let _ = writeln!(out, "Native run on these inputs: reproduced.");
        }
        Some(NativeRun::NotReproduced(reason)) => {
            let _ = writeln!(out, "Native run on these inputs: not reproduced, because {reason}.");
        }
        Some(NativeRun::Unexplained(how)) => {
            let _ = writeln!(
                out,
                "Native run on these inputs: not reproduced, for no known reason: {how}. This may be a bug in kerf; please report it."
            );
        }
        None => {}
    }
}

/// What a proof is about. That all checks are reached is said only if everything is.
fn render_vacuity(out: &mut String, vacuity: &Vacuity, style: Style) {
    let mut has_vacuous = false;
    for check in &vacuity.checks {
        let place = format!("the check at {} in {}()", check.place, check.place.function);
        let text = match check.reach {
            Reach::Reached if style.verbose => format!("Reached: {place}, by an execution."),
            Reach::Undecided if style.verbose => format!("Not decided: whether {place} is reached."),
            Reach::Reached | Reach::Undecided => continue,
            Reach::Never => {
                has_vacuous = true;
                paint(style, "1;33", &format!("Vacuous: no execution comes to {place}."))
            }
        };
        let _ = writeln!(out, "  {text}");
        render_excerpt(out, &check.excerpt, false, style);
    }
    let text = match vacuity.end {
        Reach::Never if has_vacuous || style.verbose => "No execution comes to the end of the program.",
        Reach::Reached if style.verbose => "An execution comes to the end of the program.",
        Reach::Undecided if style.verbose => "Not decided: whether an execution comes to the end of the program.",
        _ => return,
    };
    let _ = writeln!(out, "  {text}");
}

/// What was tried, what blocked a proof, and what may help.
fn render_undecided(out: &mut String, undecided: &Undecided, style: Style) {
    if !undecided.tried.is_empty() {
        let _ = writeln!(out, "{}", paint(style, "1;33", "Neither proved nor refuted. What was tried:"));
        let row = |tried: &Tried| {
            let turns = if tried.turns > 1 { format!(" ({} turns)", tried.turns) } else { String::new() };
            [format!("{}{turns}", tried.name), format!("{:.2} s", tried.ms / 1e3), tried.end.clone()]
        };
        table(out, &undecided.tried.iter().map(row).collect::<Vec<_>>(), style.verbose);
    }
    if let Some(blocked) = &undecided.blocked {
        let within = format!("the loop at {} in {}()", blocked.place, blocked.place.function);
        let (what, at, k) = (&blocked.what, &blocked.target, blocked.k);
        let _ = writeln!(out, "Induction fails (k = {k}): no invariant found excludes this state of {within},");
        let _ = writeln!(out, "from which {what} at {at}:");
        let values: Vec<String> = blocked.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let values = if values.is_empty() { "any values".to_string() } else { values.join(", ") };
        let _ = writeln!(out, "  {values}");
        render_excerpt(out, &blocked.excerpt, false, style);
    }
    render_excerpt(out, &undecided.unsupported, false, style);
    if !undecided.advice.is_empty() {
        let _ = writeln!(out, "What may help:");
        for advice in &undecided.advice {
            let _ = writeln!(out, "  - {advice}");
        }
    }
}

/// Undefined behaviour that the property does not ask for; `is_all` says that there is no other answer.
fn render_possible_error(out: &mut String, error: &PossibleError, is_all: bool, style: Style) {
    let function = &error.place.function;
    let within = if function.is_empty() { String::new() } else { format!(" in {function}()") };
    if !is_all && !style.verbose {
        let values: Vec<String> = error.inputs.iter().map(|i| format!("{} = {}", i.source, i.value)).collect();
        let some = values[..values.len().min(SHOWN_INPUTS)].join(", ");
        let more = if values.len() > SHOWN_INPUTS { ", ..." } else { "" };
        let with = if values.is_empty() { String::new() } else { format!(" with the inputs {some}{more}") };
        let _ = writeln!(out, "Note: {} at {}{within}{with} (--verbose shows how)", error.what, error.place);
        render_excerpt(out, &error.excerpt, false, style);
        return;
    }
    let with = if error.inputs.is_empty() { "" } else { " with these inputs" };
    let behind = match is_all {
        true => "; the property behind it was not decided",
        false => "; the property is about something else",
    };
    let head = format!("{} at {}{within}{with}{behind}", error.what, error.place);
    let _ = writeln!(out, "{}", paint(style, "1;33", &head));
    render_excerpt(out, &error.excerpt, false, style);
    render_inputs(out, &error.inputs, style);
    render_steps(out, "Path to it:", &error.steps, style);
    if let Some(what) = &error.rests_on {
        let _ = writeln!(out, "It rests on {what}, which may be different.");
    }
}

/// The source, if there is an excerpt; `is_error` says that it shows an error of the program.
fn render_excerpt(out: &mut String, excerpt: &Option<Excerpt>, is_error: bool, style: Style) {
    if let Some(excerpt) = excerpt {
        out.push_str(&excerpt.render(is_error, style.color));
    }
}

fn render_inputs(out: &mut String, inputs: &[Input], style: Style) {
    if !inputs.is_empty() {
        let _ = writeln!(out, "Inputs, in execution order:");
        table(out, &input_rows(inputs, style.verbose), style.verbose);
    }
}

/// A row for each input; unless `each`, one for [`FOLDED`] or more inputs of one place that follow each other and are equal, such as
/// arguments that do not matter.
fn input_rows(inputs: &[Input], each: bool) -> Vec<[String; 3]> {
    let row = |input: &Input| [input.place.to_string(), input.source.clone(), input.value.clone()];
    let follows = |a: &Input, b: &Input| match (element(&a.source), element(&b.source)) {
        (Some((of, i)), Some((other, k))) => of == other && k == i + 1,
        _ => a.source == b.source,
    };
    let mut rows = Vec::new();
    for run in inputs.chunk_by(|a, b| follows(a, b) && a.place == b.place && a.value == b.value) {
        if each || run.len() < FOLDED {
            rows.extend(run.iter().map(row));
            continue;
        }
        let ([place, source, value], last) = (row(&run[0]), &run[run.len() - 1].source);
        rows.push(match source == *last {
            true => [place, source, format!("{value} ({} times)", run.len())],
            false => [place, format!("{source} to {last}"), value],
        });
    }
    rows
}

/// The vector and the index in `argv[1]`.
fn element(source: &str) -> Option<(&str, u64)> {
    let (of, index) = source.strip_suffix(']')?.split_once('[')?;
    Some((of, index.parse().ok()?))
}

fn render_steps(out: &mut String, head: &str, steps: &[Step], style: Style) {
    if !steps.is_empty() {
        let _ = writeln!(out, "{head}");
        let row = |step: &Step| [step.place.to_string(), step.text.clone(), values(step)];
        table(out, &steps.iter().map(row).collect::<Vec<_>>(), style.verbose);
    }
}

fn values(step: &Step) -> String {
    step.values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Rows with aligned columns. Unless `all`, only both ends of a long table are shown.
fn table(out: &mut String, rows: &[[String; 3]], all: bool) {
    let rows: Vec<[String; 3]> = rows.iter().map(|row| row.each_ref().map(|cell| printable(cell))).collect();
    let hidden = if all { 0 } else { rows.len().saturating_sub(2 * SHOWN_AT_EACH_END) };
    let shown = |i: usize| hidden == 0 || i < SHOWN_AT_EACH_END || i >= rows.len() - SHOWN_AT_EACH_END;
    let width = |column: usize| {
        let widths = rows.iter().enumerate().filter(|(i, _)| shown(*i)).map(|(_, row)| row[column].chars().count());
        widths.max().unwrap_or(0).min(60)
    };
    let (first, second) = (width(0), width(1));
    for (i, row) in rows.iter().enumerate() {
        if shown(i) {
            let line = format!("  {:first$}  {:second$}  {}", row[0], row[1], row[2]);
            let _ = writeln!(out, "{}", line.trim_end());
        } else if i == SHOWN_AT_EACH_END {
            let _ = writeln!(out, "  ... {hidden} more (--verbose or --output shows them all) ...");
        }
    }
}

fn render_statistics(out: &mut String, report: &Report) {
    let s = &report.statistics;
    let _ = writeln!(out, "Statistics: {:.2} s wall clock, {:.2} s CPU, {:.0} MiB", s.wall_s, s.cpu_s, s.rss_mb);
    for (phase, ms) in &s.phases_ms {
        let _ = writeln!(out, "  {phase:<28} {:>9.1} ms", ms);
    }
    for part in &s.parts {
        let counts: String = part.counts.iter().map(|(name, count)| format!(", {count} {name}")).collect();
        let _ = writeln!(out, "  - {:<26} {:>9.1} ms: {}{counts}", part.name, part.ms, part.end);
        for (name, ms) in &part.times_ms {
            let _ = writeln!(out, "      {name:<24} {ms:>9.1} ms");
        }
        if !part.slice_sizes.is_empty() {
            let sizes: Vec<String> = part.slice_sizes.iter().map(u64::to_string).collect();
            let _ = writeln!(out, "      edges of each slice      {}", sizes.join(", "));
        }
    }
    for (name, count) in &s.counts {
        let _ = writeln!(out, "  {name:<28} {count:>9}");
    }
}

fn paint(style: Style, code: &str, text: &str) -> String {
    if style.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::excerpt::Mark;
    use crate::report::{Cause, Input, Place, Proof};

    fn place(line: u32) -> Place {
        Place { file: Some("a.c".into()), line: Some(line), column: Some(3), function: "main".into() }
    }

    fn excerpt() -> Excerpt {
        let mark = Mark { line: 7, column: 3, length: 11, label: String::new() };
        Excerpt { file: "a.c".into(), first_line: 7, lines: vec!["  reach_error();".into()], marks: vec![mark] }
    }

    /// What a program's source or file names say is not taken for commands by the terminal.
    #[test]
    fn nothing_of_a_program_is_a_command_for_the_terminal() {
        let place = Place { file: Some("e\x1b[31m.c".into()), line: Some(3), ..Place::default() };
        let step = Step { place: place.clone(), text: "x = 1;\t/* \x1b[2J\x07 */".into(), ..Step::default() };
        let violation = Violation { place, steps: vec![step], ..Violation::default() };
        let text = render_counterexample(&violation);
        assert!(text.contains("e?[31m.c:3") && text.contains("x = 1; /* ?[2J? */"), "{text}");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }

    #[test]
    fn only_terminals_get_colours() {
        let mut report = Report::new(Verdict::False { property: "unreach-call".into() });
        report.violation = Some(Violation { excerpt: Some(excerpt()), ..Violation::default() });
        let [plain, painted] = [false, true].map(|color| render(&report, Style { color, verbose: false }));
        assert!(!plain.contains('\x1b') && painted.contains("\x1b["), "{painted}");
        assert!(painted.ends_with("\nRESULT: false(unreach-call)\n"), "{painted}");
    }

    #[test]
    fn a_violation_shows_inputs_and_steps() {
        let mut report = Report::new(Verdict::False { property: "unreach-call".into() });
        report.violation = Some(Violation {
            what: "reach_error() is called".into(),
            place: place(7),
            excerpt: Some(excerpt()),
            steps: vec![Step {
                place: place(5),
                text: "x := nondet".into(),
                values: vec![("x".into(), "42".into())],
                ..Step::default()
            }],
            inputs: vec![Input {
                place: place(5),
                source: "__VERIFIER_nondet_int".into(),
                occurrence: 0,
                value: "42".into(),
            }],
            signed_overflow: None,
            shrunk: None,
            native_run: Some(NativeRun::Reproduced),
        });
        let expected = "\
reach_error() is called at a.c:7 in main()
 --> a.c:7:3
  |
7 |   reach_error();
  |   ^^^^^^^^^^^
Inputs, in execution order:
  a.c:5  __VERIFIER_nondet_int  42
Path to the error:
  a.c:5  x := nondet  x = 42
Replayed on the whole program: the violation is real.
Native run on these inputs: reproduced.
RESULT: false(unreach-call)
";
        assert_eq!(render(&report, Style::default()), expected);
        if let Some(violation) = &mut report.violation {
            violation.native_run = Some(NativeRun::Unexplained("the native run aborts before the violation".into()));
        }
        let text = render(&report, Style::default());
        assert!(
            text.contains("not reproduced, for no known reason: the native run aborts before the violation. "),
            "{text}"
        );
    }

    #[test]
    fn a_proof_shows_what_it_rests_on() {
        let mut report = Report::new(Verdict::True);
        report.proof = Some(Proof { method: "all loops unwound".into(), checked: "3 nodes".into() });
        report.assumptions.push("malloc never fails".into());
        let text = render(&report, Style::default());
        assert!(text.contains("  - malloc never fails\n") && text.ends_with("RESULT: true\n"), "{text}");
    }

    #[test]
    fn undefined_behaviour_on_the_way_is_shown_beside_any_answer() {
        let input = |value: &str| Input { place: place(5), source: "input".into(), occurrence: 0, value: value.into() };
        let mut report = Report::new(Verdict::unknown(Cause::NotConfirmed, "why"));
        report.possible_error = Some(PossibleError {
            what: "possible memory error".into(),
            place: place(7),
            excerpt: None,
            steps: vec![Step { place: place(5), text: "x = input();".into(), ..Step::default() }],
            inputs: (0..6).map(|i| input(&i.to_string())).collect(),
            rests_on: Some("the order of addresses at a.c:6".into()),
        });
        let text = render(&report, Style::default());
        assert!(
            text.starts_with("possible memory error at a.c:7 in main() with these inputs; the property behind"),
            "{text}"
        );
        assert!(
            text.contains("Path to it:\n  a.c:5  x = input();\nIt rests on the order of addresses at a.c:6"),
            "{text}"
        );
        report.verdict = Verdict::True;
        let expected = "Note: possible memory error at a.c:7 in main() with the inputs input = 0, input = 1, input = 2, \
                        input = 3, ... (--verbose shows how)\nRESULT: true\n";
        assert_eq!(render(&report, Style::default()), expected);
    }

    #[test]
    fn a_reason_stays_on_the_result_line() {
        let report = Report::new(Verdict::unknown(Cause::Limit, "two\n  lines"));
        assert_eq!(render(&report, Style::default()), "RESULT: unknown (two lines)\n");
    }

    #[test]
    fn equal_inputs_in_a_row_are_shown_as_one() {
        let input =
            |source: &str, value: &str| Input { source: source.into(), value: value.into(), ..Input::default() };
        let mut inputs: Vec<Input> = (1..60).map(|i| input(&format!("argv[{i}]"), "\"\"")).collect();
        inputs[40].value = "\"x\"".into();
        inputs.remove(50);
        inputs.extend((0..9).map(|_| input("read_int", "7")));
        inputs.extend((0..3).map(|_| input("read_int", "8")));
        let told = |each: bool| -> Vec<String> {
            input_rows(&inputs, each).into_iter().map(|[_, source, value]| format!("{source} = {value}")).collect()
        };
        let folded = [
            "argv[1] to argv[40] = \"\"",
            "argv[41] = \"x\"",
            "argv[42] to argv[50] = \"\"",
            "argv[52] to argv[59] = \"\"",
            "read_int = 7 (9 times)",
            "read_int = 8",
            "read_int = 8",
            "read_int = 8",
        ];
        assert_eq!((told(false), told(true).len()), (folded.map(String::from).to_vec(), inputs.len()));
    }

    #[test]
    fn long_tables_are_cut_in_the_middle() {
        let mut out = String::new();
        let rows: Vec<[String; 3]> = (0..100).map(|i| [i.to_string(), String::new(), String::new()]).collect();
        table(&mut out, &rows, false);
        assert_eq!(out.lines().count(), 2 * SHOWN_AT_EACH_END + 1);
        assert!(out.contains("... 70 more"), "{out}");
    }
}
