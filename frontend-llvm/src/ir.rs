//! A uniform, copyable view of a module: its values, types and blocks, on top of inkwell.
//!
//! inkwell has a type for each class of values. Most code here walks over values of any class, among them some that inkwell cannot
//! represent; it sees them as [`Value`] and [`Type`], whose methods call inkwell, or `raw` for what inkwell lacks. A method that is
//! meant for one kind of values panics for others.
//!
//! The lifetime `'m` is that of the modules.

use crate::raw::{self, compat};
use anyhow::Result;
use cfa::bv::Bv;
use inkwell::attributes::Attribute;
use inkwell::basic_block::BasicBlock;
use inkwell::context::ContextRef;
use inkwell::types::{AnyType, AnyTypeEnum, BasicType, FunctionType};
use inkwell::values::{AnyValue, BasicValue, CallSiteValue, FunctionValue, GlobalValue, InstructionValue, PhiValue};
use num_bigint::{BigInt, BigUint};
use std::ffi::CStr;

pub(crate) use crate::raw::{Type, TypeKind, Value, ValueKind};
pub(crate) use inkwell::attributes::AttributeLoc;
pub(crate) use inkwell::module::Linkage;
pub(crate) use inkwell::values::InstructionOpcode as Opcode;
use inkwell::values::UnnamedAddress;
pub(crate) use inkwell::{AtomicRMWBinOp as RmwOp, FloatPredicate, IntPredicate};

/// A module.
pub(crate) struct Module<'m>(pub inkwell::module::Module<'m>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block<'m>(pub BasicBlock<'m>);

/// Whether an opcode casts between integers and addresses and keeps the bits that both types have.
pub(crate) fn casts_bits(opcode: Opcode) -> bool {
    use Opcode::*;
    makes_integer_of_address(opcode) || matches!(opcode, Trunc | ZExt | SExt | IntToPtr | BitCast | AddrSpaceCast)
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: Opcode) -> bool {
    compat::makes_integer_of_address(opcode)
}

/// Whether an atomic operation adds one and wraps around to zero at a limit.
pub(crate) fn wraps_at_limit(op: RmwOp) -> bool {
    compat::wraps_at_limit(op)
}

/// An attribute without a value; the name is known to every supported LLVM.
fn attribute(context: ContextRef, name: &str) -> Attribute {
    context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
}

/// LLVM's number for an attribute; `None` if this LLVM does not know it.
fn attribute_kind(name: &str) -> Option<u32> {
    Some(Attribute::get_named_enum_kind_id(name)).filter(|kind| *kind != 0)
}

impl<'m> Module<'m> {
    /// The target triple: processor, vendor and system.
    pub(crate) fn triple(&self) -> String {
        self.0.get_triple().as_str().to_string_lossy().into_owned()
    }

    /// The function with this name.
    pub(crate) fn function(&self, name: &str) -> Option<Value<'m>> {
        // inkwell takes what precedes a null character for the name.
        if name.contains('\0') { None } else { self.0.get_function(name).map(Value::of) }
    }

    pub(crate) fn functions(&self) -> Vec<Value<'m>> {
        self.0.get_functions().map(Value::of).collect()
    }

    /// The global variable with this name.
    pub(crate) fn global(&self, name: &str) -> Option<Value<'m>> {
        if name.contains('\0') { None } else { self.0.get_global(name).map(Value::of) }
    }

    pub(crate) fn globals(&self) -> Vec<Value<'m>> {
        self.0.get_globals().map(Value::of).collect()
    }

    /// Whether wide characters have two bytes, as on Windows.
    pub(crate) fn has_short_wide_characters(&self) -> bool {
        self.0.get_flag("wchar_size").is_some_and(|size| size.to_string().contains("i32 2"))
    }

    pub(crate) fn alias(&self, name: &str) -> Option<Value<'m>> {
        raw::alias(&self.0, name)
    }

    pub(crate) fn aliases(&self) -> Vec<Value<'m>> {
        raw::aliases(&self.0)
    }

    pub(crate) fn ifuncs(&self) -> Vec<Value<'m>> {
        raw::ifuncs(&self.0)
    }

    /// Assembly text at the top level of the module.
    pub(crate) fn inline_asm(&self) -> String {
        raw::inline_asm(&self.0)
    }

    /// Runs the LLVM passes with these names on a valid module.
    ///
    /// # Errors
    /// LLVM does not know one of the passes.
    pub(crate) fn run_passes(&self, passes: &CStr) -> Result<()> {
        raw::run_passes(&self.0, passes)
    }
}

