//! Bit-vector values of any width, with the operations of SMT-LIB's `QF_BV` (division by zero included).
//!
//! Values of up to 64 bits are single words and never allocate; wider values use `num-bigint`.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value; bits at and above `width` are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bv {
    width: u32,
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u64),
    Big(Box<BigUint>),
}

/// Binary operators on two bit-vectors of the same width, with a result of that width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

/// Order comparisons of two bit-vectors of the same width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BvCmp {
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BvOp {
    /// All operators.
    pub const ALL: [BvOp; 13] = [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::Udiv,
        BvOp::Urem,
        BvOp::Sdiv,
        BvOp::Srem,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
        BvOp::Shl,
        BvOp::Lshr,
        BvOp::Ashr,
    ];
}

impl BvCmp {
    /// All comparisons.
    pub const ALL: [BvCmp; 4] = [BvCmp::Ult, BvCmp::Ule, BvCmp::Slt, BvCmp::Sle];
}

/// A mask of `width` low bits, for `width <= 64`.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1u64 << width) - 1 }
}

#[inline]
fn signed(v: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((v << shift) as i64) >> shift
}

impl Bv {
    /// The low `width` bits of `value`. `width` is at least 1.
    pub fn new(width: u32, value: u64) -> Bv {
        debug_assert!(width > 0);
        if width <= 64 {
            Bv { width, bits: Bits::Small(value & mask(width)) }
        } else {
            Bv { width, bits: Bits::Big(Box::new(BigUint::from(value))) }
        }
    }

    /// `value`, sign-extended or truncated to `width` bits.
    pub fn from_i64(width: u32, value: i64) -> Bv {
        if width <= 64 { Bv::new(width, value as u64) } else { Bv::new(64, value as u64).sext(width) }
    }

