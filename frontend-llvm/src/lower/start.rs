//! The synthetic function where execution begins: globals, constructors, `main` with arbitrary arguments, destructors.
//!
//! An entry function other than `main` (`--entry`, `init(f())`), or a `main` of another type, is called from outside: its
//! parameters are arbitrary, and pointers among them have the same origin as those that undefined functions return.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Lowering, Vals};
use crate::ir::{AttributeLoc, Module, Opcode, Type, TypeKind, Value};
use crate::layout::Scalar;
use crate::structors::{CONSTRUCTORS, DESTRUCTORS, structors};
use cfa::bv::{BvCmp, BvOp};
use cfa::{AddressVector, Assumed, Delivered, InputKind, ObjectKind, Op, Scope, Sort, Span, Term};
use smallvec::smallvec;

/// Number of arguments of `main` that have texts of their own; the further elements of the vector are addresses within one object.
const ARGUMENTS: u64 = 8;

/// Where the further elements of a vector lie, and the object with their texts.
struct Further {
    begin: Term,
    texts: Term,
}

/// Prefix of the names of the inputs that say whether a weak symbol is defined.
pub const WEAK_SYMBOL: &str = "weak symbol ";

impl<'s, 'm> Lowering<'s, 'm> {
    /// Lowers the program that starts at `main`.
    pub(crate) fn lower_program(&mut self, main: Value<'m>) {
        // Vectors that grow are copied.
        let instructions = self.reachable.instructions;
        self.cfa.edges.reserve(instructions);
        self.cfa.locs.reserve(instructions);
        self.cfa.terms.reserve(instructions);
        let name = self.unique(cfa::graph::START.to_string());
        let start = self.cfa.add_func(name, Span::default());
        self.cfa.funcs[start].library = true;
        // It sets the initial values of all objects.
        self.cfa.funcs[start].insider = true;
        self.cfa.entry = start;
        // The prologue, which leads here, is built last, when it is known which globals are used.
        let begun = self.new_loc(start);
        let program = self.program;
        let mut body = Body::new(self, start);
        body.at = begun;
        if !program.inline_asm().trim().is_empty() {
            body.unsupported(cfa::Unsupported::opaque("assembly at the top level of the module"));
        }
        if let Some(f) = program.ifuncs().into_iter().find(|f| f.has_users()) {
            let reason =
                format!("{} is chosen when the program is loaded (ifunc), by code that runs before main", f.name());
            body.unsupported(cfa::Unsupported::opaque(reason));
        }
        let defined = program.globals().into_iter().chain(program.functions()).filter(|v| !v.is_declaration());
        if let Some(section) = defined.map(Value::section).find(|section| is_run(section)) {
            body.unsliceable(format!("something in section {section}, whose contents run before or after main"));
        }
        for f in in_order(program, CONSTRUCTORS) {
            body.call_structor(f);
        }
        if !body.dead {
            body.step("call of the entry function", |body| {
                if is_main(main) { body.call_main(main) } else { body.call_entry(main) }
            });
        }
        if !body.dead {
            body.run_at_exit();
        }
        if !body.dead {
            body.note_end();
            let exit = body.cx.cfa.funcs[start].exit;
            body.leave(exit);
        }
        self.watch_variables();
        // Initialisers may refer to further globals and functions, whose initialisers may in turn do the same.
        let mut steps: Vec<(Span, Lowered<Vec<Term>>)> = Vec::new();
        let (mut done, mut shared) = (0, false);
        loop {
            self.drain();
            shared = shared || self.share_exported();
            let Some(&g) = self.globals.get(done) else { break };
            done += 1;
            let span = self.debug.global_span(&mut self.cfa.files, g);
            steps.push((span, self.initialisation(g)));
        }
        self.lead_jumps();
        self.prologue(start, begun, steps);
        self.note_misfits();
    }

