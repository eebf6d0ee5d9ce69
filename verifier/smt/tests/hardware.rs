//! Queries in the style of hardware models: what all layers of solvers say of terms that the constructors normalised is what Z3 says of the same
//! terms as they were asked for.
//!
//! A wrong rewriting, or a wrong step of a layer, changes an answer here, even where it hides from small terms: each query has hundreds of
//! operators. `KERF_FUZZ_RUNS` says how many models there are (`make fuzz`); the seeds are fixed.

use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use kerf_testing::Random;
use kerf_testing::hardware::hardware;
use kerf_testing::recipe::constant;
use smt::{Algebra, Answer, Engine, Limits, Options, Preprocessing, Solver, SolverError, Validation, Z3};
use std::time::Duration;

/// Queries about each model, to the same solver.
const QUERIES: usize = 4;

/// The usual layers, or some of them, by the bits of `n`.
fn layers(n: u64) -> Options {
    let bit = |i: u32| (n >> i) & 1 == 1;
    let usual = Preprocessing::default();
    let some = Preprocessing {
        substitution: bit(0),
        common_facts: bit(1),
        comparisons: bit(2),
        sums: bit(3),
        ranges: bit(4),
        independent_parts: bit(5),
    };
    Options {
        cache: bit(6),
        validation: if bit(7) { Validation::Models } else { Validation::Off },
        engine: if bit(8) { Engine::Fast } else { Engine::Bits },
        preprocessing: if bit(9) { usual } else { some },
        proofs: n.is_multiple_of(5),
    }
}

/// A query on normal terms and the same on plain ones.
struct Query {
    normal: Vec<Term>,
    plain: Vec<Term>,
}

/// What a random query says: of some flags that they hold or not, of some values that they are this or that.
fn query(rng: &mut Random, terms: &mut Terms, normal: &[Term], plain: &[Term], values: &[Value]) -> Query {
    let mut query = Query { normal: Vec::new(), plain: Vec::new() };
    let last = normal.len() / 2;
    for _ in 0..1 + rng.below(6) {
        let i = last + rng.below((normal.len() - last) as u64) as usize;
        // Often what it is on some inputs, so that not all queries are contradictory.
        let is_so = !rng.one_in(3);
        let wanted = match &values[i] {
            Value::Bool(b) => Value::Bool(*b == is_so),
            Value::Bv(v) if !is_so => Value::Bv(rng.bits(v.width())),
            other => other.clone(),
        };
        let wanted = constant(terms, &wanted);
        query.normal.push(terms.eq(normal[i], wanted));
        query.plain.push(terms.plain(Kind::Eq, &[plain[i], wanted], Sort::Bool));
    }
    query
}

#[test]
fn fuzz_hardware_models() {
    let runs = kerf_testing::fuzz_runs(60);
    let limits = Limits { query: Some(Duration::from_secs(20)), deadline: None };
    let (mut sat, mut unsat, mut undecided) = (0, 0, 0);
    for seed in 0..runs {
        let mut rng = Random::new(seed ^ 0x4A5D);
        let recipe = hardware(seed, 30 + rng.below(250) as usize);
        let values = recipe.values().expect("operators on bits have values");
        let mut terms = Terms::new();
        let normal = recipe.build_symbolic(&mut terms).terms;
        let plain = recipe.build_plain(&mut terms, &normal);
        let first = recipe.ingredients.len();
        let (normal, plain, values) = (&normal[first..], &plain[first..], &values[first..]);
        let mut solver = smt::chain(&layers(rng.word()), limits);
        let mut algebra = Algebra::new();
        for _ in 0..QUERIES {
            let query = query(&mut rng, &mut terms, normal, plain, values);
            let expected = Z3::new(limits).and_then(|mut z3| z3.check(&terms, &query.plain));
            let answer = algebra.check(&mut terms, &mut *solver, &query.normal);
            match (expected, answer) {
                (Ok(expected), Ok(answer)) => {
                    assert_eq!(answer, expected, "seed {seed}: what Z3 says of the plain query is right");
                    if answer == Answer::Unsat {
                        unsat += 1;
                        continue;
                    }
                    sat += 1;
                    for t in query.plain {
                        assert_eq!(solver.model_value(&terms, t), Ok(Value::Bool(true)), "seed {seed}: the model");
                    }
                }
                (Err(SolverError::Unknown(_)), _) | (_, Err(SolverError::Unknown(_))) => undecided += 1,
                (expected, answer) => panic!("seed {seed}: {expected:?}, {answer:?}"),
            }
        }
    }
    println!("{sat} queries with a model, {unsat} without, {undecided} undecided");
    let all = sat + unsat + undecided;
    assert!(sat > all / 8 && unsat > all / 8 && undecided < all / 20, "{sat}, {unsat}, {undecided}");
}
