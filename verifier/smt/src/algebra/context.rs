//! The knowledge at a place in a query: facts, and the equations among them.

use super::poly::{Poly, Polys, has_polynomial};
use super::rows::Rows;
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum number of nested choices by which one question is split.
const MAX_SPLITS: u32 = 8;

/// Maximum number of products of equations with atoms that one question may add.
const MAX_PRODUCTS: usize = 64;

/// Maximum degree of an equation that is multiplied.
const MAX_DEGREE: usize = 6;

/// The effort that may still be spent on a query, as a number of terms visited or copied; all contexts of the query share it. Facts that
/// would take more are not found, which is sound.
#[derive(Clone)]
pub(super) struct Effort(Rc<Cell<usize>>);

impl Effort {
    /// An effort of `terms` terms.
    pub(super) fn new(terms: usize) -> Effort {
        Effort(Rc::new(Cell::new(terms)))
    }

    fn spend(&self, terms: usize) {
        self.0.set(self.0.get().saturating_sub(terms));
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// Facts that hold together.
pub(super) struct Context {
    effort: Effort,
    /// The Bool terms whose values are known.
    facts: FxHashMap<Term, bool>,
    /// Disjunctions from which something may follow later.
    open: Vec<Term>,
    /// The equations, by width.
    equations: BTreeMap<u32, Rows>,
    contradictory: bool,
}

impl Clone for Context {
    fn clone(&self) -> Context {
        self.effort.spend(self.facts.len() + self.open.len());
        Context {
            effort: self.effort.clone(),
            facts: self.facts.clone(),
            open: self.open.clone(),
            equations: self.equations.clone(),
            contradictory: self.contradictory,
        }
    }
}

impl Context {
    /// A context without facts.
    pub(super) fn new(effort: Effort) -> Context {
        let facts = FxHashMap::default();
        Context { effort, facts, open: Vec::new(), equations: BTreeMap::new(), contradictory: false }
    }

    /// Whether the facts contradict each other.
    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Whether no effort is left for the query.
    pub(super) fn is_spent(&self) -> bool {
        self.effort.is_spent()
    }

    /// Adds that `t` holds.
    pub(super) fn assume(&mut self, terms: &Terms, polys: &mut Polys, t: Term) {
        let mut work = vec![(t, true)];
        while let Some((t, holds)) = work.pop() {
            match (terms.kind(t), holds) {
                (Kind::Bool(b), _) => self.contradictory |= b != holds,
                (Kind::Not, _) => work.push((terms.args(t)[0], !holds)),
                _ if self.facts.contains_key(&t) => self.contradictory |= self.facts[&t] != holds,
                (kind, _) => {
                    self.facts.insert(t, holds);
                    match (kind, holds) {
                        (Kind::And, true) | (Kind::Or, false) => {
                            work.extend(terms.args(t).iter().map(|a| (*a, holds)));
                        }
                        (Kind::Or, true) => {
                            work.extend(self.common(terms, t).into_iter().map(|a| (a, true)));
                            self.open.push(t);
                        }
                        (Kind::Eq, true) => self.equate(terms, polys, t),
                        _ => {}
                    }
                }
            }
        }
    }

    /// What the parts of a disjunction have in common: the conjuncts that occur in each of them.
    fn common(&self, terms: &Terms, t: Term) -> Vec<Term> {
        let (mut parts, mut work) = (Vec::new(), vec![t]);
        while let Some(t) = work.pop() {
            if self.effort.is_spent() {
                return Vec::new();
            }
            match terms.kind(t) {
                Kind::Or => work.extend(terms.args(t)),
                _ => {
                    let part = terms.conjuncts(&[t]);
                    self.effort.spend(part.len() + 1);
                    parts.push(part);
                }
            }
        }
        let Some((first, rest)) = parts.split_first() else { return Vec::new() };
        let sets: Vec<FxHashSet<Term>> = rest.iter().map(|p| p.iter().copied().collect()).collect();
        first.iter().copied().filter(|t| terms.kind(*t) != Kind::Or && sets.iter().all(|s| s.contains(t))).collect()
    }

    fn equate(&mut self, terms: &Terms, polys: &mut Polys, t: Term) {
        let [a, b] = *terms.args(t) else { return };
        if !has_polynomial(terms.sort(a)) {
            return;
        }
        let p = difference(terms, polys, a, b);
        let rows = self.equations.entry(p.width()).or_default();
        rows.add(&p);
        self.contradictory |= rows.contradiction;
    }

    /// Adds what follows from disjunctions all of whose parts but one are known to be false.
    pub(super) fn propagate(&mut self, terms: &Terms, polys: &mut Polys) {
        loop {
            let mut follow = Vec::new();
            let open = std::mem::take(&mut self.open);
            for t in open {
                let parts: Vec<Term> =
                    terms.args(t).iter().copied().filter(|a| self.value(terms, *a) != Some(false)).collect();
                match parts[..] {
                    [] => self.contradictory = true,
                    [one] => follow.push(one),
                    _ => self.open.push(t),
                }
            }
            if follow.is_empty() {
                return;
            }
            for t in follow {
                self.assume(terms, polys, t);
            }
        }
    }

    /// The known value of a Bool.
    fn value(&self, terms: &Terms, t: Term) -> Option<bool> {
        if let Some(b) = terms.as_bool(t) {
            return Some(b);
        }
        if terms.kind(t) == Kind::Not {
            return self.value(terms, terms.args(t)[0]).map(|b| !b);
        }
        self.facts.get(&t).copied()
    }

    /// Whether two bit-vectors are equal wherever the facts hold. `false` means that this is unknown.
    pub(super) fn are_equal(&self, terms: &mut Terms, polys: &mut Polys, a: Term, b: Term) -> bool {
        if !has_polynomial(terms.sort(a)) {
            return false;
        }
        let goal = difference(terms, polys, a, b);
        self.is_zero(terms, polys, goal, MAX_SPLITS)
    }

    fn is_zero(&self, terms: &mut Terms, polys: &mut Polys, goal: Poly, splits: u32) -> bool {
        if self.contradictory {
            return true;
        }
        let mut rows = self.equations.get(&goal.width()).cloned().unwrap_or_default();
        divide(terms, polys, &goal, &mut rows);
        let goal = rows.reduce(&goal);
        if goal.is_zero() {
            return true;
        }
        if let Some(c) = choice(terms, goal.iter().flat_map(|(m, _)| m)) {
            return splits > 0 && !self.effort.is_spent() && self.in_both_cases(terms, polys, &goal, c, splits - 1);
        }
        if by_products(&goal, &rows) {
            return true;
        }
        // A choice in an equation may be what is missing.
        let in_rows = rows.iter().flat_map(|p| p.iter()).flat_map(|(m, _)| m);
        match choice(terms, in_rows) {
            Some(c) if splits > 0 && !self.effort.is_spent() => self.in_both_cases(terms, polys, &goal, c, splits - 1),
            _ => false,
        }
    }

    fn in_both_cases(&self, terms: &mut Terms, polys: &mut Polys, goal: &Poly, c: Term, splits: u32) -> bool {
        [true, false].into_iter().all(|holds| {
            if self.value(terms, c).is_some_and(|known| known != holds) {
                return true;
            }
            let mut case = Context { equations: BTreeMap::new(), ..self.clone() };
            let fact = if holds { c } else { terms.not(c) };
            case.assume(terms, polys, fact);
            case.propagate(terms, polys);
            // The choices that this decides, in the goal and in the equations.
            let chosen = |polys: &mut Polys, p: &Poly| {
                let mut values: FxHashMap<Term, Rc<Poly>> = FxHashMap::default();
                for t in p.iter().flat_map(|(m, _)| m.iter()) {
                    if terms.kind(*t) == Kind::Ite && terms.args(*t)[0] == c {
                        let value = terms.args(*t)[if holds { 1 } else { 2 }];
                        values.insert(*t, polys.of(terms, value));
                    }
                }
                p.substituted(&|t| values.get(&t).cloned())
            };
            for p in self.equations.values().flat_map(Rows::iter) {
                // An equation that becomes too large is left out.
                if let Some(p) = chosen(polys, p) {
                    let rows = case.equations.entry(p.width()).or_default();
                    rows.add(&p);
                    case.contradictory |= rows.contradiction;
                }
            }
            let Some(goal) = chosen(polys, goal) else { return false };
            case.is_zero(terms, polys, goal, splits)
        })
    }
}

/// `a - b`.
fn difference(terms: &Terms, polys: &mut Polys, a: Term, b: Term) -> Poly {
    let mut p = (*polys.of(terms, a)).clone();
    p.add_multiple(&polys.of(terms, b), u64::MAX);
    p
}

/// The condition of a choice among `atoms`: the oldest choice, since others may depend on it.
fn choice<'a>(terms: &Terms, atoms: impl Iterator<Item = &'a Term>) -> Option<Term> {
    atoms.filter(|t| terms.kind(**t) == Kind::Ite).min().map(|t| terms.args(*t)[0])
}

/// For quotients in the goal, adds that the dividend is quotient times divisor plus remainder. This also holds for a divisor
/// of zero.
fn divide(terms: &mut Terms, polys: &mut Polys, goal: &Poly, rows: &mut Rows) {
    let atoms: FxHashSet<Term> = goal.iter().flat_map(|(m, _)| m.iter().copied()).collect();
    for t in atoms {
        let (quotient, remainder) = match terms.kind(t) {
            Kind::Bv(BvOp::Sdiv | BvOp::Srem) => (BvOp::Sdiv, BvOp::Srem),
            Kind::Bv(BvOp::Udiv | BvOp::Urem) => (BvOp::Udiv, BvOp::Urem),
            _ => continue,
        };
        let [a, b] = *terms.args(t) else { continue };
        let quotient = terms.bv_op(quotient, a, b);
        let remainder = terms.bv_op(remainder, a, b);
        let Some(mut p) = polys.of(terms, quotient).times(&polys.of(terms, b)) else { continue };
        p.add_multiple(&polys.of(terms, remainder), 1);
        p.add_multiple(&polys.of(terms, a), u64::MAX);
        rows.add(&p);
    }
}

/// Whether products of the equations with atoms of the goal imply that it is zero.
fn by_products(goal: &Poly, rows: &Rows) -> bool {
    let degree = |p: &Poly| p.iter().map(|(m, _)| m.len()).max().unwrap_or(0);
    let mut atoms: Vec<Term> = goal.iter().flat_map(|(m, _)| m.iter().copied()).collect();
    atoms.sort_unstable();
    atoms.dedup();
    let (limit, mut more, mut added) = (degree(goal), rows.clone(), 0);
    let mut last: Vec<Poly> = rows.iter().cloned().collect();
    while !last.is_empty() && limit <= MAX_DEGREE {
        let mut products = Vec::new();
        for p in last.iter().filter(|p| degree(p) < limit) {
            for &t in &atoms {
                if added >= MAX_PRODUCTS {
                    break;
                }
                if let Some(product) = p.times(&Poly::atom(p.width(), t)) {
                    added += 1;
                    more.add(&product);
                    products.push(product);
                }
            }
        }
        if more.reduce(goal).is_zero() {
            return true;
        }
        last = products;
    }
    false
}

/// The sides of `t`, if it is a disequality.
pub(super) fn disequality(terms: &Terms, t: Term) -> Option<(Term, Term)> {
    if terms.kind(t) != Kind::Not {
        return None;
    }
    let equation = terms.args(t)[0];
    match (terms.kind(equation), terms.args(equation)) {
        (Kind::Eq, [a, b]) => Some((*a, *b)),
        _ => None,
    }
}

/// The parts of `t`, if it is a disjunction or the negation of a conjunction.
pub(super) fn disjuncts(terms: &mut Terms, t: Term) -> Option<Vec<Term>> {
    let is_disjunction = |terms: &Terms, t: Term| match terms.kind(t) {
        Kind::Or => true,
        Kind::Not => terms.kind(terms.args(t)[0]) == Kind::And,
        _ => false,
    };
    if !is_disjunction(terms, t) {
        return None;
    }
    let (mut found, mut work) = (Vec::new(), vec![t]);
    while let Some(t) = work.pop() {
        if !is_disjunction(terms, t) {
            found.push(t);
            continue;
        }
        let negated = terms.kind(t) == Kind::Not;
        let of = if negated { terms.args(t)[0] } else { t };
        for a in terms.args(of).to_vec().into_iter().rev() {
            let part = if negated { terms.not(a) } else { a };
            work.push(part);
        }
    }
    Some(found)
}
