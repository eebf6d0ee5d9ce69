//! Pruning: candidates that a model refutes are dropped until the rest is inductive (Houdini: Flanagan, Leino, FME 2001).
//!
//! The same solver answers the questions of the pass itself: whether a target is reachable in the base case (an alarm), or in the step
//! case.
//!
//! If there are products of variables, a first attempt hides them from the solver: candidates with products are kept or dropped by
//! algebra alone, and all others are decided without them.

use crate::evidence::blocked::Blocked;
use crate::evidence::outcome::Outcome;
use crate::invariants::houdini::obligations::{Candidate, Candidates, Main, Numbers, Obligation, Pass};
use crate::program::{Budget, Halt, Program};
use crate::unwind::Unwinding;
use crate::unwind::model::inputs_of_model;
use cfa::bv::BvCmp;
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use smt::{Algebra, Answer, Solver, SolverError};
use std::time::Duration;

/// Maximum k for which candidates that were not inductive for a smaller k are tried again.
const MAX_RETRIED_K: u32 = 3;
/// Time limit for a query that shares its circuits with others.
const SHARED: Duration = Duration::from_millis(300);

/// Queries the solver about one pass.
pub(crate) struct Refutation<'a> {
    pub(crate) program: &'a Program,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) algebra: Algebra,
    pub(crate) budget: Budget<'a>,
    /// The number of queries so far.
    pub(crate) queries: &'a mut u64,
    /// The last state found from which the step case fails.
    pub(crate) blocked: &'a mut Option<Blocked>,
}

