//! Distinguishes heap objects by call string: small functions that return fresh memory are inlined into their callers.
//!
//! A heap block is named by the instruction that allocates it. If a program allocates through one function of its own (`xmalloc`,
//! `new_node`), all its blocks would be one object with one content. Such a wrapper is inlined, so that each of its call sites
//! allocates a separate object; wrappers of wrappers yield longer call strings. This is the specialisation by cloning of Nystrom,
//! Kim, Hwu, "Importance of heap specialization in pointer analysis" (PASTE 2004). LLVM's own inliner does the work before
//! anything else looks at the module, so edges, lines and slices refer to the inlined code. Calls through pointers are first
//! made calls of such functions ([`dispatch`](mod@crate::dispatch)).
//!
//! *Not* inlined are functions that a property, a criterion or the entry names; recursive functions; calls
//! with other types; and functions that read an input of the program, so that each input keeps its call site.

use crate::builtin::Builtin;
use crate::dispatch::dispatch;
use crate::ir::{AttributeLoc, Linkage, Module, Opcode, Value};
use crate::resolve::{Callee, Resolver};
use anyhow::Result;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::CStr;

/// Maximum number of instructions of a wrapper.
const WRAPPER_INSTRUCTIONS: usize = 40;
/// Maximum number of instructions that inlining adds, as a multiple of the module's instructions.
const GROWTH: usize = 1;
/// Number of instructions that inlining may add to even the smallest module.
const SMALL_MODULE: usize = 1000;

const INLINER: &CStr = c"always-inline";
const ALWAYS_INLINE: &str = "alwaysinline";

/// A small function that returns an address, presumably of memory that it allocates.
struct Wrapper<'m> {
    function: Value<'m>,
    instructions: usize,
    /// Whether it calls `malloc` or a similar function.
    allocates: bool,
    /// Functions with a body that it calls; restricted to wrappers in the end.
    calls: Vec<Value<'m>>,
}

/// Inlines the calls of wrappers that are up to `depth` calls away from the allocation, except functions for which `named` holds.
///
/// # Errors
/// LLVM's inliner fails.
pub(crate) fn specialise<'m>(
    program: &Module<'m>,
    resolver: &mut Resolver<'_, 'm>,
    depth: u32,
    named: impl Fn(Value<'m>) -> bool,
) -> Result<()> {
    if depth == 0 {
        return Ok(());
    }
    let functions = program.functions();
    let bodies: Vec<Value> = functions.iter().copied().filter(|f| !f.is_declaration()).collect();
    let mut allocators: Vec<Value> =
        wrappers(&bodies, resolver, &named, &FxHashSet::default()).into_iter().map(|w| w.function).collect();
    let is_undefined = |f: &Value<'m>| f.is_declaration() && !named(*f);
    allocators.extend(functions.into_iter().filter(is_undefined).filter(|f| allocates(&resolver.callee(*f))));
    let dispatchers = dispatch(program, &bodies, &allocators)?;
    let bodies: Vec<Value> = bodies.into_iter().chain(dispatchers.iter().copied()).collect();
    let heights = heights(wrappers(&bodies, resolver, &named, &dispatchers));
    let calls = chosen(&bodies, &heights, depth);
    if calls.is_empty() {
        return Ok(());
    }
    // Functions that the program itself marks `alwaysinline` are left alone.
    let marked: Vec<Value> =
        bodies.into_iter().filter(|f| f.has_attribute(AttributeLoc::Function, ALWAYS_INLINE)).collect();
    marked.iter().for_each(|f| f.remove_attribute(AttributeLoc::Function, ALWAYS_INLINE));
    calls.iter().for_each(|call| call.add_call_attribute(AttributeLoc::Function, ALWAYS_INLINE));
    let result = program.run_passes(INLINER);
    marked.iter().for_each(|f| f.add_attribute(AttributeLoc::Function, ALWAYS_INLINE));
    result
}

/// Whether a function returns fresh memory by what it is.
fn allocates(callee: &Callee) -> bool {
    use Builtin::*;
    matches!(
        callee,
        Callee::Builtin(
            Malloc
                | New
                | Calloc
                | Realloc
                | ReallocArray
                | AlignedAlloc
                | AlignedNew
                | RustAlloc
                | RustZeroed
                | RustRealloc
        )
    )
}

/// Functions that allocate memory and return an address, and that are safe to copy. `dispatchers` are, although they call an address.
fn wrappers<'m>(
    bodies: &[Value<'m>],
    resolver: &mut Resolver<'_, 'm>,
    named: impl Fn(Value<'m>) -> bool,
    dispatchers: &FxHashSet<Value<'m>>,
) -> Vec<Wrapper<'m>> {
    let unnamed = bodies.iter().filter(|f| !named(**f));
    let mut small: Vec<Wrapper> = unnamed.filter_map(|f| small_function(*f, resolver, dispatchers)).collect();
    let mut found: FxHashSet<Value> = FxHashSet::default();
    // A caller of a wrapper is itself a wrapper. Few rounds suffice, because wrappers of wrappers are rare.
    loop {
        let before = found.len();
        for w in &small {
            if w.allocates || w.calls.iter().any(|f| found.contains(f)) {
                found.insert(w.function);
            }
        }
        if found.len() == before {
            break;
        }
    }
    small.retain(|w| found.contains(&w.function));
    small.iter_mut().for_each(|w| w.calls.retain(|f| found.contains(f)));
    small
}

