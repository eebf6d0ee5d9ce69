//! Candidates about all elements of an array between two indices. Nothing here affects soundness.
//!
//! A candidate has the form `for all q: lo <= q < hi implies body` (array segments: Gopan, Reps, Sagiv, POPL 2005; Halbwachs, Péron, PLDI
//! 2008; here from the program text). Most of what is needed about loops over arrays occurs in the program itself:
//!
//! * *bodies* are the conditions of the program on elements, and the values that it writes into elements, with the index as the
//!   quantified symbol;
//! * *ranges* are the indices that a counter has passed, those that it has not reached yet, and all indices that a loop visits.
//!
//! For a loop with the body `a[i] = 0; i = i + 1`, one of the candidates is `for all q: 0 <= q < i implies a[q] = 0`. Houdini keeps the
//! candidates that are inductive.

use crate::program::Program;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::{Kind, Leaf};
use cfa::{AssumeKind, LocId, Op, Scope, Sort, Term, Terms, VarId};
use checker::ForAll;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;

/// Maximum number of right-hand sides by which a variable is replaced.
const MAX_DEFINITIONS: usize = 6;
/// Maximum number of terms into which one term is expanded.
const MAX_VARIANTS: usize = 8;
/// Maximum number of replacements in one of these terms.
const MAX_EXPANSIONS: usize = 24;
/// Maximum number of subterms of one of these terms.
const MAX_TERMS: usize = 400;
/// Maximum number of conditions from which the ends of ranges are taken.
const MAX_CONDITIONS: usize = 400;
/// Maximum number of bodies at one loop head.
const MAX_BODIES: usize = 40;
/// Maximum number of ranges at one loop head.
const MAX_RANGES: usize = 16;

/// What the program does with elements of arrays, and how its counters run.
#[derive(Default)]
pub(crate) struct Elements {
    /// The right-hand sides of variables that are written only by assignments.
    definitions: FxHashMap<VarId, Vec<Term>>,
    /// The conditions of branches.
    conditions: Vec<Term>,
    /// The conditions on elements and their negations, and for each write, that the cell has the value written.
    facts: Vec<Term>,
    counters: Vec<Counter>,
    /// The quantified symbols, by width.
    indices: FxHashMap<u32, Term>,
}

/// A variable that is incremented or decremented by a constant.
struct Counter {
    /// The variable as a term.
    var: Term,
    /// The distance of a step; negative for a counter that counts down.
    step: i64,
    /// The other values that are assigned to it.
    starts: Vec<Term>,
}

/// A term with which a counter is compared.
#[derive(Clone, Copy)]
struct Bound {
    term: Term,
    /// Whether the comparison is signed; `None` for an equality.
    is_signed: Option<bool>,
    /// Whether the counter, if it counts up, also takes this value in the loop.
    included_upwards: bool,
    /// The same for a counter that counts down.
    included_downwards: bool,
}

/// One end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct End {
    term: Term,
    is_included: bool,
}

/// Indices between two ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Range {
    low: End,
    high: End,
    width: u32,
    is_signed: bool,
    /// The range contains every `stride`-th index, from `low` on; a power of two.
    stride: u64,
}

impl Elements {
    /// Collects the operations of the slice. After the deadline, no more conditions are looked at.
    pub(crate) fn new(program: &Program, terms: &mut Terms, deadline: Instant) -> Elements {
        let mut found = Elements::default();
        let mut arbitrary = FxHashSet::default();
        let mut writes = Vec::new();
        for l in program.view.reachable(&program.cfa) {
            for e in program.view.out(l) {
                match program.op(e) {
                    Op::Assign(list) => {
                        for &(v, t) in list.iter() {
                            match terms.sort(t) {
                                Sort::Array { .. } => writes.push((v, t)),
                                _ => found.definitions.entry(v).or_default().push(t),
                            }
                        }
                    }
                    Op::Assume { kind: AssumeKind::Guard, .. } => {}
                    Op::Assume { cond, .. } => found.conditions.push(*cond),
                    other => arbitrary.extend(other.written()),
                }
            }
        }
        if writes.is_empty() {
            return found;
        }
        found.definitions.retain(|v, _| !arbitrary.contains(v));
        for all in found.definitions.values_mut().chain([&mut found.conditions]) {
            all.sort_unstable();
            all.dedup();
        }
        found.count(terms);
        for t in found.conditions.clone() {
            if Instant::now() > deadline {
                break;
            }
            let all = found.expanded(terms, t, &|_| false);
            if all.iter().any(|t| !found.indexing(terms, *t).is_empty()) {
                let not = terms.not(t);
                found.facts.extend([t, not]);
            }
        }
        for (v, mut t) in writes {
            let memory = terms.var(v, terms.sort(t));
            while terms.kind(t) == Kind::Write {
                let [below, address, value] = *terms.args(t) else { unreachable!("write has three arguments") };
                let cell = terms.read(memory, address, terms.width(value));
                let fact = terms.eq(cell, value);
                found.facts.push(fact);
                t = below;
            }
        }
        found.facts.sort_unstable();
        found.facts.dedup();
        found
    }

