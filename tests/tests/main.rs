//! The tests of the whole pipeline: one program, so that they are linked once and run in parallel.

mod assembly;
mod assumptions;
mod automata;
mod certificates;
mod dependence;
mod dependencies;
mod differential;
mod documents;
mod eca;
mod growth;
mod invariants;
mod layers;
mod libraries;
mod library;
mod memory;
mod open;
mod pointers;
mod programs;
mod references;
mod slice_runs;
mod slices;
mod witnesses;