    /// Sets up the memory before the program runs, from the entry of `start` to `begun`.
    fn prologue(&mut self, start: cfa::FuncId, begun: cfa::LocId, steps: Vec<(Span, Lowered<Vec<Term>>)>) {
        let counts = std::mem::take(&mut self.counts);
        let word = self.layout.pointer_bits;
        let zero = self.cfa.terms.int(word, 0);
        let mut body = Body::new(self, start);
        body.heads.insert(begun);
        let mem = body.cx.mem;
        body.emit(Op::Input { var: mem, kind: InputKind::Uninitialised });
        if !counts.is_empty() {
            body.emit(Op::Assign(counts.into_iter().map(|v| (v, zero)).collect()));
        }
        let jump = body.cx.initial_jump();
        if !jump.is_empty() {
            body.emit(Op::Assign(jump.into_boxed_slice()));
        }
        // Whether weak symbols are defined is decided before the program runs.
        for (name, var) in std::mem::take(&mut body.cx.weak_symbols) {
            body.emit(Op::Input { var, kind: InputKind::Program(format!("{WEAK_SYMBOL}{name}").into()) });
        }
        body.draw_labels();
        for (span, step) in steps {
            body.span = span;
            match step {
                Ok(memories) => {
                    for memory in memories {
                        body.set_mem(memory);
                    }
                }
                Err(why) => body.no_model("initialiser of a global variable", why),
            }
        }
        body.leave(begun);
    }
}

/// Whether `f` is named `main` and takes what an operating system passes to it: a number, and up to two vectors of texts.
fn is_main(f: Value) -> bool {
    let ty = f.value_type();
    let params = ty.params();
    let count = params.first().is_none_or(|p| p.kind() == TypeKind::LLVMIntegerTypeKind && p.int_width() >= 16);
    f.name() == "main"
        && count
        && params.iter().skip(1).all(|p| p.is_pointer())
        && params.len() <= 3
        && !ty.is_variadic()
}

/// Whether the contents of a section run before or after `main`: code, or functions whose addresses it lists.
fn is_run(section: &str) -> bool {
    let lists = [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".CRT$", "__DATA,__mod_"];
    matches!(section, ".init" | ".fini") || lists.iter().any(|list| section.starts_with(list))
}

/// Whether a parameter is used for more than being stored in a slot that is never read.
fn is_read(param: Value) -> bool {
    let only_written = |slot: Value| {
        slot.is_instruction()
            && slot.opcode() == Opcode::Alloca
            && slot.users().into_iter().all(|u| match u.opcode() {
                Opcode::Store => u.operand(1) == slot && u.operand(0) != slot,
                Opcode::Call => u.called().name().starts_with("llvm.lifetime"),
                _ => false,
            })
    };
    !param.users().into_iter().all(|u| {
        u.is_instruction() && u.opcode() == Opcode::Store && u.operand(0) == param && only_written(u.operand(1))
    })
}

/// What a list of constructors or destructors calls, in the order in which constructors run; destructors run in the reverse order.
fn in_order<'m>(program: &Module<'m>, list: &str) -> Vec<Value<'m>> {
    let mut all = structors(program, list);
    // The sort is stable: entries of equal priority keep their order.
    all.sort_by_key(|s| s.priority);
    all.into_iter().map(|s| s.function).collect()
}

impl<'m> Body<'_, '_, 'm> {
    /// Lowers calls that no instruction makes; if they cannot be lowered, they become an unsupported edge.
    fn step(&mut self, what: &str, part: impl FnOnce(&mut Self) -> Lowered<()>) {
        if let Err(why) = part(self) {
            self.unsliceable(format!("{what}: {}", why.0));
        }
    }

