//! A thin, copyable view of LLVM's C API: types, values, blocks and modules.
//!
//! Every reference is a pointer into a module that a [`Session`](crate::session::Session) owns. References are private to this
//! crate, and nothing that the crate returns holds one, so none outlives its session. All `unsafe` code is in this file, in
//! `session`, in `debug_info` and in `compat`.

use crate::compat;
use anyhow::{Result, bail};
use cfa::bv::Bv;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::prelude::*;
use llvm_sys::transforms::pass_builder::*;
use num_bigint::{BigInt, BigUint};
use std::ffi::{CStr, c_char};

pub(crate) use llvm_sys::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage, LLVMOpcode as Opcode,
    LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};

/// A value: instruction, argument, constant or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value(pub LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Type(pub LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block(pub LLVMBasicBlockRef);

/// A module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Module(pub LLVMModuleRef);

/// The `len` bytes at `data` as text.
pub(crate) fn text(data: *const c_char, len: usize) -> String {
    if data.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: LLVM returned the pointer together with the length of the string that it points to.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes ownership of a message that LLVM allocated.
pub(crate) fn message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a NUL-terminated string that LLVM handed over and that nothing else frees.
    unsafe {
        let s = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        s
    }
}

/// Whether an opcode casts between integers and addresses and keeps the bits that both types have.
pub(crate) fn casts_bits(opcode: Opcode) -> bool {
    use Opcode::*;
    makes_integer_of_address(opcode)
        || matches!(opcode, LLVMTrunc | LLVMZExt | LLVMSExt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast)
}

/// Whether an opcode turns an address into an integer.
pub(crate) fn makes_integer_of_address(opcode: Opcode) -> bool {
    compat::makes_integer_of_address(opcode)
}

/// Whether an atomic operation adds one and wraps around to zero at a limit.
pub(crate) fn wraps_at_limit(op: RmwOp) -> bool {
    compat::wraps_at_limit(op)
}

/// LLVM's number of an attribute; 0 if this LLVM does not know it.
fn attribute_kind(name: &str) -> u32 {
    // SAFETY: a string with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// An attribute without a value, in the context of `value`.
fn attribute(value: Value, name: &str) -> LLVMAttributeRef {
    // SAFETY: a live value; the name is known to every supported LLVM.
    unsafe { LLVMCreateEnumAttribute(LLVMGetTypeContext(value.ty().0), attribute_kind(name), 0) }
}

/// Collects a linked list of LLVM's, starting at `first`.
fn chain<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let mut all = Vec::new();
    let mut at = first;
    while !at.is_null() {
        all.push(at);
        // SAFETY: `at` is an element of the list.
        at = unsafe { next(at) };
    }
    all
}

macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($this:ident $(, $arg:ident: $ty:ty)*) -> $ret:ty = $body:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name($this $(, $arg: $ty)*) -> $ret {
            // SAFETY: the reference is live (see the module's documentation) and of the kind that the method is documented for.
            unsafe { $body }
        }
    )*};
}

impl Module {
    api! {
        fn function(self, name: &str) -> Option<Value> = {
            let f = compat::named_function(self.0, name);
            (!f.is_null()).then_some(Value(f))
        };
        fn functions(self) -> Vec<Value> = {
            chain(LLVMGetFirstFunction(self.0), LLVMGetNextFunction).into_iter().map(Value).collect()
        };
        fn globals(self) -> Vec<Value> = {
            chain(LLVMGetFirstGlobal(self.0), LLVMGetNextGlobal).into_iter().map(Value).collect()
        };
        fn aliases(self) -> Vec<Value> = {
            chain(LLVMGetFirstGlobalAlias(self.0), LLVMGetNextGlobalAlias).into_iter().map(Value).collect()
        };
        fn global(self, name: &str) -> Option<Value> = {
            let g = compat::named_global(self.0, name);
            (!g.is_null()).then_some(Value(g))
        };
        fn alias(self, name: &str) -> Option<Value> = {
            let g = LLVMGetNamedGlobalAlias(self.0, name.as_ptr().cast(), name.len());
            (!g.is_null()).then_some(Value(g))
        };
        fn ifuncs(self) -> Vec<Value> = {
            chain(LLVMGetFirstGlobalIFunc(self.0), LLVMGetNextGlobalIFunc).into_iter().map(Value).collect()
        };
        /// Assembly text at the top level of the module.
        fn inline_asm(self) -> String = {
            let mut n = 0;
            let s = LLVMGetModuleInlineAsm(self.0, &mut n);
            text(s, n)
        };
    }
}

