//! Whether a proof is about anything, in terms of the source: are the places reached at which the property is checked?

use cfa::Cfa;
use serde::{Deserialize, Serialize};
use verifier::vacuity;

use crate::report::Place;
use crate::report::counterexample::place;
use crate::report::excerpt::{Excerpt, Sources};

/// Whether executions come to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// An execution of the whole program comes there.
    Reached,
    /// None does; a certificate of this was checked.
    Never,
    /// Neither was shown in time.
    Undecided,
}

impl From<vacuity::Reach> for Reach {
    fn from(reach: vacuity::Reach) -> Reach {
        match reach {
            vacuity::Reach::Reached => Reach::Reached,
            vacuity::Reach::Never => Reach::Never,
            vacuity::Reach::Undecided => Reach::Undecided,
        }
    }
}

/// A place where the property is checked: a condition before a target, or a call of a function that begins with one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The place.
    pub place: Place,
    /// Whether executions come there.
    pub reach: Reach,
    /// The source there, if executions never come there and it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
}

/// What a proof is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacuity {
    /// The checks, in the order of the program.
    pub checks: Vec<Check>,
    /// Whether an execution comes to the end of the program.
    pub end: Reach,
}

impl Vacuity {
    /// What was found about `cfa`, in terms of its source.
    pub fn of(cfa: &Cfa, found: &vacuity::Vacuity) -> Vacuity {
        let mut sources = Sources::default();
        let check = |check: &vacuity::Check| {
            let (place, reach) = (place(cfa, check.edge), check.reach.into());
            let shown = (reach == Reach::Never).then(|| Excerpt::of(&mut sources, &[(&place, String::new())]));
            Check { place, reach, excerpt: shown.flatten() }
        };
        Vacuity { checks: found.checks.iter().map(check).collect(), end: found.end.into() }
    }

    /// One line of text, for statistics.
    pub fn summary(&self) -> String {
        let count = |reach: Reach| self.checks.iter().filter(|check| check.reach == reach).count();
        let (reached, all, never) = (count(Reach::Reached), self.checks.len(), count(Reach::Never));
        format!("{reached} of {all} checks reached, {never} never")
    }
}
