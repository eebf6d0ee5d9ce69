//! IEEE 754 formats and operators on bit patterns, with the exact semantics that folding, the interpreter and the solver
//! share.
//!
//! A float is a bit-vector; results round to nearest, ties to even, unless the operator says otherwise. Every NaN that an operator produces is the format's
//! canonical quiet NaN (positive, empty payload): LLVM leaves its sign and payload open, and one fixed choice keeps replay,
//! folding and solver consistent.

use crate::bv::Bv;
use num_bigint::BigUint;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as ApFloat, FloatConvert, Round};

/// A floating-point format of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Format {
    Half,
    BFloat,
    Single,
    Double,
    X87,
    Quad,
}

impl Format {
    /// Number of bits of the format in memory, without padding.
    pub fn width_bits(self) -> u32 {
        match self {
            Format::Half | Format::BFloat => 16,
            Format::Single => 32,
            Format::Double => 64,
            Format::X87 => 80,
            Format::Quad => 128,
        }
    }

    /// Number of bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        match self {
            Format::Half => 5,
            Format::BFloat | Format::Single => 8,
            Format::Double => 11,
            Format::X87 | Format::Quad => 15,
        }
    }

    /// Number of bits of the significand, including the hidden (for `X87` explicit) leading bit.
    pub fn significand_bits(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::BFloat => 8,
            Format::Single => 24,
            Format::Double => 53,
            Format::X87 => 64,
            Format::Quad => 113,
        }
    }

    /// The canonical quiet NaN.
    pub fn nan(self) -> Bv {
        let (w, e) = (self.width_bits(), self.exponent_bits());
        let top = Bv::new(1, 0).concat(&Bv::ones(e));
        let set = if self == Format::X87 { 2 } else { 1 };
        let rest = w - 1 - e;
        top.concat(&Bv::ones(set)).concat(&Bv::new(rest - set, 0))
    }
}

/// Rounding direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to even (`rint`).
    NearestEven,
    /// To nearest, ties away from zero (`round`).
    NearestAway,
    /// Towards plus infinity (`ceil`).
    Up,
    /// Towards minus infinity (`floor`).
    Down,
    /// Towards zero (`trunc`).
    Zero,
}

/// Operators on floats of one format, given as bit patterns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division.
    Div,
    /// Remainder of C's `fmod` (LLVM's `frem`).
    Rem,
    /// Fused multiply-add of three operands.
    Fma,
    /// Square root.
    Sqrt,
    /// Rounding to an integral value.
    Round(Rounding),
    /// Ordered equality (false on NaN); Bool.
    Eq,
    /// Ordered less-than; Bool.
    Lt,
    /// Ordered less-or-equal; Bool.
    Le,
    /// Conversion to another format.
    Convert(Format),
    /// Conversion to a signed integer of the result's width, towards zero. The result is zero if out of range: callers
    /// exclude that case.
    ToSigned,
    /// Conversion to an unsigned integer of the result's width, towards zero. The result is zero if out of range: callers
    /// exclude that case.
    ToUnsigned,
    /// Conversion from a signed integer of any width.
    FromSigned,
    /// Conversion from an unsigned integer of any width.
    FromUnsigned,
    /// An operator whose result is not rounded to nearest. [`FloatOp::rounded`] makes it.
    Directed(Rounded, Rounding),
}

/// The operators whose results the rounding mode of IEEE 754 concerns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs, reason = "they are those of `FloatOp`")]
pub enum Rounded {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Convert(Format),
    FromSigned,
    FromUnsigned,
}

impl FloatOp {
    /// This operator in a rounding mode: it is the same if it rounds nothing, or if the mode is the usual one.
    #[must_use]
    pub fn rounded(self, mode: Rounding) -> FloatOp {
        let op = match self {
            FloatOp::Add => Rounded::Add,
            FloatOp::Sub => Rounded::Sub,
            FloatOp::Mul => Rounded::Mul,
            FloatOp::Div => Rounded::Div,
            FloatOp::Fma => Rounded::Fma,
            FloatOp::Sqrt => Rounded::Sqrt,
            FloatOp::Convert(to) => Rounded::Convert(to),
            FloatOp::FromSigned => Rounded::FromSigned,
            FloatOp::FromUnsigned => Rounded::FromUnsigned,
            _ => return self,
        };
        if mode == Rounding::NearestEven { self } else { FloatOp::Directed(op, mode) }
    }

