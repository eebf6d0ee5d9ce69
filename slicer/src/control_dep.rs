//! Control dependence of locations, within functions by post-dominance (Ferrante, Ottenstein, Warren, TOPLAS 1987), and between
//! functions through calls that may not return.
//!
//! The graph of a function is its live part with one more node, the end, to which its exit and all ways out of the live part lead:
//! criteria, branches that leave for good (`abort` behind a test), assumptions of the user, and calls that may not return. So
//! what follows `if (!c) abort();` depends on that test, also where the test is in a callee: what follows a call that may not
//! return depends on the call, and the call stands for what the exit of its callee depends on.
//!
//! It is the standard, termination-insensitive kind: a loop without an end in front of a criterion is no reason to keep it. But a
//! loop that is left towards criteria only (`while (1) { if (c) error(); }`) may run for ever, whatever standard
//! post-dominance says of it: it has an end, so that the criterion depends on the tests inside.

use crate::liveness::{Live, steals_control};
use crate::post_dominators::{Digraph, immediate_dominators};
use crate::scc::components;
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, LocId, Op};

/// For each location, the locations whose edges decide whether it is reached.
pub struct ControlDependence {
    controllers: Vec<Vec<LocId>>,
    may_not_return: Vec<bool>,
}

impl ControlDependence {
    /// Control dependence of the live part of the program.
    ///
    /// Cost: near-linear, plus the number of dependences (quadratic in the nesting of loops at worst).
    pub fn new(cfa: &Cfa, live: &Live, criteria: &[LocId]) -> ControlDependence {
        let mut ends: Vec<bool> = cfa.locs.ids().map(|l| live.loc(l) && may_end(cfa, live, l)).collect();
        criteria.iter().for_each(|l| ends[l.index()] = true);
        let may_not_return = propagate_no_return(cfa, live, &mut ends);
        end_endless_loops(cfa, live, criteria, &mut ends);
        let mut locs_of: Vec<Vec<LocId>> = vec![Vec::new(); cfa.funcs.len()];
        for l in cfa.locs.ids().filter(|l| live.loc(*l)) {
            locs_of[cfa.locs[l].func.index()].push(l);
        }
        let mut found = ControlDependence { controllers: vec![Vec::new(); cfa.locs.len()], may_not_return };
        let mut number = vec![0u32; cfa.locs.len()];
        for (f, locs) in locs_of.iter().enumerate() {
            if !locs.is_empty() {
                found.add_function(cfa, live, &ends, FuncId::from_index(f), locs, &mut number);
            }
        }
        found
    }

    /// Locations that `l` is control dependent on, directly.
    pub fn controllers(&self, l: LocId) -> &[LocId] {
        &self.controllers[l.index()]
    }

    /// Whether a call of `f` may end the execution, as far as the live part shows.
    pub fn may_not_return(&self, f: FuncId) -> bool {
        self.may_not_return[f.index()]
    }

    fn add_function(&mut self, cfa: &Cfa, live: &Live, ends: &[bool], f: FuncId, locs: &[LocId], number: &mut [u32]) {
        let end = locs.len() as u32;
        for (i, l) in locs.iter().enumerate() {
            number[l.index()] = i as u32;
        }
        // Edges of the reversed graph.
        let mut reversed: Vec<(u32, u32)> = Vec::new();
        for (i, &l) in locs.iter().enumerate() {
            let i = i as u32;
            reversed.extend(live_successors(cfa, live, l).map(|m| (number[m.index()], i)));
            if ends[l.index()] || l == cfa.funcs[f].exit {
                reversed.push((end, i));
            }
        }
        let graph = Digraph::new(locs.len() + 1, &reversed);
        let ipdom = immediate_dominators(&graph, end);
        for (i, &l) in locs.iter().enumerate() {
            let successors: Vec<u32> = live_successors(cfa, live, l).map(|m| number[m.index()]).collect();
            if successors.len() + usize::from(ends[l.index()]) < 2 {
                continue;
            }
            // Up the tree from each successor to the immediate post-dominator of `l`: none of these post-dominates `l`.
            for s in successors {
                let mut at = s;
                while at != end && Some(at) != ipdom[i] {
                    let controllers = &mut self.controllers[locs[at as usize].index()];
                    if controllers.last() != Some(&l) {
                        controllers.push(l);
                    }
                    let Some(up) = ipdom[at as usize] else { break };
                    at = up;
                }
            }
        }
    }
}