    fn call_structor(&mut self, f: Value<'m>) {
        if self.dead {
            return;
        }
        if !f.is_function() {
            self.unsliceable("a constructor or destructor that is no function".into());
            return;
        }
        let site = CallSite::made(f.name(), f.value_type().returns());
        let before = std::mem::replace(&mut self.span, self.cx.debug.function_span(&mut self.cx.cfa.files, f));
        self.step("constructor or destructor", |body| {
            // glibc passes the arguments of `main` to constructors, others pass nothing.
            if f.params().into_iter().any(is_read) {
                return Err("with parameters".into());
            }
            let meaning = body.cx.resolver.callee(f);
            body.observe(f, &site);
            body.call_by_meaning(&meaning, &site).map(drop)
        });
        self.span = before;
    }

    /// Lowers what runs when `main` returns and in `exit`: what the program registered with `atexit`, then its destructors.
    pub(super) fn run_at_exit(&mut self) {
        self.step("functions at exit", Self::run_atexit);
        for f in in_order(self.cx.program, DESTRUCTORS).into_iter().rev() {
            self.call_structor(f);
        }
    }

    /// Runs what the program registered with `atexit`.
    fn run_atexit(&mut self) -> Lowered<()> {
        let functions = &self.cx.reachable.functions;
        match self.cx.resolver.exit_runner(|f| functions.contains(&f)) {
            Some(runs) => self.call_plain(runs),
            None => Ok(()),
        }
    }

    /// Calls `main` with arbitrary arguments: any number of them (at least the program's name), of any text.
    fn call_main(&mut self, main: Value<'m>) -> Lowered<()> {
        let ty = main.value_type();
        let mut site = CallSite { types: ty.params(), ..CallSite::made(main.name(), ty.returns()) };
        let mut argc = None;
        let params = main.params();
        // Whoever reads `argv` and not `argc` relies on the number of arguments all the same.
        let is_counted = params.iter().take(2).any(|param| is_read(*param));
        for (i, param) in params.into_iter().enumerate() {
            let flat = self.cx.flat(param.ty())?;
            let matters = is_read(param) || i == 0 && is_counted;
            let vals: Vals = if !matters {
                let cx = &mut self.cx;
                flat.leaves.iter().map(|l| cx.undef(l.bits)).collect()
            } else if i == 0 {
                let n = self.argument_count(flat.leaves[0].bits);
                argc = Some(n);
                smallvec![n]
            } else {
                smallvec![self.argument_vector(if i == 1 { argc } else { None })?]
            };
            site.args.push(vals);
        }
        self.call_body(main, &site)?;
        Ok(())
    }

    /// `argc`: any positive number for which the address space has room for a vector of that many elements.
    fn argument_count(&mut self, bits: u32) -> Term {
        let first = self.cx.next_edge();
        let n = self.input("argc", bits, InputKind::Program("main.argc".into()));
        let zero = self.terms().int(bits, 0);
        let some = self.terms().cmp(BvCmp::Slt, zero, n);
        self.assume_user(some);
        self.cx.assume_from(first, Assumed::ProgramName);
        let limit = self.max_elements_bits();
        if limit < bits - 1 {
            let limit = self.terms().int(bits, 1 << limit);
            let few = self.below(n, limit);
            self.assume_user(few);
        }
        n
    }

    /// The base-2 logarithm of a number that exceeds the number of elements of an argument vector.
    fn max_elements_bits(&self) -> u32 {
        if self.cx.pointer_bits() == 32 { 20 } else { 31 }
    }

    /// The base-2 logarithm of the number of bytes of each argument's text, the terminating null included.
    fn text_bytes_bits(&self) -> u32 {
        if self.cx.pointer_bits() == 32 { 17 } else { 32 }
    }

    /// The base-2 logarithm of the number of bytes of all texts after the first few, the terminating null of the last one included.
    fn further_bytes_bits(&self) -> u32 {
        if self.cx.pointer_bits() == 32 { 24 } else { 40 }
    }

