//! Programs built in Rust, edge by edge, for tests that need ids of edges or locations, or terms that no text has.

use cfa::bv::{Bv, BvCmp};
use cfa::{Cfa, EdgeId, FuncId, InputKind, LocId, Object, ObjectKind, Op, Scope, Sort, Span, Term, Terms, VarId};

/// A program under construction: edges are appended where building has got to.
pub struct Builder {
    /// The program so far.
    pub cfa: Cfa,
    /// The function that is built.
    pub func: FuncId,
    /// The location at which the next edge begins.
    pub at: LocId,
}

impl Builder {
    /// A program with an entry function, at its entry.
    pub fn new(pointer_bits: u32) -> Builder {
        let mut cfa = Cfa::new(pointer_bits);
        let func = cfa.add_func("main", Span::default());
        cfa.entry = func;
        let at = cfa.funcs[func].entry;
        Builder { cfa, func, at }
    }

    /// Begins another function; what follows is appended there.
    pub fn begin(&mut self, name: &str) -> FuncId {
        self.func = self.cfa.add_func(name, Span::default());
        self.at = self.cfa.funcs[self.func].entry;
        self.func
    }

    /// Goes on at `l`.
    pub fn go(&mut self, l: LocId) {
        self.at = l;
        self.func = self.cfa.locs[l].func;
    }

    /// A new location of the function.
    pub fn loc(&mut self) -> LocId {
        self.cfa.add_loc(self.func)
    }

    /// An edge from `from` to `to`.
    pub fn edge(&mut self, from: LocId, to: LocId, op: Op) -> EdgeId {
        self.cfa.add_edge(from, to, op, Span::default())
    }

    /// An edge to a new location, where building goes on.
    pub fn step(&mut self, op: Op) -> EdgeId {
        let next = self.loc();
        self.step_to(op, next)
    }

    /// An edge to `to`, where building goes on.
    pub fn step_to(&mut self, op: Op, to: LocId) -> EdgeId {
        let from = std::mem::replace(&mut self.at, to);
        self.edge(from, to, op)
    }

    /// An edge to the function's exit. Building stays where it is.
    pub fn leave(&mut self, op: Op) -> EdgeId {
        let exit = self.cfa.funcs[self.func].exit;
        self.edge(self.at, exit, op)
    }

    /// Leads to the exit of the function.
    pub fn exit(&mut self) {
        self.leave(Op::Skip);
    }

    /// A variable with one instance.
    pub fn global(&mut self, name: &str, sort: Sort) -> VarId {
        self.cfa.add_var(name, sort, Scope::Global)
    }

    /// A local variable of the function.
    pub fn local(&mut self, name: &str, sort: Sort) -> VarId {
        self.cfa.add_var(name, sort, Scope::Local(self.func))
    }

    /// A global object at `base`, so that accesses of its bytes are valid.
    pub fn object_at(&mut self, base: u64, size_bytes: u64) {
        self.cfa
            .objects
            .push(Object { base: Some(base), ..object(&format!("o{base}"), ObjectKind::Global, size_bytes) });
    }

    /// The arena of the program's terms.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.cfa.terms
    }

    /// The term of a variable.
    pub fn var(&mut self, v: VarId) -> Term {
        self.cfa.var_term(v)
    }

    /// A constant of `width` bits.
    pub fn int(&mut self, width: u32, k: i64) -> Term {
        let t = Bv::from_i64(width, k);
        self.cfa.terms.constant(&t)
    }

    /// `a < b` of signed numbers.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        self.cfa.terms.cmp(BvCmp::Slt, a, b)
    }

    /// `v := t`.
    pub fn assign(&mut self, v: VarId, t: Term) -> EdgeId {
        self.step(Op::assign(v, t))
    }

    /// An input of the program.
    pub fn input(&mut self, v: VarId) -> EdgeId {
        self.step(Op::Input { var: v, kind: InputKind::Program("__VERIFIER_nondet_int".into()) })
    }

    /// The locations after a test: where `cond` holds, and where not. Building stays at the test.
    pub fn branch(&mut self, cond: Term) -> (LocId, LocId) {
        let (yes, no) = (self.loc(), self.loc());
        let negated = self.cfa.terms.not(cond);
        self.edge(self.at, yes, Op::branch(cond));
        self.edge(self.at, no, Op::branch(negated));
        (yes, no)
    }

    /// Leads to a new target where `cond` holds, and goes on where not. Returns the target.
    pub fn error_if(&mut self, cond: Term) -> LocId {
        let (yes, no) = self.branch(cond);
        self.cfa.targets.push(yes);
        self.at = no;
        yes
    }

    /// `while (cond) body`.
    pub fn repeat<R>(&mut self, cond: Term, body: impl FnOnce(&mut Builder) -> R) {
        self.step(Op::Skip);
        let head = self.at;
        let (yes, no) = self.branch(cond);
        self.at = yes;
        body(self);
        self.edge(self.at, head, Op::Skip);
        self.at = no;
    }
}

/// An object of the program without an address yet.
pub fn object(name: &str, kind: ObjectKind, size_bytes: u64) -> Object {
    Object {
        name: name.into(),
        kind,
        size_bytes: Some(size_bytes),
        align_bytes: 8,
        stride_bytes: 0,
        base: None,
        constant: false,
        heap: false,
        shared: false,
        declared: false,
        hidden: false,
        span: Span::default(),
    }
}
