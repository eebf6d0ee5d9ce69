//! Variadic arguments: the caller places them in an area of memory where `va_arg` finds them, and passes its address.
//!
//! On x86-64, the area has what the caller passes in registers, and after it what it passes on the stack (System V ABI, AMD64 supplement,
//! 3.2.3 and 3.5.7). The callee copies the former to its *register save area*, which lies at no known distance from the latter. On
//! i386, all arguments are on the stack. Named arguments have their places, too, since only the callee knows which are named.

use super::body::Body;
use super::call::CallSite;
use super::passing::C_CONVENTION;
use super::{Lowered, NoModel, Vals};
use crate::ir::{Type, TypeKind, Value};
use crate::layout::{Leaf, Scalar};
use cfa::Term;
use cfa::bv::{BvCmp, BvOp};

/// Size of a `va_list` on x86-64: two offsets of 4 bytes, then two addresses.
const X86_64_LIST_BYTES: u64 = 24;
/// The general registers for arguments, of 8 bytes each.
const GENERAL: u64 = 6;
/// The vector registers for arguments, of 16 bytes each.
const VECTORS: u64 = 8;
/// Where the vector registers begin in the register save area.
const FIRST_VECTOR: u64 = GENERAL * 8;
/// The size of the register save area.
const REGISTERS: u64 = FIRST_VECTOR + VECTORS * 16;
/// The alignment of the stack at a call.
const STACK_ALIGN: u64 = 16;
/// The greatest alignment of an argument.
const MAX_ALIGN: u64 = 64;
/// Parts of the triples of systems on these processors that pass arguments otherwise.
const OTHER_SYSTEMS: [&str; 4] = ["windows", "mingw", "cygwin", "x32"];
/// Where arguments on the stack begin, in the area of a call on x86-64.
const STACK: u64 = REGISTERS.next_multiple_of(MAX_ALIGN);

/// How much of the area is in use.
#[derive(Clone, Copy)]
struct Slots {
    /// Where the stack begins in the area.
    start: u64,
    /// The number of general registers.
    general: u64,
    /// The number of vector registers.
    vectors: u64,
    /// The number of bytes on the stack.
    stack: u64,
    /// The alignment of the stack.
    align: u64,
}

impl Slots {
    /// Nothing is in use, except for all registers unless arguments are passed in them.
    fn new(in_registers: bool) -> Slots {
        match in_registers {
            true => Slots { start: STACK, general: 0, vectors: 0, stack: 0, align: STACK_ALIGN },
            false => Slots { start: 0, general: GENERAL, vectors: VECTORS, stack: 0, align: STACK_ALIGN },
        }
    }

    /// The place of `n` general registers, if `n` are left.
    fn general(&mut self, n: u64) -> Option<u64> {
        let at = self.general * 8;
        (self.general + n <= GENERAL).then(|| {
            self.general += n;
            at
        })
    }

    /// The place of a vector register, if one is left.
    fn vector(&mut self) -> Option<u64> {
        let at = FIRST_VECTOR + self.vectors * 16;
        (self.vectors < VECTORS).then(|| {
            self.vectors += 1;
            at
        })
    }

    /// A place on the stack.
    fn stack(&mut self, size: u64, align: u64) -> u64 {
        let at = self.stack.next_multiple_of(align);
        self.stack = at + size;
        self.align = self.align.max(align);
        self.start + at
    }

    /// The place of a scalar of `size` bytes on x86-64.
    fn scalar(&mut self, scalar: Scalar, bits: u32, size: u64, align: u64) -> u64 {
        let register = match scalar {
            Scalar::Int | Scalar::Pointer if bits <= 128 => self.general(u64::from(bits).div_ceil(64)),
            // Numbers of x87 are on the stack.
            Scalar::Float(_) if bits != 80 => self.vector(),
            _ => None,
        };
        register.unwrap_or_else(|| self.stack(size.next_multiple_of(8), align.max(8)))
    }
}

/// Where an argument is.
enum Place<'m> {
    /// A copy of an object of this type.
    Object(u64, Type<'m>),
    /// All its scalars, in the layout of its type.
    Whole(u64),
    /// Each scalar for itself.
    Scalars(Vec<u64>),
}

impl<'m> Body<'_, '_, 'm> {
    fn is_64_bit(&self) -> bool {
        self.cx.pointer_bits() == 64
    }

