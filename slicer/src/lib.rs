//! Dependence analyses and static slicing of control-flow automata.
