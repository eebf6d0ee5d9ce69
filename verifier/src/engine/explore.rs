//! The CPA+ algorithm (S Algorithm 2; Beyer, Henzinger, Theoduloz, ASE 2008), as a search that can be resumed.
//!
//! It stops at each target state found and goes on when called again, so that a caller may find the path to be infeasible
//! and look for another one. A step that an analysis cannot take (no model, call stack too deep) is cut off and
//! noted: other paths are explored all the same, but nothing is proved then.

use crate::engine::arg::{Arg, NodeId};
use crate::engine::cpa::{Cx, Located, Position, Step};
use crate::engine::waitlist::{Order, Waitlist};
use crate::program::Halt;
use cfa::{SymId, Term};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::time::Instant;

/// How an exploration ended, for now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Nothing waits: all that is reachable was reached, up to what was cut off.
    Done,
    /// A target state was reached. It stays unexpanded when the exploration goes on.
    Target(NodeId),
}

/// Limits and order of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The order of expansion.
    pub order: Order,
    /// Most states in the reached set.
    pub max_states: usize,
}

/// Most terms of one exploration: what memory allows, at some 100 bytes a term.
const MAX_TERMS: usize = 20_000_000;

/// Steps between two looks at the clock.
const STEPS_PER_CHECK: u64 = 256;

/// An exploration under way.
pub struct Exploration<C: Located> {
    /// The states reached.
    pub arg: Arg<C>,
    /// What could not be explored, and why; the node is where it starts.
    pub cut: Vec<(NodeId, Halt)>,
    /// Values of the symbols of covering states, where an analysis names them, by the step that is covered.
    pub witnesses: FxHashMap<(NodeId, checker::Step), Vec<(SymId, Term)>>,
    /// What steps are taken with after a refinement; before, the precision of the state where they start.
    precision: Option<C::Precision>,
    /// Targets reached and not yet reported.
    targets: VecDeque<NodeId>,
    waitlist: Waitlist,
    limits: Limits,
}

impl<C: Located> Exploration<C> {
    /// Begins at the program's entry.
    pub fn new(cpa: &mut C, cx: &mut Cx<'_>, limits: Limits) -> Exploration<C> {
        let mut arg = Arg::default();
        let (state, precision) = cpa.initial(cx, cx.program.start());
        let root = arg.add(cpa, state, precision, None);
        let mut exploration = Exploration {
            arg,
            cut: Vec::new(),
            witnesses: FxHashMap::default(),
            precision: None,
            targets: VecDeque::new(),
            waitlist: Waitlist::new(limits.order),
            limits,
        };
        if cpa.is_target(&exploration.arg.node(root).state) {
            exploration.targets.push_back(root);
        } else {
            exploration.wait(cpa, cx, root);
        }
        exploration
    }

    /// Explores until a target is reached or nothing waits.
    ///
    /// Errors: out of time; out of budget at the limit of states. What was reached so far stays, and the call may be repeated.
    pub fn run(&mut self, cpa: &mut C, cx: &mut Cx<'_>) -> Result<Pause, Halt> {
        let start = Instant::now();
        let result = self.expand_all(cpa, cx);
        cx.statistics.time += start.elapsed();
        cx.statistics.states = self.arg.len() as u64;
        result
    }

    /// Lazy abstraction (Henzinger, Jhala, Majumdar, Sutre, POPL 2002): forgets what was found from `pivot`, and finds it again; the
    /// rest of the graph stays. All steps from now on are taken with `precision`.
    pub fn refine(&mut self, cpa: &C, cx: &mut Cx<'_>, pivot: NodeId, precision: &C::Precision) {
        let before = self.arg.pruned();
        let again = self.arg.prune(cpa, pivot);
        cx.statistics.pruned += (self.arg.pruned() - before) as u64;
        self.precision = Some(precision.clone());
        for n in again.iter().map(|(n, _)| *n).chain([pivot]) {
            self.wait(cpa, cx, n);
        }
        // What nodes that wait cannot do, they will find out again.
        let arg = &self.arg;
        let settled = |n: NodeId| !arg.node(n).pruned && !arg.node(n).waiting;
        self.cut.retain(|(n, _)| settled(*n));
        self.targets.retain(|n| !arg.node(*n).pruned);
        self.witnesses.retain(|(n, _), _| !arg.node(*n).pruned && *n != pivot);
        for step in again {
            self.witnesses.remove(&step);
        }
    }

    fn wait(&mut self, cpa: &C, cx: &Cx<'_>, n: NodeId) {
        let node = self.arg.node_mut(n);
        if node.waiting {
            return;
        }
        node.waiting = true;
        self.waitlist.push(cx.program, cpa, &self.arg, n);
    }

