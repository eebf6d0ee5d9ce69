//! What inkwell lacks: every call of LLVM's C interface that this crate makes itself, and why.
//!
//! All `unsafe` code of the crate is in this module and its parts: here, `debug` for debug information, and `compat` for what
//! differs between the versions of LLVM. The functions are safe to call: they take inkwell's types where these say what LLVM
//! requires, and check the rest. The line `inkwell:` of each says why it is here. The most frequent reasons:
//!
//! - *kinds*. inkwell's enums cover what a compiler builds. They panic for tokens, metadata, labels, and for the types `x86_amx`,
//!   `x86_mmx` and those of a target. Modules that are only read have all of these, and an analysis must not fail on code that it
//!   does not even execute. So whatever leads from a value or a type to another one is here and has the type [`Value`] or
//!   [`Type`], which stand for any.
//! - *constants*. inkwell builds constants but reads only numbers and strings: it knows neither constant expressions nor elements.
//! - *aliases*. inkwell has neither aliases nor ifuncs.
//!
//! inkwell ties what it hands out to the context. A value must not outlive its module either; the owner of both sees to that (see
//! [`Session`](crate::session::Session)). Nor must a deleted instruction be used: only `emit` and
//! `dispatch` delete any.

pub(crate) mod compat;
pub(crate) mod debug;

use anyhow::{Result, bail};
use inkwell::IntPredicate;
use inkwell::attributes::Attribute;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::{Context, ContextRef};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::transforms::pass_builder::*;
use inkwell::llvm_sys::{LLVMDiagnosticInfo, LLVMDiagnosticSeverity, LLVMOpcode, LLVMType, LLVMValue};
use inkwell::module::Module;
use inkwell::types::{AnyType, AsTypeRef, BasicType, FunctionType, PointerType, StructType};
use inkwell::values::{
    AnyValue, ArrayValue, AsValueRef, BasicValue, BasicValueUse, CallSiteValue, FunctionValue, GlobalValue,
    InstructionOpcode, InstructionValue, PhiValue,
};
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

// inkwell: sorts values and types by what a compiler may do with them, not by these kinds.
pub(crate) use inkwell::llvm_sys::{LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind};

/// Defines a handle of something that lives in a module.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident of $target:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) struct $name<'m> {
            pointer: std::ptr::NonNull<$target>,
            module: std::marker::PhantomData<&'m ()>,
        }

        impl<'m> $name<'m> {
            /// The handle of what a pointer points to; `None` for null.
            ///
            /// # Safety
            /// The pointer comes from LLVM, and what it points to lives as long as `'m` says.
            unsafe fn new(pointer: *mut $target) -> Option<$name<'m>> {
                Some($name { pointer: std::ptr::NonNull::new(pointer)?, module: std::marker::PhantomData })
            }

            fn raw(self) -> *mut $target {
                self.pointer.as_ptr()
            }
        }
    };
}
use handle;

handle! {
    /// A value of any kind: instruction, argument, constant, global, metadata, block, inline assembly.
    Value of LLVMValue
}

handle! {
    /// A type of any kind.
    Type of LLVMType
}

// SAFETY: the pointer is valid, as `Value::new` requires.
unsafe impl AsValueRef for Value<'_> {
    fn as_value_ref(&self) -> LLVMValueRef {
        self.raw()
    }
}
// SAFETY: the pointer is that of a value. inkwell does not itself call the method that panics for some kinds
// (`as_any_value_enum`).
unsafe impl<'m> AnyValue<'m> for Value<'m> {}
// SAFETY: as above. inkwell's builder takes such values; the callers pass no metadata, blocks or assembly.
unsafe impl<'m> BasicValue<'m> for Value<'m> {}

// SAFETY: the pointer is valid, as `Type::new` requires.
unsafe impl AsTypeRef for Type<'_> {
    fn as_type_ref(&self) -> LLVMTypeRef {
        self.raw()
    }
}
// SAFETY: the pointer is that of a type.
unsafe impl<'m> AnyType<'m> for Type<'m> {}
// SAFETY: as above. inkwell's builder takes such types; the callers pass only types that values have.
unsafe impl<'m> BasicType<'m> for Type<'m> {}

