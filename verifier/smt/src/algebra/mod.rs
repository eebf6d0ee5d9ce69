//! Refutation by algebra: what nonlinear equations say, without the circuits of multipliers.
//!
//! Bit-vector solvers see a multiplication as its gates, and take minutes for identities that a pupil proves. Here equations are
//! polynomials modulo 2^w (`poly`), those that a query asserts are brought into solved form as linear equations over monomials (`rows`,
//! also multiplied by atoms: a part of the ideal that they generate), and a disequality that then reads `0 != 0` is false. Choices
//! between values are split by their conditions. What is not refuted stays as it was: the result is equivalent to the query.
//!
//! The programs that need this compute polynomial invariants (Rodriguez-Carbonell and Kapur, SAS 2004, give the theory over fields).

mod context;
mod poly;
mod rows;

use crate::solver::{Answer, Solver, SolverError};
use cfa::bv::BvOp;
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Id, Term, Terms};
use context::Context;
use fixedbitset::FixedBitSet;
use poly::Polys;

/// Most cases of disjunctions, those within cases included, that one query is split into: formulas share parts, cases do not.
const MAX_CASES: usize = 20_000;

/// Simplifies queries over one arena of terms.
#[derive(Default)]
pub struct Algebra {
    polys: Polys,
    /// Terms with a product of two terms that are no constants.
    nonlinear: FixedBitSet,
    /// How many terms were looked at for that.
    seen: usize,
    /// How many cases the present query may still be split into.
    cases_left: usize,
    /// The last query, if the solver did not get it as it was.
    treated: Option<Vec<Term>>,
    /// Queries that [`check`](Algebra::check) refuted without a solver.
    refuted: usize,
}

impl Algebra {
    /// A simplifier that knows nothing yet.
    pub fn new() -> Algebra {
        Algebra::default()
    }

    /// Whether a product of two terms that are no constants occurs in `t`. Each term is looked at once.
    pub fn is_nonlinear(&mut self, terms: &Terms, t: Term) -> bool {
        self.nonlinear.grow(terms.len());
        // Arguments have smaller ids than their users.
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

    /// `conjuncts` without those parts that contradict the equations among the rest. The result has the same models.
    ///
    /// Cost: none to speak of where nothing is nonlinear.
    pub fn simplify(&mut self, terms: &mut Terms, conjuncts: &[Term]) -> Vec<Term> {
        if !conjuncts.iter().any(|t| self.is_nonlinear(terms, *t)) {
            return conjuncts.to_vec();
        }
        let context = Context::default();
        self.cases_left = MAX_CASES;
        self.within(terms, context, conjuncts)
    }

    /// What is left of `conjuncts` where the facts of `context` hold.
    fn within(&mut self, terms: &mut Terms, mut context: Context, conjuncts: &[Term]) -> Vec<Term> {
        for &t in conjuncts {
            context.assume(terms, &mut self.polys, t);
        }
        context.propagate(terms, &mut self.polys);
        let mut left = Vec::new();
        for t in context::conjuncts(terms, conjuncts) {
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
            let Some(cases) = context::disjuncts(terms, t).filter(|cases| cases.len() <= self.cases_left) else {
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

    /// The answer of `solver` to `conjuncts`, simplified. What is nonlinear is left out at first, if the rest may be enough.
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

    /// How many queries [`check`](Algebra::check) refuted without a solver.
    pub fn refuted(&self) -> usize {
        self.refuted
    }

    /// Conjuncts of the last query that exclude each other, where [`check`](Algebra::check) found them unsatisfiable: not always the fewest.
    pub fn core(&self, solver: &mut dyn Solver) -> Vec<Term> {
        self.treated.clone().unwrap_or_else(|| solver.core())
    }

    /// `conjuncts` without those in which something nonlinear occurs: weaker, and often enough.
    pub fn without_products(&mut self, terms: &Terms, conjuncts: &[Term]) -> Vec<Term> {
        let all = context::conjuncts(terms, conjuncts);
        all.into_iter().filter(|t| !self.is_nonlinear(terms, *t)).collect()
    }
}

#[cfg(test)]
mod tests;
