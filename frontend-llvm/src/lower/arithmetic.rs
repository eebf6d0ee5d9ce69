//! Integer arithmetic.

use super::body::Body;
use super::{Lowered, Vals};
use crate::ir::{Opcode, Value};
use cfa::bv::{Bv, BvCmp, BvOp};

use cfa::{AssumeKind, SignedOperation, Term};

impl<'m> Body<'_, '_, 'm> {
    /// Lowers a binary instruction on integers.
    pub(super) fn binary(&mut self, inst: Value<'m>) -> Lowered<()> {
        let op = operator(inst.opcode());
        let (a, b) = (self.value(inst.operand(0))?, self.value(inst.operand(1))?);
        if op == BvOp::Sub && a.len() == 1 && self.pointer_difference(inst, a[0], b[0]) {
            return Ok(());
        }
        let mut guarded = false;
        let mut vals = Vals::new();
        for (a, b) in a.into_iter().zip(b) {
            let val = match op {
                BvOp::Udiv | BvOp::Sdiv | BvOp::Urem | BvOp::Srem => {
                    guarded |= self.guard_division(op, a, b);
                    if self.dead {
                        return Ok(());
                    }
                    self.division(op, a, b)
                }
                BvOp::Shl | BvOp::Lshr | BvOp::Ashr => self.shift(op, a, b),
                _ => self.terms().bv_op(op, a, b),
            };
            if inst.is_signed_only() {
                self.note_signed(op, a, b, val);
            }
            vals.push(val);
        }
        if guarded {
            // The guard must come immediately before the edge that divides.
            self.define_held(inst, vals);
        } else {
            self.define(inst, vals);
        }
        Ok(())
    }

    /// Records for the next edge that `a op b`, which wraps around to `result`, may overflow as a signed operation; C leaves that
    /// undefined.
    fn note_signed(&mut self, op: BvOp, left: Term, right: Term, result: Term) {
        if self.terms().as_bv(result).is_none() {
            self.signed.push(SignedOperation { op, left, right, result, span: self.span });
        }
    }

    /// Whether compilers divide numbers of `width` bits by code of their own. Up to twice the size of an address, they leave that to the
    /// processor or to a function of their library, both of which trap if the divisor is 0.
    fn divides_in_line(&self, width: u32) -> bool {
        width > 2 * self.cx.pointer_bits()
    }

    /// A quotient or remainder. Where nothing traps, compilers' code gives 0 or the dividend for a division by 0; the latter is also what
    /// [`BvOp::Urem`] and [`BvOp::Srem`] give.
    fn division(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let w = self.terms().width(b);
        let in_line = self.divides_in_line(w);
        let terms = self.terms();
        let result = terms.bv_op(op, a, b);
        if !in_line || matches!(op, BvOp::Urem | BvOp::Srem) {
            return result;
        }
        let (divides, zero) = (terms.nonzero(b), terms.constant(&Bv::new(w, 0)));
        terms.ite(divides, result, zero)
    }

    /// Ends executions in which a division traps, and returns whether there may be any.
    fn guard_division(&mut self, op: BvOp, a: Term, b: Term) -> bool {
        let (w, word) = (self.terms().width(b), self.cx.pointer_bits());
        let in_line = self.divides_in_line(w);
        let divisor = self.terms().as_bv(b);
        let mut guarded = false;
        if !in_line && divisor.as_ref().is_none_or(Bv::is_zero) {
            let cond = self.terms().nonzero(b);
            self.assume(cond, AssumeKind::Guard);
            guarded = true;
        }
        // The quotient of the least number and -1 traps only if the processor divides numbers of just that width. Others are divided as
        // wider ones, into which the quotient fits, or by a library, and wrap around.
        let overflow_traps = matches!(op, BvOp::Sdiv | BvOp::Srem) && matches!(w, 8 | 16 | 32 | 64) && w <= word;
        if overflow_traps && divisor.as_ref().is_none_or(Bv::is_ones) {
            let terms = self.terms();
            let least = least(w);
            let (minus_one, least) = (terms.constant(&Bv::ones(w)), terms.constant(&least));
            let (by, overflows) = (terms.eq(b, minus_one), terms.eq(a, least));
            let bad = terms.and(by, overflows);
            let cond = terms.not(bad);
            if terms.as_bool(cond) != Some(true) {
                self.assume(cond, AssumeKind::Guard);
                guarded = true;
            }
        }
        guarded
    }

    /// A shift; its result is undefined if the amount is at least the width.
    pub(super) fn shift(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let w = terms.width(a);
        let result = terms.bv_op(op, a, b);
        if terms.upper_bound(b) < u128::from(w) {
            return result;
        }
        let limit = terms.constant(&Bv::new(w, u64::from(w)));
        let fits = terms.cmp(BvCmp::Ult, b, limit);
        if terms.as_bool(fits) == Some(true) {
            return result;
        }
        let open = self.undefined(w);
        self.terms().ite(fits, result, open)
    }
}

fn operator(opcode: Opcode) -> BvOp {
    match opcode {
        Opcode::Add => BvOp::Add,
        Opcode::Sub => BvOp::Sub,
        Opcode::Mul => BvOp::Mul,
        Opcode::And => BvOp::And,
        Opcode::Or => BvOp::Or,
        Opcode::Xor => BvOp::Xor,
        Opcode::Shl => BvOp::Shl,
        Opcode::LShr => BvOp::Lshr,
        Opcode::AShr => BvOp::Ashr,
        Opcode::UDiv => BvOp::Udiv,
        Opcode::SDiv => BvOp::Sdiv,
        Opcode::URem => BvOp::Urem,
        Opcode::SRem => BvOp::Srem,
        other => unreachable!("{other:?} is not a binary integer instruction"),
    }
}

/// The least signed value.
pub(crate) fn least(width: u32) -> Bv {
    if width == 1 { Bv::new(1, 1) } else { Bv::new(1, 1).concat(&Bv::new(width - 1, 0)) }
}
