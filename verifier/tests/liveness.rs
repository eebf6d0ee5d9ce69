//! Which variables matter where.

use crate::support::generator::random_program;
use crate::support::*;
use cfa::{Op, Scope, Sort, VarId};
use std::collections::HashSet;
use verifier::program::Program;

/// `while (i < 10) { i++; steps++; double = 2 * i; } error if i > 10`: nothing depends on how many steps there are, nor on what is computed from `i`
/// alone.
#[test]
fn what_only_computes_itself_is_dead() {
    let mut p = Builder::new(64);
    let [i, steps, double] = ["i", "steps", "double"].map(|name| p.global(name, Sort::Bv(8)));
    let (ti, tsteps, zero, one, ten) = (p.var(i), p.var(steps), p.int(8, 0), p.int(8, 1), p.int(8, 10));
    p.assign(i, zero);
    p.assign(steps, zero);
    let (more, next, further) = (p.less(ti, ten), p.terms().add(ti, one), p.terms().add(tsteps, one));
    let twice = p.terms().add(ti, ti);
    p.repeat(more, |p| {
        p.assign(i, next);
        p.assign(steps, further);
        p.assign(double, twice);
    });
    let wrong = p.less(ten, ti);
    p.error_if(wrong);
    let program = finished(p);
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    assert_eq!([i, steps, double].map(|v| program.liveness.is_live(head, v)), [true, false, false]);
}

/// The same where one is compared with the other in the end.
#[test]
fn what_something_depends_on_is_live() {
    let mut p = Builder::new(64);
    let [i, steps, sum] = ["i", "steps", "sum"].map(|name| p.global(name, Sort::Bv(8)));
    let (ti, tsteps, tsum, zero, one, ten) =
        (p.var(i), p.var(steps), p.var(sum), p.int(8, 0), p.int(8, 1), p.int(8, 10));
    p.assign(i, zero);
    p.assign(steps, zero);
    p.assign(sum, zero);
    let (more, next, further) = (p.less(ti, ten), p.terms().add(ti, one), p.terms().add(tsteps, one));
    let together = p.terms().add(tsteps, tsum);
    p.repeat(more, |p| {
        p.assign(sum, together);
        p.assign(steps, further);
        p.assign(i, next);
    });
    let wrong = p.terms().eq(tsum, one);
    p.error_if(wrong);
    let program = finished(p);
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    assert_eq!([i, steps, sum].map(|v| program.liveness.is_live(head, v)), [true, true, true]);
}

/// What a call assigns in any case need not be kept until then; what it assigns only now and then has to be.
#[test]
fn what_calls_assign_is_dead_before_them() {
    let program = source(
        "u8 always = 0; u8 often = 0; u8 in = 0;
        set() { always = in; if (in == 3) { often = 1; } }
        while (*) { in = input(); set(); if (always == 7) { if (often == 5) error(); } }",
    );
    let [head] = program.loop_heads()[..] else { panic!("one loop") };
    let var = |name: &str| program.cfa.vars.ids().find(|v| *program.cfa.vars[*v].name == *name).expect("a variable");
    assert_eq!(["always", "often"].map(|v| program.liveness.is_live(head, var(v))), [false, true]);
}

/// All pairs of a location and a variable that is live there, one pair after the other from what is read.
fn live_pairs(program: &Program) -> HashSet<(cfa::LocId, VarId)> {
    let cfa = &program.cfa;
    let locs = program.view.reachable(cfa);
    let edges: Vec<_> = locs.iter().flat_map(|l| program.view.out(*l).iter().map(move |e| (*l, *e))).collect();
    let vars = |t: &cfa::Term| program.base.vars(*t);
    let mut todo: Vec<(cfa::LocId, VarId)> = Vec::new();
    for (l, e) in &edges {
        let op = program.op(e);
        if !matches!(op, Op::Assign(_)) {
            todo.extend(op.terms().iter().flat_map(vars).map(|v| (*l, v)));
        }
    }
    let mut live = HashSet::new();
    while let Some((l, v)) = todo.pop() {
        if !locs.contains(&l) || !live.insert((l, v)) {
            continue;
        }
        let is_global = cfa.vars[v].scope == Scope::Global;
        for (from, e) in &edges {
            match program.op(e) {
                Op::Call(f) => {
                    if e.to == l {
                        todo.push((program.exit_of(*f), v));
                        todo.extend((!is_global).then_some((*from, v)));
                    }
                    if program.entry_of(*f) == l {
                        todo.push((*from, v));
                    }
                }
                Op::Assign(list) if e.to == l && list.iter().any(|(to, _)| *to == v) => {
                    let sources = list.iter().filter(|(to, _)| *to == v).flat_map(|(_, t)| vars(t));
                    todo.extend(sources.map(|v| (*from, v)));
                }
                op => todo.extend((e.to == l && !op.written().contains(&v)).then_some((*from, v))),
            }
        }
    }
    live
}

/// Sets of bits, and lists of brief variables, contain what is found pair by pair.
#[test]
fn live_variables_are_those_found_one_by_one() {
    let mut count = 0;
    for seed in 0..200 {
        let program = random_program(seed);
        let live = live_pairs(&program);
        count += live.len();
        for l in program.view.reachable(&program.cfa) {
            for v in program.cfa.vars.ids() {
                let (expected, found) = (live.contains(&(l, v)), program.liveness.is_live(l, v));
                assert_eq!(found, expected, "seed {seed}: {} at {l}", program.cfa.vars[v].name);
            }
        }
    }
    assert!(count > 2_000, "{count}");
}
