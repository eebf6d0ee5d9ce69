//! What `kerf cfa` draws and lists besides the automaton: calls, dominators, pointers, pictures.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::{check_bad, folder, kerf};

/// Calls of each kind, and pointers to variables, into an array, to a block and to functions.
const PROGRAM: (&str, &str) = (
    "a.c",
    "#include <stdlib.h>\n\
     extern void show(int *);\n\
     int table[4], *p;\n\
     static void up(int *x) { ++*x; }\n\
     static void down(int *x) { --*x; }\n\
     static void (*step)(int *) = up;\n\
     static void never(void) { show(0); }\n\
     int main(int argc, char **argv) {\n\
     \x20 int k = 1;\n\
     \x20 p = argc > 1 ? &table[2] : &k;\n\
     \x20 int *block = malloc(4);\n\
     \x20 if (argc > 2) step = down;\n\
     \x20 step(p);\n\
     \x20 show(block);\n\
     \x20 return 0;\n\
     }\n",
);

/// The block of `text` that begins with a line that starts with `head`, without that line.
fn below<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let after = text.lines().skip_while(|line| *line != head).skip(1);
    after.take_while(|line| line.starts_with(' ')).map(str::trim).collect()
}

#[test]
fn calls_are_listed_and_drawn() {
    let dir = folder(&[PROGRAM]);
    let text = kerf(dir.path(), &["cfa", "--call-graph", "a.c"]).out;
    let calls = below(&text, "main (a.c:8)");
    for call in ["up (through a pointer)", "down (through a pointer)", "show (without a body)"] {
        assert!(calls.contains(&call), "{call}\n{text}");
    }
    assert!(below(&text, "_start").contains(&"main") && !text.contains("never"), "{text}");
    let of_up = kerf(dir.path(), &["cfa", "--call-graph", "--function", "up", "a.c"]).out;
    assert_eq!(of_up, "up (a.c:4)\n");
    let dot = kerf(dir.path(), &["cfa", "--call-graph", "--dot", "a.c"]).out;
    assert!(dot.starts_with("digraph calls {") && dot.contains("[label=\"show\" style=dashed]"), "{dot}");
    let json = kerf(dir.path(), &["cfa", "--call-graph", "--function", "main", "--json", "a.c"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["items"][0]["function"], &json["items"][0]["place"]), (&"main".into(), &"a.c:8".into()));
}

#[test]
fn pointers_are_listed_and_drawn() {
    let dir = folder(&[PROGRAM]);
    let text = kerf(dir.path(), &["cfa", "--points-to", "a.c"]).out;
    let targets = below(&text, "p (a.c:3)");
    assert!(targets.contains(&"table+8 (a.c:3)") && targets.iter().any(|t| t.contains("k (a.c:8)")), "{text}");
    assert!(!targets.iter().any(|t| t.contains("malloc")), "{text}");
    assert_eq!(below(&text, "step (a.c:6)").len(), 2, "{text}");
    let of_main = kerf(dir.path(), &["cfa", "--points-to", "--function", "main", "a.c"]).out;
    assert!(of_main.contains("block (a.c:8)\n") && !of_main.contains("p (a.c:3)\n"), "{of_main}");
    let more = kerf(dir.path(), &["cfa", "--points-to", "--verbose", "a.c"]).out;
    assert!(more.lines().count() > text.lines().count(), "{more}");
    let dot = kerf(dir.path(), &["cfa", "--points-to", "--dot", "a.c"]).out;
    assert!(dot.starts_with("digraph pointers {") && dot.contains("[label=\"+8\"]"), "{dot}");
    let none = folder(&[("b.cfa", "func main entry l0 exit l1\nvar x bv64\nin main\nl0 -> l1: x := 1:64\n")]);
    assert_eq!(kerf(none.path(), &["cfa", "--points-to", "b.cfa"]).out, "nothing holds an address\n");
}

/// [Lemberger 2018, Fig. 9]: the post-dominators of the running example.
#[test]
fn dominators_are_listed_and_drawn() {
    let dir = folder(&[("running.cfa", include_str!("../../cfa/tests/fixtures/running_example.cfa"))]);
    let text = kerf(dir.path(), &["cfa", "--dominators", "running.cfa"]).out;
    let row = |l: &str| {
        let line = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).find(|row| row[0] == l);
        line.map(|row| (row[1].to_string(), row[2].to_string())).unwrap_or_default()
    };
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    // l18 post-dominates l15, which post-dominates l16; l13 is an end of its own, so that nothing post-dominates l12.
    assert_eq!(row("l2"), pair("-", "l3"));
    assert_eq!(row("l6"), pair("l5", "l5"));
    assert_eq!(row("l12"), pair("l9", "-"));
    assert_eq!(row("l13"), pair("l12", "-"));
    assert_eq!(row("l15"), pair("l12", "l18"));
    assert_eq!(row("l16"), pair("l15", "l15"));
    assert_eq!(row("l18"), pair("l15", "l19"));
    assert_eq!(row("l19"), pair("l18", "-"));
    let dot = kerf(dir.path(), &["cfa", "--dominators", "--dot", "--function", "main", "running.cfa"]).out;
    assert!(dot.contains("d0_l15 -> d0_l16;") && dot.contains("p0_l18 -> p0_l15;"), "{dot}");
    let prepared = kerf(dir.path(), &["cfa", "--dominators", "--prepared", "running.cfa"]).out;
    assert_eq!(prepared, text);
}

