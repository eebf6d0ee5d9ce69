//! Equality of sums, and of choices between sums, without the terms that both sides have in common.
//!
//! The sum that a loop computes is a choice between sums, one for each number of iterations: `ite(c, a + 1, ite(d, a + 2,
//! ...)) = a + b` is `ite(c, b = 1, ite(d, b = 2, ...))`. A loop that moves an amount from one number to another leaves their
//! sum unchanged: `ite(c, x - 1, x) + ite(c, y + 1, y)` is `x + y` for both values of `c`. A SAT solver would have to derive
//! this for each adder. The normal form of linear terms modulo 2^w is that of arithmetic normalisation in word-level
//! preprocessing (Ganesh, Dill: A decision procedure for bit-vectors and arrays, CAV 2007). Differences are split into cases
//! by conditions, each condition once, as in a decision diagram.

use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of differences examined in one equality. Bounded model checking does not reach as many iterations.
const MAX_CASES: usize = 1 << 14;

/// Maximum number of sums without choices, for each condition: the circuits of more of them would be larger than the adders.
const ENDS_PER_CONDITION: usize = 4;

/// Maximum number of multiples in one sum.
const MAX_MULTIPLES: usize = 64;

/// Maximum number of operators in one sum.
const MAX_OPERATORS: usize = 32;

/// A sum: a constant plus multiples of terms that are not sums, ascending by term; no multiple is zero.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Linear {
    constant: Bv,
    multiples: Vec<(Term, Bv)>,
}

/// A sum that is zero if and only if two terms are equal.
struct Difference {
    sum: Linear,
    /// The number of multiples in the two terms, counted separately.
    multiples: usize,
}

impl Difference {
    /// Adds `factor * t`; returns whether `t` has few enough operators.
    fn add(&mut self, terms: &Terms, t: Term, factor: &Bv) -> bool {
        let mut open = vec![(t, factor.clone())];
        for _ in 0..MAX_OPERATORS {
            let Some((t, factor)) = open.pop() else { return true };
            if let Some(k) = terms.as_bv(t) {
                let product = Bv::apply(BvOp::Mul, &k, &factor);
                self.sum.constant = Bv::apply(BvOp::Add, &self.sum.constant, &product);
                continue;
            }
            let args = terms.args(t);
            match terms.kind(t) {
                Kind::Bv(BvOp::Add) => open.extend(args.iter().map(|&a| (a, factor.clone()))),
                Kind::Bv(BvOp::Sub) => open.extend([(args[0], factor.clone()), (args[1], factor.neg())]),
                Kind::BvNeg => open.push((args[0], factor.neg())),
                _ => {
                    self.multiples += 1;
                    self.sum.add_atom(t, factor);
                }
            }
        }
        open.is_empty()
    }

    /// The condition of the most recent choice among the terms.
    fn condition(&self, terms: &Terms) -> Option<Term> {
        let last = self.sum.multiples.iter().rfind(|(t, _)| terms.kind(*t) == Kind::Ite)?;
        Some(terms.args(last.0)[0])
    }

    /// The difference where `condition` holds or does not; `None` if it is too large.
    fn case(&self, terms: &Terms, condition: Term, holds: bool) -> Option<Difference> {
        let sum = Linear { constant: self.sum.constant.clone(), multiples: Vec::new() };
        let mut case = Difference { sum, multiples: self.multiples };
        for (t, factor) in &self.sum.multiples {
            match (terms.kind(*t), terms.args(*t)) {
                (Kind::Ite, &[c, then, or_else]) if c == condition => {
                    case.multiples -= 1;
                    case.add(terms, if holds { then } else { or_else }, factor).then_some(())?;
                }
                _ => case.sum.add_atom(*t, factor.clone()),
            }
        }
        (case.sum.multiples.len() <= MAX_MULTIPLES).then_some(case)
    }

    /// How to decide whether the difference is zero, if terms have cancelled each other or at most one is left.
    fn step(&self) -> Option<Step> {
        let shorter = self.sum.multiples.len() < self.multiples || self.sum.multiples.len() <= 1;
        if shorter { self.sum.zero() } else { None }
    }
}

