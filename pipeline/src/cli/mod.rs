//! The options of every command.

mod certificate;
mod witness;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use slicer::criteria::Request;
use slicer::dependence::control_dep::ControlKind;
use slicer::points_to::PointsToKind;

use crate::commands::bench::{Document, Part, Tool};
use crate::commands::compare::slicers::Slicer;
use crate::commands::slice::why::Line;
use crate::config::{BenchPartial, DataModel, Extern, Optimise, Partial, Preset, SolverName};
use crate::limits::{parse_bytes, parse_duration};
use crate::strategy::{self, Chosen, Stated};

pub(crate) use certificate::{CertificateArgs, CertificateCheckArgs, CertificateCommand};
pub(crate) use witness::{WitnessArgs, WitnessCheckArgs, WitnessCommand};

/// A verifier for LLVM bitcode and C: slices a program and then proves or refutes that an error is reachable.
#[derive(Debug, Parser)]
#[command(name = "kerf", disable_version_flag = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Print the versions of kerf, LLVM and the solver.
    #[arg(long, short = 'V', exclusive = true)]
    pub version: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Verify(VerifyArgs),
    Slice(SliceArgs),
    Compare(CompareArgs),
    LlvmSlicer(LlvmSlicerArgs),
    Cfa(CfaArgs),
    Certificate(CertificateArgs),
    Witness(WitnessArgs),
    Report(ReportArgs),
    Config(ConfigArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Command {
    /// Whether what the command prints is JSON with a schema.
    pub(crate) fn prints_json(&self) -> bool {
        match self {
            Command::Verify(args) => args.show.json,
            Command::Slice(args) => args.show.json,
            Command::Cfa(args) => args.show.json,
            Command::Compare(args) => args.json,
            Command::Bench(args) => args.json,
            Command::Certificate(args) => args.prints_json(),
            Command::Witness(args) => args.prints_json(),
            Command::Config(ConfigArgs { command: ConfigCommand::Show(args) }) => args.json,
            Command::LlvmSlicer(_) | Command::Report(_) | Command::Completions(_) | Command::Man(_) => false,
        }
    }
}

const VERIFY_EXAMPLES: &str = "Examples:\n  kerf verify prog.c\n  kerf verify --data-model ILP32 --timeout 60s prog.i\n  \
                               kerf verify prog.c -- -DN=10 -Iinclude\n  \
                               kerf verify --property unreach-call.prp --output evidence prog.bc\n  \
                               kerf verify --strategy value+symbolic,merge=agree prog.c";

/// Prove or refute a property of a program.
///
/// The last line on standard output is the verdict: `RESULT: true`, `RESULT: false(unreach-call)` or
/// `RESULT: unknown (reason)`. Exit status: 0 true, 10 false, 20 unknown, 1 bad input, 2 a bug in kerf.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES, after_long_help = format!("{VERIFY_EXAMPLES}\n\n{}", strategy::HELP))]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub strategy: StrategyArgs,
    #[command(flatten)]
    pub optimise: OptimiseArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// What a slice keeps of a program.
///
/// Without criteria the slice is made for the calls that violate the property. A criterion is FUNCTION (its calls and what they
/// are passed), LINE, LINE:VARIABLE, :GLOBAL or ret (what the entry function returns); a line may be narrowed to a function or a
/// file, FUNCTION@LINE:VARIABLE, FILE:LINE:VARIABLE.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf slice prog.c\n  kerf slice --criterion check,42:x --annotate prog.c\n  \
                        kerf slice --criterion check --why 17 prog.c\n  kerf slice --forward --criterion 5:x --annotate prog.c\n  \
                        kerf slice --control-dep ntscd -o sliced.bc prog.bc\n  kerf slice --dot prog.c | dot -Tsvg > prog.svg")]
pub(crate) struct SliceArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What to slice for, separated by commas.
    #[arg(long, short, value_name = "LIST", value_parser = parse_criteria)]
    pub criterion: Vec<Criteria>,
    /// Find what the criteria may affect instead of what they depend on. Such a slice is not a program: -o then writes
    /// everything that is affected, with what it needs to run.
    #[arg(long)]
    pub forward: bool,
    /// End executions at once where they can no longer reach a criterion.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub cutoff_diverging: Switch,
    /// The kind of control dependence: the standard one ignores that a loop may run forever.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = ControlDep::Standard)]
    pub control_dep: ControlDep,
    /// Keep what may trap before a criterion (null dereference, division by zero), so that an executed slice reaches it on no
    /// more inputs than the program does [default: on if the slice is written, off otherwise].
    #[arg(long, value_enum, value_name = "on|off")]
    pub keep_traps: Option<Switch>,
    /// The points-to analysis: by inclusion (andersen), or by unification, which is faster and less precise (steensgaard).
    #[arg(long, value_enum, value_name = "KIND", default_value_t = PointsTo::Andersen)]
    pub points_to: PointsTo,
    /// Keep a call only where the effects of this call matter.
    #[arg(long, value_enum, value_name = "on|off", default_value_t = Switch::On)]
    pub context_sensitive: Switch,
    /// Write the slice as bitcode into this file.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Explain why this line is in the slice: the shortest chain of dependences from it to a criterion.
    #[arg(long, value_name = "LINE|FILE:LINE")]
    pub why: Option<Line>,
    /// Print the source with its lines marked: > criterion, + kept, - cut.
    #[arg(long, conflicts_with_all = ["text", "dot", "svg"])]
    pub annotate: bool,
    /// Write a page with the source, its lines marked, and graphs of the program into this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub form: FormArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Kinds of points-to analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PointsTo {
    Andersen,
    Steensgaard,
}