    /// Where the next argument is, of type `ty`; `byval` is the type and the alignment of an object that is passed by value.
    fn place(&mut self, slots: &mut Slots, ty: Type<'m>, byval: Option<(Type<'m>, u64)>) -> Lowered<Place<'m>> {
        let unit = if self.is_64_bit() { 8 } else { 4 };
        let layout = &self.cx.layout;
        if let Some((inner, align)) = byval {
            let align = align.max(unit);
            if align > MAX_ALIGN {
                return Err(NoModel(format!("a variadic argument with an alignment of {align} bytes")));
            }
            let size = layout.size(inner).next_multiple_of(unit);
            return Ok(Place::Object(slots.stack(size, align), inner));
        }
        let (size, align) = (layout.size(ty), layout.align(ty));
        let is_vector = ty.kind() == TypeKind::LLVMVectorTypeKind;
        // Where these are depends on the processor's vector registers, and on i386 clang and LLVM disagree.
        if is_vector && (size > 16 || !self.is_64_bit()) {
            return Err(NoModel(format!("a vector of {size} bytes in a variadic call")));
        }
        if !self.is_64_bit() {
            return Ok(Place::Whole(slots.stack(size.next_multiple_of(unit), unit)));
        }
        if is_vector {
            let place = slots.vector().unwrap_or_else(|| slots.stack(size.next_multiple_of(8), align.max(8)));
            return Ok(Place::Whole(place));
        }
        let flat = self.cx.flat(ty)?;
        let is_scalar = flat.leaves.len() == 1;
        let align = |leaf: &Leaf| if is_scalar { align } else { u64::from(leaf.bytes).next_power_of_two().min(16) };
        let of = |leaf: &Leaf| slots.scalar(leaf.scalar, leaf.bits, u64::from(leaf.bytes), align(leaf));
        Ok(Place::Scalars(flat.leaves.iter().map(of).collect()))
    }

    /// What is in use before the first argument.
    fn no_slots(&self) -> Slots {
        Slots::new(self.is_64_bit())
    }

    /// What the named parameters of this function use.
    fn named(&mut self) -> Lowered<Slots> {
        let mut slots = self.no_slots();
        let function = self.llvm.ok_or("va_start outside a function")?;
        for (i, param) in function.params().into_iter().enumerate() {
            let stated = function.parameter_alignment(i as u32).unwrap_or(1);
            let byval = function.byval_type(i as u32).map(|ty| (ty, stated));
            self.place(&mut slots, param.ty(), byval)?;
        }
        Ok(slots)
    }

    /// Writes the arguments from number `first` on to an area, and returns its address.
    pub(super) fn variadic_area(&mut self, site: &CallSite<'m>, first: usize) -> Lowered<Term> {
        let mut slots = self.no_slots();
        let mut places = Vec::new();
        for i in 0..site.args.len() {
            let by_value = |inst: Value<'m>| {
                let ty = inst.call_byval_type(i as u32)?;
                Some((ty, inst.call_argument_alignment(i as u32).unwrap_or(1)))
            };
            let place = self.place(&mut slots, site.types[i], site.inst.and_then(by_value))?;
            if i >= first {
                places.push((i, place));
            }
        }
        let size = slots.start + slots.stack;
        let area = self.stack_slot("varargs", size.max(1), slots.align, true);
        // What holds no argument has any value, and another one at the next call. No program may read it, so no alarm may rest on the value.
        let bytes = self.word(size);
        self.forget("varargs", area, bytes, cfa::InputKind::Undefined);
        // Arguments come from memory as it is before any is placed.
        let before = self.mem();
        let mut memory = before;
        for (i, place) in places {
            memory = match place {
                Place::Object(offset, ty) => {
                    let bytes = self.cx.layout.size(ty);
                    let bytes = self.word(bytes);
                    let to = self.terms().add_int(area, offset);
                    self.terms().copy(memory, to, before, site.args[i][0], bytes)
                }
                Place::Whole(offset) => {
                    let flat = self.cx.flat(site.types[i])?;
                    let to = self.terms().add_int(area, offset);
                    self.written(memory, to, &flat, &site.args[i])
                }
                Place::Scalars(offsets) => {
                    let flat = self.cx.flat(site.types[i])?;
                    for ((leaf, offset), val) in flat.leaves.iter().zip(offsets).zip(&site.args[i]) {
                        let to = self.terms().add_int(area, offset);
                        memory = self.written_leaf(memory, to, &Leaf { offset: 0, ..*leaf }, *val);
                    }
                    memory
                }
            };
        }
        if memory != before {
            self.set_mem(memory);
        }
        Ok(area)
    }

    /// Makes the register save area from the area of the call.
    pub(super) fn save_registers(&mut self, area: Term) {
        if self.is_64_bit() {
            let saved = self.stack_slot("registers", REGISTERS, 16, true);
            let bytes = self.word(REGISTERS);
            self.copy_bytes(saved, area, bytes);
            self.registers = Some(saved);
        }
    }

    /// An error unless this function finds its arguments where the ABI of Linux on x86-64 or i386 has them.
    fn knows_conventions(&self) -> Lowered<()> {
        let triple = self.cx.program.triple();
        let processors: &[&str] = if self.is_64_bit() { &["x86_64"] } else { &["i386", "i486", "i586", "i686"] };
        let is_other = OTHER_SYSTEMS.iter().any(|name| triple.contains(name));
        let is_processor = triple.is_empty() || processors.iter().any(|cpu| triple.starts_with(cpu));
        if is_other || !is_processor {
            return Err(NoModel(format!("variadic arguments on {triple}")));
        }
        match self.llvm.is_none_or(|f| f.calling_convention() == C_CONVENTION) {
            true => Ok(()),
            false => Err("variadic arguments in another calling convention than C's".into()),
        }
    }

    /// `llvm.va_start`.
    pub(super) fn va_start(&mut self, list: Term) -> Lowered<()> {
        self.knows_conventions()?;
        let area = self.varargs.ok_or("va_start in a function without variadic arguments")?;
        let mem = self.mem();
        let named = self.named()?;
        let stack = self.terms().add_int(area, named.start + named.stack);
        if !self.is_64_bit() {
            let new = self.written_pointer(mem, list, stack);
            self.set_mem(new);
            return Ok(());
        }
        let registers = self.registers.ok_or("va_start in a function without variadic arguments")?;
        let mut memory = mem;
        for (offset, value) in [(0, named.general * 8), (4, FIRST_VECTOR + named.vectors * 16)] {
            let terms = self.terms();
            let (at, value) = (terms.add_int(list, offset), terms.int(32, value));
            memory = terms.write(memory, at, value);
        }
        for (offset, address) in [(8, stack), (16, registers)] {
            let at = self.terms().add_int(list, offset);
            memory = self.written_pointer(memory, at, address);
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
        let (size, align) = (self.cx.layout.size(inst.ty()), self.cx.layout.align(inst.ty()));
        let word = self.cx.pointer_bits();
        let (unit, place) = if self.is_64_bit() { (8, self.terms().add_int(list, 8)) } else { (4, list) };
        let mem = self.mem();
        let stack = self.terms().read(mem, place, word);
        let mut stack = self.hold("area", stack);
        if self.is_64_bit() && align > unit {
            let terms = self.terms();
            let up = terms.add_int(stack, align - 1);
            let mask = terms.int(word, !(align - 1));
            stack = terms.bv_op(BvOp::And, up, mask);
        }
        let next = self.terms().add_int(stack, size.next_multiple_of(unit));
        let (mut from, mut next) = (stack, next);
        if self.is_64_bit() {
            let [leaf] = flat.leaves[..] else { return Err(NoModel(format!("va_arg of type {}", inst.ty().print()))) };
            let (counter, step, end) = match leaf.scalar {
                Scalar::Float(_) => (4, 16, REGISTERS),
                _ => (0, u64::from(leaf.bits).div_ceil(64) * 8, FIRST_VECTOR),
            };
            if leaf.bits != 80 {
                let terms = self.terms();
                let at = terms.add_int(list, counter);
                let used = terms.read(mem, at, 32);
                let last = terms.int(32, end - step);
                let is_left = terms.cmp(BvCmp::Ule, used, last);
                let after = terms.add_int(used, step);
                let after = terms.ite(is_left, after, used);
                let save_area = terms.add_int(list, 16);
                let registers = terms.read(mem, save_area, word);
                let offset = terms.zext(word, used);
                let register = terms.bv_op(BvOp::Add, registers, offset);
                from = terms.ite(is_left, register, stack);
                next = terms.ite(is_left, stack, next);
                let new = terms.write(mem, at, after);
                self.set_mem(new);
            }
        }
        let from = self.hold("argument", from);
        let next = self.hold("next", next);
        let vals: Vals = self.read_all(from, &flat);
        self.define_held(inst, vals);
        let mem = self.mem();
        let new = self.written_pointer(mem, place, next);
        self.set_mem(new);
        Ok(())
    }
}
