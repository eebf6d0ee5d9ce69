//! The command line from outside: exit statuses, messages, and what stands on which stream.

use crate::support::{LOOP, MAIN, check_bad, folder, kerf};

#[test]
fn bad_files_get_one_line() {
    check_bad(&[], &["verify", "none.c"], "none.c: no such file");
    check_bad(&[], &["cfa", "none.bc"], "none.bc: no such file");
    check_bad(&[("a.cpp", "int main() { return 0; }\n")], &["verify", "a.cpp"], "a.cpp: kerf compiles C only");
    for option in ["-E", "-fsyntax-only", "--version"] {
        let expected = format!("a.c: clang writes no bitcode with {option}");
        check_bad(&[MAIN], &["verify", "a.c", "--", option], &expected);
    }
    check_bad(&[], &["verify", "."], ".: is a directory");
    check_bad(&[("a.txt", "")], &["verify", "a.txt"], "a.txt: ");
    check_bad(&[MAIN], &["certificate", "check", "a.c", "none.txt"], "none.txt: no such file");
}

/// What a library function runs into is told by the program's line, and without inputs if there are none.
#[test]
fn faults_in_library_functions_are_told_by_the_line_of_the_program() {
    let text = "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n    char to[9], a[2] = {'a', 'b'};\n\
                \x20   sprintf(to, \"%s\", a);\n    reach_error();\n    return 0;\n}\n";
    let dir = folder(&[("a.c", text)]);
    let answer = kerf(dir.path(), &["verify", "--strategy", "symex", "a.c"]);
    let expected = "RESULT: unknown (possible memory error at a.c:5; the property behind it was not decided)";
    assert_eq!(answer.out.lines().last(), Some(expected), "{}{}", answer.out, answer.err);
}

