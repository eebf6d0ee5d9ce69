//! The module around the functions: start and end of the program, visibility, LLVM's passes, verification, output.

use super::EmitOptions;
use super::index::Index;
use crate::ir::{Linkage, Module, Value, ValueKind};
use crate::provenance::Construct;
use crate::raw::{self, debug};
use anyhow::{Context, Result, bail};
use cfa::view::Slice;
use cfa::{Edge, FuncId, Id, Op};
use inkwell::{DLLStorageClass, GlobalVisibility};
use rustc_hash::FxHashSet;
use std::ffi::CStr;
use std::path::Path;

/// Passes that remove unused definitions and change nothing else.
const PASSES: &CStr = c"globaldce,deadargelim,globaldce,strip-dead-prototypes";

/// The functions whose calls are criteria, and those that only they refer to, which the lowering does not inspect.
pub(super) fn whole_functions<'m>(index: &Index<'_, 'm>, criteria: &[String]) -> FxHashSet<Value<'m>> {
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
    f.linkage() == Linkage::AvailableExternally
}

/// Turns a function into a declaration.
pub(super) fn drop_body(f: Value) {
    let blocks = f.blocks();
    for inst in blocks.iter().rev().flat_map(|b| b.instructions().into_iter().rev()) {
        if !inst.ty().is_void() {
            inst.replace_by(inst.ty().poison());
        }
        inst.instruction().erase_from_basic_block();
    }
    blocks.into_iter().for_each(|b| raw::delete_block(b.0));
    debug::forget_function(f.function());
    f.global().set_linkage(Linkage::External);
    raw::leave_comdat(f.global());
}

/// Whether the start of the program or its end calls a function of the slice. The end may be in any function: where it calls `exit`.
pub(super) fn starts_or_ends(index: &Index<'_, '_>, slice: &Slice, f: Value, id: FuncId) -> bool {
    let cfa = index.cfa;
    let ends = |edge: &Edge| match index.construct(edge.origin) {
        Some(Construct::Instruction(inst)) => inst.called().is_function() && inst.called() != f,
        // `exit` through a pointer: a function that the module only declares.
        None => index.program.function(&cfa.funcs[cfa.locs[edge.from].func].name).is_some_and(Value::is_declaration),
        Some(_) => false,
    };
    cfa.edges.iter_enumerated().any(|(e, edge)| {
        let is_kept = edge.op == Op::Call(id) && slice.kept.contains(e.index());
        is_kept && (cfa.locs[edge.from].func == cfa.entry || ends(edge))
    })
}

/// The functions of a list of constructors or destructors, each with its list element.
fn structors<'m>(program: &Module<'m>, name: &str) -> Vec<(Value<'m>, Value<'m>)> {
    let Some(init) = program.global(name).and_then(Value::initializer) else { return Vec::new() };
    if init.kind() != ValueKind::LLVMConstantArrayValueKind {
        return Vec::new();
    }
    let all = (0..init.n_operands()).map(|i| init.operand(i)).filter(|e| e.n_operands() > 1);
    all.map(|e| (e.operand(1), e)).filter(|(f, _)| f.is_function()).collect()
}

/// Whether destructors run at exit.
pub(super) fn has_destructor(program: &Module, called: impl Fn(Value) -> bool) -> bool {
    structors(program, "llvm.global_dtors").iter().any(|(f, _)| called(*f))
}

/// Removes constructors and destructors that are not called in the slice from their lists.
pub(super) fn keep_structors(program: &Module, called: impl Fn(Value) -> bool) {
    for name in ["llvm.global_ctors", "llvm.global_dtors"] {
        let Some(list) = program.global(name) else { continue };
        let all = structors(program, name);
        let left: Vec<Value> = all.iter().filter(|(f, _)| called(*f)).map(|(_, e)| *e).collect();
        if left.len() == all.len() {
            continue;
        }
        let linkage = list.linkage();
        let element = all[0].1.ty();
        raw::delete_global(list.global());
        if !left.is_empty() {
            let init = raw::const_array(element, &left);
            let new = program.0.add_global(init.get_type(), None, name);
            new.set_initializer(&init);
            new.set_linkage(linkage);
        }
    }
}

/// The original visibility of a definition.
pub(super) struct Seen {
    name: String,
    linkage: Linkage,
    visibility: GlobalVisibility,
}

/// Hides all definitions except the entry and the criteria, so that they can be removed. Returns the original visibility of the
/// global variables.
pub(super) fn internalize(program: &Module, options: &EmitOptions) -> Vec<Seen> {
    let mut seen = Vec::new();
    let visible =
        |name: &str| name == options.entry || name.starts_with("llvm.") || options.criteria.iter().any(|c| c == name);
    let all = program.functions().into_iter().chain(program.globals()).chain(program.aliases());
    for v in all.filter(|v| !v.is_declaration() && !is_copy_of_external(*v)) {
        if v.linkage() == Linkage::Appending || visible(&v.name()) {
            continue;
        }
        let local = matches!(v.linkage(), Linkage::Internal | Linkage::Private);
        let definition = v.global();
        if v.kind() == ValueKind::LLVMGlobalVariableValueKind && !local {
            if options.keep_globals {
                continue;
            }
            let visibility = definition.get_visibility();
            seen.push(Seen { name: v.name(), linkage: v.linkage(), visibility });
        }
        definition.set_linkage(Linkage::Internal);
        definition.set_visibility(GlobalVisibility::Default);
        definition.set_dll_storage_class(DLLStorageClass::Default);
        if v.kind() != ValueKind::LLVMGlobalAliasValueKind {
            raw::leave_comdat(definition);
        }
    }
    seen
}

/// Restores the visibility of the remaining global variables.
pub(super) fn show(program: &Module, seen: &[Seen]) {
    for Seen { name, linkage, visibility } in seen {
        let Some(v) = program.global(name) else { continue };
        v.global().set_linkage(*linkage);
        v.global().set_visibility(*visibility);
    }
}

/// Removes unused functions, globals, parameters and declarations.
pub(super) fn clean(program: &Module) -> Result<()> {
    // The passes require a valid module.
    verify(program)?;
    program.run_passes(PASSES)
}

/// Runs LLVM's verifier.
pub(super) fn verify(program: &Module) -> Result<()> {
    let Err(why) = program.0.verify() else { return Ok(()) };
    let why = why.to_string();
    let lines: Vec<&str> = why.lines().take(3).map(str::trim).collect();
    bail!("the sliced module is not valid: {}", lines.join("; "))
}

/// Writes bitcode.
pub(super) fn write(program: &Module, out: &Path) -> Result<()> {
    let written = std::fs::write(out, program.0.write_bitcode_to_memory().as_slice());
    written.with_context(|| format!("{}: cannot be written", out.display()))
}