impl Linear {
    fn add_atom(&mut self, t: Term, factor: Bv) {
        match self.multiples.binary_search_by_key(&t, |m| m.0) {
            Ok(i) => {
                let sum = Bv::apply(BvOp::Add, &self.multiples[i].1, &factor);
                match sum.is_zero() {
                    true => drop(self.multiples.remove(i)),
                    false => self.multiples[i].1 = sum,
                }
            }
            Err(i) => self.multiples.insert(i, (t, factor)),
        }
    }

    /// How to decide whether the sum is zero, if this is an equality of at most one term with another one and a constant.
    fn zero(&self) -> Option<Step> {
        let one = Bv::new(self.constant.width(), 1);
        let mut sides: [Option<Term>; 2] = [None, None];
        for (t, factor) in &self.multiples {
            let side = match factor {
                f if *f == one => 0,
                f if f.neg() == one => 1,
                _ => return None,
            };
            if sides[side].replace(*t).is_some() {
                return None;
            }
        }
        // plus + constant = minus
        Some(match sides {
            [None, None] => Step::Constant(self.constant.is_zero()),
            [Some(plus), None] => Step::Equals(plus, self.constant.neg()),
            [None, Some(minus)] => Step::Equals(minus, self.constant.clone()),
            [Some(plus), Some(minus)] => Step::Sum { plus, constant: self.constant.clone(), minus },
        })
    }
}

/// A step of a comparison by cases, which computes a truth value.
#[derive(Debug)]
pub(crate) enum Step {
    /// A known truth value.
    Constant(bool),
    /// Whether a term equals a number.
    Equals(Term, Bv),
    /// Whether `plus + constant = minus`.
    Sum {
        /// A term.
        plus: Term,
        /// A number.
        constant: Bv,
        /// Another term.
        minus: Term,
    },
    /// A choice between the results of two other steps.
    Choose {
        /// A condition.
        condition: Term,
        /// The index of the step whose result is taken if it holds.
        then: usize,
        /// The index of the step whose result is taken if it does not hold.
        or_else: usize,
    },
}

/// A work item.
enum Work {
    Visit(Difference),
    /// The results of both cases of this sum by this condition are known.
    Join(Linear, Term),
}

/// Steps that decide whether the bit-vectors `a` and `b` are equal: the last one has the result. `None` if they have too
/// little in common.
pub(crate) fn equal(terms: &Terms, a: Term, b: Term) -> Option<Vec<Step>> {
    if [a, b].iter().any(|t| terms.as_bv(*t).is_some()) {
        return None;
    }
    let width = terms.width(a);
    let one = Bv::new(width, 1);
    let sum = Linear { constant: Bv::new(width, 0), multiples: Vec::new() };
    let mut difference = Difference { sum, multiples: 0 };
    if !difference.add(terms, a, &one) || !difference.add(terms, b, &one.neg()) {
        return None;
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut known: FxHashMap<Linear, usize> = FxHashMap::default();
    let mut work = vec![Work::Visit(difference)];
    let mut found: Vec<usize> = Vec::new();
    let mut left = MAX_CASES;
    let mut conditions: FxHashSet<Term> = FxHashSet::default();
    let mut ends = 0;
    while let Some(next) = work.pop() {
        let (sum, number) = match next {
            Work::Visit(difference) => {
                left = left.checked_sub(1)?;
                if let Some(&i) = known.get(&difference.sum) {
                    found.push(i);
                    continue;
                }
                if let Some(condition) = difference.condition(terms) {
                    conditions.insert(condition);
                    let [then, or_else] = [true, false].map(|holds| difference.case(terms, condition, holds));
                    work.extend([Work::Join(difference.sum, condition), Work::Visit(or_else?), Work::Visit(then?)]);
                    continue;
                }
                ends += 1;
                if ends > ENDS_PER_CONDITION * (conditions.len() + 1) {
                    return None;
                }
                steps.push(difference.step()?);
                (difference.sum, steps.len() - 1)
            }
            Work::Join(sum, condition) => {
                let (or_else, then) = (found.pop()?, found.pop()?);
                if then != or_else {
                    steps.push(Step::Choose { condition, then, or_else });
                }
                (sum, if then == or_else { then } else { steps.len() - 1 })
            }
        };
        known.insert(sum, number);
        found.push(number);
    }
    // The final result may be that of an earlier step.
    steps.truncate(found.pop()? + 1);
    Some(steps)
}
