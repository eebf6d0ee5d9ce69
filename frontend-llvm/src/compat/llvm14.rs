//! LLVM 14: what even LLVM 16 has otherwise.

use llvm_sys::LLVMAtomicRMWBinOp;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 14;

/// The version of the library that kerf was built with; its interface does not tell which one runs.
pub(crate) fn version() -> String {
    env!("KERF_LLVM_VERSION").to_string()
}

/// Element `i` of a constant of plain data, or null.
///
/// # Safety
/// A live constant of an array or vector type with more than `i` elements.
pub(crate) unsafe fn element(constant: LLVMValueRef, i: u32) -> LLVMValueRef {
    use llvm_sys::LLVMValueKind::*;
    unsafe {
        match LLVMGetValueKind(constant) {
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => LLVMGetElementAsConstant(constant, i),
            _ => std::ptr::null_mut(),
        }
    }
}

/// What an atomic instruction does; `None` for an operation that this version's interface does not know.
///
/// # Safety
/// A live `atomicrmw`.
pub(crate) unsafe fn atomic_operation(inst: LLVMValueRef) -> Option<LLVMAtomicRMWBinOp> {
    Some(unsafe { LLVMGetAtomicRMWBinOp(inst) })
}
