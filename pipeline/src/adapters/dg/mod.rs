//! Stands in for dg's `llvm-slicer` and Symbiotic's `sbt-slicer`: their command line (`table`, `criteria`, `options`), and
//! slicing as they do it (`slice`).

mod criteria;
pub mod options;
pub mod slice;
pub mod table;
