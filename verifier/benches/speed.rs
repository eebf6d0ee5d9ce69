//! How fast the engine explores: states per second of explicit values on state machines (`make bench`).

#[path = "../tests/support/mod.rs"]
mod support;

use cfa::{Op, Sort};
use support::*;
use verifier::engine::cpa::Statistics;
use verifier::program::Program;
use verifier::strategies::Outcome;
use verifier::strategies::composition::{self, Composition};

/// A state machine: some variables that are counted up or reset as an input says, forever.
fn machine(variables: usize, width: u32, others: usize) -> Program {
    let mut p = Builder::new();
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
    p.program()
}

fn run(program: &Program) -> (Outcome, Statistics) {
    let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
    let mut statistics = Statistics::default();
    let result = composition::run(program, &Composition::value(), &mut solver, budget(60_000), &mut statistics);
    (result.expect("an answer"), statistics)
}

fn main() {
    for (variables, width, others) in [(4, 4, 4), (3, 6, 40), (4, 4, 500)] {
        let program = machine(variables, width, others);
        let (outcome, s) = run(&program);
        assert!(matches!(outcome, Outcome::Proof(_)));
        let per_second = s.states as f64 / s.time.as_secs_f64();
        println!("{variables} of {width} bits beside {others}: {s}: {per_second:.0} states/s");
    }
}
