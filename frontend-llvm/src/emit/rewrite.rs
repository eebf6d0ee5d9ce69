//! Carries out a plan on the module: removes instructions and blocks, redirects terminators, rebuilds phi nodes.
//!
//! Meanwhile the module is invalid; no LLVM pass sees it before everything is done.

use super::blocks;
use super::plan::{End, Plan, Target};
use super::trap;
use crate::ir::{AttributeLoc, Block, Module, Opcode, Type, TypeKind, Value};
use crate::raw::{self, debug};
use anyhow::{Result, bail};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::debug_info::DILocation;
use inkwell::types::FunctionType;
use inkwell::values::{BasicValue, PhiValue};
use rustc_hash::{FxHashMap, FxHashSet};

/// Attributes that describe a value that no longer exists.
const VALUE_ATTRIBUTES: [&str; 9] = [
    "noundef",
    "nonnull",
    "dereferenceable",
    "dereferenceable_or_null",
    "align",
    "range",
    "nofpclass",
    "returned",
    "captures",
];

/// Attributes of a function that no longer hold once it may end the execution.
pub(super) const EFFECT_ATTRIBUTES: [&str; 9] = [
    "memory",
    "readnone",
    "readonly",
    "writeonly",
    "argmemonly",
    "willreturn",
    "mustprogress",
    "nosync",
    "speculatable",
];

/// Rewrites functions of one module.
pub(super) struct Rewriter<'a, 'm> {
    program: &'a Module<'m>,
    context: ContextRef<'m>,
    builder: Builder<'m>,
    /// Whether functions are registered for `exit` that must not run where an execution is cut.
    quiet: bool,
    /// The functions that end the execution by returning.
    returning: FxHashSet<Value<'m>>,
    /// The instructions that end executions.
    added: FxHashSet<Value<'m>>,
    /// The function that ends the execution, with its type, once it has been needed.
    exit: Option<(Value<'m>, FunctionType<'m>)>,
}

impl<'a, 'm> Rewriter<'a, 'm> {
    /// A rewriter for `program`. `quiet` says whether functions are registered to run at `exit`, `returning` which functions end the
    /// execution by returning.
    pub(super) fn new(program: &'a Module<'m>, quiet: bool, returning: FxHashSet<Value<'m>>) -> Rewriter<'a, 'm> {
        let context = program.0.get_context();
        Rewriter {
            program,
            context,
            builder: context.create_builder(),
            quiet,
            returning,
            added: FxHashSet::default(),
            exit: None,
        }
    }

    /// Reduces a function to what its plan keeps.
    ///
    /// # Errors
    /// The module itself defines every function that could end an execution.
    pub(super) fn function(&mut self, function: Value<'m>, plan: &Plan<'m>) -> Result<()> {
        let stops: Vec<&End> = plan.blocks.iter().map(|(_, end)| end).filter(|end| stops(end)).collect();
        let returns = !stops.is_empty() && self.returning.contains(&function);
        // A block that is one of several to stop, or that a test leads to.
        let is_shared = stops.iter().any(|end| matches!(end, End::Tests(..))) || stops.len() > 1 && !returns;
        let stop = if is_shared { Some(self.stop_block(function)?) } else { None };
        let left: FxHashSet<Block> = plan.blocks.iter().map(|(b, _)| *b).collect();
        let incoming = incoming(&left, plan);
        for slot in &plan.forget {
            self.forget(*slot)?;
        }
        for (block, end) in &plan.blocks {
            self.end(*block, end, stop.filter(|_| !returns || matches!(end, End::Tests(..))))?;
            for inst in block.instructions().into_iter().rev() {
                let stays = plan.kept.contains(&inst) || Some(inst) == block.terminator() || self.added.contains(&inst);
                if !stays {
                    erase(inst);
                }
            }
        }
        for (inst, needed) in &plan.calls {
            drop_arguments(*inst, needed);
        }
        for ret in plan.plain_returns.iter().filter(|r| left.contains(&r.parent())) {
            ret.set_operand(0, ret.operand(0).ty().null());
        }
        if !plan.plain_returns.is_empty() || returns {
            VALUE_ATTRIBUTES.iter().for_each(|name| function.remove_attribute(AttributeLoc::Return, name));
            (0..function.params().len())
                .for_each(|i| function.remove_attribute(AttributeLoc::Param(i as u32), "returned"));
            for (inst, _) in &plan.calls {
                // A `musttail` call would have to be followed by a return of its result, which is no longer so.
                inst.call().set_tail_call(false);
            }
        }
        self.delete_blocks(function, &left, stop)?;
        let notes = left.iter().flat_map(|b| b.instructions()).filter(|i| i.declares_what_is_gone());
        notes.for_each(erase);
        self.rebuild_phis(&incoming)?;
        // Only now are the users known.
        plan.traps.iter().try_for_each(|inst| trap::keep_alive(*inst, function, &self.builder))?;
        blocks::join(function, &self.builder)?;
        for inst in function.blocks().into_iter().flat_map(Block::instructions).filter(|i| renames_operand(*i)) {
            inst.replace_by(inst.operand(0));
            inst.instruction().erase_from_basic_block();
        }
        for name in EFFECT_ATTRIBUTES {
            function.remove_attribute(AttributeLoc::Function, name);
        }
        Ok(())
    }

