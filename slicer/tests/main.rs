//! The tests of the slicer: one program, so that they are linked once and run in parallel.

mod automaton;
mod common;
mod control_dep;
mod criteria;
mod definitions;
mod examples;
mod execution;
mod growing;
mod points_to;
mod prepare;
mod sdg;