    /// The operator without its rounding mode, which comes with it.
    pub fn and_rounding(self) -> (FloatOp, Rounding) {
        let FloatOp::Directed(op, mode) = self else { return (self, Rounding::NearestEven) };
        let op = match op {
            Rounded::Add => FloatOp::Add,
            Rounded::Sub => FloatOp::Sub,
            Rounded::Mul => FloatOp::Mul,
            Rounded::Div => FloatOp::Div,
            Rounded::Fma => FloatOp::Fma,
            Rounded::Sqrt => FloatOp::Sqrt,
            Rounded::Convert(to) => FloatOp::Convert(to),
            Rounded::FromSigned => FloatOp::FromSigned,
            Rounded::FromUnsigned => FloatOp::FromUnsigned,
        };
        (op, mode)
    }

    /// The format of the result, if that is a float; `format` is that of the arguments, or if these are integers of the result.
    pub fn result_format(self, format: Format) -> Option<Format> {
        match self.and_rounding().0 {
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le | FloatOp::ToSigned | FloatOp::ToUnsigned => None,
            FloatOp::Convert(to) => Some(to),
            _ => Some(format),
        }
    }

    /// Whether the argument is an integer.
    pub fn is_of_integer(self) -> bool {
        matches!(self.and_rounding().0, FloatOp::FromSigned | FloatOp::FromUnsigned)
    }
}

/// The same as `rustc_apfloat` calls it.
fn mode_of(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    }
}

/// The result of a float operator.
pub enum FloatResult {
    /// A bit pattern.
    Bits(Bv),
    /// A truth value.
    Bool(bool),
}

/// Applies `op` of `format` to `args`; `width` is that of an integer result.
pub fn apply(op: FloatOp, format: Format, args: &[&Bv], width: u32) -> FloatResult {
    match format {
        Format::Half => apply_in::<Half>(op, format, args, width),
        Format::BFloat => apply_in::<BFloat>(op, format, args, width),
        Format::Single => apply_in::<Single>(op, format, args, width),
        Format::Double => apply_in::<Double>(op, format, args, width),
        Format::X87 => apply_in::<X87DoubleExtended>(op, format, args, width),
        Format::Quad => apply_in::<Quad>(op, format, args, width),
    }
}

/// All format conversions of one source format.
trait ToAny:
    ApFloat
    + FloatConvert<Half>
    + FloatConvert<BFloat>
    + FloatConvert<Single>
    + FloatConvert<Double>
    + FloatConvert<X87DoubleExtended>
    + FloatConvert<Quad>
{
}

impl<F> ToAny for F where
    F: ApFloat
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>
{
}

fn bits<F: ApFloat>(f: F, format: Format) -> FloatResult {
    let v = if f.is_nan() { format.nan() } else { Bv::from_u128(format.width_bits(), f.to_bits()) };
    FloatResult::Bits(v)
}

