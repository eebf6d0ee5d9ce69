//! dg's `llvm-slicer` and Symbiotic's `sbt-slicer`: their command line (`options`), and slicing as they do it (`slice`).

pub mod options;
pub mod slice;
