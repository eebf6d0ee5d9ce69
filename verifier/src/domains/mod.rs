//! The abstract domains, and their product, which is composed at run time.

pub mod bdd;
pub mod dataflow;
pub mod intervals;
pub mod predicate;
mod product;
pub mod signs;
pub mod symbolic;
pub mod value;

pub use product::{Analyses, Merge, Part, PartKind, Parts, Precisions, Settings, States, WithPart};
