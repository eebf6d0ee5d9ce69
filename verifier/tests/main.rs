//! The tests of the engine, its domains and its strategies: one program, so that they are linked once and run in parallel.

mod array_slots;
mod backward;
mod bdd;
mod blocks;
mod configurations;
mod contracts;
mod dependence;
mod domain_types;
mod examples;
mod explicit;
mod invariants;
mod k_induction;
mod lattice_laws;
mod liveness;
mod merging;
mod on_blocks;
mod orders;
mod parity;
mod predicate;
mod random;
mod refinement_selection;
mod relations;
mod relaxation;
mod signs;
mod support;
mod traces;
