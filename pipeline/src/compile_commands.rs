//! Compilation databases (`compile_commands.json`), as CMake, Meson, Bear and others write them: how each file of a project is compiled.
//!
//! Of a command, what decides the meaning of the source is kept: include paths, macros, the dialect, the width of types. What says where
//! results go, what is about optimisation, debug information, instrumentation or dependences of makefiles is dropped, since kerf has its own
//! options for these. So is what clang does not know, with a warning: databases are often of projects that gcc compiles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use frontend_llvm::clang::{self, WORKING_DIRECTORY};
use serde::Deserialize;

use crate::worker::UserError;

/// The name of a database in its folder.
const NAME: &str = "compile_commands.json";

/// The words in the first line of a C file before the name of the file with whose options it is compiled, if there is no entry for it.
pub(crate) const LIKE: &str = "kerf: compile like ";

/// Options that are dropped together with their argument, which is the next word.
const DROPPED_WITH_ARGUMENT: [&str; 7] = ["-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", "-include-pch"];

/// Beginnings of options that are dropped: results, dependences, optimisation, debug information, instrumentation.
const DROPPED: [&str; 21] = [
    "-o",
    "-M",
    "-Wp,-M",
    "-O",
    "-g",
    "-flto",
    "-fno-lto",
    "-fwhole-program",
    "-fprofile",
    "-ftest-coverage",
    "--coverage",
    "-fcoverage",
    "-fsanitize",
    "-fno-sanitize",
    "-fxray",
    "-save-temps",
    "--save-temps",
    "-fuse-ld",
    "-finstrument",
    "-fdiagnostics",
    "-Werror",
];

/// Likewise, whole options.
const DROPPED_ALONE: [&str; 8] = ["-c", "-S", "-E", "-emit-llvm", "-p", "-pg", "-pipe", "-fsyntax-only"];

/// Options whose argument is a path, which may follow at once or as the next word.
const OF_PATHS: [&str; 9] =
    ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-iprefix", "--sysroot="];

/// Programs that run the compiler which follows.
const WRAPPERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", "env"];

/// An entry as it is written.
#[derive(Debug, Deserialize)]
struct Written {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// A compilation database.
#[derive(Debug)]
pub(crate) struct Database {
    /// Its file, for messages.
    path: PathBuf,
    /// The files in the order of their entries, as the database names them from the working directory.
    files: Vec<PathBuf>,
    /// The different options of each file, by its canonical name.
    options: BTreeMap<PathBuf, Vec<Vec<String>>>,
}

impl Database {
    /// Reads a database: its file, or the folder with it.
    ///
    /// # Errors
    /// It cannot be read, is no database, or a command is no command of a shell.
    pub(crate) fn read(given: &Path) -> Result<Database, UserError> {
        let path = if given.is_dir() { given.join(NAME) } else { given.to_path_buf() };
        let failed = |why: String| UserError(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|e| failed(e.to_string()))?;
        let entries: Vec<Written> =
            serde_json::from_str(&text).map_err(|e| failed(format!("is no compilation database: {e}")))?;
        // Names in the database are relative to the directories in it, and these to the database, if they are relative at all.
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).map_err(|e| failed(e.to_string()))?;
        let (mut files, mut options) = (Vec::new(), BTreeMap::<PathBuf, Vec<Vec<String>>>::new());
        for entry in entries {
            let directory = folder.join(&entry.directory);
            let file = directory.join(&entry.file);
            let words = match (entry.arguments, &entry.command) {
                (Some(words), _) => words,
                (None, Some(command)) => shlex::split(command)
                    .ok_or_else(|| failed(format!("{}: its command has an open quote", entry.file.display())))?,
                (None, None) => return Err(failed(format!("{}: there is no command", entry.file.display()))),
            };
            // A file that was generated may be gone; nobody can ask for it then.
            let Ok(canonical) = std::fs::canonicalize(&file) else { continue };
            let kept = kept(&words, &directory, &canonical);
            let known = options.entry(canonical.clone()).or_default();
            if known.is_empty() {
                files.push(from_here(&canonical));
            }
            if !known.contains(&kept) {
                known.push(kept);
            }
        }
        Ok(Database { path, files, options })
    }

    /// The C files in the database.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.files.iter().filter(|file| is_c(file)).cloned().collect()
    }

    /// The options for a C file.
    ///
    /// # Errors
    /// There is no entry for it.
    pub(crate) fn options(&self, file: &Path) -> Result<Vec<String>, UserError> {
        let canonical = std::fs::canonicalize(file).map_err(|e| UserError(format!("{}: {e}", file.display())))?;
        let entry = self.options.get(&canonical).or_else(|| self.options.get(&model(&canonical)?));
        let Some([options, others @ ..]) = entry.map(Vec::as_slice) else {
            return Err(UserError(format!("{}: {} has no entry for this file", file.display(), self.path.display())));
        };
        if !others.is_empty() {
            eprintln!(
                "kerf: {}: {} has {} entries with different options for this file; the first one counts",
                file.display(),
                self.path.display(),
                others.len() + 1
            );
        }
        let (known, unknown) = without_unknown(options.clone());
        if !unknown.is_empty() {
            eprintln!("kerf: {}: clang does not know {}, which is left out", file.display(), unknown.join(", "));
        }
        Ok(known)
    }
}

