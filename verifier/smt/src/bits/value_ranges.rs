//! Ranges of terms: an interval of unsigned numbers and one of signed numbers.
//!
//! The counter of a loop whose iterations were joined is a choice between sums; each addition may carry into a further bit of
//! its circuit, although the counter is small. Ranges decide comparisons (bounds propagation, as in Brinkmann, Drechsler:
//! RTL-datapath verification using integer linear programming, VLSI Design 2002), and shorten circuits to the bits that
//! differ.

use super::circuits::Word;
use super::graph::Lit;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};

/// Both intervals of a term, as inclusive bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    unsigned: (u64, u64),
    signed: (i64, i64),
}

impl Range {
    /// All numbers of `width` bits (at most 64).
    pub(crate) fn full(width: u32) -> Range {
        let most = u64::MAX >> (64 - width);
        Range { unsigned: (0, most), signed: (-((most >> 1) as i64) - 1, (most >> 1) as i64) }
    }

    /// Numbers all of whose bits from bit number `bits` on are zero.
    pub(crate) fn of_bits(bits: u32, width: u32) -> Range {
        let most = if bits == 0 { 0 } else { u64::MAX >> (64 - bits.min(width)) };
        Range::unsigned(0, i128::from(most), width)
    }

    /// The range with these unsigned bounds, or the full range if they are not numbers of `width` bits.
    fn unsigned(low: i128, high: i128, width: u32) -> Range {
        let full = Range::full(width);
        if low < 0 || high > i128::from(full.unsigned.1) {
            return full;
        }
        Range { unsigned: (low as u64, high as u64), ..full }.agreed(width)
    }

    /// The range with these signed bounds, or the full range if they are not numbers of `width` bits.
    fn signed(low: i128, high: i128, width: u32) -> Range {
        let full = Range::full(width);
        if low < i128::from(full.signed.0) || high > i128::from(full.signed.1) {
            return full;
        }
        Range { signed: (low as i64, high as i64), ..full }.agreed(width)
    }

    /// The range in which both intervals have been refined by each other.
    fn agreed(self, width: u32) -> Range {
        let Range { unsigned: (mut low, mut high), signed: (mut least, mut most) } = self;
        let full = Range::full(width);
        let as_signed = |n: u64| ((n << (64 - width)) as i64) >> (64 - width);
        if high <= full.signed.1 as u64 || low > full.signed.1 as u64 {
            (least, most) = (least.max(as_signed(low)), most.min(as_signed(high)));
        }
        if least >= 0 || most < 0 {
            let as_unsigned = |n: i64| (n as u64) & full.unsigned.1;
            (low, high) = (low.max(as_unsigned(least)), high.min(as_unsigned(most)));
        }
        Range { unsigned: (low, high), signed: (least, most) }
    }

    /// Whether `value`, of `width` bits, is in both intervals.
    #[cfg(test)]
    pub(crate) fn contains(self, value: u64, width: u32) -> bool {
        let signed = ((value << (64 - width)) as i64) >> (64 - width);
        (self.unsigned.0..=self.unsigned.1).contains(&value) && (self.signed.0..=self.signed.1).contains(&signed)
    }

    /// The unsigned bounds, inclusive.
    pub(crate) fn bounds(self) -> (u64, u64) {
        self.unsigned
    }

    /// The intersection of both intervals, which may be empty.
    fn both(self, other: Range) -> Range {
        let ((a, b), (c, d)) = (self.unsigned, other.unsigned);
        let ((e, f), (g, h)) = (self.signed, other.signed);
        Range { unsigned: (a.max(c), b.min(d)), signed: (e.max(g), f.min(h)) }
    }

    /// The smallest range that contains both.
    fn either(self, other: Range) -> Range {
        let ((a, b), (c, d)) = (self.unsigned, other.unsigned);
        let ((e, f), (g, h)) = (self.signed, other.signed);
        Range { unsigned: (a.min(c), b.max(d)), signed: (e.min(g), f.max(h)) }
    }

