//! Preparation: what is promoted, how memories are split, how indirect calls are resolved; and on random programs that none of it
//! changes what a program does.

use crate::common::{Build, assert_closed, assert_consistent};
use cfa::eval::Value;
use cfa::interpret::{End, InputSource, RunLimits, run};
use cfa::term::Kind;
use cfa::{
    AddressVector, Allocation, AssumeKind, Assumed, Cfa, EdgeId, IndirectCall, InputKind, ObjectId, ObjectKind, Op,
    RawCfa, Scope, Sort,
};
use kerf_testing::Random;
use slicer::{PrepareOptions, PrepareStats, prepare, slice_for_targets};

fn prepared(b: &Build) -> (Cfa, PrepareStats) {
    let (cfa, stats) = prepare(RawCfa::new(b.cfa.clone()), &PrepareOptions::default()).expect("preparation succeeds");
    assert_consistent(&cfa);
    (cfa, stats)
}

/// All memories that operations still name.
fn memories(cfa: &Cfa) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for edge in cfa.edges.iter() {
        let mut vars: Vec<_> = edge.op.terms().into_iter().flat_map(|t| cfa.terms.vars(t)).collect();
        vars.extend(edge.op.written());
        for v in vars {
            if let Sort::Array { elem, .. } = cfa.vars[v].sort {
                names.push(format!("{}:{elem}", cfa.vars[v].name));
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

fn show(cfa: &Cfa, e: EdgeId) -> String {
    let var = |v: cfa::VarId| cfa.vars[v].name.clone();
    match &cfa.edges[e].op {
        Op::Assign(list) => {
            list.iter().map(|(v, t)| format!("{} := {}", var(*v), cfa.show(*t))).collect::<Vec<_>>().join(", ")
        }
        Op::Assume { cond, .. } => format!("[{}]", cfa.show(*cond)),
        Op::Input { var: v, .. } => format!("{} := ?", var(*v)),
        other => format!("{other:?}"),
    }
}

#[test]
fn scalars_become_variables() {
    let mut b = Build::new(64);
    let x = b.object("x", ObjectKind::Global, 4);
    let p = b.object("p", ObjectKind::Stack(b.func), 8);
    let (ax, ap) = (b.addr(x, 0), b.addr(p, 0));
    let five = b.int(32, 5);
    let e1 = b.store(ax, five);
    let e2 = b.store(ap, ax);
    // *p = *p + 1
    let through = b.load(ap, 64);
    let old = b.load(through, 32);
    let new = b.cfa.terms.add_int(old, 1);
    let e3 = b.store(through, new);
    let value = b.load(ax, 32);
    let six = b.int(32, 6);
    let cond = b.cfa.terms.eq(value, six);
    let (_, yes, _) = b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!((stats.promotion.promoted_objects, stats.promotion.memories), (2, 0));
    assert_eq!(show(&cfa, e1), "x := 5:32");
    assert_eq!(show(&cfa, e2), format!("p := {}", cfa.show(cfa.edges[e2].op.terms()[0])));
    assert_eq!(show(&cfa, e3), "x := (bvadd x 1:32)");
    assert_eq!(show(&cfa, yes), "[(= x 6:32)]");
    // What p holds is tested, so that an invalid access would end the execution.
    let guard = cfa.locs[cfa.edges[e3].from].into[0];
    assert!(matches!(cfa.edges[guard].op, Op::Assume { kind: AssumeKind::Guard, .. }), "{}", show(&cfa, guard));
}

#[test]
fn structs_are_split_and_copies_follow_the_parts() {
    let mut b = Build::new(64);
    let s = b.object("s", ObjectKind::Global, 12);
    let t = b.object("t", ObjectKind::Global, 12);
    let v = b.global("v", 32);
    b.input(v);
    let (s0, s4, s8, t0, t4) = (b.addr(s, 0), b.addr(s, 4), b.addr(s, 8), b.addr(t, 0), b.addr(t, 4));
    b.forget(s0, 12);
    let value = b.var(v);
    b.store(s4, value);
    let low = b.cfa.terms.extract(15, 0, value);
    b.store(s8, low);
    let copied = b.copy(t0, s0, 12);
    let back = b.load(t4, 32);
    let cond = b.cfa.terms.nonzero(back);
    b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!((stats.promotion.promoted_objects, stats.promotion.memories), (2, 0));
    assert_eq!(memories(&cfa), Vec::<String>::new());
    let sliced = slice_for_targets(&cfa);
    assert_closed(&cfa, &sliced);
    let chain: Vec<String> = std::iter::successors(Some(copied), |e| {
        let out = cfa.out(cfa.edges[*e].to);
        (out.len() == 1 && matches!(cfa.edges[out[0]].op, Op::Assign(_))).then(|| out[0])
    })
    .filter(|e| sliced.kept.contains(e.0 as usize))
    .map(|e| show(&cfa, e))
    .collect();
    assert_eq!(chain, ["t.4 := s.4"]);
}

#[test]
fn arrays_get_wide_cells() {
    let mut b = Build::new(64);
    let a = b.object("a", ObjectKind::Global, 400);
    let c = b.object("c", ObjectKind::Global, 10);
    let i = b.global("i", 32);
    b.input(i);
    let ti = b.var(i);
    let wide = b.cfa.terms.sext(64, ti);
    let four = b.word(4);
    let offset = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, wide, four);
    let (base, chars) = (b.addr(a, 8), b.addr(c, 0));
    let at = b.cfa.terms.add(base, offset);
    b.fill(base, 0, 392);
    b.forget(base, 392);
    b.store(at, ti);
    let byte = b.cfa.terms.add(chars, wide);
    let low = b.int(8, 1);
    b.store(byte, low);
    let (x, y) = (b.load(at, 32), b.load(byte, 8));
    let y = b.cfa.terms.zext(32, y);
    let cond = b.cfa.terms.eq(x, y);
    b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!((stats.promotion.promoted_objects, stats.promotion.memories), (0, 2));
    let names = memories(&cfa);
    assert!(names.contains(&"mem.a:32".into()) && names.contains(&"mem.c:8".into()), "{names:?}");
}

#[test]
fn who_reads_a_vector_of_addresses_is_told_so() {
    let mut b = Build::new(64);
    let (words, texts) = (b.object("words", ObjectKind::Global, 800), b.object("texts", ObjectKind::Global, 1000));
    let (vector, i) = (b.global("vector", 64), b.global("i", 32));
    b.cfa.vars[vector].sort = b.cfa.vars[b.mem].sort;
    let (begin, end) = (b.addr(words, 16), b.addr(words, 800));
    let input = b.step(Op::Input { var: vector, kind: InputKind::Approximate("words".into()) });
    let memory = b.mem;
    let (mem, source, len) = (b.var(memory), b.var(vector), b.word(784));
    let copied = b.cfa.terms.copy(mem, begin, source, begin, len);
    b.assign(memory, copied);
    b.input(i);
    let ti = b.var(i);
    let wide = b.cfa.terms.sext(64, ti);
    let eight = b.word(8);
    let offset = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, wide, eight);
    let base = b.addr(words, 0);
    let at = b.cfa.terms.add(base, offset);
    let word = b.load(at, 64);
    let p = b.global("p", 64);
    b.assign(p, word);
    // The first two words are not of the vector.
    let first = b.load(base, 64);
    let q = b.global("q", 64);
    b.assign(q, first);
    let (tp, tq) = (b.var(p), b.var(q));
    let byte = b.load(tp, 8);
    let cond = b.cfa.terms.nonzero(byte);
    let null = b.word(0);
    let other = b.cfa.terms.eq(tq, null);
    let cond = b.cfa.terms.and(cond, other);
    b.target_if(cond);
    b.exit();
    let mut raw = RawCfa::new(b.cfa.clone());
    raw.facts.address_vectors.insert(input, AddressVector { begin, end, object: texts });
    let (cfa, _) = prepare(raw, &PrepareOptions::default()).expect("preparation succeeds");
    assert_consistent(&cfa);
    let guards: Vec<String> = cfa
        .edges
        .ids()
        .filter(|e| matches!(cfa.edges[*e].op, Op::Assume { kind: AssumeKind::Guard, .. }))
        .map(|e| show(&cfa, e))
        .filter(|shown| shown.contains("vector"))
        .collect();
    assert_eq!(guards.len(), 1, "{guards:?}");
    // The memory and the vector have cells of one width, so that both hold the same.
    let names = memories(&cfa);
    assert!(names.contains(&"mem.words:64".into()) && names.contains(&"vector#64:64".into()), "{names:?}");
    assert!(names.contains(&"mem.texts:8".into()) && !names.contains(&"vector:8".into()), "{names:?}");
}

#[test]
fn objects_that_one_access_may_be_of_share_a_region() {
    let mut b = Build::new(64);
    let x = b.object("x", ObjectKind::Global, 4);
    let y = b.object("y", ObjectKind::Global, 4);
    let z = b.object("z", ObjectKind::Global, 4);
    let n = b.global("n", 32);
    b.input(n);
    let (ax, ay, az) = (b.addr(x, 0), b.addr(y, 0), b.addr(z, 0));
    let value = b.var(n);
    let choice = b.cfa.terms.nonzero(value);
    let either = b.cfa.terms.ite(choice, ax, ay);
    let one = b.int(32, 1);
    b.store(ax, one);
    b.store(ay, one);
    b.store(az, one);
    b.store(either, value);
    let (vx, vz) = (b.load(ax, 32), b.load(az, 32));
    let sum = b.cfa.terms.add(vx, vz);
    let cond = b.cfa.terms.nonzero(sum);
    b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!((stats.promotion.regions, stats.promotion.promoted_objects), (2, 1));
    assert_eq!(memories(&cfa), ["mem.x.and1:32"]);
}

/// Contents that were copied byte by byte, or through integers, still point.
#[test]
fn pointers_in_parts_point() {
    let mut b = Build::new(64);
    let x = b.object("x", ObjectKind::Global, 4);
    let y = b.object("y", ObjectKind::Global, 4);
    let p = b.object("p", ObjectKind::Global, 8);
    let q = b.object("q", ObjectKind::Global, 8);
    let (ax, ay, ap) = (b.addr(x, 0), b.addr(y, 0), b.addr(p, 0));
    b.store(ap, ax);
    for k in 0..8 {
        let (from, to) = (b.addr(p, k), b.addr(q, k));
        let byte = b.load(from, 8);
        // Through an operator, so that it is no copy in other words.
        let same = b.cfa.terms.bv_not(byte);
        let same = b.cfa.terms.bv_not(same);
        b.store(to, same);
    }
    let aq = b.addr(q, 0);
    let pointer = b.load(aq, 64);
    let seven = b.int(32, 7);
    b.store(ay, seven);
    b.store(ax, seven);
    let eight = b.int(32, 8);
    b.store(pointer, eight);
    let value = b.load(ax, 32);
    let cond = b.cfa.terms.eq(value, eight);
    b.target_if(cond);
    b.exit();
    let (cfa, _) = prepared(&b);
    assert_eq!(end_of(&cfa), "target");
    // y is not touched by the store through the pointer.
    assert!(cfa.vars.iter().any(|v| v.name == "y"));
}

#[test]
fn indirect_calls_become_tests_and_calls() {
    let mut b = Build::new(64);
    let main_at = b.at;
    let main = b.func;
    let mut functions = Vec::new();
    for (name, k) in [("inc", 1), ("dec", u64::MAX)] {
        let param = b.global(&format!("{name}.x"), 32);
        let result = b.global(&format!("{name}.result"), 32);
        let f = b.begin(name);
        b.cfa.funcs[f].params.push(param);
        b.cfa.funcs[f].result = Some(result);
        let t = b.var(param);
        let sum = b.cfa.terms.add_int(t, k);
        b.step(Op::assign(result, sum));
        b.exit();
        functions.push(b.object(&format!("&{name}"), ObjectKind::Function(f), 1));
    }
    b.go(main_at);
    assert_eq!(b.func, main);
    let (n, r) = (b.local("n", 32), b.local("r", 32));
    b.input(n);
    let tn = b.var(n);
    let (inc, dec) = (b.addr(functions[0], 0), b.addr(functions[1], 0));
    let choice = b.cfa.terms.nonzero(tn);
    let target = b.cfa.terms.ite(choice, inc, dec);
    let call = IndirectCall {
        target,
        args: Box::new([tn]),
        result: Some(r),
        varargs: None,
        misfits: Box::default(),
        dispatched: false,
    };
    let e = b.step(Op::CallIndirect(Box::new(call)));
    // n = 0 calls dec and gives -1.
    let tr = b.var(r);
    let minus = b.int(32, -1);
    let cond = b.cfa.terms.eq(tr, minus);
    b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!(stats.indirect_calls, 1);
    assert!(matches!(cfa.edges[e].op, Op::Assume { kind: AssumeKind::Branch, .. }));
    let ends: std::collections::BTreeSet<String> = (0..40).map(|seed| outcome(&cfa, seed)).collect();
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), ["finished", "target"]);
    let sliced = slice_for_targets(&cfa);
    assert_closed(&cfa, &sliced);
}

