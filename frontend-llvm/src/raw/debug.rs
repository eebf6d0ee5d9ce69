//! Reads debug information, most of which inkwell cannot read.
//!
//! inkwell builds debug information. Of existing nodes it reads only lines, columns, scopes and the sizes of types, and it makes no
//! handles of the nodes to which these refer. Everything else is here, with one type for each kind of node that a function of LLVM
//! requires.

use super::compat::{self, BASE_TYPE, ELEMENTS};
use super::{Value, handle, text};
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::debug_info::{AsDIScope, DIScope};
use inkwell::llvm_sys::LLVMOpaqueMetadata;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMMetadataKind as Kind;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use inkwell::values::{AnyValue, AsValueRef, FunctionValue, GlobalValue, InstructionValue};

/// The operand of a function's node that is its type: after file, scope, name and linkage name.
const FUNCTION_TYPE: usize = 4;
/// The operand of a function's or a block's node that is the scope around it.
const SCOPE: usize = 1;
/// The operand of a function's or a type's node that is its name.
const NAME: usize = 2;
/// The operand of a block's node that is the scope around it.
const BLOCK_SCOPE: usize = 1;
/// The operand of a variable's node that is its scope.
const VARIABLE_SCOPE: usize = 0;
/// The operand of a loop's node that is where it begins, after the node itself.
const LOOP_START: usize = 1;
/// The operand of a variable's node that is its name.
const VARIABLE_NAME: usize = 1;
/// The operand of a variable's node that is its type.
const VARIABLE_TYPE: usize = 3;

/// DWARF tags of types.
pub(crate) mod tag {
    pub(crate) const ARRAY: u16 = 0x01;
    pub(crate) const ENUMERATION: u16 = 0x04;
    pub(crate) const MEMBER: u16 = 0x0d;
    pub(crate) const POINTER: u16 = 0x0f;
    pub(crate) const STRUCTURE: u16 = 0x13;
    pub(crate) const SUBROUTINE: u16 = 0x15;
    pub(crate) const TYPEDEF: u16 = 0x16;
    pub(crate) const UNION: u16 = 0x17;
    pub(crate) const BASE: u16 = 0x24;
    pub(crate) const CONST: u16 = 0x26;
    pub(crate) const VOLATILE: u16 = 0x35;
    pub(crate) const RESTRICT: u16 = 0x37;
    pub(crate) const ATOMIC: u16 = 0x47;
}

handle! {
    /// A node of any kind.
    Metadata of LLVMOpaqueMetadata
}

/// A file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct File<'m>(Metadata<'m>);

/// A function, block or file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Scope<'m>(Metadata<'m>);

/// A scope with its context.
#[derive(Clone, Copy)]
pub(crate) struct Block<'m>(Node<'m>);

/// Where a loop of the source begins.
#[derive(Clone, Copy)]
pub(crate) struct LoopStart<'m> {
    pub line: u32,
    pub column: u32,
    /// The scope of the loop, or around it.
    pub scope: Block<'m>,
}

/// A function.
#[derive(Clone, Copy)]
pub(crate) struct Function<'m>(Node<'m>);

/// A variable.
#[derive(Clone, Copy)]
pub(crate) struct Variable<'m>(Node<'m>);

impl PartialEq for Variable<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.node == other.0.node
    }
}

impl Eq for Variable<'_> {}

impl std::hash::Hash for Variable<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.node.hash(state);
    }
}

/// A type of a value, or a member of a struct.
#[derive(Clone, Copy)]
pub(crate) struct Type<'m>(Node<'m>);

/// A node with its context, without which LLVM does not show its operands.
#[derive(Clone, Copy)]
struct Node<'m> {
    node: Metadata<'m>,
    context: ContextRef<'m>,
}

/// What the debug information says about a variable at an instruction.
pub(crate) struct VariableNote<'m> {
    /// Whether `value` is the address of the variable, not its value.
    pub declared: bool,
    /// A value of the function, or a constant.
    pub value: Value<'m>,
    /// The variable.
    pub variable: Variable<'m>,
}

impl<'m> Metadata<'m> {
    fn kind(self) -> u32 {
        // SAFETY: a live node.
        unsafe { LLVMGetMetadataKind(self.raw()) as u32 }
    }
}

