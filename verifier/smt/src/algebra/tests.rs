//! Tests that identities and loop invariants are proved by algebra, and that random queries keep their models.

use super::*;
use cfa::bv::{Bv, BvCmp};
use cfa::eval::{Value, eval_bool};
use cfa::term::Leaf;
use cfa::{Sort, SymId};
use proptest::prelude::*;
use proptest::test_runner::TestRng;

fn symbols(terms: &mut Terms, names: &[&str], width: u32) -> Vec<Term> {
    names.iter().map(|name| terms.fresh(*name, Sort::Bv(width))).collect()
}

fn refuted(terms: &mut Terms, conjuncts: &[Term]) -> bool {
    let left = Algebra::new().simplify(terms, conjuncts);
    left.iter().any(|t| terms.as_bool(*t) == Some(false))
}

fn product(terms: &mut Terms, factors: &[Term]) -> Term {
    factors.iter().copied().reduce(|a, b| terms.bv_op(BvOp::Mul, a, b)).expect("a factor")
}

#[test]
fn identities_need_no_assumption() {
    let mut terms = Terms::new();
    let [x, y] = symbols(&mut terms, &["x", "y"], 64)[..] else { unreachable!() };
    // (x + y)^2 = x^2 + 2xy + y^2
    let sum = terms.add(x, y);
    let left = product(&mut terms, &[sum, sum]);
    let (xx, yy, xy) = (product(&mut terms, &[x, x]), product(&mut terms, &[y, y]), product(&mut terms, &[x, y]));
    let right = [xy, xy, yy].into_iter().fold(xx, |a, b| terms.add(a, b));
    let same = terms.eq(left, right);
    let not = terms.not(same);
    assert!(refuted(&mut terms, &[not]));
    assert!(!refuted(&mut terms, &[same]));
    let more = terms.add(right, x);
    let other = terms.eq(left, more);
    let not = terms.not(other);
    assert!(!refuted(&mut terms, &[not]));
}

/// The invariant p s - r q = 1 of the extended Euclidean algorithm, preserved by both branches of its body.
#[test]
fn invariants_are_kept_by_both_branches() {
    let mut terms = Terms::new();
    let c = terms.fresh("c", Sort::Bool);
    let [p, q, r, s] = symbols(&mut terms, &["p", "q", "r", "s"], 64)[..] else { unreachable!() };
    let invariant = |terms: &mut Terms, p, q, r, s| {
        let (ps, rq, one) = (product(terms, &[p, s]), product(terms, &[r, q]), terms.int(64, 1));
        let determinant = terms.sub(ps, rq);
        terms.eq(determinant, one)
    };
    let before = invariant(&mut terms, p, q, r, s);
    let changed = |terms: &mut Terms, x, y, holds: bool| {
        let difference = terms.sub(x, y);
        if holds { terms.ite(c, difference, x) } else { terms.ite(c, x, difference) }
    };
    let (p1, r1) = (changed(&mut terms, p, q, true), changed(&mut terms, r, s, true));
    let (q1, s1) = (changed(&mut terms, q, p, false), changed(&mut terms, s, r, false));
    let after = invariant(&mut terms, p1, q1, r1, s1);
    let broken = terms.not(after);
    assert!(refuted(&mut terms, &[before, broken]));
    assert!(!refuted(&mut terms, &[broken]));
    let wrong = invariant(&mut terms, p1, q1, r, s1);
    let broken = terms.not(wrong);
    assert!(!refuted(&mut terms, &[before, broken]));
}

/// A geometric series: the invariant of the next iteration is a multiple of the current one.
#[test]
fn equations_are_multiplied_by_atoms() {
    let mut terms = Terms::new();
    let [x, y, z] = symbols(&mut terms, &["x", "y", "z"], 32)[..] else { unreachable!() };
    let one = terms.int(32, 1);
    // x z - x - y + 1 = 0
    let invariant = |terms: &mut Terms, x, y| {
        let xz = product(terms, &[x, z]);
        let (sum, other) = (terms.add(xz, one), terms.add(x, y));
        terms.eq(sum, other)
    };
    let before = invariant(&mut terms, x, y);
    let (xz, yz) = (product(&mut terms, &[x, z]), product(&mut terms, &[y, z]));
    let next = terms.add(xz, one);
    let after = invariant(&mut terms, next, yz);
    let broken = terms.not(after);
    assert!(refuted(&mut terms, &[before, broken]));
    assert!(!refuted(&mut terms, &[broken]));
}

