//! Debug information: source positions, and the C names and types of variables.
//!
//! All of it is optional: without debug information nothing has a position or a C name.

use crate::ir::{Module, Opcode, Value};
use crate::raw::compat;
use crate::raw::debug::{Block, File, Function, Scope, Type, Variable, inlined_from, loop_start, position, tag};
use cfa::float::Format;
use cfa::source_map::{Declaration, ScopeId, SourceMap};
use cfa::{ObjectPart, SourceName, Span, ValueFormat};

use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Component, Path, PathBuf};

/// Maximum number of named parts of one object; further elements of long arrays have no name of their own.
const MAX_PARTS: usize = 256;

/// A file's name with its directory.
fn file_path(file: File) -> String {
    Path::new(&file.directory()).join(file.name()).display().to_string()
}

/// A file's name, from the working directory. Debug information has it from the directory in which the compiler ran; that name stays if it
/// is no other directory, or if the file is not there (any more).
fn file_name(file: File) -> String {
    let (name, directory) = (file.name(), file.directory());
    let Some(here) = std::env::current_dir().ok().filter(|_| !directory.is_empty()) else { return name };
    let is_here =
        || std::fs::canonicalize(&directory).is_ok_and(|there| Some(there) == std::fs::canonicalize(&here).ok());
    if Path::new(&directory) == here || is_here() {
        return name;
    }
    let path = Path::new(&directory).join(&name);
    if !path.is_file() {
        return name;
    }
    // A link may make `x/..` another directory.
    let is_same = |plain: &PathBuf| std::fs::canonicalize(plain).ok() == std::fs::canonicalize(&path).ok();
    let path = Some(without_detours(&path)).filter(is_same).unwrap_or(path);
    path.strip_prefix(&here).unwrap_or(&path).display().to_string()
}

/// A path without `.` and `..`, as far as these stand after the name of a directory.
fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    plain
}

/// The debug information read so far.
#[derive(Default)]
pub(crate) struct DebugInfo<'m> {
    /// Names of files that occur in several directories.
    ambiguous: FxHashSet<String>,
    /// The names of files, as [`file_name`] has them.
    names: FxHashMap<File<'m>, String>,
    files: FxHashMap<File<'m>, u32>,
    scopes: FxHashMap<Scope<'m>, u32>,
    /// The blocks of the source, by their numbers in a [`SourceMap`].
    blocks: FxHashMap<Scope<'m>, ScopeId>,
    /// Variables that are declared to live in a stack slot, by slot.
    slots: FxHashMap<Value<'m>, Variable<'m>>,
    /// Source variables, by the LLVM value that they hold.
    values: FxHashMap<Value<'m>, Variable<'m>>,
}

