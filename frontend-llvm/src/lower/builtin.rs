//! Functions that are lowered in place: inputs, assumptions, program termination, memory.

use super::body::Body;
use super::call::CallSite;
use super::heap::HEAP_ALIGN;
use super::{Lowered, NoModel, Vals};
use crate::builtin::{Builtin, Math};
use crate::ir::{Opcode, TypeKind, ValueKind};
use crate::resolve::Callee;
use crate::symbols::plain;
use crate::verifier_names::{Claim, reading_of};
use cfa::bv::{BvCmp, BvOp};
use cfa::{Asks, AssumeKind, Assumed, Delivered, EdgeId, Id, InputKind, Term, Unsupported};
use smallvec::smallvec;

/// Prefix of the name that the target of a failing assertion has; after it comes the function's name.
pub const ASSERTION: &str = "assertion ";

impl<'m> Body<'_, '_, 'm> {
    /// Lowers a call of `b` and returns the scalars of its result.
    pub(super) fn builtin(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let first = self.cx.next_edge();
        let result = self.by_meaning(b, site)?;
        if let Some(meaning) = reading_of(plain(&site.name)) {
            let edges = (first..self.cx.next_edge()).map(EdgeId::from_index);
            let readings = self.cx.readings.entry(site.name.clone()).or_insert((meaning, Vec::new()));
            readings.1.extend(edges);
        }
        Ok(result)
    }

    /// What a model stands for depends on more than the graph shows: no slice can contain it.
    fn depends_on_more(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        if self.cx.signals_arrive {
            let what = self.string_arg(site, 0).unwrap_or_else(|| "a library function".into());
            self.unsliceable(what);
        }
        Ok(Vals::new())
    }

    /// A constant that tells a model about the program.
    fn fact(&mut self, number: u64) -> Term {
        self.terms().int(32, number)
    }