impl<'m> Node<'m> {
    /// The operands; empty for a node that has none, such as a string.
    fn operands(self) -> Vec<Option<Value<'m>>> {
        if [Kind::LLVMMDStringMetadataKind as u32, Kind::LLVMDIArgListMetadataKind as u32].contains(&self.node.kind()) {
            return Vec::new();
        }
        // SAFETY: a live node of this context; LLVM writes as many operands as there are.
        unsafe {
            let value = LLVMMetadataAsValue(self.context.raw(), self.node.raw());
            let mut all = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, all.as_mut_ptr());
            all.into_iter().map(|operand| Value::new(operand)).collect()
        }
    }

    /// Operand `i`, if it exists and is not null.
    fn operand(self, i: usize) -> Option<Value<'m>> {
        self.operands().get(i).copied().flatten()
    }

    /// Operand `i` as a node.
    fn child(self, i: usize) -> Option<Node<'m>> {
        Some(self.of(self.operand(i)?))
    }

    /// Operand `i` as text that is not empty.
    fn string(self, i: usize) -> Option<String> {
        let operand = self.operand(i)?;
        let mut n = 0;
        // SAFETY: a live value, which owns the text; LLVM returns null for anything but a string.
        let string = unsafe { text(LLVMGetMDString(operand.raw(), &raw mut n), n as usize) };
        (!string.is_empty()).then_some(string)
    }

    /// The node that a value wraps.
    fn of(self, value: Value<'m>) -> Node<'m> {
        // SAFETY: a live value.
        let node = unsafe { Metadata::new(LLVMValueAsMetadata(value.raw())) }.expect("a value gives a node");
        Node { node, context: self.context }
    }

    /// The node as LLVM writes it: `!DISubrange(count: 4)`.
    fn text(self) -> String {
        // SAFETY: a live node of this context.
        let value = unsafe { Value::new(LLVMMetadataAsValue(self.context.raw(), self.node.raw())) };
        let printed = value.map_or(String::new(), |value| value.print_to_string().to_string());
        // `<0x55d0c8> = distinct !DICompositeType(...)`.
        printed.split_once(" = ").map_or(printed.as_str(), |(_, node)| node).trim_start_matches("distinct ").to_string()
    }

    fn as_type(self) -> Option<Type<'m>> {
        let types = [
            Kind::LLVMDIBasicTypeMetadataKind as u32,
            Kind::LLVMDIDerivedTypeMetadataKind as u32,
            Kind::LLVMDICompositeTypeMetadataKind as u32,
            Kind::LLVMDISubroutineTypeMetadataKind as u32,
        ];
        types.contains(&self.node.kind()).then_some(Type(self))
    }
}

impl<'m> File<'m> {
    /// The name as it was given to the compiler.
    pub(crate) fn name(self) -> String {
        let mut n = 0;
        // SAFETY: a file, which owns the text.
        unsafe { text(LLVMDIFileGetFilename(self.0.raw(), &raw mut n), n as usize) }
    }

    pub(crate) fn directory(self) -> String {
        let mut n = 0;
        // SAFETY: a file, which owns the text.
        unsafe { text(LLVMDIFileGetDirectory(self.0.raw(), &raw mut n), n as usize) }
    }
}

impl<'m> Scope<'m> {
    /// The same scope as one of inkwell's.
    fn of(scope: DIScope<'m>) -> Scope<'m> {
        // SAFETY: a live scope.
        Scope(unsafe { Metadata::new(scope.as_mut_ptr()) }.expect("inkwell's nodes are not null"))
    }

    pub(crate) fn file(self) -> Option<File<'m>> {
        // SAFETY: a scope.
        unsafe { Metadata::new(LLVMDIScopeGetFile(self.0.raw())) }.map(File)
    }
}

impl<'m> Block<'m> {
    pub(crate) fn scope(self) -> Scope<'m> {
        Scope(self.0.node)
    }

    /// The block or function around a block.
    pub(crate) fn around(self) -> Option<Block<'m>> {
        let blocks = [Kind::LLVMDILexicalBlockMetadataKind as u32, Kind::LLVMDILexicalBlockFileMetadataKind as u32];
        let is_block = blocks.contains(&self.0.node.kind());
        is_block.then(|| self.0.child(BLOCK_SCOPE).map(Block)).flatten()
    }
}

/// The loop that a branch closes, if debug information says where that begins.
///
/// inkwell: it reads no nodes that hold others than values.
pub(crate) fn loop_start(branch: InstructionValue) -> Option<LoopStart> {
    let context = branch.get_parent()?.get_context();
    let node = branch.get_metadata(context.get_kind_id("llvm.loop"))?;
    // SAFETY: a live node of this context.
    let node = unsafe { Metadata::new(LLVMValueAsMetadata(node.as_value_ref())) }?;
    let start = Node { node, context }.child(LOOP_START)?;
    if start.node.kind() != Kind::LLVMDILocationMetadataKind as u32 {
        return None;
    }
    // SAFETY: a position.
    unsafe {
        let scope = Metadata::new(LLVMDILocationGetScope(start.node.raw()))?;
        Some(LoopStart {
            line: LLVMDILocationGetLine(start.node.raw()),
            column: LLVMDILocationGetColumn(start.node.raw()),
            scope: Block(Node { node: scope, context }),
        })
    }
}

