//! The options of `kerf bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::commands::bench::{Document, Part, Tool};
use crate::config::BenchPartial;
use crate::limits::{parse_bytes, parse_duration};
use crate::strategy::{self, Chosen};

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