    fn expand_all(&mut self, cpa: &mut C, cx: &mut Cx<'_>) -> Result<Pause, Halt> {
        let mut scratch = Scratch::default();
        let mut check_at = cx.statistics.steps + STEPS_PER_CHECK;
        loop {
            if let Some(target) = self.targets.pop_front() {
                cx.statistics.targets += 1;
                return Ok(Pause::Target(target));
            }
            let Some(n) = self.waitlist.pop() else { return Ok(Pause::Done) };
            if !self.arg.node(n).waiting {
                continue;
            }
            if cx.statistics.steps >= check_at {
                check_at = cx.statistics.steps + STEPS_PER_CHECK;
                if let Err(halt) = self.check(cx) {
                    self.arg.node_mut(n).waiting = false;
                    self.wait(cpa, cx, n);
                    return Err(halt);
                }
            }
            self.arg.node_mut(n).waiting = false;
            self.expand(cpa, cx, n, &mut scratch)?;
        }
    }

    fn check(&self, cx: &Cx<'_>) -> Result<(), Halt> {
        cx.budget.check()?;
        if self.arg.len() >= self.limits.max_states {
            return Err(Halt::OutOfBudget(format!("{} states", self.limits.max_states)));
        }
        if cx.terms.len() >= MAX_TERMS {
            return Err(Halt::OutOfBudget(format!("{MAX_TERMS} terms")));
        }
        Ok(())
    }

    /// Takes all steps of one node.
    fn expand<'p>(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'p>,
        n: NodeId,
        scratch: &mut Scratch<'p, C>,
    ) -> Result<(), Halt> {
        scratch.steps.clear();
        cpa.steps(cx.program, &self.arg.node(n).state, &mut scratch.steps);
        let partial = std::mem::take(&mut self.arg.node_mut(n).partial);
        for i in 0..scratch.steps.len() {
            let step = scratch.steps[i];
            let node = self.arg.node(n);
            if partial && node.links.iter().any(|l| l.step == step.taken) {
                continue;
            }
            cx.statistics.steps += 1;
            scratch.successors.clear();
            let pi = self.precision.as_ref().unwrap_or(&node.precision);
            match cpa.transfer(cx, &node.state, step, pi, &mut scratch.successors) {
                Ok(()) => {}
                Err(halt @ (Halt::Unsupported(_) | Halt::OutOfBudget(_))) => {
                    self.cut.push((n, halt));
                    continue;
                }
                Err(halt) => return Err(halt),
            }
            while let Some(s) = scratch.successors.pop() {
                let pi = self.precision.clone().unwrap_or_else(|| self.arg.node(n).precision.clone());
                let Some((s, changed)) = cpa.adjust(cx, s, &pi)? else { continue };
                self.arrive(cpa, cx, (n, step.taken), s, changed.unwrap_or(pi), &mut scratch.candidates)?;
            }
        }
        Ok(())
    }

    /// Merges a successor into the reached states, and adds it unless one of them covers it.
    fn arrive(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        parent: (NodeId, checker::Step),
        s: C::State,
        pi: C::Precision,
        candidates: &mut Vec<NodeId>,
    ) -> Result<(), Halt> {
        if cpa.is_target(&s) {
            let target = self.arg.add(cpa, s, pi, Some(parent));
            self.targets.push_back(target);
            return Ok(());
        }
        if cpa.merges() {
            let key: Position = cpa.key(&s);
            for n in self.arg.partition(key).to_vec() {
                if let Some(merged) = cpa.merge(cx, &s, &self.arg.node(n).state, &pi)?
                    && merged != self.arg.node(n).state
                {
                    cx.statistics.merges += 1;
                    self.arg.weaken(n, merged);
                    self.wait(cpa, cx, n);
                }
            }
        }
        self.arg.candidates(cpa, &s, candidates);
        for &by in candidates.iter() {
            if cpa.covered(cx, &s, &self.arg.node(by).state)? {
                cx.statistics.covered += 1;
                let witness = cpa.witness(cx, &s, &self.arg.node(by).state);
                if !witness.is_empty() {
                    self.witnesses.insert(parent, witness);
                }
                self.arg.cover(parent.0, parent.1, by);
                return Ok(());
            }
        }
        let n = self.arg.add(cpa, s, pi, Some(parent));
        self.wait(cpa, cx, n);
        Ok(())
    }
}

/// Buffers that are used again.
struct Scratch<'p, C: Located> {
    steps: Vec<Step<'p>>,
    successors: Vec<C::State>,
    candidates: Vec<NodeId>,
}

impl<C: Located> Default for Scratch<'_, C> {
    fn default() -> Self {
        Scratch { steps: Vec::new(), successors: Vec::new(), candidates: Vec::new() }
    }
}
