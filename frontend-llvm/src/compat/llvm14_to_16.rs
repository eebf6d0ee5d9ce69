//! LLVM 14 to 16: debug information in calls of intrinsics, and information that the C interface lacks and that is read from the
//! text.

use super::VariableNote;
use crate::ir::{message, text};
use crate::llvm_sys::core::*;
use crate::llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
use crate::llvm_sys::ir_reader::LLVMParseIRInContext;
use crate::llvm_sys::prelude::*;
use crate::llvm_sys::{LLVMAtomicRMWBinOp, LLVMOpcode, LLVMTypeKind};
use std::ffi::{CString, c_char};

/// The operand of a type's node that is its base type: after file, scope and name.
pub(crate) const BASE_TYPE: usize = 3;
/// The operand of a composite type's node that lists its members: after the base type.
pub(crate) const ELEMENTS: usize = 4;

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
    unsafe { LLVMParseIRInContext(context, buffer, module, why) != 0 }
}

/// The function `name`, or null.
///
/// # Safety
/// A live module.
pub(crate) unsafe fn named_function(module: LLVMModuleRef, name: &str) -> LLVMValueRef {
    let Ok(name) = CString::new(name) else { return std::ptr::null_mut() };
    unsafe { LLVMGetNamedFunction(module, name.as_ptr()) }
}

/// The global variable `name`, or null.
///
/// # Safety
/// A live module.
pub(crate) unsafe fn named_global(module: LLVMModuleRef, name: &str) -> LLVMValueRef {
    let Ok(name) = CString::new(name) else { return std::ptr::null_mut() };
    unsafe { LLVMGetNamedGlobal(module, name.as_ptr()) }
}

/// Number of elements of an array type.
///
/// # Safety
/// A live array type.
pub(crate) unsafe fn array_length(array: LLVMTypeRef) -> u64 {
    // LLVMGetArrayLength truncates the number to 32 bits. The text is `[4 x i8]`.
    let text = unsafe { message(LLVMPrintTypeToString(array)) };
    let digits: String = text.chars().skip(1).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("an array type without a length: {text}"))
}

/// A constant array.
///
/// # Safety
/// Live constants of type `element`.
pub(crate) unsafe fn const_array(element: LLVMTypeRef, elements: &mut [LLVMValueRef]) -> LLVMValueRef {
    unsafe { LLVMConstArray(element, elements.as_mut_ptr(), elements.len() as u32) }
}

/// The bytes of a constant array of plain data.
///
/// # Safety
/// A live constant of kind `ConstantDataArray`.
pub(crate) unsafe fn raw_data(array: LLVMValueRef) -> Vec<u8> {
    use LLVMTypeKind::*;
    unsafe {
        let ty = LLVMTypeOf(array);
        let element = LLVMGetElementType(ty);
        let kind = LLVMGetTypeKind(element);
        let bits = match kind {
            LLVMIntegerTypeKind => LLVMGetIntTypeWidth(element),
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            _ => 64,
        };
        if bits == 8 {
            let mut n = 0;
            let data = LLVMGetAsString(array, &mut n);
            return std::slice::from_raw_parts(data.cast::<u8>(), n).to_vec();
        }
        let integer = LLVMIntTypeInContext(LLVMGetTypeContext(element), bits);
        let mut bytes = Vec::new();
        for i in 0..array_length(ty) {
            let mut value = super::element(array, i as u32);
            if kind != LLVMIntegerTypeKind {
                // The bitcast folds to an integer at once.
                value = LLVMConstBitCast(value, integer);
            }
            let value = LLVMConstIntGetZExtValue(value);
            bytes.extend(&value.to_le_bytes()[..bits as usize / 8]);
        }
        bytes
    }
}

/// The block whose address a constant represents.
///
/// # Safety
/// A live constant of kind `BlockAddress`.
pub(crate) unsafe fn block_of_address(constant: LLVMValueRef) -> LLVMBasicBlockRef {
    // A block address has the function and the block as operands.
    unsafe { LLVMValueAsBasicBlock(LLVMGetOperand(constant, 1)) }
}

/// The value of case `i` (from 1) of a switch.
///
/// # Safety
/// A live switch with more than `i` successors.
pub(crate) unsafe fn case_value(switch: LLVMValueRef, i: u32) -> LLVMValueRef {
    // A switch has as operands the condition and the default block, then a value and a block for each case.
    unsafe { LLVMGetOperand(switch, 2 * i) }
}

/// The text of inline assembly.
///
/// # Safety
/// A live value of kind `InlineAsm`.
pub(crate) unsafe fn assembly_text(assembly: LLVMValueRef) -> String {
    quoted_behind_asm(&unsafe { message(LLVMPrintValueToString(assembly)) })
}

/// The first quoted string after the word `asm`, as in `i32 (i32)* asm sideeffect "nop\0A", "=r,r"`.
fn quoted_behind_asm(printed: &str) -> String {
    // The pieces alternate between outside and inside of quotes, because a quote within a string is written as \22.
    let mut pieces = printed.split('"');
    while let Some(outside) = pieces.next() {
        let Some(inside) = pieces.next() else { break };
        if outside.split_whitespace().any(|word| word == "asm") {
            return unescaped(inside);
        }
    }
    String::new()
}

