//! What every analysis runs on: where control is, which calls are open, and in which states specification automata are.

pub mod automaton;
pub mod callstack;
pub mod composite;
pub mod location;
