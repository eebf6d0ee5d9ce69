//! Hash-consed terms: the only expression language, for edge operations, path formulas, invariants and certificates.
//!
//! Sorts are Bool, bit-vectors and arrays (memories). Floats are bit-vectors with float operators on them, so that NaN
//! payloads and byte-wise access stay exact. An arena consists of a frozen base that threads share and an overlay of its own.
//! The arguments of a term always have smaller ids than the term, so that ascending ids are a topological order.
//!
//! Reading order: this file (nodes and arena), `build`, `arithmetic` and `widths` (constructors that fold and normalise), `memory`
//! (arrays), `known` (what is known of addresses), `walk` (substitution and traversals), `print` (SMT-LIB text).

mod arithmetic;
mod bounds;
mod build;
mod infix;
mod known;
mod memory;
mod print;
mod sums;
mod symbols;
mod walk;
mod widths;

pub use crate::ids::Term;
pub use known::Known;
pub use memory::{Differences, Part};
pub use print::Printer;
pub use print::rounding_name;
pub(crate) use print::{bv_name, cmp_name, float_name};
pub use symbols::{NewestSymbols, Symbols};
pub use walk::Leaf;

use crate::bv::{Bv, BvCmp, BvOp};
use crate::float::{FloatOp, Format};
use crate::ids::{ObjectId, SymId, VarId};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector with this number of bits.
    Bv(u32),
    /// A memory: cells of `elem` bits, indexed by addresses of `index` bits.
    Array {
        /// Width of an address in bits.
        index: u32,
        /// Width of a cell in bits.
        elem: u32,
    },
}

impl Sort {
    /// The width of a bit-vector sort.
    ///
    /// # Panics
    /// On any other sort, which is a bug of the caller.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bv(w) => w,
            other => panic!("{other:?} is not a bit-vector sort"),
        }
    }
}

/// The function symbol at the root of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A truth constant.
    Bool(bool),
    /// A bit-vector constant of up to 64 bits.
    Const(u64),
    /// A wider constant, by its index in the arena.
    BigConst(u32),
    /// The current value of a program variable.
    Var(VarId),
    /// A symbol of a formula.
    Sym(SymId),
    /// The base address of an object (for an allocation site, of its first instance); eliminated by layout.
    Addr(ObjectId),
    /// Negation of a Bool.
    Not,
    /// Conjunction of two Bools.
    And,
    /// Disjunction of two Bools.
    Or,
    /// If-then-else of any sort.
    Ite,
    /// Equality of two terms of the same sort.
    Eq,
    /// Binary bit-vector operator.
    Bv(BvOp),
    /// Order comparison of bit-vectors.
    Cmp(BvCmp),
    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// The bits from `hi` down to `lo`, both included.
    Extract {
        /// Highest bit.
        hi: u32,
        /// Lowest bit.
        lo: u32,
    },
    /// Concatenation, high part first.
    Concat,
    /// Zero-extension to the sort's width.
    Zext,
    /// Sign-extension to the sort's width.
    Sext,
    /// A float operator in the format of its operands (of the result, for conversions from integers).
    Float(FloatOp, Format),
    /// `(memory, address)`: the cells from `address` on, the lowest address being the least significant; the sort
    /// determines their number.
    Read,
    /// `(memory, address, value)`: the memory with the cells of `value` at `address`.
    Write,
    /// The memory all of whose cells are the argument.
    ConstArray,
    /// `(dst, dst_address, src, src_address, len)`: `dst` with `len` bytes copied from `src`.
    Copy,
}

/// Arguments of a term.
pub type Args = SmallVec<[Term; 3]>;

/// A term's function symbol, arguments and sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The function symbol.
    pub kind: Kind,
    /// The arguments.
    pub args: Args,
    /// The sort of the term.
    pub sort: Sort,
}

impl Node {
    fn hash(&self) -> u64 {
        hash(self.kind, &self.args, self.sort)
    }
}

/// A symbol's name and sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Name for display; not unique.
    pub name: String,
    /// The sort of its values.
    pub sort: Sort,
}

/// An arena of hash-consed terms: equal nodes have equal ids.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    base: Option<Arc<Terms>>,
    first_node: u32,
    first_sym: u32,
    first_big: u32,
    nodes: Vec<Node>,
    /// The overlay's terms, by the hashes of their nodes.
    index: HashTable<Term>,
    symbols: Vec<Symbol>,
    bigs: Vec<Bv>,
    big_index: FxHashMap<Bv, u32>,
    reads: Reads,
    /// Results of extractions, by term, highest and lowest bit. They are pushed through operators, and terms share their parts.
    extracts: FxHashMap<(Term, u32, u32), Term>,
    /// Results of extensions that are pushed through sums, by term and width.
    extensions: FxHashMap<(Term, u32), Term>,
    /// Upper bounds of bit-vectors of at most 64 bits, where their operators leave less than the width does (see `bounds`).
    bounds: FxHashMap<Term, u64>,
    /// The conditions under which terms are made.
    known: Known,
    /// Reads under conditions, and the conditions.
    reads_known: (Known, Reads),
}

