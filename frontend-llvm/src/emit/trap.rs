//! Instructions that stay in a slice because they may trap, although their results are not needed.
//!
//! Code generation drops instructions that have neither users nor effects, even if they may trap. Therefore such a load becomes
//! volatile, and any other result is stored by a volatile store in a slot of its own. A call of a function that only reads may trap as a
//! load may (`strlen(p)`): what is said of the function's effects is dropped, without which its call stays.

use super::rewrite::EFFECT_ATTRIBUTES;
use crate::ir::{Opcode, Value};
use anyhow::{Context, Result};
use inkwell::attributes::AttributeLoc;
use inkwell::builder::Builder;

/// Ensures that the instruction `inst` of `function` is executed.
///
/// # Errors
/// The module is not well-formed.
pub(super) fn keep_alive<'m>(inst: Value<'m>, function: Value<'m>, builder: &Builder<'m>) -> Result<()> {
    if inst.ty().is_void() || inst.has_users() {
        return Ok(());
    }
    match inst.opcode() {
        Opcode::Load => inst.instruction().set_volatile(true)?,
        Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem => {
            let first = function.entry_block().0.get_first_instruction().context("an empty block")?;
            let next = inst.next().context("a block without a terminator")?;
            // The entry block has no phi nodes.
            builder.position_before(&first);
            let slot = builder.build_alloca(inst.ty(), "trap")?;
            builder.position_before(&next.instruction());
            builder.build_store(slot, inst)?.set_volatile(true)?;
        }
        Opcode::Call => {
            for name in EFFECT_ATTRIBUTES {
                inst.remove_call_attribute(AttributeLoc::Function, name);
                inst.called().remove_attribute(AttributeLoc::Function, name);
            }
        }
        _ => {}
    }
    Ok(())
}
