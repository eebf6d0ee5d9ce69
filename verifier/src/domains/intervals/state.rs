//! What is known about the variables: values and definitions. A definition is a term over other variables that a variable equals
//! [Dangl 2013, 3.2.1.2].
//!
//! A definition is resolved when it is made, so it only mentions variables that have no definition themselves. If a variable that it
//! mentions is overwritten or dies, it is replaced by another variable that equals it, or `v := v + k` is undone in the definition;
//! otherwise the definition is forgotten, and only the value stays.

use crate::cpa::Beyond;
use crate::domains::intervals::eval::Evaluator;
use crate::domains::intervals::relations::{Orders, Relations};
use crate::domains::intervals::slots::{Slot, Slots};
use crate::domains::intervals::value::Value;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::{Kind, Leaf};
use cfa::{FuncId, LocId, Sort, Term, Terms, VarId};
use imbl::OrdMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of terms in a definition.
const MAX_TERMS: usize = 24;

/// What is known about the variables at a location.
///
/// Locals of callers are stored together with those of the running function. If a function is active several times, its locals are those
/// of the newest activation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Where control is.
    pub at: LocId,
    /// The functions of the call stack.
    pub frames: Rc<Frames>,
    /// Known values. Variables that are not in the map may have any value.
    pub(super) values: OrdMap<VarId, Value>,
    /// Terms that variables equal.
    pub(super) definitions: OrdMap<VarId, Term>,
    /// How variables compare.
    pub(super) relations: Relations,
    /// Known cells of memories.
    pub(super) slots: Slots,
}

/// The functions of a call stack.
#[derive(PartialEq, Eq, Debug)]
pub struct Frames {
    /// The running function.
    pub func: FuncId,
    /// The functions that called it.
    pub below: Option<Rc<Frames>>,
}

impl State {
    /// A state at `at` of `func` in which nothing is known.
    pub fn new(at: LocId, func: FuncId) -> State {
        let frames = Rc::new(Frames { func, below: None });
        State {
            at,
            frames,
            values: OrdMap::new(),
            definitions: OrdMap::new(),
            relations: Relations::default(),
            slots: Slots::default(),
        }
    }

    /// The value of `v`, a variable of at most 64 bits.
    pub fn value(&self, terms: &Terms, v: VarId, width: u32) -> Value {
        Evaluator::new(terms, self).variable(v, width)
    }

    /// The variable whose value `t` is, if it is a variable of at most 64 bits: the one that defines it, if one does.
    pub(super) fn variable(&self, terms: &Terms, t: Term) -> Option<VarId> {
        let Kind::Var(v) = terms.kind(t) else { return None };
        let definition = self.definitions.get(&v).map(|t| terms.kind(*t));
        Some(if let Some(Kind::Var(of)) = definition { of } else { v })
    }

    /// The possible orders of the numbers `a` and `b`, by the relations of variables.
    pub(super) fn orders(&self, terms: &Terms, a: Term, b: Term) -> Orders {
        if self.relations.is_empty() {
            return Orders::ANY;
        }
        match (self.variable(terms, a), self.variable(terms, b)) {
            (Some(a), Some(b)) => self.relations.orders(a, b),
            _ => Orders::ANY,
        }
    }

    /// The possible orders of two variables of `width` bits: by their relation, and by their values.
    fn orders_of(&self, terms: &Terms, (a, b): (VarId, VarId), width: u32) -> Orders {
        let representative = |v: VarId| match self.definitions.get(&v).map(|t| terms.kind(*t)) {
            Some(Kind::Var(of)) => of,
            _ => v,
        };
        let known = self.relations.orders(representative(a), representative(b));
        let [x, y] = [a, b].map(|v| self.value(terms, v, width));
        let compared = [BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle].into_iter().filter_map(|cmp| {
            let truth = Value::compare(cmp, &x, &y).as_bool()?;
            Some(Orders::of(cmp, truth))
        });
        compared.fold(known, Orders::intersect)
    }

    /// Assumes that the variables whose values `a` and `b` are stand in these orders; `false` if that is impossible.
    pub(super) fn relate(&mut self, terms: &Terms, a: Term, b: Term, orders: Orders) -> bool {
        let (Some(x), Some(y)) = (self.variable(terms, a), self.variable(terms, b)) else { return true };
        let both = self.relations.orders(x, y).intersect(orders);
        if x != y {
            self.relations.set(x, y, terms.width(a), both);
        }
        !both.is_none()
    }

