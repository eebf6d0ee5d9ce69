//! Which edges a slice may drop: those whose writes no kept edge can notice.

use crate::support::{edge, rejected, whole};
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, Op, Scope, Sort, Span, Terms, VarId};
use checker::Certificate;

/// A memory `m`, scalars `x` and `y`, and a function `f` besides `main`.
struct Program {
    cfa: Cfa,
    m: VarId,
    x: VarId,
    y: VarId,
    f: FuncId,
}

impl Program {
    fn new() -> Program {
        let mut cfa = Cfa::new(32);
        cfa.entry = cfa.add_func("main", Span::default());
        let m = cfa.add_var("m", Sort::Array { index: 32, elem: 8 }, Scope::Global);
        let [x, y] = ["x", "y"].map(|name| cfa.add_var(name, Sort::Bv(32), Scope::Global));
        let f = cfa.add_func("f", Span::default());
        Program { cfa, m, x, y, f }
    }

    /// `m[at] := 0`, four bytes; at the address in `y` where `at` is none.
    fn store(&mut self, at: Option<u64>) -> Op {
        let (m, y, zero) = (self.cfa.var_term(self.m), self.cfa.var_term(self.y), self.cfa.terms.int(32, 0));
        let at = at.map_or(y, |a| self.cfa.terms.int(32, a));
        Op::assign(self.m, self.cfa.terms.write(m, at, zero))
    }

    /// `x := m[at]`.
    fn load(&mut self, at: u64) -> Op {
        let (m, at) = (self.cfa.var_term(self.m), self.cfa.terms.int(32, at));
        Op::assign(self.x, self.cfa.terms.read(m, at, 32))
    }

    fn set_x(&mut self) -> Op {
        Op::assign(self.x, self.cfa.terms.int(32, 7))
    }

    /// `ops` one after the other, from the function's entry to its exit; in `main`, to a target if `x` is 0 then.
    fn chain(&mut self, func: FuncId, ops: Vec<Op>) -> Vec<EdgeId> {
        let cfa = &mut self.cfa;
        let (mut at, exit) = (cfa.funcs[func].entry, cfa.funcs[func].exit);
        let mut edges = Vec::new();
        for op in ops {
            let next = cfa.add_loc(func);
            edges.push(edge(cfa, at, next, op));
            at = next;
        }
        if func == cfa.entry {
            let target = cfa.add_loc(func);
            cfa.targets.push(target);
            let (x, zero) = (cfa.var_term(self.x), cfa.terms.int(32, 0));
            let hit = cfa.terms.eq(x, zero);
            crate::support::branch(cfa, at, hit, target, exit);
        } else {
            edge(cfa, at, exit, Op::Skip);
        }
        edges
    }

    /// What the check says to a slice without `dropped`; one that is an abstraction is refused for having no proof.
    fn check(&self, dropped: &[EdgeId], expect: &str) {
        let mut slice: Slice = whole(&self.cfa);
        dropped.iter().for_each(|e| slice.kept.set(e.index(), false));
        let terms = Terms::over(std::sync::Arc::new(self.cfa.terms.clone()));
        let empty =
            Certificate { slice, terms, frames: Vec::new(), nodes: Vec::new(), contracts: Vec::new(), explored: None };
        let reason = rejected(&self.cfa, &empty);
        assert!(reason.contains(expect), "without {dropped:?}: {reason}");
    }
}

const FINE: &str = "no node";

#[test]
fn bytes_are_told_apart() {
    let mut p = Program::new();
    let (first, beside, load, set) = (p.store(Some(100)), p.store(Some(104)), p.load(100), p.set_x());
    let ops = vec![set, first.clone(), beside, first, load];
    let [set, covered, beside, store, load] = p.chain(p.cfa.entry, ops)[..] else { unreachable!("five edges") };
    p.check(&[set, covered, beside], FINE);
    p.check(&[store], "reads `m`");
    p.check(&[load], "reads `x`");
}

#[test]
fn unknown_addresses_cover_nothing_and_touch_everything() {
    let mut p = Program::new();
    let (fixed, anywhere, load) = (p.store(Some(100)), p.store(None), p.load(100));
    let [fixed, anywhere, _] = p.chain(p.cfa.entry, vec![fixed, anywhere, load])[..] else {
        unreachable!("three edges")
    };
    p.check(&[fixed], "reads `m`");
    p.check(&[anywhere], "reads `m`");
}

#[test]
fn calls_are_dropped_with_what_they_write() {
    let mut p = Program::new();
    let (store, load) = (p.store(Some(100)), p.load(100));
    let inner = p.chain(p.f, vec![store.clone()]);
    let ops = vec![store, Op::Call(p.f), load, Op::Call(p.f)];
    let [before, call, _, after] = p.chain(p.cfa.entry, ops)[..] else { unreachable!("four edges") };
    // The function surely writes what is read; the call after it writes what nobody reads.
    p.check(&[before, after], FINE);
    p.check(&[call], "reads `m`");
    p.check(&inner, "reads `m`");
    p.check(&[call, after, inner[0]], "reads `m`");
}

/// What passes through a function untouched does not mix with what other callers have there.
#[test]
fn what_a_function_does_not_write_comes_back() {
    let mut p = Program::new();
    let (store, load, set) = (p.store(Some(100)), p.load(100), p.set_x());
    p.chain(p.f, vec![set]);
    let ops = vec![store.clone(), Op::Call(p.f), store, Op::Call(p.f), load];
    let [dropped, first, _, second, _] = p.chain(p.cfa.entry, ops)[..] else { unreachable!("five edges") };
    p.check(&[dropped], FINE);
    p.check(&[dropped, first, second], FINE);
}

#[test]
fn calls_that_reach_a_target_are_kept() {
    let mut p = Program::new();
    let set = p.set_x();
    let ops = vec![Op::Call(p.f), set];
    let calls = p.chain(p.cfa.entry, ops);
    let (entry, target) = (p.cfa.funcs[p.f].entry, p.cfa.add_loc(p.f));
    p.chain(p.f, Vec::new());
    edge(&mut p.cfa, entry, target, Op::Skip);
    p.check(&calls[..1], FINE);
    p.cfa.targets.push(target);
    p.check(&calls[..1], "from where a target is reached");
    p.check(&[], FINE);
}
