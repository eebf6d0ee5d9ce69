//! The bit-vector operators on sets of intervals. Each result contains the results for all numbers of the arguments.
//!
//! An operator is applied to pairs of intervals, whose results are intervals of integers modulo 2^width; signed operators are applied to
//! pairs of intervals that do not cross a sign change. If there are only a few pairs of numbers, the results are computed one by one.

use crate::domains::intervals::ranges::{Range, Ranges, greatest};
use cfa::bv::{Bv, BvOp};
use smallvec::{SmallVec, smallvec};

/// Maximum number of pairs of numbers for which results are computed one by one.
const FEW: u64 = 32;

type Found = SmallVec<[Range; 2]>;

/// The results of `op`.
pub(super) fn apply(op: BvOp, a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width();
    if a.count(FEW + 1) * b.count(FEW + 1) <= FEW {
        return one_by_one(op, a, b);
    }
    match op {
        BvOp::Add => pairs(a, b, |a, b| modulo(width, sum(a.0, b.0), sum(a.1, b.1))),
        BvOp::Sub => pairs(a, b, |a, b| modulo(width, difference(a.0, b.1), difference(a.1, b.0))),
        BvOp::Mul => {
            let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
            let unsigned = pairs(a, b, |a, b| modulo(width, product(a.0, b.0), product(a.1, b.1)));
            unsigned.intersect(&signed_pairs(a, b, |a, b| of_corners(width, a, b, |x, y| x * y)))
        }
        BvOp::Udiv => udiv(a, b),
        BvOp::Urem => urem(a, b),
        BvOp::Sdiv => sdiv(a, b),
        BvOp::Srem => srem(a, b),
        BvOp::And => pairs(a, b, |a, b| smallvec![(0, a.1.min(b.1))]),
        BvOp::Or => pairs(a, b, |a, b| smallvec![(a.0.max(b.0), ones_up_to(a.1 | b.1))]),
        BvOp::Xor => pairs(a, b, |a, b| smallvec![(0, ones_up_to(a.1 | b.1))]),
        BvOp::Shl | BvOp::Lshr | BvOp::Ashr => shift(op, a, b),
    }
}

fn one_by_one(op: BvOp, a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width();
    let apply = |x, y| Bv::apply(op, &Bv::new(width, x), &Bv::new(width, y)).to_u64().expect("at most 64 bits");
    Ranges::of(width, a.numbers().flat_map(|x| b.numbers().map(move |y| apply(x, y))).map(|k| (k, k)))
}

fn pairs(a: &Ranges, b: &Ranges, f: impl Fn(Range, Range) -> Found) -> Ranges {
    let f = &f;
    Ranges::of(a.width(), a.iter().flat_map(|a| b.iter().flat_map(move |b| f(a, b))))
}

fn signed_pairs(a: &Ranges, b: &Ranges, f: impl Fn((i64, i64), (i64, i64)) -> Found) -> Ranges {
    let f = &f;
    Ranges::of(a.width(), a.signed_iter().flat_map(|a| b.signed_iter().flat_map(move |b| f(a, b))))
}

fn sum(x: u64, y: u64) -> u128 {
    u128::from(x) + u128::from(y)
}

fn difference(x: u64, y: u64) -> u128 {
    u128::from(x).wrapping_sub(u128::from(y))
}

/// The integers from `low` to `high`, reduced modulo 2^width; both bounds are given modulo 2^128.
fn modulo(width: u32, low: u128, high: u128) -> Found {
    Ranges::modulo(width, low, high).iter().collect()
}

/// The hull of the results at the corners of two intervals. It contains all results of a function that is monotone in each argument.
fn of_corners(width: u32, a: (i64, i64), b: (i64, i64), f: impl Fn(i128, i128) -> i128) -> Found {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| f(i128::from(x), i128::from(y)));
    let (low, high) = corners.iter().fold((i128::MAX, i128::MIN), |(low, high), k| (low.min(*k), high.max(*k)));
    modulo(width, low as u128, high as u128)
}

/// The least number of the form 2^n - 1 that is at least `k`.
fn ones_up_to(k: u64) -> u64 {
    k.checked_ilog2().map_or(0, |highest| u64::MAX >> (63 - highest))
}

/// The interval `b` without zero.
fn without_zero(b: Range) -> Option<Range> {
    (b.1 > 0).then_some((b.0.max(1), b.1))
}

fn udiv(a: &Ranges, b: &Ranges) -> Ranges {
    let ones = greatest(a.width());
    pairs(a, b, |a, b| {
        let by_zero = (b.0 == 0).then_some((ones, ones));
        let divided = without_zero(b).map(|b| (a.0 / b.1, a.1 / b.0));
        by_zero.into_iter().chain(divided).collect()
    })
}

fn urem(a: &Ranges, b: &Ranges) -> Ranges {
    pairs(a, b, |a, b| {
        let by_zero = (b.0 == 0).then_some(a);
        let divided = without_zero(b).map(|b| {
            if a.1 < b.0 {
                a
            } else if b.0 == b.1 && a.0 / b.0 == a.1 / b.0 {
                (a.0 % b.0, a.1 % b.0)
            } else {
                (0, a.1.min(b.1 - 1))
            }
        });
        by_zero.into_iter().chain(divided).collect()
    })
}

