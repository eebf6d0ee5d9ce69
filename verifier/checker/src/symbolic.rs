//! The third part of the check: the values. One pass over the nodes collects the conditions that a solver has to refute.
//!
//! A labelled node begins with the states of its label, an unlabelled one with the join of the states that its predecessors passed on; if
//! it is a loop head, written variables have arbitrary values that satisfy the loop's invariants. From there, each edge of the view is
//! executed symbolically (`cfa::path`). Into an unlabelled successor, the state is passed on; into a labelled one, no state may lie
//! outside the label; without a successor, no state may take the edge; and no state may be at a target or at a construct without a model.
//! Together with [`structure`](crate::structure), this is an induction along an execution: each state on it is at some node of the graph.
//!
//! Each obligation is a condition that must not hold for any values of the symbols. Most obligations fold to constants when their terms
//! are constructed.

use crate::certificate::{Certificate, Label, LoopLabel, NodeId, Step, Successor};
use crate::check::{CheckError, Statistics};
use crate::contracts::Contracts;
use crate::k_induction::{Role, Windows};
use crate::loops::{LoopHead, assumed};
use crate::quantifiers::Universals;
use crate::state::{Joiner, State, outside};
use crate::structure::exit_of;
use cfa::path::Effect;
use cfa::term::{Known, NewestSymbols};
use cfa::view::{View, ViewEdge};
use cfa::{Cfa, EdgeId, Id, Op, Sort, Term, Terms};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Something that must not happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Obligation {
    /// The condition under which there is a state, if it is known apart from the fault; it need not matter.
    pub(crate) guard: Term,
    /// The condition under which it would happen in such a state.
    pub(crate) fault: Term,
    /// The origin of the state; states with the same origin share much of their conditions.
    pub(crate) origin: u32,
    /// The node where it would happen.
    pub(crate) node: NodeId,
    /// The claim that it would violate.
    pub(crate) claim: Claim,
}

/// The claim of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// The node, which is at a target, is not reached.
    NoTarget,
    /// The step, which has no successor, cannot be taken. A step along a construct without a model never has a successor.
    Infeasible(Step),
    /// The states to which the step leads are inside the label of the successor; for the root, these are the initial states.
    Inside(Option<Step>, NodeId),
    /// The loop invariants hold at the node. `None`: for states that enter the loop there, or that reach its head in the base. `Some`:
    /// for states that the step leads back to the head, which also have unchanged values of the variables that the loop does not write.
    Invariant(Option<Step>, NodeId),
    /// The precondition of the function that the edge calls holds there.
    Precondition(EdgeId),
    /// The postcondition holds at the exit.
    Postcondition,
}

impl Claim {
    /// Whether the claim compares states, rather than only asking whether there are any.
    pub(crate) fn entails(self) -> bool {
        !matches!(self, Claim::NoTarget | Claim::Infeasible(_))
    }
}

impl Obligation {
    /// Describes the claim as wrong or unproved.
    pub(crate) fn describe(&self, cfa: &Cfa) -> String {
        let node = self.node;
        let step = |s: Step| match s {
            Step::Edge(e) => format!("edge {e} ({})", cfa.place(cfa.edges[e].span)),
            Step::Return => "the return".to_string(),
        };
        match self.claim {
            Claim::NoTarget => format!("node {node} is at a target that is reached"),
            Claim::Infeasible(s) => format!("node {node} has no successor for {}, which can be taken", step(s)),
            Claim::Inside(None, _) => "the label of the root does not describe all states at the start".into(),
            Claim::Invariant(None, head) if head == node => {
                format!("an entry of the loop at node {node} violates its invariant")
            }
            Claim::Invariant(None, head) => format!("node {node} is outside the invariant of the loop at node {head}"),
            Claim::Invariant(Some(s), to) => {
                format!("{} of node {node} closes the loop at node {to} outside its invariant", step(s))
            }
            Claim::Precondition(e) => {
                format!("{} of node {node} calls a function outside its precondition", step(Step::Edge(e)))
            }
            Claim::Postcondition => format!("node {node} is at the exit, outside the postcondition"),
            Claim::Inside(Some(s), to) => {
                format!("{} of node {node} leads outside the label of node {to}", step(s))
            }
        }
    }
}

