//! Equality of sums and of choices between sums, without what both sides have in common.
//!
//! The sum that a loop computes is a choice between sums, one for each number of iterations: `ite(c, a + 1, ite(d, a + 2, ...)) = a + b`
//! is `ite(c, b = 1, ite(d, b = 2, ...))`. A SAT solver would have to find out for each adder. The normal form of linear terms modulo 2^w is that
//! of arithmetic normalisation in word-level preprocessing (Ganesh, Dill: A decision procedure for bit-vectors and arrays, CAV 2007).

use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms};

/// Most sums that a choice is between: as many iterations as bounded model checking usually gets to.
const MOST_CASES: usize = 1 << 14;

/// Most operators in one sum.
const MOST_OPERATORS: usize = 32;

/// A constant plus multiples of terms that are no sums, by ascending terms; no multiple is zero.
struct Linear {
    constant: Bv,
    multiples: Vec<(Term, Bv)>,
}

impl Linear {
    fn constant(width: u32) -> Linear {
        Linear { constant: Bv::new(width, 0), multiples: Vec::new() }
    }

    /// Adds `factor * t`; whether `t` has few enough operators.
    fn add(&mut self, terms: &Terms, t: Term, factor: &Bv) -> bool {
        let mut open = vec![(t, factor.clone())];
        for _ in 0..MOST_OPERATORS {
            let Some((t, factor)) = open.pop() else { return true };
            if let Some(k) = terms.as_bv(t) {
                let product = Bv::apply(BvOp::Mul, &k, &factor);
                self.constant = Bv::apply(BvOp::Add, &self.constant, &product);
                continue;
            }
            let args = terms.args(t);
            match terms.kind(t) {
                Kind::Bv(BvOp::Add) => open.extend(args.iter().map(|&a| (a, factor.clone()))),
                Kind::Bv(BvOp::Sub) => open.extend([(args[0], factor.clone()), (args[1], factor.neg())]),
                Kind::BvNeg => open.push((args[0], factor.neg())),
                _ => self.add_atom(t, factor),
            }
        }
        open.is_empty()
    }

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
    fn zero(self) -> Option<Step> {
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
            [None, Some(minus)] => Step::Equals(minus, self.constant),
            [Some(plus), Some(minus)] => Step::Sum { plus, constant: self.constant, minus },
        })
    }
}

/// A step of a comparison by cases, each of which leaves one truth value behind.
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
    /// If the condition holds, then the value before the last one, else the last one; takes both away.
    Choose(Term),
}

/// Takes an equality apart.
struct Cases<'a> {
    terms: &'a Terms,
    other: Term,
    /// Multiples in the sum that is the other side.
    other_size: usize,
    /// Cases that there may still be.
    left: usize,
    steps: Vec<Step>,
}

impl Cases<'_> {
    /// Whether `t` equals the other side; `None`: some case has nothing in common with it.
    fn equal(&mut self, t: Term) -> Option<()> {
        // Terms to be compared, and conditions between what was compared before them.
        let mut work = vec![(t, false)];
        while let Some((t, is_condition)) = work.pop() {
            match (is_condition, self.terms.kind(t), self.terms.args(t)) {
                (true, ..) => self.steps.push(Step::Choose(t)),
                (false, Kind::Ite, &[c, then, or_else]) => work.extend([(c, true), (or_else, false), (then, false)]),
                _ => self.case(t)?,
            }
        }
        Some(())
    }

    /// Whether `t`, which is no choice, equals the other side.
    fn case(&mut self, t: Term) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let one = Bv::new(self.terms.width(t), 1);
        let mut difference = Linear::constant(one.width());
        let mut few = difference.add(self.terms, t, &one);
        let own = difference.multiples.len();
        few &= difference.add(self.terms, self.other, &one.neg());
        let shorter = difference.multiples.len() < own + self.other_size;
        self.steps.push(if few && shorter { difference.zero()? } else { return None });
        Some(())
    }
}

/// The steps to find out whether the bit-vectors `a` and `b` are equal, one of them a sum, the other a sum or a choice between sums, all of which
/// have terms in common with it.
pub(crate) fn equal(terms: &Terms, a: Term, b: Term) -> Option<Vec<Step>> {
    let (choice, other) = if terms.kind(a) == Kind::Ite { (a, b) } else { (b, a) };
    let one = Bv::new(terms.width(a), 1);
    let mut sum = Linear::constant(one.width());
    if !sum.add(terms, other, &one) || sum.multiples.is_empty() {
        return None;
    }
    let other_size = sum.multiples.len();
    let mut cases = Cases { terms, other, other_size, left: MOST_CASES, steps: Vec::new() };
    cases.equal(choice)?;
    Some(cases.steps)
}
