//! The CPA+ algorithm ([Lemberger 2018, Algorithm 2]; Beyer, Henzinger, Théoduloz, ASE 2008), as a search that can be resumed.
//!
//! The algorithm stops at each target state and continues when it is called again, so that the caller may find the path infeasible and
//! look for another one. A step that an analysis cannot take (no model, call stack too deep) is cut off and noted: other paths are still
//! explored, but nothing can be proved then.
//!
//! `Cpa::merge` and `Cpa::stop` of the analysis that explores are called here, and nowhere else.
//!
//! Only states where paths meet (`Program::is_join`) enter the waitlist and are compared with others. From such a state, steps are taken
//! immediately as long as there is only one to take: the states passed are changed in place and not kept. Where several steps can be
//! taken, a node is added and each of the steps is followed in the same way. This terminates, since every loop has a location where paths
//! meet, and the depth of recursion is bounded.

use crate::cpa::profile::Work;
use crate::cpa::{Beyond, Cx, Located, Step, Stop, Successors};
use crate::evidence::outcome::UnknownReason;
use crate::program::{Count, Halt};
use crate::reach::arg::{Arg, Ending, NodeId, Witness, files_by_index};
use crate::reach::layers::{Arrival, ExpansionId, Layers};
use crate::reach::segments::RunId;
use crate::reach::waitlist::{Order, Waitlist};
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Why an exploration paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The waitlist is empty: everything reachable was reached, except for what was cut off.
    Done,
    /// A target state was reached. It is not expanded when the exploration continues.
    Target(NodeId),
}

/// The limits and the order of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The order of expansion.
    pub order: Order,
    /// Maximum number of states in the reached set.
    pub max_states: usize,
    /// When reached states cover another one.
    pub stop: Stop,
}

/// Maximum number of terms of one exploration; bounded by memory, at about 100 bytes per term.
const MAX_TERMS: usize = 20_000_000;

/// Maximum number of states with which a new one is merged, the newest ones first.
pub const MERGED_STATES: usize = 256;

/// Maximum number of steps in a run. In certificates, only states at the ends of runs have labels, so longer runs would leave longer paths
/// without one.
const LONGEST_RUN: usize = 64;

/// The time between two checks of the memory.
const BETWEEN_MEMORY_CHECKS: Duration = Duration::from_millis(50);

/// Number of steps between two checks of the limits.
const STEPS_PER_CHECK: u64 = 256;

/// An exploration in progress.
pub struct Exploration<C: Located> {
    /// The reached states.
    pub arg: Arg<C>,
    /// The steps that were cut off, and why; the node is the one where the step starts.
    pub cut: Vec<(NodeId, Halt)>,
    /// Targets whose paths are neither known to be real nor excluded, and why.
    pub doubts: Vec<(NodeId, UnknownReason)>,
    /// The precision with which steps are taken after the first refinement; `None` before it: steps then have the precision of their node.
    precision: Option<C::Precision>,
    /// Targets that were reached and not yet reported.
    targets: VecDeque<NodeId>,
    waitlist: Waitlist,
    limits: Limits,
    /// The number of steps at which the limits are checked next.
    check_at: u64,
    /// When the memory was checked last.
    memory_checked: Instant,
    /// Why the exploration has to end: from then on, everything in progress is put on the waitlist.
    halted: Option<Halt>,
}

impl<C: Located> Exploration<C> {
    /// Begins at the entry of the program, with `precision`.
    pub fn new(cpa: &mut C, cx: &mut Cx<'_>, precision: C::Precision, limits: Limits) -> Exploration<C> {
        let mut arg = Arg::default();
        arg.layers = cpa.in_layers().then(Layers::default);
        let state = cpa.initial(cx, cx.program.start());
        let root = arg.add(state, precision, false, None);
        arg.file(cpa, root);
        let mut exploration = Exploration {
            arg,
            cut: Vec::new(),
            doubts: Vec::new(),
            precision: None,
            targets: VecDeque::new(),
            waitlist: Waitlist::new(limits.order),
            limits,
            check_at: 0,
            memory_checked: Instant::now(),
            halted: None,
        };
        if cpa.is_target(&exploration.arg.node(root).state) {
            exploration.targets.push_back(root);
        } else {
            exploration.wait(cpa, cx, root);
        }
        exploration
    }

