//! A uniform, copyable view of a module: its values, types and blocks, on top of inkwell.
//!
//! inkwell has a type for each class of values. Most code here walks over values of any class, among them some that inkwell cannot
//! represent; it sees them as [`Value`] and [`Type`], whose methods call inkwell, or `raw` for what inkwell lacks. A method that is
//! meant for one kind of values panics for others.
//!
//! The lifetime `'m` is that of the modules.

mod globals;
mod instructions;

use crate::raw::{self, compat};
use anyhow::Result;
use cfa::bv::Bv;
use inkwell::attributes::Attribute;
use inkwell::basic_block::BasicBlock;
use inkwell::context::ContextRef;
use inkwell::types::{AnyType, AnyTypeEnum, BasicType, FunctionType};
use inkwell::values::{AnyValue, BasicValue};
use num_bigint::{BigInt, BigUint};
use std::ffi::CStr;

pub(crate) use crate::raw::{Type, TypeKind, Value, ValueKind};
pub(crate) use inkwell::attributes::AttributeLoc;
pub(crate) use inkwell::module::Linkage;
pub(crate) use inkwell::values::InstructionOpcode as Opcode;
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
