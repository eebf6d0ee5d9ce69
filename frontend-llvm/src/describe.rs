//! Functions, their types and the variables that they use, as C knows them, for those who write C: harnesses and messages.
//!
//! All of it comes from debug information. Qualifiers are dropped: a harness assigns to what the program only reads.

use crate::debug_info::{function_name, stripped};
use crate::ir::{Linkage, Value, ValueKind};
use crate::load::{LoadOptions, read};
use crate::raw::debug::{File, Function, Metadata, Type, Variable, tag};
use crate::raw::{Llvm, compat};
use crate::symbols::Symbols;
use anyhow::{Context, Result, bail};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// An index into [`Types`].
pub type TypeId = usize;

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType {
    /// No value.
    Void,
    /// A number or truth value, by its name: `unsigned int`.
    Base(String),
    /// A pointer.
    Pointer(TypeId),
    /// An array; its length is `None` if it is open or not constant.
    Array(TypeId, Option<u64>),
    /// A struct or union.
    Aggregate(Aggregate),
    /// An enumeration.
    Enum {
        /// The name after `enum`.
        tag: Option<String>,
        /// Names and values.
        values: Vec<(String, i128)>,
    },
    /// A function.
    Function {
        /// The type of its result.
        result: TypeId,
        /// The types of its parameters.
        parameters: Vec<TypeId>,
        /// Whether it takes further arguments, or any if it has no parameters.
        is_variadic: bool,
    },
    /// Another name of a type.
    Typedef(String, TypeId),
    /// What this module does not know, in words.
    Unknown(String),
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// The name after `struct` or `union`.
    pub tag: Option<String>,
    /// Whether it is a union.
    pub is_union: bool,
    /// The size in bytes; `None` if it is only declared.
    pub bytes: Option<u64>,
    /// The members.
    pub members: Vec<Member>,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name; `None` for an unnamed struct or union whose members count as members here.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// The offset in bits.
    pub offset_bits: u64,
    /// The number of bits, for a bit-field.
    pub bits: Option<u64>,
}

/// The types of a program, as far as functions and variables refer to them.
#[derive(Clone, Debug, Default)]
pub struct Types {
    all: Vec<CType>,
    sizes: Vec<u64>,
}

/// A name and a type.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
}

/// A function of a program, with what one needs to know to call it.
#[derive(Clone, Debug)]
pub struct Described {
    /// The name in C.
    pub name: String,
    /// Whether other files cannot call it.
    pub is_static: bool,
    /// The file that defines it.
    pub file: PathBuf,
    /// The type of its result.
    pub result: TypeId,
    /// Its parameters.
    pub parameters: Vec<Named>,
    /// Whether it takes further arguments.
    pub is_variadic: bool,
    /// The variables that it, or a function that it calls directly, refers to and that are not constant. With each, the file that alone
    /// can name it, if it is static.
    pub globals: Vec<(Named, Option<PathBuf>)>,
    /// All types.
    pub types: Types,
    /// The files that are read.
    pub files: Vec<PathBuf>,
    /// Whether the program has a function `main`.
    pub has_main: bool,
    /// Width of a pointer in bits.
    pub pointer_bits: u32,
}

