//! The options of `kerf cfa`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{FormArgs, InputArgs, ProgramArgs, PropertyArgs, ShowArgs};

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
