//! Variadic arguments: the caller places them in an area of memory with the layout of the stack, and passes its address.
//!
//! Slots have 8 bytes on x86-64 (16, aligned, for arguments that need it) and 4 on i386. On x86-64, a `va_list` is set up as if
//! all registers were already used, so that `va_arg` always reads from the area.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Vals};
use crate::ir::{Type, Value};
use cfa::Term;

/// Size of a `va_list` on x86-64: two offsets of 4 bytes, then two addresses.
const X86_64_LIST_BYTES: u64 = 24;
/// `gp_offset` and `fp_offset` after the last register.
const REGISTERS_USED: (u64, u64) = (48, 176);

impl<'m> Body<'_, '_, 'm> {
    fn is_64_bit(&self) -> bool {
        self.cx.pointer_bits() == 64
    }

    /// Size and alignment in bytes of an argument's slot.
    fn slot_of(&self, ty: Type<'m>, byval: Option<Type<'m>>) -> (u64, u64) {
        let unit = if self.is_64_bit() { 8 } else { 4 };
        let (size, align) = match byval {
            Some(inner) => (self.cx.layout.size(inner), self.cx.layout.align(inner)),
            None => (self.cx.layout.size(ty), self.cx.layout.align(ty)),
        };
        let align = if self.is_64_bit() && align >= 16 { 16 } else { unit };
        (size.next_multiple_of(unit), align)
    }

    /// Writes the arguments from number `first` on to an area, and returns its address.
    pub(super) fn variadic_area(&mut self, site: &CallSite<'m>, first: usize) -> Lowered<Term> {
        let mut at = 0u64;
        let mut places = Vec::new();
        for i in first..site.args.len() {
            let byval = site.inst.and_then(|inst| inst.call_byval_type(i as u32));
            let (size, align) = self.slot_of(site.types[i], byval);
            at = at.next_multiple_of(align);
            places.push((i, at, byval));
            at += size;
        }
        let area = self.stack_slot("varargs", at.max(1), 16, true);
        let mut memory = self.mem();
        for (i, offset, byval) in places {
            let to = self.terms().add_int(area, offset);
            if let Some(ty) = byval {
                let bytes = self.cx.layout.size(ty);
                let bytes = self.word(bytes);
                let from = site.args[i][0];
                memory = self.terms().copy(memory, to, memory, from, bytes);
            } else {
                let flat = self.cx.flat(site.types[i])?;
                memory = self.written(memory, to, &flat, &site.args[i]);
            }
        }
        if memory != self.mem() {
            self.set_mem(memory);
        }
        Ok(area)
    }

    /// `llvm.va_start`.
    pub(super) fn va_start(&mut self, list: Term) -> Lowered<()> {
        let area = self.varargs.ok_or("va_start in a function without variadic arguments")?;
        let mem = self.mem();
        if !self.is_64_bit() {
            let new = self.written_pointer(mem, list, area);
            self.set_mem(new);
            return Ok(());
        }
        let terms = self.terms();
        let (gp, fp) = (terms.int(32, REGISTERS_USED.0), terms.int(32, REGISTERS_USED.1));
        let mut memory = mem;
        for (offset, value) in [(0, gp), (4, fp)] {
            let at = terms.add_int(list, offset);
            memory = terms.write(memory, at, value);
        }
        for offset in [8, 16] {
            let at = self.terms().add_int(list, offset);
            memory = self.written_pointer(memory, at, area);
        }
        self.set_mem(memory);
        Ok(())
    }

    /// `llvm.va_copy`.
    pub(super) fn va_copy(&mut self, to: Term, from: Term) {
        let bytes = if self.is_64_bit() { X86_64_LIST_BYTES } else { 4 };
        let bytes = self.word(bytes);
        self.copy_bytes(to, from, bytes);
    }

    /// The instruction `va_arg`.
    pub(super) fn va_arg(&mut self, inst: Value<'m>) -> Lowered<()> {
        let list = self.address(inst.operand(0))?;
        let flat = self.cx.flat(inst.ty())?;
        let (size, align) = self.slot_of(inst.ty(), None);
        let word = self.cx.pointer_bits();
        let mem = self.mem();
        let place = if self.is_64_bit() { self.terms().add_int(list, 8) } else { list };
        let area = self.terms().read(mem, place, word);
        let mut area = self.hold("area", area);
        if align > u64::from(word / 8) {
            let terms = self.terms();
            let up = terms.add_int(area, align - 1);
            let mask = terms.int(word, !(align - 1));
            area = terms.bv_op(cfa::bv::BvOp::And, up, mask);
        }
        let vals: Vals = self.read_all(area, &flat);
        self.define_held(inst, vals);
        let next = self.terms().add_int(area, size);
        let mem = self.mem();
        let new = self.written_pointer(mem, place, next);
        self.set_mem(new);
        Ok(())
    }
}
