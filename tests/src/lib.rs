//! Whole-pipeline tests, differential tests and fuzz targets.
//!
//! Reading order: `kerf` (the binary under test), `random_c` (programs), `native` (what they do according to the
//! compiler), `differential` (the comparison), `open` (programs that talk to an outside), `library` (models of the C library), `slices`
//! (slices by execution), `tasks` (programs with their verdicts), `growth` (programs of any size), `certificates` (mutants, and
//! executions that contradict them), `listed` (programs of a list), `long_run` (options and reports of long runs). The tests themselves are in `tests/tests`, task programs in
//! `tests/programs`, those that hold by an assumption in `tests/assumptions`.

pub mod certificates;
pub mod differential;
pub mod growth;
pub mod kerf;
pub mod library;
pub mod listed;
pub mod long_run;
pub mod native;
pub mod open;
pub mod random_c;
pub mod slices;
pub mod tasks;
