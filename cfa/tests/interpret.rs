//! Runs of small programs: ends, recursion, memory, and the speed of the interpreter.

use cfa::eval::Value;
use cfa::interpret::{End, RunLimits, run};
use cfa::{EdgeId, Op, Scope, Sort, Term, VarId};
use kerf_testing::Builder;
use rustc_hash::FxHashMap;

const LIMITS: RunLimits = RunLimits { steps: 100_000_000, deadline: None };

/// A local variable with its term.
fn local(b: &mut Builder, name: &str, sort: Sort) -> (VarId, Term) {
    let v = b.local(name, sort);
    (v, b.var(v))
}

fn run_without_inputs(b: &Builder) -> (End, u64) {
    let r = run(&b.cfa, &mut FxHashMap::default(), LIMITS, &mut |_, _| {});
    (r.end, r.steps)
}

const MEMORY: Sort = Sort::Array { index: 64, elem: 8 };

/// `for (i = 0; i < n; i++) m[i % 64 * 4] = i;` with a target after it where the last element is what it must be.
fn loop_over_memory(n: u64) -> Builder {
    let mut b = Builder::new(64);
    b.object_at(0x1000, 256);
    let (i, ti) = local(&mut b, "i", Sort::Bv(32));
    let (m, tm) = local(&mut b, "m", MEMORY);
    let t = &mut b.cfa.terms;
    let (zero, limit) = (t.int(32, 0), t.int(32, n));
    let more = t.cmp(cfa::bv::BvCmp::Ult, ti, limit);
    let done = t.not(more);
    let (mask, base) = (t.int(32, 63), t.int(64, 0x1000));
    let slot = t.bv_op(cfa::bv::BvOp::And, ti, mask);
    let slot = t.zext(64, slot);
    let two = t.int(64, 2);
    let offset = t.bv_op(cfa::bv::BvOp::Shl, slot, two);
    let address = t.add(base, offset);
    let written = t.write(tm, address, ti);
    let next = t.add_int(ti, 1);
    let back = t.read(tm, address, 32);
    let same = t.eq(back, ti);
    b.step(Op::assign(i, zero));
    let head = b.at;
    b.step(Op::branch(more));
    b.step(Op::assign(m, written));
    b.step(Op::branch(same));
    b.edge(b.at, head, Op::assign(i, next));
    b.at = head;
    b.step(Op::branch(done));
    let at = b.at;
    b.cfa.targets.push(at);
    b
}

#[test]
fn a_loop_over_memory_reaches_its_target() {
    let b = loop_over_memory(1000);
    let (end, steps) = run_without_inputs(&b);
    assert_eq!(end, End::Target(b.at));
    assert_eq!(steps, 1 + 4 * 1000 + 1);
}

#[test]
fn an_access_beside_every_object_is_invalid() {
    for (address, valid) in [(0x1000, true), (0x10fc, true), (0x10fd, false), (0xfff, false), (0x2000, false)] {
        let mut b = Builder::new(64);
        b.object_at(0x1000, 256);
        let (m, tm) = local(&mut b, "m", MEMORY);
        let (a, v) = (b.cfa.terms.int(64, address), b.cfa.terms.int(32, 7));
        let written = b.cfa.terms.write(tm, a, v);
        let edge = b.leave(Op::assign(m, written));
        let want = if valid { End::Finished } else { End::InvalidAccess { edge, address } };
        assert_eq!(run_without_inputs(&b).0, want, "{address:#x}");
    }
}

#[test]
fn a_copy_of_nothing_is_no_access() {
    let mut b = Builder::new(64);
    let (m, tm) = local(&mut b, "m", MEMORY);
    let (n, tn) = local(&mut b, "n", Sort::Bv(64));
    let null = b.cfa.terms.int(64, 0);
    let copied = b.cfa.terms.copy(tm, null, tm, null, tn);
    b.step(Op::assign(n, null));
    b.leave(Op::assign(m, copied));
    assert_eq!(run_without_inputs(&b).0, End::Finished);
}