/// The file with whose options a file is compiled, according to its first line. Harnesses have such a line.
fn model(file: &Path) -> Option<PathBuf> {
    let text = std::fs::read(file).ok()?;
    let line = String::from_utf8_lossy(text.split(|b| *b == b'\n').next()?).into_owned();
    let (_, name) = line.split_once(LIKE)?;
    let name = name.trim().trim_end_matches("*/").trim();
    std::fs::canonicalize(file.parent()?.join(name)).ok()
}

/// Whether a file is C by its name.
fn is_c(file: &Path) -> bool {
    matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i"))
}

/// The name of a file from the working directory.
fn from_here(file: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
    here.and_then(|here| file.strip_prefix(here).ok()).unwrap_or(file).to_path_buf()
}

/// What is kept of the words of a command that compiles `file` in `directory`. Relative paths of known options become absolute, and
/// clang finds others from the directory.
fn kept(words: &[String], directory: &Path, file: &Path) -> Vec<String> {
    let is_compiler = |word: &String| {
        let name = Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or(word);
        // `env` may set variables before.
        !(WRAPPERS.contains(&name) || name.contains('='))
    };
    let compiler = words.iter().position(is_compiler).map_or(words.len(), |at| at + 1);
    let absolute = |path: &str| directory.join(path).display().to_string();
    let is_file = |word: &String| {
        !word.starts_with('-') && std::fs::canonicalize(directory.join(word)).is_ok_and(|path| path == *file)
    };
    let mut kept: Vec<String> = Vec::new();
    let mut words = words[compiler..].iter();
    while let Some(word) = words.next() {
        if DROPPED_WITH_ARGUMENT.contains(&word.as_str()) {
            words.next();
        } else if word == "-Ofast" {
            // It is about the meaning, too.
            kept.push("-ffast-math".into());
        } else if word == "--" || DROPPED_ALONE.contains(&word.as_str()) || is_file(word) {
        } else if let Some((option, path)) = split_path(word) {
            let path = if path.is_empty() { words.next().map_or("", String::as_str) } else { path };
            // An include path that begins with `=` is relative to the system root; a header that is forced may be on the include path.
            let is_there = !matches!(option, "-include" | "-imacros") || directory.join(path).is_file();
            let path = if path.starts_with('=') || !is_there { path.to_string() } else { absolute(path) };
            match option.strip_suffix('=') {
                Some(_) => kept.push(format!("{option}{path}")),
                None => kept.extend([option.to_string(), path]),
            }
        } else if !DROPPED.iter().any(|option| word.starts_with(option)) {
            kept.push(word.clone());
        }
    }
    kept.push(format!("{WORKING_DIRECTORY}{}", directory.display()));
    kept
}

/// An option with a path, and the path if it is in the same word.
fn split_path(word: &str) -> Option<(&'static str, &str)> {
    OF_PATHS.iter().find_map(|option| Some((*option, word.strip_prefix(option)?)))
}

/// Options without those that clang does not know, and these. Without a clang, compiling will say so.
fn without_unknown(mut options: Vec<String>) -> (Vec<String>, Vec<String>) {
    let Ok(clang) = clang::find() else { return (options, Vec::new()) };
    let said = Command::new(clang)
        .args(["-###", "-c", "-x", "c", "/dev/null"])
        .args(&options)
        .stdin(Stdio::null())
        .output()
        .map_or(String::new(), |output| String::from_utf8_lossy(&output.stderr).into_owned());
    let unknown = |line: &str| Some(line.split_once("error: unknown argument: '")?.1.split('\'').next()?.to_string());
    let unknown: Vec<String> = said.lines().filter_map(unknown).collect();
    options.retain(|option| !unknown.contains(option));
    (options, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a command for /d/a.c in /d, without the last word.
    fn of(command: &str) -> String {
        let words = shlex::split(command).expect("a command");
        let mut kept = kept(&words, Path::new("/d"), Path::new("/d/a.c"));
        assert_eq!(kept.pop().as_deref(), Some("-working-directory=/d"));
        kept.join(" ")
    }

    #[test]
    fn what_decides_the_meaning_is_kept() {
        assert_eq!(of("gcc -std=gnu99 -DX=\"a b\" -DY -UZ -m32 -fwrapv -c"), "-std=gnu99 -DX=a b -DY -UZ -m32 -fwrapv");
        assert_eq!(of("/usr/bin/ccache gcc -funsigned-char"), "-funsigned-char");
        assert_eq!(of("env CC_X=1 cc -fshort-enums"), "-fshort-enums");
        assert_eq!(of("cc -Ofast"), "-ffast-math");
    }

    #[test]
    fn results_dependences_and_optimisation_are_dropped() {
        assert_eq!(of("gcc -c -o a.o -oa.o -O3 -Os -g -ggdb3 -gdwarf-4 -flto=auto -pipe -S -E"), "");
        assert_eq!(of("gcc -MD -MMD -MP -MF a.d -MFa.d -MT a.o -MQ a.o -M -Wp,-MMD,a.d"), "");
        assert_eq!(
            of("gcc --coverage -fsanitize=address,undefined -fprofile-arcs -ftest-coverage -pg -Werror=all"),
            ""
        );
    }

    #[test]
    fn paths_are_relative_to_the_directory() {
        assert_eq!(
            of("cc -I. -I ../inc -I/x -isystem sys -iquotequoted"),
            "-I /d/. -I /d/../inc -I /x -isystem /d/sys -iquote /d/quoted"
        );
        assert_eq!(of("cc --sysroot=root -I=/usr/include"), "--sysroot=/d/root -I =/usr/include");
        assert_eq!(of("cc -include config.h"), "-include config.h");
    }
}
