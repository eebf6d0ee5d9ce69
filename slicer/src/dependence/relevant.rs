//! The live part of a program: the edges from which a criterion can be reached. By default, backward slices consist
//! of such edges only.
//!
//! Paths respect calling contexts (two phases over the calls, as in Horwitz, Reps, Binkley, TOPLAS 1990). Both phases go backward.
//! The first one goes from functions to their callers only, and finds the locations from which a criterion is reached before their
//! function returns. The second one starts at these locations and goes into callees: it adds what leads to the return from a call.
//!
//! Constructs without a model that may call functions or may not return (`longjmp`, threads) count as criteria too, since an
//! execution may reach a target from within them.

use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op};
use fixedbitset::FixedBitSet;

/// Locations and edges from which a criterion can be reached.
#[derive(Clone, Debug)]
pub struct Live {
    /// One bit for each edge.
    pub edges: FixedBitSet,
    /// One bit for each location.
    pub locs: FixedBitSet,
}

/// Whether control may leave the graph at the operation: through a call that the graph does not show, or by not returning.
pub fn may_leave_graph(op: &Op) -> bool {
    match op {
        Op::Unsupported(u) => u.may_call || u.may_not_return,
        Op::CallIndirect(_) => true,
        Op::Skip | Op::Assign(_) | Op::Assume { .. } | Op::Input { .. } | Op::Call(_) => false,
    }
}

impl Live {
    /// What is reachable from the program's entry and reaches `criteria`. Linear.
    pub fn new(cfa: &Cfa, criteria: &[LocId]) -> Live {
        let calls = Calls::new(cfa);
        let forward = calls.forward(cfa);
        let mut ends = criteria.to_vec();
        ends.extend(cfa.edges.iter().filter(|e| may_leave_graph(&e.op)).map(|e| e.from));
        let first = calls.backward(cfa, ends, Phase::ToCallers);
        let all = calls.backward(cfa, first.ones().map(LocId::from_index).collect(), Phase::IntoCallees);
        let mut live = Live { edges: FixedBitSet::with_capacity(cfa.edges.len()), locs: all };
        live.locs.intersect_with(&forward);
        for (e, edge) in cfa.edges.iter_enumerated() {
            let goes_on = live.locs.contains(edge.to.index());
            let leads = match edge.op {
                Op::Call(f) => first.contains(cfa.funcs[f].entry.index()) || (goes_on && calls.returns[f.index()]),
                _ => goes_on || may_leave_graph(&edge.op),
            };
            live.edges.set(e.index(), leads && forward.contains(edge.from.index()));
        }
        live
    }

    /// Everything that is reachable from the program's entry, whether or not it reaches a criterion. Linear.
    pub fn reachable(cfa: &Cfa) -> Live {
        let locs = Calls::new(cfa).forward(cfa);
        let mut edges = FixedBitSet::with_capacity(cfa.edges.len());
        for (e, edge) in cfa.edges.iter_enumerated() {
            edges.set(e.index(), locs.contains(edge.from.index()));
        }
        Live { edges, locs }
    }

    /// Whether a criterion can be reached over `e`.
    pub fn edge(&self, e: EdgeId) -> bool {
        self.edges.contains(e.index())
    }

    /// Whether a criterion can be reached from `l`.
    pub fn loc(&self, l: LocId) -> bool {
        self.locs.contains(l.index())
    }
}

/// For each function, whether its exit can be reached from its entry. Linear.
pub fn returning(cfa: &Cfa) -> Vec<bool> {
    Calls::new(cfa).returns
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// From functions to their callers.
    ToCallers,
    /// From calls to the exits of their callees.
    IntoCallees,
}

/// The calls of a program, and which functions can return.
struct Calls {
    callers: Vec<Vec<EdgeId>>,
    returns: Vec<bool>,
}

impl Calls {
    fn new(cfa: &Cfa) -> Calls {
        let mut callers: Vec<Vec<EdgeId>> = vec![Vec::new(); cfa.funcs.len()];
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(f) = edge.op {
                callers[f.index()].push(e);
            }
        }
        let mut calls = Calls { callers, returns: vec![false; cfa.funcs.len()] };
        calls.find_returning(cfa);
        calls
    }

    /// Finds the functions whose exit is reachable from their entry. A call is crossed once its callee is known to
    /// return.
    fn find_returning(&mut self, cfa: &Cfa) {
        let mut seen = FixedBitSet::with_capacity(cfa.locs.len());
        let mut stack: Vec<LocId> = cfa.funcs.iter().map(|f| f.entry).collect();
        while let Some(l) = stack.pop() {
            if seen.put(l.index()) {
                continue;
            }
            for &e in cfa.out(l) {
                let edge = &cfa.edges[e];
                if !matches!(edge.op, Op::Call(g) if !self.returns[g.index()]) {
                    stack.push(edge.to);
                }
            }
            let f: FuncId = cfa.locs[l].func;
            if cfa.funcs[f].exit == l && !std::mem::replace(&mut self.returns[f.index()], true) {
                let waiting = self.callers[f.index()].iter().map(|&e| &cfa.edges[e]);
                stack.extend(waiting.filter(|c| seen.contains(c.from.index())).map(|c| c.to));
            }
        }
    }

    /// The locations that are reachable from the program's entry.
    fn forward(&self, cfa: &Cfa) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(cfa.locs.len());
        let mut stack = vec![cfa.funcs[cfa.entry].entry];
        while let Some(l) = stack.pop() {
            if seen.put(l.index()) {
                continue;
            }
            for &e in cfa.out(l) {
                let edge = &cfa.edges[e];
                match edge.op {
                    Op::Call(f) => {
                        stack.push(cfa.funcs[f].entry);
                        if self.returns[f.index()] {
                            stack.push(edge.to);
                        }
                    }
                    _ => stack.push(edge.to),
                }
            }
        }
        seen
    }

    /// The locations from which `stack` is reached, within an activation and to callers or into callees according to
    /// `phase`.
    fn backward(&self, cfa: &Cfa, mut stack: Vec<LocId>, phase: Phase) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(cfa.locs.len());
        while let Some(l) = stack.pop() {
            if seen.put(l.index()) {
                continue;
            }
            for &e in cfa.into(l) {
                let edge = &cfa.edges[e];
                match edge.op {
                    Op::Call(f) if !self.returns[f.index()] => {}
                    Op::Call(f) => {
                        stack.push(edge.from);
                        if phase == Phase::IntoCallees {
                            stack.push(cfa.funcs[f].exit);
                        }
                    }
                    _ => stack.push(edge.from),
                }
            }
            let f = cfa.locs[l].func;
            if phase == Phase::ToCallers && cfa.funcs[f].entry == l {
                stack.extend(self.callers[f.index()].iter().map(|&e| cfa.edges[e].from));
            }
        }
        seen
    }
}
