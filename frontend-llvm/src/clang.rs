//! Compiles C files to bitcode with clang. All options for clang and the search for LLVM's programs are here.

use crate::raw::compat::MAJOR;
use crate::session::is_bitcode;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Options for every C file: lifetimes and types are annotated, but nothing is optimised, because optimisers assume that there is
/// no undefined behaviour. The harness that reproduces an alarm is compiled with [`DIALECT`] alone.
pub const TO_BITCODE: [&str; 8] =
    ["-c", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-g", "-fno-discard-value-names", "-w"];

/// Options that affect the meaning of a program. A program's own definition of a library function takes precedence; without this
/// option, clang would replace calls of `fabs` by an operator.
pub const DIALECT: [&str; 1] = ["-fno-builtin"];

/// Options added if a file does not compile as current C: they accept what older compilers accepted.
pub const OLD_C: [&str; 5] = [
    "-std=gnu89",
    "-Wno-implicit-function-declaration",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-type",
];

/// Options that only turn errors of current clang into warnings; tried before [`OLD_C`].
pub const RELAXED: [&str; 6] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// What CBMC declares before it reads a program; tried for files that name such functions.
const CPROVER: &str = include_str!("../include/cprover.h");

/// Options for clang in addition to kerf's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClangOptions {
    /// For all C files.
    pub for_all: Vec<String>,
    /// For some files, by their names as given; they precede those for all. A compilation database states them, and they may rest on
    /// another working directory ([`WORKING_DIRECTORY`]).
    pub of_files: BTreeMap<PathBuf, Vec<String>>,
}

/// The option with which clang reads relative names from a directory; the directory follows.
pub const WORKING_DIRECTORY: &str = "-working-directory=";

impl ClangOptions {
    /// The same options for all files.
    pub fn for_all(options: Vec<String>) -> ClangOptions {
        ClangOptions { for_all: options, of_files: BTreeMap::new() }
    }

    /// The options for a file.
    pub fn of(&self, file: &Path) -> Vec<String> {
        self.of_files.get(file).into_iter().chain([&self.for_all]).flatten().cloned().collect()
    }
}

/// The clang to use: that of the linked LLVM, whose bitcode is sure to be readable, or any other. An archive of kerf has one beside
/// the binary.
///
/// # Errors
/// There is no clang beside the binary or in `PATH`.
pub fn find() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own_name = format!("clang-{MAJOR}");
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.canonicalize().ok()?.parent()?.join(&own_name)));
    let names = [own_name, "clang".into()];
    let in_path = names.iter().flat_map(|name| std::env::split_paths(&path).map(move |dir| dir.join(name)));
    beside
        .into_iter()
        .chain(in_path)
        .find(|file| file.is_file())
        .ok_or_else(|| anyhow!("no clang in PATH: C files need clang-{MAJOR} (bitcode files do not)"))
}

/// The program `name` of the linked LLVM, where Debian installs it; otherwise a name to look up in `PATH`.
pub fn llvm_tool(name: &str) -> PathBuf {
    let installed = PathBuf::from(format!("/usr/lib/llvm-{MAJOR}/bin")).join(name);
    if installed.exists() { installed } else { PathBuf::from(format!("{name}-{MAJOR}")) }
}

/// The option that selects a data model.
pub fn width_option(pointer_bits: u32) -> &'static str {
    if pointer_bits == 32 { "-m32" } else { "-m64" }
}

/// Compiles `source` to the bitcode file `to`.
///
/// # Errors
/// One line with clang's first error, or the reason why clang could not be run.
pub fn compile(source: &Path, to: &Path, pointer_bits: u32, options: &ClangOptions) -> Result<()> {
    let clang = find()?;
    let extra = &options.of(source);
    // A file name that begins with a dash would be taken as an option.
    let dashed = source.as_os_str().as_encoded_bytes().starts_with(b"-");
    let file = match options.of_files.contains_key(source) {
        // Its options may be about another working directory.
        true => std::path::absolute(source)?,
        false if dashed => Path::new(".").join(source),
        false => source.to_path_buf(),
    };
    let run = |more: &[String]| -> Result<Output> {
        Command::new(&clang)
            .args(TO_BITCODE)
            .args(DIALECT)
            .arg(width_option(pointer_bits))
            .args(more)
            .args(extra)
            .arg(&file)
            .arg("-o")
            .arg(std::path::absolute(to)?)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| anyhow!("{} cannot be run: {e}", clang.display()))
    };
    // Options such as -E or --version make clang do something else.
    let written = || match has_bitcode(to) {
        true => Ok(()),
        false => bail!("{}: clang writes no bitcode with {}", source.display(), extra.join(" ")),
    };
    let first = run(&[])?;
    if first.status.success() {
        return written();
    }
    let mut said = messages(&first);
    let header = tempfile::Builder::new().suffix(".h").tempfile().context("cannot write a temporary file")?;
    for (i, fallback) in fallbacks(&said, header.path())?.iter().enumerate() {
        let again = run(fallback)?;
        if again.status.success() {
            return written();
        }
        if i == 0 && lacks_cbmc(&said) {
            said = messages(&again);
        }
    }
    bail!("{}: does not compile: {}", source.display(), first_error(&said))
}

/// What clang printed about a file.
fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether clang complains of a name that CBMC declares.
fn lacks_cbmc(messages: &str) -> bool {
    messages.contains("'__CPROVER_")
}

/// Options for further attempts to compile a file that clang rejects with `messages`, in their order. If it lacks declarations of CBMC's, these
/// are written to `header`, and the first attempt only includes it.
///
/// # Errors
/// `header` cannot be written.
pub fn fallbacks(messages: &str, header: &Path) -> Result<Vec<Vec<String>>> {
    let older = [&RELAXED[..], &OLD_C[..]].map(|options| options.iter().copied().map(String::from).collect::<Vec<_>>());
    if !lacks_cbmc(messages) {
        return Ok(older.to_vec());
    }
    std::fs::write(header, CPROVER).with_context(|| format!("cannot write {}", header.display()))?;
    let included = vec!["-include".to_string(), header.display().to_string()];
    let both = older.iter().map(|options| [&included[..], options].concat());
    Ok([included.clone()].into_iter().chain(both).chain(older.iter().cloned()).collect())
}

/// Whether a file is there and holds bitcode.
fn has_bitcode(file: &Path) -> bool {
    let mut head = [0; 4];
    File::open(file).and_then(|mut f| f.read_exact(&mut head)).is_ok() && is_bitcode(&head)
}

/// The first error among clang's messages.
fn first_error(messages: &str) -> String {
    let line = messages.lines().find(|l| l.contains("error:")).or_else(|| messages.lines().next());
    match line {
        None => "clang gave no reason".into(),
        Some(line) => {
            let (place, what) = line.split_once("error:").unwrap_or(("", line));
            let place = place.trim().trim_end_matches("fatal").trim().trim_end_matches(':');
            // `file:line:column` without the file, with which the message begins anyway.
            let mut numbers: Vec<&str> = place.rsplit(':').take_while(|p| p.parse::<u32>().is_ok()).collect();
            numbers.reverse();
            match numbers.first() {
                Some(line) => format!("line {line}: {}", what.trim()),
                None => what.trim().to_string(),
            }
        }
    }
}
