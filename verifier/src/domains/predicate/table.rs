//! The table of predicates: which variable of decision diagrams stands for which predicate, and what a diagram says.

use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet};
use cfa::{Term, Terms};
use rustc_hash::FxHashMap;

/// Maximum number of predicates of an analysis; further ones are not tracked.
const MAX_PREDICATES: u16 = 4096;

/// Predicates and the variables that stand for them.
pub(super) struct Table {
    set: BddVariableSet,
    /// All variables, of which the first ones stand for `predicates`.
    variables: Vec<BddVariable>,
    /// Bool terms over program variables.
    predicates: Vec<Term>,
    ids: FxHashMap<Term, BddVariable>,
}

impl Default for Table {
    fn default() -> Table {
        let set = BddVariableSet::new_anonymous(MAX_PREDICATES);
        let variables = set.variables();
        Table { set, variables, predicates: Vec::new(), ids: FxHashMap::default() }
    }
}

impl Table {
    /// The variable that stands for `predicate`; `None` if there are too many predicates.
    pub(super) fn variable(&mut self, predicate: Term) -> Option<BddVariable> {
        if let Some(&known) = self.ids.get(&predicate) {
            return Some(known);
        }
        let new = *self.variables.get(self.predicates.len())?;
        self.predicates.push(predicate);
        self.ids.insert(predicate, new);
        Some(new)
    }

    /// The predicate for which `variable` stands.
    pub(super) fn predicate(&self, variable: BddVariable) -> Term {
        self.predicates[variable.to_index()]
    }

    /// The diagram `true`.
    pub(super) fn tt(&self) -> Bdd {
        self.set.mk_true()
    }

    /// The diagram `false`.
    pub(super) fn ff(&self) -> Bdd {
        self.set.mk_false()
    }

    /// The conjunction of literals.
    pub(super) fn cube(&self, literals: impl IntoIterator<Item = (BddVariable, bool)>) -> Bdd {
        literals.into_iter().fold(self.tt(), |all, (v, value)| all.and(&self.set.mk_literal(v, value)))
    }

    /// The disjunction of conjunctions, each of one literal for each of `variables`.
    pub(super) fn cubes(&self, variables: &[BddVariable], cubes: &[Vec<bool>]) -> Bdd {
        let valuation = |values: &Vec<bool>| {
            let literals: Vec<(BddVariable, bool)> = variables.iter().copied().zip(values.iter().copied()).collect();
            BddPartialValuation::from_values(&literals)
        };
        self.set.mk_dnf(&cubes.iter().map(valuation).collect::<Vec<_>>())
    }

    /// The predicates of a diagram, in the order of their variables.
    pub(super) fn support(&self, diagram: &Bdd) -> Vec<BddVariable> {
        let mut all: Vec<BddVariable> = diagram.support_set().into_iter().collect();
        all.sort_unstable();
        all
    }

    /// A diagram as a term, in which `instance` is the term of a predicate.
    pub(super) fn term(
        &self,
        terms: &mut Terms,
        diagram: &Bdd,
        instance: &mut dyn FnMut(&mut Terms, Term) -> Term,
    ) -> Term {
        // The nodes that follow a node come before it.
        let mut of: Vec<Term> = Vec::with_capacity(diagram.size());
        for node in diagram.pointers() {
            let t = match node.as_bool() {
                Some(constant) => terms.bool(constant),
                None => {
                    let test = instance(terms, self.predicate(diagram.var_of(node)));
                    let (high, low) = (diagram.high_link_of(node), diagram.low_link_of(node));
                    terms.ite(test, of[high.to_index()], of[low.to_index()])
                }
            };
            of.push(t);
        }
        of.last().copied().unwrap_or_else(|| terms.ff())
    }
}
