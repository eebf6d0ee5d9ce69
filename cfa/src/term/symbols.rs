//! The symbols of terms, and which conditions they connect.

use super::{Kind, Leaf, Terms};
use crate::ids::{SymId, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A cache of the symbols of terms.
#[derive(Default)]
pub struct Symbols {
    of: FxHashMap<Term, Rc<[SymId]>>,
}

impl Symbols {
    /// The symbols of `t`, ascending.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Rc<[SymId]> {
        // Memories grow by writes, so most of them are known up to the last ones.
        let (mut writes, mut at) = (Vec::new(), t);
        while terms.kind(at) == Kind::Write && !self.of.contains_key(&at) {
            writes.push(at);
            at = terms.args(at)[0];
        }
        let mut found = self.of.entry(at).or_insert_with(|| with_symbols(terms, &[], &[at])).clone();
        for w in writes.into_iter().rev() {
            let all = with_symbols(terms, &found, &terms.args(w)[1..]);
            if all.len() > found.len() {
                found = all;
            }
            self.of.insert(w, found.clone());
        }
        found
    }

    /// Whether a symbol of `t` is one of `some`.
    pub fn mentions<T>(&mut self, terms: &Terms, t: Term, some: &FxHashMap<SymId, T>) -> bool {
        !some.is_empty() && self.of(terms, t).iter().any(|s| some.contains_key(s))
    }

    /// Those of `constraints` that are connected to `roots` by shared symbols, ascending (Cadar, Dunbar, Engler, OSDI 2008, 3.3: independence).
    pub fn connected(
        &mut self,
        terms: &Terms,
        roots: &[Term],
        constraints: impl IntoIterator<Item = Term>,
    ) -> Vec<Term> {
        let mut by_symbol: FxHashMap<SymId, Vec<Term>> = FxHashMap::default();
        for c in constraints {
            for s in self.of(terms, c).iter() {
                by_symbol.entry(*s).or_default().push(c);
            }
        }
        let mut found: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.to_vec();
        while let Some(t) = work.pop() {
            for s in self.of(terms, t).iter() {
                for c in by_symbol.remove(s).into_iter().flatten() {
                    if found.insert(c) {
                        work.push(c);
                    }
                }
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// The symbols `known` and those of `more`, ascending.
fn with_symbols(terms: &Terms, known: &[SymId], more: &[Term]) -> Rc<[SymId]> {
    let symbol = |l: Leaf| match l {
        Leaf::Sym(s) => Some(s),
        _ => None,
    };
    let mut all: Vec<SymId> = known.iter().copied().chain(terms.leaves(more).into_iter().filter_map(symbol)).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
