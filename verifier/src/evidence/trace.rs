//! The steps of a run, from its beginning to its end, in bounded memory: what is repeated or done is folded, and counted.
//!
//! A counterexample of a real program has millions of steps. Its last few hundred do not say how control came there, and its first few
//! hundred not what went wrong. What a reader needs of the rest is which calls led to the end, and how often loops ran:
//!
//! ```text
//! main:  read();  { parse();  (folded: 997 iterations)  parse(); }  check(x):  ...  error
//! ```
//!
//! Steps are kept as they come. Each loop that is running and each call that has not returned is a *scope*, and scopes are nested. Of a loop
//! with many steps, the first and the last iterations stay, and those between become one entry. Of a call that has returned, only the call
//! itself stays, once there are many steps or calls in it are folded. If there are still too many (a deep recursion), the middle goes, but for the calls that have not
//! returned. Short runs are kept whole.
//!
//! Loops are the components of the weak topological orders of the whole program, so that a loop is one however control goes on in it.

use crate::program::wto::{Element, weak_topological_order};
use cfa::delivery::DeliveryEvent;
use cfa::eval::Value;
use cfa::interpret::Machine;
use cfa::view::View;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, Op, VarId};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::rc::Rc;

/// Number of entries up to which nothing is folded.
const SHORT: usize = 400;
/// Number of entries of a loop from which its iterations are folded.
const LONG_LOOP: usize = 200;
/// Number of iterations that are kept of a folded loop, at its beginning and again at its end.
const KEPT_ITERATIONS: usize = 2;
/// Number of entries that are kept at each end where the middle goes.
const KEPT_ENDS: usize = 800;
/// Number of calls that have not returned which are kept at each end where the middle goes.
const KEPT_CALLS: usize = 50;
/// Maximum number of entries while the run goes on.
const MAX_ENTRIES: usize = 50_000;

/// An entry of a trace.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A step.
    Step(ReplayedStep),
    /// Steps that are left out.
    Folded(Folded),
}

impl Entry {
    /// The edge, or the first one of those left out.
    pub fn edge(&self) -> EdgeId {
        match self {
            Entry::Step(step) => step.edge,
            Entry::Folded(folded) => folded.edge,
        }
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        match self {
            Entry::Step(_) => 1,
            Entry::Folded(folded) => folded.steps,
        }
    }
}

/// An edge of a replayed run.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// The edge.
    pub edge: EdgeId,
    /// The variables that it set, with their new values; no memories.
    pub values: Vec<(VarId, Value)>,
    /// The number of calls that have not returned.
    pub depth: usize,
}

/// Steps that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The first of them.
    pub edge: EdgeId,
    /// The number of steps.
    pub steps: u64,
    /// What they are.
    pub what: Fold,
}

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// So many iterations of a loop.
    Iterations(u64),
    /// What a call does until it returns.
    Call,
    /// Anything between the beginning and the end.
    Middle,
}

/// A loop that is running, or a call that has not returned.
enum Scope {
    Loop {
        depth: usize,
        head: LocId,
        /// The first entries of the iterations that are kept, the current one last. If iterations are folded, their entry counts as one.
        starts: Vec<usize>,
        /// The number of iterations that are folded.
        folded: u64,
    },
    Call {
        /// The depth of what is called.
        depth: usize,
        /// The entry after that of the call.
        start: usize,
    },
}

impl Scope {
    fn depth(&self) -> usize {
        match self {
            Scope::Loop { depth, .. } | Scope::Call { depth, .. } => *depth,
        }
    }
}

/// Records the steps of a run, and what the environment hands to it.
pub struct Recorder<'c> {
    cfa: &'c Cfa,
    deliveries: Vec<DeliveryEvent>,
    view: View,
    /// The functions whose loops are known.
    known: FxHashSet<FuncId>,
    /// For each location, the heads of the loops around it, the outermost first.
    around: Vec<Rc<[LocId]>>,
    entries: Vec<Entry>,
    scopes: Vec<Scope>,
}