    fn by_meaning(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        match b {
            Builtin::Nondet => self.nondet(site),
            Builtin::NondetBool => self.nondet_bool(site),
            Builtin::LibraryNondet => self.input_result(site, library_input(&site.name)),
            Builtin::Assume | Builtin::AssumeNot => self.assume_call(b, site),
            Builtin::Assert(_) | Builtin::Check | Builtin::Failure => self.assertion(b, site),
            Builtin::Approximate => self.input_result(site, InputKind::Approximate(site.name.as_str().into())),
            Builtin::OfObject(question) => self.object_question(question, site),
            Builtin::MakeSymbolic | Builtin::Havoc => {
                let (address, bytes) = self.block_of(site)?;
                let result = self.forget_block(site, program_input(site))?;
                self.deliver(Delivered::Contents(site.name.as_str().into()), [bytes, address, bytes, bytes]);
                Ok(result)
            }
            Builtin::LibraryHavoc => self.forget_block(site, library_input(&site.name)),
            Builtin::KleeInt => self.input_result(site, program_input(site)),
            Builtin::KleeRange => self.klee_range(site),
            Builtin::KleeChoose => self.klee_choose(site),
            Builtin::HavocObject => self.forget_whole_object(site),
            Builtin::LibraryUnsupported => {
                let reason = self.string_arg(site, 0).unwrap_or_else(|| "something in a library model".into());
                self.unsupported(Unsupported { may_call: false, ..Unsupported::opaque(reason) });
                self.zero_result(site)
            }
            Builtin::LibraryAssumption | Builtin::LibraryAssumptionThroughout => self.model_assumes(b, site),
            Builtin::LibraryDelivery => self.library_delivery(site),
            Builtin::LibraryApart => self.was_copied(site),
            Builtin::LibraryErrnoIsRead => Ok(smallvec![self.fact(u64::from(self.cx.errno_is_read()))]),
            Builtin::LibraryEnvironmentUse => Ok(smallvec![self.fact(self.cx.environment_use())]),
            Builtin::LibrarySignalsArrive => Ok(smallvec![self.fact(u64::from(self.cx.signals_arrive))]),
            Builtin::LibraryMasksAreSaved => Ok(smallvec![self.fact(u64::from(self.cx.masks_are_saved()))]),
            Builtin::LibraryUnsliceable => self.depends_on_more(site),
            Builtin::End => {
                let e = self.skip();
                self.cx.cfa.external_calls.insert(e, site.name.clone());
                self.end();
                Ok(Vals::new())
            }
            Builtin::Exit => self.exit(site),
            Builtin::Nothing => self.zero_result(site),
            Builtin::Malloc => {
                let bytes = self.size_arg(site, 0)?;
                let too_large = self.is_too_large(bytes);
                Ok(smallvec![self.unless(too_large, |body| Ok(body.heap_block(bytes, 1)))?])
            }
            Builtin::New | Builtin::AlignedNew => self.operator_new(b, site),
            Builtin::Calloc => {
                let (n, each) = (self.size_arg(site, 0)?, self.size_arg(site, 1)?);
                let (bytes, too_large) = self.product(n, each);
                Ok(smallvec![self.unless(too_large, |body| Ok(body.zeroed_block(bytes)))?])
            }
            Builtin::Realloc => {
                let (old, bytes) = (site.arg(0)?, self.size_arg(site, 1)?);
                let too_large = self.is_too_large(bytes);
                Ok(smallvec![self.unless(too_large, |body| body.resized_block(old, bytes))?])
            }
            Builtin::ReallocArray => {
                let (old, n, each) = (site.arg(0)?, self.size_arg(site, 1)?, self.size_arg(site, 2)?);
                let (bytes, too_large) = self.product(n, each);
                Ok(smallvec![self.unless(too_large, |body| body.resized_block(old, bytes))?])
            }
            Builtin::RustAlloc | Builtin::RustZeroed => self.rust_alloc(b, site),
            Builtin::RustRealloc => self.rust_realloc(site),
            Builtin::RustStart => self.rust_start(site),
            Builtin::Free => {
                let address = site.arg(0)?;
                self.freed(address);
                Ok(Vals::new())
            }
            Builtin::AlignedAlloc => {
                let bytes = self.size_arg(site, 1)?;
                let too_large = self.is_too_large(bytes);
                Ok(smallvec![self.unless(too_large, |body| body.aligned_block(site, 0, bytes))?])
            }
            Builtin::PosixMemalign => self.posix_memalign(site),
            Builtin::StackAlloc => {
                let bytes = self.size_arg(site, 0)?;
                let fixed = self.terms().as_u64(bytes);
                Ok(smallvec![self.new_instance("alloca", fixed, bytes, 16, false)])
            }
            Builtin::Copy | Builtin::CopyToEnd | Builtin::Move => self.copy_call(b, site),
            Builtin::Fill => {
                let (to, byte, bytes) = (site.arg(0)?, site.arg(1)?, self.size_arg(site, 2)?);
                let byte = self.terms().resize(8, byte);
                self.guard_range(to, bytes);
                self.fill_bytes(to, byte, bytes);
                self.result_if_wanted(site, to)
            }
            Builtin::Zero => {
                let (to, bytes) = (site.arg(0)?, self.size_arg(site, 1)?);
                let byte = self.terms().int(8, 0);
                self.guard_range(to, bytes);
                self.fill_bytes(to, byte, bytes);
                Ok(Vals::new())
            }
            Builtin::Math(function) => self.math_call(function, site),
            Builtin::SetJump => self.set_jump(site),
            Builtin::LongJump => self.long_jump(site),
            Builtin::Unsupported => self.unsupported_call(site),
        }
    }

    /// An input of the type that the function returns.
    fn nondet(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        if site.result.is_void() {
            return Ok(Vals::new());
        }
        self.input_result(site, program_input(site))
    }

    /// An input that is 0 or 1.
    fn nondet_bool(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let flat = self.cx.flat(site.result)?;
        let [leaf] = flat.leaves[..] else { return Err("a truth value of several scalars".into()) };
        let bit = self.call_input(site, 1, program_input(site));
        Ok(smallvec![self.terms().zext(leaf.bits, bit)])
    }

