//! Compiles the models of the C library to bitcode, each file once for 32-bit and once for 64-bit programs, and writes a table of
//! what they define, so that only the files that a program needs are parsed. The clang is that of the LLVM that is linked, which must
//! be able to read what it writes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The versions that can be linked, with the variables that say where they lie (see `.cargo/config.toml`).
const VERSIONS: [(&str, &str); 3] =
    [("14", "LLVM_SYS_140_PREFIX"), ("16", "LLVM_SYS_160_PREFIX"), ("22", "LLVM_SYS_221_PREFIX")];

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
    let llvm = Llvm::chosen();
    println!("cargo:rerun-if-env-changed={}", llvm.prefix);
    println!("cargo:rustc-env=KERF_LLVM_VERSION={}", output(Command::new(llvm.tool("llvm-config")).arg("--version")));
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
            let mut clang = Command::new(llvm.tool("clang"));
            clang.args(FLAGS).arg(format!("-m{bits}")).arg(source).arg("-o").arg(&object);
            output(&mut clang);
            parts.push(format!("include_bytes!({object:?})"));
            if bits == "64" {
                symbols.extend(defined(&llvm, &object).into_iter().map(|name| (name, i)));
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
fn defined(llvm: &Llvm, object: &Path) -> Vec<String> {
    let mut nm = Command::new(llvm.tool("llvm-nm"));
    nm.args(["--defined-only", "--extern-only", "--format=just-symbols"]).arg(object);
    output(&mut nm).split_whitespace().map(str::to_string).collect()
}

/// The LLVM that is linked.
struct Llvm {
    major: &'static str,
    prefix: &'static str,
}

impl Llvm {
    /// The one that a cargo feature chooses; `src/compat` rejects another number of them than one.
    fn chosen() -> Llvm {
        let chosen = VERSIONS.iter().rev().find(|(n, _)| std::env::var_os(format!("CARGO_FEATURE_LLVM{n}")).is_some());
        let &(major, prefix) = chosen.unwrap_or(&VERSIONS[2]);
        Llvm { major, prefix }
    }

    /// Its program `name`: in the folder that the build uses, else in `PATH`.
    fn tool(&self, name: &str) -> PathBuf {
        if let Some(prefix) = std::env::var_os(self.prefix) {
            let path = Path::new(&prefix).join("bin").join(name);
            if path.exists() {
                return path;
            }
        }
        PathBuf::from(format!("{name}-{}", self.major))
    }
}

/// What a command prints.
fn output(command: &mut Command) -> String {
    let output = command.output();
    let Some(output) = output.as_ref().ok().filter(|o| o.status.success()) else {
        panic!("{command:?} failed: {output:?}")
    };
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}
