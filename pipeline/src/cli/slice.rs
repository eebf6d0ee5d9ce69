//! The options of `kerf slice`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use slicer::criteria::Request;
use slicer::dependence::control_dep::ControlKind;
use slicer::points_to::PointsToKind;

use crate::cli::{FormArgs, InputArgs, ProgramArgs, PropertyArgs, ShowArgs};
use crate::commands::slice::why::Line;

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
    /// Write the bodies of functions whose calls are criteria also where these only end the execution, as error functions do.
    /// Otherwise such a function is only declared.
    #[arg(long, requires = "output")]
    pub keep_ends: bool,
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

pub(crate) fn parse_criteria(text: &str) -> Result<Criteria, String> {
    let requests = slicer::criteria::parse(text).map_err(|e| e.to_string())?;
    Ok(Criteria { text: text.to_string(), requests })
}
