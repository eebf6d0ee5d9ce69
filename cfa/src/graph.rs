//! The control-flow automaton of a whole program.
//!
//! Locations belong to functions. A function has one entry and one exit; a location has at most two successors
//! [Lemberger 2018, 2.2.1]. The synthetic entry function initialises the globals, runs constructors, and calls `main` and then the
//! handlers that `atexit` registered.

use crate::assumption::Assumption;
use crate::bv::{Bv, BvOp};
use crate::bytes::Bytes;
use crate::delivery::Delivery;
use crate::ids::{EdgeId, FuncId, IndexVec, LocId, ObjectId, VarId};
use crate::op::Op;
use crate::term::{Leaf, Printer, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The half-open range of addresses, for 32-bit and 64-bit pointers, of objects whose addresses are never inspected as
/// numbers. On 64-bit platforms it lies beyond the memory of programs. On 32-bit platforms it lies where Linux leaves a gap: above the
/// program and its heap (from 0x8048000, or at random places from 0x56555000), and below libraries and the stack (down from
/// 0xb7ffffff, or from 0xf7ffffff).
pub const PROGRAM_AREA: [(u64, u64); 2] = [(0x6000_0000, 0xb000_0000), (1 << 57, 7 << 56)];

/// The half-open range of numbers, for 32-bit and 64-bit pointers, that no pointer from outside the program has: [`PROGRAM_AREA`] and
/// the numbers so close to it that an offset might lead into it. That no pointer from outside lies there is an assumption.
pub const NOT_FROM_OUTSIDE: [(u64, u64); 2] = [(0x5ff0_0000, 0xb010_0000), (1 << 56, 1 << 59)];

/// The distance between the blocks of a site whose size is not constant, in bytes, for 32-bit and 64-bit pointers, unless there is room for a
/// larger one.
pub const LEAST_SLOT_BYTES: [u64; 2] = [1 << 24, 1 << 36];

/// A position in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// Index into [`Cfa::files`].
    pub file: u32,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// The construct of the front-end that an edge comes from: a number that only the front-end interprets. Edges that
/// preparation inserts have the origin of the edge at which they are inserted. Not part of the text format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin(pub u32);

impl Origin {
    /// No construct of the program: the start function, library models, and CFAs read from text.
    pub const NONE: Origin = Origin(u32::MAX);
}

impl Default for Origin {
    fn default() -> Origin {
        Origin::NONE
    }
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Source location.
    pub from: LocId,
    /// Target location, in the same function.
    pub to: LocId,
    /// Its operation.
    pub op: Op,
    /// Its position in the source.
    pub span: Span,
    /// The construct that it comes from.
    pub origin: Origin,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The function that it belongs to.
    pub func: FuncId,
    /// Edges that leave it.
    pub out: SmallVec<[EdgeId; 2]>,
    /// Edges that enter it.
    pub into: SmallVec<[EdgeId; 2]>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name in the module.
    pub name: String,
    /// Its first location.
    pub entry: LocId,
    /// Its last location, which has no outgoing edges.
    pub exit: LocId,
    /// The transfer variables of the parameters, set by callers.
    pub params: Vec<VarId>,
    /// The transfer variable of the result, set before the exit.
    pub result: Option<VarId>,
    /// The transfer variable with the address of the area of variadic arguments.
    pub varargs: Option<VarId>,
    /// The position of its definition.
    pub span: Span,
    /// Whether it is a library model and not a part of the program.
    pub library: bool,
    /// Whether it is a library model that looks into [hidden](Object::hidden) objects.
    pub insider: bool,
}

/// The stack frame in which a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// One instance for the whole program (also for memories and transfer variables).
    Global,
    /// One instance for each activation of the function.
    Local(FuncId),
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its unique name in the text format.
    pub name: String,
    /// Its name and type in C, if it has one.
    pub source: Option<SourceName>,
    /// Its sort.
    pub sort: Sort,
    /// Its frame.
    pub scope: Scope,
}

/// A variable's name in C, and how to display its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceName {
    /// The name, including the path to a part of an aggregate (`p.x`, `a[2]`).
    pub name: String,
    /// How to interpret its bits.
    pub format: ValueFormat,
}

