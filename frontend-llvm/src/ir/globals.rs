//! Global variables and functions.

use super::{AttributeLoc, Block, Linkage, Type, Value, ValueKind, attribute, attribute_kind};
use crate::raw;
use inkwell::values::{FunctionValue, GlobalValue, UnnamedAddress};

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
