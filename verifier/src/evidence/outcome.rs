//! The outcome of a strategy: a proof to be checked, an alarm to be replayed, or the reason why there is neither.

use cfa::EdgeId;
use cfa::eval::Value;
use checker::Certificate;
use rustc_hash::FxHashMap;

/// The outcome of a strategy.
#[derive(Debug)]
pub enum Outcome {
    /// No target is reachable; the certificate is still to be checked.
    Proof(Box<Certificate>),
    /// A target is reachable on these inputs, which are still to be replayed.
    Alarm(InputVector),
    /// Neither, for this reason.
    Unknown(String),
}

/// Inputs that lead to a target in the slice.
#[derive(Clone, Debug, Default)]
pub struct InputVector {
    /// The values that each `Input` edge yields, in order of occurrence.
    pub inputs: FxHashMap<EdgeId, Vec<Value>>,
}
