//! The files of `pipeline/integrations`, and what an archive has beside the binary: completions, manual pages, the smoke test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{LOOP, MAIN, folder, kerf};

const KERF: &str = env!("CARGO_BIN_EXE_kerf");

/// The version of the linked LLVM.
const LLVM: &str = if cfg!(feature = "llvm14") {
    "14"
} else if cfg!(feature = "llvm16") {
    "16"
} else {
    "22"
};

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(integrations().join(file)).expect("a readable file")
}

/// Both streams of a command that must succeed.
fn succeeds(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("a command that runs");
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{said}");
    said
}

/// A folder with a link `bin/kerf` to the binary under test.
fn installed() -> tempfile::TempDir {
    let dir = folder(&[]);
    std::fs::create_dir(dir.path().join("bin")).expect("a folder");
    std::os::unix::fs::symlink(KERF, dir.path().join("bin/kerf")).expect("a link");
    dir
}

/// The modules' own tests. BenchExec and Symbiotic are stand-ins, unless they are installed: `make integrations` has the real ones.
fn check_python(tests: &str) {
    let mut python = Command::new("python3");
    python.args(["-B", "-m", "unittest", tests]).current_dir(integrations().join("tests"));
    let said = succeeds(python.env("KERF", KERF).env("KERF_LLVM", LLVM).env_remove("SYMBIOTIC"));
    assert!(said.contains("\nOK"), "{said}");
}

#[test]
fn benchexec_understands_runs() {
    check_python("test_benchexec");
}

#[test]
fn symbiotic_understands_runs() {
    check_python("test_symbiotic");
}

#[test]
fn the_smoke_test_passes() {
    let dir = installed();
    std::fs::copy(integrations().join("svcomp/smoketest.sh"), dir.path().join("smoketest.sh")).expect("a copy");
    let said = succeeds(Command::new("bash").arg(dir.path().join("smoketest.sh")).current_dir("/"));
    assert!(
        said.ends_with("smoketest: holds.c: RESULT: true\nsmoketest: fails.c: RESULT: false(unreach-call)\n"),
        "{said}"
    );
}

/// The entry names this version, has its keys in the order in which FM-Tools wants them, and its options are kerf's.
#[test]
fn the_entry_of_fm_tools_is_about_this_version() {
    let entry = text("svcomp/kerf.yml");
    assert!(entry.contains(&format!("  - version: \"{}\"\n", env!("CARGO_PKG_VERSION"))), "{entry}");
    let keys: Vec<&str> = entry.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    let keys: Vec<&str> = keys.iter().filter_map(|line| line.split(':').next()).collect();
    let order = [
        "id",
        "name",
        "description",
        "input_languages",
        "project_url",
        "spdx_license_identifier",
        "benchexec_toolinfo_module",
        "fmtools_format_version",
        "fmtools_entry_maintainers",
        "maintainers",
        "versions",
        "competition_participations",
        "techniques",
        "frameworks_solvers",
        "literature",
    ];
    assert_eq!(keys, order);
    // What only the publisher can state, and nothing else, is left open.
    let lines = entry.lines().take_while(|l| *l != "techniques:").filter(|l| !l.trim_start().starts_with('#'));
    let values = lines.filter_map(|l| l.split(' ').next_back());
    let is_open = |value: &&str| value.len() > 3 && value.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    let open: Vec<&str> = values.filter(is_open).collect();
    assert_eq!(open, ["PROJECT-URL", "GITLAB-HANDLE", "NAME", "INSTITUTION", "COUNTRY", "DOI-OF-THE-ARCHIVE"]);
    let options = entry.lines().find_map(|l| l.trim().strip_prefix("benchexec_toolinfo_options: ")).expect("options");
    let options: Vec<String> = serde_json::from_str(options).expect("a list");
    let args: Vec<&str> = ["config", "show"].into_iter().chain(options.iter().map(String::as_str)).collect();
    let shown = kerf(folder(&[]).path(), &args);
    assert!(shown.out.contains("witness = \"witness.yml\""), "{}{}", shown.out, shown.err);
}

