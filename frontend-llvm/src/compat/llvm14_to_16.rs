//! LLVM 14 to 16: debug information in calls of intrinsics, and what the C interface does not give away, read from the text.

use super::VariableNote;
use crate::ir::{message, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMOpcode, LLVMTypeKind};
use std::ffi::{CString, c_char};

/// Operand of a type's node that is its base type: behind file, scope and name.
pub(crate) const BASE_TYPE: usize = 3;
/// Operand of a composite type's node that lists its members: behind the base type.
pub(crate) const ELEMENTS: usize = 4;

/// Parses bitcode or text into `module`; the buffer is gone afterwards. Whether that failed, for the reason in `why`.
///
/// # Safety
/// A live context, a buffer that nobody else disposes of, and two places to write to.
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
    // The function for it cuts the number off behind 32 bits. The text is `[4 x i8]`.
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
                // Folds to an integer at once.
                value = LLVMConstBitCast(value, integer);
            }
            let value = LLVMConstIntGetZExtValue(value);
            bytes.extend(&value.to_le_bytes()[..bits as usize / 8]);
        }
        bytes
    }
}

/// The block whose address a constant is.
///
/// # Safety
/// A live constant of kind `BlockAddress`.
pub(crate) unsafe fn block_of_address(constant: LLVMValueRef) -> LLVMBasicBlockRef {
    // Its operands are the function and the block.
    unsafe { LLVMValueAsBasicBlock(LLVMGetOperand(constant, 1)) }
}

/// The value of case `i` (from 1) of a switch.
///
/// # Safety
/// A live switch with more than `i` successors.
pub(crate) unsafe fn case_value(switch: LLVMValueRef, i: u32) -> LLVMValueRef {
    // Its operands are the condition and the default block, then a value and a block for each case.
    unsafe { LLVMGetOperand(switch, 2 * i) }
}

/// The text of inline assembly.
///
/// # Safety
/// A live value of kind `InlineAsm`.
pub(crate) unsafe fn assembly_text(assembly: LLVMValueRef) -> String {
    quoted_behind_asm(&unsafe { message(LLVMPrintValueToString(assembly)) })
}

/// The first string in quotes behind the word `asm`, as in `i32 (i32)* asm sideeffect "nop\0A", "=r,r"`.
fn quoted_behind_asm(printed: &str) -> String {
    // Pieces outside and inside quotes take turns: a quote within a string is written as \22.
    let mut pieces = printed.split('"');
    while let Some(outside) = pieces.next() {
        let Some(inside) = pieces.next() else { break };
        if outside.split_whitespace().any(|word| word == "asm") {
            return unescaped(inside);
        }
    }
    String::new()
}

/// A string as LLVM prints it: `\\` is a backslash, `\` and two hexadecimal digits any byte.
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

/// Whether an atomic operation adds one, and goes on from zero behind a limit: none that this version's interface knows.
pub(crate) fn wraps_at_limit(_op: LLVMAtomicRMWBinOp) -> bool {
    false
}

/// Whether C leaves open what an addition, subtraction or multiplication yields that overflows as a signed one: these versions have no
/// question for it, so that alarms do not say so.
///
/// # Safety
/// None is needed; other versions look at the instruction.
pub(crate) unsafe fn is_signed_only(_inst: LLVMValueRef) -> bool {
    false
}

/// Whether an opcode makes an integer of an address.
pub(crate) fn makes_integer_of_address(opcode: LLVMOpcode) -> bool {
    opcode == LLVMOpcode::LLVMPtrToInt
}

/// The variables that are noted at an instruction: by the call of an intrinsic that it is.
///
/// # Safety
/// A live instruction.
pub(crate) unsafe fn variable_notes(inst: LLVMValueRef) -> Vec<VariableNote> {
    unsafe { variable_note(inst).into_iter().collect() }
}

/// Whether an instruction only says something about the source: a call of `llvm.dbg.*`.
///
/// # Safety
/// A live instruction.
pub(crate) unsafe fn is_debug_instruction(inst: LLVMValueRef) -> bool {
    unsafe { intrinsic_name(inst).is_some_and(|name| name.starts_with("llvm.dbg.")) }
}

/// The name, without types, of the intrinsic that an instruction calls.
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
        // Where the value was lost, or is computed from several, no single one is wrapped.
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

/// DWARF's tag of a node; 0 if it is none of those that [`DebugInfo`](crate::debug_info::DebugInfo) looks for.
///
/// # Safety
/// A live node of the debug information in `context`.
pub(crate) unsafe fn node_tag(context: LLVMContextRef, node: LLVMMetadataRef) -> u16 {
    use crate::debug_info::tag;
    let printed = unsafe { message(LLVMPrintValueToString(LLVMMetadataAsValue(context, node))) };
    // `<0x55d0c8> = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", ...)`; a basic type leaves its usual tag out.
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