impl<'m> Type<'m> {
    /// The type as inkwell's, if that is of a kind that inkwell knows.
    pub(crate) fn known(self) -> Option<AnyTypeEnum<'m>> {
        use TypeKind::*;
        let known = matches!(
            self.kind(),
            LLVMVoidTypeKind
                | LLVMHalfTypeKind
                | LLVMBFloatTypeKind
                | LLVMFloatTypeKind
                | LLVMDoubleTypeKind
                | LLVMX86_FP80TypeKind
                | LLVMFP128TypeKind
                | LLVMPPC_FP128TypeKind
                | LLVMIntegerTypeKind
                | LLVMFunctionTypeKind
                | LLVMStructTypeKind
                | LLVMArrayTypeKind
                | LLVMPointerTypeKind
                | LLVMVectorTypeKind
                | LLVMScalableVectorTypeKind
        );
        known.then(|| self.as_any_type_enum())
    }

    fn function_type(self) -> FunctionType<'m> {
        match self.known() {
            Some(AnyTypeEnum::FunctionType(ty)) => ty,
            _ => panic!("{} is not a function type", self.print()),
        }
    }

    pub(crate) fn int_width(self) -> u32 {
        match self.known() {
            Some(AnyTypeEnum::IntType(ty)) => ty.get_bit_width(),
            _ => panic!("{} is not an integer type", self.print()),
        }
    }

    pub(crate) fn is_sized(self) -> bool {
        BasicType::is_sized(&self)
    }

    /// Types of the fields of a struct; empty for other types.
    pub(crate) fn fields(self) -> Vec<Type<'m>> {
        match self.known() {
            Some(AnyTypeEnum::StructType(ty)) => raw::fields(ty),
            _ => Vec::new(),
        }
    }

    pub(crate) fn array_len(self) -> u64 {
        match self.known() {
            Some(AnyTypeEnum::ArrayType(ty)) => compat::array_length(ty),
            _ => panic!("{} is not an array type", self.print()),
        }
    }

    pub(crate) fn vector_len(self) -> u64 {
        match self.known() {
            Some(AnyTypeEnum::VectorType(ty)) => u64::from(ty.get_size()),
            _ => panic!("{} is not a vector type", self.print()),
        }
    }

    /// The address space of a pointer type; 0, the default one, for other types.
    pub(crate) fn address_space(self) -> u32 {
        match self.known() {
            Some(AnyTypeEnum::PointerType(ty)) => raw::address_space(ty),
            _ => 0,
        }
    }

    /// Return type of a function type.
    pub(crate) fn returns(self) -> Type<'m> {
        raw::return_type(self.function_type())
    }

    /// Whether a function type is variadic.
    pub(crate) fn is_variadic(self) -> bool {
        self.function_type().is_var_arg()
    }

    /// Parameter types of a function type.
    pub(crate) fn params(self) -> Vec<Type<'m>> {
        raw::parameter_types(self.function_type())
    }

    pub(crate) fn print(self) -> String {
        self.print_to_string().to_string()
    }

    pub(crate) fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    pub(crate) fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    pub(crate) fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    /// The element type of a vector, or the type itself.
    pub(crate) fn scalar(self) -> Type<'m> {
        if self.is_vector() { self.element() } else { self }
    }
}

