//! LLVM 16: the functions that differ from LLVM 14.

use super::super::Value;
use inkwell::AtomicRMWBinOp;
use inkwell::llvm_sys::core::*;
use inkwell::values::{AnyValue, InstructionValue};

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 16;

/// The version of the library that is running.
pub(crate) fn version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// Element `i` of a constant array or vector of plain data.
pub(crate) fn element(constant: Value, i: u32) -> Option<Value> {
    // SAFETY: a live constant; LLVM returns null if it has no such element.
    unsafe { Value::new(LLVMGetAggregateElement(constant.raw(), i)) }
}

/// The operation of an atomic instruction; `None` if the C interface does not know it.
pub(crate) fn atomic_operation(inst: InstructionValue) -> Option<AtomicRMWBinOp> {
    // LLVM 16 has these two instructions, but its C interface has no number for them.
    let text = inst.print_to_string().to_string();
    let unknown = [" uinc_wrap ", " udec_wrap "].iter().any(|op| text.contains(op));
    if unknown { None } else { inst.get_atomic_rmw_bin_op() }
}
