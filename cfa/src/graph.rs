//! The control-flow automaton of a whole program.
//!
//! Locations belong to functions; a function has one entry and one exit, a location at most two successors [Lemberger 2018, 2.2.1]. The
//! synthetic entry function sets up the globals, runs constructors, calls `main` and then what `atexit` registered.

use crate::assumption::Assumption;
use crate::bv::Bv;
use crate::ids::{EdgeId, FuncId, IndexVec, LocId, ObjectId, VarId};
use crate::op::Op;
use crate::term::{Leaf, Printer, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// From where to before where objects lie whose addresses are never looked at as numbers, for 32-bit and 64-bit pointers: powers of
/// two in the lower half of the addresses, on 64-bit platforms beyond where programs have their memory.
pub const PROGRAM_AREA: [(u64, u64); 2] = [(1 << 16, 1 << 31), (1 << 57, 1 << 62)];

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// Index into [`Cfa::files`].
    pub file: u32,
    /// Line, from 1; 0 where it is not known.
    pub line: u32,
    /// Column, from 1; 0 where it is not known.
    pub column: u32,
}

/// Which construct of the front-end an edge comes from: a number that only the front-end understands. Edges that preparation
/// inserts have the origin of the edge at which they stand. Not part of the text format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin(pub u32);

impl Origin {
    /// No construct of the program: the start, library models, CFAs read from text.
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
    /// What it does.
    pub op: Op,
    /// Where it stands in the source.
    pub span: Span,
    /// What it comes from.
    pub origin: Origin,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// The function it belongs to.
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
    /// First location.
    pub entry: LocId,
    /// Last location; nothing leaves it.
    pub exit: LocId,
    /// Transfer variables of the parameters, set by callers.
    pub params: Vec<VarId>,
    /// Transfer variable of the result, set before the exit.
    pub result: Option<VarId>,
    /// Transfer variable with the address of the variadic arguments' area.
    pub varargs: Option<VarId>,
    /// Where it is defined.
    pub span: Span,
    /// Whether it is a model of the library, not of the program.
    pub library: bool,
}

/// Which stack frame a variable lives in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// One for the whole program (also memories and transfer variables).
    Global,
    /// One for each activation of the function.
    Local(FuncId),
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Unique name in the text format.
    pub name: String,
    /// Name and type in C, where the variable has one.
    pub source: Option<SourceName>,
    /// Its sort.
    pub sort: Sort,
    /// Its frame.
    pub scope: Scope,
}

/// A variable's name in C and how to show its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceName {
    /// The name, with a path for a part of an aggregate (`p.x`, `a[2]`).
    pub name: String,
    /// How its bits are to be read.
    pub format: ValueFormat,
}

/// How the bits of a value are shown.
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

/// What a memory object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ObjectKind {
    /// A global variable; one instance.
    Global,
    /// The address of a function.
    Function(FuncId),
    /// A stack slot of a function that cannot be active twice, made once per activation; one instance at a time.
    Stack(FuncId),
    /// A stack slot or block with any number of instances: of a recursive function, of a loop, or of the heap.
    Site(FuncId),
    /// All memory that the program does not own, from address 0 on: what undefined functions return, devices. A program has at most one
    /// such object; the address of what lies outside is that object's plus a number.
    Outside,
}

/// A memory object, or all objects that one allocation site makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Unique name in the text format.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// Bytes of one instance, where fixed.
    pub size_bytes: Option<u64>,
    /// Alignment of its address, in bytes, a power of two.
    pub align_bytes: u64,
    /// Distance of two instances of a `Site`, in bytes; 0 else.
    pub stride_bytes: u64,
    /// Base address (of the first instance) once the layout is fixed.
    pub base: Option<u64>,
    /// Whether the program never writes it.
    pub constant: bool,
    /// Whether it is on the heap (the other sites are stack slots).
    pub heap: bool,
    /// Whether other files can name it.
    pub shared: bool,
    /// Whether it is only declared: somebody else defines it, and pointers from outside may point to it.
    pub declared: bool,
    /// Where it is declared or allocated.
    pub span: Span,
}