    /// Candidates for the loop at `head`, which writes the variables in `written`.
    pub(crate) fn candidates(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        head: LocId,
        written: &[VarId],
    ) -> Vec<ForAll> {
        let live: FxHashSet<VarId> = live_variables(program, head).into_iter().collect();
        let written: FxHashSet<VarId> = written.iter().copied().collect();
        let bodies = self.bodies(terms, &live);
        let mut found = Vec::new();
        if bodies.is_empty() {
            return found;
        }
        let ranges = self.ranges(terms, &live);
        let mut seen = FxHashSet::default();
        for (index, body) in bodies {
            let width = terms.width(index);
            for range in ranges.iter().filter(|r| r.width == width) {
                let within = range.contains(terms, index);
                let candidate = terms.implies(within, body);
                let changes = terms.vars(candidate).iter().any(|v| written.contains(v));
                let Kind::Sym(symbol) = terms.kind(index) else { unreachable!("a symbol") };
                if changes && terms.as_bool(candidate).is_none() && seen.insert(candidate) {
                    found.push(ForAll { index: symbol, body: candidate });
                }
            }
        }
        found
    }

    /// Conditions on elements over an index and live variables, each with the index.
    fn bodies(&mut self, terms: &mut Terms, live: &FxHashSet<VarId>) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        for fact in self.facts.clone() {
            for t in self.expanded(terms, fact, &|v| live.contains(&v)) {
                let vars = terms.vars(t);
                for i in self.indexing(terms, t) {
                    let others_live = vars.iter().all(|v| terms.kind(i) == Kind::Var(*v) || live.contains(v));
                    if !others_live {
                        continue;
                    }
                    let width = terms.width(i);
                    let index = *self.indices.entry(width).or_insert_with(|| terms.fresh("q", Sort::Bv(width)));
                    let body = terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
                        Leaf::Var(v) => (terms.kind(i) == Kind::Var(v)).then_some(index),
                        _ => None,
                    });
                    if found.len() < MAX_BODIES && terms.as_bool(body).is_none() && seen.insert(body) {
                        found.push((index, body));
                    }
                }
            }
        }
        found
    }

    /// The ranges of indices that counters have passed, those that they have not reached yet, and those that they visit in total.
    fn ranges(&self, terms: &mut Terms, live: &FxHashSet<VarId>) -> Vec<Range> {
        let is_live = |v: VarId| live.contains(&v);
        let mut comparisons = Vec::new();
        for &t in self.conditions.iter().take(MAX_CONDITIONS) {
            comparisons.extend(self.expanded(terms, t, &is_live));
        }
        let here = |terms: &Terms, t: Term| terms.vars(t).into_iter().all(is_live);
        let mut found: Vec<Range> = Vec::new();
        // Counters that are live here are more informative than others.
        let (now, others): (Vec<&Counter>, Vec<&Counter>) = self.counters.iter().partition(|c| here(terms, c.var));
        for &Counter { var, step, ref starts } in now.into_iter().chain(others) {
            let bounds = bounds(terms, var, &comparisons);
            let is_signed = bounds.iter().find_map(|b| b.is_signed).unwrap_or(true);
            let up = step > 0;
            let (mut begins, mut ends) = (Vec::new(), Vec::new());
            if up {
                begins.push(End { term: terms.int(terms.width(var), 0), is_included: true });
            }
            for s in starts {
                let all = self.expanded(terms, *s, &is_live).into_iter().filter(|t| here(terms, *t));
                begins.extend(all.map(|term| End { term, is_included: true }));
                begins.dedup();
            }
            for b in bounds.iter().filter(|b| here(terms, b.term)) {
                let is_included = if up { b.included_upwards } else { b.included_downwards };
                let end = End { term: b.term, is_included };
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
            let now = here(terms, var).then_some(End { term: var, is_included: false });
            let ahead = now.map(|now| End { is_included: true, ..now });
            let pairs = begins.iter().flat_map(|s| now.iter().chain(&ends).map(move |e| (*s, *e)));
            let rest = ahead.iter().flat_map(|s| ends.iter().map(move |e| (*s, *e)));
            for (from, to) in pairs.chain(rest).collect::<Vec<_>>() {
                for &stride in strides(step.unsigned_abs()) {
                    let (low, high) = if up { (from, to) } else { (to, from) };
                    let range = Range { low, high, width: terms.width(var), is_signed, stride };
                    if from.term != to.term && !found.contains(&range) && found.len() < MAX_RANGES {
                        found.push(range);
                    }
                }
            }
        }
        found
    }

    /// The counters that occur in the addresses of reads in `t`, as terms.
    fn indexing(&self, terms: &Terms, t: Term) -> Vec<Term> {
        let reads = terms.subterms(&[t], |_| false).into_iter().filter(|u| terms.kind(*u) == Kind::Read);
        let addresses: Vec<Term> = reads.map(|u| terms.args(u)[1]).collect();
        let below = terms.subterms(&addresses, |u| matches!(terms.sort(u), Sort::Array { .. }));
        below.into_iter().filter(|u| self.counters.iter().any(|c| c.var == *u)).collect()
    }

    /// Finds the counters.
    fn count(&mut self, terms: &mut Terms) {
        let mut vars: Vec<VarId> = self.definitions.iter().filter(|(_, all)| all.len() > 1).map(|(v, _)| *v).collect();
        vars.sort_unstable();
        for v in vars {
            let sort = terms.sort(self.definitions[&v][0]);
            let Sort::Bv(2..=64) = sort else { continue };
            let var = terms.var(v, sort);
            let (mut steps, mut starts) = (Vec::new(), Vec::new());
            for t in self.definitions[&v].clone() {
                let from = self.simplified(terms, t);
                match terms.base_offset(from) {
                    (x, k) if x == var => steps.extend(k.to_i64().filter(|k| *k != 0)),
                    _ if !terms.vars(from).contains(&v) => starts.push(t),
                    _ => {}
                }
            }
            if let Some(&step) = steps.first() {
                self.counters.push(Counter { var, step, starts });
            }
        }
    }

    /// Replaces variables that have exactly one definition by it.
    fn simplified(&self, terms: &mut Terms, t: Term) -> Term {
        let mut t = t;
        for _ in 0..MAX_EXPANSIONS {
            let next = terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
                Leaf::Var(v) => self.definitions.get(&v).filter(|all| all.len() == 1).map(|all| all[0]),
                _ => None,
            });
            if next == t || !terms.is_small(next, MAX_TERMS) {
                break;
            }
            t = next;
        }
        t
    }

    /// Possible expansions of `t`, in which variables that need not be kept are replaced by what they were computed from.
    fn expanded(&self, terms: &mut Terms, t: Term, keep: &dyn Fn(VarId) -> bool) -> Vec<Term> {
        let mut work = vec![(t, 0)];
        let mut found = Vec::new();
        while let Some((t, times)) = work.pop() {
            let counts = |terms: &Terms, v: VarId| self.counters.iter().any(|c| terms.kind(c.var) == Kind::Var(v));
            let is_open = |v: &VarId| !keep(*v) && !counts(terms, *v) && self.definitions.contains_key(v);
            let Some(v) = terms.vars(t).into_iter().find(is_open).filter(|_| times < MAX_EXPANSIONS) else {
                found.push(t);
                continue;
            };
            let all = &self.definitions[&v];
            if all.len() > MAX_DEFINITIONS || work.len() + found.len() + all.len() > MAX_VARIANTS {
                continue;
            }
            for &definition in all {
                let next = terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| {
                    (leaf == Leaf::Var(v)).then_some(definition)
                });
                if terms.is_small(next, MAX_TERMS) {
                    work.push((next, times + 1));
                }
            }
        }
        found
    }
}

