//! Bounded model checking with growing bounds ([Beyer, Stahlbauer 2014, 1]; [Dangl 2013, 5.2.1]). It proves the program once every loop
//! is unwound completely.
//!
//! One arena of terms and one incremental solver serve all bounds: the prefix that a larger bound shares with a smaller one consists of
//! the same terms, so the solver keeps what it has learned.

use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::program::unsupported::unsupported_construct;
use crate::program::{Budget, Count, Halt, Program};
use crate::unwind::model::inputs_of_model;
use crate::unwind::{Bounds, CutKind, Feasibility, Unwind, Unwinding};
use cfa::{InputKind, Op, Sort, Term, Terms};
use checker::Certificate;
use smt::{Algebra, Answer, Solver, SolverError};
use std::time::{Duration, Instant};

/// Limits of bounded model checking.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The bound of the first unwinding: the maximum number of iterations of a loop whose continuation depends on inputs.
    pub first_bound: u32,
    /// The bound of the last unwinding.
    pub last_bound: u32,
    /// Maximum size of an unwinding, in terms of about 100 bytes each.
    pub max_terms: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { first_bound: 1, last_bound: 1 << 20, max_terms: 20_000_000 }
    }
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The last bound tried.
    pub bound: u32,
    /// Number of edges executed in the last unwinding.
    pub steps: u64,
    /// Number of nodes of the last unwinding graph.
    pub nodes: u64,
    /// Number of solver queries.
    pub queries: u64,
}

/// Searches for a violation with growing bounds, until an unwinding is complete.
///
/// Errors: `OutOfTime`; `OutOfBudget` if an unwinding has too many terms.
pub fn run(
    program: &Program,
    options: &Options,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut terms = program.overlay();
    let mut bound = options.first_bound;
    let mut undecided = None;
    let mut algebra = Algebra::new();
    loop {
        statistics.bound = bound;
        budget.note(Count::Bound, u64::from(bound));
        let bounds = Bounds { counted: bound, free: bound.saturating_mul(bound).saturating_mul(256) };
        let mut pruning =
            Pruning { solver: &mut *solver, budget, spent: Duration::ZERO, started: Instant::now(), queries: 0 };
        let found =
            Unwind { program, terms: &mut terms, bounds, budget, feasibility: &mut pruning, loops: None }.program()?;
        statistics.queries += pruning.queries;
        (statistics.steps, statistics.nodes) = (found.steps, found.nodes.len() as u64);
        let mut holds = |terms: &mut Terms, any: Term| -> Result<Option<bool>, Halt> {
            match terms.as_bool(any) {
                Some(b) => return Ok(Some(b)),
                None => statistics.queries += 1,
            }
            solver.set_limits(budget.limits());
            match algebra.check(terms, solver, &[any]) {
                Ok(Answer::Sat) => Ok(Some(true)),
                Ok(Answer::Unsat) => Ok(Some(false)),
                Err(SolverError::Unknown(_)) if budget.left().is_zero() => Err(Halt::OutOfTime),
                Err(e) => {
                    undecided = Some(e.to_string());
                    Ok(None)
                }
            }
        };
        let target = terms.or_all(found.targets.iter().map(|(_, g)| *g));
        // A violation that depends neither on results that the language leaves open nor on approximated results is preferred.
        let tame = open_results_clear(program, &mut terms, &found);
        let tame = terms.and(target, tame);
        let mut violated = holds(&mut terms, tame)?;
        let mut found_with = tame;
        if violated != Some(true) && tame != target {
            violated = holds(&mut terms, target)?;
            found_with = target;
        }
        if violated == Some(true) {
            let inputs = inputs_of_model(&found.inputs, &terms, solver, terms.as_bool(found_with).is_none());
            return Ok(Outcome::Alarm(inputs));
        }
        let unsupported = |kind: &CutKind| matches!(kind, CutKind::Unsupported(_));
        let beyond = terms.or_all(found.cuts.iter().filter(|c| !unsupported(&c.kind)).map(|c| c.guard));
        let incomplete = holds(&mut terms, beyond)?;
        if incomplete == Some(false) {
            for cut in found.cuts.iter().filter(|c| unsupported(&c.kind)) {
                if holds(&mut terms, cut.guard)? != Some(false) {
                    let CutKind::Unsupported(e) = cut.kind else { unreachable!("filtered") };
                    return Ok(Outcome::Unknown(UnknownReason::Unsupported(unsupported_construct(program, e))));
                }
            }
            if violated == Some(false) {
                let certificate = Certificate {
                    slice: program.slice.clone(),
                    terms: program.overlay(),
                    frames: found.frames,
                    nodes: found.nodes,
                    contracts: Vec::new(),
                    explored: None,
                };
                return Ok(Outcome::Proof(Box::new(certificate)));
            }
            return Ok(Outcome::Unknown(UnknownReason::Solver(undecided.unwrap_or_default())));
        }
        if bound >= options.last_bound {
            return Ok(Outcome::Unknown(UnknownReason::Limit(format!("loop bound {bound} is not enough"))));
        }
        if terms.len() > options.max_terms {
            return Err(Halt::OutOfBudget(format!("more than {} terms at loop bound {bound}", options.max_terms)));
        }
        bound = next_bound(bound).min(options.last_bound);
    }
}

/// The condition that all results which the language leaves open have all bits clear, and that no result on the execution is approximated
/// by a model.
fn open_results_clear(program: &Program, terms: &mut Terms, found: &Unwinding) -> Term {
    let mut all = terms.tt();
    for input in &found.inputs {
        let kind = match &program.cfa.edges[input.edge].op {
            Op::Input { kind, .. } => kind,
            _ => continue,
        };
        let tame = match (kind, terms.sort(input.symbol)) {
            (InputKind::Undefined, Sort::Bv(w)) => {
                let zero = terms.int(w, 0);
                terms.eq(input.symbol, zero)
            }
            (InputKind::Approximate(_), _) => terms.not(input.guard),
            _ => continue,
        };
        all = terms.and(all, tame);
    }
    all
}

/// Bounds grow by half, so that the total work at all bounds is at most three times that at the last bound.
fn next_bound(bound: u32) -> u32 {
    bound.saturating_add(bound.div_ceil(2))
}

/// Prunes unreachable states, as long as this takes at most a third of the time.
struct Pruning<'a> {
    solver: &'a mut dyn Solver,
    budget: Budget<'a>,
    spent: Duration,
    started: Instant,
    queries: u64,
}

impl Pruning<'_> {
    /// Time limit for one query.
    const LIMIT: Duration = Duration::from_millis(200);
    /// Total time that queries may take in any case, however cheap the rest of the unwinding is.
    const FREE: Duration = Duration::from_millis(300);
}

impl Feasibility for Pruning<'_> {
    fn may_hold(&mut self, terms: &mut Terms, guard: Term) -> bool {
        if self.spent > Self::FREE && self.spent * 3 > self.started.elapsed() {
            return true;
        }
        let start = Instant::now();
        self.solver.set_limits(self.budget.at_most(Self::LIMIT).limits());
        let answer = self.solver.check(terms, &[guard]);
        self.spent += start.elapsed();
        self.queries += 1;
        !matches!(answer, Ok(Answer::Unsat))
    }
}