#[test]
fn calls_of_unknown_pointers_are_unsupported() {
    let mut b = Build::new(64);
    let p = b.local("p", 64);
    b.step(Op::Input { var: p, kind: InputKind::External("get".into()) });
    let target = b.var(p);
    let call = IndirectCall {
        target,
        args: Box::new([]),
        result: None,
        varargs: None,
        misfits: Box::default(),
        dispatched: false,
    };
    let e = b.step(Op::CallIndirect(Box::new(call)));
    b.exit();
    let (cfa, _) = prepared(&b);
    assert!(matches!(cfa.edges[e].op, Op::Unsupported(_)));
    // It may reach a target, so that slices keep it.
    let sliced = slice_for_targets(&cfa);
    assert!(sliced.kept.contains(e.0 as usize));
}

/// A slot of a recursive function whose address stays in it becomes a local variable.
#[test]
fn slots_of_recursive_functions_become_locals() {
    let mut b = Build::new(64);
    let main_at = b.at;
    let param = b.global("f.n", 32);
    let result = b.global("f.result", 32);
    let f = b.begin("f");
    b.cfa.funcs[f].params.push(param);
    b.cfa.funcs[f].result = Some(result);
    let site = b.object("f::slot", ObjectKind::Site(f), 4);
    b.cfa.objects[site].stride_bytes = 16;
    let (p, count) = (b.local("slot.new", 64), b.global("f::slot.count", 64));
    let (base, tc, stride) = (b.addr(site, 0), b.var(count), b.word(16));
    let place = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, tc, stride);
    let address = b.cfa.terms.add(base, place);
    let next = b.cfa.terms.add_int(tc, 1);
    let e = b.step(Op::Assign(Box::new([(p, address), (count, next)])));
    let size = b.word(4);
    b.cfa.allocations.insert(e, Allocation { object: site, var: p, size });
    // slot = n; if (n) f(n - 1); result = slot
    let (tp, tn) = (b.var(p), b.var(param));
    b.store(tp, tn);
    let more = b.cfa.terms.nonzero(tn);
    let (last, ..) = b.branch(more);
    let less = b.cfa.terms.add_int(tn, u64::MAX);
    b.step(Op::assign(param, less));
    b.step_to(Op::Call(f), last);
    let value = b.load(tp, 32);
    b.step(Op::assign(result, value));
    b.exit();
    b.go(main_at);
    let zero = b.word(0);
    b.step(Op::assign(count, zero));
    let three = b.int(32, 3);
    b.step(Op::assign(param, three));
    b.step(Op::Call(f));
    let tr = b.var(result);
    let cond = b.cfa.terms.eq(tr, three);
    b.target_if(cond);
    b.exit();
    let (cfa, stats) = prepared(&b);
    assert_eq!((stats.promotion.promoted_objects, stats.promotion.memories), (1, 0));
    let slot = cfa.vars.iter().find(|v| v.name == "f::slot").expect("a variable");
    assert_eq!(slot.scope, Scope::Local(f));
    assert_eq!(end_of(&cfa), "target");
}