impl From<PointsTo> for PointsToKind {
    fn from(kind: PointsTo) -> PointsToKind {
        match kind {
            PointsTo::Andersen => PointsToKind::Andersen,
            PointsTo::Steensgaard => PointsToKind::Steensgaard,
        }
    }
}

/// Kinds of control dependence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ControlDep {
    /// By post-dominance.
    Standard,
    /// Non-termination sensitive.
    Ntscd,
    /// Non-termination sensitive, with decisive order.
    #[value(name = "ntscd+dod")]
    NtscdDod,
}

impl From<ControlDep> for ControlKind {
    fn from(kind: ControlDep) -> ControlKind {
        match kind {
            ControlDep::Standard => ControlKind::Standard,
            ControlDep::Ntscd => ControlKind::Ntscd,
            ControlDep::NtscdDod => ControlKind::NtscdDod,
        }
    }
}

/// Something that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

/// The criteria of one `--criterion`.
#[derive(Debug, Clone)]
pub(crate) struct Criteria {
    /// The criteria as they were written.
    pub text: String,
    pub requests: Vec<Request>,
}

fn parse_criteria(text: &str) -> Result<Criteria, String> {
    let requests = slicer::criteria::parse(text).map_err(|e| e.to_string())?;
    Ok(Criteria { text: text.to_string(), requests })
}

/// Compare slicers: how much each keeps of each program, its time and memory, and the verdict on the slice.
///
/// Every slicer gets the same bitcode and writes its slice as bitcode, which is verified without slicing it again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf compare prog.c\n  \
                        kerf compare --slicer none --slicer standard --slicer dg=/usr/bin/llvm-slicer --csv *.c > sizes.csv")]