impl<'m> Block<'m> {
    pub(crate) fn instructions(self) -> Vec<Value<'m>> {
        self.0.get_instructions().map(Value::of).collect()
    }

    pub(crate) fn function(self) -> Value<'m> {
        Value::of(self.0.get_parent().expect("a block is in a function"))
    }

    pub(crate) fn name(self) -> String {
        self.0.get_name().to_string_lossy().into_owned()
    }

    /// The constants and instructions that refer to a block.
    pub(crate) fn users(self) -> Vec<Value<'m>> {
        std::iter::successors(self.0.get_first_use(), |usage| usage.get_next_use()).map(raw::user).collect()
    }

    pub(crate) fn begins_with_phi(self) -> bool {
        self.0.get_first_instruction().is_some_and(|first| first.get_opcode() == Opcode::Phi)
    }

    pub(crate) fn terminator(self) -> Option<Value<'m>> {
        self.0.get_terminator().map(Value::of)
    }

    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        self.terminator().map_or(Vec::new(), Value::successors)
    }
}

/// Values of any kind.
impl<'m> Value<'m> {
    pub(crate) fn print(self) -> String {
        self.print_to_string().to_string()
    }

    pub(crate) fn is_constant(self) -> bool {
        self.is_const()
    }

    pub(crate) fn users(self) -> Vec<Value<'m>> {
        std::iter::successors(self.get_first_use(), |usage| usage.get_next_use()).map(raw::user).collect()
    }

    pub(crate) fn has_users(self) -> bool {
        self.get_first_use().is_some()
    }

    /// What an alias, a cast or the address of an object's first part ultimately refers to.
    pub(crate) fn stripped(self) -> Value<'m> {
        let mut v = self;
        loop {
            v = match v.kind() {
                ValueKind::LLVMGlobalAliasValueKind => v.aliasee(),
                ValueKind::LLVMConstantExprValueKind
                    if matches!(
                        v.const_opcode(),
                        Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::PtrToInt | Opcode::IntToPtr
                    ) =>
                {
                    v.operand(0)
                }
                // LLVM 14 uses this for the address of a string's first character.
                ValueKind::LLVMConstantExprValueKind
                    if v.const_opcode() == Opcode::GetElementPtr
                        && (1..v.n_operands()).all(|i| v.operand(i).is_null()) =>
                {
                    v.operand(0)
                }
                _ => return v,
            }
        }
    }

    /// The value below a chain of pointer bitcasts, which may be instructions or constants.
    pub(crate) fn without_bitcasts(self) -> Value<'m> {
        let mut v = self;
        loop {
            let cast = match v.kind() {
                ValueKind::LLVMInstructionValueKind => v.opcode() == Opcode::BitCast,
                ValueKind::LLVMConstantExprValueKind => v.const_opcode() == Opcode::BitCast,
                _ => false,
            };
            if !cast {
                return v;
            }
            v = v.operand(0);
        }
    }

    pub(crate) fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    pub(crate) fn is_instruction(self) -> bool {
        self.as_instruction_value().is_some()
    }
}

