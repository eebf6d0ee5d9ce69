//! Specification automata, through the binary: task programs for every kind of event, the certificates and counterexamples of woven
//! programs, and automata against programs that have them written into their functions by hand.

use kerf_testing::Random;
use kerf_tests::kerf::{Answer, Verdict, binary, verify, verify_patiently};
use kerf_tests::tasks::{assert_all, check, check_strategy, expected, programs};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is wrong with the first line of an alarm: it says what the program's second line expects.
fn names_the_violation(file: &Path, answer: &Answer) -> Option<String> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let expected = text.lines().find_map(|l| l.strip_prefix("// VIOLATED: "))?;
    let told = answer.output.lines().next().unwrap_or("");
    (!told.starts_with(&format!("{expected} at "))).then(|| format!("'{told}', expected '{expected}'"))
}

#[test]
fn programs_with_automata_have_their_verdicts() {
    let files = programs("automata");
    let mut runs: Vec<(&PathBuf, &[&str])> = Vec::new();
    for file in &files {
        runs.extend([(file, &[][..]), (file, &["--no-slice"][..])]);
    }
    assert_all(&runs, |(file, options)| check(file, options, |answer| names_the_violation(file, answer)));
}

#[test]
fn certificates_of_woven_programs_are_checked() {
    let files: Vec<PathBuf> =
        programs("automata").into_iter().filter(|f| expected(f).verdict == Verdict::True).collect();
    assert_all(&files, |file| {
        let dir = tempfile::tempdir().expect("a directory");
        let dir = dir.path().display().to_string();
        let e = expected(file);
        let wrong = check(file, &["--output", &dir], |_| None);
        if wrong.is_some() {
            return wrong;
        }
        let certificate = format!("{dir}/certificate.txt");
        let checked = |property: &str| {
            let mut command = Command::new(binary());
            command.args(["certificate", "check", "--data-model", &e.data_model, "--property", property]);
            let run = command.arg(file).arg(&certificate).output().expect("kerf runs");
            String::from_utf8_lossy(&run.stdout).into_owned()
        };
        let said = checked(&e.property);
        // An automaton that calls the very end of the program an error is another property.
        let other = format!("{dir}/other.spc");
        std::fs::write(&other, "automaton other\nstate S initial\n  exit -> ERROR\n").expect("a file");
        let other = checked(&other);
        let wrong = !said.starts_with("CERTIFICATE: valid") || other.starts_with("CERTIFICATE: valid");
        wrong.then(|| format!("{}: {said} {other}", file.display()))
    });
}

/// The functions whose calls violate the property of a task program.
fn targets(text: &str) -> &'static str {
    let names = [("reach_error", "__VERIFIER_error"), ("__VERIFIER_error", "reach_error")];
    match names.into_iter().find(|(name, _)| text.contains(name)) {
        Some(_) => "call reach_error, __VERIFIER_error",
        None => "call __assert_fail",
    }
}

