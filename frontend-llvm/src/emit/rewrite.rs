//! Carries out a plan on the module: removes instructions and blocks, redirects terminators, rebuilds phi nodes.
//!
//! Meanwhile the module is invalid; no LLVM pass sees it before everything is done.

use super::plan::{End, Plan, Target};
use super::trap;
use crate::ir::{Block, Module, Opcode, Type, Value};
use crate::llvm_sys::LLVMTypeKind;
use crate::llvm_sys::core::*;
use crate::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMGetSubprogram, LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc,
};
use crate::llvm_sys::prelude::*;
use anyhow::{Result, bail};
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
const EFFECT_ATTRIBUTES: [&str; 9] = [
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
pub(super) struct Rewriter {
    program: Module,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    /// Whether functions are registered for `exit` that must not run where an execution is cut.
    quiet: bool,
    /// The function that ends the execution, once it has been needed.
    exit: Option<(Value, Type)>,
}

impl Rewriter {
    /// A rewriter for `program`. `quiet` says whether functions are registered to run at `exit`.
    pub fn new(program: Module, quiet: bool) -> Rewriter {
        // SAFETY: a live module; the builder is disposed of with `self`.
        unsafe {
            let context = LLVMGetModuleContext(program.0);
            Rewriter { program, context, builder: LLVMCreateBuilderInContext(context), quiet, exit: None }
        }
    }

    /// Reduces a function to what its plan keeps.
    ///
    /// # Errors
    /// The module itself defines every function that could end an execution.
    pub fn function(&mut self, function: Value, plan: &Plan) -> Result<()> {
        let stops = plan.blocks.iter().any(|(_, end)| stops(end));
        let stop = if stops { Some(self.stop_block(function)?) } else { None };
        let left: FxHashSet<Block> = plan.blocks.iter().map(|(b, _)| *b).collect();
        let incoming = incoming(&left, plan);
        for slot in &plan.forget {
            self.forget(*slot);
        }
        for (block, end) in &plan.blocks {
            self.end(*block, end, stop);
            for inst in block.instructions().into_iter().rev() {
                let stays = plan.kept.contains(&inst) || Some(inst) == block.terminator();
                if !stays {
                    erase(inst);
                }
            }
        }
        for (inst, needed) in &plan.calls {
            drop_arguments(*inst, needed);
        }
        for ret in plan.plain_returns.iter().filter(|r| left.contains(&r.parent())) {
            // SAFETY: a return with an operand.
            unsafe { LLVMSetOperand(ret.0, 0, LLVMConstNull(ret.operand(0).ty().0)) };
        }
        if !plan.plain_returns.is_empty() {
            VALUE_ATTRIBUTES.iter().for_each(|name| function.remove_attribute(0, name));
            (0..function.params().len()).for_each(|i| function.remove_attribute(i as u32 + 1, "returned"));
            for (inst, _) in &plan.calls {
                // SAFETY: a call. A `musttail` call would have to be followed by a return of its result, which is no longer so.
                unsafe { LLVMSetTailCall(inst.0, 0) };
            }
        }
        self.delete_blocks(function, &left, stop);
        let notes = left.iter().flat_map(|b| b.instructions()).filter(|i| i.declares_what_is_gone());
        notes.for_each(erase);
        self.rebuild_phis(&incoming);
        // Only now are the users known.
        plan.traps.iter().for_each(|inst| trap::keep_alive(*inst, function, self.builder));
        for name in EFFECT_ATTRIBUTES {
            function.remove_attribute(u32::MAX, name);
        }
        Ok(())
    }

    /// Appends a block that ends the execution.
    fn stop_block(&mut self, function: Value) -> Result<Block> {
        let (exit, ty) = self.exit_function()?;
        // SAFETY: a live function and its context; `exit` takes one number of 32 bits.
        unsafe {
            let block = LLVMAppendBasicBlockInContext(self.context, function.0, c"cut".as_ptr());
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMSetCurrentDebugLocation2(self.builder, artificial_place(self.context, function));
            if self.quiet {
                self.flush();
            }
            let mut zero = LLVMConstInt(LLVMInt32TypeInContext(self.context), 0, 0);
            LLVMBuildCall2(self.builder, ty.0, exit.0, &raw mut zero, 1, c"".as_ptr());
            LLVMBuildUnreachable(self.builder);
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            Ok(Block(block))
        }
    }

    /// Flushes the output, which `_exit` does not do.
    fn flush(&self) {
        // SAFETY: as for `exit`; a null argument means all streams.
        unsafe {
            let mut stream = LLVMPointerType(LLVMInt8TypeInContext(self.context), 0);
            let ty = LLVMFunctionType(LLVMInt32TypeInContext(self.context), &raw mut stream, 1, 0);
            let flush = match self.program.function("fflush") {
                Some(f) if !f.is_declaration() => return,
                Some(f) if f.value_type() != Type(ty) => return,
                Some(f) => f.0,
                None => LLVMAddFunction(self.program.0, c"fflush".as_ptr(), ty),
            };
            let mut all = LLVMConstNull(stream);
            LLVMBuildCall2(self.builder, ty, flush, &raw mut all, 1, c"".as_ptr());
        }
    }

    /// `exit`, so that output is flushed; `_exit` if functions run at `exit` or the module defines its own `exit`.
    fn exit_function(&mut self) -> Result<(Value, Type)> {
        if let Some(found) = self.exit {
            return Ok(found);
        }
        // SAFETY: types of the module's context.
        let ty = unsafe {
            let mut int = LLVMInt32TypeInContext(self.context);
            Type(LLVMFunctionType(LLVMVoidTypeInContext(self.context), &raw mut int, 1, 0))
        };
        let names = [c"exit", c"_exit", c"_Exit"];
        for name in &names[usize::from(self.quiet)..] {
            let text = name.to_str().expect("plain text");
            let exit = match self.program.function(text) {
                Some(f) if !f.is_declaration() => continue,
                // SAFETY: casts a function to an address of this type; old C may have declared it with another one.
                Some(f) => Value(unsafe { LLVMConstBitCast(f.0, LLVMPointerType(ty.0, 0)) }),
                None if self.program.global(text).is_some() || self.program.alias(text).is_some() => continue,
                // SAFETY: a live module without this symbol.
                None => Value(unsafe { LLVMAddFunction(self.program.0, name.as_ptr(), ty.0) }),
            };
            self.exit = Some((exit, ty));
            return Ok((exit, ty));
        }
        bail!("the program defines exit, _exit and _Exit itself: nothing is left to end an execution with")
    }

    /// Ends a block as planned.
    fn end(&self, block: Block, end: &End, stop: Option<Block>) {
        let to = |t: &Target| match t {
            Target::Block(b) => b.0,
            Target::Stop => stop.map_or(std::ptr::null_mut(), |b| b.0),
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
                self.jump(block, to(&Target::Stop), std::ptr::null_mut());
            }
            End::Jump(target) => {
                let Some(old) = block.terminator() else { return };
                if old.opcode() == Opcode::LLVMBr && !old.is_conditional() && *target != Target::Stop {
                    return;
                }
                // SAFETY: a live instruction and its replacement.
                let place = unsafe { LLVMInstructionGetDebugLoc(old.0) };
                erase(old);
                self.jump(block, to(target), place);
            }
            End::Tests(cases, rest) => {
                let Some(old) = block.terminator() else { return };
                if old.opcode() == Opcode::LLVMBr {
                    // SAFETY: a conditional branch with two successors, which are tested in this order.
                    unsafe {
                        LLVMSetSuccessor(old.0, 0, to(&cases[0].1));
                        LLVMSetSuccessor(old.0, 1, to(rest));
                    }
                } else {
                    self.switch(block, old, cases, to(rest), to);
                }
            }
        }
    }

    fn jump(&self, block: Block, to: LLVMBasicBlockRef, place: LLVMMetadataRef) {
        // SAFETY: a block without a terminator, and another one of the same function.
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, block.0);
            let new = LLVMBuildBr(self.builder, to);
            if !place.is_null() {
                LLVMInstructionSetDebugLoc(new, place);
            }
        }
    }

    /// Builds a switch with fewer cases.
    fn switch(
        &self,
        block: Block,
        old: Value,
        cases: &[(Block, Target)],
        rest: LLVMBasicBlockRef,
        to: impl Fn(&Target) -> LLVMBasicBlockRef,
    ) {
        let target_of: FxHashMap<Block, &Target> = cases.iter().map(|(b, t)| (*b, t)).collect();
        let ways = old.successors().into_iter().enumerate().skip(1);
        let left: Vec<(Value, &Target)> =
            ways.filter_map(|(i, b)| Some((old.case_value(i as u32), *target_of.get(&b)?))).collect();
        let value = old.operand(0);
        // SAFETY: the new switch uses the value and the constants of the old one, which is removed first: the debug information
        // before it moves to what then comes at the end of the block.
        unsafe {
            let place = LLVMInstructionGetDebugLoc(old.0);
            erase(old);
            LLVMPositionBuilderAtEnd(self.builder, block.0);
            let new = LLVMBuildSwitch(self.builder, value.0, rest, left.len() as u32);
            left.iter().for_each(|(case, target)| LLVMAddCase(new, case.0, to(target)));
            LLVMInstructionSetDebugLoc(new, place);
        }
    }

    /// Replaces the start of a slot's lifetime by making its contents arbitrary.
    fn forget(&self, start: Value) {
        let slot = start.operand(start.call_args().len() as u32 - 1).without_bitcasts();
        if !slot.is_instruction() || slot.opcode() != Opcode::LLVMAlloca {
            return;
        }
        let ty = slot.allocated_type();
        use LLVMTypeKind::*;
        if matches!(ty.kind(), LLVMIntegerTypeKind | LLVMPointerTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind) {
            // SAFETY: a value of the slot's type.
            unsafe {
                LLVMPositionBuilderBefore(self.builder, start.0);
                LLVMBuildStore(self.builder, LLVMGetUndef(ty.0), slot.0);
            }
        }
    }

    /// Removes blocks without predecessors.
    fn delete_blocks(&self, function: Value, left: &FxHashSet<Block>, stop: Option<Block>) {
        let gone: Vec<Block> =
            function.blocks().into_iter().filter(|b| !left.contains(b) && Some(*b) != stop).collect();
        for block in &gone {
            block.instructions().into_iter().rev().for_each(erase);
            // LLVM deletes the debug records of instructions, but not those left at the end of an empty block.
            // SAFETY: a block without a terminator.
            unsafe {
                LLVMPositionBuilderAtEnd(self.builder, block.0);
                LLVMBuildUnreachable(self.builder);
            }
        }
        for block in gone {
            // SAFETY: only other removed blocks still refer to it, and addresses of labels, which LLVM replaces.
            unsafe { LLVMDeleteBasicBlock(block.0) };
        }
    }

    /// Replaces phi nodes by new ones with a value for each edge that now enters their block.
    fn rebuild_phis(&self, phis: &[(Value, Vec<(Value, Block)>)]) {
        // SAFETY: live phi nodes; the new ones come before them and take over their uses, which may be each other's values.
        unsafe {
            let make = |(phi, _): &(Value, _)| {
                LLVMPositionBuilderBefore(self.builder, phi.0);
                let new = LLVMBuildPhi(self.builder, phi.ty().0, c"".as_ptr());
                LLVMInstructionSetDebugLoc(new, LLVMInstructionGetDebugLoc(phi.0));
                (*phi, new)
            };
            let new: FxHashMap<Value, LLVMValueRef> = phis.iter().map(make).collect();
            for (phi, from) in phis {
                for (value, block) in from {
                    let (mut value, mut block) = (new.get(value).copied().unwrap_or(value.0), block.0);
                    LLVMAddIncoming(new[phi], &raw mut value, &raw mut block, 1);
                }
            }
            for (phi, _) in phis {
                let name = phi.name();
                LLVMReplaceAllUsesWith(phi.0, new[phi]);
                LLVMInstructionEraseFromParent(phi.0);
                LLVMSetValueName2(new[phi], name.as_ptr().cast(), name.len());
            }
        }
    }
}

