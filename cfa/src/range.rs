//! Intervals of machine integers, for bit-vectors of at most 64 bits, read as signed numbers (interval arithmetic; Cousot, Cousot, POPL
//! 1977).
//!
//! Truth values are the numbers 0 and 1. A result that wraps around for all operands alike is wrapped; otherwise it is everything. Every
//! operator contains the results of all pairs of operands; the tests compare them with `bv` for all intervals of small widths.

use crate::bv::{Bv, BvCmp, BvOp};
use crate::term::Sort;

/// The numbers from `lo` to `hi`, both included; never empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The least number.
    pub lo: i64,
    /// The greatest number.
    pub hi: i64,
}

impl Range {
    /// Both truth values.
    pub const TRUTH: Range = Range { lo: 0, hi: 1 };

    /// One number.
    pub const fn point(k: i64) -> Range {
        Range { lo: k, hi: k }
    }

    /// The truth value that is known, or both.
    pub fn truth(known: Option<bool>) -> Range {
        known.map_or(Range::TRUTH, |b| Range::point(i64::from(b)))
    }

    /// All numbers that a value of the sort may be; `None` for memories and for more than 64 bits.
    pub fn of_sort(sort: Sort) -> Option<Range> {
        match sort {
            Sort::Bool => Some(Range::TRUTH),
            Sort::Bv(width) if (1..=64).contains(&width) => Some(Range::full(width)),
            Sort::Bv(_) | Sort::Array { .. } => None,
        }
    }

