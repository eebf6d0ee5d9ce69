//! Lowers single instructions: dispatch by opcode, and comparisons, casts, selections and aggregates.

use super::body::Body;
use super::{Lowered, Vals};
use crate::ir::{IntPredicate, Opcode, Value, ValueKind, casts_bits, makes_integer_of_address};
use crate::provenance::Construct;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Assumed, EdgeId, PointerComparison, Sort, Term};
use smallvec::smallvec;

impl<'m> Body<'_, '_, 'm> {
    /// Lowers an instruction that is not a phi.
    pub(super) fn instruction(&mut self, inst: Value<'m>) -> Lowered<()> {
        use Opcode::*;
        if inst.has_loose_floats() {
            // An edge of its own, so that the assumption has a place.
            let here = self.skip();
            self.cx.assume_where(here, Assumed::StrictFloats);
        }
        match inst.opcode() {
            Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | UDiv | SDiv | URem | SRem => self.binary(inst),
            FAdd | FSub | FMul | FDiv | FRem | FNeg => self.float_arithmetic(inst),
            FCmp => self.float_compare(inst),
            ICmp => self.compare(inst),
            opcode if casts_bits(opcode) => self.cast(inst),
            FPToUI | FPToSI | UIToFP | SIToFP | FPTrunc | FPExt => self.float_cast(inst),
            Select => self.select(inst),
            Freeze => {
                let vals = self.value(inst.operand(0))?;
                self.define(inst, vals);
                Ok(())
            }
            ExtractValue => {
                let (first, n) = self.part(inst.operand(0), &inst.indices())?;
                let vals = self.value_or_undef(inst.operand(0))?;
                self.values.insert(inst, vals[first..first + n].into());
                Ok(())
            }
            InsertValue => {
                let (first, n) = self.part(inst.operand(0), &inst.indices())?;
                let mut vals = self.value_or_undef(inst.operand(0))?;
                let part = self.value_or_undef(inst.operand(1))?;
                vals[first..first + n].copy_from_slice(&part);
                self.define(inst, vals);
                Ok(())
            }
            ExtractElement => self.extract_element(inst),
            InsertElement => self.insert_element(inst),
            ShuffleVector => self.shuffle(inst),
            Alloca => self.alloca(inst),
            Load => self.load(inst),
            Store => self.store(inst),
            GetElementPtr => {
                let mut operands = Vec::new();
                for i in 0..inst.n_operands() {
                    operands.push(self.value(inst.operand(i))?);
                }
                let vals = self.cx.element_address(inst, &operands)?;
                self.define(inst, vals);
                Ok(())
            }
            Fence => Ok(()),
            AtomicCmpXchg => self.compare_exchange(inst),
            AtomicRMW => self.read_modify_write(inst),
            VAArg => self.va_arg(inst),
            Call => self.call(inst),
            Invoke => {
                // Everything that raises an exception is itself unsupported, so no call unwinds.
                self.call(inst)?;
                if !self.dead {
                    let to = inst.normal_destination();
                    self.trace(Construct::Way { terminator: inst, to });
                    self.go(inst.parent(), to);
                }
                Ok(())
            }
            Return | Br | Switch | IndirectBr | Unreachable => self.terminator(inst),
            _ => Err("this instruction is not supported".into()),
        }
    }

    /// The position of a part of an aggregate among its scalars, and its number of scalars.
    fn part(&mut self, aggregate: Value<'m>, indices: &[u32]) -> Lowered<(usize, usize)> {
        use crate::ir::TypeKind;
        let mut ty = aggregate.ty();
        let mut first = 0;
        for &i in indices {
            if ty.kind() == TypeKind::LLVMStructTypeKind {
                let fields = ty.fields();
                for field in &fields[..i as usize] {
                    first += self.cx.flat(*field)?.leaves.len();
                }
                ty = fields[i as usize];
            } else {
                ty = ty.element();
                first += i as usize * self.cx.flat(ty)?.leaves.len();
            }
        }
        Ok((first, self.cx.flat(ty)?.leaves.len()))
    }

    fn select(&mut self, inst: Value<'m>) -> Lowered<()> {
        let conds = self.value(inst.operand(0))?;
        let (yes, no) = (self.value(inst.operand(1))?, self.value(inst.operand(2))?);
        let mut vals = Vals::new();
        for (i, (y, n)) in yes.into_iter().zip(no).enumerate() {
            let cond = conds[if conds.len() > 1 { i } else { 0 }];
            let terms = self.terms();
            let cond = terms.nonzero(cond);
            vals.push(terms.ite(cond, y, n));
        }
        self.define(inst, vals);
        Ok(())
    }

