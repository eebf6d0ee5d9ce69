//! Float operators in Z3: numbers of its floating-point theory, and conversions between these and bit patterns.

use super::operators::{Operators, arity};
use super::raw::{Context, Made};
use crate::solver::SolverError;
use cfa::Sort;
use cfa::bv::Bv;
use cfa::float::{FloatOp, Format, Rounding};
use z3::ast::{BV, Bool, Dynamic, Float};

impl Operators {
    /// The number that a bit pattern represents.
    pub(super) fn number_of_bits(&mut self, c: &Context, bits: &Dynamic, f: Format) -> Made<Float> {
        let bits = bits_of(bits)?;
        let sort = self.float_sort(f);
        if f != Format::X87 {
            return c.float_of_bits(&bits, sort);
        }
        // The leading bit of the significand is explicit. As in `rustc_apfloat`: a denormal exponent with the bit set is
        // the least normal exponent; any other exponent without the bit, and the greatest one with a nonzero fraction, is NaN.
        let (sign, exponent) = (bits.extract(79, 79), bits.extract(78, 64));
        let (leading, rest) = (bits.extract(63, 63), bits.extract(62, 0));
        let is_denormal = exponent.eq(0u64);
        let is_leading = leading.eq(1u64);
        let pseudo = Bool::and(&[&is_denormal, &is_leading]);
        let e = pseudo.ite(&BV::from_u64(1, 15), &exponent);
        let number = c.float_of_bits(&sign.concat(&e).concat(&rest), sort)?;
        let unnormal = Bool::and(&[is_denormal.not(), is_leading.not()]);
        Ok(unnormal.ite(&Float::nan(sort), &number))
    }

    /// The bit pattern of a number.
    pub(super) fn bits_of_number(&mut self, c: &Context, number: &Float, f: Format) -> Made {
        let nan = bits_of(&self.constant(c, &f.nan())?)?;
        let mut bits = number.to_ieee_bv();
        if f == Format::X87 {
            let (high, exponent, rest) = (bits.extract(78, 63), bits.extract(77, 63), bits.extract(62, 0));
            let leading = exponent.eq(0u64).ite(&BV::from_u64(0, 1), &BV::from_u64(1, 1));
            bits = high.concat(leading.concat(&rest));
        }
        Ok(number.is_nan().ite(&nan, &bits).into())
    }

    /// A float operator whose result is a number, on arguments that are numbers.
    pub(super) fn float_number(&mut self, c: &Context, op: FloatOp, f: Format, args: &[&Float]) -> Made<Float> {
        let (op, mode) = op.and_rounding();
        let m = self.mode(mode);
        Ok(match (op, args) {
            (FloatOp::Add, [a, b]) => m.add(*a, *b),
            (FloatOp::Sub, [a, b]) => m.sub(*a, *b),
            (FloatOp::Mul, [a, b]) => m.mul(*a, *b),
            (FloatOp::Div, [a, b]) => m.div(*a, *b),
            (FloatOp::Fma, [a, b, d]) => a.fma_with_rounding_mode(*b, *d, m),
            (FloatOp::Sqrt, [a]) => a.sqrt_with_rounding_mode(m),
            (FloatOp::Round(mode), [a]) => a.round_to_integral_with_rounding_mode(self.mode(mode)),
            (FloatOp::Convert(to), [a]) => {
                let sort = self.float_sort(to).clone();
                a.to_fp_with_rounding_mode(self.mode(mode), &sort)
            }
            (FloatOp::Rem, [a, b]) => return self.fmod(c, f, a, b),
            _ => return Err(arity()),
        })
    }

    /// The number that represents an integer, rounded.
    pub(super) fn number_of_integer(&mut self, c: &Context, op: FloatOp, f: Format, integer: &Dynamic) -> Made<Float> {
        let (integer, sort) = (bits_of(integer)?, self.float_sort(f).clone());
        let (op, mode) = op.and_rounding();
        let mode = self.mode(mode);
        match op {
            FloatOp::FromSigned => c.float_of_signed(mode, &integer, &sort),
            FloatOp::FromUnsigned => c.float_of_unsigned(mode, &integer, &sort),
            _ => Err(arity()),
        }
    }

