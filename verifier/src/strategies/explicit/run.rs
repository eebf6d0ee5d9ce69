//! Runs from one cut to the next ones.
//!
//! A run is deterministic where values are known. Where they are not, it has alternatives: the classes of an input or of a computed value,
//! the sides of a test that its operands leave open. They are taken one after the other; what a run has overwritten since the last
//! alternative is in a *trail*, from which it is restored.

use super::classes::Classes;
use super::guards::Guards;
use super::machine::{Code, ExprId, Machine, Place, Slot};
use crate::program::{Budget, Halt};
use cfa::decision_table::Tables;
use cfa::{EdgeId, Range};
use rustc_hash::FxHashMap;

/// A call stack: where the innermost activation returns to, and the stack below, by number; 0 is the empty one.
pub(super) type Stack = u32;

/// Number of instructions between two looks at the clock.
const PATIENCE: u64 = 1 << 16;

/// Number of steps for each instruction from which on there are decision tables: they are worth it for many runs only.
const TABLES_FROM: u64 = 16;

/// Where a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// At a cut.
    Cut(Place),
    /// At a target.
    Target,
    /// At a construct without a model.
    Unsupported(EdgeId),
    /// Before the call of a recursive function.
    Recursion,
}

/// Call stacks by number.
#[derive(Clone)]
pub(super) struct Stacks {
    frames: Vec<(Place, Stack)>,
    ids: FxHashMap<(Place, Stack), Stack>,
}

impl Stacks {
    pub(super) fn push(&mut self, back: Place, below: Stack) -> Stack {
        let next = self.frames.len() as Stack + 1;
        let id = *self.ids.entry((back, below)).or_insert(next);
        if id == next {
            self.frames.push((back, below));
        }
        id
    }

    /// The number of stacks that are not empty.
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The frame at the top.
    pub(super) fn top(&self, stack: Stack) -> Option<(Place, Stack)> {
        self.frames.get((stack as usize).checked_sub(1)?).copied()
    }
}

/// What is still to be tried.
struct Alternative {
    place: Place,
    stack: Stack,
    /// The value of a slot there.
    set: Option<(Slot, Range)>,
    trail: u32,
    trace: u32,
    /// How it begins.
    event: Option<Event>,
}

/// What a run decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// It takes this edge, one of several.
    Takes(EdgeId),
    /// The edge assigns a value of this class.
    Chooses(EdgeId, Range),
}

/// An execution.
pub(super) struct Run<'m> {
    pub(super) machine: &'m Machine,
    classes: &'m Classes,
    pub(super) values: Vec<Range>,
    /// The slots that have values where the runs begin.
    known: Vec<Slot>,
    /// The decision tables, once there are any.
    tables: Option<Tables>,
    pub(super) stacks: Stacks,
    /// The stack at the end of the last run.
    pub(super) stack: Stack,
    trail: Vec<(Slot, Range)>,
    open: Vec<Alternative>,
    /// What this run decided, if that is recorded.
    pub(super) trace: Vec<Event>,
    records: bool,
    /// The number of instructions so far.
    pub(super) steps: u64,
}