/// The `len` bytes at `data` as text.
///
/// # Safety
/// LLVM returned the pointer together with the length of the string that it points to; or it is null.
unsafe fn text(data: *const c_char, len: usize) -> String {
    if data.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

// ---------------------------------------------------------------------------------------------------------------- Context

/// A context, and the errors that LLVM reports to the context's handler instead of returning them.
pub(crate) struct Llvm {
    /// Disposed of before `errors`, to which its handler refers.
    context: Context,
    errors: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect(info: *mut LLVMDiagnosticInfo, list: *mut c_void) {
    // SAFETY: `info` is valid during the call. `list` is the box of the context's owner, which is there as long as the context. The
    // message is the callee's to free.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) as u32 == LLVMDiagnosticSeverity::LLVMDSError as u32 {
            let message = LLVMGetDiagInfoDescription(info);
            let list = &*list.cast::<RefCell<Vec<String>>>();
            list.borrow_mut().push(CStr::from_ptr(message).to_string_lossy().into_owned());
            LLVMDisposeMessage(message);
        }
    }
}

impl Llvm {
    /// A new context.
    pub(crate) fn new() -> Llvm {
        let llvm = Llvm { context: Context::create(), errors: Box::default() };
        llvm.collect_errors();
        llvm
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Makes LLVM report errors to this object. Call it again after inkwell has linked a module: inkwell leaves a handler of its own,
    /// with a pointer into a stack frame that no longer exists.
    ///
    /// inkwell: `set_diagnostic_handler` is private.
    pub(crate) fn collect_errors(&self) {
        let list = (&raw const *self.errors).cast_mut().cast::<c_void>();
        // SAFETY: a live context. The handler's argument points into a box that is dropped after the context.
        unsafe { LLVMContextSetDiagnosticHandler(self.context.raw(), Some(collect), list) };
    }

    /// The last error reported.
    pub(crate) fn last_error(&self) -> Option<String> {
        self.errors.borrow().last().cloned()
    }
}

// SAFETY: it owns a context together with everything that refers to it, so that all of it moves to another thread at once. LLVM allows
// any thread to use a context, one at a time.
unsafe impl Send for crate::provenance::ProgramModule {}

// ----------------------------------------------------------------------------------------------------------------- Module

/// Runs the LLVM passes with these names on a valid module.
///
/// inkwell: `run_passes` requires a target machine. The passes used here need none, and the module's target may not be linked.
///
/// # Errors
/// LLVM does not know one of the passes.
pub(crate) fn run_passes(module: &Module, passes: &CStr) -> Result<()> {
    // SAFETY: a live module; LLVM takes a null machine for none; the options and the error, if any, are disposed of.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.as_mut_ptr(), passes.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if !error.is_null() {
            let text = LLVMGetErrorMessage(error);
            let why = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(text);
            bail!("LLVM's passes: {why}");
        }
    }
    Ok(())
}

/// The data layout of a module, as text.
///
/// inkwell: `get_data_layout` remembers where the text was when the module was parsed. Linking may replace it.
pub(crate) fn data_layout(module: &Module) -> String {
    // SAFETY: a live module, which owns the text.
    let layout = unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(module.as_mut_ptr())) };
    layout.to_string_lossy().into_owned()
}

/// Assembly text at the top level of a module.
///
/// inkwell: only sets it.
pub(crate) fn inline_asm(module: &Module) -> String {
    let mut n = 0;
    // SAFETY: a live module; the text belongs to it.
    unsafe {
        let data = LLVMGetModuleInlineAsm(module.as_mut_ptr(), &raw mut n);
        text(data, n)
    }
}

/// The aliases of a module.
///
/// inkwell: *aliases*.
pub(crate) fn aliases<'m>(module: &Module<'m>) -> Vec<Value<'m>> {
    // SAFETY: a live module, and elements of its list.
    unsafe {
        let first = Value::new(LLVMGetFirstGlobalAlias(module.as_mut_ptr()));
        std::iter::successors(first, |v| Value::new(LLVMGetNextGlobalAlias(v.raw()))).collect()
    }
}

