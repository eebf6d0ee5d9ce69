//! The classes of the values of variables: intervals between the constants with which they are compared.
//!
//! All values of a class pass the same tests against constants, so one class stands for all of them: an input that is compared with 1, 2
//! and 3 has the classes `..0, 1, 2, 3, 4..`. Variables that are copied or compared to each other have the same classes, since what is
//! told apart later has to be told apart before; an assignment `x := y + k` moves the classes of `x` to `y`.

use super::machine::{Machine, Slot};
use crate::program::Program;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Op, Range, Term, Terms, VarId};
use rustc_hash::FxHashSet;

/// Maximum number of classes that assignments with an offset add to a variable.
const MAX_MOVED: usize = 200;
/// Number of times that classes are moved along such assignments.
const ROUNDS: usize = 3;

/// The classes of each slot.
#[derive(Clone)]
pub(super) struct Classes {
    /// For each group of slots, where classes begin, except for the first one; ascending.
    starts: Vec<Vec<i64>>,
    /// The group of each slot.
    group: Vec<u32>,
    /// For each group, how its values arise.
    origins: Vec<Values>,
    /// For each group, the least and the greatest of the constants that it is assigned or compared with.
    windows: Vec<Option<Range>>,
}

/// How the values of a group of slots arise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Values {
    /// They are constants of the program, or inputs.
    Constants,
    /// Something is also added to values of the group.
    Counts,
    /// They are computed.
    Computed,
}

impl Classes {
    /// The classes of the slots of `machine`, by the terms of `program`. Cost: linear in the size of the program.
    pub(super) fn new(program: &Program, machine: &Machine) -> Classes {
        let n = machine.slots.len();
        let mut found = Found {
            terms: &program.base,
            machine,
            parents: (0..n as u32).collect(),
            starts: vec![Vec::new(); n],
            moves: Vec::new(),
            constants: Vec::new(),
            sums: Vec::new(),
            is_computed: vec![false; n],
            seen: FxHashSet::default(),
        };
        for l in program.view.reachable(&program.cfa) {
            for e in program.view.out(l) {
                match program.op(e) {
                    Op::Assign(list) => list.iter().for_each(|(v, t)| found.assigned(*v, *t)),
                    Op::Assume { cond, .. } => found.tested(*cond),
                    Op::Skip | Op::Input { .. } | Op::Call(_) | Op::CallIndirect(_) | Op::Unsupported(_) => {}
                }
            }
        }
        found.finish()
    }

    fn starts(&self, slot: Slot) -> &[i64] {
        &self.starts[self.group(slot)]
    }

    /// The group of a slot: the slots that it is copied to, copied from, or compared with.
    pub(super) fn group(&self, slot: Slot) -> usize {
        self.group[slot as usize] as usize
    }

    /// How the values of a group arise.
    pub(super) fn origin(&self, group: usize) -> Values {
        self.origins[group]
    }

    /// The numbers between the constants of a group.
    pub(super) fn window(&self, group: usize) -> Option<Range> {
        self.windows[group]
    }

    /// Where the classes of a slot begin, except for the first one.
    pub(super) fn begins(&self, slot: Slot) -> &[i64] {
        self.starts(slot)
    }

    /// Gives each number of `window` a class of its own.
    pub(super) fn part(&mut self, slot: Slot, window: Range) {
        let group = self.group(slot);
        let starts = &mut self.starts[group];
        starts.extend(window.lo..=window.hi.saturating_add(1));
        starts.sort_unstable();
        starts.dedup();
    }

