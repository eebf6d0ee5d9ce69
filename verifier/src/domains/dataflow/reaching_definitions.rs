//! The reaching-definitions CPA [Lemberger 2018, 2.6.7]: which assignments may have given the variables their current values.
//!
//! Lattice: sets of definitions (a variable and an edge that writes it), ordered by inclusion; the join is the union. Transfer: a write
//! to a variable replaces its definitions. Merge-join, stop-sep.
//!
//! A call defines the parameters, not the arguments ([Lemberger 2018, 2.6.7] has it the other way round). Here parameters are transfer
//! variables, assigned on edges of their own next to the call, so the call itself defines nothing. A new activation has locals without
//! definitions, and the definitions of the callers' locals are kept until it returns. A memory is one variable: a store defines it, and
//! also reads its previous contents.
//!
//! The analysis does not distinguish the parts of a memory. A construct whose writes are not known is unsupported.

use crate::cpa::{Action, Step};
use crate::domains::dataflow::joined::DataFlow;
use crate::program::{Halt, Program};
use cfa::{EdgeId, Op, VarId};
use imbl::{OrdSet, Vector};

/// A variable and an edge that writes it.
pub type Definition = (VarId, EdgeId);

/// The definitions that may be the latest ones of their variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Definitions of global variables and of the locals of the running activation.
    pub reaching: OrdSet<Definition>,
    /// Definitions of the locals of its callers, beginning with the entry function.
    pub callers: Vector<OrdSet<Definition>>,
}

impl State {
    /// Whether all definitions of `self` are among those of `other`.
    pub fn is_subset(&self, other: &State) -> bool {
        self.reaching.is_subset(&other.reaching)
            && self.callers.len() == other.callers.len()
            && self.callers.iter().zip(&other.callers).all(|(a, b)| a.is_subset(b))
    }

    /// The union of the definitions of both states, which must have the same number of callers.
    pub fn union(&self, other: &State) -> State {
        State {
            reaching: self.reaching.clone().union(other.reaching.clone()),
            callers: self.callers.iter().zip(&other.callers).map(|(a, b)| a.clone().union(b.clone())).collect(),
        }
    }

    /// The edges whose definitions of `v` reach this state.
    pub fn of(&self, v: VarId) -> impl Iterator<Item = EdgeId> + '_ {
        self.reaching.range((v, EdgeId(0))..=(v, EdgeId(u32::MAX))).map(|(_, e)| *e)
    }

    /// The state after `step`.
    ///
    /// Errors: `Unsupported` if it is not known what the step writes.
    pub fn after(&self, program: &Program, step: &Step<'_>) -> Result<State, Halt> {
        let mut next = self.clone();
        match step.action {
            Action::Op(Op::CallIndirect(_)) => return Err(Halt::Unsupported("an indirect call".into())),
            Action::Op(Op::Unsupported(u)) if u.writes.is_none() || u.may_call => {
                return Err(Halt::Unsupported(u.reason.clone()));
            }
            Action::Op(op) => {
                // A construct without a model may leave its variables unchanged.
                let surely = !matches!(op, Op::Unsupported(_));
                for v in op.written() {
                    next.define(v, edge_of(step), surely);
                }
            }
            Action::Enter(..) => {
                let is_local = |d: &&Definition| program.cfa.is_local(d.0);
                let (locals, globals) = self.reaching.iter().partition::<Vec<Definition>, _>(is_local);
                next.reaching = globals.into_iter().collect();
                next.callers.push_back(locals.into_iter().collect());
            }
            Action::Leave => {
                let locals = next.callers.pop_back().unwrap_or_default();
                let globals = self.reaching.iter().filter(|d| !program.cfa.is_local(d.0)).copied();
                next.reaching = locals.into_iter().chain(globals).collect();
            }
        }
        Ok(next)
    }

    fn define(&mut self, v: VarId, e: EdgeId, surely: bool) {
        if surely {
            let old: Vec<EdgeId> = self.of(v).collect();
            for e in old {
                self.reaching.remove(&(v, e));
            }
        }
        self.reaching.insert((v, e));
    }
}

/// The edge that a step takes; the step must not be a return.
pub(super) fn edge_of(step: &Step<'_>) -> EdgeId {
    match step.taken {
        checker::Step::Edge(e) => e,
        checker::Step::Return => unreachable!("an operation is on an edge"),
    }
}

/// The analysis. It has no data besides its states.
pub struct ReachingDefinitions;

impl DataFlow for ReachingDefinitions {
    type State = State;

    fn after(&self, program: &Program, s: &State, step: &Step<'_>) -> Result<State, Halt> {
        s.after(program, step)
    }

    fn is_below(&self, s: &State, by: &State) -> bool {
        s.is_subset(by)
    }

    fn join(&self, a: &State, b: &State) -> State {
        a.union(b)
    }
}
