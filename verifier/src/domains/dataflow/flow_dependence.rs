//! The flow-dependence CPA [Lemberger 2018, 3.1.1]: which edges use variables that which other edges defined.
//!
//! Lattice: pairs of a state of the wrapped reaching-definitions CPA and a set of flow dependences, ordered and joined componentwise.
//! Transfer: a step adds a dependence for each variable that its operation uses and each definition of that variable that reaches it.
//! Merge-join, stop-sep. Dependences only grow along paths, so each dependence that is found is contained in some reached state.

use crate::cpa::{Action, Step};
use crate::domains::dataflow::joined::DataFlow;
use crate::domains::dataflow::reaching_definitions::{self, edge_of};
use crate::program::{Halt, Program};
use cfa::{EdgeId, Op, VarId};
use imbl::OrdSet;

/// The edge `on` uses the value that the edge `from` gave to `var`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlowDependence {
    /// The edge that uses the variable.
    pub on: EdgeId,
    /// The variable.
    pub var: VarId,
    /// The edge that defines it.
    pub from: EdgeId,
}

/// The definitions that reach a location, and the dependences found on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The wrapped state.
    pub definitions: reaching_definitions::State,
    /// The dependences of the edges passed.
    pub dependences: OrdSet<FlowDependence>,
}

/// The analysis. It has no data besides its states.
pub struct FlowDependences;

/// The variables that an operation uses.
fn uses(program: &Program, op: &Op) -> Vec<VarId> {
    let mut used: Vec<VarId> = op.terms().into_iter().flat_map(|t| program.base.vars(t)).collect();
    if let Op::Unsupported(u) = op {
        used.extend(u.reads.iter().flat_map(|r| r.iter()));
    }
    used
}

impl DataFlow for FlowDependences {
    type State = State;

    fn after(&self, program: &Program, s: &State, step: &Step<'_>) -> Result<State, Halt> {
        let mut dependences = s.dependences.clone();
        if let Action::Op(op) = step.action {
            if matches!(op, Op::Unsupported(u) if u.reads.is_none()) {
                return Err(Halt::Unsupported("a construct whose reads are not known".into()));
            }
            let on = edge_of(step);
            for var in uses(program, op) {
                dependences.extend(s.definitions.of(var).map(|from| FlowDependence { on, var, from }));
            }
        }
        Ok(State { definitions: s.definitions.after(program, step)?, dependences })
    }

    fn is_below(&self, s: &State, by: &State) -> bool {
        s.definitions.is_subset(&by.definitions) && s.dependences.is_subset(&by.dependences)
    }

    fn join(&self, a: &State, b: &State) -> State {
        State {
            definitions: a.definitions.union(&b.definitions),
            dependences: a.dependences.clone().union(b.dependences.clone()),
        }
    }
}
