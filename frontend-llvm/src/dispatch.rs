//! Calls of allocation functions through pointers, as in programs that let their users choose an allocator (`hooks->allocate(n)`).
//!
//! ```text
//! p = call fp(n)      -->      p = call dispatch(fp, n)
//!
//! dispatch(fp, n):    if fp == &malloc  return malloc(n)
//!                     if fp == &pool    return pool(n)
//!                     return fp(n)
//! ```
//!
//! Inlined (`heap_context`), each such call allocates an object of its own, as a call by name does. That the last call does not call
//! what was tested for is known to points-to analysis ([`cfa::pointers::refuted_targets`]).

use crate::ir::{Linkage, Module, Opcode, Type, Value};
use crate::raw::{self, ValueKind};
use anyhow::{Context, Result};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FunctionType};
use inkwell::values::BasicValue;
use rustc_hash::{FxHashMap, FxHashSet};

/// The attribute of calls before which the address was compared with functions of their type.
pub(crate) const DISPATCHED: &str = "kerf-dispatched";

/// Maximum number of functions that one call is tested for.
const TESTS: usize = 4;

/// Replaces calls through pointers in `bodies` of the types of `allocators`, as far as the program takes the address of these. Returns
/// the functions that dispatch.
///
/// # Errors
/// LLVM cannot build them.
pub(crate) fn dispatch<'m>(
    program: &Module<'m>,
    bodies: &[Value<'m>],
    allocators: &[Value<'m>],
) -> Result<FxHashSet<Value<'m>>> {
    let mut by_type: FxHashMap<Type<'m>, Vec<Value<'m>>> = FxHashMap::default();
    for f in allocators.iter().filter(|f| has_its_address_taken(**f)) {
        by_type.entry(f.value_type()).or_default().push(*f);
    }
    by_type.retain(|_, candidates| candidates.len() <= TESTS);
    let mut made: FxHashMap<Type<'m>, Value<'m>> = FxHashMap::default();
    if by_type.is_empty() {
        return Ok(FxHashSet::default());
    }
    for call in bodies.iter().flat_map(|f| f.blocks()).flat_map(|b| b.instructions()) {
        let Some(ty) = type_of_indirect_call(call) else { continue };
        let Some(candidates) = by_type.get(&call.called_type()) else { continue };
        let dispatcher = match made.get(&call.called_type()) {
            Some(f) => *f,
            None => dispatcher(program, ty, call.called(), candidates)?,
        };
        made.insert(call.called_type(), dispatcher);
        redirect(program, call, dispatcher);
    }
    Ok(made.into_values().collect())
}

/// Whether something else than a call by name uses a function.
fn has_its_address_taken(f: Value) -> bool {
    let calls = |user: Value<'_>| {
        user.is_instruction()
            && matches!(user.opcode(), Opcode::Call | Opcode::Invoke)
            && user.called() == f
            && !user.call_args().contains(&f)
    };
    f.users().into_iter().any(|user| !calls(user))
}

/// The type of the function that a plain call of an address calls; `None` for other instructions.
fn type_of_indirect_call<'m>(call: Value<'m>) -> Option<FunctionType<'m>> {
    if call.opcode() != Opcode::Call || call.call_convention() != 0 {
        return None;
    }
    let called = call.called();
    let is_address = !called.stripped().is_function() && called.kind() != ValueKind::LLVMInlineAsmValueKind;
    let count = call.call_args().len() as u32;
    // Neither operand bundles nor objects that are passed or returned by value.
    let is_plain = call.n_operands() == count + 1
        && (0..count).all(|i| call.call_byval_type(i).is_none() && call.call_sret_type(i).is_none());
    let ty = call.call().get_called_fn_type();
    (is_address && is_plain && !ty.is_var_arg()).then_some(ty)
}

/// The function that calls `candidates`, all of type `ty`, by name, and other addresses of the type of `address` as they are.
fn dispatcher<'m>(
    program: &Module<'m>,
    ty: FunctionType<'m>,
    address: Value<'m>,
    candidates: &[Value<'m>],
) -> Result<Value<'m>> {
    let context = program.0.get_context();
    let of_values = |ty: Type<'m>| {
        let ty = ty.known().and_then(|ty| BasicTypeEnum::try_from(ty).ok());
        ty.map(BasicMetadataTypeEnum::from).context("a parameter has a type of values")
    };
    let types = std::iter::once(address.ty()).chain(raw::parameter_types(ty));
    let types = types.map(of_values).collect::<Result<Vec<_>>>()?;
    let result = ty.get_return_type().context("an allocator returns an address")?;
    let ty_with_address = inkwell::types::BasicType::fn_type(&result, &types, false);
    let function = program.0.add_function("kerf.dispatch", ty_with_address, Some(Linkage::Internal));
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(function, ""));
    let parameters = raw::parameters(function);
    let (target, arguments) = parameters.split_first().context("the address is a parameter")?;
    let target_address = target.as_basic_value_enum().into_pointer_value();
    for candidate in candidates {
        let known = candidate.function().as_global_value().as_pointer_value();
        let is_it = builder.build_int_compare(IntPredicate::EQ, target_address, known, "")?;
        let (then, next) = (context.append_basic_block(function, ""), context.append_basic_block(function, ""));
        builder.build_conditional_branch(is_it, then, next)?;
        builder.position_at_end(then);
        builder.build_return(Some(&raw::build_call(&builder, ty, *candidate, arguments)))?;
        builder.position_at_end(next);
    }
    let other = raw::build_call(&builder, ty, *target, arguments);
    let mark = context.create_string_attribute(DISPATCHED, "");
    other.call().add_attribute(AttributeLoc::Function, mark);
    builder.build_return(Some(&other))?;
    Ok(Value::of(function))
}

/// Replaces a call of an address by one of `dispatcher`.
fn redirect<'m>(program: &Module<'m>, call: Value<'m>, dispatcher: Value<'m>) {
    let builder = program.0.get_context().create_builder();
    let old = call.instruction();
    builder.position_before(&old);
    let arguments: Vec<Value<'m>> = std::iter::once(call.called()).chain(call.call_args()).collect();
    let new = raw::build_call(&builder, dispatcher.function().get_type(), dispatcher, &arguments);
    new.instruction().set_debug_location(old.get_debug_location());
    call.replace_by(new);
    old.erase_from_basic_block();
}
