//! The threads that run in parallel to the step case, each with a solver of its own: the base case, and the generator of candidates.
//!
//! The base case is bounded model checking, which finds violations and unwinds finite programs completely. The generator reports its
//! results whenever they have improved [Dangl 2013, 3.1]; the step case uses them from its next round on. The generator's states may
//! themselves be a proof, even where the candidates handed over are not enough. The first thread that has an answer stops the others.

use crate::domains::intervals::Interesting;
use crate::evidence::outcome::Outcome;
use crate::invariants::abstract_interpretation::{self, Found, Told};
use crate::invariants::chc;
use crate::program::{Budget, Halt, Program};
use crate::strategies::bmc;
use crate::strategies::k_induction::{Options, Statistics};
use cfa::{LocId, Term};
use checker::Certificate;
use smt::{Interrupter, Limits, Solver, Spacer};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

/// Stack size of a thread; unwinding recurses on the depth of calls.
const STACK_BYTES: usize = 1 << 30;

/// Time limit for candidates from the relaxation to integers.
const RELAXATION: Duration = Duration::from_secs(2);

/// The result of the step case or the base case.
type Finding = Result<Outcome, Halt>;

/// Runs the `step` of the induction with a solver, a budget and the results of the generator; in parallel, runs what `options` ask for.
///
/// Errors: if neither has an answer, the first error of step case and base case; `OutOfBudget` if a thread cannot be started.
pub(super) fn run(
    program: &Program,
    options: Options,
    make: &smt::Make<'_>,
    budget: Budget<'_>,
    statistics: &mut Statistics,
    step: impl FnOnce(&mut dyn Solver, Budget<'_>, &Receiver<Found>, &mut Statistics) -> Finding,
) -> Finding {
    let (stop_step, stop_base) = (&Stop::default(), &Stop::default());
    let limits = budget.limits();
    std::thread::scope(|scope| {
        let (tell, received) = channel();
        // There is a receiver as long as the step case runs.
        hints(program).filter(|_| options.invariants).into_iter().for_each(|found| drop(tell.send(found)));
        let generator = move || {
            let (mut solver, spacer) = (stop_step.solver(make, limits), Spacer::default());
            stop_step.watch(spacer.interrupter());
            let budget = budget.unless(&stop_step.is_set);
            let proof = generate(program, options.interesting, &mut *solver, &spacer, budget, &tell);
            if proof.is_some() {
                stop_step.stop();
                stop_base.stop();
            }
            proof
        };
        // Without a generator, the channel stays empty.
        let generator = options.invariants.then_some(generator).map(|work| spawn(scope, work)).transpose()?;
        let base = move || {
            let (mut solver, mut statistics) = (stop_base.solver(make, limits), bmc::Statistics::default());
            let (options, budget) = (bmc::Options::default(), budget.unless(&stop_base.is_set));
            let finding = bmc::run(program, &options, &mut *solver, budget, &mut statistics);
            if is_answer(&finding) {
                stop_step.stop();
            }
            (finding, statistics)
        };
        let base = options.base.then(|| spawn(scope, base)).transpose()?;
        let mut solver = stop_step.solver(make, limits);
        let finding = step(&mut *solver, budget.unless(&stop_step.is_set), &received, statistics);
        drop(received);
        stop_step.stop();
        if is_answer(&finding) {
            stop_base.stop();
        }
        let proof = generator.and_then(joined);
        let of_base = base.map(joined).map(|(of_base, seen)| {
            statistics.bound = u64::from(seen.bound);
            statistics.queries += seen.queries;
            of_base
        });
        let answers = of_base.iter().filter(|f| is_answer(f)).count();
        if let Some(proof) = proof.filter(|_| !is_answer(&finding) && answers == 0) {
            return Ok(Outcome::Proof(proof));
        }
        let Some(of_base) = of_base else { return finding };
        match (finding, of_base) {
            (finding, _) if is_answer(&finding) => finding,
            (_, of_base) if is_answer(&of_base) => of_base,
            // For programs without loops, for example, the reason of the base case (such as a construct without a model) is more
            // specific.
            (Ok(_), Ok(reason)) => Ok(reason),
            (Err(halt), _) | (_, Err(halt)) => Err(halt),
        }
    })
}

/// The hints of the program at the heads of its loops.
fn hints(program: &Program) -> Option<Found> {
    let heads = program.loop_heads();
    let mut of: Vec<(LocId, Vec<Term>)> = Vec::new();
    for (l, hint) in &program.hints {
        let head = program.view.rep(*l);
        match of.iter_mut().find(|(known, _)| *known == head) {
            Some((_, all)) => all.push(*hint),
            None if heads.contains(&head) => of.push((head, vec![*hint])),
            None => {}
        }
    }
    (!of.is_empty()).then(|| Found::new(program.overlay(), of))
}

/// Sends the results of the generator to `tell`. Returns a proof of the program if it finds one itself.
fn generate(
    program: &Program,
    interesting: Interesting,
    solver: &mut dyn Solver,
    spacer: &Spacer,
    budget: Budget<'_>,
    tell: &Sender<Found>,
) -> Option<Box<Certificate>> {
    let mut proof = None;
    let mut receive = |told| match told {
        Told::Candidates(found) => match tell.send(*found) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        },
        Told::Proof(found) => {
            proof = Some(found);
            ControlFlow::Break(())
        }
    };
    abstract_interpretation::generate(program, interesting, solver, budget, &mut receive);
    if proof.is_some() {
        return proof;
    }
    let mut terms = program.overlay();
    if let Ok(of) = chc::candidates(program, &mut terms, spacer, budget.at_most(RELAXATION)) {
        let _ = tell.send(Found::new(terms, of));
    }
    None
}

fn is_answer(finding: &Finding) -> bool {
    matches!(finding, Ok(Outcome::Proof(_) | Outcome::Alarm(_)))
}

fn spawn<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Result<ScopedJoinHandle<'s, T>, Halt> {
    let thread = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
    thread.map_err(|e| Halt::OutOfBudget(format!("no memory for a thread: {e}")))
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Stops the work of some threads.
#[derive(Default)]
struct Stop {
    is_set: AtomicBool,
    solvers: Mutex<Vec<Interrupter>>,
}

impl Stop {
    /// Creates a solver that is interrupted when this is set.
    fn solver(&self, make: &smt::Make<'_>, limits: Limits) -> Box<dyn Solver> {
        let solver = make(limits);
        self.watch(solver.interrupter());
        solver
    }

    /// Registers a solver to be interrupted; interrupts it at once if this is set already.
    fn watch(&self, solver: Interrupter) {
        self.solvers.lock().unwrap_or_else(PoisonError::into_inner).push(solver.clone());
        if self.is_set.load(Ordering::SeqCst) {
            solver.interrupt();
        }
    }

    fn stop(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        let solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        solvers.iter().for_each(Interrupter::interrupt);
    }
}