    /// Argument `i` as a condition.
    fn condition_arg(&mut self, site: &CallSite<'m>, i: usize) -> Lowered<Term> {
        // Bits do not tell: the negative zero is false.
        if site.types.get(i).is_some_and(|ty| crate::layout::float_format(*ty).is_some()) {
            return Err(NoModel(format!("{} of a floating-point number", site.name)));
        }
        let holds = site.arg(i)?;
        Ok(self.terms().nonzero(holds))
    }

    /// `__VERIFIER_assume` and the like.
    fn assume_call(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let cond = self.condition_arg(site, 0)?;
        let cond = if b == Builtin::AssumeNot { self.terms().not(cond) } else { cond };
        let e = self.cx.cfa.edges.len();
        self.assume(cond, AssumeKind::User);
        if self.cx.cfa.edges.len() > e {
            self.cx.cfa.external_calls.insert(cfa::EdgeId(e as u32), site.name.clone());
        }
        self.zero_result(site)
    }

    /// An assertion in the words of another verifier. Its failure violates the property if that was given by name; otherwise it ends the
    /// execution, except with CBMC, which goes on.
    fn assertion(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let is_error = self.cx.assertions;
        if b == Builtin::Failure && is_error {
            self.reach_target(&site.name);
            return Ok(Vals::new());
        }
        let e = self.skip();
        self.cx.cfa.external_calls.insert(e, site.name.clone());
        if b == Builtin::Check && !is_error {
            return self.zero_result(site);
        }
        let failed = match b {
            Builtin::Failure => self.terms().bool(true),
            Builtin::Assert(Claim::HoldsNot) => self.condition_arg(site, 0)?,
            Builtin::Assert(Claim::HoldsIf) => {
                let (matters, holds) = (self.condition_arg(site, 0)?, self.condition_arg(site, 1)?);
                let terms = self.terms();
                let fails = terms.not(holds);
                terms.and(matters, fails)
            }
            _ => {
                let holds = self.condition_arg(site, 0)?;
                self.terms().not(holds)
            }
        };
        self.when(failed, |body| {
            if is_error {
                body.reach_target(&format!("{}{}", ASSERTION, site.name));
            } else {
                body.end();
            }
            Ok(())
        })?;
        if self.dead { Ok(Vals::new()) } else { self.zero_result(site) }
    }

    /// Arbitrary bytes in the whole object that an address points into.
    fn forget_whole_object(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let mut base = site.inst.and_then(|call| call.call_args().first().copied()).map(|v| v.stripped());
        while let Some(v) = base.filter(|v| v.is_instruction() && v.opcode() == Opcode::GetElementPtr) {
            base = Some(v.operand(0).stripped());
        }
        let known = match base {
            Some(slot) if self.slots.contains_key(&slot) => Some(self.slots[&slot]),
            Some(v) if v.kind() == ValueKind::LLVMGlobalVariableValueKind => {
                let global = self.cx.resolver.global(v);
                let is_known = global.initializer().is_some() && !global.is_constant_global();
                let size = self.cx.layout.size(global.value_type());
                if is_known { Some((self.scalar(v)?, size)) } else { None }
            }
            _ => None,
        };
        let (address, bytes) = match known {
            Some((address, size)) => (address, self.word(size)),
            None => {
                let offset = self.of_object(Asks::Offset, site, 0)?;
                let bytes = self.of_object(Asks::Extent, site, 0)?;
                let within = site.arg(0)?;
                let begin = self.terms().bv_op(BvOp::Sub, within, offset);
                (self.hold("object", begin), bytes)
            }
        };
        self.forget("symbolic", address, bytes, program_input(site));
        self.deliver(Delivered::Contents(site.name.as_str().into()), [bytes, address, bytes, bytes]);
        self.zero_result(site)
    }

    /// The address and the number of the bytes that a call makes arbitrary: the first two arguments. SeaHorn's proofs call `memhavoc` for
    /// what could not be allocated, too: at null there is nothing.
    fn block_of(&mut self, site: &CallSite<'m>) -> Lowered<(Term, Term)> {
        let (address, bytes) = (site.arg(0)?, self.size_arg(site, 1)?);
        if site.name != "memhavoc" {
            return Ok((address, bytes));
        }
        let terms = self.terms();
        let (there, none) = (terms.nonzero(address), terms.int(terms.width(bytes), 0));
        Ok((address, terms.ite(there, bytes, none)))
    }

