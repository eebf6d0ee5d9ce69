//! LLVM 16: the functions that differ from LLVM 14.

use crate::ir::message;
use crate::llvm_sys::LLVMAtomicRMWBinOp;
use crate::llvm_sys::core::*;
use crate::llvm_sys::prelude::*;

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 16;

/// The version of the library that is running.
pub(crate) fn version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three valid places to write to.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Element `i` of a constant of plain data, or null.
///
/// # Safety
/// A live constant of an array or vector type.
pub(crate) unsafe fn element(constant: LLVMValueRef, i: u32) -> LLVMValueRef {
    unsafe { LLVMGetAggregateElement(constant, i) }
}

/// The operation of an atomic instruction; `None` if this version's C interface does not know it.
///
/// # Safety
/// A live `atomicrmw`.
pub(crate) unsafe fn atomic_operation(inst: LLVMValueRef) -> Option<LLVMAtomicRMWBinOp> {
    unsafe {
        // LLVM 16 has these two instructions, but its C interface has no number for them.
        let text = message(LLVMPrintValueToString(inst));
        let unknown = [" uinc_wrap ", " udec_wrap "].iter().any(|op| text.contains(op));
        (!unknown).then(|| LLVMGetAtomicRMWBinOp(inst))
    }
}
