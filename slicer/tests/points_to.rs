//! Points-to analysis: what it tells apart, on small programs; and on random ones that no execution goes through an address outside of
//! its set, for both kinds, and that Andersen's sets lie within Steensgaard's.

use crate::common::Build;
use cfa::eval::Value;
use cfa::interpret::{InputSource, RunLimits, run};
use cfa::{Cfa, EdgeId, IndirectCall, InputKind, ObjectId, ObjectKind, Op, RawCfa, Sort, Term, VarId};
use kerf_testing::Random;
use slicer::points_to::{PointsTo, PointsToKind, memory_var};
use slicer::prepare::layout::{Known, SiteRanges, assign_addresses};
use slicer::prepare::occurrences::Occurrences;

const KINDS: [PointsToKind; 2] = [PointsToKind::Andersen, PointsToKind::Steensgaard];

fn analyse(cfa: &Cfa, kind: PointsToKind) -> PointsTo {
    let raw = RawCfa::new(cfa.clone());
    PointsTo::analyse(&raw, memory_var(cfa).expect("one memory"), kind)
}

/// The names of the objects that `v` may point to are `andersen`, or `steensgaard`.
fn check(b: &Build, v: VarId, andersen: &[&str], steensgaard: &[&str]) {
    for (kind, expected) in KINDS.into_iter().zip([andersen, steensgaard]) {
        let points_to = analyse(&b.cfa, kind);
        let found: Vec<&str> = points_to.of_var(v).iter().map(|(o, _)| b.cfa.objects[*o].name.as_str()).collect();
        assert_eq!(found, expected, "{kind:?}");
    }
}

fn pointer(b: &mut Build, name: &str, value: Term) -> VarId {
    let v = b.local(name, b.cfa.pointer_bits);
    b.step(Op::assign(v, value));
    v
}

#[test]
fn fields_are_told_apart_and_copied() {
    let mut b = Build::new(64);
    let [x, y] = ["x", "y"].map(|n| b.object(n, ObjectKind::Global, 4));
    let [s, t] = ["s", "t"].map(|n| b.object(n, ObjectKind::Global, 24));
    let (ax, ay) = (b.addr(x, 0), b.addr(y, 0));
    let (s0, s16, t0, t8, t16) = (b.addr(s, 0), b.addr(s, 16), b.addr(t, 0), b.addr(t, 8), b.addr(t, 16));
    b.store(s0, ax);
    b.store(s16, ay);
    b.copy(t0, s0, 24);
    let [first, second, third] = [t0, t8, t16].map(|at| b.load(at, 64));
    let (first, second, third) =
        (pointer(&mut b, "first", first), pointer(&mut b, "second", second), pointer(&mut b, "third", third));
    b.exit();
    check(&b, first, &["x"], &["x", "y"]);
    check(&b, second, &[], &["x", "y"]);
    check(&b, third, &["y"], &["x", "y"]);
}

#[test]
fn directions_of_flow_are_told_apart() {
    let mut b = Build::new(64);
    let [x, y] = ["x", "y"].map(|n| b.object(n, ObjectKind::Global, 4));
    let (ax, ay) = (b.addr(x, 0), b.addr(y, 0));
    let p = pointer(&mut b, "p", ax);
    let tp = b.var(p);
    let q = pointer(&mut b, "q", tp);
    b.step(Op::assign(q, ay));
    b.exit();
    check(&b, p, &["x"], &["x", "y"]);
    check(&b, q, &["x", "y"], &["x", "y"]);
}

/// A pointer that a loop moves keeps what is known of its offset modulo the step.
#[test]
fn steps_of_loops_are_multiples() {
    let mut b = Build::new(64);
    let [x, y] = ["x", "y"].map(|n| b.object(n, ObjectKind::Global, 4));
    let table = b.object("table", ObjectKind::Global, 160);
    let (ax, ay, even, odd) = (b.addr(x, 0), b.addr(y, 0), b.addr(table, 0), b.addr(table, 8));
    let p = pointer(&mut b, "p", even);
    let head = b.at;
    let tp = b.var(p);
    b.store(tp, ax);
    let second = b.cfa.terms.add_int(tp, 8);
    b.store(second, ay);
    let next = b.cfa.terms.add_int(tp, 16);
    b.step_to(Op::assign(p, next), head);
    b.go(head);
    let (e, o) = (b.load(even, 64), b.load(odd, 64));
    let (e, o) = (pointer(&mut b, "e", e), pointer(&mut b, "o", o));
    b.exit();
    check(&b, e, &["x"], &["x", "y"]);
    check(&b, o, &["y"], &["x", "y"]);
}

/// The address of each access, in a variable of its own that is set before it.
struct Program {
    build: Build,
    probes: Vec<VarId>,
}