/// Results of reads, by memory, address and width.
type Reads = FxHashMap<(Term, Term, u32), Term>;

impl Terms {
    /// An empty arena without a base.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// An empty overlay over a frozen base: the base's terms are valid in it, new terms exist in the overlay only.
    ///
    /// # Panics
    /// If `base` is an overlay itself.
    pub fn over(base: Arc<Terms>) -> Terms {
        assert!(base.base.is_none(), "an overlay cannot be a base");
        Terms {
            first_node: base.nodes.len() as u32,
            first_sym: base.symbols.len() as u32,
            first_big: base.bigs.len() as u32,
            base: Some(base),
            ..Terms::default()
        }
    }

    /// Makes room for at least this many more terms.
    pub fn reserve(&mut self, additional: usize) {
        self.nodes.reserve(additional);
        let (nodes, first) = (&self.nodes, self.first_node);
        self.index.reserve(additional, |t| nodes[(t.0 - first) as usize].hash());
    }

    /// The function symbols of all terms, including the base.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.base.iter().flat_map(|base| &base.nodes).chain(&self.nodes).map(|node| node.kind)
    }

    /// The number of terms, including the base.
    pub fn len(&self) -> usize {
        self.first_node as usize + self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of `t`.
    #[inline]
    pub fn node(&self, t: Term) -> &Node {
        if t.0 < self.first_node {
            &self.base_terms().nodes[t.0 as usize]
        } else {
            &self.nodes[(t.0 - self.first_node) as usize]
        }
    }

    #[inline]
    fn base_terms(&self) -> &Terms {
        self.base.as_deref().expect("ids below first_node belong to a base")
    }

    /// The function symbol of `t`.
    #[inline]
    pub fn kind(&self, t: Term) -> Kind {
        self.node(t).kind
    }

    /// The arguments of `t`.
    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        &self.node(t).args
    }

    /// The sort of `t`.
    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.node(t).sort
    }

    /// The width of the bit-vector `t`.
    #[inline]
    pub fn width(&self, t: Term) -> u32 {
        self.sort(t).width()
    }

    /// The symbol `s`.
    pub fn symbol(&self, s: SymId) -> &Symbol {
        if s.0 < self.first_sym {
            &self.base_terms().symbols[s.0 as usize]
        } else {
            &self.symbols[(s.0 - self.first_sym) as usize]
        }
    }

    /// The number of symbols, including the base.
    pub fn n_symbols(&self) -> usize {
        self.first_sym as usize + self.symbols.len()
    }

    /// The value of `t`, if it is a bit-vector constant.
    pub fn as_bv(&self, t: Term) -> Option<Bv> {
        let node = self.node(t);
        match node.kind {
            Kind::Const(v) => Some(Bv::new(node.sort.width(), v)),
            Kind::BigConst(i) => Some(self.big(i).clone()),
            _ => None,
        }
    }

    /// The value of `t`, if it is a constant that fits in a word.
    #[inline]
    pub fn as_u64(&self, t: Term) -> Option<u64> {
        match self.kind(t) {
            Kind::Const(v) => Some(v),
            Kind::BigConst(i) => self.big(i).to_u64(),
            _ => None,
        }
    }

    /// The value of `t`, if it is a Bool constant.
    #[inline]
    pub fn as_bool(&self, t: Term) -> Option<bool> {
        match self.kind(t) {
            Kind::Bool(b) => Some(b),
            _ => None,
        }
    }

    fn big(&self, i: u32) -> &Bv {
        if i < self.first_big { &self.base_terms().bigs[i as usize] } else { &self.bigs[(i - self.first_big) as usize] }
    }

    /// Interns a node as it is, without simplification. Only the constructors in the other files should call this.
    pub(crate) fn intern(&mut self, kind: Kind, args: &[Term], sort: Sort) -> Term {
        let hash = hash(kind, args, sort);
        let known = self.base.as_ref().and_then(|base| base.find(hash, kind, args, sort));
        if let Some(t) = known.or_else(|| self.find(hash, kind, args, sort)) {
            return t;
        }
        let t = Term(u32::try_from(self.len()).expect("more than 2^32 terms"));
        if let Some(bound) = self.bound_of(kind, args, sort) {
            self.bounds.insert(t, bound);
        }
        self.nodes.push(Node { kind, args: SmallVec::from_slice(args), sort });
        let (nodes, first) = (&self.nodes, self.first_node);
        self.index.insert_unique(hash, t, |t| nodes[(t.0 - first) as usize].hash());
        t
    }

    /// The overlay's term with this node, which has this hash.
    fn find(&self, hash: u64, kind: Kind, args: &[Term], sort: Sort) -> Option<Term> {
        let is_same = |t: &Term| {
            let node = &self.nodes[(t.0 - self.first_node) as usize];
            node.kind == kind && *node.args == *args && node.sort == sort
        };
        self.index.find(hash, is_same).copied()
    }

    fn intern_big(&mut self, value: Bv) -> u32 {
        if let Some(base) = &self.base
            && let Some(&i) = base.big_index.get(&value)
        {
            return i;
        }
        if let Some(&i) = self.big_index.get(&value) {
            return i;
        }
        let i = self.first_big + self.bigs.len() as u32;
        self.bigs.push(value.clone());
        self.big_index.insert(value, i);
        i
    }

    /// A new symbol, different from all others.
    pub fn fresh_sym(&mut self, name: impl Into<String>, sort: Sort) -> SymId {
        let s = SymId(self.n_symbols() as u32);
        self.symbols.push(Symbol { name: name.into(), sort });
        s
    }

    /// A new symbol, different from all others, as a term.
    pub fn fresh(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let s = self.fresh_sym(name, sort);
        self.intern(Kind::Sym(s), &[], sort)
    }

    /// The symbol `s` as a term.
    pub fn sym(&mut self, s: SymId) -> Term {
        let sort = self.symbol(s).sort;
        self.intern(Kind::Sym(s), &[], sort)
    }

    /// The program variable `v` as a term.
    pub fn var(&mut self, v: VarId, sort: Sort) -> Term {
        self.intern(Kind::Var(v), &[], sort)
    }

    /// The base address of `o` as a term of `width` bits.
    pub fn addr(&mut self, o: ObjectId, width: u32) -> Term {
        self.intern(Kind::Addr(o), &[], Sort::Bv(width))
    }

    /// The term `kind(args)` of sort `sort` without folding or normalisation.
    ///
    /// For tests that compare the results of the constructors with the unsimplified terms. Analyses must not use it: they rely on
    /// normal forms.
    pub fn plain(&mut self, kind: Kind, args: &[Term], sort: Sort) -> Term {
        self.intern(kind, args, sort)
    }

    /// `t` with new arguments, simplified by the constructors.
    pub fn rebuild(&mut self, t: Term, args: &[Term]) -> Term {
        let node = self.node(t);
        if *node.args == *args {
            return t;
        }
        let (kind, sort) = (node.kind, node.sort);
        self.make(kind, args, sort)
    }

    /// The term `kind(args)` of sort `sort`, through the simplifying constructor of `kind`.
    pub fn make(&mut self, kind: Kind, args: &[Term], sort: Sort) -> Term {
        match kind {
            Kind::Not => self.not(args[0]),
            Kind::And => self.and(args[0], args[1]),
            Kind::Or => self.or(args[0], args[1]),
            Kind::Ite => self.ite(args[0], args[1], args[2]),
            Kind::Eq => self.eq(args[0], args[1]),
            Kind::Bv(op) => self.bv_op(op, args[0], args[1]),
            Kind::Cmp(cmp) => self.cmp(cmp, args[0], args[1]),
            Kind::BvNot => self.bv_not(args[0]),
            Kind::BvNeg => self.bv_neg(args[0]),
            Kind::Extract { hi, lo } => self.extract(hi, lo, args[0]),
            Kind::Concat => self.concat(args[0], args[1]),
            Kind::Zext => self.zext(sort.width(), args[0]),
            Kind::Sext => self.sext(sort.width(), args[0]),
            Kind::Float(op, format) => self.float(op, format, args, sort),
            Kind::Read => self.read(args[0], args[1], sort.width()),
            Kind::Write => self.write(args[0], args[1], args[2]),
            Kind::ConstArray => match sort {
                Sort::Array { index, .. } => self.const_array(index, args[0]),
                other => panic!("{other:?} is not an array sort"),
            },
            Kind::Copy => self.copy(args[0], args[1], args[2], args[3], args[4]),
            Kind::Bool(_) | Kind::Const(_) | Kind::BigConst(_) | Kind::Var(_) | Kind::Sym(_) | Kind::Addr(_) => {
                self.intern(kind, args, sort)
            }
        }
    }
}

/// The hash of a node.
fn hash(kind: Kind, args: &[Term], sort: Sort) -> u64 {
    let mut hasher = FxHasher::default();
    (kind, args, sort).hash(&mut hasher);
    hasher.finish()
}
