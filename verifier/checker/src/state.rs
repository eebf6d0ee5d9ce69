//! Sets of states as terms: the states that a label describes, those to which paths lead, their join, and whether a label covers them.
//!
//! A state `(guard, values)` represents all concrete states that result from values of the symbols that satisfy `guard`. Variables
//! without a value are arbitrary.
//!
//! **Joins are exact.** Two states are joined by terms `ite(select, a, b)`, where `select` must distinguish them. States carry the
//! *origin* from which they descend, a labelled node or an earlier join, and where control branches without a condition, fresh choice
//! symbols separate the guards. So each valuation of the symbols takes at most one path through the unlabelled nodes after an origin, and
//! enters each of these nodes by at most one edge: the guards of states with the same origin that meet at a node exclude each other, and
//! one of the guards can be used to select. The guards of states of different origins need not exclude each other: there, a fresh symbol
//! selects, and the join is an origin of its own.

use crate::certificate::{Label, Successor};
use cfa::path::Env;
use cfa::term::{Kind, Known, Leaf, NewestSymbols};
use cfa::{Cfa, Sort, SymId, Term, Terms, VarId};
use imbl::ordmap::DiffItem;
use imbl::{OrdMap, Vector};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) type Locals = OrdMap<VarId, Term>;

/// A set of states under a call stack.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The condition on the symbols under which there is a state.
    pub(crate) guard: Term,
    /// What the guard says about addresses.
    pub(crate) known: Known,
    /// Values of global variables and of the running activation.
    pub(crate) env: Env,
    /// The locals of the callers, those of the direct caller last; missing ones are arbitrary.
    pub(crate) saved: Vector<Locals>,
    /// The guards of different states with the same origin exclude each other.
    pub(crate) origin: u32,
}

impl State {
    /// All states.
    pub(crate) fn any(terms: &mut Terms, origin: u32) -> State {
        State { guard: terms.tt(), known: Known::default(), env: Env::default(), saved: Vector::new(), origin }
    }

    /// The states of a label.
    pub(crate) fn of_label(label: &Label, terms: &mut Terms, origin: u32) -> State {
        State {
            guard: terms.and_all(label.constraints.iter().copied()),
            known: Known::default().and(terms, &label.constraints),
            env: label.env.clone(),
            saved: label.below.iter().rev().cloned().collect(),
            origin,
        }
    }

    /// The part of the state for which `conditions` hold. The terms that they decide have their values there.
    pub(crate) fn within(&self, terms: &mut Terms, conditions: &[Term]) -> State {
        let mut done: Vec<FxHashMap<Term, Term>> =
            conditions.iter().map(|c| FxHashMap::from_iter([decided(terms, *c)])).collect();
        let mut replaced = |t: &Term| done.iter_mut().fold(*t, |t, done| terms.substitute(t, done, &mut |_, _| None));
        let mut map = |values: &Locals| values.iter().map(|(v, t)| (*v, replaced(t))).collect::<Locals>();
        let env = Env { globals: map(&self.env.globals), locals: map(&self.env.locals) };
        let saved = self.saved.iter().map(map).collect();
        let guard = replaced(&self.guard);
        let guard = conditions.iter().fold(guard, |guard, c| terms.and(guard, *c));
        State { guard, known: self.known.clone(), env, saved, origin: self.origin }
    }

    /// Enters a function: its locals are arbitrary.
    pub(crate) fn push_frame(&mut self) {
        self.saved.push_back(std::mem::take(&mut self.env.locals));
    }

    /// Leaves a function: the caller's locals are restored.
    pub(crate) fn pop_frame(&mut self) {
        self.env.locals = self.saved.pop_back().unwrap_or_default();
    }

    /// The locals of the frame `i` below the running one, from 0.
    pub(crate) fn frame(&self, i: usize) -> Option<&Locals> {
        self.saved.len().checked_sub(i + 1).and_then(|at| self.saved.get(at))
    }
}

