//! Whole-pipeline tests, differential tests and fuzz targets.
//!
//! Reading order:
//! 1. `kerf` (the binary under test), `tasks` (programs with their verdicts), `listed` (programs of a list);
//! 2. `random_c` (random programs), `native` (what they do according to the compiler), `differential` (the comparison with kerf);
//! 3. `open` (programs that depend on undefined functions and variables), `library` (models of the C library), `slices` (slices by
//!    execution), `certificates` (mutants, and executions that contradict them), `growth` and `eca` (programs of any size);
//! 4. `long_run` (options and reports of long runs), `sources` (files of the source tree).
//!
//! The tests themselves are in `tests/tests`, task programs in `tests/programs`, C libraries with proofs and seeded bugs in
//! `tests/libraries`, programs that hold by an assumption in `tests/assumptions`.

pub mod certificates;
pub mod differential;
pub mod eca;
pub mod growth;
pub mod kerf;
pub mod library;
pub mod listed;
pub mod long_run;
pub mod native;
pub mod open;
pub mod random_c;
pub mod slices;
pub mod sources;
pub mod tasks;