    /// C's `fmod` through IEEE's remainder of the magnitudes, plus one divisor if negative (exact, as `fmod` is).
    fn fmod(&mut self, c: &Context, f: Format, a: &Float, b: &Float) -> Made<Float> {
        // Z3 expands the remainder to words of 2^`exponent_bits` bits.
        if f.exponent_bits() > 8 {
            return Err(SolverError::Unsupported("fmod".into()));
        }
        let zero = c.float_zero(self.float_sort(f), false)?;
        let divisor = b.unary_abs();
        let r = a.unary_abs().rem(&divisor);
        let up = self.mode(Rounding::NearestEven).add(&r, &divisor);
        let magnitude = r.lt(&zero).ite(&up, &r);
        Ok(a.is_negative().ite(&magnitude.unary_neg(), &magnitude))
    }

    /// A float operator from bits to bits (or to a truth value), which makes the views that it needs itself.
    #[cfg(test)]
    pub(super) fn float_on_bits(&mut self, c: &Context, op: FloatOp, f: Format, args: &[&Dynamic], sort: Sort) -> Made {
        if let (true, [integer]) = (op.is_of_integer(), args) {
            let number = self.number_of_integer(c, op, f, integer)?;
            return self.bits_of_number(c, &number, f);
        }
        let mut numbers = Vec::new();
        for a in args {
            numbers.push(self.number_of_bits(c, a, f)?);
        }
        let numbers: Vec<&Float> = numbers.iter().collect();
        match op.result_format(f) {
            Some(result) => {
                let number = self.float_number(c, op, f, &numbers)?;
                self.bits_of_number(c, &number, result)
            }
            None => self.float_test(c, op, f, &numbers, sort),
        }
    }

    /// A float operator whose result is a truth value or an integer.
    pub(super) fn float_test(&mut self, c: &Context, op: FloatOp, f: Format, args: &[&Float], sort: Sort) -> Made {
        match (op, args) {
            (FloatOp::Eq, [a, b]) => Ok(a.eq_fpa(*b).into()),
            (FloatOp::Lt, [a, b]) => Ok(a.lt(*b).into()),
            (FloatOp::Le, [a, b]) => Ok(a.le(*b).into()),
            (FloatOp::ToSigned | FloatOp::ToUnsigned, [a]) => {
                self.integer_of(c, op == FloatOp::ToSigned, f, a, sort.width())
            }
            _ => Err(arity()),
        }
    }

    /// The number as an integer towards zero; zero if it is out of range.
    fn integer_of(&mut self, c: &Context, signed: bool, f: Format, a: &Float, width: u32) -> Made {
        let greatest_exponent = (1u32 << (f.exponent_bits() - 1)) - 1;
        let bits = if signed { width - 1 } else { width };
        // Powers of two beyond the format are no bounds: all finite numbers are smaller.
        let power = |operators: &mut Self, sign: u64| {
            let e = Bv::new(f.exponent_bits(), u64::from(bits + greatest_exponent));
            let v = Bv::new(1, sign).concat(&e).concat(&Bv::new(f.significand_bits() - 1, 0));
            let v = bits_of(&operators.constant(c, &v)?)?;
            c.float_of_bits(&v, operators.float_sort(f))
        };
        let whole = a.round_to_integral_with_rounding_mode(self.mode(Rounding::Zero));
        let mut inside = vec![a.is_infinite().not(), a.is_nan().not()];
        if bits <= greatest_exponent {
            inside.push(whole.lt(&power(self, 0)?));
        }
        if !signed {
            inside.push(whole.ge(&c.float_zero(self.float_sort(f), false)?));
        } else if bits <= greatest_exponent {
            inside.push(whole.ge(&power(self, 1)?));
        }
        let towards_zero = self.mode(Rounding::Zero);
        let integer = match signed {
            true => a.to_sbv_with_rounding_mode(towards_zero, width),
            false => a.to_ubv_with_rounding_mode(towards_zero, width),
        };
        Ok(Bool::and(&inside).ite(&integer, &BV::from_u64(0, width)).into())
    }
}

fn bits_of(tree: &Dynamic) -> Made<BV> {
    tree.as_bv().ok_or_else(arity)
}