    /// Arbitrary bytes in a block of memory.
    fn forget_block(&mut self, site: &CallSite<'m>, kind: InputKind) -> Lowered<Vals> {
        let (address, bytes) = self.block_of(site)?;
        self.guard_range(address, bytes);
        self.forget("symbolic", address, bytes, kind);
        self.zero_result(site)
    }

    /// An input in a range.
    fn klee_range(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let vals = self.input_result(site, program_input(site))?;
        let (low, high) = (site.arg(0)?, site.arg(1)?);
        let terms = self.terms();
        let (above, below) = (terms.cmp(BvCmp::Sle, low, vals[0]), terms.cmp(BvCmp::Slt, vals[0], high));
        let inside = terms.and(above, below);
        self.assume_user(inside);
        Ok(vals)
    }

    /// An input that is less than the argument, without a sign.
    fn klee_choose(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let vals = self.input_result(site, program_input(site))?;
        let [chosen] = vals[..] else { return Err("a choice among what is no number".into()) };
        let bound = site.arg(0)?;
        let terms = self.terms();
        let bits = terms.width(chosen).max(terms.width(bound));
        let (chosen, bound) = (terms.resize(bits, chosen), terms.resize(bits, bound));
        let inside = terms.cmp(BvCmp::Ult, chosen, bound);
        self.assume_user(inside);
        Ok(vals)
    }

    /// The end of the program, after the functions of `atexit`.
    fn exit(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        self.run_at_exit();
        if !self.dead {
            self.note_end();
            let e = self.skip();
            self.cx.cfa.external_calls.insert(e, site.name.clone());
            self.end();
        }
        Ok(Vals::new())
    }

    /// C++'s `operator new`, which throws if there is not enough memory.
    fn operator_new(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let align = if b == Builtin::New { 1 } else { self.constant_arg(site, 1)? };
        let bytes = self.size_arg(site, 0)?;
        let too_large = self.is_too_large(bytes);
        self.when(too_large, |body| {
            body.unsupported(Unsupported::opaque("operator new that throws"));
            Ok(())
        })?;
        Ok(smallvec![self.heap_block(bytes, align)])
    }

    /// A new block for Rust.
    fn rust_alloc(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let (bytes, align) = (self.size_arg(site, 0)?, self.alignment_arg(site, 1)?);
        let too_large = self.is_too_large(bytes);
        let block = self.unless(too_large, |body| {
            let block = body.heap_block(bytes, align);
            if b == Builtin::RustZeroed {
                let zero = body.terms().int(8, 0);
                body.fill_bytes(block, zero, bytes);
            }
            Ok(block)
        })?;
        Ok(smallvec![block])
    }

    /// A resized block for Rust: always a new one.
    fn rust_realloc(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let (old, bytes) = (site.arg(0)?, self.size_arg(site, 1)?);
        let (align, new_bytes) = (self.alignment_arg(site, 2)?, self.size_arg(site, 3)?);
        let too_large = self.is_too_large(new_bytes);
        let block = self.unless(too_large, |body| {
            let block = body.heap_block(new_bytes, align);
            let terms = body.terms();
            let less = terms.cmp(BvCmp::Ult, bytes, new_bytes);
            let kept = terms.ite(less, bytes, new_bytes);
            body.copy_bytes(block, old, kept);
            body.freed(old);
            Ok(block)
        })?;
        Ok(smallvec![block])
    }

    /// The start of a Rust program, which calls its main function.
    fn rust_start(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let main = site.inst.and_then(|call| call.call_args().first().copied());
        let main = main.map(|f| f.stripped()).filter(|f| f.is_function() && f.params().is_empty());
        match main.map(|f| self.cx.resolver.callee(f)) {
            Some(Callee::Body(f)) => self.call_plain(f)?,
            _ => return Err("a main function of Rust of this form".into()),
        }
        self.input_result(site, InputKind::Library(site.name.as_str().into()))
    }