    fn cast(&mut self, inst: Value<'m>) -> Lowered<()> {
        let from = self.value(inst.operand(0))?;
        let to = self.cx.flat(inst.ty())?;
        let mut vals = self.cx.convert(inst.opcode(), &from, &to)?;
        if inst.opcode() == Opcode::IntToPtr && !holds_address(inst.operand(0)) {
            self.cx.addresses_of_numbers(&mut vals);
        }
        self.define(inst, vals);
        Ok(())
    }

    fn compare(&mut self, inst: Value<'m>) -> Lowered<()> {
        let predicate = inst.icmp_predicate();
        let (left, right) = (inst.operand(0), inst.operand(1));
        let (l, r) = (self.value(left)?, self.value(right)?);
        let addresses = holds_address(left) && holds_address(right);
        let ordered = !matches!(predicate, IntPredicate::EQ | IntPredicate::NE);
        if addresses && ordered && l.len() == 1 && self.may_lie_apart(l[0], r[0]) {
            let result = self.compare_terms(predicate, l[0], r[0]);
            let edge = self.define_held(inst, smallvec![result]);
            self.note_comparison(edge, l[0], r[0]);
            return Ok(());
        }
        let mut vals = Vals::new();
        for (a, b) in l.into_iter().zip(r) {
            vals.push(self.compare_terms(predicate, a, b));
        }
        self.define(inst, vals);
        Ok(())
    }

    /// Records that an edge orders or subtracts two addresses.
    pub(super) fn note_comparison(&mut self, edge: EdgeId, left: Term, right: Term) {
        self.cx.facts.pointer_comparisons.insert(edge, PointerComparison { left, right });
    }

    /// Whether two addresses may belong to different objects, judging by their terms.
    pub(super) fn may_lie_apart(&mut self, a: Term, b: Term) -> bool {
        let terms = &self.cx.cfa.terms;
        if terms.as_bv(a).is_some() || terms.as_bv(b).is_some() {
            return false;
        }
        let ((x, _), (y, _)) = (terms.base_offset(a), terms.base_offset(b));
        x != y || !matches!(terms.kind(x), Kind::Addr(_))
    }

    /// An integer comparison as a bit-vector of one bit.
    pub(super) fn compare_terms(&mut self, predicate: IntPredicate, a: Term, b: Term) -> Term {
        let terms = self.terms();
        let cond = match predicate {
            IntPredicate::EQ => terms.eq(a, b),
            IntPredicate::NE => {
                let eq = terms.eq(a, b);
                terms.not(eq)
            }
            IntPredicate::UGT => terms.cmp(BvCmp::Ult, b, a),
            IntPredicate::UGE => terms.cmp(BvCmp::Ule, b, a),
            IntPredicate::ULT => terms.cmp(BvCmp::Ult, a, b),
            IntPredicate::ULE => terms.cmp(BvCmp::Ule, a, b),
            IntPredicate::SGT => terms.cmp(BvCmp::Slt, b, a),
            IntPredicate::SGE => terms.cmp(BvCmp::Sle, b, a),
            IntPredicate::SLT => terms.cmp(BvCmp::Slt, a, b),
            IntPredicate::SLE => terms.cmp(BvCmp::Sle, a, b),
        };
        terms.bool_to_bv(cond)
    }

    /// Lowers a `sub` of two addresses as integers: the difference, on an edge that is marked. Returns whether it applies.
    pub(super) fn pointer_difference(&mut self, inst: Value<'m>, a: Term, b: Term) -> bool {
        if !(holds_address(inst.operand(0)) && holds_address(inst.operand(1)) && self.may_lie_apart(a, b)) {
            return false;
        }
        let difference = self.terms().bv_op(BvOp::Sub, a, b);
        if self.cx.weight(difference) == 0 && self.terms().as_bv(difference).is_some() {
            return false;
        }
        let edge = self.define_held(inst, smallvec![difference]);
        self.note_comparison(edge, a, b);
        true
    }

    /// A term of sort Bool as a bit-vector of one bit.
    pub(super) fn truth(&mut self, cond: Term) -> Term {
        debug_assert_eq!(self.terms().sort(cond), Sort::Bool);
        self.terms().bool_to_bv(cond)
    }
}

/// Whether a value is an address, or an integer that its instruction makes from one.
pub(crate) fn holds_address(v: Value) -> bool {
    if v.ty().scalar().is_pointer() {
        return true;
    }
    match v.kind() {
        ValueKind::LLVMInstructionValueKind => makes_integer_of_address(v.opcode()),
        ValueKind::LLVMConstantExprValueKind => makes_integer_of_address(v.const_opcode()),
        _ => false,
    }
}
