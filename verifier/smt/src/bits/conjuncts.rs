//! A query as conjuncts, each with the assumption that it comes from, including the facts common to all branches of its
//! disjunctions.
//!
//! A query of bounded model checking is a disjunction over all ways to violate the property. The facts that these have in
//! common (the program's assumptions about its inputs) follow from the query, so they can be used like its conjuncts.

use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Maximum number of conjunctions and disjunctions examined for common facts in one query.
const COMMON_BUDGET: usize = 50_000;

/// Maximum number of facts that are kept for one formula.
const COMMON_FACTS: usize = 256;

/// Maximum number of facts of all formulas that are kept for later queries.
const KEPT_FACTS: usize = 1_000_000;

/// A term that must hold, or not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conjunct {
    /// The term, which is neither a conjunction nor a negation.
    pub(crate) term: Term,
    /// Whether it holds.
    pub(crate) positive: bool,
    /// The index of the assumption; `None` for an assertion.
    pub(crate) source: Option<usize>,
}

/// The conjuncts of assertions and assumptions, each once. With `common`, also those that follow from disjunctions.
pub(crate) fn conjuncts(
    terms: &Terms,
    assertions: &[Term],
    assumptions: &[Term],
    common: Option<&mut Common>,
) -> Vec<Conjunct> {
    let mut seen: FxHashSet<Fact> = FxHashSet::default();
    let mut found = Vec::new();
    let assumed = assumptions.iter().enumerate().map(|(i, &t)| (t, Some(i)));
    let mut stack = Vec::new();
    for (t, source) in assertions.iter().map(|&t| (t, None)).chain(assumed) {
        stack.push((t, true));
        while let Some((term, positive)) = stack.pop() {
            if !seen.insert((term, positive)) {
                continue;
            }
            match (terms.kind(term), positive) {
                (Kind::Not, _) => stack.push((terms.args(term)[0], !positive)),
                (Kind::And, true) | (Kind::Or, false) => {
                    // The first argument is examined first.
                    stack.extend(terms.args(term).iter().rev().map(|&a| (a, positive)));
                }
                _ => found.push(Conjunct { term, positive, source }),
            }
        }
    }
    if let Some(common) = common {
        common.begin();
        for c in found.clone() {
            for &(term, positive) in common.of(terms, (c.term, c.positive)).iter() {
                if seen.insert((term, positive)) {
                    found.push(Conjunct { term, positive, source: c.source });
                }
            }
        }
    }
    found
}

/// A term and whether it holds.
type Fact = (Term, bool);

/// The facts that follow from formulas of one arena. They are kept from query to query.
#[derive(Default)]
pub(crate) struct Common {
    /// The facts for each formula, ascending.
    of: FxHashMap<Fact, Rc<[Fact]>>,
    /// The number of facts of all formulas.
    kept: usize,
    /// How many conjunctions and disjunctions the present query has looked at.
    looked_at: usize,
}

impl Common {
    /// A query begins.
    fn begin(&mut self) {
        self.looked_at = 0;
        if self.kept > KEPT_FACTS {
            self.of.clear();
            self.kept = 0;
        }
    }

    /// The facts that follow from `fact`, as far as the budget allows.
    fn of(&mut self, terms: &Terms, fact: Fact) -> Rc<[Fact]> {
        let mut stack = vec![fact];
        while let Some(&(t, positive)) = stack.last() {
            if self.of.contains_key(&(t, positive)) {
                stack.pop();
                continue;
            }
            let (kind, args) = (terms.kind(t), terms.args(t));
            if !matches!(kind, Kind::And | Kind::Or | Kind::Not) {
                let own = is_plain(terms, t).then_some((t, positive));
                self.keep((t, positive), own.into_iter().collect());
                continue;
            }
            self.looked_at += 1;
            if self.looked_at > COMMON_BUDGET {
                return Rc::new([]);
            }
            let args = args.iter().map(|&a| (a, positive != (kind == Kind::Not)));
            let missing: Vec<Fact> = args.clone().filter(|a| !self.of.contains_key(a)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let known: Vec<&Rc<[Fact]>> = args.map(|a| &self.of[&a]).collect();
            let facts = match known[..] {
                [a] => a.clone(),
                [a, b] if (kind == Kind::And) == positive => union(a, b),
                [a, b] => a.iter().filter(|f| b.binary_search(f).is_ok()).copied().collect(),
                _ => Rc::new([]),
            };
            self.keep((t, positive), facts);
        }
        self.of[&fact].clone()
    }

    fn keep(&mut self, fact: Fact, facts: Rc<[Fact]>) {
        self.kept += 1 + facts.len();
        self.of.insert(fact, facts);
    }
}

/// Whether a fact about `t` may define or bound a leaf.
fn is_plain(terms: &Terms, t: Term) -> bool {
    matches!(terms.kind(t), Kind::Eq | Kind::Cmp(_) | Kind::Var(_) | Kind::Sym(_))
}

fn union(a: &Rc<[Fact]>, b: &Rc<[Fact]>) -> Rc<[Fact]> {
    if b.is_empty() {
        return a.clone();
    }
    let mut all: Vec<Fact> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    // Older terms are from the beginning of the program, which most branches share.
    all.truncate(COMMON_FACTS);
    all.into()
}