    /// The truth value of a comparison between numbers of two ranges, if these decide it.
    pub(crate) fn compare(cmp: BvCmp, a: Range, b: Range) -> Option<bool> {
        let decide = |first: bool, second: bool| if first { Some(true) } else { second.then_some(false) };
        match cmp {
            BvCmp::Ult => decide(a.unsigned.1 < b.unsigned.0, a.unsigned.0 >= b.unsigned.1),
            BvCmp::Ule => decide(a.unsigned.1 <= b.unsigned.0, a.unsigned.0 > b.unsigned.1),
            BvCmp::Slt => decide(a.signed.1 < b.signed.0, a.signed.0 >= b.signed.1),
            BvCmp::Sle => decide(a.signed.1 <= b.signed.0, a.signed.0 > b.signed.1),
        }
    }

    /// Whether the ranges have no number in common.
    pub(crate) fn are_apart(a: Range, b: Range) -> bool {
        let common = a.both(b);
        common.unsigned.0 > common.unsigned.1 || common.signed.0 > common.signed.1
    }

    /// Replaces bits of a word in this range by bits to which they are always equal.
    pub(crate) fn cut(self, word: &mut Word) {
        let free = 64 - self.unsigned.1.leading_zeros() as usize;
        if free < word.len() {
            word[free..].fill(Lit::FALSE);
            return;
        }
        // A signed number of n bits: all bits above bit n - 1 are equal to it.
        let bits = |n: i64| 65 - (if n < 0 { !n } else { n }).leading_zeros() as usize;
        let needed = bits(self.signed.0).max(bits(self.signed.1));
        if needed < word.len() {
            let sign = word[needed - 1];
            word[needed..].fill(sign);
        }
    }
}

/// The range of `t`, a bit-vector of at most 64 bits; `of` gives those of its arguments. Leaves may have any value.
pub(crate) fn range(terms: &Terms, t: Term, of: impl Fn(Term) -> Range) -> Range {
    let width = terms.width(t);
    let args = terms.args(t);
    let full = Range::full(width);
    let narrow = |t: Term| matches!(terms.sort(t), Sort::Bv(1..=64));
    if let Some(k) = terms.as_bv(t).and_then(|k| k.to_u64()) {
        return Range::unsigned(i128::from(k), i128::from(k), width);
    }
    let wide = |(low, high): (u64, u64)| (i128::from(low), i128::from(high));
    let wide_signed = |(low, high): (i64, i64)| (i128::from(low), i128::from(high));
    match terms.kind(t) {
        Kind::Ite => of(args[1]).either(of(args[2])),
        Kind::Zext if narrow(args[0]) => {
            let (low, high) = wide(of(args[0]).unsigned);
            Range::unsigned(low, high, width)
        }
        Kind::Sext if narrow(args[0]) => {
            let (low, high) = wide_signed(of(args[0]).signed);
            Range::signed(low, high, width)
        }
        // The low bits of a number without other bits.
        Kind::Extract { lo: 0, .. } if narrow(args[0]) => {
            let from = of(args[0]);
            let ((low, high), (least, most)) = (wide(from.unsigned), wide_signed(from.signed));
            Range::unsigned(low, high, width).both(Range::signed(least, most, width))
        }
        Kind::BvNeg => {
            let (low, high) = wide_signed(of(args[0]).signed);
            Range::signed(-high, -low, width)
        }
        Kind::Bv(op) => {
            let (a, b) = (of(args[0]), of(args[1]));
            let ((al, ah), (bl, bh)) = (wide(a.unsigned), wide(b.unsigned));
            let ((asl, ash), (bsl, bsh)) = (wide_signed(a.signed), wide_signed(b.signed));
            match op {
                BvOp::Add => Range::unsigned(al + bl, ah + bh, width).both(Range::signed(asl + bsl, ash + bsh, width)),
                BvOp::Sub => Range::unsigned(al - bh, ah - bl, width).both(Range::signed(asl - bsh, ash - bsl, width)),
                BvOp::Mul => match ah.checked_mul(bh) {
                    Some(most) => Range::unsigned(al * bl, most, width),
                    None => full,
                },
                BvOp::And => Range::unsigned(0, ah.min(bh), width),
                BvOp::Or | BvOp::Xor => {
                    let bits = 128 - (ah | bh).leading_zeros();
                    Range::of_bits(bits, width)
                }
                // The result of division by zero has all bits set.
                BvOp::Udiv if bl > 0 => Range::unsigned(al / bh, ah / bl, width),
                BvOp::Urem if bl > 0 => Range::unsigned(0, ah.min(bh - 1), width),
                BvOp::Urem | BvOp::Lshr => Range::unsigned(0, ah, width),
                _ => full,
            }
        }
        _ => full,
    }
}
