//! The last part of the check: a solver refutes the obligations that did not fold to constants.
//!
//! Obligations about paths from one origin are refuted together, as one disjunction, so that the common parts of the paths are considered
//! only once. A complete unwinding has a single origin, hence a single query. Batches that are not refuted are asked again one by one, in
//! order to name the fault, or because single queries are easier. Obligations about labels and of different origins have little in common,
//! so that a disjunction of them is harder than each of them.
//!
//! Of what is known of a state, a query has only what is connected with the fault by shared symbols; if that is not enough, it has all.

use crate::check::{CheckError, Statistics};
use crate::quantifiers::Universals;
use crate::state::conjuncts;
use crate::symbolic::Obligation;
use cfa::term::{Kind, Symbols};
use cfa::{Cfa, Term, Terms};
use smt::{Algebra, Answer, Limits, Solver, SolverError};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Number of batches from which on a second thread is worth its solver.
const WORTH_A_THREAD: usize = 16;

/// Stack size of the second thread; terms are walked recursively in places.
const STACK_BYTES: usize = 1 << 30;

/// Maximum time for a query with a part of what is known.
const PARTIAL_QUERY: Duration = Duration::from_secs(5);

/// A query that was found unsatisfiable, as the certificate requires. It is self-contained.
pub struct Refuted<'a> {
    /// The arena of the condition.
    pub terms: &'a Terms,
    /// The refuted Bool term: the disjunction of the conditions of some obligations, in conjunction with instances of the universal
    /// conditions that are assumed there.
    pub condition: Term,
    cfa: &'a Cfa,
    obligations: &'a [Obligation],
}

impl Refuted<'_> {
    /// What a model would show to be wrong with the certificate, in words: one of these faults, one per obligation.
    pub fn faults(&self) -> impl ExactSizeIterator<Item = String> + '_ {
        self.obligations.iter().map(|o| o.describe(self.cfa))
    }
}

/// Observes the check of a certificate.
pub trait Observer {
    /// Called when a query was refuted.
    fn refuted(&mut self, query: &Refuted<'_>);
}

/// Ignores all queries.
impl Observer for () {
    fn refuted(&mut self, _: &Refuted<'_>) {}
}

/// Refutes all `obligations`, whose conditions are in `terms`.
pub(crate) fn discharge(
    cfa: &Cfa,
    terms: &mut Terms,
    (mut obligations, universals): (Vec<Obligation>, &Universals),
    solver: &mut dyn Solver,
    deadline: Option<Instant>,
    stats: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<(), CheckError> {
    let mut asker = Asker {
        cfa,
        terms,
        universals,
        algebra: Algebra::new(),
        symbols: Symbols::default(),
        solver,
        deadline,
        stats,
        observer,
    };
    batches(&mut obligations).into_iter().try_for_each(|batch| asker.refute(batch))
}

/// Refutes all `obligations`, like [`discharge`], in two threads if there are many. Batches are taken in their order, so that both threads end
/// at about the same time.
pub(crate) fn discharge_in_parallel(
    cfa: &Cfa,
    terms: &mut Terms,
    (mut obligations, universals): (Vec<Obligation>, &Universals),
    (make, limits): (&smt::Make<'_>, Limits),
    stats: &mut Statistics,
) -> Result<(), CheckError> {
    let batches = batches(&mut obligations);
    let next = AtomicUsize::new(0);
    let work = |terms: &mut Terms, stats: &mut Statistics| {
        let mut solver = make(limits);
        let mut asker = Asker {
            cfa,
            terms,
            universals,
            algebra: Algebra::new(),
            symbols: Symbols::default(),
            solver: &mut *solver,
            deadline: limits.deadline,
            stats,
            observer: &mut (),
        };
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(e) = asker.refute(batch) {
                // The other thread need not go on.
                next.store(batches.len(), Ordering::Relaxed);
                return Err(e);
            }
        }
        Ok(())
    };
    if batches.len() < WORTH_A_THREAD {
        return work(terms, stats);
    }
    let mut others_terms = terms.clone();
    let (found, others, others_stats) = std::thread::scope(|scope| {
        let other = || {
            let mut stats = Statistics::default();
            (work(&mut others_terms, &mut stats), stats)
        };
        let other = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, other);
        let found = work(terms, stats);
        // Where there is no memory for a thread, this one has done all.
        match other.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))) {
            Ok((others, stats)) => (found, others, stats),
            Err(_) => (found, Ok(()), Statistics::default()),
        }
    });
    stats.queries += others_stats.queries;
    stats.by_algebra += others_stats.by_algebra;
    found.and(others)
}

