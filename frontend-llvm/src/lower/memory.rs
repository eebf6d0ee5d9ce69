//! Stack slots, loads, stores, block copies and atomics.

use super::body::Body;
use super::{Lowered, NoModel, Vals};
use crate::ir::{IntPredicate, Opcode, RmwOp, Type, TypeKind, Value, ValueKind, wraps_at_limit};
use crate::layout::{Flat, Leaf, Scalar};
use crate::resolve::Callee;
use cfa::bv::BvOp;
use cfa::float::{FloatOp, Format};
use cfa::{AssumeKind, Assumed, EdgeId, InputKind, Lifetime, ObjectKind, Op, Slot, Sort, Term, VarId};
use smallvec::smallvec;

impl<'m> Body<'_, '_, 'm> {
    pub(super) fn alloca(&mut self, inst: Value<'m>) -> Lowered<()> {
        let ty = inst.allocated_type();
        let (element, align) = (self.cx.layout.size(ty), self.cx.layout.align_or(inst.alignment().into(), ty));
        let count = self.scalar(inst.operand(0))?;
        let word = self.cx.pointer_bits();
        let name = match inst.name() {
            empty if empty.is_empty() => "slot".to_string(),
            name => name,
        };
        let Some(n) = self.terms().as_u64(count) else {
            // A variable-length array.
            let terms = self.terms();
            let count = terms.resize(word, count);
            let each = terms.int(word, element);
            let bytes = terms.bv_op(BvOp::Mul, count, each);
            let address = self.new_instance(&name, None, bytes, align, false);
            self.values.insert(inst, smallvec![address]);
            return Ok(());
        };
        let size = element.saturating_mul(n);
        let in_entry = self.llvm.is_some_and(|f| f.entry_block() == inst.parent());
        let address = self.stack_slot(&name, size, align, in_entry);
        let parts = self.cx.debug.slot_parts(inst);
        if let Some(object) = self.cx.cfa.objects.ids().next_back().filter(|_| !parts.is_empty()) {
            self.cx.cfa.object_parts.insert(object, parts);
            let declaration = self.cx.debug.declaration(&mut self.cx.source, inst);
            self.cx.source.declared.extend(declaration.map(|declaration| (object, declaration)));
        }
        self.slots.insert(inst, (address, size));
        // A new instance has arbitrary contents.
        if let cfa::term::Kind::Addr(_) = self.cx.cfa.terms.kind(address)
            && !self.with_lifetime.contains(&inst)
            && !overwritten_first(&self.cx.layout, inst, inst, size)
        {
            self.forget_object(&name, address, size);
        }
        self.values.insert(inst, smallvec![address]);
        Ok(())
    }

    /// The address of a new stack object. There is one object per function if only one instance can exist at a time.
    pub(super) fn stack_slot(&mut self, name: &str, size: u64, align: u64, once: bool) -> Term {
        if self.recursive || !once {
            let bytes = self.word(size);
            return self.new_instance(name, Some(size), bytes, align, false);
        }
        let full = self.cx.unique(format!("{}::{name}", self.name));
        let o = self.cx.new_object(full, ObjectKind::Stack(self.func), Some(size), align, self.span);
        self.cx.addr(o)
    }

    /// `llvm.lifetime.start`: the slot's old contents are lost.
    pub(super) fn lifetime_start(&mut self, call: Value<'m>, slot: Value<'m>) {
        self.note_lifetime(slot, Lifetime::Starts);
        let Some(&(address, size)) = self.slots.get(&slot) else { return };
        if overwritten_first(&self.cx.layout, call, slot, size) {
            return;
        }
        self.forget_object(&slot.name(), address, size);
    }

    /// Notes that a slot's scope begins or ends here, if a pointer to it may outlive it.
    pub(super) fn note_lifetime(&mut self, slot: Value<'m>, event: impl Fn(Slot) -> Lifetime) {
        let Some(&(address, _)) = self.slots.get(&slot) else { return };
        let place = match self.cx.cfa.terms.kind(address) {
            cfa::term::Kind::Addr(o) => Slot::Object(o),
            cfa::term::Kind::Var(v) => Slot::Instance(v),
            _ => return,
        };
        let is_kept = *self.kept_slots.entry(slot).or_insert_with(|| is_address_kept(slot));
        if is_kept {
            self.note_stack(event(place));
        }
    }

    /// Notes what happens to objects on the stack here.
    pub(super) fn note_stack(&mut self, event: Lifetime) {
        let e = self.emit(Op::Skip);
        self.cx.cfa.lifetimes.insert(e, event);
    }

