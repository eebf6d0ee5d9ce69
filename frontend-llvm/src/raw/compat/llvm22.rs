//! LLVM 22: its C interface, or inkwell, has a function for everything in this module.

use super::super::debug::{self, Variable, VariableNote};
use super::super::{Value, ValueKind, text};
use inkwell::AtomicRMWBinOp;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMGetDINodeTag;
use inkwell::types::{ArrayType, AsTypeRef};
use inkwell::values::{AsValueRef, CallSiteValue, InstructionOpcode, InstructionValue};

/// The linked LLVM's major version.
pub(crate) const MAJOR: u32 = 22;

/// The operand of a type's node that is its base type: after file, scope, name, size and offset.
pub(crate) const BASE_TYPE: usize = 5;
/// The operand of a composite type's node that lists its members: after the base type.
pub(crate) const ELEMENTS: usize = 6;

/// The version of the library that is running.
pub(crate) fn version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}

/// Number of elements of an array type.
pub(crate) fn array_length(array: ArrayType) -> u64 {
    // SAFETY: an array type.
    unsafe { LLVMGetArrayLength2(array.as_type_ref()) }
}

/// The bytes of a constant array of plain data.
pub(crate) fn raw_data(array: Value) -> Vec<u8> {
    assert_eq!(array.kind(), ValueKind::LLVMConstantDataArrayValueKind);
    let mut n = 0usize;
    // SAFETY: an array of plain data, which owns the bytes. The binding declares the out-parameter as a plain integer.
    unsafe {
        let data = LLVMGetRawDataValues(array.raw(), &raw mut n as usize);
        std::slice::from_raw_parts(data.cast::<u8>(), n).to_vec()
    }
}

/// Element `i` of a constant array or vector of plain data.
pub(crate) fn element(constant: Value, i: u32) -> Option<Value> {
    // SAFETY: a live constant; LLVM returns null if it has no such element.
    unsafe { Value::new(LLVMGetAggregateElement(constant.raw(), i)) }
}

/// The block whose address a constant represents.
pub(crate) fn block_of_address(constant: Value) -> BasicBlock {
    assert_eq!(constant.kind(), ValueKind::LLVMBlockAddressValueKind);
    // SAFETY: the address of a block.
    unsafe { BasicBlock::new(LLVMGetBlockAddressBasicBlock(constant.raw())) }.expect("it is the address of a block")
}

/// The value of case `i` (from 1) of a switch.
pub(crate) fn case_value(switch: InstructionValue, i: u32) -> Value {
    assert!(
        switch.get_opcode() == InstructionOpcode::Switch
            && i > 0
            && (i as usize) < super::super::successors(switch).len()
    );
    // SAFETY: a switch with a case `i`.
    unsafe { Value::new(LLVMGetSwitchCaseValue(switch.as_value_ref(), i)) }.expect("a case has a value")
}

/// The text of inline assembly, and the constraints on its operands.
pub(crate) fn assembly(value: Value) -> [String; 2] {
    assert_eq!(value.kind(), ValueKind::LLVMInlineAsmValueKind);
    [LLVMGetInlineAsmAsmString, LLVMGetInlineAsmConstraintString].map(|get| {
        let mut n = 0;
        // SAFETY: inline assembly, which owns the text.
        unsafe {
            let data = get(value.raw(), &raw mut n);
            text(data, n)
        }
    })
}

/// Whether an instruction on floating-point numbers may be replaced by one that yields other numbers.
pub(crate) fn has_loose_floats(inst: InstructionValue) -> bool {
    inst.get_fast_math_flags().is_ok_and(|flags| !flags.is_empty())
}

/// The operation of an atomic instruction; `None` if inkwell does not know it.
pub(crate) fn atomic_operation(inst: InstructionValue) -> Option<AtomicRMWBinOp> {
    inst.get_atomic_rmw_bin_op()
}

/// The operands of the bundles of `call` with this tag.
pub(crate) fn bundles<'m>(call: CallSiteValue<'m>, tag: &str) -> Vec<Vec<Value<'m>>> {
    let with_tag = call.get_operand_bundles().filter(|bundle| bundle.get_tag() == Ok(tag));
    with_tag.map(|bundle| bundle.get_args().map(Value::of).collect()).collect()
}

/// Whether an atomic operation adds one and wraps around to zero at a limit.
pub(crate) fn wraps_at_limit(op: AtomicRMWBinOp) -> bool {
    op == AtomicRMWBinOp::UIncWrap
}

/// Whether an addition, subtraction or multiplication has undefined behaviour in C on signed overflow (`nsw`).
pub(crate) fn is_signed_only(inst: InstructionValue) -> bool {
    use InstructionOpcode::{Add, Mul, Sub};
    matches!(inst.get_opcode(), Add | Sub | Mul) && inst.get_no_signed_wrap_flag() == Ok(true)
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: InstructionOpcode) -> bool {
    matches!(opcode, InstructionOpcode::PtrToInt | InstructionOpcode::PtrToAddr)
}

/// The notes about variables at (that is, before) an instruction.
pub(crate) fn variable_notes(inst: InstructionValue) -> Vec<VariableNote> {
    use inkwell::llvm_sys::LLVMDbgRecordKind::{LLVMDbgRecordDeclare, LLVMDbgRecordValue};
    let mut notes = Vec::new();
    // SAFETY: a live instruction and the list of its records. Those of these two kinds have a variable; the value may be null, and
    // belongs to the same function.
    unsafe {
        let mut record = LLVMGetFirstDbgRecord(inst.as_value_ref());
        while !record.is_null() {
            let kind = LLVMDbgRecordGetKind(record);
            if matches!(kind, LLVMDbgRecordDeclare | LLVMDbgRecordValue)
                && let Some(value) = Value::new(LLVMDbgVariableRecordGetValue(record, 0))
                && let Some(block) = inst.get_parent()
                && let Some(variable) = Variable::new(LLVMDbgVariableRecordGetVariable(record), block.get_context())
            {
                notes.push(VariableNote { declared: matches!(kind, LLVMDbgRecordDeclare), value, variable });
            }
            record = LLVMGetNextDbgRecord(record);
        }
    }
    notes
}

/// Whether an instruction is only a debug intrinsic: there are none, because calls of `llvm.dbg.*` become records when they are
/// read.
pub(crate) fn is_debug_instruction(_inst: InstructionValue) -> bool {
    false
}

/// The DWARF tag of a type.
pub(crate) fn type_tag(ty: debug::Type) -> u16 {
    // SAFETY: a node of the debug information.
    unsafe { LLVMGetDINodeTag(ty.node()) }
}