    /// Explores until a target is reached or the waitlist is empty.
    ///
    /// Errors: `OutOfTime`, or `OutOfBudget` at the limits on states, terms and memory. What was reached so far stays, and the call may be
    /// repeated.
    pub fn run(&mut self, cpa: &mut C, cx: &mut Cx<'_>) -> Result<Pause, Halt> {
        let start = Instant::now();
        let result = self.expand_all(cpa, cx);
        cx.statistics.time += start.elapsed();
        cx.statistics.states = self.arg.len() as u64;
        result
    }

    /// Lazy abstraction (Henzinger, Jhala, Majumdar, Sutre, POPL 2002): removes what was found from `pivot` and explores it again; the
    /// rest of the graph stays. All steps from now on are taken with `precision`.
    pub fn refine(&mut self, cpa: &C, cx: &mut Cx<'_>, pivot: NodeId, precision: &C::Precision) {
        let before = self.arg.pruned();
        let again = self.arg.prune(cpa, pivot);
        cx.statistics.pruned += (self.arg.pruned() - before) as u64;
        self.precision = Some(precision.clone());
        for n in again.iter().map(|(n, _)| *n).chain([pivot]) {
            self.wait(cpa, cx, n);
        }
        // Nodes on the waitlist will find out again what cannot be explored from them.
        let arg = &self.arg;
        let settled = |n: NodeId| !arg.node(n).pruned && !arg.node(n).waiting;
        self.cut.retain(|(n, _)| settled(*n));
        self.targets.retain(|n| !arg.node(*n).pruned);
    }

    /// Raises the bound of the call stack, and puts what was cut off above it on the waitlist. `false` if nothing was cut off there, or
    /// if the bound is at its maximum already.
    pub fn deepen(&mut self, cpa: &mut C, cx: &Cx<'_>) -> bool {
        let is_deep = |halt: &Halt| matches!(halt, Halt::TooDeep(_));
        if !self.cut.iter().any(|(_, halt)| is_deep(halt)) || !cpa.deepen() {
            return false;
        }
        let (deep, rest) = std::mem::take(&mut self.cut).into_iter().partition(|(_, halt)| is_deep(halt));
        self.cut = rest;
        let deep: Vec<(NodeId, Halt)> = deep;
        for (n, _) in deep {
            // Its other steps were taken already.
            self.arg.node_mut(n).partial = true;
            self.wait(cpa, cx, n);
        }
        true
    }

    /// Reports the target once more, before others: its paths were not judged.
    pub fn report_again(&mut self, target: NodeId) {
        self.targets.push_front(target);
    }

    fn wait(&mut self, cpa: &C, cx: &Cx<'_>, n: NodeId) {
        let node = self.arg.node_mut(n);
        if node.waiting {
            return;
        }
        node.waiting = true;
        self.waitlist.push(cx.program, cpa, &self.arg, n);
    }

