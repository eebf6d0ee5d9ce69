//! From an LLVM module to a control-flow automaton.
//!
//! The only crate that names LLVM. Reading order: `property` and `load` (the interface), `clang`, `ir`, `session` and `layout`
//! (LLVM's side), `resolve`, `builtin` and `scan` (what calls mean and what is reachable), `lower` (instructions to edges).

pub mod clang;
pub mod load;
pub mod property;

mod builtin;
mod debug_info;
mod ir;
mod layout;
mod libc_names;
mod lower;
mod provenance;
mod resolve;
mod scan;
mod session;

pub use load::{LoadOptions, LoadedProgram, load};
pub use lower::Statistics;
pub use provenance::ProgramModule;
pub use session::llvm_version;
