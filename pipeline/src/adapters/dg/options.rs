//! The command line of dg's `llvm-slicer` and of Symbiotic's `sbt-slicer`, so that a pipeline made for these tools can call kerf.
//!
//! Options have the form used by LLVM's tools: one dash or two, `-o file` or `-o=file`, switches as `-forward` or
//! `-forward=false`. An option that selects an analysis which kerf lacks selects the nearest one that is equally sound, with a
//! warning. An option whose promise kerf cannot keep is an error, and the pipeline continues with the whole program.

use std::path::{Path, PathBuf};

use frontend_llvm::{Allocator, Undefined};
use slicer::criteria::{Request, parse as parse_criteria};
use slicer::dependence::control_dep::ControlKind;

use crate::adapters::dg::criteria::{names, secondary, structured_criterion};
use crate::adapters::dg::table::{OPTIONS, Takes};

/// The program that kerf stands in for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// dg's slicer.
    LlvmSlicer,
    /// Symbiotic's slicer, which also slices for assumptions.
    SbtSlicer,
}

impl Tool {
    /// The tool with this program name.
    pub fn of_name(program: &Path) -> Option<Tool> {
        match program.file_name()?.to_str()? {
            "llvm-slicer" => Some(Tool::LlvmSlicer),
            "sbt-slicer" => Some(Tool::SbtSlicer),
            _ => None,
        }
    }

    /// The tool's name, with which its messages begin.
    pub fn name(self) -> &'static str {
        match self {
            Tool::LlvmSlicer => "llvm-slicer",
            Tool::SbtSlicer => "sbt-slicer",
        }
    }
}

/// What a command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// Print the options.
    Help,
    /// Print the version.
    Version,
    /// Slice.
    Run(Box<Invocation>),
}

/// What to slice, for which criteria, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The module.
    pub input: PathBuf,
    /// The output file of the slice.
    pub output: PathBuf,
    /// The criteria.
    pub primary: Vec<Request>,
    /// Functions whose calls on a path to a criterion are criteria too.
    pub secondary: Vec<String>,
    /// Functions whose bodies are kept in full.
    pub preserved: Vec<String>,
    /// The function at which executions start.
    pub entry: String,
    /// Whether to keep what the criteria may affect, with what it needs to run, instead of what they depend on.
    pub forward: bool,
    /// The kind of control dependence.
    pub control: ControlKind,
    /// Whether to end executions when they can no longer reach a criterion.
    pub cutoff_diverging: bool,
    /// What undefined functions do with memory.
    pub undefined: Undefined,
    /// Whether to print the sizes before and after.
    pub statistics: bool,
    /// The graph to write next to the input.
    pub dump: Option<Dump>,
    /// Undefined functions that allocate memory.
    pub allocators: Vec<(String, Allocator)>,
    /// Whether calls that are criteria only mark the code after them.
    pub criteria_are_next: bool,
    /// Whether to reject programs with threads.
    pub abort_on_threads: bool,
    /// Whether to reject programs that contain constructs without a model.
    pub abort_on_unsupported: bool,
    /// Requests that are handled differently than asked for, one line each.
    pub warnings: Vec<String>,
}

/// A graph for Graphviz.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dump {
    /// The control flow, with operations that are sliced away in grey.
    Slice,
    /// The dependences; nothing is sliced.
    Dependences,
    /// The control flow; nothing is sliced.
    ControlFlow,
}

/// Functions that sbt-slicer always uses as additional criteria.
const ASSUMPTIONS: [&str; 2] = ["__VERIFIER_assume", "klee_assume"];

/// Reads the arguments of `tool` (without its name).
///
/// # Errors
/// One line, as the tool would print it.
pub fn parse(tool: Tool, args: &[String]) -> Result<Parsed, String> {
    let mut reader = Reader { tool, dumps: [false; 3], invocation: Invocation::new(), input: None, output: None };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let Some(option) = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).filter(|o| !o.is_empty()) else {
            if let Some(first) = reader.input.replace(PathBuf::from(arg)) {
                return Err(
                    reader.error(&format!("Too many positional arguments specified: {} and {arg}", first.display()))
                );
            }
            continue;
        };
        let (name, value) = option.split_once('=').map_or((option, None), |(n, v)| (n, Some(v.to_string())));
        match name {
            "help" | "h" | "help-list" | "help-hidden" => return Ok(Parsed::Help),
            "version" => return Ok(Parsed::Version),
            _ => {}
        }
        let known = OPTIONS.iter().find(|(n, ..)| *n == name);
        let sbt_only = matches!(name, "memsafety" | "abort-on-threads" | "abort-on-unsupported");
        let Some((_, takes, _)) = known.filter(|_| !sbt_only || tool == Tool::SbtSlicer) else {
            let name = tool.name();
            return Err(reader.error(&format!("Unknown command line argument '{arg}'.  Try: '{name} --help'")));
        };
        match takes {
            Takes::Value => {
                let value = value.or_else(|| rest.next().cloned());
                let value =
                    value.ok_or_else(|| reader.error(&format!("for the --{name} option: requires a value!")))?;
                reader.value(name, &value)?;
            }
            Takes::Switch => {
                let on = match value.as_deref() {
                    None | Some("" | "true" | "TRUE" | "True" | "1") => true,
                    Some("false" | "FALSE" | "False" | "0") => false,
                    Some(other) => {
                        let what = format!("'{other}' is invalid value for boolean argument! Try 0 or 1");
                        return Err(reader.error(&format!("for the --{name} option: {what}")));
                    }
                };
                reader.switch(name, on)?;
            }
        }
    }
    reader.finish()
}

