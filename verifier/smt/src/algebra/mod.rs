//! Refutation by algebra: consequences of nonlinear equations, without the circuits of multipliers.
//!
//! Bit-vector solvers see a multiplication as gates, and take minutes for simple algebraic identities. Here, equations are
//! polynomials modulo 2^w (`poly`). Those that a query asserts are brought into solved form as linear equations over
//! monomials (`rows`), also after multiplication by atoms, which gives a part of the ideal that they generate. A disequality
//! that then reads `0 != 0` is false. Choices between values are split by their conditions. What is not refuted remains
//! unchanged: the result is equivalent to the query.
//!
//! Such queries come from programs with polynomial invariants (Rodríguez-Carbonell and Kapur, SAS 2004, give the theory over
//! fields). Example: `y = x * x` and `(x + 1) * (x + 1) != y + 2 * x + 1` is refuted, since the difference of both sides of the
//! disequality is the polynomial `x^2 - y`, which the equation makes zero.

mod context;
pub(crate) mod poly;
mod rows;

use crate::solver::{Answer, Solver, SolverError};
use cfa::bv::BvOp;
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Id, Term, Terms};
use context::{Context, Effort};
use fixedbitset::FixedBitSet;
use poly::Polys;

/// Maximum number of cases, including nested ones, into which one query is split by disjunctions: formulas share parts, cases
/// do not.
const MAX_CASES: usize = 20_000;

/// Maximum number of terms visited or copied for one query: about a tenth of a second. Formulas of programs with thousands of
/// branches are too large to be split.
const MAX_EFFORT: usize = 4_000_000;

/// A simplifier of queries over one arena of terms.
#[derive(Default)]
pub struct Algebra {
    polys: Polys,
    /// Nonlinear terms: those that contain a product of two terms neither of which is constant.
    nonlinear: FixedBitSet,
    /// The number of terms that have been examined for products.
    seen: usize,
    /// The number of cases into which the current query may still be split.
    cases_left: usize,
    /// The last query, unless it was given to the solver unchanged.
    treated: Option<Vec<Term>>,
    /// Number of queries that [`check`](Algebra::check) refuted without a solver.
    refuted: usize,
}

impl Algebra {
    /// A new simplifier.
    pub fn new() -> Algebra {
        Algebra::default()
    }

    /// Whether `t` is nonlinear: it contains a product of two terms neither of which is constant. Each term is examined once.
    pub fn is_nonlinear(&mut self, terms: &Terms, t: Term) -> bool {
        self.nonlinear.grow(terms.len());
        // Arguments have smaller ids than the terms that use them.
        for i in self.seen..terms.len() {
            let t = Term::from_index(i);
            let args = terms.args(t);
            let product = terms.kind(t) == Kind::Bv(BvOp::Mul) && args.iter().all(|a| terms.as_bv(*a).is_none());
            if product || args.iter().any(|a| self.nonlinear.contains(a.index())) {
                self.nonlinear.insert(i);
            }
        }
        self.seen = terms.len().max(self.seen);
        self.nonlinear.contains(t.index())
    }

    /// `conjuncts` without the parts that contradict the equations among the rest. The result has the same models.
    ///
    /// Cost: negligible if nothing is nonlinear.
    pub fn simplify(&mut self, terms: &mut Terms, conjuncts: &[Term]) -> Vec<Term> {
        if !conjuncts.iter().any(|t| self.is_nonlinear(terms, *t)) {
            return conjuncts.to_vec();
        }
        let context = Context::new(Effort::new(MAX_EFFORT));
        self.cases_left = MAX_CASES;
        self.within(terms, context, conjuncts)
    }

    /// The rest of `conjuncts` where the facts of `context` hold.
    fn within(&mut self, terms: &mut Terms, mut context: Context, conjuncts: &[Term]) -> Vec<Term> {
        for &t in conjuncts {
            context.assume(terms, &mut self.polys, t);
        }
        context.propagate(terms, &mut self.polys);
        let mut left = Vec::new();
        for t in terms.conjuncts(conjuncts) {
            if context.is_contradictory() {
                return vec![terms.ff()];
            }
            if !self.is_nonlinear(terms, t) {
                left.push(t);
                continue;
            }
            if let Some((a, b)) = context::disequality(terms, t) {
                if context.are_equal(terms, &mut self.polys, a, b) {
                    return vec![terms.ff()];
                }
                left.push(t);
                continue;
            }
            let Some(cases) =
                context::disjuncts(terms, t).filter(|cases| cases.len() <= self.cases_left && !context.is_spent())
            else {
                left.push(t);
                continue;
            };
            self.cases_left -= cases.len();
            let mut possible = Vec::new();
            for case in cases {
                let rest = self.within(terms, context.clone(), &[case]);
                let rest = terms.and_all(rest);
                possible.push(rest);
            }
            let any = terms.or_all(possible);
            if terms.as_bool(any) == Some(false) {
                return vec![any];
            }
            left.push(any);
        }
        left
    }

    /// The answer of `solver` to `conjuncts`, simplified. Nonlinear conjuncts are left out at first, in case the rest
    /// suffices.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        conjuncts: &[Term],
    ) -> Result<Answer, SolverError> {
        self.treated = None;
        if !conjuncts.iter().any(|t| self.is_nonlinear(terms, *t)) {
            return solver.check(terms, conjuncts);
        }
        self.treated = Some(conjuncts.to_vec());
        let left = self.simplify(terms, conjuncts);
        if left.iter().any(|t| terms.as_bool(*t) == Some(false)) {
            self.refuted += 1;
            return Ok(Answer::Unsat);
        }
        let weaker = self.without_products(terms, &left);
        match solver.check(terms, &weaker) {
            Ok(Answer::Unsat) => Ok(Answer::Unsat),
            Ok(Answer::Sat) if left.iter().all(|t| solver.model_value(terms, *t) == Ok(Value::Bool(true))) => {
                Ok(Answer::Sat)
            }
            Ok(Answer::Sat) | Err(SolverError::Unknown(_)) => solver.check(terms, &left),
            Err(e) => Err(e),
        }
    }

    /// The number of queries that [`check`](Algebra::check) refuted without a solver.
    pub fn refuted(&self) -> usize {
        self.refuted
    }

    /// Conjuncts of the last query that contradict each other, if [`check`](Algebra::check) found them unsatisfiable; not
    /// necessarily minimal.
    pub fn core(&self, solver: &mut dyn Solver) -> Vec<Term> {
        self.treated.clone().unwrap_or_else(|| solver.core())
    }

    /// `conjuncts` without those that contain something nonlinear: weaker, but often sufficient.
    pub fn without_products(&mut self, terms: &Terms, conjuncts: &[Term]) -> Vec<Term> {
        let all = terms.conjuncts(conjuncts);
        all.into_iter().filter(|t| !self.is_nonlinear(terms, *t)).collect()
    }
}

#[cfg(test)]
mod tests;
