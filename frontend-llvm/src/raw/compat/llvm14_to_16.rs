//! LLVM 14 to 16: debug information in calls of intrinsics, and information that the C interface lacks and that is read from the
//! text.

use super::super::debug::{self, Variable, VariableNote, tag};
use super::super::{Type, TypeKind, Value, ValueKind};
use inkwell::AtomicRMWBinOp;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
use inkwell::types::{AnyTypeEnum, ArrayType};
use inkwell::values::{AnyValue, BasicValue, CallSiteValue, InstructionOpcode, InstructionValue};

/// The operand of a type's node that is its base type: after file, scope and name.
pub(crate) const BASE_TYPE: usize = 3;
/// The operand of a composite type's node that lists its members: after the base type.
pub(crate) const ELEMENTS: usize = 4;

/// The operands of the bundles of a call with this tag: none, since the C interface does not show bundles.
pub(crate) fn bundles<'m>(_: CallSiteValue<'m>, _: &str) -> Vec<Vec<Value<'m>>> {
    Vec::new()
}

/// Number of elements of an array type.
pub(crate) fn array_length(array: ArrayType) -> u64 {
    // LLVMGetArrayLength truncates the number to 32 bits. The text is `[4 x i8]`.
    let text = array.print_to_string().to_string();
    let digits: String = text.chars().skip(1).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("an array type without a length: {text}"))
}

/// The bytes of a constant array of plain data.
pub(crate) fn raw_data(array: Value) -> Vec<u8> {
    use TypeKind::*;
    assert_eq!(array.kind(), ValueKind::LLVMConstantDataArrayValueKind);
    let Some(AnyTypeEnum::ArrayType(ty)) = array.ty().known() else { panic!("an array has the type of one") };
    let element = array.ty().element();
    let bits = match (element.known(), element.kind()) {
        (Some(AnyTypeEnum::IntType(int)), _) => int.get_bit_width(),
        (_, LLVMHalfTypeKind | LLVMBFloatTypeKind) => 16,
        (_, LLVMFloatTypeKind) => 32,
        _ => 64,
    };
    if let Some(bytes) = array.as_basic_value_enum().into_array_value().as_const_string() {
        return bytes.to_vec();
    }
    let width = bits.try_into().expect("numbers have bits");
    let integer = Type::of(ty.get_context().custom_width_int_type(width).expect("LLVM has such integers"));
    let mut bytes = Vec::new();
    for i in 0..array_length(ty) {
        let mut value = super::element(array, i as u32).expect("the elements are counted");
        if element.kind() != LLVMIntegerTypeKind {
            // The bitcast folds to an integer at once.
            value = super::super::const_bit_cast(value, integer);
        }
        let value = value.as_basic_value_enum().into_int_value().get_zero_extended_constant();
        bytes.extend(&value.expect("a number").to_le_bytes()[..bits as usize / 8]);
    }
    bytes
}

/// The block whose address a constant represents.
pub(crate) fn block_of_address(constant: Value) -> BasicBlock {
    assert_eq!(constant.kind(), ValueKind::LLVMBlockAddressValueKind);
    // SAFETY: a block address has the function and the block as operands.
    unsafe { BasicBlock::new(LLVMValueAsBasicBlock(constant.operand(1).raw())) }.expect("it is the address of a block")
}

/// The value of case `i` (from 1) of a switch.
pub(crate) fn case_value(switch: InstructionValue, i: u32) -> Value {
    assert!(switch.get_opcode() == InstructionOpcode::Switch && i > 0);
    // A switch has as operands the condition and the default block, then a value and a block for each case.
    Value::of(switch).operand(2 * i)
}

/// The text of inline assembly, and the constraints on its operands.
pub(crate) fn assembly(value: Value) -> [String; 2] {
    quoted_after_asm(&value.print_to_string().to_string())
}