    /// Makes `size` bytes at `address` arbitrary, like uninitialised memory.
    fn forget_object(&mut self, name: &str, address: Term, size: u64) {
        let size = self.word(size);
        self.forget(name, address, size, InputKind::Uninitialised);
    }

    /// Makes `bytes` bytes at `address` arbitrary.
    pub(super) fn forget(&mut self, name: &str, address: Term, bytes: Term, kind: InputKind) {
        let sort = Sort::Array { index: self.cx.pointer_bits(), elem: 8 };
        let fresh = self.input_of(&format!("{name}.old"), sort, kind);
        let mem = self.mem();
        let new = self.terms().copy(mem, address, fresh, address, bytes);
        self.set_mem(new);
    }

    /// Copies `bytes` bytes from `from` to `to`.
    pub(super) fn copy_bytes(&mut self, to: Term, from: Term, bytes: Term) -> EdgeId {
        let mem = self.mem();
        let new = self.terms().copy(mem, to, mem, from, bytes);
        self.set_mem(new)
    }

    /// Copies `bytes` bytes between ranges that do not overlap, unless they are the same; else the access is invalid. Models of the
    /// library know that their own ranges do not, or say so by `__kerf_apart`.
    pub(super) fn copy_apart(&mut self, to: Term, from: Term, bytes: Term) {
        let e = self.copy_bytes(to, from, bytes);
        if !self.cx.cfa.funcs[self.func].library {
            self.cx.cfa.apart.insert(e, [to, from, bytes]);
        }
    }

    /// The address of a copy of the object at `from`, of type `ty` with the stated alignment (0: that of the type), for a callee that it
    /// is passed to by value.
    pub(super) fn copy_of(&mut self, name: &str, from: Term, ty: Type<'m>, stated: u64) -> Term {
        let (size, align) = (self.cx.layout.size(ty), self.cx.layout.align_or(stated, ty));
        let copy = self.stack_slot(name, size, align, true);
        let bytes = self.word(size);
        self.copy_bytes(copy, from, bytes);
        copy
    }

    /// Sets `bytes` bytes at `to` to `byte`.
    pub(super) fn fill_bytes(&mut self, to: Term, byte: Term, bytes: Term) {
        let word = self.cx.pointer_bits();
        let mem = self.mem();
        let terms = self.terms();
        let source = terms.const_array(word, byte);
        let zero = terms.int(word, 0);
        let new = terms.copy(mem, to, source, zero, bytes);
        self.set_mem(new);
    }

    /// Like [`Body::guard_not_null`], for an access of `bytes` bytes, which may be zero.
    pub(super) fn guard_range(&mut self, address: Term, bytes: Term) {
        if self.is_object_address(address) {
            return;
        }
        let terms = self.terms();
        let (some, there) = (terms.nonzero(bytes), terms.nonzero(address));
        let cond = terms.implies(some, there);
        self.assume(cond, AssumeKind::Guard);
    }

    pub(super) fn load(&mut self, inst: Value<'m>) -> Lowered<()> {
        let address = self.address(inst.operand(0))?;
        let flat = self.cx.flat(inst.ty())?;
        self.guard_not_null(address);
        if self.dead {
            return Ok(());
        }
        let first = self.cx.next_edge();
        let vals = self.read_all(address, &flat);
        if vals.is_empty() {
            self.values.insert(inst, vals);
        } else {
            self.define_held(inst, vals);
        }
        // Nothing but the program knows where its locals lie.
        let of = inst.operand(0);
        if inst.is_volatile_load() && !(of.is_instruction() && of.opcode() == Opcode::Alloca) {
            self.cx.assume_from(first, Assumed::VolatileKept);
        }
        Ok(())
    }

    /// The one scalar of a pointer operand in the default address space.
    pub(super) fn address(&mut self, pointer: Value<'m>) -> Lowered<Term> {
        if pointer.ty().address_space() != 0 {
            return Err(NoModel(format!("an access to address space {}", pointer.ty().address_space())));
        }
        self.scalar(pointer)
    }

    /// The scalars of a type stored at `address`.
    pub(super) fn read_all(&mut self, address: Term, flat: &Flat) -> Vals {
        let mem = self.mem();
        if flat.packed {
            let whole = self.terms().read(mem, address, flat.store as u32 * 8);
            return self.unpack(whole, flat.leaves.iter().map(|l| l.bits));
        }
        let mut vals = Vals::new();
        for leaf in &flat.leaves {
            let terms = self.terms();
            let at = terms.add_int(address, leaf.offset);
            let whole = terms.read(mem, at, leaf.bytes * 8);
            vals.push(terms.extract(leaf.bits - 1, 0, whole));
            if leaf.scalar == Scalar::Pointer {
                self.cx.facts.pointer_accesses.insert(whole);
            }
        }
        vals
    }

