//! Objects with any number of instances: heap blocks, variable-length arrays, stack slots of recursive functions.
//!
//! No block has more than `PTRDIFF_MAX` bytes: a larger request fails.
//!
//! The n-th instance of a site is at `Addr(site) + n * stride`, where n is a counter variable of the site. Where the size is not constant,
//! preparation chooses the stride, and ends executions that request more. How many bytes a block has, which `realloc` asks, does not
//! lie in its memory: preparation finds it out.

use super::Lowered;
use super::body::Body;
use super::call::CallSite;
use cfa::bv::{BvCmp, BvOp};
use cfa::term::Terms;
use cfa::{
    Allocation, Asks, AssumeKind, Assumed, BlockQuestion, EdgeId, Id, InputKind, ObjectKind, Op, Scope, Sort, Term,
};

/// Alignment of heap blocks.
pub(super) const HEAP_ALIGN: u64 = 16;

/// The name of the inputs that choose whether a library function sets `errno`.
pub const ERRNO_IS_SET: &str = "whether errno is set";

impl<'m> Body<'_, '_, 'm> {
    /// Makes an instance of a new site at this point of the program and returns its address.
    pub(super) fn new_instance(&mut self, name: &str, fixed: Option<u64>, bytes: Term, align: u64, heap: bool) -> Term {
        // One byte more than the size separates one instance's end from the next one's base.
        let stride = match fixed {
            Some(size) => (size + 1).next_power_of_two().max(align).max(16),
            None => cfa::graph::LEAST_SLOT_BYTES[usize::from(self.cx.pointer_bits() >= 64)],
        };
        let full = self.cx.unique(format!("{}::{name}", self.name));
        let span = self.span;
        let site = self.cx.new_object(full.clone(), ObjectKind::Site(self.func), fixed, align, span);
        self.cx.cfa.objects[site].stride_bytes = stride;
        self.cx.cfa.objects[site].heap = heap;
        self.cx.cfa.objects[site].hidden = self.cx.cfa.funcs[self.func].insider;
        let word = self.cx.pointer_bits();
        let count = self.cx.new_var(format!("{full}.count"), Sort::Bv(word), Scope::Global);
        self.cx.counts.push(count);
        let var = self.local(&format!("{name}.new"), Sort::Bv(word));
        let base = self.cx.addr(site);
        let n = self.cx.cfa.var_term(count);
        let terms = self.terms();
        let stride = terms.int(word, stride);
        let offset = terms.bv_op(BvOp::Mul, n, stride);
        let address = terms.add(base, offset);
        let next = terms.add_int(n, 1);
        let e = self.emit(Op::Assign(Box::new([(var, address), (count, next)])));
        self.cx.cfa.allocations.insert(e, Allocation { object: site, var, size: bytes });
        self.nonnull.insert(var);
        self.cx.cfa.var_term(var)
    }

    /// Whether `bytes`, a number that does not wrap around, exceeds the maximum block size, as a Bool.
    pub(super) fn is_too_large(&mut self, bytes: Term) -> Term {
        let word = self.cx.pointer_bits();
        if self.terms().upper_bound(bytes) < 1 << (word - 1) {
            return self.terms().ff();
        }
        let terms = self.terms();
        let sign = terms.extract(word - 1, word - 1, bytes);
        terms.nonzero(sign)
    }