/// Executes the graph. Returns the conditions that must not hold, and the universal conditions named in them. The conditions are in
/// `terms`, an extension of the certificate's arena.
pub(crate) fn obligations(
    cfa: &Cfa,
    view: &View,
    cert: &Certificate,
    windows: Windows<'_>,
    terms: &mut Terms,
    deadline: Option<Instant>,
    stats: &mut Statistics,
) -> Result<(Vec<Obligation>, Universals), CheckError> {
    let mut pass = Pass {
        cfa,
        view,
        cert,
        terms,
        stats,
        targets: cfa.targets.iter().map(|&l| view.rep(l).index()).collect(),
        pending: FxHashMap::default(),
        heads: FxHashMap::default(),
        contracts: Contracts::new(cfa, view, cert),
        windows,
        universals: Universals::default(),
        joiner: Joiner { cfa, next_origin: cert.nodes.len() as u32 },
        open: Vec::new(),
        newest: NewestSymbols::default(),
    };
    let start = State::any(pass.terms, 0);
    pass.enter(0, None, 0, start)?;
    for c in &cert.contracts {
        let start = pass.contracts.at_entry(pass.terms, c);
        pass.enter(c.root, None, c.root, start)?;
    }
    for (id, node) in cert.nodes.iter().enumerate() {
        if id % 256 == 0 && deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(CheckError::Undecided("out of time".into()));
        }
        let id = id as NodeId;
        let state = match &node.label {
            Some(label) => State::of_label(label, pass.terms, id),
            None => match pass.pending.remove(&id) {
                Some(state) => match &node.repeats {
                    None => pass.pass_head(id, state)?,
                    Some(label) => pass.enter_loop(id, state, label)?,
                },
                // No state reaches the node.
                None => continue,
            },
        };
        pass.node(id, state)?;
    }
    Ok((pass.open, pass.universals))
}

struct Pass<'a> {
    cfa: &'a Cfa,
    view: &'a View,
    cert: &'a Certificate,
    terms: &'a mut Terms,
    stats: &'a mut Statistics,
    targets: FixedBitSet,
    /// The states that arrived at unlabelled nodes that are still to be processed.
    pending: FxHashMap<NodeId, State>,
    /// The loop heads processed so far.
    heads: FxHashMap<NodeId, LoopHead<'a>>,
    contracts: Contracts<'a>,
    windows: Windows<'a>,
    universals: Universals,
    joiner: Joiner<'a>,
    open: Vec<Obligation>,
    newest: NewestSymbols,
}

/// A state that is about to enter a successor.
struct Arrival<'a> {
    /// The successors of the step. If there are several, they have labels, and the state has to be in one of them.
    successors: &'a [Successor],
    state: State,
    /// The condition of the edge, if it has one.
    cond: Option<Term>,
}

impl<'a> Pass<'a> {
    fn node(&mut self, id: NodeId, mut state: State) -> Result<(), CheckError> {
        if self.terms.as_bool(state.guard) == Some(false) {
            return Ok(());
        }
        let cert = self.cert;
        let node = &cert.nodes[id as usize];
        if self.targets.contains(node.loc.index()) && !self.windows.is_assumed(id) {
            self.must_not_hold(id, Claim::NoTarget, state.origin, state.guard)?;
        }
        self.terms.know(&state.known);
        let out = self.view.out(node.loc);
        // Values that conditions read are fixed before control branches, so that all conditions mention the same values.
        let conds: Vec<Option<Term>> = out
            .iter()
            .map(|e| match self.view.op(self.cfa, e) {
                Op::Assume { cond, .. } => Some(state.env.eval(self.cfa, self.terms, *cond)),
                _ => None,
            })
            .collect();
        let mut arrivals = Vec::new();
        for (e, cond) in out.iter().zip(conds) {
            let successors = node.along(Step::Edge(e.edge));
            if let Some(arrival) = self.edge(id, &state, e, cond, successors)? {
                arrivals.push(arrival);
            }
        }
        let at_exit = node.loc == exit_of(self.cfa, self.view, node.loc);
        if at_exit && node.stack.is_none() {
            if let Some(i) = cert.contract_of(id) {
                let broken = self.contracts.broken_at_exit(self.terms, &cert.contracts[i], &mut state);
                self.must_not_hold(id, Claim::Postcondition, state.origin, broken)?;
            }
        } else if at_exit {
            match node.along(Step::Return) {
                [] => self.must_not_hold(id, Claim::Infeasible(Step::Return), state.origin, state.guard)?,
                successors => {
                    let mut next = state;
                    next.pop_frame();
                    arrivals.push(Arrival { successors, state: next, cond: None });
                }
            }
        }
        self.terms.know(&Known::default());
        self.split(&mut arrivals);
        for a in arrivals {
            match a.successors {
                cases if cases.iter().any(|s| !s.case.is_empty()) => self.cover_by_cases(id, cases, &a.state)?,
                [only] => self.enter(id, Some(only), only.to, a.state)?,
                several => self.cover_jointly(id, several, &a.state)?,
            }
        }
        Ok(())
    }