/// How to display the bits of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ValueFormat {
    /// Signed decimal.
    Signed,
    /// Unsigned decimal.
    Unsigned,
    /// Floating point.
    Float(crate::float::Format),
    /// Hexadecimal address.
    Pointer,
}

/// The kind of a memory object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ObjectKind {
    /// A global variable, with one instance.
    Global,
    /// The address of a function.
    Function(FuncId),
    /// A stack slot of a function that cannot be active twice, made once per activation: one instance at a time.
    Stack(FuncId),
    /// A stack slot or block with any number of instances: in a recursive function, in a loop, or on the heap.
    Site(FuncId),
    /// All memory that the program does not own, from address 0 on: what undefined functions return, devices. A program
    /// has at most one such object; an address outside is that object's address plus a number.
    Outside,
}

/// A memory object, or all objects made by one allocation site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its unique name in the text format.
    pub name: String,
    /// Its kind.
    pub kind: ObjectKind,
    /// Number of bytes of one instance, if constant.
    pub size_bytes: Option<u64>,
    /// Alignment of its address in bytes, a power of two.
    pub align_bytes: u64,
    /// Distance between two instances of a `Site` in bytes; 0 for other objects.
    pub stride_bytes: u64,
    /// Base address (of the first instance) once the layout is fixed.
    pub base: Option<u64>,
    /// Whether the program never writes it.
    pub constant: bool,
    /// Whether it is on the heap (the other sites are stack slots).
    pub heap: bool,
    /// Whether other files can name it.
    pub shared: bool,
    /// Whether it is only declared: it is defined elsewhere, and pointers from outside may point to it.
    pub declared: bool,
    /// Whether it belongs to the C library, and its contents are the model's and not the real ones: whoever looks into it is not
    /// supported.
    pub hidden: bool,
    /// The position of its declaration or allocation.
    pub span: Span,
}

/// The size, in bytes, that is taken for an array that is declared without its length.
pub fn unknown_length_bytes(pointer_bits: u32) -> u64 {
    1 << (pointer_bits / 2).min(30)
}

/// The instance that an allocating edge makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// The object or site.
    pub object: ObjectId,
    /// The variable that takes the address.
    pub var: VarId,
    /// Number of bytes of the new instance.
    pub size: Term,
}

/// A place on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// An object of which there is one at a time.
    Object(ObjectId),
    /// The instance of a site whose address this variable holds.
    Instance(VarId),
}

/// An access of a slot that became a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SlotAccess {
    /// The slot.
    pub object: ObjectId,
    /// Whether the access is through a pointer, which may be one to an earlier instance of the slot.
    pub through_pointer: bool,
}

/// What happens to objects on the stack before their function returns, with which all of its objects end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// The slot is in scope from here on.
    Starts(Slot),
    /// The slot is out of scope from here on.
    Ends(Slot),
    /// The extent of the stack is noted under this number.
    Saved(u32),
    /// The instances of sites end which the function has made since it last noted the extent under this number.
    Restored(u32),
}