    /// The variables about which something is known, ascending.
    pub fn known(&self) -> impl Iterator<Item = VarId> + '_ {
        let mut all: Vec<VarId> = self.values.keys().chain(self.definitions.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// The variables about which something is known, and those that definitions mention, ascending.
    pub fn mentioned(&self, terms: &Terms) -> BTreeSet<VarId> {
        let mut mentioned: BTreeSet<VarId> = self.known().collect();
        for (_, t) in self.definitions() {
            add_vars(terms, t, &mut mentioned);
        }
        mentioned.extend(self.relations.iter().flat_map(|((a, b), ..)| [a, b]));
        for (slot, _) in self.slots.iter() {
            mentioned.insert(slot.memory);
            slot.address.base().into_iter().for_each(|base| add_vars(terms, base, &mut mentioned));
        }
        mentioned
    }

    /// The terms that variables equal, ascending by variable.
    pub fn definitions(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.definitions.iter().map(|(v, t)| (*v, *t))
    }

    /// Copies this state: its definitions, terms of `from`, become terms of `to`. `done` caches what was copied before.
    pub(super) fn imported(&self, from: &Terms, to: &mut Terms, done: &mut FxHashMap<Term, Term>) -> State {
        let mut symbol = |_: &mut Terms, _| unreachable!("a definition has no symbols");
        let definitions = self.definitions().map(|(v, t)| (v, to.import(from, t, done, &mut symbol))).collect();
        let slots = self.slots.imported(|t| to.import(from, t, done, &mut symbol));
        State { definitions, slots, ..self.clone() }
    }

    pub(super) fn set_value(&mut self, v: VarId, value: Value) {
        if value.is_any() {
            self.values.remove(&v);
        } else {
            self.values.insert(v, value);
        }
    }

    /// `t` with defined variables replaced by their definitions, if it has the form of a definition and is small. If the result is too
    /// large, `t` itself.
    pub(super) fn resolve(&self, terms: &mut Terms, t: Term) -> Option<Term> {
        is_defining(terms, t).then_some(())?;
        let mut done = FxHashMap::default();
        let resolved = terms.substitute(t, &mut done, &mut |_, leaf| match leaf {
            Leaf::Var(v) => self.definitions.get(&v).copied(),
            Leaf::Sym(_) | Leaf::Addr(_) => None,
        });
        Some(if is_defining(terms, resolved) { resolved } else { t })
    }

    /// The memory `t` with its addresses resolved, so that those of the same cell are the same terms.
    pub(super) fn resolve_addresses(&self, terms: &mut Terms, t: Term) -> Term {
        match (terms.kind(t), terms.args(t)) {
            (Kind::Write, &[below, address, value]) => {
                let below = self.resolve_addresses(terms, below);
                let known = Evaluator::new(terms, self).eval(address).and_then(|value| value.as_single());
                let resolved = match known {
                    Some(k) => terms.int(terms.width(address), k),
                    None => self.resolve(terms, address).unwrap_or(address),
                };
                terms.write(below, resolved, value)
            }
            (Kind::Ite, &[cond, a, b]) => {
                let (a, b) = (self.resolve_addresses(terms, a), self.resolve_addresses(terms, b));
                terms.ite(cond, a, b)
            }
            _ => t,
        }
    }

    /// Forgets `v`, whose value is overwritten or never read again.
    pub(super) fn forget(&mut self, terms: &mut Terms, v: VarId, sort: Sort) {
        let own = terms.var(v, sort);
        let shift = |terms: &Terms, t: Term| if t == own { Some(None) } else { as_shift(terms, t, v).map(Some) };
        let heir = self.definitions().find_map(|(heir, t)| Some((heir, shift(terms, t)?)));
        let distance = |k: Option<Term>| k.map_or(Some(0), |k| signed(terms, k));
        self.relations.forget(v, heir.and_then(|(heir, k)| Some((heir, distance(k)?))));
        let by = heir.map(|(heir, k)| {
            let heir = terms.var(heir, sort);
            k.map_or(heir, |k| terms.sub(heir, k))
        });
        self.definitions.remove(&v);
        self.replace(terms, v, by);
        self.values.remove(&v);
    }

    /// Assigns `v + k` to `v`: definitions are rewritten for the new value, which is not known yet.
    pub(super) fn shift(&mut self, terms: &mut Terms, v: VarId, k: Term) {
        let own = terms.var(v, terms.sort(k));
        let before = terms.sub(own, k);
        match signed(terms, k) {
            Some(step) => self.relations.shift(v, step),
            None => self.relations.forget(v, None),
        }
        self.definitions.remove(&v);
        self.replace(terms, v, Some(before));
        self.values.remove(&v);
    }

    /// Replaces `v`, whose value is still known, in all definitions. Definitions in which it cannot be replaced are forgotten; their
    /// values stay.
    fn replace(&mut self, terms: &mut Terms, v: VarId, by: Option<Term>) {
        let speaking: SmallVec<[(VarId, Term); 4]> =
            self.definitions().filter(|(_, t)| mentions(terms, *t, v)).collect();
        for &(x, t) in &speaking {
            if let Some(width) = crate::domains::intervals::value::width_of(terms.sort(t)) {
                self.set_value(x, self.value(terms, x, width));
            }
        }
        for (x, t) in speaking {
            let replaced = by.map(|by| {
                let mut done = FxHashMap::default();
                terms.substitute(t, &mut done, &mut |_, leaf| (leaf == Leaf::Var(v)).then_some(by))
            });
            match replaced.filter(|t| is_defining(terms, *t) && !mentions(terms, *t, x)) {
                Some(t) => self.definitions.insert(x, t),
                None => self.definitions.remove(&x),
            };
        }
        if !self.slots.is_empty() {
            let replaced = |terms: &mut Terms, t: Term| {
                if !mentions(terms, t, v) {
                    return Some(t);
                }
                let replaced =
                    terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| by.filter(|_| leaf == Leaf::Var(v)));
                by.map(|_| replaced).filter(|t| is_defining(terms, *t))
            };
            self.slots.replace(v, replaced, terms);
        }
    }