/// What an edge that allocates makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// The object or site.
    pub object: ObjectId,
    /// The variable that takes the address.
    pub var: VarId,
    /// Bytes of the new instance.
    pub size: Term,
}

/// The control-flow automaton of a program.
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
    /// The synthetic function where execution begins.
    pub entry: FuncId,
    /// Locations whose reaching violates the property; nothing leaves them.
    pub targets: Vec<LocId>,
    /// Names of source files.
    pub files: Vec<String>,
    /// Bits of an address.
    pub pointer_bits: u32,
    /// Edges that allocate, with what they make. (Their operations set the address, so analyses need not look here.)
    pub allocations: FxHashMap<EdgeId, Allocation>,
    /// Edges that free an object, with the address freed.
    pub frees: FxHashMap<EdgeId, Term>,
    /// Edges that stand for a call of a function without a body, by its name: what slicing criteria name.
    pub external_calls: FxHashMap<EdgeId, String>,
    /// Edges that compare two addresses by order or subtract them: their operation is plain arithmetic, which is exact only
    /// where both lie in one object. Elsewhere the result becomes an `Input` of kind `Layout` (after points-to).
    pub pointer_comparisons: FxHashMap<EdgeId, PointerComparison>,
    /// The objects that each memory holds, ascending; a memory without an entry holds all of them.
    pub memory_objects: FxHashMap<VarId, Vec<ObjectId>>,
    /// Inputs of kind `Layout` that stand for a comparison or difference of addresses: what it yields in the layout at hand.
    pub address_orders: FxHashMap<EdgeId, Term>,
    /// The named scalar parts of objects, for those that have a name in C: names for what promotion makes of them.
    pub object_parts: FxHashMap<ObjectId, Vec<ObjectPart>>,
    /// For edges of a program that is sliced as a module, not only as a CFA: the edges without which the edge's construct cannot be
    /// carried out there, though its operation does not read what they write. A slice that keeps the edge keeps these.
    pub companions: FxHashMap<EdgeId, Vec<EdgeId>>,
    /// For edges that call what the program does not show (undefined functions, library models), the arguments, if the program is
    /// sliced as a module: such a function may read the memory behind them. Preparation turns them into `opaque_reads`.
    pub opaque_args: FxHashMap<EdgeId, Vec<Term>>,
    /// Edges of calls that may read all memory that the program's outside can get at, if the program is sliced as a module. Preparation
    /// turns them into `opaque_reads`.
    pub opaque_calls: FxHashSet<EdgeId>,
    /// For edges of constructs without a model, functions whose address they are given, also in memory, and that they may call, if
    /// the program is sliced as a module. Not part of the text format.
    pub callbacks: FxHashMap<EdgeId, Vec<FuncId>>,
    /// Inputs that stand for what somebody may have written, and may not. To a proof, an arbitrary value is all of that; of a
    /// slice, the values from before are a part. Not part of the text format.
    pub weak_inputs: FxHashSet<EdgeId>,
    /// Memories and variables that a call may read without the graph showing it. A slice that keeps the edge keeps what they hold.
    pub opaque_reads: FxHashMap<EdgeId, Arc<[VarId]>>,
    /// For edges at which an undefined function may change memory, what it is given. Preparation turns such an edge into inputs of
    /// what the outside knows. Not part of the text format.
    pub escapes: FxHashMap<EdgeId, Vec<Term>>,
    /// For edges at which bytes leave the program and may come back from a file or the environment: values, and where the flag is set
    /// addresses of memory, whose pointers may come back so. Not part of the text format.
    pub given_away: FxHashMap<EdgeId, Vec<(Term, bool)>>,
    /// For edges, conditions under which a signed operation overflowed that was computed on the way to it, with its place: C leaves that
    /// undefined, and here it wraps around. For the replay only; not part of the text format.
    pub signed_overflows: FxHashMap<EdgeId, Vec<(Term, Span)>>,
    /// Variables that hold the states of specification automata: set to constants and compared with constants, and nothing else. Not
    /// part of the text format.
    pub automata: Vec<VarId>,
    /// What verdicts about this program rest on. The text format has the words only.
    pub assumptions: Vec<Assumption>,
}

