//! How fast the engine explores explicit values: state machines, a loop over concrete values, and event-condition-action programs
//! (`make bench`). Rates are per second of processor time, so that other work on the machine disturbs them less.

#[allow(dead_code, reason = "benchmarks use some of it")]
#[path = "../tests/support/mod.rs"]
mod support;

use cfa::bv::BvOp;
use cfa::{Op, Sort, Term, VarId};
use kerf_testing::Random;
use std::time::{Duration, Instant};
use support::*;
use verifier::cpa::skeleton::composite::Composite;
use verifier::cpa::{Cpa, Cx, Stop};
use verifier::domains::value::ValueCpa;
use verifier::program::{Halt, Program};
use verifier::reach::explore::{Exploration, Limits, Pause};
use verifier::reach::waitlist::Order;

/// A state machine: some variables that are counted up or reset as an input says, forever.
fn machine(variables: usize, width: u32, others: usize) -> Program {
    let mut p = Builder::new(64);
    let sort = Sort::Bv(width);
    let vars: Vec<_> = (0..variables).map(|i| p.global(&format!("x{i}"), sort)).collect();
    let constants: Vec<_> = (0..others).map(|i| p.global(&format!("k{i}"), Sort::Bv(32))).collect();
    let input = p.global("input", Sort::Bv(1));
    let (zero, one) = (p.int(width, 0), p.int(width, 1));
    for v in &vars {
        p.assign(*v, zero);
    }
    for (i, k) in constants.iter().enumerate() {
        let value = p.int(32, i as i64);
        p.assign(*k, value);
    }
    let always = p.terms().tt();
    let impossible = {
        let (k, wrong) = (p.var(constants[others - 1]), p.int(32, -1));
        p.terms().eq(k, wrong)
    };
    p.repeat(always, |p| {
        for (i, v) in vars.iter().enumerate() {
            p.input(input);
            let t = p.var(input);
            let cond = p.terms().nonzero(t);
            let (yes, no) = p.branch(cond);
            let join = p.loc();
            let t = p.var(*v);
            let next = p.terms().add(t, one);
            p.edge(yes, join, Op::assign(*v, next));
            if i % 2 == 0 {
                p.edge(no, join, Op::assign(*v, zero));
            } else {
                p.edge(no, join, Op::Skip);
            }
            p.at = join;
        }
        p.error_if(impossible);
    });
    finished(p)
}

/// `for (i = 0; i < rounds; i++) { a = a + b; if (a odd) b = b + 3; else b = b ^ c; c = 5 * c + 1; }`.
fn counted_loop(rounds: i64) -> Program {
    let mut p = Builder::new(64);
    let [i, a, b, c] = ["i", "a", "b", "c"].map(|name| p.global(name, Sort::Bv(32)));
    let [ti, ta, tb, tc] = [i, a, b, c].map(|v| p.var(v));
    let number = |p: &mut Builder, k| p.int(32, k);
    for (v, k) in [(i, 0), (a, 0), (b, 1), (c, 7)] {
        let k = number(&mut p, k);
        p.assign(v, k);
    }
    let end = number(&mut p, rounds);
    let below = p.less(ti, end);
    p.repeat(below, |p| {
        let sum = p.terms().add(ta, tb);
        p.assign(a, sum);
        let bit = p.terms().extract(0, 0, ta);
        let odd = p.terms().nonzero(bit);
        let (yes, no) = p.branch(odd);
        let join = p.loc();
        let three = number(p, 3);
        let (more, mixed) = (p.terms().add(tb, three), p.terms().bv_op(BvOp::Xor, tb, tc));
        p.edge(yes, join, Op::assign(b, more));
        p.edge(no, join, Op::assign(b, mixed));
        p.at = join;
        let (five, one) = (number(p, 5), number(p, 1));
        let next = p.terms().bv_op(BvOp::Mul, tc, five);
        let next = p.terms().add(next, one);
        p.assign(c, next);
        let next = p.terms().add(ti, one);
        p.assign(i, next);
    });
    let never = number(&mut p, 12345);
    let wrong = p.terms().eq(ta, never);
    p.error_if(wrong);
    finished(p)
}

/// An event-condition-action program: in each round one of `events` happens, and the first of `rules` whose event it is and whose
/// condition on three of the `variables` holds sets some of them. Conditions are tested one after the other, as compilers have it.
fn rules(variables: usize, values: u64, events: u64, rules: usize) -> Program {
    let mut p = Builder::new(64);
    let mut random = Random::new(1);
    let vars: Vec<VarId> = (0..variables).map(|i| p.global(&format!("a{i}"), Sort::Bv(32))).collect();
    let event = p.global("event", Sort::Bv(32));
    let is = |p: &mut Builder, v: VarId, k: u64| -> Term {
        let (t, k) = (p.var(v), p.int(32, k as i64));
        p.terms().eq(t, k)
    };
    for v in &vars {
        let start = p.int(32, random.below(values) as i64);
        p.assign(*v, start);
    }
    let always = p.terms().tt();
    p.repeat(always, |p| {
        p.input(event);
        let end = p.loc();
        for _ in 0..rules {
            let otherwise = p.loc();
            let mut tests = vec![(event, random.below(events))];
            tests.extend((0..3).map(|_| (vars[random.below(variables as u64) as usize], random.below(values))));
            tests.rotate_left(1);
            for (v, k) in tests {
                let cond = is(p, v, k);
                let (yes, no) = p.branch(cond);
                p.edge(no, otherwise, Op::Skip);
                p.at = yes;
            }
            for _ in 0..4 {
                let (v, k) = (vars[random.below(variables as u64) as usize], p.int(32, random.below(values) as i64));
                p.assign(v, k);
            }
            let done = p.at;
            p.edge(done, end, Op::Skip);
            p.at = otherwise;
        }
        let last = p.at;
        p.edge(last, end, Op::Skip);
        p.at = end;
        let wrong = is(p, vars[0], values);
        p.error_if(wrong);
    });
    finished(p)
}

/// Processor time of this thread, where the system tells it (Linux).
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Explores all states, or `most` of them.
fn explore(name: &str, program: &Program, most: usize) {
    let mut solver = smt::standard(smt::Limits::default());
    let limits = Limits { order: Order::BREADTH_FIRST, max_states: most, stop: Stop::Sep };
    let mut cx = Cx::new(program, &mut solver, budget(600_000));
    let mut cpa = Composite::new(ValueCpa::new(program), 100);
    let (before, start) = (processor_time(), Instant::now());
    let precision = cpa.full_precision();
    let mut exploration = Exploration::new(&mut cpa, &mut cx, precision, limits);
    let end = exploration.run(&mut cpa, &mut cx);
    assert!(matches!(end, Ok(Pause::Done) | Err(Halt::OutOfBudget(_))), "{end:?}");
    let time = before.zip(processor_time()).map_or(start.elapsed(), |(before, after)| after - before).as_secs_f64();
    let s = &cx.statistics;
    let edges = (s.states + s.passed + s.covered) as f64;
    println!("{name}: {s}");
    println!("    {:.0} states/s kept, {:.0} edges/s", s.states as f64 / time, edges / time);
}

fn main() {
    for (variables, width, others) in [(4, 4, 4), (3, 6, 40), (4, 4, 500)] {
        let program = machine(variables, width, others);
        explore(&format!("machine, {variables} of {width} bits beside {others}"), &program, usize::MAX);
    }
    explore("loop of 10^6 rounds", &counted_loop(1_000_000), usize::MAX);
    explore("400 rules over 24 variables", &rules(24, 5, 6, 400), 1_000_000);
}
