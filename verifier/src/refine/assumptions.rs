//! Conditions on the way that split nothing: assumptions of the user, guards, and branches whose other side ends (`if (!c) abort();`).
//!
//! A core of a path leaves most of them out, since the path is infeasible for another reason. But a state that tracks what they speak
//! about without them stands for values that the program does not have, and loops over these need not end. To track them costs no states.

use crate::cpa::Step;
use crate::cpa::precision::Tracked;
use crate::program::Program;
use crate::refine::Conditions;
use crate::refine::conflict::Conflict;
use crate::refine::need::need;
use cfa::{Cfa, EdgeId, Op, VarId};
use rustc_hash::FxHashSet;
use slicer::dependence::relevant::Live;

/// Most assumptions of a path that are looked at, the first ones first.
const LOOKED_AT: usize = 64;

/// Tells such conditions from branches.
pub struct Assumptions {
    live: Live,
}

impl Assumptions {
    /// Cost: linear in the program.
    pub fn new(cfa: &Cfa) -> Assumptions {
        Assumptions { live: Live::new(cfa, &cfa.targets) }
    }

    fn is_assumption(&self, cfa: &Cfa, e: EdgeId) -> bool {
        matches!(cfa.edges[e].op, Op::Assume { .. })
            && cfa.out(cfa.edges[e].from).iter().all(|other| *other == e || !self.live.edge(*other))
    }

    /// What assumptions in front of the end of `conflict` need that share a variable with `tracked`, for an analysis that keeps
    /// constraints; without those that need a further variable that is `dear`, and the conditions of the conflict, which were judged.
    ///
    /// Cost: linear in the path, for each of them.
    pub fn about(
        &self,
        program: &Program,
        steps: &[Step<'_>],
        conflict: &Conflict,
        tracked: &Tracked,
        dear: &dyn Fn(VarId) -> bool,
    ) -> Vec<Tracked> {
        let edge = |step: &Step<'_>| match step.taken {
            checker::Step::Edge(e) => Some(e),
            checker::Step::Return => None,
        };
        let judged: FxHashSet<EdgeId> = conflict.conditions.iter().filter_map(|i| edge(&steps[*i])).collect();
        let known: FxHashSet<VarId> = tracked.vars().collect();
        let is_wanted = |e: EdgeId| !judged.contains(&e) && self.is_assumption(&program.cfa, e);
        let found = (0..steps.len()).filter(|i| edge(&steps[*i]).is_some_and(is_wanted));
        let needed = found.take(LOOKED_AT).map(|i| {
            let alone = Conflict { end: i, conditions: vec![i] };
            need(program, steps, &alone, Conditions::Constraints)
        });
        needed
            .filter(|n| n.vars().any(|v| known.contains(&v)) && n.vars().all(|v| known.contains(&v) || !dear(v)))
            .collect()
    }
}