#[test]
fn bad_properties_get_one_line() {
    check_bad(&[MAIN], &["verify", "--property", "none.prp", "a.c"], "none.prp: no such file");
    check_bad(&[MAIN], &["verify", "--property", "termination", "a.c"], "termination is not supported yet");
    check_bad(&[MAIN], &["verify", "--property", "beauty", "a.c"], "unknown property 'beauty'");
    let overflow = ("o.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    check_bad(&[MAIN, overflow], &["verify", "--property", "o.prp", "a.c"], "o.prp: the property no-overflow is not");
}

#[test]
fn bad_automata_get_one_line() {
    let bad = |text: &str, expected: &str| {
        check_bad(&[MAIN, ("a.spc", text)], &["verify", "--property", "a.spc", "a.c"], expected)
    };
    check_bad(&[MAIN], &["verify", "--property", "none.spc", "a.c"], "none.spc: no such file");
    bad("state A initial\n", "a.spc:1: 'state' is outside of an automaton");
    bad("automaton a\nstate A initial\n  call f -> B\n exit -> ERROR\n", "a.spc:3: the automaton a has no state B");
    bad(
        "automaton a\nstate A initial\n  exit if x > 0 -> ERROR\n",
        "a.spc:3: exit: no variable x in the whole program",
    );
    let good = ("a.spc", "automaton a\nstate A initial\n  exit -> ERROR\n");
    check_bad(&[MAIN, good], &["slice", "--property", "a.spc", "-o", "a.bc", "a.c"], "cannot be written as a module");
    check_bad(&[MAIN, good], &["compare", "--property", "a.spc", "a.c"], "cannot be compared");
}

#[test]
fn violations_of_automata_are_told_in_their_words() {
    let program = "extern void lock(void);\nextern int input(void);\nint main(void) {\n  lock();\n  if (input())\n    lock();\n  return 0;\n}\n";
    let automaton = "automaton locks\nstate Free initial\n  call lock -> Taken\n  call lokc -> Taken\nstate Taken\n  call lock -> ERROR \"taken twice\"\n";
    let dir = folder(&[("a.c", program), ("a.spc", automaton)]);
    let answer = kerf(dir.path(), &["verify", "--property", "a.spc", "a.c"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    assert!(answer.out.starts_with("taken twice at a.c:6 in main()\n"), "{}", answer.out);
    assert!(answer.out.contains("  a.c:4  lock();  ") && answer.out.contains("locks = Taken\n"), "{}", answer.out);
    assert!(answer.out.ends_with("RESULT: false(locks)\n"), "{}", answer.out);
    assert!(answer.out.contains("Note: a.spc:4: 'call lokc' matches nothing in this program\n"), "{}", answer.out);
    assert_eq!(answer.err, "");
    let slice = kerf(dir.path(), &["slice", "--property", "a.spc", "--annotate", "a.c"]).out;
    assert!(slice.contains("+     5    if (input())") || slice.contains(">     5    if (input())"), "{slice}");
}

/// The log follows the schema of SARIF 2.1.0 (OASIS; the copy is that of the package serde-sarif 0.8.0), and its indices fit; it is also
/// written where there is no answer.
#[test]
fn answers_are_written_as_sarif() {
    let program = "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n  int x = input();\n  \
                   if (x > 5)\n    reach_error();\n  return 0;\n}\n";
    let dir = folder(&[("a.c", program), ("b.c", MAIN.1)]);
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/sarif-2.1.0.json");
    let schema = std::fs::read_to_string(schema).expect("a schema");
    // A bracket that some dialects of regular expressions want to be escaped.
    let schema = schema.replace("[a-zA-Z]{2}]?$", r"[a-zA-Z]{2}\\]?$");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::draft7::new(&schema).expect("a schema");
    let read = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(dir.path().join(name)).expect("a log");
        let log = serde_json::from_str(&text).expect("JSON");
        let wrong: Vec<String> = schema.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}");
        log
    };
    let answer = kerf(dir.path(), &["verify", "--sarif", "a.sarif", "a.c"]);
    assert_eq!((answer.code, &*answer.err), (10, ""), "{}", answer.out);
    let log = read("a.sarif");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "kerf");
    let result = &run["results"][0];
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    assert_eq!((&result["ruleId"], &result["level"]), (&"unreach-call".into(), &"error".into()));
    assert_eq!(result["message"]["text"], "reach_error() is called");
    let at = &result["locations"][0]["physicalLocation"];
    let region = serde_json::json!({ "startLine": 6, "startColumn": 5, "endColumn": 16 });
    assert_eq!((&at["artifactLocation"]["uri"], &at["region"]), (&"a.c".into(), &region));
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    assert_eq!(steps[0]["location"]["physicalLocation"]["region"]["startLine"], 4, "{steps:?}");
    assert!(steps[0]["state"]["x"]["text"].is_string(), "{steps:?}");
    assert_eq!(kerf(dir.path(), &["verify", "--sarif", "b.sarif", "b.c"]).code, 0);
    assert_eq!(read("b.sarif")["runs"][0]["results"], serde_json::json!([]));
    let late = kerf(dir.path(), &["verify", "--timeout", "1ms", "--sarif", "c.sarif", "a.c"]);
    assert_eq!(late.code, 20, "{}", late.out);
    let said = &read("c.sarif")["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(said["descriptor"]["id"], "timeout");
    let lost = kerf(dir.path(), &["verify", "--sarif", "none/a.sarif", "a.c"]);
    assert_eq!(lost.code, 10);
    assert!(lost.err.contains("cannot write none/a.sarif"), "{}", lost.err);
}

const BRANCH: (&str, &str) = (
    "b.c",
    "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n\tint x = input();\n\tif (x > 5)\n\t\t\
     reach_error();\n\treturn 0;\n}\n",
);

#[test]
fn quiet_prints_the_answer_alone() {
    let dir = folder(&[LOOP, BRANCH]);
    let check = |args: &[&str], code: i32, out: &str| {
        let answer = kerf(dir.path(), args);
        assert_eq!((answer.code, &*answer.out, &*answer.err), (code, out, ""), "{args:?}");
    };
    check(&["verify", "--quiet", "b.c"], 10, "RESULT: false(unreach-call)\n");
    check(&["verify", "-q", "--output", "out", "loop.c"], 0, "RESULT: true\n");
    check(&["verify", "-q", "--witness", "w.yml", "b.c"], 10, "RESULT: false(unreach-call)\n");
    check(&["witness", "check", "-q", "w.yml", "b.c"], 10, "RESULT: false(unreach-call)\n");
    let late = kerf(dir.path(), &["verify", "-q", "--timeout", "1ms", "b.c"]);
    assert_eq!((late.code, late.out.lines().count()), (20, 1), "{}", late.out);
    let checked =
        kerf(dir.path(), &["certificate", "check", "-q", "--obligations", "q", "loop.c", "out/certificate.txt"]);
    assert_eq!((checked.code, checked.out.lines().count()), (0, 1), "{}", checked.out);
    assert!(checked.out.starts_with("CERTIFICATE: valid"), "{}", checked.out);
    for other in ["--json", "--verbose"] {
        assert_eq!(kerf(dir.path(), &["verify", "-q", other, "b.c"]).code, 1, "{other}");
    }
}

/// What a run of `kerf verify` with these options shows on a terminal; `None` if there is no program that makes one.
fn on_terminal(dir: &std::path::Path, options: &str) -> Option<String> {
    let command = format!("{} verify --timeout 4s {options}", env!("CARGO_BIN_EXE_kerf"));
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(dir).env("TERM", "xterm").env_remove("NO_COLOR");
    let shown = script.stdin(std::process::Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&shown.stdout).into_owned())
}