/// Joins states.
pub(crate) struct Joiner<'a> {
    pub(crate) cfa: &'a Cfa,
    /// The next unused origin.
    pub(crate) next_origin: u32,
}

impl Joiner<'_> {
    /// The union of `a` and `b`.
    pub(crate) fn join(&mut self, terms: &mut Terms, a: State, b: State) -> State {
        let (select, guard, origin) = if a.origin == b.origin {
            (selector(terms, a.guard, b.guard), terms.or(a.guard, b.guard), a.origin)
        } else {
            let select = terms.fresh("path", Sort::Bool);
            let origin = self.next_origin;
            self.next_origin += 1;
            (select, terms.ite(select, a.guard, b.guard), origin)
        };
        let env = Env {
            globals: self.join_values(terms, select, &a.env.globals, &b.env.globals),
            locals: self.join_values(terms, select, &a.env.locals, &b.env.locals),
        };
        let none = Locals::new();
        let depth = a.saved.len().max(b.saved.len());
        let saved = (0..depth)
            .rev()
            .map(|i| self.join_values(terms, select, a.frame(i).unwrap_or(&none), b.frame(i).unwrap_or(&none)))
            .collect();
        State { guard, known: a.known.or(&b.known), env, saved, origin }
    }

    fn join_values(&self, terms: &mut Terms, select: Term, a: &Locals, b: &Locals) -> Locals {
        let mut joined = b.clone();
        for d in a.diff(b) {
            let (v, x, y) = match d {
                DiffItem::Add(v, y) => (*v, None, Some(*y)),
                DiffItem::Remove(v, x) => (*v, Some(*x), None),
                DiffItem::Update { old, new } => (*old.0, Some(*old.1), Some(*new.1)),
            };
            let mut value = |t: Option<Term>| t.unwrap_or_else(|| arbitrary(self.cfa, terms, v));
            let (x, y) = (value(x), value(y));
            joined.insert(v, terms.ite(select, x, y));
        }
        joined
    }
}

/// A fresh symbol for the value of `v`.
pub(crate) fn arbitrary(cfa: &Cfa, terms: &mut Terms, v: VarId) -> Term {
    terms.fresh(&*cfa.vars[v].name, cfa.vars[v].sort)
}

/// Maximum number of parts of a guard that are examined to distinguish it from another.
const MAX_PARTS: usize = 64;

/// A condition that holds in `a` but not in `b`, which exclude each other: a part of `a` whose negation is a part of `b`; or `a` without
/// a part that it shares with `b`.
fn selector(terms: &Terms, a: Term, b: Term) -> Term {
    if terms.kind(a) == Kind::And && terms.kind(b) == Kind::And {
        let (a, b) = (terms.args(a), terms.args(b));
        if b.contains(&a[0]) {
            return a[1];
        }
        if b.contains(&a[1]) {
            return a[0];
        }
    }
    let of_b = parts(terms, b);
    let negation = |t: Term| (terms.kind(t) == Kind::Not).then(|| terms.args(t)[0]);
    let negated: FxHashSet<Term> = of_b.iter().filter_map(|t| negation(*t)).collect();
    let is_negated = |t: Term| negated.contains(&t) || negation(t).is_some_and(|u| of_b.contains(&u));
    parts(terms, a).into_iter().find(|t| is_negated(*t)).unwrap_or(a)
}

/// Terms whose conjunction is `t`; limited in number.
fn parts(terms: &Terms, t: Term) -> Vec<Term> {
    let (mut parts, mut at) = (vec![t], 0);
    while at < parts.len() {
        if terms.kind(parts[at]) == Kind::And && parts.len() < MAX_PARTS {
            let args = terms.args(parts[at]);
            parts[at] = args[0];
            parts.push(args[1]);
        } else {
            at += 1;
        }
    }
    parts
}

/// A witness in use.
struct Replacement<'a> {
    witness: &'a Witness,
    /// The oldest of its symbols: terms whose symbols are all older stay as they are.
    oldest: Option<SymId>,
    newest: &'a mut NewestSymbols,
    /// What was replaced.
    done: FxHashMap<Term, Term>,
}

