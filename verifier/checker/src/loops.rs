//! Loop heads: the iterations of a loop are replaced by arbitrary values of what it writes, restricted by its invariants.
//!
//! A head represents the states that enter its loop, except that the variables written in the loop have arbitrary values that satisfy the
//! invariants. The check that each step back to the head leads to such a state is an implication between formulas with shared symbols:
//! for all values `s` of the symbols, if the guard of the returning state holds, then so do the guard of the entries and the invariants
//! in that state, and the variables that are not written have the values that they have at the head.
//!
//! Why this is sufficient: let the returning state have the values given by `s`. Let `s'` be `s`, except that the symbols that the head
//! introduced for written variables have the values of those variables in that state (and names of universal conditions have the truth
//! values of their conditions, see [`quantifiers`](crate::quantifiers)). The guard of the entries and the values of the other variables at
//! the head are older than these symbols, so they are the same under `s'` as under `s`. So the head contains this state, under `s'`: the
//! guard of the entries holds, the invariants hold for its values, and all variables agree. It does not matter on which path the state
//! came.
//!
//! With a window (k-induction), the symbols belong to the first assumed head, and `s'` gives them the values of the state `k - 1`
//! iterations before; [`k_induction`](crate::k_induction) contains the rest of the argument.

use crate::certificate::{ForAll, LoopLabel};
use crate::quantifiers::Universals;
use crate::state::{Locals, State, arbitrary};
use cfa::term::{Kind, Leaf};
use cfa::{Cfa, Term, Terms, VarId};
use imbl::Vector;
use imbl::ordmap::DiffItem;
use rustc_hash::{FxHashMap, FxHashSet};

/// The states that a loop head represents.
pub(crate) struct LoopHead<'a> {
    label: &'a LoopLabel,
    written: FxHashSet<VarId>,
    /// The guard under which there are states that enter the loop.
    entered: Term,
    /// Values at the head; those of written variables are ignored.
    globals: Locals,
    locals: Locals,
    saved: Vector<Locals>,
}

impl<'a> LoopHead<'a> {
    /// Enters a loop from `entries`, where variables that the invariants mention get values. Returns the head, its states, and the
    /// condition under which an entry violates the invariants.
    pub(crate) fn enter(
        cfa: &Cfa,
        terms: &mut Terms,
        universals: &mut Universals,
        label: &'a LoopLabel,
        entries: &mut State,
    ) -> (LoopHead<'a>, State, Term) {
        let entered = entries.guard;
        let holds = shown(cfa, terms, universals, label, entries);
        let violated = terms.not(holds);
        let condition = terms.and(entered, violated);
        let mut state = entries.clone();
        for v in &label.written {
            state.env.globals.remove(v);
            state.env.locals.remove(v);
        }
        let assumed = assumed(cfa, terms, universals, label, &mut state);
        state.guard = terms.and(entered, assumed);
        let head = LoopHead {
            label,
            written: label.written.iter().copied().collect(),
            entered,
            globals: state.env.globals.clone(),
            locals: state.env.locals.clone(),
            saved: state.saved.clone(),
        };
        (head, state, condition)
    }

    /// The condition under which a returning state is not one of the head's.
    pub(crate) fn outside(&self, cfa: &Cfa, terms: &mut Terms, universals: &mut Universals, back: &State) -> Term {
        let mut back = back.clone();
        let mut inside = shown(cfa, terms, universals, self.label, &mut back);
        let unwritten = |v: VarId| !self.written.contains(&v);
        let mut agree = |terms: &mut Terms, head: &Locals, back: &Locals, compared: &dyn Fn(VarId) -> bool| {
            for d in head.diff(back) {
                let (v, at_head, value) = match d {
                    // The value is arbitrary at the head.
                    DiffItem::Add(..) => continue,
                    DiffItem::Remove(v, t) => (*v, *t, None),
                    DiffItem::Update { old, new } => (*old.0, *old.1, Some(*new.1)),
                };
                if compared(v) {
                    let value = value.unwrap_or_else(|| arbitrary(cfa, terms, v));
                    let same = terms.eq(value, at_head);
                    inside = terms.and(inside, same);
                }
            }
        };
        agree(terms, &self.globals, &back.env.globals, &unwritten);
        agree(terms, &self.locals, &back.env.locals, &unwritten);
        let none = Locals::new();
        for i in 0..self.saved.len() {
            let at_head = &self.saved[self.saved.len() - 1 - i];
            agree(terms, at_head, back.frame(i).unwrap_or(&none), &|_| true);
        }
        if !implies(terms, back.guard, self.entered) {
            inside = terms.and(inside, self.entered);
        }
        let outside = terms.not(inside);
        terms.and(back.guard, outside)
    }
}

/// The loop's invariants in `state`, where variables without a value get one; for states in which the invariants are assumed.
pub(crate) fn assumed(
    cfa: &Cfa,
    terms: &mut Terms,
    universals: &mut Universals,
    label: &LoopLabel,
    state: &mut State,
) -> Term {
    let mut all = invariants(cfa, terms, label, state);
    for u in &label.universals {
        let index = universals.index(terms, terms.symbol(u.index).sort);
        let body = at_index(cfa, terms, state, u, index);
        let name = universals.name(terms, index, body);
        all = terms.and(all, name);
    }
    all
}

/// The loop's invariants in `state`, where variables without a value get one; for states in which the invariants are to be shown. For a
/// universal condition, one arbitrary value of its index is sufficient.
fn shown(cfa: &Cfa, terms: &mut Terms, universals: &mut Universals, label: &LoopLabel, state: &mut State) -> Term {
    let mut all = invariants(cfa, terms, label, state);
    for u in &label.universals {
        let any = universals.constant(terms, terms.symbol(u.index).sort);
        let body = at_index(cfa, terms, state, u, any);
        all = terms.and(all, body);
    }
    all
}

/// The invariants without quantifiers.
fn invariants(cfa: &Cfa, terms: &mut Terms, label: &LoopLabel, state: &mut State) -> Term {
    let mut all = terms.tt();
    for &t in &label.invariants {
        let here = state.env.eval(cfa, terms, t);
        all = terms.and(all, here);
    }
    all
}

/// The instance of a universal condition for one value of its index.
fn at_index(cfa: &Cfa, terms: &mut Terms, state: &mut State, of: &ForAll, index: Term) -> Term {
    terms.substitute(of.body, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
        Leaf::Var(v) => Some(state.env.value(cfa, terms, v)),
        Leaf::Sym(s) => (s == of.index).then_some(index),
        Leaf::Addr(_) => None,
    })
}

/// Whether the structure of the conjunctions and disjunctions of `t` shows that it implies `c`. `false` says nothing.
fn implies(terms: &Terms, t: Term, c: Term) -> bool {
    if terms.as_bool(c) == Some(true) {
        return true;
    }
    // Arguments have smaller ids than their users.
    let connective = |t: Term| matches!(terms.kind(t), Kind::And | Kind::Or);
    let mut known: FxHashMap<Term, bool> = FxHashMap::default();
    let mut within = FxHashSet::default();
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        if within.insert(t) && t != c && connective(t) {
            work.extend(terms.args(t));
        }
    }
    let mut order: Vec<Term> = within.into_iter().collect();
    order.sort_unstable();
    for t in order {
        let by_argument = |a: &Term| known.get(a).copied().unwrap_or(false);
        let implied = t == c
            || match terms.kind(t) {
                Kind::And => terms.args(t).iter().any(by_argument),
                Kind::Or => terms.args(t).iter().all(by_argument),
                _ => false,
            };
        known.insert(t, implied);
    }
    known[&t]
}
