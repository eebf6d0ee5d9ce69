//! Random programs: functions that call each other, globals, a memory with fixed and computed addresses, loops, jumps, inputs,
//! ends of the execution and assumptions.

use super::Build;
use cfa::bv::{BvCmp, BvOp};
use cfa::{Cfa, EdgeId, FuncId, InputKind, LocId, ObjectKind, Op, Term, VarId};
use kerf_testing::Random;

/// Where the object in memory lies, and its bytes.
pub(crate) const BASE: u64 = 0x1000;
pub(crate) const SIZE: u64 = 16;

struct Shape {
    entry: LocId,
    func: FuncId,
    params: Vec<VarId>,
    result: VarId,
}

struct Generator<'r> {
    b: Build,
    random: &'r mut Random,
    globals: Vec<VarId>,
    locals: Vec<VarId>,
    shapes: Vec<Shape>,
    memory: bool,
    /// Locations to jump back to.
    earlier: Vec<LocId>,
    criteria: Vec<LocId>,
}

/// A program, locations to slice it for, and its variables of global scope.
pub(crate) struct Program {
    pub cfa: Cfa,
    pub criteria: Vec<LocId>,
    pub globals: Vec<VarId>,
    pub memory: VarId,
}

/// A random program.
pub(crate) fn program(random: &mut Random) -> Program {
    generate(random, true)
}

/// A random program that does not use memory.
pub(crate) fn scalar_program(random: &mut Random) -> Program {
    generate(random, false)
}

fn generate(random: &mut Random, memory: bool) -> Program {
    let mut b = Build::new(32);
    let object = b.object("o", ObjectKind::Global, SIZE);
    b.cfa.objects[object].base = Some(BASE);
    let globals = (0..3).map(|i| b.global(&format!("g{i}"), 32)).collect();
    let mut g = Generator {
        b,
        random,
        globals,
        memory,
        locals: Vec::new(),
        shapes: Vec::new(),
        earlier: Vec::new(),
        criteria: Vec::new(),
    };
    let main = g.b.at;
    for i in 0..g.random.below(4) {
        let func = g.b.begin(&format!("f{i}"));
        let params = (0..2).map(|p| g.b.global(&format!("f{i}.p{p}"), 32)).collect();
        let result = g.b.global(&format!("f{i}.result"), 32);
        g.shapes.push(Shape { entry: g.b.at, func, params, result });
    }
    for i in 0..g.shapes.len() {
        let (entry, params, result) = (g.shapes[i].entry, g.shapes[i].params.clone(), g.shapes[i].result);
        g.begin(entry);
        for (k, p) in params.into_iter().enumerate() {
            let t = g.b.var(p);
            g.b.step(Op::assign(g.locals[k], t));
        }
        g.block(3);
        let value = g.expression();
        g.b.step(Op::assign(result, value));
        g.b.exit();
    }
    g.begin(main);
    g.block(4);
    g.criteria.push(g.b.at);
    g.b.exit();
    Program { memory: g.b.mem, cfa: g.b.finish(), criteria: g.criteria, globals: g.globals }
}

