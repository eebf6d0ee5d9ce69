//! Finds a set of candidates that are inductive together, and so are invariants (Houdini: Flanagan, Leino, FME 2001).

pub mod obligations;
pub mod prune;
