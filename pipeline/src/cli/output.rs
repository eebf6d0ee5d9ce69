//! The options that say how results are shown, and those of `kerf report`.

use std::path::PathBuf;

use clap::Args;

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
