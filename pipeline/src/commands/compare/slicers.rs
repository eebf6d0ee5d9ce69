//! `kerf compare`: several slicers on the same programs, side by side.
//!
//! Each slicer writes its slice as bitcode, which is then measured, and verified without being sliced again. Thus an external
//! slicer and kerf's own variants are treated alike. Every step runs in a process of its own, under the limits.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use slicer::SliceOptions;
use slicer::dependence::control_dep::ControlKind;
use slicer::points_to::PointsToKind;

/// A slicer to compare.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Slicer {
    /// No slicing: the whole program.
    Nothing,
    /// A variant of kerf's slicer.
    Own {
        /// The variant's name.
        name: &'static str,
        /// Its slicing options.
        options: SliceOptions,
        /// Its points-to analysis.
        points_to: PointsToKind,
    },
    /// A program that is called like dg's `llvm-slicer`.
    External {
        /// Its name in the tables.
        name: String,
        /// The program.
        program: PathBuf,
    },
}

/// kerf's variants by name: the default one, and those that differ from it in one option.
pub(crate) const VARIANTS: [&str; 7] =
    ["standard", "ntscd", "ntscd+dod", "insensitive", "pass-traps", "keep-diverging", "steensgaard"];

impl Slicer {
    /// The slicer's name in tables.
    pub(crate) fn name(&self) -> &str {
        match self {
            Slicer::Nothing => "none",
            Slicer::Own { name, .. } => name,
            Slicer::External { name, .. } => name,
        }
    }
}

fn variant(name: &str) -> SliceOptions {
    let usual = SliceOptions { keep_traps: true, ..SliceOptions::default() };
    match name {
        "ntscd" => SliceOptions { control: ControlKind::Ntscd, ..usual },
        "ntscd+dod" => SliceOptions { control: ControlKind::NtscdDod, ..usual },
        "insensitive" => SliceOptions { context_sensitive: false, ..usual },
        "pass-traps" => SliceOptions { keep_traps: false, ..usual },
        "keep-diverging" => SliceOptions { cutoff_diverging: false, ..usual },
        _ => usual,
    }
}

impl FromStr for Slicer {
    type Err = String;

    fn from_str(text: &str) -> Result<Slicer, String> {
        if let Some((name, program)) = text.split_once('=') {
            return match name.is_empty() || program.is_empty() {
                true => Err(format!("'{text}' is not NAME=PROGRAM")),
                false => Ok(Slicer::External { name: name.to_string(), program: PathBuf::from(program) }),
            };
        }
        if text == "none" {
            return Ok(Slicer::Nothing);
        }
        match VARIANTS.iter().find(|name| **name == text) {
            Some(name) => {
                let points_to = if *name == "steensgaard" { PointsToKind::Steensgaard } else { PointsToKind::Andersen };
                Ok(Slicer::Own { name, options: variant(name), points_to })
            }
            None => Err(format!(
                "unknown slicer '{text}' (known: none, {}, and NAME=PROGRAM for an external llvm-slicer)",
                VARIANTS.join(", ")
            )),
        }
    }
}

/// The result of one slicer on one program. Times are wall-clock seconds; a slicer that failed has no sizes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The program.
    pub file: String,
    /// The slicer.
    pub slicer: String,
    /// Number of instructions of the whole program.
    pub instructions_before: usize,
    /// Number of instructions of the slice.
    pub instructions: Option<usize>,
    /// Number of functions with a body in the whole program.
    pub functions_before: usize,
    /// Number of functions with a body in the slice.
    pub functions: Option<usize>,
    /// Time for reading, slicing and writing.
    pub slice_s: Option<f64>,
    /// Maximum resident memory during this time, in MiB.
    pub slice_mb: Option<f64>,
    /// `true`, `false(...)` or `unknown (...)`.
    pub verdict: Option<String>,
    /// Time for the verification.
    pub verify_s: Option<f64>,
    /// The reason why there is no slice.
    pub error: Option<String>,
}

impl Row {
    /// The fraction of the instructions that is left.
    pub(crate) fn kept(&self) -> Option<f64> {
        Some(self.instructions? as f64 / self.instructions_before.max(1) as f64)
    }
}