    /// The low `width` bits of `value`.
    pub fn from_big(width: u32, value: &BigUint) -> Bv {
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            Bv::new(width, low)
        } else {
            let cut = value & ((BigUint::one() << width) - BigUint::one());
            Bv { width, bits: Bits::Big(Box::new(cut)) }
        }
    }

    /// A value from `u128`, truncated to `width` bits.
    pub fn from_u128(width: u32, value: u128) -> Bv {
        if width <= 64 { Bv::new(width, value as u64) } else { Bv::from_big(width, &BigUint::from(value)) }
    }

    /// A value from little-endian 64-bit words, truncated to `width` bits.
    pub fn from_words(width: u32, words: &[u64]) -> Bv {
        if width <= 64 {
            return Bv::new(width, words.first().copied().unwrap_or(0));
        }
        let digits = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
        Bv::from_big(width, &BigUint::new(digits))
    }

    /// The value with all bits set.
    pub fn ones(width: u32) -> Bv {
        Bv::new(1, 1).sext(width)
    }

    /// The number of bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value as an unsigned word, if it fits in 64 bits.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(v) => Some(*v),
            Bits::Big(b) => u64::try_from(&**b).ok(),
        }
    }

    /// The low 128 bits.
    pub fn to_u128(&self) -> u128 {
        match &self.bits {
            Bits::Small(v) => u128::from(*v),
            Bits::Big(b) => {
                let mut d = b.iter_u64_digits();
                let low = u128::from(d.next().unwrap_or(0));
                low | (u128::from(d.next().unwrap_or(0)) << 64)
            }
        }
    }

    /// The value as a signed word; `None` for widths of more than 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Small(v) => Some(signed(*v, self.width)),
            Bits::Big(_) => None,
        }
    }

    /// The value as an unsigned big integer.
    pub fn to_big(&self) -> BigUint {
        match &self.bits {
            Bits::Small(v) => BigUint::from(*v),
            Bits::Big(b) => (**b).clone(),
        }
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == 0,
            Bits::Big(b) => b.is_zero(),
        }
    }

    /// Whether all bits are one.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == mask(self.width),
            Bits::Big(b) => b.count_ones() == u64::from(self.width),
        }
    }

    /// The sign bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Bit `i`, counted from the least significant one; `i` is less than the width.
    pub fn bit(&self, i: u32) -> bool {
        match &self.bits {
            Bits::Small(v) => (v >> i) & 1 == 1,
            Bits::Big(b) => b.bit(u64::from(i)),
        }
    }

    /// The number of low zero bits (`width` for zero).
    pub fn trailing_zeros(&self) -> u32 {
        match &self.bits {
            Bits::Small(v) => v.trailing_zeros().min(self.width),
            Bits::Big(b) => b.trailing_zeros().map_or(self.width, |z| z as u32),
        }
    }

    /// Applies `op`. Both operands must have the same width.
    pub fn apply(op: BvOp, a: &Bv, b: &Bv) -> Bv {
        debug_assert_eq!(a.width, b.width);
        let w = a.width;
        match (&a.bits, &b.bits) {
            (Bits::Small(x), Bits::Small(y)) => Bv::new(w, apply_small(op, *x, *y, w)),
            _ => apply_big(op, a, b),
        }
    }

    /// Decides `a cmp b`. Both operands must have the same width.
    pub fn compare(cmp: BvCmp, a: &Bv, b: &Bv) -> bool {
        let unsigned = match (&a.bits, &b.bits) {
            (Bits::Small(x), Bits::Small(y)) => x.cmp(y),
            _ => a.to_big().cmp(&b.to_big()),
        };
        let order = match cmp {
            BvCmp::Ult | BvCmp::Ule => unsigned,
            BvCmp::Slt | BvCmp::Sle => match (a.sign(), b.sign()) {
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                _ => unsigned,
            },
        };
        match cmp {
            BvCmp::Ult | BvCmp::Slt => order == Ordering::Less,
            BvCmp::Ule | BvCmp::Sle => order != Ordering::Greater,
        }
    }

    /// Bitwise complement.
    pub fn not(&self) -> Bv {
        Bv::apply(BvOp::Xor, self, &Bv::ones(self.width))
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Bv {
        Bv::apply(BvOp::Sub, &Bv::new(self.width, 0), self)
    }

    /// The bits from `hi` down to `lo`, both included: `hi - lo + 1` bits.
    pub fn extract(&self, hi: u32, lo: u32) -> Bv {
        let w = hi - lo + 1;
        match &self.bits {
            Bits::Small(v) => Bv::new(w, v >> lo),
            Bits::Big(b) => Bv::from_big(w, &(&**b >> lo)),
        }
    }

    /// `self` as the high bits, `low` as the low ones.
    pub fn concat(&self, low: &Bv) -> Bv {
        let w = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(h), Bits::Small(l)) if w <= 64 => Bv::new(w, (h << low.width) | l),
            _ => Bv::from_big(w, &((self.to_big() << low.width) | low.to_big())),
        }
    }

    /// Zero-extension to `width`, which must not be less than the value's own.
    pub fn zext(&self, width: u32) -> Bv {
        match &self.bits {
            Bits::Small(v) => Bv::new(width, *v),
            Bits::Big(b) => Bv { width, bits: Bits::Big(b.clone()) },
        }
    }

    /// Sign-extension to `width`, which must not be less than the value's own.
    pub fn sext(&self, width: u32) -> Bv {
        match &self.bits {
            Bits::Small(v) if width <= 64 => Bv::new(width, signed(*v, self.width) as u64),
            _ if width == self.width || !self.sign() => self.zext(width),
            _ => {
                let high = ((BigUint::one() << (width - self.width)) - BigUint::one()) << self.width;
                Bv::from_big(width, &(high | self.to_big()))
            }
        }
    }
}

