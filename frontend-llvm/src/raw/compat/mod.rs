//! The differences between the C interfaces of the LLVM versions that kerf can be linked with, one per cargo feature.
//!
//! `llvm22` is the default. `llvm14` and `llvm16` are for use together with programs that read no newer bitcode (Symbiotic,
//! KLEE). The rest of this crate names no version: it calls only functions that exist with the same meaning in all three, and the
//! functions of this module. These cover what was added or changed between 14 and 22, as far as inkwell does not:
//!
//! | | 14 | 16 | 22 |
//! |---|---|---|---|
//! | variables of the debug information | calls of `llvm.dbg.*` | the same | records before instructions |
//! | tag of a type's node; position of its parts | in its text; after the name | the same | a function; after size and offset |
//! | length of arrays, data, text of assembly | in their text, or piece by piece | the same | functions |
//! | the library's own version | fixed when kerf is built | a function | a function |
//!
//! inkwell has none of these, except the version, and truncates the length of arrays to 32 bits.
//!
//! Pointers have element types in LLVM 14. Nothing in this crate asks for them: types come from the instructions that access,
//! call or compute, and pointer casts are ignored.

#[cfg(not(any(feature = "llvm14", feature = "llvm16", feature = "llvm22")))]
compile_error!("no LLVM to link: choose one of the features llvm14, llvm16 and llvm22");

#[cfg(any(
    all(feature = "llvm14", feature = "llvm16"),
    all(feature = "llvm14", feature = "llvm22"),
    all(feature = "llvm16", feature = "llvm22")
))]
compile_error!("one LLVM can be linked: choose one of llvm14, llvm16 and llvm22, with --no-default-features");

#[cfg(feature = "llvm14")]
mod llvm14;
#[cfg(any(feature = "llvm14", feature = "llvm16"))]
mod llvm14_to_16;
#[cfg(feature = "llvm16")]
mod llvm16;
#[cfg(feature = "llvm22")]
mod llvm22;

#[cfg(feature = "llvm14")]
pub(crate) use llvm14::*;
#[cfg(any(feature = "llvm14", feature = "llvm16"))]
pub(crate) use llvm14_to_16::*;
#[cfg(feature = "llvm16")]
pub(crate) use llvm16::*;
#[cfg(feature = "llvm22")]
pub(crate) use llvm22::*;
