//! Backward slices: what can decide whether a criterion is reached (Weiser, "Program slicing", ICSE 1981, as reachability in the
//! dependence graph; Ottenstein and Ottenstein 1984).
//!
//! Context-insensitive: a function with something kept in it is relevant at all of its live calls. The slice over-approximates:
//! every execution of the program that reaches a criterion is one of the slice. It ignores termination, so it may leave loops
//! that the program does not leave; what a user assumed and tests that end the execution are kept.
//!
//! Unsupported edges from which a criterion can be reached are always kept, with what decides whether they are reached.

use crate::control_dep::ControlDependence;
use crate::data_dep::{ReadVars, Writers};
use crate::liveness::Live;
use cfa::view::Slice;
use cfa::{AssumeKind, Cfa, EdgeId, Id, LocId, Op, VarId};
use fixedbitset::FixedBitSet;

/// Edges of a program, and how many of them a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SliceStats {
    /// All edges of the program.
    pub edges: usize,
    /// Edges from which a criterion can be reached.
    pub live: usize,
    /// Edges that act.
    pub kept: usize,
}

impl SliceStats {
    /// Counts the edges of `slice`.
    pub fn of(cfa: &Cfa, slice: &Slice) -> SliceStats {
        SliceStats { edges: cfa.edges.len(), live: slice.live.count_ones(..), kept: slice.kept.count_ones(..) }
    }
}

/// The backward slice of a program whose indirect calls are resolved, for the reaching of `criteria`.
///
/// Cost: near-linear in the program and its control dependences.
pub fn slice(cfa: &Cfa, criteria: &[LocId]) -> Slice {
    let live = Live::new(cfa, criteria);
    let mut walk = Walk {
        cfa,
        control: ControlDependence::new(cfa, &live, criteria),
        writers: Writers::new(cfa, &live),
        read: ReadVars::new(cfa),
        callers: vec![Vec::new(); cfa.funcs.len()],
        kept: FixedBitSet::with_capacity(cfa.edges.len()),
        relevant: FixedBitSet::with_capacity(cfa.locs.len()),
        called: FixedBitSet::with_capacity(cfa.funcs.len()),
        needed: FixedBitSet::with_capacity(cfa.vars.len()),
        stack: Vec::new(),
        live,
    };
    walk.run(criteria);
    Slice { kept: walk.kept, live: walk.live.edges }
}

/// What is found to matter and not yet followed.
enum Found {
    Edge(EdgeId),
    Loc(LocId),
    Var(VarId),
}

struct Walk<'a> {
    cfa: &'a Cfa,
    live: Live,
    control: ControlDependence,
    writers: Writers,
    read: ReadVars,
    callers: Vec<Vec<EdgeId>>,
    kept: FixedBitSet,
    relevant: FixedBitSet,
    called: FixedBitSet,
    needed: FixedBitSet,
    stack: Vec<Found>,
}

impl Walk<'_> {
    fn run(&mut self, criteria: &[LocId]) {
        let cfa = self.cfa;
        for (e, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| self.live.edge(*e)) {
            match edge.op {
                Op::Call(f) => {
                    self.callers[f.index()].push(e);
                    // The call stack is never sliced away.
                    self.kept.insert(e.index());
                }
                Op::Unsupported(_) => self.stack.push(Found::Edge(e)),
                _ => {}
            }
        }
        self.stack.extend(criteria.iter().map(|l| Found::Loc(*l)));
        while let Some(found) = self.stack.pop() {
            match found {
                Found::Edge(e) => self.keep(e),
                Found::Loc(l) => self.reach(l),
                Found::Var(v) => self.define(v),
            }
        }
    }

    /// The operation of `e` matters.
    fn keep(&mut self, e: EdgeId) {
        if !self.live.edge(e) || self.kept.put(e.index()) {
            return;
        }
        let cfa = self.cfa;
        let edge = &cfa.edges[e];
        self.stack.push(Found::Loc(edge.from));
        let Walk { read, stack, .. } = self;
        read.add(cfa, &edge.op, |v| stack.push(Found::Var(v)));
        // Guards belong to the edge behind them.
        for &g in cfa.into(edge.from) {
            if matches!(cfa.edges[g].op, Op::Assume { kind: AssumeKind::Guard, .. }) {
                self.stack.push(Found::Edge(g));
            }
        }
    }

    /// It matters whether `l` is reached.
    fn reach(&mut self, l: LocId) {
        if self.relevant.put(l.index()) {
            return;
        }
        let cfa = self.cfa;
        for &c in self.control.controllers(l) {
            self.stack.push(Found::Loc(c));
            for &e in cfa.out(c) {
                match cfa.edges[e].op {
                    Op::Assume { kind: AssumeKind::Branch | AssumeKind::User, .. } => self.stack.push(Found::Edge(e)),
                    Op::Call(g) if self.control.may_not_return(g) => self.stack.push(Found::Loc(cfa.funcs[g].exit)),
                    _ => {}
                }
            }
        }
        let f = cfa.locs[l].func;
        if !self.called.put(f.index()) {
            self.stack.extend(self.callers[f.index()].iter().map(|&e| Found::Loc(cfa.edges[e].from)));
        }
    }

    /// The value of `v` matters.
    fn define(&mut self, v: VarId) {
        if !self.needed.put(v.index()) {
            self.stack.extend(self.writers.of(v).iter().map(|&e| Found::Edge(e)));
        }
    }
}
