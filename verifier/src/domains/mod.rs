//! The abstract domains, and their composition at run time.

pub mod automaton;
pub mod callstack;
pub mod data_flow;
pub mod dominators;
pub mod flow_dependence;
pub mod invariants;
pub mod location;
mod parts;
pub mod reaching_definitions;
pub mod symbolic;
pub mod value;

pub use parts::{Merge, Part, PartKind, PartState, Parts};
