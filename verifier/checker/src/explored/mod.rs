//! The check of a proof by exploration: sets of states at cut points, each closed under the runs to the next cut points.
//!
//! A state of the slice (location, call stack, values) is *in* a set if its location and stack are those of the set, and some row of the
//! set has all of its values. The check executes the view from each row, with ranges of values, up to the next cut points: each state to
//! which a run leads has to be in a set there, and no run may reach a target or a construct without a model. Runs from the program's
//! entry begin with any values. By induction along an execution of the slice, each of its states at a cut point is in a set, and none
//! between them is at a target.
//!
//! Where ranges do not decide a condition, both sides are executed, each with what the condition says of a variable that is compared with
//! a constant. Where an assignment or an input yields a range, it is split into parts, which are executed one after the other. Both are
//! case distinctions, whatever the certificate says about splits.
//!
//! Beside ranges, the low bits are known that a variable has whatever happens (`remainders`): it is never equal to a number with others.
//!
//! Locals have one value each. So a run that calls an active function is rejected; and since locals have arbitrary values when a function
//! is entered, those get any that may be read before they are written.
//!
//! Reading order: this file (the runs), `value` (terms), `rows` (sets), `simple` and `guards` (what makes runs fast).

mod guards;
mod remainders;
mod rows;
mod simple;
mod unset;
mod value;

use crate::certificate::{Certificate, Explored, Frame, FrameId};
use crate::check::{CheckError, Statistics};
use cfa::bv::BvCmp;
use cfa::decision_table::Tables;
use cfa::term::Kind;
use cfa::view::View;
use cfa::{Cfa, FuncId, Id, InputKind, LocId, Op, Range, Term, Terms, VarId};
use guards::Guards;
pub use remainders::Remainders;
use rows::Rows;
use rustc_hash::{FxHashMap, FxHashSet};
use simple::Simple;
use std::time::Instant;
use unset::unset;
use value::Expressions;

/// Maximum number of steps from one row.
const MAX_STEPS: u64 = 1 << 30;
/// Number of steps between two looks at the clock.
const PATIENCE: u64 = 1 << 14;
/// Number of steps for each location from which on there are decision tables: they are worth it for many runs only.
const TABLES_FROM: u64 = 16;

/// Checks that the sets of `explored` contain every state of the view at their cut points, and that no target is reached.
///
/// Errors: [`CheckError::Rejected`] if a run leads outside the sets or to a target; [`CheckError::Undecided`] if time is over.
pub(crate) fn check_explored(
    cfa: &Cfa,
    view: &View,
    cert: &Certificate,
    explored: &Explored,
    deadline: Option<Instant>,
    statistics: &mut Statistics,
) -> Result<(), CheckError> {
    let mut runs = Runs::new(cfa, view, cert, explored, deadline)?;
    runs.from(view.rep(cfa.funcs[cfa.entry].entry), None, std::iter::empty())?;
    for (set, stack) in explored.sets.iter().zip(runs.stacks.clone()) {
        for row in set.each_row() {
            statistics.nodes += 1;
            let values = set.vars.iter().zip(&set.ranges).zip(row).map(|((v, all), i)| (*v, all[usize::from(*i)]));
            runs.from(set.loc, stack, values)?;
        }
    }
    statistics.steps += runs.steps as usize;
    Ok(())
}

/// A state that is still to be executed.
struct Alternative {
    loc: LocId,
    stack: Option<FrameId>,
    /// What a variable is known to be.
    set: Option<(VarId, Range)>,
    /// The length of the trail to which values are restored.
    trail: usize,
}

