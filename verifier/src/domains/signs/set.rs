//! Sets of signs, and what operators on bit-vectors make of them.
//!
//! A bit-vector of at least two bits is read as a signed number in two's complement. Operators wrap around, and division by zero has
//! the result that SMT-LIB gives it. The tables are exact: for each pair of signs, they have the signs of the results and no others.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::{Term, Terms};
use std::cmp::Ordering;

/// The sign of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Less than zero.
    Negative,
    /// Zero.
    Zero,
    /// Greater than zero.
    Positive,
}

use Sign::{Negative, Positive, Zero};

/// A set of signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signs(u8);

const N: Signs = Signs::of(Negative);
const Z: Signs = Signs::of(Zero);
const P: Signs = Signs::of(Positive);
const NZ: Signs = N.union(Z);
const NP: Signs = N.union(P);
const ZP: Signs = Z.union(P);

impl Signs {
    /// No sign.
    pub const NONE: Signs = Signs(0);
    /// Every sign.
    pub const ANY: Signs = NZ.union(P);
    /// The sign of zero.
    pub const ZERO: Signs = Z;

    /// The set of this sign alone.
    pub const fn of(sign: Sign) -> Signs {
        Signs(1 << sign as u8)
    }

    /// The sign of `k`.
    pub fn of_number(k: &Bv) -> Signs {
        match (k.sign(), k.is_zero()) {
            (true, _) => N,
            (false, true) => Z,
            (false, false) => P,
        }
    }

    /// The signs in either set.
    pub const fn union(self, other: Signs) -> Signs {
        Signs(self.0 | other.0)
    }

    /// The signs in both sets.
    pub const fn intersect(self, other: Signs) -> Signs {
        Signs(self.0 & other.0)
    }

    /// The signs that are not in `other`.
    pub const fn without(self, other: Signs) -> Signs {
        Signs(self.0 & !other.0)
    }

    /// Whether all signs of this set are in `other`.
    pub fn is_subset(self, other: Signs) -> bool {
        self.union(other) == other
    }

    /// The signs of this set.
    pub fn iter(self) -> impl Iterator<Item = Sign> + Clone {
        [Negative, Zero, Positive].into_iter().filter(move |sign| Signs::of(*sign).is_subset(self))
    }

    /// The union of what `f` makes of each sign.
    pub fn map(self, f: impl Fn(Sign) -> Signs) -> Signs {
        self.iter().map(f).fold(Signs::NONE, Signs::union)
    }

    /// The signs of `a op b`, for numbers of at least two bits.
    pub fn apply(op: BvOp, a: Signs, b: Signs) -> Signs {
        a.map(|a| b.map(|b| operator(op, a, b)))
    }

    /// The signs of the numbers that are greater by one.
    pub fn successor(self) -> Signs {
        self.map(|sign| match sign {
            Negative => NZ,
            Zero => P,
            Positive => NP,
        })
    }

    /// The signs of the numbers that are less by one.
    pub fn predecessor(self) -> Signs {
        self.map(|sign| match sign {
            Negative => NP,
            Zero => N,
            Positive => ZP,
        })
    }

    /// The signs of the complements.
    pub fn complement(self) -> Signs {
        self.map(|sign| if sign == Negative { ZP } else { N })
    }

    /// The signs of the negated numbers. The least number is its own negation.
    pub fn negate(self) -> Signs {
        self.map(|sign| operator(BvOp::Sub, Zero, sign))
    }

    /// The signs after an extension with zeros.
    pub fn zext(self) -> Signs {
        self.map(|sign| if sign == Zero { Z } else { P })
    }

    /// The signs before an extension with zeros.
    pub fn zext_back(self) -> Signs {
        self.map(|sign| match sign {
            Negative => Signs::NONE,
            Zero => Z,
            Positive => NP,
        })
    }

    /// The signs of some of the bits: `is_top` if the highest bit is one of them.
    pub fn extract(self, is_top: bool) -> Signs {
        self.map(|sign| match sign {
            Zero => Z,
            Negative if is_top => N,
            Positive if is_top => ZP,
            Negative | Positive => Signs::ANY,
        })
    }

    /// The signs of the numbers with these high bits, and with low bits of the signs `low`.
    pub fn concat(self, low: Signs) -> Signs {
        self.map(|sign| if sign == Zero { low.zext() } else { Signs::of(sign) })
    }

    /// The condition that `t` has one of these signs.
    pub fn condition(self, terms: &mut Terms, t: Term) -> Term {
        let zero = terms.constant(&Bv::new(terms.width(t), 0));
        let signs: Vec<Term> = self
            .iter()
            .map(|sign| match sign {
                Negative => terms.cmp(BvCmp::Slt, t, zero),
                Zero => terms.eq(t, zero),
                Positive => terms.cmp(BvCmp::Slt, zero, t),
            })
            .collect();
        terms.or_all(signs)
    }
}

