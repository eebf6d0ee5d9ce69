//! What was assigned since the last location where paths meet, and the evaluation of terms.

use super::layout::{Layout, SlotId};
use super::{BddCpa, State};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smt::bits::circuits;
use smt::bits::graph::{Graph, Lit};
use std::rc::Rc;

/// The value of a variable that was assigned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// A function of the values before.
    Word(Rc<[Lit]>),
    /// Any value.
    Any,
    /// None that matters: the variable is dead.
    Dead,
}

/// The variables that were assigned, ascending, with their values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Store(Vec<(VarId, Value)>);

impl Store {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(VarId, Value)> {
        self.0.iter()
    }

    pub(super) fn get(&self, v: VarId) -> Option<&Value> {
        let i = self.0.binary_search_by_key(&v, |(own, _)| *own).ok()?;
        Some(&self.0[i].1)
    }

    pub(super) fn set(&mut self, v: VarId, value: Value) {
        match self.0.binary_search_by_key(&v, |(own, _)| *own) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (v, value)),
        }
    }

    pub(super) fn remove(&mut self, v: VarId) {
        if let Ok(i) = self.0.binary_search_by_key(&v, |(own, _)| *own) {
            self.0.remove(i);
        }
    }

    /// The slots on which the functions of variables with slots depend.
    pub(super) fn mentioned(&self, graph: &Graph, layout: &Layout) -> FixedBitSet {
        slots(graph, layout, self.words().filter(|(v, _)| layout.slot(*v).is_some()))
    }

    /// Whether a function depends on `slot`.
    pub(super) fn mentions(&self, graph: &Graph, layout: &Layout, slot: SlotId) -> bool {
        slots(graph, layout, self.words()).contains(slot as usize)
    }

    fn words(&self) -> impl Iterator<Item = (VarId, &[Lit])> {
        self.0.iter().filter_map(|(v, value)| match value {
            Value::Word(word) => Some((*v, &**word)),
            Value::Any | Value::Dead => None,
        })
    }
}

/// The slots on which words depend.
fn slots<'a>(graph: &Graph, layout: &Layout, words: impl Iterator<Item = (VarId, &'a [Lit])>) -> FixedBitSet {
    let mut slots = FixedBitSet::with_capacity(layout.slots.len());
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut open: Vec<u32> = words.flat_map(|(_, word)| word.iter().map(|l| l.gate())).collect();
    while let Some(gate) = open.pop() {
        if !seen.insert(gate) {
            continue;
        }
        match layout.bit_of.get(&gate) {
            Some(bit) => slots.insert(layout.slot_of[*bit as usize] as usize),
            None => open.extend(graph.args(gate).iter().map(|l| l.gate())),
        }
    }
    slots
}

/// Maximum width of a word.
const MAX_WIDTH: u32 = 128;

/// The value of `t` in `s`, a single bit for a Bool; `None` if it may be any.
pub(super) fn word(cpa: &mut BddCpa, terms: &Terms, s: &State, t: Term) -> Option<Rc<[Lit]>> {
    let mut of: FxHashMap<Term, Rc<[Lit]>> = FxHashMap::default();
    // Subterms come before the terms that they are part of.
    for t in terms.subterms(&[t], |_| false) {
        if matches!(terms.sort(t), Sort::Array { .. }) || matches!(terms.sort(t), Sort::Bv(w) if w > MAX_WIDTH) {
            continue;
        }
        let value = match terms.kind(t) {
            Kind::Var(v) => cpa.value(s, v),
            _ => {
                let args: Option<SmallVec<[Rc<[Lit]>; 3]>> = terms.args(t).iter().map(|a| of.get(a).cloned()).collect();
                match args {
                    Some(args) => {
                        let args: SmallVec<[&[Lit]; 3]> = args.iter().map(|a| &**a).collect();
                        circuits::operator(&mut cpa.graph, terms, t, &args).map(Rc::from)
                    }
                    None => decided_by_one(terms, t, &of),
                }
            }
        };
        if let Some(value) = value {
            of.insert(t, value);
        }
    }
    of.get(&t).cloned()
}

/// The value of a connective some of whose arguments may have any value, if the others decide it.
fn decided_by_one(terms: &Terms, t: Term, of: &FxHashMap<Term, Rc<[Lit]>>) -> Option<Rc<[Lit]>> {
    let args = terms.args(t);
    let is = |i: usize, l: Lit| of.get(&args[i]).is_some_and(|w| **w == [l]);
    match terms.kind(t) {
        Kind::And if is(0, Lit::FALSE) || is(1, Lit::FALSE) => Some([Lit::FALSE].into()),
        Kind::Or if is(0, Lit::TRUE) || is(1, Lit::TRUE) => Some([Lit::TRUE].into()),
        Kind::Ite if is(0, Lit::TRUE) => of.get(&args[1]).cloned(),
        Kind::Ite if is(0, Lit::FALSE) => of.get(&args[2]).cloned(),
        _ => None,
    }
}

/// What holds at least if `cond`, a Bool, has this truth value in `s`.
pub(super) fn holds(cpa: &mut BddCpa, terms: &Terms, s: &State, cond: Term, truth: bool) -> Lit {
    if let Some(word) = word(cpa, terms, s, cond) {
        return word[0].flip_if(!truth);
    }
    match (terms.kind(cond), terms.args(cond)) {
        (Kind::Not, &[a]) => holds(cpa, terms, s, a, !truth),
        (kind @ (Kind::And | Kind::Or), &[a, b]) => {
            let (a, b) = (holds(cpa, terms, s, a, truth), holds(cpa, terms, s, b, truth));
            if (kind == Kind::And) == truth { cpa.graph.and(a, b) } else { cpa.graph.or(a, b) }
        }
        _ => Lit::TRUE,
    }
}
