//! The label of a composition's state: the conjunction of its parts' labels.

use crate::cpa::Cx;
use cfa::term::{Kind, Leaf};
use cfa::{SymId, Term};
use checker::Label;
use rustc_hash::FxHashMap;

/// Adds what `label` says to `whole`. If it `gives_way`, its symbols are replaced by what `whole` says about their variables.
pub(super) fn add_label(cx: &mut Cx<'_>, whole: &mut Label, label: Label, gives_way: bool) {
    let mut names: FxHashMap<SymId, Term> = FxHashMap::default();
    let Label { env, below, constraints } = whole;
    below.resize_with(label.below.len().max(below.len()), Default::default);
    let frames = label.below.into_iter().zip(below);
    let maps = [(label.env.globals, &mut env.globals), (label.env.locals, &mut env.locals)];
    for (said, known) in maps.into_iter().chain(frames) {
        for (v, t) in said {
            match (known.get(&v), cx.terms.kind(t)) {
                (None, _) => {
                    known.insert(v, t);
                }
                (Some(other), Kind::Sym(symbol)) if gives_way => {
                    names.insert(symbol, *other);
                }
                (Some(other), _) => {
                    let same = cx.terms.eq(*other, t);
                    if cx.terms.as_bool(same) != Some(true) {
                        constraints.push(same);
                    }
                }
            }
        }
    }
    let mut done = FxHashMap::default();
    constraints.extend(label.constraints.into_iter().map(|t| {
        cx.terms.substitute(t, &mut done, &mut |_, leaf| match leaf {
            Leaf::Sym(symbol) => names.get(&symbol).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        })
    }));
}