/// Recognises a function that returns an address and that is safe to copy.
fn small_function<'m>(
    f: Value<'m>,
    resolver: &mut Resolver<'_, 'm>,
    dispatchers: &FxHashSet<Value<'m>>,
) -> Option<Wrapper<'m>> {
    let ty = f.value_type();
    let sure = matches!(f.linkage(), Linkage::External | Linkage::Internal | Linkage::Private);
    if !ty.returns().is_pointer() || ty.is_variadic() || !sure {
        return None;
    }
    let entry = f.entry_block();
    let mut wrapper = Wrapper { function: f, instructions: 0, allocates: false, calls: Vec::new() };
    for inst in f.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| !i.is_debug_instruction()) {
        wrapper.instructions += 1;
        let plain = match inst.opcode() {
            // A slot that is not allocated once at the entry lives until its function returns.
            Opcode::Alloca => inst.parent() == entry && inst.operand(0).is_constant(),
            Opcode::Call if dispatchers.contains(&f) && !inst.called().is_function() => true,
            Opcode::Call => wrapper.may_call(inst, resolver),
            Opcode::Invoke | Opcode::CallBr | Opcode::IndirectBr => false,
            _ => true,
        };
        if !plain || wrapper.instructions > WRAPPER_INSTRUCTIONS {
            return None;
        }
    }
    Some(wrapper)
}

impl<'m> Wrapper<'m> {
    /// Records a call, and returns whether it may be copied. Inputs of the program may not, because they are numbered by call
    /// site.
    fn may_call(&mut self, call: Value<'m>, resolver: &mut Resolver<'_, 'm>) -> bool {
        use Builtin::*;
        let callee = call.called();
        if !callee.is_function() {
            return false;
        }
        match resolver.callee(callee) {
            Callee::Body(f) => self.calls.push(f),
            ref callee if allocates(callee) => self.allocates = true,
            Callee::Builtin(Free | End | Exit | Nothing | Copy | CopyToEnd | Move | Fill | Zero) => {}
            Callee::Builtin(_) => return false,
            Callee::Target | Callee::Intrinsic => {}
            Callee::Unmodelled | Callee::Replaced | Callee::External => return !call.has_users(),
        }
        true
    }
}

/// The wrappers, each with the length of the longest chain of wrapper calls that it starts and with its size after inlining.
/// Wrappers in cycles are left out.
fn heights<'m>(wrappers: Vec<Wrapper<'m>>) -> FxHashMap<Value<'m>, (u32, usize)> {
    let mut known: FxHashMap<Value, (u32, usize)> = FxHashMap::default();
    let mut open = wrappers;
    loop {
        let before = open.len();
        open.retain(|w| {
            let below: Option<Vec<(u32, usize)>> = w.calls.iter().map(|f| known.get(f).copied()).collect();
            let Some(below) = below else { return true };
            let height = 1 + below.iter().map(|b| b.0).max().unwrap_or(0);
            known.insert(w.function, (height, w.instructions + below.iter().map(|b| b.1).sum::<usize>()));
            false
        });
        if open.len() == before {
            return known;
        }
    }
}

/// The calls to inline: those of the smallest wrappers first, as long as the module does not grow too much.
fn chosen<'m>(bodies: &[Value<'m>], heights: &FxHashMap<Value<'m>, (u32, usize)>, depth: u32) -> Vec<Value<'m>> {
    let height = |f: &Value| heights.get(f).map_or(u32::MAX, |h| h.0);
    let mut calls = Vec::new();
    let mut instructions = 0;
    for &f in bodies {
        for inst in f.blocks().into_iter().flat_map(|b| b.instructions()) {
            instructions += 1;
            if inst.opcode() != Opcode::Call {
                continue;
            }
            let callee = inst.called();
            // A caller has a greater height than its callee, so that no copy calls its original.
            if height(&callee) <= depth && height(&callee) < height(&f) && inst.called_type() == callee.value_type() {
                calls.push((heights[&callee].1, inst));
            }
        }
    }
    calls.sort_by_key(|(size, _)| *size);
    let mut room = (GROWTH * instructions).max(SMALL_MODULE);
    let fits = |(size, _): &(usize, Value)| {
        let fits = *size <= room;
        room -= if fits { *size } else { 0 };
        fits
    };
    calls.retain(fits);
    calls.into_iter().map(|(_, call)| call).collect()
}