/// The step of the workflow fails for a violation alone, and always leaves results.
#[test]
fn the_workflow_of_github_verifies() {
    let workflow = text("github/kerf.yml");
    let step = workflow.lines().find_map(|l| l.trim().strip_prefix("run: kerf verify ")).expect("a step that verifies");
    let fails = "extern void reach_error(void);\nint main(void) { reach_error(); }\n";
    for (program, extra, code) in [(MAIN.1, "", 0), (fails, "", 1), (LOOP.1, "--timeout 1ms ", 0)] {
        let dir = folder(&[("a.c", program)]);
        let step = step
            .replace("--timeout 5min ", &format!("--timeout 1min {extra}"))
            .replace("--timeout 1min --timeout", "--timeout");
        let step = format!("{KERF} verify {}", step.replace("${{ matrix.program }}", "a.c"));
        let run = Command::new("bash").args(["-e", "-c", &step]).current_dir(dir.path()).output().expect("bash");
        assert_eq!(run.status.code(), Some(code), "{step}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(dir.path().join("kerf.sarif").exists(), "{step}");
    }
}

/// The commands that `kerf --help` lists.
fn commands() -> BTreeSet<String> {
    let help = kerf(folder(&[]).path(), &["--help"]).out;
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let names = listed.filter_map(|l| l.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let dir = folder(&[]);
    let script = kerf(dir.path(), &["completions", "bash"]).out;
    std::fs::write(dir.path().join("kerf.bash"), script).expect("a file");
    let completed = |words: &[&str]| {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let last = words.len() - 1;
        let call = format!("_kerf kerf '{}' '{}'", words[last], words[last - 1]);
        let words = quoted.join(" ");
        let code = format!(
            "source ./kerf.bash; COMP_WORDS=({words}); COMP_CWORD={last}; {call}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        succeeds(Command::new("bash").args(["-c", &code]).current_dir(dir.path()))
    };
    assert_eq!(completed(&["kerf", "ver"]), "verify\n");
    assert_eq!(completed(&["kerf", "verify", "--prope"]), "--property\n");
    assert_eq!(completed(&["kerf", "verify", "--data-model", ""]), "ILP32\nLP64\n");
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = kerf(folder(&[]).path(), &["completions", shell]);
        assert_eq!((script.code, &*script.err), (0, ""), "{shell}");
        for command in commands() {
            assert!(script.out.contains(&command), "{shell}: {command}");
        }
    }
    assert_eq!(kerf(folder(&[]).path(), &["completions", "sh"]).code, 1);
}

/// There is a page for each command, and that of `kerf verify` describes each of its options.
#[test]
fn manual_pages_describe_commands_and_options() {
    let dir = folder(&[]);
    assert_eq!(kerf(dir.path(), &["man", "man1"]).code, 0);
    let page = |name: &str| std::fs::read_to_string(dir.path().join("man1").join(name)).expect("a page");
    assert!(page("kerf.1").contains(".TH kerf 1") && page("kerf.1").contains(env!("CARGO_PKG_VERSION")));
    for command in commands() {
        assert!(
            page(&format!("kerf-{command}.1")).contains(&format!("kerf\\-{}", command.replace('-', "\\-"))),
            "{command}"
        );
    }
    let verify = page("kerf-verify.1");
    let help = kerf(dir.path(), &["verify", "--help"]).out;
    let options = help
        .split_whitespace()
        .filter(|word| word.starts_with("--"))
        .map(|word| word.trim_end_matches([',', ';', '.', ']', ':']));
    let options: BTreeSet<&str> = options.filter(|option| option.len() > 2).collect();
    assert!(options.len() > 15, "{options:?}");
    for option in options {
        assert!(verify.contains(&option.replace('-', "\\-")), "{option}");
    }
    let bad = kerf(dir.path(), &["man", "man1/kerf.1"]);
    assert_eq!((bad.code, bad.err.lines().count()), (1, 1), "{}", bad.err);
}