    /// Whether the definitions imply that `x` equals `t`.
    pub fn entails(&self, terms: &mut Terms, x: VarId, t: Term) -> bool {
        self.definitions.get(&x) == Some(&t) || {
            let own = terms.var(x, terms.sort(t));
            let resolved = self.resolve(terms, t);
            resolved.is_some() && self.resolve(terms, own) == resolved
        }
    }

    /// Whether this state is at least as strong as `by`.
    pub fn is_within(&self, terms: &mut Terms, by: &State) -> bool {
        self.is_related_within(terms, by)
            && by.definitions().all(|(x, t)| self.entails(terms, x, t))
            && by.values.iter().all(|(v, value)| {
                self.values.get(v).is_some_and(|own| own.is_subset(value))
                    || self.value(terms, *v, value.width()).is_subset(value)
            })
            && self.has_slots_within(terms, by)
    }

    fn has_slots_within(&self, terms: &Terms, by: &State) -> bool {
        by.slots.iter().all(|(slot, value)| self.cell(terms, slot).is_some_and(|own| own.is_subset(value)))
    }

    /// What is known of `slot`.
    fn cell(&self, terms: &Terms, slot: &Slot) -> Option<Value> {
        Evaluator::new(terms, self).slot(slot)
    }

    fn is_related_within(&self, terms: &Terms, by: &State) -> bool {
        by.relations.iter().all(|(pair, width, orders)| self.orders_of(terms, pair, width).is_subset(orders))
    }

    /// What this state represents and `by` does not: the values of one variable, if the states differ in no other one.
    pub(super) fn beyond(&self, terms: &mut Terms, by: &State) -> Beyond<State> {
        if !self.is_related_within(terms, by)
            || !by.definitions().all(|(x, t)| self.entails(terms, x, t))
            || !self.has_slots_within(terms, by)
        {
            return Beyond::All;
        }
        let mut differing = by.values.iter().filter_map(|(v, value)| {
            let own = self.value(terms, *v, value.width());
            (!own.is_subset(value)).then(|| (*v, own.without(value)))
        });
        match (differing.next(), differing.next()) {
            (None, _) => Beyond::Nothing,
            (Some((_, Some(rest))), None) if rest.is_none() => Beyond::Nothing,
            (Some((v, Some(rest))), None) => {
                let mut state = self.clone();
                state.set_value(v, rest);
                Beyond::Part(state)
            }
            _ => Beyond::All,
        }
    }

