//! The dominator CPA (S 3.1.2): which locations every path to a location has passed.
//!
//! Lattice: sets of locations, ordered by reverse inclusion; joined by intersection; the top is the empty set. Transfer: along each
//! step, the location that it starts from joins the set. Merge-join, stop-sep. In composition with the location CPA it is S
//! Algorithm 3; under [`Backward`](crate::engine::backward::Backward) the sets are post-dominators.
//!
//! What it does not claim: anything about values. A location is not its own dominator here.

use crate::engine::cpa::{Cpa, Cx, Index, Step};
use crate::program::Halt;
use cfa::LocId;
use checker::Label;
use imbl::OrdSet;

/// Locations that every path has passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State(pub OrdSet<LocId>);

/// The analysis. It has nothing to remember beside its states.
pub struct DominatorCpa;

impl Cpa for DominatorCpa {
    type State = State;
    type Precision = ();
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> (State, ()) {
        (State::default(), ())
    }

    fn transfer(
        &mut self,
        _cx: &mut Cx<'_>,
        s: &State,
        step: Step<'_>,
        _pi: &(),
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        out.push(State(s.0.update(step.from)));
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(by.0.is_subset(&s.0))
    }

    fn merge(&mut self, _cx: &mut Cx<'_>, new: &State, old: &State, _pi: &()) -> Result<Option<State>, Halt> {
        Ok(Some(State(old.0.clone().intersection(new.0.clone()))))
    }

    fn merges(&self) -> bool {
        true
    }

    fn key(&self, _s: &State) {}

    fn index(&self, _s: &State) -> Option<Index> {
        None
    }

    fn fingerprint_as(&self, _s: &State, _pattern: &State) -> Option<u64> {
        None
    }

    fn label(&mut self, _cx: &mut Cx<'_>, _s: &State) -> Label {
        Label::default()
    }
}