pub(crate) struct CompareArgs {
    /// The programs, each by itself: C (.c, .i) or LLVM (.bc, .ll) files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clang: ClangArgs,
    /// A slicer: none, standard, ntscd, ntscd+dod, insensitive, pass-traps, keep-diverging, steensgaard, or NAME=PROGRAM for an
    /// external llvm-slicer.
    #[arg(long, value_name = "NAME", default_values = ["none", "insensitive", "standard"])]
    pub slicer: Vec<Slicer>,
    /// What to slice for, separated by commas [default: the calls that violate the property]
    #[arg(long, short, value_name = "LIST", value_parser = parse_criteria)]
    pub criterion: Vec<Criteria>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// The strategy to verify the slices with [default: auto]
    #[arg(long, value_parser = strategy::read)]
    pub strategy: Option<Chosen>,
    /// Slice without verifying.
    #[arg(long, conflicts_with = "strategy")]
    pub no_verify: bool,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values instead of a table.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Slice like dg's llvm-slicer, with its options, messages and exit statuses (`kerf llvm-slicer -help` lists them).
///
/// When called by the name llvm-slicer or sbt-slicer (through a link), kerf behaves like that tool.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Example:\n  kerf llvm-slicer -c __assert_fail -cd-alg ntscd -o prog.sliced prog.bc"
)]
pub(crate) struct LlvmSlicerArgs {
    /// The arguments of llvm-slicer.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

/// Show the control-flow automaton of a program: its size, what is not supported in it, its text or graph, its call graph, its
/// dominators, what its pointers may point to, and how its variables are used.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  kerf cfa prog.c\n  kerf cfa --text prog.bc\n  kerf cfa --dot prog.c | dot -Tsvg > prog.svg\n  \
                        kerf cfa --svg --function main prog.c > main.svg\n  kerf cfa --points-to prog.c\n  \
                        kerf cfa --dependence-graph --pixel-tree prog.png prog.c"
)]
pub(crate) struct CfaArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    /// Show the automaton as it is sliced and verified: calls resolved, memory split into variables, addresses fixed.
    #[arg(long)]
    pub prepared: bool,
    /// Show the system dependence graph of the prepared automaton instead: what each operation depends on.
    #[arg(long, group = "graph", conflicts_with = "text")]
    pub dependence_graph: bool,
    /// Show which functions each function calls, directly or through pointers.
    #[arg(long, group = "graph", conflicts_with_all = ["prepared", "pixel_tree"])]
    pub call_graph: bool,
    /// Show the immediate dominator and post-dominator of each location, which form two trees for each function.
    #[arg(long, group = "graph", conflicts_with = "pixel_tree")]
    pub dominators: bool,
    /// Show what memory and variables may point to; with --verbose also values without a name in the source.
    #[arg(long, group = "graph", conflicts_with_all = ["prepared", "pixel_tree"])]
    pub points_to: bool,
    /// Show how each variable is used, as domain types (BOOL, EQ, ADD, OTHER), and measures of the program.
    #[arg(long, group = "graph", conflicts_with_all = ["dot", "svg", "pixel_tree"])]
    pub domain_types: bool,
    /// Show only this function of a graph or list; with --call-graph, what it may call.
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["text", "dependence_graph", "pixel_tree"])]
    pub function: Option<String>,
    /// Draw the shape of the graph into this file (.svg or .png): one row for each distance from the entry, as long as the number of
    /// vertices at that distance.
    #[arg(long, value_name = "FILE", value_parser = parse_picture)]
    pub pixel_tree: Option<PathBuf>,
    #[command(flatten)]
    pub form: FormArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

fn parse_picture(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    crate::graphs::Format::of(&path).map(|_| path).ok_or_else(|| "a picture must be a .svg or .png file".into())
}

/// Make the page of a verification again, from what `kerf verify --output` has written.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  kerf verify --output evidence prog.c\n  kerf report evidence\n  kerf report -o page.html evidence/report.json"
)]
pub(crate) struct ReportArgs {
    /// The directory of `kerf verify --output`, or the file report.json in it.
    #[arg(value_name = "DIR|FILE")]
    pub from: PathBuf,
    /// Write the page into this file [default: report.html beside report.json]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The configuration.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    Show(ConfigShowArgs),
}

const CONFIG_EXAMPLES: &str =
    "Examples:\n  kerf config show --config kerf.toml --timeout 60s\n  kerf config show --strategy symex-cegar";

/// Print every setting's effective value and where it comes from, in a form that `--config` reads.
///
/// For a composition of analyses, all its settings are printed.
#[derive(Debug, Args)]
#[command(after_help = CONFIG_EXAMPLES, after_long_help = format!("{CONFIG_EXAMPLES}\n\n{}", strategy::HELP))]
pub(crate) struct ConfigShowArgs {
    #[command(flatten)]
    pub clang: ClangArgs,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub property: PropertyArgs,
    #[command(flatten)]
    pub strategy: StrategyArgs,
    #[command(flatten)]
    pub optimise: OptimiseArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Print a script with which a shell completes commands and options.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kerf completions bash > ~/.local/share/bash-completion/completions/kerf")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write the manual pages, one for kerf and one for each command.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kerf man ~/.local/share/man/man1 && man kerf-verify")]
