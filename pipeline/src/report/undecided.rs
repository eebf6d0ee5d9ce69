//! What is said beside an `unknown`: what was tried for how long, what blocked the proof, and what the user could change.

use cfa::Cfa;
use serde::{Deserialize, Serialize};
use verifier::evidence::blocked;
use verifier::strategies::portfolio::Strategy;

use crate::config::Settings;
use crate::limits;
use crate::report::counterexample::{edge_with_place, place, value_text};
use crate::report::excerpt::{Excerpt, Sources};
use crate::report::{Cause, Part, Place, Report, Verdict};

/// Maximum number of values of a state that are told.
const VALUES: usize = 20;

/// What is known although there is no answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Undecided {
    /// What was tried, in the order of the first turns.
    pub tried: Vec<Tried>,
    /// A state from which induction fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// The source of the construct without a model, if that is the reason and it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsupported: Option<Excerpt>,
    /// What the user could change, each one sentence without a full stop.
    pub advice: Vec<String>,
}

/// All turns of a technique or a check.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// Its name, such as `k-induction`.
    pub name: String,
    /// Number of turns.
    pub turns: u64,
    /// Wall-clock milliseconds of all turns.
    pub ms: f64,
    /// How the last turn ended, in words.
    pub end: String,
}

/// A state that satisfies all invariants found, and from which a target is reached.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Blocked {
    /// The loop at whose head the state is.
    pub place: Place,
    /// What happens in the end, such as `reach_error() is called`.
    pub what: String,
    /// Where it happens.
    pub target: Place,
    /// The k of the induction.
    pub k: u32,
    /// Variables with their values.
    pub values: Vec<(String, String)>,
    /// The source of the loop and of what happens in the end, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
}

/// A state in terms of the source; `what` says what happens in the end.
pub fn blocked(cfa: &Cfa, found: &blocked::Blocked, what: String) -> Blocked {
    let at = |l| edge_with_place(cfa, l).map(|e| place(cfa, e)).unwrap_or_default();
    let told = found.values.iter().filter_map(|(v, value)| {
        let source = cfa.vars[*v].source.as_ref()?;
        Some((source.name.clone(), value_text(value, source.format)?))
    });
    let (values, k) = (told.take(VALUES).collect(), found.k);
    let (place, target) = (at(found.head), at(found.target));
    let remarks = [(&place, "induction fails in this loop".to_string()), (&target, what.clone())];
    let excerpt = Excerpt::of(&mut Sources::default(), &remarks);
    Blocked { place, what, target, k, values, excerpt }
}

/// What there is to say about `report`, but for what blocked the proof; `None` if it has an answer.
pub fn of(report: &Report, settings: &Settings) -> Option<Undecided> {
    let Verdict::Unknown { kind, .. } = &report.verdict else { return None };
    let blocked = report.undecided.as_ref().and_then(|known| known.blocked.as_ref());
    let advice = advice(*kind, blocked, settings);
    Some(Undecided { tried: tried(&report.statistics.parts), advice, ..Undecided::default() })
}

fn tried(parts: &[Part]) -> Vec<Tried> {
    let mut all: Vec<Tried> = Vec::new();
    for part in parts {
        let at = all.iter().position(|tried| tried.name == part.name).unwrap_or(all.len());
        if at == all.len() {
            all.push(Tried { name: part.name.clone(), ..Tried::default() });
        }
        let tried = &mut all[at];
        tried.turns += 1;
        tried.ms += part.ms;
        tried.end.clone_from(&part.end);
    }
    all
}

fn advice(kind: Cause, blocked: Option<&Blocked>, settings: &Settings) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let timeout = limits::show_duration(settings.timeout.value);
    match kind {
        Cause::Timeout => all.push(format!("more time (--timeout; it was {timeout})")),
        Cause::Memory => all.push("more memory (--memory)".into()),
        Cause::Unsupported => all.push(
            "a definition of what is not supported, in the program or in one more C file, if it is a function".into(),
        ),
        Cause::NotConfirmed => all.push(
            "what the reason names: a definition of an undefined function, or a program without undefined behaviour \
             before the error"
                .into(),
        ),
        Cause::Imprecise | Cause::Limit | Cause::Solver | Cause::NotChecked => {}
        Cause::Interrupted | Cause::Crash | Cause::Defect => return all,
    }
    if let Some(blocked) = blocked {
        all.push(format!(
            "an invariant of the loop at {} that excludes the state above: --hints takes it in a witness, and it need \
             not be right",
            blocked.place
        ));
    }
    match settings.strategy.value.strategy {
        Strategy::Auto => {}
        Strategy::Only(_) if kind != Cause::Unsupported => all.push("other strategies (--strategy auto)".into()),
        Strategy::Only(_) => {}
    }
    all
}