/// The alias with this name.
///
/// inkwell: *aliases*.
pub(crate) fn alias<'m>(module: &Module<'m>, name: &str) -> Option<Value<'m>> {
    // SAFETY: a live module, and a string with its length.
    unsafe { Value::new(LLVMGetNamedGlobalAlias(module.as_mut_ptr(), name.as_ptr().cast(), name.len())) }
}

/// The ifuncs of a module: functions whose code is chosen when the program starts.
///
/// inkwell: *aliases*.
pub(crate) fn ifuncs<'m>(module: &Module<'m>) -> Vec<Value<'m>> {
    // SAFETY: a live module, and elements of its list.
    unsafe {
        let first = Value::new(LLVMGetFirstGlobalIFunc(module.as_mut_ptr()));
        std::iter::successors(first, |v| Value::new(LLVMGetNextGlobalIFunc(v.raw()))).collect()
    }
}

/// Whether a global belongs to a module.
///
/// inkwell: does not lead from a global to its module.
pub(crate) fn is_in_module(global: GlobalValue, module: &Module) -> bool {
    // SAFETY: a live global.
    unsafe { LLVMGetGlobalParent(global.as_value_ref()) == module.as_mut_ptr() }
}

// ------------------------------------------------------------------------------------------------------------------ Types

impl<'m> Type<'m> {
    /// The handle of one of inkwell's types.
    pub(crate) fn of(ty: impl AnyType<'m>) -> Type<'m> {
        let pointer = NonNull::new(ty.as_type_ref()).expect("inkwell's types are not null");
        Type { pointer, module: PhantomData }
    }

    /// inkwell: sorts types otherwise, and has one type for all floats.
    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: a live type.
        unsafe { LLVMGetTypeKind(self.raw()) }
    }

    /// Element type of an array or vector.
    ///
    /// inkwell: *kinds*.
    pub(crate) fn element(self) -> Type<'m> {
        use TypeKind::*;
        let kind = self.kind();
        assert!(matches!(kind, LLVMArrayTypeKind | LLVMVectorTypeKind | LLVMScalableVectorTypeKind), "no elements");
        // SAFETY: a type with elements.
        unsafe { Type::new(LLVMGetElementType(self.raw())) }.expect("elements have a type")
    }

    /// The constant of this type that consists of zero bits.
    ///
    /// inkwell: *kinds*; the same holds for the next two functions.
    pub(crate) fn null(self) -> Value<'m> {
        // SAFETY: the type of a value.
        unsafe { Value::new(LLVMConstNull(self.raw())) }.expect("LLVM makes a constant")
    }

    /// The undefined value of this type.
    pub(crate) fn undef(self) -> Value<'m> {
        // SAFETY: the type of a value.
        unsafe { Value::new(LLVMGetUndef(self.raw())) }.expect("LLVM makes a constant")
    }

    /// The poison value of this type.
    pub(crate) fn poison(self) -> Value<'m> {
        // SAFETY: the type of a value.
        unsafe { Value::new(LLVMGetPoison(self.raw())) }.expect("LLVM makes a constant")
    }
}

/// The types of a struct's fields.
///
/// inkwell: *kinds*.
pub(crate) fn fields(ty: StructType) -> Vec<Type> {
    let mut all = vec![std::ptr::null_mut(); ty.count_fields() as usize];
    // SAFETY: LLVM writes as many types as there are fields.
    unsafe {
        if !all.is_empty() {
            LLVMGetStructElementTypes(ty.as_type_ref(), all.as_mut_ptr());
        }
        all.into_iter().filter_map(|field| Type::new(field)).collect()
    }
}

/// The types of a function's parameters.
///
/// inkwell: *kinds*.
pub(crate) fn parameter_types(ty: FunctionType) -> Vec<Type> {
    let mut all = vec![std::ptr::null_mut(); ty.count_param_types() as usize];
    // SAFETY: LLVM writes as many types as there are parameters.
    unsafe {
        if !all.is_empty() {
            LLVMGetParamTypes(ty.as_type_ref(), all.as_mut_ptr());
        }
        all.into_iter().filter_map(|parameter| Type::new(parameter)).collect()
    }
}

