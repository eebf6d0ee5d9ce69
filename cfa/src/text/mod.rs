//! The text format of a CFA: `print` and `parse` are inverse to each other.
//!
//! One line for each thing, in the order of ids, so that parsing gives the same ids back:
//!
//! ```text
//! cfa 1
//! pointer_bits 64
//! entry main
//! file 1 "loop.c"
//! func main entry l0 exit l1 @1:3:0
//! object buffer stack main size 16 align 8
//! var x bv32 of main as "x" signed
//! var mem mem64x8
//! assumption "allocation never fails"
//! in main
//!   l0 -> l2: x := ? program "__VERIFIER_nondet_int" @1:4:11
//!   l2 -> l3: [(bvslt 0:32 x)] @1:5:3
//!   l2 -> l1: [(not (bvslt 0:32 x))] @1:5:3
//!   l3 -> l4: mem := (write mem &buffer x) @1:6:3
//!   target l4
//! ```
//!
//! Terms are written as in SMT-LIB with constants as `value:width`; a name that is no plain word stands between bars. Large
//! terms name their shared parts: `(let $0 (bvmul x x) (bvadd $0 $0))`. Of a function that does not follow the one before,
//! the edges stand behind another `in` line. `#` begins a comment.

mod lex;
mod parse;
mod print;
mod terms;

pub use parse::{ParseError, parse};
pub use print::print;

use crate::term::Sort;

/// The sort of the operator with this written name on arguments of these sorts; a message where they do not go together.
pub(crate) fn operator_sort(name: &str, args: &[Sort]) -> Result<Sort, String> {
    terms::operator(name, args).map(|(_, sort)| sort)
}
