//! LLVM 22.

use super::VariableNote;
use crate::ir::text;
use crate::llvm_sys::core::*;
use crate::llvm_sys::debuginfo::LLVMGetDINodeTag;
use crate::llvm_sys::ir_reader::LLVMParseIRInContext2;
use crate::llvm_sys::prelude::*;
use crate::llvm_sys::{LLVMAtomicRMWBinOp, LLVMOpcode};
use std::ffi::c_char;

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 22;

/// The operand of a type's node that is its base type: after file, scope, name, size and offset.
pub(crate) const BASE_TYPE: usize = 5;
/// The operand of a composite type's node that lists its members: after the base type.
pub(crate) const ELEMENTS: usize = 6;

/// The version of the library that is running.
pub(crate) fn version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three valid places to write to.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Parses bitcode or text into `module` and consumes the buffer. Returns whether this failed; the reason is then in `why`.
///
/// # Safety
/// A live context, a buffer that nothing else disposes of, and two places to write to.
pub(crate) unsafe fn parse(
    context: LLVMContextRef,
    buffer: LLVMMemoryBufferRef,
    module: *mut LLVMModuleRef,
    why: *mut *mut c_char,
) -> bool {
    unsafe {
        let failed = LLVMParseIRInContext2(context, buffer, module, why) != 0;
        LLVMDisposeMemoryBuffer(buffer);
        failed
    }
}

/// The function `name`, or null.
///
/// # Safety
/// A live module.
pub(crate) unsafe fn named_function(module: LLVMModuleRef, name: &str) -> LLVMValueRef {
    unsafe { LLVMGetNamedFunctionWithLength(module, name.as_ptr().cast(), name.len()) }
}

/// The global variable `name`, or null.
///
/// # Safety
/// A live module.
pub(crate) unsafe fn named_global(module: LLVMModuleRef, name: &str) -> LLVMValueRef {
    unsafe { LLVMGetNamedGlobalWithLength(module, name.as_ptr().cast(), name.len()) }
}

/// Number of elements of an array type.
///
/// # Safety
/// A live array type.
pub(crate) unsafe fn array_length(array: LLVMTypeRef) -> u64 {
    unsafe { LLVMGetArrayLength2(array) }
}

/// A constant array.
///
/// # Safety
/// Live constants of type `element`.
pub(crate) unsafe fn const_array(element: LLVMTypeRef, elements: &mut [LLVMValueRef]) -> LLVMValueRef {
    unsafe { LLVMConstArray2(element, elements.as_mut_ptr(), elements.len() as u64) }
}

/// The bytes of a constant array of plain data.
///
/// # Safety
/// A live constant of kind `ConstantDataArray`.
pub(crate) unsafe fn raw_data(array: LLVMValueRef) -> Vec<u8> {
    let mut n = 0usize;
    unsafe {
        // The binding declares the out-parameter as a plain integer.
        let data = LLVMGetRawDataValues(array, &mut n as *mut usize as usize);
        std::slice::from_raw_parts(data.cast::<u8>(), n).to_vec()
    }
}

/// Element `i` of a constant of plain data, or null.
///
/// # Safety
/// A live constant of an array or vector type.
pub(crate) unsafe fn element(constant: LLVMValueRef, i: u32) -> LLVMValueRef {
    unsafe { LLVMGetAggregateElement(constant, i) }
}

/// The block whose address a constant represents.
///
/// # Safety
/// A live constant of kind `BlockAddress`.
pub(crate) unsafe fn block_of_address(constant: LLVMValueRef) -> LLVMBasicBlockRef {
    unsafe { LLVMGetBlockAddressBasicBlock(constant) }
}

/// The value of case `i` (from 1) of a switch.
///
/// # Safety
/// A live switch with more than `i` successors.
pub(crate) unsafe fn case_value(switch: LLVMValueRef, i: u32) -> LLVMValueRef {
    unsafe { LLVMGetSwitchCaseValue(switch, i) }
}

/// The text of inline assembly.
///
/// # Safety
/// A live value of kind `InlineAsm`.
pub(crate) unsafe fn assembly_text(assembly: LLVMValueRef) -> String {
    let mut n = 0;
    unsafe {
        let s = LLVMGetInlineAsmAsmString(assembly, &mut n);
        text(s, n)
    }
}

/// The operation of an atomic instruction; `None` if this version's C interface does not know it.
///
/// # Safety
/// A live `atomicrmw`.
pub(crate) unsafe fn atomic_operation(inst: LLVMValueRef) -> Option<LLVMAtomicRMWBinOp> {
    Some(unsafe { LLVMGetAtomicRMWBinOp(inst) })
}

/// Whether an atomic operation adds one and wraps around to zero at a limit.
pub(crate) fn wraps_at_limit(op: LLVMAtomicRMWBinOp) -> bool {
    op == LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUIncWrap
}

/// Whether an addition, subtraction or multiplication has undefined behaviour in C on signed overflow.
///
/// # Safety
/// A live instruction with one of these opcodes.
pub(crate) unsafe fn is_signed_only(inst: LLVMValueRef) -> bool {
    unsafe { LLVMGetNSW(inst) != 0 }
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: LLVMOpcode) -> bool {
    matches!(opcode, LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMPtrToAddr)
}

/// The notes about variables at (that is, before) an instruction.
///
/// # Safety
/// A live instruction.
pub(crate) unsafe fn variable_notes(inst: LLVMValueRef) -> Vec<VariableNote> {
    use crate::llvm_sys::LLVMDbgRecordKind::*;
    let mut notes = Vec::new();
    unsafe {
        let mut record = LLVMGetFirstDbgRecord(inst);
        while !record.is_null() {
            let kind = LLVMDbgRecordGetKind(record);
            if matches!(kind, LLVMDbgRecordDeclare | LLVMDbgRecordValue) {
                let value = LLVMDbgVariableRecordGetValue(record, 0);
                let variable = LLVMDbgVariableRecordGetVariable(record);
                if !value.is_null() && !variable.is_null() {
                    let declared = matches!(kind, LLVMDbgRecordDeclare);
                    notes.push(VariableNote { declared, value, variable });
                }
            }
            record = LLVMGetNextDbgRecord(record);
        }
    }
    notes
}

/// Whether an instruction is only a debug intrinsic: there are none, because calls of `llvm.dbg.*` become records when they are
/// read.
///
/// # Safety
/// No requirements; other versions look at the instruction.
pub(crate) unsafe fn is_debug_instruction(_inst: LLVMValueRef) -> bool {
    false
}

/// The DWARF tag of a node.
///
/// # Safety
/// A live node of the debug information.
pub(crate) unsafe fn node_tag(_context: LLVMContextRef, node: LLVMMetadataRef) -> u16 {
    unsafe { LLVMGetDINodeTag(node) }
}
