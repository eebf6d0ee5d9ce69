//! Loops whose only exits lead to criteria (`while (1) { if (c) error(); }`), for the standard kind.
//!
//! By post-dominance, such a loop always reaches a criterion in the end, so that the criterion would not depend on the tests
//! inside. But the loop may as well run forever, so its head counts as a location where executions may end. What comes after a
//! criterion counts as a way out of the loop, whether or not it is live: a loop before `check(x); return 0;` has one. A criterion may
//! also lie in a function that is called and never returns: `void error(void) { reach_error(); }`.

use crate::dependence::control_dep::flow_graph::live_successors;
use crate::dependence::control_dep::interprocedural::{cycles, ends_itself};
use crate::dependence::relevant::{Live, returning};
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op};
use fixedbitset::FixedBitSet;

/// The first location (by id) of each loop of the live part from which neither a function's exit nor an end other than a
/// criterion can be reached. Linear.
pub(super) fn loops(cfa: &Cfa, live: &Live, criteria: &[LocId], traps: &FixedBitSet) -> Vec<LocId> {
    let other = ways_out(cfa, live, criteria, traps);
    let next = |v: u32, found: &mut Vec<u32>| {
        let l = LocId(v);
        if !other[l.index()] && live.loc(l) {
            found.extend(live_successors(cfa, live, l).filter(|m| !other[m.index()]).map(|m| m.0));
        }
    };
    cycles(cfa.locs.len(), next).into_iter().map(|component| LocId(component[0])).collect()
}

/// For each location, whether it leads to something other than a criterion: its function's exit, or an end, possibly in a
/// function called.
fn ways_out(cfa: &Cfa, live: &Live, criteria: &[LocId], traps: &FixedBitSet) -> Vec<bool> {
    let returns = returning(cfa);
    let never_returns = |e: EdgeId| matches!(cfa.edges[e].op, Op::Call(f) if !returns[f.index()]);
    let is_cut = |e: EdgeId| !live.edge(e) || !live.loc(cfa.edges[e].to);
    let leaves = |l: LocId| live.loc(l) && cfa.out(l).iter().any(|&e| is_cut(e) && !never_returns(e));
    let mut ends: Vec<bool> = cfa.locs.ids().map(|l| leaves(l) || ends_itself(cfa, l, traps)).collect();
    criteria.iter().for_each(|l| ends[l.index()] = false);
    // Functions in which an execution may end other than at a criterion, and the calls of them.
    let mut callers: Vec<Vec<LocId>> = vec![Vec::new(); cfa.funcs.len()];
    for edge in cfa.edges.iter() {
        if let Op::Call(f) = edge.op {
            callers[f.index()].push(edge.from);
        }
    }
    let mut may_end = vec![false; cfa.funcs.len()];
    let mut work: Vec<FuncId> = Vec::new();
    let mut note = |f: FuncId, work: &mut Vec<FuncId>| {
        if !std::mem::replace(&mut may_end[f.index()], true) {
            work.push(f);
        }
    };
    cfa.locs.ids().filter(|l| ends[l.index()]).for_each(|l| note(cfa.locs[l].func, &mut work));
    while let Some(f) = work.pop() {
        for &l in &callers[f.index()] {
            ends[l.index()] = true;
            note(cfa.locs[l].func, &mut work);
        }
    }
    cfa.funcs.iter().for_each(|f| ends[f.exit.index()] = true);
    let mut stack: Vec<LocId> = cfa.locs.ids().filter(|l| ends[l.index()]).collect();
    while let Some(l) = stack.pop() {
        for &e in cfa.into(l).iter().filter(|e| !never_returns(**e)) {
            let from = cfa.edges[e].from;
            if !std::mem::replace(&mut ends[from.index()], true) {
                stack.push(from);
            }
        }
    }
    ends
}