/// The type of a function's result.
///
/// inkwell: *kinds*.
pub(crate) fn return_type(ty: FunctionType) -> Type {
    // SAFETY: a function type.
    unsafe { Type::new(LLVMGetReturnType(ty.as_type_ref())) }.expect("a function has a result type")
}

/// The type of addresses of bytes.
///
/// inkwell: makes it of the context if addresses have no element type (from LLVM 15 on), and otherwise of that type.
pub(crate) fn byte_pointer<'m>(context: ContextRef<'m>) -> PointerType<'m> {
    pointer_to(Type::of(context.i8_type()))
}

fn pointer_to(ty: Type) -> PointerType {
    // SAFETY: a live type, and the default address space.
    unsafe { PointerType::new(LLVMPointerType(ty.raw(), 0)) }
}

/// The number of the address space to which addresses of this type belong.
///
/// inkwell: its `AddressSpace` does not tell its number.
pub(crate) fn address_space(ty: PointerType) -> u32 {
    // SAFETY: a pointer type.
    unsafe { LLVMGetPointerAddressSpace(ty.as_type_ref()) }
}

/// The type that an attribute of `owner` names.
///
/// inkwell: *kinds*, and the type that `get_type_value` returns lives only as long as the attribute.
pub(crate) fn attribute_type<'m>(_owner: Value<'m>, attribute: Attribute) -> Option<Type<'m>> {
    if !attribute.is_type() {
        return None;
    }
    // SAFETY: an attribute with a type, which lives in the owner's context.
    unsafe { Type::new(LLVMGetTypeAttributeValue(attribute.as_mut_ptr())) }
}

// ----------------------------------------------------------------------------------------------------------------- Values

impl<'m> Value<'m> {
    /// The handle of one of inkwell's values.
    pub(crate) fn of(value: impl AnyValue<'m>) -> Value<'m> {
        let pointer = NonNull::new(value.as_value_ref()).expect("inkwell's values are not null");
        Value { pointer, module: PhantomData }
    }

    /// inkwell: sorts values by their types.
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: a live value.
        unsafe { LLVMGetValueKind(self.raw()) }
    }

    /// inkwell: *kinds*.
    pub(crate) fn ty(self) -> Type<'m> {
        // SAFETY: a live value.
        unsafe { Type::new(LLVMTypeOf(self.raw())) }.expect("a value has a type")
    }

    /// The value as a function.
    ///
    /// inkwell: only from enums that panic for other kinds of values; the same holds for the next two functions.
    pub(crate) fn as_function(self) -> Option<FunctionValue<'m>> {
        // SAFETY: a live value; inkwell tests whether it is a function.
        unsafe { FunctionValue::new(self.raw()) }
    }

    /// The value as a function, global variable, alias or ifunc.
    pub(crate) fn as_global(self) -> Option<GlobalValue<'m>> {
        use ValueKind::*;
        let is_global = matches!(
            self.kind(),
            LLVMFunctionValueKind | LLVMGlobalVariableValueKind | LLVMGlobalAliasValueKind | LLVMGlobalIFuncValueKind
        );
        // SAFETY: a global.
        is_global.then(|| unsafe { GlobalValue::new(self.raw()) })
    }

    /// The value as an instruction that calls.
    pub(crate) fn as_call(self) -> Option<CallSiteValue<'m>> {
        use InstructionOpcode::{Call, CallBr, Invoke};
        let is_call = matches!(self.as_instruction_value()?.get_opcode(), Call | Invoke | CallBr);
        // SAFETY: one of the three instructions that call.
        is_call.then(|| unsafe { CallSiteValue::new(self.raw()) })
    }

    /// inkwell: has `get_name` for each type of value, but not for all, and that of instructions panics for some types.
    pub(crate) fn name(self) -> String {
        let mut n = 0;
        // SAFETY: a live value; the name belongs to it.
        unsafe {
            let data = LLVMGetValueName2(self.raw(), &raw mut n);
            text(data, n)
        }
    }

    /// Whether a constant is undefined or poison.
    ///
    /// inkwell: *kinds*; the same holds for the next function.
    pub(crate) fn is_undef(self) -> bool {
        // SAFETY: a live value.
        self.is_poison() || unsafe { LLVMIsUndef(self.raw()) != 0 }
    }

    /// Whether a constant consists of zero bits only.
    pub(crate) fn is_null(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsNull(self.raw()) != 0 }
    }

    /// The number of operands of an instruction or constant; 0 for other values.
    ///
    /// inkwell: counts those of instructions only.
    pub(crate) fn n_operands(self) -> u32 {
        // SAFETY: a live value.
        unsafe { LLVMGetNumOperands(self.raw()).max(0) as u32 }
    }

    /// Operand `i` of an instruction or constant.
    ///
    /// inkwell: *kinds*, and only of instructions.
    pub(crate) fn operand(self, i: u32) -> Value<'m> {
        assert!(i < self.n_operands(), "operand {i} of {}", self.n_operands());
        // SAFETY: there is an operand `i`.
        unsafe { Value::new(LLVMGetOperand(self.raw(), i)) }.expect("no operand is missing")
    }

    /// Replaces all uses of the value by `other`, which has the same type.
    ///
    /// inkwell: replaces an instruction only by an instruction.
    pub(crate) fn replace_by(self, other: Value<'m>) {
        assert!(self != other && self.ty() == other.ty(), "a replacement of another type");
        // SAFETY: two values of the same type.
        unsafe { LLVMReplaceAllUsesWith(self.raw(), other.raw()) };
    }
}