/// Constants.
impl<'m> Value<'m> {
    /// Element `i` of a constant of plain data (a sequence of numbers).
    pub(crate) fn aggregate_element(self, i: u32) -> Option<Value<'m>> {
        compat::element(self, i)
    }

    /// The bytes of a constant array of plain data.
    pub(crate) fn raw_data(self) -> Vec<u8> {
        compat::raw_data(self)
    }

    /// Opcode of a constant expression.
    pub(crate) fn const_opcode(self) -> Opcode {
        raw::const_opcode(self)
    }

    /// The block whose address a constant is.
    pub(crate) fn block_address_block(self) -> Block<'m> {
        Block(compat::block_of_address(self))
    }

    /// Whether an instruction on floating-point numbers may be replaced by one that yields other numbers (`-ffast-math`).
    pub(crate) fn has_loose_floats(self) -> bool {
        let floats = self.opcode() == Opcode::FCmp || crate::layout::float_format(self.ty().scalar()).is_some();
        floats && compat::has_loose_floats(self.instruction())
    }

    /// Whether a `cmpxchg` may fail although the values are equal.
    pub(crate) fn is_weak(self) -> bool {
        let text = self.instruction().print_to_string().to_string();
        text.split_whitespace().skip_while(|word| *word != "cmpxchg").nth(1) == Some("weak")
    }

    /// The text of inline assembly.
    pub(crate) fn asm_text(self) -> String {
        let [text, _] = compat::assembly(self);
        text
    }

    /// Whether a call is of inline assembly in Intel's dialect. LLVM's C interface does not say so in all versions, but its text does.
    pub(crate) fn calls_intel_assembly(self) -> bool {
        let text = self.instruction().print_to_string().to_string();
        // The pieces alternate between outside and inside of quotes.
        text.split('"').step_by(2).any(|piece| piece.split_whitespace().any(|word| word == "inteldialect"))
    }

    /// The constraints of inline assembly on its operands, separated by commas.
    pub(crate) fn asm_constraints(self) -> String {
        let [_, constraints] = compat::assembly(self);
        constraints
    }

    /// Whether a call's function may return several times, as `setjmp` does.
    pub(crate) fn returns_twice(self) -> bool {
        let (at, called) = (AttributeLoc::Function, self.called());
        attribute_kind("returns_twice").is_some_and(|kind| self.call().get_enum_attribute(at, kind).is_some())
            || called.is_function() && called.has_attribute(at, "returns_twice")
    }

    /// Whether a call, or a function, is declared to neither read nor change memory, so that its result depends on its arguments alone (in
    /// C, `__attribute__((const))`).
    pub(crate) fn is_declared_const(self) -> bool {
        let at = AttributeLoc::Function;
        let function = if self.is_function() { Some(self) } else { Some(self.called()).filter(|f| f.is_function()) };
        let declared = |name: &str| {
            let kind = attribute_kind(name)?;
            let of_call = if self.is_function() { None } else { self.call().get_enum_attribute(at, kind) };
            of_call.or_else(|| function?.function().get_enum_attribute(at, kind))
        };
        // Before LLVM 16, an attribute of its own; then a set of effects, of which there are none.
        declared("memory").map_or_else(|| declared("readnone").is_some(), |effects| effects.get_enum_value() == 0)
    }

    /// The value of an integer constant.
    pub(crate) fn int_value(self) -> Bv {
        let width = self.ty().int_width();
        if let Some(value) = self.as_basic_value_enum().into_int_value().get_zero_extended_constant() {
            return Bv::new(width, value);
        }
        // LLVM's C interface gives access to more than 64 bits only through the text: `i128 -5`.
        let text = self.print();
        let digits = text.rsplit(' ').next().unwrap_or("0");
        let value: BigInt = digits.parse().unwrap_or_default();
        let modulus = BigInt::from(1) << width;
        let wrapped = ((value % &modulus) + &modulus) % &modulus;
        Bv::from_big(width, &BigUint::try_from(wrapped).unwrap_or_default())
    }

    /// The bit pattern of a floating-point constant of `width` bits.
    pub(crate) fn float_bits(self, width: u32) -> Option<Bv> {
        let AnyTypeEnum::FloatType(ty) = self.ty().known()? else { return None };
        let integer = ty.get_context().custom_width_int_type(width.try_into().ok()?).ok()?;
        // The cast folds to a number.
        let bits = raw::const_bit_cast(self, Type::of(integer));
        (bits.kind() == ValueKind::LLVMConstantIntValueKind).then(|| bits.int_value())
    }
}