/// The runs of the view.
struct Runs<'a> {
    cfa: &'a Cfa,
    view: &'a View,
    terms: &'a Terms,
    expressions: Expressions,
    targets: FxHashSet<LocId>,
    /// For each location, what it does, and whether a set or a target is there.
    simple: Vec<(Simple, bool)>,
    /// For each variable, whether it is read by one test only, so that this need not be assigned where the test is decided.
    is_temporary: Vec<bool>,
    /// The decision tables, once there are any.
    tables: Option<Tables>,
    remainders: Remainders,
    /// For each function, its locals that may be read before they are written.
    unset: Vec<Vec<VarId>>,
    /// Any value of each variable; `None` for those whose values are not tracked.
    any: Vec<Option<Range>>,
    /// Where ranges of each variable are split.
    splits: Vec<&'a [i64]>,
    sets: FxHashMap<(LocId, Option<FrameId>), Rows<'a>>,
    /// The stack of each set.
    stacks: Vec<Option<FrameId>>,
    frames: Vec<Frame>,
    frame_ids: FxHashMap<(LocId, Option<FrameId>), FrameId>,
    values: Vec<Range>,
    trail: Vec<(VarId, Range)>,
    open: Vec<Alternative>,
    deadline: Option<Instant>,
    steps: u64,
    /// The number of steps at which the runs from a row are given up.
    limit: u64,
}

fn rejected<T>(why: String) -> Result<T, CheckError> {
    Err(CheckError::Rejected(why))
}

