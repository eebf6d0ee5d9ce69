//! The tests of the front-end: one program, so that they are linked once and run beside each other.

mod emit;
mod execute;
mod load;
mod odd;
mod old_bitcode;