/// The line on a terminal says what is done: the phase, the technique, its numbers, and the time.
#[test]
fn progress_is_shown_on_terminals() {
    let text = "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n  unsigned x = 1, y = 1;\n  while (input()) {\n    \
                x = x * 3 + y * 2;\n    y = x ^ y;\n  }\n  if (x == 1000)\n    reach_error();\n  return 0;\n}\n";
    let dir = folder(&[("a.c", text)]);
    let Some(shown) = on_terminal(dir.path(), "--strategy k-induction-plain a.c") else {
        eprintln!("NOT TESTED: script is not installed");
        return;
    };
    for part in ["analysing k-induction-plain: bound", "k = ", " of 4 s", "\u{1b}["] {
        assert!(shown.contains(part), "{part}: {shown:?}");
    }
    for options in ["--quiet", "--json"] {
        let shown = on_terminal(dir.path(), &format!("{options} --strategy bmc a.c")).unwrap_or_default();
        assert!(!shown.contains("analysing bmc:") && !shown.contains(" of 4 s"), "{options}: {shown:?}");
    }
    let piped = kerf(dir.path(), &["verify", "--strategy", "bmc", "--timeout", "2s", "a.c"]);
    assert_eq!((piped.code, &*piped.err), (20, ""), "{}", piped.out);
    assert!(!piped.out.contains('\u{1b}'), "{}", piped.out);
}

