//! The values that variables take on a trace, where these are constants: the states of an automaton that a program keeps in a variable.
//!
//! Interpolants from proofs speak of bits. For a variable that is only set to constants, copied, and compared with constants, its bits
//! are the wrong vocabulary: 16 of them can be combined in many ways, but the variable has few values. Predicates are then about
//! values (Beyer, Löwe, Wendler, FORTE 2015, prefer such variables, too).

use super::trace::BlockTrace;
use cfa::term::Kind;
use cfa::{Sort, SymId, Term, Terms, VarId};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of values of a variable that is tracked by value.
const MAX_VALUES: usize = 64;

/// The values of variables on a trace.
pub struct Values(FxHashMap<VarId, BTreeSet<Term>>);

impl Values {
    /// The values of the variables that a trace only sets to constants, copies, and compares with constants.
    pub fn of(terms: &Terms, trace: &BlockTrace) -> Values {
        let mut variables: FxHashMap<SymId, VarId> = FxHashMap::default();
        for cut in &trace.cuts {
            variables.extend(cut.places.iter().map(|(symbol, (v, _))| (*symbol, *v)));
        }
        let numbered: BTreeSet<VarId> = variables.values().copied().collect();
        let numbers: BTreeMap<VarId, usize> = numbered.iter().enumerate().map(|(i, v)| (*v, i)).collect();
        let mut classes = UnionFind::<usize>::new(numbers.len());
        let (mut equal, mut computed) = (Vec::new(), FxHashSet::default());
        for t in terms.subterms(&trace.parts, |_| false) {
            let args = terms.args(t);
            if terms.kind(t) != Kind::Eq || terms.sort(args[0]) == Sort::Bool {
                continue;
            }
            let chosen = chosen(terms, args);
            let number = |t: &Term| match terms.kind(*t) {
                Kind::Sym(symbol) => variables.get(&symbol).map(|v| numbers[v]),
                _ => None,
            };
            let members: Vec<usize> = chosen.iter().filter_map(number).collect();
            let Some(&first) = members.first() else { continue };
            for &other in &members {
                classes.union(first, other);
            }
            let is_constant = |t: &&Term| terms.as_u64(**t).is_some();
            equal.extend(chosen.iter().filter(is_constant).map(|t| (first, *t)));
            let is_leaf = |t: &Term| matches!(terms.kind(*t), Kind::Sym(_));
            if chosen.iter().any(|t| !is_leaf(t) && terms.as_u64(*t).is_none()) {
                computed.insert(first);
            }
        }
        let computed: FxHashSet<usize> = computed.into_iter().map(|i| classes.find(i)).collect();
        let mut values: FxHashMap<usize, BTreeSet<Term>> = FxHashMap::default();
        for (i, constant) in equal {
            values.entry(classes.find(i)).or_default().insert(constant);
        }
        let of = |(v, i): (&VarId, &usize)| {
            let class = classes.find(*i);
            let values = values.get(&class).filter(|found| found.len() <= MAX_VALUES && !computed.contains(&class))?;
            Some((*v, values.clone()))
        };
        Values(numbers.iter().filter_map(of).collect())
    }

    /// Whether the values of `v` are a few constants.
    pub fn are_few(&self, v: VarId) -> bool {
        self.0.contains_key(&v)
    }

    /// These predicates, with those about values in place of those about bits of variables that have few values.
    pub fn instead_of(&self, terms: &mut Terms, predicates: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for &p in predicates {
            match self.of_bits(terms, p) {
                Some(values) => found.extend(values),
                None => found.push(p),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The predicates about values that take the place of one about bits; `None` if it is not about bits, or about bits of variables
    /// whose values are not constants.
    fn of_bits(&self, terms: &mut Terms, predicate: Term) -> Option<Vec<Term>> {
        if !terms.subterms(&[predicate], |_| false).iter().any(|t| matches!(terms.kind(*t), Kind::Extract { .. })) {
            return None;
        }
        let mut found = Vec::new();
        for v in terms.vars(predicate) {
            for &value in self.0.get(&v)? {
                let sort = terms.sort(value);
                let var = terms.var(v, sort);
                found.push(terms.eq(var, value));
            }
        }
        Some(found)
    }
}

/// The terms among which the terms `of` choose by conditions.
fn chosen(terms: &Terms, of: &[Term]) -> Vec<Term> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut work = of.to_vec();
    while let Some(t) = work.pop() {
        match terms.kind(t) {
            _ if !seen.insert(t) => {}
            Kind::Ite => work.extend(&terms.args(t)[1..]),
            _ => found.push(t),
        }
    }
    found
}