impl<'a> Runs<'a> {
    fn new(
        cfa: &'a Cfa,
        view: &'a View,
        cert: &Certificate,
        explored: &'a Explored,
        deadline: Option<Instant>,
    ) -> Result<Runs<'a>, CheckError> {
        let any: Vec<Option<Range>> = cfa.vars.iter().map(|v| Range::of_sort(v.sort)).collect();
        let mut expressions = Expressions::default();
        let remainders = Remainders::new(cfa, view);
        let simple = |l| (Simple::of(cfa, view, (&any, &mut expressions, &remainders), l), false);
        let simple: Vec<(Simple, bool)> = cfa.locs.ids().map(simple).collect();
        let mut runs = Runs {
            expressions,
            cfa,
            view,
            terms: &cfa.terms,
            targets: cfa.targets.iter().map(|l| view.rep(*l)).collect(),
            simple,
            is_temporary: guards::temporaries(cfa, view, explored.sets.iter().flat_map(|set| set.vars.iter().copied())),
            tables: None,
            remainders,
            unset: unset(cfa, view),
            values: any.iter().map(|r| r.unwrap_or(Range::TRUTH)).collect(),
            any,
            splits: vec![&[]; cfa.vars.len()],
            sets: FxHashMap::default(),
            stacks: Vec::new(),
            frames: Vec::new(),
            frame_ids: FxHashMap::default(),
            trail: Vec::new(),
            open: Vec::new(),
            deadline,
            steps: 0,
            limit: 0,
        };
        for (v, at) in &explored.splits {
            if v.index() >= cfa.vars.len() || !at.is_sorted() {
                return rejected(format!("{v} is split at numbers that are not ascending"));
            }
            runs.splits[v.index()] = at;
        }
        let mut numbers: Vec<FrameId> = Vec::new();
        for (i, f) in cert.frames.iter().enumerate() {
            let below = match f.below {
                Some(below) if (below as usize) < i => Some(numbers[below as usize]),
                Some(below) => return rejected(format!("frame {i} is above frame {below}, which comes later")),
                None => None,
            };
            numbers.push(runs.push(f.return_to, below));
        }
        for (i, set) in explored.sets.iter().enumerate() {
            let rows = Rows::new(&runs.any, set).or_else(|why| rejected(format!("set {i} {why}")))?;
            let stack = match set.stack.map(|f| numbers.get(f as usize)) {
                Some(None) => return rejected(format!("set {i} is under a frame that does not exist")),
                Some(Some(f)) => Some(*f),
                None => None,
            };
            if view.rep(set.loc) != set.loc {
                return rejected(format!("set {i} is at {}, which is not in the view", set.loc));
            }
            runs.stacks.push(stack);
            if runs.sets.insert((set.loc, stack), rows).is_some() {
                return rejected(format!("set {i} is where another one is"));
            }
        }
        let marked = runs.sets.keys().map(|(loc, _)| loc).chain(&runs.targets);
        marked.for_each(|loc| runs.simple[loc.index()].1 = true);
        Ok(runs)
    }

    fn push(&mut self, return_to: LocId, below: Option<FrameId>) -> FrameId {
        let next = self.frames.len() as FrameId;
        let id = *self.frame_ids.entry((return_to, below)).or_insert(next);
        if id == next {
            self.frames.push(Frame { return_to, below });
        }
        id
    }

    /// Executes everything from a state to the next sets.
    fn from(
        &mut self,
        loc: LocId,
        stack: Option<FrameId>,
        known: impl Iterator<Item = (VarId, Range)>,
    ) -> Result<(), CheckError> {
        // What the state says is the beginning of the trail, so that in the end all variables have any value again.
        for (v, r) in known {
            self.set(v, r);
        }
        if self.tables.is_none() && self.steps >= TABLES_FROM * self.cfa.locs.len() as u64 {
            let Runs { simple, expressions, splits, any, is_temporary, .. } = &*self;
            let guards = Guards { simple, expressions, splits, any, is_temporary };
            self.tables = Some(Tables::new(&guards, simple.len()));
        }
        self.limit = self.steps + MAX_STEPS;
        // The state itself is in a set; what follows has to be.
        self.leave(loc, stack)?;
        while let Some(next) = self.open.pop() {
            self.restore(next.trail);
            if let Some((v, r)) = next.set {
                self.set(v, r);
            }
            self.arrive(next.loc, next.stack)?;
            self.steps += 1;
            if self.steps.is_multiple_of(PATIENCE) {
                self.check_time()?;
            }
        }
        self.restore(0);
        Ok(())
    }

    /// Gives variables the values that they had when the trail had the length `n`.
    fn restore(&mut self, n: usize) {
        for (v, before) in self.trail.drain(n..).rev() {
            self.values[v.index()] = before;
        }
    }

    /// Errors: `Undecided` if time is over, or if runs from one row do not end.
    fn check_time(&self) -> Result<(), CheckError> {
        if self.steps > self.limit {
            return Err(CheckError::Undecided("too many steps between two sets".into()));
        }
        match self.deadline.is_some_and(|d| Instant::now() >= d) {
            true => Err(CheckError::Undecided("out of time".into())),
            false => Ok(()),
        }
    }

    /// Whether a range is split where `v` gets it.
    fn is_split(&self, v: VarId, r: Range) -> bool {
        let starts = self.splits[v.index()];
        r.lo != r.hi && starts.partition_point(|s| *s <= r.lo) != starts.partition_point(|s| *s <= r.hi)
    }

    fn set(&mut self, v: VarId, r: Range) {
        let value = &mut self.values[v.index()];
        if *value != r {
            self.trail.push((v, *value));
            *value = r;
        }
    }

    fn later(&mut self, loc: LocId, stack: Option<FrameId>, set: Option<(VarId, Range)>) {
        self.open.push(Alternative { loc, stack, set, trail: self.trail.len() });
    }

    /// Where a run gets to from a test by guards that do not hold.
    #[inline]
    fn passed(&mut self, loc: LocId) -> LocId {
        let Runs { simple, expressions, splits, any, is_temporary, tables, values, .. } = self;
        match tables {
            Some(tables) if tables.begins_at(loc.0) => {
                LocId(tables.descend(&Guards { simple, expressions, splits, any, is_temporary }, values, loc.0))
            }
            _ => loc,
        }
    }

    /// Continues from a state that a run reaches, as long as there is one successor by simple steps.
    fn arrive(&mut self, mut loc: LocId, stack: Option<FrameId>) -> Result<(), CheckError> {
        while let (simple, false) = self.simple[loc.index()] {
            let passed = self.passed(loc);
            loc = match simple {
                _ if passed != loc => passed,
                Simple::Constant(v, k, to) => {
                    self.set(v, Range::point(k));
                    to
                }
                Simple::Copy(v, from, to) => {
                    let r = self.values[from.index()];
                    if self.is_split(v, r) {
                        break;
                    }
                    self.set(v, r);
                    to
                }
                Simple::Assign(v, e, to) => {
                    let r = self.expressions.value(&|v: VarId| self.values[v.index()], e);
                    if self.is_split(v, r) {
                        break;
                    }
                    self.set(v, r);
                    to
                }
                Simple::Equals(v, k, [yes, no]) => match self.values[v.index()] {
                    r if k < r.lo || r.hi < k => no,
                    r if r.lo == r.hi => yes,
                    _ => break,
                },
                Simple::Never(no) => no,
                Simple::Less(v, k, [yes, no]) => match self.values[v.index()] {
                    r if r.hi < k => yes,
                    r if k <= r.lo => no,
                    _ => break,
                },
                Simple::Test(e, _, [yes, no]) => {
                    match self.expressions.value(&|v: VarId| self.values[v.index()], e).as_truth() {
                        Some(true) => yes,
                        Some(false) => no,
                        None => break,
                    }
                }
                Simple::No => break,
            };
            self.steps += 1;
            if self.steps.is_multiple_of(PATIENCE) {
                self.check_time()?;
            }
        }
        let Some(rows) = self.sets.get(&(loc, stack)) else { return self.leave(loc, stack) };
        if rows.cover(&self.values) {
            return Ok(());
        }
        // Several rows together may have all values of a variable, such as one that has any value from the entry on.
        match rows.vars().iter().find(|v| self.is_split(**v, self.values[v.index()])) {
            Some(v) => self.split(*v, self.values[v.index()], loc, stack),
            None => return rejected(format!("a run leads outside the set at {loc} ({})", self.place(loc))),
        }
        Ok(())
    }

    fn place(&self, loc: LocId) -> String {
        let edge = self.view.out(loc).first();
        edge.map_or_else(|| "the end of a function".into(), |e| self.cfa.place(self.cfa.edges[e.edge].span).to_string())
    }

    /// Takes all steps from a state. Those that remain for later have the values of now, or of the trail.
    fn leave(&mut self, loc: LocId, stack: Option<FrameId>) -> Result<(), CheckError> {
        if self.targets.contains(&loc) {
            return rejected(format!("a run reaches the target at {loc}"));
        }
        let func = self.cfa.locs[loc].func;
        if loc == self.view.rep(self.cfa.funcs[func].exit)
            && let Some(f) = stack
        {
            let Frame { return_to, below } = self.frames[f as usize];
            self.later(return_to, below, None);
        }
        let view = self.view;
        // Alternatives begin with the values of now; so an edge that changes values may only be the last one.
        for e in view.out(loc) {
            let before = self.trail.len();
            match view.op(self.cfa, e) {
                Op::Skip => self.later(e.to, stack, None),
                Op::Assume { cond, .. } => self.assume(*cond, e.to, stack),
                Op::Call(f) => self.call(*f, e.to, stack)?,
                Op::Assign(list) => self.assign(list, e.to, stack),
                Op::Input { var, kind } => match self.any[var.index()] {
                    // What is not initialised is hardly ever read.
                    Some(any) if *kind == InputKind::Uninitialised => self.later(e.to, stack, Some((*var, any))),
                    Some(any) => self.split(*var, any, e.to, stack),
                    None => self.later(e.to, stack, None),
                },
                Op::CallIndirect(_) | Op::Unsupported(_) => {
                    return rejected(format!("a run reaches a construct without a model at {loc}"));
                }
            }
            if self.trail.len() != before && view.out(loc).len() > 1 {
                return rejected(format!("{loc} has several successors, not all by conditions"));
            }
        }
        Ok(())
    }

    /// Several parts of a range as values of a variable.
    fn split(&mut self, v: VarId, r: Range, to: LocId, stack: Option<FrameId>) {
        let starts = self.splits[v.index()];
        let first = starts.partition_point(|s| *s <= r.lo);
        let end = starts.partition_point(|s| *s <= r.hi);
        let mut lo = r.lo;
        for start in &starts[first..end] {
            // Numbers may be repeated; then there is nothing between them.
            if lo < *start {
                self.later(to, stack, Some((v, Range { lo, hi: start - 1 })));
                lo = *start;
            }
        }
        self.later(to, stack, Some((v, Range { lo, hi: r.hi })));
    }

    fn assign(&mut self, list: &[(VarId, Term)], to: LocId, stack: Option<FrameId>) {
        let mut all: Vec<(VarId, Range)> = Vec::with_capacity(list.len());
        for (v, t) in list {
            if self.any[v.index()].is_some() {
                all.push((*v, self.value_of(*t)));
            }
        }
        match all[..] {
            [] => self.later(to, stack, None),
            [(v, r)] if r.lo != r.hi => self.split(v, r, to, stack),
            [(v, r)] => self.later(to, stack, Some((v, r))),
            _ => {
                for (v, r) in all {
                    self.set(v, r);
                }
                self.later(to, stack, None);
            }
        }
    }

    fn call(&mut self, f: FuncId, back: LocId, stack: Option<FrameId>) -> Result<(), CheckError> {
        let mut at = Some(self.push(back, stack));
        let stack = at;
        while let Some(frame) = at {
            let Frame { return_to, below } = self.frames[frame as usize];
            if self.cfa.locs[return_to].func == f {
                return rejected(format!("a run calls {}, which is active", self.cfa.funcs[f].name));
            }
            at = below;
        }
        for i in 0..self.unset[f.index()].len() {
            let v = self.unset[f.index()][i];
            if let Some(any) = self.any[v.index()] {
                self.set(v, any);
            }
        }
        self.later(self.view.rep(self.cfa.funcs[f].entry), stack, None);
        Ok(())
    }

    /// A condition, with what it says of a variable that it compares with a constant.
    fn assume(&mut self, cond: Term, to: LocId, stack: Option<FrameId>) {
        match self.value_of(cond).as_point() {
            Some(0) => {}
            Some(_) => self.later(to, stack, None),
            None => {
                let (atom, holds) = match self.terms.kind(cond) {
                    Kind::Not => (self.terms.args(cond)[0], false),
                    _ => (cond, true),
                };
                match self.said(atom, holds) {
                    // The equality that does not hold says nothing more of the variable.
                    _ if self.remainders.refuted(self.terms, atom).is_some() => {
                        if !holds {
                            self.later(to, stack, None);
                        }
                    }
                    Some((v, parts)) => {
                        for r in parts.into_iter().flatten() {
                            self.later(to, stack, Some((v, r)));
                        }
                    }
                    None => self.later(to, stack, None),
                }
            }
        }
    }

    /// The value of a term whose sort has ranges.
    fn value_of(&mut self, t: Term) -> Range {
        let e = self.expressions.of(self.terms, t);
        self.expressions.value(&|v: VarId| self.values[v.index()], e)
    }

    /// What a comparison of a variable with a constant says of the variable, if it holds or not: at most two ranges.
    fn said(&self, atom: Term, holds: bool) -> Option<(VarId, [Option<Range>; 2])> {
        let var = |t: Term| match self.terms.kind(t) {
            Kind::Var(v) if self.any[v.index()].is_some() => Some(v),
            _ => None,
        };
        let constant = |t: Term| self.terms.as_bv(t).and_then(|k| k.to_i64());
        let up_to = |r: Range, k: Option<i64>| k.filter(|k| r.lo <= *k).map(|k| Range { lo: r.lo, hi: r.hi.min(k) });
        let from = |r: Range, k: Option<i64>| k.filter(|k| *k <= r.hi).map(|k| Range { lo: r.lo.max(k), hi: r.hi });
        let kind = self.terms.kind(atom);
        let &[a, b] = self.terms.args(atom) else { return None };
        match kind {
            Kind::Eq => {
                let (v, k) = (var(a)?, constant(b)?);
                let r = self.values[v.index()];
                Some(match holds {
                    true => (v, [r.intersect(Range::point(k)), None]),
                    false => (v, [up_to(r, k.checked_sub(1)), from(r, k.checked_add(1))]),
                })
            }
            Kind::Cmp(cmp @ (BvCmp::Slt | BvCmp::Sle)) => {
                let strict = cmp == BvCmp::Slt;
                let (v, part) = match (var(a), constant(b), constant(a), var(b)) {
                    // v < k, v <= k
                    (Some(v), Some(k), ..) => {
                        let r = self.values[v.index()];
                        let last = if strict { k.checked_sub(1) } else { Some(k) };
                        let first = if strict { Some(k) } else { k.checked_add(1) };
                        (v, if holds { up_to(r, last) } else { from(r, first) })
                    }
                    // k < v, k <= v
                    (_, _, Some(k), Some(v)) => {
                        let r = self.values[v.index()];
                        let first = if strict { k.checked_add(1) } else { Some(k) };
                        let last = if strict { Some(k) } else { k.checked_sub(1) };
                        (v, if holds { from(r, first) } else { up_to(r, last) })
                    }
                    _ => return None,
                };
                Some((v, [part, None]))
            }
            _ => None,
        }
    }
}
