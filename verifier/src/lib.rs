//! The CPA engine, its domains and its strategies: from a program and a slice to a verdict with evidence.
//!
//! Input: a frozen [`cfa::Cfa`], the slice of it that is explored, and a strategy ([`verify::Task`]). Output: a verdict, with a
//! certificate that was checked or a counterexample that was replayed ([`verify::Report`]).
//!
//! Layers; each uses only those above it (a test checks the imports):
//!
//! | layer | content |
//! |---|---|
//! | [`program`], [`evidence`] | what is explored, and budgets; outcomes and the replay |
//! | [`cpa`] | what an analysis is, and what all analyses run on |
//! | [`reach`], [`unwind`], [`blocks`] | the reachability algorithm; unwinding into formulas; path formulas of blocks |
//! | [`domains`] | abstract domains |
//! | [`refine`] | refinement of precisions and slices by infeasible paths |
//! | [`invariants`] | candidate invariants, and the proof that they are inductive |
//! | [`strategies`] | how a program is proved or refuted |
//! | [`verify`] | runs the plan; the checker and the replay decide |
//! | [`vacuity`] | whether a proof is about anything |
//! | [`oracle`] | for tests only |
//!
//! Reading order: [`verify`] (what happens to a task), [`cpa`] and [`reach`] (the algorithm of the papers), one domain, such as
//! `domains::signs`, then one strategy, such as `strategies::k_induction`; `docs/` has a page for each engine.
//!
//! Searches must not decide: only the checker's and the replay's answers become verdicts. Nothing in this crate reads files, prints,
//! or knows LLVM.
//!
//! ```
//! use std::{sync::Arc, time::{Duration, Instant}};
//! use verifier::program::Budget;
//! use verifier::strategies::portfolio::Strategy;
//! use verifier::verify::{Task, Verdict, verify};
//!
//! let cfa = kerf_testing::language::program("int x = input(); while (x < 10) x = x + 1; if (x < 10) error();");
//! let slice = slicer::slice_for_targets(&cfa);
//! let strategy = Strategy::named("k-induction").expect("a strategy");
//! let budget = Budget::until(Instant::now() + Duration::from_secs(600));
//! let task = Task { cfa: Arc::new(cfa), slice, hints: Vec::new(), strategy: &strategy, solver: &smt::standard, budget, draws: false, shrinks: false };
//! let report = verify(task, &mut |_| ());
//! assert!(matches!(report.verdict, Verdict::True { .. }), "{:?}", report.verdict);
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod blocks;
pub mod cpa;
pub mod domains;
pub mod evidence;
pub mod invariants;
pub mod oracle;
pub mod program;
pub mod reach;
pub mod refine;
pub mod strategies;
pub mod unwind;
pub mod vacuity;
pub mod verify;
