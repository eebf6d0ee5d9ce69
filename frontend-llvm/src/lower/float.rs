//! Floating-point arithmetic, comparisons and conversions.

use super::body::Body;
use super::{Lowered, NoModel, Vals};
use crate::builtin::Math;
use crate::ir::{FloatPredicate, Opcode, Type, Value};
use crate::layout::float_format;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{FloatOp, Format, Rounding};
use cfa::{InputKind, Sort, Term};

/// The format of a float or a vector of floats.
pub(super) fn format_of(ty: Type) -> Lowered<Format> {
    float_format(ty.scalar()).ok_or_else(|| NoModel(format!("arithmetic on {}", ty.print())))
}

impl<'m> Body<'_, '_, 'm> {
    /// An operator whose result has the operands' format.
    pub(super) fn float_op(&mut self, op: FloatOp, format: Format, args: &[Term]) -> Term {
        self.terms().float(op, format, args, Sort::Bv(format.width_bits()))
    }

    fn float_test(&mut self, op: FloatOp, format: Format, a: Term, b: Term) -> Term {
        self.terms().float(op, format, &[a, b], Sort::Bool)
    }

    /// A mask of the sign bit alone, or of everything but the sign bit.
    fn sign_mask(&mut self, format: Format, sign: bool) -> Term {
        let w = format.width_bits();
        let mask = super::arithmetic::least(w);
        let mask = if sign { mask } else { mask.not() };
        self.terms().constant(&mask)
    }

