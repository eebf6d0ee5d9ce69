//! Follows a path through a slice in the whole program, to find out whether values contradict it.

use super::machine::{Code, Place, Slot};
use super::run::{Event, Run};
use cfa::Range;
use checker::Step;

/// What comes of following a trace.
pub(super) enum Followed {
    /// These steps lead to a target, as far as ranges tell.
    Target(Vec<Step>),
    /// The values of these slots contradict the trace, after these instructions.
    Deviates(Vec<Place>, Vec<Slot>),
    /// The trace was lost.
    Lost,
}

/// A test.
struct Test {
    /// Its truth, if that is known.
    truth: Option<bool>,
    /// What a slot is if the test is true.
    says: Option<(Slot, Range)>,
    yes: Place,
    no: Place,
}

impl Run<'_> {
    /// Follows a trace from the start of the program, with values as they are; `cuts` is the number of cuts on it.
    ///
    /// The trace may be one of a smaller slice: what it does not decide is decided by the values.
    pub(super) fn follow(&mut self, trace: &[Event], cuts: usize) -> Followed {
        for (value, v) in self.values.iter_mut().zip(&self.machine.slots) {
            *value = v.any;
        }
        let machine = self.machine;
        let (mut path, mut log, mut cuts_left) = (Vec::new(), Vec::new(), cuts + 1);
        let (mut place, mut stack, mut events) = (machine.start, 0, trace.iter().copied().peekable());
        loop {
            log.push(place);
            path.extend(machine.before.get(&place).map(|e| Step::Edge(*e)));
            let [yes_edge, no_edge] = machine.edges[place as usize];
            let code = machine.code[place as usize];
            if let Some(Test { truth, says, yes, no }) = self.test(code) {
                let decided = match events.peek() {
                    Some(Event::Takes(e)) if Some(*e) == yes_edge => Some(true),
                    Some(Event::Takes(e)) if Some(*e) == no_edge => Some(false),
                    _ => None,
                };
                if decided.is_some() {
                    events.next();
                }
                if let (Some(decided), Some(truth)) = (decided, truth)
                    && decided != truth
                {
                    return Followed::Deviates(log, machine.tested(place));
                }
                let side = decided.or(truth).unwrap_or(true);
                if let (true, Some((slot, r))) = (side, says) {
                    self.values[slot as usize] = r;
                }
                path.extend(if side { yes_edge } else { no_edge }.map(Step::Edge));
                place = if side { yes } else { no };
                continue;
            }
            path.extend(yes_edge.map(Step::Edge));
            place = match code {
                Code::Constant(slot, k, next) => self.follow_set(slot, Range::point(k), next),
                Code::Copy(slot, from, next) => self.follow_set(slot, self.values[from as usize], next),
                Code::Set(slot, e, next) => self.follow_set(slot, self.value(e), next),
                Code::Input(slot, next) | Code::Unset(slot, next) => {
                    self.follow_set(slot, machine.slots[slot as usize].any, next)
                }
                Code::SetAll { first, end, next } => {
                    let list = &machine.assignments[first as usize..end as usize];
                    let all: Vec<Range> = list.iter().map(|(_, e)| self.value(*e)).collect();
                    for ((slot, _), r) in list.iter().zip(all) {
                        self.values[*slot as usize] = r;
                    }
                    next
                }
                Code::Assume(condition, next) => match self.value(condition).as_truth() {
                    Some(false) => return Followed::Deviates(log, machine.tested(place)),
                    _ => next,
                },
                Code::Fork { first, end } => {
                    let all = &machine.forks[first as usize..end as usize];
                    let is_next = |p: &Place| {
                        machine.edges[*p as usize][0].is_some_and(|e| events.peek() == Some(&Event::Takes(e)))
                    };
                    let chosen = all.iter().copied().find(is_next);
                    if chosen.is_some() {
                        events.next();
                    }
                    chosen.unwrap_or(all[0])
                }
                Code::Call { entry, func, back } => {
                    for slot in &machine.unset[func as usize] {
                        self.values[*slot as usize] = machine.slots[*slot as usize].any;
                    }
                    stack = self.stacks.push(back, stack);
                    entry
                }
                Code::Exit => {
                    let Some((back, below)) = self.stacks.top(stack) else { return Followed::Lost };
                    path.push(Step::Return);
                    stack = below;
                    back
                }
                Code::Cut(next) if cuts_left > 0 => {
                    cuts_left -= 1;
                    next
                }
                Code::Goto(next) => next,
                Code::Target => return Followed::Target(path),
                _ => return Followed::Lost,
            };
            if let (Some(Event::Chooses(e, r)), Some((slot, _))) =
                (events.peek(), machine.assigned(log[log.len() - 1]).first())
                && Some(*e) == yes_edge
            {
                match self.values[*slot as usize].intersect(*r) {
                    Some(both) => self.values[*slot as usize] = both,
                    None => return Followed::Deviates(log, vec![*slot]),
                }
                events.next();
            }
        }
    }

    fn follow_set(&mut self, slot: Slot, r: Range, next: Place) -> Place {
        self.values[slot as usize] = r;
        next
    }

    /// What `code` tests, if it is a test.
    fn test(&self, code: Code) -> Option<Test> {
        Some(match code {
            Code::Equals { slot, k, yes, no } => {
                let r = Range::point(k);
                Test { truth: self.values[slot as usize].equals(r).as_truth(), says: Some((slot, r)), yes, no }
            }
            Code::Less { slot, k, yes, no } => {
                let Range { lo, hi } = self.values[slot as usize];
                let truth = if hi < k { Some(true) } else { (k <= lo).then_some(false) };
                let says = (k > lo).then(|| (slot, Range { lo, hi: hi.min(k - 1) }));
                Test { truth, says, yes, no }
            }
            Code::Test { condition, yes, no } => Test { truth: self.value(condition).as_truth(), says: None, yes, no },
            _ => return None,
        })
    }
}
