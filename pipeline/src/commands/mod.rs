//! One module per command, and what they share: reading file names, starting the worker, interpreting its end.

pub(crate) mod bench;
pub(crate) mod certificate;
pub(crate) mod compare;
mod config;
mod harness;
mod listing;
mod llvm_slicer;
mod optimise;
mod report;
mod shell;
pub(crate) mod slice;
mod task;
mod verify;
mod witness;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use frontend_llvm::clang::ClangOptions;
use frontend_llvm::property::{Property, Specification, Targets, parse_prp};
use frontend_llvm::{Substitutions, Undefined};
use serde::Serialize;
use serde::de::DeserializeOwned;
use slicer::automaton;

use crate::adapters::dg::options::Tool;
use crate::cfa_file;
use crate::cli::{Cli, ColorChoice, Command, ShowArgs};
use crate::compile_commands::Database;
use crate::config::{Extern, Replacement, Settings, Source};
use crate::driver::{Automata, Program};
use crate::report::{Cause, SCHEMA_VERSION};
use crate::worker::{self, Death, Ending, Phase, Reporter, Run, UserError, Waiting};

/// Exit status for a user error.
const BAD_INPUT: u8 = 1;
/// Exit status for a bug in kerf.
const BUG: u8 = 2;
/// Exit status for `unknown`.
const UNKNOWN: u8 = 20;

/// The output options, and the time at which the process began.
struct Session {
    start: Instant,
    color: bool,
}

/// Runs the command line and returns the exit status.
pub fn main() -> ExitCode {
    let start = Instant::now();
    // SAFETY: a plain system call. A closed standard output ends this process silently, as it does for other commands.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut args = std::env::args_os();
    if let Some(tool) = args.next().and_then(|name| Tool::of_name(Path::new(&name))) {
        let args: Vec<String> = args.map(|a| a.to_string_lossy().into_owned()).collect();
        worker::catch_interrupts();
        return end(llvm_slicer::run(tool, &args), false);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            if !error.use_stderr() {
                return ExitCode::SUCCESS;
            }
            if asks_for_json(std::env::args_os()) {
                let _ = print_json(serde_json::json!({ "error": first_paragraph(&error.render().to_string()) }));
            }
            return ExitCode::from(BAD_INPUT);
        }
    };
    worker::catch_interrupts();
    let color = match cli.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let in_json = cli.command.as_ref().is_some_and(Command::prints_json);
    end(dispatch(cli, Session { start, color }), in_json)
}

/// Whether `--json` is among the options of a command line, which need not be a right one.
fn asks_for_json(args: impl Iterator<Item = OsString>) -> bool {
    args.take_while(|word| word != "--").any(|word| word == "--json")
}

/// What an error of the option parser says before its hints, in one line.
fn first_paragraph(said: &str) -> String {
    let lines = said.lines().take_while(|line| !line.is_empty()).map(str::trim);
    lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_string()
}

/// The exit status of a command; prints an error.
fn end(result: Result<u8>, in_json: bool) -> ExitCode {
    let error = match result {
        Ok(code) => return ExitCode::from(code),
        Err(error) => error,
    };
    let (code, text) = match () {
        () if error.is::<UserError>() => (BAD_INPUT, error.to_string()),
        () if error.is::<NoResult>() => (UNKNOWN, error.to_string()),
        () => (BUG, format!("internal error: {error:#}")),
    };
    eprintln!("kerf: {text}");
    if in_json {
        // Standard output may be what has failed.
        let _ = print_json(serde_json::json!({ "error": text }));
    }
    ExitCode::from(code)
}

