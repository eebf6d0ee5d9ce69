//! The command line of kerf: commands, configuration, worker processes and their limits, reports, benchmarks.
//!
//! This is the only crate that reads options, prints and starts processes. How an analysis works it does not know: the
//! one place where the other crates are put together is [`driver`].

pub mod adapters;
mod cli;
mod commands;
pub mod config;
pub mod driver;
pub mod external_solver;
pub mod graphs;
pub mod harness;
pub mod limits;
pub mod process;
pub mod report;
pub mod strategy;
pub mod worker;

pub use commands::main;