/// The memory is arbitrary at the start: so are all of its parts, but locals of other functions are anyway.
#[test]
fn the_whole_memory_as_an_input() {
    let mut b = Build::new(64);
    let memory = b.mem;
    let start = b.step(Op::Input { var: memory, kind: InputKind::Uninitialised });
    let main_at = b.at;
    let f = b.begin("f");
    let own = b.object("f::own", ObjectKind::Stack(f), 4);
    let shared = b.object("shared", ObjectKind::Global, 8);
    let (a, c) = (b.addr(own, 0), b.addr(shared, 4));
    let value = b.load(a, 32);
    b.store(c, value);
    b.exit();
    b.go(main_at);
    b.step(Op::Call(f));
    let value = b.load(c, 32);
    let cond = b.cfa.terms.nonzero(value);
    b.target_if(cond);
    b.exit();
    let (cfa, _) = prepared(&b);
    assert_eq!(show(&cfa, start), "shared.4 := ?");
}

#[test]
fn accesses_of_no_object_are_inputs() {
    let mut b = Build::new(64);
    let (p, x) = (b.local("p", 64), b.local("x", 32));
    b.input(p);
    let tp = b.var(p);
    let value = b.load(tp, 32);
    let load = b.step(Op::assign(x, value));
    let one = b.int(32, 1);
    let store = b.store(tp, one);
    let tx = b.var(x);
    let cond = b.cfa.terms.nonzero(tx);
    b.target_if(cond);
    b.exit();
    let (cfa, _) = prepared(&b);
    let before = cfa.locs[cfa.edges[load].from].into[0];
    assert!(matches!(cfa.edges[before].op, Op::Input { kind: InputKind::Undefined, .. }));
    assert_eq!(cfa.edges[store].op, Op::Skip);
    // Nothing else is assumed than that both accesses are valid.
    assert!(!cfa.assumptions.is_empty());
    assert!(cfa.assumptions.iter().all(|a| a.what == Assumed::ValidAccesses), "{:?}", cfa.assumptions);
}

