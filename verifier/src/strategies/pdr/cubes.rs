//! Cubes: sets of states as conjunctions of literals, which are Bool terms over the values at a cut point.
//!
//! A formula is a Boolean combination of atoms, comparisons of words for instance. The literals of these that a model satisfies determine
//! it, so some of them are a cube of states that all satisfy it, whatever sorts occur in the atoms. Besides, each state has literals of
//! its own: bounds and bits of its words.

use crate::blocks::System;
use cfa::bv::{Bv, BvCmp};
use cfa::eval::Value;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Model;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of literals on bits and bounds of one state.
const MAX_ON_WORDS: usize = 600;

/// `t` with the values that `model` has in place of the inputs, as far as these are words or truth values.
pub(super) fn with_inputs(system: &System<'_>, terms: &mut Terms, t: Term, model: &mut Model) -> Term {
    terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| {
        let Leaf::Sym(symbol) = leaf else { return None };
        if system.place(symbol).is_some() {
            return None;
        }
        let symbol = terms.sym(symbol);
        match model.eval(terms, symbol)? {
            Value::Bv(value) => Some(terms.constant(&value)),
            Value::Bool(value) => Some(terms.bool(value)),
            Value::Array(_) => None,
        }
    })
}

/// The literals of the atoms of `t` that hold in `model`; those with inputs are left out. They come in the order of their terms.
pub(super) fn literals(system: &System<'_>, terms: &mut Terms, t: Term, model: &mut Model) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms(terms, t) {
        let is_on_state = terms.leaves(&[atom]).iter().all(|leaf| match leaf {
            Leaf::Sym(s) => system.place(*s).is_some(),
            Leaf::Var(_) | Leaf::Addr(_) => true,
        });
        match model.holds(terms, atom).filter(|_| is_on_state) {
            Some(true) => found.push(atom),
            Some(false) => found.push(terms.not(atom)),
            None => {}
        }
    }
    found
}

/// The Bool subterms of `t` that are no Boolean combinations of others.
fn atoms(terms: &Terms, t: Term) -> BTreeSet<Term> {
    let (mut found, mut seen, mut work) = (BTreeSet::new(), FxHashSet::default(), vec![t]);
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = terms.args(t);
        let combines = !args.is_empty() && args.iter().all(|a| terms.sort(*a) == Sort::Bool);
        match terms.kind(t) {
            Kind::Bool(_) => {}
            Kind::Not | Kind::And | Kind::Or | Kind::Ite | Kind::Eq if combines => work.extend(args),
            _ => drop(found.insert(t)),
        }
    }
    found
}

/// Bounds and bits of the words of which `about` speak, in the state that `model` has.
pub(super) fn on_words(system: &System<'_>, terms: &mut Terms, about: &[Term], model: &mut Model) -> Vec<Term> {
    let mut found = Vec::new();
    for leaf in terms.leaves(about) {
        let Leaf::Sym(symbol) = leaf else { continue };
        if system.place(symbol).is_none() || found.len() > MAX_ON_WORDS {
            continue;
        }
        let word = terms.sym(symbol);
        let Some(Value::Bv(value)) = model.eval(terms, word) else { continue };
        let constant = terms.constant(&value);
        for cmp in [BvCmp::Ule, BvCmp::Sle] {
            found.push(terms.cmp(cmp, word, constant));
            found.push(terms.cmp(cmp, constant, word));
        }
        for i in 0..value.width() {
            let bit = terms.extract(i, i, word);
            let of_value = terms.extract(i, i, constant);
            found.push(terms.eq(bit, of_value));
        }
    }
    found.retain(|t| terms.as_bool(*t).is_none());
    found
}

/// The constants of the transitions by width, ascending: where bounds may be.
pub(super) fn constants(system: &System<'_>, terms: &Terms) -> BTreeMap<u32, Vec<u64>> {
    let mut roots: Vec<Term> = system.bad.iter().map(|b| b.condition).collect();
    for t in &system.transitions {
        roots.push(t.condition);
        roots.extend(t.values.values());
    }
    let mut all: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for t in terms.subterms(&roots, |_| false) {
        if let (Kind::Const(k), Sort::Bv(width)) = (terms.kind(t), terms.sort(t)) {
            let mask = u64::MAX >> (64 - width.clamp(1, 64));
            let near = [k.wrapping_sub(1) & mask, k, k.wrapping_add(1) & mask];
            all.entry(width).or_default().extend(near);
        }
    }
    all.into_iter().map(|(width, set)| (width, set.into_iter().collect())).collect()
}

/// Weaker bounds than that of the literal, by `constants`; each is weaker than the one before it. Empty if the literal is no bound.
pub(super) fn weaker(terms: &mut Terms, constants: &BTreeMap<u32, Vec<u64>>, literal: Term) -> Vec<Term> {
    let (cmp, a, b, is_negated) = match (terms.kind(literal), terms.args(literal)) {
        (Kind::Cmp(cmp), &[a, b]) => (cmp, a, b, false),
        (Kind::Not, &[inner]) => match (terms.kind(inner), terms.args(inner)) {
            (Kind::Cmp(cmp), &[a, b]) => (cmp, a, b, true),
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let (bound, is_upper) = match (terms.as_bv(a), terms.as_bv(b)) {
        (None, Some(bound)) => (bound, !is_negated),
        (Some(bound), None) => (bound, is_negated),
        _ => return Vec::new(),
    };
    let is_signed = matches!(cmp, BvCmp::Sle | BvCmp::Slt);
    let width = bound.width();
    let Some(known) = constants.get(&width) else { return Vec::new() };
    let key = |v: &Bv| {
        let flip = if is_signed { 1u64 << (width.clamp(1, 64) - 1) } else { 0 };
        v.to_u64().map(|k| k ^ flip)
    };
    let Some(now) = key(&bound) else { return Vec::new() };
    let mut others: Vec<(u64, Bv)> =
        known.iter().map(|k| Bv::new(width, *k)).filter_map(|v| Some((key(&v)?, v))).collect();
    others.retain(|(k, _)| if is_upper { *k > now } else { *k < now });
    others.sort_by_key(|(k, _)| *k);
    if !is_upper {
        others.reverse();
    }
    let mut found = Vec::with_capacity(others.len());
    for (_, value) in others {
        let constant = terms.constant(&value);
        let (x, y) = if terms.as_bv(a).is_none() { (a, constant) } else { (constant, b) };
        let t = terms.cmp(cmp, x, y);
        found.push(if is_negated { terms.not(t) } else { t });
    }
    found
}