impl<'c> Recorder<'c> {
    /// A recorder of a run of `cfa`.
    pub fn new(cfa: &'c Cfa) -> Recorder<'c> {
        let none: Rc<[LocId]> = Rc::new([]);
        Recorder {
            cfa,
            deliveries: Vec::new(),
            view: View::uncompacted(cfa),
            known: FxHashSet::default(),
            around: vec![none; cfa.locs.len()],
            entries: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Records that the machine has just executed `edge`.
    pub fn record(&mut self, machine: &Machine<'_>, edge: EdgeId) {
        self.deliveries.extend(DeliveryEvent::at(machine, self.cfa, edge));
        let e = &self.cfa.edges[edge];
        let func = self.cfa.locs[e.from].func;
        let is_call = matches!(e.op, Op::Call(_));
        let depth = machine.stack().len() - usize::from(is_call);
        self.leave_calls(depth);
        self.enter_loops(e.from, func, depth);
        if !matches!(e.op, Op::Skip) && !self.cfa.funcs[func].library {
            let value = |v: VarId| match machine.value(v) {
                None | Some(Value::Array(_)) => None,
                Some(value) => Some((v, value.clone())),
            };
            let values = e.op.written().into_iter().filter_map(value).collect();
            self.entries.push(Entry::Step(ReplayedStep { edge, values, depth }));
        }
        if is_call {
            self.scopes.push(Scope::Call { depth: depth + 1, start: self.entries.len() });
        }
        if self.entries.len() > MAX_ENTRIES {
            self.drop_middle();
        }
    }

    /// The entries, and what the environment has handed over, in order.
    pub fn finish(mut self) -> (Vec<Entry>, Vec<DeliveryEvent>) {
        if self.entries.len() > SHORT + 2 * KEPT_ENDS {
            self.drop_middle();
        }
        (self.entries, self.deliveries)
    }

    /// Closes the scopes of calls that have returned before a step at `depth`.
    fn leave_calls(&mut self, depth: usize) {
        while self.scopes.last().is_some_and(|scope| scope.depth() > depth) {
            let Some(Scope::Call { start, .. }) = self.scopes.pop() else { continue };
            let body = start..self.entries.len();
            let has_folded_calls = || {
                let is_call = |entry: &Entry| matches!(entry, Entry::Folded(Folded { what: Fold::Call, .. }));
                self.entries[body.clone()].iter().any(is_call)
            };
            if body.len() > 1 && (self.entries.len() > SHORT || has_folded_calls()) {
                self.fold(body, Fold::Call);
            }
        }
    }

    /// Closes the loops that control has left when it is at `l`, and opens those that it has entered.
    fn enter_loops(&mut self, l: LocId, func: FuncId, depth: usize) {
        if self.known.insert(func) {
            let order = weak_topological_order(self.cfa, &self.view, func);
            self.find_loops(&order);
        }
        let around = Rc::clone(&self.around[l.index()]);
        let first = self.scopes.iter().rposition(|s| !matches!(s, Scope::Loop { depth: d, .. } if *d == depth));
        let first = first.map_or(0, |i| i + 1);
        let open = self.scopes[first..].iter().zip(&*around);
        let same = open.take_while(|(scope, head)| matches!(scope, Scope::Loop { head: h, .. } if h == *head)).count();
        self.scopes.truncate(first + same);
        for &head in &around[same..] {
            self.scopes.push(Scope::Loop { depth, head, starts: vec![self.entries.len()], folded: 0 });
        }
        // What was just opened has begun its first iteration.
        if same == around.len() && around.last() == Some(&l) {
            self.next_iteration();
        }
    }

    /// Begins the next iteration of the innermost loop.
    fn next_iteration(&mut self) {
        const KEPT: usize = KEPT_ITERATIONS;
        let end = self.entries.len();
        let Some(Scope::Loop { starts, folded, .. }) = self.scopes.last_mut() else { return };
        starts.push(end);
        let last = starts.len() - 1;
        let is_folded = *folded > 0;
        if !is_folded && (last <= 2 * KEPT + 1 || end - starts[0] <= LONG_LOOP) {
            return;
        }
        let range = starts[KEPT]..starts[last - KEPT];
        *folded += (last - 2 * KEPT - usize::from(is_folded)) as u64;
        starts.drain(KEPT + 1..last - KEPT);
        let what = Fold::Iterations(*folded);
        self.fold(range, what);
    }

    /// Replaces entries by one that says what they are. The innermost scope's entries may lie behind them, others' not.
    fn fold(&mut self, range: Range<usize>, what: Fold) {
        let Some(edge) = self.entries[range.clone()].first().map(Entry::edge) else { return };
        let steps = self.entries[range.clone()].iter().map(Entry::steps).sum();
        let gone = range.len() - 1;
        let end = range.end;
        self.entries.splice(range, [Entry::Folded(Folded { edge, steps, what })]);
        if let Some(Scope::Loop { starts, .. }) = self.scopes.last_mut() {
            starts.iter_mut().filter(|start| **start >= end).for_each(|start| *start -= gone);
        }
    }

    /// Folds all but both ends, and calls that have not returned.
    fn drop_middle(&mut self) {
        let n = self.entries.len();
        let calls: Vec<usize> = self
            .scopes
            .iter()
            .filter_map(|scope| match scope {
                Scope::Call { start, .. } => start.checked_sub(1),
                Scope::Loop { .. } => None,
            })
            .collect();
        let (outer, inner) = (KEPT_CALLS.min(calls.len()), calls.len().saturating_sub(KEPT_CALLS));
        let kept: FxHashSet<usize> = calls[..outer].iter().chain(&calls[inner..]).copied().collect();
        let mut shorter: Vec<Entry> = Vec::new();
        let mut moved: Vec<usize> = Vec::with_capacity(n + 1);
        for (i, entry) in self.entries.drain(..).enumerate() {
            if i < KEPT_ENDS || i + KEPT_ENDS >= n || kept.contains(&i) {
                moved.push(shorter.len());
                shorter.push(entry);
                continue;
            }
            match shorter.last_mut() {
                Some(Entry::Folded(folded)) if folded.what == Fold::Middle => folded.steps += entry.steps(),
                _ => {
                    let (edge, steps) = (entry.edge(), entry.steps());
                    shorter.push(Entry::Folded(Folded { edge, steps, what: Fold::Middle }));
                }
            }
            moved.push(shorter.len() - 1);
        }
        moved.push(shorter.len());
        self.entries = shorter;
        for scope in &mut self.scopes {
            match scope {
                Scope::Call { start, .. } => *start = moved[*start],
                Scope::Loop { starts, .. } => starts.iter_mut().for_each(|start| *start = moved[*start]),
            }
        }
    }

    fn find_loops(&mut self, order: &[Element]) {
        let mut work: Vec<(&Element, Rc<[LocId]>)> = order.iter().map(|e| (e, Rc::from([]))).collect();
        while let Some((element, around)) = work.pop() {
            match element {
                Element::Location(l) => self.around[l.index()] = around,
                Element::Component(head, body) => {
                    let around: Rc<[LocId]> = around.iter().copied().chain([*head]).collect();
                    self.around[head.index()] = Rc::clone(&around);
                    work.extend(body.iter().map(|e| (e, Rc::clone(&around))));
                }
            }
        }
    }
}
