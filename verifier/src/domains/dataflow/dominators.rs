//! The dominator CPA [Lemberger 2018, 3.1.2]: which locations every path to a location has passed.
//!
//! Lattice: sets of locations, ordered by reverse inclusion; the join is the intersection, the top element the empty set. Transfer: each
//! step adds the location where it starts. Merge-join, stop-sep. Composed with the location CPA, this is [Lemberger 2018, Algorithm 3];
//! under [`Backward`](crate::cpa::backward::Backward), the sets are post-dominators.
//!
//! It claims nothing about values. A location is not its own dominator here.

use crate::cpa::Step;
use crate::domains::dataflow::joined::DataFlow;
use crate::program::{Halt, Program};
use cfa::LocId;
use imbl::OrdSet;

/// The locations that every path has passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State(pub OrdSet<LocId>);

/// The analysis. It has no data besides its states.
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
