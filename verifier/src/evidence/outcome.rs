//! The outcome of a strategy: a proof to be checked, an alarm to be replayed, or the reason why there is neither.

use super::replay::Doubt;
use crate::program::Halt;
use cfa::EdgeId;
use cfa::eval::Value;
use checker::Certificate;
use rustc_hash::FxHashMap;
use std::fmt::{Display, Formatter};

/// The outcome of a strategy.
#[derive(Debug)]
pub enum Outcome {
    /// No target is reachable; the certificate is still to be checked.
    Proof(Box<Certificate>),
    /// A target is reachable on these inputs, which are still to be replayed.
    Alarm(InputVector),
    /// Neither, for this reason.
    Unknown(UnknownReason),
}

/// Why there is neither a proof nor an alarm.
///
/// The kinds are ordered by how much they explain: that a construct is unsupported explains more than that the time is over. Of several
/// reasons, one of the first kind in this order is reported.
#[derive(Clone, PartialEq, Eq, Debug, strum::EnumDiscriminants)]
#[strum_discriminants(name(UnknownKind), derive(PartialOrd, Ord), doc = "The kinds of reasons.")]
pub enum UnknownReason {
    /// A construct without a model may be reachable; the string names the construct and its place.
    Unsupported(String),
    /// The replay on the whole program did not confirm an alarm.
    NotConfirmed(Doubt),
    /// The checker rejects a certificate, for this reason.
    Rejected(String),
    /// The checker can neither accept nor reject a certificate, for this reason.
    NotChecked(String),
    /// The time is over.
    OutOfTime,
    /// The analysis was too imprecise; the string says what did not suffice.
    Imprecise(String),
    /// A limit other than time was reached; the string names it.
    Limit(String),
    /// The solver gave no answer, for this reason.
    Solver(String),
    /// A technique ended by a defect of kerf, with this message.
    Defect(String),
    /// What was tried reaches no target, and cannot prove anything.
    NotReached(String),
}

impl UnknownReason {
    /// Whether more time would not help: neither time nor the solver's effort was the limit.
    pub fn is_final(&self) -> bool {
        match self {
            UnknownReason::Unsupported(_)
            | UnknownReason::Imprecise(_)
            | UnknownReason::Limit(_)
            | UnknownReason::Defect(_)
            | UnknownReason::NotReached(_) => true,
            UnknownReason::NotConfirmed(doubt) => matches!(doubt, Doubt::Depends(_)),
            UnknownReason::Rejected(_)
            | UnknownReason::NotChecked(_)
            | UnknownReason::OutOfTime
            | UnknownReason::Solver(_) => false,
        }
    }
}

impl Display for UnknownReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Unsupported(what) => write!(f, "unsupported: {what}"),
            UnknownReason::NotConfirmed(doubt) => write!(f, "{doubt}"),
            UnknownReason::Rejected(why) => write!(f, "certificate rejected: {why}"),
            UnknownReason::NotChecked(why) => write!(f, "certificate not checked: {why}"),
            UnknownReason::OutOfTime => f.write_str("timeout"),
            UnknownReason::Imprecise(what) | UnknownReason::Limit(what) | UnknownReason::NotReached(what) => {
                f.write_str(what)
            }
            UnknownReason::Defect(what) => write!(f, "internal error: {what}"),
            UnknownReason::Solver(why) => write!(f, "solver: {why}"),
        }
    }
}

impl From<Halt> for UnknownReason {
    fn from(halt: Halt) -> UnknownReason {
        match halt {
            Halt::OutOfTime => UnknownReason::OutOfTime,
            Halt::OutOfBudget(_) | Halt::TooDeep(_) => UnknownReason::Limit(halt.to_string()),
            Halt::Unsupported(what) => UnknownReason::Unsupported(what),
            Halt::Solver(why) => UnknownReason::Solver(why),
        }
    }
}

/// Inputs that lead to a target in the slice.
#[derive(Clone, Debug, Default)]
pub struct InputVector {
    /// The values that each `Input` edge yields, in order of occurrence.
    pub inputs: FxHashMap<EdgeId, Vec<Value>>,
}