/// Globals and functions.
impl<'m> Value<'m> {
    pub(crate) fn global(self) -> GlobalValue<'m> {
        self.as_global().expect("a global")
    }

    pub(crate) fn function(self) -> FunctionValue<'m> {
        self.as_function().expect("a function")
    }

    pub(crate) fn value_type(self) -> Type<'m> {
        raw::value_type(self.global())
    }

    pub(crate) fn is_declaration(self) -> bool {
        self.global().is_declaration()
    }

    pub(crate) fn is_externally_initialized(self) -> bool {
        self.global().is_externally_initialized()
    }

    pub(crate) fn linkage(self) -> Linkage {
        self.global().get_linkage()
    }

    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        raw::initializer(self.global())
    }

    pub(crate) fn is_constant_global(self) -> bool {
        self.global().is_constant()
    }

    /// Whether the address of a function or variable is insignificant (`unnamed_addr` or `local_unnamed_addr`), so that another one
    /// may have the same address.
    pub(crate) fn is_unnamed(self) -> bool {
        self.global().get_unnamed_address() != UnnamedAddress::None
    }

    /// The section that a definition asks for; empty if it does not.
    pub(crate) fn section(self) -> String {
        self.global().get_section().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    pub(crate) fn aliasee(self) -> Value<'m> {
        raw::aliasee(self)
    }

    /// The global that an alias refers to, as a whole or in part.
    pub(crate) fn aliased_object(self) -> Value<'m> {
        let mut v = self.aliasee();
        while v.kind() == ValueKind::LLVMConstantExprValueKind && v.n_operands() > 0 {
            v = v.operand(0);
        }
        if v.kind() == ValueKind::LLVMGlobalAliasValueKind { v.aliased_object() } else { v }
    }

    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        self.function().get_basic_block_iter().map(Block).collect()
    }

    pub(crate) fn entry_block(self) -> Block<'m> {
        Block(self.function().get_first_basic_block().expect("a function with a body"))
    }

    pub(crate) fn params(self) -> Vec<Value<'m>> {
        raw::parameters(self.function())
    }

    /// The number of an intrinsic; 0 for other functions.
    pub(crate) fn intrinsic_id(self) -> u32 {
        self.function().get_intrinsic_id()
    }

    /// Whether a function has an attribute.
    pub(crate) fn has_attribute(self, at: AttributeLoc, name: &str) -> bool {
        attribute_kind(name).is_some_and(|kind| self.function().get_enum_attribute(at, kind).is_some())
    }

    /// The value of a string attribute of a function, such as `"target-cpu"`; `None` if the function does not have it.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let attribute = self.function().get_string_attribute(AttributeLoc::Function, name)?;
        Some(attribute.get_string_value().to_string_lossy().into_owned())
    }

    /// Whether a call has this attribute.
    pub(crate) fn call_has_string_attribute(self, name: &str) -> bool {
        self.call().get_string_attribute(AttributeLoc::Function, name).is_some()
    }

    /// Adds an attribute without a value to a function.
    pub(crate) fn add_attribute(self, at: AttributeLoc, name: &str) {
        let function = self.function();
        function.add_attribute(at, attribute(function.get_type().get_context(), name));
    }

    /// Removes an attribute from a function.
    pub(crate) fn remove_attribute(self, at: AttributeLoc, name: &str) {
        if let Some(kind) = attribute_kind(name) {
            self.function().remove_enum_attribute(at, kind);
        }
    }

    /// The type of the object that parameter `i` (from 0) passes by value.
    pub(crate) fn byval_type(self, i: u32) -> Option<Type<'m>> {
        self.parameter_attribute_type(i, "byval")
    }

    /// LLVM's number for the calling convention of this function.
    pub(crate) fn calling_convention(self) -> u32 {
        self.function().get_call_conventions()
    }

    /// The type of the object that parameter `i` (from 0) points to and to which this function writes its result.
    pub(crate) fn sret_type(self, i: u32) -> Option<Type<'m>> {
        self.parameter_attribute_type(i, "sret")
    }

    /// The alignment in bytes that parameter `i` (from 0) declares; for an object passed by value, that of its copy.
    pub(crate) fn parameter_alignment(self, i: u32) -> Option<u64> {
        let attribute = self.function().get_enum_attribute(AttributeLoc::Param(i), attribute_kind("align")?)?;
        Some(attribute.get_enum_value())
    }

    fn parameter_attribute_type(self, i: u32, name: &str) -> Option<Type<'m>> {
        raw::attribute_type(self, self.function().get_enum_attribute(AttributeLoc::Param(i), attribute_kind(name)?)?)
    }
}

