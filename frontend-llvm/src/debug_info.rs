//! Debug information: source positions, and the C names and types of variables.
//!
//! All of it is optional: without debug information nothing has a position or a C name.

use crate::compat::{self, BASE_TYPE, ELEMENTS};
use crate::ir::{Module, Opcode, Value, text};
use cfa::float::Format;
use cfa::{ObjectPart, SourceName, Span, ValueFormat};

use crate::llvm_sys::core::*;
use crate::llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
use crate::llvm_sys::debuginfo::*;
use crate::llvm_sys::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// Maximum number of named parts of one object; further elements of long arrays have no name of their own.
const MAX_PARTS: usize = 256;

/// A file's name as it was given to the compiler.
fn file_name(file: LLVMMetadataRef) -> String {
    let mut n = 0;
    // SAFETY: a file of live debug information.
    unsafe { text(LLVMDIFileGetFilename(file, &raw mut n), n as usize) }
}

/// A file's name with its directory.
fn file_path(file: LLVMMetadataRef) -> String {
    let mut n = 0;
    // SAFETY: a file of live debug information.
    let directory = unsafe { text(LLVMDIFileGetDirectory(file, &raw mut n), n as usize) };
    Path::new(&directory).join(file_name(file)).display().to_string()
}

/// The operand of a function's node that is its type: after file, scope, name and linkage name.
const FUNCTION_TYPE: usize = 4;
/// The operand of a function's or a type's node that is its name.
const NAME: usize = 2;

/// DWARF tags of types.
pub(crate) mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// A variable of the debug information: its node.
#[derive(Clone, Copy)]
struct Variable {
    node: LLVMMetadataRef,
    context: LLVMContextRef,
}

/// The debug information read so far.
#[derive(Default)]
pub(crate) struct DebugInfo {
    /// Names that occur in several directories.
    ambiguous: FxHashSet<String>,
    files: FxHashMap<LLVMMetadataRef, u32>,
    scopes: FxHashMap<LLVMMetadataRef, u32>,
    /// Variables that are declared to live in a stack slot, by slot.
    slots: FxHashMap<Value, Variable>,
    /// Source variables, by the LLVM value that they hold.
    values: FxHashMap<Value, Variable>,
}

impl DebugInfo {
    /// The debug information of `module`. Files of the same name are distinguished by their directories.
    pub fn of(module: Module) -> DebugInfo {
        let mut paths: FxHashMap<String, String> = FxHashMap::default();
        let mut debug = DebugInfo::default();
        for f in module.functions() {
            // SAFETY: a live function and, where it has one, the file of its debug information.
            let file = unsafe {
                let program = LLVMGetSubprogram(f.0);
                if program.is_null() { program } else { LLVMDIScopeGetFile(program) }
            };
            if file.is_null() {
                continue;
            }
            let (name, path) = (file_name(file), file_path(file));
            if paths.entry(name.clone()).or_insert_with(|| path.clone()) != &path {
                debug.ambiguous.insert(name);
            }
        }
        debug
    }