/// Inputs of the program by edge, the same in all variants of it; all else is zero.
struct Inputs(u64);

impl InputSource for Inputs {
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value {
        match (kind, sort) {
            (InputKind::Program(_), Sort::Bv(w)) => {
                let mixed =
                    (self.0 ^ u64::from(edge.0) << 20 ^ u64::from(occurrence)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                Value::Bv(cfa::bv::Bv::new(w, mixed >> 61))
            }
            _ => Value::zero(sort),
        }
    }
}

fn outcome(cfa: &Cfa, seed: u64) -> String {
    let limits = RunLimits { steps: 100_000, deadline: None };
    match run(cfa, &mut Inputs(seed), limits, &mut |_, _| {}).end {
        End::Target(_) => "target".into(),
        End::InvalidAccess { .. } | End::GuardFailed(_) => "invalid".into(),
        End::DeadEnd(l) => format!("dead end {l}"),
        End::Finished => "finished".into(),
        other => panic!("{other:?}"),
    }
}

fn end_of(cfa: &Cfa) -> String {
    outcome(cfa, 0)
}

/// A random straight-line program with branches over a few objects: scalar and block accesses of all sizes at constant and variable
/// offsets, pointers in memory, choices between objects.
fn random_program(random: &mut Random) -> Build {
    let mut b = Build::new(if random.below(2) == 0 { 64 } else { 32 });
    let word = b.cfa.pointer_bits;
    let sizes = [4, 8, 12, 16, 40];
    let mut objects: Vec<(ObjectId, u64)> = Vec::new();
    for i in 0..2 + random.below(4) {
        let size = sizes[random.below(5) as usize];
        let kind = if random.below(2) == 0 { ObjectKind::Global } else { ObjectKind::Stack(b.func) };
        objects.push((b.object(&format!("o{i}"), kind, size), size));
    }
    let (n, pointer) = (b.local("n", 32), b.local("pointer", word));
    let slot = b.object("slot", ObjectKind::Stack(b.func), u64::from(word / 8));
    let slot_address = b.addr(slot, 0);
    let (first, _) = objects[0];
    let start = b.addr(first, 0);
    b.store(slot_address, start);
    b.step(Op::assign(pointer, start));
    for (o, size) in objects.clone() {
        let at = b.addr(o, 0);
        if random.below(2) == 0 {
            b.fill(at, 0, size)
        } else {
            b.forget(at, size)
        };
    }
    b.input(n);
    for _ in 0..5 + random.below(25) {
        let (o, size) = objects[random.below(objects.len() as u64) as usize];
        let bytes = [1, 2, 4, 4, 4, 8, 8][random.below(7) as usize].min(size);
        let aligned = random.below(4) > 0;
        let mut offset = random.below(size - bytes + 1);
        if aligned {
            offset -= offset % bytes;
        }
        let mut address = b.addr(o, offset);
        let tn = b.var(n);
        match random.below(10) {
            // A variable offset, at most as far as the gap after the object.
            0 => {
                let (scale, three) = (b.int(32, bytes as i64), b.int(32, 3));
                let index = b.cfa.terms.bv_op(cfa::bv::BvOp::And, tn, three);
                let scaled = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, index, scale);
                let scaled = b.cfa.terms.resize(word, scaled);
                let base = b.addr(o, 0);
                address = b.cfa.terms.add(base, scaled);
            }
            // Through a pointer in memory or a variable.
            1 => address = b.load(slot_address, word),
            2 => address = b.var(pointer),
            _ => {}
        }
        match random.below(12) {
            0..=3 => {
                let wide = b.cfa.terms.resize(8 * bytes as u32, tn);
                let value = b.cfa.terms.add_int(wide, random.below(100));
                b.store(address, value);
            }
            4 => {
                let value = b.int(8 * bytes as u32, random.below(1 << 40));
                b.store(address, value);
            }
            5 | 6 => {
                let value = b.load(address, 8 * bytes as u32);
                let value = b.cfa.terms.resize(32, value);
                let sum = b.cfa.terms.add(value, tn);
                b.step(Op::assign(n, sum));
            }
            7 => {
                let (o2, size2) = objects[random.below(objects.len() as u64) as usize];
                let bytes = size.min(size2) - random.below(2) * 4;
                if o != o2 && bytes > 0 {
                    let (to, from) = (b.addr(o, 0), b.addr(o2, 0));
                    b.copy(to, from, bytes);
                }
            }
            8 => {
                let (base, length) = (b.addr(o, offset), 1 + random.below(size - offset));
                if random.below(2) == 0 {
                    b.fill(base, random.below(3), length)
                } else {
                    b.forget(base, length)
                };
            }
            9 => {
                b.store(slot_address, address);
            }
            10 => {
                b.step(Op::assign(pointer, address));
            }
            _ => {
                // if (load) n = n + 1
                let value = b.load(address, 8 * bytes as u32);
                let cond = b.cfa.terms.nonzero(value);
                let (other, ..) = b.branch(cond);
                let sum = b.cfa.terms.add_int(tn, 1);
                b.step_to(Op::assign(n, sum), other);
            }
        }
    }
    decide_by_memory(&mut b, random, objects, n);
    b
}

