//! Predicates from interpolants: terms over program variables, where the interpolants have symbols.
//!
//! An interpolant is split at its connectives, so that the same predicates serve several paths. What mentions a symbol that is no
//! variable there (a local of an older activation of a recursive function) is no predicate.

use crate::blocks::{Cut, Maker};
use cfa::term::{Kind, Leaf};
use cfa::{Cfa, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How far an interpolant is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Split {
    /// Into conditions without connectives; what is about bits of a variable that has few values becomes conditions on these.
    Values,
    /// Into conditions without connectives.
    Atoms,
    /// Into conjuncts.
    Conjuncts,
}

/// Maximum number of predicates from one interpolant.
const MAX_PREDICATES: usize = 64;

/// The predicates of a Bool term over symbols at a cut, each of them in the form without negation, in the order of their terms.
pub(super) fn predicates(
    maker: &Maker,
    cfa: &Cfa,
    terms: &mut Terms,
    (cut, condition): (&Cut, Term),
    split: Split,
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for part in parts(terms, condition, split) {
        if let Some(p) = over_variables(maker, cfa, terms, cut, part)
            && terms.as_bool(p).is_none()
        {
            found.push(p);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The parts of `condition`, without their negations.
fn parts(terms: &Terms, condition: Term, split: Split) -> Vec<Term> {
    let (mut parts, mut seen) = (Vec::new(), FxHashSet::default());
    let mut work = vec![condition];
    while let Some(t) = work.pop() {
        if !seen.insert(t) || parts.len() >= MAX_PREDICATES {
            continue;
        }
        let is_bool = |t: &Term| terms.sort(*t) == Sort::Bool;
        let connects = match (terms.kind(t), split) {
            (Kind::Not, _) => true,
            (Kind::And, Split::Conjuncts) => true,
            (_, Split::Conjuncts) => false,
            (_, Split::Atoms | Split::Values) => !terms.args(t).is_empty() && terms.args(t).iter().all(is_bool),
        };
        match connects {
            true => work.extend(terms.args(t)),
            false => parts.push(t),
        }
    }
    parts
}

/// `t` with variables in place of the symbols of the cut; `None` if other symbols remain.
fn over_variables(maker: &Maker, cfa: &Cfa, terms: &mut Terms, cut: &Cut, t: Term) -> Option<Term> {
    let mut complete = true;
    let mut done = FxHashMap::default();
    let over = terms.substitute(t, &mut done, &mut |terms, leaf| {
        let Leaf::Sym(symbol) = leaf else { return None };
        let named = cut
            .places
            .get(&symbol)
            .filter(|(v, at)| maker.activation(cfa, cut.stack, *v).map(|(_, at)| at) == Some(*at));
        complete &= named.is_some();
        named.map(|(v, _)| terms.var(*v, cfa.vars[*v].sort))
    });
    complete.then_some(over)
}
