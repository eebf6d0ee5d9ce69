//! Automata in the text format where programs are read: the same answers as for what they were made of, and what only a front-end
//! can provide is refused in words.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{check_bad, folder, kerf};
use cfa::{Cfa, LocId, Op};

const KREPPEL_3: &str = include_str!("../../cfa/tests/fixtures/kreppel_3.cfa");
const FIGURE_23: &str = include_str!("../../cfa/tests/fixtures/lemberger_23.cfa");

/// [Lemberger 2018, Fig. 15a], where `main` returns in the end.
const FIGURE_15: (&str, &str) = (
    "figure_15.c",
    "int x = 10;\n\nint decre(int x) {\n  return x - 1;\n}\n\nint main() {\n  while (x > 0) {\n    x = decre(x);\n  }\n  return 0;\n}\n",
);

/// A program with memory, an undefined function, and a bound that decides whether the error is reached.
fn array(bound: u32) -> String {
    format!(
        "extern int input(void); extern void reach_error(void), show(int *);\nint a[4];\n\
         int main(void) {{\n  unsigned i = input();\n  if (i >= 4) return 1;\n  int *p = &a[i];\n  *p = 7;\n  show(p);\n  \
         if (a[i] != {bound}) reach_error();\n  return 0;\n}}\n"
    )
}

/// Everything that `kerf verify` says, but for the native run, which an automaton cannot have.
fn verified(dir: &Path, args: &[&str]) -> (i32, String) {
    let answer = kerf(dir, &[&["verify", "--timeout", "300s"], args].concat());
    assert_eq!(answer.err, "", "{args:?}");
    (answer.code, answer.out)
}

#[test]
fn an_automaton_has_the_verdict_of_its_program() {
    for (bound, code) in [(7, 0), (8, 10)] {
        for undefined in ["pure", "havoc"] {
            let dir = folder(&[("a.c", &array(bound))]);
            let text = kerf(dir.path(), &["cfa", "--text", "--extern", undefined, "a.c"]).out;
            std::fs::write(dir.path().join("a.cfa"), &text).expect("a file");
            assert_eq!(kerf(dir.path(), &["cfa", "--text", "a.cfa"]).out, text);
            let program = verified(dir.path(), &["--extern", undefined, "a.c"]);
            let expected = if undefined == "havoc" { 10 } else { code };
            assert_eq!(program.0, expected, "{bound}, {undefined}: {}", program.1);
            assert_eq!(verified(dir.path(), &["a.cfa"]), program, "{bound}, {undefined}");
        }
    }
}

#[test]
fn certificates_of_automata_are_checked() {
    let dir = folder(&[("a.c", &array(7))]);
    let text = kerf(dir.path(), &["cfa", "--text", "a.c"]).out;
    std::fs::write(dir.path().join("a.cfa"), &text).expect("a file");
    std::fs::write(dir.path().join("other.cfa"), text.replace("7:32", "9:32")).expect("a file");
    assert_eq!(verified(dir.path(), &["--output", "out", "a.cfa"]).0, 0);
    let check = |file: &str| kerf(dir.path(), &["certificate", "check", file, "out/certificate.txt"]);
    assert!(check("a.cfa").out.starts_with("CERTIFICATE: valid"), "{}", check("a.cfa").out);
    let other = check("other.cfa");
    assert!(other.code == 1 && other.err.contains("the certificate is for another program"), "{}", other.err);
}

/// [Kreppel 2019, Example 3], in which the text itself is the source.
#[test]
fn a_text_without_positions_is_its_own_source() {
    let dir = folder(&[("k.cfa", KREPPEL_3), ("holds.cfa", &KREPPEL_3.replace("mem p 0:32", "mem p 7:32"))]);
    let (code, said) = verified(dir.path(), &["--output", "out", "k.cfa"]);
    assert_eq!(code, 10);
    for line in [
        "the target l7 is reached at k.cfa:16 in main()",
        "  k.cfa:15  l5 -> l6: mem := (write mem p 0:32)    a = 0",
        "Note: there is no native run, since an automaton cannot be compiled",
    ] {
        assert!(said.lines().any(|l| l == line), "{line}\n{said}");
    }
    assert_eq!(verified(dir.path(), &["holds.cfa"]).0, 0);
    let why = kerf(dir.path(), &["slice", "--why", "15", "k.cfa"]).out;
    assert!(why.starts_with("k.cfa:15"), "{why}");
}

