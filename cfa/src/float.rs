//! IEEE 754 formats and operators on bit patterns, with the exact semantics that folding, the interpreter and the solver
//! share.
//!
//! A float is a bit-vector; results round to nearest, ties to even. Every NaN that an operator produces is the format's
//! canonical quiet NaN (positive, empty payload): LLVM leaves its sign and payload open, and one fixed choice keeps replay,
//! folding and solver consistent.

use crate::bv::Bv;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as ApFloat, FloatConvert, Round, Status};

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

/// Rounding direction of [`FloatOp::Round`].
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
}

/// The result of a float operator.
pub enum FloatResult {
    /// A bit pattern.
    Bits(Bv),
    /// A truth value.
    Bool(bool),
}

/// Applies `op` of `format` to `args`; `width` is that of an integer result. `None` if this cannot be folded (integers of
/// more than 128 bits).
pub fn apply(op: FloatOp, format: Format, args: &[&Bv], width: u32) -> Option<FloatResult> {
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

fn apply_in<F: ToAny>(op: FloatOp, format: Format, args: &[&Bv], width: u32) -> Option<FloatResult> {
    if let FloatOp::FromSigned | FloatOp::FromUnsigned = op {
        let v = args[0];
        if v.width() > 128 {
            return None;
        }
        let f = if op == FloatOp::FromSigned {
            F::from_i128(v.sext(128).to_u128() as i128).value
        } else {
            F::from_u128(v.to_u128()).value
        };
        return Some(bits(f, format));
    }
    let x = F::from_bits(args[0].to_u128());
    let y = || F::from_bits(args[1].to_u128());
    Some(match op {
        FloatOp::Add => bits((x + y()).value, format),
        FloatOp::Sub => bits((x - y()).value, format),
        FloatOp::Mul => bits((x * y()).value, format),
        FloatOp::Div => bits((x / y()).value, format),
        FloatOp::Rem => bits((x % y()).value, format),
        FloatOp::Fma => bits(x.mul_add(y(), F::from_bits(args[2].to_u128())).value, format),
        FloatOp::Sqrt => FloatResult::Bits(sqrt(args[0], format)),
        FloatOp::Round(mode) => {
            let round = match mode {
                Rounding::NearestEven => Round::NearestTiesToEven,
                Rounding::NearestAway => Round::NearestTiesToAway,
                Rounding::Up => Round::TowardPositive,
                Rounding::Down => Round::TowardNegative,
                Rounding::Zero => Round::TowardZero,
            };
            bits(x.round_to_integral(round).value, format)
        }
        FloatOp::Eq => FloatResult::Bool(x == y()),
        FloatOp::Lt => FloatResult::Bool(x < y()),
        FloatOp::Le => FloatResult::Bool(x <= y()),
        FloatOp::Convert(to) => {
            let mut exact = false;
            match to {
                Format::Half => bits::<Half>(x.convert(&mut exact).value, to),
                Format::BFloat => bits::<BFloat>(x.convert(&mut exact).value, to),
                Format::Single => bits::<Single>(x.convert(&mut exact).value, to),
                Format::Double => bits::<Double>(x.convert(&mut exact).value, to),
                Format::X87 => bits::<X87DoubleExtended>(x.convert(&mut exact).value, to),
                Format::Quad => bits::<Quad>(x.convert(&mut exact).value, to),
            }
        }
        FloatOp::ToSigned | FloatOp::ToUnsigned => {
            if width > 128 {
                return None;
            }
            let mut exact = false;
            let (status, value) = if op == FloatOp::ToSigned {
                let r = x.to_i128_r(width as usize, Round::TowardZero, &mut exact);
                (r.status, r.value as u128)
            } else {
                let r = x.to_u128_r(width as usize, Round::TowardZero, &mut exact);
                (r.status, r.value)
            };
            let valid = !status.contains(Status::INVALID_OP);
            FloatResult::Bits(Bv::from_u128(width, if valid { value } else { 0 }))
        }
        FloatOp::FromSigned | FloatOp::FromUnsigned => return None,
    })
}

/// Correctly rounded square root: an integer square root with two guard bits and a sticky bit.
fn sqrt(x: &Bv, format: Format) -> Bv {
    match format {
        Format::Single => {
            let f = f32::from_bits(x.to_u128() as u32).sqrt();
            return if f.is_nan() { format.nan() } else { Bv::new(32, u64::from(f.to_bits())) };
        }
        Format::Double => {
            let f = f64::from_bits(x.to_u128() as u64).sqrt();
            return if f.is_nan() { format.nan() } else { Bv::new(64, f.to_bits()) };
        }
        _ => {}
    }
    let wide = x.to_u128();
    match format {
        Format::Half => sqrt_in::<Half>(Half::from_bits(wide), format),
        Format::BFloat => sqrt_in::<BFloat>(BFloat::from_bits(wide), format),
        Format::X87 => sqrt_in::<X87DoubleExtended>(X87DoubleExtended::from_bits(wide), format),
        _ => sqrt_in::<Quad>(Quad::from_bits(wide), format),
    }
}

fn sqrt_in<F: ApFloat>(x: F, format: Format) -> Bv {
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
    let (m, e) =
        if e0 % 2 == 0 { (num_bigint::BigUint::from(m), e0) } else { (num_bigint::BigUint::from(m) << 1u32, e0 - 1) };
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
    let r = F::from_u128(digits).value.scalbn(e / 2 - k as i32 + extra as i32 - 1);
    Bv::from_u128(w, r.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn double(op: FloatOp, a: f64, b: f64) -> f64 {
        let (x, y) = (Bv::new(64, a.to_bits()), Bv::new(64, b.to_bits()));
        match apply(op, Format::Double, &[&x, &y], 64) {
            Some(FloatResult::Bits(v)) => f64::from_bits(v.to_u64().unwrap()),
            _ => panic!("no bits"),
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
            let got = sqrt_in::<Double>(Double::from_bits(u128::from(a.to_bits())), Format::Double);
            let want = a.sqrt();
            let want = if want.is_nan() { Format::Double.nan() } else { Bv::new(64, want.to_bits()) };
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn out_of_range_is_zero() {
        let x = Bv::new(64, 1e30f64.to_bits());
        let Some(FloatResult::Bits(v)) = apply(FloatOp::ToSigned, Format::Double, &[&x], 32) else { panic!() };
        assert!(v.is_zero());
    }
}