    /// Executes one edge. Returns the state after it, if there may be one and there are `successors`.
    fn edge<'s>(
        &mut self,
        id: NodeId,
        state: &State,
        e: &ViewEdge,
        cond: Option<Term>,
        successors: &'s [Successor],
    ) -> Result<Option<Arrival<'s>>, CheckError> {
        self.stats.steps += 1;
        let guard = match cond {
            Some(c) => self.terms.and(state.guard, c),
            None => state.guard,
        };
        if self.terms.as_bool(guard) == Some(false) {
            return Ok(None);
        }
        let (op, cert) = (self.view.op(self.cfa, e), self.cert);
        let modelled = !matches!(op, Op::CallIndirect(_) | Op::Unsupported(_));
        let (Some(step), true) = (successors.first(), modelled) else {
            let excused = if modelled { self.windows.may_leave(id, e.to) } else { self.windows.is_assumed(id) };
            if !excused {
                let taken = cond.unwrap_or_else(|| self.terms.tt());
                self.must_not_be(id, Claim::Infeasible(Step::Edge(e.edge)), state, taken)?;
            }
            return Ok(None);
        };
        let known = state.known.and(self.terms, cond.as_slice());
        let mut next = State { guard, known, ..state.clone() };
        match op {
            Op::Assume { .. } => {}
            _ => match next.env.apply(self.cfa, self.terms, op) {
                Effect::Continue | Effect::Fresh(_) => {}
                Effect::Call if cert.nodes[step.to as usize].stack == cert.nodes[id as usize].stack => {
                    let Op::Call(f) = op else { unreachable!("only calls have this effect") };
                    let broken = self.contracts.pass_over(self.terms, *f, &mut next);
                    self.must_not_hold(id, Claim::Precondition(e.edge), next.origin, broken)?;
                    if self.terms.as_bool(next.guard) == Some(false) {
                        return Ok(None);
                    }
                }
                Effect::Call => next.push_frame(),
                Effect::Constrain(_) | Effect::Unsupported => unreachable!("treated above"),
            },
        }
        Ok(Some(Arrival { successors, state: next, cond }))
    }

    /// Makes the guards of the states that go into unlabelled nodes mutually exclusive.
    fn split(&mut self, arrivals: &mut [Arrival<'_>]) {
        let cert = self.cert;
        let mut passed: Vec<&mut Arrival<'_>> =
            arrivals.iter_mut().filter(|a| cert.nodes[a.successors[0].to as usize].label.is_none()).collect();
        if passed.len() < 2 {
            return;
        }
        if let [a, b] = &passed[..]
            && let (Some(a), Some(b)) = (a.cond, b.cond)
            && self.terms.not(a) == b
        {
            return;
        }
        let mut rest = self.terms.tt();
        let last = passed.len() - 1;
        for (i, a) in passed.iter_mut().enumerate() {
            let mut chosen = rest;
            if i < last {
                let choice = self.terms.fresh("choice", Sort::Bool);
                let other = self.terms.not(choice);
                (chosen, rest) = (self.terms.and(rest, choice), self.terms.and(rest, other));
            }
            a.state.guard = self.terms.and(a.state.guard, chosen);
        }
    }

    /// Passes a state to the node `to`: compares it with the label, or with the loop's invariants if it closes the loop, or else joins it
    /// with the states that have arrived there. `step` is `None` where a graph begins.
    fn enter(&mut self, from: NodeId, step: Option<&Successor>, to: NodeId, state: State) -> Result<(), CheckError> {
        match (&self.cert.nodes[to as usize].label, step) {
            (Some(label), _) => self.cover(from, step, to, &state, label),
            (None, Some(step)) if to <= from => self.close_loop(from, step, &state),
            (None, _) => {
                let joined = match self.pending.remove(&to) {
                    None => state,
                    Some(there) => self.joiner.join(self.terms, there, state),
                };
                self.pending.insert(to, joined);
                Ok(())
            }
        }
    }

    /// The states at a loop head, computed from those that enter the loop.
    fn enter_loop(&mut self, id: NodeId, mut entries: State, label: &'a LoopLabel) -> Result<State, CheckError> {
        let (head, mut any, broken) = LoopHead::enter(self.cfa, self.terms, &mut self.universals, label, &mut entries);
        self.heads.insert(id, head);
        self.must_not_hold(id, Claim::Invariant(None, id), entries.origin, broken)?;
        let Some(window) = &label.window else { return Ok(any) };
        // Both continue from here, and may meet after the loop: a choice keeps their guards apart.
        let again = self.terms.fresh("again", Sort::Bool);
        let first = self.terms.not(again);
        any.guard = self.terms.and(any.guard, again);
        entries.guard = self.terms.and(entries.guard, first);
        self.pending.insert(window.assumed[0], any);
        Ok(entries)
    }

    /// The states at an unlabelled node, which may be the head of a copy in a window.
    fn pass_head(&mut self, id: NodeId, mut state: State) -> Result<State, CheckError> {
        match self.windows.role(id) {
            None | Some((_, Role::First)) => {}
            Some((head, Role::Base)) => {
                let condition = match self.heads.get(&head) {
                    Some(head) => head.outside(self.cfa, self.terms, &mut self.universals, &state),
                    None => state.guard,
                };
                self.must_not_hold(id, Claim::Invariant(None, head), state.origin, condition)?;
            }
            Some((head, Role::Known)) => {
                let label = self.cert.nodes[head as usize].repeats.as_ref().expect("it has a window");
                let known = assumed(self.cfa, self.terms, &mut self.universals, label, &mut state);
                state.guard = self.terms.and(state.guard, known);
            }
        }
        Ok(state)
    }

    /// Handles a state that returns to the head of a loop.
    fn close_loop(&mut self, from: NodeId, step: &Successor, state: &State) -> Result<(), CheckError> {
        let condition = match self.heads.get(&step.to) {
            Some(head) => head.outside(self.cfa, self.terms, &mut self.universals, state),
            // Nothing enters the loop, so nothing may return to it.
            None => state.guard,
        };
        self.must_not_hold(from, Claim::Invariant(Some(step.step), step.to), state.origin, condition)
    }

    fn cover(
        &mut self,
        from: NodeId,
        step: Option<&Successor>,
        to: NodeId,
        state: &State,
        label: &Label,
    ) -> Result<(), CheckError> {
        let outside = self.outside(state, label, step);
        self.must_not_be(from, Claim::Inside(step.map(|s| s.step), to), state, outside)
    }

    /// The condition under which a state of `state` is one that `label` does not describe, with the terms that `step` has as witnesses.
    fn outside(&mut self, state: &State, label: &Label, step: Option<&Successor>) -> Term {
        self.terms.know(&state.known);
        let outside = outside(self.cfa, self.terms, &mut self.newest, state, label, step);
        self.terms.know(&Known::default());
        outside
    }

    /// Compares a state with the labels of several successors of one step: it has to be in one of them.
    fn cover_jointly(&mut self, from: NodeId, successors: &[Successor], state: &State) -> Result<(), CheckError> {
        let mut condition = self.terms.tt();
        for s in successors {
            let label = self.cert.nodes[s.to as usize].label.as_ref().expect("checked with the structure");
            let outside = self.outside(state, label, Some(s));
            condition = self.terms.and(condition, outside);
        }
        self.must_not_be(from, Claim::Inside(Some(successors[0].step), successors[0].to), state, condition)
    }

    /// Compares a state with the labels of the successors of one step, each in its case.
    fn cover_by_cases(&mut self, from: NodeId, successors: &[Successor], state: &State) -> Result<(), CheckError> {
        let mut left_out = self.terms.tt();
        for s in successors {
            let case = self.terms.and_all(s.case.iter().copied());
            let other = self.terms.not(case);
            left_out = self.terms.and(left_out, other);
            let label = self.cert.nodes[s.to as usize].label.as_ref().expect("checked with the structure");
            let within = state.within(self.terms, &s.case);
            self.cover(from, Some(s), s.to, &within, label)?;
        }
        self.must_not_be(from, Claim::Inside(Some(successors[0].step), successors[0].to), state, left_out)
    }

    /// Records an obligation, unless it folded to a constant: that `condition` does not hold, whatever is known.
    fn must_not_hold(&mut self, node: NodeId, claim: Claim, origin: u32, condition: Term) -> Result<(), CheckError> {
        let guard = self.terms.tt();
        self.record(Obligation { guard, fault: condition, origin, node, claim })
    }

    /// Records an obligation, unless it folded to a constant: that `fault` does not hold in `state`.
    fn must_not_be(&mut self, node: NodeId, claim: Claim, state: &State, fault: Term) -> Result<(), CheckError> {
        self.record(Obligation { guard: state.guard, fault, origin: state.origin, node, claim })
    }

    fn record(&mut self, obligation: Obligation) -> Result<(), CheckError> {
        self.stats.obligations += 1;
        let condition = self.terms.and(obligation.guard, obligation.fault);
        match self.terms.as_bool(condition) {
            Some(false) => Ok(()),
            Some(true) => Err(CheckError::Rejected(obligation.describe(self.cfa))),
            None => {
                self.stats.open += 1;
                self.open.push(obligation);
                Ok(())
            }
        }
    }
}