    /// The parts of a range that lie in different classes, ascending.
    pub(super) fn split(&self, slot: Slot, r: Range) -> impl Iterator<Item = Range> + '_ {
        let starts = self.starts(slot);
        let first = starts.partition_point(|s| *s <= r.lo);
        let end = starts.partition_point(|s| *s <= r.hi);
        let inner = &starts[first..end];
        let los = std::iter::once(r.lo).chain(inner.iter().copied());
        let his = inner.iter().map(|s| s - 1).chain([r.hi]);
        los.zip(his).map(|(lo, hi)| Range { lo, hi })
    }

    /// Whether a range lies in one class.
    pub(super) fn is_in_one(&self, slot: Slot, r: Range) -> bool {
        let starts = self.starts(slot);
        starts.partition_point(|s| *s <= r.lo) == starts.partition_point(|s| *s <= r.hi)
    }

    /// The numbers of the first and the last class that a range touches.
    pub(super) fn touched(&self, slot: Slot, r: Range) -> [u32; 2] {
        let starts = self.starts(slot);
        let first = starts.partition_point(|s| *s <= r.lo);
        let last = if r.lo == r.hi { first } else { starts.partition_point(|s| *s <= r.hi) };
        [first as u32, last as u32]
    }

    /// All values of classes, from the first to the last one; `any` is the range of the slot.
    pub(super) fn all_of(&self, slot: Slot, [first, last]: [u32; 2], any: Range) -> Range {
        let starts = self.starts(slot);
        let lo = (first as usize).checked_sub(1).map_or(any.lo, |i| starts[i]);
        let hi = starts.get(last as usize).map_or(any.hi, |s| s - 1);
        // Slots of one group may have different widths.
        Range { lo: lo.max(any.lo), hi: hi.min(any.hi) }
    }

    /// All classes that a range touches, as one range; `any` is the range of the slot.
    pub(super) fn around(&self, slot: Slot, r: Range, any: Range) -> Range {
        self.all_of(slot, self.touched(slot, r), any)
    }
}

/// What is found in the terms of a program.
struct Found<'a> {
    terms: &'a Terms,
    machine: &'a Machine,
    /// A union-find structure over slots.
    parents: Vec<Slot>,
    /// Where classes begin, by root.
    starts: Vec<Vec<i64>>,
    /// Assignments `x := y + k`.
    moves: Vec<(Slot, Slot, i64)>,
    /// Assignments of constants.
    constants: Vec<(Slot, i64)>,
    /// Assignments of sums, with the slots that they add; other terms have none.
    sums: Vec<(Slot, Vec<Slot>)>,
    is_computed: Vec<bool>,
    seen: FxHashSet<Term>,
}

