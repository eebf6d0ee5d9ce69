//! The abstract domains, and their composition at run time.

pub mod callstack;
pub mod location;
mod parts;
pub mod symbolic;
pub mod value;

pub use parts::{Part, PartState, Parts};
