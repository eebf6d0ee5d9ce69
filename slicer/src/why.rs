//! Why an edge is kept: for each kept edge the next one on a way to the criterion, as the walk found it.
//!
//! The walk goes breadth-first, so that following the pointers gives a way with as few dependences as the walk knows.

use cfa::{EdgeId, Id, VarId};

/// How an edge matters to another one, or to a criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// It may define what the variable holds where the other edge reads it, or calls a function that may.
    Flow(VarId),
    /// The same, across the call of the function that reads the variable.
    ParamIn(VarId),
    /// The same, across the return from the function that defines it.
    ParamOut(VarId),
    /// It decides whether the other edge is reached.
    Control,
    /// It calls the function that the other edge belongs to.
    Call,
    /// It computes an operand that the other edge's instruction needs in the module ([`cfa::Cfa::companions`]).
    Companion,
    /// It tests whether the other edge would trap.
    Guard,
}

/// What a kept edge matters to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// To the criterion of this number.
    Criterion {
        /// Position in the list of criteria.
        number: usize,
        /// How; nothing where the edge is a part of the criterion itself.
        how: Option<Dependence>,
    },
    /// To another kept edge.
    Edge {
        /// The edge, one step closer to a criterion.
        next: EdgeId,
        /// How.
        how: Dependence,
    },
    /// It has no model, so that nobody knows what it matters to.
    Unsupported,
}

/// A reason for each kept edge.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    of_edge: Vec<Option<Reason>>,
}

impl Reasons {
    /// For a program of `edges` edges, none of them kept.
    pub(crate) fn new(edges: usize) -> Reasons {
        Reasons { of_edge: vec![None; edges] }
    }

    /// Notes the first reason that is found.
    pub(crate) fn note(&mut self, e: EdgeId, reason: Reason) {
        self.of_edge[e.index()].get_or_insert(reason);
    }

    /// Why `e` is kept; `None` where it is not, or is no more than a call on the way to something kept.
    pub fn of(&self, e: EdgeId) -> Option<Reason> {
        self.of_edge[e.index()]
    }

    /// The way from `e` to a criterion: pairs of an edge, `e` first, and why it is kept. Empty if it is not.
    pub fn chain(&self, e: EdgeId) -> impl Iterator<Item = (EdgeId, Reason)> {
        let with_reason = |e: EdgeId| self.of(e).map(|reason| (e, reason));
        std::iter::successors(with_reason(e), move |(_, reason)| match reason {
            Reason::Edge { next, .. } => with_reason(*next),
            Reason::Criterion { .. } | Reason::Unsupported => None,
        })
    }
}