impl Generator<'_> {
    fn begin(&mut self, at: LocId) {
        self.b.go(at);
        self.earlier.clear();
        self.locals = (0..3).map(|i| self.b.local(&format!("x{i}"), 32)).collect();
    }

    fn in_main(&self) -> bool {
        self.b.func == self.b.cfa.entry
    }

    fn variable(&mut self) -> VarId {
        let all: Vec<VarId> = self.locals.iter().chain(&self.locals).chain(&self.globals).copied().collect();
        self.random.pick(&all)
    }

    fn address(&mut self) -> Term {
        if self.random.below(3) > 0 {
            let at = BASE + self.random.below(SIZE as usize - 3) as u64;
            return self.b.word(at);
        }
        let x = self.expression();
        let (mask, base) = (self.b.word(SIZE - 4), self.b.word(BASE));
        let offset = self.b.cfa.terms.bv_op(BvOp::And, x, mask);
        self.b.cfa.terms.add(base, offset)
    }

    fn expression(&mut self) -> Term {
        match self.random.below(6) {
            0 => {
                let k = self.random.below(8) as i64;
                self.b.int(32, k)
            }
            1 => {
                let (x, y) = (self.variable(), self.variable());
                let (x, y) = (self.b.var(x), self.b.var(y));
                self.b.cfa.terms.add(x, y)
            }
            2 if self.memory => {
                let at = self.address();
                self.b.load(at, 32)
            }
            _ => {
                let x = self.variable();
                self.b.var(x)
            }
        }
    }

    fn condition(&mut self) -> Term {
        let (x, k) = (self.expression(), self.random.below(4) as i64);
        let (mask, k) = (self.b.int(32, 3), self.b.int(32, k));
        let low = self.b.cfa.terms.bv_op(BvOp::And, x, mask);
        self.b.cfa.terms.cmp(BvCmp::Ult, low, k)
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(5) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.random.below(6) == 0 {
            self.earlier.push(self.b.at);
        }
        match self.random.below(if depth > 0 { 16 } else { 8 }) {
            0 | 1 => {
                let (x, value) = (self.variable(), self.expression());
                self.b.step(Op::assign(x, value));
            }
            2 | 3 => {
                let x = self.variable();
                if self.in_main() || self.random.below(4) == 0 {
                    self.b.input(x);
                } else {
                    let value = self.expression();
                    self.b.step(Op::assign(x, value));
                }
            }
            4 if self.memory => {
                let (at, value) = (self.address(), self.expression());
                self.b.store(at, value);
            }
            5 if self.memory => {
                let (to, from) = (self.address(), self.b.word(BASE));
                let bytes = self.random.below(4) as u64;
                self.b.copy(to, from, bytes);
            }
            6 | 7 if !self.shapes.is_empty() => self.call(),
            8..=10 => {
                let cond = self.condition();
                let (other, ..) = self.b.branch(cond);
                self.block(depth - 1);
                let then = self.b.at;
                self.b.go(other);
                if self.random.below(2) == 0 {
                    self.block(depth - 1);
                }
                let at = self.b.at;
                self.b.edge(then, at, Op::Skip);
            }
            11 | 12 => {
                // Most loops count down.
                let (head, count) = (self.b.at, self.random.pick(&self.locals));
                let (t, mask) = (self.b.var(count), self.b.int(32, 3));
                let low = self.b.cfa.terms.bv_op(BvOp::And, t, mask);
                let cond = self.b.cfa.terms.nonzero(low);
                let (after, ..) = self.b.branch(cond);
                self.block(depth - 1);
                let next = self.b.cfa.terms.add_int(t, u64::from(u32::MAX));
                self.b.step_to(Op::assign(count, next), head);
                self.b.go(after);
            }
            13 if !self.earlier.is_empty() => {
                let (cond, to) = (self.condition(), self.random.pick(&self.earlier));
                let (after, ..) = self.b.branch(cond);
                self.b.step_to(Op::Skip, to);
                self.b.go(after);
            }
            14 => {
                let cond = self.condition();
                match self.random.below(3) {
                    0 => drop(self.b.assume(cond)),
                    1 => drop(self.b.target_if(cond)),
                    _ => {
                        // The execution ends.
                        let (after, ..) = self.b.branch(cond);
                        self.b.step(Op::Skip);
                        self.b.go(after);
                    }
                }
            }
            _ => self.criteria.push(self.b.at),
        }
    }

    fn call(&mut self) {
        let i = self.random.below(self.shapes.len());
        let (func, params, result) = (self.shapes[i].func, self.shapes[i].params.clone(), self.shapes[i].result);
        for p in params {
            let value = self.expression();
            self.b.step(Op::assign(p, value));
        }
        self.b.step(Op::Call(func));
        let (x, value) = (self.variable(), self.b.var(result));
        self.b.step(Op::assign(x, value));
    }
}

/// The slice as a program of its own: dropped branches go either way, by inputs of their own, and what is cut off ends.
pub(crate) fn cut(cfa: &Cfa, slice: &cfa::view::Slice) -> Cfa {
    let mut cut = cfa.clone();
    let never = cut.terms.bool(false);
    for (e, edge) in cut.edges.iter_mut().enumerate() {
        if !slice.live.contains(e) {
            edge.op = Op::branch(never);
        } else if !slice.kept.contains(e) {
            edge.op = Op::Skip;
        }
    }
    for l in cfa.locs.ids() {
        let open: Vec<EdgeId> = cut.out(l).iter().copied().filter(|e| cut.edges[*e].op == Op::Skip).collect();
        if open.len() < 2 {
            continue;
        }
        let func = cut.locs[l].func;
        let choice = cut.add_var(format!("choice{l}"), cfa::Sort::Bv(1), cfa::Scope::Global);
        let middle = cut.add_loc(func);
        let out = std::mem::take(&mut cut.locs[l].out);
        out.iter().for_each(|e| cut.edges[*e].from = middle);
        cut.locs[middle].out = out;
        let kind = InputKind::Undefined;
        cut.add_edge(l, middle, Op::Input { var: choice, kind }, cfa::Span::default());
        let term = cut.var_term(choice);
        let taken = cut.terms.nonzero(term);
        let not = cut.terms.not(taken);
        cut.edges[open[0]].op = Op::branch(taken);
        cut.edges[open[1]].op = Op::branch(not);
    }
    cut
}