/// The line, column and scope of an instruction, if it has a position.
pub(crate) fn position(inst: InstructionValue) -> Option<(u32, u32, Scope)> {
    let location = inst.get_debug_location()?;
    Some((location.get_line(), location.get_column(), Scope::of(location.get_scope())))
}

/// The name of the function of the source that an instruction was inlined from, if it was.
pub(crate) fn inlined_from(inst: InstructionValue) -> Option<String> {
    let location = inst.get_debug_location()?;
    // SAFETY: a live location; LLVM returns null for code that is not inlined.
    unsafe { Metadata::new(LLVMDILocationGetInlinedAt(location.as_mut_ptr())) }?;
    let context = inst.get_parent()?.get_parent()?.get_type().get_context();
    let Scope(node) = Scope::of(location.get_scope());
    let mut scope = Node { node, context };
    while scope.node.kind() != Kind::LLVMDISubprogramMetadataKind as u32 {
        scope = scope.child(SCOPE)?;
    }
    scope.string(NAME)
}

impl<'m> Function<'m> {
    /// What debug information says of a function.
    pub(crate) fn of(function: FunctionValue<'m>) -> Option<Function<'m>> {
        let Scope(node) = Scope::of(function.get_subprogram()?.as_debug_info_scope());
        Some(Function(Node { node, context: function.get_type().get_context() }))
    }

    pub(crate) fn scope(self) -> Scope<'m> {
        Scope(self.0.node)
    }

    /// The line of its definition.
    pub(crate) fn line(self) -> u32 {
        // SAFETY: a function.
        unsafe { LLVMDISubprogramGetLine(self.0.node.raw()) }
    }

    /// The name in the source.
    pub(crate) fn name(self) -> Option<String> {
        self.0.string(NAME)
    }

    /// Its type.
    pub(crate) fn ty(self) -> Option<Type<'m>> {
        self.0.child(FUNCTION_TYPE)?.as_type()
    }

    /// The types of the parameters; `None` for a parameter whose type is not that of a value.
    pub(crate) fn parameters(self) -> Option<Vec<Option<Type<'m>>>> {
        // They are in the operand that holds the base type in other types, after the result's type.
        let types = self.0.child(FUNCTION_TYPE)?.child(BASE_TYPE)?;
        let mut parameters = types.operands().get(1..)?.to_vec();
        // The parameter list of a variadic function ends in a null type.
        parameters.pop_if(|last| last.is_none());
        Some(parameters.into_iter().map(|ty| types.of(ty?).as_type()).collect())
    }
}

impl<'m> Variable<'m> {
    /// The variable of the source that a global holds.
    pub(crate) fn of_global(global: GlobalValue<'m>) -> Option<Variable<'m>> {
        let mut n = 0;
        let mut found = None;
        // SAFETY: a live global; the list of its metadata is read within its bounds and disposed of.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(global.as_value_ref(), &raw mut n);
            for i in 0..n as u32 {
                let metadata = LLVMValueMetadataEntriesGetMetadata(entries, i);
                if LLVMGetMetadataKind(metadata) as u32 == Kind::LLVMDIGlobalVariableExpressionMetadataKind as u32 {
                    found = Metadata::new(LLVMDIGlobalVariableExpressionGetVariable(metadata));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        Some(Variable(Node { node: found?, context: global.as_pointer_value().get_type().get_context() }))
    }

    /// The variable that a node is.
    ///
    /// # Safety
    /// The node is a variable, or null.
    pub(super) unsafe fn new(node: LLVMMetadataRef, context: ContextRef<'m>) -> Option<Variable<'m>> {
        // SAFETY: the caller's promise.
        Some(Variable(Node { node: unsafe { Metadata::new(node) }?, context }))
    }

    pub(crate) fn file(self) -> Option<File<'m>> {
        // SAFETY: a variable.
        unsafe { Metadata::new(LLVMDIVariableGetFile(self.0.node.raw())) }.map(File)
    }

    pub(crate) fn line(self) -> u32 {
        // SAFETY: a variable.
        unsafe { LLVMDIVariableGetLine(self.0.node.raw()) }
    }

    pub(crate) fn name(self) -> Option<String> {
        self.0.string(VARIABLE_NAME)
    }

    /// The number of the parameter that the variable is, from 1.
    pub(crate) fn parameter(self) -> Option<u32> {
        field(&self.0.text(), "arg")?.parse().ok()
    }

    /// The scope that a local variable belongs to.
    pub(crate) fn scope(self) -> Option<Block<'m>> {
        self.0.child(VARIABLE_SCOPE).map(Block)
    }

    pub(crate) fn ty(self) -> Option<Type<'m>> {
        self.0.child(VARIABLE_TYPE)?.as_type()
    }
}

impl<'m> Type<'m> {
    pub(crate) fn tag(self) -> u16 {
        compat::type_tag(self)
    }

