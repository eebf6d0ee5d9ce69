//! The synthetic function where execution begins: globals, constructors, `main` with arbitrary arguments, destructors.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Lowering, Vals};
use crate::ir::{Opcode, Value, ValueKind};
use cfa::{InputKind, ObjectKind, Op, Span, Term};

/// Arguments of `main` that have contents; further ones may be counted, but not looked at.
const ARGUMENTS: u64 = 8;

/// There are fewer than two to the power of this many arguments; systems allow no more.
const ARGUMENT_COUNT_BITS: u32 = 18;

/// Bytes of each argument's text.
const ARGUMENT_BYTES: u64 = 1 << 12;

impl<'s> Lowering<'s> {
    /// Lowers the program that starts at `main`.
    pub fn lower_program(&mut self, main: Value) {
        let name = self.unique("_start".to_string());
        let start = self.cfa.add_func(name, Span::default());
        self.cfa.funcs[start].library = true;
        self.cfa.entry = start;
        // The prologue comes last, when it is known which globals are used; this is where it leads.
        let begun = self.new_loc(start);
        let program = self.program;
        let mut body = Body::new(self, start);
        body.at = begun;
        if !program.inline_asm().trim().is_empty() {
            body.unsupported(cfa::Unsupported::opaque("assembly at the top level of the module"));
        }
        for f in structors(program.global("llvm.global_ctors")) {
            body.call_structor(f);
        }
        if !body.dead {
            body.step("call of main", |body| body.call_main(main));
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
        // Initialisers may refer to further globals and functions, and those to further ones.
        let mut steps: Vec<(Span, Lowered<Vec<Term>>)> = Vec::new();
        let mut done = 0;
        loop {
            self.drain();
            let Some(&g) = self.globals.get(done) else { break };
            done += 1;
            let span = self.debug.global_span(&mut self.cfa.files, g);
            steps.push((span, self.initialisation(g)));
        }
        self.prologue(start, begun, steps);
    }

    /// The memory before the program runs, from the entry of `start` to `begun`.
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
        for (span, step) in steps {
            body.span = span;
            match step {
                Ok(memories) => {
                    for memory in memories {
                        body.set_mem(memory);
                    }
                }
                Err(lack) => body.lack("initialiser of a global variable", lack),
            }
        }
        body.leave(begun);
    }
}

/// Whether a parameter is used for more than being put into a slot that is never read.
fn is_read(param: Value) -> bool {
    let only_written = |slot: Value| {
        slot.is_instruction()
            && slot.opcode() == Opcode::LLVMAlloca
            && slot.users().into_iter().all(|u| match u.opcode() {
                Opcode::LLVMStore => u.operand(1) == slot && u.operand(0) != slot,
                Opcode::LLVMCall => u.called().name().starts_with("llvm.lifetime"),
                _ => false,
            })
    };
    !param.users().into_iter().all(|u| {
        u.is_instruction() && u.opcode() == Opcode::LLVMStore && u.operand(0) == param && only_written(u.operand(1))
    })
}

/// The functions of a list of constructors or destructors, in the order in which constructors run; destructors run in the
/// opposite one.
fn structors(list: Option<Value>) -> Vec<Value> {
    let Some(init) = list.and_then(Value::initializer) else { return Vec::new() };
    if init.kind() != ValueKind::LLVMConstantArrayValueKind {
        return Vec::new();
    }
    let mut entries: Vec<(u64, Value)> = (0..init.n_operands())
        .map(|i| init.operand(i))
        .filter(|e| e.kind() == ValueKind::LLVMConstantStructValueKind)
        .map(|e| (e.operand(0).int_value().to_u64().unwrap_or(0), e.operand(1)))
        .filter(|(_, f)| !f.is_null())
        .collect();
    // A stable sort: equal priorities keep their order.
    entries.sort_by_key(|(priority, _)| *priority);
    entries.into_iter().map(|(_, f)| f).collect()
}

impl Body<'_, '_> {
    /// Does one part; what it lacks becomes an unsupported edge.
    fn step(&mut self, what: &str, part: impl FnOnce(&mut Self) -> Lowered<()>) {
        if let Err(lack) = part(self) {
            self.lack(what, lack);
        }
    }

