//! Lowers a module to a CFA.
//!
//! Lowering starts at the synthetic entry function and follows calls and addresses, so code that cannot be executed costs
//! nothing. Reading order:
//!
//! - this file: the state of a program's lowering;
//! - `body`: emitting edges;
//! - `function`: blocks and parameters;
//! - `instruction`, with `arithmetic`, `float`, `vector`, `memory` and `call`;
//! - `facts`: what models ask about the program;
//! - `copies`: calls of the library that are told apart;
//! - `rounding`: rounding modes;
//! - `passing`: whether a function finds what a call passes;
//! - `constant`, `labels` and `globals`: constants and initialisers;
//! - `intrinsic`, `builtin`, `heap` and `varargs`: calls that are lowered in place, and what they need;
//! - `jump`: `setjmp` and `longjmp`;
//! - `format` and `comparison`: what models do not cover in the arguments of library functions;
//! - `start`: the entry function;
//! - `events`: what specification automata observe.

mod alignment;
mod arithmetic;
mod assembly;
mod body;
mod builtin;
mod call;
mod comparison;
mod constant;
mod copies;
mod delivery;
mod events;
mod facts;
mod float;
mod format;
mod format_pieces;
mod function;
mod globals;
mod heap;
mod instruction;
mod intrinsic;
mod jump;
mod labels;
mod memory;
mod object_questions;
mod passing;
mod rounding;
mod start;
mod varargs;
mod vector;
mod x86;

pub use builtin::ASSERTION;
pub use heap::ERRNO_IS_SET;
pub use start::WEAK_SYMBOL;

use crate::debug_info::DebugInfo;
use crate::ir::{Linkage, Module, Value};
use crate::layout::{Flat, Layout};
use crate::load::{Undefined, Watched};
use crate::provenance::Provenance;
use crate::resolve::Resolver;
use crate::scan::Reachable;
use cfa::events::Events;
use cfa::source_map::SourceMap;
use cfa::term::{Kind, Leaf};
use cfa::{
    Assumed, Cfa, EdgeId, FuncId, Id, LocId, Object, ObjectId, ObjectKind, RawFacts, Scope, Sort, Span, Term, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Stands for a weight that has not been computed.
const UNWEIGHED: u32 = u32::MAX;

/// The scalars of a value, in the order of its flattened type.
pub(crate) type Vals = SmallVec<[Term; 2]>;

/// The reason why something cannot be lowered, in words.
#[derive(Clone, Debug)]
pub(crate) struct NoModel(pub String);

impl From<String> for NoModel {
    fn from(why: String) -> NoModel {
        NoModel(why)
    }
}

impl From<&str> for NoModel {
    fn from(why: &str) -> NoModel {
        NoModel(why.to_string())
    }
}

/// A result that is missing if there is no model for the construct.
pub(crate) type Lowered<T> = Result<T, NoModel>;

/// Counts of what was lowered.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Number of lowered functions with a body, library models included.
    pub functions: usize,
    /// Number of library models among them.
    pub library_functions: usize,
    /// Number of lowered LLVM instructions.
    pub instructions: usize,
    /// Number of unsupported edges, by reason.
    pub unsupported: BTreeMap<String, usize>,
}

/// Information about an undefined function that is called.
#[derive(Clone, Default)]
pub(crate) struct UndefinedFunction {
    /// The edges that call it.
    pub calls: Vec<EdgeId>,
    /// Whether it returns a pointer.
    pub returns_pointer: bool,
    /// Whether it is declared to compute its result from its arguments alone.
    pub is_const: bool,
}

