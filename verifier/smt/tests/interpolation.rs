//! Interpolants of random traces: programs without branches made from recipes, cut at random places.
//!
//! Each interpolant is checked by Z3 alone, which shares nothing with what made it: the implications, and the leaves.

use cfa::eval::Value;
use cfa::float::Format;
use cfa::{Term, Terms};
use kerf_testing::Random;
use kerf_testing::recipe::{Menu, constant, random};
use smt::interpolation::{Interpolation, Interpolator, Options, Trace, check};
use smt::{Answer, Bits, Limits, Racing, Solver, Z3};
use std::time::Duration;

/// A trace that assigns the steps of a random recipe one after the other, in `parts` parts, and then says that a result is what it
/// is not, or something else. Some inputs may stay open, so that not every trace contradicts itself.
fn trace(terms: &mut Terms, seed: u64, menu: Menu, size: usize, parts: usize) -> Option<Trace> {
    let recipe = random(seed, menu, size);
    let values = recipe.values()?;
    let mut rng = Random::new(seed);
    let mut statements: Vec<Term> = Vec::new();
    let mut names: Vec<Term> = Vec::new();
    let open = rng.below(4);
    for i in &recipe.ingredients {
        let value = constant(terms, &i.value);
        if i.constant {
            names.push(value);
            continue;
        }
        let name = terms.fresh("input", i.value.sort());
        if rng.below(8) >= open {
            statements.push(terms.eq(name, value));
        }
        names.push(name);
    }
    for step in &recipe.steps {
        let args: Vec<Term> = step.args.iter().map(|&i| names[i]).collect();
        let value = terms.make(step.kind, &args, step.sort);
        if rng.one_in(3) {
            names.push(value);
            continue;
        }
        let name = terms.fresh("step", step.sort);
        statements.push(terms.eq(name, value));
        names.push(name);
    }
    let is_wrong = |v: &Value| !matches!(v, Value::Array(_));
    let last = (0..values.len()).rev().find(|&i| is_wrong(&values[i]) && terms.as_bv(names[i]).is_none())?;
    let value = constant(terms, &values[last]);
    let right = terms.eq(names[last], value);
    statements.push(terms.not(right));
    let mut cuts: Vec<usize> = (1..parts).map(|_| rng.below(statements.len() as u64 + 1) as usize).collect();
    cuts.extend([0, statements.len()]);
    cuts.sort_unstable();
    let parts = cuts.windows(2).map(|w| terms.and_all(statements[w[0]..w[1]].iter().copied())).collect();
    Some(Trace::new(parts))
}

fn z3() -> Z3 {
    Z3::new(Limits { query: Some(Duration::from_secs(60)), deadline: None }).expect("Z3")
}

/// What became of traces.
#[derive(Default, Debug)]
struct Tally {
    satisfiable: u32,
    found: u32,
    not_found: u32,
}

/// Interpolates random traces, and checks what comes out.
fn check_traces(seeds: std::ops::Range<u64>, menu: Menu, size: usize, options: Options) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut terms = Terms::new();
        let Some(trace) = trace(&mut terms, seed, menu, size, 2 + (seed % 4) as usize) else { continue };
        let solver = Box::new(Racing::new(Bits::new(Limits::default()), Z3::new, Limits::default()));
        let mut interpolator = Interpolator::with(solver, Limits::default(), options);
        let Ok(found) = interpolator.interpolate(&mut terms, &trace) else { continue };
        match found {
            Interpolation::Found(sequence) => {
                tally.found += 1;
                let flaw = check(&mut z3(), &mut terms, &trace, &sequence.interpolants);
                assert_eq!(flaw, Ok(None), "seed {seed}");
            }
            Interpolation::Satisfiable => {
                tally.satisfiable += 1;
                assert_ne!(z3().check(&terms, &trace.parts), Ok(Answer::Unsat), "seed {seed}");
            }
            Interpolation::NotFound => {
                tally.not_found += 1;
                assert_ne!(z3().check(&terms, &trace.parts), Ok(Answer::Sat), "seed {seed}");
            }
        }
        let counters = interpolator.counters();
        println!("{menu:?} {seed} {counters:?}");
    }
    println!("{menu:?} {options:?} {tally:?}");
    tally
}

const CRAIG: Options = Options { craig: true, newton: false, atoms: false };
const NEWTON: Options = Options { craig: false, newton: true, atoms: false };

#[test]
fn bits() {
    for options in [CRAIG, NEWTON, Options::default()] {
        check_traces(0..60, Menu::FewBits, 10, options);
    }
}

#[test]
fn memories() {
    for options in [CRAIG, NEWTON, Options::default()] {
        check_traces(0..40, Menu::Memory, 8, options);
    }
}

#[test]
fn floats() {
    for options in [CRAIG, NEWTON, Options::default()] {
        check_traces(0..20, Menu::Floats(Format::Half), 3, options);
    }
}