    /// The source position of an instruction, if it has one.
    pub fn span(&mut self, files: &mut Vec<String>, inst: Value) -> Option<Span> {
        // SAFETY: `inst` is a live instruction; the location and its scope belong to its context.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(inst.0);
            if location.is_null() {
                return None;
            }
            let line = LLVMDILocationGetLine(location);
            if line == 0 {
                return None;
            }
            let column = LLVMDILocationGetColumn(location);
            let scope = LLVMDILocationGetScope(location);
            Some(Span { file: self.file_of(files, scope), line, column })
        }
    }

    fn file_of(&mut self, files: &mut Vec<String>, scope: LLVMMetadataRef) -> u32 {
        if scope.is_null() {
            return 0;
        }
        if let Some(&i) = self.scopes.get(&scope) {
            return i;
        }
        // SAFETY: a scope of live debug information.
        let file = unsafe { LLVMDIScopeGetFile(scope) };
        let i = self.file(files, file);
        self.scopes.insert(scope, i);
        i
    }

    fn file(&mut self, files: &mut Vec<String>, file: LLVMMetadataRef) -> u32 {
        if file.is_null() {
            return 0;
        }
        if let Some(&i) = self.files.get(&file) {
            return i;
        }
        let name = file_name(file);
        let name = if self.ambiguous.contains(&name) { file_path(file) } else { name };
        let i = files.iter().position(|f| *f == name).unwrap_or_else(|| {
            files.push(name);
            files.len() - 1
        }) as u32;
        self.files.insert(file, i);
        i
    }

    /// The position where a function is defined.
    pub fn function_span(&mut self, files: &mut Vec<String>, function: Value) -> Span {
        // SAFETY: a live function.
        unsafe {
            let program = LLVMGetSubprogram(function.0);
            if program.is_null() {
                return Span::default();
            }
            Span { file: self.file_of(files, program), line: LLVMDISubprogramGetLine(program), column: 0 }
        }
    }

    /// The position where a global variable is defined.
    pub fn global_span(&mut self, files: &mut Vec<String>, global: Value) -> Span {
        let Some(variable) = global_variable(global) else { return Span::default() };
        // SAFETY: a variable of live debug information.
        unsafe {
            let file = LLVMDIVariableGetFile(variable.node);
            Span { file: self.file(files, file), line: LLVMDIVariableGetLine(variable.node), column: 0 }
        }
    }

    /// The named scalar parts of a global.
    pub fn global_parts(&self, global: Value) -> Vec<ObjectPart> {
        global_variable(global).map_or(Vec::new(), parts_of)
    }

    /// The named scalar parts of a stack slot.
    pub fn slot_parts(&self, alloca: Value) -> Vec<ObjectPart> {
        self.slots.get(&alloca).copied().map_or(Vec::new(), parts_of)
    }

    /// How to interpret the values of a function's parameters, according to their C declarations; `None` without debug
    /// information.
    pub fn parameter_formats(&self, function: Value) -> Option<Vec<Option<ValueFormat>>> {
        // SAFETY: a live function of a live module.
        let (program, context) =
            unsafe { (LLVMGetSubprogram(function.0), LLVMGetModuleContext(LLVMGetGlobalParent(function.0))) };
        if program.is_null() {
            return None;
        }
        let ty = node(context, *operands(context, program).get(FUNCTION_TYPE)?)?;
        // The types of the result and the parameters are in the operand that holds the base type in other types.
        let types = node(context, *ty.operands().get(BASE_TYPE)?)?.operands();
        let mut params = types.get(1..)?.to_vec();
        // The parameter list of a variadic function ends in a null type.
        params.pop_if(|last| last.is_null());
        let format = |ty: &LLVMValueRef| scalar_format(node(context, *ty).filter(|n| n.is_type())?);
        Some(params.iter().map(format).collect())
    }

    /// The C name of the variable that a value belongs to.
    pub fn value_name(&self, value: Value) -> Option<SourceName> {
        let variable = *self.values.get(&value)?;
        let name = variable.name()?;
        let format = scalar_format(variable.ty()?)?;
        Some(SourceName { name, format })
    }

    /// Reads the notes about variables at an instruction.
    pub fn note_variables(&mut self, inst: Value) {
        // SAFETY: a live instruction.
        let notes = unsafe { compat::variable_notes(inst.0) };
        for note in notes {
            let value = Value(note.value);
            // SAFETY: a live module.
            let context = unsafe { LLVMGetModuleContext(module_of(inst)) };
            let variable = Variable { node: note.variable, context };
            let slot = value.is_instruction() && value.opcode() == Opcode::LLVMAlloca;
            if note.declared && slot {
                self.slots.entry(value).or_insert(variable);
            } else if !note.declared && !slot && !value.is_constant() {
                self.values.entry(value).or_insert(variable);
            }
        }
    }
}