/// Whether an instruction on floating-point numbers may be replaced by one that yields other numbers.
pub(crate) fn has_loose_floats(inst: InstructionValue) -> bool {
    const FLAGS: [&str; 8] = ["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];
    let text = inst.print_to_string().to_string();
    let operation = text.split_once(" = ").map_or(&text[..], |(_, operation)| operation);
    operation
        .split_whitespace()
        .take_while(|word| word.chars().all(|c| c.is_ascii_alphabetic()))
        .any(|w| FLAGS.contains(&w))
}

/// The two quoted strings after the word `asm`, as in `i32 (i32)* asm sideeffect "nop\0A", "=r,r"`.
fn quoted_after_asm(printed: &str) -> [String; 2] {
    // The pieces alternate between outside and inside of quotes, because a quote within a string is written as \22.
    let mut pieces = printed.split('"');
    while let Some(outside) = pieces.next() {
        let Some(inside) = pieces.next() else { break };
        if outside.split_whitespace().any(|word| word == "asm") {
            return [unescaped(inside), pieces.nth(1).map(unescaped).unwrap_or_default()];
        }
    }
    [String::new(), String::new()]
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
pub(crate) fn wraps_at_limit(_op: AtomicRMWBinOp) -> bool {
    false
}

/// Whether an addition, subtraction or multiplication has undefined behaviour in C on signed overflow. These versions have no
/// function to ask, so alarms do not mention it.
pub(crate) fn is_signed_only(_inst: InstructionValue) -> bool {
    false
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: InstructionOpcode) -> bool {
    opcode == InstructionOpcode::PtrToInt
}

/// Whether an instruction is only a debug intrinsic: a call of `llvm.dbg.*`.
pub(crate) fn is_debug_instruction(inst: InstructionValue) -> bool {
    intrinsic_name(inst).is_some_and(|name| name.starts_with("llvm.dbg."))
}

/// The name of the intrinsic that an instruction calls.
fn intrinsic_name(inst: InstructionValue) -> Option<String> {
    if inst.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    let called = super::super::called(Value::of(inst).as_call()?);
    let is_intrinsic = called.as_function()?.get_intrinsic_id() != 0;
    is_intrinsic.then(|| called.name())
}

/// The notes about variables at an instruction: at most one, from the intrinsic that it calls.
pub(crate) fn variable_notes(inst: InstructionValue) -> Vec<VariableNote> {
    variable_note(inst).into_iter().collect()
}

fn variable_note(inst: InstructionValue) -> Option<VariableNote> {
    let declared = match intrinsic_name(inst)?.as_str() {
        "llvm.dbg.declare" => true,
        "llvm.dbg.value" => false,
        _ => return None,
    };
    let call = Value::of(inst);
    let (about, variable) = (call.operand(0), call.operand(1));
    // If the value was lost, or is computed from several values, the metadata does not wrap a single value.
    use LLVMMetadataKind::*;
    // SAFETY: the arguments of these intrinsics are metadata, of which the second is a variable. What wraps a value has it as its
    // operand.
    unsafe {
        let wrapped = LLVMGetMetadataKind(LLVMValueAsMetadata(about.raw()));
        if !matches!(wrapped, LLVMLocalAsMetadataMetadataKind | LLVMConstantAsMetadataMetadataKind) {
            return None;
        }
        let value = Value::new(LLVMGetOperand(about.raw(), 0))?;
        let context = inst.get_parent()?.get_context();
        let variable = Variable::new(LLVMValueAsMetadata(variable.raw()), context)?;
        Some(VariableNote { declared, value, variable })
    }
}

/// The DWARF tag of a type; 0 if it is none of those in [`tag`].
pub(crate) fn type_tag(ty: debug::Type) -> u16 {
    // SAFETY: a live node of its context.
    let value = unsafe { Value::new(LLVMMetadataAsValue(ty.context().raw(), ty.node())) };
    let printed = value.map_or(String::new(), |value| value.print_to_string().to_string());
    // `<0x55d0c8> = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", ...)`; a basic type omits its usual tag.
    let (_, node) = printed.split_once("= ").unwrap_or(("", &printed));
    let node = node.trim_start_matches("distinct ");
    let Some((_, rest)) = node.split_once("(tag: DW_TAG_") else {
        return match node {
            _ if node.starts_with("!DIBasicType(") => tag::BASE,
            _ if node.starts_with("!DISubroutineType(") => tag::SUBROUTINE,
            _ => 0,
        };
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
        let check = |printed: &str, expect: [&str; 2]| assert_eq!(super::quoted_after_asm(printed), expect);
        check(r#"void ()* asm sideeffect "nop", "~{memory}""#, ["nop", "~{memory}"]);
        check(r#"ptr asm "a\0Ab\22c\\d", """#, ["a\nb\"c\\d", ""]);
        check(r#"%"asm x"* (i32)* asm inteldialect "", "=r,0""#, ["", "=r,0"]);
    }
}
