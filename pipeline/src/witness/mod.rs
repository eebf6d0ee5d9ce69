//! Witnesses: what a verifier found, in the format that verifiers and validators exchange (SV-COMP's YAML, versions 2.0 and 2.1).
//!
//! A *violation witness* lists waypoints of an execution that violates the property; a *correctness witness* lists invariants of loops.
//! Neither is believed. A violation counts when an execution along the waypoints was found and replayed, an invariant when the
//! certificate of a proof that contains it was checked.
//!
//! Reading order: `format` (the data, reading and writing), `source` (positions in C text), `expression` (C text to conditions) and
//! `print` (terms to C text); `violation` and `invariants` write witnesses; `waypoints` makes an automaton of a violation witness;
//! `guide` brings a witness into a program; `own` is what `kerf verify --witness` does.

mod expression;
pub mod format;
pub mod guide;
pub(crate) mod invariants;
pub mod own;
mod print;
mod source;
mod violation;
mod waypoints;