    /// Lets the elements of a vector at `base` from [`ARGUMENTS`] on, if it has `count` elements, be addresses of texts. These are parts of one
    /// object that ends with a null: which parts, and whether they have bytes in common, is not known. No alarm relies on it, unless a replay
    /// succeeds with texts that lie one after the other.
    fn further_texts(&mut self, name: &str, (base, count): (Term, Term)) -> Lowered<Further> {
        let (word, sort) = (self.cx.pointer_bits(), Sort::Array { index: self.cx.pointer_bits(), elem: 8 });
        let full = self.cx.unique(format!("{name}.further"));
        let size = 1 << self.further_bytes_bits();
        let texts = self.cx.new_object(full.clone(), ObjectKind::Global, Some(size), 1, self.span);
        let last = self.cx.addr(texts);
        let last = self.terms().add_int(last, size - 1);
        let (memory, zero) = (self.mem(), self.terms().int(8, 0));
        let memory = self.terms().write(memory, last, zero);
        self.set_mem(memory);
        // Those who read elements are told about them, wherever that is.
        let addresses = self.cx.new_var(format!("{full}.addresses"), sort, Scope::Global);
        let end = self.cx.new_var(format!("{full}.end"), Sort::Bv(word), Scope::Global);
        let terms = self.terms();
        let bytes = terms.int(word, u64::from(word / 8));
        let bytes = terms.bv_op(BvOp::Mul, count, bytes);
        let after = terms.add(base, bytes);
        let begin = terms.add_int(base, ARGUMENTS * u64::from(word / 8));
        self.emit(Op::assign(end, after));
        let end = self.cx.cfa.var_term(end);
        let few = self.word(ARGUMENTS + 1);
        let few = self.below(count, few);
        let many = self.terms().not(few);
        let further = Further { begin, texts: self.cx.addr(texts) };
        self.when(many, |body| {
            let kind = InputKind::Approximate(format!("main.{name}").into());
            let e = body.emit(Op::Input { var: addresses, kind });
            body.cx.facts.address_vectors.insert(e, AddressVector { begin, end, object: texts });
            let (memory, addresses) = (body.mem(), body.cx.cfa.var_term(addresses));
            let bytes = body.terms().bv_op(BvOp::Sub, after, begin);
            let memory = body.terms().copy(memory, begin, addresses, begin, bytes);
            body.set_mem(memory);
            Ok(())
        })?;
        Ok(further)
    }

    /// An array of addresses of texts, the first few of which have objects of their own; null follows the last.
    fn argument_vector(&mut self, count: Option<Term>) -> Lowered<Term> {
        let word = self.cx.pointer_bits();
        let name = if count.is_some() { "argv" } else { "envp" };
        let element = u64::from(word / 8);
        // Room for the maximum number of elements.
        let limit_bits = self.max_elements_bits();
        let length_bits = self.text_bytes_bits();
        let text_bytes = 1 << length_bits;
        let limited = Assumed::VectorSize {
            name,
            elements_bits: limit_bits,
            characters_bits: length_bits,
            further_bits: self.further_bytes_bits(),
        };
        let first = self.cx.next_edge();
        let bytes = (element << limit_bits) + element;
        let full = self.cx.unique(name.to_string());
        let vector = self.cx.new_object(full, ObjectKind::Global, Some(bytes), element, self.span);
        let base = self.cx.addr(vector);
        let kind = || InputKind::Program(format!("main.{name}").into());
        let count = match count {
            Some(n) => self.terms().resize(word, n),
            None => {
                let n = self.input("count", word, kind());
                let limit = self.word(1 << limit_bits);
                let few = self.below(n, limit);
                self.assume_user(few);
                n
            }
        };
        let further = self.further_texts(name, (base, count))?;
        let mut memory = self.mem();
        let mut texts = Vec::new();
        for i in 0..ARGUMENTS {
            let full = self.cx.unique(format!("{name}.{i}"));
            let text = self.cx.new_object(full, ObjectKind::Global, Some(text_bytes), 1, self.span);
            let text = self.cx.addr(text);
            // No length has more bits, so that each access is seen to lie in one text.
            let length = self.input("length", length_bits, kind());
            let terms = self.terms();
            let length = terms.zext(word, length);
            let zero = terms.int(8, 0);
            let at = terms.add(text, length);
            memory = terms.write(memory, at, zero);
            let at = terms.add_int(base, i * element);
            memory = self.written_pointer(memory, at, text);
            texts.push([text, length]);
        }
        let terms = self.terms();
        let size = terms.int(word, element);
        let offset = terms.bv_op(BvOp::Mul, count, size);
        let (end, null) = (terms.add(base, offset), terms.int(word, 0));
        memory = self.written_pointer(memory, end, null);
        self.set_mem(memory);
        self.cx.assume_from(first, limited);
        let (what, others) = match name {
            "argv" => (Delivered::Argument, Delivered::FurtherArguments),
            _ => (Delivered::Entry, Delivered::FurtherEntries),
        };
        let count = self.hold("count", count);
        for (i, [text, length]) in (0..).zip(texts) {
            let i = self.word(i);
            self.deliver(what.clone(), [i, text, length, count]);
        }
        let first = self.word(ARGUMENTS);
        self.deliver(others, [first, further.begin, count, further.texts]);
        Ok(base)
    }

