//! The command line of kerf: commands, configuration, worker processes and their limits, reports, benchmarks.
//!
//! This is the only crate that reads options, prints and starts processes. How an analysis works it does not know: the
//! one place where the other crates are put together is [`run`].

pub mod adapters;
pub mod bench;
pub mod certificate;
mod cli;
mod commands;
pub mod compare;
pub mod config;
pub mod graphs;
pub mod harness;
pub mod limits;
pub mod narrate;
pub mod process;
pub mod report;
pub mod run;
pub mod second;
pub mod slicing;
pub mod strategy;
pub mod worker;

pub use commands::main;