impl Invocation {
    fn new() -> Invocation {
        Invocation {
            input: PathBuf::new(),
            output: PathBuf::new(),
            primary: Vec::new(),
            secondary: Vec::new(),
            preserved: Vec::new(),
            entry: "main".into(),
            forward: false,
            control: ControlKind::Standard,
            cutoff_diverging: true,
            undefined: Undefined::default(),
            statistics: false,
            dump: None,
            allocators: Vec::new(),
            criteria_are_next: false,
            abort_on_threads: false,
            abort_on_unsupported: false,
            warnings: Vec::new(),
        }
    }
}

struct Reader {
    tool: Tool,
    /// The switches `-dump-dg`, `-dump-dg-only`, `-dump-bb-only`.
    dumps: [bool; 3],
    invocation: Invocation,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
}

impl Reader {
    fn error(&self, text: &str) -> String {
        format!("{}: {text}", self.tool.name())
    }

    fn warn(&mut self, text: String) {
        self.invocation.warnings.push(text);
    }

    fn unsupported<T>(&self, option: &str, why: &str) -> Result<T, String> {
        Err(self.error(&format!("-{option} is not supported by kerf: {why}")))
    }

    fn value(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "c" => {
                let list = parse_criteria(value).map_err(|e| self.error(&e.to_string()))?;
                self.invocation.primary.extend(list);
            }
            "2c" => self.invocation.secondary.extend(secondary(value)),
            "sc" => self.structured(value)?,
            "o" => self.output = Some(PathBuf::from(value)),
            "entry" => self.invocation.entry = value.to_string(),
            "preserved-functions" => self.invocation.preserved.extend(names(value)),
            "pta" => match value {
                "fi" => {}
                "fs" | "inv" | "svf" => {
                    self.warn(format!(
                        "-pta {value} is taken as fi (inclusion-based, field-sensitive, flow-insensitive)"
                    ));
                }
                _ => return Err(self.no_such(name, value)),
            },
            "pta-field-sensitive" => {
                let _: u64 = value.parse().map_err(|_| self.no_such(name, value))?;
                self.warn(format!("-pta-field-sensitive {value}: fields are told apart at all offsets"));
            }
            "dda" if value == "ssa" => {}
            "cda" | "cd-alg" => self.control(name, value)?,
            "undefined-funs" => match value {
                // The arguments of "pure" functions are kept too, because the functions compute with them.
                "pure" | "read-args" => self.invocation.undefined = Undefined::ReadsArguments,
                "read-any" => self.invocation.undefined = Undefined::ReadsAny,
                "write-any" | "rw-any" => self.invocation.undefined = Undefined::ChangesAny,
                "write-args" | "rw-args" => {
                    self.invocation.undefined = Undefined::ChangesAny;
                    self.warn(format!("-undefined-funs {value}: undefined functions may write any memory"));
                }
                _ => return Err(self.no_such(name, value)),
            },
            "allocation-funs" => self.allocators(value)?,
            "annotate" => {
                self.warn(format!("-annotate {value}: nothing is written; kerf slice --annotate marks the source"))
            }
            _ => return Err(self.no_such(name, value)),
        }
        Ok(())
    }

    fn control(&mut self, name: &str, value: &str) -> Result<(), String> {
        use ControlKind::{Ntscd, NtscdDod, Standard};
        let (kind, exact) = match value {
            "standard" | "classic" | "scd" => (Standard, true),
            "ntscd" => (Ntscd, true),
            "ntscd2" | "ntscd-ranganath" | "ntscd-ranganath-orig" | "ntscd-legacy" => (Ntscd, false),
            "dod+ntscd" | "ntscd+dod" => (NtscdDod, true),
            "dod" | "dod-ranganath" | "scc" => (NtscdDod, false),
            _ => return Err(self.no_such(name, value)),
        };
        self.invocation.control = kind;
        if !exact {
            let taken = if kind == Ntscd { "ntscd" } else { "dod+ntscd" };
            self.warn(format!("-{name} {value} is taken as {taken}"));
        }
        Ok(())
    }

    fn switch(&mut self, name: &str, on: bool) -> Result<(), String> {
        match name {
            "forward" => self.invocation.forward = on,
            "cutoff-diverging" => self.invocation.cutoff_diverging = on,
            "statistics" => self.invocation.statistics = on,
            "dump-dg" => self.dumps[0] = on,
            "dump-dg-only" => self.dumps[1] = on,
            "dump-bb-only" => self.dumps[2] = on,
            "criteria-are-next-instr" => self.invocation.criteria_are_next = on,
            "abort-on-threads" => self.invocation.abort_on_threads = on,
            "abort-on-unsupported" => self.invocation.abort_on_unsupported = on,
            "remove-slicing-criteria" if on => self.warn("-remove-slicing-criteria: the criteria stay".into()),
            "interproc-cd" | "cda-interproc" if !on => {
                self.warn(format!("-{name}=false: calls that may not return are control dependences all the same"));
            }
            "preserve-dbg" if !on => self.warn("-preserve-dbg=false: debug information stays".into()),
            "consider-threads" if on => return self.unsupported(name, "it does not model threads"),
            "memsafety" if on => {
                return self.unsupported(name, "its slices assume that accesses which do not matter are in bounds");
            }
            // Switched off anyway, or always done.
            _ => {}
        }
        Ok(())
    }

    /// `-allocation-funs`: names, each with the C function that it resembles.
    fn allocators(&mut self, list: &str) -> Result<(), String> {
        for item in names(list) {
            let (name, like) = item.split_once(':').unwrap_or((&item, ""));
            let like = match like {
                "malloc" => Allocator::Malloc,
                "calloc" => Allocator::Calloc,
                "realloc" => Allocator::Realloc,
                _ => return Err(self.error(&format!("Invalid allocation function: {item}"))),
            };
            self.invocation.allocators.push((name.to_string(), like));
        }
        Ok(())
    }

    /// `-sc`: groups separated by `;`. Each group is a list of primary criteria and, after a `|`, one of secondary criteria.
    fn structured(&mut self, text: &str) -> Result<(), String> {
        for group in text.split(';') {
            let (primary, secondary) = group.split_once('|').unwrap_or((group, ""));
            for item in primary.split(',').map(str::trim).filter(|i| !i.is_empty()) {
                let request = structured_criterion(item);
                let request = request.ok_or_else(|| self.error(&format!("Invalid slicing criterion: {item}")))?;
                self.invocation.primary.push(request);
            }
            for item in secondary.split(',').map(str::trim).filter(|i| !i.is_empty()) {
                // Their position is ignored, so more calls are kept than asked for.
                let object = item.rsplit('#').next().unwrap_or(item);
                self.invocation.secondary.push(object.trim_end_matches("()").to_string());
            }
        }
        Ok(())
    }

    fn no_such(&self, name: &str, value: &str) -> String {
        self.error(&format!("for the --{name} option: Cannot find option named '{value}'!"))
    }

    fn finish(mut self) -> Result<Parsed, String> {
        if self.invocation.primary.is_empty() {
            return Err("No slicing criteria specified (-sc or -c option)".into());
        }
        let Some(input) = self.input else {
            let name = self.tool.name();
            return Err(self.error(&format!(
                "Not enough positional command line arguments specified!\nMust specify at least 1 positional argument: See: {name} --help"
            )));
        };
        if self.tool == Tool::SbtSlicer {
            self.invocation.secondary.extend(ASSUMPTIONS.map(String::from));
        }
        self.invocation.dump = match self.dumps {
            [_, true, true] => Some(Dump::ControlFlow),
            [_, true, false] => Some(Dump::Dependences),
            [true, false, _] => Some(Dump::Slice),
            [false, false, _] => None,
        };
        self.invocation.output = self.output.unwrap_or_else(|| sliced_name(&input));
        self.invocation.input = input;
        Ok(Parsed::Run(Box::new(self.invocation)))
    }
}

