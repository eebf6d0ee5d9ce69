//! Abstract machine integers: a set of intervals and known bits, which refine each other.
//!
//! Lattice: the product of both domains, ordered by inclusion; a value represents the numbers that are in both. A value that represents
//! no number is [`Value::is_none`]. Truth values are numbers of one bit. Operators are sound but not optimal: their results contain all
//! possible results.

use crate::domains::intervals::bits::Bits;
use crate::domains::intervals::operators;
use crate::domains::intervals::ranges::{MAX_RANGES, Ranges, greatest, signed};
use cfa::bv::{BvCmp, BvOp};
use cfa::{Sort, Term, Terms};

/// Maximum width of the numbers that are tracked.
pub const MAX_WIDTH: u32 = 64;

/// A set of numbers of 1 to 64 bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    ranges: Ranges,
    bits: Bits,
}

/// The width of the numbers of a sort, if they are tracked.
pub fn width_of(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::Bv(width) => (width <= MAX_WIDTH).then_some(width),
        Sort::Array { .. } => None,
    }
}

impl Value {
    /// Any number.
    pub fn any(width: u32) -> Value {
        Value { ranges: Ranges::full(width), bits: Bits::unknown(width) }
    }

    /// No number.
    pub fn none(width: u32) -> Value {
        Value { ranges: Ranges::empty(width), bits: Bits::known(0) }
    }

    /// Only `k`.
    pub fn single(width: u32, k: u64) -> Value {
        Value { ranges: Ranges::single(width, k), bits: Bits::known(k) }
    }

    /// A truth value.
    pub fn of_bool(b: bool) -> Value {
        Value::single(1, u64::from(b))
    }

    /// The numbers of `ranges`.
    pub fn of_ranges(ranges: Ranges) -> Value {
        let bits = Bits::unknown(ranges.width());
        Value::new(ranges, bits)
    }

    /// The numbers of `width` bits that match `bits`.
    pub fn of_bits(width: u32, bits: Bits) -> Value {
        Value::new(Ranges::full(width), bits)
    }

    /// The numbers that are in both; the parts are refined by each other.
    fn new(ranges: Ranges, bits: Bits) -> Value {
        let width = ranges.width();
        let common = ranges.iter().map(|(low, high)| Bits::of_range(low, high)).reduce(Bits::union);
        let Some(bits) = common.and_then(|common| common.intersect(bits)) else { return Value::none(width) };
        let free = bits.unknown.count_ones();
        let fitting = if 1 << free.min(63) <= MAX_RANGES as u64 {
            let all = Ranges::of(width, numbers(bits).map(|k| (k, k)));
            ranges.intersect(&all)
        } else {
            let clipped = ranges.iter().filter_map(|(low, high)| {
                let (low, high) = (bits.next(low, width)?, bits.last(high, width)?);
                (low <= high).then_some((low, high))
            });
            Ranges::of(width, clipped)
        };
        if fitting.is_empty() {
            return Value::none(width);
        }
        match fitting == ranges {
            true => Value { ranges, bits },
            // A smaller set may have more bits in common.
            false => Value::new(fitting, bits),
        }
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.ranges.width()
    }

    /// The set of intervals.
    pub fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    /// The known bits.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// Whether no number is possible.
    pub fn is_none(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether nothing is known.
    pub fn is_any(&self) -> bool {
        self.ranges.is_full() && self.bits.unknown == greatest(self.width())
    }

    /// The only possible number, if there is exactly one.
    pub fn as_single(&self) -> Option<u64> {
        self.ranges.as_single()
    }

    /// The truth value, if it is known.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_single().map(|k| k == 1)
    }

    /// Whether `k` is possible.
    pub fn contains(&self, k: u64) -> bool {
        self.ranges.contains(k) && self.bits.contains(k)
    }

    /// Whether intervals and bits are both contained in those of `other`.
    pub fn is_subset(&self, other: &Value) -> bool {
        self.is_none() || (self.ranges.is_subset(&other.ranges) && self.bits.is_subset(other.bits))
    }

    /// A superset of the numbers that are not in `other`. `None` if `other` says more about bits than its intervals do.
    pub fn without(&self, other: &Value) -> Option<Value> {
        let exact = Value::of_ranges(other.ranges.clone()) == *other;
        exact.then(|| self.intersect(&Value::of_ranges(other.ranges.complement())))
    }

    /// The union of both.
    pub fn union(&self, other: &Value) -> Value {
        if self.is_none() {
            return other.clone();
        }
        if other.is_none() {
            return self.clone();
        }
        Value { ranges: self.ranges.union(&other.ranges), bits: self.bits.union(other.bits) }
    }

    /// The intersection of both.
    pub fn intersect(&self, other: &Value) -> Value {
        match self.bits.intersect(other.bits) {
            Some(bits) => Value::new(self.ranges.intersect(&other.ranges), bits),
            None => Value::none(self.width()),
        }
    }

