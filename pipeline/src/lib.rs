//! The command line of kerf: commands, configuration, worker processes and their limits, reports, benchmarks.
//!
//! This is the only crate that reads options and prints, and all processes but clang's are started here. It knows nothing about how an
//! analysis works: [`driver`] is where the other crates are combined to verify a program; commands that only slice or draw load theirs
//! themselves.

pub mod adapters;
mod assumptions;
mod cfa_file;
mod cli;
mod commands;
mod compile_commands;
pub mod config;
pub mod driver;
mod environment;
pub mod external_solver;
pub mod graphs;
pub mod harness;
pub mod limits;
pub mod loading;
pub mod process;
pub mod report;
pub mod strategy;
pub mod witness;
pub mod worker;

pub use commands::main;
