//! Runs of kerf over sets of tasks with known verdicts: reading the sets, running, scoring, comparing.

pub mod runner;
pub mod score;
pub mod tasks;
pub mod versus;
