//! Limits of memory, within abstraction by all solutions and interpolation.

use kerf_tests::kerf::{binary, parallel};
use std::fmt::Write;
use std::process::Command;

/// A loop that swaps numbers, and then a check whose refutation has a long proof.
fn swaps(n: usize) -> String {
    let mut text = String::from("extern int input(void); extern void reach_error(void);\nint main(void) {\n");
    for i in 0..n {
        writeln!(text, "int a{i} = input(), b{i} = a{i};").expect("a line");
    }
    text += "while (input()) {\n";
    for i in 0..n {
        let next = (i + 1) % n;
        writeln!(text, "if (input()) {{ int t = a{i}; a{i} = b{next}; b{next} = t; }}").expect("a line");
        writeln!(text, "if (input()) {{ int t = b{i}; b{i} = a{next}; a{next} = t; }}").expect("a line");
    }
    text += "}\nunsigned s = 0, t = 0;\n";
    for i in 0..n {
        writeln!(text, "s += a{i} * {}; t += b{i} * {};", i + 3, i + 5).expect("a line");
    }
    text + "if ((s ^ t) == 12345 && s * s == 2) reach_error();\nreturn 0; }\n"
}

/// Whatever ran out of memory, the answer says so, soon: no crash, no waiting until the time is over.
#[test]
fn what_runs_out_of_memory_says_so() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("swaps.c");
    std::fs::write(&file, swaps(24)).expect("a file");
    let limits = (560..=760).step_by(40);
    let runs: Vec<(u32, &str)> = limits
        .flat_map(|limit| ["predicate", "predicate-cartesian", "impact", "imc"].map(|strategy| (limit, strategy)))
        .collect();
    let wrong = parallel(&runs, 2, |(limit, strategy)| {
        let run = Command::new(binary())
            .args(["verify", "--strategy", strategy, "--timeout", "60s", "--memory", &format!("{limit}MB")])
            .arg(&file)
            // Errors are not to look for their origin while there is no memory.
            .env("RUST_BACKTRACE", "1")
            .output()
            .expect("kerf runs");
        let output = String::from_utf8_lossy(&run.stdout);
        let result = output.lines().find(|l| l.starts_with("RESULT: ")).unwrap_or("no result").to_string();
        let is_fine = result == "RESULT: true" || result.contains("memory");
        (!is_fine).then(|| format!("{strategy} with {limit} MB: {result}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
