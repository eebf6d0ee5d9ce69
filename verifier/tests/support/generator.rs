//! Random small programs: globals, a memory, loops, control that no condition decides, and a function that may call itself.

use super::{Builder, finished};
use cfa::bv::{BvCmp, BvOp};
use cfa::{FuncId, Op, Sort, Term, VarId};
use kerf_testing::Random;
use verifier::program::Program;

const WIDTH: u32 = 2;
/// Where the memory's one object lies.
pub(crate) const BASE: i64 = 16;
/// Its bytes.
pub(crate) const SIZE: u64 = 4;

struct Generator {
    rng: Random,
    b: Builder,
    globals: Vec<VarId>,
    locals: Vec<VarId>,
    memory: VarId,
    callees: Vec<FuncId>,
}

impl Generator {
    fn variable(&mut self) -> VarId {
        let all: Vec<VarId> = self.globals.iter().chain(&self.locals).copied().collect();
        self.rng.pick(&all)
    }

    fn leaf(&mut self) -> Term {
        if self.rng.one_in(3) {
            let k = self.rng.below(4) as i64;
            return self.b.int(WIDTH, k);
        }
        let v = self.variable();
        self.b.var(v)
    }

    fn value(&mut self) -> Term {
        let (x, y) = (self.leaf(), self.leaf());
        match self.rng.below(7) {
            0 | 1 => x,
            2 => self.b.terms().add(x, y),
            3 => self.b.terms().bv_op(BvOp::Mul, x, y),
            4 => self.b.terms().bv_op(BvOp::And, x, y),
            5 => {
                let c = self.condition();
                self.b.terms().ite(c, x, y)
            }
            _ => {
                let address = self.address();
                let m = self.b.var(self.memory);
                let byte = self.b.terms().read(m, address, 8);
                self.b.terms().extract(WIDTH - 1, 0, byte)
            }
        }
    }

    fn address(&mut self) -> Term {
        let t = self.leaf();
        let offset = self.b.terms().zext(8, t);
        let base = self.b.int(8, BASE);
        self.b.terms().add(offset, base)
    }

    fn condition(&mut self) -> Term {
        let (x, y) = (self.leaf(), self.leaf());
        let c = match self.rng.below(3) {
            0 | 1 => self.b.terms().eq(x, y),
            _ => self.b.terms().cmp(BvCmp::Ult, x, y),
        };
        if self.rng.one_in(3) { self.b.terms().not(c) } else { c }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 7 } else { 11 }) {
            0..=2 => {
                let (v, t) = (self.variable(), self.value());
                self.b.assign(v, t);
            }
            3 => {
                let v = self.variable();
                self.b.input(v);
            }
            4 => {
                let (at, t) = (self.address(), self.value());
                let byte = self.b.terms().zext(8, t);
                let m = self.b.var(self.memory);
                let written = self.b.terms().write(m, at, byte);
                self.b.assign(self.memory, written);
            }
            5 => {
                let c = self.condition();
                self.b.error_if(c);
            }
            6 if !self.callees.is_empty() => {
                let f = self.rng.pick(&self.callees);
                self.b.step(Op::Call(f));
            }
            6 => {
                // Two at once.
                let (v, w) = (self.globals[0], self.globals[1]);
                let (x, y) = (self.value(), self.value());
                self.b.step(Op::Assign(Box::new([(v, x), (w, y)])));
            }
            7 | 8 => {
                let c = self.condition();
                let (yes, no) = self.b.branch(c);
                let join = self.b.loc();
                for start in [yes, no] {
                    self.b.at = start;
                    self.block(depth - 1);
                    let end = self.b.at;
                    self.b.edge(end, join, Op::Skip);
                }
                self.b.at = join;
            }
            9 => {
                // Control that no condition decides.
                let (from, join) = (self.b.at, self.b.loc());
                for _ in 0..2 {
                    self.b.at = from;
                    self.b.step(Op::Skip);
                    self.statement(0);
                    let end = self.b.at;
                    self.b.edge(end, join, Op::Skip);
                }
                self.b.at = join;
            }
            _ => {
                let c = self.condition();
                self.b.step(Op::Skip);
                let head = self.b.at;
                let (yes, no) = self.b.branch(c);
                self.b.at = yes;
                self.block(depth - 1);
                let end = self.b.at;
                self.b.edge(end, head, Op::Skip);
                self.b.at = no;
            }
        }
    }
}

/// A program that starts with zeros everywhere, with one function that may call itself.
pub(crate) fn random_program(seed: u64) -> Program {
    let mut b = Builder::new(64);
    b.object_at(BASE as u64, SIZE);
    let globals: Vec<VarId> = ["x", "y", "z"].map(|n| b.global(n, Sort::Bv(WIDTH))).to_vec();
    let memory = b.global("m", Sort::Array { index: 8, elem: 8 });
    let mut g = Generator { rng: Random::new(seed), b, globals, locals: Vec::new(), memory, callees: Vec::new() };
    let (start, at) = (g.b.func, g.b.at);
    // The callee.
    let f = g.b.cfa.add_func("f", cfa::Span::default());
    (g.b.func, g.b.at) = (f, g.b.cfa.funcs[f].entry);
    g.locals = vec![g.b.local("a", Sort::Bv(WIDTH))];
    let x = g.b.var(g.globals[0]);
    g.b.assign(g.locals[0], x);
    g.block(1);
    if g.rng.one_in(2) {
        // A recursive call that ends: x counts down.
        let zero = g.b.int(WIDTH, 0);
        let ends = g.b.terms().eq(x, zero);
        let (yes, no) = g.b.branch(ends);
        g.b.at = yes;
        g.b.exit();
        g.b.at = no;
        let one = g.b.int(WIDTH, 1);
        let less = g.b.terms().sub(x, one);
        g.b.assign(g.globals[0], less);
        g.b.step(Op::Call(f));
        g.statement(0);
    }
    g.b.exit();
    // The start.
    (g.b.func, g.b.at) = (start, at);
    g.callees = vec![f];
    g.locals = vec![g.b.local("b", Sort::Bv(WIDTH))];
    let zero = g.b.int(WIDTH, 0);
    for v in g.globals.clone().into_iter().chain(g.locals.clone()) {
        g.b.assign(v, zero);
    }
    let byte = g.b.int(8, 0);
    let zeros = g.b.terms().const_array(8, byte);
    g.b.assign(memory, zeros);
    g.block(3);
    g.block(2);
    finished(g.b)
}