fn apply_in<F: ToAny>(op: FloatOp, format: Format, args: &[&Bv], width: u32) -> FloatResult {
    let (op, rounding) = op.and_rounding();
    let mode = mode_of(rounding);
    // These have an integer as argument.
    match op {
        FloatOp::FromSigned => return bits(from_integer::<F>(args[0], true, mode), format),
        FloatOp::FromUnsigned => return bits(from_integer::<F>(args[0], false, mode), format),
        _ => {}
    }
    let x = F::from_bits(args[0].to_u128());
    let y = || F::from_bits(args[1].to_u128());
    match op {
        FloatOp::Add => bits(x.add_r(y(), mode).value, format),
        FloatOp::Sub => bits(x.sub_r(y(), mode).value, format),
        FloatOp::Mul => bits(x.mul_r(y(), mode).value, format),
        FloatOp::Div => bits(x.div_r(y(), mode).value, format),
        FloatOp::Rem => bits((x % y()).value, format),
        FloatOp::Fma => bits(x.mul_add_r(y(), F::from_bits(args[2].to_u128()), mode).value, format),
        FloatOp::Sqrt => FloatResult::Bits(sqrt(args[0], format, rounding)),
        FloatOp::Round(mode) => bits(x.round_to_integral(mode_of(mode)).value, format),
        FloatOp::Eq => FloatResult::Bool(x == y()),
        FloatOp::Lt => FloatResult::Bool(x < y()),
        FloatOp::Le => FloatResult::Bool(x <= y()),
        FloatOp::Convert(to) => {
            let mut exact = false;
            match to {
                Format::Half => bits::<Half>(x.convert_r(mode, &mut exact).value, to),
                Format::BFloat => bits::<BFloat>(x.convert_r(mode, &mut exact).value, to),
                Format::Single => bits::<Single>(x.convert_r(mode, &mut exact).value, to),
                Format::Double => bits::<Double>(x.convert_r(mode, &mut exact).value, to),
                Format::X87 => bits::<X87DoubleExtended>(x.convert_r(mode, &mut exact).value, to),
                Format::Quad => bits::<Quad>(x.convert_r(mode, &mut exact).value, to),
            }
        }
        FloatOp::ToSigned => FloatResult::Bits(to_integer(x, width, true)),
        FloatOp::ToUnsigned => FloatResult::Bits(to_integer(x, width, false)),
        FloatOp::FromSigned | FloatOp::FromUnsigned | FloatOp::Directed(..) => unreachable!("handled above"),
    }
}

/// The float that represents an integer of any width, rounded.
fn from_integer<F: ApFloat>(v: &Bv, signed: bool, mode: Round) -> F {
    /// Number of leading bits that are converted; more than any format has.
    const LEADING: u64 = 127;
    let negative = signed && v.sign();
    let magnitude = if negative { v.neg().to_big() } else { v.to_big() };
    let shift = magnitude.bits().saturating_sub(LEADING);
    // What is lost below decides only whether the rest is exact.
    let sticky = magnitude.trailing_zeros().is_some_and(|zeros| zeros < shift);
    let leading = Bv::from_big(128, &(magnitude >> shift)).to_u128() | u128::from(sticky);
    // The magnitude is rounded the other way.
    let mode = match mode {
        Round::TowardPositive if negative => Round::TowardNegative,
        Round::TowardNegative if negative => Round::TowardPositive,
        mode => mode,
    };
    // Nothing is lost where the format has these digits.
    let f = F::from_u128_r(leading, mode).value.scalbn_r(shift as i32, mode);
    if negative { -f } else { f }
}

/// A float as an integer of `width` bits, towards zero; zero if it is out of range.
fn to_integer<F: ApFloat>(x: F, width: u32, signed: bool) -> Bv {
    /// Exponent up to which the library converts; the numbers above it are integers.
    const DIRECT: i32 = 120;
    let out_of_range = Bv::new(width, 0);
    if !x.is_finite() || x.is_zero() {
        return out_of_range;
    }
    let shift = (x.ilogb() - DIRECT).max(0);
    let mut exact = false;
    let leading = x.abs().scalbn(-shift).to_u128_r(128, Round::TowardZero, &mut exact).value;
    let magnitude = BigUint::from(leading) << shift as u32;
    let (bits, width_bits, negative) = (magnitude.bits(), u64::from(width), x.is_negative());
    let fits = match (signed, negative) {
        (false, true) => bits == 0,
        (false, false) => bits <= width_bits,
        (true, false) => bits < width_bits,
        // The least number has no positive counterpart.
        (true, true) => bits < width_bits || bits == width_bits && magnitude.trailing_zeros() == Some(width_bits - 1),
    };
    let value = if fits { Bv::from_big(width, &magnitude) } else { out_of_range };
    if negative { value.neg() } else { value }
}

