//! Equality of sums and of choices between sums, without what both sides have in common.
//!
//! The sum that a loop computes is a choice between sums, one for each number of iterations: `ite(c, a + 1, ite(d, a + 2, ...)) = a + b`
//! is `ite(c, b = 1, ite(d, b = 2, ...))`. What a loop takes from one number and gives to another leaves their sum as it is:
//! `ite(c, x - 1, x) + ite(c, y + 1, y)` is `x + y`, whether or not c. A SAT solver would have to find out for each adder. The normal form of
//! linear terms modulo 2^w is that of arithmetic normalisation in word-level preprocessing (Ganesh, Dill: A decision procedure for
//! bit-vectors and arrays, CAV 2007); differences are made cases by conditions, each once, as in a decision diagram.

use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most differences looked at in one equality: more than the iterations that bounded model checking gets to.
const MOST_CASES: usize = 1 << 14;

/// How many sums without choices may be left for each condition: else the cases are larger than the adders.
const ENDS_PER_CONDITION: usize = 4;

/// Most multiples in one sum.
const MOST_MULTIPLES: usize = 64;

/// Most operators in one sum.
const MOST_OPERATORS: usize = 32;

/// Numbers of which the sum is made: a constant plus multiples of terms that are no sums, by ascending terms; no multiple is zero.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Linear {
    constant: Bv,
    multiples: Vec<(Term, Bv)>,
}

/// A sum that is zero if two terms are equal.
struct Difference {
    sum: Linear,
    /// How many multiples the terms have, each for itself.
    multiples: usize,
}

impl Difference {
    /// Adds `factor * t`; whether `t` has few enough operators.
    fn add(&mut self, terms: &Terms, t: Term, factor: &Bv) -> bool {
        let mut open = vec![(t, factor.clone())];
        for _ in 0..MOST_OPERATORS {
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

    /// The condition of the choice among the terms that was made last.
    fn condition(&self, terms: &Terms) -> Option<Term> {
        let last = self.sum.multiples.iter().rfind(|(t, _)| terms.kind(*t) == Kind::Ite)?;
        Some(terms.args(last.0)[0])
    }

    /// What it is where `condition` holds, or does not; `None`: that is too large.
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
        (case.sum.multiples.len() <= MOST_MULTIPLES).then_some(case)
    }

    /// How to find out whether it is zero, where terms have cancelled each other or there is one at most.
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

    /// How to find out whether this is zero, where that is equality of at most one term with another one and a constant.
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

/// A step of a comparison by cases, which finds out one truth value.
#[derive(Debug)]
pub(crate) enum Step {
    /// A known one.
    Constant(bool),
    /// Whether a term is a number.
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
    /// What another step finds out.
    Choose {
        /// A condition.
        condition: Term,
        /// The number of the step that counts where it holds.
        then: usize,
        /// The number of the step that counts where it does not.
        or_else: usize,
    },
}

/// What is to be done.
enum Work {
    Visit(Difference),
    /// The two cases of this sum by this condition are known.
    Join(Linear, Term),
}

/// The steps to find out, the last one, whether the bit-vectors `a` and `b` are equal; `None`: they have too little in common.
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
    let mut left = MOST_CASES;
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
    // What all cases come to may have been found out before others.
    steps.truncate(found.pop()? + 1);
    Some(steps)
}