#[test]
fn a_text_without_targets_says_so() {
    let dir = folder(&[("a.cfa", FIGURE_23)]);
    let (code, said) = verified(dir.path(), &["a.cfa"]);
    assert!(code == 0 && said.contains("Note: a.cfa has no target, so nothing can violate the property\n"), "{said}");
}

#[test]
fn malformed_automata_get_one_line() {
    let bad = |text: &str, expected: &str| {
        for command in ["verify", "slice", "cfa"] {
            check_bad(&[("a.cfa", text)], &[command, "a.cfa"], expected);
        }
    };
    bad("", "a.cfa:1: the entry function does not exist");
    bad(&KREPPEL_3[..KREPPEL_3.len() - 4], "a.cfa:18: the line ends too early");
    bad(&KREPPEL_3.replace("p := &a", "p := &b"), "a.cfa:12: there is no object `b`");
    bad(
        &KREPPEL_3.replace("l3 -> l4: mem", "l2 -> l4: mem"),
        "a.cfa:11: the location l2: two successors without conditions",
    );
    check_bad(&[], &["verify", "none.cfa"], "none.cfa: no such file");
}

/// Each byte of a text changed or cut off: an answer or one line about the text, never a defect.
#[test]
fn mutants_are_no_defects() {
    let step = 23;
    for (i, _) in KREPPEL_3.char_indices().skip(260).step_by(step) {
        for mutant in [KREPPEL_3[..i].to_string(), format!("{}9{}", &KREPPEL_3[..i], &KREPPEL_3[i + 1..])] {
            let dir = folder(&[("a.cfa", &mutant)]);
            let answer = kerf(dir.path(), &["verify", "--timeout", "60s", "a.cfa"]);
            assert!([0, 1, 10, 20].contains(&answer.code), "{}{}\n{mutant}", answer.out, answer.err);
            assert!(!answer.out.contains("internal error"), "{}\n{mutant}", answer.out);
        }
    }
}

