//! Which operations depend on which: by control, by data, and across calls.
//!
//! Reading order: `relevant` (what can be executed and lead to a criterion), `dominators`, `control_dep`, `data_dep`,
//! `mod_ref` (what calls read and write), `definitions` (where values are written and meet); then `sdg` (drawn by `dot`) and
//! `summary`, for questions about dependence whose answers are sets of edges, not programs. `dominator_trees` serves only to show
//! these trees to users.

pub mod control_dep;
pub mod data_dep;
pub mod definitions;
pub mod dominator_trees;
pub mod dominators;
pub mod dot;
pub mod mod_ref;
pub mod relevant;
pub mod sdg;
pub mod summary;
