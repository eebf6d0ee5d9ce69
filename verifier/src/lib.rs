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
//! | [`oracle`] | for tests only |

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
pub mod verify;