/// The parts of the signed interval `b` below and above zero.
fn sides(b: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    [(b.0, b.1.min(-1)), (b.0.max(1), b.1)].into_iter().filter(|(low, high)| low <= high)
}

fn sdiv(a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width();
    signed_pairs(a, b, |a, b| {
        let mut found = Found::new();
        if b.0 <= 0 && b.1 >= 0 {
            // Division by zero as in SMT-LIB: 1 for negative dividends, otherwise -1.
            let by_zero = if a.0 < 0 { 1 } else { greatest(width) };
            found.push((by_zero, by_zero));
        }
        found.extend(sides(b).flat_map(|b| of_corners(width, a, b, |x, y| x / y)));
        found
    })
}

fn srem(a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width();
    signed_pairs(a, b, |a, b| {
        let same = modulo(width, i128::from(a.0) as u128, i128::from(a.1) as u128);
        let mut found = Found::new();
        if b.0 <= 0 && b.1 >= 0 {
            found.extend(same.iter().copied());
        }
        for (low, high) in sides(b) {
            // The result has the sign of the dividend; its absolute value is less than the divisor's, and at most the dividend's.
            let (least, most) =
                (low.unsigned_abs().min(high.unsigned_abs()), low.unsigned_abs().max(high.unsigned_abs()));
            let largest = a.0.unsigned_abs().max(a.1.unsigned_abs());
            if largest < least {
                found.extend(same.iter().copied());
                continue;
            }
            let largest = i128::from(largest.min(most - 1));
            let (low, high) = if a.0 < 0 { (-largest, 0) } else { (0, largest) };
            found.extend(modulo(width, low as u128, high as u128));
        }
        found
    })
}

/// Shifts by each amount that is less than the width, and by all larger amounts together.
fn shift(op: BvOp, a: &Ranges, b: &Ranges) -> Ranges {
    let width = a.width();
    let last = u64::from(width) - 1;
    let mut found: Vec<Range> = Vec::new();
    for (low, high) in b.iter() {
        for by in low..=high.min(last) {
            let by = by as u32;
            match op {
                BvOp::Shl => {
                    found.extend(a.iter().flat_map(|(l, h)| modulo(width, u128::from(l) << by, u128::from(h) << by)))
                }
                BvOp::Lshr => found.extend(a.iter().map(|(l, h)| (l >> by, h >> by))),
                _ => found.extend(ashr(a, by)),
            }
        }
        if high > last {
            match op {
                BvOp::Ashr => found.extend(ashr(a, width - 1)),
                _ => found.push((0, 0)),
            }
        }
    }
    Ranges::of(width, found)
}

fn ashr(a: &Ranges, by: u32) -> impl Iterator<Item = Range> + '_ {
    let width = a.width();
    a.signed_iter().flat_map(move |(l, h)| modulo(width, i128::from(l >> by) as u128, i128::from(h >> by) as u128))
}

/// The complement of all bits.
pub(super) fn not(a: &Ranges) -> Ranges {
    let ones = greatest(a.width());
    a.map(a.width(), |(low, high)| [(ones - high, ones - low)])
}

/// Bits `hi..=lo`.
pub(super) fn extract(hi: u32, lo: u32, a: &Ranges) -> Ranges {
    let width = hi - lo + 1;
    a.map(width, |(low, high)| modulo(width, u128::from(low >> lo), u128::from(high >> lo)))
}

/// `a` in the high bits and `b` in the low bits; both together have at most 64 bits.
pub(super) fn concat(a: &Ranges, b: &Ranges) -> Ranges {
    let by = b.width();
    let width = a.width() + by;
    // If the high part is an interval of several numbers, the low part is approximated by a single interval.
    let low = b.bounds().unwrap_or((1, 0));
    if b.is_empty() {
        return Ranges::empty(width);
    }
    let all = a.iter().flat_map(|(l, h)| -> SmallVec<[Range; 8]> {
        if l == h {
            b.iter().map(|(x, y)| ((l << by) | x, (l << by) | y)).collect()
        } else {
            smallvec![((l << by) | low.0, (h << by) | low.1)]
        }
    });
    Ranges::of(width, all)
}

/// Zero-extended to `width` bits.
pub(super) fn zext(width: u32, a: &Ranges) -> Ranges {
    Ranges::of(width, a.iter())
}

/// Sign-extended to `width` bits.
pub(super) fn sext(width: u32, a: &Ranges) -> Ranges {
    Ranges::of(width, a.signed_iter().flat_map(|(l, h)| modulo(width, i128::from(l) as u128, i128::from(h) as u128)))
}

/// The numbers of `from` bits whose zero-extension is in `a`.
pub(super) fn zext_back(from: u32, a: &Ranges) -> Ranges {
    let fitting = a.intersect(&Ranges::interval(a.width(), 0, greatest(from)));
    Ranges::of(from, fitting.iter())
}

/// The numbers of `from` bits whose sign-extension is in `a`.
pub(super) fn sext_back(from: u32, a: &Ranges) -> Ranges {
    extract(from - 1, 0, &a.intersect(&sext(a.width(), &Ranges::full(from))))
}