pub(crate) struct ManArgs {
    /// The directory, which is made if there is none.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Run kerf on many tasks with known verdicts and score the answers as SV-COMP does.
///
/// TASKS are index.tsv files, SV-COMP .yml task definitions, .set files, BenchExec .xml benchmark definitions, C files whose first
/// line is `// EXPECT: true|false PROPERTY DATA-MODEL [WITH FILE...]`, automata whose first line is the same after `#`, and directories
/// of these.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kerf bench --timeout 15s --jobs 2 --out results.tsv tasks/index.tsv\n  \
                        kerf bench --sample 5 --category Loops,Arrays --html results.html tasks/\n  kerf bench --show results.tsv\n  \
                        kerf bench --tool 'symex=kerf verify --strategy symex' --tool 'klee=run-klee {file}' tasks/\n  \
                        kerf bench --show symex.tsv value.tsv --html both.html --score-plot scores.svg\n  \
                        kerf bench --config bench.toml")]
pub(crate) struct BenchArgs {
    /// Task sets.
    #[arg(value_name = "TASKS")]
    pub tasks: Vec<PathBuf>,
    /// Read settings from the table [bench] of this TOML file; options take precedence over it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Only print the tables of these results; for several results, also the tasks that each solves and the others do not.
    #[arg(long, value_name = "RESULTS", num_args = 1.., conflicts_with = "tasks")]
    pub show: Vec<PathBuf>,
    #[command(flatten)]
    pub run: BenchRunArgs,
    #[command(flatten)]
    pub files: BenchFileArgs,
    /// With --show and two sets of results: print what changed from the first to the second, and why.
    #[arg(long, requires = "show")]
    pub changes: bool,
    /// Print the results as one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

/// Which tasks run, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct BenchRunArgs {
    /// Maximum wall-clock time per task [default: 15s]
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Maximum address space per task [default: 8GiB]
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Number of tasks that run at the same time [default: 2]
    #[arg(long, value_name = "N")]
    pub jobs: Option<u16>,
    /// Number of processors of each run, which are no other run's.
    #[arg(long, value_name = "N")]
    pub cores: Option<u16>,
    /// Run this tool too, several side by side: a configuration of kerf (`NAME=kerf verify OPTIONS`), or a command with placeholders
    /// `{file}`, `{model}`, `{property}` and `{timeout}` (in seconds).
    #[arg(long = "tool", value_name = "NAME=COMMAND", value_parser = Tool::parse, conflicts_with = "show")]
    pub tools: Vec<Tool>,
    /// Run the configurations that these documents compare, and print their tables; with --show, only print them.
    #[arg(long, value_enum, value_name = "DOCUMENT", value_delimiter = ',', conflicts_with_all = ["json", "changes"])]
    pub documents: Vec<Document>,
    /// The strategy, as for `kerf verify`.
    #[arg(long, value_parser = strategy::read)]
    pub strategy: Option<Chosen>,
    /// Verify without slicing.
    #[arg(long)]
    pub no_slice: bool,
    /// Run only tasks of this property [default: unreach-call]
    #[arg(long)]
    pub property: Option<String>,
    /// Run only tasks of these categories.
    #[arg(long, value_delimiter = ',')]
    pub category: Vec<String>,
    /// Run only every n-th task of each category.
    #[arg(long, value_name = "N")]
    pub sample: Option<u32>,
    /// Run only one of N parts of the tasks, for several machines that share the work (see scripts/slurm.sh).
    #[arg(long, value_name = "I/N", value_parser = Part::parse, conflicts_with = "show")]
    pub part: Option<Part>,
    /// Leave out the tasks whose identifiers are the first words of this file's lines.
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    pub skip: Option<PathBuf>,
    /// Compile and run the program on the inputs of each `false`, and count the runs that show the violation.
    #[arg(long)]
    pub native: bool,
    /// Ask another SMT solver the queries of each proof, with the time limit of a task for each query; see `kerf certificate check`.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "show")]
    pub second: Option<PathBuf>,
}

/// The files with the results.
#[derive(Debug, Clone, Args)]
pub(crate) struct BenchFileArgs {
    /// Write one line per task into this file (tab-separated), and the effective configuration into FILE.toml. What the file already
    /// has is not run again.
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    pub out: Option<PathBuf>,
    /// Write a page with scores, plots and a table of all tasks into this file, which needs nothing else.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write each tool's results into this directory, as result XML of BenchExec (for its table-generator).
    #[arg(long, value_name = "DIR")]
    pub xml: Option<PathBuf>,
    /// Write the results of all tools into this file, as the CSV of BenchExec's table-generator.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the CPU time of each tool's n-th fastest solved task into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub quantile_plot: Option<PathBuf>,
    /// Draw the same by the score up to that task, as SV-COMP does, into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub score_plot: Option<PathBuf>,
    /// With two tools: draw their CPU times against each other into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub scatter_plot: Option<PathBuf>,
}

impl BenchArgs {
    /// The settings given on the command line.
    pub(crate) fn partial(&self) -> BenchPartial {
        fn some<T: Clone>(list: &[T]) -> Option<Vec<T>> {
            (!list.is_empty()).then(|| list.to_vec())
        }
        let (run, files) = (self.run.clone(), self.files.clone());
        BenchPartial {
            tasks: some(&self.tasks),
            timeout: run.timeout,
            memory: run.memory,
            jobs: run.jobs,
            cores: run.cores,
            tools: some(&run.tools),
            documents: some(&run.documents),
            strategy: run.strategy,
            slice: run.no_slice.then_some(false),
            property: run.property,
            category: some(&run.category),
            sample: run.sample,
            part: run.part,
            skip: run.skip,
            native: run.native.then_some(true),
            second: run.second,
            out: files.out,
            html: files.html,
            xml: files.xml,
            csv: files.csv,
            quantile_plot: files.quantile_plot,
            score_plot: files.score_plot,
            scatter_plot: files.scatter_plot,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The program: C (.c, .i) or LLVM (.bc, .ll) files, several of which are linked; or one automaton (.cfa), as `kerf cfa
    /// --text` prints it.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub clang: ClangArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClangArgs {
    /// Options for clang, which compiles the C files: -I, -D, -std and others.
    #[arg(value_name = "CLANG-OPTION", last = true, allow_hyphen_values = true)]
    pub options: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FormArgs {
    /// Print it as text.
    #[arg(long, conflicts_with_all = ["dot", "svg"])]
    pub text: bool,
    /// Print it as a graph for Graphviz.
    #[arg(long, conflicts_with = "svg")]
    pub dot: bool,
    /// Print it as an SVG picture, drawn by Graphviz's program `dot`.
    #[arg(long)]
    pub svg: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// Print more: statistics, complete counterexamples, what has to be trusted.
    #[arg(long, short)]
    pub verbose: bool,
    /// Whether only the answer is printed; see [`QuietArgs`].
    #[arg(skip)]
    pub quiet: bool,
}

impl ShowArgs {
    /// Whether to show on a terminal what is being done.
    pub(crate) fn shows_progress(&self) -> bool {
        !(self.verbose || self.quiet || self.json)
    }
}

/// For commands whose last line is the answer.
#[derive(Debug, Args)]
pub(crate) struct QuietArgs {
    /// Print only the answer, the last line, and no progress. The exit status is the same.
    #[arg(long, short, conflicts_with_all = ["json", "verbose"])]
    pub quiet: bool,
}

/// What there is beside the answer. A configuration file can hold these too.
#[derive(Debug, Clone, Args)]
pub(crate) struct ResultArgs {
    /// Write the evidence (certificate, counterexample, harness), statistics.json, report.html and the effective configuration
    /// (kerf.toml) into this directory. If there is a violation, the harness is also compiled with the program and run.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write a witness of the verdict into this file, in SV-COMP's format.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Try the invariants of this correctness witness, which may be wrong, in the proof.
    #[arg(long, value_name = "WITNESS")]
    pub hints: Option<PathBuf>,
    /// Look for a smaller counterexample: fewer inputs, smaller values, fewer steps. It is replayed like any other.
    #[arg(long)]
    pub shrink: bool,
    /// Do not look whether executions come to the places where a proved property is checked.
    #[arg(long)]
    pub no_vacuity: bool,
    /// Write the answer into this file as SARIF 2.1.0: a violation with its path, for editors and code hosts.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a unit test into this C file if there is a violation: it includes the program, fails as long as the counterexample's inputs
    /// lead to the violation, and passes once the program is mended.
    #[arg(long, value_name = "FILE")]
    pub unit_test: Option<PathBuf>,
}

/// How programs are read, and limits. A configuration file can hold these too.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Settings for a purpose, over which --config and options take precedence.
    #[arg(long, value_enum, value_name = "NAME")]
    pub preset: Option<Preset>,
    /// Read settings from this TOML file; options take precedence over it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Widths of C's types, for C files [default: LP64]
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModel>,
    /// The function at which executions start [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// What undefined functions do [default: pure]
    #[arg(long, value_enum, value_name = "EFFECT")]
    pub r#extern: Option<Extern>,
    /// Number of levels of allocating functions (such as xmalloc) whose call sites get separate heap objects [default: 2]
    #[arg(long, value_name = "K")]
    pub heap_context: Option<u32>,
    /// Maximum wall-clock time until the answer [default: 900s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Maximum address space [default: 15GB]
    #[arg(long, value_name = "AMOUNT", value_parser = parse_bytes)]
    pub memory: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct PropertyArgs {
    /// What must hold: unreach-call, label:NAME (control never reaches a label of that name), an SV-COMP .prp file, or a .spc file of
    /// specification automata [default: unreach-call]
    #[arg(long, value_name = "NAME|FILE")]
    pub property: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StrategyArgs {
    /// The strategy: auto, bmc, k-induction, k-induction-plain, contracts, impact, imc, pdr, explicit, or a composition of analyses, by its name
    /// (invariants; predicate, predicate-cartesian, predicate-sbe, predicate-slicing; symex-merged; symex or value, with -slicing, -cegar or -cegar-slicing), its parts (value+symbolic) or a TOML file; settings may follow, each as
    /// ,KEY=VALUE [default: auto]
    #[arg(long, value_name = "STRATEGY", value_parser = strategy::read)]
    pub strategy: Option<Chosen>,
    /// Verify the whole program instead of its slice.
    #[arg(long)]
    pub no_slice: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OptimiseArgs {
    /// Optimise the program with LLVM, slice it, optimise the slice, and verify what is left. The answer then rests on the
    /// optimisations: they may use undefined behaviour to remove an error [default: none]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub optimise: Option<Optimise>,
}

#[derive(Debug, Args)]
pub(crate) struct SolverArgs {
    /// The solver for formulas: circuits in CaDiCaL, joined by Z3 for slow queries, or one of them alone [default: fast]
    #[arg(long)]
    pub solver: Option<SolverName>,
}

/// The settings given on the command line, for [`crate::config::Settings::resolve`].
pub(crate) fn partial(
    input: &InputArgs,
    clang: Option<&ClangArgs>,
    property: Option<&PropertyArgs>,
    strategy: Option<&StrategyArgs>,
) -> Partial {
    Partial {
        preset: input.preset,
        property: property.and_then(|p| p.property.clone()),
        data_model: input.data_model,
        clang_options: clang.map(|c| c.options.clone()).filter(|options| !options.is_empty()),
        entry: input.entry.clone(),
        r#extern: input.r#extern,
        heap_context: input.heap_context,
        strategy: strategy.and_then(|s| s.strategy.clone()).map(Stated::Chosen),
        slice: strategy.and_then(|s| s.no_slice.then_some(false)),
        solver: strategy.and_then(|s| s.solver.solver),
        timeout: input.timeout,
        memory: input.memory,
        ..Partial::default()
    }
}

impl ResultArgs {
    /// Adds these settings, and the optimisations, which only `kerf verify` has, too.
    pub(crate) fn over(&self, optimise: &OptimiseArgs, settings: Partial) -> Partial {
        let ResultArgs { output, witness, hints, shrink, no_vacuity, sarif, unit_test } = self.clone();
        let (shrink, vacuity) = (shrink.then_some(true), no_vacuity.then_some(false));
        Partial { optimise: optimise.optimise, output, witness, hints, shrink, vacuity, sarif, unit_test, ..settings }
    }
}
