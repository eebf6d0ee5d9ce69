//! Constructors of comparisons, bit-vector arithmetic and float operators, in the normal form that `build` describes.

use super::{Kind, Sort, Term, Terms};
use crate::bv::{Bv, BvCmp, BvOp};
use crate::float::{self, FloatOp, FloatResult, Format};

impl Terms {
    /// `t` as a term plus a constant, which is zero if `t` is no such sum.
    pub fn base_offset(&self, t: Term) -> (Term, Bv) {
        if self.kind(t) == Kind::Bv(BvOp::Add)
            && let Some(k) = self.as_bv(self.args(t)[1])
        {
            return (self.args(t)[0], k);
        }
        (t, Bv::new(self.width(t), 0))
    }

    /// `a cmp b`.
    pub fn cmp(&mut self, cmp: BvCmp, a: Term, b: Term) -> Term {
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.bool(Bv::compare(cmp, &x, &y));
        }
        let reflexive = matches!(cmp, BvCmp::Ule | BvCmp::Sle);
        if a == b {
            return self.bool(reflexive);
        }
        let w = self.width(a);
        let (least, greatest) = match cmp {
            BvCmp::Ult | BvCmp::Ule => (Bv::new(w, 0), Bv::ones(w)),
            BvCmp::Slt | BvCmp::Sle => {
                let min = if w == 1 { Bv::new(1, 1) } else { Bv::new(1, 1).concat(&Bv::new(w - 1, 0)) };
                (min.clone(), min.not())
            }
        };
        let (va, vb) = (self.as_bv(a), self.as_bv(b));
        if va.as_ref() == Some(&greatest) || vb.as_ref() == Some(&least) {
            // greatest < b and a < least never hold; greatest <= b and a <= least are equalities.
            return if reflexive { self.eq(a, b) } else { self.ff() };
        }
        if va.as_ref() == Some(&least) || vb.as_ref() == Some(&greatest) {
            if reflexive {
                return self.tt();
            }
            let eq = self.eq(a, b);
            return self.not(eq);
        }
        for (t, k, t_left) in [(a, &vb, true), (b, &va, false)] {
            let Some(k) = k else { continue };
            if let Some((c, x, y)) = self.const_ite(t) {
                let kt = self.constant(k);
                let (ex, ey) = if t_left {
                    (self.cmp(cmp, x, kt), self.cmp(cmp, y, kt))
                } else {
                    (self.cmp(cmp, kt, x), self.cmp(cmp, kt, y))
                };
                return self.ite(c, ex, ey);
            }
            if self.kind(t) == Kind::Zext {
                // The high bits are zero, so signed and unsigned order agree if the constant is not negative.
                let x = self.args(t)[0];
                let wx = self.width(x);
                let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
                if signed && k.sign() {
                    return self.bool(!t_left);
                }
                if k.extract(w - 1, wx).is_zero() {
                    let low = self.constant(&k.extract(wx - 1, 0));
                    let u = if reflexive { BvCmp::Ule } else { BvCmp::Ult };
                    return if t_left { self.cmp(u, x, low) } else { self.cmp(u, low, x) };
                }
                return self.bool(t_left);
            }
        }
        match self.known_order(cmp, a, b) {
            Some(holds) => self.bool(holds),
            None => self.intern(Kind::Cmp(cmp), &[a, b], Sort::Bool),
        }
    }

    /// `a op b`.
    pub fn bv_op(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.constant(&Bv::apply(op, &x, &y));
        }
        let w = self.width(a);
        let commutative = matches!(op, BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
        let (a, b) = if commutative && (self.is_const(a) || (!self.is_const(b) && b < a)) { (b, a) } else { (a, b) };
        if let Some(k) = self.as_bv(b)
            && let Some(t) = self.bv_op_const(op, a, &k)
        {
            return t;
        }
        if a == b {
            match op {
                BvOp::Sub | BvOp::Xor => return self.int(w, 0),
                BvOp::And | BvOp::Or => return a,
                _ => {}
            }
        }
        match op {
            BvOp::Add | BvOp::Sub => {
                // Constants move outwards, so that `base_offset` finds them.
                let ((xa, ka), (xb, kb)) = (self.base_offset(a), self.base_offset(b));
                if !ka.is_zero() || !kb.is_zero() {
                    let k = self.constant(&Bv::apply(op, &ka, &kb));
                    let x = self.bv_op(op, xa, xb);
                    return self.bv_op(BvOp::Add, x, k);
                }
                if op == BvOp::Add {
                    // (x - y) + y = x
                    for (s, y) in [(a, b), (b, a)] {
                        if self.kind(s) == Kind::Bv(BvOp::Sub) && self.args(s)[1] == y {
                            return self.args(s)[0];
                        }
                    }
                } else {
                    if let Some((a, b)) = self.without_common(a, b) {
                        return self.sub(a, b);
                    }
                    if self.as_bv(a).is_some_and(|k| k.is_zero()) {
                        return self.bv_neg(b);
                    }
                }
            }
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr if self.as_bv(a).is_some_and(|k| k.is_zero()) => return a,
            BvOp::Or | BvOp::Xor => {
                if let Some(joined) = self.joined(a, b) {
                    return joined;
                }
            }
            _ => {}
        }
        self.intern(Kind::Bv(op), &[a, b], Sort::Bv(w))
    }

    /// `a op k` for a constant `k`, if that can be simplified.
    fn bv_op_const(&mut self, op: BvOp, a: Term, k: &Bv) -> Option<Term> {
        let w = self.width(a);
        // An operator on a choice of two constants (a Bool as a bit, for example) folds into the choice.
        if let Some((c, x, y)) = self.const_ite(a) {
            let kt = self.constant(k);
            let (x, y) = (self.bv_op(op, x, kt), self.bv_op(op, y, kt));
            return Some(self.ite(c, x, y));
        }
        let one = k.to_u64() == Some(1);
        match op {
            BvOp::Add if k.is_zero() => Some(a),
            BvOp::Add => {
                let (x, k0) = self.base_offset(a);
                if k0.is_zero() {
                    return None;
                }
                let sum = self.constant(&Bv::apply(BvOp::Add, &k0, k));
                Some(self.bv_op(BvOp::Add, x, sum))
            }
            BvOp::Sub => {
                let neg = self.constant(&k.neg());
                Some(self.bv_op(BvOp::Add, a, neg))
            }
            BvOp::Mul if k.is_zero() => Some(self.constant(k)),
            BvOp::Mul if one => Some(a),
            BvOp::Mul if k.is_ones() => Some(self.bv_neg(a)),
            BvOp::Mul if self.kind(a) == Kind::Bv(BvOp::Add) && self.is_const(self.args(a)[1]) => {
                let [x, k0] = *self.args(a) else { unreachable!("binary") };
                let kt = self.constant(k);
                let (x, k0) = (self.bv_op(BvOp::Mul, x, kt), self.bv_op(BvOp::Mul, k0, kt));
                Some(self.bv_op(BvOp::Add, x, k0))
            }
            BvOp::Udiv | BvOp::Sdiv if one && w > 1 => Some(a),
            BvOp::Urem if one => Some(self.int(w, 0)),
            BvOp::Udiv => self.quotient(a, k.to_u64()?).map(|quotient| self.int(w, quotient)),
            BvOp::Urem => {
                let divisor = k.to_u64()?;
                let whole = self.quotient(a, divisor)?.wrapping_mul(divisor);
                Some(self.add_int(a, whole.wrapping_neg()))
            }
            BvOp::Srem if one && w > 1 => Some(self.int(w, 0)),
            BvOp::And if k.is_zero() => Some(self.constant(k)),
            BvOp::And if k.is_ones() => Some(a),
            BvOp::And if self.kind(a) == Kind::Bv(BvOp::And) && self.is_const(self.args(a)[1]) => {
                let [x, k0] = *self.args(a) else { unreachable!("binary") };
                let kt = self.constant(k);
                let both = self.bv_op(BvOp::And, k0, kt);
                Some(self.bv_op(BvOp::And, x, both))
            }
            BvOp::And => {
                // A mask of low bits is an extraction.
                let v = k.to_u64()?;
                if v & v.wrapping_add(1) != 0 {
                    return None;
                }
                let low = self.extract(v.trailing_ones() - 1, 0, a);
                Some(self.zext(w, low))
            }
            BvOp::Or if k.is_zero() => Some(a),
            BvOp::Or if k.is_ones() => Some(self.constant(k)),
            BvOp::Xor if k.is_zero() => Some(a),
            BvOp::Xor if k.is_ones() => Some(self.bv_not(a)),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => {
                let s = k.to_u64().filter(|s| *s < u64::from(w));
                match (op, s) {
                    (_, Some(0)) => Some(a),
                    (BvOp::Ashr, None) => {
                        let sign = self.extract(w - 1, w - 1, a);
                        Some(self.sext(w, sign))
                    }
                    (_, None) => Some(self.int(w, 0)),
                    (BvOp::Shl, Some(s)) => {
                        let s = s as u32;
                        let kept = self.extract(w - 1 - s, 0, a);
                        let zeros = self.int(s, 0);
                        Some(self.concat(kept, zeros))
                    }
                    (BvOp::Lshr, Some(s)) => {
                        let kept = self.extract(w - 1, s as u32, a);
                        Some(self.zext(w, kept))
                    }
                    (_, Some(s)) => {
                        let kept = self.extract(w - 1, s as u32, a);
                        Some(self.sext(w, kept))
                    }
                }
            }
            _ => None,
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Add, a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Sub, a, b)
    }

    /// `a + k`.
    pub fn add_int(&mut self, a: Term, k: u64) -> Term {
        let w = self.width(a);
        let k = if w > 64 { self.constant(&Bv::from_i64(w, k as i64)) } else { self.int(w, k) };
        self.add(a, k)
    }

    /// Bitwise complement.
    pub fn bv_not(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.not());
        }
        if self.kind(a) == Kind::BvNot {
            return self.args(a)[0];
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.bv_not(x), self.bv_not(y));
            return self.ite(c, x, y);
        }
        let sort = self.sort(a);
        self.intern(Kind::BvNot, &[a], sort)
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, a: Term) -> Term {
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.neg());
        }
        match self.kind(a) {
            Kind::BvNeg => return self.args(a)[0],
            Kind::Bv(BvOp::Sub) => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                return self.sub(y, x);
            }
            _ => {}
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.bv_neg(x), self.bv_neg(y));
            return self.ite(c, x, y);
        }
        let sort = self.sort(a);
        self.intern(Kind::BvNeg, &[a], sort)
    }

    /// A float operator on bit patterns of `format`; `sort` is that of the result.
    ///
    /// In an arena without a base, which holds the terms of a program, a result that is a NaN is not folded to a constant but stays an
    /// operation ([`nan`](Self::nan)): which NaN it is, is left open, and proofs that depend on it can be recognised.
    pub fn float(&mut self, op: FloatOp, format: Format, args: &[Term], sort: Sort) -> Term {
        let values: Option<Vec<Bv>> = args.iter().map(|&a| self.as_bv(a).or_else(|| self.as_nan(a))).collect();
        if let Some(values) = values {
            let refs: Vec<&Bv> = values.iter().collect();
            let width = if let Sort::Bv(w) = sort { w } else { 1 };
            return match float::apply(op, format, &refs, width) {
                FloatResult::Bits(v) => {
                    let nan_of = op.result_format(format).filter(|result| v == result.nan());
                    match nan_of {
                        Some(result) => self.nan(result),
                        None => self.constant(&v),
                    }
                }
                FloatResult::Bool(b) => self.bool(b),
            };
        }
        self.intern(Kind::Float(op, format), args, sort)
    }

    /// A NaN of `format` as the result of an operation: the sum of two NaNs. In an overlay, it is the canonical NaN as a constant.
    pub fn nan(&mut self, format: Format) -> Term {
        let nan = self.constant(&format.nan());
        match self.base {
            None => self.intern(Kind::Float(FloatOp::Add, format), &[nan, nan], Sort::Bv(format.width_bits())),
            Some(_) => nan,
        }
    }

    /// The bits of the canonical NaN, if `t` is a term that [`nan`](Self::nan) makes.
    fn as_nan(&self, t: Term) -> Option<Bv> {
        let Kind::Float(FloatOp::Add, format) = self.kind(t) else { return None };
        self.args(t).iter().all(|a| self.as_bv(*a) == Some(format.nan())).then(|| format.nan())
    }

    /// Whether the bit pattern is a NaN of `format` (without a separate float operator).
    pub fn is_nan(&mut self, format: Format, a: Term) -> Term {
        let eq = self.float(FloatOp::Eq, format, &[a, a], Sort::Bool);
        self.not(eq)
    }
}
