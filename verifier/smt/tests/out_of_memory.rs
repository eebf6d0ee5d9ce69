//! Z3 without memory: errors instead of panics and answers, in a process of its own, since Z3's limit is one of the process.

use cfa::bv::BvOp;
use cfa::{Sort, Term, Terms};
use smt::horn::{Relation, System};
use smt::{Limits, Mode, Solver, SolverError, Spacer, Z3};
use std::time::Duration;

/// Z3's limit in MB, enough for some contexts of 16 MB each.
const LIMIT: u32 = 80;

/// A chain of `length` different operators, and a condition on its end.
fn chain(terms: &mut Terms, length: u64) -> Term {
    let x = terms.fresh("x", Sort::Bv(64));
    let mut t = x;
    for i in 0..length {
        let k = terms.int(64, i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let product = terms.bv_op(BvOp::Mul, t, k);
        t = terms.bv_op(BvOp::Xor, product, x);
    }
    let k = terms.int(64, 12345);
    terms.eq(t, k)
}

#[test]
fn without_memory_there_are_errors_only() {
    z3::set_global_param("memory_max_size", &LIMIT.to_string());
    let limits = Limits { query: Some(Duration::from_secs(60)), deadline: None };
    let new = |mode| Z3::with_mode(limits, mode).expect("a context fits");
    let mut solvers = [Mode::Fresh, Mode::Incremental].map(new);
    let mut terms = Terms::new();
    let t = chain(&mut terms, 1000);
    // The first query ends in the search. From then on Z3 may have no memory for anything.
    for _ in 0..3 {
        for solver in &mut solvers {
            let answer = solver.check(&terms, &[t]);
            assert!(
                matches!(&answer, Err(SolverError::Failed(why) | SolverError::Unknown(why)) if why.contains("memory"))
            );
            assert!(solver.model(&terms).is_err() && solver.core().is_empty());
        }
    }
    let refused = Z3::new(limits).map(|_| ());
    assert!(matches!(refused, Err(SolverError::Failed(_))), "{refused:?}");
    let refused = Spacer::default().solve(&System::default(), Relation(0), Duration::from_secs(1)).map(|_| ());
    assert!(matches!(refused, Err(SolverError::Failed(_))), "{refused:?}");
}
