//! Sums of bit-vectors: what two of them share, and of which powers of two their parts are multiples.
//!
//! With them, accesses to elements of an array are told apart whose indices are not known: of two elements of 16 bytes, field 8 of one is
//! never field 0 of the other.

use super::{Kind, Term, Terms};
use crate::bv::{Bv, BvOp, mask};
use smallvec::SmallVec;

/// Parts of a sum that are no constants, each with whether it is subtracted.
pub(super) type Addends = SmallVec<[(Term, bool); 8]>;

impl Terms {
    /// How many of the low bits of `t` are zero, as far as its topmost operators say; its width if it is zero.
    pub fn trailing_zeros(&self, t: Term) -> u32 {
        const DEPTH: u32 = 6;
        self.trailing_zeros_to(t, DEPTH)
    }

    fn trailing_zeros_to(&self, t: Term, depth: u32) -> u32 {
        let width = self.width(t);
        if let Some(k) = self.as_bv(t) {
            return if k.is_zero() { width } else { k.trailing_zeros() };
        }
        let args = self.args(t);
        if depth == 0 || args.is_empty() {
            return 0;
        }
        let of = |i: usize| self.trailing_zeros_to(args[i], depth - 1);
        let zeros = match self.kind(t) {
            Kind::Concat => match of(1) {
                low if low == self.width(args[1]) => low + of(0),
                low => low,
            },
            Kind::Extract { lo, .. } => of(0).saturating_sub(lo),
            Kind::Zext | Kind::Sext | Kind::BvNeg | Kind::Bv(BvOp::Shl) => of(0),
            Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => of(0).min(of(1)),
            Kind::Bv(BvOp::Mul) => of(0) + of(1),
            Kind::Bv(BvOp::And) => of(0).max(of(1)),
            Kind::Ite => of(1).min(of(2)),
            _ => 0,
        };
        zeros.min(width)
    }

    /// The parts of a sum, and its constant; `None` if there are too many of them.
    pub(super) fn addends(&self, t: Term) -> Option<(Addends, Bv)> {
        let mut parts = Addends::new();
        let mut constant = Bv::new(self.width(t), 0);
        let mut work = Addends::new();
        work.push((t, false));
        while let Some((t, negative)) = work.pop() {
            match (self.kind(t), self.args(t), self.as_bv(t)) {
                (.., Some(k)) => constant = Bv::apply(if negative { BvOp::Sub } else { BvOp::Add }, &constant, &k),
                (Kind::Bv(BvOp::Add), &[a, b], _) => work.extend([(b, negative), (a, negative)]),
                (Kind::Bv(BvOp::Sub), &[a, b], _) => work.extend([(b, !negative), (a, negative)]),
                (Kind::BvNeg, &[a], _) => work.push((a, !negative)),
                _ => parts.push((t, negative)),
            }
            if parts.len() + work.len() > parts.inline_size() {
                return None;
            }
        }
        Some((parts, constant))
    }

    /// The cases of an address that is one of few places, which are constants or known: a condition and two addresses.
    pub(super) fn choice_of_places(&mut self, address: Term) -> Option<(Term, Term, Term)> {
        const MOST_PLACES: u32 = 4;
        const DEPTH: u32 = 8;
        match self.places(address, MOST_PLACES, DEPTH)? {
            1 => None,
            _ => self.cases(address),
        }
    }

    /// How many places an address may be; `None` if one of them is not known, or if there are more than `most`.
    fn places(&self, address: Term, most: u32, depth: u32) -> Option<u32> {
        if most == 0 || depth == 0 {
            return None;
        }
        let of = |t: Term, most: u32| self.places(t, most, depth - 1);
        let places = match (self.kind(address), self.args(address)) {
            _ if self.is_const(address) => Some(1),
            (Kind::Ite, &[_, a, b]) => {
                let n = of(a, most)?;
                return Some(n + of(b, most - n)?);
            }
            (Kind::Bv(BvOp::Add), &[a, b]) => of(a, most).and_then(|n| Some(n * of(b, most / n)?)),
            (Kind::Zext | Kind::Sext, &[x]) => of(x, most),
            (Kind::Bv(BvOp::Mul), &[x, k]) if self.is_const(k) => of(x, most),
            _ => None,
        };
        places.or_else(|| self.is_known_address(address).then_some(1))
    }

