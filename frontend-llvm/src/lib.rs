//! From an LLVM module to a control-flow automaton.

pub mod property;
