//! What every analysis runs on: the location, the call stack and the states of the specification automata.

pub mod automaton;
pub mod callstack;
pub mod composite;
pub mod location;