impl Module {
    /// Runs the LLVM passes with these names on a valid module.
    ///
    /// # Errors
    /// LLVM does not know one of the passes.
    pub(crate) fn run_passes(self, passes: &CStr) -> Result<()> {
        // SAFETY: a valid module; the options and the error, if any, are disposed of.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.0, passes.as_ptr(), std::ptr::null_mut(), options);
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
}

impl Type {
    api! {
        fn kind(self) -> TypeKind = LLVMGetTypeKind(self.0);
        fn int_width(self) -> u32 = LLVMGetIntTypeWidth(self.0);
        fn is_sized(self) -> bool = LLVMTypeIsSized(self.0) != 0;
        fn fields(self) -> Vec<Type> = {
            let n = LLVMCountStructElementTypes(self.0) as usize;
            let mut all = vec![std::ptr::null_mut(); n];
            if n > 0 {
                LLVMGetStructElementTypes(self.0, all.as_mut_ptr());
            }
            all.into_iter().map(Type).collect()
        };
        /// Element type of an array or vector.
        fn element(self) -> Type = Type(LLVMGetElementType(self.0));
        fn array_len(self) -> u64 = compat::array_length(self.0);
        fn vector_len(self) -> u64 = u64::from(LLVMGetVectorSize(self.0));
        fn address_space(self) -> u32 = LLVMGetPointerAddressSpace(self.0);
        /// Return type of a function type.
        fn returns(self) -> Type = Type(LLVMGetReturnType(self.0));
        /// Whether a function type is variadic.
        fn is_variadic(self) -> bool = LLVMIsFunctionVarArg(self.0) != 0;
        /// Parameter types of a function type.
        fn params(self) -> Vec<Type> = {
            let n = LLVMCountParamTypes(self.0) as usize;
            let mut all = vec![std::ptr::null_mut(); n];
            if n > 0 {
                LLVMGetParamTypes(self.0, all.as_mut_ptr());
            }
            all.into_iter().map(Type).collect()
        };
        fn print(self) -> String = message(LLVMPrintTypeToString(self.0));
        /// The integer type of `width` bits in this type's context.
        fn int(self, width: u32) -> Type = Type(LLVMIntTypeInContext(LLVMGetTypeContext(self.0), width));
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
    pub(crate) fn scalar(self) -> Type {
        if self.is_vector() { self.element() } else { self }
    }
}

impl Block {
    api! {
        fn instructions(self) -> Vec<Value> = {
            chain(LLVMGetFirstInstruction(self.0), LLVMGetNextInstruction).into_iter().map(Value).collect()
        };
        fn function(self) -> Value = Value(LLVMGetBasicBlockParent(self.0));
        fn name(self) -> String = {
            let name = LLVMGetBasicBlockName(self.0);
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        };
        /// The constants and instructions that refer to a block.
        fn users(self) -> Vec<Value> = Value(LLVMBasicBlockAsValue(self.0)).users();
        fn begins_with_phi(self) -> bool = {
            let first = LLVMGetFirstInstruction(self.0);
            !first.is_null() && !LLVMIsAPHINode(first).is_null()
        };
        fn terminator(self) -> Option<Value> = {
            let i = LLVMGetBasicBlockTerminator(self.0);
            (!i.is_null()).then_some(Value(i))
        };
    }

    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map_or(Vec::new(), Value::successors)
    }
}

impl Value {
    api! {
        fn kind(self) -> ValueKind = LLVMGetValueKind(self.0);
        fn ty(self) -> Type = Type(LLVMTypeOf(self.0));
        fn name(self) -> String = {
            let mut n = 0;
            let s = LLVMGetValueName2(self.0, &mut n);
            text(s, n)
        };
        fn print(self) -> String = message(LLVMPrintValueToString(self.0));
        fn is_constant(self) -> bool = LLVMIsConstant(self.0) != 0;
        fn is_undef(self) -> bool = LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0;
        /// Whether a constant consists of zero bits only.
        fn is_null(self) -> bool = LLVMIsNull(self.0) != 0;
        fn n_operands(self) -> u32 = LLVMGetNumOperands(self.0).max(0) as u32;
        fn operand(self, i: u32) -> Value = Value(LLVMGetOperand(self.0, i));
        fn users(self) -> Vec<Value> = {
            let mut all = Vec::new();
            let mut u = LLVMGetFirstUse(self.0);
            while !u.is_null() {
                all.push(Value(LLVMGetUser(u)));
                u = LLVMGetNextUse(u);
            }
            all
        };
        fn has_users(self) -> bool = !LLVMGetFirstUse(self.0).is_null();
        /// Element `i` of a constant of plain data (a sequence of numbers).
        fn aggregate_element(self, i: u32) -> Option<Value> = {
            let v = compat::element(self.0, i);
            (!v.is_null()).then_some(Value(v))
        };
        /// The bytes of a constant array of plain data.
        fn raw_data(self) -> Vec<u8> = compat::raw_data(self.0);
        /// Opcode of a constant expression.
        fn const_opcode(self) -> Opcode = LLVMGetConstOpcode(self.0);

        // Globals.
        fn value_type(self) -> Type = Type(LLVMGlobalGetValueType(self.0));
        fn is_declaration(self) -> bool = LLVMIsDeclaration(self.0) != 0;
        fn linkage(self) -> Linkage = LLVMGetLinkage(self.0);
        fn initializer(self) -> Option<Value> = {
            let v = LLVMGetInitializer(self.0);
            (!v.is_null()).then_some(Value(v))
        };
        fn is_constant_global(self) -> bool = LLVMIsGlobalConstant(self.0) != 0;
        /// The section that a definition asks for; empty if it does not.
        fn section(self) -> String = {
            let name = LLVMGetSection(self.0);
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        };
        fn alignment(self) -> u32 = LLVMGetAlignment(self.0);
        fn aliasee(self) -> Value = Value(LLVMAliasGetAliasee(self.0));

        // Functions.
        fn blocks(self) -> Vec<Block> = {
            chain(LLVMGetFirstBasicBlock(self.0), LLVMGetNextBasicBlock).into_iter().map(Block).collect()
        };
        fn entry_block(self) -> Block = Block(LLVMGetEntryBasicBlock(self.0));
        fn params(self) -> Vec<Value> = {
            chain(LLVMGetFirstParam(self.0), LLVMGetNextParam).into_iter().map(Value).collect()
        };
        fn intrinsic_id(self) -> u32 = LLVMGetIntrinsicID(self.0);
        fn block_address_block(self) -> Block = Block(compat::block_of_address(self.0));

        // Instructions.
        fn is_instruction(self) -> bool = !LLVMIsAInstruction(self.0).is_null();
        /// Whether an instruction is only a debug intrinsic.
        fn is_debug_instruction(self) -> bool = compat::is_debug_instruction(self.0);
        fn opcode(self) -> Opcode = LLVMGetInstructionOpcode(self.0);
        fn parent(self) -> Block = Block(LLVMGetInstructionParent(self.0));
        fn next(self) -> Option<Value> = {
            let v = LLVMGetNextInstruction(self.0);
            (!v.is_null()).then_some(Value(v))
        };
        /// Whether this addition, subtraction or multiplication has undefined behaviour in C on signed overflow (`nsw`).
        fn is_signed_only(self) -> bool = {
            matches!(self.opcode(), Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul) && compat::is_signed_only(self.0)
        };
        fn icmp_predicate(self) -> IntPredicate = LLVMGetICmpPredicate(self.0);
        fn fcmp_predicate(self) -> RealPredicate = LLVMGetFCmpPredicate(self.0);
        fn successors(self) -> Vec<Block> = {
            (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect()
        };
        fn is_conditional(self) -> bool = LLVMIsConditional(self.0) != 0;
        fn condition(self) -> Value = Value(LLVMGetCondition(self.0));
        /// The value of case `i` of a switch (from 1; successor 0 is the default).
        fn case_value(self, i: u32) -> Value = Value(compat::case_value(self.0, i));
        fn incoming(self) -> Vec<(Value, Block)> = {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        };
        fn allocated_type(self) -> Type = Type(LLVMGetAllocatedType(self.0));
        fn gep_source_type(self) -> Type = Type(LLVMGetGEPSourceElementType(self.0));
        fn indices(self) -> Vec<u32> = {
            let n = LLVMGetNumIndices(self.0) as usize;
            if n == 0 { Vec::new() } else { std::slice::from_raw_parts(LLVMGetIndices(self.0), n).to_vec() }
        };
        /// Mask of a shufflevector; -1 for poison.
        fn shuffle_mask(self) -> Vec<i32> = {
            (0..LLVMGetNumMaskElements(self.0)).map(|i| LLVMGetMaskValue(self.0, i)).collect()
        };
        /// The block where control continues when the callee of an invoke returns.
        fn normal_destination(self) -> Block = Block(LLVMGetNormalDest(self.0));
        /// The operation of an `atomicrmw`, if LLVM's C interface has a name for it.
        fn rmw_op(self) -> Option<RmwOp> = compat::atomic_operation(self.0);
        fn called(self) -> Value = Value(LLVMGetCalledValue(self.0));
        fn called_type(self) -> Type = Type(LLVMGetCalledFunctionType(self.0));
        fn call_args(self) -> Vec<Value> = {
            (0..LLVMGetNumArgOperands(self.0)).map(|i| Value(LLVMGetOperand(self.0, i))).collect()
        };
        fn asm_text(self) -> String = compat::assembly_text(self.0);
    }

    /// The type of the object that parameter `i` (from 0) passes by value.
    pub(crate) fn byval_type(self, i: u32) -> Option<Type> {
        // SAFETY: `self` is a function; the attribute is looked up by the kind that LLVM returned for its name.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5);
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, i + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type of the object that parameter `i` (from 0) points to and that takes this function's result.
    pub(crate) fn sret_type(self, i: u32) -> Option<Type> {
        // SAFETY: as above.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"sret".as_ptr(), 4);
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, i + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The type of the object that argument `i` (from 0) of this call passes by value.
    pub(crate) fn call_byval_type(self, i: u32) -> Option<Type> {
        // SAFETY: as above, `self` is a call.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5);
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, i + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The value below a chain of pointer bitcasts, which may be instructions or constants.
    pub(crate) fn without_bitcasts(self) -> Value {
        let mut v = self;
        loop {
            let cast = match v.kind() {
                ValueKind::LLVMInstructionValueKind => v.opcode() == Opcode::LLVMBitCast,
                ValueKind::LLVMConstantExprValueKind => v.const_opcode() == Opcode::LLVMBitCast,
                _ => false,
            };
            if !cast {
                return v;
            }
            v = v.operand(0);
        }
    }

    /// The global that an alias stands for, or for a part of which it does.
    pub(crate) fn aliased_object(self) -> Value {
        let mut v = self.aliasee();
        while v.kind() == ValueKind::LLVMConstantExprValueKind && v.n_operands() > 0 {
            v = v.operand(0);
        }
        if v.kind() == ValueKind::LLVMGlobalAliasValueKind { v.aliased_object() } else { v }
    }

    /// Whether a call has an attribute at `index` (0 the result, from 1 the arguments).
    pub(crate) fn has_call_attribute(self, index: u32, name: &str) -> bool {
        // SAFETY: `self` is a call.
        unsafe { !LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name)).is_null() }
    }

    /// Removes an attribute from a call, at `index` (as above; `u32::MAX` for the call itself).
    pub(crate) fn remove_call_attribute(self, index: u32, name: &str) {
        // SAFETY: `self` is a call; kind 0 means that this LLVM does not know the name.
        unsafe {
            let kind = attribute_kind(name);
            if kind != 0 {
                LLVMRemoveCallSiteEnumAttribute(self.0, index, kind);
            }
        }
    }

    /// Adds an attribute without a value to a call, at `index` (as above).
    pub(crate) fn add_call_attribute(self, index: u32, name: &str) {
        // SAFETY: `self` is a call; the attribute belongs to its context.
        unsafe { LLVMAddCallSiteAttribute(self.0, index, attribute(self, name)) }
    }

    /// Whether a function has an attribute at `index` (as above).
    pub(crate) fn has_attribute(self, index: u32, name: &str) -> bool {
        // SAFETY: `self` is a function.
        unsafe { !LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name)).is_null() }
    }