impl Range {
    /// The condition that `index` is in the range.
    fn contains(&self, terms: &mut Terms, index: Term) -> Term {
        let cmp = |is_included: bool| match (self.is_signed, is_included) {
            (true, true) => BvCmp::Sle,
            (true, false) => BvCmp::Slt,
            (false, true) => BvCmp::Ule,
            (false, false) => BvCmp::Ult,
        };
        let above = terms.cmp(cmp(self.low.is_included), self.low.term, index);
        let below = terms.cmp(cmp(self.high.is_included), index, self.high.term);
        let mut within = terms.and(above, below);
        if self.stride > 1 {
            let from_low = terms.sub(index, self.low.term);
            let mask = terms.int(self.width, self.stride - 1);
            let rest = terms.bv_op(BvOp::And, from_low, mask);
            let zero = terms.int(self.width, 0);
            let aligned = terms.eq(rest, zero);
            within = terms.and(within, aligned);
        }
        within
    }
}

/// The possible strides of a range that is bounded by a counter with steps of this size: all indices, or only those that the counter
/// takes.
fn strides(step: u64) -> &'static [u64] {
    match step {
        2 => &[1, 2],
        4 => &[1, 4],
        8 => &[1, 8],
        _ => &[1],
    }
}

/// The terms with which `x` is compared.
fn bounds(terms: &mut Terms, x: Term, comparisons: &[Term]) -> Vec<Bound> {
    let mut found = Vec::new();
    for &t in comparisons {
        let t = if terms.kind(t) == Kind::Not { terms.args(t)[0] } else { t };
        let (kind, &[a, b]) = (terms.kind(t), terms.args(t)) else { continue };
        let is_signed = match kind {
            Kind::Cmp(cmp) => Some(matches!(cmp, BvCmp::Slt | BvCmp::Sle)),
            Kind::Eq if matches!(terms.sort(a), Sort::Bv(_)) => None,
            _ => continue,
        };
        let Some((term, is_left)) = against(terms, x, a, b) else { continue };
        if terms.subterms(&[term], |_| false).iter().any(|u| *u == x || terms.kind(*u) == Kind::Read) {
            continue;
        }
        let (included_upwards, included_downwards) = match kind {
            Kind::Cmp(cmp) => {
                // The comparison is x < t, or its negation, t <= x.
                let is_strict = matches!(cmp, BvCmp::Slt | BvCmp::Ult);
                (is_left != is_strict, is_left == is_strict)
            }
            _ => (false, false),
        };
        found.push(Bound { term, is_signed, included_upwards, included_downwards });
    }
    found
}

/// If `x` is compared in `a` against `b`: the other term, in the width of `x`, and whether `x` is on the left.
fn against(terms: &mut Terms, x: Term, a: Term, b: Term) -> Option<(Term, bool)> {
    let is_x = |t: Term| t == x || (matches!(terms.kind(t), Kind::Sext | Kind::Zext) && terms.args(t)[0] == x);
    let (other, is_left) = match () {
        () if is_x(a) => (b, true),
        () if is_x(b) => (a, false),
        () => return None,
    };
    let width = terms.width(x);
    let same = if terms.width(other) > width { terms.extract(width - 1, 0, other) } else { other };
    Some((same, is_left))
}

/// The variables, including memories, that are live and visible at `head`.
pub(crate) fn live_variables(program: &Program, head: LocId) -> Vec<VarId> {
    let func = program.cfa.locs[head].func;
    let here = |v: VarId| match program.cfa.vars[v].scope {
        Scope::Global => true,
        Scope::Local(f) => f == func,
    };
    program.cfa.vars.ids().filter(|v| here(*v) && program.liveness.is_live(head, *v)).collect()
}