impl<'m> Run<'m> {
    pub(super) fn new(machine: &'m Machine, classes: &'m Classes) -> Run<'m> {
        Run {
            machine,
            classes,
            values: machine.slots.iter().map(|v| v.any).collect(),
            known: Vec::new(),
            tables: None,
            stacks: Stacks { frames: Vec::new(), ids: FxHashMap::default() },
            stack: 0,
            trail: Vec::new(),
            open: Vec::new(),
            trace: Vec::new(),
            records: false,
            steps: 0,
        }
    }

    /// Begins the runs from a cut. `known` are the values there; others may be anything.
    pub(super) fn begin(
        &mut self,
        cut: Place,
        stack: Stack,
        known: impl Iterator<Item = (Slot, Range)>,
        records: bool,
    ) {
        self.restore(0);
        if self.tables.is_none() && !records && self.steps >= TABLES_FROM * self.machine.code.len() as u64 {
            let guards = Guards { machine: self.machine, classes: self.classes };
            self.tables = Some(Tables::new(&guards, self.machine.code.len()));
        }
        for slot in self.known.drain(..) {
            self.values[slot as usize] = self.machine.slots[slot as usize].any;
        }
        for (slot, r) in known {
            self.values[slot as usize] = r;
            self.known.push(slot);
        }
        self.records = records;
        self.trace.clear();
        self.open.clear();
        let Code::Cut(body) = self.machine.code[cut as usize] else { unreachable!("runs begin at cuts") };
        self.open.push(Alternative { place: body, stack, set: None, trail: 0, trace: 0, event: None });
    }

    /// The next end of a run; `None` if there is no other.
    ///
    /// Errors: `OutOfTime`.
    pub(super) fn next_end(&mut self, budget: Budget<'_>) -> Result<Option<End>, Halt> {
        while let Some(next) = self.open.pop() {
            self.restore(next.trail as usize);
            self.trace.truncate(next.trace as usize);
            if self.records {
                self.trace.extend(next.event);
            }
            if let Some((slot, r)) = next.set {
                self.set(slot, r);
            }
            self.stack = next.stack;
            if let Some(end) = self.go(next.place, budget)? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Gives slots the values that they had when the trail had the length `n`.
    fn restore(&mut self, n: usize) {
        for (slot, before) in self.trail.drain(n..).rev() {
            self.values[slot as usize] = before;
        }
    }

    #[inline]
    fn set(&mut self, slot: Slot, r: Range) {
        let value = &mut self.values[slot as usize];
        if *value != r {
            self.trail.push((slot, *value));
            *value = r;
        }
    }

    /// Remembers an alternative.
    fn later(&mut self, place: Place, set: Option<(Slot, Range)>, event: Option<Event>) {
        let (trail, trace) = (self.trail.len() as u32, self.trace.len() as u32);
        self.open.push(Alternative { place, stack: self.stack, set, trail, trace, event });
    }

    #[inline]
    fn takes(&mut self, edge: Option<EdgeId>) {
        if self.records {
            self.trace.extend(edge.map(Event::Takes));
        }
    }

    /// Sets a slot to a range, of which only the first class is taken now. `at` is the assignment, which continues at `next`.
    #[inline]
    fn set_class(&mut self, slot: Slot, r: Range, at: Place, next: Place) {
        if r.lo == r.hi || self.classes.is_in_one(slot, r) {
            self.set(slot, r);
            return;
        }
        let (classes, edge) = (self.classes, self.machine.edges[at as usize][0]);
        let chooses = |r: Range| edge.map(|e| Event::Chooses(e, r));
        let mut all = classes.split(slot, r);
        let first = all.next().unwrap_or(r);
        for other in all {
            self.later(next, Some((slot, other)), chooses(other));
        }
        self.set(slot, first);
        if self.records {
            self.trace.extend(chooses(first));
        }
    }

    /// Where a run gets to from `place` by guards that do not hold.
    #[inline]
    fn passed(&mut self, place: Place) -> Place {
        match &mut self.tables {
            // What a path takes is recorded test by test.
            Some(tables) if !self.records && tables.begins_at(place) => {
                tables.descend(&Guards { machine: self.machine, classes: self.classes }, &self.values, place)
            }
            _ => place,
        }
    }

    /// Where a run goes from a test whether `slot = k`; what else is possible remains for later.
    #[inline]
    fn equals(&mut self, place: Place, (slot, k): (Slot, i64), yes: Place, no: Place) -> Place {
        let [yes_edge, no_edge] = self.machine.edges[place as usize];
        let Range { lo, hi } = self.values[slot as usize];
        if k < lo || hi < k {
            self.takes(no_edge);
            return no;
        }
        self.takes_later(no, slot, Range { lo, hi: k.saturating_sub(1) }, lo < k, no_edge);
        self.takes_later(no, slot, Range { lo: k.saturating_add(1), hi }, k < hi, no_edge);
        self.set(slot, Range::point(k));
        self.takes(yes_edge);
        yes
    }

    /// Where a run goes from a test whether `slot < k`; what else is possible remains for later.
    #[inline]
    fn less(&mut self, place: Place, (slot, k): (Slot, i64), yes: Place, no: Place) -> Place {
        let [yes_edge, no_edge] = self.machine.edges[place as usize];
        let Range { lo, hi } = self.values[slot as usize];
        if k <= lo {
            self.takes(no_edge);
            return no;
        }
        if k <= hi {
            self.takes_later(no, slot, Range { lo: k, hi }, true, no_edge);
            self.set(slot, Range { lo, hi: k - 1 });
        }
        self.takes(yes_edge);
        yes
    }

    /// Remembers the side of a test on which `slot` has the values of `r`, if it `is_possible`.
    #[inline]
    fn takes_later(&mut self, place: Place, slot: Slot, r: Range, is_possible: bool, edge: Option<EdgeId>) {
        if is_possible {
            self.later(place, Some((slot, r)), edge.map(Event::Takes));
        }
    }

    /// Runs from `place` to the next end; `None` if the run ends nowhere.
    fn go(&mut self, mut place: Place, budget: Budget<'_>) -> Result<Option<End>, Halt> {
        let machine = self.machine;
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(PATIENCE) {
                budget.check()?;
            }
            place = self.passed(place);
            let at = place as usize;
            match machine.code[at] {
                Code::Goto(next) => {
                    place = next;
                }
                Code::Constant(slot, k, next) => {
                    self.set(slot, Range::point(k));
                    place = next;
                }
                Code::Copy(slot, from, next) => {
                    let r = self.values[from as usize];
                    self.set_class(slot, r, place, next);
                    place = next;
                }
                Code::Set(slot, e, next) => {
                    let r = self.value(e);
                    self.set_class(slot, r, place, next);
                    place = next;
                }
                Code::Input(slot, next) => {
                    let any = machine.slots[slot as usize].any;
                    self.set_class(slot, any, place, next);
                    place = next;
                }
                Code::Unset(slot, next) => {
                    self.set(slot, machine.slots[slot as usize].any);
                    place = next;
                }
                Code::SetAll { first, end, next } => {
                    let list = &machine.assignments[first as usize..end as usize];
                    let all: Vec<(Slot, Range)> = list.iter().map(|(slot, e)| (*slot, self.value(*e))).collect();
                    all.into_iter().for_each(|(slot, r)| self.set(slot, r));
                    place = next;
                }
                Code::Equals { slot, k, yes, no } => place = self.equals(place, (slot, k), yes, no),
                Code::Less { slot, k, yes, no } => place = self.less(place, (slot, k), yes, no),
                Code::Test { condition, yes, no } => {
                    let truth = self.value(condition).as_truth();
                    if truth.is_none() {
                        self.later(no, None, machine.edges[at][1].map(Event::Takes));
                    }
                    let side = truth.unwrap_or(true);
                    self.takes(machine.edges[at][usize::from(!side)]);
                    place = if side { yes } else { no };
                }
                Code::Assume(condition, next) => {
                    if self.value(condition).as_truth() == Some(false) {
                        return Ok(None);
                    }
                    place = next;
                }
                Code::Fork { first, end } => {
                    for other in &machine.forks[first as usize + 1..end as usize] {
                        self.later(*other, None, machine.edges[*other as usize][0].map(Event::Takes));
                    }
                    place = machine.forks[first as usize];
                    self.takes(machine.edges[place as usize][0]);
                }
                Code::Call { entry, func, back } => {
                    for slot in &machine.unset[func as usize] {
                        self.set(*slot, machine.slots[*slot as usize].any);
                    }
                    self.stack = self.stacks.push(back, self.stack);
                    place = entry;
                }
                Code::Exit => {
                    let Some((back, below)) = self.stacks.top(self.stack) else { return Ok(None) };
                    self.stack = below;
                    place = back;
                }
                Code::Cut(_) => return Ok(Some(End::Cut(place))),
                Code::Target => return Ok(Some(End::Target)),
                Code::Unsupported(e) => return Ok(Some(End::Unsupported(e))),
                Code::Recursion => return Ok(Some(End::Recursion)),
                Code::Stop => return Ok(None),
            }
        }
    }

    /// The value of an expression.
    pub(super) fn value(&self, e: ExprId) -> Range {
        self.machine.value(e, &|slot| self.values[slot as usize])
    }
}
