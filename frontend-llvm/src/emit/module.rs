//! The module around the functions: start and end of the program, visibility, LLVM's passes, verification, output.

use super::EmitOptions;
use super::index::Index;
use crate::compat;
use crate::ir::{Linkage, Module, Value, ValueKind, message};
use crate::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use crate::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use crate::llvm_sys::comdat::LLVMSetComdat;
use crate::llvm_sys::core::*;
use crate::llvm_sys::debuginfo::LLVMSetSubprogram;
use crate::llvm_sys::{LLVMDLLStorageClass, LLVMVisibility};
use anyhow::{Context, Result, bail};
use cfa::view::Slice;
use cfa::{Cfa, FuncId, Id, Op};
use rustc_hash::FxHashSet;
use std::ffi::{CStr, CString};
use std::path::Path;

/// Passes that remove unused definitions and change nothing else.
const PASSES: &CStr = c"globaldce,deadargelim,globaldce,strip-dead-prototypes";

/// The functions whose calls are criteria, and those that only they refer to, which the lowering does not inspect.
pub(super) fn whole_functions(index: &Index<'_>, criteria: &[String]) -> FxHashSet<Value> {
    let lowered = index.lowered();
    let mut whole = FxHashSet::default();
    let mut stack: Vec<Value> = criteria.iter().filter_map(|name| index.program.function(name)).collect();
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(v) = stack.pop() {
        if !seen.insert(v) {
            continue;
        }
        if v.is_function() {
            if v.is_declaration() || lowered.contains(&v) {
                continue;
            }
            whole.insert(v);
            for inst in v.blocks().iter().flat_map(|b| b.instructions()) {
                stack.extend((0..inst.n_operands()).map(|i| inst.operand(i)).filter(|o| o.is_constant()));
            }
        } else {
            stack.extend((0..v.n_operands()).map(|i| v.operand(i)).filter(|o| o.is_constant()));
        }
    }
    whole
}

/// Whether a body is only a copy of one that is defined elsewhere.
pub(super) fn is_copy_of_external(f: Value) -> bool {
    f.linkage() == Linkage::LLVMAvailableExternallyLinkage
}

/// Turns a function into a declaration.
pub(super) fn drop_body(f: Value) {
    // SAFETY: a live function whose blocks are all removed together.
    unsafe {
        let blocks = f.blocks();
        for inst in blocks.iter().rev().flat_map(|b| b.instructions().into_iter().rev()) {
            if !inst.ty().is_void() {
                LLVMReplaceAllUsesWith(inst.0, LLVMGetPoison(inst.ty().0));
            }
            LLVMInstructionEraseFromParent(inst.0);
        }
        blocks.into_iter().for_each(|b| LLVMDeleteBasicBlock(b.0));
        LLVMSetSubprogram(f.0, std::ptr::null_mut());
        LLVMSetLinkage(f.0, Linkage::LLVMExternalLinkage);
        LLVMSetComdat(f.0, std::ptr::null_mut());
    }
}

/// Whether the start of the program calls a function of the slice.
pub(super) fn starts(cfa: &Cfa, slice: &Slice, f: FuncId) -> bool {
    cfa.edges.iter_enumerated().any(|(e, edge)| {
        edge.op == Op::Call(f) && cfa.locs[edge.from].func == cfa.entry && slice.kept.contains(e.index())
    })
}

/// The functions of a list of constructors or destructors, each with its list element.
fn structors(program: Module, name: &str) -> Vec<(Value, Value)> {
    let Some(init) = program.global(name).and_then(Value::initializer) else { return Vec::new() };
    if init.kind() != ValueKind::LLVMConstantArrayValueKind {
        return Vec::new();
    }
    let all = (0..init.n_operands()).map(|i| init.operand(i)).filter(|e| e.n_operands() > 1);
    all.map(|e| (e.operand(1), e)).filter(|(f, _)| f.is_function()).collect()
}

/// Whether destructors run at exit.
pub(super) fn has_destructor(program: Module, called: impl Fn(Value) -> bool) -> bool {
    structors(program, "llvm.global_dtors").iter().any(|(f, _)| called(*f))
}

