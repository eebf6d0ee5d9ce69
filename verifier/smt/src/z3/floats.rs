//! Float operators in Z3: numbers of its floating-point theory, and conversions between these and bit patterns.

use super::Context;
#[cfg(test)]
use super::translate::result_format;
use super::translate::{Made, Translator, arity};
use crate::solver::SolverError;
use cfa::Sort;
use cfa::bv::Bv;
use cfa::float::{FloatOp, Format, Rounding};
use z3_sys::*;

// All trees that the functions below combine belong to the context they are given, which is what Z3's constructors ask for.
impl Translator {
    /// The number that a bit pattern represents.
    pub(super) fn number_of_bits(&mut self, c: &Context, bits: Z3_ast, f: Format) -> Made {
        let sort = self.float_sort(c, f)?;
        let x = c.raw;
        if f != Format::X87 {
            return c.ok(unsafe { Z3_mk_fpa_to_fp_bv(x, bits, sort) });
        }
        // The leading bit of the significand is explicit. As in `rustc_apfloat`: a denormal exponent with the bit set is
        // the least normal exponent; any other exponent without the bit, and a special one with a strange significand, is NaN.
        unsafe {
            let part = |hi, lo| c.ok(Z3_mk_extract(x, hi, lo, bits));
            let (sign, exponent, leading, rest) = (part(79, 79)?, part(78, 64)?, part(63, 63)?, part(62, 0)?);
            let (e_zero, e_one) = (self.word(c, 15, 0)?, self.word(c, 15, 1)?);
            let one = self.word(c, 1, 1)?;
            let denormal = c.ok(Z3_mk_eq(x, exponent, e_zero))?;
            let is_leading = c.ok(Z3_mk_eq(x, leading, one))?;
            let pseudo = c.ok(Z3_mk_and(x, 2, [denormal, is_leading].as_ptr()))?;
            let e = c.ok(Z3_mk_ite(x, pseudo, e_one, exponent))?;
            let high = c.ok(Z3_mk_concat(x, sign, e))?;
            let packed = c.ok(Z3_mk_concat(x, high, rest))?;
            let number = c.ok(Z3_mk_fpa_to_fp_bv(x, packed, sort))?;
            let not_leading = c.ok(Z3_mk_not(x, is_leading))?;
            let not_denormal = c.ok(Z3_mk_not(x, denormal))?;
            let unnormal = c.ok(Z3_mk_and(x, 2, [not_denormal, not_leading].as_ptr()))?;
            let nan = c.ok(Z3_mk_fpa_nan(x, sort))?;
            c.ok(Z3_mk_ite(x, unnormal, nan, number))
        }
    }

    /// The bit pattern of a number.
    pub(super) fn bits_of_number(&mut self, c: &Context, number: Z3_ast, f: Format) -> Made {
        let nan = self.constant(c, &f.nan())?;
        let x = c.raw;
        unsafe {
            let mut bits = c.ok(Z3_mk_fpa_to_ieee_bv(x, number))?;
            if f == Format::X87 {
                let high = c.ok(Z3_mk_extract(x, 78, 63, bits))?;
                let exponent = c.ok(Z3_mk_extract(x, 77, 63, bits))?;
                let rest = c.ok(Z3_mk_extract(x, 62, 0, bits))?;
                let (zero, one) = (self.word(c, 1, 0)?, self.word(c, 1, 1)?);
                let e_zero = self.word(c, 15, 0)?;
                let denormal = c.ok(Z3_mk_eq(x, exponent, e_zero))?;
                let leading = c.ok(Z3_mk_ite(x, denormal, zero, one))?;
                let low = c.ok(Z3_mk_concat(x, leading, rest))?;
                bits = c.ok(Z3_mk_concat(x, high, low))?;
            }
            let is_nan = c.ok(Z3_mk_fpa_is_nan(x, number))?;
            c.ok(Z3_mk_ite(x, is_nan, nan, bits))
        }
    }

    /// A float operator whose result is a number.
    pub(super) fn float_number(&mut self, c: &Context, op: FloatOp, f: Format, args: &[Z3_ast]) -> Made {
        let x = c.raw;
        let rne = self.modes.nearest_even;
        let made = match (op, args) {
            (FloatOp::Add, &[a, b]) => unsafe { Z3_mk_fpa_add(x, rne, a, b) },
            (FloatOp::Sub, &[a, b]) => unsafe { Z3_mk_fpa_sub(x, rne, a, b) },
            (FloatOp::Mul, &[a, b]) => unsafe { Z3_mk_fpa_mul(x, rne, a, b) },
            (FloatOp::Div, &[a, b]) => unsafe { Z3_mk_fpa_div(x, rne, a, b) },
            (FloatOp::Fma, &[a, b, d]) => unsafe { Z3_mk_fpa_fma(x, rne, a, b, d) },
            (FloatOp::Sqrt, &[a]) => unsafe { Z3_mk_fpa_sqrt(x, rne, a) },
            (FloatOp::Round(mode), &[a]) => {
                let mode = match mode {
                    Rounding::NearestEven => rne,
                    Rounding::NearestAway => self.modes.nearest_away,
                    Rounding::Up => self.modes.up,
                    Rounding::Down => self.modes.down,
                    Rounding::Zero => self.modes.zero,
                };
                unsafe { Z3_mk_fpa_round_to_integral(x, mode, a) }
            }
            (FloatOp::Convert(to), &[a]) => {
                let sort = self.float_sort(c, to)?;
                unsafe { Z3_mk_fpa_to_fp_float(x, rne, a, sort) }
            }
            (FloatOp::FromSigned, &[a]) => {
                let sort = self.float_sort(c, f)?;
                unsafe { Z3_mk_fpa_to_fp_signed(x, rne, a, sort) }
            }
            (FloatOp::FromUnsigned, &[a]) => {
                let sort = self.float_sort(c, f)?;
                unsafe { Z3_mk_fpa_to_fp_unsigned(x, rne, a, sort) }
            }
            (FloatOp::Rem, &[a, b]) => return self.fmod(c, f, a, b),
            _ => return Err(arity()),
        };
        c.ok(made)
    }

