//! Small programs with one memory, and what must hold of every slice.

use cfa::bv::BvCmp;
use cfa::bytes::{ByteSet, Bytes};
use cfa::footprint::{Footprint, Footprints};
use cfa::view::Slice;
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, InputKind, LocId, ObjectId, ObjectKind, Op, Scope, Sort, Term, VarId};
use kerf_testing::{Builder, object};
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};

pub(crate) mod random;

/// A program with one memory, as front-ends make it.
pub(crate) struct Build {
    b: Builder,
    pub mem: VarId,
}

impl Deref for Build {
    type Target = Builder;

    fn deref(&self) -> &Builder {
        &self.b
    }
}

impl DerefMut for Build {
    fn deref_mut(&mut self) -> &mut Builder {
        &mut self.b
    }
}

impl Build {
    /// A program with a memory and an entry function, at its entry.
    pub(crate) fn new(pointer_bits: u32) -> Build {
        let mut b = Builder::new(pointer_bits);
        let mem = b.global("mem", Sort::Array { index: pointer_bits, elem: 8 });
        Build { b, mem }
    }

    pub(crate) fn finish(self) -> Cfa {
        self.b.cfa
    }

    pub(crate) fn local(&mut self, name: &str, bits: u32) -> VarId {
        let name = format!("{}::{name}", self.cfa.funcs[self.func].name);
        self.b.local(&name, Sort::Bv(bits))
    }

    pub(crate) fn global(&mut self, name: &str, bits: u32) -> VarId {
        self.b.global(name, Sort::Bv(bits))
    }

    pub(crate) fn word(&mut self, value: u64) -> Term {
        let bits = self.cfa.pointer_bits;
        self.cfa.terms.int(bits, value)
    }

    pub(crate) fn object(&mut self, name: &str, kind: ObjectKind, size: u64) -> ObjectId {
        self.cfa.objects.push(object(name, kind, size))
    }

    pub(crate) fn addr(&mut self, o: ObjectId, offset: u64) -> Term {
        let bits = self.cfa.pointer_bits;
        let terms = self.b.terms();
        let base = terms.addr(o, bits);
        terms.add_int(base, offset)
    }

    pub(crate) fn load(&mut self, address: Term, bits: u32) -> Term {
        let mem = self.b.var(self.mem);
        self.b.terms().read(mem, address, bits)
    }

    pub(crate) fn store(&mut self, address: Term, value: Term) -> EdgeId {
        let mem = self.b.var(self.mem);
        let new = self.b.terms().write(mem, address, value);
        self.b.assign(self.mem, new)
    }

    pub(crate) fn copy(&mut self, to: Term, from: Term, bytes: u64) -> EdgeId {
        let (mem, len) = (self.b.var(self.mem), self.word(bytes));
        let new = self.b.terms().copy(mem, to, mem, from, len);
        self.b.assign(self.mem, new)
    }

    pub(crate) fn fill(&mut self, to: Term, byte: u64, bytes: u64) -> EdgeId {
        let (mem, len, zero) = (self.b.var(self.mem), self.word(bytes), self.word(0));
        let bits = self.cfa.pointer_bits;
        let terms = self.b.terms();
        let byte = terms.int(8, byte);
        let source = terms.const_array(bits, byte);
        let new = terms.copy(mem, to, source, zero, len);
        self.b.assign(self.mem, new)
    }

    /// Makes a range arbitrary, as front-ends do it: from an arbitrary array. Returns the edge that sets the array.
    pub(crate) fn forget(&mut self, to: Term, bytes: u64) -> EdgeId {
        let sort = self.cfa.vars[self.mem].sort;
        let name = format!("old{}", self.cfa.vars.len());
        let array = self.b.local(&name, sort);
        let input = self.step(Op::Input { var: array, kind: InputKind::Uninitialised });
        let (mem, source, len) = (self.b.var(self.mem), self.b.var(array), self.word(bytes));
        let new = self.b.terms().copy(mem, to, source, to, len);
        self.b.assign(self.mem, new);
        input
    }

    pub(crate) fn assume(&mut self, cond: Term) -> EdgeId {
        self.step(Op::Assume { cond, kind: AssumeKind::User })
    }

    /// A branch: building goes on where `cond` holds; returns the other side and both edges.
    pub(crate) fn branch(&mut self, cond: Term) -> (LocId, EdgeId, EdgeId) {
        let (from, other) = (self.at, self.loc());
        let not = self.cfa.terms.not(cond);
        let no = self.edge(from, other, Op::branch(not));
        let yes = self.step(Op::branch(cond));
        (other, yes, no)
    }

    /// Sets `v` to `next` as long as `cond` holds: both edges of the test, and the one after it.
    pub(crate) fn repeat(&mut self, cond: Term, v: VarId, next: Term) -> ([EdgeId; 2], EdgeId) {
        let head = self.at;
        let (after, yes, no) = self.branch(cond);
        let body = self.step_to(Op::assign(v, next), head);
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

/// [Lemberger 2018, Fig. 4]: edges by the location that they leave, those of a branch with its condition first.
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
        let (tx, tw, ty) = (b.var(x), b.var(w), b.var(y));
        let (zero, one) = (b.int(32, 0), b.int(32, 1));
        let l2 = b.input(x);
        let l3 = b.input(w);
        let l4 = b.step(Op::assign(y, one));
        let (positive, minus) = (b.cfa.terms.cmp(BvCmp::Slt, zero, tx), b.cfa.terms.sub(tx, one));
        let (l5, l6) = b.repeat(positive, x, minus);
        let next_w = b.cfa.terms.add(tw, one);
        let l9 = b.step(Op::assign(w, next_w));
        let both = {
            let (p, q) = (b.cfa.terms.cmp(BvCmp::Slt, tx, zero), b.cfa.terms.cmp(BvCmp::Slt, ty, zero));
            b.cfa.terms.and(p, q)
        };
        let (l13, l12_yes, l12_no) = b.target_if(both);
        let (below, next_y) = (b.cfa.terms.cmp(BvCmp::Slt, ty, tw), b.cfa.terms.add(ty, one));
        let (l15, l16) = b.repeat(below, y, next_y);
        let l18 = b.step(Op::Skip);
        b.exit();
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
