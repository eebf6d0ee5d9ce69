//! Corrupted bitcode: whatever LLVM makes of it, kerf gives an answer or one clear line.
//!
//! `KERF_FUZZ_RUNS` raises the number of files (`make fuzz`); the seeds are fixed.

use kerf_testing::Random;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "
struct node { int value; struct node *next; };
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static struct node pool[4];
static double scale(double x) { return x * 1.5; }
int (*operation)(int);
static int twice(int x) { return 2 * x; }
int main(int argc, char **argv) {
    struct node *list = 0;
    for (int i = 0; i < 4; i++) { pool[i].value = __VERIFIER_nondet_int(); pool[i].next = list; list = &pool[i]; }
    operation = twice;
    switch (operation(list->value)) { case 3: reach_error(); break; default: return (int)scale(argc); }
    return 0;
}
";

fn check(file: &Path, bytes: &[u8], what: &str) {
    std::fs::write(file, bytes).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_kerf"))
        .args(["cfa", "--timeout", "20s", "--memory", "4GB"])
        .arg(file)
        .output()
        .expect("kerf runs");
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(1) => {
            assert_eq!(said.lines().count(), 1, "{what}: {said}");
            assert!(said.contains("corrupt.bc"), "{what}: {said}");
        }
        Some(20) => assert!(said.contains("timeout") || said.contains("out of memory"), "{what}: {said}"),
        code => panic!("{what}: exit status {code:?}: {said}"),
    }
}

#[test]
fn fuzz_corrupted_bitcode() {
    let runs = kerf_testing::fuzz_runs(40);
    let dir = tempfile::tempdir().expect("a directory");
    let (source, good) = (dir.path().join("good.c"), dir.path().join("good.bc"));
    std::fs::write(&source, PROGRAM).expect("a file");
    let mut clang = Command::new(frontend_llvm::clang::find().expect("clang is installed"));
    clang.args(["-c", "-emit-llvm", "-g", "-O1", "-o"]).arg(&good).arg(&source);
    assert!(clang.status().expect("clang runs").success());
    let good = std::fs::read(&good).expect("bitcode");
    let file = dir.path().join("corrupt.bc");
    let mut random = Random::new(1);
    for run in 0..runs {
        let mut bytes = good.clone();
        let what = if run % 4 == 0 {
            let length = random.below(bytes.len());
            bytes.truncate(length);
            format!("cut off after {length} bytes")
        } else {
            let at: Vec<usize> = (0..1 + random.below(4)).map(|_| random.below(8 * bytes.len())).collect();
            at.iter().for_each(|bit| bytes[bit / 8] ^= 1 << (bit % 8));
            format!("bits {at:?} flipped")
        };
        check(&file, &bytes, &what);
    }
    check(&file, b"", "an empty file");
    check(&file, b"int main(void) { return 0; }\n", "C text");
}
