//! Candidates from the relaxation to integers: on small numbers they say what is true, and where numbers wrap around they prove nothing
//! that is wrong.

use crate::support::*;
use cfa::bv::{BvCmp, BvOp};
use cfa::eval::eval_bool;
use cfa::term::Leaf;
use cfa::{Sort, Term, Terms};
use smt::Spacer;
use std::collections::HashSet;
use verifier::invariants::chc;
use verifier::program::Program;
use verifier::strategies::k_induction::{self, Options, Statistics};

/// What is to be counted.
struct Counting {
    width: u32,
    rounds: i64,
    /// What a round adds to the second counter, less one, if an input says so.
    step: i64,
    /// The second counter may be at most this many times the first.
    factor: i64,
}

impl Counting {
    /// `x, y := 0; for rounds: x += 1, y += step or step - 1`, and then wrong if `factor * x < y`.
    fn program(&self) -> Program {
        let mut b = Builder::new(64);
        let [x, y] = ["x", "y"].map(|name| b.local(name, Sort::Bv(self.width)));
        let bit = b.local("bit", Sort::Bv(1));
        let [zero, one, step, rounds, factor] =
            [0, 1, self.step, self.rounds, self.factor].map(|k| b.int(self.width, k));
        b.assign(x, zero);
        b.assign(y, zero);
        let (tx, ty) = (b.var(x), b.var(y));
        let goes_on = b.less(tx, rounds);
        b.repeat(goes_on, |b| {
            b.input(bit);
            let tb = b.var(bit);
            let terms = b.terms();
            let next = terms.add(tx, one);
            let (some, all) = (terms.sub(step, one), terms.nonzero(tb));
            let more = terms.ite(all, step, some);
            let sum = terms.add(ty, more);
            b.assign(x, next);
            b.assign(y, sum);
        });
        let limit = b.terms().bv_op(BvOp::Mul, factor, tx);
        let wrong = b.terms().cmp(BvCmp::Slt, limit, ty);
        b.error_if(wrong);
        finished(b)
    }
}

/// What the relaxation says of the program.
fn candidates(program: &Program) -> (Terms, Vec<Term>) {
    let mut terms = program.overlay();
    let found = chc::candidates(program, &mut terms, &Spacer::default(), patient()).expect("candidates");
    (terms, found.into_iter().flat_map(|(_, all)| all).collect())
}

/// Whether `t` holds wherever control is at the head of the program's loop.
fn holds_at_head(program: &Program, terms: &Terms, t: Term) -> bool {
    let [head] = program.loop_heads()[..] else { panic!("a program with one loop") };
    let (mut seen, mut work) = (HashSet::new(), vec![Concrete::start(&program.cfa)]);
    let mut holds = true;
    while let Some(s) = work.pop() {
        if !seen.insert(format!("{s:?}")) {
            continue;
        }
        let mut value = |leaf| match leaf {
            Leaf::Var(v) => s.values.get(&v).cloned(),
            _ => None,
        };
        holds &= s.loc != head || eval_bool(terms, t, &mut value) == Some(true);
        work.extend(successors(&program.cfa, &s).into_iter().map(|(_, next)| next));
    }
    holds
}

fn induction(program: &Program) -> Verdict {
    let options = Options { base: false, last_k: 2, ..Options::default() };
    let make = |limits| smt::standard(limits);
    let result = k_induction::run(program, options, &make, patient(), &mut Statistics::default());
    verdict(program, result)
}

#[test]
fn numbers_that_fit_are_related_as_integers_are() {
    let program = Counting { width: 8, rounds: 20, step: 5, factor: 5 }.program();
    let (terms, found) = candidates(&program);
    let right: Vec<Term> = found.into_iter().filter(|t| holds_at_head(&program, &terms, *t)).collect();
    assert!(right.iter().any(|t| terms.vars(*t).len() == 2), "no relation of both counters");
    assert_eq!(induction(&program), Verdict::True);
}

#[test]
fn what_is_wrong_where_numbers_wrap_around_is_not_proved() {
    let program = Counting { width: 8, rounds: 28, step: 5, factor: 5 }.program();
    assert_eq!(brute_force(&program.cfa, 1_000_000), Some(true));
    let verdict = induction(&program);
    assert!(matches!(verdict, Verdict::Unknown(_) | Verdict::False), "{verdict:?}");
}

#[test]
fn what_is_wrong_of_integers_is_not_proved() {
    let program = Counting { width: 8, rounds: 20, step: 5, factor: 4 }.program();
    assert_eq!(brute_force(&program.cfa, 1_000_000), Some(true));
    let verdict = induction(&program);
    assert!(matches!(verdict, Verdict::Unknown(_) | Verdict::False), "{verdict:?}");
}
