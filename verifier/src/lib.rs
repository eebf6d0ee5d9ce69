//! The CPA engine, its domains and the strategies.

pub mod activations;
pub mod candidates;
pub mod contracts;
pub mod dependence;
pub mod domains;
mod elements;
pub mod engine;
pub mod invariants;
mod kernels;
pub mod learn;
pub mod liveness;
pub mod program;
pub mod refine;
pub mod relaxation;
pub mod replay;
pub mod samples;
pub mod slicing;
pub mod strategies;
pub mod unwind;
pub mod verify;
pub mod wto;
