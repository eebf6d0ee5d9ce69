//! Tests of certificates: those of task programs, mutants of them (`mutants`), and executions that must agree with each accepted
//! certificate (`follow`).

pub mod follow;
pub mod mutants;

use crate::tasks;
use anyhow::{Result, bail};
use cfa::Cfa;
use cfa::view::Slice;
use checker::{Certificate, CheckError};
use frontend_llvm::LoadOptions;
use slicer::{PrepareOptions, prepare};
use smt::{Engine, Limits, Validation};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verifier::evidence::outcome::UnknownReason;
use verifier::program::Budget;
use verifier::strategies::portfolio::Strategy;
use verifier::verify::{Task, Verdict, verify};

/// Maximum time for a search.
const SEARCH: Duration = Duration::from_secs(5);

/// Maximum time for a check.
const CHECK: Duration = Duration::from_secs(2);

/// Stack size for searches and checks, as in kerf's workers: Z3's recursion is as deep as the terms.
const STACK_BYTES: usize = 1 << 30;

/// Does `work` on a thread with a large stack.
///
/// # Panics
/// If `work` does, or there is no such thread.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A program and a certificate of it.
pub struct Proof {
    /// The prepared program.
    pub cfa: Arc<Cfa>,
    /// A certificate that the checker has accepted for the program.
    pub certificate: Certificate,
}

fn layers(engine: Engine) -> smt::Options {
    smt::Options { engine, validation: Validation::Off, ..smt::Options::default() }
}

/// The proof that `strategy` finds for a task program; it is about a slice if `sliced`, else about the whole program. `None`
/// if no proof is found in time.
///
/// Errors: the program cannot be loaded or prepared, the checker rejects the certificate, or the strategy reports an alarm.
pub fn prove(file: &Path, strategy: &Strategy, sliced: bool) -> Result<Option<Proof>> {
    let loaded = tasks::load_program(file, &LoadOptions::default())?;
    let (cfa, _) = prepare(loaded.raw, &PrepareOptions::default())?;
    let cfa = Arc::new(cfa);
    let slice = if sliced { slicer::slice_for_targets(&cfa) } else { Slice::whole(&cfa) };
    let solver = |limits| smt::chain(&layers(Engine::Fast), limits);
    let budget = Budget::until(Instant::now() + SEARCH);
    let task = Task {
        cfa: cfa.clone(),
        slice,
        hints: Vec::new(),
        strategy,
        solver: &solver,
        budget,
        draws: false,
        shrinks: false,
    };
    match verify(task, &mut |_| {}).verdict {
        Verdict::True { certificate, .. } => Ok(Some(Proof { cfa, certificate: *certificate })),
        Verdict::Unknown(reason @ UnknownReason::Rejected(_)) => bail!("{reason}"),
        Verdict::Unknown(_) => Ok(None),
        Verdict::False(_) => bail!("an alarm"),
    }
}

/// Whether the checker accepts `certificate` with `engine` as its solver; `None` if the check ends without a decision.
pub fn is_accepted(cfa: &Cfa, certificate: &Certificate, engine: Engine) -> Option<bool> {
    let deadline = Some(Instant::now() + CHECK);
    let mut solver = smt::chain(&layers(engine), Limits { query: None, deadline });
    match checker::check(cfa, certificate, &mut *solver, deadline) {
        Ok(_) => Some(true),
        Err(CheckError::Rejected(_)) => Some(false),
        Err(CheckError::Undecided(_)) => None,
    }
}