/// `f(n) { local = n; if (n) f(n - 1); assert(local == n at entry); }`
#[test]
fn recursion_keeps_locals_apart() {
    let mut b = Builder::new(64);
    let main = b.func;
    let param = b.cfa.add_var("f.n", Sort::Bv(32), Scope::Global);
    let tp = b.cfa.var_term(param);
    let f = b.begin("f");
    b.cfa.funcs[f].params.push(param);
    let (n, tn) = local(&mut b, "n", Sort::Bv(32));
    let sum = b.cfa.add_var("sum", Sort::Bv(32), Scope::Global);
    let ts = b.cfa.var_term(sum);
    let t = &mut b.cfa.terms;
    let zero = t.int(32, 0);
    let base = t.eq(tn, zero);
    let more = t.not(base);
    let minus = t.int(32, u64::MAX);
    let less = t.add(tn, minus);
    let added = t.add(ts, tn);
    b.step(Op::assign(n, tp));
    let test = b.at;
    b.leave(Op::branch(base));
    b.at = test;
    b.step(Op::branch(more));
    b.step(Op::assign(param, less));
    b.step(Op::Call(f));
    b.leave(Op::assign(sum, added));
    b.go(b.cfa.funcs[main].entry);
    let (ten, want) = (b.cfa.terms.int(32, 10), b.cfa.terms.int(32, 55));
    let (zero, right) = (b.cfa.terms.int(32, 0), b.cfa.terms.eq(ts, want));
    b.step(Op::assign(sum, zero));
    b.step(Op::assign(param, ten));
    b.step(Op::Call(f));
    b.leave(Op::branch(right));
    assert_eq!(run_without_inputs(&b).0, End::Finished);
}

#[test]
fn a_new_activation_has_no_old_values() {
    let mut b = Builder::new(64);
    let main = b.func;
    let f = b.begin("f");
    let (x, tx) = local(&mut b, "x", Sort::Bv(8));
    let (zero, one) = (b.cfa.terms.int(8, 0), b.cfa.terms.int(8, 1));
    let unset = b.cfa.terms.eq(tx, zero);
    b.step(Op::branch(unset));
    b.leave(Op::assign(x, one));
    b.go(b.cfa.funcs[main].entry);
    b.step(Op::Call(f));
    b.leave(Op::Call(f));
    assert_eq!(run_without_inputs(&b).0, End::Finished);
}

#[test]
fn inputs_are_keyed_by_edge_and_occurrence() {
    let mut b = Builder::new(64);
    let (x, tx) = local(&mut b, "x", Sort::Bv(8));
    let (three, head) = (b.cfa.terms.int(8, 3), b.at);
    let stop = b.cfa.terms.eq(tx, three);
    let again = b.cfa.terms.not(stop);
    let e = b.step(Op::Input { var: x, kind: cfa::InputKind::Program("nondet".into()) });
    let test = b.at;
    b.edge(b.at, head, Op::branch(again));
    b.at = test;
    b.leave(Op::branch(stop));
    let value = |v| Value::Bv(cfa::bv::Bv::new(8, v));
    let mut source: FxHashMap<EdgeId, Vec<Value>> = FxHashMap::default();
    source.insert(e, vec![value(1), value(2), value(3)]);
    let r = run(&b.cfa, &mut source, LIMITS, &mut |_, _| {});
    assert_eq!(r.end, End::Finished);
    assert_eq!(
        r.inputs.iter().map(|i| (i.occurrence, i.value.clone())).collect::<Vec<_>>(),
        vec![(0, value(1)), (1, value(2)), (2, value(3))]
    );
    let r = run(&b.cfa, &mut FxHashMap::default(), RunLimits { steps: 100, deadline: None }, &mut |_, _| {});
    assert_eq!(r.end, End::StepLimit);
}