    /// Whether `other` has no number beyond these.
    pub fn contains(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// All numbers of `width` bits, from 1 to 64.
    pub const fn full(width: u32) -> Range {
        let hi = i64::MAX >> (64 - width);
        Range { lo: -hi - 1, hi }
    }

    /// The number, if there is only one.
    pub fn as_point(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The truth value, if it is known.
    pub fn as_truth(self) -> Option<bool> {
        self.as_point().map(|k| k != 0)
    }

    /// The least interval that contains both.
    pub fn hull(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The numbers that both have, if there are any.
    pub fn intersect(self, other: Range) -> Option<Range> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Range { lo, hi })
    }

    /// The numbers from `lo` to `hi` modulo `2^width`.
    fn wrapped(lo: i128, hi: i128, width: u32) -> Range {
        let full = Range::full(width);
        let half = 1i128 << (width - 1);
        let turns = (lo + half) >> width;
        if turns != (hi + half) >> width {
            return full;
        }
        let moved = turns << width;
        // Both are in the range of the width now.
        Range { lo: (lo - moved) as i64, hi: (hi - moved) as i64 }
    }

    /// The numbers, read as unsigned ones of `width` bits.
    fn unsigned(self, width: u32) -> (i128, i128) {
        let (lo, hi) = (i128::from(self.lo), i128::from(self.hi));
        let turn = 1i128 << width;
        match (self.lo < 0, self.hi < 0) {
            (false, _) => (lo, hi),
            (true, true) => (lo + turn, hi + turn),
            (true, false) => (0, turn - 1),
        }
    }

    /// `self op other`, of `width` bits.
    pub fn binary(self, op: BvOp, other: Range, width: u32) -> Range {
        if let (Some(x), Some(y)) = (self.as_point(), other.as_point()) {
            return Range::point(exact(op, x, y, width));
        }
        let [a, b, c, d] = [self.lo, self.hi, other.lo, other.hi].map(i128::from);
        let full = Range::full(width);
        match op {
            BvOp::Add => Range::wrapped(a + c, b + d, width),
            BvOp::Sub => Range::wrapped(a - d, b - c, width),
            BvOp::Mul => {
                let corners = [a * c, a * d, b * c, b * d];
                let least = corners.iter().fold(corners[0], |x, y| x.min(*y));
                let greatest = corners.iter().fold(corners[0], |x, y| x.max(*y));
                Range::wrapped(least, greatest, width)
            }
            // The operators differ for other divisors.
            BvOp::Sdiv | BvOp::Srem if c == d && c != 0 => self.divided(op, other.lo, width),
            BvOp::Udiv | BvOp::Urem if self.lo >= 0 && c == d && c > 0 => {
                let op = if op == BvOp::Udiv { BvOp::Sdiv } else { BvOp::Srem };
                self.divided(op, other.lo, width)
            }
            BvOp::And if self.lo >= 0 && other.lo >= 0 => Range { lo: 0, hi: self.hi.min(other.hi) },
            BvOp::And if other.lo >= 0 => Range { lo: 0, hi: other.hi },
            BvOp::And if self.lo >= 0 => Range { lo: 0, hi: self.hi },
            BvOp::Or | BvOp::Xor if self.lo >= 0 && other.lo >= 0 => {
                let bits = 64 - (self.hi | other.hi).leading_zeros();
                Range { lo: 0, hi: if bits == 0 { 0 } else { i64::MAX >> (63 - bits) } }
            }
            BvOp::Shl if c == d && (0..i128::from(width)).contains(&c) => Range::wrapped(a << c, b << c, width),
            BvOp::Lshr if self.lo >= 0 && c == d && (0..i128::from(width)).contains(&c) => {
                Range { lo: self.lo >> c, hi: self.hi >> c }
            }
            BvOp::Ashr if c == d && (0..i128::from(width)).contains(&c) => Range { lo: self.lo >> c, hi: self.hi >> c },
            _ => full,
        }
    }

    /// The signed quotient or remainder by `k`, which is not zero.
    fn divided(self, op: BvOp, k: i64, width: u32) -> Range {
        let (lo, hi, k) = (i128::from(self.lo), i128::from(self.hi), i128::from(k));
        let (p, q) = (lo / k, hi / k);
        match op {
            BvOp::Sdiv => Range::wrapped(p.min(q), p.max(q), width),
            _ if p == q && (lo < 0) == (hi < 0) => {
                // The remainders of numbers with one quotient are as far apart as the numbers.
                Range { lo: (lo % k) as i64, hi: (hi % k) as i64 }
            }
            _ => {
                let most = (k.abs() - 1) as i64;
                let lo = if self.lo < 0 { self.lo.max(-most) } else { 0 };
                let hi = if self.hi > 0 { self.hi.min(most) } else { 0 };
                Range { lo, hi }
            }
        }
    }

    /// `self cmp other`, both of `width` bits.
    pub fn compared(self, cmp: BvCmp, other: Range, width: u32) -> Range {
        let ((a, b), (c, d)) = match cmp {
            BvCmp::Slt | BvCmp::Sle => ((self.lo.into(), self.hi.into()), (other.lo.into(), other.hi.into())),
            BvCmp::Ult | BvCmp::Ule => (self.unsigned(width), other.unsigned(width)),
        };
        let known = match cmp {
            BvCmp::Slt | BvCmp::Ult if b < c => Some(true),
            BvCmp::Slt | BvCmp::Ult if a >= d => Some(false),
            BvCmp::Sle | BvCmp::Ule if b <= c => Some(true),
            BvCmp::Sle | BvCmp::Ule if a > d => Some(false),
            _ => None,
        };
        Range::truth(known)
    }

    /// Whether `self` equals `other`.
    pub fn equals(self, other: Range) -> Range {
        let known = match (self.intersect(other), self.as_point(), other.as_point()) {
            (None, ..) => Some(false),
            (_, Some(_), Some(_)) => Some(true),
            _ => None,
        };
        Range::truth(known)
    }

    /// Bitwise complement.
    pub fn complement(self) -> Range {
        Range { lo: -1 - self.hi, hi: -1 - self.lo }
    }

    /// Two's complement negation.
    pub fn negated(self, width: u32) -> Range {
        Range::wrapped(-i128::from(self.hi), -i128::from(self.lo), width)
    }

    /// The bits from `hi` down to `lo`.
    pub fn extracted(self, hi: u32, lo: u32) -> Range {
        Range::wrapped(i128::from(self.lo >> lo), i128::from(self.hi >> lo), hi - lo + 1)
    }

    /// `self` as the high bits, `low` as the `low_width` low ones, of `width` bits together.
    pub fn concatenated(self, low: Range, low_width: u32, width: u32) -> Range {
        let (a, b) = low.unsigned(low_width);
        let [lo, hi] = [self.lo, self.hi].map(|high| i128::from(high) << low_width);
        Range::wrapped(lo + a, hi + b, width)
    }

    /// Zero-extension from `from` to `width` bits.
    pub fn zero_extended(self, from: u32, width: u32) -> Range {
        let (lo, hi) = self.unsigned(from);
        Range::wrapped(lo, hi, width)
    }
}

/// `x op y`, of `width` bits.
fn exact(op: BvOp, x: i64, y: i64, width: u32) -> i64 {
    match op {
        BvOp::Add => sign_extended(x.wrapping_add(y), width),
        BvOp::Sub => sign_extended(x.wrapping_sub(y), width),
        BvOp::Mul => sign_extended(x.wrapping_mul(y), width),
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
        BvOp::Sdiv if y != 0 => sign_extended(x.wrapping_div(y), width),
        BvOp::Srem if y != 0 => x.wrapping_rem(y),
        _ => {
            let [x, y] = [x, y].map(|k| Bv::from_i64(width, k));
            Bv::apply(op, &x, &y).to_i64().expect("at most 64 bits")
        }
    }
}

fn sign_extended(x: i64, width: u32) -> i64 {
    let unused = 64 - width;
    (x << unused) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(width: u32) -> Vec<Range> {
        let Range { lo, hi } = Range::full(width);
        (lo..=hi).flat_map(|a| (a..=hi).map(move |b| Range { lo: a, hi: b })).collect()
    }

    fn numbers(r: Range, width: u32) -> impl Iterator<Item = Bv> {
        (r.lo..=r.hi).map(move |k| Bv::from_i64(width, k))
    }

    fn has(r: Range, k: &Bv) -> bool {
        k.to_i64().is_some_and(|k| r.lo <= k && k <= r.hi)
    }

    fn may_be(r: Range, b: bool) -> bool {
        r.lo <= i64::from(b) && i64::from(b) <= r.hi
    }

    #[test]
    fn binary_operators_contain_all_results() {
        for width in 1..=3 {
            for (a, b) in ranges(width).into_iter().flat_map(|a| ranges(width).into_iter().map(move |b| (a, b))) {
                for x in numbers(a, width) {
                    for y in numbers(b, width) {
                        for op in BvOp::ALL {
                            let (result, of) = (Bv::apply(op, &x, &y), a.binary(op, b, width));
                            assert!(has(of, &result), "{op:?} of {a:?} and {b:?}: {result:?} is not in {of:?}");
                        }
                        for cmp in [BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle] {
                            let of = a.compared(cmp, b, width);
                            assert!(may_be(of, Bv::compare(cmp, &x, &y)), "{cmp:?} of {a:?} and {b:?}");
                        }
                        assert!(may_be(a.equals(b), x == y), "{a:?} and {b:?}");
                        let pair = x.concat(&y);
                        assert!(has(a.concatenated(b, width, 2 * width), &pair), "{a:?} before {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn unary_operators_contain_all_results() {
        for width in 1..=4 {
            for r in ranges(width) {
                for x in numbers(r, width) {
                    assert!(has(r.complement(), &x.not()));
                    assert!(has(r.negated(width), &x.neg()));
                    assert!(has(r.zero_extended(width, width + 2), &x.zext(width + 2)));
                    for hi in 0..width {
                        for lo in 0..=hi {
                            assert!(has(r.extracted(hi, lo), &x.extract(hi, lo)), "{r:?}: {hi} to {lo}");
                        }
                    }
                }
            }
        }
    }

    /// Where no bit is lost, results are exact.
    #[test]
    fn results_without_overflow_are_exact() {
        let (a, b) = (Range { lo: -3, hi: 5 }, Range { lo: 2, hi: 4 });
        assert_eq!(a.binary(BvOp::Add, b, 32), Range { lo: -1, hi: 9 });
        assert_eq!(a.binary(BvOp::Sub, b, 32), Range { lo: -7, hi: 3 });
        assert_eq!(a.binary(BvOp::Mul, b, 32), Range { lo: -12, hi: 20 });
        assert_eq!(Range { lo: 100, hi: 205 }.binary(BvOp::Srem, Range::point(299), 32), Range { lo: 100, hi: 205 });
        assert_eq!(Range { lo: -7, hi: 9 }.binary(BvOp::Srem, Range::point(5), 32), Range { lo: -4, hi: 4 });
        assert_eq!(Range { lo: -7, hi: 9 }.binary(BvOp::Sdiv, Range::point(-2), 32), Range { lo: -4, hi: 3 });
    }

    fn number(width: u32) -> impl Strategy<Value = i64> {
        let Range { lo, hi } = Range::full(width);
        prop_oneof![lo..=hi, -9i64..9, Just(lo), Just(hi)]
    }

    fn operands() -> impl Strategy<Value = (u32, [i64; 4], [f64; 2])> {
        let width = prop::sample::select(vec![31u32, 32, 63, 64]);
        width.prop_flat_map(|w| (Just(w), [number(w), number(w), number(w), number(w)], [0.0..1.0f64, 0.0..1.0f64]))
    }

    proptest! {
        /// The extreme widths and numbers.
        #[test]
        fn wide_operators_contain_all_results((width, [a, b, c, d], parts) in operands()) {
            let (r, s) = (Range { lo: a.min(b), hi: a.max(b) }, Range { lo: c.min(d), hi: c.max(d) });
            let within = |r: Range, part: f64| {
                let distance = (i128::from(r.hi) - i128::from(r.lo)) as f64 * part;
                let k = (i128::from(r.lo) + distance as i128).clamp(r.lo.into(), r.hi.into());
                Bv::from_i64(width, k as i64)
            };
            for (x, y) in [(within(r, parts[0]), within(s, parts[1])), (Bv::from_i64(width, r.lo), Bv::from_i64(width, s.hi))] {
                for op in BvOp::ALL {
                    let of = r.binary(op, s, width);
                    prop_assert!(has(of, &Bv::apply(op, &x, &y)), "{:?} of {:?} and {:?} at {:?}, {:?}", op, r, s, x, y);
                }
                for cmp in [BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle] {
                    prop_assert!(may_be(r.compared(cmp, s, width), Bv::compare(cmp, &x, &y)));
                }
                prop_assert!(has(r.negated(width), &x.neg()));
            }
        }
    }
}