    pub(crate) fn name(self) -> Option<String> {
        self.0.string(NAME)
    }

    /// The type on which this one is based: the type that it qualifies or names, that it points to, or that its elements have; for a
    /// member, the member's type.
    pub(crate) fn base(self) -> Option<Type<'m>> {
        self.0.child(BASE_TYPE)?.as_type()
    }

    pub(crate) fn size_bits(self) -> u64 {
        // SAFETY: a type.
        unsafe { LLVMDITypeGetSizeInBits(self.0.node.raw()) }
    }

    pub(crate) fn offset_bits(self) -> u64 {
        // SAFETY: a type.
        unsafe { LLVMDITypeGetOffsetInBits(self.0.node.raw()) }
    }

    /// Members of a struct or union.
    pub(crate) fn members(self) -> Vec<Type<'m>> {
        let Some(elements) = self.0.child(ELEMENTS) else { return Vec::new() };
        elements.operands().into_iter().flatten().filter_map(|v| elements.of(v).as_type()).collect()
    }

    /// What tells this type from others.
    pub(crate) fn key(self) -> Metadata<'m> {
        self.0.node
    }

    /// Whether this is only the declaration of a struct or union.
    pub(crate) fn is_declaration(self) -> bool {
        self.0.text().contains("DIFlagFwdDecl")
    }

    /// Whether this is a vector of the processor, which debug information shows as an array.
    pub(crate) fn is_vector(self) -> bool {
        self.0.text().contains("DIFlagVector")
    }

    /// The types of a function's result and parameters; `None` for void, and at the end of the list of a variadic function.
    pub(crate) fn signature(self) -> Vec<Option<Type<'m>>> {
        // They are in the operand that holds the base type in other types.
        let Some(types) = self.0.child(BASE_TYPE) else { return Vec::new() };
        types.operands().into_iter().map(|ty| types.of(ty?).as_type()).collect()
    }

    /// The numbers of elements of an array, outermost first; `None` if it is not constant, or open.
    pub(crate) fn lengths(self) -> Vec<Option<u64>> {
        self.elements().iter().map(|range| field(range, "count")?.parse().ok()).collect()
    }

    /// The names and values of an enumeration.
    pub(crate) fn enumerators(self) -> Vec<(String, i128)> {
        let enumerator = |text: &String| {
            let name = field(text, "name")?.trim_matches('"').to_string();
            Some((name, field(text, "value")?.parse().ok()?))
        };
        self.elements().iter().filter_map(enumerator).collect()
    }

    /// The elements of a composite type, as LLVM writes them.
    fn elements(self) -> Vec<String> {
        let Some(elements) = self.0.child(ELEMENTS) else { return Vec::new() };
        elements.operands().into_iter().flatten().map(|v| elements.of(v).text()).collect()
    }

    /// The node, for what differs between versions.
    pub(super) fn node(self) -> LLVMMetadataRef {
        self.0.node.raw()
    }

    /// The context of the node, for what differs between versions.
    #[allow(dead_code, reason = "newer versions need no text")]
    pub(super) fn context(self) -> ContextRef<'m> {
        self.0.context
    }
}

/// The value of a field of a node as LLVM writes it; names in C have no commas.
fn field<'t>(node: &'t str, name: &str) -> Option<&'t str> {
    let fields = node.split_once('(')?.1.trim_end_matches(')').split(", ");
    fields.filter_map(|field| field.split_once(": ")).find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Removes the debug information of a function.
///
/// inkwell: `set_subprogram` takes no null.
pub(crate) fn forget_function(function: FunctionValue) {
    // SAFETY: a live function; null stands for no information.
    unsafe { LLVMSetSubprogram(function.as_value_ref(), std::ptr::null_mut()) };
}

/// Sets the position that a builder gives to what it builds: in `function` without a line, or none if the function has no debug
/// information.
///
/// inkwell: `create_debug_location` requires a builder of debug information, which would add a compilation unit.
pub(crate) fn set_artificial_position<'m>(builder: &Builder<'m>, function: FunctionValue<'m>) {
    let Some(Function(Node { node, context })) = Function::of(function) else {
        return builder.unset_current_debug_location();
    };
    // SAFETY: the function's node is a scope of its context; null stands for code that is not inlined.
    unsafe {
        let at = LLVMDIBuilderCreateDebugLocation(context.raw(), 0, 0, node.raw(), std::ptr::null_mut());
        LLVMSetCurrentDebugLocation2(builder.as_mut_ptr(), at);
    }
}