    /// Widens `self` by `new`, in cells that begin at `starts`. Every chain of such values is finite.
    pub fn widen(&self, new: &Value, starts: &[u64]) -> Value {
        if new.is_subset(self) {
            return self.clone();
        }
        if self.is_none() {
            return new.clone();
        }
        Value::new(new.ranges.widening(&self.ranges, starts), self.bits.union(new.bits))
    }

    /// The possible results of `op`.
    pub fn apply(op: BvOp, a: &Value, b: &Value) -> Value {
        let width = a.width();
        if a.is_none() || b.is_none() {
            return Value::none(width);
        }
        let (x, y) = (a.bits, b.bits);
        let bits = match op {
            BvOp::Add => x.sum(y),
            BvOp::Sub => x.difference(y),
            BvOp::Mul => x.product(y),
            BvOp::And => x.and(y),
            BvOp::Or => x.or(y),
            BvOp::Xor => x.xor(y),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => shifted(op, x, b.as_single(), width),
            BvOp::Urem if y.unknown == 0 && y.value.is_power_of_two() => x.and(Bits::known(y.value - 1)),
            BvOp::Udiv if y.unknown == 0 && y.value.is_power_of_two() => x.shifted_right(y.value.ilog2()),
            BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem => Bits::unknown(width),
        };
        Value::new(operators::apply(op, &a.ranges, &b.ranges), bits.low(width))
    }

    /// The possible truth values of a comparison.
    pub fn compare(cmp: BvCmp, a: &Value, b: &Value) -> Value {
        let holds = |cmp| match cmp {
            BvCmp::Ult | BvCmp::Ule => {
                let ((low, high), (l, h)) = (a.ranges.bounds()?, b.ranges.bounds()?);
                if cmp == BvCmp::Ult { order(high < l, low >= h) } else { order(high <= l, low > h) }
            }
            BvCmp::Slt | BvCmp::Sle => {
                let ((low, high), (l, h)) = (a.ranges.signed_bounds()?, b.ranges.signed_bounds()?);
                if cmp == BvCmp::Slt { order(high < l, low >= h) } else { order(high <= l, low > h) }
            }
        };
        holds(cmp).map_or(Value::any(1), Value::of_bool)
    }

    /// The possible truth values of an equality.
    pub fn equal(a: &Value, b: &Value) -> Value {
        match (a.as_single(), b.as_single()) {
            (Some(x), Some(y)) => Value::of_bool(x == y),
            _ if a.intersect(b).is_none() => Value::of_bool(false),
            _ => Value::any(1),
        }
    }

    /// The complement of all bits; for a truth value, its negation.
    pub fn not(&self) -> Value {
        Value::new(operators::not(&self.ranges), self.bits.not(self.width()))
    }

    /// The negation.
    pub fn negate(&self) -> Value {
        Value::apply(BvOp::Sub, &Value::single(self.width(), 0), self)
    }

    /// Bits `hi..=lo`.
    pub fn extract(&self, hi: u32, lo: u32) -> Value {
        Value::new(operators::extract(hi, lo, &self.ranges), self.bits.shifted_right(lo).low(hi - lo + 1))
    }

    /// This value in the high bits and `low` in the low bits; both together have at most 64 bits.
    pub fn concat(&self, low: &Value) -> Value {
        let bits = self.bits.shifted_left(low.width()).or(low.bits);
        Value::new(operators::concat(&self.ranges, &low.ranges), bits)
    }

    /// Zero extension.
    pub fn zext(&self, width: u32) -> Value {
        Value::new(operators::zext(width, &self.ranges), self.bits)
    }

    /// Sign extension.
    pub fn sext(&self, width: u32) -> Value {
        Value::new(operators::sext(width, &self.ranges), self.bits.sext(self.width(), width))
    }

    /// The numbers of `from` bits whose zero extension is in this value.
    pub fn zext_back(&self, from: u32) -> Value {
        Value::new(operators::zext_back(from, &self.ranges), self.bits.low(from))
    }

    /// The numbers of `from` bits whose sign extension is in this value.
    pub fn sext_back(&self, from: u32) -> Value {
        Value::new(operators::sext_back(from, &self.ranges), self.bits.low(from))
    }