impl Function {
    /// Whether it was made by the front-end, to set up the program's memory and call its entry.
    pub fn is_start(&self) -> bool {
        self.name.starts_with(START)
    }
}

/// What the name of the function begins with that a front-end makes.
pub const START: &str = "_start";

/// The operands of an order comparison or a subtraction of two addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerComparison {
    /// The left address.
    pub left: Term,
    /// The right address.
    pub right: Term,
}

/// A scalar part of an object that has a name in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectPart {
    /// Where it begins, in bytes from the object's base.
    pub offset_bytes: u64,
    /// How long it is, in bytes.
    pub size_bytes: u64,
    /// What it is called and how its bits are read.
    pub source: SourceName,
}

impl Cfa {
    /// The edges whose operations name the addresses of some objects. Linear in the operations.
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

    /// A new location of `func`.
    pub fn add_loc(&mut self, func: FuncId) -> LocId {
        self.locs.push(Location { func, ..Location::default() })
    }

    /// A new edge, without an origin.
    pub fn add_edge(&mut self, from: LocId, to: LocId, op: Op, span: Span) -> EdgeId {
        let e = self.edges.push(Edge { from, to, op, span, origin: Origin::NONE });
        self.locs[from].out.push(e);
        self.locs[to].into.push(e);
        e
    }

    /// A new function with an entry and an exit location.
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
        })
    }

    /// A new variable.
    pub fn add_var(&mut self, name: impl Into<String>, sort: Sort, scope: Scope) -> VarId {
        self.vars.push(Var { name: name.into(), source: None, sort, scope })
    }

    /// The object that stands for memory outside the program, if something may point there.
    pub fn outside(&self) -> Option<ObjectId> {
        self.objects.ids().find(|o| self.objects[*o].kind == ObjectKind::Outside)
    }

    /// The term of a variable.
    pub fn var_term(&mut self, v: VarId) -> Term {
        let sort = self.vars[v].sort;
        self.terms.var(v, sort)
    }

    /// Whether `l` is a target.
    pub fn is_target(&self, l: LocId) -> bool {
        self.targets.contains(&l)
    }

    /// `file:line` of a span, or just the file where the line is not known.
    pub fn place(&self, span: Span) -> String {
        let file = self.files.get(span.file as usize).map_or("", |f| f.as_str());
        match (file.is_empty(), span.line) {
            (true, 0) => "unknown place".into(),
            (true, line) => format!("line {line}"),
            (false, 0) => file.into(),
            (false, line) => format!("{file}:{line}"),
        }
    }

    /// A term as text with this program's names.
    pub fn show(&self, t: Term) -> String {
        self.show_in(&self.terms, t)
    }

    /// A term of `terms` (this program's or an overlay over them) as text with this program's names.
    pub fn show_in(&self, terms: &Terms, t: Term) -> String {
        terms.print(
            t,
            &Printer {
                var: &|v| self.vars[v].name.clone(),
                sym: &|s| format!("{}!{}", terms.symbol(s).name, s.0),
                object: &|o| self.objects[o].name.clone(),
            },
        )
    }

    /// Whether `v` lives in each activation of a function.
    pub fn is_local(&self, v: VarId) -> bool {
        matches!(self.vars[v].scope, Scope::Local(_))
    }

    /// An address as a value of the pointer width.
    pub fn address(&self, a: u64) -> Bv {
        Bv::new(self.pointer_bits, a)
    }

    /// Edges that leave `l`.
    pub fn out(&self, l: LocId) -> &[EdgeId] {
        &self.locs[l].out
    }

    /// Edges that enter `l`.
    pub fn into(&self, l: LocId) -> &[EdgeId] {
        &self.locs[l].into
    }
}