/// Describes a function of a program.
///
/// # Errors
/// The program cannot be read, or has no such function with a body and debug information.
pub fn describe(files: &[PathBuf], options: &LoadOptions, function: &str) -> Result<Described> {
    let folder = tempfile::tempdir().context("no folder for temporary files")?;
    let llvm = Llvm::new();
    let session = read(&llvm, files, options, folder.path())?;
    let Some(program) = session.program() else { bail!("no input file") };
    let names = files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ");
    let symbols = Symbols::of(program);
    let defined = program.functions().into_iter().filter(|f| !f.is_declaration());
    let found: Vec<Value> = defined.filter(|f| symbols.names(*f).iter().any(|name| name == function)).collect();
    let f = match found[..] {
        [] => bail!("{names}: there is no function {function} with a body"),
        [f] => f,
        _ => bail!("{names}: there are {} functions called {function}", found.len()),
    };
    let known = Function::of(f.function()).and_then(|known| Some((known, known.ty()?)));
    let Some((known, ty)) = known else {
        bail!("{names}: {function} has no debug information (compile with -g)");
    };
    let mut reader = Reader::default();
    let id = reader.read(Some(ty));
    let CType::Function { result, parameters, is_variadic } = reader.types.all[id].clone() else {
        bail!("{names}: the type of {function} is not known");
    };
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for inst in f.entry_block().instructions() {
        for note in compat::variable_notes(inst.instruction()) {
            if let (Some(i), Some(name)) = (note.variable.parameter(), note.variable.name()) {
                names.entry(i).or_insert(name);
            }
        }
    }
    let named = |(i, ty): (u32, &TypeId)| Named {
        name: names.get(&i).cloned().unwrap_or_else(|| format!("argument{i}")),
        ty: *ty,
    };
    let parameters = (1..).zip(&parameters).map(named).collect();
    let globals = globals(f, &mut reader);
    // Types that one file only declares may be defined in another one.
    if reader.lacks_definitions() {
        for other in program.functions() {
            if let Some(ty) = Function::of(other.function()).and_then(Function::ty) {
                reader.read(Some(ty));
            }
        }
    }
    let file = known.scope().file().map(path_of);
    let pointer_bits = crate::layout::Layout::new(program).pointer_bits;
    Ok(Described {
        name: function_name(f).unwrap_or_else(|| function.into()),
        is_static: f.linkage() == Linkage::Internal,
        file: file.unwrap_or_default(),
        result,
        parameters,
        is_variadic,
        globals,
        files: session.files().to_vec(),
        has_main: program.function("main").is_some_and(|f| !f.is_declaration()),
        pointer_bits,
        types: reader.finish(),
    })
}

/// The path of a file, without links and detours if it exists.
fn path_of(file: File) -> PathBuf {
    let path = Path::new(&file.directory()).join(file.name());
    std::fs::canonicalize(&path).unwrap_or(path)
}

/// The variables that a function refers to, and those that the functions in its code refer to.
fn globals<'m>(f: Value<'m>, reader: &mut Reader<'m>) -> Vec<(Named, Option<PathBuf>)> {
    let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![f], Vec::new());
    while let Some(v) = stack.pop() {
        if !seen.insert(v) {
            continue;
        }
        match v.kind() {
            ValueKind::LLVMFunctionValueKind if !v.is_declaration() => {
                let instructions = v.blocks().into_iter().flat_map(|block| block.instructions());
                stack.extend(instructions.flat_map(|inst| (0..inst.n_operands()).map(move |i| inst.operand(i))));
            }
            ValueKind::LLVMGlobalVariableValueKind => {
                let variable = Variable::of_global(v.global()).filter(|_| !v.is_constant_global());
                if let Some((variable, name)) = variable.and_then(|variable| Some((variable, variable.name()?))) {
                    let is_static = v.linkage() == Linkage::Internal;
                    let file = || variable.file().map(path_of);
                    // A static variable of a function has a name of its own.
                    let file = is_static.then(|| file().filter(|_| v.name().split('.').next() == Some(&name)));
                    let ty = reader.read(variable.ty());
                    found.push((Named { name, ty }, file.map(Option::unwrap_or_default)));
                }
                stack.extend(v.initializer());
            }
            ValueKind::LLVMConstantExprValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMGlobalAliasValueKind => stack.extend((0..v.n_operands()).map(|i| v.operand(i))),
            _ => {}
        }
    }
    found.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    found
}

/// The type of a function, without names of other types, for comparison and messages; `None` without debug information.
pub(crate) fn prototype(f: Value) -> Option<String> {
    let ty = Function::of(f.function())?.ty()?;
    let mut reader = Reader::default();
    let id = reader.read(Some(ty));
    Some(reader.finish().text(id, "", true))
}

/// Reads types, each once.
#[derive(Default)]
struct Reader<'m> {
    types: Types,
    known: FxHashMap<Metadata<'m>, TypeId>,
}

impl<'m> Reader<'m> {
    fn add(&mut self, ty: CType, bits: u64) -> TypeId {
        self.types.all.push(ty);
        self.types.sizes.push(bits / 8);
        self.types.all.len() - 1
    }

