//! Where LLVM's C interface differs between the versions that kerf can be linked with: one per cargo feature.
//!
//! `llvm22` is the default. `llvm14` and `llvm16` are for use beside programs that read no newer bitcode than theirs (Symbiotic, KLEE).
//! Everything else in this crate calls functions that all three have and that mean the same in each, and those of this module; it
//! names no version. What is here is what came to be, or changed, between 14 and 22:
//!
//! | | 14 | 16 | 22 |
//! |---|---|---|---|
//! | variables of the debug information | calls of `llvm.dbg.*` | the same | records in front of instructions |
//! | tag of a type's node; place of its parts | in its text; behind the name | the same | a function; behind size and offset |
//! | parsed text | buffer handed over | the same | buffer kept |
//! | length of arrays, data, text of assembly | in their text, or piece by piece | the same | functions |
//! | the library's own version | fixed when kerf is built | a function | a function |
//!
//! Pointers have element types in 14. Nothing in this crate asks for them: types come from the instructions that access,
//! call or compute, and casts of pointers are looked through.

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

use llvm_sys::prelude::*;

/// What the debug information says about a variable at an instruction.
pub(crate) struct VariableNote {
    /// Whether `value` is the address of the variable, not its value.
    pub declared: bool,
    /// A value of the function, or a constant; never null.
    pub value: LLVMValueRef,
    /// The variable's node; never null.
    pub variable: LLVMMetadataRef,
}
