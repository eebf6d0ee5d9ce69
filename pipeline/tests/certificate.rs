//! `kerf certificate check` from outside: certificates fit one program, and other solvers can repeat what the check asks.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{Answer, LOOP, MAIN, check_bad, folder, kerf};
use serde_json::Value;

/// Its proof takes an invariant, hence queries.
const COUNTERS: (&str, &str) = (
    "counters.c",
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    unsigned x = 0, y = 0;\n    \
     while (__VERIFIER_nondet_int()) {\n        x++;\n        y++;\n    }\n    if (x != y)\n        reach_error();\n    return 0;\n}\n",
);

#[test]
fn a_certificate_is_checked_again_and_fits_one_program_only() {
    let other = ("other.c", &*LOOP.1.replace("sum > 5", "sum > 4"));
    let dir = folder(&[LOOP, other]);
    let proved = kerf(dir.path(), &["verify", "--timeout", "300s", "--output", "out", "loop.c"]);
    assert_eq!(proved.code, 0, "{} {}", proved.out, proved.err);
    assert!(proved.out.contains("out/certificate.txt"), "{}", proved.out);
    let check = |program: &str| kerf(dir.path(), &["certificate", "check", program, "out/certificate.txt"]);
    let valid = check("loop.c");
    assert_eq!(valid.code, 0, "{} {}", valid.out, valid.err);
    assert!(valid.out.starts_with("CERTIFICATE: valid ("), "{}", valid.out);
    assert_ne!(check("other.c").code, 0);
    let text = std::fs::read_to_string(dir.path().join("out/certificate.txt")).expect("a certificate");
    let nameless: String = text.lines().filter(|l| !l.starts_with("program ")).map(|l| format!("{l}\n")).collect();
    std::fs::write(dir.path().join("nameless.txt"), nameless).expect("a file");
    let answer = kerf(dir.path(), &["certificate", "check", "loop.c", "nameless.txt"]);
    assert_eq!((answer.code, answer.err.contains("which program it is for")), (1, true), "{}", answer.err);
    std::fs::write(dir.path().join("bad.txt"), "certificate 1\nnonsense\n").expect("a file");
    let bad = kerf(dir.path(), &["certificate", "check", "loop.c", "bad.txt"]);
    assert_eq!((bad.code, bad.err.lines().count()), (1, 1), "{}", bad.err);
}

/// Whose certificates say enough of loops that the check has queries.
const BY_INDUCTION: [&str; 2] = ["--strategy", "k-induction"];

/// A folder with a program, its certificate `out/certificate.txt`, and a script as a solver.
fn proved(script: &str) -> tempfile::TempDir {
    let dir = folder(&[COUNTERS, ("solver", &format!("#!/bin/sh\n{script}\n"))]);
    let options = ["--timeout", "300s", "--output", "out", COUNTERS.0];
    let proved = kerf(dir.path(), &[&["verify"][..], &BY_INDUCTION, &options].concat());
    assert_eq!(proved.code, 0, "{} {}", proved.out, proved.err);
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(dir.path().join("solver"), runs).expect("permissions");
    dir
}

fn check(dir: &Path, options: &[&str]) -> Answer {
    kerf(dir, &[&["certificate", "check", COUNTERS.0, "out/certificate.txt"], options].concat())
}

#[test]
fn queries_are_written_as_scripts_that_are_complete() {
    let dir = proved("");
    for solver in ["fast", "bits", "z3"] {
        let answer = check(dir.path(), &["--obligations", solver, "--solver", solver]);
        assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
        let mut files: Vec<_> = std::fs::read_dir(dir.path().join(solver)).expect("a folder").flatten().collect();
        files.sort_by_key(|f| f.path());
        let [first, last] = [answer.out.lines().next(), answer.out.lines().last()].map(Option::unwrap_or_default);
        assert_eq!(first, format!("{} queries in {solver}", files.len()));
        assert!(last.starts_with("CERTIFICATE: valid ("), "{}", answer.out);
        assert_eq!(files.first().map(|f| f.file_name()), Some("0001.smt2".into()), "{files:?}");
        let all: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f.path()).expect("text")).collect();
        for text in &all {
            let order =
                ["; From the check", ";   ", "(set-info :status unsat)", "(set-logic QF_", "(assert", "(check-sat)"];
            let at: Vec<Option<usize>> = order.iter().map(|words| text.find(words)).collect();
            assert!(at.is_sorted() && !at.contains(&None), "{text}");
        }
        assert!(all.iter().any(|text| text.contains("closes the loop at node")), "{all:?}");
    }
}

/// Of a product, two steps away: algebra has nothing to say, circuits do.
const PRODUCT: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\nint main(void) {\n    \
                       unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();\n    \
                       if (x > 1 && y > 1 && x * y == 251)\n        reach_error();\n    return 0;\n}\n";