/// The name of a function in the source.
pub(crate) fn function_name(function: Value) -> Option<String> {
    // SAFETY: a live function of a live module.
    let (program, context) =
        unsafe { (LLVMGetSubprogram(function.0), LLVMGetModuleContext(LLVMGetGlobalParent(function.0))) };
    if program.is_null() {
        return None;
    }
    string(*operands(context, program).get(NAME)?)
}

/// The module of an instruction.
fn module_of(inst: Value) -> LLVMModuleRef {
    // SAFETY: a live instruction within a function.
    unsafe { LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst.0))) }
}

impl Variable {
    fn operands(self) -> Vec<LLVMValueRef> {
        operands(self.context, self.node)
    }

    fn name(self) -> Option<String> {
        string(*self.operands().get(1)?)
    }

    fn ty(self) -> Option<Node> {
        node(self.context, *self.operands().get(3)?)
    }
}

/// A node of the debug information.
#[derive(Clone, Copy)]
struct Node {
    node: LLVMMetadataRef,
    context: LLVMContextRef,
}

fn operands(context: LLVMContextRef, node: LLVMMetadataRef) -> Vec<LLVMValueRef> {
    // SAFETY: a live node; the number of operands written is the number that it has.
    unsafe {
        let value = LLVMMetadataAsValue(context, node);
        let n = LLVMGetMDNodeNumOperands(value) as usize;
        let mut all = vec![std::ptr::null_mut(); n];
        LLVMGetMDNodeOperands(value, all.as_mut_ptr());
        all
    }
}

fn string(value: LLVMValueRef) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let mut n = 0;
    // SAFETY: a metadata value; LLVM returns null for anything but a string.
    let s = unsafe { LLVMGetMDString(value, &raw mut n) };
    (!s.is_null()).then(|| text(s, n as usize)).filter(|s| !s.is_empty())
}

fn node(context: LLVMContextRef, value: LLVMValueRef) -> Option<Node> {
    // SAFETY: a metadata value or null.
    unsafe {
        if value.is_null() {
            return None;
        }
        let node = LLVMValueAsMetadata(value);
        (!node.is_null()).then_some(Node { node, context })
    }
}

impl Node {
    fn operands(self) -> Vec<LLVMValueRef> {
        operands(self.context, self.node)
    }

    fn tag(self) -> u16 {
        // SAFETY: a live node of the debug information.
        unsafe { compat::node_tag(self.context, self.node) }
    }

    fn is_type(self) -> bool {
        // SAFETY: a live metadata node.
        let kind = unsafe { LLVMGetMetadataKind(self.node) } as u32;
        [
            MetadataKind::LLVMDIBasicTypeMetadataKind as u32,
            MetadataKind::LLVMDIDerivedTypeMetadataKind as u32,
            MetadataKind::LLVMDICompositeTypeMetadataKind as u32,
        ]
        .contains(&kind)
    }

    fn name(self) -> Option<String> {
        string(*self.operands().get(NAME)?)
    }

    fn base(self) -> Option<Node> {
        node(self.context, *self.operands().get(BASE_TYPE)?).filter(|n| n.is_type())
    }

    fn size_bits(self) -> u64 {
        // SAFETY: a live type.
        unsafe { LLVMDITypeGetSizeInBits(self.node) }
    }

    fn offset_bits(self) -> u64 {
        // SAFETY: a live type.
        unsafe { LLVMDITypeGetOffsetInBits(self.node) }
    }

    /// The type without typedefs and qualifiers.
    fn stripped(self) -> Option<Node> {
        let mut ty = self;
        while matches!(ty.tag(), tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) {
            ty = ty.base()?;
        }
        Some(ty)
    }

    /// Members of a struct or union.
    fn members(self) -> Vec<Node> {
        let Some(elements) = self.operands().get(ELEMENTS).and_then(|v| node(self.context, *v)) else {
            return Vec::new();
        };
        elements.operands().into_iter().filter_map(|v| node(self.context, v)).filter(|n| n.is_type()).collect()
    }
}

