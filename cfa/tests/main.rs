//! The tests of the automaton, its text format and its evaluation: one program, so that they are linked once and run in parallel.

mod eval;
mod interpret;
mod known;
mod persistent_maps;
mod sums;
mod text;