/// Removes constructors and destructors that are not called in the slice from their lists.
pub(super) fn keep_structors(program: Module, called: impl Fn(Value) -> bool) {
    for name in ["llvm.global_ctors", "llvm.global_dtors"] {
        let Some(list) = program.global(name) else { continue };
        let all = structors(program, name);
        let mut left: Vec<_> = all.iter().filter(|(f, _)| called(*f)).map(|(_, e)| e.0).collect();
        if left.len() == all.len() {
            continue;
        }
        // SAFETY: elements of one constant array; the list is replaced by one of the same name and linkage.
        unsafe {
            let linkage = LLVMGetLinkage(list.0);
            let element = all[0].1.ty();
            LLVMDeleteGlobal(list.0);
            if !left.is_empty() {
                let init = compat::const_array(element.0, &mut left);
                let c_name = CString::new(name).expect("a name without NUL");
                let new = LLVMAddGlobal(program.0, LLVMTypeOf(init), c_name.as_ptr());
                LLVMSetInitializer(new, init);
                LLVMSetLinkage(new, linkage);
            }
        }
    }
}

/// The original visibility of a definition.
pub(super) struct Seen {
    name: String,
    linkage: Linkage,
    visibility: LLVMVisibility,
}

/// Hides all definitions except the entry and the criteria, so that they can be removed. Returns the original visibility of the
/// global variables.
pub(super) fn internalize(program: Module, options: &EmitOptions) -> Vec<Seen> {
    let mut seen = Vec::new();
    let visible =
        |name: &str| name == options.entry || name.starts_with("llvm.") || options.criteria.iter().any(|c| c == name);
    let all = program.functions().into_iter().chain(program.globals()).chain(program.aliases());
    for v in all.filter(|v| !v.is_declaration() && !is_copy_of_external(*v)) {
        // SAFETY: a live definition.
        unsafe {
            if v.linkage() == Linkage::LLVMAppendingLinkage || visible(&v.name()) {
                continue;
            }
            let local = matches!(v.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage);
            if v.kind() == ValueKind::LLVMGlobalVariableValueKind && !local {
                if options.keep_globals {
                    continue;
                }
                let visibility = LLVMGetVisibility(v.0);
                seen.push(Seen { name: v.name(), linkage: v.linkage(), visibility });
            }
            LLVMSetLinkage(v.0, Linkage::LLVMInternalLinkage);
            LLVMSetVisibility(v.0, LLVMVisibility::LLVMDefaultVisibility);
            LLVMSetDLLStorageClass(v.0, LLVMDLLStorageClass::LLVMDefaultStorageClass);
            if v.kind() != ValueKind::LLVMGlobalAliasValueKind {
                LLVMSetComdat(v.0, std::ptr::null_mut());
            }
        }
    }
    seen
}

/// Restores the visibility of the remaining global variables.
pub(super) fn show(program: Module, seen: &[Seen]) {
    for Seen { name, linkage, visibility } in seen {
        let Some(v) = program.global(name) else { continue };
        // SAFETY: a live definition, to which its original linkage is restored.
        unsafe {
            LLVMSetLinkage(v.0, *linkage);
            LLVMSetVisibility(v.0, *visibility);
        }
    }
}

/// Removes unused functions, globals, parameters and declarations.
pub(super) fn clean(program: Module) -> Result<()> {
    // The passes require a valid module.
    verify(program)?;
    program.run_passes(PASSES)
}

/// Runs LLVM's verifier.
pub(super) fn verify(program: Module) -> Result<()> {
    let mut text = std::ptr::null_mut();
    // SAFETY: a live module; the message is taken over.
    let (broken, text) = unsafe {
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let broken = LLVMVerifyModule(program.0, action, &raw mut text) != 0;
        (broken, message(text))
    };
    if broken {
        let lines: Vec<&str> = text.lines().take(3).map(str::trim).collect();
        bail!("the sliced module is not valid: {}", lines.join("; "));
    }
    Ok(())
}

/// Writes bitcode.
pub(super) fn write(program: Module, out: &Path) -> Result<()> {
    // SAFETY: a valid module; the buffer lives while its bytes are read, and is disposed of once.
    let written = unsafe {
        let buffer = LLVMWriteBitcodeToMemoryBuffer(program.0);
        let bytes = std::slice::from_raw_parts(LLVMGetBufferStart(buffer).cast::<u8>(), LLVMGetBufferSize(buffer));
        let written = std::fs::write(out, bytes);
        LLVMDisposeMemoryBuffer(buffer);
        written
    };
    written.with_context(|| format!("{}: cannot be written", out.display()))
}