/// Correctly rounded square root: an integer square root with two guard bits and a sticky bit.
fn sqrt(x: &Bv, format: Format, rounding: Rounding) -> Bv {
    match format {
        Format::Single if rounding == Rounding::NearestEven => {
            let f = f32::from_bits(x.to_u128() as u32).sqrt();
            return if f.is_nan() { format.nan() } else { Bv::new(32, u64::from(f.to_bits())) };
        }
        Format::Double if rounding == Rounding::NearestEven => {
            let f = f64::from_bits(x.to_u128() as u64).sqrt();
            return if f.is_nan() { format.nan() } else { Bv::new(64, f.to_bits()) };
        }
        _ => {}
    }
    let (wide, mode) = (x.to_u128(), mode_of(rounding));
    match format {
        Format::Half => sqrt_in::<Half>(Half::from_bits(wide), format, mode),
        Format::BFloat => sqrt_in::<BFloat>(BFloat::from_bits(wide), format, mode),
        Format::Single => sqrt_in::<Single>(Single::from_bits(wide), format, mode),
        Format::Double => sqrt_in::<Double>(Double::from_bits(wide), format, mode),
        Format::X87 => sqrt_in::<X87DoubleExtended>(X87DoubleExtended::from_bits(wide), format, mode),
        Format::Quad => sqrt_in::<Quad>(Quad::from_bits(wide), format, mode),
    }
}

