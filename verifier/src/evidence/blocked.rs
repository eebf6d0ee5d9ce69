//! What blocks a proof by induction: a state that satisfies all invariants known, and from which a target is reached.
//!
//! Such a state need not be one that the program ever comes to. If it is not, an invariant that excludes it is missing, and to see the state
//! is often to see the invariant. It is a hint for people, and nothing rests on it.

use cfa::eval::Value;
use cfa::{LocId, VarId};

/// A counterexample to induction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The k of the induction: the iterations before the last one violate nothing.
    pub k: u32,
    /// The head of the loop at which the state is.
    pub head: LocId,
    /// The target that is reached from there.
    pub target: LocId,
    /// The values of numeric variables with a name in the source, ascending.
    pub values: Vec<(VarId, Value)>,
}