impl<'m> DebugInfo<'m> {
    /// The debug information of `module`. Files of the same name are distinguished by their directories.
    pub(crate) fn of(module: &Module<'m>) -> DebugInfo<'m> {
        let mut paths: FxHashMap<String, String> = FxHashMap::default();
        let mut debug = DebugInfo::default();
        for f in module.functions() {
            let Some(file) = Function::of(f.function()).and_then(|f| f.scope().file()) else { continue };
            let (name, path) = (debug.name(file), file_path(file));
            if paths.entry(name.clone()).or_insert_with(|| path.clone()) != &path {
                debug.ambiguous.insert(name);
            }
        }
        debug
    }

    /// The source position of an instruction, if it has one.
    pub(crate) fn span(&mut self, files: &mut Vec<String>, inst: Value<'m>) -> Option<Span> {
        let (line, column, scope) = position(inst.instruction())?;
        (line != 0).then(|| Span { file: self.file_of(files, scope), line, column })
    }

    /// The name of the function of the source that an instruction was inlined from, if it was.
    pub(crate) fn inlined_from(inst: Value<'m>) -> Option<String> {
        inlined_from(inst.instruction())
    }

    fn file_of(&mut self, files: &mut Vec<String>, scope: Scope<'m>) -> u32 {
        if let Some(&i) = self.scopes.get(&scope) {
            return i;
        }
        let i = self.file(files, scope.file());
        self.scopes.insert(scope, i);
        i
    }

    fn name(&mut self, file: File<'m>) -> String {
        self.names.entry(file).or_insert_with(|| file_name(file)).clone()
    }

    fn file(&mut self, files: &mut Vec<String>, file: Option<File<'m>>) -> u32 {
        let Some(file) = file else { return 0 };
        if let Some(&i) = self.files.get(&file) {
            return i;
        }
        let name = self.name(file);
        let name = if self.ambiguous.contains(&name) { file_path(file) } else { name };
        let i = files.iter().position(|f| *f == name).unwrap_or_else(|| {
            files.push(name);
            files.len() - 1
        }) as u32;
        self.files.insert(file, i);
        i
    }

    /// The position where a function is defined.
    pub(crate) fn function_span(&mut self, files: &mut Vec<String>, function: Value<'m>) -> Span {
        let Some(function) = Function::of(function.function()) else { return Span::default() };
        Span { file: self.file_of(files, function.scope()), line: function.line(), column: 0 }
    }

    /// The position where a global variable is defined.
    pub(crate) fn global_span(&mut self, files: &mut Vec<String>, global: Value<'m>) -> Span {
        let Some(variable) = Variable::of_global(global.global()) else { return Span::default() };
        Span { file: self.file(files, variable.file()), line: variable.line(), column: 0 }
    }

    /// The named scalar parts of a global.
    pub(crate) fn global_parts(&self, global: Value<'m>) -> Vec<ObjectPart> {
        Variable::of_global(global.global()).map_or(Vec::new(), parts_of)
    }

    /// The named scalar parts of a stack slot.
    pub(crate) fn slot_parts(&self, alloca: Value<'m>) -> Vec<ObjectPart> {
        self.slots.get(&alloca).copied().map_or(Vec::new(), parts_of)
    }

    /// Where the variable that lives in a stack slot is declared.
    pub(crate) fn declaration(&mut self, map: &mut SourceMap, alloca: Value<'m>) -> Option<Declaration> {
        let variable = *self.slots.get(&alloca)?;
        Some(Declaration { scope: self.block(map, variable.scope()?), line: variable.line() })
    }

    /// The position and the scope of the loop that a branch closes.
    pub(crate) fn source_loop(
        &mut self,
        files: &mut Vec<String>,
        map: &mut SourceMap,
        branch: Value<'m>,
    ) -> Option<(Span, ScopeId)> {
        let start = loop_start(branch.instruction())?;
        let file = self.file_of(files, start.scope.scope());
        let span = Span { file, line: start.line, column: start.column };
        (span.line > 0 && span.column > 0).then(|| (span, self.block(map, start.scope)))
    }

    /// The number of a block, which it gets together with those around it.
    fn block(&mut self, map: &mut SourceMap, block: Block<'m>) -> ScopeId {
        if let Some(&id) = self.blocks.get(&block.scope()) {
            return id;
        }
        let around = block.around().map(|around| self.block(map, around));
        let id = map.scopes.len() as ScopeId;
        map.scopes.push(around);
        self.blocks.insert(block.scope(), id);
        id
    }

    /// How to interpret the values of a function's parameters, according to their C declarations, and their sizes in bits; `None`
    /// without debug information.
    pub(crate) fn parameter_formats(&self, function: Value<'m>) -> Option<Vec<Option<(ValueFormat, u64)>>> {
        let parameters = Function::of(function.function())?.parameters()?;
        let format = |ty: Type<'m>| Some((scalar_format(ty)?, stripped(ty)?.size_bits()));
        Some(parameters.into_iter().map(|ty| format(ty?)).collect())
    }

    /// The C name of the variable that a value belongs to.
    pub(crate) fn value_name(&self, value: Value<'m>) -> Option<SourceName> {
        let variable = *self.values.get(&value)?;
        let name = variable.name()?;
        let format = scalar_format(variable.ty()?)?;
        Some(SourceName { name, format })
    }

    /// Records what debug information says about variables at an instruction: the slot or the value that holds one. Adds the variables
    /// to `seen`.
    pub(crate) fn note_variables(&mut self, inst: Value<'m>, seen: &mut FxHashSet<Variable<'m>>) {
        for note in compat::variable_notes(inst.instruction()) {
            seen.insert(note.variable);
            let slot = note.value.is_instruction() && note.value.opcode() == Opcode::Alloca;
            if note.declared && slot {
                self.slots.entry(note.value).or_insert(note.variable);
            } else if !note.declared && !slot && !note.value.is_constant() {
                self.values.entry(note.value).or_insert(note.variable);
            }
        }
    }
}

/// The name of a function in the source.
pub(crate) fn function_name(function: Value) -> Option<String> {
    Function::of(function.function())?.name()
}

/// A type without typedefs and qualifiers.
pub(crate) fn stripped(mut ty: Type) -> Option<Type> {
    while matches!(ty.tag(), tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) {
        ty = ty.base()?;
    }
    Some(ty)
}

/// How to print a scalar type; `None` for aggregates.
fn scalar_format(ty: Type) -> Option<ValueFormat> {
    let ty = stripped(ty)?;
    match ty.tag() {
        tag::POINTER => Some(ValueFormat::Pointer),
        // The type that represents the enumeration, which clang makes unsigned where it can.
        tag::ENUMERATION => Some(ty.base().and_then(scalar_format).unwrap_or(ValueFormat::Signed)),
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
fn collect(ty: Type, offset_bytes: u64, path: String, depth: u32, parts: &mut Vec<ObjectPart>) {
    if parts.len() >= MAX_PARTS || depth > 8 {
        return;
    }
    let Some(ty) = stripped(ty) else { return };
    match ty.tag() {
        tag::STRUCTURE | tag::UNION => {
            for member in ty.members() {
                // Skips bit-fields, whose size differs from that of their type.
                let own_size = member.base().and_then(stripped).is_some_and(|t| t.size_bits() != member.size_bits());
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
            let size = stripped(element).map_or(0, Type::size_bits) / 8;
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
