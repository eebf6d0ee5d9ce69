//! Joins blocks: what is left of branches whose contents are cut away leads on without blocks of its own.
//!
//! A block at which debug information says where a variable lies stays as it is: the C interface cannot move what it says.

use crate::ir::{Block, Opcode, Value};
use crate::raw;
use anyhow::Result;
use inkwell::builder::Builder;
use rustc_hash::FxHashSet;

/// Leads control past the blocks of `function` that only lead on, returns where that is all that is left, and joins blocks that always
/// follow each other.
///
/// # Errors
/// The function is not well-formed.
pub(super) fn join<'m>(function: Value<'m>, builder: &Builder<'m>) -> Result<()> {
    skip_empty(function, builder)?;
    return_at_once(function, builder);
    join_chains(function, builder)
}

/// Returns where a block is left only to return.
fn return_at_once<'m>(function: Value<'m>, builder: &Builder<'m>) {
    let entry = function.entry_block();
    for block in function.blocks().into_iter().filter(|b| *b != entry) {
        let [last] = block.instructions()[..] else { continue };
        let from = block.users();
        let jumps = |user: &Value<'m>| user.is_instruction() && jumps_to(*user) == Some(block);
        if last.opcode() != Opcode::Return || last.declares_variables() || !from.iter().all(jumps) {
            continue;
        }
        for jump in from {
            builder.position_before(&jump.instruction());
            // Otherwise what is inserted gets the builder's position in the source.
            builder.unset_current_debug_location();
            builder.insert_instruction(&last.instruction().explicit_clone(), None);
            jump.instruction().erase_from_basic_block();
        }
        last.instruction().erase_from_basic_block();
        raw::delete_block(block.0);
    }
}

fn skip_empty<'m>(function: Value<'m>, builder: &Builder<'m>) -> Result<()> {
    let entry = function.entry_block();
    for block in function.blocks().into_iter().filter(|b| *b != entry) {
        let Some(to) = leads_on(block) else { continue };
        // A branch may lead here in several ways.
        let from: FxHashSet<Value> = block.users().into_iter().collect();
        if !from.iter().all(|u| u.is_instruction() && matches!(u.opcode(), Opcode::Br | Opcode::Switch)) {
            continue;
        }
        for branch in from {
            redirect(branch, block, to, builder)?;
        }
        block.instructions().into_iter().for_each(|inst| inst.instruction().erase_from_basic_block());
        raw::delete_block(block.0);
    }
    Ok(())
}

/// The block to which a block does nothing but lead.
fn leads_on(block: Block) -> Option<Block> {
    let [branch] = block.instructions()[..] else { return None };
    let to = jumps_to(branch)?;
    (to != block && !to.begins_with_phi()).then_some(to)
}

/// The target of an unconditional branch at which no variable is declared.
fn jumps_to(branch: Value) -> Option<Block> {
    let only = branch.opcode() == Opcode::Br && !branch.is_conditional() && !branch.declares_variables();
    only.then(|| branch.successors().first().copied())?
}

/// Makes a branch lead to `to` instead of `old`.
fn redirect<'m>(branch: Value<'m>, old: Block<'m>, to: Block<'m>, builder: &Builder<'m>) -> Result<()> {
    for (i, successor) in (0..).zip(branch.successors()) {
        if successor == old {
            raw::set_successor(branch.instruction(), i, to.0);
        }
    }
    if branch.opcode() == Opcode::Br && branch.is_conditional() && branch.successors().iter().all(|s| *s == to) {
        builder.position_before(&branch.instruction());
        let jump = builder.build_unconditional_branch(to.0)?;
        jump.set_debug_location(branch.instruction().get_debug_location());
        branch.instruction().erase_from_basic_block();
    }
    Ok(())
}

/// Appends to each block what comes after it alone.
fn join_chains<'m>(function: Value<'m>, builder: &Builder<'m>) -> Result<()> {
    for block in function.blocks().into_iter().rev() {
        let [from] = block.users()[..] else { continue };
        if !from.is_instruction() || block.begins_with_phi() || jumps_to(from) != Some(block) {
            continue;
        }
        let (before, content) = (from.parent(), block.instructions());
        // Phi nodes behind the block name it, and the C interface cannot make them name another one.
        let is_named = block.successors().into_iter().any(Block::begins_with_phi);
        if before == block || is_named || content.iter().any(|inst| inst.declares_variables()) {
            continue;
        }
        from.instruction().erase_from_basic_block();
        builder.position_at_end(before.0);
        builder.unset_current_debug_location();
        for inst in content {
            let name = inst.name();
            inst.instruction().remove_from_basic_block();
            builder.insert_instruction(&inst.instruction(), (!name.is_empty()).then_some(&name));
        }
        raw::delete_block(block.0);
    }
    Ok(())
}
