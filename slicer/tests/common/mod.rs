//! A builder for small programs: one current location that operations are appended to.
#![allow(dead_code, reason = "each test file uses a part of it")]

use cfa::bv::BvCmp;
use cfa::bytes::{ByteSet, Bytes};
use cfa::footprint::{Footprint, Footprints};
use cfa::view::Slice;
use cfa::{
    AssumeKind, Cfa, EdgeId, FuncId, Id, InputKind, LocId, Object, ObjectId, ObjectKind, Op, Scope, Sort, Span, Term,
    VarId,
};
use std::collections::HashSet;

pub(crate) mod random;

pub(crate) struct Build {
    pub cfa: Cfa,
    pub mem: VarId,
    pub func: FuncId,
    pub at: LocId,
}

impl Build {
    /// A program with a memory and an entry function, at its entry.
    pub(crate) fn new(pointer_bits: u32) -> Build {
        let mut cfa = Cfa::new(pointer_bits);
        let mem = cfa.add_var("mem", Sort::Array { index: pointer_bits, elem: 8 }, Scope::Global);
        let func = cfa.add_func("main", Span::default());
        let at = cfa.funcs[func].entry;
        Build { cfa, mem, func, at }
    }

    /// Begins another function; what follows is appended there.
    pub(crate) fn begin(&mut self, name: &str) -> FuncId {
        self.func = self.cfa.add_func(name, Span::default());
        self.at = self.cfa.funcs[self.func].entry;
        self.func
    }

    /// Goes on at `l`.
    pub(crate) fn go(&mut self, l: LocId) {
        self.at = l;
        self.func = self.cfa.locs[l].func;
    }

    pub(crate) fn loc(&mut self) -> LocId {
        self.cfa.add_loc(self.func)
    }

    /// An edge to a new location, where building goes on.
    pub(crate) fn emit(&mut self, op: Op) -> EdgeId {
        let next = self.loc();
        self.emit_to(op, next)
    }

    pub(crate) fn emit_to(&mut self, op: Op, to: LocId) -> EdgeId {
        let e = self.cfa.add_edge(self.at, to, op, Span::default());
        self.at = to;
        e
    }

    /// An edge from `from` to `to`, both given.
    pub(crate) fn edge(&mut self, from: LocId, to: LocId, op: Op) -> EdgeId {
        self.cfa.add_edge(from, to, op, Span::default())
    }

    /// Leads to the exit of the function.
    pub(crate) fn end(&mut self) {
        let exit = self.cfa.funcs[self.func].exit;
        self.emit_to(Op::Skip, exit);
    }

    pub(crate) fn local(&mut self, name: &str, bits: u32) -> VarId {
        let (name, scope) = (format!("{}::{name}", self.cfa.funcs[self.func].name), Scope::Local(self.func));
        self.cfa.add_var(name, Sort::Bv(bits), scope)
    }

    pub(crate) fn global(&mut self, name: &str, bits: u32) -> VarId {
        self.cfa.add_var(name, Sort::Bv(bits), Scope::Global)
    }

    pub(crate) fn v(&mut self, v: VarId) -> Term {
        self.cfa.var_term(v)
    }

    pub(crate) fn int(&mut self, bits: u32, value: u64) -> Term {
        self.cfa.terms.int(bits, value)
    }

    pub(crate) fn word(&mut self, value: u64) -> Term {
        self.int(self.cfa.pointer_bits, value)
    }

    pub(crate) fn object(&mut self, name: &str, kind: ObjectKind, size: u64) -> ObjectId {
        self.cfa.objects.push(Object {
            name: name.into(),
            kind,
            size_bytes: Some(size),
            align_bytes: 8,
            stride_bytes: 0,
            base: None,
            constant: false,
            heap: false,
            shared: false,
            declared: false,
            span: Span::default(),
        })
    }

    pub(crate) fn addr(&mut self, o: ObjectId, offset: u64) -> Term {
        let base = self.cfa.terms.addr(o, self.cfa.pointer_bits);
        self.cfa.terms.add_int(base, offset)
    }

    pub(crate) fn load(&mut self, address: Term, bits: u32) -> Term {
        let mem = self.v(self.mem);
        self.cfa.terms.read(mem, address, bits)
    }

    pub(crate) fn store(&mut self, address: Term, value: Term) -> EdgeId {
        let mem = self.v(self.mem);
        let new = self.cfa.terms.write(mem, address, value);
        self.emit(Op::assign(self.mem, new))
    }

    pub(crate) fn copy(&mut self, to: Term, from: Term, bytes: u64) -> EdgeId {
        let (mem, len) = (self.v(self.mem), self.word(bytes));
        let new = self.cfa.terms.copy(mem, to, mem, from, len);
        self.emit(Op::assign(self.mem, new))
    }

