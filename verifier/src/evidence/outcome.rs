//! What a strategy found: a proof to be checked, an alarm to be replayed, or the reason why it found neither.

use cfa::EdgeId;
use cfa::eval::Value;
use checker::Certificate;
use rustc_hash::FxHashMap;

/// What a strategy found.
#[derive(Debug)]
pub enum Outcome {
    /// No target is reachable, to be checked.
    Proof(Box<Certificate>),
    /// A target is reachable on these inputs, to be replayed.
    Alarm(InputVector),
    /// Neither, with the reason.
    Unknown(String),
}

/// Inputs that lead to a target in the slice.
#[derive(Clone, Debug, Default)]
pub struct InputVector {
    /// Values of each `Input` edge, by occurrence.
    pub inputs: FxHashMap<EdgeId, Vec<Value>>,
}