    /// `n * each`, and whether that exceeds the maximum block size.
    pub(super) fn product(&mut self, n: Term, each: Term) -> (Term, Term) {
        let word = self.cx.pointer_bits();
        let product = self.terms().bv_op(BvOp::Mul, n, each);
        let most = (1u128 << (word - 1)) - 1;
        if self.terms().upper_bound(n).saturating_mul(self.terms().upper_bound(each)) <= most {
            return (product, self.terms().ff());
        }
        let terms = self.terms();
        let by_constant = |t: Term, by: u64, terms: &mut Terms| {
            let limit = terms.int(word, (most / u128::from(by)) as u64);
            terms.cmp(BvCmp::Ult, limit, t)
        };
        let too_large = match (terms.as_u64(n), terms.as_u64(each)) {
            (Some(0), _) | (_, Some(0)) => terms.ff(),
            (_, Some(by)) => by_constant(n, by, terms),
            (Some(by), _) => by_constant(each, by, terms),
            _ => {
                let (a, b) = (terms.zext(2 * word, n), terms.zext(2 * word, each));
                let exact = terms.bv_op(BvOp::Mul, a, b);
                let high = terms.extract(2 * word - 1, word - 1, exact);
                terms.nonzero(high)
            }
        };
        (product, too_large)
    }

    /// What `make` allocates, or null if the allocation is impossible.
    pub(super) fn unless(&mut self, impossible: Term, make: impl FnOnce(&mut Self) -> Lowered<Term>) -> Lowered<Term> {
        if self.terms().as_bool(impossible) == Some(false) {
            return make(self);
        }
        let null = self.word(0);
        let word = self.cx.pointer_bits();
        let var = self.local("allocated", Sort::Bv(word));
        self.when(impossible, Self::out_of_memory)?;
        self.emit(Op::assign(var, null));
        let possible = self.terms().not(impossible);
        self.when(possible, |body| {
            let block = make(body)?;
            body.emit(Op::assign(var, block));
            Ok(())
        })?;
        Ok(self.cx.cfa.var_term(var))
    }

    /// Sets `errno` to ENOMEM, if the program looks at it.
    fn out_of_memory(&mut self) -> Lowered<()> {
        if let Some(place) = self.errno_place()? {
            // ENOMEM.
            let number = self.terms().int(32, 12);
            let mem = self.mem();
            let new = self.terms().write(mem, place, number);
            self.set_mem(new);
        }
        Ok(())
    }

    /// Models what a library function leaves open about `errno`: it may set `errno` even if it succeeds [C11 7.5, 3], unless the
    /// standard says what it sets `errno` to.
    pub(super) fn leaves_errno_open(&mut self, site: &CallSite<'m>) -> Lowered<()> {
        const DETERMINED: [&str; 21] = [
            "__errno_location",
            "strtol",
            "strtoul",
            "strtoll",
            "strtoull",
            "strtoimax",
            "strtoumax",
            "strtod",
            "strtof",
            "strtold",
            "wcstol",
            "wcstoul",
            "wcstoll",
            "wcstoull",
            "perror",
            "fopen",
            "setenv",
            "unsetenv",
            "sem_init",
            "sem_post",
            "sem_trywait",
        ];
        match &*site.name {
            name if DETERMINED.contains(&name) => Ok(()),
            _ if crate::layout::float_format(site.result).is_some() => self.mathematics_may_set_errno(),
            _ => self.may_set_errno(),
        }
    }

    /// Sets `errno` to any positive number, or leaves it as it is. Alarms may rest on the latter only.
    pub(super) fn may_set_errno(&mut self) -> Lowered<()> {
        self.may_set_errno_by(InputKind::Library(ERRNO_IS_SET.into()))
    }

    /// Sets `errno` to any positive number, or leaves it as it is. Alarms may rest on neither: whether a result is out of range is up to
    /// the function.
    pub(super) fn mathematics_may_set_errno(&mut self) -> Lowered<()> {
        self.may_set_errno_by(InputKind::Approximate(ERRNO_IS_SET.into()))
    }

    fn may_set_errno_by(&mut self, choice: InputKind) -> Lowered<()> {
        let Some(place) = self.errno_place()? else { return Ok(()) };
        let sets = self.input("sets_errno", 1, choice);
        let sets = self.terms().nonzero(sets);
        self.when(sets, |body| {
            let number = body.input("errno", 32, InputKind::Approximate("errno".into()));
            let mem = body.mem();
            let terms = body.terms();
            let zero = terms.int(32, 0);
            let (old, some) = (terms.read(mem, place, 32), terms.cmp(BvCmp::Slt, zero, number));
            let next = terms.ite(some, number, old);
            let new = terms.write(mem, place, next);
            body.set_mem(new);
            Ok(())
        })
    }