    pub(super) fn float_arithmetic(&mut self, inst: Value<'m>) -> Lowered<()> {
        let format = format_of(inst.ty())?;
        let a = self.value(inst.operand(0))?;
        if inst.opcode() == Opcode::FNeg {
            let mask = self.sign_mask(format, true);
            let vals = a.into_iter().map(|a| self.terms().bv_op(BvOp::Xor, a, mask)).collect();
            self.define(inst, vals);
            return Ok(());
        }
        let b = self.value(inst.operand(1))?;
        let op = match inst.opcode() {
            Opcode::FAdd => FloatOp::Add,
            Opcode::FSub => FloatOp::Sub,
            Opcode::FMul => FloatOp::Mul,
            Opcode::FDiv => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        let first = self.cx.next_edge();
        let vals = a.into_iter().zip(b).map(|(a, b)| self.arithmetic(op, format, &[a, b])).collect();
        self.define(inst, vals);
        self.assume_it_follows_the_mode(first);
        Ok(())
    }

    pub(super) fn float_compare(&mut self, inst: Value<'m>) -> Lowered<()> {
        let format = format_of(inst.operand(0).ty())?;
        let (a, b) = (self.value(inst.operand(0))?, self.value(inst.operand(1))?);
        let mut vals = Vals::new();
        for (a, b) in a.into_iter().zip(b) {
            let cond = self.compare_floats(inst.fcmp_predicate(), format, a, b);
            vals.push(self.truth(cond));
        }
        self.define(inst, vals);
        Ok(())
    }

    /// A comparison of floats, as a Bool.
    pub(super) fn compare_floats(&mut self, predicate: FloatPredicate, format: Format, a: Term, b: Term) -> Term {
        use FloatPredicate::*;
        // An unordered predicate is the negation of the opposite ordered one.
        let (op, x, y, negated) = match predicate {
            PredicateFalse => return self.terms().ff(),
            PredicateTrue => return self.terms().tt(),
            OEQ => (FloatOp::Eq, a, b, false),
            UNE => (FloatOp::Eq, a, b, true),
            OLT => (FloatOp::Lt, a, b, false),
            UGE => (FloatOp::Lt, a, b, true),
            OLE => (FloatOp::Le, a, b, false),
            UGT => (FloatOp::Le, a, b, true),
            OGT => (FloatOp::Lt, b, a, false),
            ULE => (FloatOp::Lt, b, a, true),
            OGE => (FloatOp::Le, b, a, false),
            ULT => (FloatOp::Le, b, a, true),
            ONE | UEQ => {
                let (lt, gt) = (self.float_test(FloatOp::Lt, format, a, b), self.float_test(FloatOp::Lt, format, b, a));
                let ne = self.terms().or(lt, gt);
                return if predicate == ONE { ne } else { self.terms().not(ne) };
            }
            ORD | UNO => {
                let (x, y) = (self.terms().is_nan(format, a), self.terms().is_nan(format, b));
                let nan = self.terms().or(x, y);
                return if predicate == UNO { nan } else { self.terms().not(nan) };
            }
        };
        let test = self.float_test(op, format, x, y);
        if negated { self.terms().not(test) } else { test }
    }

    pub(super) fn float_cast(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = self.value(inst.operand(0))?;
        let (source, target) = (inst.operand(0).ty(), inst.ty());
        let first = self.cx.next_edge();
        let mut vals = Vals::new();
        for a in from {
            let val = match inst.opcode() {
                Opcode::UIToFP | Opcode::SIToFP => {
                    let format = format_of(target)?;
                    let signed = inst.opcode() == Opcode::SIToFP;
                    self.arithmetic(if signed { FloatOp::FromSigned } else { FloatOp::FromUnsigned }, format, &[a])
                }
                Opcode::FPToUI | Opcode::FPToSI => {
                    let format = format_of(source)?;
                    let width = target.scalar().int_width();
                    let signed = inst.opcode() == Opcode::FPToSI;
                    self.float_to_integer_in_range(a, format, width, signed)
                }
                _ => {
                    let (from, to) = (format_of(source)?, format_of(target)?);
                    self.arithmetic(FloatOp::Convert(to), from, &[a])
                }
            };
            vals.push(val);
        }
        self.define(inst, vals);
        if matches!(inst.opcode(), Opcode::UIToFP | Opcode::SIToFP | Opcode::FPTrunc) {
            self.assume_it_follows_the_mode(first);
        }
        Ok(())
    }

    fn integer_to_float(&mut self, a: Term, format: Format, signed: bool) -> Term {
        let op = if signed { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
        self.terms().float(op, format, &[a], Sort::Bv(format.width_bits()))
    }

    fn float_to_integer(&mut self, a: Term, format: Format, width: u32, signed: bool) -> Term {
        let op = if signed { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
        self.terms().float(op, format, &[a], Sort::Bv(width))
    }

    /// The conversion to a signed integer; the result is undefined if it does not fit.
    pub(super) fn float_to_integer_or_open(&mut self, a: Term, format: Format, width: u32) -> Term {
        self.float_to_integer_in_range(a, format, width, true)
    }

    /// The conversion to an integer; the result is undefined if it does not fit.
    pub(super) fn float_to_integer_in_range(&mut self, a: Term, format: Format, width: u32, signed: bool) -> Term {
        let converted = self.float_to_integer(a, format, width, signed);
        let fits = self.fits(a, format, width, signed);
        if self.terms().as_bool(fits) == Some(true) {
            return converted;
        }
        let open = self.undefined(width);
        self.terms().ite(fits, converted, open)
    }

    /// Whether the float, truncated to an integer, is in the range of `width` bits.
    fn fits(&mut self, a: Term, format: Format, width: u32, signed: bool) -> Term {
        let wide = width + 2;
        let value_bits = if signed { width - 1 } else { width };
        let one = Bv::new(wide, 1);
        let bound = Bv::apply(BvOp::Shl, &one, &Bv::new(wide, u64::from(value_bits)));
        // The greatest number that fits is below this power of two, which is infinity if it exceeds the format's range.
        let bound = self.terms().constant(&bound);
        let above = self.integer_to_float(bound, format, true);
        let below_top = self.float_test(FloatOp::Lt, format, a, above);
        let above_bottom = if signed {
            // The integer just below the least one, if the format can represent it; otherwise the format has nothing in between.
            let least = self.terms().bv_neg(bound);
            let before = self.terms().add_int(least, u64::MAX);
            let bottom = self.integer_to_float(before, format, true);
            let exact = self.float_to_integer(bottom, format, wide, true) == before;
            let infinite = self.is_infinite(format, bottom);
            if exact || infinite {
                self.float_test(FloatOp::Lt, format, bottom, a)
            } else {
                let bottom = self.integer_to_float(least, format, true);
                self.float_test(FloatOp::Le, format, bottom, a)
            }
        } else {
            let minus_one = self.terms().constant(&Bv::ones(wide));
            let bottom = self.integer_to_float(minus_one, format, true);
            self.float_test(FloatOp::Lt, format, bottom, a)
        };
        self.terms().and(below_top, above_bottom)
    }

    /// Whether a constant is an infinity.
    fn is_infinite(&mut self, format: Format, t: Term) -> bool {
        let difference = self.float_op(FloatOp::Sub, format, &[t, t]);
        let nan = self.terms().is_nan(format, difference);
        let self_nan = self.terms().is_nan(format, t);
        self.terms().as_bool(nan) == Some(true) && self.terms().as_bool(self_nan) == Some(false)
    }

    /// The saturating conversions to integers (`llvm.fptosi.sat`); NaN gives 0.
    pub(super) fn float_to_integer_saturated(&mut self, a: Term, format: Format, width: u32, signed: bool) -> Term {
        let fits = self.fits(a, format, width, signed);
        let converted = self.float_to_integer(a, format, width, signed);
        let zero_float = self.terms().int(format.width_bits(), 0);
        let negative = self.float_test(FloatOp::Lt, format, a, zero_float);
        let nan = self.terms().is_nan(format, a);
        let (low, high) = if signed {
            let least = super::arithmetic::least(width);
            (least.clone(), least.not())
        } else {
            (Bv::new(width, 0), Bv::ones(width))
        };
        let terms = self.terms();
        let (low, high, zero) = (terms.constant(&low), terms.constant(&high), terms.constant(&Bv::new(width, 0)));
        let outside = terms.ite(negative, low, high);
        let not_nan = terms.ite(fits, converted, outside);
        terms.ite(nan, zero, not_nan)
    }

    /// A function of `<math.h>` that is an operator.
    pub(super) fn math(&mut self, function: Math, format: Format, args: &[Term]) -> Lowered<Term> {
        let needed = match function {
            Math::Fma => 3,
            Math::CopySign | Math::Min | Math::Max | Math::Minimum | Math::Maximum | Math::Mod => 2,
            _ => 1,
        };
        if args.len() < needed || args.iter().any(|a| self.cx.cfa.terms.width(*a) != format.width_bits()) {
            return Err("a mathematical function called with arguments that do not match its parameters".into());
        }
        let round = |r| FloatOp::Round(r);
        let op = match function {
            Math::Sqrt => FloatOp::Sqrt,
            Math::Floor => round(Rounding::Down),
            Math::Ceil => round(Rounding::Up),
            Math::Trunc => round(Rounding::Zero),
            Math::RoundEven => round(Rounding::NearestEven),
            Math::Rint => return Ok(self.arithmetic(round(Rounding::NearestEven), format, &args[..needed])),
            Math::Round => round(Rounding::NearestAway),
            Math::Mod => FloatOp::Rem,
            Math::Fma => FloatOp::Fma,
            Math::Abs => {
                let mask = self.sign_mask(format, false);
                return Ok(self.terms().bv_op(BvOp::And, args[0], mask));
            }
            Math::CopySign => {
                let (magnitude, sign) = (self.sign_mask(format, false), self.sign_mask(format, true));
                let terms = self.terms();
                let (m, s) = (terms.bv_op(BvOp::And, args[0], magnitude), terms.bv_op(BvOp::And, args[1], sign));
                return Ok(terms.bv_op(BvOp::Or, m, s));
            }
            Math::Min | Math::Max | Math::Minimum | Math::Maximum => {
                return self.float_extreme(function, format, args[0], args[1]);
            }
        };
        Ok(match op {
            FloatOp::Round(_) => self.float_op(op, format, &args[..needed]),
            _ => self.arithmetic(op, format, &args[..needed]),
        })
    }

    fn float_extreme(&mut self, function: Math, format: Format, a: Term, b: Term) -> Lowered<Term> {
        let (nan_a, nan_b) = (self.terms().is_nan(format, a), self.terms().is_nan(format, b));
        let min = matches!(function, Math::Min | Math::Minimum);
        let less =
            if min { self.float_test(FloatOp::Lt, format, a, b) } else { self.float_test(FloatOp::Lt, format, b, a) };
        // Zeros of both signs compare equal; the negative zero counts as the lesser.
        let w = format.width_bits();
        let equal = self.float_test(FloatOp::Eq, format, a, b);
        let terms = self.terms();
        let zeros = if min { terms.bv_op(BvOp::Or, a, b) } else { terms.bv_op(BvOp::And, a, b) };
        let zeros =
            if matches!(function, Math::Minimum | Math::Maximum) { zeros } else { self.either(min, equal, a, b)? };
        let terms = self.terms();
        let rest = terms.ite(less, a, b);
        let picked = terms.ite(equal, zeros, rest);
        debug_assert_eq!(terms.width(picked), w);
        if matches!(function, Math::Minimum | Math::Maximum) {
            let nan = terms.nan(format);
            let any = terms.or(nan_a, nan_b);
            Ok(terms.ite(any, nan, picked))
        } else {
            let nan = terms.nan(format);
            let without_a = terms.ite(nan_b, nan, b);
            let without_b = terms.ite(nan_b, a, picked);
            let picked = terms.ite(nan_a, without_a, without_b);
            // C leaves open what becomes of a signalling NaN.
            let (signals_a, signals_b) = (self.signals(format, a), self.signals(format, b));
            let signals = self.terms().or(signals_a, signals_b);
            let quiet = self.open_choice("quiet", signals, "a signalling NaN")?;
            Ok(self.terms().ite(quiet, nan, picked))
        }
    }

    /// What C leaves open where `open` holds, as a Bool: any answer, on which no alarm may rest. Otherwise it is false.
    fn open_choice(&mut self, name: &str, open: Term, about: &str) -> Lowered<Term> {
        let no = self.terms().int(1, 0);
        if self.terms().as_bool(open) == Some(false) {
            return Ok(self.terms().ff());
        }
        let var = self.local(name, Sort::Bv(1));
        self.emit(cfa::Op::assign(var, no));
        self.when(open, |body| {
            body.emit(cfa::Op::Input { var, kind: InputKind::Approximate(about.into()) });
            Ok(())
        })?;
        let chosen = self.cx.cfa.var_term(var);
        Ok(self.terms().nonzero(chosen))
    }

    /// Whether a float is a signalling NaN.
    fn signals(&mut self, format: Format, a: Term) -> Term {
        let stored = format.width_bits() - 1 - format.exponent_bits();
        // The quiet bit: below x87's explicit leading bit, otherwise the highest bit of the fraction.
        let quiet_at = if format == Format::X87 { stored - 2 } else { stored - 1 };
        let terms = self.terms();
        let nan = terms.is_nan(format, a);
        let quiet_bit = terms.extract(quiet_at, quiet_at, a);
        let is_quiet = terms.nonzero(quiet_bit);
        let not_quiet = terms.not(is_quiet);
        terms.and(nan, not_quiet)
    }

    /// One of two numbers that are equal except for the sign of a zero. C and LLVM do not specify which one `fmin` and `fmax`
    /// return, and glibc's functions for different widths and processors disagree.
    fn either(&mut self, min: bool, equal: Term, a: Term, b: Term) -> Lowered<Term> {
        let terms = self.terms();
        let same = terms.eq(a, b);
        let differ = terms.not(same);
        let open = terms.and(equal, differ);
        let about = if min { "the sign of a zero that fmin returns" } else { "the sign of a zero that fmax returns" };
        let first = self.open_choice("first", open, about)?;
        Ok(self.terms().ite(first, a, b))
    }

    /// `llvm.is.fpclass`: whether the class of `a` is one of those in `mask`.
    pub(super) fn float_class(&mut self, format: Format, a: Term, mask: u64) -> Term {
        let w = format.width_bits();
        let (e, stored) = (format.exponent_bits(), format.width_bits() - 1 - format.exponent_bits());
        let terms = self.terms();
        let sign = terms.extract(w - 1, w - 1, a);
        let negative = terms.nonzero(sign);
        let exponent = terms.extract(w - 2, stored, a);
        let fraction = terms.extract(stored - 1, 0, a);
        let nan = terms.is_nan(format, a);
        let (ones, zeros) = (terms.constant(&Bv::ones(e)), terms.int(e, 0));
        let full = terms.eq(exponent, ones);
        let empty = terms.eq(exponent, zeros);
        let some = terms.nonzero(fraction);
        let none = terms.not(some);
        let not_nan = terms.not(nan);
        let infinite = terms.and(full, not_nan);
        let zero = terms.and(empty, none);
        let subnormal = terms.and(empty, some);
        let middle = terms.or(full, empty);
        let mut normal = terms.not(middle);
        if format == Format::X87 {
            // Without the integer bit it is unnormal, which is none of the classes.
            let integer = terms.extract(stored - 1, stored - 1, a);
            let explicit = terms.nonzero(integer);
            normal = terms.and(normal, explicit);
        }
        let signalling = self.signals(format, a);
        let terms = self.terms();
        let silent = terms.not(signalling);
        let quiet = terms.and(nan, silent);
        let positive = terms.not(negative);
        let mut any = terms.ff();
        let both = [signalling, quiet];
        for (i, class) in both.into_iter().enumerate() {
            if mask >> i & 1 == 1 {
                any = terms.or(any, class);
            }
        }
        let signed = [
            (negative, infinite),
            (negative, normal),
            (negative, subnormal),
            (negative, zero),
            (positive, zero),
            (positive, subnormal),
            (positive, normal),
            (positive, infinite),
        ];
        for (i, (sign, class)) in signed.into_iter().enumerate() {
            if mask >> (i + 2) & 1 == 1 {
                let class = terms.and(sign, class);
                any = terms.or(any, class);
            }
        }
        any
    }

    /// The lesser or greater of two integers.
    pub(super) fn integer_extreme(&mut self, cmp: BvCmp, min: bool, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let less = terms.cmp(cmp, a, b);
        if min { terms.ite(less, a, b) } else { terms.ite(less, b, a) }
    }
}