/// An even number is twice its half.
#[test]
fn numbers_are_quotients_and_remainders() {
    let mut terms = Terms::new();
    let [a, b] = symbols(&mut terms, &["a", "b"], 64)[..] else { unreachable!() };
    let (two, zero) = (terms.int(64, 2), terms.int(64, 0));
    let (half, rest) = (terms.bv_op(BvOp::Sdiv, a, two), terms.bv_op(BvOp::Srem, a, two));
    let even = terms.eq(rest, zero);
    let (whole, doubled) = (product(&mut terms, &[a, b]), product(&mut terms, &[half, b, two]));
    let same = terms.eq(whole, doubled);
    let not = terms.not(same);
    assert!(refuted(&mut terms, &[even, not]));
    assert!(!refuted(&mut terms, &[not]));
}

/// Assumptions under literals, and violations in a disjunction, as in queries about loop invariants.
#[test]
fn literals_are_propagated_and_disjunctions_shortened() {
    let mut terms = Terms::new();
    let (on, c) = (terms.fresh("on", Sort::Bool), terms.fresh("c", Sort::Bool));
    let [x, y] = symbols(&mut terms, &["x", "y"], 32)[..] else { unreachable!() };
    let (square, k) = (product(&mut terms, &[x, x]), terms.int(32, 3));
    let known = terms.eq(square, y);
    let assumed = terms.implies(on, known);
    let (more, y3) = (terms.add(square, k), terms.add(y, k));
    let cube = product(&mut terms, &[more, x]);
    let same = product(&mut terms, &[y3, x]);
    let follows = terms.eq(cube, same);
    let broken = terms.not(follows);
    let impossible = terms.and(c, broken);
    let positive = terms.cmp(BvCmp::Slt, k, x);
    let any = terms.or(impossible, positive);
    assert_eq!(Algebra::new().simplify(&mut terms, &[assumed, on, any]).last(), Some(&positive));
    let left = Algebra::new().simplify(&mut terms, &[assumed, any]);
    assert_eq!(left.last(), Some(&any), "nothing is known without the literal");
}

#[test]
fn equations_without_a_solution_are_noticed() {
    let mut terms = Terms::new();
    let [x, y] = symbols(&mut terms, &["x", "y"], 32)[..] else { unreachable!() };
    let (xy, two, seven) = (product(&mut terms, &[x, y]), terms.int(32, 2), terms.int(32, 7));
    let even = product(&mut terms, &[xy, two]);
    let odd = terms.eq(even, seven);
    assert!(refuted(&mut terms, &[odd]));
}

/// A random Bool term over three numbers and two conditions.
struct Random<'a> {
    terms: &'a mut Terms,
    rng: TestRng,
    numbers: Vec<Term>,
    conditions: Vec<Term>,
}

