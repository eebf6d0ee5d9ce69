//! A short run of the test of slices by execution with fixed seeds.
//!
//! `KERF_FUZZ_RUNS` raises the number of programs (`make fuzz`).

use kerf_tests::long_run::Run;
use kerf_tests::slices::{Options, compare, sliced};
use slicer::{PrepareOptions, SliceOptions};
use std::path::Path;
use std::process::Command;

#[test]
fn fuzz_slices_show_what_the_program_shows() {
    let run = Run::of_test(1_000_000, 40);
    let count = run.count;
    let options = Options { run, batch: 20, builds: 1, inputs: 3 };
    let summary = compare(&options, &|_| {}).expect("the comparison runs");
    println!("{summary}");
    assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    assert!(summary.discarded * 20 <= summary.runs, "too many runs with undefined behaviour: {summary}");
    assert!(summary.values >= 10 * count, "too few values shown: {summary}");
}

/// Programs with loops before an end and without a criterion, and one whose optimised code notes values of a block that goes.
#[test]
fn seeds_that_were_trouble() {
    for seed in [144, 546, 941] {
        let options = Options { run: Run::exactly(seed, 1), batch: 1, builds: 4, inputs: 1 };
        let summary = compare(&options, &|_| {}).expect("the comparison runs");
        assert!(summary.disagreements.is_empty(), "{}", summary.disagreements.join("\n"));
    }
}

/// Runs a command and returns what it prints.
fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn a_slice_runs_under_lli_and_prints_what_the_criterion_prints() {
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        static int shown;
        static const char *const names[] = {"even", "odd"};
        void check(int v) { printf("%d: %s %d\n", shown++, names[v & 1], v); }
        static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
        static long noise;
        static void disturb(int n) { for (int i = 0; i < n; i++) noise = noise * 31 + i; }
        int main(void) {
            int *list = calloc(10, sizeof *list), sum = 0;
            for (int i = 0; i < 10; i++) { list[i] = fact(i); disturb(i); }
            for (int i = 0; i < 10; i++) { sum += list[i]; if (i % 3 == 0) check(sum); }
            check(list[9]);
            if (noise == 42) puts("nobody wants this");
            free(list);
            return 0;
        }"#;
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.c"), text).expect("the folder can be written");
    let clang = frontend_llvm::clang::find().expect("clang is installed");
    output(Command::new(&clang).args(["-g", "-c", "-emit-llvm", "-o"]).args([at("a.bc"), at("a.c")]));
    let how = SliceOptions::default();
    let stats = sliced(&at("a.bc"), "main", &how, &PrepareOptions::default(), &at("s.bc")).expect("a slice");
    assert!(stats.after.instructions < stats.before.instructions);
    let name = clang.file_name().and_then(|n| n.to_str()).unwrap_or("clang").replace("clang", "lli");
    let lli = |file: &Path| output(Command::new(clang.with_file_name(&name)).arg(file));
    let expected = lli(&at("a.bc"));
    assert_eq!(lli(&at("s.bc")), expected);
    assert_eq!(expected.lines().count(), 5);
    let printed = output(Command::new(&clang).args(["-S", "-emit-llvm", "-o", "-"]).arg(at("s.bc")));
    assert!(!printed.contains("@disturb") && printed.contains("!DISubprogram(name: \"fact\""), "{printed}");
}
