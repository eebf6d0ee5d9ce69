//! The documents: commands print what the documents show, and what the documents name exists.
//!
//! A document is a `.md` file in the project's root or in `docs`. Its fenced blocks are
//! - `console`: a line that begins with `$ ` is a command, the lines after it are what it prints, on both streams. A line `...` stands for
//!   any lines, and `...` within a line for any text. A command without lines after it must print nothing and succeed;
//! - any other block whose first line is a comment with a file's name (`// sum.c`, `# kerf.toml`): that file;
//! - `text`: not run. In lines that begin with `kerf`, `make` or `cargo`, what is named must exist, as in inline code.
//!
//! The commands of a document are run by `sh` one after the other, in a new folder with the files that stand before them. There, `kerf`
//! is the binary under test, and `tests` is the project's folder of that name.
//!
//! In inline code, commands and options of kerf, targets of `make`, binaries and benchmarks of cargo, and paths of the source tree must
//! exist, except for paths with `NAME`, which stands for any name. What links lead to must exist, too. Code in ADDING_AN_ANALYSIS.md is
//! compared with the analysis that it explains.

use kerf_tests::kerf;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the source tree; what begins with one of them in inline code is a path.
const FOLDERS: [&str; 9] =
    ["cfa/", "docs/", "frontend-llvm/", "pipeline/", "scripts/", "slicer/", "tests/", "third_party/z3/", "verifier/"];

#[test]
fn commands_print_what_is_shown() {
    // What is printed depends on the version of LLVM; the documents show that of the default one.
    if !cfg!(feature = "llvm22") {
        return;
    }
    let documents = documents();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = kerf::parallel(&documents, jobs, Document::run).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let commands = documents.iter().map(|document| document.commands().len()).sum::<usize>();
    assert!(commands > 60, "only {commands} commands were found");
}

#[test]
fn options_commands_and_paths_exist() {
    let help = Help::read();
    let wrong: Vec<String> = documents().iter().flat_map(|document| document.wrong_names(&help)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    let wrong: Vec<String> = documents.iter().flat_map(|document| document.broken_links()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let readme = documents.iter().find(|document| document.name == "README.md").expect("README.md");
    for document in documents.iter().filter(|document| document.name.starts_with("docs/")) {
        assert!(readme.links().contains(&document.name), "README.md does not link to {}", document.name);
    }
}

#[test]
fn output_is_compared_line_by_line() {
    let fits = |pattern: &str, text: &str| fit(&lines(pattern), &lines(text));
    assert!(fits("a\n...\nd", "a\nb\nc\nd") && fits("a\n...", "a") && fits("x = ... (y)", "x = 17 (y)"));
    assert!(!fits("a\nd", "a\nb\nd") && !fits("a", "a\nb") && !fits("x = ... (y)", "x = 17 (z)") && !fits("", "a"));
    assert!(!fits("ab...bc", "abc"));
}

/// The code that ADDING_AN_ANALYSIS.md shows is that of the analysis it explains, line by line.
#[test]
fn code_of_the_guide_is_tested() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("a readable file");
    let (guide, tested) = (read("ADDING_AN_ANALYSIS.md"), read("verifier/tests/parity.rs"));
    let tested: BTreeSet<&str> = tested.lines().map(str::trim).collect();
    // The guide explains some lines by comments after them.
    let code = guide.lines().filter_map(|line| line.strip_prefix("    ")).map(|line| line.trim());
    let code = code.map(|line| line.split_once("   //").map_or(line, |(code, _)| code.trim_end()));
    let code: Vec<&str> = code.filter(|line| !line.is_empty() && *line != "...").collect();
    let unknown: Vec<&&str> = code.iter().filter(|line| !tested.contains(**line)).collect();
    assert!(code.len() > 30 && unknown.is_empty(), "not in verifier/tests/parity.rs: {unknown:?}");
}

/// A file with text and fenced blocks.
struct Document {
    /// The path from the project's root.
    name: String,
    /// The lines outside of blocks, with their numbers.
    prose: Vec<(usize, String)>,
    blocks: Vec<Block>,
}

/// A fenced block.
struct Block {
    info: String,
    /// The number of the line before the first line.
    line: usize,
    lines: Vec<String>,
}

/// A command and its output.
struct Shown<'a> {
    line: usize,
    command: &'a str,
    output: Vec<&'a str>,
}

impl Block {
    /// The name of the file that this block is.
    fn file(&self) -> Option<&str> {
        let first = self.lines.first()?;
        let name = first.strip_prefix("// ").or_else(|| first.strip_prefix("# "))?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        (self.info != "console" && name.contains('.') && name.chars().all(is_name)).then_some(name)
    }

