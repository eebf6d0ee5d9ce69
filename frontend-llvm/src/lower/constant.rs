//! Constants, constant expressions and element addresses.

use super::{Lowered, Lowering, NoModel, Vals};
use crate::ir::{IntPredicate, Opcode, Type, TypeKind, Value, ValueKind, casts_bits};
use crate::layout::{Flat, Scalar};
use cfa::bv::{Bv, BvOp};
use cfa::{Sort, Term, Terms};
use smallvec::smallvec;

/// Names that linkers define as bounds of the program's sections, if no file does (GNU ld's default script; end(3)).
const LINKER_BOUNDS: [&str; 23] = [
    "__bss_start",
    "_bss_start",
    "__bss_end",
    "_bss_end",
    "__data_start",
    "data_start",
    "_edata",
    "edata",
    "__etext",
    "_etext",
    "etext",
    "__end",
    "_end",
    "end",
    "__executable_start",
    "__ehdr_start",
    "__preinit_array_start",
    "__preinit_array_end",
    "__init_array_start",
    "__init_array_end",
    "__fini_array_start",
    "__fini_array_end",
    "_GLOBAL_OFFSET_TABLE_",
];

impl<'m> Lowering<'_, 'm> {
    /// The scalars of a constant; undefined ones are placeholders.
    pub(crate) fn constant(&mut self, v: Value<'m>) -> Lowered<Vals> {
        use ValueKind::*;
        match v.kind() {
            LLVMConstantIntValueKind => {
                let value = if v.ty().is_vector() { return self.elements(v) } else { v.int_value() };
                Ok(smallvec![self.cfa.terms.constant(&value)])
            }
            LLVMConstantFPValueKind => {
                if v.ty().is_vector() {
                    return self.elements(v);
                }
                let bits = self.flat(v.ty())?.leaves[0].bits;
                let value = v.float_bits(bits).ok_or("a floating-point constant whose bits are not accessible")?;
                Ok(smallvec![self.cfa.terms.constant(&value)])
            }
            LLVMConstantPointerNullValueKind | LLVMConstantAggregateZeroValueKind => {
                let flat = self.flat(v.ty())?;
                Ok(flat.leaves.iter().map(|l| self.cfa.terms.constant(&Bv::new(l.bits, 0))).collect())
            }
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                let flat = self.flat(v.ty())?;
                Ok(flat.leaves.iter().map(|l| self.undef(l.bits)).collect())
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => self.elements(v),
            LLVMConstantArrayValueKind | LLVMConstantStructValueKind | LLVMConstantVectorValueKind => {
                let mut vals = Vals::new();
                for i in 0..v.n_operands() {
                    vals.extend(self.constant(v.operand(i))?);
                }
                Ok(vals)
            }
            LLVMGlobalVariableValueKind if self.is_section_bound(v) => {
                Err(NoModel(format!("{}, where the linker puts the bounds of a section of the program", v.name())))
            }
            LLVMFunctionValueKind | LLVMGlobalVariableValueKind => Ok(smallvec![self.symbol_address(v)]),
            LLVMGlobalAliasValueKind => self.constant(v.aliasee()),
            LLVMConstantExprValueKind => self.expression(v),
            LLVMBlockAddressValueKind => Ok(smallvec![self.label(v.block_address_block())]),
            LLVMGlobalIFuncValueKind => Err("an indirect function (ifunc)".into()),
            other => Err(NoModel(format!("a constant of kind {other:?}"))),
        }
    }

    /// Whether a declaration stands for the beginning or the end of a section in which the program has objects.
    fn is_section_bound(&self, v: Value) -> bool {
        let name = v.name();
        if v.is_declaration() && LINKER_BOUNDS.contains(&&*name) {
            return true;
        }
        let section = name.strip_prefix("__start_").or_else(|| name.strip_prefix("__stop_"));
        let defined = || self.program.globals().into_iter().chain(self.program.functions());
        section.is_some_and(|section| v.is_declaration() && defined().any(|g| g.section() == section))
    }

    fn elements(&mut self, v: Value<'m>) -> Lowered<Vals> {
        let n = if v.ty().is_vector() { v.ty().vector_len() } else { v.ty().array_len() };
        let mut vals = Vals::new();
        for i in 0..n {
            let element = v.aggregate_element(i as u32).ok_or("a constant without accessible elements")?;
            vals.extend(self.constant(element)?);
        }
        Ok(vals)
    }

    fn expression(&mut self, v: Value<'m>) -> Lowered<Vals> {
        let mut operands = Vec::new();
        for i in 0..v.n_operands() {
            operands.push(self.constant(v.operand(i))?);
        }
        let opcode = v.const_opcode();
        let no_model = || NoModel(format!("the constant expression {opcode:?}"));
        match opcode {
            Opcode::GetElementPtr => self.element_address(v, &operands),
            _ if casts_bits(opcode) => {
                let flat = self.flat(v.ty())?;
                let mut vals = self.convert(opcode, &operands[0], &flat)?;
                if opcode == Opcode::IntToPtr {
                    self.addresses_of_numbers(&mut vals);
                }
                Ok(vals)
            }
            _ if operands.iter().flatten().any(|t| self.has_undef(*t)) => Err(no_model()),
            Opcode::ICmp => {
                let pairs = operands[0].iter().zip(&operands[1]);
                pairs.map(|(a, b)| self.equality(v.icmp_predicate(), *a, *b).ok_or_else(no_model)).collect()
            }
            Opcode::Select => {
                let pick = |i: usize| operands[0][if operands[0].len() > 1 { i } else { 0 }];
                let pairs = operands[1].iter().zip(&operands[2]).enumerate();
                let terms = &mut self.cfa.terms;
                Ok(pairs
                    .map(|(i, (yes, no))| {
                        let cond = terms.nonzero(pick(i));
                        terms.ite(cond, *yes, *no)
                    })
                    .collect())
            }
            _ => {
                let op = total_operator(opcode).ok_or_else(no_model)?;
                let pairs = operands[0].iter().zip(&operands[1]);
                pairs.map(|(a, b)| self.total(op, *a, *b).ok_or_else(no_model)).collect()
            }
        }
    }

    /// Whether two constants are equal, as one bit. The order of addresses is unknown until they are laid out.
    fn equality(&mut self, predicate: IntPredicate, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.cfa.terms;
        let equal = terms.eq(a, b);
        let holds = match predicate {
            IntPredicate::EQ => equal,
            IntPredicate::NE => terms.not(equal),
            _ => return None,
        };
        Some(terms.bool_to_bv(holds))
    }

    /// The result of an operator that is defined for these operands, whatever the values of the addresses in them.
    fn total(&mut self, op: BvOp, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.cfa.terms;
        let shift = matches!(op, BvOp::Shl | BvOp::Lshr | BvOp::Ashr);
        if shift && terms.as_u64(b).is_none_or(|n| n >= u64::from(terms.width(a))) {
            return None;
        }
        Some(terms.bv_op(op, a, b))
    }

    /// Turns integers into addresses of memory that need not belong to the program. Null stays null.
    pub(crate) fn addresses_of_numbers(&mut self, vals: &mut Vals) {
        for t in vals {
            let terms = &self.cfa.terms;
            let null = terms.as_bv(*t).is_some_and(|v| v.is_zero());
            let of_object = matches!(terms.kind(terms.base_offset(*t).0), cfa::term::Kind::Addr(_));
            if !null && !of_object && !self.is_undef(*t) {
                *t = self.outside_address(*t);
            }
        }
    }

    /// A cast between integers, addresses and types of the same width.
    pub(crate) fn convert(&mut self, opcode: Opcode, from: &[Term], to: &Flat) -> Lowered<Vals> {
        let terms = &mut self.cfa.terms;
        if opcode == Opcode::BitCast && (from.len() != to.leaves.len() || from.len() > 1) {
            let is_undef = |terms: &Terms, t: Term| matches!(terms.kind(t), cfa::term::Kind::Sym(_));
            if from.iter().all(|t| is_undef(terms, *t)) {
                return Ok(to.leaves.iter().map(|l| self.undef(l.bits)).collect());
            }
            // Lanes that are undefined are so independently of each other.
            let mut lanes = from.to_vec();
            for lane in &mut lanes {
                if is_undef(terms, *lane) {
                    let bits = terms.width(*lane);
                    *lane = terms.fresh("undef", Sort::Bv(bits));
                }
            }
            let mut whole = lanes[0];
            for &part in &lanes[1..] {
                whole = terms.concat(part, whole);
            }
            let mut low = 0;
            return Ok(to
                .leaves
                .iter()
                .map(|l| {
                    low += l.bits;
                    terms.extract(low - 1, low - l.bits, whole)
                })
                .collect());
        }
        if opcode == Opcode::AddrSpaceCast && to.leaves.iter().any(|l| l.scalar != Scalar::Pointer) {
            return Err("a cast between address spaces".into());
        }
        let mut vals = Vals::new();
        for (&t, leaf) in from.iter().zip(&to.leaves) {
            vals.push(if self.is_undef(t) {
                self.undef(leaf.bits)
            } else if opcode == Opcode::SExt {
                self.cfa.terms.sext(leaf.bits, t)
            } else {
                self.cfa.terms.resize(leaf.bits, t)
            });
        }
        Ok(vals)
    }

    /// The address that a `getelementptr` computes; one for each lane if it computes a vector.
    pub(crate) fn element_address(&mut self, gep: Value<'m>, operands: &[Vals]) -> Lowered<Vals> {
        let lanes = if gep.ty().is_vector() { gep.ty().vector_len() as usize } else { 1 };
        let source = gep.gep_source_type();
        if gep.ty().scalar().address_space() != 0 {
            return Err(NoModel(format!("an address in address space {}", gep.ty().scalar().address_space())));
        }
        let mut vals = Vals::new();
        for lane in 0..lanes {
            let pick = |vals: &Vals| vals[if vals.len() > 1 { lane } else { 0 }];
            let mut address = pick(&operands[0]);
            let mut ty = source;
            for (i, operand) in operands.iter().enumerate().skip(1) {
                let index = pick(operand);
                if i > 1 && ty.kind() == TypeKind::LLVMStructTypeKind {
                    let field = self.cfa.terms.as_u64(index).ok_or("a struct index that is not constant")? as u32;
                    let offset = self.layout.field_offset(ty, field);
                    address = self.cfa.terms.add_int(address, offset);
                    ty = ty.fields()[field as usize];
                    continue;
                }
                if i > 1 {
                    ty = ty.element();
                }
                let size = self.layout.size(ty);
                address = self.step(address, index, size);
            }
            vals.push(address);
        }
        Ok(vals)
    }

    /// `address + index * size`, with a signed index.
    fn step(&mut self, address: Term, index: Term, size: u64) -> Term {
        let bits = self.layout.pointer_bits;
        let terms = &mut self.cfa.terms;
        let index = if terms.width(index) < bits { terms.sext(bits, index) } else { terms.resize(bits, index) };
        let size = terms.int(bits, size);
        let offset = terms.bv_op(BvOp::Mul, index, size);
        terms.add(address, offset)
    }

    /// Whether a type is an integer of one byte.
    pub(crate) fn is_byte(&self, ty: Type<'m>) -> bool {
        ty.kind() == TypeKind::LLVMIntegerTypeKind && ty.int_width() == 8
    }
}

/// Operators of constant expressions that never trap. Divisions may trap, and there is no arithmetic on floats made from addresses.
fn total_operator(opcode: Opcode) -> Option<BvOp> {
    Some(match opcode {
        Opcode::Add => BvOp::Add,
        Opcode::Sub => BvOp::Sub,
        Opcode::Mul => BvOp::Mul,
        Opcode::Xor => BvOp::Xor,
        Opcode::And => BvOp::And,
        Opcode::Or => BvOp::Or,
        Opcode::Shl => BvOp::Shl,
        Opcode::LShr => BvOp::Lshr,
        Opcode::AShr => BvOp::Ashr,
        _ => return None,
    })
}
