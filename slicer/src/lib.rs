//! Dependence analyses and static slicing of control-flow automata.
//!
//! Reading order:
//! 1. `automaton`: how specifications become a part of the raw program;
//! 2. `points_to`, `call_graph` and `prepare`: how the raw CFA of a front-end becomes one that can be verified;
//! 3. `dependence`: control and data dependence;
//! 4. `criteria`, `slice`, `backward`, `forward`, `incremental` (slices that grow) and `why` (reasons for what a slice
//!    keeps).
//!
//! `cfa_edit` and `scc` serve all of them. This crate knows neither LLVM nor solvers nor verdicts.
//!
//! ```
//! use cfa::Id;
//! use kerf_testing::language::program;
//! use slicer::{SliceStats, slice_for_targets};
//!
//! let cfa = program("int x = input(); int y = input(); while (y > 0) y = y - 1; if (x == 7) error();");
//! let slice = slice_for_targets(&cfa);
//! // What counts `y` down does not matter to the error: of the assignments and inputs, `x = input()` stays.
//! let writes = cfa.edges.ids().filter(|e| slice.kept.contains(e.index()) && !cfa.edges[*e].op.written().is_empty());
//! assert_eq!(writes.count(), 1);
//! assert!(SliceStats::of(&cfa, &slice).kept < cfa.edges.len());
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod automaton;
mod backward;
mod both;
pub mod call_graph;
mod cfa_edit;
pub mod criteria;
pub mod dependence;
mod forward;
mod handlers;
mod incremental;
pub mod points_to;
pub mod prepare;
mod scc;
mod slice;
mod why;

pub use forward::{TooLarge, forward_slice, to_run};
pub use incremental::GrowingSlice;
pub use prepare::{Claims, PrepareOptions, PrepareStats, prepare, prepare_with_claims};
pub use slice::{Criterion, SliceOptions, SliceStats, Sliced, slice, slice_for_targets};
pub use why::{Dependence, Reason, Reasons};