/// The control-flow automaton of a program, prepared or (in a [`RawCfa`](crate::RawCfa)) not yet.
#[derive(Clone, Debug, Default)]
pub struct Cfa {
    /// The program's terms.
    pub terms: Terms,
    /// All functions.
    pub funcs: IndexVec<FuncId, Function>,
    /// All locations.
    pub locs: IndexVec<LocId, Location>,
    /// All edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// All variables.
    pub vars: IndexVec<VarId, Var>,
    /// All memory objects.
    pub objects: IndexVec<ObjectId, Object>,
    /// The synthetic function in which execution begins.
    pub entry: FuncId,
    /// Locations that violate the property when reached; they have no outgoing edges.
    pub targets: Vec<LocId>,
    /// Names of source files.
    pub files: Vec<String>,
    /// Width of an address in bits.
    pub pointer_bits: u32,
    /// Edges that allocate, with what they allocate. (Their operations set the address, so analyses need not look here.)
    pub allocations: FxHashMap<EdgeId, Allocation>,
    /// Edges that free an object, with the address freed.
    pub frees: FxHashMap<EdgeId, Term>,
    /// Edges at which objects on the stack begin or end. Only the replay knows of them: a search takes accesses after the end of an object
    /// for valid, which only adds behaviours. Not part of the text format.
    pub lifetimes: FxHashMap<EdgeId, Lifetime>,
    /// Edges that copy bytes between two ranges that must not overlap, unless they are the same (`memcpy`, `strcpy`), with the addresses
    /// of both and their length in bytes. An execution in which they overlap makes an invalid access. Not part of the text format.
    pub apart: FxHashMap<EdgeId, [Term; 3]>,
    /// Edges that stand for a call of a function without a body, with its name, by which slicing criteria refer to them.
    pub external_calls: FxHashMap<EdgeId, String>,
    /// The scalar parts of objects that have a name in C, which promotion uses to name variables.
    pub object_parts: FxHashMap<ObjectId, Vec<ObjectPart>>,
    /// Inputs that stand for a write that may or may not have happened. For a proof, an arbitrary value covers both
    /// cases; for a slice, the previous values matter too.
    pub weak_inputs: FxHashSet<EdgeId>,
    /// What preparation made of memory; empty before.
    pub memory: Memory,
    /// What the slicing of a module needs besides the automaton; empty if slices are not written as modules.
    pub module: ModuleFacts,
    /// For each edge, the signed operations computed on the way to it that may overflow. Only for the replay; not part of the text format.
    pub signed_operations: FxHashMap<EdgeId, Vec<SignedOperation>>,
    /// The functions of the source that lines of inlined copies belong to, by file and line. The edges of a copy are those of the function that it
    /// was inlined into. Only for reports; not part of the text format.
    pub inlined: FxHashMap<(u32, u32), String>,
    /// Inputs that are results of undefined functions which are declared to compute them from their arguments alone. Only for the
    /// replay; not part of the text format.
    pub determined: FxHashMap<EdgeId, Determined>,
    /// Edges at which bytes from the environment have arrived. Only for the replay; not part of the text format.
    pub deliveries: FxHashMap<EdgeId, Delivery>,
    /// Variables that hold the states of specification automata. They are only set to constants and compared with
    /// constants. Not part of the text format.
    pub automata: Vec<VarId>,
    /// The assumptions on which verdicts about this program rest. The text format contains their wording and when
    /// they matter.
    pub assumptions: Vec<Assumption>,
}

/// A signed operation. C leaves its overflow undefined; here, it wraps around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignedOperation {
    /// The operator.
    pub op: BvOp,
    /// The left operand.
    pub left: Term,
    /// The right operand, of the same width.
    pub right: Term,
    /// The result, of the same width.
    pub result: Term,
    /// The position in the source.
    pub span: Span,
}

impl SignedOperation {
    /// Whether the result, given the values of terms, is another one than that of the operation on numbers.
    pub fn overflows(&self, value: impl Fn(Term) -> Option<Bv>) -> bool {
        let values = (value(self.left), value(self.right), value(self.result));
        let (Some(left), Some(right), Some(result)) = values else { return false };
        let width = if self.op == BvOp::Mul { 2 * left.width() } else { left.width() + 1 };
        Bv::apply(self.op, &left.sext(width), &right.sext(width)) != result.sext(width)
    }
}

/// A part of the result of an undefined function, which is the same for the same arguments.
#[derive(Clone, Debug)]
pub struct Determined {
    /// The number of the part: a result may have several scalars.
    pub part: u32,
    /// The arguments.
    pub by: Box<[Term]>,
    /// The table in which preparation keeps the function's results, and the index of this one.
    pub noted: Option<(VarId, Term)>,
}

/// What preparation made of memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The objects that each memory holds, ascending; a memory without an entry holds all of them. One that holds none is no memory of
    /// the program but a table of the sizes or the ranks of blocks, by their addresses.
    pub objects: FxHashMap<VarId, Vec<ObjectId>>,
    /// The variables that objects became, each with its first byte. Only for the replay; not part of the text format.
    pub parts: FxHashMap<ObjectId, Box<[(u64, VarId)]>>,
    /// Which bytes of their blocks accesses touch, in memories that hold blocks of the heap only: by the memory, the address and the number of
    /// bytes, counted from the beginning of each block. Only for slicing; not part of the text format.
    pub fields: FxHashMap<(VarId, Term, u64), Bytes>,
    /// Inputs of kind `Layout`, and assignments, that stand for a comparison or difference of addresses, with the term for its value in the
    /// current layout.
    pub address_orders: FxHashMap<EdgeId, Term>,
    /// How edges access slots of the stack that became variables, as far as these may be gone. Only for the replay; not part of the text
    /// format.
    pub slots: FxHashMap<EdgeId, Box<[SlotAccess]>>,
    /// The slots of the stack whose addresses an edge computes, other than to access them. Only for the replay; not part of the text format.
    pub taken: FxHashMap<EdgeId, Box<[ObjectId]>>,
}

