//! Finds a set of candidates that are inductive together, and so are invariants (Houdini: Flanagan, Leino, FME 2001).
//!
//! Reading order: `obligations` (what must hold for a candidate to be inductive), `prune` (drops the candidates that fail, and then asks
//! the two questions of k-induction: is a target reachable from the start, and is one reachable after a step?), `on_blocks` (the same
//! for transition systems of blocks).

pub mod obligations;
pub mod on_blocks;
pub mod prune;
