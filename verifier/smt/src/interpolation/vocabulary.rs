//! The vocabulary of interpolants: the leaves that both sides of a cut have in common.
//!
//! A leaf occurs from its first part to its last one. Cut `i` is between the parts `i` and `i + 1`, so that the leaf is common
//! to both of its sides if it occurs first before the cut and last after it. A trace may restrict this further to the symbols
//! that are state at the cut.

use super::Trace;
use crate::bits::substitution::is_leaf;
use cfa::term::{Kind, Leaf};
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first and the last part in which something occurs.
pub(crate) type Range = (usize, usize);

/// Where leaves occur in the parts of a trace.
pub(crate) struct Vocabulary {
    ranges: FxHashMap<Term, Range>,
    /// For each cut, the leaves that may be used, if the trace restricts them.
    state: Option<Vec<FxHashSet<Leaf>>>,
}

/// The leaves of `roots`, as terms, ascending.
pub(crate) fn leaf_terms(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut found = terms.subterms(roots, |_| false);
    found.retain(|t| is_leaf(terms, *t));
    found
}

/// The leaf that `t` is.
pub(crate) fn leaf_of(terms: &Terms, t: Term) -> Option<Leaf> {
    match terms.kind(t) {
        Kind::Var(v) => Some(Leaf::Var(v)),
        Kind::Sym(s) => Some(Leaf::Sym(s)),
        Kind::Addr(o) => Some(Leaf::Addr(o)),
        _ => None,
    }
}

impl Vocabulary {
    /// The vocabulary of a trace.
    pub(crate) fn of(terms: &Terms, trace: &Trace) -> Vocabulary {
        let mut ranges: FxHashMap<Term, Range> = FxHashMap::default();
        for (i, part) in trace.parts.iter().enumerate() {
            for leaf in leaf_terms(terms, &[*part]) {
                ranges.entry(leaf).or_insert((i, i)).1 = i;
            }
        }
        let state = trace.state.as_ref().map(|cuts| cuts.iter().map(|s| s.iter().copied().collect()).collect());
        Vocabulary { ranges, state }
    }

    /// The parts between the first and the last one with the leaf `t`.
    pub(crate) fn range(&self, t: Term) -> Option<Range> {
        self.ranges.get(&t).copied()
    }

    /// Says where `t`, a leaf that stands for something in the parts, may occur.
    pub(crate) fn insert(&mut self, t: Term, range: Range) {
        self.ranges.insert(t, range);
    }

    /// The parts in whose ranges are all leaves of `roots`, of `n` parts; `None` if there is no such part.
    pub(crate) fn common_range(&self, terms: &Terms, roots: &[Term], n: usize) -> Option<Range> {
        let mut common = (0, n.checked_sub(1)?);
        for leaf in leaf_terms(terms, roots) {
            let (first, last) = self.range(leaf)?;
            common = (common.0.max(first), common.1.min(last));
        }
        (common.0 <= common.1).then_some(common)
    }

    /// Whether an interpolant at `cut` may have the leaf `t`.
    pub(crate) fn allows(&self, terms: &Terms, cut: usize, t: Term) -> bool {
        let Some((first, last)) = self.range(t) else { return false };
        let is_state = match (&self.state, leaf_of(terms, t)) {
            (Some(cuts), Some(leaf)) => cuts.get(cut).is_some_and(|state| state.contains(&leaf)),
            (state, _) => state.is_none(),
        };
        first <= cut && cut < last && is_state
    }

    /// A leaf of `t` that an interpolant at `cut` must not have.
    pub(crate) fn foreign(&self, terms: &Terms, cut: usize, t: Term) -> Option<Term> {
        leaf_terms(terms, &[t]).into_iter().find(|leaf| !self.allows(terms, cut, *leaf))
    }
}
