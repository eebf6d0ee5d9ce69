//! The text format of a CFA. `print` and `parse` are inverse to each other, and so are `print_raw` and `parse_raw`, which also write
//! and read the facts that only preparation needs ([`RawFacts`](crate::RawFacts)).
//!
//! There is one line for each item, in the order of ids, so that parsing restores the same ids:
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
//! Terms are written as in SMT-LIB, with constants as `value:width`; a name that is not a plain word is put between bars (`|a name|`).
//! Large terms name their shared parts: `(let $0 (bvmul x x) (bvadd $0 $0))`. If an edge does not belong to the function of
//! the edges before it, another `in` line precedes it. `#` begins a comment.
//!
//! After the operation, an edge may have notes, each after a `;`, for what the CFA records about it:
//!
//! | note | what it is about the edge |
//! |---|---|
//! | `allocates OBJECT VAR SIZE`, `frees ADDRESS` | what it allocates or frees |
//! | `external "f"` | it stands for a call of the function `f`, which has no body |
//! | `compares A B` (raw) | it compares two addresses |
//! | `orders T` (prepared) | its input stands for a comparison of addresses |
//! | `escapes (T ...)` (raw) | an undefined function may change memory and is given these values |
//! | `gives T`, `gives_at T` (raw) | the value, or the memory at this address, leaves the program and may come back |
//! | `asks QUESTION ADDRESS` (raw) | its input stands for the answer to a question about the block at this address: `size`, `left`, `left_to_write`, `extent`, `offset`, `begin` |
//! | `addresses_of OBJECT BEGIN END` (raw) | its input is an array that holds addresses within the object, from `BEGIN` up to `END` |
//! | `weak` | its input stands for a write that may not have happened |
//! | `assumes N` | the N-th assumption, from 0, matters where this edge does |
//!
//! An assumption may end with `proofs` if only proofs rest on it, and with `reached`, `executed` or `kept` if it matters only where
//! one of the edges that name it can be reached, executed before a violation, or is kept by the slice. A read or write of a pointer
//! has an operator that ends with `.pointer` (raw). What is marked `raw` is for preparation, and `parse` rejects it.
//!
//! What only the front-end can use is not part of the format: the constructs of the module from which edges come, and what C leaves
//! undefined although it has a meaning here: signed overflows, copies that overlap, accesses of slots after their end.
//!
//! ```
//! use cfa::text::{parse, print};
//!
//! let text = "cfa 1
//! pointer_bits 64
//! entry main
//! func main entry l0 exit l1
//! var x bv32 of main
//! in main
//!   l0 -> l2: x := ? program \"input\"
//!   l2 -> l1: [(bvslt x 10:32)]
//!   target l1
//! ";
//! let cfa = parse(text)?;
//! assert_eq!((cfa.edges.len(), cfa.targets.len()), (2, 1));
//! assert_eq!(print(&parse(&print(&cfa))?), print(&cfa));
//! # Ok::<(), cfa::text::ParseError>(())
//! ```

mod lex;
mod parse;
mod print;
mod terms;

pub use parse::{ParseError, parse, parse_raw, read};
pub use print::{print, print_raw};

use crate::term::Sort;

/// The sort of the operator with this name on arguments of these sorts; an error message if they do not fit.
pub(crate) fn operator_sort(name: &str, args: &[Sort]) -> Result<Sort, String> {
    terms::operator(name, args).map(|(_, sort)| sort)
}