/// The input's name with the suffix `.sliced` instead of `.bc`, `.o` or `.ll`; appended to any other name.
fn sliced_name(input: &Path) -> PathBuf {
    match input.extension().and_then(|e| e.to_str()) {
        Some("bc" | "o" | "ll") => input.with_extension("sliced"),
        _ => PathBuf::from(format!("{}.sliced", input.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(tool: Tool, line: &str) -> Result<Invocation, String> {
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        match parse(tool, &args)? {
            Parsed::Run(invocation) => Ok(*invocation),
            other => Err(format!("{other:?}")),
        }
    }

    /// The criteria, the secondary ones, and the output of a command line; or its error.
    fn check(tool: Tool, line: &str, expected: &str) {
        let shown = run(tool, line).map(|i| {
            let primary: Vec<String> = i.primary.iter().map(Request::to_string).collect();
            format!("{} | {} | {}", primary.join(","), i.secondary.join(","), i.output.display())
        });
        assert_eq!(shown.unwrap_or_else(|e| e), expected, "{line}");
    }

    #[test]
    fn criteria_and_names_are_read_as_the_pipelines_write_them() {
        use Tool::{LlvmSlicer, SbtSlicer};
        check(LlvmSlicer, "-c __assert_fail,f a.bc", "__assert_fail,f |  | a.sliced");
        check(SbtSlicer, "-c a,b -pta fi d/F.bc", "a,b | __VERIFIER_assume,klee_assume | d/F.sliced");
        check(LlvmSlicer, "--c=ret -o=out.bc a.o", "ret |  | out.bc");
        check(LlvmSlicer, "a.x -c 5:x,:g -2c g(),h", "5:x,:g | g,h | a.x.sliced");
        check(LlvmSlicer, "-sc a.c#f#7#x;8#g()|h();@total a.bc", "f@a.c:7:x,8:g(),:total | h | a.sliced");
    }

    #[test]
    fn what_is_wrong_is_said_as_the_tools_say_it() {
        use Tool::{LlvmSlicer, SbtSlicer};
        check(LlvmSlicer, "a.bc", "No slicing criteria specified (-sc or -c option)");
        check(
            LlvmSlicer,
            "-c f -frobnicate a.bc",
            "llvm-slicer: Unknown command line argument '-frobnicate'.  Try: 'llvm-slicer --help'",
        );
        check(
            LlvmSlicer,
            "-c f -memsafety a.bc",
            "llvm-slicer: Unknown command line argument '-memsafety'.  Try: 'llvm-slicer --help'",
        );
        let why = "its slices assume that accesses which do not matter are in bounds";
        let refused = format!("sbt-slicer: -memsafety is not supported by kerf: {why}");
        check(SbtSlicer, "-c f -memsafety a.bc", &refused);
        check(
            LlvmSlicer,
            "-c f -allocation-funs get:malloc,new:new a.bc",
            "llvm-slicer: Invalid allocation function: new:new",
        );
        check(
            SbtSlicer,
            "-c f -pta nonsense a.bc",
            "sbt-slicer: for the --pta option: Cannot find option named 'nonsense'!",
        );
        check(LlvmSlicer, "-c", "llvm-slicer: for the --c option: requires a value!");
        check(LlvmSlicer, "-c f a.bc b.bc", "llvm-slicer: Too many positional arguments specified: a.bc and b.bc");
        assert!(run(LlvmSlicer, "-c f").unwrap_err().contains("Not enough positional"));
        assert_eq!(run(LlvmSlicer, "-help").unwrap_err(), "Help");
    }

    #[test]
    fn analyses_are_the_nearest_that_there_are() {
        let i = run(Tool::LlvmSlicer, "-c f -cd-alg ntscd-ranganath -pta=fs -undefined-funs rw-args a.bc").unwrap();
        assert_eq!((i.control, i.undefined, i.warnings.len()), (ControlKind::Ntscd, Undefined::ChangesAny, 3));
        let i = run(Tool::LlvmSlicer, "-c f -cda dod+ntscd -cutoff-diverging=false --statistics a.bc").unwrap();
        assert_eq!((i.control, i.cutoff_diverging), (ControlKind::NtscdDod, false));
        assert!(i.statistics && i.warnings.is_empty());
    }

    #[test]
    fn graphs_and_marks() {
        let dump = |options: &str| run(Tool::LlvmSlicer, &format!("-c f {options} a.bc")).unwrap().dump;
        assert_eq!(dump("-dump-dg"), Some(Dump::Slice));
        assert_eq!(dump("-dump-dg -dump-dg-only"), Some(Dump::Dependences));
        assert_eq!(dump("-dump-bb-only -dump-dg-only"), Some(Dump::ControlFlow));
        assert_eq!(dump("-dump-bb-only -dump-dg=false"), None);
        let i = run(Tool::LlvmSlicer, "-c f -allocation-funs get:malloc -criteria-are-next-instr a.bc").unwrap();
        assert_eq!(i.allocators, [("get".to_string(), Allocator::Malloc)]);
        assert!(i.criteria_are_next && !i.forward);
    }
}