/// The obligations in batches, in the order in which they are asked.
fn batches(obligations: &mut [Obligation]) -> Vec<&[Obligation]> {
    // Reachability obligations first: their queries are plain satisfiability of paths.
    obligations.sort_by_key(|o| (o.claim.entails(), o.origin, o.node));
    let is_together = |a: &Obligation, b: &Obligation| a.origin == b.origin && !a.claim.entails() && !b.claim.entails();
    obligations.chunk_by(is_together).collect()
}

struct Asker<'a> {
    cfa: &'a Cfa,
    terms: &'a mut Terms,
    universals: &'a Universals,
    algebra: Algebra,
    symbols: Symbols,
    solver: &'a mut dyn Solver,
    deadline: Option<Instant>,
    stats: &'a mut Statistics,
    observer: &'a mut dyn Observer,
}

impl Asker<'_> {
    fn refute(&mut self, batch: &[Obligation]) -> Result<(), CheckError> {
        if let [one] = batch {
            return self.refute_one(one);
        }
        self.solver.set_limits(Limits { query: None, deadline: self.deadline });
        let conditions = batch.iter().map(|o| self.relevant(o)).collect();
        let any = disjunction(self.terms, conditions);
        let any = self.with_instances(any);
        if matches!(self.ask(any), Ok(Answer::Unsat)) {
            self.tell(any, batch);
            return Ok(());
        }
        batch.iter().try_for_each(|o| self.refute_one(o))
    }

    fn refute_one(&mut self, o: &Obligation) -> Result<(), CheckError> {
        let relevant = self.relevant(o);
        let condition = self.terms.and(o.guard, o.fault);
        if relevant != condition {
            self.solver.set_limits(Limits { query: Some(PARTIAL_QUERY), deadline: self.deadline });
            let relevant = self.with_instances(relevant);
            if matches!(self.ask(relevant), Ok(Answer::Unsat)) {
                self.tell(relevant, std::slice::from_ref(o));
                return Ok(());
            }
        }
        self.solver.set_limits(Limits { query: None, deadline: self.deadline });
        let condition = self.with_instances(condition);
        match self.ask(condition) {
            Ok(Answer::Unsat) => {
                self.tell(condition, std::slice::from_ref(o));
                Ok(())
            }
            Ok(Answer::Sat) => Err(CheckError::Rejected(o.describe(self.cfa))),
            Err(e) => Err(CheckError::Undecided(format!("{e}, when asked whether {}", o.describe(self.cfa)))),
        }
    }

    /// The fault of an obligation, in conjunction with what the guard says about its symbols.
    fn relevant(&mut self, o: &Obligation) -> Term {
        let known: Vec<Term> =
            conjuncts(self.terms, o.guard).into_iter().filter(|t| self.terms.kind(*t) != Kind::And).collect();
        let all = known.len();
        let mut connected = self.symbols.connected(self.terms, &[o.fault], known);
        if connected.len() == all {
            return self.terms.and(o.guard, o.fault);
        }
        connected.push(o.fault);
        self.terms.and_all(connected)
    }

    /// `t` in conjunction with instances of the universal conditions that it names.
    fn with_instances(&mut self, t: Term) -> Term {
        let instances = self.universals.instances(self.terms, &[t], &|_| true);
        let known = self.terms.and_all(instances);
        self.terms.and(t, known)
    }

    /// Tells the observer that `condition` was refuted, unless no query was needed.
    fn tell(&mut self, condition: Term, obligations: &[Obligation]) {
        if self.terms.as_bool(condition).is_none() {
            self.observer.refuted(&Refuted { terms: self.terms, condition, cfa: self.cfa, obligations });
        }
    }

    fn ask(&mut self, t: Term) -> Result<Answer, SolverError> {
        match self.terms.as_bool(t) {
            Some(true) => Ok(Answer::Sat),
            Some(false) => Ok(Answer::Unsat),
            None => {
                self.stats.queries += 1;
                let answer = self.algebra.check(self.terms, self.solver, &[t]);
                self.stats.by_algebra = self.algebra.refuted();
                answer
            }
        }
    }
}

/// The disjunction of `ts` as a balanced tree, which solvers can walk without deep recursion.
fn disjunction(terms: &mut Terms, mut ts: Vec<Term>) -> Term {
    while ts.len() > 1 {
        ts = ts.chunks(2).map(|pair| pair.iter().copied().reduce(|a, b| terms.or(a, b)).expect("not empty")).collect();
    }
    ts.first().copied().unwrap_or_else(|| terms.ff())
}
