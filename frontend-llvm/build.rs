//! Compiles the models of the C library to bitcode, once for 32-bit and once for 64-bit programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// As for user code (see `src/clang.rs`), but with line tables only, and without clang's own idea of what the functions do.
const FLAGS: [&str; 11] = [
    "-c",
    "-emit-llvm",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-gline-tables-only",
    "-fdebug-compilation-dir=.",
    "-fno-discard-value-names",
    "-ffp-contract=off",
    "-fno-builtin",
    "-w",
];

fn main() {
    println!("cargo:rerun-if-changed=library");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut sources: Vec<PathBuf> = std::fs::read_dir("library")
        .expect("the folder library lies beside build.rs")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    sources.sort();
    for bits in ["32", "64"] {
        let mut parts = Vec::new();
        for source in &sources {
            let stem = source.file_stem().expect("a source file has a name").to_string_lossy();
            let object = out.join(format!("{stem}{bits}.bc"));
            let mut clang = Command::new(tool("clang"));
            clang.args(FLAGS).arg(format!("-m{bits}")).arg(source).arg("-o").arg(&object);
            run(clang);
            parts.push(object);
        }
        let mut link = Command::new(tool("llvm-link"));
        link.args(&parts).arg("-o").arg(out.join(format!("library{bits}.bc")));
        run(link);
    }
}

/// The program `name` of LLVM 22: in the folder that the build uses, else in `PATH`.
fn tool(name: &str) -> PathBuf {
    if let Some(prefix) = std::env::var_os("LLVM_SYS_221_PREFIX") {
        let path = Path::new(&prefix).join("bin").join(name);
        if path.exists() {
            return path;
        }
    }
    PathBuf::from(format!("{name}-22"))
}

fn run(mut command: Command) {
    let status = command.status();
    assert!(status.as_ref().is_ok_and(|s| s.success()), "{command:?} failed: {status:?}");
}