/// Instructions.
impl<'m> Value<'m> {
    pub(crate) fn instruction(self) -> InstructionValue<'m> {
        self.as_instruction_value().expect("an instruction")
    }

    /// Whether an instruction is only a debug intrinsic.
    pub(crate) fn is_debug_instruction(self) -> bool {
        compat::is_debug_instruction(self.instruction())
    }

    /// Whether an instruction only states the location of a variable that no longer exists.
    pub(crate) fn declares_what_is_gone(self) -> bool {
        let gone = |i| compat::variable_notes(i).iter().any(|note| note.declared && note.value.is_undef());
        self.is_debug_instruction() && gone(self.instruction())
    }

    /// Whether debug information says here where variables lie.
    pub(crate) fn declares_variables(self) -> bool {
        !compat::variable_notes(self.instruction()).is_empty()
    }

    pub(crate) fn opcode(self) -> Opcode {
        self.instruction().get_opcode()
    }

    /// Whether a load is volatile.
    pub(crate) fn is_volatile_load(self) -> bool {
        self.instruction().get_volatile().is_ok_and(|is| is)
    }

    /// The name of an instruction's opcode, as in textual IR.
    pub(crate) fn opcode_name(self) -> String {
        raw::opcode_name(self.opcode())
    }

    pub(crate) fn parent(self) -> Block<'m> {
        Block(self.instruction().get_parent().expect("an instruction is in a block"))
    }

    pub(crate) fn next(self) -> Option<Value<'m>> {
        self.instruction().get_next_instruction().map(Value::of)
    }

    /// Whether this addition, subtraction or multiplication has undefined behaviour in C on signed overflow (`nsw`).
    pub(crate) fn is_signed_only(self) -> bool {
        compat::is_signed_only(self.instruction())
    }

    /// The predicate of an integer comparison, which may be a constant.
    pub(crate) fn icmp_predicate(self) -> IntPredicate {
        match self.as_instruction_value() {
            Some(inst) => inst.get_icmp_predicate().expect("an integer comparison"),
            None => raw::const_predicate(self),
        }
    }

    pub(crate) fn fcmp_predicate(self) -> FloatPredicate {
        self.instruction().get_fcmp_predicate().expect("a float comparison")
    }

    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        raw::successors(self.instruction()).into_iter().map(Block).collect()
    }

    pub(crate) fn is_conditional(self) -> bool {
        self.instruction().is_conditional() == Ok(true)
    }

    /// The condition of a conditional branch.
    pub(crate) fn condition(self) -> Value<'m> {
        assert!(self.is_conditional());
        self.operand(0)
    }

    /// The value of case `i` of a switch (from 1; successor 0 is the default).
    pub(crate) fn case_value(self, i: u32) -> Value<'m> {
        compat::case_value(self.instruction(), i)
    }

    pub(crate) fn phi(self) -> PhiValue<'m> {
        self.instruction().try_into().expect("a phi node")
    }

    /// The values of a phi node, each with the block from which it comes.
    pub(crate) fn incoming(self) -> Vec<(Value<'m>, Block<'m>)> {
        raw::incoming(self.phi()).into_iter().map(|(value, block)| (value, Block(block))).collect()
    }

    pub(crate) fn allocated_type(self) -> Type<'m> {
        raw::allocated_type(self.instruction())
    }

    /// The alignment of a global or of a slot, in bytes; 0 if none is stated.
    pub(crate) fn alignment(self) -> u32 {
        match self.as_instruction_value() {
            Some(inst) => inst.get_alignment().unwrap_or(0),
            None => self.global().get_alignment(),
        }
    }

    pub(crate) fn gep_source_type(self) -> Type<'m> {
        raw::gep_source_type(self)
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        self.instruction().get_indices()
    }

    /// Mask of a shufflevector; -1 for poison.
    pub(crate) fn shuffle_mask(self) -> Vec<i32> {
        raw::shuffle_mask(self.instruction())
    }

    /// The block where control continues when the callee of an invoke returns.
    pub(crate) fn normal_destination(self) -> Block<'m> {
        Block(raw::normal_destination(self.instruction()))
    }

    /// The operation of an `atomicrmw`, if LLVM's C interface has a name for it.
    pub(crate) fn rmw_op(self) -> Option<RmwOp> {
        compat::atomic_operation(self.instruction())
    }

    /// Replaces operand `i`.
    pub(crate) fn set_operand(self, i: u32, by: Value<'m>) {
        assert!(self.instruction().set_operand(i, by), "an instruction with fewer operands");
    }
}

