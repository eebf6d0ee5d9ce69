//! The certificate format and the certificate checker, which is independent of the search.
//!
//! Reading order:
//!
//! 1. `certificate`: what a proof is;
//! 2. `check`: what has to be shown;
//! 3. `abstraction`, `stale`, `structure`, `state`, `quantifiers`, `loops`, `k_induction`, `contracts`, `symbolic`, `discharge`, `explored`: the
//!    parts of the check;
//! 4. `text`: certificates as files;
//! 5. `pointers`: the check that memory was split correctly.
//!
//! This crate depends neither on the searches nor on the slicer.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod abstraction;
pub mod certificate;
pub mod check;
mod contracts;
pub mod discharge;
mod explored;
mod k_induction;
mod loops;
pub mod pointers;
mod quantifiers;
mod stale;
mod state;
mod structure;
mod symbolic;
pub mod text;

pub use certificate::{
    Certificate, Contract, Explored, ForAll, Frame, FrameId, Label, LoopLabel, Node, NodeId, StateSet, Step, Successor,
    Window,
};
pub use check::{CheckError, Checked, Statistics, check, check_in_parallel, check_observed};
pub use discharge::{Observer, Refuted};
pub use explored::Remainders;
pub use pointers::{NotClosed, check_open_calls, check_pointers, check_split};
pub use quantifiers::Universals;
pub use state::{Witness, decided, name_symbols};
