//! What a compiled program finds around it when it runs: arguments, variables of the environment, standard input and files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use cfa::delivery::{DeliveryEvent, FileText};
use cfa::{Cfa, Delivered};

/// The name of the file in the directory of the harness that is the program's standard input.
pub const INPUT: &str = "native.stdin";
/// The directory there in which the program runs if it opens files. It is made anew for each run.
pub const FOLDER: &str = "native.files";

/// The surroundings of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The program's name, if it matters.
    pub name: Option<Vec<u8>>,
    /// The arguments after it.
    pub arguments: Vec<Vec<u8>>,
    /// Variables of the environment, with their values; `None` for those that must not exist. If there are any, there are no others.
    pub variables: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// The bytes on standard input, if the program reads any.
    pub input: Option<Vec<u8>>,
    /// The files that the program opens, by their paths, relative to the directory in which it runs.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The folders that the program reads, likewise.
    pub folders: BTreeSet<Vec<u8>>,
    /// What of the counterexample these surroundings do not have, in words.
    pub lacks: Option<String>,
}

/// A file that is read.
#[derive(Default)]
struct Reading {
    path: Option<Vec<u8>>,
    text: FileText,
}

impl Surroundings {
    /// What the environment handed to a run of `cfa` that was given `arguments` arguments.
    pub fn of(cfa: &Cfa, events: &[DeliveryEvent], arguments: usize) -> Surroundings {
        let mut here = Surroundings { arguments: vec![b"x".to_vec(); arguments], ..Surroundings::default() };
        let mut open: BTreeMap<u64, Reading> = BTreeMap::new();
        let mut folders: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for event in events {
            let bytes = || event.bytes.clone().unwrap_or_default();
            match &cfa.deliveries[&event.edge].what {
                Delivered::Contents(_) => {}
                Delivered::Argument | Delivered::Entry if event.of >= event.detail => {}
                Delivered::Argument if event.of == 0 => here.name = event.bytes.clone(),
                Delivered::Argument | Delivered::FurtherArguments => {
                    if let Some(argument) = here.arguments.get_mut(event.of as usize - 1) {
                        *argument = bytes();
                    }
                }
                Delivered::Entry | Delivered::FurtherEntries => match split(&bytes()) {
                    Some((name, value)) => drop(here.variables.insert(name, Some(value))),
                    None => here.lack("an entry of the environment that is no variable"),
                },
                Delivered::Variable if event.name.is_empty() || event.name.contains(&b'=') => {}
                Delivered::Variable => drop(here.variables.insert(event.name.clone(), event.bytes.clone())),
                Delivered::NotOpened => {
                    let path = bytes();
                    if !is_below(&path) && as_path(&path).exists() {
                        here.lack("a file that cannot be opened");
                    }
                }
                Delivered::Opened => {
                    let path = Some(bytes()).filter(|path| is_below(path));
                    if path.is_none() {
                        here.lack("a file outside of the directory");
                    }
                    here.keep_closed(&mut open, event.of);
                    open.insert(event.of, Reading { path, ..Reading::default() });
                }
                Delivered::Folder => match Some(bytes()).filter(|path| is_below(path)) {
                    Some(path) => drop(folders.insert(event.of, path)),
                    None => here.lack("a folder outside of the directory"),
                },
                Delivered::Name => {
                    let Some(folder) = folders.get(&event.of) else { continue };
                    let name = bytes();
                    let path = as_path(folder).join(as_path(&name)).into_os_string().into_vec();
                    if name != b"." && name != b".." {
                        here.files.entry(path).or_default();
                    }
                }
                Delivered::Unreadable | Delivered::Written => here.keep_closed(&mut open, event.of),
                what => {
                    // The replay has seen that such a file exists.
                    let _ = open.entry(event.of).or_default().text.add(what, event);
                }
            }
        }
        for (file, reading) in open {
            here.keep(file, reading);
        }
        here.folders.extend(folders.into_values());
        let lies_in = |path: &[u8], other: &[u8]| path != other && as_path(path).starts_with(as_path(other));
        if here.files.keys().any(|path| here.files.keys().any(|other| lies_in(path, other))) {
            here.lack("a file that is a folder, too");
            here.files.clear();
        }
        here
    }

    /// Notes what was read from a file that is open no longer.
    fn keep_closed(&mut self, open: &mut BTreeMap<u64, Reading>, file: u64) {
        if let Some(reading) = open.remove(&file) {
            self.keep(file, reading);
        }
    }

