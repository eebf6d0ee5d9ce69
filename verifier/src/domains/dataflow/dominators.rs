//! The dominator CPA [Lemberger 2018, 3.1.2]: which locations every path to a location has passed.
//!
//! Lattice: sets of locations, ordered by reverse inclusion; joined by intersection; the top is the empty set. Transfer: along each
//! step, the location that it starts from joins the set. Merge-join, stop-sep. In composition with the location CPA it is S
//! Algorithm 3; under [`Backward`](crate::cpa::backward::Backward) the sets are post-dominators.
//!
//! What it does not claim: anything about values. A location is not its own dominator here.

use crate::cpa::Step;
use crate::domains::dataflow::joined::DataFlow;
use crate::program::{Halt, Program};
use cfa::LocId;
use imbl::OrdSet;

/// Locations that every path has passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State(pub OrdSet<LocId>);

/// The analysis. It has nothing to remember beside its states.
pub struct Dominators;

impl DataFlow for Dominators {
    type State = State;

    fn after(&self, _program: &Program, s: &State, step: &Step<'_>) -> Result<State, Halt> {
        Ok(State(s.0.update(step.from)))
    }

    fn is_below(&self, s: &State, by: &State) -> bool {
        by.0.is_subset(&s.0)
    }

    fn join(&self, a: &State, b: &State) -> State {
        State(a.0.clone().intersection(b.0.clone()))
    }
}