/// What the slicing of a module needs besides the automaton. Not part of the text format.
#[derive(Clone, Debug, Default)]
pub struct ModuleFacts {
    /// The edges without which an edge's construct cannot be executed in the module, although its operation does not read
    /// what they write. A slice that keeps the edge keeps these too.
    pub companions: FxHashMap<EdgeId, Vec<EdgeId>>,
    /// For edges of constructs without a model, the functions which they may call: those whose address they are given, possibly in
    /// memory, and for an indirect call that may leave the program those of which the outside knows.
    pub callbacks: FxHashMap<EdgeId, Vec<FuncId>>,
    /// For edges of calls, the memories and variables that the call may read although no edge shows it. A slice that keeps the
    /// edge keeps their contents.
    pub opaque_reads: FxHashMap<EdgeId, Arc<[VarId]>>,
    /// The edges of calls of undefined functions that may use whatever the outside knows: read, change or return it.
    pub outsiders: FxHashSet<EdgeId>,
    /// Those of them that tell the outside an address, ascending. A slice that keeps any of `outsiders` keeps these, too: otherwise, fewer objects
    /// would be known.
    pub disclosures: Vec<EdgeId>,
    /// The edges of calls that no slice can contain, such as of `setjmp`.
    pub unsliceable: FxHashSet<EdgeId>,
    /// Functions whose callees may run at any time, and any number of times, once they were called: handlers of signals.
    pub handler_runners: Vec<FuncId>,
}

impl ModuleFacts {
    /// A new edge does a part of what `e` did: what holds for the call holds for both.
    pub fn stands_for(&mut self, new: EdgeId, e: EdgeId) {
        if let Some(read) = self.opaque_reads.get(&e).cloned() {
            self.opaque_reads.insert(new, read);
        }
        if self.outsiders.contains(&e) {
            self.outsiders.insert(new);
        }
    }
}

impl Function {
    /// Whether the front-end made this function to set up the program's memory and call its entry.
    pub fn is_start(&self) -> bool {
        self.name.starts_with(START)
    }
}

/// The prefix of the names of functions that a front-end makes.
pub const START: &str = "_start";

/// A scalar part of an object, with its name in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectPart {
    /// Offset from the object's base in bytes.
    pub offset_bytes: u64,
    /// Length in bytes.
    pub size_bytes: u64,
    /// Its name and how to interpret its bits.
    pub source: SourceName,
}

impl Cfa {
    /// The edges whose operations name the addresses of `objects`. Linear in the size of the operations.
    pub fn edges_naming(&self, objects: &[ObjectId]) -> BTreeMap<ObjectId, Vec<EdgeId>> {
        let mut naming: BTreeMap<ObjectId, Vec<EdgeId>> = objects.iter().map(|o| (*o, Vec::new())).collect();
        if objects.is_empty() {
            return naming;
        }
        for (e, edge) in self.edges.iter_enumerated() {
            for leaf in self.terms.leaves(&edge.op.terms()) {
                if let Leaf::Addr(o) = leaf
                    && let Some(edges) = naming.get_mut(&o)
                {
                    edges.push(e);
                }
            }
        }
        naming
    }

    /// A program without functions.
    pub fn new(pointer_bits: u32) -> Cfa {
        Cfa { pointer_bits, files: vec![String::new()], ..Cfa::default() }
    }

    /// Adds a location of `func`.
    pub fn add_loc(&mut self, func: FuncId) -> LocId {
        self.locs.push(Location { func, ..Location::default() })
    }