/// A violation is shown in its source; where the source cannot be read, everything else is.
#[test]
fn excerpts_are_shown_where_there_is_a_source() {
    let dir = folder(&[BRANCH]);
    let answer = kerf(dir.path(), &["verify", "b.c"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    let head = "reach_error() is called at b.c:6 in main()\n --> b.c:6:3\n  |\n4 |     int x = input();\n  |             ----- input yields ";
    assert!(answer.out.starts_with(head), "{}", answer.out);
    let end =
        "\n5 |     if (x > 5)\n6 |         reach_error();\n  |         ^^^^^^^^^^^\nInputs, in execution order:\n";
    assert!(answer.out.contains(end), "{}", answer.out);
    let painted = kerf(dir.path(), &["--color", "always", "verify", "b.c"]).out;
    assert!(painted.contains("\u{1b}[") && painted.ends_with("\nRESULT: false(unreach-call)\n"), "{painted}");
    let clang = frontend_llvm::clang::find().expect("clang");
    let mut compile = std::process::Command::new(clang);
    compile.args(["-g", "-c", "-emit-llvm", "b.c"]).current_dir(dir.path());
    assert!(compile.status().expect("clang").success());
    // Another file than the one that was compiled, and none.
    std::fs::write(dir.path().join("b.c"), "int x;\n").expect("a file");
    let other = kerf(dir.path(), &["verify", "b.bc"]);
    std::fs::remove_file(dir.path().join("b.c")).expect("a file");
    let none = kerf(dir.path(), &["verify", "b.bc"]);
    for answer in [other, none] {
        assert_eq!((answer.code, &*answer.err), (10, ""), "{}", answer.out);
        assert!(answer.out.starts_with("reach_error() is called at b.c:6 in main()\nInputs"), "{}", answer.out);
    }
}

#[test]
fn bad_settings_get_one_line() {
    check_bad(&[("k.toml", "timeuot = '3s'")], &["config", "show", "--config", "k.toml"], "k.toml:1: unknown field");
    check_bad(&[("k.toml", "strategy = 'x'")], &["config", "show", "--config", "k.toml"], "unknown strategy 'x'");
    check_bad(
        &[("k.toml", "slice = true\n[strategy]\nparts = ['value', 'symbolic']\nmerge = 'join'\n")],
        &["config", "show", "--config", "k.toml"],
        "k.toml:4: merge: 'symbolic' cannot join states; 'sep' would fit, or 'agree'",
    );
    check_bad(&[], &["bench", "none.set"], "none.set");
}

#[test]
fn bad_options_are_errors_of_the_users() {
    for args in
        [&["verify"][..], &["verify", "--timeout", "soon", "a.c"], &["verify", "--nonsense"], &["frobnicate"], &[]]
    {
        assert_eq!(kerf(folder(&[MAIN]).path(), args).code, 1, "{args:?}");
    }
}

/// What `--version` says of the linked LLVM.
const LLVM: &str = if cfg!(feature = "llvm14") {
    "LLVM 14."
} else if cfg!(feature = "llvm16") {
    "LLVM 16."
} else {
    "LLVM 22."
};

#[test]
fn help_and_version_are_no_errors() {
    for args in [&["--help"][..], &["help", "verify"], &["verify", "--help"], &["--version"]] {
        let answer = kerf(folder(&[]).path(), args);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{args:?}");
    }
    let help = kerf(folder(&[]).path(), &["verify", "--help"]).out;
    assert!(help.contains("label:NAME"), "{help}");
    let version = kerf(folder(&[]).path(), &["--version"]).out;
    assert!(version.starts_with("kerf ") && version.contains(LLVM) && version.contains("Z3 5.4"), "{version}");
}

/// Settings are shown, and what is shown is read again.
fn check_shown(args: &[&str], expected: &[&str]) {
    let dir = folder(&[("k.toml", "memory = '2GB'\nslice = false\n"), ("mine.toml", "base = 'value'\nstates = 9\n")]);
    let shown = kerf(dir.path(), &[&["config", "show", "--config", "k.toml"], args].concat());
    assert_eq!(shown.code, 0, "{}", shown.err);
    for expected in expected {
        assert!(shown.out.contains(expected), "{}", shown.out);
    }
    std::fs::write(dir.path().join("again.toml"), &shown.out).expect("a file");
    let again = kerf(dir.path(), &["config", "show", "--config", "again.toml"]).out;
    let values = |text: &str| text.lines().map(|l| l.split('#').next().unwrap_or("").to_string()).collect::<Vec<_>>();
    assert_eq!(values(&again), values(&shown.out));
}

#[test]
fn settings_are_shown_in_the_form_in_which_they_are_read() {
    check_shown(
        &["--timeout", "3s"],
        &["memory = \"2GB\"", "# k.toml", "timeout = \"3s\"", "# command line", "entry = \"main\"", "# default"],
    );
    check_shown(
        &["--strategy", "mine.toml,merge=join"],
        &[
            "[strategy]",
            "# command line: mine.toml,merge=join",
            "parts = [\"value\"]",
            "merge = \"join\"",
            "states = 9\n",
        ],
    );
    let dir = folder(&[("k.toml", "[strategy]\nbase = 'symex-cegar'\norder = ['few-iterations', 'dfs']\n")]);
    let json = kerf(dir.path(), &["config", "show", "--json", "--config", "k.toml"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let composition = &json["strategy"]["settings"];
    assert_eq!(composition["order"], serde_json::json!(["few-iterations", "dfs"]));
    assert_eq!((&composition["cegar"], &composition["prefixes"]), (&true.into(), &4.into()));
}

/// All settings of a run in one file: each option of `kerf verify` has a key that docs/configuration.md describes.
#[test]
fn every_option_of_a_run_is_a_setting() {
    let settings = [
        ("preset", "'svcomp'"),
        ("property", "'p.prp'"),
        ("data-model", "'ILP32'"),
        ("compile-commands", "'build'"),
        ("clang-options", "['-DN=3', '-I.']"),
        ("stub", "['log']"),
        ("replace", "['get=fake_get']"),
        ("entry", "'start'"),
        ("extern", "'havoc'"),
        ("heap-context", "3"),
        ("strategy", "'auto'"),
        ("slice", "false"),
        ("optimise", "'O2'"),
        ("solver", "'bits'"),
        ("shrink", "true"),
        ("vacuity", "false"),
        ("timeout", "'9s'"),
        ("memory", "'2GB'"),
        ("output", "'out'"),
        ("witness", "'w.yml'"),
        ("hints", "'h.yml'"),
        ("sarif", "'s.sarif'"),
        ("unit-test", "'t.c'"),
    ];
    let text: String = settings.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    let dir = folder(&[("k.toml", &text)]);
    let shown = kerf(dir.path(), &["config", "show", "--config", "k.toml"]);
    for (key, value) in settings {
        let value = value.replace('\'', "\"");
        assert!(shown.out.contains(&format!("{key} = {value} ")), "{key}: {}{}", shown.out, shown.err);
    }
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/configuration.md");
    let manual = std::fs::read_to_string(manual).expect("a readable file");
    let help = kerf(dir.path(), &["verify", "-h"]).out;
    let options = help.lines().filter_map(|line| line.trim().split_once("--")).filter(|(before, _)| before.len() < 5);
    let options: Vec<&str> = options.filter_map(|(_, option)| option.split([' ', ',']).next()).collect();
    assert!(options.len() > 15, "{options:?}");
    // How an answer is shown is no setting of the run.
    for option in options.into_iter().filter(|o| !["config", "json", "verbose", "quiet", "help", "color"].contains(o)) {
        let key = option.strip_prefix("no-").unwrap_or(option);
        assert!(settings.iter().any(|(name, _)| *name == key), "--{option}");
    }
    for (key, _) in settings {
        assert!(manual.contains(&format!("| `{key}` |")), "docs/configuration.md does not describe {key}");
    }
}

/// A layer takes precedence over those before it: preset, file, task definition, command line.
#[test]
fn settings_are_in_layers() {
    let dir = folder(&[
        ("k.toml", "preset = 'svcomp'\ntimeout = '50s'\ndata-model = 'LP64'\nclang-options = ['-DN=1']\n"),
        ("a.c", "extern void reach_error(void);\nint main(void) { if (sizeof(long) == 4 && N == 1) reach_error(); }\n"),
        ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        (
            "a.yml",
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\noptions:\n  data_model: ILP32\n",
        ),
    ]);
    let answer = kerf(dir.path(), &["verify", "--config", "k.toml", "--output", "out", "--timeout", "40s", "a.yml"]);
    assert_eq!(answer.code, 10, "{}{}", answer.out, answer.err);
    let effective = std::fs::read_to_string(dir.path().join("out/kerf.toml")).expect("the configuration");
    let row = |text: &str| {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(effective.lines().any(|line| words(line) == text), "{text}: {effective}");
    };
    assert!(effective.lines().next().is_some_and(|line| line.ends_with(" for: a.c")), "{effective}");
    row("preset = \"svcomp\" # k.toml");
    row("property = \"p.prp\" # a.yml");
    row("data-model = \"ILP32\" # a.yml");
    row("clang-options = [\"-DN=1\"] # k.toml");
    row("timeout = \"40s\" # command line");
    row("memory = \"15GB\" # preset svcomp");
    assert!(dir.path().join("witness.yml").exists());
    // The same run again.
    std::fs::remove_file(dir.path().join("witness.yml")).expect("a witness");
    let again = kerf(dir.path(), &["verify", "--config", "out/kerf.toml", "a.c"]);
    assert_eq!((again.code, again.out), (10, answer.out));
    assert!(dir.path().join("witness.yml").exists());
    let here = kerf(dir.path(), &["verify", "--config", "k.toml", "--data-model", "LP64", "a.yml"]);
    assert_eq!(here.code, 0, "{}{}", here.out, here.err);
    let other = kerf(dir.path(), &["verify", "--config", "k.toml", "a.c", "--", "-DN=2", "-m32"]);
    assert_eq!(other.code, 0, "{}{}", other.out, other.err);
}

/// Optimisations are applied before and after slicing, keep the error, and the answer says that it rests on them.
#[test]
fn optimised_programs_are_verified() {
    let inlined = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {\n  \
                   int x = __VERIFIER_nondet_int();\n  if (x == BAD) reach_error();\n  return 0;\n}\n";
    // Without its loop, this program would reach the error.
    let diverges = "extern void reach_error(void);\nint main(void) {\n  int n = 0;\n  for (;;) if (n > 1) break;\n  \
                    reach_error();\n  return 0;\n}\n";
    let dir = folder(&[("inlined.c", inlined), ("diverges.c", diverges), (LOOP.0, LOOP.1)]);
    for preset in ["symb+", "symb+-cegar"] {
        for (program, code) in [("inlined.c", 10), ("diverges.c", 0), (LOOP.0, 0)] {
            let args = ["verify", "--preset", preset, "--timeout", "60s", "--output", "out", program, "--", "-DBAD=17"];
            let answer = kerf(dir.path(), &args);
            assert_eq!(answer.code, code, "{preset} {program}: {}{}", answer.out, answer.err);
            assert!(answer.out.contains("\n  - LLVM's optimisations, before and after slicing"), "{}", answer.out);
            assert!(answer.out.contains("out/program.bc"), "{}", answer.out);
        }
    }
    let strategies = kerf(dir.path(), &["config", "show", "--preset", "symb+-cegar"]).out;
    assert!(strategies.contains("preset symb+-cegar: symex-cegar"), "{strategies}");
    let certificate = kerf(dir.path(), &["certificate", "check", "out/program.bc", "out/certificate.txt"]);
    assert_eq!(certificate.code, 0, "{}{}", certificate.out, certificate.err);
    let renamed = ("renamed.c", "extern void reach_error(void) __asm__(\"re\");\nint main(void) { reach_error(); }\n");
    check_bad(&[renamed], &["verify", "--optimise", "O1", renamed.0], "re() is called reach_error");
    let labels = ["verify", "--optimise", "O1", "--property", "label:ERROR", "a.c"];
    check_bad(&[MAIN], &labels, "--optimise: optimised modules have no labels");
    check_bad(&[MAIN], &["verify", "--optimise", "O1", "--witness", "w.yml", "a.c"], "--optimise: witnesses");
}

#[test]
fn bad_task_definitions_get_one_line() {
    let task = |text: &'static str, expected: &str| {
        check_bad(&[MAIN, ("t.yml", text)], &["verify", "t.yml"], expected);
    };
    task("input_files: [", "t.yml: not a task definition");
    task("input_files: 'b*.c'\n", "t.yml: input_files: b*.c: no such file");
    task("input_files: 'a.c'\noptions: {data_model: ILP64}\n", "t.yml: unknown data model 'ILP64'");
    task(
        "input_files: 'a.c'\nproperties: [{property_file: a.prp}, {property_file: b.prp}]\n",
        "choose one of its properties with --property",
    );
    task("input_files: 'a.c'\nproperties: [{property_file: termination.prp}]\n", "termination.prp: no such file");
    check_bad(&[], &["verify", "none.yml"], "none.yml: ");
}

/// A composition that proves what its merge operator can, and says so where it cannot.
#[test]
fn a_composition_verifies() {
    let program = "extern int input(void); extern void reach_error(void);\n\
                   int main(void) { int x = 1, n = 0; while (input()) n++; if (x != 1 && n) reach_error(); return n; }\n";
    let dir = folder(&[("a.c", program), ("mine.toml", "parts = ['value', 'symbolic']\nmerge = 'agree'\n")]);
    for (strategy, expected) in [
        ("value,merge=join", "RESULT: true"),
        ("mine.toml,slicing=conflict", "RESULT: true"),
        ("value,states=1", "RESULT: unknown (1 states)"),
    ] {
        let answer = kerf(dir.path(), &["verify", "--timeout", "60s", "--strategy", strategy, "a.c"]);
        assert_eq!(answer.out.lines().last(), Some(expected), "{} {}", answer.out, answer.err);
    }
    check_bad(&[MAIN], &["verify", "--config", "k.toml", "a.c"], "k.toml: ");
}

/// Where the time went, what was counted, and each slice, as JSON and as text.
#[test]
fn statistics_say_where_the_time_went() {
    let program = "extern int input(void); extern void reach_error(void);\n\
                   int main(void) { int x = input(), n = 0; while (n < 9 && n != x) n++;\n\
                   if (x > 3 && x < 5 && x != 4) reach_error(); return n; }\n";
    let dir = folder(&[("a.c", program)]);
    let args = ["verify", "--strategy", "symex-cegar-slicing", "--verbose", "--output", "out", "a.c"];
    let answer = kerf(dir.path(), &args);
    assert_eq!(answer.out.lines().last(), Some("RESULT: true"), "{} {}", answer.out, answer.err);
    let json = std::fs::read_to_string(dir.path().join("out/statistics.json")).expect("a file");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let part = &json["statistics"]["parts"][0];
    assert_eq!(part["name"], "symex-cegar-slicing");
    for time in ["transfer", "solver", "refinement", "slicing"] {
        assert!(part["times_ms"][time].as_f64().is_some_and(|ms| ms > 0.0), "{time}: {part}");
        assert!(answer.out.lines().any(|l| l.trim_start().starts_with(time) && l.ends_with("ms")), "{}", answer.out);
    }
    for count in ["states", "steps", "covered", "refinements", "pruned states", "slices", "queries"] {
        assert!(part["counts"][count].is_u64(), "{count}: {part}");
    }
    let sizes: Vec<u64> = serde_json::from_value(part["slice_sizes"].clone()).expect("numbers");
    assert!(sizes.len() > 1 && sizes.is_sorted() && sizes[0] < sizes[sizes.len() - 1], "{sizes:?}");
    assert!(answer.out.contains("edges of each slice"), "{}", answer.out);
    let written = |name: &str| std::fs::read(dir.path().join("out").join(name)).expect(name);
    assert!(written("arg.dot").starts_with(b"digraph arg {"));
    assert!(written("arg.svg").starts_with(b"<svg") && written("arg.png").starts_with(b"\x89PNG"));
    assert_eq!(answer.out.matches("states reached").count(), 3, "{}", answer.out);
}

#[test]
fn what_reads_a_text_meets_behind_the_same_inputs() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/programs/nested_text_true.c"));
    let dir = folder(&[("a.c", &text.expect("a program"))]);
    let states = |order: &str| {
        let strategy = format!("symex-merged,order={order}");
        let answer =
            kerf(dir.path(), &["verify", "--strategy", &strategy, "--output", "out", "a.c", "--", "-DLENGTH=6"]);
        assert_eq!(answer.out.lines().last(), Some("RESULT: true"), "{} {}", answer.out, answer.err);
        let json = std::fs::read_to_string(dir.path().join("out/statistics.json")).expect("a file");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        json["statistics"]["parts"][0]["counts"]["states"].as_u64().expect("a number")
    };
    let calls_first = states("deep-calls+reverse-postorder+small-constants");
    let side_by_side = states("few-inputs+deep-calls+reverse-postorder+small-constants");
    assert!(side_by_side * 3 < calls_first * 2, "{side_by_side} states instead of {calls_first}");
}

#[test]
fn a_violation_is_told_with_the_line_of_the_call() {
    let (name, text) =
        ("loop.c", &*LOOP.1.replace("sum > 5", "sum > 4").replace("reach_error();", "\n        reach_error();"));
    let dir = folder(&[(name, text)]);
    let refuted = kerf(dir.path(), &["verify", "--timeout", "300s", "--output", "out", "--json", name]);
    assert_eq!(refuted.code, 10, "{} {}", refuted.out, refuted.err);
    let report: serde_json::Value = serde_json::from_str(&refuted.out).expect("JSON");
    assert_eq!(report["result"], "false(unreach-call)");
    assert_eq!(report["violation"]["place"]["line"], 7);
    assert_eq!(report["violation"]["native_run"], "reproduced");
    assert!(report["statistics"]["parts"].as_array().is_some_and(|parts| !parts.is_empty()));
}

#[test]
fn automata_are_printed_and_read_back() {
    let dir = folder(&[LOOP]);
    for form in [&["cfa", "--text"][..], &["cfa", "--prepared", "--text"], &["slice", "--text"]] {
        let shown = kerf(dir.path(), &[form, &["loop.c"]].concat());
        let read = cfa::text::parse_raw(&shown.out).expect("an automaton");
        assert_eq!(cfa::text::print_raw(&read), shown.out, "{form:?}");
    }
    assert!(kerf(dir.path(), &["slice", "--dot", "loop.c"]).out.starts_with("digraph"));
    let counts = kerf(dir.path(), &["cfa", "loop.c"]).out;
    assert!(counts.contains("unsupported: nothing") && !counts.contains("broken"), "{counts}");
}

/// The answer stands where its evidence cannot be written, and its line has no colours.
#[test]
fn evidence_that_cannot_be_written_does_not_take_the_answer() {
    let dir = folder(&[MAIN]);
    for taken in ["certificate.txt", "statistics.json", "report.html"] {
        std::fs::create_dir_all(dir.path().join("out").join(taken)).expect("a directory");
    }
    let answer = kerf(dir.path(), &["--color", "always", "verify", "--output", "out", "a.c"]);
    assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
    assert_eq!(answer.out.lines().last(), Some("RESULT: true"), "{}", answer.out);
    for name in ["certificate.txt", "statistics.json", "report.html"] {
        assert!(answer.err.contains(&format!("cannot write out/{name}")), "{}", answer.err);
    }
}

/// What an undefined function is given it may write, with any value; what it never gets at it leaves alone.
#[test]
fn undefined_functions_change_what_they_can_get_at() {
    let program = |condition: &str| {
        format!(
            "extern void reach_error(void), other(int *);\n\
             int main(void) {{ int k = 1, m = 4; other(&k); if ({condition}) reach_error(); return 0; }}\n"
        )
    };
    for (condition, pure, havoc) in [
        ("m != 4", "RESULT: true", "RESULT: true"),
        ("k != 1", "RESULT: true", "RESULT: false(unreach-call)"),
        ("sizeof k", "RESULT: false(unreach-call)", "RESULT: false(unreach-call)"),
    ] {
        let dir = folder(&[("a.c", &program(condition))]);
        for (mode, expected) in [("pure", pure), ("havoc", havoc)] {
            let answer = kerf(dir.path(), &["verify", "--extern", mode, "a.c"]);
            let last = answer.out.lines().last().unwrap_or_default();
            assert!(last.starts_with(expected), "{condition}, {mode}: {} {}", answer.out, answer.err);
        }
    }
}

/// An object that is passed by value is a copy: the undefined function changes neither the object nor what only that has.
#[test]
fn undefined_functions_get_copies_of_what_is_passed_by_value() {
    for (condition, expected) in [("b.x != 1 || b.p != &k", "RESULT: true"), ("k != 4", "RESULT: false(unreach-call)")]
    {
        let text = format!(
            "struct big {{ long x, y; int *p; }};\n\
             extern void reach_error(void), other(struct big), again(void);\n\
             static void (*volatile by_pointer)(struct big) = other;\n\
             int main(void) {{ int k = 4; struct big b = {{1, 2, &k}}; other(b); by_pointer(b); again();\n\
             if ({condition}) reach_error(); return 0; }}\n"
        );
        let dir = folder(&[("a.c", &text)]);
        let answer = kerf(dir.path(), &["verify", "--extern", "havoc", "a.c"]);
        assert!(answer.out.ends_with(&format!("{expected}\n")), "{condition}: {} {}", answer.out, answer.err);
    }
}

/// Undefined functions change what addresses in exported variables lead to, whether the program names these or not, and what has an alias.
#[test]
fn undefined_functions_change_what_other_files_can_name() {
    for (variables, expected) in [
        ("static int k; int *p = &k;", "RESULT: false(unreach-call)"),
        ("static int k; static int *p = &k;", "RESULT: true"),
        ("static int k; struct { int a; int *p; } table[2] = {{1, 0}, {2, &k}};", "RESULT: false(unreach-call)"),
        ("static int k; extern int other_name __attribute__((alias(\"k\")));", "RESULT: false(unreach-call)"),
        ("static int k;", "RESULT: true"),
    ] {
        let text = format!(
            "extern void reach_error(void), other(void); {variables}\n\
             int main(void) {{ other(); if (k) reach_error(); return 0; }}\n"
        );
        let dir = folder(&[("a.c", &text)]);
        let answer = kerf(dir.path(), &["verify", "--extern", "havoc", "a.c"]);
        assert!(answer.out.ends_with(&format!("{expected}\n")), "{variables}: {} {}", answer.out, answer.err);
    }
}

/// An undefined function that changes memory may have kept the address of a block that was resized since then, perhaps in place.
#[test]
fn what_is_kept_of_freed_blocks_is_an_assumption() {
    for (given, matters) in [("keep(block);", true), ("", false)] {
        let text = format!(
            "#include <stdlib.h>\n\
             extern void reach_error(void), keep(void *), tick(void);\n\
             int main(void) {{\n\
             char *block = malloc(8); {given}\n\
             char *larger = realloc(block, 16); larger[0] = 1; tick();\n\
             if (larger[0] != 1) reach_error(); return 0; }}\n"
        );
        let dir = folder(&[("a.c", &text)]);
        let answer = kerf(dir.path(), &["verify", "--extern", "havoc", "a.c"]);
        assert!(answer.out.ends_with("RESULT: true\n"), "{given}: {} {}", answer.out, answer.err);
        let said = answer.out.contains("no new block lies where one was freed or resized");
        assert_eq!(said, matters, "{given}: {}", answer.out);
    }
}

/// C leaves signed overflow undefined: an alarm that passes one says so, and where.
#[test]
fn alarms_say_that_they_pass_a_signed_overflow() {
    let program = |condition: &str| {
        format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
             int main(void) {{\n\
             int k = __VERIFIER_nondet_int();\n\
             if ({condition}) reach_error(); }}\n"
        )
    };
    for (condition, overflows) in [("k > 0 && k + 1 < 0", true), ("k > 5 && k + 1u < 9u", false)] {
        let dir = folder(&[("a.c", &program(condition))]);
        let answer = kerf(dir.path(), &["verify", "a.c"]);
        assert!(answer.out.ends_with("RESULT: false(unreach-call)\n"), "{condition}: {} {}", answer.out, answer.err);
        let said = answer.out.contains("has a signed overflow at a.c:4, where the value wraps around");
        assert_eq!(said, overflows, "{condition}: {}", answer.out);
    }
}

#[test]
fn graphs_are_drawn() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                   int twice(int x) { return 2 * x; }\n\
                   int main(void) { if (twice(__VERIFIER_nondet_int()) == 4) reach_error(); return 0; }\n";
    let dir = folder(&[("a.c", program)]);
    for args in [&["cfa", "a.c"][..], &["cfa", "--dependence-graph", "a.c"]] {
        for file in ["shape.svg", "shape.png"] {
            let answer = kerf(dir.path(), &[args, &["--pixel-tree", file]].concat());
            assert_eq!(answer.code, 0, "{}", answer.err);
        }
        let svg = std::fs::read_to_string(dir.path().join("shape.svg")).expect("a picture");
        // The target's colour is red, of the automaton and of the dependences.
        assert!(svg.starts_with("<svg") && svg.contains("#d73a49"), "{svg}");
        let picture = std::fs::File::open(dir.path().join("shape.png")).expect("a picture");
        let mut reader = png::Decoder::new(std::io::BufReader::new(picture)).read_info().expect("a PNG picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("pixels");
        assert!(pixels.contains(&0) && pixels.contains(&1), "the root's row is not full, but not empty");
    }
    let answer = kerf(dir.path(), &["cfa", "--dependence-graph", "--dot", "a.c"]);
    for part in ["digraph sdg", "enter twice", "formal-in ", "actual-out ", "style=dashed"] {
        assert!(answer.out.contains(part), "{part}: {}", answer.out);
    }
    assert_eq!(kerf(dir.path(), &["cfa", "--pixel-tree", "shape.gif", "a.c"]).code, 1);
}