    /// The join. `unite` computes the joined value from the value in this state (first) and the value in `new`.
    pub fn join(&self, terms: &mut Terms, new: &State, unite: &mut dyn FnMut(VarId, &Value, &Value) -> Value) -> State {
        let mut joined = State {
            values: OrdMap::new(),
            definitions: OrdMap::new(),
            relations: Relations::default(),
            slots: Slots::default(),
            ..self.clone()
        };
        for (slot, own) in self.slots.iter() {
            if let Some(other) = new.cell(terms, slot) {
                let both = if other.is_subset(own) { own.clone() } else { unite(slot.memory, own, &other) };
                joined.slots.set(*slot, both);
            }
        }
        for (pair, width, _) in self.relations.iter().chain(new.relations.iter()) {
            let both = self.orders_of(terms, pair, width).union(new.orders_of(terms, pair, width));
            joined.relations.set(pair.0, pair.1, width, both);
        }
        for (x, t) in self.definitions() {
            if new.entails(terms, x, t) {
                joined.definitions.insert(x, t);
            }
        }
        for v in self.known() {
            let stays = joined.definitions.contains_key(&v);
            let own = match self.values.get(&v) {
                // A variable that stays defined keeps its own value as well, so that merged states never return to an earlier state.
                Some(value) if stays || !self.definitions.contains_key(&v) => value.clone(),
                None if stays => continue,
                _ => {
                    let Some(width) = self.width(terms, v) else { continue };
                    self.value(terms, v, width)
                }
            };
            let other = new.value(terms, v, own.width());
            let both = if other.is_subset(&own) { own } else { unite(v, &own, &other) };
            joined.set_value(v, both);
        }
        joined
    }

    /// The union of two states that do not differ in definitions.
    pub(super) fn union(&self, other: &State) -> State {
        let both =
            |v: &VarId, a: &Value| other.values.get(v).map(|b| (*v, a.union(b))).filter(|(_, both)| !both.is_any());
        let values = self.values.iter().filter_map(|(v, a)| both(v, a)).collect();
        let mut relations = Relations::default();
        for ((a, b), width, orders) in self.relations.iter() {
            relations.set(a, b, width, orders.union(other.relations.orders(a, b)));
        }
        let mut slots = Slots::default();
        for (slot, a) in self.slots.iter() {
            if let Some(b) = other.slots.known(slot) {
                slots.set(*slot, a.union(b));
            }
        }
        State { values, relations, slots, ..self.clone() }
    }

    /// The width of a variable about which something is known.
    fn width(&self, terms: &Terms, v: VarId) -> Option<u32> {
        match self.values.get(&v) {
            Some(value) => Some(value.width()),
            None => self.definitions.get(&v).and_then(|t| crate::domains::intervals::value::width_of(terms.sort(*t))),
        }
    }
}

/// A constant of at most 64 bits as a signed number.
fn signed(terms: &Terms, k: Term) -> Option<i64> {
    let k = terms.as_bv(k).filter(|k| k.width() <= 64)?;
    k.sext(64).to_u64().map(|k| k as i64)
}

/// Returns `k` if `t` is `v + k`.
pub(super) fn as_shift(terms: &Terms, t: Term, v: VarId) -> Option<Term> {
    match (terms.kind(t), terms.args(t)) {
        (Kind::Bv(BvOp::Add), &[own, k]) if terms.kind(own) == Kind::Var(v) && terms.as_bv(k).is_some() => Some(k),
        _ => None,
    }
}

fn add_vars(terms: &Terms, t: Term, found: &mut BTreeSet<VarId>) {
    if let Kind::Var(v) = terms.kind(t) {
        found.insert(v);
    }
    terms.args(t).iter().for_each(|a| add_vars(terms, *a, found));
}

pub(super) fn mentions(terms: &Terms, t: Term, v: VarId) -> bool {
    terms.kind(t) == Kind::Var(v) || terms.args(t).iter().any(|a| mentions(terms, *a, v))
}

/// Whether `t` reads memory.
pub(super) fn reads(terms: &Terms, t: Term) -> bool {
    terms.kind(t) == Kind::Read || terms.args(t).iter().any(|a| reads(terms, *a))
}

/// Whether `t` can be a definition: it is small, contains only integers and reads of memories that are variables, and is not a constant.
fn is_defining(terms: &Terms, t: Term) -> bool {
    let mut left = MAX_TERMS;
    fn is_fitting(terms: &Terms, t: Term, left: &mut usize) -> bool {
        if *left == 0 || crate::domains::intervals::value::width_of(terms.sort(t)).is_none() {
            return false;
        }
        *left -= 1;
        match terms.kind(t) {
            Kind::Read => {
                let &[memory, address] = terms.args(t) else { return false };
                matches!(terms.kind(memory), Kind::Var(_)) && is_fitting(terms, address, left)
            }
            Kind::Float(..) | Kind::Sym(_) | Kind::Addr(_) => false,
            _ => terms.args(t).iter().all(|a| is_fitting(terms, *a, left)),
        }
    }
    !matches!(terms.kind(t), Kind::Const(_) | Kind::BigConst(_) | Kind::Bool(_)) && is_fitting(terms, t, &mut left)
}
