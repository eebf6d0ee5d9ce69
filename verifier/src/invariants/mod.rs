//! Candidate invariants from several sources, and the check that turns candidates into invariants.
//!
//! * Sources: `templates` and `array_templates` (the variables and conditions of the program), `sampling` and `from_samples` (executions,
//!   with `null_space` for equations), `contract_templates` (contracts of recursive functions), `abstract_interpretation` (the invariants
//!   CPA), `diagrams` (decision diagrams), `chc` (constrained Horn clauses).
//! * Check: `houdini` drops candidates until the rest is inductive.

pub mod abstract_interpretation;
mod array_templates;
pub mod chc;
pub mod contract_templates;
pub mod diagrams;
pub mod from_samples;
pub mod houdini;
mod null_space;
pub mod sampling;
pub mod templates;