    fn commands(&self) -> Vec<Shown<'_>> {
        let mut commands: Vec<Shown<'_>> = Vec::new();
        for (i, line) in self.lines.iter().enumerate().filter(|_| self.info == "console") {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push(Shown { line: self.line + 1 + i, command, output: Vec::new() }),
                (None, Some(last)) => last.output.push(line),
                (None, None) => panic!("line {}: output without a command", self.line + 1 + i),
            }
        }
        for command in &mut commands {
            while command.output.pop_if(|line| line.is_empty()).is_some() {}
        }
        commands
    }
}

impl Document {
    fn read(path: &Path) -> Document {
        let name = path.strip_prefix(root()).expect("a file of the project").display().to_string();
        let text = fs::read_to_string(path).expect("a readable file");
        let (mut prose, mut blocks, mut open) = (Vec::new(), Vec::new(), None::<Block>);
        for (i, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), open.as_mut()) {
                (Some(info), None) => open = Some(Block { info: info.to_string(), line: i + 1, lines: Vec::new() }),
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.lines.push(line.to_string()),
                (None, None) => prose.push((i + 1, line.to_string())),
            }
        }
        assert!(open.is_none(), "{name}: a block is not closed");
        Document { name, prose, blocks }
    }

    fn commands(&self) -> Vec<Shown<'_>> {
        self.blocks.iter().flat_map(Block::commands).collect()
    }

    /// Runs the commands; one message for each that does not print what is shown.
    fn run(&self) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let binaries = folder.path().join(".bin");
        fs::create_dir(&binaries).expect("a folder");
        symlink(kerf::binary(), binaries.join("kerf")).expect("a link");
        symlink(root().join("tests"), folder.path().join("tests")).expect("a link");
        let mut search = vec![binaries];
        search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let search = std::env::join_paths(search).expect("paths");
        let mut wrong = Vec::new();
        for block in &self.blocks {
            if let Some(name) = block.file() {
                fs::write(folder.path().join(name), block.lines.join("\n") + "\n").expect("a writable folder");
            }
            for Shown { line, command, output } in block.commands() {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("exec 2>&1\n{command}")).current_dir(folder.path()).env("PATH", &search);
                let run = shell.output().expect("sh");
                let printed = String::from_utf8_lossy(&run.stdout);
                if !fit(&output, &lines(&printed)) || output.is_empty() && !run.status.success() {
                    let place = format!("{}:{line}", self.name);
                    wrong.push(format!("{place}: $ {command}\n({})\n{printed}", run.status));
                }
            }
        }
        wrong
    }

    /// Inline code, with the numbers of its lines.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose.iter().flat_map(|(number, line)| line.split('`').skip(1).step_by(2).map(|code| (*number, code)))
    }

    /// One message for each option, command, target of `make` and path that does not exist.
    fn wrong_names(&self, help: &Help) -> Vec<String> {
        let blocks = self.blocks.iter().filter(|block| block.info == "text");
        let not_run =
            blocks.flat_map(|block| block.lines.iter().enumerate().map(|(i, line)| (block.line + 1 + i, line)));
        let is_command = |line: &str| ["kerf ", "make ", "cargo "].iter().any(|tool| line.starts_with(tool));
        let not_run = not_run.filter(|(_, line)| is_command(line)).map(|(number, line)| (number, line.as_str()));
        let named = self.code().chain(not_run).filter_map(|(number, code)| Some((number, help.wrong_name(code)?)));
        named.map(|(number, what)| format!("{}:{number}: {what}", self.name)).collect()
    }

    /// What relative links lead to: paths from the project's root, with their fragments.
    fn links(&self) -> Vec<String> {
        let folder = Path::new(&self.name).parent().expect("a folder");
        let without_code = |line: &String| line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        let texts: Vec<String> = self.prose.iter().map(|(_, line)| without_code(line)).collect();
        let targets = texts.iter().flat_map(|text| text.split("](").skip(1).filter_map(|rest| rest.split_once(')')));
        let relative = targets.map(|(target, _)| target).filter(|target| !target.contains("://"));
        relative
            .map(|target| match target.strip_prefix('#') {
                Some(fragment) => format!("{}#{fragment}", self.name),
                None => normal(&folder.join(target)),
            })
            .collect()
    }

    fn broken_links(&self) -> Vec<String> {
        let is_broken = |link: &&String| {
            let (file, fragment) = link.split_once('#').map_or((link.as_str(), None), |(f, h)| (f, Some(h)));
            let path = root().join(file);
            !path.exists() || fragment.is_some_and(|fragment| !Document::read(&path).headings().contains(fragment))
        };
        let links = self.links();
        links.iter().filter(is_broken).map(|link| format!("{}: {link} does not exist", self.name)).collect()
    }

    /// The headings, as links name them.
    fn headings(&self) -> BTreeSet<String> {
        let headings = self.prose.iter().filter(|(_, line)| line.starts_with('#'));
        let words = headings.map(|(_, line)| line.trim_start_matches('#').trim().to_lowercase());
        let is_kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
        words.map(|words| words.chars().filter(is_kept).collect::<String>().replace(' ', "-")).collect()
    }
}

