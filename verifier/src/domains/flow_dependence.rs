//! The flow-dependence CPA (S 3.1.1): which edges use what which edges defined.
//!
//! Lattice: pairs of a state of the wrapped reaching-definitions CPA and a set of flow dependences, ordered and joined
//! component by component. Transfer: a step adds a dependence for each variable that its operation uses and each definition of it
//! that reaches. Merge-join, stop-sep. Dependences only grow along paths: what was found anywhere is in some reached state.

use crate::domains::reaching_definitions::{self, edge_of};
use crate::engine::cpa::{Action, Cpa, Cx, Index, Step};
use crate::program::{Halt, Program};
use cfa::{EdgeId, LocId, Op, VarId};
use checker::Label;
use imbl::OrdSet;

/// `on` uses the value that `from` gave to `var`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlowDependence {
    /// The edge that uses the variable.
    pub on: EdgeId,
    /// The variable.
    pub var: VarId,
    /// The edge that defines it.
    pub from: EdgeId,
}

/// Definitions that reach, and the dependences met on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The wrapped state.
    pub definitions: reaching_definitions::State,
    /// Dependences of edges passed.
    pub dependences: OrdSet<FlowDependence>,
}

/// The analysis. It has nothing to remember beside its states.
pub struct FlowDependenceCpa;

/// Variables that an operation uses.
fn uses(program: &Program, op: &Op) -> Vec<VarId> {
    let mut used: Vec<VarId> = op.terms().into_iter().flat_map(|t| program.base.vars(t)).collect();
    if let Op::Unsupported(u) = op {
        used.extend(u.reads.iter().flat_map(|r| r.iter()));
    }
    used
}

impl Cpa for FlowDependenceCpa {
    type State = State;
    type Precision = ();
    type Key = ();

    fn initial(&mut self, _cx: &mut Cx<'_>, _at: LocId) -> (State, ()) {
        (State::default(), ())
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        step: Step<'_>,
        _pi: &(),
        out: &mut Vec<State>,
    ) -> Result<(), Halt> {
        let mut dependences = s.dependences.clone();
        if let Action::Op(op) = step.action {
            if matches!(op, Op::Unsupported(u) if u.reads.is_none()) {
                return Err(Halt::Unsupported("a construct whose reads are not known".into()));
            }
            let on = edge_of(&step);
            for var in uses(cx.program, op) {
                dependences.extend(s.definitions.of(var).map(|from| FlowDependence { on, var, from }));
            }
        }
        out.push(State { definitions: s.definitions.after(cx.program, &step)?, dependences });
        Ok(())
    }

    fn covered(&mut self, _cx: &mut Cx<'_>, s: &State, by: &State) -> Result<bool, Halt> {
        Ok(s.definitions.is_subset(&by.definitions) && s.dependences.is_subset(&by.dependences))
    }

    fn merge(&mut self, _cx: &mut Cx<'_>, new: &State, old: &State, _pi: &()) -> Result<Option<State>, Halt> {
        Ok(Some(State {
            definitions: old.definitions.union(&new.definitions),
            dependences: old.dependences.clone().union(new.dependences.clone()),
        }))
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