/// Functions that call each other, also through pointers, and move pointers through variables, fields, integers, and copies.
fn random_program(random: &mut Random) -> Program {
    let mut b = Build::new(if random.below(2) == 0 { 64 } else { 32 });
    let word = b.cfa.pointer_bits;
    let main_at = b.at;
    let bytes = u64::from(word / 8);
    let objects: Vec<ObjectId> =
        (0..4).map(|i| b.object(&format!("o{i}"), ObjectKind::Global, bytes * [1, 2, 4, 7][i])).collect();
    let shared: Vec<VarId> = (0..3).map(|i| b.global(&format!("g{i}"), word)).collect();
    let mut probes = Vec::new();
    let mut functions: Vec<(cfa::FuncId, ObjectId)> = Vec::new();
    for f in 0..3 {
        let (param, result) = (b.global(&format!("f{f}.p"), word), b.global(&format!("f{f}.result"), word));
        let id = b.begin(&format!("f{f}"));
        b.cfa.funcs[id].params.push(param);
        b.cfa.funcs[id].result = Some(result);
        random_body(&mut b, random, &objects, &functions, &[&shared[..], &[param]].concat(), &mut probes);
        let t = b.var(param);
        b.step(Op::assign(result, t));
        b.exit();
        functions.push((id, b.object(&format!("&f{f}"), ObjectKind::Function(id), 1)));
    }
    b.go(main_at);
    for &v in &shared {
        let o = objects[random.below(objects.len() as u64) as usize];
        let at = b.addr(o, 0);
        b.step(Op::assign(v, at));
    }
    for _ in 0..2 {
        random_body(&mut b, random, &objects, &functions, &shared, &mut probes);
    }
    b.exit();
    Program { build: b, probes }
}

fn random_body(
    b: &mut Build,
    random: &mut Random,
    objects: &[ObjectId],
    functions: &[(cfa::FuncId, ObjectId)],
    vars: &[VarId],
    probes: &mut Vec<VarId>,
) {
    let word = b.cfa.pointer_bits;
    let bytes = u64::from(word / 8);
    let n = b.local(&format!("n{}", b.cfa.vars.len()), word);
    b.input(n);
    for _ in 0..3 + random.below(8) {
        let v = vars[random.below(vars.len() as u64) as usize];
        let w = vars[random.below(vars.len() as u64) as usize];
        let (tv, tw, tn) = (b.var(v), b.var(w), b.var(n));
        let o = objects[random.below(objects.len() as u64) as usize];
        let offset = random.below(b.cfa.objects[o].size_bytes.unwrap_or(1) / bytes) * bytes;
        let fixed = b.addr(o, offset);
        let three = b.word(3);
        let index = b.cfa.terms.bv_op(cfa::bv::BvOp::And, tn, three);
        let scale = b.word([bytes, 4, 16][random.below(3) as usize]);
        let moved = b.cfa.terms.bv_op(cfa::bv::BvOp::Mul, index, scale);
        let address = match random.below(5) {
            0 => fixed,
            1 => b.cfa.terms.add(fixed, moved),
            2 => b.cfa.terms.add_int(tv, bytes),
            _ => tv,
        };
        let mut probed = |b: &mut Build, address: Term| {
            let probe = b.local(&format!("probe{}", b.cfa.vars.len()), word);
            b.step(Op::assign(probe, address));
            probes.push(probe);
            b.var(probe)
        };
        match random.below(10) {
            0 | 1 => {
                let address = probed(b, address);
                b.store(address, tw);
            }
            2 | 3 => {
                let address = probed(b, address);
                let value = b.load(address, word);
                b.step(Op::assign(w, value));
            }
            4 => {
                b.step(Op::assign(w, address));
            }
            5 => {
                let (to, from) = (probed(b, address), probed(b, tw));
                b.copy(to, from, bytes * (1 + random.below(3)));
            }
            6 => {
                // Half of a pointer, by way of an integer.
                let (to, from) = (probed(b, address), probed(b, tw));
                for half in [0, bytes / 2] {
                    let (from, to) = (b.cfa.terms.add_int(from, half), b.cfa.terms.add_int(to, half));
                    let part = b.load(from, word / 2);
                    let mask = b.int(word / 2, 0x5a5a);
                    let hidden = b.cfa.terms.bv_op(cfa::bv::BvOp::Xor, part, mask);
                    let hidden = b.cfa.terms.bv_op(cfa::bv::BvOp::Xor, hidden, mask);
                    b.store(to, hidden);
                }
            }
            7 if !functions.is_empty() => {
                let (f, _) = functions[random.below(functions.len() as u64) as usize];
                let (param, result) = (b.cfa.funcs[f].params[0], b.cfa.funcs[f].result.expect("it has one"));
                b.step(Op::assign(param, tv));
                b.step(Op::Call(f));
                let value = b.var(result);
                b.step(Op::assign(w, value));
            }
            8 if !functions.is_empty() => {
                let choose = |random: &mut Random| functions[random.below(functions.len() as u64) as usize].1;
                let (f, g) = (choose(random), choose(random));
                let (f, g) = (b.addr(f, 0), b.addr(g, 0));
                let cond = b.cfa.terms.nonzero(index);
                let target = b.cfa.terms.ite(cond, f, g);
                let call = IndirectCall {
                    target,
                    args: Box::new([tv]),
                    result: Some(w),
                    varargs: None,
                    misfits: Box::default(),
                    dispatched: false,
                };
                b.step(Op::CallIndirect(Box::new(call)));
            }
            _ => {
                let cond = b.cfa.terms.nonzero(index);
                let (other, ..) = b.branch(cond);
                b.step_to(Op::assign(w, tv), other);
            }
        }
    }
}