    /// The memory after storing the scalars of a type at `address`.
    pub(super) fn written(&mut self, mut memory: Term, address: Term, flat: &Flat, vals: &[Term]) -> Term {
        if flat.packed {
            let whole = self.pack(vals);
            let terms = self.terms();
            let whole = terms.zext(flat.store as u32 * 8, whole);
            return terms.write(memory, address, whole);
        }
        for (leaf, &val) in flat.leaves.iter().zip(vals) {
            memory = self.written_leaf(memory, address, leaf, val);
        }
        memory
    }

    /// The memory after storing one scalar at its offset from `address`.
    pub(super) fn written_leaf(&mut self, memory: Term, address: Term, leaf: &Leaf, val: Term) -> Term {
        let terms = self.terms();
        let at = terms.add_int(address, leaf.offset);
        let whole = terms.zext(leaf.bytes * 8, val);
        if leaf.scalar == Scalar::Pointer {
            return self.written_pointer(memory, at, whole);
        }
        terms.write(memory, at, whole)
    }

    /// The memory after storing `pointer` at `at`, as a pointer.
    pub(super) fn written_pointer(&mut self, memory: Term, at: Term, pointer: Term) -> Term {
        let new = self.terms().write(memory, at, pointer);
        self.cx.facts.pointer_accesses.insert(new);
        new
    }

    pub(super) fn store(&mut self, inst: Value<'m>) -> Lowered<()> {
        let vals = self.value(inst.operand(0))?;
        let address = self.address(inst.operand(1))?;
        let flat = self.cx.flat(inst.operand(0).ty())?;
        self.guard_not_null(address);
        if self.dead || vals.is_empty() {
            return Ok(());
        }
        let vals = if self.stores_foreign_structure(inst) { self.maybe_pointers(&flat, vals) } else { vals };
        let mem = self.mem();
        let new = self.written(mem, address, &flat, &vals);
        if new != mem {
            self.set_mem(new);
        }
        Ok(())
    }

    /// Whether a store writes a structure or union that came from outside in registers, that is, as integers that may contain
    /// pointers.
    fn stores_foreign_structure(&mut self, store: Value<'m>) -> bool {
        let (mut value, mut slot) = (store.operand(0), store.operand(1).without_bitcasts());
        let is = |v: Value<'m>, opcode| v.is_instruction() && v.opcode() == opcode;
        while is(value, Opcode::ExtractValue) {
            value = value.operand(0);
        }
        while is(slot, Opcode::GetElementPtr) {
            slot = slot.operand(0).without_bitcasts();
        }
        if !is(slot, Opcode::Alloca) || slot.allocated_type().kind() != TypeKind::LLVMStructTypeKind {
            return false;
        }
        if is(value, Opcode::Call) || is(value, Opcode::Invoke) {
            let called = value.called().stripped();
            return called.is_function() && matches!(self.cx.resolver.callee(called), Callee::External);
        }
        value.kind() == ValueKind::LLVMArgumentValueKind
            && self.cx.foreign_entry.is_some()
            && self.cx.foreign_entry == self.llvm
    }

    /// `vals`, in which each integer of the width of an address is treated as an address that may come from outside.
    pub(super) fn maybe_pointers(&mut self, flat: &Flat, mut vals: Vals) -> Vals {
        let word = self.cx.pointer_bits();
        for (leaf, val) in flat.leaves.iter().zip(&mut vals) {
            if leaf.scalar == Scalar::Int && leaf.bits == word {
                *val = self.cx.outside_address(*val);
            }
        }
        vals
    }

    /// Reads the old value at an atomic operation's address into variables.
    fn read_old(&mut self, inst: Value<'m>, ty: Type<'m>) -> Lowered<(Term, std::rc::Rc<Flat>, Term)> {
        let address = self.address(inst.operand(0))?;
        let flat = self.cx.flat(ty)?;
        if flat.leaves.len() != 1 {
            return Err("an atomic access of several scalars".into());
        }
        self.guard_not_null(address);
        let old = self.read_all(address, &flat)[0];
        let old = self.hold("old", old);
        Ok((address, flat, old))
    }

    pub(super) fn compare_exchange(&mut self, inst: Value<'m>) -> Lowered<()> {
        let (expected, new) = (self.scalar(inst.operand(1))?, self.scalar(inst.operand(2))?);
        let (address, flat, old) = self.read_old(inst, inst.operand(1).ty())?;
        let mut same = self.terms().eq(old, expected);
        if inst.is_weak() {
            let fails = self.input("fails", 1, InputKind::Approximate("a weak comparison".into()));
            let terms = self.terms();
            let fails = terms.nonzero(fails);
            let succeeds = terms.not(fails);
            same = terms.and(same, succeeds);
        }
        let next = self.terms().ite(same, new, old);
        let success = self.truth(same);
        let mem = self.mem();
        let memory = self.written(mem, address, &flat, &[next]);
        self.set_mem(memory);
        self.define(inst, smallvec![old, success]);
        Ok(())
    }