/// Gives an end to each loop from which only criteria can be reached, no other end and no exit: to its first location.
fn end_endless_loops(cfa: &Cfa, live: &Live, criteria: &[LocId], ends: &mut [bool]) {
    let mut others: Vec<bool> = ends.to_vec();
    criteria.iter().for_each(|l| others[l.index()] = false);
    cfa.funcs.iter().for_each(|f| others[f.exit.index()] = true);
    let mut stack: Vec<LocId> = cfa.locs.ids().filter(|l| others[l.index()] && live.loc(*l)).collect();
    while let Some(l) = stack.pop() {
        for &e in cfa.into(l) {
            let from = cfa.edges[e].from;
            if live.edge(e) && live.loc(from) && !std::mem::replace(&mut others[from.index()], true) {
                stack.push(from);
            }
        }
    }
    let next = |v: u32, found: &mut Vec<u32>| {
        let l = LocId(v);
        if !others[l.index()] && live.loc(l) {
            found.extend(live_successors(cfa, live, l).filter(|m| !others[m.index()]).map(|m| m.0));
        }
    };
    for component in components(cfa.locs.len(), next) {
        let first = component[0];
        let mut successors = Vec::new();
        next(first, &mut successors);
        if component.len() > 1 || successors.contains(&first) {
            ends[first as usize] = true;
        }
    }
}

fn live_successors<'a>(cfa: &'a Cfa, live: &'a Live, l: LocId) -> impl Iterator<Item = LocId> + 'a {
    cfa.out(l).iter().filter(|e| live.edge(**e)).map(|e| cfa.edges[*e].to).filter(|m| live.loc(*m))
}

/// Whether an execution may leave the live part, or end, at `l` itself (calls aside).
fn may_end(cfa: &Cfa, live: &Live, l: LocId) -> bool {
    let out = cfa.out(l);
    let stops = out.is_empty() && cfa.funcs[cfa.locs[l].func].exit != l;
    stops
        || out.iter().any(|&e| {
            !live.edge(e)
                || !live.loc(cfa.edges[e].to)
                || steals_control(&cfa.edges[e].op)
                || match cfa.edges[e].op {
                    Op::Assume { kind: AssumeKind::User, .. } => true,
                    Op::Assume { kind: AssumeKind::Branch, .. } => out.len() == 1,
                    _ => false,
                }
        })
}

/// Marks calls of functions that may not return as ends; returns which these functions are.
fn propagate_no_return(cfa: &Cfa, live: &Live, ends: &mut [bool]) -> Vec<bool> {
    let mut callers: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
    for (e, edge) in cfa.edges.iter_enumerated() {
        if let Op::Call(f) = edge.op
            && live.edge(e)
        {
            callers[f.index()].push(e);
        }
    }
    // A function whose entry is not live never comes to its exit, if it is called at all.
    let mut no_return: Vec<bool> = cfa.funcs.iter().map(|f| !live.loc(f.entry)).collect();
    for l in cfa.locs.ids().filter(|l| ends[l.index()]) {
        no_return[cfa.locs[l].func.index()] = true;
    }
    let mut stack: Vec<usize> = (0..no_return.len()).filter(|&f| no_return[f]).collect();
    while let Some(f) = stack.pop() {
        for &e in &callers[f] {
            let from = cfa.edges[e].from;
            ends[from.index()] = true;
            let g = cfa.locs[from].func.index();
            if !std::mem::replace(&mut no_return[g], true) {
                stack.push(g);
            }
        }
    }
    no_return
}