/// Small numbers as inputs of the program, zero for what is not initialised.
struct SmallInputs(Random);

impl InputSource for SmallInputs {
    fn value(&mut self, _: EdgeId, _: u32, kind: &InputKind, sort: Sort) -> Value {
        match (kind, sort) {
            (InputKind::Program(_), Sort::Bv(w)) => Value::Bv(cfa::bv::Bv::new(w, self.0.below(4))),
            _ => Value::zero(sort),
        }
    }
}

#[test]
fn executions_stay_within_the_sets() {
    let mut random = Random::new(11);
    let (mut inside, mut at_known_offsets) = (0, 0);
    for round in 0..400 {
        let Program { build, probes } = random_program(&mut random);
        let raw = &build.cfa;
        let [andersen, steensgaard] = KINDS.map(|kind| analyse(raw, kind));
        for v in raw.vars.ids() {
            for (o, offset) in andersen.of_var(v) {
                let of_both = steensgaard.of_var(v).iter().find(|p| p.0 == *o);
                let wider = of_both.is_some_and(|(_, other)| offset.join(*other) == *other);
                assert!(wider, "round {round}: {} points to {o} at {offset:?}, {of_both:?}", raw.vars[v].name);
            }
        }
        for kind in KINDS {
            let points_to = analyse(raw, kind);
            let mut resolved = RawCfa::new(raw.clone());
            slicer::call_graph::resolve_indirect_calls(&mut resolved, &points_to);
            let mut cfa = resolved.cfa;
            let occurrences = Occurrences::new(&cfa);
            let ranges = SiteRanges::new(&mut cfa, &[], &[]);
            let known = Known { all: vec![], looked_at: vec![], exposed: vec![] };
            assign_addresses(&mut cfa, &known, &ranges, &occurrences).expect("it fits");
            let mut probe_of: std::collections::HashMap<EdgeId, VarId> = Default::default();
            for (e, edge) in cfa.edges.iter_enumerated() {
                edge.op.written().into_iter().filter(|v| probes.contains(v)).for_each(|v| {
                    probe_of.insert(e, v);
                });
            }
            for seed in 0..3 {
                let limits = RunLimits { steps: 10_000, deadline: None };
                run(&cfa, &mut SmallInputs(Random::new(seed)), limits, &mut |machine, e| {
                    let Some(&v) = probe_of.get(&e) else { return };
                    let Some(address) = machine.value(v).and_then(Value::to_u64) else { return };
                    // An address of no object is no valid one.
                    let hit = cfa.objects.iter_enumerated().find_map(|(o, object)| {
                        let offset = address.wrapping_sub(object.base?);
                        (offset < object.size_bytes?).then_some((o, offset as i64))
                    });
                    let Some((o, offset)) = hit else { return };
                    let known = points_to.of_var(v).iter().find(|p| p.0 == o && p.1.admits(offset));
                    assert!(known.is_some(), "round {round}, {kind:?}: {} is {offset} in {o}", cfa.vars[v].name);
                    inside += 1;
                    at_known_offsets += usize::from(known.is_some_and(|p| p.1.as_exact().is_some()));
                });
            }
        }
    }
    assert!(inside > 5000 && at_known_offsets > 1000, "{inside} {at_known_offsets}");
}

#[test]
fn zeros_above_a_wide_value_are_not_its_own() {
    let mut b = Build::new(64);
    let (high, low) = (b.local("high", 64), b.local("low", 256));
    let (high, low) = (b.var(high), b.var(low));
    let (eight, terms) = (b.int(64, 8), b.terms());
    let multiple = terms.bv_op(cfa::bv::BvOp::Mul, high, eight);
    let both = terms.concat(multiple, low);
    assert_eq!([multiple, both].map(|t| slicer::points_to::trailing_zeros(&b.cfa, t, 0)), [3, 0]);
}