/// The state of the lowering of one program.
pub(crate) struct Lowering<'s, 'm> {
    pub cfa: Cfa,
    /// What preparation has to know about the CFA.
    pub facts: RawFacts,
    pub program: &'s Module<'m>,
    pub layout: Layout<'m>,
    pub resolver: Resolver<'s, 'm>,
    pub reachable: Reachable<'m>,
    pub debug: DebugInfo<'m>,
    /// The single memory variable.
    pub mem: VarId,
    /// What undefined functions do with memory.
    pub undefined: Undefined,
    /// Functions whose arguments are needed even if they have no definition.
    pub observed: FxHashSet<String>,
    /// Whether to record the arguments of calls that the graph does not show ([`RawFacts::opaque_args`]).
    pub note_opaque: bool,
    /// Whether handlers of signals may run at any time ([`LoadOptions::signals_arrive`](crate::LoadOptions::signals_arrive)).
    pub signals_arrive: bool,
    /// The number of copies of each function of the library whose calls are told apart, and of all of them.
    copies_of: FxHashMap<Value<'m>, u32>,
    copies: u32,
    /// The library's variable that holds the rounding mode, if the program may set one.
    pub rounding_mode: Option<Value<'m>>,
    /// What counts as an event, if events are wanted.
    pub watched: Option<Watched>,
    /// Whether a failing assertion in the words of another verifier violates the property.
    pub assertions: bool,
    /// The label at which the property is violated.
    pub target_label: Option<String>,
    /// For each symbol that may stay undefined, the variable that says whether it is defined.
    pub weak_symbols: BTreeMap<String, VarId>,
    /// The events found so far.
    pub events: Events,
    /// The loops and variables of the source found so far.
    pub source: SourceMap,
    pub statistics: Statistics,
    /// What `setjmp` and `longjmp` do.
    jumps: jump::Jumps,
    /// The undefined functions that are called.
    pub externals: BTreeMap<String, UndefinedFunction>,
    /// The undefined functions that are taken for those of a verifier although their names have no prefix of one: what they are taken
    /// for, and the edges of their calls.
    pub readings: BTreeMap<String, (&'static str, Vec<EdgeId>)>,
    /// Variables of the program that are declared but not defined.
    pub declared_only: Vec<ObjectId>,
    /// Functions whose addresses are taken although another function may have the same one.
    pub unnamed_functions: Vec<ObjectId>,
    /// Assumptions that proofs rest on if the effects of these edges matter, each once.
    pub assumed: BTreeMap<Assumed, Vec<EdgeId>>,
    /// Assumptions that proofs rest on if these edges are executed, each once.
    pub assumed_where: BTreeMap<Assumed, Vec<EdgeId>>,
    /// The entry function, if it is called from outside with arbitrary arguments.
    pub foreign_entry: Option<Value<'m>>,
    /// Assumptions that proofs rest on if these edges can be executed, whatever follows: the executions that are assumed away may be
    /// the only ones that violate the property.
    pub assumed_reached: BTreeMap<Assumed, Vec<EdgeId>>,
    /// Assumptions that verdicts rest on and that nothing in the graph shows.
    pub presumed: Vec<Assumed>,
    /// Names in use, each with the suffix to try next.
    names: FxHashMap<String, u32>,
    /// Where the edges come from.
    pub provenance: Provenance<'m>,
    /// The indirect calls, each with what it passes.
    indirect_calls: Vec<(EdgeId, passing::Passing<'m>)>,
    /// Functions whose bodies are still to be lowered.
    bodies: VecDeque<(Value<'m>, FuncId)>,
    /// Functions without a body whose stand-ins are still to be lowered.
    stubs: VecDeque<(Value<'m>, FuncId)>,
    /// The objects of functions and global variables.
    objects: FxHashMap<Value<'m>, ObjectId>,
    /// Globals in the order of their first use, for the prologue.
    globals: Vec<Value<'m>>,
    /// For each allocation site, the variable that counts its instances so far.
    counts: Vec<VarId>,
    /// The object that stands for memory outside the program, once something may point there.
    outside: Option<ObjectId>,
    /// The addresses of blocks.
    labels: FxHashMap<crate::ir::Block<'m>, Term>,
    /// For functions with labels, whether their addresses are only jumped to.
    plain_labels: FxHashMap<Value<'m>, bool>,
    /// The variables that are addresses of blocks.
    open_labels: Vec<VarId>,
    /// Locations that are no longer used.
    free_locs: Vec<LocId>,
    /// The weights of terms, or [`UNWEIGHED`]; see [`Lowering::weight`].
    weights: Vec<u32>,
    /// The scalars of the constants met so far that are defined.
    constants: FxHashMap<Value<'m>, Vals>,
    /// The placeholders for undefined values, by width in bits.
    undefs: FxHashMap<u32, Term>,
}

impl<'s, 'm> Lowering<'s, 'm> {
    /// A lowering of `program` that has not lowered anything yet.
    pub(crate) fn new(
        program: &'s Module<'m>,
        layout: Layout<'m>,
        resolver: Resolver<'s, 'm>,
        reachable: Reachable<'m>,
    ) -> Lowering<'s, 'm> {
        let rounding_mode = resolver.rounding_mode(|f| reachable.functions.contains(&f));
        let mut cfa = Cfa::new(layout.pointer_bits);
        let sort = Sort::Array { index: layout.pointer_bits, elem: 8 };
        let mem = cfa.add_var("mem", sort, Scope::Global);
        Lowering {
            cfa,
            facts: RawFacts::default(),
            program,
            layout,
            resolver,
            reachable,
            debug: DebugInfo::of(program),
            mem,
            undefined: Undefined::default(),
            observed: FxHashSet::default(),
            note_opaque: false,
            signals_arrive: false,
            copies_of: FxHashMap::default(),
            copies: 0,
            rounding_mode,
            watched: None,
            assertions: false,
            target_label: None,
            weak_symbols: BTreeMap::new(),
            events: Events::default(),
            source: SourceMap::default(),
            statistics: Statistics::default(),
            jumps: jump::Jumps::default(),
            externals: BTreeMap::new(),
            readings: BTreeMap::new(),
            declared_only: Vec::new(),
            unnamed_functions: Vec::new(),
            assumed: BTreeMap::new(),
            assumed_where: BTreeMap::new(),
            assumed_reached: BTreeMap::new(),
            foreign_entry: None,
            presumed: Vec::new(),
            names: FxHashMap::from_iter([("mem".to_string(), 2)]),
            provenance: Provenance::default(),
            indirect_calls: Vec::new(),
            bodies: VecDeque::new(),
            stubs: VecDeque::new(),
            objects: FxHashMap::default(),
            globals: Vec::new(),
            counts: Vec::new(),
            outside: None,
            labels: FxHashMap::default(),
            plain_labels: FxHashMap::default(),
            open_labels: Vec::new(),
            free_locs: Vec::new(),
            weights: Vec::new(),
            constants: FxHashMap::default(),
            undefs: FxHashMap::default(),
        }
    }

    /// Width of an address in bits.
    pub(crate) fn pointer_bits(&self) -> u32 {
        self.layout.pointer_bits
    }

    /// `wanted`, or a variant of it that no variable, function or object has yet.
    pub(crate) fn unique(&mut self, wanted: String) -> String {
        let wanted = if wanted.chars().all(is_name_char) { wanted } else { clean(&wanted) };
        let Some(&(mut i)) = self.names.get(&wanted) else {
            self.names.insert(wanted.clone(), 2);
            return wanted;
        };
        // The loop terminates because only finitely many names are taken.
        let name = loop {
            let name = format!("{wanted}.{i}");
            i += 1;
            if !self.names.contains_key(&name) {
                break name;
            }
        };
        self.names.entry(wanted).and_modify(|next| *next = i);
        self.names.insert(name.clone(), 2);
        name
    }

    /// A new variable.
    pub(crate) fn new_var(&mut self, name: String, sort: Sort, scope: Scope) -> VarId {
        let name = self.unique(name);
        self.cfa.add_var(name, sort, scope)
    }

    /// A location of `func`; reuses one that is no longer needed if there is one.
    pub(crate) fn new_loc(&mut self, func: FuncId) -> LocId {
        match self.free_locs.pop() {
            Some(l) => {
                self.cfa.locs[l].func = func;
                l
            }
            None => self.cfa.add_loc(func),
        }
    }

    /// Returns a location without edges for reuse.
    pub(crate) fn free_loc(&mut self, l: LocId) {
        self.free_locs.push(l);
    }

    /// The scalars of a type.
    pub(crate) fn flat(&mut self, ty: crate::ir::Type<'m>) -> Lowered<Rc<Flat>> {
        Ok(self.layout.flat(ty)?)
    }

    /// A placeholder for an undefined value of `bits` bits; [`Body::value`](body::Body::value) turns it into an input.
    pub(crate) fn undef(&mut self, bits: u32) -> Term {
        if let Some(&t) = self.undefs.get(&bits) {
            return t;
        }
        let t = self.cfa.terms.fresh("undef", Sort::Bv(bits));
        self.undefs.insert(bits, t);
        t
    }

    /// Whether `t` is the placeholder for an undefined value.
    pub(crate) fn is_undef(&self, t: Term) -> bool {
        matches!(self.cfa.terms.kind(t), Kind::Sym(_))
    }

    /// Whether a part of `t` is undefined.
    pub(crate) fn has_undef(&self, t: Term) -> bool {
        let terms = &self.cfa.terms;
        terms.as_bv(t).is_none() && terms.leaves(&[t]).iter().any(|leaf| matches!(leaf, Leaf::Sym(_)))
    }

    /// The CFA function for a function with a body; its body is lowered later.
    pub(crate) fn function(&mut self, f: Value<'m>) -> FuncId {
        if let Some(&id) = self.provenance.functions.get(&f) {
            return id;
        }
        let library = self.resolver.in_library(f);
        let id = self.declare(f, f.name(), library);
        self.provenance.functions.insert(f, id);
        self.bodies.push_back((f, id));
        id
    }

    /// Whether the program uses this function or global variable.
    pub(crate) fn is_used(&self, v: Value<'m>) -> bool {
        !self.resolver.in_library(v) && (self.provenance.functions.contains_key(&v) || self.objects.contains_key(&v))
    }

    /// A function that represents one without a body in the program, if its address is taken or its arguments are needed.
    pub(crate) fn stub(&mut self, f: Value<'m>) -> FuncId {
        if let Some(&id) = self.provenance.functions.get(&f) {
            return id;
        }
        let id = self.declare(f, f.name(), false);
        // The function's behaviour has no source position, and its declaration is not executed.
        self.cfa.funcs[id].span = Span::default();
        self.provenance.functions.insert(f, id);
        self.stubs.push_back((f, id));
        id
    }

    fn declare(&mut self, f: Value<'m>, name: String, library: bool) -> FuncId {
        let span = self.debug.function_span(&mut self.cfa.files, f);
        let name = self.unique(name);
        let id = self.cfa.add_func(name.clone(), span);
        self.cfa.funcs[id].library = library;
        self.cfa.funcs[id].insider = library && is_hidden(f);
        let ty = f.value_type();
        let mut params = Vec::new();
        let mut arguments = Vec::new();
        for (i, param) in ty.params().into_iter().enumerate() {
            // A parameter whose type has no scalars is reported as unsupported in the body.
            let Ok(flat) = self.layout.flat(param) else { continue };
            for leaf in &flat.leaves {
                params.push(self.new_var(format!("{name}.arg{i}"), Sort::Bv(leaf.bits), Scope::Global));
                arguments.push(i as u32);
            }
        }
        self.provenance.arguments.insert(id, arguments);
        let result_bits = self.layout.flat(ty.returns()).map_or(0, |flat| flat.total_bits());
        let result =
            (result_bits > 0).then(|| self.new_var(format!("{name}.result"), Sort::Bv(result_bits), Scope::Global));
        let varargs = ty.is_variadic().then(|| {
            let sort = Sort::Bv(self.layout.pointer_bits);
            self.new_var(format!("{name}.varargs"), sort, Scope::Global)
        });
        let function = &mut self.cfa.funcs[id];
        function.params = params;
        function.result = result;
        function.varargs = varargs;
        id
    }

    /// The object whose address is the function's.
    pub(crate) fn function_object(&mut self, f: Value<'m>) -> ObjectId {
        use crate::resolve::Callee;
        // What the program declares and the library defines has a stub, too: what its calls have beside its model is lowered there.
        let (key, id) = match self.resolver.callee(f) {
            Callee::Body(body) if body == f || !self.resolver.in_library(body) => (body, None),
            _ => (f, Some(f)),
        };
        if let Some(&o) = self.objects.get(&key) {
            return o;
        }
        let func = match id {
            None => self.function(key),
            Some(f) => self.stub(f),
        };
        let name = self.unique(format!("&{}", self.cfa.funcs[func].name));
        let span = self.cfa.funcs[func].span;
        let o = self.new_object(name, ObjectKind::Function(func), Some(1), 1, span);
        self.cfa.objects[o].constant = true;
        self.cfa.objects[o].declared = id.is_some();
        if key.is_unnamed() {
            self.unnamed_functions.push(o);
        }
        self.objects.insert(key, o);
        o
    }

    /// The object of a global variable.
    pub(crate) fn global_object(&mut self, g: Value<'m>) -> ObjectId {
        let g = self.resolver.global(g);
        if let Some(&o) = self.objects.get(&g) {
            return o;
        }
        let name = self.unique(match g.name() {
            empty if empty.is_empty() => "global".to_string(),
            name => name,
        });
        let ty = g.value_type();
        // How the C library aligns its own variables is up to it.
        let stated = if self.resolver.in_library(g) { 0 } else { u64::from(g.alignment()) };
        let align = self.layout.align_or(stated, ty);
        let size = self.layout.size(ty);
        let span = self.debug.global_span(&mut self.cfa.files, g);
        let declared = g.initializer().is_none() && !self.resolver.in_library(g);
        let is_open = declared && (size == 0 || self.layout.has_open_end(ty));
        let size = if is_open { cfa::unknown_length_bytes(self.layout.pointer_bits) } else { size };
        let size = ty.is_sized().then_some(size);
        let o = self.new_object(name, ObjectKind::Global, size, align, span);
        self.cfa.objects[o].constant = g.is_constant_global();
        // Undefined functions matter only if they can write to the variable.
        self.cfa.objects[o].shared =
            self.undefined == Undefined::ChangesAny && self.is_exported(g) && !self.resolver.in_library(g);
        self.cfa.objects[o].declared = declared;
        self.cfa.objects[o].hidden = self.resolver.in_library(g) && is_hidden(g);
        let parts = self.debug.global_parts(g);
        if !parts.is_empty() {
            self.cfa.object_parts.insert(o, parts);
        }
        self.objects.insert(g, o);
        self.globals.push(g);
        o
    }

    /// Whether other files can name a variable of the program, by its own name or by an alias.
    fn is_exported(&self, g: Value<'m>) -> bool {
        let is_visible = |v: Value| !matches!(v.linkage(), Linkage::Internal | Linkage::Private);
        is_visible(g) || self.program.aliases().into_iter().any(|a| is_visible(a) && a.aliased_object() == g)
    }

    /// Creates the objects of exported variables with initial contents, also of those that the program never names: undefined
    /// functions that change all memory can reach other objects by the addresses in them.
    ///
    /// Returns whether this is done; it is not as long as no undefined function is called.
    pub(crate) fn share_exported(&mut self) -> bool {
        if self.undefined != Undefined::ChangesAny || self.externals.is_empty() {
            return false;
        }
        for g in self.program.globals() {
            if g.initializer().is_some_and(|init| !init.is_null()) && self.is_exported(g) {
                self.global_object(g);
            }
        }
        true
    }

    /// The address of a function or a global variable: that of its object, or null if a weak symbol stays undefined.
    pub(crate) fn symbol_address(&mut self, symbol: Value<'m>) -> Term {
        let object = if symbol.is_function() { self.function_object(symbol) } else { self.global_object(symbol) };
        let address = self.addr(object);
        let Some(defined) = self.is_defined(symbol) else { return address };
        let null = self.cfa.terms.int(self.layout.pointer_bits, 0);
        self.cfa.terms.ite(defined, address, null)
    }

    /// Whether a symbol that may stay undefined is defined: one choice for the whole execution. `None` for other symbols.
    pub(crate) fn is_defined(&mut self, symbol: Value<'m>) -> Option<Term> {
        if !self.resolver.may_be_null(symbol) {
            return None;
        }
        let name = symbol.name();
        let var = match self.weak_symbols.get(&name) {
            Some(&var) => var,
            None => {
                let var = self.new_var(format!("{name}.defined"), Sort::Bv(1), Scope::Global);
                self.weak_symbols.insert(name, var);
                var
            }
        };
        let defined = self.cfa.var_term(var);
        Some(self.cfa.terms.nonzero(defined))
    }

    /// The number that the next edge will get.
    pub(crate) fn next_edge(&self) -> usize {
        self.cfa.edges.len()
    }

    /// The half-open range of addresses in which no pointer from outside lies, by assumption.
    pub(crate) fn not_from_outside(&self) -> (u64, u64) {
        cfa::graph::NOT_FROM_OUTSIDE[usize::from(self.pointer_bits() >= 64)]
    }

    /// Records an assumption that proofs rest on if the effects of the edges from number `first` on matter.
    pub(crate) fn assume_from(&mut self, first: usize, what: Assumed) {
        let edges = (first..self.next_edge()).map(EdgeId::from_index);
        self.assumed.entry(what).or_default().extend(edges);
    }

    /// Records an assumption that proofs rest on if `e` is executed.
    pub(crate) fn assume_where(&mut self, e: EdgeId, what: Assumed) {
        self.assumed_where.entry(what).or_default().push(e);
    }

    /// Records an assumption that proofs rest on if `e` can be executed, whatever follows.
    pub(crate) fn assume_reached(&mut self, e: EdgeId, what: Assumed) {
        self.assumed_reached.entry(what).or_default().push(e);
    }

    /// A new object.
    pub(crate) fn new_object(
        &mut self,
        name: String,
        kind: ObjectKind,
        size_bytes: Option<u64>,
        align_bytes: u64,
        span: Span,
    ) -> ObjectId {
        self.cfa.objects.push(Object {
            name,
            kind,
            size_bytes,
            align_bytes: align_bytes.max(1).next_power_of_two(),
            stride_bytes: 0,
            base: None,
            constant: false,
            heap: false,
            shared: false,
            declared: false,
            hidden: false,
            span,
        })
    }

    /// The integer `number` as the address of memory that need not belong to the program.
    pub(crate) fn outside_address(&mut self, number: Term) -> Term {
        let known = match self.outside {
            Some(o) => o,
            None => {
                let name = self.unique("outside".to_string());
                self.new_object(name, ObjectKind::Outside, None, 1, Span::default())
            }
        };
        self.outside = Some(known);
        let base = self.addr(known);
        self.cfa.terms.add(base, number)
    }

    /// The base address of an object.
    pub(crate) fn addr(&mut self, o: ObjectId) -> Term {
        let bits = self.layout.pointer_bits;
        self.cfa.terms.addr(o, bits)
    }

    /// The size of the term as a tree, constants not counted; 0 if it mentions no variable.
    pub(crate) fn weight(&mut self, t: Term) -> u32 {
        if let Some(&w) = self.weights.get(t.index()).filter(|w| **w != UNWEIGHED) {
            return w;
        }
        let terms = &self.cfa.terms;
        let w = match terms.kind(t) {
            Kind::Var(_) => 1,
            _ if terms.args(t).is_empty() => 0,
            _ => {
                let args: SmallVec<[Term; 5]> = SmallVec::from_slice(terms.args(t));
                let mut sum = 0u32;
                for a in args {
                    sum = sum.saturating_add(self.weight(a));
                }
                if sum == 0 { 0 } else { sum.saturating_add(1).min(UNWEIGHED - 1) }
            }
        };
        if self.weights.len() <= t.index() {
            self.weights.resize(self.cfa.terms.len(), UNWEIGHED);
        }
        self.weights[t.index()] = w;
        w
    }

    /// Lowers all functions that are still waiting.
    fn drain(&mut self) {
        loop {
            if let Some((f, id)) = self.bodies.pop_front() {
                self.statistics.functions += 1;
                self.statistics.library_functions += usize::from(self.cfa.funcs[id].library);
                if self.signals_arrive && runs_handlers(f) {
                    self.cfa.module.handler_runners.push(id);
                }
                body::Body::lower_function(self, f, id);
            } else if let Some((f, id)) = self.stubs.pop_front() {
                body::Body::lower_stub(self, f, id);
            } else {
                return;
            }
        }
    }
}

/// Whether a function of the library calls what may run at any time: handlers of signals, and threads (see `library/signal.c` and
/// `library/thread.c`).
fn runs_handlers(f: Value) -> bool {
    f.section() == "kerf.handlers" || is_for_slices(f)
}

/// Whether a function of the library models what only slices know.
pub(crate) fn is_for_slices(f: Value) -> bool {
    f.section() == "kerf.threads"
}

/// Whether a definition of the library is one of those that know what a `FILE` consists of (see `library/kerf.h`).
fn is_hidden(v: Value) -> bool {
    v.section().starts_with("kerf.streams")
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '&' | '-' | ':')
}

/// `name` with those characters replaced that the text format does not allow in names.
fn clean(name: &str) -> String {
    name.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect()
}
