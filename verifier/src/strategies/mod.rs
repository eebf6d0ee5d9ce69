//! Strategies: how a program is proved or refuted. Each proposes; the certificate checker and the replay decide.

pub mod bmc;
pub mod composition;
pub mod induction;
pub mod reachability;

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
    Alarm(Candidate),
    /// Neither, with the reason.
    Unknown(String),
}

/// Inputs that lead to a target in the slice.
#[derive(Clone, Debug, Default)]
pub struct Candidate {
    /// Values of each `Input` edge, by occurrence.
    pub inputs: FxHashMap<EdgeId, Vec<Value>>,
}
