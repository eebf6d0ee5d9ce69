//! Conditions at loop heads: the invariants of a witness, which must hold, or may.
//!
//! A condition that must hold becomes a test at the head of the loop, like one of an automaton:
//!
//! ```text
//! --> head --> reads := ... --> [condition] --> first edge of the condition or the body
//!                        +----> [not condition] --> a target
//! ```
//!
//! One that may hold has the same test, but both branches lead on, so that it changes nothing. Preparation rewrites it as any other
//! test: what is read of variables becomes terms over what these have become. So [`LoopTest::candidate`] is the condition in the
//! language of the prepared program.

use crate::automaton::lookup::Context;
use crate::automaton::weave::{Violation, Woven, branch, step};
use crate::automaton::{AutomatonError, Expr};
use crate::cfa_edit;
use crate::points_to::memory_var;
use cfa::source_map::SourceMap;
use cfa::term::Leaf;
use cfa::{Cfa, EdgeId, LocId, Op, Term, VarId};
use rustc_hash::FxHashMap;

/// A condition at a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopCondition {
    /// The index of the loop in [`SourceMap::loops`].
    pub at: usize,
    /// What holds each time before the loop's condition is evaluated.
    pub condition: Expr,
    /// What is violated if it does not hold; `None` if it need not hold.
    pub violation: Option<Violation>,
}

/// The test of a condition in the CFA.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopTest {
    /// The head of the loop.
    pub head: LocId,
    /// The edge on which the condition holds.
    holds: EdgeId,
    /// The edge that sets what the condition reads.
    reads: Option<EdgeId>,
}

/// Weaves conditions at loops into `cfa`, a raw CFA, and notes in `woven` what is violated at new targets. Returns, for each condition, its
/// test, or why it cannot be evaluated at its loop; nothing is woven in for these. A loop that is never executed has no test.
///
/// # Errors
/// A CFA with more than one memory.
pub fn weave_at_loops(
    cfa: &mut Cfa,
    map: &SourceMap,
    conditions: &[LoopCondition],
    woven: &mut Woven,
) -> Result<Vec<Result<Option<LoopTest>, String>>, AutomatonError> {
    let memory = memory_var(cfa).map_err(|e| AutomatonError { line: 1, reason: e.to_string() })?;
    let mut tests = Vec::new();
    for LoopCondition { at, condition, violation } in conditions {
        let at = &map.loops[*at];
        let mut context = Context { cfa, memory, func: at.func, at: Some((map, at)), args: &[], reads: Vec::new() };
        let cond = match context.holds(condition) {
            Ok(cond) => cond,
            Err(why) => {
                tests.push(Err(why));
                continue;
            }
        };
        let reads = context.reads;
        let Some(head) = at.head else {
            tests.push(Ok(None));
            continue;
        };
        tests.push(Ok(Some(test(cfa, head, cond, reads, violation.as_ref(), woven))));
    }
    Ok(tests)
}

/// Adds the test of `cond` at `head`.
fn test(
    cfa: &mut Cfa,
    head: LocId,
    cond: Term,
    reads: Vec<(VarId, Term)>,
    violation: Option<&Violation>,
    woven: &mut Woven,
) -> LoopTest {
    let end = cfa_edit::insert_at(cfa, head, Op::Skip);
    let like = cfa.out(head)[0];
    let mut at = cfa_edit::new_loc(cfa, end);
    cfa_edit::redirect(cfa, like, at);
    let mut reading = None;
    if !reads.is_empty() {
        at = step(cfa, like, at, Op::Assign(reads.into_boxed_slice()));
        reading = cfa.locs[at].into.first().copied();
    }
    let (yes, no) = branch(cfa, like, at, cond);
    let holds = cfa.locs[yes].into[0];
    cfa_edit::add_like(cfa, like, yes, end, Op::Skip);
    match violation {
        Some(violation) => {
            let target = step(cfa, like, no, Op::Skip);
            cfa.targets.push(target);
            woven.violations.insert(target, violation.clone());
        }
        None => {
            cfa_edit::add_like(cfa, like, no, end, Op::Skip);
        }
    }
    LoopTest { head, holds, reads: reading }
}

impl LoopTest {
    /// The condition as a Bool term over the variables of `cfa`, the prepared program. `None` if preparation made something else of the
    /// test.
    pub fn candidate(&self, cfa: &mut Cfa) -> Option<Term> {
        let Op::Assume { cond, .. } = cfa.edges[self.holds].op else { return None };
        let mut values: FxHashMap<VarId, Term> = FxHashMap::default();
        if let Some(reads) = self.reads {
            let Op::Assign(list) = &cfa.edges[reads].op else { return None };
            values.extend(list.iter().copied());
        }
        let term = cfa.terms.substitute(cond, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
            Leaf::Var(v) => values.get(&v).copied(),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        });
        // A value that was read by another edge is not known here.
        let is_own = |v: &VarId| cfa.vars[*v].name.contains("::automaton.");
        (!cfa.terms.vars(term).iter().any(is_own)).then_some(term)
    }
}

/// Adds an edge without effect before `e`, for an event ([`Event::Edges`](crate::automaton::Event::Edges)) that happens there.
pub fn event_before(cfa: &mut Cfa, e: EdgeId) -> EdgeId {
    cfa_edit::insert_before(cfa, e, Op::Skip)
}

/// Adds an edge without effect at `l`, before what follows, for an event that happens whenever control is there.
pub fn event_at(cfa: &mut Cfa, l: LocId) -> EdgeId {
    cfa_edit::insert_at(cfa, l, Op::Skip);
    cfa.out(l)[0]
}