#[test]
fn the_built_in_automaton_says_what_the_property_says() {
    let dir = tempfile::tempdir().expect("a directory");
    // Few of them: what an automaton adds to a program does not depend on the program.
    let files: Vec<PathBuf> = programs("programs").into_iter().step_by(16).collect();
    assert_all(&files, |file| {
        let text = std::fs::read_to_string(file).expect("a readable file");
        // Assertions of other verifiers violate the property, too; the automaton does not observe them.
        if [
            "__CPROVER_assert",
            "__SEAHORN_fail",
            "sassert",
            "sea_assert",
            "__VERIFIER_assert_not",
            "klee_assert",
            "klee_report_error",
            "verifier.error",
        ]
        .iter()
        .any(|name| text.contains(name))
        {
            return None;
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let specification = dir.path().join(format!("{name}.spc"));
        let event = targets(&text);
        let automaton = format!("automaton unreach-call\nstate Start initial\n    {event} -> ERROR \"it is called\"\n");
        std::fs::write(&specification, automaton).expect("a file");
        let e = expected(file);
        let verdict = |property: &str| {
            verify_patiently(file, &["--property", property, "--data-model", &e.data_model])
                .and_then(|answer| answer.verdict())
        };
        match verdict(&specification.display().to_string()) {
            Ok(v) if v == e.verdict => None,
            // Not the automaton's fault where the property has no answer either.
            Ok(Verdict::Unknown) if matches!(verdict(&e.property), Ok(Verdict::Unknown)) => None,
            other => Some(format!("{name}: {other:?}, expected {:?}", e.verdict)),
        }
    });
}

#[test]
fn strategies_that_refine_are_never_wrong_about_automata() {
    const STRATEGIES: [&str; 4] = ["value-cegar", "symex-cegar", "value-cegar-slicing", "symex-cegar-slicing"];
    let files = programs("automata");
    // Two of them for each program, one of which slices.
    let pair = |i: usize| [STRATEGIES[i % 2], STRATEGIES[2 + (i + 1) % 2]];
    let runs: Vec<(&PathBuf, &str)> =
        files.iter().enumerate().flat_map(|(i, file)| pair(i).map(|s| (file, s))).collect();
    assert_all(&runs, |(file, strategy)| check_strategy(file, strategy));
}

#[test]
fn automata_are_tracked_whatever_the_precision() {
    // The precision begins with nothing, and the loop runs as often as an input says: only the states of the automaton matter.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("automata/locks_in_a_loop_true.c");
    let told = |answer: &Answer| answer.output.contains("refinements").then(|| answer.output.clone());
    assert_eq!(check(&file, &["--strategy", "value-cegar"], told), None);
}

/// A random automaton over `a()`, `b(n)` and the end of the program, as text, and the same as C functions.
struct RandomAutomaton {
    text: String,
    instrumented: String,
}

/// Events in the format of automata, with the C condition that they have in `event(kind, n)`.
const EVENTS: [(&str, &str); 5] = [
    ("call a", "kind == 0"),
    ("call b", "kind == 1"),
    ("call b if $1 == 2", "kind == 1 && n == 2"),
    ("call b if $1 > shared", "kind == 1 && n > shared"),
    ("exit", "kind == 2"),
];

fn random_automaton(rng: &mut Random) -> RandomAutomaton {
    let states = 2 + rng.below(3);
    let mut text = String::from("automaton random\n");
    let mut body = String::new();
    for state in 0..states {
        let initial = if state == 0 { " initial" } else { "" };
        let _ = writeln!(text, "state S{state}{initial}");
        let _ = writeln!(body, "    if (q == {state}) {{");
        for _ in 0..2 + rng.below(3) {
            let (event, condition) = rng.pick(&EVENTS);
            let (to, then) = match rng.below(8) {
                0 => ("STOP".to_string(), "ends();".to_string()),
                1..=4 if state > 0 => ("ERROR".to_string(), "reach_error();".to_string()),
                _ => {
                    let to = rng.below(states);
                    (format!("S{to}"), format!("q = {to};"))
                }
            };
            let _ = writeln!(text, "    {event} -> {to}");
            let _ = writeln!(body, "        if ({condition}) {{ {then} return; }}");
        }
        let _ = writeln!(body, "        return;\n    }}");
    }
    // So that every automaton has an error.
    text.push_str("state Never\n    exit -> ERROR\n");
    let head = "extern void reach_error(void);\nextern void __VERIFIER_assume(int);\nstatic int q;\n\
                static void ends(void) { __VERIFIER_assume(0); }\n";
    let calls = "static void a(void) { event(0, 0); }\nstatic void b(int n) { event(1, n); }\n\
                 static void end(void) { event(2, 0); }\n";
    let instrumented = format!("{head}static void event(int kind, int n) {{\n{body}}}\n{calls}");
    RandomAutomaton { text, instrumented }
}

/// Random statements that call `a` and `b`.
fn statements(rng: &mut Random, depth: usize, out: &mut String) {
    for _ in 0..2 + rng.below(4) {
        match rng.below(if depth == 0 { 4 } else { 6 }) {
            0 => out.push_str("a();\n"),
            1 => {
                let _ = writeln!(out, "b({});", rng.below(4));
            }
            2 => out.push_str("b(input());\n"),
            3 => {
                let _ = writeln!(out, "shared = {};", rng.below(4));
            }
            4 => {
                out.push_str("if (input()) {\n");
                statements(rng, depth - 1, out);
                out.push_str("}\n");
            }
            _ => {
                let _ = writeln!(out, "for (int i{depth} = 0; i{depth} < {}; i{depth}++) {{", 1 + rng.below(3));
                statements(rng, depth - 1, out);
                out.push_str("}\n");
            }
        }
    }
}

#[test]
fn automata_say_what_programs_say_that_have_them_written_in() {
    let dir = tempfile::tempdir().expect("a directory");
    let seeds: Vec<u64> = (0..20).collect();
    let verdicts = std::sync::Mutex::new(Vec::new());
    assert_all(&seeds, |&seed| {
        let mut rng = Random::new(seed);
        let RandomAutomaton { text, instrumented } = random_automaton(&mut rng);
        let mut body = String::new();
        statements(&mut rng, 2, &mut body);
        let shared = "extern int input(void);\nint shared;\n";
        let observed = format!("{shared}extern void a(void), b(int);\nint main(void) {{\n{body}return 0; }}\n");
        let by_hand = format!("{shared}{instrumented}int main(void) {{\n{body}end(); return 0; }}\n");
        let file = |name: &str, text: &str| {
            let path = dir.path().join(format!("{seed}{name}"));
            std::fs::write(&path, text).expect("a file");
            path
        };
        let specification = file(".spc", &text).display().to_string();
        let (observed, by_hand) = (file("_observed.c", &observed), file("_by_hand.c", &by_hand));
        let automaton = verify(&observed, &["--property", &specification]).and_then(|a| a.verdict());
        let written = verify(&by_hand, &[]).and_then(|a| a.verdict());
        match (automaton, written) {
            (Ok(a), Ok(b)) if a == b && a != Verdict::Unknown => {
                verdicts.lock().expect("no panic").push(a);
                None
            }
            (a, b) => Some(format!("seed {seed}: {a:?} with the automaton, {b:?} by hand:\n{text}{body}")),
        }
    });
    let verdicts = verdicts.into_inner().expect("no panic");
    for verdict in [Verdict::True, Verdict::False] {
        assert!(verdicts.iter().filter(|v| **v == verdict).count() > 4, "{verdicts:?}");
    }
}