    /// The first choice of an address that has one: its condition, and the address in both cases.
    fn cases(&mut self, t: Term) -> Option<(Term, Term, Term)> {
        let args: SmallVec<[Term; 3]> = self.args(t).into();
        match (self.kind(t), &*args) {
            (Kind::Ite, &[c, a, b]) => Some((c, a, b)),
            (Kind::Zext, &[x]) => {
                let (width, (c, a, b)) = (self.width(t), self.cases(x)?);
                Some((c, self.zext(width, a), self.zext(width, b)))
            }
            (Kind::Sext, &[x]) => {
                let (width, (c, a, b)) = (self.width(t), self.cases(x)?);
                Some((c, self.sext(width, a), self.sext(width, b)))
            }
            (Kind::Bv(op @ (BvOp::Add | BvOp::Mul)), &[x, y]) => {
                if let Some((c, a, b)) = self.cases(x) {
                    return Some((c, self.bv_op(op, a, y), self.bv_op(op, b, y)));
                }
                let (c, a, b) = self.cases(y)?;
                Some((c, self.bv_op(op, x, a), self.bv_op(op, x, b)))
            }
            _ => None,
        }
    }

    /// Two bit-vectors without what both add, if there is such a part: their difference is the same.
    pub(super) fn without_common(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let is_sum = |t: Term| matches!(self.kind(t), Kind::Bv(BvOp::Add | BvOp::Sub));
        if !is_sum(a) && !is_sum(b) {
            return None;
        }
        let ((mut own, from_a), (mut other, from_b)) = (self.addends(a)?, self.addends(b)?);
        if !remove_common(&mut own, &mut other) {
            return None;
        }
        Some((self.sum(own, &from_a), self.sum(other, &from_b)))
    }

    fn sum(&mut self, parts: Addends, constant: &Bv) -> Term {
        let mut sum = self.constant(constant);
        for (t, negative) in parts {
            sum = if negative { self.sub(sum, t) } else { self.add(sum, t) };
        }
        sum
    }

    /// Of what `a - b` may be, a number that it is a multiple of but for a rest, at least 2, and the rest; the difference taken as a signed
    /// number if it is small.
    pub(super) fn distances(&self, a: Term, b: Term) -> Option<(u64, u64)> {
        if self.width(a) > 64 {
            return None;
        }
        let ((mut own, from_a), (mut other, from_b)) = (self.addends(a)?, self.addends(b)?);
        remove_common(&mut own, &mut other);
        let constant = Bv::apply(BvOp::Sub, &from_a, &from_b).to_u64()?;
        let all = || own.iter().chain(&other).map(|(t, _)| *t);
        if let Some((step, rest)) = self.multiple_of_factors(all(), self.width(a), constant) {
            return Some((step, rest));
        }
        let zeros = all().map(|t| self.trailing_zeros(t)).min().filter(|zeros| (1..=16).contains(zeros))?;
        Some((1 << zeros, constant & mask(zeros)))
    }

    /// What products by constants and `constant` sum up to, modulo what divides all factors, if the sum does not wrap around.
    fn multiple_of_factors(&self, all: impl Iterator<Item = Term>, width: u32, constant: u64) -> Option<(u64, u64)> {
        let signed = signed(width, constant);
        let (mut step, mut most) = (0, u128::from(signed.unsigned_abs()));
        for t in all {
            let (factor, x) = self.factor(t)?;
            step = gcd(step, factor);
            most = most.saturating_add(u128::from(factor).saturating_mul(self.upper_bound(x)));
        }
        let rest = || signed.rem_euclid(step as i64) as u64;
        (step > 1 && i64::try_from(step).is_ok() && most < 1 << (width - 1)).then(|| (step, rest()))
    }

    /// `t` as a product by a constant.
    fn factor(&self, t: Term) -> Option<(u64, Term)> {
        match (self.kind(t), self.args(t)) {
            (Kind::Bv(BvOp::Mul), &[x, k]) => Some((self.as_u64(k)?, x)),
            _ => None,
        }
    }

    /// Whether `a` is `b` for two products by the same constant that do not wrap around, plus constants.
    pub(super) fn eq_of_products(&mut self, (a, ka): (Term, &Bv), (b, kb): (Term, &Bv)) -> Option<Term> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let constant = Bv::apply(BvOp::Sub, kb, ka).to_u64()?;
        let (step, rest) = self.multiple_of_factors([a, b].into_iter(), width, constant)?;
        if rest != 0 {
            return Some(self.ff());
        }
        let ((factor, x), (_, y)) = (self.factor(a)?, self.factor(b).filter(|(factor, _)| *factor == step)?);
        if factor != step {
            return None;
        }
        let distance = signed(width, constant) / step as i64;
        let y = self.add_int(y, distance as u64 & mask(width));
        Some(self.eq(x, y))
    }
}

/// The signed number with these bits.
fn signed(width: u32, bits: u64) -> i64 {
    (bits << (64 - width)) as i64 >> (64 - width)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Removes the parts that two sums share from both, and returns whether there are any.
fn remove_common(a: &mut Addends, b: &mut Addends) -> bool {
    let before = a.len();
    a.retain(|part| match b.iter().position(|p| p == part) {
        Some(i) => {
            b.remove(i);
            false
        }
        None => true,
    });
    a.len() < before
}