fn dispatch(cli: Cli, session: Session) -> Result<u8> {
    let Some(command) = cli.command else {
        println!("kerf {} ({})", env!("CARGO_PKG_VERSION"), crate::driver::versions());
        return Ok(0);
    };
    match command {
        Command::Verify(args) => verify::run(args, session),
        Command::Slice(args) => slice::run(args, session),
        Command::Cfa(args) => listing::cfa(args, session),
        Command::Harness(args) => harness::run(args, session),
        Command::Certificate(args) => certificate::run(args, session),
        Command::Witness(args) => witness::run(args, session),
        Command::Report(args) => report::run(&args),
        Command::Config(args) => config::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Compare(args) => compare::run(args),
        Command::LlvmSlicer(args) => llvm_slicer::run(Tool::LlvmSlicer, &args.args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    }
}

/// The program that files and settings describe. Without files, it is what the entry needs of the compilation database.
/// Afterwards the files are known to be readable.
fn program(files: &[PathBuf], settings: &Settings) -> Result<Program, UserError> {
    let mut all = Vec::new();
    if let (true, Some(database)) = (files.is_empty(), &settings.compile_commands.value) {
        all = Database::read(database)?.files();
        if all.is_empty() {
            return Err(UserError(format!("{}: there is no C file in it", database.display())));
        }
    }
    let files = if all.is_empty() { files } else { &all };
    if files.is_empty() {
        return Err(UserError("no program: name its files, or a compilation database (--compile-commands)".into()));
    }
    let program = Program { only_needed: !all.is_empty(), ..program_of(files, settings)? };
    if settings.compile_commands.source == Source::CommandLine && !program.files.iter().any(|file| is_c(file)) {
        return Err(UserError("--compile-commands: there is no C file to compile".into()));
    }
    if settings.clang_options.source == Source::CommandLine {
        check_clang_options(files, &settings.clang_options.value)?;
    }
    Ok(program)
}

/// Likewise, for files none of which need be C, whatever the options for clang are.
fn program_of(files: &[PathBuf], settings: &Settings) -> Result<Program, UserError> {
    for file in files {
        check_readable(file)?;
    }
    cfa_file::only(files)?;
    let (specification, automata) = specification(&settings.property.value)?;
    Ok(Program {
        files: files.to_vec(),
        data_model: settings.data_model.value,
        clang_options: clang_options(files, settings)?,
        only_needed: false,
        substitutions: substitutions(files, settings)?,
        entry: match &specification.entry {
            Some(entry) if settings.entry.source == Source::Default => entry.clone(),
            _ => settings.entry.value.clone(),
        },
        specification,
        automata,
        undefined: match settings.r#extern.value {
            Extern::Pure => Undefined::ReadsArguments,
            Extern::Havoc => Undefined::ChangesAny,
        },
        heap_context: settings.heap_context.value,
    })
}

/// The options with which the C files are compiled.
fn clang_options(files: &[PathBuf], settings: &Settings) -> Result<ClangOptions, UserError> {
    let mut options = ClangOptions::for_all(settings.clang_options.value.clone());
    let c_files = files.iter().filter(|file| is_c(file));
    if let Some(path) = settings.compile_commands.value.as_ref().filter(|_| c_files.clone().next().is_some()) {
        let database = Database::read(path)?;
        for file in c_files {
            options.of_files.insert(file.clone(), database.options(file)?);
        }
    }
    Ok(options)
}

/// The functions that are not verified as they are.
fn substitutions(files: &[PathBuf], settings: &Settings) -> Result<Substitutions, UserError> {
    let (stubs, replacements) = (settings.stub.value.clone(), settings.replace.value.clone());
    let pairs = replacements.into_iter().map(|Replacement { from, to }| (from, to)).collect();
    let wanted = Substitutions { stubs, replacements: pairs };
    if !wanted.is_empty() && files.iter().any(|file| cfa_file::is_cfa(file)) {
        return Err(UserError("--stub and --replace: the functions of an automaton are fixed".into()));
    }
    Ok(wanted)
}

/// Whether a file is C by its name.
fn is_c(file: &Path) -> bool {
    matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i" | "h"))
}

/// Rejects options for clang where there is nothing to compile.
fn check_clang_options(files: &[PathBuf], options: &[String]) -> Result<(), UserError> {
    match options.first().filter(|_| !files.iter().any(|file| is_c(file))) {
        Some(option) => Err(UserError(format!("{option}: what is after -- is for clang, but there is no C file"))),
        None => Ok(()),
    }
}

fn check_readable(file: &Path) -> Result<(), UserError> {
    let error = |what: String| Err(UserError(format!("{}: {what}", file.display())));
    match std::fs::metadata(file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => error("no such file".into()),
        Err(e) => error(e.to_string()),
        Ok(meta) if meta.is_dir() => error("is a directory, not a program".into()),
        Ok(_) => match std::fs::File::open(file) {
            Err(e) => error(e.to_string()),
            Ok(_) => Ok(()),
        },
    }
}