    pub(crate) fn fill(&mut self, to: Term, byte: u64, bytes: u64) -> EdgeId {
        let (mem, len, zero) = (self.v(self.mem), self.word(bytes), self.word(0));
        let byte = self.int(8, byte);
        let source = self.cfa.terms.const_array(self.cfa.pointer_bits, byte);
        let new = self.cfa.terms.copy(mem, to, source, zero, len);
        self.emit(Op::assign(self.mem, new))
    }

    /// Makes a range arbitrary, as front-ends do it: from an arbitrary array. Returns the edge that sets the array.
    pub(crate) fn forget(&mut self, to: Term, bytes: u64) -> EdgeId {
        let sort = self.cfa.vars[self.mem].sort;
        let name = format!("old{}", self.cfa.vars.len());
        let array = self.cfa.add_var(name, sort, Scope::Local(self.func));
        let input = self.emit(Op::Input { var: array, kind: InputKind::Uninitialised });
        let (mem, source, len) = (self.v(self.mem), self.v(array), self.word(bytes));
        let new = self.cfa.terms.copy(mem, to, source, to, len);
        self.emit(Op::assign(self.mem, new));
        input
    }

    pub(crate) fn input(&mut self, var: VarId) -> EdgeId {
        self.emit(Op::Input { var, kind: InputKind::Program("__VERIFIER_nondet_int".into()) })
    }

    pub(crate) fn assume(&mut self, cond: Term) -> EdgeId {
        self.emit(Op::Assume { cond, kind: AssumeKind::User })
    }

    /// A branch: building goes on where `cond` holds; returns the other side and both edges.
    pub(crate) fn branch(&mut self, cond: Term) -> (LocId, EdgeId, EdgeId) {
        let (from, other) = (self.at, self.loc());
        let not = self.cfa.terms.not(cond);
        let no = self.edge(from, other, Op::branch(not));
        let yes = self.emit(Op::branch(cond));
        (other, yes, no)
    }

    /// Sets `v` to `next` as long as `cond` holds: both edges of the test, and the one after it.
    pub(crate) fn repeat(&mut self, cond: Term, v: VarId, next: Term) -> ([EdgeId; 2], EdgeId) {
        let head = self.at;
        let (after, yes, no) = self.branch(cond);
        let body = self.emit_to(Op::assign(v, next), head);
        self.go(after);
        ([yes, no], body)
    }

    /// Leads to a new target where `cond` holds, goes on where not.
    pub(crate) fn target_if(&mut self, cond: Term) -> (LocId, EdgeId, EdgeId) {
        let (other, yes, no) = self.branch(cond);
        let target = self.at;
        self.cfa.targets.push(target);
        self.go(other);
        (target, yes, no)
    }
}

/// S, Fig. 4: edges by the location that they leave, those of a branch with its condition first.
pub(crate) struct RunningExample {
    pub b: Build,
    pub l2: EdgeId,
    pub l3: EdgeId,
    pub l4: EdgeId,
    pub l5: [EdgeId; 2],
    pub l6: EdgeId,
    pub l9: EdgeId,
    pub l12: [EdgeId; 2],
    /// The call of error, a target.
    pub l13: LocId,
    pub l15: [EdgeId; 2],
    pub l16: EdgeId,
    pub l18: EdgeId,
}

impl RunningExample {
    pub(crate) fn new() -> RunningExample {
        let mut b = Build::new(32);
        let (x, w, y) = (b.local("x", 32), b.local("w", 32), b.local("y", 32));
        let (tx, tw, ty) = (b.v(x), b.v(w), b.v(y));
        let (zero, one) = (b.int(32, 0), b.int(32, 1));
        let l2 = b.input(x);
        let l3 = b.input(w);
        let l4 = b.emit(Op::assign(y, one));
        let (positive, minus) = (b.cfa.terms.cmp(BvCmp::Slt, zero, tx), b.cfa.terms.sub(tx, one));
        let (l5, l6) = b.repeat(positive, x, minus);
        let next_w = b.cfa.terms.add(tw, one);
        let l9 = b.emit(Op::assign(w, next_w));
        let both = {
            let (p, q) = (b.cfa.terms.cmp(BvCmp::Slt, tx, zero), b.cfa.terms.cmp(BvCmp::Slt, ty, zero));
            b.cfa.terms.and(p, q)
        };
        let (l13, l12_yes, l12_no) = b.target_if(both);
        let (below, next_y) = (b.cfa.terms.cmp(BvCmp::Slt, ty, tw), b.cfa.terms.add(ty, one));
        let (l15, l16) = b.repeat(below, y, next_y);
        let l18 = b.emit(Op::Skip);
        b.end();
        RunningExample { b, l2, l3, l4, l5, l6, l9, l12: [l12_yes, l12_no], l13, l15, l16, l18 }
    }
}

