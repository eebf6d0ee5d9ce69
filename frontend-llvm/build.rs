//! Compiles the models of the C library to bitcode, each file once for 32-bit and once for 64-bit programs, and writes a table of
//! what they define, so that only the files that a program needs are parsed.

use std::fmt::Write;
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
    let mut files = String::new();
    let mut symbols = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        let stem = source.file_stem().expect("a source file has a name").to_string_lossy();
        let mut parts = Vec::new();
        for bits in ["32", "64"] {
            let object = out.join(format!("{stem}{bits}.bc"));
            let mut clang = Command::new(tool("clang"));
            clang.args(FLAGS).arg(format!("-m{bits}")).arg(source).arg("-o").arg(&object);
            run(clang);
            parts.push(format!("include_bytes!({object:?})"));
            if bits == "64" {
                symbols.extend(defined(&object).into_iter().map(|name| (name, i)));
            }
        }
        writeln!(files, "    Models {{ bits32: {}, bits64: {} }},", parts[0], parts[1]).expect("strings take text");
    }
    symbols.sort();
    let symbols: String = symbols.iter().map(|(name, i)| format!("    ({name:?}, {i}),\n")).collect();
    let table =
        format!("static FILES: &[Models] = &[\n{files}];\nstatic SYMBOLS: &[(&str, usize)] = &[\n{symbols}];\n");
    std::fs::write(out.join("library.rs"), table).expect("OUT_DIR can be written");
}

/// Names of the functions and variables that a bitcode file defines for others.
fn defined(object: &Path) -> Vec<String> {
    let mut nm = Command::new(tool("llvm-nm"));
    nm.args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(object);
    let output = nm.output();
    let Some(output) = output.as_ref().ok().filter(|o| o.status.success()) else { panic!("{nm:?} failed: {output:?}") };
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_string).collect()
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