/// The instruction or constant to which a use belongs.
///
/// inkwell: *kinds*.
pub(crate) fn user(usage: BasicValueUse) -> Value {
    // SAFETY: a live use.
    unsafe { Value::new(LLVMGetUser(usage.as_mut_ptr())) }.expect("a use has a user")
}

/// The opcode of a constant expression.
///
/// inkwell: *constants*.
pub(crate) fn const_opcode(expression: Value) -> InstructionOpcode {
    assert_eq!(expression.kind(), ValueKind::LLVMConstantExprValueKind);
    // SAFETY: a constant expression.
    unsafe { LLVMGetConstOpcode(expression.raw()) }.into()
}

/// The predicate of a constant expression that compares integers.
///
/// inkwell: *constants*.
pub(crate) fn const_predicate(expression: Value) -> IntPredicate {
    assert_eq!(const_opcode(expression), InstructionOpcode::ICmp);
    // SAFETY: an integer comparison.
    unsafe { LLVMGetICmpPredicate(expression.raw()) }.into()
}

/// A constant with the same bits and another type of the same width; LLVM computes it if it can.
///
/// inkwell: *constants*; it casts only integers to integers and pointers to pointers.
pub(crate) fn const_bit_cast<'m>(constant: Value<'m>, ty: Type<'m>) -> Value<'m> {
    assert!(constant.is_const(), "a cast of a constant");
    // SAFETY: a constant; the callers choose a type of the same width.
    unsafe { Value::new(LLVMConstBitCast(constant.raw(), ty.raw())) }.expect("LLVM makes a constant")
}