    pub(super) fn read_modify_write(&mut self, inst: Value<'m>) -> Lowered<()> {
        use cfa::bv::BvCmp::{Slt, Ult};
        let operand = self.scalar(inst.operand(1))?;
        let ty = inst.operand(1).ty();
        let (address, flat, old) = self.read_old(inst, ty)?;
        let operation = inst.rmw_op().ok_or("an atomic operation without a name")?;
        let next = match operation {
            RmwOp::Xchg => operand,
            RmwOp::Add => self.terms().add(old, operand),
            RmwOp::Sub => self.terms().sub(old, operand),
            RmwOp::And => self.terms().bv_op(BvOp::And, old, operand),
            RmwOp::Nand => {
                let and = self.terms().bv_op(BvOp::And, old, operand);
                self.terms().bv_not(and)
            }
            RmwOp::Or => self.terms().bv_op(BvOp::Or, old, operand),
            RmwOp::Xor => self.terms().bv_op(BvOp::Xor, old, operand),
            RmwOp::Max => self.integer_extreme(Slt, false, old, operand),
            RmwOp::Min => self.integer_extreme(Slt, true, old, operand),
            RmwOp::UMax => self.integer_extreme(Ult, false, old, operand),
            RmwOp::UMin => self.integer_extreme(Ult, true, old, operand),
            op if wraps_at_limit(op) => {
                let reached = self.compare_terms(IntPredicate::UGE, old, operand);
                let terms = self.terms();
                let reached = terms.nonzero(reached);
                let (up, zero) = (terms.add_int(old, 1), terms.int(terms.width(old), 0));
                terms.ite(reached, zero, up)
            }
            other => {
                let (op, format) = float_update(other, flat.leaves[0].scalar)?;
                self.arithmetic(op, format, &[old, operand])
            }
        };
        let mem = self.mem();
        let memory = self.written(mem, address, &flat, &[next]);
        self.set_mem(memory);
        self.define(inst, smallvec![old]);
        Ok(())
    }

    /// A new local variable for the result of a call, unassigned so far.
    pub(super) fn result_var(&mut self, name: &str, bits: u32) -> VarId {
        self.local(name, Sort::Bv(bits))
    }

    /// Adds an edge without effect, for tables that refer to it.
    pub(super) fn skip(&mut self) -> cfa::EdgeId {
        self.emit(Op::Skip)
    }
}

/// The operation of an atomic instruction on floats.
fn float_update(op: RmwOp, scalar: Scalar) -> Lowered<(FloatOp, Format)> {
    let float_op = match op {
        RmwOp::FAdd => FloatOp::Add,
        RmwOp::FSub => FloatOp::Sub,
        _ => return Err(NoModel(format!("the operation {op:?}"))),
    };
    match scalar {
        Scalar::Float(format) => Ok((float_op, format)),
        _ => Err("an atomic float operation on a type that is not a float".into()),
    }
}

/// Whether the first instruction after `after` in its block that mentions `slot` overwrites all of it.
fn overwritten_first(layout: &crate::layout::Layout, after: Value, slot: Value, size: u64) -> bool {
    let mut next = after.next();
    while let Some(inst) = next {
        if (0..inst.n_operands()).any(|i| inst.operand(i) == slot) {
            return inst.opcode() == Opcode::Store
                && inst.operand(1) == slot
                && inst.operand(0) != slot
                && !inst.operand(0).ty().is_vector()
                && layout.size(inst.operand(0).ty()) == size
                && layout.store_size(inst.operand(0).ty()) == size;
        }
        next = inst.next();
    }
    false
}

/// Whether the address of a stack slot, or of a part of it, may be kept anywhere: then it may be used when the slot is gone.
fn is_address_kept(v: Value) -> bool {
    v.users().into_iter().any(|user| {
        if !user.is_instruction() {
            return true;
        }
        match user.opcode() {
            Opcode::Load => false,
            Opcode::Store => user.operand(0) == v,
            Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast => is_address_kept(user),
            Opcode::Call => {
                let name = user.called().name();
                !["llvm.lifetime.", "llvm.memcpy.", "llvm.memset.", "llvm.memmove.", "llvm.dbg."]
                    .iter()
                    .any(|harmless| name.starts_with(harmless))
            }
            _ => true,
        }
    })
}