fn apply_small(op: BvOp, x: u64, y: u64, w: u32) -> u64 {
    match op {
        BvOp::Add => x.wrapping_add(y),
        BvOp::Sub => x.wrapping_sub(y),
        BvOp::Mul => x.wrapping_mul(y),
        BvOp::Udiv => x.checked_div(y).unwrap_or(u64::MAX),
        BvOp::Urem => x.checked_rem(y).unwrap_or(x),
        BvOp::Sdiv => {
            let (sx, sy) = (signed(x, w), signed(y, w));
            if sy == 0 { if sx < 0 { 1 } else { u64::MAX } } else { sx.wrapping_div(sy) as u64 }
        }
        BvOp::Srem => {
            let (sx, sy) = (signed(x, w), signed(y, w));
            if sy == 0 { x } else { sx.wrapping_rem(sy) as u64 }
        }
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
        BvOp::Shl => {
            if y >= u64::from(w) {
                0
            } else {
                x << y
            }
        }
        BvOp::Lshr => {
            if y >= u64::from(w) {
                0
            } else {
                x >> y
            }
        }
        BvOp::Ashr => (signed(x, w) >> y.min(u64::from(w) - 1).min(63)) as u64,
    }
}

fn apply_big(op: BvOp, a: &Bv, b: &Bv) -> Bv {
    let w = a.width;
    let (x, y) = (a.to_big(), b.to_big());
    let modulus = || BigUint::one() << w;
    let shift = |v: &BigUint| u64::try_from(v).ok().filter(|s| *s < u64::from(w));
    match op {
        BvOp::Add => Bv::from_big(w, &(x + y)),
        BvOp::Sub => Bv::from_big(w, &(x + modulus() - y)),
        BvOp::Mul => Bv::from_big(w, &(x * y)),
        BvOp::Udiv => {
            if y.is_zero() {
                Bv::ones(w)
            } else {
                Bv::from_big(w, &(x / y))
            }
        }
        BvOp::Urem => {
            if y.is_zero() {
                a.clone()
            } else {
                Bv::from_big(w, &(x % y))
            }
        }
        BvOp::Sdiv | BvOp::Srem => {
            let magnitude = |v: &Bv| if v.sign() { v.neg() } else { v.clone() };
            let unsigned = if op == BvOp::Sdiv { BvOp::Udiv } else { BvOp::Urem };
            let r = Bv::apply(unsigned, &magnitude(a), &magnitude(b));
            let negative = if op == BvOp::Sdiv { a.sign() != b.sign() } else { a.sign() };
            if negative { r.neg() } else { r }
        }
        BvOp::And => Bv::from_big(w, &(x & y)),
        BvOp::Or => Bv::from_big(w, &(x | y)),
        BvOp::Xor => Bv::from_big(w, &(x ^ y)),
        BvOp::Shl => shift(&y).map_or(Bv::new(w, 0), |s| Bv::from_big(w, &(x << s))),
        BvOp::Lshr => shift(&y).map_or(Bv::new(w, 0), |s| Bv::from_big(w, &(x >> s))),
        BvOp::Ashr => {
            let s = shift(&y).unwrap_or(u64::from(w) - 1) as u32;
            a.extract(w - 1, s).sext(w)
        }
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `value:width`, with the value in unsigned decimal.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.bits {
            Bits::Small(v) => write!(f, "{v}:{}", self.width),
            Bits::Big(b) => write!(f, "{b}:{}", self.width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The one-word path and the big-integer path agree.
        #[test]
        fn small_agrees_with_big(w in 1u32..=64, x: u64, y in prop_oneof![any::<u64>(), 0u64..70]) {
            let (a, b) = (Bv::new(w, x), Bv::new(w, y));
            for op in BvOp::ALL {
                prop_assert_eq!(Bv::apply(op, &a, &b), apply_big(op, &a, &b), "{:?}", op);
            }
        }

        /// Extraction undoes concatenation, also across the one-word boundary.
        #[test]
        fn concat_then_extract(w1 in 1u32..100, w2 in 1u32..100, x: u64, y: u64) {
            let (a, b) = (Bv::new(w1, x), Bv::new(w2, y));
            let c = a.concat(&b);
            prop_assert_eq!(c.extract(w1 + w2 - 1, w2), a);
            prop_assert_eq!(c.extract(w2 - 1, 0), b);
        }

        /// Sign extension agrees with 128-bit integers.
        #[test]
        fn sext_matches_i128(w in 1u32..=64, x: u64) {
            let a = Bv::new(w, x);
            let wide = a.sext(128);
            prop_assert_eq!(wide.to_u128() as i128, i128::from(a.to_i64().unwrap()));
        }
    }
}