    fn call_structor(&mut self, f: Value) {
        if self.dead {
            return;
        }
        let f = self.cx.resolver.strip(f);
        self.step("constructor or destructor", |body| match body.cx.resolver.callee(f) {
            crate::resolve::Callee::Body(f) => body.call_plain(f),
            _ => Err("without a body".into()),
        });
    }

    /// What runs when `main` returns and in `exit`: what the program registered with `atexit`, then its destructors.
    pub fn run_at_exit(&mut self) {
        self.step("functions at exit", Self::run_atexit);
        let destructors = structors(self.cx.program.global("llvm.global_dtors"));
        for f in destructors.into_iter().rev() {
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
    fn call_main(&mut self, main: Value) -> Lowered<()> {
        let ty = main.value_type();
        let mut site =
            CallSite { name: main.name(), args: Vec::new(), types: ty.params(), result: ty.returns(), inst: None };
        let params = main.params();
        let mut argc = None;
        for (i, param) in params.iter().enumerate() {
            let flat = self.cx.flat(param.ty())?;
            if !is_read(*param) {
                let cx = &mut self.cx;
                site.args.push(flat.leaves.iter().map(|l| cx.undef(l.bits)).collect());
                continue;
            }
            let mut vals = Vals::new();
            for leaf in &flat.leaves {
                vals.push(match (i, param.ty().is_pointer()) {
                    (0, false) => {
                        let n = self.input("argc", leaf.bits, InputKind::Program("main.argc".into()));
                        let zero = self.terms().int(leaf.bits, 0);
                        let some = self.terms().cmp(cfa::bv::BvCmp::Slt, zero, n);
                        self.assume_user(some);
                        if leaf.bits > ARGUMENT_COUNT_BITS {
                            let limit = self.terms().int(leaf.bits, 1 << ARGUMENT_COUNT_BITS);
                            let few = self.below(n, limit);
                            self.assume_user(few);
                        }
                        argc = Some(n);
                        n
                    }
                    (1 | 2, true) => self.argument_vector(if i == 1 { argc } else { None }),
                    _ => self.input("argument", leaf.bits, InputKind::Program("main.argument".into())),
                });
            }
            site.args.push(vals);
        }
        self.call_body(main, &site)?;
        Ok(())
    }

    /// An array of addresses of texts, the first few of which have contents, with null behind the last.
    fn argument_vector(&mut self, count: Option<Term>) -> Term {
        let word = self.cx.pointer_bits();
        let name = if count.is_some() { "argv" } else { "envp" };
        self.cx.assumed.insert(format!("of {name} no more than {ARGUMENTS} elements are looked at"));
        let element = u64::from(word / 8);
        // Room for as many as may be counted.
        let bytes = (element << ARGUMENT_COUNT_BITS) + element;
        let full = self.cx.unique(name.to_string());
        let vector = self.cx.new_object(full, ObjectKind::Global, Some(bytes), 16, self.span);
        let base = self.cx.addr(vector);
        let mut memory = self.mem();
        let kind = || InputKind::Program(format!("main.{name}").into());
        for i in 0..ARGUMENTS {
            let full = self.cx.unique(format!("{name}.{i}"));
            let text = self.cx.new_object(full, ObjectKind::Global, Some(ARGUMENT_BYTES), 16, self.span);
            let text = self.cx.addr(text);
            let length = self.input("length", word, kind());
            let limit = self.word(ARGUMENT_BYTES);
            let fits = self.below(length, limit);
            self.assume_user(fits);
            let terms = self.terms();
            let zero = terms.int(8, 0);
            let at = terms.add(text, length);
            memory = terms.write(memory, at, zero);
            let at = terms.add_int(base, i * element);
            memory = terms.write(memory, at, text);
        }
        let count = match count {
            Some(n) => n,
            None => {
                let n = self.input("count", word, kind());
                let limit = self.word(1 << ARGUMENT_COUNT_BITS);
                let few = self.below(n, limit);
                self.assume_user(few);
                n
            }
        };
        let terms = self.terms();
        let count = terms.resize(word, count);
        let size = terms.int(word, element);
        let offset = terms.bv_op(cfa::bv::BvOp::Mul, count, size);
        let (end, null) = (terms.add(base, offset), terms.int(word, 0));
        memory = terms.write(memory, end, null);
        self.set_mem(memory);
        base
    }
}
