//! Queries for the tests of all solvers: random queries whose answers are known by evaluation, and a hard query.

use crate::solver::{Answer, Solver, SolverError};
use crate::{Cached, Validating};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use kerf_testing::recipe::{self, Menu, random};

/// Checks a solver on a random recipe whose symbols are asserted to have the recipe's values: no position can differ from its value
/// by evaluation, the root can be equal to its value, and the model gives the symbols their values.
pub(crate) fn check_solver(seed: u64, menu: Menu, size: usize, make: impl FnOnce() -> Box<dyn Solver>) {
    let recipe = random(seed, menu, size);
    let Some(values) = recipe.values() else { return };
    let mut terms = Terms::new();
    let built = recipe.build_symbolic(&mut terms);
    let mut solver = Cached::new(Validating::new(make()));
    let mut fixed: Vec<(cfa::SymId, Value)> = built.model.iter().map(|(s, v)| (*s, v.clone())).collect();
    fixed.sort_by_key(|(s, _)| *s);
    for (s, v) in &fixed {
        let (sym, v) = (terms.sym(*s), recipe::constant(&mut terms, v));
        let eq = terms.eq(sym, v);
        solver.assert(&terms, eq).unwrap();
    }
    for (i, value) in values.iter().enumerate().skip(recipe.ingredients.len()) {
        if matches!(value, Value::Array(_)) {
            continue;
        }
        let want = recipe::constant(&mut terms, value);
        let same = terms.eq(built.terms[i], want);
        let other = terms.not(same);
        match solver.check(&terms, &[other]) {
            Ok(answer) => assert_eq!(answer, Answer::Unsat, "seed {seed}, position {i}"),
            Err(SolverError::Unsupported(_)) => return,
            Err(e) => panic!("seed {seed}, position {i}: {e}"),
        }
    }
    let root = *built.terms.last().unwrap();
    if !matches!(terms.sort(root), Sort::Array { .. }) {
        let want = recipe::constant(&mut terms, values.last().unwrap());
        let same = terms.eq(root, want);
        assert_eq!(solver.check(&terms, &[same]), Ok(Answer::Sat), "seed {seed}");
        for (s, v) in fixed {
            let sym = terms.sym(s);
            if terms.kind(same) != Kind::Bool(true) {
                assert_eq!(&solver.model_value(&terms, sym).unwrap(), &v, "seed {seed}");
            }
        }
    }
}

/// A query that no solver answers within the time of a test: the factors of the product of two primes of 60 bits.
pub(crate) fn hard(terms: &mut Terms) -> Term {
    let (p, q) = (10u128.pow(18) + 3, 10u128.pow(18) + 9);
    let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(60)));
    let (wx, wy) = (terms.zext(120, x), terms.zext(120, y));
    let product = terms.bv_op(BvOp::Mul, wx, wy);
    let number = terms.constant(&Bv::from_u128(120, p * q));
    let eq = terms.eq(product, number);
    let order = terms.cmp(BvCmp::Ule, x, y);
    terms.and(eq, order)
}