/// A constant array.
///
/// inkwell: `new_const_array` is the same for all versions of LLVM, but not safe, as the elements may have other types.
pub(crate) fn const_array<'m>(element: Type<'m>, elements: &[Value<'m>]) -> ArrayValue<'m> {
    assert!(elements.iter().all(|e| e.is_const() && e.ty() == element), "elements of another type");
    // SAFETY: constants of the element type.
    unsafe { ArrayValue::new_const_array(&element, elements) }
}

// ---------------------------------------------------------------------------------------------------------------- Globals

/// The type of the contents of a global, or a function's type.
///
/// inkwell: *kinds*.
pub(crate) fn value_type(global: GlobalValue) -> Type {
    // SAFETY: a live global.
    unsafe { Type::new(LLVMGlobalGetValueType(global.as_value_ref())) }.expect("a global has a type")
}

/// The initial contents of a global variable.
///
/// inkwell: *kinds*.
pub(crate) fn initializer(global: GlobalValue) -> Option<Value> {
    let global = Value::of(global);
    // SAFETY: a global variable.
    let get = || unsafe { Value::new(LLVMGetInitializer(global.raw())) };
    if global.kind() == ValueKind::LLVMGlobalVariableValueKind { get() } else { None }
}

/// What an alias stands for.
///
/// inkwell: *aliases*.
pub(crate) fn aliasee(alias: Value) -> Value {
    assert_eq!(alias.kind(), ValueKind::LLVMGlobalAliasValueKind);
    // SAFETY: an alias.
    unsafe { Value::new(LLVMAliasGetAliasee(alias.raw())) }.expect("an alias stands for something")
}

/// Takes a definition out of its comdat, the group of definitions that are linked together or not at all.
///
/// inkwell: `set_comdat` takes no null.
pub(crate) fn leave_comdat(definition: GlobalValue) {
    assert!(Value::of(definition).kind() != ValueKind::LLVMGlobalAliasValueKind, "aliases are in no group");
    // SAFETY: a function or variable; null stands for no group.
    unsafe { inkwell::llvm_sys::comdat::LLVMSetComdat(definition.as_value_ref(), std::ptr::null_mut()) };
}

/// Removes a global variable, which nothing may use afterwards.
///
/// inkwell: the same, but not safe.
pub(crate) fn delete_global(variable: GlobalValue) {
    // SAFETY: a variable of a module; the callers hold no other reference to it.
    unsafe { variable.delete() };
}

/// Deletes a function that is not used.
///
/// inkwell: has no safe function for it.
pub(crate) fn delete_function(function: FunctionValue) {
    assert!(function.as_global_value().as_pointer_value().get_first_use().is_none(), "a function in use");
    // SAFETY: a function of a module, to which nothing refers.
    unsafe { function.delete() }
}

/// Parameters of a function.
///
/// inkwell: *kinds*.
pub(crate) fn parameters(function: FunctionValue) -> Vec<Value> {
    let mut all = vec![std::ptr::null_mut(); function.count_params() as usize];
    // SAFETY: LLVM writes as many values as there are parameters.
    unsafe {
        if !all.is_empty() {
            LLVMGetParams(function.as_value_ref(), all.as_mut_ptr());
        }
        all.into_iter().filter_map(|parameter| Value::new(parameter)).collect()
    }
}

// ----------------------------------------------------------------------------------------------------------- Instructions

/// The name of an opcode, as in LLVM's text.
///
/// inkwell: has names of its own.
pub(crate) fn opcode_name(opcode: InstructionOpcode) -> String {
    let name = format!("{:?}", Into::<LLVMOpcode>::into(opcode));
    name.strip_prefix("LLVM").unwrap_or(&name).to_lowercase()
}

/// The blocks to which a terminator may lead.
///
/// inkwell: no equivalent.
pub(crate) fn successors(inst: InstructionValue) -> Vec<BasicBlock> {
    if !inst.is_terminator() {
        return Vec::new();
    }
    // SAFETY: a terminator, and numbers of its successors.
    unsafe {
        let n = LLVMGetNumSuccessors(inst.as_value_ref());
        (0..n).filter_map(|i| BasicBlock::new(LLVMGetSuccessor(inst.as_value_ref(), i))).collect()
    }
}

/// Changes the block to which a terminator leads.
///
/// inkwell: no equivalent.
pub(crate) fn set_successor(inst: InstructionValue, i: u32, to: BasicBlock) {
    assert!((i as usize) < successors(inst).len(), "a terminator with fewer successors");
    // SAFETY: a terminator with a successor `i`.
    unsafe { LLVMSetSuccessor(inst.as_value_ref(), i, to.as_mut_ptr()) };
}

/// The block where control continues when the callee of an invoke returns.
///
/// inkwell: no equivalent.
pub(crate) fn normal_destination(invoke: InstructionValue) -> BasicBlock {
    assert_eq!(invoke.get_opcode(), InstructionOpcode::Invoke);
    // SAFETY: an invoke.
    unsafe { BasicBlock::new(LLVMGetNormalDest(invoke.as_value_ref())) }.expect("an invoke continues")
}

/// The values of a phi node, each with the block from which it comes.
///
/// inkwell: *kinds*.
pub(crate) fn incoming(phi: PhiValue) -> Vec<(Value, BasicBlock)> {
    let pointer = phi.as_value_ref();
    let one = |i| {
        // SAFETY: a phi node with a value `i`.
        unsafe {
            let value = Value::new(LLVMGetIncomingValue(pointer, i))?;
            Some((value, BasicBlock::new(LLVMGetIncomingBlock(pointer, i))?))
        }
    };
    (0..phi.count_incoming()).filter_map(one).collect()
}

/// The type of the slot that an `alloca` allocates.
///
/// inkwell: *kinds*.
pub(crate) fn allocated_type(alloca: InstructionValue) -> Type {
    assert_eq!(alloca.get_opcode(), InstructionOpcode::Alloca);
    // SAFETY: an `alloca`.
    unsafe { Type::new(LLVMGetAllocatedType(alloca.as_value_ref())) }.expect("a slot has a type")
}

/// The type in which a `getelementptr`, instruction or constant, finds an element.
///
/// inkwell: *kinds*, and only of instructions.
pub(crate) fn gep_source_type(gep: Value) -> Type {
    let opcode = match gep.as_instruction_value() {
        Some(inst) => inst.get_opcode(),
        None => const_opcode(gep),
    };
    assert_eq!(opcode, InstructionOpcode::GetElementPtr);
    // SAFETY: a `getelementptr`.
    unsafe { Type::new(LLVMGetGEPSourceElementType(gep.raw())) }.expect("there is a type")
}

/// The mask of a `shufflevector`; -1 for poison.
///
/// inkwell: no equivalent.
pub(crate) fn shuffle_mask(shuffle: InstructionValue) -> Vec<i32> {
    assert_eq!(shuffle.get_opcode(), InstructionOpcode::ShuffleVector);
    let pointer = shuffle.as_value_ref();
    // SAFETY: a `shufflevector`, and indices of its mask.
    unsafe { (0..LLVMGetNumMaskElements(pointer)).map(|i| LLVMGetMaskValue(pointer, i)).collect() }
}

/// What a call calls: a function, an address, or assembly.
///
/// inkwell: only functions, and only of the type that the call expects.
pub(crate) fn called(call: CallSiteValue) -> Value {
    // SAFETY: a call.
    unsafe { Value::new(LLVMGetCalledValue(call.as_value_ref())) }.expect("a call calls something")
}

/// Deletes a block.
///
/// inkwell: the same, but not safe.
pub(crate) fn delete_block(block: BasicBlock) {
    // SAFETY: a block of a function; the callers leave no branch to it, and LLVM replaces its address.
    unsafe { block.delete() }.expect("the block is in a function");
}

/// Builds a call, at the builder's position, of an address with a function's type.
///
/// inkwell: `build_call` takes an address before LLVM 15, `build_indirect_call` from then on.
pub(crate) fn build_call<'m>(
    builder: &Builder<'m>,
    ty: FunctionType<'m>,
    callee: Value<'m>,
    arguments: &[Value<'m>],
) -> Value<'m> {
    assert!(parameter_types(ty).into_iter().eq(arguments.iter().map(|a| a.ty())), "arguments of the parameters' types");
    let mut arguments: Vec<LLVMValueRef> = arguments.iter().map(|a| a.raw()).collect();
    let count = arguments.len() as u32;
    // SAFETY: the arguments have the types of the parameters; the result of the call has no name.
    let call = unsafe {
        let (builder, callee) = (builder.as_mut_ptr(), callee.raw());
        Value::new(LLVMBuildCall2(builder, ty.as_type_ref(), callee, arguments.as_mut_ptr(), count, c"".as_ptr()))
    };
    call.expect("LLVM builds calls")
}

/// The address of a function as one of a function of type `ty`. Old C may have declared it with another type.
pub(crate) fn address_as<'m>(function: Value<'m>, ty: FunctionType<'m>) -> Value<'m> {
    const_bit_cast(function, Type::of(pointer_to(Type::of(ty))))
}
