//! Random programs, and random criteria for them.

use cfa::{Cfa, FuncId, InputKind, LocId, Op, Scope, Sort, Span, Term, VarId};
use kerf_testing::Random;
use slicer::Criterion;
use slicer::dependence::relevant::Live;

/// A random program over scalars: each location has one operation or both sides of a test; functions call later ones.
pub(crate) fn random_program(random: &mut Random, functions: usize) -> Cfa {
    program_with_memory(random, functions, Memory::None).cfa
}

/// How programs hold the bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// There is none.
    None,
    /// In a memory, accessed at fixed addresses.
    Array,
    /// Each in a variable of its own.
    Scalars,
}

/// The address of the object, and the number of its bytes.
pub(crate) const BASE: u64 = 0x1000;
const SIZE: usize = 4;

/// A program, and what may hold its object: the memory, and a variable for each byte.
pub(crate) struct Generated {
    pub cfa: Cfa,
    pub memory: VarId,
    pub bytes: [VarId; SIZE],
}

impl Generated {
    /// `bits` from byte `at` on.
    fn load(&mut self, how: Memory, at: usize, bits: u32) -> Term {
        if how == Memory::Array {
            let (memory, address) = (self.cfa.var_term(self.memory), self.cfa.terms.int(64, BASE + at as u64));
            return self.cfa.terms.read(memory, address, bits);
        }
        let low = self.cfa.var_term(self.bytes[at]);
        if bits == 8 {
            return low;
        }
        let high = self.cfa.var_term(self.bytes[at + 1]);
        self.cfa.terms.concat(high, low)
    }

    /// Stores the bytes `values` from byte `at` on.
    fn store(&mut self, how: Memory, at: usize, values: &[Term]) -> Op {
        if how == Memory::Scalars {
            let list = values.iter().enumerate().map(|(i, value)| (self.bytes[at + i], *value));
            return Op::Assign(list.collect());
        }
        let (memory, address) = (self.cfa.var_term(self.memory), self.cfa.terms.int(64, BASE + at as u64));
        let value = match *values {
            [low, high] => self.cfa.terms.concat(high, low),
            _ => values[0],
        };
        Op::assign(self.memory, self.cfa.terms.write(memory, address, value))
    }
}

/// The same program for each way to hold memory, with the same ids of edges, locations and variables.
pub(crate) fn program_with_memory(random: &mut Random, functions: usize, how: Memory) -> Generated {
    let mut cfa = Cfa::new(64);
    let sort = Sort::Bv(8);
    let memory = cfa.add_var("m", Sort::Array { index: 64, elem: 8 }, Scope::Global);
    let bytes = [0, 1, 2, 3].map(|i| cfa.add_var(format!("m{i}"), sort, Scope::Global));
    let mut program = Generated { cfa, memory, bytes };
    let kinds = if how == Memory::None { 8 } else { 12 };
    let globals = ["g", "h"].map(|n| program.cfa.add_var(n, sort, Scope::Global));
    let funcs: Vec<FuncId> = (0..functions).map(|i| program.cfa.add_func(format!("f{i}"), Span::default())).collect();
    program.cfa.entry = funcs[0];
    for (i, &f) in funcs.iter().enumerate() {
        let locals = ["x", "y", "z"].map(|n| program.cfa.add_var(format!("f{i}.{n}"), sort, Scope::Local(f)));
        let vars = [&globals[..], &locals[..]].concat();
        let mut locs = vec![program.cfa.funcs[f].entry];
        locs.extend((0..3 + random.below(8)).map(|_| program.cfa.add_loc(f)));
        let exit = program.cfa.funcs[f].exit;
        for (k, &l) in locs.iter().enumerate() {
            let next = *locs.get(k + 1).unwrap_or(&exit);
            let (v, w) = (random.pick(&vars), random.pick(&vars));
            let value = program.cfa.var_term(w);
            match random.below(kinds) {
                0..=2 => {
                    let jump = if random.one_in(8) { exit } else { random.pick(&locs) };
                    let yes = program.cfa.terms.nonzero(value);
                    let no = program.cfa.terms.not(yes);
                    program.cfa.add_edge(l, next, Op::branch(yes), Span::default());
                    program.cfa.add_edge(l, jump, Op::branch(no), Span::default());
                }
                3 => {
                    program.cfa.add_edge(
                        l,
                        next,
                        Op::Input { var: v, kind: InputKind::Program("input".into()) },
                        Span::default(),
                    );
                }
                4 | 5 if i + 1 < functions => {
                    let callee = funcs[i + 1 + random.below(functions - i - 1)];
                    program.cfa.add_edge(l, next, Op::Call(callee), Span::default());
                }
                6 => {
                    let one = program.cfa.terms.int(8, 1);
                    program.cfa.add_edge(l, next, Op::assign(v, one), Span::default());
                }
                8 | 9 => {
                    let at = random.below(SIZE - 1);
                    let other = program.cfa.var_term(v);
                    let values = if random.one_in(2) { vec![value] } else { vec![value, other] };
                    let op = program.store(how, at, &values);
                    program.cfa.add_edge(l, next, op, Span::default());
                }
                10 | 11 => {
                    let at = random.below(SIZE - 1);
                    let value = match random.one_in(2) {
                        true => program.load(how, at, 8),
                        false => {
                            let both = program.load(how, at, 16);
                            let (low, high) =
                                (program.cfa.terms.extract(7, 0, both), program.cfa.terms.extract(15, 8, both));
                            program.cfa.terms.add(low, high)
                        }
                    };
                    program.cfa.add_edge(l, next, Op::assign(v, value), Span::default());
                }
                _ => {
                    let sum = program.cfa.terms.add_int(value, 1);
                    program.cfa.add_edge(l, next, Op::assign(v, sum), Span::default());
                }
            }
        }
    }
    program
}

/// A random place that can be reached, and some variables there.
pub(crate) fn random_criterion(random: &mut Random, cfa: &Cfa) -> Criterion {
    let live = Live::reachable(cfa);
    let locs: Vec<LocId> = cfa.locs.ids().filter(|l| live.loc(*l)).collect();
    let at = random.pick(&locs);
    let here = Scope::Local(cfa.locs[at].func);
    let vars = cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == here || v.scope == Scope::Global);
    Criterion { vars: vars.map(|(v, _)| v).filter(|_| random.one_in(3)).collect(), ..Criterion::reach(at) }
}