fn global_variable(global: Value) -> Option<Variable> {
    // SAFETY: a live global; the list of its metadata is disposed of.
    unsafe {
        let module = LLVMGetGlobalParent(global.0);
        let context = LLVMGetModuleContext(module);
        let mut n = 0;
        let entries = LLVMGlobalCopyAllMetadata(global.0, &raw mut n);
        let mut found = None;
        for i in 0..n as u32 {
            let metadata = LLVMValueMetadataEntriesGetMetadata(entries, i);
            let kind = LLVMGetMetadataKind(metadata) as u32;
            if kind == MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind as u32 {
                let node = LLVMDIGlobalVariableExpressionGetVariable(metadata);
                found = (!node.is_null()).then_some(Variable { node, context });
            }
        }
        LLVMDisposeValueMetadataEntries(entries);
        found
    }
}

/// How to print a scalar type; `None` for aggregates.
fn scalar_format(ty: Node) -> Option<ValueFormat> {
    let ty = ty.stripped()?;
    match ty.tag() {
        tag::POINTER => Some(ValueFormat::Pointer),
        tag::ENUMERATION => Some(ValueFormat::Signed),
        tag::BASE => {
            // The C interface does not give the encoding, but the names of C's and Rust's types do.
            let name = ty.name()?;
            let float = |name: &str| match (name, ty.size_bits()) {
                ("float" | "f32", _) => Some(Format::Single),
                ("double" | "f64", _) => Some(Format::Double),
                ("_Float16" | "f16", _) => Some(Format::Half),
                ("__float128" | "_Float128", _) => Some(Format::Quad),
                ("long double", 64) => Some(Format::Double),
                ("long double", _) => Some(Format::X87),
                _ => None,
            };
            if let Some(format) = float(&name) {
                return Some(ValueFormat::Float(format));
            }
            let rust =
                name.starts_with('u') && name[1..].chars().next().is_some_and(|c| c.is_ascii_digit() || c == 's');
            let unsigned = name.contains("unsigned") || name.contains("_Bool") || name == "bool" || rust;
            Some(if unsigned { ValueFormat::Unsigned } else { ValueFormat::Signed })
        }
        _ => None,
    }
}

fn parts_of(variable: Variable) -> Vec<ObjectPart> {
    let mut parts = Vec::new();
    if let (Some(name), Some(ty)) = (variable.name(), variable.ty()) {
        collect(ty, 0, name, 0, &mut parts);
    }
    parts
}

/// Collects the scalars of a type located at `offset_bytes`.
fn collect(ty: Node, offset_bytes: u64, path: String, depth: u32, parts: &mut Vec<ObjectPart>) {
    if parts.len() >= MAX_PARTS || depth > 8 || !ty.is_type() {
        return;
    }
    let Some(ty) = ty.stripped() else { return };
    match ty.tag() {
        tag::STRUCTURE | tag::UNION => {
            for member in ty.members() {
                // Skips bit-fields, whose size differs from that of their type.
                let own_size =
                    member.base().and_then(Node::stripped).is_some_and(|t| t.size_bits() != member.size_bits());
                if member.tag() != tag::MEMBER || !member.offset_bits().is_multiple_of(8) || own_size {
                    continue;
                }
                let name = match member.name() {
                    Some(name) => format!("{path}.{name}"),
                    None => path.clone(),
                };
                if let Some(inner) = member.base() {
                    collect(inner, offset_bytes + member.offset_bits() / 8, name, depth + 1, parts);
                }
            }
        }
        tag::ARRAY => {
            let Some(element) = ty.base() else { return };
            // Qualified types and typedefs have no size of their own.
            let size = element.stripped().map_or(0, Node::size_bits) / 8;
            let n = (ty.size_bits() / 8).checked_div(size).unwrap_or(0);
            for i in 0..n.min(MAX_PARTS as u64) {
                collect(element, offset_bytes + i * size, format!("{path}[{i}]"), depth + 1, parts);
            }
        }
        _ => {
            if let Some(format) = scalar_format(ty) {
                let source = SourceName { name: path, format };
                parts.push(ObjectPart { offset_bytes, size_bytes: ty.size_bits().div_ceil(8), source });
            }
        }
    }
}