    /// The address of `errno`, if the program looks at it.
    fn errno_place(&mut self) -> Lowered<Option<Term>> {
        const NAME: &str = "__errno_location";
        let f = self.cx.resolver.library_function(NAME).filter(|_| self.cx.errno_is_read());
        let Some(f) = f.filter(|f| self.cx.reachable.functions.contains(f)) else { return Ok(None) };
        let result = f.value_type().returns();
        let site = CallSite::made(NAME.into(), result);
        let place = self.call_body(f, &site)?[0];
        Ok(Some(self.hold("errno", place)))
    }

    /// `malloc(bytes)`, for a number of bytes that is not too large.
    pub(super) fn heap_block(&mut self, bytes: Term, align: u64) -> Term {
        let bytes = if self.cx.weight(bytes) > 3 { self.hold("bytes", bytes) } else { bytes };
        let align = align.max(HEAP_ALIGN);
        let fixed = self.terms().as_u64(bytes);
        let block = self.new_instance("heap", fixed, bytes, align, true);
        // Success may be visible elsewhere than in the address, for example in `errno`.
        let made = EdgeId::from_index(self.cx.next_edge() - 1);
        self.cx.assume_where(made, Assumed::AllocationSucceeds);
        block
    }

    /// `calloc`: a block filled with zeros.
    pub(super) fn zeroed_block(&mut self, bytes: Term) -> Term {
        let bytes = if self.cx.weight(bytes) > 3 { self.hold("bytes", bytes) } else { bytes };
        let block = self.heap_block(bytes, HEAP_ALIGN);
        let zero = self.terms().int(8, 0);
        self.fill_bytes(block, zero, bytes);
        block
    }

    /// `realloc(old, bytes)`.
    pub(super) fn resized_block(&mut self, old: Term, bytes: Term) -> Lowered<Term> {
        let bytes = if self.cx.weight(bytes) > 3 { self.hold("bytes", bytes) } else { bytes };
        let old = self.hold("block", old);
        let block = self.heap_block(bytes, HEAP_ALIGN);
        let block = self.hold("block", block);
        let there = self.terms().nonzero(old);
        self.when(there, |body| {
            let size = body.block_size(old);
            let less = body.terms().cmp(BvCmp::Ult, size, bytes);
            let kept = body.terms().ite(less, size, bytes);
            body.copy_bytes(block, old, kept);
            body.freed(old);
            Ok(())
        })?;
        // glibc frees a block that is resized to zero bytes and returns no new one.
        let width = self.cx.pointer_bits();
        let null = self.terms().int(width, 0);
        let nothing = self.terms().eq(bytes, null);
        let freed = self.terms().and(there, nothing);
        if self.terms().as_bool(freed) != Some(false) {
            let e = self.skip();
            self.cx.assume_where(e, Assumed::ResizingToNothing);
        }
        Ok(self.terms().ite(freed, null, block))
    }

    /// The number of bytes of the block at `address`, a variable, which preparation finds out.
    fn block_size(&mut self, address: Term) -> Term {
        let word = self.cx.pointer_bits();
        let size = self.input("size", word, InputKind::Approximate("the size of a block from outside".into()));
        let e = EdgeId::from_index(self.cx.next_edge() - 1);
        self.cx.facts.block_questions.insert(e, BlockQuestion { address, asks: Asks::Size });
        size
    }

    /// `free(address)`. Freeing null does nothing.
    pub(super) fn freed(&mut self, address: Term) {
        let e = self.skip();
        self.cx.cfa.frees.insert(e, address);
    }

    /// Continues only if `cond` holds.
    pub(super) fn assume_user(&mut self, cond: Term) {
        self.assume(cond, AssumeKind::User);
    }
}