    /// C's `fmod` through IEEE's remainder of the magnitudes, plus one divisor if negative (exact, as `fmod` is).
    fn fmod(&mut self, c: &Context, f: Format, a: Z3_ast, b: Z3_ast) -> Made {
        // Z3 expands the remainder to words of 2^exponent bits.
        if f.exponent_bits() > 8 {
            return Err(SolverError::Unsupported("fmod".into()));
        }
        let sort = self.float_sort(c, f)?;
        let (x, rne) = (c.raw, self.modes.nearest_even);
        unsafe {
            let (p, q) = (c.ok(Z3_mk_fpa_abs(x, a))?, c.ok(Z3_mk_fpa_abs(x, b))?);
            let r = c.ok(Z3_mk_fpa_rem(x, p, q))?;
            let zero = c.ok(Z3_mk_fpa_zero(x, sort, false))?;
            let below = c.ok(Z3_mk_fpa_lt(x, r, zero))?;
            let up = c.ok(Z3_mk_fpa_add(x, rne, r, q))?;
            let magnitude = c.ok(Z3_mk_ite(x, below, up, r))?;
            let negative = c.ok(Z3_mk_fpa_is_negative(x, a))?;
            let negated = c.ok(Z3_mk_fpa_neg(x, magnitude))?;
            c.ok(Z3_mk_ite(x, negative, negated, magnitude))
        }
    }

    /// A float operator from bits to bits (or to a truth value), with all views made on the spot.
    #[cfg(test)]
    pub(super) fn float_on_bits(&mut self, c: &Context, op: FloatOp, f: Format, args: &[Z3_ast], sort: Sort) -> Made {
        let from_bits = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
        let mut numbers = Vec::new();
        for &a in args {
            numbers.push(if from_bits { a } else { self.number_of_bits(c, a, f)? });
        }
        match result_format(op, f) {
            Some(result) => {
                let number = self.float_number(c, op, f, &numbers)?;
                self.bits_of_number(c, number, result)
            }
            None => self.float_test(c, op, f, &numbers, sort),
        }
    }

    /// A float operator whose result is a truth value or an integer.
    pub(super) fn float_test(&mut self, c: &Context, op: FloatOp, f: Format, args: &[Z3_ast], sort: Sort) -> Made {
        let x = c.raw;
        let made = match (op, args) {
            (FloatOp::Eq, &[a, b]) => unsafe { Z3_mk_fpa_eq(x, a, b) },
            (FloatOp::Lt, &[a, b]) => unsafe { Z3_mk_fpa_lt(x, a, b) },
            (FloatOp::Le, &[a, b]) => unsafe { Z3_mk_fpa_leq(x, a, b) },
            (FloatOp::ToSigned | FloatOp::ToUnsigned, &[a]) => {
                return self.integer_of(c, op == FloatOp::ToSigned, f, a, sort.width());
            }
            _ => return Err(arity()),
        };
        c.ok(made)
    }

    /// The number as an integer towards zero; zero if it is out of range.
    fn integer_of(&mut self, c: &Context, signed: bool, f: Format, a: Z3_ast, width: u32) -> Made {
        let x = c.raw;
        let sort = self.float_sort(c, f)?;
        let greatest_exponent = (1u32 << (f.exponent_bits() - 1)) - 1;
        let bits = if signed { width - 1 } else { width };
        // Powers of two beyond the format are no bounds: all finite numbers are smaller.
        let power = |tr: &mut Self, sign: u64| {
            let e = Bv::new(f.exponent_bits(), u64::from(bits + greatest_exponent));
            let v = Bv::new(1, sign).concat(&e).concat(&Bv::new(f.significand_bits() - 1, 0));
            let v = tr.constant(c, &v)?;
            c.ok(unsafe { Z3_mk_fpa_to_fp_bv(x, v, sort) })
        };
        unsafe {
            let towards_zero = self.modes.zero;
            let whole = c.ok(Z3_mk_fpa_round_to_integral(x, towards_zero, a))?;
            let infinite = c.ok(Z3_mk_fpa_is_infinite(x, a))?;
            let nan = c.ok(Z3_mk_fpa_is_nan(x, a))?;
            let mut inside = vec![c.ok(Z3_mk_not(x, infinite))?, c.ok(Z3_mk_not(x, nan))?];
            if bits <= greatest_exponent {
                let top = power(self, 0)?;
                inside.push(c.ok(Z3_mk_fpa_lt(x, whole, top))?);
            }
            if !signed {
                let zero = c.ok(Z3_mk_fpa_zero(x, sort, false))?;
                inside.push(c.ok(Z3_mk_fpa_geq(x, whole, zero))?);
            } else if bits <= greatest_exponent {
                let bottom = power(self, 1)?;
                inside.push(c.ok(Z3_mk_fpa_geq(x, whole, bottom))?);
            }
            let inside = c.ok(Z3_mk_and(x, inside.len() as u32, inside.as_ptr()))?;
            let integer = c.ok(if signed {
                Z3_mk_fpa_to_sbv(x, towards_zero, a, width)
            } else {
                Z3_mk_fpa_to_ubv(x, towards_zero, a, width)
            })?;
            let zero = self.word(c, width, 0)?;
            c.ok(Z3_mk_ite(x, inside, integer, zero))
        }
    }
}
