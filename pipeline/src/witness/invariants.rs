//! Candidates for the invariants of a correctness witness, from the certificate of a proof.
//!
//! What a certificate says about the states at the head of a loop is written as C: the invariants that a loop satisfies, what labels say
//! about variables, the ranges of explored states. These are candidates only: a certificate is about a slice, in which variables that
//! do not matter may have other values, and about the executions that can still reach a target. [`own`](super::own) proves them again
//! for the whole program, as text.

use std::collections::{BTreeMap, BTreeSet};

use cfa::bv::BvCmp;
use cfa::source_map::SourceMap;
use cfa::term::{Kind, Leaf};
use cfa::view::View;
use cfa::{Cfa, LocId, Range, SymId, Term, Terms, VarId};
use checker::{Certificate, Label};
use rustc_hash::FxHashMap;

use super::format::{C_EXPRESSION, Invariant, LOOP_INVARIANT, Location};
use super::print;

/// Maximum number of invariants of a loop.
const MAX_AT_LOOP: usize = 12;
/// Maximum number of labels at a location that are told as alternatives.
const MAX_LABELS: usize = 6;

/// The candidates for all loops. `name` gives a file the name that witnesses use.
pub(crate) fn candidates(
    cfa: &Cfa,
    source: &SourceMap,
    certificate: &Certificate,
    name: &dyn Fn(&str) -> String,
) -> Vec<Invariant> {
    let view = View::new(cfa, &certificate.slice);
    let mut terms = certificate.terms.clone();
    let mut at: BTreeMap<Location, BTreeSet<(usize, String)>> = BTreeMap::new();
    for l in source.loops.iter().filter(|l| !l.tests_last) {
        let Some(head) = l.head else { continue };
        let place = Location {
            file: name(&cfa.files[l.place.file as usize]),
            line: l.place.line,
            column: Some(l.place.column),
        };
        let texts = at_head(cfa, &mut terms, certificate, view.rep(head));
        at.entry(place).or_default().extend(texts.into_iter().map(|text| (text.len(), text)));
    }
    let mut all = Vec::new();
    for (location, texts) in at {
        // Short ones first.
        all.extend(texts.into_iter().take(MAX_AT_LOOP).map(|(_, value)| Invariant {
            kind: LOOP_INVARIANT.into(),
            location: location.clone(),
            value,
            format: C_EXPRESSION.into(),
        }));
    }
    all
}

/// What a certificate says about the states at `head`, a location of the view.
fn at_head(cfa: &Cfa, terms: &mut Terms, certificate: &Certificate, head: LocId) -> Vec<String> {
    let nodes = || certificate.nodes.iter().filter(|n| n.loc == head);
    let mut facts: BTreeSet<Term> = BTreeSet::new();
    for node in nodes() {
        let invariants = node.repeats.iter().flat_map(|l| &l.invariants).copied();
        facts.extend(terms.conjuncts(&invariants.collect::<Vec<_>>()));
    }
    let labels: Vec<&Label> = nodes().filter_map(|n| n.label.as_deref()).collect();
    if !labels.is_empty() && labels.len() <= MAX_LABELS {
        let alternatives: Vec<Term> = labels.iter().map(|label| told(cfa, terms, label)).collect();
        let any = terms.or_all(alternatives);
        facts.extend(terms.conjuncts(&[any]));
    }
    facts.extend(ranges(cfa, terms, certificate, head));
    drop_implied(terms, &mut facts);
    facts.into_iter().filter(|t| terms.as_bool(*t).is_none()).filter_map(|t| print::condition(cfa, terms, t)).collect()
}

/// Drops the comparisons of two terms that are equal.
fn drop_implied(terms: &Terms, facts: &mut BTreeSet<Term>) {
    let operands = |t: Term| match terms.args(t) {
        [a, b] => Some((*a.min(b), *a.max(b))),
        _ => None,
    };
    let equal: BTreeSet<_> =
        facts.iter().filter(|t| terms.kind(**t) == Kind::Eq).filter_map(|t| operands(*t)).collect();
    let is_implied = |t: Term| {
        let inner = if terms.kind(t) == Kind::Not { terms.args(t)[0] } else { t };
        matches!(terms.kind(inner), Kind::Cmp(_)) && operands(inner).is_some_and(|pair| equal.contains(&pair))
    };
    facts.retain(|t| !is_implied(*t));
}

/// What a label says about variables that have text, as a Bool over variables.
fn told(cfa: &Cfa, terms: &mut Terms, label: &Label) -> Term {
    let values = || label.env.locals.iter().chain(label.env.globals.iter()).map(|(v, t)| (*v, *t));
    let mut holders: FxHashMap<SymId, VarId> = FxHashMap::default();
    for (v, t) in values().filter(|(v, _)| cfa.vars[*v].source.is_some()) {
        if let Kind::Sym(s) = terms.kind(t) {
            holders.entry(s).or_insert(v);
        }
    }
    let over_variables = |terms: &mut Terms, t: Term| {
        let is_known = |leaf: &Leaf| !matches!(leaf, Leaf::Sym(s) if !holders.contains_key(s));
        terms.leaves(&[t]).iter().all(is_known).then(|| {
            terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| match leaf {
                Leaf::Sym(s) => holders.get(&s).map(|v| terms.var(*v, cfa.vars[*v].sort)),
                Leaf::Var(_) | Leaf::Addr(_) => None,
            })
        })
    };
    let mut parts = Vec::new();
    for (v, t) in
        values().filter(|(v, _)| cfa.vars[*v].source.is_some() && matches!(cfa.vars[*v].sort, cfa::Sort::Bv(_)))
    {
        if let Some(value) = over_variables(terms, t) {
            let var = terms.var(v, cfa.vars[v].sort);
            parts.push(terms.eq(var, value));
        }
    }
    for t in &label.constraints {
        parts.extend(over_variables(terms, *t));
    }
    parts.retain(|t| print::condition(cfa, terms, *t).is_some());
    terms.and_all(parts)
}

/// The least and the greatest value of each variable in the explored states at `head`.
fn ranges(cfa: &Cfa, terms: &mut Terms, certificate: &Certificate, head: LocId) -> Vec<Term> {
    let mut found: BTreeMap<VarId, Option<Range>> = BTreeMap::new();
    let sets: Vec<_> = certificate.explored.iter().flat_map(|e| &e.sets).filter(|set| set.loc == head).collect();
    for set in &sets {
        for (i, v) in set.vars.iter().enumerate() {
            let used = set.each_row().filter_map(|row| set.ranges[i].get(usize::from(row[i])).copied());
            let of_set = used.reduce(Range::hull);
            let known = found.entry(*v).or_insert(of_set);
            *known = known.zip(of_set).map(|(a, b)| a.hull(b));
        }
    }
    // A set that does not track the variable has all its values.
    found.retain(|v, _| sets.iter().all(|set| set.vars.contains(v)));
    let mut facts = Vec::new();
    for (v, range) in found {
        let (Some(range), cfa::Sort::Bv(width)) = (range, cfa.vars[v].sort) else { continue };
        let var = terms.var(v, cfa.vars[v].sort);
        let (low, high) = (terms.int(width, range.lo as u64), terms.int(width, range.hi as u64));
        facts.push(terms.cmp(BvCmp::Sle, low, var));
        facts.push(terms.cmp(BvCmp::Sle, var, high));
    }
    facts
}
