//! Runs of kerf over sets of tasks with known verdicts: reading the sets, running, scoring.

pub mod runner;
pub mod score;
pub mod tasks;