    /// Adds an edge without an origin.
    pub fn add_edge(&mut self, from: LocId, to: LocId, op: Op, span: Span) -> EdgeId {
        let e = self.edges.push(Edge { from, to, op, span, origin: Origin::NONE });
        self.locs[from].out.push(e);
        self.locs[to].into.push(e);
        e
    }

    /// Adds a function with an entry and an exit location.
    pub fn add_func(&mut self, name: impl Into<String>, span: Span) -> FuncId {
        let f = FuncId(u32::try_from(self.funcs.len()).expect("fewer than 2^32 functions"));
        let (entry, exit) = (self.add_loc(f), self.add_loc(f));
        self.funcs.push(Function {
            name: name.into(),
            entry,
            exit,
            params: Vec::new(),
            result: None,
            varargs: None,
            span,
            library: false,
            insider: false,
        })
    }

    /// Adds a variable.
    pub fn add_var(&mut self, name: impl Into<String>, sort: Sort, scope: Scope) -> VarId {
        self.vars.push(Var { name: name.into(), source: None, sort, scope })
    }

    /// The object that stands for memory outside the program, if there is one.
    pub fn outside(&self) -> Option<ObjectId> {
        self.objects.ids().find(|o| self.objects[*o].kind == ObjectKind::Outside)
    }

    /// The term of a variable.
    pub fn var_term(&mut self, v: VarId) -> Term {
        let sort = self.vars[v].sort;
        self.terms.var(v, sort)
    }

    /// Whether `l` is a target. Linear in the number of targets.
    pub fn is_target(&self, l: LocId) -> bool {
        self.targets.contains(&l)
    }

    /// The text `file:line` for a span, or only the file if the line is unknown.
    pub fn place(&self, span: Span) -> String {
        let file = self.files.get(span.file as usize).map_or("", |f| f.as_str());
        match (file.is_empty(), span.line) {
            (true, 0) => "unknown place".into(),
            (true, line) => format!("line {line}"),
            (false, 0) => file.into(),
            (false, line) => format!("{file}:{line}"),
        }
    }

    /// A term as text, with this program's names.
    pub fn show(&self, t: Term) -> String {
        self.show_in(&self.terms, t)
    }

    /// A term of `terms` (this program's arena or an overlay over it) as text, with this program's names.
    pub fn show_in(&self, terms: &Terms, t: Term) -> String {
        self.show_start(terms, t, usize::MAX)
    }

    /// The beginning of that text: all of it, or more than `enough` bytes.
    pub fn show_start(&self, terms: &Terms, t: Term, enough: usize) -> String {
        let names = Printer {
            var: &|v| self.vars[v].name.clone(),
            sym: &|s| format!("{}!{}", terms.symbol(s).name, s.0),
            object: &|o| self.objects[o].name.clone(),
        };
        terms.print_start(t, &names, enough)
    }

    /// The beginning of a term as people read it (see [`Terms::infix`]): all of it, or more than `enough` bytes. Variables have their names in
    /// the source, or those without that of their function.
    pub fn show_infix(&self, t: Term, enough: usize) -> String {
        let names = Printer {
            var: &|v| self.short_name(v).to_string(),
            sym: &|s| format!("{}!{}", self.terms.symbol(s).name, s.0),
            object: &|o| self.objects[o].name.clone(),
        };
        self.terms.infix(t, &names, enough)
    }

    /// The name of a variable in the source, or its own without that of its function.
    pub fn short_name(&self, v: VarId) -> &str {
        let var = &self.vars[v];
        match (&var.source, var.scope) {
            (Some(source), _) => &source.name,
            (None, Scope::Local(_)) => var.name.rsplit("::").next().unwrap_or(&var.name),
            (None, Scope::Global) => &var.name,
        }
    }

    /// Whether `v` has one instance for each activation of a function.
    pub fn is_local(&self, v: VarId) -> bool {
        matches!(self.vars[v].scope, Scope::Local(_))
    }

    /// An address as a bit-vector of pointer width.
    pub fn address(&self, a: u64) -> Bv {
        Bv::new(self.pointer_bits, a)
    }

    /// The edges that leave `l`.
    pub fn out(&self, l: LocId) -> &[EdgeId] {
        &self.locs[l].out
    }

    /// The edges that enter `l`.
    pub fn into(&self, l: LocId) -> &[EdgeId] {
        &self.locs[l].into
    }
}