impl Found<'_> {
    fn root(&mut self, mut s: Slot) -> Slot {
        while self.parents[s as usize] != s {
            let above = self.parents[self.parents[s as usize] as usize];
            self.parents[s as usize] = above;
            s = above;
        }
        s
    }

    fn unite(&mut self, a: Slot, b: Slot) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[a as usize] = b;
            let of_a = std::mem::take(&mut self.starts[a as usize]);
            self.starts[b as usize].extend(of_a);
        }
    }

    /// A variable plus a constant, perhaps extended: its slot and the constant.
    fn linear(&self, t: Term) -> Option<(Slot, i64)> {
        match self.terms.kind(t) {
            Kind::Var(v) => Some((self.machine.slot(v)?, 0)),
            Kind::Zext | Kind::Sext => self.linear(self.terms.args(t)[0]).filter(|(_, k)| *k == 0),
            Kind::Bv(BvOp::Add) => {
                let args = self.terms.args(t);
                let k = self.constant(args[1])?;
                let (slot, more) = self.linear(args[0])?;
                Some((slot, more.checked_add(k)?))
            }
            _ => None,
        }
    }

    fn constant(&self, t: Term) -> Option<i64> {
        self.terms.as_bv(t)?.to_i64()
    }

    fn assigned(&mut self, v: VarId, t: Term) {
        self.tested(t);
        let Some(slot) = self.machine.slot(v) else { return };
        // The operands of choices, each of which may be assigned.
        let mut todo = vec![t];
        let mut left = 64;
        while let Some(t) = todo.pop() {
            left -= 1;
            match (self.terms.kind(t), self.linear(t)) {
                _ if left == 0 => return self.is_computed[slot as usize] = true,
                (Kind::Ite, _) => todo.extend(&self.terms.args(t)[1..]),
                (Kind::Const(_) | Kind::Bool(_), _) => {
                    self.constants.extend(self.constant(t).map(|k| (slot, k)));
                }
                (_, Some((from, 0))) => self.unite(slot, from),
                (_, Some((from, k))) => {
                    self.moves.push((slot, from, k));
                    self.sums.push((slot, vec![from]));
                }
                _ => {
                    let mut parts = Vec::new();
                    self.summands(t, &mut parts, 16);
                    self.sums.push((slot, parts));
                }
            }
        }
    }

    /// The slots that a sum adds.
    fn summands(&self, t: Term, into: &mut Vec<Slot>, depth: u32) {
        match self.terms.kind(t) {
            Kind::Bv(BvOp::Add | BvOp::Sub) if depth > 0 => {
                self.terms.args(t).iter().for_each(|a| self.summands(*a, into, depth - 1));
            }
            _ => into.extend(self.linear(t).map(|(slot, _)| slot)),
        }
    }

    /// Finds the comparisons in a term.
    fn tested(&mut self, t: Term) {
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if !self.seen.insert(t) {
                continue;
            }
            let args = self.terms.args(t);
            match self.terms.kind(t) {
                Kind::Eq if self.machine.remainders.refuted(self.terms, t).is_some() => {}
                Kind::Eq => self.compared(None, args[0], args[1]),
                Kind::Cmp(cmp) => self.compared(Some(cmp), args[0], args[1]),
                _ => {}
            }
            todo.extend(args);
        }
    }

    fn compared(&mut self, cmp: Option<BvCmp>, a: Term, b: Term) {
        match (self.linear(a), self.linear(b)) {
            (Some((x, 0)), Some((y, 0))) => self.unite(x, y),
            (Some((x, offset)), None) => {
                if let Some(k) = self.constant(b).and_then(|k| k.checked_sub(offset)) {
                    // x = k, x < k, x <= k
                    match cmp {
                        None => self.start(x, [Some(k), k.checked_add(1)]),
                        Some(BvCmp::Slt) => self.start(x, [Some(k), None]),
                        Some(BvCmp::Sle) => self.start(x, [k.checked_add(1), None]),
                        Some(BvCmp::Ult) => self.start(x, [Some(k), Some(0)]),
                        Some(BvCmp::Ule) => self.start(x, [k.checked_add(1), Some(0)]),
                    }
                }
            }
            (None, Some((y, offset))) => {
                if let Some(k) = self.constant(a).and_then(|k| k.checked_sub(offset)) {
                    // k = y, k < y, k <= y
                    match cmp {
                        None => self.start(y, [Some(k), k.checked_add(1)]),
                        Some(BvCmp::Slt) => self.start(y, [k.checked_add(1), None]),
                        Some(BvCmp::Sle) => self.start(y, [Some(k), None]),
                        Some(BvCmp::Ult) => self.start(y, [k.checked_add(1), Some(0)]),
                        Some(BvCmp::Ule) => self.start(y, [Some(k), Some(0)]),
                    }
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, slot: Slot, all: [Option<i64>; 2]) {
        let root = self.root(slot);
        self.starts[root as usize].extend(all.into_iter().flatten());
    }

    fn finish(mut self) -> Classes {
        let n = self.parents.len();
        let roots: Vec<Slot> = (0..n as Slot).map(|s| self.root(s)).collect();
        let tidy = |starts: &mut Vec<i64>| {
            starts.sort_unstable();
            starts.dedup();
        };
        self.starts.iter_mut().for_each(tidy);
        for _ in 0..ROUNDS {
            for (to, from, k) in self.moves.clone() {
                // A counter would move its classes to ever more numbers.
                if roots[to as usize] == roots[from as usize] {
                    continue;
                }
                let moved: Vec<i64> =
                    self.starts[roots[to as usize] as usize].iter().filter_map(|s| s.checked_sub(k)).collect();
                let starts = &mut self.starts[roots[from as usize] as usize];
                if starts.len() + moved.len() <= MAX_MOVED {
                    starts.extend(moved);
                    tidy(starts);
                }
            }
        }
        let mut windows: Vec<Option<Range>> = vec![None; n];
        let of_starts = self.starts.iter().enumerate().flat_map(|(root, all)| all.iter().map(move |s| (root, *s)));
        let of_constants = self.constants.iter().map(|(slot, k)| (roots[*slot as usize] as usize, *k));
        for (root, k) in of_starts.chain(of_constants) {
            let point = Range::point(k);
            windows[root] = Some(windows[root].map_or(point, |r| r.hull(point)));
        }
        let mut origins = vec![Values::Constants; n];
        for (to, parts) in &self.sums {
            let to = roots[*to as usize] as usize;
            let adds = parts.iter().any(|from| roots[*from as usize] as usize == to);
            origins[to] = origins[to].max(if adds { Values::Counts } else { Values::Computed });
        }
        for (_, root) in roots.iter().enumerate().filter(|(slot, _)| self.is_computed[*slot]) {
            origins[*root as usize] = Values::Computed;
        }
        Classes { starts: self.starts, group: roots, origins, windows }
    }
}
