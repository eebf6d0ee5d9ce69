//! Equality of sums and of choices between sums, without what both sides have in common.
//!
//! The sum that a loop computes is a choice between sums, one for each number of iterations: `ite(c, a + 1, ite(d, a + 2, ...)) = a + b`
//! is `ite(c, b = 1, ite(d, b = 2, ...))`. A SAT solver would have to find out for each adder. The normal form of linear terms modulo 2^w is that
//! of arithmetic normalisation in word-level preprocessing (Ganesh, Dill: A decision procedure for bit-vectors and arrays, CAV 2007).

use super::circuits::{self, Word};
use super::encode::Words;
use super::graph::{Graph, Lit};
use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Term, Terms};

/// Most sums that a choice is between: as many iterations as bounded model checking usually gets to.
const MOST_CASES: usize = 1024;

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

    /// Whether this is zero, where that is equality of at most one term with another one and a constant.
    fn is_zero(&self, g: &mut Graph, words: &Words) -> Option<Lit> {
        let one = Bv::new(self.constant.width(), 1);
        let mut sides: [Option<Word>; 2] = [None, None];
        for (t, factor) in &self.multiples {
            let side = match factor {
                f if *f == one => 0,
                f if f.neg() == one => 1,
                _ => return None,
            };
            let word = words.get(*t);
            if word.len() != self.constant.width() as usize || sides[side].replace(word.to_vec()).is_some() {
                return None;
            }
        }
        // plus + constant = minus
        let constant = circuits::constant(&self.constant);
        let (left, right) = match sides {
            [Some(plus), None] => (plus, circuits::constant(&self.constant.neg())),
            [Some(plus), Some(minus)] => (circuits::add(g, &plus, &constant), minus),
            [None, Some(minus)] => (constant, minus),
            [None, None] => return Some(Lit::constant(self.constant.is_zero())),
        };
        Some(circuits::equal(g, &left, &right))
    }
}

/// What an equality needs.
struct Cases<'a> {
    terms: &'a Terms,
    graph: &'a mut Graph,
    words: &'a Words,
    other: Term,
    /// Multiples in the sum that is the other side.
    other_size: usize,
    /// Cases that there may still be.
    left: usize,
}

impl Cases<'_> {
    /// Whether `t` equals the other side; `None`: some case has nothing in common with it.
    fn equal(&mut self, t: Term) -> Option<Lit> {
        if self.terms.kind(t) == Kind::Ite {
            let [c, then, or_else] = *self.terms.args(t) else { return None };
            let (a, b) = (self.equal(then)?, self.equal(or_else)?);
            return Some(self.graph.mux(*self.words.get(c).first()?, a, b));
        }
        self.left = self.left.checked_sub(1)?;
        let one = Bv::new(self.terms.width(t), 1);
        let mut difference = Linear::constant(one.width());
        let mut few = difference.add(self.terms, t, &one);
        let own = difference.multiples.len();
        few &= difference.add(self.terms, self.other, &one.neg());
        let shorter = difference.multiples.len() < own + self.other_size;
        if few && shorter { difference.is_zero(self.graph, self.words) } else { None }
    }
}

/// Whether the bit-vectors `a` and `b` are equal, one of them a sum, the other a choice between sums, all of which have terms in common with it.
/// What they are made of is encoded.
pub(crate) fn equal(graph: &mut Graph, words: &Words, terms: &Terms, a: Term, b: Term) -> Option<Lit> {
    let (choice, other) = if terms.kind(a) == Kind::Ite { (a, b) } else { (b, a) };
    let one = Bv::new(terms.width(a), 1);
    let mut sum = Linear::constant(one.width());
    if terms.kind(choice) != Kind::Ite || !sum.add(terms, other, &one) || sum.multiples.is_empty() {
        return None;
    }
    let other_size = sum.multiples.len();
    Cases { terms, graph, words, other, other_size, left: MOST_CASES }.equal(choice)
}