    /// Appends a block that ends the execution.
    fn stop_block(&mut self, function: Value<'m>) -> Result<Block<'m>> {
        let block = Block(self.context.append_basic_block(function.function(), "cut"));
        self.stop(function, block)?;
        Ok(block)
    }

    /// Ends the execution at the end of `block`, which has no terminator.
    fn stop(&mut self, function: Value<'m>, block: Block<'m>) -> Result<()> {
        let before = block.instructions().len();
        self.builder.position_at_end(block.0);
        debug::set_artificial_position(&self.builder, function.function());
        if self.returning.contains(&function) {
            let ty = function.value_type().returns();
            let zero = (!ty.is_void()).then(|| ty.null().as_basic_value_enum());
            self.builder.build_return(zero.as_ref().map(|value| value as &dyn BasicValue))?;
        } else {
            let (exit, ty) = self.exit_function()?;
            if self.quiet {
                self.flush();
            }
            raw::build_call(&self.builder, ty, exit, &[Value::of(self.context.i32_type().const_zero())]);
            self.builder.build_unreachable()?;
        }
        self.builder.unset_current_debug_location();
        self.added.extend(block.instructions().into_iter().skip(before));
        Ok(())
    }

    /// Flushes the output, which `_exit` does not do.
    fn flush(&self) {
        let stream = raw::byte_pointer(self.context);
        let ty = self.context.i32_type().fn_type(&[stream.into()], false);
        let flush = match self.program.function("fflush") {
            Some(f) if !f.is_declaration() => return,
            Some(f) if f.value_type() != Type::of(ty) => return,
            Some(f) => f,
            None => Value::of(self.program.0.add_function("fflush", ty, None)),
        };
        // A null argument means all streams.
        raw::build_call(&self.builder, ty, flush, &[Value::of(stream.const_null())]);
    }

    /// `exit`, so that output is flushed; `_exit` if functions run at `exit` or the module defines its own `exit`.
    fn exit_function(&mut self) -> Result<(Value<'m>, FunctionType<'m>)> {
        if let Some(found) = self.exit {
            return Ok(found);
        }
        let ty = self.context.void_type().fn_type(&[self.context.i32_type().into()], false);
        let names = ["exit", "_exit", "_Exit"];
        for name in &names[usize::from(self.quiet)..] {
            let exit = match self.program.function(name) {
                Some(f) if !f.is_declaration() => continue,
                Some(f) => raw::address_as(f, ty),
                None if self.program.global(name).is_some() || self.program.alias(name).is_some() => continue,
                None => Value::of(self.program.0.add_function(name, ty, None)),
            };
            self.exit = Some((exit, ty));
            return Ok((exit, ty));
        }
        bail!("the program defines exit, _exit and _Exit itself: nothing is left to end an execution with")
    }

    /// Ends a block as planned. `stop` is the block that ends the execution; without it, the block itself does.
    fn end(&mut self, block: Block<'m>, end: &End<'m>, stop: Option<Block<'m>>) -> Result<()> {
        let to = |t: &Target<'m>| match t {
            Target::Block(b) => b.0,
            Target::Stop => stop.expect("there is a block to stop in if a test leads there").0,
        };
        match end {
            End::Same => {}
            End::Before(inst) => {
                for i in block.instructions().into_iter().rev() {
                    erase(i);
                    if i == *inst {
                        break;
                    }
                }
                match stop {
                    Some(stop) => self.jump(block, stop.0, None)?,
                    None => self.stop(block.function(), block)?,
                }
            }
            End::Jump(target) => {
                let Some(old) = block.terminator() else { return Ok(()) };
                if old.opcode() == Opcode::Br && !old.is_conditional() && *target != Target::Stop {
                    return Ok(());
                }
                let place = old.instruction().get_debug_location();
                erase(old);
                match (target, stop) {
                    (Target::Stop, None) => self.stop(block.function(), block)?,
                    _ => self.jump(block, to(target), place)?,
                }
            }
            End::Tests(cases, rest) => {
                let Some(old) = block.terminator() else { return Ok(()) };
                if old.opcode() == Opcode::Br {
                    // The branch is conditional, and its two successors are tested in this order.
                    raw::set_successor(old.instruction(), 0, to(&cases[0].1));
                    raw::set_successor(old.instruction(), 1, to(rest));
                } else {
                    self.switch(block, old, cases, to(rest), to)?;
                }
            }
        }
        Ok(())
    }

