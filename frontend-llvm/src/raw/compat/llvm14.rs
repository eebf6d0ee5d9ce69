//! LLVM 14: the functions that differ even from LLVM 16.

use super::super::{Value, ValueKind};
use inkwell::AtomicRMWBinOp;
use inkwell::llvm_sys::core::*;
use inkwell::values::InstructionValue;

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 14;

/// The version of the library that kerf was built with; the C interface does not tell which one is running.
pub(crate) fn version() -> String {
    env!("KERF_LLVM_VERSION").to_string()
}

/// Element `i` of a constant array or vector of plain data.
pub(crate) fn element(constant: Value, i: u32) -> Option<Value> {
    use ValueKind::{LLVMConstantDataArrayValueKind, LLVMConstantDataVectorValueKind};
    if !matches!(constant.kind(), LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind) {
        return None;
    }
    // SAFETY: plain data; the callers count its elements.
    unsafe { Value::new(LLVMGetElementAsConstant(constant.raw(), i)) }
}

/// The operation of an atomic instruction; `None` if inkwell does not know it.
pub(crate) fn atomic_operation(inst: InstructionValue) -> Option<AtomicRMWBinOp> {
    inst.get_atomic_rmw_bin_op()
}