/// The signs of `a op b`.
fn operator(op: BvOp, a: Sign, b: Sign) -> Signs {
    match (op, a, b) {
        (BvOp::Add | BvOp::Or | BvOp::Xor, Zero, sign) => Signs::of(sign),
        (BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor, sign, Zero) => Signs::of(sign),
        (BvOp::Urem | BvOp::Srem | BvOp::Shl | BvOp::Lshr | BvOp::Ashr, sign, Zero) => Signs::of(sign),
        (BvOp::Add, Positive, Positive) | (BvOp::Sub, Positive, Negative) | (BvOp::Sub, Negative, Positive) => NP,
        (BvOp::Sub, Zero, Positive) => N,
        (BvOp::Sub, Zero, Negative) => NP,
        (BvOp::Add | BvOp::Sub, ..) => Signs::ANY,
        (BvOp::Mul | BvOp::And, Zero, _) | (BvOp::Mul | BvOp::And, _, Zero) => Z,
        (BvOp::Mul, ..) => Signs::ANY,
        // Division by zero: all bits are set, or one if a negative number is divided.
        (BvOp::Sdiv, Negative, Zero) => P,
        (BvOp::Udiv | BvOp::Sdiv, _, Zero) => N,
        (BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem, Zero, _) => Z,
        (BvOp::Udiv | BvOp::Urem | BvOp::Sdiv, Positive, Positive) => ZP,
        // As unsigned numbers, negative ones are the greatest.
        (BvOp::Udiv, Positive, Negative) => Z,
        (BvOp::Udiv, Negative, Positive) => NP,
        (BvOp::Udiv, Negative, Negative) | (BvOp::Urem, Negative, Positive) => ZP,
        (BvOp::Urem, Positive, Negative) => P,
        (BvOp::Urem, Negative, Negative) => Signs::ANY,
        // The least number divided by -1 is itself.
        (BvOp::Sdiv, Negative, Negative) => Signs::ANY,
        (BvOp::Sdiv, ..) => NZ,
        (BvOp::Srem, Positive, _) => ZP,
        (BvOp::Srem, Negative, _) => NZ,
        (BvOp::And, Negative, Negative) => N,
        (BvOp::And, ..) => ZP,
        (BvOp::Or, Positive, Positive) => P,
        (BvOp::Or, ..) => N,
        (BvOp::Xor, ..) => {
            if a == b {
                ZP
            } else {
                N
            }
        }
        (BvOp::Ashr, Negative, _) => N,
        // The number of bits is not negative: such an amount shifts all of them out.
        (BvOp::Shl | BvOp::Lshr | BvOp::Ashr, Zero, _) | (BvOp::Shl | BvOp::Lshr | BvOp::Ashr, _, Negative) => Z,
        (BvOp::Shl, ..) => Signs::ANY,
        (BvOp::Lshr | BvOp::Ashr, ..) => ZP,
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are equal.
    Equal,
    /// They are in this order.
    Order(BvCmp),
}

impl Relation {
    /// Whether the relation holds between numbers of these signs, if the signs decide it.
    fn of(self, a: Sign, b: Sign) -> Option<bool> {
        let rank = |sign: Sign| match self {
            Relation::Order(BvCmp::Ult | BvCmp::Ule) => (sign as u8 + 2) % 3,
            Relation::Equal | Relation::Order(BvCmp::Slt | BvCmp::Sle) => sign as u8,
        };
        match (self, rank(a).cmp(&rank(b))) {
            (_, Ordering::Equal) if a != Zero => None,
            (Relation::Equal, order) => Some(order == Ordering::Equal),
            (Relation::Order(BvCmp::Ult | BvCmp::Slt), order) => Some(order == Ordering::Less),
            (Relation::Order(BvCmp::Ule | BvCmp::Sle), order) => Some(order != Ordering::Greater),
        }
    }

    /// The signs of `a` and of `b` with which the relation may have this truth value.
    pub fn restrict(self, a: Signs, b: Signs, truth: bool) -> (Signs, Signs) {
        let possible = |x: Sign, y: Sign| self.of(x, y) != Some(!truth);
        let left = a.map(|x| if b.iter().any(|y| possible(x, y)) { Signs::of(x) } else { Signs::NONE });
        let right = b.map(|y| if a.iter().any(|x| possible(x, y)) { Signs::of(y) } else { Signs::NONE });
        (left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: std::ops::RangeInclusive<u32> = 2..=5;

    fn numbers(width: u32) -> impl Iterator<Item = Bv> + Clone {
        (0..1 << width).map(move |k| Bv::new(width, k))
    }

    fn sets() -> impl Iterator<Item = Signs> {
        (0..8).map(Signs)
    }

    /// `said` is true of the results of `f` for all numbers of each sign, and has no other sign for the largest of the tested widths.
    fn check_exact(name: &str, said: impl Fn(Signs) -> Signs, f: impl Fn(&Bv) -> Bv) {
        for width in WIDTHS {
            for sign in Signs::ANY.iter().map(Signs::of) {
                let results = numbers(width).filter(|k| Signs::of_number(k) == sign).map(|k| Signs::of_number(&f(&k)));
                let results = results.fold(Signs::NONE, Signs::union);
                assert!(results.is_subset(said(sign)), "{name}: {sign:?} of {width} bits");
                assert!(width < *WIDTHS.end() || results == said(sign), "{name}: {sign:?} of {width} bits");
            }
        }
    }

    #[test]
    fn operators_are_exact() {
        for op in BvOp::ALL {
            for width in WIDTHS {
                let mut seen = [[Signs::NONE; 3]; 3];
                for (a, b) in numbers(width).flat_map(|a| numbers(width).map(move |b| (a.clone(), b))) {
                    let sign = |k: &Bv| Signs::of_number(k).iter().next().expect("a sign");
                    let cell = &mut seen[sign(&a) as usize][sign(&b) as usize];
                    *cell = cell.union(Signs::of_number(&Bv::apply(op, &a, &b)));
                }
                for (a, b) in Signs::ANY.iter().flat_map(|a| Signs::ANY.iter().map(move |b| (a, b))) {
                    let (seen, said) = (seen[a as usize][b as usize], operator(op, a, b));
                    assert!(seen.is_subset(said), "{op:?}: {a:?} and {b:?} of {width} bits");
                    assert!(width < *WIDTHS.end() || seen == said, "{op:?}: {a:?} and {b:?} of {width} bits");
                }
            }
        }
    }

    #[test]
    fn operators_of_one_argument_are_exact() {
        let one = |k: &Bv| Bv::new(k.width(), 1);
        check_exact("successor", Signs::successor, |k| Bv::apply(BvOp::Add, k, &one(k)));
        check_exact("predecessor", Signs::predecessor, |k| Bv::apply(BvOp::Sub, k, &one(k)));
        check_exact("complement", Signs::complement, Bv::not);
        check_exact("negate", Signs::negate, Bv::neg);
        check_exact("zext", Signs::zext, |k| k.zext(k.width() + 1));
        check_exact("sext", |signs| signs, |k| k.sext(k.width() + 1));
        for low in numbers(2) {
            let low_signs = Signs::of_number(&low);
            check_exact("concat", |high| high.concat(low_signs), |high| high.concat(&low));
        }
        // Bits of numbers, which have at least two bits.
        for (top, lost) in [(0, 1), (0, 2), (1, 0), (1, 1)] {
            check_within("extract", |signs| signs.extract(top == 0), |k| k.extract(k.width() - 1 - top, lost));
        }
    }

    fn check_within(name: &str, said: impl Fn(Signs) -> Signs, f: impl Fn(&Bv) -> Bv) {
        for k in numbers(5) {
            assert!(Signs::of_number(&f(&k)).is_subset(said(Signs::of_number(&k))), "{name}: {k:?}");
        }
    }

    #[test]
    fn zero_extension_and_its_inverse_agree() {
        for (before, after) in sets().flat_map(|a| sets().map(move |b| (a, b))) {
            let is_possible = |sign: &Sign| Signs::of(*sign).zext().intersect(after) != Signs::NONE;
            let expected = before.iter().filter(is_possible).map(Signs::of).fold(Signs::NONE, Signs::union);
            assert_eq!(before.intersect(after.zext_back()), expected);
        }
    }

    #[test]
    fn relations_are_exact() {
        let relations = BvCmp::ALL.map(Relation::Order).into_iter().chain([Relation::Equal]);
        for (relation, width) in relations.flat_map(|relation| WIDTHS.map(move |width| (relation, width))) {
            for (a, b) in sets().flat_map(|a| sets().map(move |b| (a, b))) {
                for truth in [false, true] {
                    let (mut left, mut right) = (Signs::NONE, Signs::NONE);
                    for (x, y) in numbers(width).flat_map(|x| numbers(width).map(move |y| (x.clone(), y))) {
                        let (of_x, of_y) = (Signs::of_number(&x), Signs::of_number(&y));
                        let holds = match relation {
                            Relation::Equal => x == y,
                            Relation::Order(cmp) => Bv::compare(cmp, &x, &y),
                        };
                        if of_x.is_subset(a) && of_y.is_subset(b) && holds == truth {
                            (left, right) = (left.union(of_x), right.union(of_y));
                        }
                    }
                    let said = relation.restrict(a, b, truth);
                    assert!(left.is_subset(said.0) && right.is_subset(said.1), "{relation:?}: {a:?} and {b:?}");
                    let is_exact = (left, right) == said;
                    assert!(width < *WIDTHS.end() || is_exact, "{relation:?}: {a:?} and {b:?}");
                }
            }
        }
    }

    #[test]
    fn conditions_say_the_signs() {
        for (signs, k) in sets().flat_map(|signs| numbers(3).map(move |k| (signs, k))) {
            let mut terms = Terms::new();
            let t = terms.constant(&k);
            let condition = signs.condition(&mut terms, t);
            assert_eq!(terms.as_bool(condition), Some(Signs::of_number(&k).is_subset(signs)));
        }
    }
}
