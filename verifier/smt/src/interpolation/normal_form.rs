//! Interpolants as a reader writes them: negations at the comparisons, where they turn into the opposite comparison, and bounds that
//! include their constant: `x <= 9` rather than `not (10 <= x)`.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// `a cmp b`, where a strict bound by a constant becomes one that includes the constant next to it.
pub(crate) fn bound(terms: &mut Terms, cmp: BvCmp, a: Term, b: Term) -> Term {
    let plain = terms.cmp(cmp, a, b);
    let weak = match cmp {
        BvCmp::Ult => BvCmp::Ule,
        BvCmp::Slt => BvCmp::Sle,
        BvCmp::Ule | BvCmp::Sle => return plain,
    };
    // The comparison folds if the constant is the least or the greatest number.
    if terms.kind(plain) != Kind::Cmp(cmp) {
        return plain;
    }
    let width = terms.width(a);
    let one = Bv::new(width, 1);
    match (terms.as_bv(a), terms.as_bv(b)) {
        (Some(k), None) => {
            let k = terms.constant(&Bv::apply(BvOp::Add, &k, &one));
            terms.cmp(weak, k, b)
        }
        (None, Some(k)) => {
            let k = terms.constant(&Bv::apply(BvOp::Sub, &k, &one));
            terms.cmp(weak, a, k)
        }
        _ => plain,
    }
}

/// `t` in normal form, which is equivalent.
pub(crate) fn normal_form(terms: &mut Terms, t: Term) -> Term {
    let mut done: FxHashMap<(Term, bool), Term> = FxHashMap::default();
    let mut stack = vec![(t, true)];
    while let Some(&(top, holds)) = stack.last() {
        if done.contains_key(&(top, holds)) {
            stack.pop();
            continue;
        }
        let needs = arguments(terms, top, holds);
        let open = stack.len();
        stack.extend(needs.iter().copied().filter(|n| !done.contains_key(n)));
        if stack.len() > open {
            continue;
        }
        stack.pop();
        let args: Vec<Term> = needs.iter().map(|n| done[n]).collect();
        let made = made(terms, top, holds, &args);
        done.insert((top, holds), made);
    }
    done[&(t, true)]
}

/// The terms of which the normal form of `t`, or of its negation, consists.
fn arguments(terms: &Terms, t: Term, holds: bool) -> Vec<(Term, bool)> {
    let args = terms.args(t);
    match terms.kind(t) {
        Kind::Not => vec![(args[0], !holds)],
        Kind::And | Kind::Or => args.iter().map(|a| (*a, holds)).collect(),
        Kind::Ite if terms.sort(t) == Sort::Bool => vec![(args[0], true), (args[1], holds), (args[2], holds)],
        _ => Vec::new(),
    }
}

/// The normal form of `t`, or of its negation, of the terms that it needs.
fn made(terms: &mut Terms, t: Term, holds: bool, args: &[Term]) -> Term {
    match (terms.kind(t), args) {
        (Kind::Not, &[a]) => a,
        (Kind::And | Kind::Or, &[a, b]) => {
            if (terms.kind(t) == Kind::And) == holds {
                terms.and(a, b)
            } else {
                terms.or(a, b)
            }
        }
        (Kind::Ite, &[c, a, b]) => terms.ite(c, a, b),
        (Kind::Cmp(cmp), _) => {
            let [a, b] = *terms.args(t) else { return t };
            let opposite = match cmp {
                BvCmp::Ult => BvCmp::Ule,
                BvCmp::Ule => BvCmp::Ult,
                BvCmp::Slt => BvCmp::Sle,
                BvCmp::Sle => BvCmp::Slt,
            };
            if holds { bound(terms, cmp, a, b) } else { bound(terms, opposite, b, a) }
        }
        _ if holds => t,
        _ => terms.not(t),
    }
}