impl<'a> Replacement<'a> {
    fn new(witness: &'a Witness, newest: &'a mut NewestSymbols) -> Replacement<'a> {
        Replacement { witness, oldest: witness.keys().min().copied(), newest, done: FxHashMap::default() }
    }

    /// Whether `t` certainly stays as it is.
    fn keeps(&mut self, terms: &Terms, t: Term) -> bool {
        self.oldest.is_none_or(|oldest| self.newest.of(terms, t).is_none_or(|newest| newest < oldest))
    }

    /// `t` with the terms of the witness for its symbols.
    fn of(&mut self, terms: &mut Terms, t: Term) -> Term {
        if self.keeps(terms, t) {
            return t;
        }
        let Replacement { witness, oldest, newest, done } = self;
        let stays = &mut |terms: &Terms, t: Term| newest.of(terms, t).is_none_or(|newest| Some(newest) < *oldest);
        let leaf = &mut |_: &mut Terms, leaf: Leaf| match leaf {
            Leaf::Sym(s) => witness.get(&s).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        };
        terms.substitute_except(t, done, leaf, stays)
    }
}

/// The condition under which a state of `state` is one that `label` does not describe. The proof obligation of the step is that it never
/// holds together with the guard of `state`.
///
/// The label's symbols are replaced by the terms of the witness. A symbol without a witness gets the value of the first variable whose
/// labelled value is just the symbol, possibly after the terms of the witness are put in, or is a memory with the symbol at its base or in its
/// writes; otherwise the symbol is kept. (Any choice is sound: the label holds for *some* values.)
pub(crate) fn outside(
    cfa: &Cfa,
    terms: &mut Terms,
    newest: &mut NewestSymbols,
    state: &State,
    label: &Label,
    step: Option<&Successor>,
) -> Term {
    let mut cover = Cover { cfa, differing: Vec::new() };
    cover.compare(terms, &state.env.globals, &label.env.globals);
    cover.compare(terms, &state.env.locals, &label.env.locals);
    let none = Locals::new();
    for (i, locals) in label.below.iter().enumerate() {
        cover.compare(terms, state.frame(i).unwrap_or(&none), locals);
    }
    let differing = cover.differing;
    let explicit: Witness = step.map_or(&[][..], |s| &s.witness).iter().copied().collect();
    let mut witness = explicit.clone();
    name_symbols(terms, &differing, &mut witness);
    if !explicit.is_empty() {
        // Where the witness decides a choice between symbols, one of these may be the whole value that is left.
        let mut chosen = Replacement::new(&explicit, newest);
        let chosen: Vec<(Term, Term)> = differing.iter().map(|&(value, t)| (value, chosen.of(terms, t))).collect();
        name_symbols(terms, &chosen, &mut witness);
    }
    witness.retain(|s, t| terms.kind(*t) != Kind::Sym(*s));
    let mut replaced = Replacement::new(&witness, newest);
    let mut inside = terms.tt();
    for (value, labelled) in differing {
        let labelled = replaced.of(terms, labelled);
        let same = terms.eq(value, labelled);
        inside = terms.and(inside, same);
    }
    if !witness.is_empty() {
        // Equal terms have equal values only if their symbols are not replaced.
        let mut agree = |terms: &mut Terms, values: &Locals, labelled: &Locals| {
            for (v, t) in labelled {
                if !replaced.keeps(terms, *t) && values.get(v) == Some(t) {
                    let labelled = replaced.of(terms, *t);
                    let same = terms.eq(*t, labelled);
                    inside = terms.and(inside, same);
                }
            }
        };
        agree(terms, &state.env.globals, &label.env.globals);
        agree(terms, &state.env.locals, &label.env.locals);
        for (i, locals) in label.below.iter().enumerate() {
            agree(terms, state.frame(i).unwrap_or(&none), locals);
        }
    }
    if !label.constraints.is_empty() {
        let known = conjuncts(terms, state.guard);
        for &c in &label.constraints {
            let c = replaced.of(terms, c);
            if !known.contains(&c) {
                inside = terms.and(inside, c);
            }
        }
    }
    terms.not(inside)
}

