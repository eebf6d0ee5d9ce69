//! Extends a path of a slice's view to a path of the whole program: edges that act (have an effect in the view) are connected by shortest
//! paths over edges that do not.
//!
//! Calls that the slice skips are entered, along a shortest path through the called function. Any connecting path will do: if it is
//! infeasible, its conditions become part of the slice, and the next path takes another route.

use crate::cpa::{Action, Step};
use crate::program::Program;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op};
use rustc_hash::FxHashMap;
use slicer::dependence::relevant::Live;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Why there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoPath {
    /// A call that the slice skips does not return.
    Through(EdgeId),
    /// No path was found, and no call that explains it.
    Unexplained,
    /// The path has more than [`MAX_STEPS`] steps.
    TooLong,
}

/// Maximum length of a path, in steps.
pub(super) const MAX_STEPS: usize = 1_000_000;

/// The cost of a step that is better avoided, since it is a construct without a model.
const DEAR: u64 = 1_000;

/// Shortest paths over live edges.
pub(super) struct FullPaths<'a> {
    cfa: &'a Cfa,
    live: &'a Live,
    /// For each function, the least cost of a path from its entry to its exit, if it can return.
    through: Vec<Option<u64>>,
}

impl<'a> FullPaths<'a> {
    /// Computes the least cost of a path through each function. Cost: a few searches in each function, more if functions call each other in
    /// a cycle.
    pub(super) fn new(cfa: &'a Cfa, live: &'a Live) -> FullPaths<'a> {
        let mut paths = FullPaths { cfa, live, through: vec![None; cfa.funcs.len()] };
        let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); cfa.funcs.len()];
        for (_, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
            if let Op::Call(f) = edge.op {
                callers[f.0 as usize].push(cfa.locs[edge.from].func);
            }
        }
        // Lengths only decrease, so this terminates.
        let mut work: Vec<FuncId> = cfa.funcs.ids().collect();
        while let Some(f) = work.pop() {
            let func = &cfa.funcs[f];
            let found = paths.search(func.entry, func.exit, &|_| true).map(|(length, _)| length);
            let known = paths.through[f.0 as usize];
            if found.is_some_and(|length| known.is_none_or(|k| length < k)) {
                paths.through[f.0 as usize] = found;
                work.extend(&callers[f.0 as usize]);
            }
        }
        paths
    }

    /// The path for `steps` of the view of `program`; extended to the original location `to`, if `to` is merged into the last location in
    /// the view.
    pub(super) fn of<'p>(&self, program: &'p Program, steps: &[Step<'_>], to: LocId) -> Result<Vec<Step<'p>>, NoPath> {
        let cfa: &'p Cfa = &program.cfa;
        let mut path = Vec::new();
        let mut at = cfa.funcs[cfa.entry].entry;
        let mut callers: Vec<LocId> = Vec::new();
        for step in steps {
            match (step.taken, step.action) {
                (checker::Step::Edge(e), action) if acts(program, e) => {
                    self.idle(program, at, cfa.edges[e].from, &mut path)?;
                    let edge = &cfa.edges[e];
                    match action {
                        Action::Enter(f, _) => {
                            callers.push(edge.to);
                            at = cfa.funcs[f].entry;
                            path.push(enter(e, cfa, f));
                        }
                        _ => {
                            at = edge.to;
                            path.push(operate(e, cfa));
                        }
                    }
                }
                // The route over edges that do not act is chosen anew.
                (checker::Step::Edge(_), _) => {}
                (checker::Step::Return, _) => {
                    let exit = cfa.funcs[cfa.locs[at].func].exit;
                    self.idle(program, at, exit, &mut path)?;
                    let Some(back) = callers.pop() else { break };
                    path.push(leave(exit, back));
                    at = back;
                }
            }
        }
        if program.view.rep(to) == program.view.rep(at) || cfa.is_target(to) {
            self.idle(program, at, to, &mut path)?;
        }
        Ok(path)
    }

    /// Extends the path from `at` to `to`, within one function, over edges that do not act.
    fn idle<'p>(&self, program: &'p Program, at: LocId, to: LocId, path: &mut Vec<Step<'p>>) -> Result<(), NoPath> {
        let found = self.search(at, to, &|e| !acts(program, e));
        let Some((_, edges)) = found else { return Err(NoPath::Through(self.blocking(program, at, to)?)) };
        self.append(program, edges, path)
    }

    /// Appends edges, and the paths through the functions that they call.
    fn append<'p>(&self, program: &'p Program, edges: Vec<EdgeId>, path: &mut Vec<Step<'p>>) -> Result<(), NoPath> {
        let cfa: &'p Cfa = &program.cfa;
        // The remaining work, the next item last: an edge, or the return to a location.
        let mut work: Vec<Result<EdgeId, (LocId, LocId)>> = edges.into_iter().rev().map(Ok).collect();
        while let Some(next) = work.pop() {
            if path.len() >= MAX_STEPS {
                return Err(NoPath::TooLong);
            }
            let e = match next {
                Ok(e) => e,
                Err((exit, back)) => {
                    path.push(leave(exit, back));
                    continue;
                }
            };
            let Op::Call(f) = cfa.edges[e].op else {
                path.push(operate(e, cfa));
                continue;
            };
            let func = &cfa.funcs[f];
            path.push(enter(e, cfa, f));
            work.push(Err((func.exit, cfa.edges[e].to)));
            let (_, inside) = self.search(func.entry, func.exit, &|_| true).ok_or(NoPath::Through(e))?;
            work.extend(inside.into_iter().rev().map(Ok));
        }
        Ok(())
    }

    /// The shortest path within one function over live edges that are `allowed`: its cost, including calls, and its edges.
    fn search(&self, from: LocId, to: LocId, allowed: &dyn Fn(EdgeId) -> bool) -> Option<(u64, Vec<EdgeId>)> {
        let cfa = self.cfa;
        let mut best: FxHashMap<LocId, (u64, Option<EdgeId>)> = FxHashMap::default();
        best.insert(from, (0, None));
        let mut queue = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((length, l))) = queue.pop() {
            if l == to {
                break;
            }
            if best[&l].0 < length {
                continue;
            }
            for &e in cfa.out(l).iter().filter(|e| self.live.edge(**e) && allowed(**e)) {
                let cost = match &cfa.edges[e].op {
                    Op::Call(f) => self.through[f.0 as usize].map(|n| n.saturating_add(1)),
                    Op::CallIndirect(_) | Op::Unsupported(_) => Some(DEAR),
                    _ => Some(1),
                };
                let Some(cost) = cost else { continue };
                let (next, length) = (cfa.edges[e].to, length.saturating_add(cost));
                if best.get(&next).is_none_or(|(known, _)| length < *known) {
                    best.insert(next, (length, Some(e)));
                    queue.push(Reverse((length, next)));
                }
            }
        }
        let length = best.get(&to)?.0;
        let mut edges = Vec::new();
        let mut at = to;
        while let Some((_, Some(e))) = best.get(&at) {
            edges.push(*e);
            at = cfa.edges[*e].from;
        }
        edges.reverse();
        Some((length, edges))
    }

    /// A call that does not return, on some route from `at` to `to` over edges that do not act.
    fn blocking(&self, program: &Program, at: LocId, to: LocId) -> Result<EdgeId, NoPath> {
        let all = FullPaths { cfa: self.cfa, live: self.live, through: vec![Some(0); self.through.len()] };
        let found = all.search(at, to, &|e| !acts(program, e)).map(|(_, edges)| edges).unwrap_or_default();
        let blocks = |e: &EdgeId| matches!(self.cfa.edges[*e].op, Op::Call(f) if self.through[f.0 as usize].is_none());
        found.into_iter().find(blocks).ok_or(NoPath::Unexplained)
    }
}

/// Whether the edge does something in the view. A call of a function that does nothing there does not.
fn acts(program: &Program, e: EdgeId) -> bool {
    program.slice.kept.contains(e.0 as usize)
        && match program.cfa.edges[e].op {
            Op::Skip => false,
            Op::Call(f) => program.entry_of(f) != program.exit_of(f),
            _ => true,
        }
}

fn operate(e: EdgeId, cfa: &Cfa) -> Step<'_> {
    let edge = &cfa.edges[e];
    Step { taken: checker::Step::Edge(e), from: edge.from, to: edge.to, action: Action::Op(&edge.op) }
}

fn enter(e: EdgeId, cfa: &Cfa, f: FuncId) -> Step<'_> {
    let edge = &cfa.edges[e];
    let (from, to) = (edge.from, cfa.funcs[f].entry);
    Step { taken: checker::Step::Edge(e), from, to, action: Action::Enter(f, edge.to) }
}

fn leave<'p>(exit: LocId, back: LocId) -> Step<'p> {
    Step { taken: checker::Step::Return, from: exit, to: back, action: Action::Leave }
}
