//! Backward slices: what can decide whether a criterion is reached (Weiser, "Program slicing", ICSE 1981, as reachability in the
//! dependence graph; Ottenstein and Ottenstein 1984).
//!
//! Context-insensitive: a function with something kept in it is relevant at all of its live calls. The slice over-approximates:
//! every execution of the program that reaches a criterion is one of the slice. It ignores termination, so it may leave loops
//! that the program does not leave; what a user assumed and tests that end the execution are kept.
//!
//! Unsupported edges from which a criterion can be reached are always kept, with what decides whether they are reached.

use crate::control_dep::{ControlDependence, ControlKind};
use crate::data_dep::{ReadVars, Writers};
use crate::liveness::Live;
use crate::reasons::{Dependence, Reason, Reasons};
use cfa::view::Slice;
use cfa::{AssumeKind, Cfa, EdgeId, Id, LocId, Op, VarId};
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// What a slice is made for: all of it matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Criterion {
    /// It matters whether this location is reached.
    pub at: LocId,
    /// Operations that act.
    pub edges: Vec<EdgeId>,
    /// Variables whose values at the location matter.
    pub vars: Vec<VarId>,
}

impl Criterion {
    /// Reaching `at`.
    pub fn reach(at: LocId) -> Criterion {
        Criterion { at, edges: Vec::new(), vars: Vec::new() }
    }
}

/// How to slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliceOptions {
    /// Whether paths that cannot reach a criterion end at once. Otherwise they stay, without what does not matter.
    pub cutoff_diverging: bool,
}

impl Default for SliceOptions {
    fn default() -> SliceOptions {
        SliceOptions { cutoff_diverging: true }
    }
}

/// A slice, why it keeps what it keeps, and its size.
#[derive(Clone, Debug)]
pub struct Sliced {
    /// The edges that act and those that are left.
    pub slice: Slice,
    /// Why each edge is kept.
    pub reasons: Reasons,
    /// Sizes.
    pub stats: SliceStats,
}

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

/// The backward slice for reaching the program's targets, with the usual options: what verification explores.
pub fn slice_for_targets(cfa: &Cfa) -> Slice {
    let criteria: Vec<Criterion> = cfa.targets.iter().map(|t| Criterion::reach(*t)).collect();
    slice(cfa, &criteria, &SliceOptions::default()).slice
}

/// The backward slice of a program whose indirect calls are resolved, for `criteria`.
///
/// Cost: near-linear in the program and its control dependences.
pub fn slice(cfa: &Cfa, criteria: &[Criterion], options: &SliceOptions) -> Sliced {
    let mut ends: Vec<LocId> = criteria.iter().map(|c| c.at).collect();
    ends.extend(criteria.iter().flat_map(|c| &c.edges).flat_map(|e| [cfa.edges[*e].from, cfa.edges[*e].to]));
    let live = if options.cutoff_diverging { Live::new(cfa, &ends) } else { Live::reachable(cfa) };
    let mut walk = Walk {
        cfa,
        control: ControlDependence::new(cfa, &live, &ends, ControlKind::Standard),
        writers: Writers::new(cfa, &live),
        read: ReadVars::new(cfa),
        callers: vec![Vec::new(); cfa.funcs.len()],
        kept: FixedBitSet::with_capacity(cfa.edges.len()),
        relevant: FixedBitSet::with_capacity(cfa.locs.len()),
        called: FixedBitSet::with_capacity(cfa.funcs.len()),
        needed: FixedBitSet::with_capacity(cfa.vars.len()),
        reasons: Reasons::new(cfa.edges.len()),
        found: VecDeque::new(),
        live,
    };
    walk.run(criteria);
    let slice = Slice { kept: walk.kept, live: walk.live.edges };
    Sliced { stats: SliceStats::of(cfa, &slice), slice, reasons: walk.reasons }
}

/// What is found to matter and not yet followed.
enum Found {
    Edge(EdgeId),
    Loc(LocId),
    Var(VarId),
}

/// What something matters to.
#[derive(Clone, Copy)]
enum User {
    Criterion(usize),
    Edge(EdgeId),
    Unsupported,
}

impl User {
    fn reason(self, how: Dependence) -> Reason {
        match self {
            User::Criterion(number) => Reason::Criterion { number, how: Some(how) },
            User::Edge(next) => Reason::Edge { next, how },
            User::Unsupported => Reason::Unsupported,
        }
    }
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
    reasons: Reasons,
    found: VecDeque<(Found, User)>,
}

