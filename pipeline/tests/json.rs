//! What `--json` prints follows the schemas in `docs/schema`, which allow no other fields.

use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;

use crate::support::{Answer, LOOP, MAIN, folder, kerf};

const FAILS: (&str, &str) = (
    "fails.c",
    "extern int input(void);\nextern void reach_error(void);\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 900; i++)\n    \
     sum += input() > 0;\n  if (sum == 900 && input() + 1 < -2147483647)\n    reach_error();\n  return 0;\n}\n",
);

/// The schema of a command.
fn schema(command: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/schema/{command}-1.0.json"));
    let text = std::fs::read_to_string(path).expect("a schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

/// Runs `kerf` in `dir` with the words of `command`; what it prints must follow the schema.
fn check(schema: &Validator, dir: &Path, command: &str) -> Value {
    let args: Vec<&str> = command.split(' ').collect();
    let Answer { out, err, .. } = kerf(dir, &args);
    let json: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{command}: {e}: {out}{err}"));
    let wrong: Vec<String> = schema.iter_errors(&json).map(|e| format!("{}: {}", e.instance_path(), e)).collect();
    assert!(wrong.is_empty(), "{command}: {}\n{out}", wrong.join("\n"));
    assert_eq!(json["schema_version"], "1.0.0", "{command}");
    json
}

#[test]
fn answers_follow_their_schema() {
    let schema = schema("verify");
    let blocked = "int input(void);\nvoid reach_error(void);\nint main(void) {\n  unsigned x = 1, y = 1;\n  while (input()) {\n    \
                   x = x * 3 + y * 2;\n    y = x ^ y;\n  }\n  if (x == 1000)\n    reach_error();\n  return 0;\n}\n";
    let vacuous = "int input(void);\nvoid reach_error(void);\nvoid __VERIFIER_assume(int);\nint main(void) {\n  int x = input();\n  \
                   __VERIFIER_assume(x > 5);\n  __VERIFIER_assume(x < 3);\n  if (x == 4)\n    reach_error();\n}\n";
    let unsupported = "int input(void);\nvoid reach_error(void);\nint main(void) {\n  int x = input();\n  \
                       __asm__(\"frobnicate %0\" : \"+r\"(x) : : \"memory\");\n  if (x == 7)\n    reach_error();\n}\n";
    let fault = "int input(void);\nvoid reach_error(void);\nint main(void) {\n  int a[3] = {0};\n  int i = input();\n  if (a[i] == 7)\n    \
                 return 0;\n  if (i == 3)\n    reach_error();\n}\n";
    let files = [
        ("blocked.c", blocked),
        ("vacuous.c", vacuous),
        ("unsupported.c", unsupported),
        ("fault.c", fault),
        ("bad.c", "int main(void) { return 0 }\n"),
        FAILS,
        LOOP,
        MAIN,
    ];
    let dir = folder(&files);
    let run = |command: &str| check(&schema, dir.path(), command);
    let found = run("verify --json --shrink --output out fails.c");
    assert_eq!(found["result"], "false(unreach-call)", "{found}");
    for field in ["excerpt", "signed_overflow", "shrunk", "native_run"] {
        assert!(!found["violation"][field].is_null(), "{field}: {found}");
    }
    let excerpt = &found["violation"]["excerpt"];
    assert_eq!(excerpt["lines"][7 - excerpt["first_line"].as_u64().unwrap_or(0) as usize + 1], "    reach_error();");
    let steps = found["violation"]["steps"].as_array().cloned().unwrap_or_default();
    assert!(steps.iter().any(|step| step["folded"].is_u64()), "{found}");
    let written = std::fs::read_to_string(dir.path().join("out/statistics.json")).expect("a file");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert!(schema.is_valid(&written), "{written}");
    assert_eq!(run("verify --json --output out loop.c")["result"], "true");
    assert_eq!(run("verify --json a.c")["result"], "true");
    assert_eq!(run("verify --json vacuous.c")["vacuity"]["checks"][0]["reach"], "never");
    let open = run("verify --json --strategy k-induction-plain,last-k=2 --timeout 5s blocked.c");
    assert_eq!(open["undecided"]["blocked"]["excerpt"]["marks"][0]["line"], 5, "{open}");
    let open = run("verify --json --timeout 20s unsupported.c");
    assert_eq!(open["verdict"]["kind"], "unsupported", "{open}");
    assert_eq!(
        open["undecided"]["unsupported"]["lines"][0], "  __asm__(\"frobnicate %0\" : \"+r\"(x) : : \"memory\");",
        "{open}"
    );
    let beside = run("verify --json --timeout 20s fault.c");
    assert_eq!(beside["possible_error"]["excerpt"]["marks"][0]["line"], 6, "{beside}");
    assert_eq!(run("verify --json --timeout 1ms fails.c")["verdict"]["kind"], "timeout");
    for (command, error) in [
        ("bad.c", "bad.c"),
        ("none.c", "no such file"),
        ("--property no-overflow a.c", "no-overflow"),
        ("--timeout soon a.c", "invalid value 'soon' for '--timeout"),
        ("--no-such-option a.c", "unexpected argument '--no-such-option' found"),
    ] {
        let said = run(&format!("verify --json {command}"));
        assert!(said["error"].as_str().is_some_and(|text| text.contains(error)), "{said}");
    }
}

#[test]
fn witnesses_are_answered_in_the_same_form() {
    let dir = folder(&[FAILS]);
    assert_eq!(kerf(dir.path(), &["verify", "--witness", "w.yml", "fails.c"]).code, 10);
    let said = check(&schema("verify"), dir.path(), "witness check --json w.yml fails.c");
    assert_eq!(said["result"], "false(unreach-call)", "{said}");
    assert!(check(&schema("verify"), dir.path(), "witness check --json fails.c fails.c")["error"].is_string());
}

#[test]
fn other_commands_follow_theirs() {
    let dir = folder(&[FAILS, LOOP]);
    let all = [
        (
            "slice",
            &[
                "--json loop.c",
                "--json --why 6 loop.c",
                "--json --annotate loop.c",
                "--json --text loop.c",
                "--json -o s.bc loop.c",
            ][..],
        ),
        (
            "cfa",
            &[
                "--json loop.c",
                "--json --text loop.c",
                "--json --call-graph loop.c",
                "--json --dominators loop.c",
                "--json --points-to --verbose loop.c",
                "--json --domain-types loop.c",
            ],
        ),
        ("compare", &["--json --slicer none --slicer standard fails.c"]),
    ];
    for (command, runs) in all {
        let schema = schema(command);
        for run in runs {
            check(&schema, dir.path(), &format!("{command} {run}"));
        }
        assert!(check(&schema, dir.path(), &format!("{command} --json none.c"))["error"].is_string());
    }
    let config = schema("config");
    check(&config, dir.path(), "config show --json");
    check(
        &config,
        dir.path(),
        "config show --json --preset symb+ --strategy symex-cegar --unit-test t.c --sarif s --hints h --witness w",
    );
    check(&config, dir.path(), "config show --json --output out --preset svcomp");
    assert_eq!(kerf(dir.path(), &["verify", "--output", "out", "loop.c"]).code, 0);
    let certificate = schema("certificate");
    let said = check(
        &certificate,
        dir.path(),
        "certificate check --json --sat-proofs --obligations q loop.c out/certificate.txt",
    );
    assert_eq!(said["answer"], "valid", "{said}");
    assert!(check(&certificate, dir.path(), "certificate check --json loop.c none")["error"].is_string());
}

#[test]
fn results_of_a_bench_follow_theirs() {
    let holds = "// EXPECT: true unreach-call LP64\nint main(void) { return 0; }\n";
    let fails = "// EXPECT: false unreach-call LP64\nvoid reach_error(void);\nint main(void) { reach_error(); }\n";
    let dir = folder(&[("holds.c", holds), ("fails.c", fails)]);
    let schema = schema("bench");
    let run = |command: &str| check(&schema, dir.path(), &format!("bench --json {command}"));
    let found = run("--native --timeout 60s --out all.tsv holds.c fails.c");
    assert_eq!(found["tools"][0]["answers"]["correct"], serde_json::json!({ "safe": 1, "unsafe": 1 }), "{found}");
    run("--timeout 60s --strategy bmc --out less.tsv holds.c fails.c");
    let both = run("--show all.tsv less.tsv");
    assert_eq!(both["tools"].as_array().map(Vec::len), Some(2), "{both}");
    assert_eq!(run("--show all.tsv less.tsv --changes")["common"], 2);
    assert!(run("none")["error"].is_string());
}

#[test]
fn what_is_not_described_is_an_error() {
    let dir = folder(&[MAIN]);
    let schema = schema("verify");
    let json = check(&schema, dir.path(), "verify --json a.c");
    for change in [
        |json: &mut Value| json["more"] = 1.into(),
        |json: &mut Value| json["verdict"]["more"] = 1.into(),
        |json: &mut Value| json["statistics"]["more"] = 1.into(),
        |json: &mut Value| json["schema_version"] = "2.0.0".into(),
        |json: &mut Value| drop(json.as_object_mut().map(|fields| fields.remove("result"))),
    ] {
        let mut changed = json.clone();
        change(&mut changed);
        assert!(!schema.is_valid(&changed), "{changed}");
    }
}
