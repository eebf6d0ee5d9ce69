//! Where executions of the live part may end, and which calls may not return.
//!
//! Executions may end at criteria after which nothing is live, at branches that leave the live part for good (`abort` after a
//! test), at assumptions of the user, at operations that may trap (where traps count), and at calls that may not return. So
//! what follows `if (!c) abort();` depends on that test, even if the test is in a callee: what follows a call that may not
//! return depends on the call, and the call stands for what the exit of its callee depends on.
//!
//! For the non-termination-sensitive kinds, a call may also not return because its callee, or a function called by it, has a
//! loop or is recursive: by definition every cycle may run forever.
//!
//! For the standard kind, a loop before a criterion is not kept for the reason that it may be endless, except for the loops of
//! `endless`.

use crate::dependence::control_dep::flow_graph::live_successors;
use crate::dependence::control_dep::{ControlKind, endless};
use crate::dependence::relevant::{Live, may_leave_graph};
use crate::scc::components;
use cfa::{AssumeKind, Cfa, EdgeId, Id, LocId, Op};
use fixedbitset::FixedBitSet;

/// Locations and calls at which executions may end.
pub(super) struct Ends {
    /// For each location, whether an execution may end there or leave the live part.
    pub at: Vec<bool>,
    /// For each function, whether a call of it may not return.
    pub may_not_return: Vec<bool>,
}

impl Ends {
    /// The ends of the live part, by the definition of `kind`, where `traps` are the guards that count. Linear.
    pub(super) fn new(cfa: &Cfa, live: &Live, criteria: &[LocId], kind: ControlKind, traps: &FixedBitSet) -> Ends {
        let may_end = |l| live.loc(l) && (leaves_live_part(cfa, live, l) || ends_itself(cfa, l, traps));
        let at = cfa.locs.ids().map(may_end).collect();
        // A function whose entry is not live never reaches its exit, if it is called at all.
        let mut ends = Ends { at, may_not_return: cfa.funcs.iter().map(|f| !live.loc(f.entry)).collect() };
        if kind != ControlKind::Standard {
            ends.add_diverging(cfa, live);
        }
        ends.propagate(cfa, live);
        if kind == ControlKind::Standard {
            endless::loops(cfa, live, criteria, traps).into_iter().for_each(|l| ends.at[l.index()] = true);
        }
        ends
    }

    /// Marks functions that have a loop, or lie on a cycle of calls, as functions that may not return.
    fn add_diverging(&mut self, cfa: &Cfa, live: &Live) {
        let next = |v: u32, found: &mut Vec<u32>| {
            if live.loc(LocId(v)) {
                found.extend(live_successors(cfa, live, LocId(v)).map(|m| m.0));
            }
        };
        for v in on_cycles(cfa.locs.len(), next) {
            self.may_not_return[cfa.locs[LocId(v)].func.index()] = true;
        }
        let mut callees: Vec<Vec<u32>> = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(g) = edge.op
                && live.edge(e)
            {
                callees[cfa.locs[edge.from].func.index()].push(g.0);
            }
        }
        for f in on_cycles(cfa.funcs.len(), |f, found| found.extend(&callees[f as usize])) {
            self.may_not_return[f as usize] = true;
        }
    }

    /// Marks calls of functions that may not return as ends, and the functions that contain such calls as functions that may not
    /// return, transitively.
    fn propagate(&mut self, cfa: &Cfa, live: &Live) {
        let mut callers: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(f) = edge.op
                && live.edge(e)
            {
                callers[f.index()].push(e);
            }
        }
        for l in cfa.locs.ids().filter(|l| self.at[l.index()]) {
            self.may_not_return[cfa.locs[l].func.index()] = true;
        }
        let mut stack: Vec<usize> = (0..cfa.funcs.len()).filter(|&f| self.may_not_return[f]).collect();
        while let Some(f) = stack.pop() {
            for &e in &callers[f] {
                let from = cfa.edges[e].from;
                self.at[from.index()] = true;
                let g = cfa.locs[from].func.index();
                if !std::mem::replace(&mut self.may_not_return[g], true) {
                    stack.push(g);
                }
            }
        }
    }
}

/// The strongly connected components of a graph that contain a cycle.
pub(super) fn cycles(n: usize, mut next: impl FnMut(u32, &mut Vec<u32>)) -> Vec<Vec<u32>> {
    let mut found = components(n, &mut next);
    let mut successors = Vec::new();
    found.retain(|c| {
        successors.clear();
        if c.len() == 1 {
            next(c[0], &mut successors);
        }
        c.len() > 1 || successors.contains(&c[0])
    });
    found
}

/// The nodes of a graph that lie on cycles.
fn on_cycles(n: usize, next: impl FnMut(u32, &mut Vec<u32>)) -> Vec<u32> {
    cycles(n, next).concat()
}

/// Whether an execution may leave the live part at `l`.
fn leaves_live_part(cfa: &Cfa, live: &Live, l: LocId) -> bool {
    cfa.out(l).iter().any(|&e| !live.edge(e) || !live.loc(cfa.edges[e].to))
}

/// Whether an execution may end at `l` itself (not in a call), regardless of what is live.
pub(super) fn ends_itself(cfa: &Cfa, l: LocId, traps: &FixedBitSet) -> bool {
    let out = cfa.out(l);
    let stops = |e: EdgeId| match &cfa.edges[e].op {
        Op::Assume { kind: AssumeKind::User, .. } => true,
        Op::Assume { kind: AssumeKind::Guard, .. } => traps.contains(e.index()),
        Op::Assume { kind: AssumeKind::Branch, .. } => out.len() == 1,
        op => may_leave_graph(op),
    };
    out.iter().any(|&e| stops(e)) || (out.is_empty() && l != cfa.funcs[cfa.locs[l].func].exit)
}
