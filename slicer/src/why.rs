//! Why an edge is kept: for each kept edge, the next one on a path of dependences to a criterion, as the walk found it.
//!
//! The walk visits edges in breadth-first order, so that the path along these links has few dependences.

use cfa::{EdgeId, Id, VarId};

/// How an edge matters to another edge, or to a criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// It may define the value that the variable has where the other edge reads it, or it calls a function that may.
    Flow(VarId),
    /// As `Flow`, through a call into the function that reads the variable.
    ParamIn(VarId),
    /// As `Flow`, through the return from the function that defines the variable.
    ParamOut(VarId),
    /// It decides whether the other edge is reached.
    Control,
    /// It calls the function that the other edge belongs to.
    Call,
    /// It computes an operand that the other edge's instruction needs in the module ([`cfa::ModuleFacts::companions`]).
    Companion,
    /// It tells the outside an address, which the other edge's call may then use ([`cfa::ModuleFacts::disclosures`]).
    Disclosure,
    /// It tests whether the other edge would trap.
    Guard,
}

/// What a kept edge matters to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The criterion with this number.
    Criterion {
        /// Position in the list of criteria.
        number: usize,
        /// How the edge matters; `None` where the edge is a part of the criterion itself.
        how: Option<Dependence>,
    },
    /// Another kept edge.
    Edge {
        /// That edge, one step closer to a criterion.
        next: EdgeId,
        /// How the edge matters to it.
        how: Dependence,
    },
    /// The edge has no model, so that it is unknown what it matters to.
    Unsupported,
    /// The edge belongs to a handler of a signal, or writes what one reads: handlers may run at any time.
    Handler,
}

/// A reason for each kept edge.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    of_edge: Vec<Option<Reason>>,
}

impl Reasons {
    /// No reasons yet, for a program with `edges` edges.
    pub(crate) fn new(edges: usize) -> Reasons {
        Reasons { of_edge: vec![None; edges] }
    }

    /// Records `reason` for `e` unless there is one already.
    pub(crate) fn note(&mut self, e: EdgeId, reason: Reason) {
        self.of_edge[e.index()].get_or_insert(reason);
    }

    /// Why `e` is kept. `None` if it is not kept, or if it is kept only as a call that leads to something else.
    pub fn of(&self, e: EdgeId) -> Option<Reason> {
        self.of_edge[e.index()]
    }

    /// The path of dependences from `e` to a criterion: pairs of an edge (`e` first) and the reason for which it is kept.
    /// Empty if `e` is not kept.
    pub fn chain(&self, e: EdgeId) -> impl Iterator<Item = (EdgeId, Reason)> {
        let with_reason = |e: EdgeId| self.of(e).map(|reason| (e, reason));
        std::iter::successors(with_reason(e), move |(_, reason)| match reason {
            Reason::Edge { next, .. } => with_reason(*next),
            Reason::Criterion { .. } | Reason::Unsupported | Reason::Handler => None,
        })
    }
}
