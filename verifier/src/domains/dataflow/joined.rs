//! Classical data-flow analyses as CPAs: one state per location and call stack, joined where paths meet (merge-join, stop-sep)
//! [Lemberger 2018, 2.6.3].
//!
//! A domain provides its lattice and its transfer relation; execution begins with the default state. These analyses claim nothing about
//! values, so their labels are empty and no path is infeasible.

use crate::cpa::{Cpa, Cx, Index, Step};
use crate::program::{Halt, Program};
use cfa::LocId;
use checker::Label;
use std::fmt::Debug;

/// A lattice, and the transfer relation along steps.
pub trait DataFlow {
    /// An element of the lattice; the default is the initial state.
    type State: Clone + Eq + Debug + Default;

    /// The state after `step`.
    ///
    /// Errors: `Unsupported` if the effect of the step is not known.
    fn after(&self, program: &Program, s: &Self::State, step: &Step<'_>) -> Result<Self::State, Halt>;

    /// Whether `s` is below `by`.
    fn is_below(&self, s: &Self::State, by: &Self::State) -> bool;

    /// The least upper bound.
    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State;
}

/// The CPA of a data-flow analysis.
pub struct Joined<D>(pub D);

impl<D: DataFlow> Cpa for Joined<D> {
    type State = D::State;
    type Precision = ();
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> D::State {
        D::State::default()
    }

    fn full_precision(&self) {}

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &D::State,
        step: Step<'_>,
        _pi: &(),
        out: &mut Vec<D::State>,
    ) -> Result<(), Halt> {
        out.push(self.0.after(cx.program, s, &step)?);
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &D::State, by: &D::State) -> Result<bool, Halt> {
        Ok(self.0.is_below(s, by))
    }

    fn merge(&mut self, _cx: &mut Cx<'_>, new: &D::State, old: &D::State, _pi: &()) -> Result<Option<D::State>, Halt> {
        Ok(Some(self.0.join(old, new)))
    }

    fn merges(&self) -> bool {
        true
    }

    fn key(&self, _s: &D::State) {}

    fn index(&self, _s: &D::State) -> Option<Index> {
        None
    }

    fn fingerprint_as(&self, _s: &D::State, _pattern: &D::State) -> Option<u64> {
        None
    }

    fn label(&mut self, _cx: &mut Cx<'_>, _s: &D::State) -> Label {
        Label::default()
    }
}
