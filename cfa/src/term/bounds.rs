//! Upper bounds of bit-vectors, as far as their operators say: a sum of bytes has few bits, however wide it is.
//!
//! They are kept with the terms, so that they cost little however deep a sum is. With them, a sum that does not wrap around can be extended,
//! a remainder may be a difference, and numbers that are put together from parts are concatenations, however a program writes that:
//!
//! ```text
//! (zext.64 (bvadd (zext.16 x) (zext.16 y)))                  becomes   (bvadd (zext.64 x) (zext.64 y))       x, y of 8 bits
//! (bvurem (bvadd (zext.32 x) 65522) 65521)                   becomes   (bvadd (zext.32 x) 1)
//! (bvor (bvshl (zext.16 x) 8) (zext.16 y))                   becomes   (concat x y)
//! ```

use super::{Kind, Sort, Term, Terms};
use crate::bv::{BvOp, mask};

impl Terms {
    /// An upper bound of an unsigned number, derived from the operators of its term. Numbers of more than 64 bits have none, which is
    /// `u128::MAX`, unless they are extensions.
    pub fn upper_bound(&self, t: Term) -> u128 {
        match self.kind(t) {
            Kind::Const(k) => k.into(),
            Kind::Zext => self.upper_bound(self.args(t)[0]),
            _ if self.width(t) > 64 => u128::MAX,
            _ => self.kept_bound(t).unwrap_or(mask(self.width(t))).into(),
        }
    }

    fn kept_bound(&self, t: Term) -> Option<u64> {
        if t.0 < self.first_node { self.base_terms().kept_bound(t) } else { self.bounds.get(&t).copied() }
    }

    /// The bound to keep for a new term with these arguments.
    pub(super) fn bound_of(&self, kind: Kind, args: &[Term], sort: Sort) -> Option<u64> {
        let Sort::Bv(width @ 1..=64) = sort else { return None };
        let of = |i: usize| self.upper_bound(args[i]);
        let bound = match kind {
            Kind::Bv(BvOp::Add) => of(0).saturating_add(of(1)),
            Kind::Bv(BvOp::Mul) => of(0).saturating_mul(of(1)),
            Kind::Bv(BvOp::And) => of(0).min(of(1)),
            Kind::Bv(BvOp::Or | BvOp::Xor) => (1 << (128 - of(0).max(of(1)).leading_zeros())) - 1,
            // The remainder of a division by 0 is the dividend.
            Kind::Bv(BvOp::Urem) => match self.as_u64(args[1]) {
                Some(k) if k > 0 => of(0).min(u128::from(k) - 1),
                _ => of(0),
            },
            Kind::Bv(BvOp::Udiv) => of(0) / u128::from(self.as_u64(args[1]).filter(|k| *k > 0)?),
            Kind::Ite => of(1).max(of(2)),
            Kind::Concat => of(0) << self.width(args[1]) | of(1),
            Kind::Extract { lo, .. } => match of(0) {
                u128::MAX => return None,
                bound => bound.checked_shr(lo).unwrap_or(0),
            },
            _ => return None,
        };
        // A larger bound means that the operation may wrap around, or that bits are left out.
        u64::try_from(bound).ok().filter(|bound| *bound < mask(width))
    }

    /// The number of low bits of `t` that may be set.
    fn bits(&self, t: Term) -> u32 {
        match self.upper_bound(t) {
            u128::MAX => self.width(t),
            bound => (128 - bound.leading_zeros()).min(self.width(t)),
        }
    }

    /// `hi` without high bits of `a` that are never set; `None` if all bits from `lo` on are such.
    pub(super) fn highest_set(&self, hi: u32, lo: u32, a: Term) -> Option<u32> {
        let bits = self.bits(a);
        (bits > lo).then(|| hi.min(bits - 1))
    }

    /// The quotient of `a` and a constant, if all values of `a` have the same.
    pub(super) fn quotient(&self, a: Term, divisor: u64) -> Option<u64> {
        let (x, least) = self.base_offset(a);
        let least = least.to_u64()?;
        let most = self.upper_bound(x).checked_add(least.into())?;
        let quotient = least.checked_div(divisor)?;
        let is_whole = self.width(a) <= 64 && most <= mask(self.width(a)).into();
        (is_whole && most / u128::from(divisor) == quotient.into()).then_some(quotient)
    }

    /// The zero-extension of a sum, or of a product with a constant, that does not wrap around: its arguments can be extended.
    pub(super) fn extended_sum(&mut self, width: u32, a: Term) -> Option<Term> {
        let Kind::Bv(op @ (BvOp::Add | BvOp::Mul)) = self.kind(a) else { return None };
        let [x, y] = *self.args(a) else { unreachable!("binary") };
        let (bx, by) = (self.upper_bound(x), self.upper_bound(y));
        let most = match op {
            BvOp::Add => bx.saturating_add(by),
            _ if self.is_const(y) => bx.saturating_mul(by),
            _ => return None,
        };
        // Wider sums would have no bounds, and high bits that are not known to be zero.
        if width > 64 || most > mask(self.width(a)).into() {
            return None;
        }
        if let Some(&known) = self.extensions.get(&(a, width)) {
            return Some(known);
        }
        let (x, y) = (self.zext(width, x), self.zext(width, y));
        let sum = self.bv_op(op, x, y);
        self.extensions.insert((a, width), sum);
        Some(sum)
    }

    /// The disjunction of two numbers that have no bits in common, since the low bits of one are zero and the other one has no more: a
    /// concatenation.
    pub(super) fn joined(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        [(a, b), (b, a)].into_iter().find_map(|(high, low)| {
            let zeros = self.trailing_zeros(high);
            if zeros == 0 || zeros >= width || self.bits(low) > zeros {
                return None;
            }
            let (high, low) = (self.extract(width - 1, zeros, high), self.extract(zeros - 1, 0, low));
            Some(self.concat(high, low))
        })
    }
}