    fn jump(&self, block: Block<'m>, to: BasicBlock<'m>, place: Option<DILocation<'m>>) -> Result<()> {
        self.builder.position_at_end(block.0);
        let new = self.builder.build_unconditional_branch(to)?;
        if place.is_some() {
            new.set_debug_location(place);
        }
        Ok(())
    }

    /// Builds a switch with fewer cases.
    fn switch(
        &self,
        block: Block<'m>,
        old: Value<'m>,
        cases: &[(Block<'m>, Target<'m>)],
        rest: BasicBlock<'m>,
        to: impl Fn(&Target<'m>) -> BasicBlock<'m>,
    ) -> Result<()> {
        let target_of: FxHashMap<Block, &Target> = cases.iter().map(|(b, t)| (*b, t)).collect();
        let ways = old.successors().into_iter().enumerate().skip(1);
        let number = |v: Value<'m>| v.as_basic_value_enum().into_int_value();
        let left: Vec<_> =
            ways.filter_map(|(i, b)| Some((number(old.case_value(i as u32)), to(target_of.get(&b)?)))).collect();
        let value = number(old.operand(0));
        let place = old.instruction().get_debug_location();
        // The old one is removed first: the debug information before it moves to what then comes at the end of the block.
        erase(old);
        self.builder.position_at_end(block.0);
        self.builder.build_switch(value, rest, &left)?.set_debug_location(place);
        Ok(())
    }

    /// Replaces the start of a slot's lifetime by making its contents arbitrary.
    fn forget(&self, start: Value<'m>) -> Result<()> {
        let slot = start.operand(start.call_args().len() as u32 - 1).without_bitcasts();
        if !slot.is_instruction() || slot.opcode() != Opcode::Alloca {
            return Ok(());
        }
        let ty = slot.allocated_type();
        use TypeKind::*;
        if matches!(ty.kind(), LLVMIntegerTypeKind | LLVMPointerTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind) {
            self.builder.position_before(&start.instruction());
            self.builder.build_store(slot.as_basic_value_enum().into_pointer_value(), ty.undef())?;
        }
        Ok(())
    }

    /// Removes blocks without predecessors.
    fn delete_blocks(&self, function: Value<'m>, left: &FxHashSet<Block<'m>>, stop: Option<Block<'m>>) -> Result<()> {
        let gone: Vec<Block> =
            function.blocks().into_iter().filter(|b| !left.contains(b) && Some(*b) != stop).collect();
        for block in &gone {
            block.instructions().into_iter().rev().for_each(erase);
            // LLVM deletes the debug records of instructions, but not those left at the end of an empty block.
            self.builder.position_at_end(block.0);
            self.builder.build_unreachable()?;
        }
        // Only one another and addresses of labels, which LLVM replaces, still refer to these blocks.
        gone.into_iter().for_each(|block| raw::delete_block(block.0));
        Ok(())
    }

    /// Replaces phi nodes by new ones with a value for each edge that now enters their block.
    fn rebuild_phis(&self, phis: &[(Value<'m>, Vec<(Value<'m>, Block<'m>)>)]) -> Result<()> {
        // The new ones come before the old ones and take over their uses, which may be each other's values.
        let mut new: FxHashMap<Value, PhiValue> = FxHashMap::default();
        for (old, _) in phis {
            self.builder.position_before(&old.instruction());
            let phi = self.builder.build_phi(old.ty(), "")?;
            phi.as_instruction().set_debug_location(old.instruction().get_debug_location());
            new.insert(*old, phi);
        }
        for (old, from) in phis {
            for (value, block) in from {
                let value = new.get(value).map_or(*value, |phi| Value::of(*phi));
                new[old].add_incoming(&[(&value, block.0)]);
            }
        }
        for (old, _) in phis {
            let name = old.name();
            old.phi().replace_all_uses_with(&new[old]);
            old.instruction().erase_from_basic_block();
            new[old].set_name(&name);
        }
        Ok(())
    }
}

/// Whether a target of this end ends the execution.
fn stops(end: &End) -> bool {
    match end {
        End::Same => false,
        End::Before(_) => true,
        End::Jump(t) => *t == Target::Stop,
        End::Tests(cases, rest) => *rest == Target::Stop || cases.iter().any(|(_, t)| *t == Target::Stop),
    }
}

/// For each phi node that stays, one value for each edge that will enter its block.
fn incoming<'m>(left: &FxHashSet<Block<'m>>, plan: &Plan<'m>) -> Vec<(Value<'m>, Vec<(Value<'m>, Block<'m>)>)> {
    let mut entering: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for (block, end) in &plan.blocks {
        for to in edges_out(*block, end) {
            entering.entry(to).or_default().push(*block);
        }
    }
    let mut all = Vec::new();
    let none = Vec::new();
    for block in left {
        let from = entering.get(block).unwrap_or(&none);
        for phi in block.instructions().into_iter().take_while(|i| i.opcode() == Opcode::Phi) {
            if plan.kept.contains(&phi) {
                let values: FxHashMap<Block, Value> = phi.incoming().into_iter().map(|(v, b)| (b, v)).collect();
                all.push((phi, from.iter().filter_map(|b| Some((*values.get(b)?, *b))).collect()));
            }
        }
    }
    all
}

/// The blocks to which a block will lead, once for each edge.
fn edges_out<'m>(block: Block<'m>, end: &End<'m>) -> Vec<Block<'m>> {
    let of = |t: &Target<'m>| match t {
        Target::Block(b) => Some(*b),
        Target::Stop => None,
    };
    match end {
        End::Same => block.successors(),
        End::Before(_) => Vec::new(),
        End::Jump(to) => of(to).into_iter().collect(),
        End::Tests(cases, rest) => {
            let Some(old) = block.terminator() else { return Vec::new() };
            let mut all: Vec<Block> = of(rest).into_iter().collect();
            let n = old.successors().len();
            if old.opcode() == Opcode::Br {
                all.extend(cases.first().and_then(|(_, t)| of(t)));
            } else {
                let successors = old.successors();
                for successor in &successors[1..n] {
                    all.extend(cases.iter().find(|(b, _)| b == successor).and_then(|(_, t)| of(t)));
                }
            }
            all
        }
    }
}

/// Removes an instruction; its users are removed too, or do not matter.
fn erase(inst: Value) {
    if !matches!(inst.ty().kind(), TypeKind::LLVMVoidTypeKind | TypeKind::LLVMTokenTypeKind) {
        inst.replace_by(inst.ty().poison());
    }
    inst.instruction().erase_from_basic_block();
}

/// Whether an instruction has the value of its operand: a cast between pointers, as older versions of LLVM have them, or the address of the
/// first part.
fn renames_operand(inst: Value) -> bool {
    let is_zero = |i: u32| inst.operand(i).is_constant() && inst.operand(i).is_null();
    let adds_nothing = match inst.opcode() {
        Opcode::BitCast => true,
        Opcode::GetElementPtr => (1..inst.n_operands()).all(is_zero),
        _ => false,
    };
    adds_nothing && inst.ty() == inst.operand(0).ty()
}

/// Passes zero for arguments that are not needed.
fn drop_arguments(call: Value, needed: &[bool]) {
    for name in VALUE_ATTRIBUTES {
        call.remove_call_attribute(AttributeLoc::Return, name);
    }
    for name in EFFECT_ATTRIBUTES {
        call.remove_call_attribute(AttributeLoc::Function, name);
    }
    let callee = call.called();
    for (i, _) in needed.iter().enumerate().filter(|(_, n)| !**n) {
        let i = i as u32;
        call.set_operand(i, call.operand(i).ty().null());
        for name in VALUE_ATTRIBUTES {
            call.remove_call_attribute(AttributeLoc::Param(i), name);
            if callee.is_function() && (i as usize) < callee.params().len() {
                callee.remove_attribute(AttributeLoc::Param(i), name);
            }
        }
    }
}
