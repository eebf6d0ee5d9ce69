//! Which terms have to do with memory: most steps of the preparation look at these only.

use cfa::term::{Sort, Term};
use cfa::{Cfa, Id};
use fixedbitset::FixedBitSet;

/// The terms that have an array as a subterm: arrays, reads of arrays, and what is computed from these.
pub struct ArrayTerms(FixedBitSet);

impl ArrayTerms {
    /// Those of a program. Linear in the number of its terms.
    pub fn new(cfa: &Cfa) -> ArrayTerms {
        ArrayTerms(cfa.terms.having(|node| is_array(node.sort)))
    }

    /// Whether `t` has an array as a subterm. Terms that were made later are taken to have one.
    pub fn may_have(&self, t: Term) -> bool {
        self.0.len() <= t.index() || self.0.contains(t.index())
    }

    /// Whether one of `terms` has an array as a subterm.
    pub fn have(&self, cfa: &Cfa, terms: &[Term]) -> bool {
        self.within(cfa, terms).iter().any(|t| is_array(cfa.terms.sort(*t)))
    }

    /// The subterms of `roots` that have an array as a subterm, and possibly others that were made later, ascending.
    pub fn within(&self, cfa: &Cfa, roots: &[Term]) -> Vec<Term> {
        cfa.terms.subterms(roots, |t| !self.may_have(t))
    }
}

fn is_array(sort: Sort) -> bool {
    matches!(sort, Sort::Array { .. })
}