impl Random<'_> {
    fn below(&mut self, n: usize) -> usize {
        (self.rng.next_u32() as usize) % n
    }

    fn number(&mut self, depth: u32) -> Term {
        let width = self.terms.width(self.numbers[0]);
        if depth == 0 || self.below(6) == 0 {
            let i = self.below(self.numbers.len() + 1);
            let k = u64::from(self.rng.next_u32()) & (u64::MAX >> (64 - width));
            return self.numbers.get(i).copied().unwrap_or_else(|| self.terms.int(width, k));
        }
        const OPS: [BvOp; 9] =
            [BvOp::Add, BvOp::Sub, BvOp::Mul, BvOp::Mul, BvOp::Sdiv, BvOp::Srem, BvOp::Udiv, BvOp::Urem, BvOp::Shl];
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.below(OPS.len() + 4) {
            0 => self.terms.bv_not(a),
            1 => self.terms.bv_neg(a),
            2 | 3 => {
                let c = self.condition(depth - 1);
                self.terms.ite(c, a, b)
            }
            i => self.terms.bv_op(OPS[i - 4], a, b),
        }
    }

    fn condition(&mut self, depth: u32) -> Term {
        let (a, b) = (self.number(depth), self.number(depth));
        match self.below(8) {
            0 => {
                let i = self.below(2);
                self.conditions[i]
            }
            1 => self.terms.cmp(BvCmp::Slt, a, b),
            2..=4 => self.terms.eq(a, b),
            5 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.terms.and(a, b)
            }
            6 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                self.terms.or(a, b)
            }
            _ => {
                let same = self.terms.eq(a, b);
                self.terms.not(same)
            }
        }
    }

    /// A term that is equal to `t`, or almost.
    fn rewritten(&mut self, t: Term, depth: u32) -> Term {
        let width = self.terms.width(t);
        let one = self.terms.int(width, 1);
        if self.below(6) == 0 {
            return self.terms.add(t, one);
        }
        let kind = self.terms.kind(t);
        let args = self.terms.args(t).to_vec();
        match (kind, &args[..], self.below(3)) {
            (Kind::Bv(BvOp::Mul), [a, b], 0) => {
                // (a + 1) b - b
                let (more, b) = (self.terms.add(*a, one), *b);
                let product = self.terms.bv_op(BvOp::Mul, more, b);
                self.terms.sub(product, b)
            }
            (Kind::BvNot, [a], 0) => {
                let neg = self.terms.bv_neg(*a);
                self.terms.sub(neg, one)
            }
            (Kind::Bv(_) | Kind::BvNot | Kind::BvNeg | Kind::Ite, _, 1 | 2) if depth > 0 => {
                let (sort, bv) = (self.terms.sort(t), |terms: &Terms, t| matches!(terms.sort(t), Sort::Bv(_)));
                let args: Vec<Term> = args
                    .into_iter()
                    .map(|a| if bv(self.terms, a) { self.rewritten(a, depth - 1) } else { a })
                    .collect();
                self.terms.make(kind, &args, sort)
            }
            _ => {
                // a - b (a / b) is the remainder.
                let b = self.number(1);
                let (signed, quotient, rest) = match self.below(2) {
                    0 => (t, BvOp::Sdiv, BvOp::Srem),
                    _ => (t, BvOp::Udiv, BvOp::Urem),
                };
                let (quotient, rest) = (self.terms.bv_op(quotient, signed, b), self.terms.bv_op(rest, signed, b));
                let product = self.terms.bv_op(BvOp::Mul, quotient, b);
                self.terms.add(product, rest)
            }
        }
    }
}

fn models(width: u32) -> impl Iterator<Item = impl Fn(Leaf) -> Option<Value> + Copy> {
    (0..1u64 << (3 * width + 2)).map(move |model| {
        move |leaf| match leaf {
            Leaf::Sym(SymId(s)) if s < 3 => {
                Some(Value::Bv(Bv::new(width, (model >> (s * width)) & (u64::MAX >> (64 - width)))))
            }
            Leaf::Sym(SymId(s)) => Some(Value::Bool(model >> (3 * width + s - 3) & 1 == 1)),
            _ => None,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Queries about numbers that are equal, almost equal, or related by an equation keep their models: all models are
    /// tried.
    #[test]
    fn models_stay(seed in any::<[u8; 32]>()) {
        let mut terms = Terms::new();
        let width = 1 + u32::from(seed[0] % 3);
        let numbers = symbols(&mut terms, &["x", "y", "z"], width);
        let conditions = vec![terms.fresh("c", Sort::Bool), terms.fresh("d", Sort::Bool)];
        let rng = TestRng::from_seed(prop::test_runner::RngAlgorithm::ChaCha, &seed);
        let mut random = Random { terms: &mut terms, rng, numbers, conditions };
        let mut query = vec![random.condition(2)];
        let a = random.number(3);
        let mut b = random.rewritten(a, 2);
        if random.below(2) == 0 {
            // c + k (d - e), where d = e is assumed; k may have to be split or multiplied.
            let (d, e, k) = (random.number(2), random.number(2), random.number(2));
            query.push(random.terms.eq(d, e));
            let difference = random.terms.sub(d, e);
            let more = random.terms.bv_op(BvOp::Mul, k, difference);
            b = random.terms.add(b, more);
        }
        let same = random.terms.eq(a, b);
        let differ = random.terms.not(same);
        let other = random.condition(2);
        let any = random.terms.and(other, differ);
        let third = random.condition(2);
        query.push(if random.below(2) == 0 { differ } else { random.terms.or(any, third) });
        let left = Algebra::new().simplify(&mut terms, &query);
        for model in models(width) {
            let holds = |all: &[Term]| all.iter().all(|t| eval_bool(&terms, *t, &mut { model }) == Some(true));
            prop_assert_eq!(holds(&query), holds(&left));
        }
    }
}