/// The comparison of a state with a label.
struct Cover<'a> {
    cfa: &'a Cfa,
    /// For variables with different terms in the state and in the label: both terms.
    differing: Vec<(Term, Term)>,
}

impl Cover<'_> {
    fn compare(&mut self, terms: &mut Terms, values: &Locals, labelled: &Locals) {
        for d in values.diff(labelled) {
            let (value, t) = match d {
                DiffItem::Remove(..) => continue,
                DiffItem::Add(v, t) => (arbitrary(self.cfa, terms, *v), *t),
                DiffItem::Update { old, new } => (*old.1, *new.1),
            };
            self.differing.push((value, t));
        }
    }
}

/// The term of which a condition says which value it has, and the value: of an equality with a constant, its first argument; of others, a
/// truth value.
pub fn decided(terms: &mut Terms, condition: Term) -> (Term, Term) {
    match (terms.kind(condition), terms.args(condition)) {
        (Kind::Not, &[t]) => (t, terms.ff()),
        (Kind::Eq, &[t, value]) if terms.as_bv(value).is_some() => (t, value),
        _ => (condition, terms.tt()),
    }
}

/// The terms that replace the symbols of a label.
pub type Witness = FxHashMap<SymId, Term>;

/// Adds to `witness` terms for symbols in labelled values, based on the pairs of a value and a labelled value that differ. A symbol that
/// is the whole labelled value becomes the value. In a memory, a symbol that is written becomes what is read there from the value, and a
/// symbol at the base becomes the memory (since writing what is read from a memory leaves the memory unchanged).
pub fn name_symbols(terms: &mut Terms, differing: &[(Term, Term)], witness: &mut Witness) {
    for &(value, labelled) in differing {
        if let Kind::Sym(s) = terms.kind(labelled) {
            witness.entry(s).or_insert(value);
        }
    }
    for &(mut value, mut labelled) in differing {
        loop {
            if let Some([below, address, written]) = as_write(terms, labelled) {
                let same = as_write(terms, value)
                    .filter(|[_, at, other]| *at == address && terms.sort(*other) == terms.sort(written));
                if let Kind::Sym(s) = terms.kind(written) {
                    let cells = match same {
                        Some([_, _, cells]) => cells,
                        None => terms.read(value, address, terms.width(written)),
                    };
                    witness.entry(s).or_insert(cells);
                }
                value = same.map_or(value, |[below, _, _]| below);
                labelled = below;
            } else if let Some((below, copied)) = as_copy(terms, labelled) {
                let same = as_copy(terms, value).filter(|(_, other)| *other == copied);
                value = same.map_or(value, |(below, _)| below);
                labelled = below;
            } else {
                break;
            }
        }
        if let Kind::Sym(s) = terms.kind(labelled) {
            witness.entry(s).or_insert(value);
        }
    }
}

/// The memory, address and value of a write.
fn as_write(terms: &Terms, t: Term) -> Option<[Term; 3]> {
    match (terms.kind(t), terms.args(t)) {
        (Kind::Write, &[memory, address, value]) => Some([memory, address, value]),
        _ => None,
    }
}

/// The memory that a copy changes, and what it copies: to which address, from which memory and address, how many bytes.
fn as_copy(terms: &Terms, t: Term) -> Option<(Term, [Term; 4])> {
    match (terms.kind(t), terms.args(t)) {
        (Kind::Copy, &[memory, to, source, from, bytes]) => Some((memory, [to, source, from, bytes])),
        _ => None,
    }
}

/// The conjuncts of `t`, including nested conjunctions.
pub(crate) fn conjuncts(terms: &Terms, t: Term) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        if found.insert(t) && terms.kind(t) == Kind::And {
            work.extend(terms.args(t));
        }
    }
    found
}