    /// Conditions on `t`, a Bool or a number of this width, whose conjunction says that its value is in this set.
    pub fn conditions(&self, terms: &mut Terms, t: Term) -> Vec<Term> {
        if terms.sort(t) == Sort::Bool {
            return match self.as_bool() {
                Some(true) => vec![t],
                Some(false) => vec![terms.not(t)],
                None if self.is_none() => vec![terms.ff()],
                None => Vec::new(),
            };
        }
        let mut all = self.bounds(terms, t);
        let implied = self.ranges.iter().map(|(low, high)| Bits::of_range(low, high)).reduce(Bits::union);
        if implied.is_some_and(|implied| !implied.is_subset(self.bits)) {
            let width = self.width();
            let (mask, value) =
                (terms.int(width, !self.bits.unknown & greatest(width)), terms.int(width, self.bits.value));
            let known = terms.bv_op(BvOp::And, t, mask);
            all.push(terms.eq(known, value));
        }
        all.retain(|c| terms.as_bool(*c) != Some(true));
        all
    }

    fn bounds(&self, terms: &mut Terms, t: Term) -> Vec<Term> {
        let width = self.width();
        let between = |terms: &mut Terms, cmp, low: u64, high: u64| {
            let (low, high) = (terms.int(width, low), terms.int(width, high));
            [terms.cmp(cmp, low, t), terms.cmp(cmp, t, high)]
        };
        if let Some(k) = self.as_single() {
            let k = terms.int(width, k);
            return vec![terms.eq(t, k)];
        }
        let mut as_signed: Vec<(i64, i64)> = self.ranges.signed_iter().collect();
        as_signed.sort_unstable();
        as_signed.dedup_by(|next, last| {
            let touches = last.1.checked_add(1) == Some(next.0);
            if touches {
                last.1 = next.1;
            }
            touches
        });
        let unsigned: Vec<(u64, u64)> = self.ranges.iter().collect();
        match (&as_signed[..], &unsigned[..]) {
            ([], _) => vec![terms.ff()],
            ([(low, high)], _) => between(terms, BvCmp::Sle, *low as u64, *high as u64).to_vec(),
            (_, [(low, high)]) => between(terms, BvCmp::Ule, *low, *high).to_vec(),
            _ => {
                // The hull, unless it says nothing, and the parts that are inside it.
                let outer = (as_signed[0].0, as_signed[as_signed.len() - 1].1);
                let mut all = between(terms, BvCmp::Sle, outer.0 as u64, outer.1 as u64).to_vec();
                let parts: Vec<Term> = as_signed
                    .iter()
                    .map(|(low, high)| {
                        if low == high {
                            let k = terms.int(width, *low as u64);
                            return terms.eq(t, k);
                        }
                        let both = between(terms, BvCmp::Sle, *low as u64, *high as u64);
                        terms.and_all(both)
                    })
                    .collect();
                all.push(terms.or_all(parts));
                all
            }
        }
    }

    /// The numbers for which a comparison with some number in `other` holds, as the left or the right operand of `cmp`.
    pub fn compared(cmp: BvCmp, other: &Value, is_left: bool) -> Value {
        let width = other.width();
        let most = greatest(width);
        let strict = u64::from(matches!(cmp, BvCmp::Ult | BvCmp::Slt));
        let ranges = match cmp {
            BvCmp::Ult | BvCmp::Ule => other.ranges.bounds().and_then(|(low, high)| {
                Some(match is_left {
                    true => Ranges::interval(width, 0, high.checked_sub(strict)?),
                    false => Ranges::interval(width, low.checked_add(strict).filter(|low| *low <= most)?, most),
                })
            }),
            BvCmp::Slt | BvCmp::Sle => other.ranges.signed_bounds().and_then(|(low, high)| {
                let (least, most) = (signed((most >> 1) + 1, width), (most >> 1) as i64);
                Some(match is_left {
                    true => Ranges::signed_interval(width, least, high.checked_sub(strict as i64)?),
                    false => Ranges::signed_interval(width, low.checked_add(strict as i64)?, most),
                })
            }),
        };
        ranges.map_or(Value::none(width), Value::of_ranges)
    }
}

/// `Some(true)` if the comparison surely holds, `Some(false)` if it surely fails.
fn order(holds: bool, fails: bool) -> Option<bool> {
    if holds { Some(true) } else { fails.then_some(false) }
}

/// The bits of a number shifted by `by`, if the amount is known.
fn shifted(op: BvOp, bits: Bits, by: Option<u64>, width: u32) -> Bits {
    let Some(by) = by else { return Bits::unknown(width) };
    let by = u32::try_from(by).unwrap_or(u32::MAX);
    match op {
        BvOp::Ashr => bits.sext(width, MAX_WIDTH).shifted_right_signed(by.min(width - 1)),
        _ if by >= width => Bits::known(0),
        BvOp::Shl => bits.shifted_left(by),
        _ => bits.shifted_right(by),
    }
}

/// The numbers that match `bits`; there should be only a few.
fn numbers(bits: Bits) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let free = next?;
        // Enumerates the subsets of the unknown bits, in order.
        next = (free != bits.unknown).then(|| (free | !bits.unknown).wrapping_add(1) & bits.unknown);
        Some(bits.value | free)
    })
}
