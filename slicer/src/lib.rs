//! Dependence analyses and static slicing of control-flow automata.
//!
//! Reading order: `automaton` (specifications become a part of the raw program); `points_to`, `call_graph`, `opaque`, `regions`,
//! `promote`, `pointer_order`, `layout`, `nan_bits` and `prepare`, which make a CFA that can be verified out of the raw one of a front-end; then
//! `liveness`, `post_dominators`, `control_dep`, `data_dep`, `mod_ref`, `slice`, `backward`, `growing` and `criteria`; `sdg` (`dot`
//! draws it), `summary` and `forward` for questions about dependence whose answers are no programs.
//! This crate knows neither LLVM nor solvers nor verdicts.

mod address_equality;
pub mod automaton;
mod backward;
pub mod call_graph;
pub mod control_dep;
pub mod criteria;
pub mod data_dep;
pub mod dot;
mod edit;
mod forward;
mod growing;
pub mod layout;
pub mod liveness;
pub mod mod_ref;
mod nan_bits;
mod opaque;
mod outside;
pub mod pointer_order;
pub mod points_to;
pub mod post_dominators;
mod prepare;
pub mod promote;
mod reasons;
pub mod regions;
mod scc;
pub mod sdg;
mod slice;
pub mod summary;

pub use forward::{TooLarge, forward_slice, to_run};
pub use growing::GrowingSlice;
pub use prepare::{Claims, PrepareOptions, PrepareStats, prepare, prepare_with_claims};
pub use reasons::{Dependence, Reason, Reasons};
pub use slice::{Criterion, SliceOptions, SliceStats, Sliced, slice, slice_for_targets};