    /// Whether a struct or union is only declared.
    fn lacks_definitions(&self) -> bool {
        self.types.all.iter().any(|ty| matches!(ty, CType::Aggregate(Aggregate { bytes: None, .. })))
    }

    fn read(&mut self, ty: Option<Type<'m>>) -> TypeId {
        let Some(ty) = ty else { return self.add(CType::Void, 0) };
        if let Some(&id) = self.known.get(&ty.key()) {
            return id;
        }
        if matches!(ty.tag(), tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC) {
            return self.read(ty.base());
        }
        // The type may refer to itself.
        let id = self.add(CType::Void, stripped(ty).map_or(0, Type::size_bits));
        self.known.insert(ty.key(), id);
        self.types.all[id] = self.content(ty);
        id
    }

    fn content(&mut self, ty: Type<'m>) -> CType {
        match ty.tag() {
            tag::BASE => ty.name().map_or(CType::Unknown("a type without a name".into()), CType::Base),
            tag::POINTER => CType::Pointer(self.read(ty.base())),
            tag::TYPEDEF => {
                let base = self.read(ty.base());
                CType::Typedef(ty.name().unwrap_or_default(), base)
            }
            tag::ARRAY if ty.is_vector() => CType::Unknown("a vector".into()),
            tag::ARRAY => {
                let mut id = self.read(ty.base());
                let lengths = ty.lengths();
                let (outer, inner) = lengths.split_first().unwrap_or((&None, &[]));
                for length in inner.iter().rev() {
                    let bytes = self.types.sizes[id] * length.unwrap_or(0);
                    id = self.add(CType::Array(id, *length), 8 * bytes);
                }
                CType::Array(id, *outer)
            }
            tag::ENUMERATION => CType::Enum { tag: ty.name(), values: ty.enumerators() },
            tag::STRUCTURE | tag::UNION => {
                let mut members = Vec::new();
                for member in ty.members().into_iter().filter(|member| member.tag() == tag::MEMBER) {
                    let base = member.base();
                    let id = self.read(base);
                    // A bit-field has a size of its own.
                    let bits = Some(member.size_bits()).filter(|bits| *bits != 8 * self.types.sizes[id]);
                    let offset_bits = member.offset_bits();
                    members.push(Member { name: member.name(), ty: id, offset_bits, bits });
                }
                let is_declared = ty.size_bits() == 0 && members.is_empty() && ty.is_declaration();
                CType::Aggregate(Aggregate {
                    tag: ty.name(),
                    is_union: ty.tag() == tag::UNION,
                    bytes: (!is_declared).then(|| ty.size_bits() / 8),
                    members,
                })
            }
            tag::SUBROUTINE => {
                let mut signature = ty.signature();
                let is_variadic = signature.len() > 1 && signature.pop_if(|last| last.is_none()).is_some();
                let mut all = signature.into_iter();
                let result = all.next().flatten();
                CType::Function {
                    result: self.read(result),
                    parameters: all.map(|ty| self.read(ty)).collect(),
                    is_variadic,
                }
            }
            other => CType::Unknown(format!("a type that C does not have (DWARF tag {other:#x})")),
        }
    }

    /// The types; those that are only declared in one file get their definition from another one.
    fn finish(self) -> Types {
        let mut types = self.types;
        let complete: FxHashMap<(bool, String), TypeId> = (0..types.all.len())
            .filter_map(|id| match &types.all[id] {
                CType::Aggregate(Aggregate { tag: Some(tag), is_union, bytes: Some(_), .. }) => {
                    Some(((*is_union, tag.clone()), id))
                }
                _ => None,
            })
            .collect();
        for id in 0..types.all.len() {
            if let CType::Aggregate(Aggregate { tag: Some(tag), is_union, bytes: None, .. }) = &types.all[id]
                && let Some(&whole) = complete.get(&(*is_union, tag.clone()))
            {
                types.all[id] = types.all[whole].clone();
                types.sizes[id] = types.sizes[whole];
            }
        }
        types
    }
}

