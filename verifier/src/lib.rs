//! The CPA engine, its domains and the strategies: from a program and a slice to a verdict with its evidence.
//!
//! Goes in: a frozen [`cfa::Cfa`], the slice of it that is explored, and a strategy ([`verify::Task`]). Comes out: a verdict, with a certificate
//! that was checked or a counterexample that was replayed ([`verify::Report`]).
//!
//! Layers; each knows those above it only (a test reads the imports):
//!
//! | layer | what it has |
//! |---|---|
//! | [`program`], [`evidence`] | what is explored, budgets; outcomes and the replay |
//! | [`cpa`] | what an analysis is, and what all run on |
//! | [`reach`], [`unwind`] | the reachability algorithm; unwinding into formulas |
//! | [`domains`] | abstract domains |
//! | [`refine`] | precisions and slices from infeasible paths |
//! | [`invariants`] | candidates for invariants, and which of them are inductive |
//! | [`strategies`] | how a program is proved or refuted |
//! | [`verify`] | the plan, carried out; the checker and the replay decide |
//! | [`oracle`] | for tests only |

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
