//! The tests of the certificate checker: one program, so that they are linked once and run in parallel.

mod check;
mod contracts;
mod quantifiers;
mod random;
mod stale;
mod support;
mod text;
