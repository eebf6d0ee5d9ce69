//! Projection of facts on some of their leaves, without quantifiers: the other leaves are eliminated where an equation defines them,
//! and facts that still have them are weakened or dropped.
//!
//! ```text
//! x = y + 1, y <= 8        on {x}:   x - 1 <= 8
//! b ? x = 1 : x = y        on {x}:   (dropped)
//! x = 1 or (x = y, y = 2)  on {x}:   x = 1 or x = 2
//! x - y + (3 + y) = 5      on {x}:   x + 3 = 5
//! ```
//!
//! The result follows from the facts. It is what Dietsch et al. (FSE 2017) call a postcondition with quantified variables that
//! are not live, except that no quantifier is left.

use crate::algebra::poly::{cancelled, has_polynomial};
use crate::bits::deadline::Deadline;
use crate::bits::substitution::is_leaf;
use crate::solver::SolverError;
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of leaves that are eliminated by equations.
const MAX_EQUATIONS: usize = 500;

/// Maximum number of operators undone in one equation, on all ways to its leaves together.
const MAX_UNDONE: usize = 256;

/// Maximum nesting depth of disjunctions whose branches are projected one by one.
const MAX_NESTING: u32 = 4;

/// Maximum number of terms that a projection may consist of before facts are dropped.
const MAX_TERMS: usize = 20_000;

/// A projection on the leaves for which `keeps` holds.
pub(crate) struct Projection<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) keeps: &'a dyn Fn(&Terms, Term) -> bool,
    pub(crate) deadline: &'a mut Deadline,
}