impl Types {
    /// A type.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.all[id]
    }

    /// All names that types have without a word such as `struct` before them, and those of enumerations' values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|ty| match ty {
            CType::Typedef(name, _) => vec![name.as_str()],
            CType::Enum { values, .. } => values.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        })
    }

    /// A type without its other names.
    pub fn plain(&self, mut id: TypeId) -> TypeId {
        while let CType::Typedef(_, base) = &self.all[id] {
            id = *base;
        }
        id
    }

    /// Whether a type is `va_list`, or what that is a pointer to.
    pub fn is_argument_list(&self, mut id: TypeId) -> bool {
        loop {
            match &self.all[id] {
                CType::Typedef(name, _) if matches!(&**name, "va_list" | "__builtin_va_list") => return true,
                CType::Typedef(_, base) | CType::Pointer(base) | CType::Array(base, _) => id = *base,
                CType::Aggregate(aggregate) => return aggregate.tag.as_deref() == Some("__va_list_tag"),
                _ => return false,
            }
        }
    }

    /// The size of a type in bytes; 0 if it has none.
    pub fn bytes(&self, id: TypeId) -> u64 {
        self.sizes[self.plain(id)]
    }

    /// The declaration of something of this name and type, as C writes it; without a name, the type.
    pub fn declaration(&self, id: TypeId, name: &str) -> String {
        self.text(id, name, false)
    }

    fn text(&self, id: TypeId, inner: &str, plain: bool) -> String {
        let after = |base: &str| if inner.is_empty() { base.to_string() } else { format!("{base} {inner}") };
        match &self.all[id] {
            CType::Void => after("void"),
            CType::Base(name) => after(name),
            CType::Typedef(_, base) if plain => self.text(*base, inner, plain),
            CType::Typedef(name, _) => after(name),
            CType::Pointer(to) => {
                let to = if plain { self.plain(*to) } else { *to };
                match &self.all[to] {
                    CType::Array(..) | CType::Function { .. } => self.text(to, &format!("(*{inner})"), plain),
                    _ => self.text(to, &format!("*{inner}"), plain),
                }
            }
            CType::Array(element, length) => {
                let length = length.map_or(String::new(), |n| n.to_string());
                self.text(*element, &format!("{inner}[{length}]"), plain)
            }
            CType::Function { result, parameters, is_variadic } => {
                let mut list: Vec<String> = parameters.iter().map(|ty| self.text(*ty, "", plain)).collect();
                list.extend((*is_variadic && !list.is_empty()).then(|| "...".to_string()));
                let list = if list.is_empty() && !is_variadic { "void".into() } else { list.join(", ") };
                self.text(*result, &format!("{inner}({list})"), plain)
            }
            CType::Enum { tag: Some(tag), .. } => after(&format!("enum {tag}")),
            CType::Enum { tag: None, values } => {
                let list: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                after(&format!("enum {{ {} }}", list.join(", ")))
            }
            CType::Aggregate(aggregate) => match &aggregate.tag {
                Some(tag) => after(&format!("{} {tag}", aggregate.keyword())),
                None => after(&format!("{} {}", aggregate.keyword(), self.body(aggregate, plain).replace('\n', " "))),
            },
            CType::Unknown(what) => after(what),
        }
    }

    /// The members of a struct or union in braces, one on each line.
    pub fn members(&self, aggregate: &Aggregate) -> String {
        self.body(aggregate, false)
    }

    fn body(&self, aggregate: &Aggregate, plain: bool) -> String {
        let (mut out, mut end) = (String::from("{"), 0);
        for member in &aggregate.members {
            if member.bits.is_some() && !aggregate.is_union {
                // What has no name is in no debug information. It ends at bytes, so that no piece crosses one.
                while end < member.offset_bits {
                    let bits = (8 - end % 8).min(member.offset_bits - end);
                    let _ = write!(out, "\n    unsigned char : {bits};");
                    end += bits;
                }
            }
            end = member.offset_bits + member.bits.unwrap_or(8 * self.bytes(member.ty));
            let name = member.name.as_deref().unwrap_or("");
            let bits = member.bits.map_or(String::new(), |bits| format!(" : {bits}"));
            let _ = write!(out, "\n    {}{bits};", self.text(member.ty, name, plain));
        }
        out.push_str("\n}");
        out
    }
}

impl Aggregate {
    /// The word before the tag.
    pub fn keyword(&self) -> &'static str {
        if self.is_union { "union" } else { "struct" }
    }
}