/// The property that a name or a `.prp` file states, or the automata of a `.spc` file; with automata, no call is a violation by
/// itself.
fn specification(property: &str) -> Result<(Specification, Option<Automata>), UserError> {
    let extension = Path::new(property).extension().and_then(|e| e.to_str());
    let Some(extension @ ("prp" | "spc")) = extension else {
        let property = Property::from_name(property).map_err(|e| UserError(e.to_string()))?;
        return Ok((Specification { entry: None, property }, None));
    };
    check_readable(Path::new(property))?;
    let text = std::fs::read_to_string(property).map_err(|e| UserError(format!("{property}: {e}")))?;
    if extension == "prp" {
        let specification = parse_prp(&text).map_err(|e| UserError(format!("{property}: {e}")))?;
        return Ok((specification, None));
    }
    let list = automaton::parse(&text).map_err(|e| UserError(format!("{property}:{e}")))?;
    let specification = Specification { entry: None, property: Property::UnreachCall(Targets::Nothing) };
    Ok((specification, Some(Automata { file: property.to_string(), list })))
}

/// Runs `job` in a worker under the limits of `settings`.
fn work<T, F>(settings: &Settings, show: &ShowArgs, session: &Session, job: F) -> Result<Run<T>>
where
    T: Serialize + DeserializeOwned,
    F: FnOnce(&Reporter) -> Result<T> + Send,
{
    let spinner = std::io::stderr().is_terminal() && show.shows_progress();
    worker::run(settings.limits(), Waiting { spinner, verbose: show.verbose, start: session.start }, job)
}

/// The end of a worker from the user's point of view: a result, or the reason why there is none.
enum Answer<T> {
    Result(T),
    /// The input file is the cause.
    BadInput(String),
    /// No result, for this reason, which is of this kind.
    Nothing(Cause, String),
}

fn judge<T>(run: Run<T>, settings: &Settings) -> Answer<T> {
    let (phase, detail) = run.last_phase();
    let (phase, detail) = (phase, detail.to_string());
    let during = |what: &str| match phase {
        Phase::Starting => what.to_string(),
        _ => format!("{what} while {} {detail}", phase.name()).trim_end().to_string(),
    };
    match run.ending {
        Ending::Finished(value) => Answer::Result(value),
        Ending::UserError(text) => Answer::BadInput(text),
        Ending::Bug(text) => Answer::Nothing(Cause::Defect, format!("internal error: {text}")),
        Ending::Died(Death::Crash(how)) if phase == Phase::Loading => Answer::BadInput(format!(
            "{detail}: not a valid LLVM module (reading it crashed: {how}); create the file again with clang {} or older",
            frontend_llvm::LLVM_MAJOR
        )),
        Ending::Died(death) => {
            let cause = if death == Death::OutOfMemory { Cause::Memory } else { Cause::Crash };
            Answer::Nothing(cause, during(&death.to_string()))
        }
        Ending::TimedOut => {
            let limit = crate::limits::show_duration(settings.timeout.value);
            Answer::Nothing(Cause::Timeout, during(&format!("timeout after {limit}")))
        }
        Ending::Interrupted => Answer::Nothing(Cause::Interrupted, "interrupted".into()),
    }
}

/// The result of a worker. The error is a [`NoResult`] if there is none.
fn result_of<T>(run: Run<T>, settings: &Settings) -> Result<T> {
    match judge(run, settings) {
        Answer::Result(value) => Ok(value),
        Answer::BadInput(text) => Err(UserError(text).into()),
        Answer::Nothing(Cause::Defect, reason) => bail!("{reason}"),
        Answer::Nothing(_, reason) => Err(NoResult(reason).into()),
    }
}

/// There is no result, for this reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NoResult(String);

/// Prints a result as one JSON object, with the version of its schema.
fn print_json(result: impl Serialize) -> Result<()> {
    let mut json = serde_json::to_value(result)?;
    json["schema_version"] = SCHEMA_VERSION.into();
    print(&format!("{json:#}\n"))
}

/// Prints to standard output. If the reader has closed it, `SIGPIPE` ends the process; any other failure is a user error.
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|e| UserError(format!("standard output: cannot be written: {e}")).into())
}
