//! k-induction with invariants and contracts: no execution comes to a target in its first iterations, nor behind k - 1 iterations without one
//! from any state that satisfies the invariants (Sheeran, Singh, Stålmarck, FMCAD 2000; Dangl 2013, 2.1; here for any number of loops, also nested
//! ones).
//!
//! For each k in turn, one pass over the program has the base and the step of each loop ([`crate::unwind`]). A target that is reached in the base
//! alone is an alarm; where a base of its own runs beside ([`Options::base`]), that looks for alarms. Invariants are guesses, each assumed
//! under a literal of its own, and pruned until the rest is inductive. If no target is reachable then, the program is proved. A recursive function has a
//! pass of its own, from an arbitrary call: what is assumed of its calls is shown at its exit. The checker decides.
//!
//! Reading order: this file (the step), `parallel` (the base, the generator), then [`crate::invariants::houdini`].

mod parallel;

use crate::evidence::outcome::Outcome;
use crate::invariants::abstract_interpretation::Found;
use crate::invariants::houdini::obligations::{Guesses, Place};
use crate::invariants::houdini::prune::Refutation;
use crate::program::unsupported::unsupported_reason;
use crate::program::{Budget, Halt, Program};
use crate::unwind::CutKind;
use smt::{Algebra, Solver};
use std::sync::mpsc::Receiver;

/// Largest size of a pass, in terms: beyond it the solver does not even stop in time.
const MAX_TERMS: usize = 400_000;

/// What is to be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether invariants and contracts are guessed, and invariants generated beside.
    pub invariants: bool,
    /// Whether bounded model checking runs beside the step.
    pub base: bool,
    /// The largest k.
    pub last_k: u32,
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The last k tried.
    pub k: u64,
    /// The last bound of the base beside.
    pub bound: u64,
    /// Loops replaced.
    pub loops: u64,
    /// Functions whose calls were replaced.
    pub contracts: u64,
    /// Candidates guessed.
    pub candidates: u64,
    /// Candidates that were inductive.
    pub invariants: u64,
    /// Queries to the solver.
    pub queries: u64,
}

/// Tries to prove the program, or to find an execution to a target, with growing k. `make` makes the solvers, one for each thread.
///
/// Errors: out of time or budget, or a solver's; there is no outcome then.
pub fn run(
    program: &Program,
    options: Options,
    make: &smt::Make<'_>,
    budget: Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    parallel::run(program, options, make, budget, statistics, |solver, budget, heard, statistics| {
        step(program, options, solver, budget, heard, statistics)
    })
}

/// Tries growing k with all invariants that there are by then; `heard` has those that are generated.
fn step(
    program: &Program,
    options: Options,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    heard: &Receiver<Found>,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut terms = program.overlay();
    let mut guesses = Guesses::new(program, &mut terms, options.invariants, budget);
    loop {
        heard.try_iter().for_each(|found| guesses.hear(program, &mut terms, &found));
        let k = guesses.k;
        statistics.k = u64::from(k);
        let pass = guesses.pass(program, &mut terms, budget)?;
        statistics.loops = guesses.of.keys().filter(|place| matches!(place, Place::Head(_))).count() as u64;
        statistics.contracts = pass.roots.len() as u64;
        statistics.candidates = guesses.count();
        if terms.len() > MAX_TERMS {
            return Ok(Outcome::Unknown(format!("more than {MAX_TERMS} terms for invariants with k = {k}")));
        }
        let mut refute = Refutation {
            program,
            solver: &mut *solver,
            algebra: Algebra::new(),
            budget,
            queries: &mut statistics.queries,
        };
        if !options.base
            && let Some(alarm) = refute.base(&mut terms, &pass)?
        {
            return Ok(alarm);
        }
        let is_proved = refute.step(&mut terms, &mut guesses, &pass.found)?;
        statistics.invariants = guesses.literals(|_, _, guess| guess.is_inductive).len() as u64;
        if is_proved {
            return Ok(Outcome::Proof(Box::new(guesses.certificate(program, terms, pass))));
        }
        let unsupported = pass.found.cuts.iter().find_map(|c| match c.kind {
            CutKind::Unsupported(e) => Some(unsupported_reason(program, e)),
            _ => None,
        });
        guesses.forget_wrong_products(&terms);
        if k < options.last_k && !pass.found.loops.is_empty() {
            guesses.k = next_k(k).min(options.last_k);
            continue;
        }
        // With the largest k, only new invariants help.
        while !guesses.has_news {
            let Ok(found) = heard.recv_timeout(budget.left()) else {
                let reason = unsupported.unwrap_or_else(|| format!("no invariant found that suffices with k = {k}"));
                return Ok(Outcome::Unknown(reason));
            };
            guesses.hear(program, &mut terms, &found);
        }
    }
}

fn next_k(k: u32) -> u32 {
    k + (k / 2).max(1)
}