/// Ends a program: what is left in memory decides whether the target is reached.
fn decide_by_memory(b: &mut Build, random: &mut Random, objects: Vec<(ObjectId, u64)>, n: cfa::VarId) {
    let mut sum = b.var(n);
    for (o, size) in objects {
        for at in (0..size).step_by(4).filter(|_| random.below(3) > 0) {
            let address = b.addr(o, at);
            let value = b.load(address, 32);
            let three = b.int(32, 3);
            sum = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, sum, three);
            sum = b.cfa.terms.add(sum, value);
        }
    }
    let result = b.local("result", 32);
    b.step(Op::assign(result, sum));
    let tr = b.var(result);
    let one = b.int(32, 2);
    let low = b.cfa.terms.bv_op(cfa::bv::BvOp::And, tr, one);
    let cond = b.cfa.terms.nonzero(low);
    b.target_if(cond);
    b.exit();
}

#[test]
fn promotion_and_regions_change_nothing() {
    let mut random = Random::new(7);
    let mut ends: std::collections::BTreeMap<String, u32> = Default::default();
    let mut promoted = 0;
    for round in 0..600 {
        let b = random_program(&mut random);
        let plain = PrepareOptions { promote: false, wide_cells: false, ..PrepareOptions::default() };
        let (reference, _) = prepare(RawCfa::new(b.cfa.clone()), &plain).expect("it fits");
        let variants: Vec<Cfa> = [(false, true), (true, false), (true, true)]
            .into_iter()
            .map(|(promote, wide_cells)| {
                let (cfa, stats) = prepare(
                    RawCfa::new(b.cfa.clone()),
                    &PrepareOptions { promote, wide_cells, ..PrepareOptions::default() },
                )
                .expect("it fits");
                promoted += stats.promotion.promoted_objects;
                assert_closed(&cfa, &slice_for_targets(&cfa));
                cfa
            })
            .collect();
        for seed in 0..4 {
            let expected = outcome(&reference, seed);
            for (i, cfa) in variants.iter().enumerate() {
                assert_eq!(outcome(cfa, seed), expected, "round {round}, variant {i}, seed {seed}");
            }
            *ends.entry(expected).or_default() += 1;
        }
    }
    assert!(promoted > 1500 && ends.values().all(|n| *n > 30) && ends.len() == 3, "{promoted}: {ends:?}");
}

/// Graphs stay consistent, and neither addresses nor the one memory are left.
#[test]
fn prepared_graphs_are_consistent() {
    let mut random = Random::new(99);
    for _ in 0..300 {
        let b = random_program(&mut random);
        let (cfa, _) = prepared(&b);
        assert_consistent(&cfa);
        for edge in cfa.edges.iter() {
            for t in cfa.terms.subterms(&edge.op.terms(), |_| false) {
                assert!(!matches!(cfa.terms.kind(t), Kind::Addr(_)), "an address is left");
                assert_ne!(cfa.terms.kind(t), Kind::Var(b.mem), "the memory is left");
            }
        }
    }
}