    /// Calls an entry function that is not `main` with arbitrary arguments.
    fn call_entry(&mut self, entry: Value<'m>) -> Lowered<()> {
        let ty = entry.value_type();
        let name = entry.name();
        if ty.is_variadic() {
            return Err("its further arguments are not known".into());
        }
        let mut pointers = false;
        let mut site = CallSite { types: ty.params(), ..CallSite::made(name.clone(), ty.returns()) };
        for (i, param) in entry.params().into_iter().enumerate() {
            let called = match param.name() {
                empty if empty.is_empty() => format!("{name}.{i}"),
                param => format!("{name}.{}", param.trim_end_matches(".coerce")),
            };
            if let Some(ty) = entry.byval_type(i as u32).or_else(|| entry.sret_type(i as u32)) {
                let address = self.passed_object(&called, ty);
                site.args.push(smallvec![address]);
                continue;
            }
            let pointer = self.cx.flat(param.ty())?.leaves.iter().any(|l| l.scalar == Scalar::Pointer);
            pointers |= pointer;
            // A pointer from outside is treated like the result of an undefined function.
            let kind = if pointer { InputKind::External } else { InputKind::Program };
            let kind = kind(called.as_str().into());
            let given = CallSite::made(called, param.ty());
            let vals = self.input_result(&given, kind)?;
            // `int p[static 3]` declares a pointer to three of them.
            let is_declared = |name: &&str| entry.has_attribute(AttributeLoc::Param(i as u32), name);
            if ["nonnull", "dereferenceable"].iter().any(is_declared) {
                self.assume_not_null(&vals);
            }
            site.args.push(vals);
        }
        self.cx.presumed.push(Assumed::InitialValues { entry: name.clone() });
        if pointers {
            let no_pointer = self.cx.not_from_outside();
            self.cx.presumed.push(Assumed::ForeignPointers { entry: name, no_pointer });
        }
        self.cx.foreign_entry = Some(entry);
        self.call_body(entry, &site)?;
        Ok(())
    }

    /// The address of an object that belongs to the caller and has arbitrary contents.
    fn passed_object(&mut self, name: &str, ty: Type<'m>) -> Term {
        let (size, align) = (self.cx.layout.size(ty), self.cx.layout.align(ty).max(16));
        let full = self.cx.unique(name.to_string());
        let object = self.cx.new_object(full, ObjectKind::Global, Some(size), align, self.span);
        let address = self.cx.addr(object);
        let bytes = self.word(size);
        self.forget(name, address, bytes, InputKind::Program(name.into()));
        address
    }
}