/// Calls.
impl<'m> Value<'m> {
    pub(crate) fn call(self) -> CallSiteValue<'m> {
        self.as_call().expect("a call")
    }

    /// The operands of the bundles of this call with the given tag.
    pub(crate) fn bundles(self, tag: &str) -> Vec<Vec<Value<'m>>> {
        compat::bundles(self.call(), tag)
    }

    pub(crate) fn called(self) -> Value<'m> {
        raw::called(self.call())
    }

    pub(crate) fn called_type(self) -> Type<'m> {
        Type::of(self.call().get_called_fn_type())
    }

    /// LLVM's number for the calling convention of this call.
    pub(crate) fn call_convention(self) -> u32 {
        self.call().get_call_convention()
    }

    pub(crate) fn call_args(self) -> Vec<Value<'m>> {
        (0..self.call().count_arguments()).map(|i| self.operand(i)).collect()
    }

    /// The type of the object that argument `i` (from 0) of this call passes by value.
    pub(crate) fn call_byval_type(self, i: u32) -> Option<Type<'m>> {
        raw::attribute_type(self, self.call().get_enum_attribute(AttributeLoc::Param(i), attribute_kind("byval")?)?)
    }

    /// The alignment in bytes that this call declares for its argument `i` (from 0); for an object passed by value, that of its copy.
    pub(crate) fn call_argument_alignment(self, i: u32) -> Option<u64> {
        let attribute = self.call().get_enum_attribute(AttributeLoc::Param(i), attribute_kind("align")?)?;
        Some(attribute.get_enum_value())
    }

    /// The type of what argument `i` (from 0) of this call of inline assembly points to.
    pub(crate) fn call_element_type(self, i: u32) -> Option<Type<'m>> {
        raw::attribute_type(
            self,
            self.call().get_enum_attribute(AttributeLoc::Param(i), attribute_kind("elementtype")?)?,
        )
    }

    /// The type of the result that this call expects in the object to which its argument `i` (from 0) points.
    pub(crate) fn call_sret_type(self, i: u32) -> Option<Type<'m>> {
        raw::attribute_type(self, self.call().get_enum_attribute(AttributeLoc::Param(i), attribute_kind("sret")?)?)
    }

    /// Whether a call has an attribute.
    pub(crate) fn has_call_attribute(self, at: AttributeLoc, name: &str) -> bool {
        attribute_kind(name).is_some_and(|kind| self.call().get_enum_attribute(at, kind).is_some())
    }

    /// Whether the function that is called is declared not to return null.
    pub(crate) fn returns_no_null(self) -> bool {
        let (at, name) = (AttributeLoc::Return, "nonnull");
        self.has_call_attribute(at, name) || self.called().is_function() && self.called().has_attribute(at, name)
    }

    /// Removes an attribute from a call.
    pub(crate) fn remove_call_attribute(self, at: AttributeLoc, name: &str) {
        if let Some(kind) = attribute_kind(name) {
            self.call().remove_enum_attribute(at, kind);
        }
    }

    /// Adds an attribute without a value to a call.
    pub(crate) fn add_call_attribute(self, at: AttributeLoc, name: &str) {
        let call = self.call();
        call.add_attribute(at, attribute(call.get_called_fn_type().get_context(), name));
    }
}
