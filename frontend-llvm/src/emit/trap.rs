//! Instructions that stay in a slice because they may trap, though nobody needs their results.
//!
//! Code generation drops what has neither users nor effects, whether it may trap or not. Such a load becomes volatile; any other
//! result is stored, volatile, in a slot of its own.

use crate::ir::{Opcode, Value};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// Makes sure that `inst`, of `function`, is executed.
pub(super) fn keep_alive(inst: Value, function: Value, builder: LLVMBuilderRef) {
    if inst.ty().is_void() || inst.has_users() {
        return;
    }
    // SAFETY: a live instruction that is no terminator, and one to stand behind it; the entry block has no phi nodes.
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