    /// An assumption of a library model, whose text is the argument.
    fn model_assumes(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let what = Assumed::OfModel(self.string_arg(site, 0).ok_or("an assumption that is not constant")?);
        let e = self.skip();
        match b {
            Builtin::LibraryAssumptionThroughout => self.cx.assume_reached(e, what),
            _ => self.cx.assume_where(e, what),
        }
        Ok(Vals::new())
    }

    /// Ranges between which a library model has copied, and which must not overlap.
    fn was_copied(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let ranges = [site.arg(0)?, site.arg(1)?, site.arg(2)?];
        let ranges = ranges.map(|t| self.hold("copied", t));
        let e = self.skip();
        self.cx.cfa.apart.insert(e, ranges);
        Ok(Vals::new())
    }

    /// A new block whose address is stored, and an error number.
    fn posix_memalign(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        /// The error number for an invalid argument.
        const EINVAL: u64 = 22;
        /// The error number for a lack of memory.
        const ENOMEM: u64 = 12;
        let (place, align, bytes) = (site.arg(0)?, self.size_arg(site, 1)?, self.size_arg(site, 2)?);
        // POSIX requires a power of two that is a multiple of an address's size.
        let least = self.word(u64::from(self.cx.pointer_bits() / 8));
        let (power, small) = (self.is_power_of_two(align), self.terms().cmp(BvCmp::Ult, align, least));
        let too_large = self.is_too_large(bytes);
        let terms = self.terms();
        let other = terms.not(power);
        let invalid = terms.or(other, small);
        let failed = terms.or(invalid, too_large);
        let possible = terms.not(failed);
        self.when(possible, |body| {
            let block = body.aligned_block(site, 1, bytes)?;
            body.guard_not_null(place);
            let mem = body.mem();
            let new = body.written_pointer(mem, place, block);
            body.set_mem(new);
            Ok(())
        })?;
        let terms = self.terms();
        let (not_valid, no_memory, done) = (terms.int(32, EINVAL), terms.int(32, ENOMEM), terms.int(32, 0));
        let result = terms.ite(too_large, no_memory, done);
        let result = terms.ite(invalid, not_valid, result);
        self.may_set_errno()?;
        self.result_if_wanted(site, result)
    }

    /// `memcpy` and `memmove`, and those functions that return the end.
    fn copy_call(&mut self, b: Builtin, site: &CallSite<'m>) -> Lowered<Vals> {
        let (to, from, bytes) = (site.arg(0)?, site.arg(1)?, self.size_arg(site, 2)?);
        self.guard_range(to, bytes);
        self.guard_range(from, bytes);
        if b == Builtin::Move {
            self.copy_bytes(to, from, bytes);
        } else {
            self.copy_apart(to, from, bytes);
        }
        let result = if b == Builtin::CopyToEnd { self.terms().add(to, bytes) } else { to };
        self.result_if_wanted(site, result)
    }

    /// A mathematical function.
    fn math_call(&mut self, function: Math, site: &CallSite<'m>) -> Lowered<Vals> {
        let format =
            crate::layout::float_format(site.result).ok_or("a mathematical function of a type that is not a float")?;
        let mut args = Vec::new();
        for i in 0..site.args.len() {
            args.push(site.arg(i)?);
        }
        let result = self.math(function, format, &args)?;
        if matches!(function, Math::Sqrt | Math::Mod | Math::Fma) && self.cx.errno_is_read() {
            self.mathematics_may_set_errno()?;
        }
        Ok(smallvec![result])
    }

    /// A function without a model.
    fn unsupported_call(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let e = self.unsliceable(format!("{} is not supported", site.name));
        self.cx.cfa.external_calls.insert(e, site.name.clone());
        let flat = self.cx.flat(site.result)?;
        let cx = &mut self.cx;
        Ok(flat.leaves.iter().map(|l| cx.undef(l.bits)).collect())
    }