impl Refutation<'_> {
    /// An alarm, if a target is reached by an execution in which no loop was abstracted and no call passed over.
    pub(crate) fn base(&mut self, terms: &mut Terms, Pass { found, main, .. }: &Pass) -> Result<Option<Outcome>, Halt> {
        let &Main { targets, inexact, inputs } = main;
        let target = terms.or_all(found.targets[..targets].iter().map(|(_, g)| *g));
        let inexact = terms.or_all(found.inexact[..inexact].iter().copied());
        let exact = terms.not(inexact);
        let reached = terms.and(target, exact);
        if self.ask(terms, &[reached], self.budget)? == Answer::Unsat {
            return Ok(None);
        }
        let has_model = terms.as_bool(reached).is_none();
        Ok(Some(Outcome::Alarm(inputs_of_model(&found.inputs[..inputs], terms, self.solver, has_model))))
    }

    /// Whether the inductive candidates exclude both that a target is reached and that an execution gets to where the unwinding stopped.
    ///
    /// Inductive candidates remain so for larger k; the others are tried again while k is small, and whenever there are new candidates.
    pub(crate) fn step(
        &mut self,
        terms: &mut Terms,
        candidates: &mut Candidates,
        found: &Unwinding,
    ) -> Result<bool, Halt> {
        let violations = found.targets.iter().map(|(_, g)| *g).chain(found.cuts.iter().map(|c| c.guard));
        let any = terms.or_all(violations);
        let known = candidates.literals(|_, _, candidate| candidate.is_inductive);
        let is_first = known.is_empty() && candidates.has_new;
        if !is_first && self.excludes(terms, candidates, any, found)? {
            return Ok(true);
        }
        if is_first && self.by_few(terms, candidates, any)? {
            return Ok(true);
        }
        if !candidates.has_new && candidates.k > MAX_RETRIED_K {
            return Ok(false);
        }
        let is_open = |o: &&Obligation| !candidates.is_inductive(o.place, o.candidate);
        let open: Vec<Obligation> = candidates.obligations.iter().filter(is_open).copied().collect();
        let wrong = match self.by_algebra(terms, candidates, &open, any, is_first)? {
            Some(wrong) => wrong,
            None => self.drop_refuted(terms, candidates, &open, Numbers::default())?,
        };
        let suffices = match candidates.settle(&wrong) {
            true => self.excludes(terms, candidates, any, found)?,
            // This was asked before, unless nothing was known.
            false => is_first && self.excludes(terms, candidates, any, found)?,
        };
        Ok(suffices)
    }

    /// Whether the candidates that are often enough exclude `any`, that the step case fails: equations, and which of two variables is not
    /// larger. They are few, and all others count as wrong then.
    fn by_few(&mut self, terms: &mut Terms, candidates: &mut Candidates, any: Term) -> Result<bool, Halt> {
        let mut others = Numbers::default();
        let mut few = 0;
        for (place, all) in &candidates.of {
            for (i, candidate) in all.iter().enumerate() {
                let t = candidate.invariant;
                if candidate.index.is_none() && is_basic(terms, t) && !self.algebra.is_nonlinear(terms, t) {
                    few += 1;
                } else {
                    others.insert((*place, i));
                }
            }
        }
        if few == 0 || others.len() < few {
            return Ok(false);
        }
        let open: Vec<Obligation> =
            candidates.obligations.iter().filter(|o| !others.contains(&(o.place, o.candidate))).copied().collect();
        let wrong = self.drop_refuted(terms, candidates, &open, others)?;
        let excludes = self.check(terms, candidates, any, &alive(candidates, &wrong))? == Answer::Unsat;
        if excludes {
            candidates.settle(&wrong);
        }
        Ok(excludes)
    }

    /// Whether the inductive candidates exclude `any`, that the step case fails. If they do not, notes a state from which it does.
    fn excludes(
        &mut self,
        terms: &mut Terms,
        candidates: &Candidates,
        any: Term,
        found: &Unwinding,
    ) -> Result<bool, Halt> {
        let known = candidates.literals(|_, _, candidate| candidate.is_inductive);
        let is_excluded = self.check(terms, candidates, any, &known)? == Answer::Unsat;
        // Without a query there is no model.
        if !is_excluded
            && terms.as_bool(any).is_none()
            && let Some(blocked) = self.blocking(terms, candidates.k, found)
        {
            *self.blocked = Some(blocked);
        }
        Ok(is_excluded)
    }

    /// The state of the solver's model from which a target is reached.
    fn blocking(&mut self, terms: &Terms, k: u32, found: &Unwinding) -> Option<Blocked> {
        let solver = &mut *self.solver;
        let mut holds = |t: Term| match terms.as_bool(t) {
            Some(value) => value,
            None => solver.model_value(terms, t) == Ok(Value::Bool(true)),
        };
        let (target, _) = *found.targets.iter().find(|(_, guard)| holds(*guard))?;
        let state = found.arbitrary.iter().rev().find(|state| holds(state.guard))?;
        let cfa = &self.program.cfa;
        let known = state.env.globals.iter().chain(state.env.locals.iter());
        let told = known.filter(|(v, _)| cfa.vars[**v].source.is_some() && matches!(cfa.vars[**v].sort, Sort::Bv(_)));
        let values = told.filter_map(|(v, t)| Some((*v, solver.model_value(terms, *t).ok()?)));
        let mut values: Vec<_> = values.collect();
        values.sort_unstable_by_key(|(v, _)| *v);
        Some(Blocked { k, head: state.head, target, values })
    }

    /// Whether `t` is satisfiable together with the candidates that have the literals `alive`.
    fn check(&mut self, terms: &mut Terms, candidates: &Candidates, t: Term, alive: &[Term]) -> Result<Answer, Halt> {
        let query = with_instances(terms, candidates, t, alive);
        self.ask(terms, &query, self.budget)
    }

    /// Whether the conjunction of `query`, whose first term is the goal, is satisfiable; within `budget`.
    fn ask(&mut self, terms: &mut Terms, query: &[Term], budget: Budget<'_>) -> Result<Answer, Halt> {
        budget.check()?;
        if terms.as_bool(query[0]) == Some(false) {
            return Ok(Answer::Unsat);
        }
        *self.queries += 1;
        self.solver.set_limits(budget.limits());
        self.algebra.check(terms, self.solver, query).map_err(|e| match e {
            SolverError::Unknown(_) if budget.left().is_zero() => Halt::OutOfTime,
            other => Halt::Solver(other.to_string()),
        })
    }

    /// The wrong candidates among those with `obligations`, where algebra decides those with products. `None` if no candidate has
    /// products, unless this is the first attempt and the target has products. Some inductive candidates may be counted as wrong.
    fn by_algebra(
        &mut self,
        terms: &mut Terms,
        candidates: &Candidates,
        obligations: &[Obligation],
        target: Term,
        is_first: bool,
    ) -> Result<Option<Numbers>, Halt> {
        let candidate = |o: &Obligation| &candidates.of[&o.place][o.candidate];
        let mut has_product = |t: Term| self.algebra.is_nonlinear(terms, t);
        // Algebra does not know anything about elements of arrays.
        let (with, without): (Vec<Obligation>, Vec<Obligation>) =
            obligations.iter().partition(|o| candidate(o).index.is_none() && has_product(candidate(o).invariant));
        if with.is_empty() && !(is_first && has_product(target)) {
            return Ok(None);
        }
        let mut weaker = Vec::with_capacity(without.len());
        for o in without {
            let mut violation = o.violation;
            if candidate(&o).index.is_none() {
                let known = self.algebra.without_products(terms, &[violation]);
                violation = terms.and_all(known);
            }
            weaker.push(Obligation { violation, ..o });
        }
        let mut of_products = Numbers::default();
        for (place, all) in &candidates.of {
            let mut has_product = |g: &Candidate| g.index.is_none() && self.algebra.is_nonlinear(terms, g.invariant);
            let products = all.iter().enumerate().filter(|(_, g)| has_product(g));
            of_products.extend(products.map(|(i, _)| (*place, i)));
        }
        // The other candidates must not depend on them, so they are pruned as if there were no candidates with products.
        let mut wrong = self.drop_refuted(terms, candidates, &weaker, of_products.clone())?;
        wrong.retain(|candidate| !of_products.contains(candidate));
        loop {
            self.budget.check()?;
            let before = wrong.len();
            for o in &with {
                if wrong.contains(&(o.place, o.candidate)) {
                    continue;
                }
                let mut assumptions = vec![o.violation];
                assumptions.extend(alive(candidates, &wrong));
                let left = self.algebra.simplify(terms, &assumptions);
                if left.iter().all(|t| terms.as_bool(*t) != Some(false)) {
                    wrong.insert((o.place, o.candidate));
                }
            }
            if wrong.len() == before {
                break;
            }
        }
        Ok(Some(wrong))
    }

    /// Drops candidates that some model refutes, in addition to those in `wrong`, until `obligations` hold for the rest.
    ///
    /// The queries of one pruning differ in little more than the candidates that are assumed, so they share their circuits. A hard query
    /// is better simplified with the facts of all candidates: from the first hard query on, no circuits are shared.
    fn drop_refuted(
        &mut self,
        terms: &mut Terms,
        candidates: &Candidates,
        obligations: &[Obligation],
        mut wrong: Numbers,
    ) -> Result<Numbers, Halt> {
        self.solver.set_switches(&candidates.literals(|_, _, _| true));
        let mut shares = true;
        loop {
            let is_open = |o: &&Obligation| !wrong.contains(&(o.place, o.candidate));
            let open: Vec<&Obligation> = obligations.iter().filter(is_open).collect();
            let any = terms.or_all(open.iter().map(|o| o.violation));
            let query = with_instances(terms, candidates, any, &alive(candidates, &wrong));
            let mut answer = None;
            if shares {
                answer = self.ask(terms, &query, self.budget.at_most(SHARED)).ok();
                shares = answer.is_some();
            }
            if !shares {
                self.solver.set_switches(&[]);
                answer = Some(self.ask(terms, &query, self.budget)?);
            }
            if answer == Some(Answer::Unsat) {
                self.solver.set_switches(&[]);
                return Ok(wrong);
            }
            let before = wrong.len();
            for o in open {
                if self.solver.model_value(terms, o.violation) == Ok(Value::Bool(true)) {
                    wrong.insert((o.place, o.candidate));
                }
            }
            if wrong.len() == before {
                let at = self.program.cfa.locs.len();
                return Err(Halt::Solver(format!("a model refutes no candidate ({at} locations)")));
            }
        }
    }
}

/// Whether `t` is an equation between numbers, or says that one variable, up to a constant, is not larger than another.
fn is_basic(terms: &Terms, t: Term) -> bool {
    let is_variable = |t: &Term| terms.args(terms.base_offset(*t).0).is_empty();
    match terms.kind(t) {
        Kind::Eq => matches!(terms.sort(terms.args(t)[0]), Sort::Bv(_)),
        Kind::Cmp(BvCmp::Ule | BvCmp::Sle) => terms.args(t).iter().all(is_variable),
        _ => false,
    }
}

/// The literals of all candidates except the `wrong` ones.
fn alive(candidates: &Candidates, wrong: &Numbers) -> Vec<Term> {
    candidates.literals(|place, i, _| !wrong.contains(&(place, i)))
}

/// The query whether `t` is satisfiable together with the candidates that have the literals `alive`.
fn with_instances(terms: &mut Terms, candidates: &Candidates, t: Term, alive: &[Term]) -> Vec<Term> {
    let instances = candidates.instances(terms, t, alive);
    [&[t], alive, &instances].concat()
}
