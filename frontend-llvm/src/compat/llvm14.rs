//! LLVM 14: the functions that differ even from LLVM 16.

use crate::llvm_sys::LLVMAtomicRMWBinOp;
use crate::llvm_sys::core::*;
use crate::llvm_sys::prelude::*;

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 14;

/// The version of the library that kerf was built with; the C interface does not tell which one is running.
pub(crate) fn version() -> String {
    env!("KERF_LLVM_VERSION").to_string()
}

/// Element `i` of a constant of plain data, or null.
///
/// # Safety
/// A live constant of an array or vector type with more than `i` elements.
pub(crate) unsafe fn element(constant: LLVMValueRef, i: u32) -> LLVMValueRef {
    use crate::llvm_sys::LLVMValueKind::*;
    unsafe {
        match LLVMGetValueKind(constant) {
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => LLVMGetElementAsConstant(constant, i),
            _ => std::ptr::null_mut(),
        }
    }
}

/// The operation of an atomic instruction; `None` if this version's C interface does not know it.
///
/// # Safety
/// A live `atomicrmw`.
pub(crate) unsafe fn atomic_operation(inst: LLVMValueRef) -> Option<LLVMAtomicRMWBinOp> {
    Some(unsafe { LLVMGetAtomicRMWBinOp(inst) })
}