/// Undoes LLVM's escaping of a string: `\\` is a backslash, and `\` with two hexadecimal digits is any byte.
fn unescaped(printed: &str) -> String {
    let bytes = printed.as_bytes();
    let mut plain = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let hex = printed.get(i + 1..i + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[i], hex) {
            (b'\\', Some(byte)) => {
                plain.push(byte);
                i += 3;
            }
            (b'\\', None) => {
                plain.push(b'\\');
                i += 2;
            }
            (byte, _) => {
                plain.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Whether an atomic operation adds one and wraps around to zero at a limit: this version's C interface knows no such operation.
pub(crate) fn wraps_at_limit(_op: LLVMAtomicRMWBinOp) -> bool {
    false
}

/// Whether an addition, subtraction or multiplication has undefined behaviour in C on signed overflow. These versions have no
/// function to ask, so alarms do not mention it.
///
/// # Safety
/// No requirements; other versions look at the instruction.
pub(crate) unsafe fn is_signed_only(_inst: LLVMValueRef) -> bool {
    false
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: LLVMOpcode) -> bool {
    opcode == LLVMOpcode::LLVMPtrToInt
}

/// The notes about variables at an instruction: at most one, from the intrinsic that it calls.
///
/// # Safety
/// A live instruction.
pub(crate) unsafe fn variable_notes(inst: LLVMValueRef) -> Vec<VariableNote> {
    unsafe { variable_note(inst).into_iter().collect() }
}

/// Whether an instruction is only a debug intrinsic: a call of `llvm.dbg.*`.
///
/// # Safety
/// A live instruction.
pub(crate) unsafe fn is_debug_instruction(inst: LLVMValueRef) -> bool {
    unsafe { intrinsic_name(inst).is_some_and(|name| name.starts_with("llvm.dbg.")) }
}

/// The name, without overloaded types, of the intrinsic that an instruction calls.
unsafe fn intrinsic_name(inst: LLVMValueRef) -> Option<String> {
    unsafe {
        if LLVMGetInstructionOpcode(inst) != LLVMOpcode::LLVMCall {
            return None;
        }
        let id = LLVMGetIntrinsicID(LLVMGetCalledValue(inst));
        if id == 0 {
            return None;
        }
        let mut n = 0;
        let name = LLVMIntrinsicGetName(id, &mut n);
        Some(text(name, n))
    }
}

unsafe fn variable_note(inst: LLVMValueRef) -> Option<VariableNote> {
    unsafe {
        let declared = match intrinsic_name(inst)?.as_str() {
            "llvm.dbg.declare" => true,
            "llvm.dbg.value" => false,
            _ => return None,
        };
        let (about, variable) = (LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1));
        // If the value was lost, or is computed from several values, the metadata does not wrap a single value.
        use LLVMMetadataKind::*;
        let wrapped = LLVMGetMetadataKind(LLVMValueAsMetadata(about));
        if !matches!(wrapped, LLVMLocalAsMetadataMetadataKind | LLVMConstantAsMetadataMetadataKind) {
            return None;
        }
        let value = LLVMGetOperand(about, 0);
        let variable = LLVMValueAsMetadata(variable);
        (!value.is_null() && !variable.is_null()).then_some(VariableNote { declared, value, variable })
    }
}

/// The DWARF tag of a node; 0 if it is none of those that [`DebugInfo`](crate::debug_info::DebugInfo) looks for.
///
/// # Safety
/// A live node of the debug information in `context`.
pub(crate) unsafe fn node_tag(context: LLVMContextRef, node: LLVMMetadataRef) -> u16 {
    use crate::debug_info::tag;
    let printed = unsafe { message(LLVMPrintValueToString(LLVMMetadataAsValue(context, node))) };
    // `<0x55d0c8> = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", ...)`; a basic type omits its usual tag.
    let (_, node) = printed.split_once("= ").unwrap_or(("", &printed));
    let node = node.trim_start_matches("distinct ");
    let Some((_, rest)) = node.split_once("(tag: DW_TAG_") else {
        return if node.starts_with("!DIBasicType(") { tag::BASE } else { 0 };
    };
    match rest.split([',', ')']).next().unwrap_or("") {
        "array_type" => tag::ARRAY,
        "enumeration_type" => tag::ENUMERATION,
        "member" => tag::MEMBER,
        "pointer_type" => tag::POINTER,
        "structure_type" => tag::STRUCTURE,
        "typedef" => tag::TYPEDEF,
        "union_type" => tag::UNION,
        "base_type" => tag::BASE,
        "const_type" => tag::CONST,
        "volatile_type" => tag::VOLATILE,
        "restrict_type" => tag::RESTRICT,
        "atomic_type" => tag::ATOMIC,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_of_assembly() {
        let check = |printed: &str, expect: &str| assert_eq!(super::quoted_behind_asm(printed), expect);
        check(r#"void ()* asm sideeffect "nop", "~{memory}""#, "nop");
        check(r#"ptr asm "a\0Ab\22c\\d", """#, "a\nb\"c\\d");
        check(r#"%"asm x"* (i32)* asm inteldialect "", """#, "");
    }
}
