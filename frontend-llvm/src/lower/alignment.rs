//! Blocks at a multiple of an alignment.
//!
//! The alignment of a block is that of its site. Where the program computes the alignment, there is a site for each value that it is
//! seen to have, and the call goes to the site of its value.

use super::body::Body;
use super::call::CallSite;
use super::heap::HEAP_ALIGN;
use super::{Lowered, NoModel};
use crate::ir::{Opcode, Value, ValueKind};
use cfa::bv::{BvCmp, BvOp};
use cfa::{Op, Sort, Term, Unsupported};

/// Alignments of sites if nothing is known about a value: up to that of a page.
const USUAL: [u64; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];

/// Maximum number of values that are told apart.
const VALUES: usize = 8;

/// Maximum number of instructions between a value and the constants of which it is computed.
const DEPTH: u32 = 12;

impl<'m> Body<'_, '_, 'm> {
    /// A block of `bytes` bytes, a number that is not too large, at a multiple of argument `i`, a power of two.
    pub(super) fn aligned_block(&mut self, site: &CallSite<'m>, i: usize, bytes: Term) -> Lowered<Term> {
        let align = site.arg(i)?;
        if let Some(constant) = self.terms().as_u64(align) {
            let invalid = || NoModel(format!("{} with an alignment that is not a power of two", site.name));
            return if constant.is_power_of_two() { Ok(self.heap_block(bytes, constant)) } else { Err(invalid()) };
        }
        let word = self.cx.pointer_bits();
        let align = self.terms().resize(word, align);
        let (align, bytes) = (self.hold("alignment", align), self.hold("bytes", bytes));
        let block = self.local("aligned", Sort::Bv(word));
        let argument = site.inst.and_then(|inst| inst.call_args().get(i).copied());
        let mut values = argument.and_then(|v| possible_values(v, DEPTH)).unwrap_or_else(|| USUAL.to_vec());
        values.retain(|value| value.is_power_of_two() && *value > HEAP_ALIGN && word > value.trailing_zeros());
        let mut other = self.terms().tt();
        for value in values {
            let constant = self.word(value);
            let is_value = self.terms().eq(align, constant);
            self.when(is_value, |body| {
                let address = body.heap_block(bytes, value);
                body.emit(Op::assign(block, address));
                Ok(())
            })?;
            let terms = self.terms();
            let is_not = terms.not(is_value);
            other = terms.and(other, is_not);
        }
        let usual = self.is_power_of_two(align);
        let most = self.word(HEAP_ALIGN);
        let terms = self.terms();
        let beyond = terms.cmp(BvCmp::Ult, most, align);
        let not_beyond = terms.not(beyond);
        let usual = terms.and(usual, not_beyond);
        let unusual = terms.not(usual);
        let unusual = terms.and(other, unusual);
        self.when(unusual, |body| {
            body.unsupported(Unsupported::opaque("an alignment that the program computes"));
            Ok(())
        })?;
        self.when(usual, |body| {
            let address = body.heap_block(bytes, HEAP_ALIGN);
            body.emit(Op::assign(block, address));
            Ok(())
        })?;
        Ok(self.cx.cfa.var_term(block))
    }

    /// Whether a number is a power of two, as a Bool.
    pub(super) fn is_power_of_two(&mut self, n: Term) -> Term {
        let zero = self.word(0);
        let terms = self.terms();
        let less = terms.add_int(n, u64::MAX);
        let common = terms.bv_op(BvOp::And, n, less);
        let (one, none) = (terms.eq(common, zero), terms.eq(n, zero));
        let some = terms.not(none);
        terms.and(one, some)
    }
}

/// The values that an integer of at most 64 bits has if it is computed of constants: by choices, by sums and products, by way of a slot
/// with one store. `None` if it may have others, or more than [`VALUES`]. A slot that is read before the store has a value that is not
/// among them.
fn possible_values(v: Value, depth: u32) -> Option<Vec<u64>> {
    if v.kind() == ValueKind::LLVMConstantIntValueKind {
        return Some(vec![v.int_value().to_u64()?]);
    }
    if depth == 0 || !v.is_instruction() || v.ty().scalar() != v.ty() {
        return None;
    }
    let of = |i: u32| possible_values(v.operand(i), depth - 1);
    let mut values = match v.opcode() {
        Opcode::Select => [of(1)?, of(2)?].concat(),
        Opcode::Phi => {
            let mut all = Vec::new();
            for (incoming, _) in v.incoming() {
                all.extend(possible_values(incoming, depth - 1)?);
            }
            all
        }
        Opcode::Load => possible_values(only_stored(v.operand(0))?, depth - 1)?,
        Opcode::Trunc | Opcode::ZExt => of(0)?,
        // A negative number is no alignment.
        Opcode::SExt => of(0)?,
        Opcode::Add => pairs(&of(0)?, &of(1)?, u64::wrapping_add),
        Opcode::Mul => pairs(&of(0)?, &of(1)?, u64::wrapping_mul),
        Opcode::Shl => pairs(&of(0)?, &of(1)?, |a, b| a.checked_shl(b as u32).unwrap_or(0)),
        _ => return None,
    };
    values.sort_unstable();
    values.dedup();
    (values.len() <= VALUES).then_some(values)
}

fn pairs(a: &[u64], b: &[u64], op: impl Fn(u64, u64) -> u64) -> Vec<u64> {
    a.iter().flat_map(|x| b.iter().map(|y| op(*x, *y))).collect()
}

/// What the only store to a slot stores whose address is used for nothing but it and loads.
fn only_stored<'m>(slot: Value<'m>) -> Option<Value<'m>> {
    if !slot.is_instruction() || slot.opcode() != Opcode::Alloca {
        return None;
    }
    let mut stored = None;
    for user in slot.users() {
        match user.opcode() {
            Opcode::Load => {}
            Opcode::Call if user.called().name().starts_with("llvm.lifetime") => {}
            Opcode::Store if user.operand(1) == slot && user.operand(0) != slot && stored.is_none() => {
                stored = Some(user.operand(0));
            }
            _ => return None,
        }
    }
    stored
}