fn sqrt_in<F: ApFloat>(x: F, format: Format, mode: Round) -> Bv {
    let w = format.width_bits();
    if x.is_nan() || (x.is_negative() && !x.is_zero()) {
        return format.nan();
    }
    if x.is_zero() || x.is_infinite() {
        return Bv::from_u128(w, x.to_bits());
    }
    // x = m * 2^e with m a p-bit integer and e even; the root of m * 2^(2k) has at least p + 2 bits, the rest is sticky.
    let p = format.significand_bits() as i32;
    let e0 = x.ilogb() - (p - 1);
    let mut exact = false;
    let m = x.scalbn(-e0).to_u128_r(128, Round::TowardZero, &mut exact).value;
    let (m, e) = if e0 % 2 == 0 { (BigUint::from(m), e0) } else { (BigUint::from(m) << 1u32, e0 - 1) };
    let k = (p + 4) as u32;
    let scaled = m << (2 * k);
    let root = scaled.sqrt();
    let sticky = &root * &root != scaled;
    // Truncate to p + 2 bits manually so that the conversion below rounds once.
    let extra = (root.bits() as i64 - i64::from(p) - 2).max(0) as u32;
    let low_lost = sticky || root.trailing_zeros().is_some_and(|z| z < u64::from(extra));
    let mut kept = root >> extra;
    kept <<= 1u32;
    if low_lost {
        kept += 1u32;
    }
    let digits = Bv::from_big(128, &kept).to_u128();
    let r = F::from_u128_r(digits, mode).value.scalbn(e / 2 - k as i32 + extra as i32 - 1);
    Bv::from_u128(w, r.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn double(op: FloatOp, a: f64, b: f64) -> f64 {
        let (x, y) = (Bv::new(64, a.to_bits()), Bv::new(64, b.to_bits()));
        match apply(op, Format::Double, &[&x, &y], 64) {
            FloatResult::Bits(v) => f64::from_bits(v.to_u64().unwrap()),
            FloatResult::Bool(_) => panic!("no bits"),
        }
    }

    proptest! {
        /// Software floats agree with the hardware.
        #[test]
        fn agrees_with_hardware(a: f64, b: f64) {
            let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
            prop_assert!(same(double(FloatOp::Add, a, b), a + b));
            prop_assert!(same(double(FloatOp::Mul, a, b), a * b));
            prop_assert!(same(double(FloatOp::Div, a, b), a / b));
            prop_assert!(same(double(FloatOp::Rem, a, b), a % b));
        }

        /// The generic square root agrees with the hardware's, in double precision.
        #[test]
        fn generic_sqrt_agrees(a in prop_oneof![any::<f64>(), 0.0..1e10f64]) {
            let got = sqrt_in::<Double>(Double::from_bits(u128::from(a.to_bits())), Format::Double, Round::NearestTiesToEven);
            let want = a.sqrt();
            let want = if want.is_nan() { Format::Double.nan() } else { Bv::new(64, want.to_bits()) };
            prop_assert_eq!(got, want);
        }
    }

    fn converted(op: FloatOp, x: &Bv, width: u32) -> Bv {
        match apply(op, Format::Double, &[x], width) {
            FloatResult::Bits(v) => v,
            FloatResult::Bool(_) => panic!("no bits"),
        }
    }

    proptest! {
        /// Conversions from and to wide integers agree with the hardware's on the integers that both have.
        #[test]
        fn wide_integers_agree_with_the_hardware(k: i128, x in prop_oneof![any::<f64>(), -1e38..1e38f64], low: u64) {
            let k = if low % 2 == 0 { k } else { k >> (low % 128) };
            let bits = |f: f64| Bv::new(64, f.to_bits());
            let wide = Bv::from_u128(128, k as u128);
            prop_assert_eq!(converted(FloatOp::FromSigned, &wide.sext(200), 64), bits(k as f64));
            prop_assert_eq!(converted(FloatOp::FromUnsigned, &wide.zext(200), 64), bits(k as u128 as f64));
            if x.abs() < 1e38 {
                let back = Bv::from_u128(128, x as i128 as u128);
                prop_assert_eq!(converted(FloatOp::ToSigned, &bits(x), 200), back.sext(200));
                prop_assert_eq!(converted(FloatOp::ToSigned, &bits(x), 128), back);
                let back = Bv::from_u128(128, x as u128).zext(200);
                prop_assert_eq!(converted(FloatOp::ToUnsigned, &bits(x), 200), back);
            }
        }
    }

    #[test]
    fn integers_of_any_width_are_rounded() {
        let power = |width, n: u32| Bv::from_big(width, &(BigUint::from(1u8) << n));
        let single = |v: &Bv, op| match apply(op, Format::Single, &[v], 32) {
            FloatResult::Bits(v) => f32::from_bits(v.to_u64().unwrap() as u32),
            FloatResult::Bool(_) => panic!("no bits"),
        };
        assert_eq!(single(&power(200, 150), FloatOp::FromUnsigned), f32::INFINITY);
        assert_eq!(single(&power(200, 199), FloatOp::FromSigned), f32::NEG_INFINITY);
        assert_eq!(single(&power(200, 127), FloatOp::FromUnsigned), 2f32.powi(127));
        // Above the middle of two floats, by the last bit.
        let odd = Bv::from_big(1100, &((BigUint::from(0x20_0000_0000_0001u64) << 1000u32) + 1u8));
        assert_eq!(
            converted(FloatOp::FromUnsigned, &odd, 64),
            Bv::new(64, (2f64.powi(1000) * 9_007_199_254_740_994.0).to_bits())
        );
        let large = Bv::new(64, (2f64.powi(900)).to_bits());
        assert_eq!(converted(FloatOp::ToUnsigned, &large, 1000), power(1000, 900));
        assert_eq!(converted(FloatOp::ToSigned, &large, 901), Bv::new(901, 0));
        let least = Bv::new(64, (-2f64.powi(900)).to_bits());
        assert_eq!(converted(FloatOp::ToSigned, &least, 901), power(901, 900));
        assert_eq!(converted(FloatOp::ToUnsigned, &least, 1000), Bv::new(1000, 0));
    }

    #[test]
    fn out_of_range_is_zero() {
        let x = Bv::new(64, 1e30f64.to_bits());
        let FloatResult::Bits(v) = apply(FloatOp::ToSigned, Format::Double, &[&x], 32) else { panic!() };
        assert!(v.is_zero());
    }
}
