//! Candidates for invariants, from several sources, and what makes invariants of them.
//!
//! Sources: `templates` and `array_templates` (from the program's variables and conditions), `sampling` and `from_samples` (from executions, with
//! `null_space` for equations), `contract_templates` (of recursive functions), `abstract_interpretation` (the invariants CPA), `chc` (Horn
//! clauses). Check: `houdini` drops candidates until the rest is inductive.

pub mod abstract_interpretation;
mod array_templates;
pub mod chc;
pub mod contract_templates;
pub mod from_samples;
pub mod houdini;
mod null_space;
pub mod sampling;
pub mod templates;