/// Edges are listed once at both ends, stay in their function and name no local of another one.
pub(crate) fn assert_consistent(cfa: &Cfa) {
    for (e, edge) in cfa.edges.iter_enumerated() {
        let func = cfa.locs[edge.from].func;
        assert_eq!(func, cfa.locs[edge.to].func);
        assert_eq!(cfa.locs[edge.from].out.iter().filter(|x| **x == e).count(), 1);
        assert_eq!(cfa.locs[edge.to].into.iter().filter(|x| **x == e).count(), 1);
        let mut vars: Vec<VarId> = edge.op.terms().into_iter().flat_map(|t| cfa.terms.vars(t)).collect();
        vars.extend(edge.op.written());
        for v in vars {
            let own = matches!(cfa.vars[v].scope, Scope::Local(f) if f == func);
            assert!(own || cfa.vars[v].scope == Scope::Global, "{e} names {}", cfa.vars[v].name);
        }
    }
    for (l, loc) in cfa.locs.iter_enumerated() {
        assert!(loc.out.iter().all(|e| cfa.edges[*e].from == l) && loc.into.iter().all(|e| cfa.edges[*e].to == l));
    }
}

/// What the certificate checker demands of every slice, naively: no dropped write reaches a read of a kept edge, guards go with
/// the edge after them, and what has no model stays.
pub(crate) fn assert_closed(cfa: &Cfa, slice: &Slice) {
    let mut footprints = Footprints::new(cfa);
    let all: Vec<Footprint> = cfa.edges.iter().map(|e| footprints.of(&e.op)).collect();
    for e in slice.kept.ones().map(EdgeId::from_index) {
        assert!(slice.live.contains(e.index()), "{e} is kept but not live");
        for r in &all[e.index()].reads {
            assert_fresh(cfa, slice, &all, e, r.var, r.bytes);
        }
        for g in cfa.into(cfa.edges[e].from) {
            if matches!(cfa.edges[*g].op, Op::Assume { kind: AssumeKind::Guard, .. }) && slice.live.contains(g.index())
            {
                assert!(slice.kept.contains(g.index()), "the guard {g} of {e} is dropped");
            }
        }
    }
    for (e, edge) in cfa.edges.iter_enumerated() {
        let dropped = slice.live.contains(e.index()) && !slice.kept.contains(e.index());
        assert!(!(dropped && matches!(edge.op, Op::Unsupported(_))), "{e} has no model");
    }
}

/// Goes backward from the read of `bytes` of `v` by `user`, each byte range on its own, and meets no dropped write of it.
fn assert_fresh(cfa: &Cfa, slice: &Slice, all: &[Footprint], user: EdgeId, v: VarId, bytes: Bytes) {
    let live = |e: &EdgeId| slice.live.contains(e.index());
    let func = |e: EdgeId| cfa.locs[cfa.edges[e].from].func;
    let global = cfa.vars[v].scope == Scope::Global;
    let calls = |f: FuncId| cfa.edges.ids().filter(live).filter(move |e| cfa.edges[*e].op == Op::Call(f));
    let mut writing: HashSet<FuncId> = HashSet::new();
    let mut work: Vec<FuncId> =
        cfa.edges.ids().filter(live).filter(|e| all[e.index()].writes.iter().any(|w| w.var == v)).map(func).collect();
    while let Some(f) = work.pop() {
        if global && writing.insert(f) {
            work.extend(calls(f).map(func));
        }
    }
    let mut seen: HashSet<(LocId, Bytes)> = HashSet::new();
    let mut work = vec![(cfa.edges[user].from, bytes)];
    while let Some((l, bytes)) = work.pop() {
        if !seen.insert((l, bytes)) {
            continue;
        }
        if global && l == cfa.funcs[cfa.locs[l].func].entry {
            let kept = calls(cfa.locs[l].func).filter(|e| slice.kept.contains(e.index()));
            work.extend(kept.map(|e| (cfa.edges[e].from, bytes)));
        }
        for &e in cfa.into(l).iter().filter(|e| live(e)) {
            let (edge, kept) = (&cfa.edges[e], slice.kept.contains(e.index()));
            let name = &cfa.vars[v].name;
            if let Op::Call(f) = edge.op {
                assert!(kept || !writing.contains(&f), "the call {e} is dropped but writes {name}, which {user} reads");
                let on = if writing.contains(&f) { cfa.funcs[f].exit } else { edge.from };
                work.push((on, bytes));
                continue;
            }
            let mut rest = ByteSet::from(bytes);
            for w in all[e.index()].writes.iter().filter(|w| w.var == v && w.bytes.overlaps(bytes)) {
                assert!(kept, "{e} is dropped but writes {name}, which {user} reads");
                if w.sure {
                    rest.remove(w.bytes);
                }
            }
            work.extend(rest.ranges().iter().map(|r| (edge.from, *r)));
        }
    }
}
