//! The certificate format and its check, independent of the search.
//!
//! Reading order: `certificate` (what a proof is), `check` (what is to be shown), `abstraction`, `stale`, `structure`, `state`, `universals`, `loops`,
//! `windows`, `contracts`, `symbolic`, `discharge` (its parts), `text` (certificates as files); `pointers` (that memory is split rightly). This crate knows neither the searches nor the slicer.

mod abstraction;
pub mod certificate;
pub mod check;
mod contracts;
pub mod discharge;
mod loops;
pub mod pointers;
mod stale;
mod state;
mod structure;
mod symbolic;
pub mod text;
mod universals;
mod windows;

pub use certificate::{
    Certificate, Contract, ForAll, Frame, FrameId, Label, LoopLabel, Node, NodeId, Step, Successor, Window,
};
pub use check::{CheckError, Checked, Statistics, check, check_observed};
pub use discharge::{Observer, Refuted};
pub use pointers::{NotClosed, check_pointers, check_split};
pub use state::{Witness, name_symbols};
pub use universals::Universals;
