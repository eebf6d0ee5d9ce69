//! Which candidates are invariants: a set of candidates that are inductive together (Houdini: Flanagan, Leino, FME 2001).

pub mod obligations;
pub mod prune;