    /// Notes what was read from a file.
    fn keep(&mut self, file: u64, Reading { path, text }: Reading) {
        let FileText { bytes, lacks, .. } = text;
        if let Some(lacks) = lacks {
            self.lack(lacks);
        }
        match path {
            None if file == 0 && !bytes.is_empty() => self.input = Some(bytes),
            None => {}
            Some(path) => match self.files.get_mut(&path) {
                None => drop(self.files.insert(path, bytes)),
                Some(known) if bytes.starts_with(known) => *known = bytes,
                Some(known) if known.starts_with(&bytes) => {}
                Some(_) => self.lack("a file that changes"),
            },
        }
    }

    fn lack(&mut self, what: &str) {
        self.lacks.get_or_insert_with(|| what.to_string());
    }

    /// Writes the files into the directory of the harness.
    ///
    /// # Errors
    /// A file or directory cannot be written.
    pub fn write(&self, dir: &Path) -> Result<()> {
        if let Some(input) = &self.input {
            fs::write(dir.join(INPUT), input).context("cannot write the standard input")?;
        }
        let own = dir.join(FOLDER);
        if own.exists() {
            fs::remove_dir_all(&own).context("cannot remove the folder of an earlier run")?;
        }
        if self.needs_folder() {
            fs::create_dir_all(&own).context("cannot make the folder in which the program runs")?;
        }
        for path in &self.folders {
            let path = own.join(as_path(path));
            fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        }
        for (path, bytes) in &self.files {
            let path = own.join(as_path(path));
            let folder = path.parent().unwrap_or(dir);
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// Whether the program runs in a folder of its own.
    pub fn needs_folder(&self) -> bool {
        !self.files.is_empty() || !self.folders.is_empty()
    }

    /// The command that runs `native` in the directory of the harness.
    ///
    /// # Errors
    /// The standard input cannot be read.
    pub fn command(&self, dir: &Path) -> Result<Command> {
        let mut command = Command::new(dir.join("native"));
        command.args(self.arguments.iter().map(|argument| OsStr::from_bytes(argument)));
        if let Some(name) = &self.name {
            command.arg0(OsStr::from_bytes(name));
        }
        if !self.variables.is_empty() {
            command.env_clear();
        }
        for (name, value) in &self.variables {
            if let Some(value) = value {
                command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
            }
        }
        command.current_dir(if self.needs_folder() { dir.join(FOLDER) } else { dir.to_path_buf() });
        command.stdin(match &self.input {
            Some(_) => Stdio::from(File::open(dir.join(INPUT)).context("cannot read the standard input")?),
            None => Stdio::null(),
        });
        Ok(command)
    }

    /// The same as a line of the shell, in the directory of the harness.
    pub fn line(&self) -> Vec<u8> {
        let mut line = Vec::new();
        let here = if self.needs_folder() {
            line.extend(format!("cd {FOLDER} && ").bytes());
            ".."
        } else {
            "."
        };
        if !self.variables.is_empty() {
            line.extend(b"env -i ");
        }
        for (name, value) in &self.variables {
            if let Some(value) = value {
                line.extend(quoted(&[name.as_slice(), value].join(&b'=')));
                line.push(b' ');
            }
        }
        match &self.name {
            None => line.extend(format!("{here}/native").bytes()),
            Some(name) => {
                line.extend(format!("bash -c 'exec -a \"$0\" {here}/native \"$@\"' ").bytes());
                line.extend(quoted(name));
            }
        }
        for argument in &self.arguments {
            line.push(b' ');
            line.extend(quoted(argument));
        }
        let input = self.input.as_ref().map_or("/dev/null".into(), |_| format!("{here}/{INPUT}"));
        line.extend(format!(" < {input}").bytes());
        line
    }
}

/// Whether a file with this path lies in or below the directory in which a program runs.
fn is_below(path: &[u8]) -> bool {
    let mut parts = as_path(path).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Name and value of a variable.
fn split(entry: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let at = entry.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
    Some((entry[..at].to_vec(), entry[at + 1..].to_vec()))
}

/// A word, quoted for the shell if necessary.
pub fn quoted(word: &[u8]) -> Vec<u8> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_=./+,:".contains(byte);
    if !word.is_empty() && word.iter().all(is_plain) {
        return word.to_vec();
    }
    let mut out = vec![b'\''];
    for byte in word {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            other => out.push(*other),
        }
    }
    out.push(b'\'');
    out
}
