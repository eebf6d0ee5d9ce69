//! The module around the functions: start and end of the program, visibility, LLVM's passes, verification.

use super::EmitOptions;
use super::index::Index;
use crate::ir::{Block, Linkage, Module, Opcode, Value, ValueKind};
use crate::provenance::{Construct, is_mark};
use crate::raw::{self, debug};
use crate::structors::{CONSTRUCTORS, DESTRUCTORS, LISTS, Structor, structors};
use crate::symbols::plain;
use anyhow::{Result, bail};
use cfa::view::Slice;
use cfa::{Edge, EdgeId, Id, Op};
use inkwell::{DLLStorageClass, GlobalVisibility};
use rustc_hash::FxHashSet;
use std::ffi::CStr;

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

/// Those functions whose bodies do nothing but end the execution, if anything.
pub(super) fn only_ends<'m>(program: &Module<'m>, functions: &[String]) -> Vec<Value<'m>> {
    let named = functions.iter().filter_map(|name| program.function(name));
    named.filter(|f| !f.is_declaration() && ends_only(*f)).collect()
}

/// Whether a body does nothing that a call of it would show, but end the execution or run for ever.
fn ends_only(f: Value) -> bool {
    const ENDS: [&str; 9] =
        ["abort", "exit", "_exit", "_Exit", "__assert_fail", "__assert_rtn", "__assert", "_assert", "llvm.trap"];
    let ends = |call: Value| {
        let called = call.called();
        called.is_function() && called.is_declaration() && ENDS.contains(&&*called.name())
    };
    let is_plain = |inst: Value| match inst.opcode() {
        Opcode::Br | Opcode::Return | Opcode::Unreachable | Opcode::Alloca => true,
        Opcode::Call => is_mark(inst) || ends(inst),
        _ => is_mark(inst),
    };
    f.params().iter().all(|p| !p.has_users()) && f.blocks().into_iter().flat_map(Block::instructions).all(is_plain)
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

/// Whether the start of the program or its end calls a function in the slice. The end may be in any function: where it calls `exit`.
fn starts_or_ends(index: &Index<'_, '_>, slice: &Slice, f: Value) -> bool {
    // What is defined elsewhere has nothing that a slice could lack.
    if f.is_declaration() {
        return true;
    }
    let cfa = index.cfa;
    let (id, name) = (index.provenance.functions.get(&f), f.name());
    let calls = |e: EdgeId| match cfa.edges[e].op {
        Op::Call(called) => id == Some(&called) && slice.kept.contains(e.index()),
        // A target, at whose call the executions of the slice end.
        _ => cfa.external_calls.get(&e) == Some(&name) && slice.live.contains(e.index()),
    };
    let ends = |edge: &Edge| match index.construct(edge.origin) {
        Some(Construct::Instruction(inst)) => inst.called().is_function() && inst.called() != f,
        // `exit` through a pointer: a function that the module only declares.
        None => !index.is_of_program(cfa.locs[edge.from].func),
        Some(_) => false,
    };
    cfa.edges.iter_enumerated().any(|(e, edge)| calls(e) && (cfa.locs[edge.from].func == cfa.entry || ends(edge)))
}

/// Whether `exit` runs anything in the slice: destructors, or what was registered.
pub(super) fn runs_at_exit(index: &Index<'_, '_>, slice: &Slice) -> bool {
    let is_run = |s: &Structor| starts_or_ends(index, slice, s.function);
    structors(index.program, DESTRUCTORS).iter().any(is_run)
        || slice.kept.ones().any(|e| registers_for_exit(index, EdgeId::from_index(e)))
}

/// Whether `exit` may run functions in the program.
pub(super) fn may_run_at_exit(index: &Index<'_, '_>) -> bool {
    structors(index.program, DESTRUCTORS).iter().any(|s| !s.function.is_declaration())
        || index.cfa.edges.ids().any(|e| registers_for_exit(index, e))
}

/// Whether an edge calls a function of the C library that registers another one to run at `exit`.
fn registers_for_exit(index: &Index<'_, '_>, e: EdgeId) -> bool {
    const REGISTER: [&str; 4] = ["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];
    let name = match index.cfa.edges[e].op {
        Op::Call(f) if index.is_of_program(f) => None,
        Op::Call(f) => index.function_of.get(&f).map(|f| f.name()),
        _ => index.cfa.external_calls.get(&e).cloned(),
    };
    name.is_some_and(|name| REGISTER.contains(&plain(&name)))
}

/// Removes constructors and destructors that are not called in the slice from their lists.
pub(super) fn keep_structors(index: &Index<'_, '_>, slice: &Slice) {
    let program = index.program;
    for name in LISTS {
        let Some(list) = program.global(name) else { continue };
        let all = structors(program, name);
        let called = |s: &&Structor| starts_or_ends(index, slice, s.function);
        let left: Vec<Value> = all.iter().filter(called).map(|s| s.element).collect();
        if left.len() == all.len() {
            continue;
        }
        let linkage = list.linkage();
        let element = all[0].element.ty();
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
    // Under its own name, the list would lose empty functions: but a target counts, whatever its body.
    let list = program.global(CONSTRUCTORS).map(Value::global);
    list.inspect(|list| list.set_name("constructors"));
    program.run_passes(PASSES)?;
    list.inspect(|list| list.set_name(CONSTRUCTORS));
    Ok(())
}

/// Runs LLVM's verifier.
pub(super) fn verify(program: &Module) -> Result<()> {
    let Err(why) = program.0.verify() else { return Ok(()) };
    let why = why.to_string();
    let lines: Vec<&str> = why.lines().take(3).map(str::trim).collect();
    bail!("the sliced module is not valid: {}", lines.join("; "))
}

/// A module as bitcode.
pub(crate) fn bitcode(program: &Module) -> Vec<u8> {
    program.0.write_bitcode_to_memory().as_slice().to_vec()
}
