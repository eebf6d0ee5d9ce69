//! Constructors that extract, concatenate and extend bit-vectors, in the normal form that `build` describes.

use super::{Kind, Sort, Term, Terms};
use crate::bv::BvOp;

impl Terms {
    /// The bits of `a` from `hi` down to `lo`, both included.
    pub fn extract(&mut self, hi: u32, lo: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(lo <= hi && hi < w, "bits {hi}..={lo} of {w}");
        if lo == 0 && hi == w - 1 {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.extract(hi, lo));
        }
        let is_pushed = matches!(self.kind(a), Kind::Concat | Kind::Ite | Kind::Bv(_));
        if let Some(&t) = self.extracts.get(&(a, hi, lo)).filter(|_| is_pushed) {
            return t;
        }
        let t = self.extract_through(hi, lo, a);
        if is_pushed {
            self.extracts.insert((a, hi, lo), t);
        }
        t
    }

    fn extract_through(&mut self, hi: u32, lo: u32, a: Term) -> Term {
        if let Kind::Bv(op) = self.kind(a)
            && (lo > 0 || !matches!(op, BvOp::Add | BvOp::Sub | BvOp::Mul))
        {
            let width = hi - lo + 1;
            match self.highest_set(hi, lo, a) {
                None => return self.int(width, 0),
                Some(highest) if highest < hi => {
                    let set = self.extract(highest, lo, a);
                    return self.zext(width, set);
                }
                Some(_) => {}
            }
        }
        match self.kind(a) {
            Kind::Extract { lo: inner, .. } => {
                let x = self.args(a)[0];
                return self.extract(hi + inner, lo + inner, x);
            }
            Kind::Concat => {
                let [h, l] = *self.args(a) else { unreachable!("binary") };
                let wl = self.width(l);
                if hi < wl {
                    return self.extract(hi, lo, l);
                }
                if lo >= wl {
                    return self.extract(hi - wl, lo - wl, h);
                }
                let (h, l) = (self.extract(hi - wl, 0, h), self.extract(wl - 1, lo, l));
                return self.concat(h, l);
            }
            Kind::Zext | Kind::Sext => {
                let (x, width) = (self.args(a)[0], hi - lo + 1);
                let wx = self.width(x);
                if hi < wx {
                    return self.extract(hi, lo, x);
                }
                let sext = self.kind(a) == Kind::Sext;
                if !sext && lo >= wx {
                    return self.int(width, 0);
                }
                // Keep at least one bit of `x`: for a sign extension its sign bit, which all higher bits
                // repeat.
                let low = self.extract(wx - 1, lo.min(wx - 1), x);
                return if sext { self.sext(width, low) } else { self.zext(width, low) };
            }
            Kind::Ite => {
                let [c, x, y] = *self.args(a) else { unreachable!("ite has three arguments") };
                if self.is_const(x) || self.is_const(y) {
                    let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                    return self.ite(c, x, y);
                }
            }
            Kind::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor)) => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                return self.bv_op(op, x, y);
            }
            // The low bits of a sum, difference or product depend on the low bits of the operands only.
            Kind::Bv(op @ (BvOp::Add | BvOp::Sub | BvOp::Mul)) if lo == 0 => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                let (x, y) = (self.extract(hi, 0, x), self.extract(hi, 0, y));
                return self.bv_op(op, x, y);
            }
            // So do the high bits of a sum or difference of which one part has no low bits. A constant stays where `base_offset` finds it.
            Kind::Bv(op @ (BvOp::Add | BvOp::Sub)) => {
                let [x, y] = *self.args(a) else { unreachable!("binary") };
                let is_multiple = |t| self.trailing_zeros(t) >= lo;
                if !self.is_const(y) && (is_multiple(y) || (op == BvOp::Add && is_multiple(x))) {
                    let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                    return self.bv_op(op, x, y);
                }
            }
            // A multiple of a power of two is a shifted factor.
            Kind::Bv(BvOp::Mul) => {
                let [x, k] = *self.args(a) else { unreachable!("binary") };
                if let Some(k) = self.as_u64(k).filter(|k| k.is_power_of_two())
                    && let Some(first) = lo.checked_sub(k.trailing_zeros())
                {
                    return self.extract(hi - k.trailing_zeros(), first, x);
                }
            }
            _ => {}
        }
        self.intern(Kind::Extract { hi, lo }, &[a], Sort::Bv(hi - lo + 1))
    }

    /// The concatenation of `high` and `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        if let (Some(h), Some(l)) = (self.as_bv(high), self.as_bv(low)) {
            return self.constant(&h.concat(&l));
        }
        let w = self.width(high) + self.width(low);
        if self.as_bv(high).is_some_and(|h| h.is_zero()) {
            return self.zext(w, low);
        }
        // Normal form: zeros are at the front of the whole.
        if self.kind(high) == Kind::Zext {
            let h = self.args(high)[0];
            let joined = self.concat(h, low);
            return self.zext(w, joined);
        }
        if let Some(whole) = self.rejoined(high, low) {
            return whole;
        }
        if self.kind(low) == Kind::Concat {
            let [h2, rest] = *self.args(low) else { unreachable!("binary") };
            if let Some(joined) = self.rejoined(high, h2) {
                return self.concat(joined, rest);
            }
        }
        if self.kind(high) == Kind::Concat {
            // Normal form: chains nest to the right.
            let [h1, h2] = *self.args(high) else { unreachable!("binary") };
            let rest = self.concat(h2, low);
            return self.concat(h1, rest);
        }
        self.intern(Kind::Concat, &[high, low], Sort::Bv(w))
    }

    /// Adjacent parts of one term, as one part of it.
    fn rejoined(&mut self, high: Term, low: Term) -> Option<Term> {
        let Kind::Extract { hi, lo } = self.kind(high) else { return None };
        let x = self.args(high)[0];
        if let Kind::Extract { hi: hi2, lo: lo2 } = self.kind(low) {
            return (lo == hi2 + 1 && self.args(low)[0] == x).then(|| self.extract(hi, lo2, x));
        }
        // The low part may have been simplified: the low bits of a sum do not depend on the high ones.
        let first = lo.checked_sub(self.width(low))?;
        (self.extract(lo - 1, first, x) == low).then(|| self.extract(hi, first, x))
    }

    /// Zero-extension to `width`, which must not be less than the term's own.
    pub fn zext(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(width >= w);
        if width == w {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.zext(width));
        }
        if self.kind(a) == Kind::Zext {
            let x = self.args(a)[0];
            return self.zext(width, x);
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.zext(width, x), self.zext(width, y));
            return self.ite(c, x, y);
        }
        if let Some(sum) = self.extended_sum(width, a) {
            return sum;
        }
        self.intern(Kind::Zext, &[a], Sort::Bv(width))
    }

    /// Sign-extension to `width`, which must not be less than the term's own.
    pub fn sext(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        debug_assert!(width >= w);
        if width == w {
            return a;
        }
        if let Some(v) = self.as_bv(a) {
            return self.constant(&v.sext(width));
        }
        match self.kind(a) {
            Kind::Sext => {
                let x = self.args(a)[0];
                return self.sext(width, x);
            }
            Kind::Zext => {
                let x = self.args(a)[0];
                return self.zext(width, x);
            }
            _ => {}
        }
        if let Some((c, x, y)) = self.const_ite(a) {
            let (x, y) = (self.sext(width, x), self.sext(width, y));
            return self.ite(c, x, y);
        }
        self.intern(Kind::Sext, &[a], Sort::Bv(width))
    }

    /// `a` truncated or zero-extended to `width`.
    pub fn resize(&mut self, width: u32, a: Term) -> Term {
        let w = self.width(a);
        if width < w { self.extract(width - 1, 0, a) } else { self.zext(width, a) }
    }
}
