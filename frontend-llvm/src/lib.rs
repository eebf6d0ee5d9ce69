//! Translates an LLVM module to a control-flow automaton (CFA).
//!
//! This is the only crate that names LLVM. Reading order:
//!
//! - `property` and `load`: the interface;
//! - `clang`, `session`, `ir`, `layout`, `debug_info` and `raw`: LLVM's side;
//! - `substitute`: functions that are not verified as they are;
//! - `heap_context`: call strings for heap objects;
//! - `symbols`, `resolve`, `builtin`, `structors` and `scan`: what calls mean and what is reachable;
//! - `lower`: from instructions to edges;
//! - `describe`: functions and their types in C, for those who write C;
//! - `provenance` and `emit`: from edges back to instructions.

#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod clang;
pub mod describe;
pub mod load;
pub mod property;

mod builtin;
mod debug_info;
mod dispatch;
mod emit;
mod heap_context;
mod ir;
mod layout;
mod libc_names;
mod lower;
mod provenance;
#[allow(unsafe_code, reason = "the only module that calls LLVM's C interface")]
mod raw;
mod resolve;
mod runtime_names;
mod scan;
mod session;
mod structors;
mod substitute;
mod symbols;
mod verifier_names;

pub use emit::{EmitOptions, SlicedModule};
pub use load::{Allocator, HEAP_CONTEXT, Keep, LoadOptions, LoadedProgram, Undefined, Watched, load};
pub use lower::{ASSERTION, ERRNO_IS_SET, Statistics, WEAK_SYMBOL};
pub use provenance::{ModuleSize, ProgramModule};
pub use session::{llvm_version, modelled};
pub use substitute::Substitutions;
pub use verifier_names::Claim;

/// The major version of the linked LLVM: 14, 16 or 22, depending on the cargo feature.
pub const LLVM_MAJOR: u32 = raw::compat::MAJOR;
