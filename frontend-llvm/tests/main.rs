//! The tests of the front-end: one program, so that they are linked once and run in parallel.

mod emit;
mod execute;
mod load;
mod odd;
mod old_bitcode;
