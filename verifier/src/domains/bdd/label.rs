//! Diagrams as formulas over the values of variables, for certificates.

use super::layout::{Code, Slot, SlotId};
use super::{BddCpa, State};
use crate::cpa::Cx;
use biodivine_lib_bdd::Bdd;
use cfa::{Scope, Sort, Term, VarId};
use checker::Label;
use smt::bits::graph::Lit;
use std::collections::BTreeMap;

/// What `s` says: for each variable that its diagram depends on, some value, and for their bits the diagram as nested choices.
pub(super) fn label(cpa: &mut BddCpa, cx: &mut Cx<'_>, s: &State) -> Label {
    let mut label = Label::default();
    let mut s = s.clone();
    let budget = cx.budget;
    if let Ok(now) = cpa.current(&s, &budget) {
        s = now;
    }
    // A label that says less makes the certificate invalid, not wrong.
    if cpa.restrict(&mut s, &budget).and_then(|_| cpa.settle(&mut s, &budget)).is_err() {
        return label;
    }
    let values = known(cpa, &s, |var| cx.terms.fresh(&*cx.program.cfa.vars[var].name, cx.program.cfa.vars[var].sort));
    for (slot, value) in &values {
        let var = cpa.layout.slots[*slot as usize].var;
        match cx.program.cfa.vars[var].scope {
            Scope::Global => label.env.globals.insert(var, *value),
            Scope::Local(f) if f == s.func => label.env.locals.insert(var, *value),
            Scope::Local(f) => {
                // The newest caller comes first.
                let Some(depth) = s.callers.iter().rev().position(|caller| *caller == f) else { continue };
                if label.below.len() <= depth {
                    label.below.resize_with(depth + 1, Default::default);
                }
                label.below[depth].insert(var, *value)
            }
        };
    }
    label.constraints = said(cpa, cx, &s, &values);
    label
}

/// What `s`, in which nothing was assigned since its diagram was computed, says about variables; `None` if that is too long.
pub(super) fn conditions(cpa: &BddCpa, cx: &mut Cx<'_>, s: &State) -> Option<Vec<Term>> {
    let is_plain = s.store.is_empty() && s.condition == Lit::TRUE && s.also.is_empty();
    if !is_plain || s.set.size() > LONGEST {
        return None;
    }
    let values = known(cpa, s, |var| cx.terms.var(var, cx.program.cfa.vars[var].sort));
    Some(said(cpa, cx, s, &values))
}

/// Maximum number of nodes of a diagram that becomes a condition for other analyses.
const LONGEST: usize = 500;

/// The slots of which `s` says something, ascending, with the values that `value` gives to their variables.
fn known(cpa: &BddCpa, s: &State, mut value: impl FnMut(VarId) -> Term) -> BTreeMap<SlotId, Term> {
    let depends = slots_of(cpa, &s.set);
    let is_restricted = |slot: SlotId| {
        let bits = cpa.layout.slots[slot as usize].bits.len() as u32;
        cpa.layout.width(s.version, slot) < bits || depends.contains(&slot)
    };
    let slots = s.known.ones().map(|i| i as SlotId).filter(|slot| is_restricted(*slot));
    slots.map(|slot| (slot, value(cpa.layout.slots[slot as usize].var))).collect()
}

/// What `s` says about these values.
fn said(cpa: &BddCpa, cx: &mut Cx<'_>, s: &State, values: &BTreeMap<SlotId, Term>) -> Vec<Term> {
    let mut all = Vec::new();
    for (slot, value) in values {
        let width = cpa.layout.width(s.version, *slot);
        let Slot { bits, code, .. } = &cpa.layout.slots[*slot as usize];
        let full = bits.len() as u32;
        if width < full {
            let low = cx.terms.extract(width - 1, 0, *value);
            let signed = matches!(code, Code::Value { signed: true });
            let extended = if signed { cx.terms.sext(full, low) } else { cx.terms.zext(full, low) };
            all.push(cx.terms.eq(*value, extended));
        }
    }
    let holds = formula(cpa, cx, &s.set, values);
    if cx.terms.as_bool(holds) != Some(true) {
        all.push(holds);
    }
    all
}

/// The slots on which a diagram depends.
fn slots_of(cpa: &BddCpa, set: &Bdd) -> Vec<SlotId> {
    let mut slots: Vec<SlotId> = set.support_set().into_iter().map(|v| cpa.layout.slot_of[v.to_index() / 2]).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// A diagram as a term over the values of slots.
fn formula(cpa: &BddCpa, cx: &mut Cx<'_>, set: &Bdd, values: &BTreeMap<SlotId, Term>) -> Term {
    // The nodes that follow a node come before it.
    let mut of: Vec<Term> = Vec::with_capacity(set.size());
    for node in set.pointers() {
        let t = match node.as_bool() {
            Some(constant) => cx.terms.bool(constant),
            None => {
                let number = set.var_of(node).to_index() / 2;
                let slot = cpa.layout.slot_of[number];
                let bits = &cpa.layout.slots[slot as usize].bits;
                let i = bits.iter().position(|b| *b as usize == number).unwrap_or(0) as u32;
                let value = values[&slot];
                let test = match (cx.terms.sort(value), &cpa.layout.slots[slot as usize].code) {
                    (Sort::Bool, _) => value,
                    (_, Code::Value { .. }) => {
                        let bit = cx.terms.extract(i, i, value);
                        let one = cx.terms.int(1, 1);
                        cx.terms.eq(bit, one)
                    }
                    (_, Code::Number(constants)) => {
                        let with = constants.iter().enumerate().filter(|(n, _)| (n + 1) >> i & 1 == 1);
                        let tests: Vec<Term> = with
                            .map(|(_, c)| {
                                let c = cx.terms.constant(c);
                                cx.terms.eq(value, c)
                            })
                            .collect();
                        cx.terms.or_all(tests)
                    }
                };
                cx.terms.ite(test, of[set.high_link_of(node).to_index()], of[set.low_link_of(node).to_index()])
            }
        };
        of.push(t);
    }
    of.last().copied().unwrap_or_else(|| cx.terms.ff())
}