    fn expand_all<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>) -> Result<Pause, Halt> {
        let mut scratch = Scratch::<'p, C>::default();
        self.check_at = cx.statistics.steps + STEPS_PER_CHECK;
        loop {
            if let Some(target) = self.targets.pop_front() {
                cx.statistics.targets += 1;
                return Ok(Pause::Target(target));
            }
            let Some(n) = self.waitlist.pop() else {
                // What was expanded in parts is expanded once more as a whole, so that its links are those of its state.
                let again = self.arg.layers.as_mut().map(Layers::expand_all_again).unwrap_or_default();
                if again.is_empty() {
                    return Ok(Pause::Done);
                }
                again.into_iter().for_each(|n| self.wait(cpa, cx, n));
                continue;
            };
            if !std::mem::take(&mut self.arg.node_mut(n).waiting) {
                continue;
            }
            if let Err(halt) = self.check_states() {
                self.wait(cpa, cx, n);
                return Err(halt);
            }
            self.expand(cpa, cx, n, &mut scratch);
            if let Some(halt) = self.halted.take() {
                return Err(halt);
            }
        }
    }

    fn check(&mut self, cx: &Cx<'_>) -> Result<(), Halt> {
        cx.budget.check()?;
        if self.memory_checked.elapsed() >= BETWEEN_MEMORY_CHECKS {
            self.memory_checked = Instant::now();
            cx.budget.check_memory()?;
        }
        cx.budget.note(Count::States, self.arg.len() as u64);
        self.check_states()?;
        if cx.terms.len() >= MAX_TERMS {
            return Err(Halt::OutOfBudget(format!("{MAX_TERMS} terms")));
        }
        Ok(())
    }

    fn check_states(&self) -> Result<(), Halt> {
        match self.arg.len() >= self.limits.max_states {
            true => Err(Halt::OutOfBudget(format!("{} states", self.limits.max_states))),
            false => Ok(()),
        }
    }

    /// Takes all steps from one node, and the steps that follow, up to where paths meet.
    fn expand<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, n: NodeId, scratch: &mut Scratch<'p, C>) {
        cx.statistics.clock.expand();
        let node = self.arg.node_mut(n);
        let partial = std::mem::take(&mut node.partial);
        let mut state = node.state.clone();
        let pi = self.precision.as_ref().unwrap_or(&node.precision).clone();
        let (mut is_part, is_kept) = (false, !cpa.needs_no_label(&state));
        if let Some(before) = self.arg.layers.as_ref().filter(|_| !partial).and_then(|l| l.expanded_before(n)) {
            match cpa.beyond(cx, &state, before) {
                Ok(Beyond::Nothing) => return self.arg.layers.iter_mut().for_each(Layers::lost_links),
                Ok(Beyond::Part(part)) => (state, is_part) = (part, true),
                Ok(Beyond::All) => {}
                Err(halt) => {
                    self.halted = Some(halt);
                    return self.wait(cpa, cx, n);
                }
            }
        }
        let whole = is_kept.then(|| self.arg.node(n).state.clone());
        scratch.expansion = self.arg.layers.as_mut().map(|l| l.expand(n, &state, whole));
        scratch.steps.clear();
        cpa.steps(cx.program, &state, &mut scratch.steps);
        if partial {
            let links = &self.arg.node(n).links;
            scratch.steps.retain(|s| links.iter().all(|l| self.arg.runs.first(l.run) != s.taken));
        } else if !is_part {
            // A run that starts at the node may have led back to it and weakened it.
            self.arg.node_mut(n).links.clear();
        }
        match self.take(cpa, cx, &mut state, &pi, scratch) {
            Some((taken, new_facts)) => scratch.fronts.push(Front { from: n, taken, state, pi, new_facts }),
            None if self.halted.is_some() => {
                if let Some(layers) = &mut self.arg.layers {
                    layers.undo(n);
                }
                self.arg.node_mut(n).partial = partial;
                self.wait(cpa, cx, n);
            }
            None => self.branch(n, &pi, scratch),
        }
        while let Some(front) = scratch.fronts.pop() {
            self.follow(cpa, cx, front, scratch);
        }
    }

    /// Takes `scratch.steps` from `s`. `Some`: `s` was replaced by its only successor, which this step leads to. `None`: `s` is
    /// unchanged; `successors` and `cut` hold the result, unless the exploration has to end.
    fn take<'p>(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'p>,
        s: &mut C::State,
        pi: &C::Precision,
        scratch: &mut Scratch<'p, C>,
    ) -> Option<(checker::Step, bool)> {
        let Scratch { steps, successors, cut, buffer, .. } = scratch;
        successors.clear();
        cut.clear();
        if steps.len() > 1 {
            let all = steps.len();
            steps.retain(|step| !cpa.excludes(cx, s, step));
            cx.statistics.steps += (all - steps.len()) as u64;
        }
        let alone = steps.len() == 1;
        for step in steps {
            let mut copy = (!alone).then(|| s.clone());
            let next = copy.as_mut().unwrap_or(s);
            match self.advance(cpa, cx, next, *step, pi, buffer) {
                Ok(Successors::None) => {}
                Ok(Successors::One { new_facts }) => match copy {
                    None => return Some((step.taken, new_facts)),
                    Some(next) => successors.push((step.taken, next, new_facts)),
                },
                Ok(Successors::Several) => {
                    let new_facts: Vec<bool> = buffer.iter().map(|next| cpa.states_new_facts(step, s, next)).collect();
                    successors
                        .extend(buffer.drain(..).zip(new_facts).map(|(next, new_facts)| (step.taken, next, new_facts)));
                }
                Err(halt @ (Halt::Unsupported(_) | Halt::TooDeep(_))) => cut.push(halt),
                Err(halt) => self.halted = Some(halt),
            }
        }
        if self.halted.is_none()
            && cut.is_empty()
            && successors.len() == 1
            && let Some((taken, next, new_facts)) = successors.pop()
        {
            *s = next;
            return Some((taken, new_facts));
        }
        None
    }

    /// Takes one step from `s`, like [`Cpa::advance`](crate::cpa::Cpa::advance), and checks the limits from time to time.
    fn advance(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        s: &mut C::State,
        step: Step<'_>,
        pi: &C::Precision,
        several: &mut Vec<C::State>,
    ) -> Result<Successors, Halt> {
        cx.statistics.steps += 1;
        if cx.statistics.steps >= self.check_at {
            self.check_at = cx.statistics.steps + STEPS_PER_CHECK;
            if let Err(halt) = self.check(cx) {
                self.halted = Some(halt);
            }
        }
        several.clear();
        cx.statistics.clock.begin(Work::Transfer);
        let taken = cpa.advance(cx, s, step, pi, several);
        cx.statistics.clock.end();
        taken
    }

    /// Records what was cut off at `n`, and schedules its successors to be followed.
    fn branch(&mut self, n: NodeId, pi: &C::Precision, scratch: &mut Scratch<'_, C>) {
        self.cut.extend(scratch.cut.drain(..).map(|halt| (n, halt)));
        // In reverse, so that the first one is followed next.
        for (taken, state, new_facts) in scratch.successors.drain(..).rev() {
            scratch.fronts.push(Front { from: n, taken, state, pi: pi.clone(), new_facts });
        }
    }

    /// Takes steps from a successor of a node, as long as there is only one to take.
    fn follow<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, front: Front<C>, scratch: &mut Scratch<'p, C>) {
        let mut front = front;
        let mut run = std::mem::take(&mut scratch.run);
        run.clear();
        run.push(front.taken);
        loop {
            let Front { state, pi, new_facts, .. } = &mut front;
            let mut ends = *new_facts || run.len() >= LONGEST_RUN || self.halted.is_some();
            ends = ends || cx.program.is_join(cpa.key(state).loc) || cpa.is_target(state);
            if !ends {
                scratch.steps.clear();
                cpa.steps(cx.program, state, &mut scratch.steps);
                if let Some((taken, after)) = self.take(cpa, cx, state, pi, scratch) {
                    run.push(taken);
                    *new_facts = after;
                    continue;
                }
            }
            cx.statistics.passed += run.len() as u64 - 1;
            let parent = (front.from, self.arg.runs.id(&run));
            scratch.run = run;
            // A state that may still be merged takes its steps when it is popped from the waitlist.
            if ends || self.halted.is_some() || !files_by_index(cpa) {
                self.arrive(cpa, cx, parent, front, scratch);
            } else {
                let n = self.arg.add(front.state, front.pi.clone(), false, Some(parent));
                self.branch(n, &front.pi, scratch);
            }
            return;
        }
    }

    /// Merges the state at the end of a run into the reached states at its position, and adds it unless one of them covers it.
    fn arrive(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        parent: (NodeId, RunId),
        end: Front<C>,
        scratch: &mut Scratch<'_, C>,
    ) {
        let Front { state: s, pi, new_facts, .. } = end;
        let arrival = scratch.expansion.map(|from| Arrival { from, run: parent.1, state: s.clone() });
        if cpa.is_target(&s) {
            let target = self.arg.add(s, pi, new_facts, Some(parent));
            self.note_arrival(target, arrival);
            self.targets.push_back(target);
            return;
        }
        // What is merged into a state is known only when a certificate is made.
        let may_merge = cpa.merges_before_expansion();
        let candidates = &mut scratch.candidates;
        let covering = match self.merge(cpa, cx, &s, &pi, &arrival) {
            Ok(Some(by)) => Ok(Some(Covering { by: smallvec![by], witness: Witness::new() })),
            Ok(None) => self.covering(cpa, cx, &s, candidates),
            Err(halt) => Err(halt),
        };
        match covering {
            Ok(Some(Covering { by, mut witness })) => {
                cx.statistics.covered += 1;
                if let (false, [by]) = (may_merge, &by[..]) {
                    witness = cpa.stated_witness(cx, &s, &self.arg.node(*by).state, witness);
                }
                let is_noted = may_merge || !witness.is_empty();
                let merged = self.arg.node(by[0]).before_merges.len();
                let ending = is_noted.then(|| Rc::new(Ending { state: s, witness, merged }));
                by.into_iter().for_each(|by| self.arg.cover(parent, by, ending.clone()));
                return;
            }
            Ok(None) => {}
            Err(halt) => self.halted = Some(halt),
        }
        let ending = may_merge.then(|| Ending { state: s.clone(), witness: Witness::new(), merged: 0 });
        let n = self.arg.add(s, pi, new_facts, Some(parent));
        ending.into_iter().for_each(|ending| self.arg.note_ending(parent.0, ending));
        self.note_arrival(n, arrival);
        self.arg.file(cpa, n);
        self.wait(cpa, cx, n);
    }

    fn note_arrival(&mut self, n: NodeId, arrival: Option<Arrival<C::State>>) {
        if let (Some(layers), Some(arrival)) = (&mut self.arg.layers, arrival) {
            layers.arrive(n, arrival);
        }
    }

    /// Merges `s` into reached states. For an analysis that keeps layers: the node whose state now contains `s`, if there is one.
    fn merge(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        s: &C::State,
        pi: &C::Precision,
        arrival: &Option<Arrival<C::State>>,
    ) -> Result<Option<NodeId>, Halt> {
        if cpa.merges() {
            let mut partners = Vec::new();
            self.arg.candidates(cpa, s, &mut partners);
            if cpa.merges_before_expansion() {
                partners.retain(|n| self.arg.node(*n).waiting);
            }
            for n in partners {
                let node = self.arg.node(n);
                let passes = !node.waiting && cpa.needs_no_label(&node.state);
                if let Some(layers) = self.arg.layers.as_mut().filter(|_| passes)
                    && layers.gives_way(n)
                {
                    self.note_arrival(n, arrival.clone());
                    self.arg.weaken(n, s.clone());
                    self.wait(cpa, cx, n);
                    return Ok(Some(n));
                }
                cx.statistics.clock.begin(Work::Merge);
                let merged = cpa.merge(cx, s, &self.arg.node(n).state, pi);
                cx.statistics.clock.end();
                if let Some(merged) = merged?.filter(|m| *m != self.arg.node(n).state) {
                    cx.statistics.merges += 1;
                    self.note_arrival(n, arrival.clone());
                    let before = cpa.before_merge(&merged);
                    self.arg.node_mut(n).before_merges.extend(before);
                    self.arg.weaken(n, merged);
                    self.wait(cpa, cx, n);
                    if self.arg.layers.is_some() {
                        return Ok(Some(n));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The reached states that cover `s`, if some do.
    fn covering(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        s: &C::State,
        candidates: &mut Vec<NodeId>,
    ) -> Result<Option<Covering>, Halt> {
        cx.statistics.clock.begin(Work::Stop);
        self.arg.candidates(cpa, s, candidates);
        let mut found = self.covering_alone(cpa, cx, s, candidates);
        if matches!(found, Ok(None)) && self.limits.stop == Stop::Join {
            found = self.covering_jointly(cpa, cx, s, candidates);
        }
        cx.statistics.clock.end();
        found
    }

    /// Stop-sep: one of `candidates` that covers `s`.
    fn covering_alone(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        s: &C::State,
        candidates: &[NodeId],
    ) -> Result<Option<Covering>, Halt> {
        for &by in candidates {
            let state = &self.arg.node(by).state;
            if cpa.covered(cx, s, state)? {
                return Ok(Some(Covering { by: smallvec![by], witness: cpa.witness(cx, s, state) }));
            }
        }
        Ok(None)
    }

    /// Stop-join: some of `candidates` that cover `s` together. The join of states may represent more than these do; so what one of them
    /// does not cover is passed on to the next one.
    fn covering_jointly(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        s: &C::State,
        candidates: &[NodeId],
    ) -> Result<Option<Covering>, Halt> {
        let (mut rest, mut by) = (s.clone(), SmallVec::new());
        for &candidate in candidates {
            match cpa.beyond(cx, &rest, &self.arg.node(candidate).state)? {
                Beyond::All => continue,
                Beyond::Part(smaller) if smaller == rest => continue,
                Beyond::Part(smaller) => rest = smaller,
                Beyond::Nothing => {
                    by.push(candidate);
                    // A certificate has room for one witness.
                    let needs_witness = by.iter().any(|by| {
                        let by = &self.arg.node(*by).state;
                        let witness = cpa.witness(cx, s, by);
                        !cpa.stated_witness(cx, s, by, witness).is_empty()
                    });
                    return Ok((!needs_witness).then_some(Covering { by, witness: Witness::new() }));
                }
            }
            by.push(candidate);
        }
        Ok(None)
    }
}

/// What covers a state.
struct Covering {
    /// The states that cover it, together.
    by: SmallVec<[NodeId; 1]>,
    /// If it is one state: the values of its symbols.
    witness: Witness,
}

/// The end of a run from a node.
struct Front<C: Located> {
    /// The node.
    from: NodeId,
    /// The first step.
    taken: checker::Step,
    /// The state after the last step.
    state: C::State,
    /// The precision with which steps are taken.
    pi: C::Precision,
    /// Whether the label after the step has to be stated ([`Cpa::states_new_facts`](crate::cpa::Cpa::states_new_facts)).
    new_facts: bool,
}

/// Buffers that are reused.
struct Scratch<'p, C: Located> {
    /// Steps to be taken.
    steps: Vec<Step<'p>>,
    /// The successors that these steps lead to, each with its step, and whether the label there has to be stated.
    successors: Vec<(checker::Step, C::State, bool)>,
    /// Why some steps cannot be taken.
    cut: Vec<Halt>,
    /// The successors of one step.
    buffer: Vec<C::State>,
    /// The steps since the last node.
    run: Vec<checker::Step>,
    /// The successors to be followed, the next one last.
    fronts: Vec<Front<C>>,
    candidates: Vec<NodeId>,
    /// The expansion in which they were found, if expansions are kept.
    expansion: Option<ExpansionId>,
}

impl<C: Located> Default for Scratch<'_, C> {
    fn default() -> Self {
        Scratch {
            steps: Vec::new(),
            successors: Vec::new(),
            cut: Vec::new(),
            buffer: Vec::new(),
            run: Vec::new(),
            fronts: Vec::new(),
            candidates: Vec::new(),
            expansion: None,
        }
    }
}