    /// An input of `bits` bits that represents the call.
    pub(super) fn call_input(&mut self, site: &CallSite<'m>, bits: u32, kind: InputKind) -> Term {
        let name = site.inst.map(|i| i.name()).filter(|n| !n.is_empty()).unwrap_or_else(|| site.name.clone());
        let var = self.result_var(&name, bits);
        let e = self.emit(cfa::Op::Input { var, kind });
        self.cx.cfa.external_calls.insert(e, site.name.clone());
        self.cx.cfa.var_term(var)
    }

    /// Argument `i` as a number of bytes.
    pub(super) fn size_arg(&mut self, site: &CallSite<'m>, i: usize) -> Lowered<Term> {
        let t = site.arg(i)?;
        let word = self.cx.pointer_bits();
        Ok(self.terms().resize(word, t))
    }

    /// Argument `i` as an alignment; a non-constant one is replaced by the alignment of all blocks.
    fn alignment_arg(&mut self, site: &CallSite<'m>, i: usize) -> Lowered<u64> {
        let align = site.arg(i)?;
        if let Some(constant) = self.terms().as_u64(align).filter(|n| n.is_power_of_two()) {
            return Ok(constant);
        }
        let word = self.cx.pointer_bits();
        let terms = self.terms();
        let (align, most) = (terms.resize(word, align), terms.int(word, HEAP_ALIGN));
        let beyond = terms.cmp(BvCmp::Ult, most, align);
        self.when(beyond, |body| {
            body.unsupported(Unsupported::opaque("an alignment larger than malloc's"));
            Ok(())
        })?;
        Ok(HEAP_ALIGN)
    }

    fn constant_arg(&mut self, site: &CallSite<'m>, i: usize) -> Lowered<u64> {
        let t = site.arg(i)?;
        let value = self.terms().as_u64(t).filter(|v| v.is_power_of_two());
        value.ok_or_else(|| NoModel(format!("{} with an alignment that is not a constant power of two", site.name)))
    }

    /// The text of argument `i`, if it is a constant string.
    pub(super) fn string_arg(&self, site: &CallSite<'m>, i: usize) -> Option<String> {
        Some(String::from_utf8_lossy(&self.string_bytes_arg(site, i)?).into_owned())
    }

    /// Likewise, as bytes without the terminating 0, which is there.
    pub(super) fn string_bytes_arg(&self, site: &CallSite<'m>, i: usize) -> Option<Vec<u8>> {
        let global = site.inst?.call_args().get(i).copied()?.stripped();
        let is_constant = global.kind() == ValueKind::LLVMGlobalVariableValueKind && global.is_constant_global();
        let init = is_constant.then(|| global.initializer())??;
        if init.kind() != ValueKind::LLVMConstantDataArrayValueKind || init.ty().kind() != TypeKind::LLVMArrayTypeKind {
            return None;
        }
        let bytes = init.raw_data();
        let end = bytes.iter().position(|b| *b == 0)?;
        Some(bytes[..end].to_vec())
    }

    /// A zero result, if the prototype has a result.
    fn zero_result(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let flat = self.cx.flat(site.result)?;
        let terms = self.terms();
        Ok(flat.leaves.iter().map(|l| terms.constant(&cfa::bv::Bv::new(l.bits, 0))).collect())
    }

    /// `result`, if the prototype has a result.
    pub(super) fn result_if_wanted(&mut self, site: &CallSite<'m>, result: Term) -> Lowered<Vals> {
        let flat = self.cx.flat(site.result)?;
        Ok(match flat.leaves.first() {
            None => Vals::new(),
            Some(leaf) => smallvec![self.terms().resize(leaf.bits, result)],
        })
    }
}

/// The kind of inputs that the program's functions for inputs return.
fn program_input(site: &CallSite<'_>) -> InputKind {
    InputKind::Program(site.name.as_str().into())
}

/// The kind of the arbitrary values that a library model requests by this name.
fn library_input(name: &str) -> InputKind {
    if name.starts_with("__kerf_approx_") {
        InputKind::Approximate(name.into())
    } else {
        InputKind::Library(name.into())
    }
}