#[test]
fn what_an_automaton_cannot_do_is_said() {
    let dir = folder(&[("a.c", &array(7)), ("a.spc", "automaton a\nstate A initial\n  exit -> ERROR\n")]);
    let prp = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    std::fs::write(dir.path().join("right.prp"), prp).expect("a file");
    std::fs::write(dir.path().join("wrong.prp"), prp.replace("reach_error", "show")).expect("a file");
    for (form, file) in [(&["cfa", "--text"][..], "a.cfa"), (&["cfa", "--prepared", "--text"], "prepared.cfa")] {
        let text = kerf(dir.path(), &[form, &["a.c"]].concat()).out;
        std::fs::write(dir.path().join(file), text).expect("a file");
    }
    let refused = |args: &[&str], expected: &str| {
        let answer = kerf(dir.path(), args);
        assert_eq!((answer.code, answer.err.lines().count()), (1, 1), "{args:?}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(expected), "{args:?}: {}", answer.err);
    };
    refused(&["verify", "a.cfa", "a.c"], "a.cfa: an automaton is a whole program, which is not linked");
    refused(&["verify", "prepared.cfa"], "prepared.cfa: the automaton is already prepared");
    refused(&["verify", "--extern", "havoc", "a.cfa"], "what undefined functions do is fixed in an automaton");
    refused(&["verify", "--entry", "f", "a.cfa"], "begin at its entry, which is not f");
    refused(&["verify", "--property", "a.spc", "a.cfa"], "events that specification automata observe");
    refused(&["verify", "--property", "wrong.prp", "a.cfa"], "is fixed in an automaton, and is not show here");
    refused(&["verify", "--property", "label:L", "a.cfa"], "is not label L here");
    refused(&["slice", "-o", "a.bc", "a.cfa"], "a.cfa: an automaton has no LLVM module");
    refused(&["slice", "-c", "show", "a.cfa"], "does not say what a function without a body is passed");
    refused(&["compare", "a.cfa"], "a.cfa: an automaton has no LLVM module");
    refused(&["llvm-slicer", "-c", "show", "a.cfa"], "a.cfa: an automaton has no LLVM module");
    assert_eq!(verified(dir.path(), &["--property", "right.prp", "a.cfa"]).0, 0);
    assert_eq!(verified(dir.path(), &["--entry", "main", "a.cfa"]).0, 0);
}

/// A property that is not the customary one goes into the text.
#[test]
fn automata_are_made_for_a_property() {
    let program =
        "extern int input(void);\nint main(void) {\n  if (input() == 3) goto L;\n  return 0;\nL:\n  return 1;\n}\n";
    let dir = folder(&[("a.c", program)]);
    let text = kerf(dir.path(), &["cfa", "--property", "label:L", "--text", "a.c"]).out;
    std::fs::write(dir.path().join("a.cfa"), text).expect("a file");
    for args in [&["a.cfa"][..], &["--property", "label:L", "a.cfa"]] {
        let (code, said) = verified(dir.path(), args);
        assert!(code == 10 && said.starts_with("the label L is reached at a.c:"), "{said}");
    }
}

/// Specification automata are woven into the text.
#[test]
fn a_text_may_contain_specification_automata() {
    let automaton = "automaton locks\nstate Free initial\n  call lock -> Taken\nstate Taken\n  call lock -> ERROR\n";
    for (times, code) in [(1, 0), (2, 10)] {
        let program = format!("extern void lock(void);\nint main(void) {{ {} return 0; }}\n", "lock(); ".repeat(times));
        let dir = folder(&[("a.c", &program), ("a.spc", automaton)]);
        let text = kerf(dir.path(), &["cfa", "--property", "a.spc", "--text", "a.c"]).out;
        std::fs::write(dir.path().join("a.cfa"), text).expect("a file");
        assert_eq!(verified(dir.path(), &["a.cfa"]).0, code);
    }
}

/// The branches and calls of a function, with the ways between them: `entry`, `exit`, locations with two ways by their order.
fn skeleton(cfa: &Cfa, function: &str) -> BTreeSet<String> {
    let func = cfa.funcs.iter().find(|f| f.name == function).expect("the function");
    let mut marks: Vec<LocId> = cfa.locs.ids().filter(|l| cfa.locs[*l].func == cfa.locs[func.entry].func).collect();
    marks.retain(|l| cfa.out(*l).len() == 2);
    let name = |l: LocId| match marks.iter().position(|m| *m == l) {
        Some(i) => Some(format!("branch {i}")),
        None => (l == func.exit).then(|| "exit".to_string()),
    };
    let mut ways = BTreeSet::new();
    let starts = marks.iter().flat_map(|l| cfa.out(*l)).map(|e| (name(cfa.edges[*e].from).unwrap_or_default(), *e));
    for (from, first) in starts.chain(cfa.out(func.entry).iter().map(|e| ("entry".to_string(), *e))) {
        let (mut e, mut calls) = (first, String::new());
        let end = loop {
            if let Op::Call(f) = cfa.edges[e].op {
                calls += &format!(" {}()", cfa.funcs[f].name.trim_end_matches('e'));
            }
            match name(cfa.edges[e].to) {
                Some(end) => break end,
                None => e = cfa.out(cfa.edges[e].to)[0],
            }
        };
        ways.insert(format!("{from} ->{calls} {end}"));
    }
    ways
}

/// [Lemberger 2018, Fig. 15 and 23]: the front-end makes the same branches, calls and ways of the program as the document, and both
/// automata have the same final value of x.
#[test]
fn figure_15_becomes_the_automaton_of_figure_23() {
    let dir = folder(&[FIGURE_15]);
    let ours = cfa::text::parse_raw(&kerf(dir.path(), &["cfa", "--text", FIGURE_15.0]).out).expect("an automaton").cfa;
    let documents = cfa::text::parse(FIGURE_23).expect("an automaton");
    let expected = ["branch 0 -> decr() branch 0", "branch 0 -> exit", "entry -> branch 0"];
    assert_eq!(skeleton(&documents, "main"), expected.map(String::from).into());
    assert_eq!(skeleton(&ours, "main"), skeleton(&documents, "main"));
    assert_eq!(skeleton(&ours, "decre"), skeleton(&documents, "decr"));
    for (value, code) in [(0, 0), (1, 10)] {
        let text = FIGURE_23.replace(
            "  l31 -> l34: |main:9| := |%1|\n",
            &format!(
                "  l31 -> l32: [(= {value}:32 |@x|)]\n  l31 -> l33: [(not (= {value}:32 |@x|))]\n  l32 -> l34: skip\n  target l33\n"
            ),
        );
        let program = FIGURE_15.1.replace("  return 0;", &format!("  if (x != {value}) reach_error();"));
        let program = format!("extern void reach_error(void);\n{program}");
        let dir = folder(&[("a.cfa", &text), ("a.c", &program)]);
        assert_eq!((verified(dir.path(), &["a.cfa"]).0, verified(dir.path(), &["a.c"]).0), (code, code), "{value}");
    }
}