impl Drop for Rewriter {
    fn drop(&mut self) {
        // SAFETY: made by `new`.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

/// A source location without a line in a function; null if the function has no debug information.
fn artificial_place(context: LLVMContextRef, function: Value) -> LLVMMetadataRef {
    // SAFETY: a live function; its subprogram is the scope.
    unsafe {
        let scope = LLVMGetSubprogram(function.0);
        if scope.is_null() {
            return std::ptr::null_mut();
        }
        LLVMDIBuilderCreateDebugLocation(context, 0, 0, scope, std::ptr::null_mut())
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
fn incoming(left: &FxHashSet<Block>, plan: &Plan) -> Vec<(Value, Vec<(Value, Block)>)> {
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
        for phi in block.instructions().into_iter().take_while(|i| i.opcode() == Opcode::LLVMPHI) {
            if plan.kept.contains(&phi) {
                let values: FxHashMap<Block, Value> = phi.incoming().into_iter().map(|(v, b)| (b, v)).collect();
                all.push((phi, from.iter().filter_map(|b| Some((*values.get(b)?, *b))).collect()));
            }
        }
    }
    all
}

/// The blocks to which a block will lead, once for each edge.
fn edges_out(block: Block, end: &End) -> Vec<Block> {
    let of = |t: &Target| match t {
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
            if old.opcode() == Opcode::LLVMBr {
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
    // SAFETY: a live instruction; nothing refers to it afterwards.
    unsafe {
        let ty = inst.ty();
        if !matches!(ty.kind(), LLVMTypeKind::LLVMVoidTypeKind | LLVMTypeKind::LLVMTokenTypeKind) {
            LLVMReplaceAllUsesWith(inst.0, LLVMGetPoison(ty.0));
        }
        LLVMInstructionEraseFromParent(inst.0);
    }
}

/// Passes zero for arguments that are not needed.
fn drop_arguments(call: Value, needed: &[bool]) {
    for name in VALUE_ATTRIBUTES {
        call.remove_call_attribute(0, name);
    }
    for name in EFFECT_ATTRIBUTES {
        call.remove_call_attribute(u32::MAX, name);
    }
    let callee = call.called();
    for (i, _) in needed.iter().enumerate().filter(|(_, n)| !**n) {
        let i = i as u32;
        // SAFETY: argument `i` of a call.
        unsafe { LLVMSetOperand(call.0, i, LLVMConstNull(call.operand(i).ty().0)) };
        for name in VALUE_ATTRIBUTES {
            call.remove_call_attribute(i + 1, name);
            if callee.is_function() && (i as usize) < callee.params().len() {
                callee.remove_attribute(i + 1, name);
            }
        }
    }
}
