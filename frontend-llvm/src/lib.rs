//! From an LLVM module to a control-flow automaton.
