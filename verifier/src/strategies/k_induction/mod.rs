//! k-induction with invariants and contracts: a program is safe if no execution reaches a target in its first iterations, nor after k - 1
//! iterations without a violation from any state that satisfies the invariants (Sheeran, Singh, Stålmarck, FMCAD 2000;
//! [Dangl 2013, 2.1]; here for any number of loops, including nested ones).
//!
//! For each k in turn, one pass over the program contains the base case and the step case of each loop ([`crate::unwind`]). A target that
//! is reached in the base case alone is an alarm; if bounded model checking runs in parallel ([`Options::base`]), it searches for alarms
//! instead. Candidate invariants are each assumed under a literal of their own, and pruned until the rest is inductive. If no target is
//! reachable then, the program is proved. A recursive function has a pass of its own, from an arbitrary call: what is assumed about its
//! calls has to be shown at its exit. The certificate checker decides about the proof.
//!
//! Reading order: this file (the step case), `parallel` (the base case and the generator of candidates), then
//! [`crate::invariants::houdini`].

mod parallel;

use crate::domains::intervals::Interesting;
use crate::evidence::blocked::Blocked;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::invariants::abstract_interpretation::Found;
use crate::invariants::houdini::obligations::{Candidates, Place};
use crate::invariants::houdini::prune::Refutation;
use crate::program::unsupported::unsupported_construct;
use crate::program::{Budget, Count, Halt, Program};
use crate::unwind::CutKind;
use smt::{Algebra, Solver};
use std::sync::mpsc::Receiver;

/// Maximum size of a pass, in terms. On larger passes, the solver does not stop in time.
const MAX_TERMS: usize = 400_000;

/// Options of k-induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether to use candidate invariants and contracts, and to generate further candidates in parallel.
    pub invariants: bool,
    /// Whether bounded model checking runs in parallel to the step case, with bounds of its own. Otherwise the base case has the k of the
    /// step case.
    pub base: bool,
    /// The first k.
    pub first_k: u32,
    /// The last k.
    pub last_k: u32,
    /// How much of what is interesting keeps states apart in the abstract interpretation that generates candidates.
    pub interesting: Interesting,
}

impl Default for Options {
    fn default() -> Self {
        Options { invariants: true, base: true, first_k: 1, last_k: u32::MAX, interesting: Interesting::default() }
    }
}

/// Counts of one run, and what blocked it.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The last k tried.
    pub k: u64,
    /// The last bound of bounded model checking that ran in parallel.
    pub bound: u64,
    /// Number of loops replaced by invariants.
    pub loops: u64,
    /// Number of functions whose calls were replaced by contracts.
    pub contracts: u64,
    /// Number of candidates.
    pub candidates: u64,
    /// Number of candidates that were inductive.
    pub invariants: u64,
    /// Number of solver queries.
    pub queries: u64,
    /// The last state found from which the step case fails.
    pub blocked: Option<Blocked>,
}

/// Tries to prove the program, or to find an execution to a target, with growing k. `make` creates the solvers, one per thread.
///
/// Errors: out of time or budget, or a solver error; there is no outcome then.
pub fn run(
    program: &Program,
    options: Options,
    make: &smt::Make<'_>,
    budget: Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    parallel::run(program, options, make, budget, statistics, |solver, budget, received, statistics| {
        step(program, options, solver, budget, received, statistics)
    })
}

/// Tries growing k with all candidates available so far; `received` receives those that are generated in parallel.
fn step(
    program: &Program,
    options: Options,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    received: &Receiver<Found>,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut terms = program.overlay();
    let mut candidates = Candidates::new(program, &mut terms, options.invariants, budget);
    candidates.k = options.first_k;
    loop {
        received.try_iter().for_each(|found| candidates.receive(program, &mut terms, &found));
        let k = candidates.k;
        statistics.k = u64::from(k);
        budget.note(Count::K, statistics.k);
        let pass = candidates.pass(program, &mut terms, budget)?;
        statistics.loops = candidates.of.keys().filter(|place| matches!(place, Place::Head(_))).count() as u64;
        statistics.contracts = pass.roots.len() as u64;
        statistics.candidates = candidates.count();
        if terms.len() > MAX_TERMS {
            return Ok(Outcome::Unknown(UnknownReason::Limit(format!(
                "more than {MAX_TERMS} terms for invariants with k = {k}"
            ))));
        }
        let mut refute = Refutation {
            program,
            solver: &mut *solver,
            algebra: Algebra::new(),
            budget,
            queries: &mut statistics.queries,
            blocked: &mut statistics.blocked,
        };
        if !options.base
            && let Some(alarm) = refute.base(&mut terms, &pass)?
        {
            return Ok(alarm);
        }
        let is_proved = refute.step(&mut terms, &mut candidates, &pass.found)?;
        statistics.invariants = candidates.literals(|_, _, candidate| candidate.is_inductive).len() as u64;
        if is_proved {
            return Ok(Outcome::Proof(Box::new(candidates.certificate(program, terms, pass))));
        }
        let unsupported = pass.found.cuts.iter().find_map(|c| match c.kind {
            CutKind::Unsupported(e) => Some(unsupported_construct(program, e)),
            _ => None,
        });
        candidates.forget_wrong_products(&terms);
        if k < options.last_k && !pass.found.loops.is_empty() {
            candidates.k = next_k(k).min(options.last_k);
            continue;
        }
        // Once k is at its maximum, only new candidates help.
        while !candidates.has_new {
            let Ok(found) = received.recv_timeout(budget.left()) else {
                let imprecise = || UnknownReason::Imprecise(format!("no invariant found that suffices with k = {k}"));
                return Ok(Outcome::Unknown(unsupported.map_or_else(imprecise, UnknownReason::Unsupported)));
            };
            candidates.receive(program, &mut terms, &found);
        }
    }
}

fn next_k(k: u32) -> u32 {
    k + (k / 2).max(1)
}
