//! `kerf bench` from outside: results, several configurations, other tools, configuration files, and changes between results.

use crate::support::{check_bad, folder, kerf};

#[test]
fn results_of_a_bench_are_shown_again() {
    let header = "id\tcategory\tproperty\texpected\tverdict\tstatus\tcpu_s\twall_s\trss_mb\tnative\tdetail\n";
    let text = format!(
        "{header}1\tA\tunreach-call\ttrue\ttrue\tcorrect\t0.10\t0.20\t30\t\t\n2\tA\tunreach-call\tfalse\ttrue\tWRONG\t1.00\t1.00\t30\treproduced\t\n"
    );
    let dir = folder(&[("r.tsv", &text)]);
    let shown = kerf(dir.path(), &["bench", "--show", "r.tsv"]);
    assert!(shown.out.contains("WRONG true (is false): 2"), "{} {}", shown.out, shown.err);
    let json = kerf(dir.path(), &["bench", "--json", "--show", "r.tsv"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let tool = &json["tools"][0];
    assert_eq!((&tool["name"], &tool["table"]["A"]["score"]), (&"r".into(), &(-30).into()));
    assert_eq!((&tool["answers"]["wrong"]["unsafe"], &tool["beyond"]), (&1.into(), &serde_json::json!({})));
}

#[test]
fn results_of_several_configurations_are_compared() {
    // Without the column of native runs, as the scorer of the tasks writes it.
    let header = "id\tcategory\tproperty\texpected\tverdict\tstatus\tcpu_s\twall_s\trss_mb\tdetail\n";
    let line = |id, expected, verdict, status, cpu| {
        format!("{id}\tA\tunreach-call\t{expected}\t{verdict}\t{status}\t{cpu}\t0.20\t30\t\"x\n")
    };
    let first = [
        line(1, "true", "true", "correct", 0.1),
        line(2, "false", "false", "correct", 2.5),
        line(3, "true", "unknown", "unknown", 15.0),
        line(4, "true", "false", "WRONG", 1.0),
    ];
    let second = [
        line(1, "true", "true", "correct", 0.2),
        line(2, "false", "unknown", "unknown", 15.0),
        line(3, "true", "true", "correct", 3.0),
        line(4, "true", "true", "correct", 0.0),
    ];
    let files =
        [("symex.tsv", header.to_string() + &first.concat()), ("value.tsv", header.to_string() + &second.concat())];
    let dir = folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let plots = ["--quantile-plot", "q.svg", "--scatter-plot", "s.svg", "--score-plot", "p.svg"];
    let shown = kerf(dir.path(), &[&["bench", "--show", "symex.tsv", "value.tsv"], &plots[..]].concat());
    assert_eq!(shown.code, 0, "{}", shown.err);
    let rows: Vec<Vec<&str>> =
        shown.out.lines().map(|l| l.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect()).collect();
    for row in [
        ["correct proof", "1", "3"],
        ["correct alarm", "1", "0"],
        ["incorrect alarm", "1", "0"],
        ["unknown", "1", "1"],
        ["symex", "-", "0 t 1 f"],
        ["value", "2 t 0 f", "-"],
    ] {
        assert!(rows.contains(&row.to_vec()), "{row:?}: {}", shown.out);
    }
    for (plot, words) in [
        ("q.svg", ["symex", "value"]),
        ("s.svg", ["symex: CPU time (s)", "value: CPU time (s)"]),
        ("p.svg", ["accumulated score", "value"]),
    ] {
        let svg = std::fs::read_to_string(dir.path().join(plot)).expect("a plot");
        assert!(words.iter().all(|w| svg.contains(w)), "{svg}");
    }
    check_bad(
        &[("r.tsv", &files[0].1)],
        &["bench", "--show", "r.tsv", "--scatter-plot", "s.svg"],
        "compares two sets of results, not 1",
    );
    check_bad(&[("r.tsv", "a\tb\n1\t2\n")], &["bench", "--show", "r.tsv"], "r.tsv: not a table of results");
    let json = kerf(dir.path(), &["bench", "--json", "--show", "symex.tsv", "value.tsv"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("one object");
    let names: Vec<&serde_json::Value> = json["tools"].as_array().expect("tools").iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["symex", "value"]);
    assert_eq!(json["tools"][1]["beyond"]["symex"], serde_json::json!({ "safe": 2, "unsafe": 0 }));
    assert_eq!(json["tools"][0]["tasks"][1]["cpu_s"], 2.5);
}

#[test]
fn a_bench_runs_tools_side_by_side_and_goes_on_where_it_ended() {
    let task = |verdict: &str, body: &str| {
        format!("// EXPECT: {verdict} unreach-call LP64\nextern void reach_error(void);\nint main(void) {{ {body} }}\n")
    };
    let (holds, fails) = (task("true", "return 0;"), task("false", "reach_error();"));
    let dir = folder(&[("holds.c", &holds), ("fails.c", &fails), ("guess.sh", "echo $1 >>log; echo RESULT: true")]);
    let tools = ["--tool", "bmc=kerf verify --strategy bmc", "--tool", "guess=sh guess.sh {file}"];
    let bench = |more: &[&str]| kerf(dir.path(), &[&["bench", "--out", "r.tsv", "."][..], more].concat());
    let answer = bench(&[&tools[..], &["--xml", "xml", "--csv", "r.csv"]].concat());
    assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
    assert!(answer.out.contains("WRONG true (is false): fails"), "{}", answer.out);
    let log = || std::fs::read_to_string(dir.path().join("log")).expect("a log").lines().count();
    assert_eq!(log(), 2);
    for name in ["bmc", "guess"] {
        let xml = std::fs::read_to_string(dir.path().join(format!("xml/{name}.results.xml"))).expect("results");
        assert_eq!(xml.matches("<run ").count(), 2, "{xml}");
    }
    // What is there is not run again, and a line that was cut off is.
    let table = dir.path().join("r.tsv");
    let whole = std::fs::read_to_string(&table).expect("results");
    assert_eq!(bench(&tools).out.lines().count(), answer.out.lines().count());
    assert_eq!((log(), std::fs::read_to_string(&table).expect("results")), (2, whole.clone()));
    let guess = whole.lines().rfind(|line| line.contains("\tguess\t")).expect("a line");
    let cut: String = whole.lines().filter(|line| *line != guess).map(|line| format!("{line}\n")).collect();
    std::fs::write(&table, cut + &guess[..guess.len() / 2]).expect("a file");
    let again = bench(&tools);
    assert!(again.err.contains("r.tsv has 3 of 4 results"), "{}", again.err);
    assert_eq!((log(), std::fs::read_to_string(&table).expect("results").lines().count()), (3, 5));
    let shown = kerf(dir.path(), &["bench", "--show", "r.tsv"]);
    assert!(shown.out.contains("== bmc") && shown.out.contains("== guess"), "{}", shown.out);
    // Results under other limits are others.
    let other = bench(&[&tools[..], &["--timeout", "7s"]].concat());
    assert!(other.code == 1 && other.err.contains("choose another file, or remove it"), "{}", other.err);
}

#[test]
fn a_bench_that_cannot_be_run_is_refused() {
    let task = ("t.c", "// EXPECT: true unreach-call LP64\nint main(void) { return 0; }\n");
    check_bad(&[task], &["bench", "--jobs", "1024", "--cores", "64", "t.c"], "needs 65536 processors");
    check_bad(&[task], &["bench", "--tool", "a=x {file}", "--tool", "a=y {file}", "t.c"], "two tools are called 'a'");
    check_bad(&[task], &["bench", "--native", "--tool", "a=x {file}", "t.c"], "no tool is one");
    check_bad(&[task, ("r.tsv", "id\tx\n1\t2\n")], &["bench", "--out", "r.tsv", "t.c"], "r.tsv: has other columns");
    check_bad(&[task], &["bench"], "no tasks: name task sets");
    check_bad(&[task], &["bench", "--sample", "0", "t.c"], "sample (command line): must be at least 1");
    check_bad(&[task], &["bench", "--scatter-plot", "s.svg", "t.c"], "compares two tools, not 1");
    let strategy = ["bench", "--strategy", "bmc", "--tool", "a=x {file}", "t.c"];
    check_bad(&[task], &strategy, "strategy (command line) is about the configuration that runs without tools");
    let config = ("b.toml", "[bench]\ntasks = [\"t.c\"]\njbos = 3\n");
    check_bad(&[task, config], &["bench", "--config", "b.toml"], "b.toml:3: unknown field `jbos`");
}

/// Settings of a file, and those that a bench leaves beside its results.
#[test]
fn a_bench_is_configured_by_a_file() {
    let task = "// EXPECT: true unreach-call LP64\nint main(void) { return 0; }\n";
    let config = "timeout = \"1h\"\n\n[bench]\ntasks = [\"t.c\"]\ntools = [\"yes=sh yes.sh {file}\"]\njobs = 1\nout = \"r.tsv\"\nhtml = \"r.html\"\n";
    let dir = folder(&[("t.c", task), ("yes.sh", "echo $1 >>log; echo RESULT: true\n"), ("b.toml", config)]);
    let answer = kerf(dir.path(), &["bench", "--config", "b.toml", "--timeout", "9s"]);
    assert_eq!((answer.code, &*answer.err), (0, ""), "{}", answer.out);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("a file");
    assert!(read("r.html").contains("sh yes.sh {file}; 9s, 8GiB"));
    let saved = read("r.tsv.toml");
    assert!(saved.starts_with("# Effective settings of kerf bench "), "{saved}");
    for line in ["timeout = \"9s\"", "jobs = 1", "tools = [\"yes=sh yes.sh {file}\"]", "property = \"unreach-call\""] {
        let source = match line.split(' ').next() {
            Some("timeout") => "command line",
            Some("property") => "default",
            _ => "b.toml",
        };
        let fits = |l: &str| l.starts_with(line) && l.ends_with(&format!("  # {source}"));
        assert!(saved.lines().any(fits), "{line}: {saved}");
    }
    // With what was saved, the bench goes on: nothing is left to run.
    let again = kerf(dir.path(), &["bench", "--config", "r.tsv.toml"]);
    assert!(again.code == 0 && again.err.contains("r.tsv has 1 of 1 results"), "{}", again.err);
    assert_eq!(read("log").lines().count(), 1);
    let shown = kerf(dir.path(), &["config", "show", "--config", "b.toml"]).out;
    assert!(
        shown.contains("timeout = \"3600s\"") && shown.contains("\n[bench]\n") && shown.contains("jobs = 1"),
        "{shown}"
    );
    let json = kerf(dir.path(), &["config", "show", "--json", "--config", "b.toml"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["bench"]["jobs"], serde_json::json!({ "value": 1, "source": "b.toml" }));
    // Other commands leave the table alone.
    assert_eq!(kerf(dir.path(), &["verify", "--config", "b.toml", "t.c"]).code, 0);
}

#[test]
fn changes_between_two_benches_are_told() {
    let header = "id\tcategory\tproperty\texpected\tverdict\tstatus\tcpu_s\twall_s\trss_mb\tdetail\n";
    let table = |verdict: &str, status: &str, detail: &str| {
        format!("{header}1\tA\tunreach-call\ttrue\t{verdict}\t{status}\t0.10\t0.20\t30\t{detail}\n")
    };
    let (before, now) = (table("true", "correct", ""), table("unknown", "unknown", "(out of memory)"));
    let dir = folder(&[("before.tsv", &before), ("now.tsv", &now)]);
    let shown = kerf(dir.path(), &["bench", "--show", "before.tsv", "now.tsv", "--changes"]);
    assert_eq!(
        shown.out,
        "1 tasks in both: score 2 -> 0\nno longer answered (1):\n  A/1: true -> unknown (out of memory), 0.10 s -> 0.10 s\n"
    );
    check_bad(&[("r.tsv", &before)], &["bench", "--show", "r.tsv", "--changes"], "compares two sets of results, not 1");
}
