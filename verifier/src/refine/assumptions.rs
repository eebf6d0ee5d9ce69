//! Conditions on a path that do not split it: assumptions of the user, guards, and branches whose other side ends (`if (!c) abort();`).
//!
//! The core of an infeasible path contains few of them, since the path is infeasible for another reason. But a state that tracks their
//! variables without the conditions represents values that do not occur in the program, and loops over such values need not terminate.
//! Tracking these conditions costs no additional states.

use crate::cpa::Step;
use crate::cpa::precision::Tracked;
use crate::program::Program;
use crate::refine::Conditions;
use crate::refine::conflict::Conflict;
use crate::refine::need::need;
use cfa::{Cfa, EdgeId, Op, VarId};
use rustc_hash::FxHashSet;
use slicer::dependence::relevant::Live;

/// Maximum number of assumptions of a path that are examined, from its beginning on.
const LOOKED_AT: usize = 64;

/// Distinguishes assumptions from branches.
pub(super) struct Assumptions {
    live: Live,
}

impl Assumptions {
    /// Finds out from which edges a target can be reached. Cost: linear in the program.
    pub(super) fn new(cfa: &Cfa) -> Assumptions {
        Assumptions { live: Live::new(cfa, &cfa.targets) }
    }

    fn is_assumption(&self, cfa: &Cfa, e: EdgeId) -> bool {
        matches!(cfa.edges[e].op, Op::Assume { .. })
            && cfa.out(cfa.edges[e].from).iter().all(|other| *other == e || !self.live.edge(*other))
    }

    /// What the assumptions before the end of `conflict` need, for an analysis that keeps constraints. Only assumptions that share a
    /// variable with `tracked` are included; assumptions that need an additional expensive (`dear`) variable are excluded, and so are the
    /// conditions of the conflict, which have been considered already.
    ///
    /// Cost: linear in the path, per assumption.
    pub(super) fn about(
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
