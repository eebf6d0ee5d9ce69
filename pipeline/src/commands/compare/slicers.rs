//! `kerf compare`: several slicers on the same programs, side by side.
//!
//! Each slicer writes its slice as bitcode, which is then measured and verified without slicing it again, so that an external
//! slicer and kerf's own variants are treated alike. Every step runs in a process of its own under the limits.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use slicer::SliceOptions;
use slicer::dependence::control_dep::ControlKind;
use slicer::points_to::PointsToKind;

/// A slicer to compare.
#[derive(Debug, Clone, PartialEq)]
pub enum Slicer {
    /// The whole program.
    Nothing,
    /// A variant of kerf's.
    Own {
        /// Its name.
        name: &'static str,
        /// How it slices.
        options: SliceOptions,
        /// How it finds out what pointers point to.
        points_to: PointsToKind,
    },
    /// A program that is called as dg's `llvm-slicer` is.
    External {
        /// What to call it.
        name: String,
        /// The program.
        program: PathBuf,
    },
}

/// kerf's variants by name: the usual one, and those that differ from it in one option.
pub const VARIANTS: [&str; 7] =
    ["standard", "ntscd", "ntscd+dod", "insensitive", "pass-traps", "keep-diverging", "steensgaard"];

impl Slicer {
    /// What it is called in tables.
    pub fn name(&self) -> &str {
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
                "there is no slicer '{text}'; there is none, {}, and NAME=PROGRAM for an external llvm-slicer",
                VARIANTS.join(", ")
            )),
        }
    }
}

/// What one slicer made of one program. Times are wall-clock seconds; a slicer that failed has no sizes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The program.
    pub file: String,
    /// The slicer.
    pub slicer: String,
    /// Instructions of the whole program.
    pub instructions_before: usize,
    /// Instructions of the slice.
    pub instructions: Option<usize>,
    /// Functions with a body in the whole program.
    pub functions_before: usize,
    /// Functions with a body in the slice.
    pub functions: Option<usize>,
    /// Time of reading, slicing and writing.
    pub slice_s: Option<f64>,
    /// Greatest resident memory meanwhile, in MiB.
    pub slice_mb: Option<f64>,
    /// `true`, `false(...)` or `unknown (...)`.
    pub verdict: Option<String>,
    /// Time of the verification.
    pub verify_s: Option<f64>,
    /// Why there is no slice.
    pub error: Option<String>,
}

impl Row {
    /// The part of the instructions that is left.
    pub fn kept(&self) -> Option<f64> {
        Some(self.instructions? as f64 / self.instructions_before.max(1) as f64)
    }
}
