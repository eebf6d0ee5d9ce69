//! Instructions that stay in a slice because they may trap, although their results are not needed.
//!
//! Code generation drops instructions that have neither users nor effects, even if they may trap. Therefore such a load becomes
//! volatile, and any other result is stored by a volatile store in a slot of its own.

use crate::ir::{Opcode, Value};
use crate::llvm_sys::core::*;
use crate::llvm_sys::prelude::*;

/// Ensures that the instruction `inst` of `function` is executed.
pub(super) fn keep_alive(inst: Value, function: Value, builder: LLVMBuilderRef) {
    if inst.ty().is_void() || inst.has_users() {
        return;
    }
    // SAFETY: a live instruction that is not a terminator, and the one after it; the entry block has no phi nodes.
    unsafe {
        match inst.opcode() {
            Opcode::LLVMLoad => LLVMSetVolatile(inst.0, 1),
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => {
                LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(function.entry_block().0));
                let slot = LLVMBuildAlloca(builder, inst.ty().0, c"trap".as_ptr());
                LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(inst.0));
                LLVMSetVolatile(LLVMBuildStore(builder, inst.0, slot), 1);
            }
            _ => {}
        }
    }
}