#[test]
fn sat_proofs_are_checked() {
    let dir = folder(&[("product.c", PRODUCT)]);
    let proved = kerf(dir.path(), &["verify", "--timeout", "300s", "--output", "out", "product.c"]);
    assert_eq!(proved.code, 0, "{} {}", proved.out, proved.err);
    let check = |more: &[&str]| {
        kerf(
            dir.path(),
            &[&["certificate", "check", "product.c", "out/certificate.txt", "--sat-proofs"], more].concat(),
        )
    };
    for solver in ["fast", "bits"] {
        let json = check(&["--json", "--solver", solver]).out;
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let counts = &json["sat_proofs"];
        assert!(counts["proved"].as_u64() > Some(0) && counts["steps"].as_u64() > Some(20), "{json}");
        assert_eq!((&json["answer"], &counts["by_z3"]), (&Value::from("valid"), &Value::from(0)));
    }
    let said = check(&[]).out;
    assert!(said.contains(" SAT proofs checked, ") && said.contains("\nCERTIFICATE: valid ("), "{said}");
    let bad = check(&["--solver", "z3"]);
    assert_eq!((bad.code, bad.err.lines().count()), (1, 1), "{}", bad.err);
}

#[test]
fn a_second_solver_confirms() {
    // A solver that reads its file, says more than the answer, and ends as some do.
    let dir = proved("grep -q '^(check-sat)$' \"$1\" && echo c fine && echo unsat; exit 20");
    let answer = check(dir.path(), &["--second", "./solver"]);
    assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
    let said = answer.out.lines().next().unwrap_or_default();
    let counts: Vec<&str> = said.split(' ').filter(|w| w.parse::<usize>().is_ok_and(|n| n > 0)).collect();
    assert!(counts.len() == 2 && counts[0] == counts[1] && said.ends_with("queries confirmed"), "{said}");
    let json = check(dir.path(), &["--second", "./solver", "--json"]).out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["answer"], json["second"]["open"].as_array().map(Vec::len)), (&Value::from("valid"), Some(0)));
    assert_eq!(json["second"]["confirmed"], json["queries"]["files"]);
}

#[test]
fn a_second_solver_that_disagrees_rejects() {
    let dir = proved("echo sat");
    let answer = check(dir.path(), &["--second", "./solver"]);
    assert_eq!(answer.code, 10, "{} {}", answer.out, answer.err);
    let last = answer.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("CERTIFICATE: not valid (./solver finds a model of a query: "), "{last}");
    assert!(last.contains(" node "), "{last}");
}

#[test]
fn a_second_solver_without_an_answer_leaves_queries_open() {
    for (script, reason) in [
        ("kill -SEGV $$", "signal 11"),
        ("echo unsat; kill -ABRT $$", "signal 6"),
        ("exit 3", "no answer"),
        ("echo unknown", "unknown"),
        ("echo '(error \"no such command\")'; echo unsat", "no such command"),
        ("sleep 60", "timeout"),
    ] {
        let dir = proved(script);
        let answer = check(dir.path(), &["--second", "./solver", "--second-timeout", "0.2s"]);
        assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
        let said = answer.out.lines().next().unwrap_or_default();
        assert!(said.contains(": 0 of ") && said.contains("left open") && said.contains(reason), "{script}: {said}");
    }
}

#[test]
fn bad_folders_and_solvers_get_one_line() {
    let check = |more: &[&str], expected: &str| {
        let args = [&["certificate", "check", "a.c", "c.txt"], more].concat();
        check_bad(&[MAIN, ("c.txt", ""), ("full", "")], &args, expected);
    };
    check(&["--obligations", "full"], "full: ");
    check(&["--obligations", "a.c/queries"], "a.c/queries: ");
    check(&["--obligations", "."], ".: not empty");
    check(&["--second", "no-such-solver"], "no-such-solver: no such program");
    check(&["--second", "./c.txt"], "./c.txt: no such program");
}

#[test]
fn a_bench_counts_what_a_second_solver_confirms() {
    let dir = proved("echo unsat");
    std::fs::create_dir(dir.path().join("tasks")).expect("a folder");
    let task = format!("// EXPECT: true unreach-call LP64\n{}", COUNTERS.1);
    std::fs::write(dir.path().join("tasks/counters.c"), task).expect("a file");
    let bench = |second: &str| {
        let options = ["--timeout", "30s", "--out", "r.tsv", "--second", second, "tasks"];
        let answer = kerf(dir.path(), &[&["bench"][..], &BY_INDUCTION, &options].concat());
        assert_eq!(answer.code, 0, "{} {}", answer.out, answer.err);
        answer.out
    };
    // The same from the file.
    for out in [bench("./solver"), kerf(dir.path(), &["bench", "--show", "r.tsv"]).out] {
        assert!(out.contains("queries of proofs, by a second solver:\n     1  confirmed\n"), "{out}");
        assert!(out.contains("the check of the certificates of 1 proofs takes, in the median, "), "{out}");
    }
    std::fs::write(dir.path().join("solver"), "#!/bin/sh\necho sat\n").expect("a file");
    std::fs::remove_file(dir.path().join("r.tsv")).expect("results");
    assert!(bench("./solver").contains("     1  NOT VALID: "));
    check_bad(&[MAIN], &["bench", "--second", "no-such-solver", "a.c"], "no-such-solver: no such program");
}