/// What exists.
struct Help {
    /// The words of the help of each command, by what is typed after `kerf`.
    words: BTreeMap<String, BTreeSet<String>>,
    /// The targets of the `Makefile`.
    targets: BTreeSet<String>,
}

impl Help {
    fn read() -> Help {
        let makefile = fs::read_to_string(root().join("Makefile")).expect("the Makefile");
        let targets = makefile.lines().filter_map(|line| line.strip_prefix(".PHONY: ")).flat_map(str::split_whitespace);
        let mut help = Help { words: BTreeMap::new(), targets: targets.map(str::to_string).collect() };
        help.add("");
        help
    }

    /// Adds a command and its subcommands, which its help lists.
    fn add(&mut self, command: &str) {
        let asked = Command::new(kerf::binary()).args(command.split_whitespace()).arg("--help").output().expect("kerf");
        let text = String::from_utf8(asked.stdout).expect("text");
        let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let names =
            listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
        for name in names.filter(|name| *name != "help") {
            self.add(format!("{command} {name}").trim_start());
        }
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let words = text.split(|c| !is_of_word(c)).map(str::to_string).collect();
        self.words.insert(command.to_string(), words);
    }

    /// What of a piece of code does not exist.
    fn wrong_name(&self, code: &str) -> Option<String> {
        if let Some(rest) = code.strip_prefix("kerf ") {
            return self.wrong_option(rest);
        }
        if let Some(target) = code.strip_prefix("make ").and_then(|rest| rest.split(' ').next()) {
            return (!self.targets.contains(target)).then(|| format!("there is no target {target}"));
        }
        if code.starts_with("cargo ") {
            return wrong_target(code);
        }
        if code.starts_with("--") {
            let option = option_name(code.split(' ').next()?);
            let known = self.words.values().any(|words| words.contains(option));
            return (!known).then(|| format!("there is no option {option}"));
        }
        let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        let is_named = FOLDERS.iter().any(|folder| code.starts_with(folder)) && code.chars().all(is_path);
        if is_named && !code.contains("NAME") {
            return (!root().join(code).exists()).then(|| format!("there is no file {code}"));
        }
        None
    }

    /// The first option of a command (without `kerf`) that it does not have.
    fn wrong_option(&self, command: &str) -> Option<String> {
        let named = self.words.iter().filter(|(name, _)| is_prefix(name, command)).max_by_key(|(name, _)| name.len());
        let general = self.words.get("").filter(|_| command.starts_with('-'));
        let Some(words) = named.map(|(_, words)| words).or(general) else {
            return Some(format!("there is no command kerf {command}"));
        };
        let options = command.split(['|', '>']).next()?.split(' ').filter(|word| word.starts_with('-'));
        let mut names = options.map(option_name).filter(|name| *name != "-help");
        let unknown = names.find(|name| !words.contains(*name))?;
        Some(format!("there is no option {unknown} in kerf {command}"))
    }
}

/// The first binary or benchmark of a command of cargo that no crate has.
fn wrong_target(command: &str) -> Option<String> {
    let (_, rest) = command.split_once(" --bin ").or_else(|| command.split_once(" --bench "))?;
    let name = rest.split(' ').next()?;
    let folders = ["tests/src/bin", "slicer/benches", "verifier/benches"];
    let exists = folders.iter().any(|folder| root().join(folder).join(format!("{name}.rs")).exists());
    (!exists).then(|| format!("there is no {name}.rs for {command}"))
}

/// Whether `text` begins with the words of `name`.
fn is_prefix(name: &str, text: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// `--name=value` without the value.
fn option_name(word: &str) -> &str {
    word.split(['=', ',']).next().unwrap_or(word)
}

/// All documents of the project.
fn documents() -> Vec<Document> {
    let of =
        |folder: PathBuf| fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("a file").path());
    let files = of(root()).chain(of(root().join("docs")));
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    files.sort();
    assert!(files.len() > 15, "only {files:?}");
    files.iter().map(|path| Document::read(path)).collect()
}

/// The project's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder").to_path_buf()
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.to_str().expect("text").split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

/// Whether lines fit what is shown of them.
fn fit(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], rest) => rest.is_empty(),
        (["...", shown @ ..], _) => (0..=printed.len()).any(|skipped| fit(shown, &printed[skipped..])),
        ([first, shown @ ..], [line, printed @ ..]) => fits_line(first.trim_end(), line) && fit(shown, printed),
        (_, []) => false,
    }
}

fn fits_line(shown: &str, printed: &str) -> bool {
    let Some((begin, end)) =
        shown.split_once("...").and_then(|(begin, rest)| Some((begin, rest.rsplit("...").next()?)))
    else {
        return shown == printed;
    };
    let middle = shown[begin.len()..shown.len() - end.len()].split("...").filter(|part| !part.is_empty());
    let Some(mut rest) = printed.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end)) else { return false };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    true
}