impl Projection<'_> {
    /// Facts that follow from `facts` and have only leaves that are kept.
    ///
    /// Errors: `Unknown` if the time is over.
    pub(crate) fn project(&mut self, facts: Vec<Term>) -> Result<Vec<Term>, SolverError> {
        self.project_nested(facts, 0)
    }

    /// Facts that follow from `facts` and have no leaf that is not kept and that an equation among them defines.
    ///
    /// Errors: `Unknown` if the time is over.
    pub(crate) fn without_definitions(&mut self, facts: Vec<Term>) -> Result<Vec<Term>, SolverError> {
        let mut facts = self.flatten(facts);
        for _ in 0..MAX_EQUATIONS {
            self.deadline.tick()?;
            let Some((i, solved)) = facts.iter().enumerate().find_map(|(i, f)| Some((i, self.solve(*f)?))) else {
                break;
            };
            facts.swap_remove(i);
            let mut memo = FxHashMap::from_iter([(solved.leaf, solved.value)]);
            let mut new: Vec<Term> = Vec::with_capacity(facts.len() + 1);
            for f in facts {
                new.push(self.terms.substitute(f, &mut memo, &mut |_, _| None));
            }
            new.extend(solved.side);
            facts = self.flatten(new);
        }
        Ok(facts)
    }

    fn project_nested(&mut self, facts: Vec<Term>, nesting: u32) -> Result<Vec<Term>, SolverError> {
        let mut facts = self.without_definitions(facts)?;
        if self.terms.subterms(&facts, |_| false).len() > MAX_TERMS {
            facts.retain(|f| self.foreign(*f).is_none());
        }
        let mut kept = Vec::with_capacity(facts.len());
        for f in facts {
            let f = self.cancelled(f);
            if self.foreign(f).is_none() {
                kept.push(f);
            } else if nesting < MAX_NESTING {
                kept.extend(self.weaken(f, nesting)?);
            }
        }
        Ok(self.flatten(kept))
    }

    /// A fact that says the same, in which leaves that are not kept cancel each other if it is an equation.
    fn cancelled(&mut self, f: Term) -> Term {
        let (t, holds) = match self.terms.kind(f) {
            Kind::Not => (self.terms.args(f)[0], false),
            _ => (f, true),
        };
        let (Kind::Eq, &[a, b]) = (self.terms.kind(t), self.terms.args(t)) else { return f };
        if !has_polynomial(self.terms.sort(a)) || self.foreign(f).is_none() {
            return f;
        }
        let equal = cancelled(self.terms, a, b);
        if holds { equal } else { self.terms.not(equal) }
    }

    /// A leaf of `t` that is not kept.
    fn foreign(&self, t: Term) -> Option<Term> {
        let terms = &*self.terms;
        terms.subterms(&[t], |_| false).into_iter().find(|u| is_leaf(terms, *u) && !(self.keeps)(terms, *u))
    }

    /// The conjuncts of `facts`, each once; `false` alone if one of them is false.
    fn flatten(&mut self, facts: Vec<Term>) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
        let mut stack: Vec<(Term, bool)> = facts.into_iter().rev().map(|f| (f, true)).collect();
        while let Some((t, holds)) = stack.pop() {
            if !seen.insert((t, holds)) {
                continue;
            }
            match (self.terms.kind(t), holds) {
                (Kind::Not, _) => stack.push((self.terms.args(t)[0], !holds)),
                (Kind::And, true) | (Kind::Or, false) => {
                    stack.extend(self.terms.args(t).iter().rev().map(|a| (*a, holds)));
                }
                (Kind::Bool(b), _) if b == holds => {}
                (Kind::Bool(_), _) => return vec![self.terms.ff()],
                _ => found.push(if holds { t } else { self.terms.not(t) }),
            }
        }
        found
    }

    /// What follows from `f`, which has leaves that are not kept: its branches are projected one by one.
    fn weaken(&mut self, f: Term, nesting: u32) -> Result<Option<Term>, SolverError> {
        let (t, holds) = match self.terms.kind(f) {
            Kind::Not => (self.terms.args(f)[0], false),
            _ => (f, true),
        };
        let args: Vec<Term> = self.terms.args(t).to_vec();
        let branches: Vec<Vec<Term>> = match (self.terms.kind(t), holds, &args[..]) {
            (Kind::Or, true, _) => args.iter().map(|a| vec![*a]).collect(),
            (Kind::And, false, _) => args.iter().map(|a| vec![self.terms.not(*a)]).collect(),
            (Kind::Ite, _, &[c, a, b]) => {
                let not = self.terms.not(c);
                let [a, b] = [a, b].map(|t| if holds { t } else { self.terms.not(t) });
                vec![vec![c, a], vec![not, b]]
            }
            _ => return Ok(None),
        };
        let mut any = self.terms.ff();
        for branch in branches {
            let projected = self.project_nested(branch, nesting + 1)?;
            let all = self.terms.and_all(projected);
            any = self.terms.or(any, all);
        }
        Ok((self.terms.as_bool(any) != Some(true)).then_some(any))
    }

    /// A leaf that is not kept and that `f` defines.
    fn solve(&mut self, f: Term) -> Option<Solved> {
        let dead = |s: &Self, t: Term| is_leaf(s.terms, t) && !(s.keeps)(s.terms, t);
        if dead(self, f) {
            return Some(Solved { leaf: f, value: self.terms.tt(), side: None });
        }
        let args: Vec<Term> = self.terms.args(f).to_vec();
        match (self.terms.kind(f), &args[..]) {
            (Kind::Not, &[a]) if dead(self, a) => Some(Solved { leaf: a, value: self.terms.ff(), side: None }),
            (Kind::Eq, &[a, b]) => {
                self.foreign(f)?;
                let undone = &mut 0;
                self.isolate(a, b, undone).or_else(|| self.isolate(b, a, undone))
            }
            _ => None,
        }
    }

    /// Solves `t = value` for a leaf of `t` that is not kept, by undoing the operators above it.
    fn isolate(&mut self, t: Term, value: Term, undone: &mut usize) -> Option<Solved> {
        *undone += 1;
        if *undone > MAX_UNDONE {
            return None;
        }
        if is_leaf(self.terms, t) {
            let occurs = || self.terms.subterms(&[value], |_| false).contains(&t);
            let solves = !(self.keeps)(self.terms, t) && !occurs();
            return solves.then_some(Solved { leaf: t, value, side: None });
        }
        let args: Vec<Term> = self.terms.args(t).to_vec();
        match (self.terms.kind(t), &args[..]) {
            (Kind::Bv(op @ (BvOp::Add | BvOp::Xor)), &[a, b]) => {
                let undo = if op == BvOp::Add { BvOp::Sub } else { BvOp::Xor };
                [(a, b), (b, a)].into_iter().find_map(|(x, other)| {
                    self.foreign(x)?;
                    let value = self.terms.bv_op(undo, value, other);
                    self.isolate(x, value, undone)
                })
            }
            (Kind::Bv(BvOp::Sub), &[a, b]) => {
                let sum = self.terms.add(value, b);
                self.isolate(a, sum, undone).or_else(|| {
                    let difference = self.terms.sub(a, value);
                    self.isolate(b, difference, undone)
                })
            }
            (Kind::BvNot, &[a]) => {
                let value = self.terms.bv_not(value);
                self.isolate(a, value, undone)
            }
            (Kind::BvNeg, &[a]) => {
                let value = self.terms.bv_neg(value);
                self.isolate(a, value, undone)
            }
            (Kind::Not, &[a]) => {
                let value = self.terms.not(value);
                self.isolate(a, value, undone)
            }
            (kind @ (Kind::Zext | Kind::Sext), &[a]) => {
                let (Sort::Bv(narrow), Sort::Bv(wide)) = (self.terms.sort(a), self.terms.sort(t)) else { return None };
                let low = self.terms.extract(narrow - 1, 0, value);
                let again = if kind == Kind::Zext { self.terms.zext(wide, low) } else { self.terms.sext(wide, low) };
                let fits = self.terms.eq(again, value);
                let solved = self.isolate(a, low, undone)?;
                let side = solved.side.map_or(fits, |side| self.terms.and(side, fits));
                Some(Solved { side: Some(side), ..solved })
            }
            _ => None,
        }
    }
}

/// A leaf, what it is, and what else the equation says.
struct Solved {
    leaf: Term,
    value: Term,
    side: Option<Term>,
}
