//! Instructions and calls.

use super::{AttributeLoc, Block, FloatPredicate, IntPredicate, Opcode, RmwOp, Type, Value, attribute, attribute_kind};
use crate::raw::{self, compat};
use inkwell::values::{BasicValue, CallSiteValue, InstructionValue, PhiValue};

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