    /// Adds an attribute without a value to a function, at `index` (as above).
    pub(crate) fn add_attribute(self, index: u32, name: &str) {
        // SAFETY: `self` is a function; the attribute belongs to its context.
        unsafe { LLVMAddAttributeAtIndex(self.0, index, attribute(self, name)) }
    }

    /// Removes an attribute from a function, at `index` (as above).
    pub(crate) fn remove_attribute(self, index: u32, name: &str) {
        // SAFETY: `self` is a function; as above.
        unsafe {
            let kind = attribute_kind(name);
            if kind != 0 {
                LLVMRemoveEnumAttributeAtIndex(self.0, index, kind);
            }
        }
    }

    /// Whether an instruction only states the location of a variable that no longer exists.
    pub(crate) fn declares_what_is_gone(self) -> bool {
        // SAFETY: a live instruction.
        self.is_debug_instruction()
            && unsafe { compat::variable_notes(self.0) }.iter().any(|n| n.declared && Value(n.value).is_undef())
    }

    /// The name of an instruction's opcode, as in textual IR.
    pub(crate) fn opcode_name(self) -> String {
        let name = format!("{:?}", self.opcode());
        name.strip_prefix("LLVM").unwrap_or(&name).to_lowercase()
    }

    pub(crate) fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// The value of an integer constant.
    pub(crate) fn int_value(self) -> Bv {
        let width = self.ty().int_width();
        if width <= 64 {
            // SAFETY: a ConstantInt of at most 64 bits.
            return Bv::new(width, unsafe { LLVMConstIntGetZExtValue(self.0) });
        }
        // The C API gives access to more than 64 bits only through the text: `i128 -5`.
        let text = self.print();
        let digits = text.rsplit(' ').next().unwrap_or("0");
        let value: BigInt = digits.parse().unwrap_or_default();
        let modulus = BigInt::from(1) << width;
        let wrapped = ((value % &modulus) + &modulus) % &modulus;
        Bv::from_big(width, &BigUint::try_from(wrapped).unwrap_or_default())
    }

    /// The bit pattern of a floating-point constant of `width` bits.
    pub(crate) fn float_bits(self, width: u32) -> Option<Bv> {
        // SAFETY: a bitcast of a ConstantFP to the integer type of its width folds to a ConstantInt.
        let bits = Value(unsafe { LLVMConstBitCast(self.0, self.ty().int(width).0) });
        (bits.kind() == ValueKind::LLVMConstantIntValueKind).then(|| bits.int_value())
    }
}