impl Walk<'_> {
    fn run(&mut self, criteria: &[Criterion]) {
        let cfa = self.cfa;
        for (number, c) in criteria.iter().enumerate() {
            self.found.push_back((Found::Loc(c.at), User::Criterion(number)));
            self.found.extend(c.vars.iter().map(|v| (Found::Var(*v), User::Criterion(number))));
            for &e in &c.edges {
                self.reasons.note(e, Reason::Criterion { number, how: None });
                self.found.push_back((Found::Edge(e), User::Edge(e)));
            }
        }
        for (e, edge) in cfa.edges.iter_enumerated() {
            match edge.op {
                _ if !self.live.edge(e) => {}
                Op::Call(f) => {
                    self.callers[f.index()].push(e);
                    // The call stack is never sliced away.
                    self.kept.insert(e.index());
                    self.with_companions(e);
                }
                Op::Unsupported(_) => self.because(e, User::Unsupported, Dependence::Control),
                _ => {}
            }
        }
        while let Some((found, user)) = self.found.pop_front() {
            match found {
                Found::Edge(e) => self.keep(e),
                Found::Loc(l) => self.reach(l, user),
                Found::Var(v) => self.define(v, user),
            }
        }
    }

    /// The operation of `e` matters to `user`.
    fn because(&mut self, e: EdgeId, user: User, how: Dependence) {
        if self.live.edge(e) && !self.kept.contains(e.index()) {
            self.reasons.note(e, user.reason(how));
            self.found.push_back((Found::Edge(e), User::Edge(e)));
        }
    }

    /// The operation of `e` matters.
    fn keep(&mut self, e: EdgeId) {
        if !self.live.edge(e) || self.kept.put(e.index()) {
            return;
        }
        let cfa = self.cfa;
        let edge = &cfa.edges[e];
        let user = User::Edge(e);
        self.found.push_back((Found::Loc(edge.from), user));
        let Walk { read, found, .. } = self;
        read.add(cfa, &edge.op, |v| found.push_back((Found::Var(v), user)));
        self.with_companions(e);
        // Guards belong to the edge behind them.
        for &g in cfa.into(edge.from) {
            if matches!(cfa.edges[g].op, Op::Assume { kind: AssumeKind::Guard, .. }) {
                self.because(g, user, Dependence::Guard);
            }
        }
    }

    /// What the module needs for `e`, beyond what the CFA reads.
    fn with_companions(&mut self, e: EdgeId) {
        for &c in self.cfa.companions.get(&e).into_iter().flatten() {
            self.because(c, User::Edge(e), Dependence::Companion);
        }
    }

    /// It matters to `user` whether `l` is reached.
    fn reach(&mut self, l: LocId, user: User) {
        if self.relevant.put(l.index()) {
            return;
        }
        let cfa = self.cfa;
        for i in 0..self.control.controllers(l).len() {
            let c = self.control.controllers(l)[i];
            for &e in cfa.out(c) {
                match cfa.edges[e].op {
                    Op::Assume { kind: AssumeKind::Branch | AssumeKind::User, .. } => {
                        self.because(e, user, Dependence::Control);
                    }
                    Op::Call(g) if self.control.may_not_return(g) => {
                        self.reasons.note(e, user.reason(Dependence::Control));
                        self.found.push_back((Found::Loc(cfa.funcs[g].exit), User::Edge(e)));
                    }
                    _ => {}
                }
            }
            self.found.push_back((Found::Loc(c), user));
        }
        let f = cfa.locs[l].func;
        if !self.called.put(f.index()) {
            for i in 0..self.callers[f.index()].len() {
                let e = self.callers[f.index()][i];
                self.reasons.note(e, user.reason(Dependence::Call));
                self.found.push_back((Found::Loc(cfa.edges[e].from), User::Edge(e)));
            }
        }
    }

    /// The value of `v` matters to `user`.
    fn define(&mut self, v: VarId, user: User) {
        if !self.needed.put(v.index()) {
            for i in 0..self.writers.of(v).len() {
                let e = self.writers.of(v)[i];
                self.because(e, user, Dependence::Flow(v));
            }
        }
    }
}