/// A variable of each type, and a condition of three tests.
#[test]
fn domain_types_are_listed() {
    let program = (
        "types.c",
        "extern int __VERIFIER_nondet_int(void);\n\
         extern void reach_error(void);\n\
         int state = 1, steps, size = 10, alarm;\n\
         static void step(unsigned char code) { if (code == 200) alarm = 1; }\n\
         static int begins(void) { return state == 1; }\n\
         int main(void) {\n\
         \x20 while (1) {\n\
         \x20   int input = __VERIFIER_nondet_int();\n\
         \x20   if (state == 1 && (input == 3 || !alarm)) state = -2;\n\
         \x20   int first = begins();\n\
         \x20   if (first == 1) steps = steps + 1;\n\
         \x20   size = size * 2;\n\
         \x20   step(steps == 5 ? 200 : 7);\n\
         \x20   if (state == 4 && size > steps) reach_error();\n\
         \x20 }\n\
         }\n",
    );
    let dir = folder(&[program]);
    let text = kerf(dir.path(), &["cfa", "--domain-types", "types.c"]).out;
    let row = |name: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or("");
        line.split_whitespace().enumerate().filter(|(i, _)| *i != 2).map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("state"), "state EQ -2, 1, 4", "{text}");
    assert_eq!(row("alarm"), "alarm BOOL 0, 1", "{text}");
    assert_eq!(row("main::first"), "main::first BOOL 0, 1", "{text}");
    assert_eq!(row("main::input"), "main::input EQ 3", "{text}");
    assert_eq!(row("step::code"), "step::code EQ 7, 200", "{text}");
    assert!(row("steps").starts_with("steps OTHER") && row("size").starts_with("size OTHER"), "{text}");
    for measure in
        ["classification: ECA-MUL", "4  state variables", "2  conjunctions", "1  disjunctions", "1  negations"]
    {
        assert!(text.contains(measure), "{measure}\n{text}");
    }
    let one = kerf(dir.path(), &["cfa", "--domain-types", "--prepared", "--function", "step", "types.c"]).out;
    assert!(one.contains("step::code") && !one.contains("main::input"), "{one}");
    let json = kerf(dir.path(), &["cfa", "--domain-types", "--json", "types.c"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let items = json["items"].as_array().expect("rows");
    let code = items.iter().find(|item| item["variable"] == "step::code").expect("a row");
    assert_eq!((&code["domain"], &code["place"]), (&"EQ".into(), &"types.c:4".into()));
    assert_eq!(code["constants"], serde_json::json!(["7", "200"]));
    assert_eq!((&json["measures"]["classification"], &json["measures"]["products"]), (&"ECA-MUL".into(), &1.into()));
}

#[test]
fn one_function_is_drawn() {
    let dir = folder(&[PROGRAM]);
    let dot = kerf(dir.path(), &["cfa", "--dot", "--function", "up", "a.c"]).out;
    assert!(dot.contains("label=\"up\"") && !dot.contains("label=\"main\""), "{dot}");
    check_bad(&[PROGRAM], &["cfa", "--dot", "--function", "nobody", "a.c"], "--function: no function nobody");
    check_bad(&[PROGRAM], &["cfa", "--function", "up", "a.c"], "--function: only a graph");
}

#[test]
fn forms_that_exclude_each_other_are_refused() {
    let dir = folder(&[PROGRAM]);
    for args in [
        &["--svg", "--dot"][..],
        &["--svg", "--text"],
        &["--call-graph", "--points-to"],
        &["--dominators", "--dependence-graph"],
        &["--call-graph", "--prepared"],
        &["--points-to", "--pixel-tree", "a.svg"],
        &["--domain-types", "--dot"],
        &["--domain-types", "--points-to"],
    ] {
        assert_eq!(kerf(dir.path(), &[&["cfa"], args, &["a.c"]].concat()).code, 1, "{args:?}");
    }
}

/// Runs `kerf` where `dot` is this script, or is not there.
fn with_dot(dir: &Path, script: Option<&str>, args: &[&str]) -> (Option<i32>, String, String) {
    let bin = dir.join("bin");
    std::fs::create_dir_all(&bin).expect("a directory");
    if let Some(script) = script {
        std::fs::write(bin.join("dot"), format!("#!/bin/sh\n{script}\n")).expect("a file");
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bin.join("dot"), runs).expect("permissions");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_kerf"));
    // The shell of the script needs programs of its own.
    let path = if script.is_some() { format!("{}:/usr/bin:/bin", bin.display()) } else { bin.display().to_string() };
    let output = command.args(args).current_dir(dir).env("PATH", path).output().expect("kerf runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn pictures_are_drawn_by_graphviz() {
    const CFA: &str = "func main entry l0 exit l1\nin main\nl0 -> l1: skip\n";
    // Draws a comment of what it is given: dot -Tsvg -o OUT IN
    let draws = "[ \"$1 $2\" = '-Tsvg -o' ] && { echo '<svg><!--'; cat \"$4\"; echo '--></svg>'; } > \"$3\"";
    for args in [&["cfa", "--svg"][..], &["slice", "--svg"], &["cfa", "--svg", "--dominators"]] {
        let dir = folder(&[("a.cfa", CFA)]);
        let args = [args, &["a.cfa"]].concat();
        let (code, out, err) = with_dot(dir.path(), Some(draws), &args);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.starts_with("<svg><!--\ndigraph ") && out.ends_with("--></svg>\n"), "{out}");
        for (script, expected) in [
            (None, "--svg: cannot run Graphviz's program dot: "),
            (Some("echo no memory >&2; exit 3"), "--svg: dot fails (exit status: 3): no memory"),
            (Some("exit 0"), "--svg: dot writes no picture"),
        ] {
            let dir = folder(&[("a.cfa", CFA)]);
            let (code, out, err) = with_dot(dir.path(), script, &args);
            assert_eq!((code, &*out, err.lines().filter(|l| l.contains("--svg")).count()), (Some(1), "", 1), "{err}");
            assert!(err.contains(expected) && err.contains("--dot prints the graph itself"), "{err}");
        }
    }
}
