//! Encoding of terms as circuits.
//!
//! Each term is encoded once, without recursion. Leaves are inputs, or the circuits of the terms that a substitution replaces
//! them by. Terms of array sort have no circuit: `memory` looks through them when they are read.

use super::Preprocessing;
use super::circuits::{self, Word};
use super::deadline::Deadline;
use super::graph::{Graph, Lit};
use super::intervals;
use super::linear_equality::{self, Step};
use super::memory::{Memories, Reader};
use super::order_encoding::{DirectLeaves, OpenLeaf, equality};
use super::substitution::{Substitution, is_leaf};
use super::value_ranges::{self, Range};
use crate::solver::SolverError;
use cfa::bv::{Bv, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of gates of a query.
const MAX_GATES: usize = 24_000_000;

/// Maximum width of multiplications and divisions.
const MAX_ARITHMETIC_BITS: u32 = 256;

/// The terms encoded under one substitution.
pub(crate) struct Encoder {
    /// The number of gates, for other threads.
    size: Arc<AtomicUsize>,
    preprocessing: Preprocessing,
    pub(crate) graph: Graph,
    pub(crate) substitution: Substitution,
    pub(crate) memories: Memories,
    pub(crate) direct: DirectLeaves,
    words: Words,
    /// The steps for equalities that are decided by cases and have no circuit yet.
    by_cases: FxHashMap<Term, Option<Rc<[Step]>>>,
    /// Leaves whose bits are needed.
    with_bits: FxHashSet<Term>,
    /// The ranges of terms of at most 64 bits, where these are not full.
    ranges: FxHashMap<Term, Range>,
    /// Leaves that are inputs, in order of discovery.
    pub(crate) leaves: Vec<Term>,
}

/// The circuits of terms.
#[derive(Default)]
pub(crate) struct Words {
    of: FxHashMap<Term, (u32, u32)>,
    pool: Vec<Lit>,
}

impl Words {
    /// The circuit of `t`, which must have been encoded: a single bit for a Bool, none for a memory.
    pub(crate) fn get(&self, t: Term) -> &[Lit] {
        self.of.get(&t).map_or(&[], |&(begin, len)| &self.pool[begin as usize..(begin + len) as usize])
    }

    fn contains(&self, t: Term) -> bool {
        self.of.contains_key(&t)
    }

    fn insert(&mut self, t: Term, word: &[Lit]) {
        self.of.insert(t, (self.pool.len() as u32, word.len() as u32));
        self.pool.extend_from_slice(word);
    }
}

impl Encoder {
    /// An encoder without terms, which counts its gates in `size`.
    pub(crate) fn new(substitution: Substitution, preprocessing: Preprocessing, size: Arc<AtomicUsize>) -> Encoder {
        Encoder {
            size,
            preprocessing,
            graph: Graph::new(),
            substitution,
            memories: Memories::default(),
            direct: DirectLeaves::default(),
            words: Words::default(),
            by_cases: FxHashMap::default(),
            with_bits: FxHashSet::default(),
            ranges: FxHashMap::default(),
            leaves: Vec::new(),
        }
    }

    /// The number of terms encoded.
    pub(crate) fn len(&self) -> usize {
        self.words.of.len()
    }

    /// The circuit of an encoded term.
    pub(crate) fn word(&self, t: Term) -> &[Lit] {
        self.words.get(t)
    }

    /// Encodes the Bool `t`.
    ///
    /// Errors: `Unsupported` for floats, equality of memories that do not come from one memory by writes, and arithmetic on very wide words;
    /// `Unknown` if the circuit becomes too large or time is up.
    pub(crate) fn encode(&mut self, terms: &Terms, t: Term, deadline: &mut Deadline) -> Result<Lit, SolverError> {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.words.contains(top) {
                stack.pop();
                continue;
            }
            if let Some(l) = self.said_by_inputs(terms, top) {
                self.words.insert(top, &[l]);
                continue;
            }
            let open = stack.len();
            self.needs(terms, top, |t| stack.push(t));
            if stack.len() > open {
                continue;
            }
            stack.pop();
            deadline.tick()?;
            let mut word = match self.decided(terms, top) {
                Some(b) => vec![Lit::constant(b)],
                None => self.circuit(terms, top, deadline)?,
            };
            self.cut(terms, top, &mut word);
            self.words.insert(top, &word);
            self.by_cases.remove(&top);
            self.size.store(self.graph.len(), Ordering::Relaxed);
            if self.graph.len() > MAX_GATES {
                return Err(SolverError::Unknown("too many gates".into()));
            }
        }
        Ok(self.words.get(t).first().copied().unwrap_or(Lit::FALSE))
    }

    /// Calls `push` with the terms without a circuit that the circuit of `t` needs.
    fn needs(&mut self, terms: &Terms, t: Term, mut push: impl FnMut(Term)) {
        let steps = self.steps(terms, t);
        let mut push = |t: Term| {
            if !self.words.contains(t) {
                push(t);
            }
        };
        if let Some(d) = self.substitution.of.get(&t) {
            return d.terms().for_each(push);
        }
        let Some(steps) = steps else { return terms.args(t).iter().copied().for_each(push) };
        for step in &*steps {
            match *step {
                Step::Equals(t, _) if self.open(terms, t).is_some() => {}
                Step::Choose { condition: t, .. } | Step::Equals(t, _) => push(t),
                Step::Sum { plus, minus, .. } => [plus, minus].into_iter().for_each(&mut push),
                Step::Constant(_) => {}
            }
        }
    }

    /// Finds the leaves below `roots` that need bits, because they are used other than in comparisons with constants. To be
    /// called before `roots` are encoded.
    ///
    /// Errors: `Unknown` if time is up.
    pub(crate) fn look_at(
        &mut self,
        terms: &Terms,
        roots: impl Iterator<Item = Term>,
        deadline: &mut Deadline,
    ) -> Result<(), SolverError> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = roots.collect();
        while let Some(t) = stack.pop() {
            if self.words.contains(t) || !seen.insert(t) {
                continue;
            }
            deadline.tick()?;
            if is_leaf(terms, t) && !self.substitution.of.contains_key(&t) {
                self.with_bits.insert(t);
            } else if self.compared_leaf(terms, t).is_none() {
                self.needs(terms, t, |t| stack.push(t));
            }
        }
        Ok(())
    }

    /// The leaf that `t` compares with a constant, if it does.
    fn compared_leaf(&self, terms: &Terms, t: Term) -> Option<OpenLeaf> {
        let leaf = match equality(terms, t) {
            Some((leaf, _)) => leaf,
            None => intervals::membership(terms, t)?.of,
        };
        self.open(terms, leaf)
    }

    /// The range of `t`, a bit-vector of at most 64 bits.
    fn range(&self, terms: &Terms, t: Term) -> Range {
        self.ranges.get(&t).copied().unwrap_or_else(|| Range::full(terms.width(t)))
    }

    /// The truth value of `t`, whose arguments are encoded, if their ranges decide it.
    fn decided(&self, terms: &Terms, t: Term) -> Option<bool> {
        let (kind, &[a, b]) = (terms.kind(t), terms.args(t)) else { return None };
        let Sort::Bv(1..=64) = terms.sort(a) else { return None };
        match kind {
            Kind::Cmp(cmp) => Range::compare(cmp, self.range(terms, a), self.range(terms, b)),
            Kind::Eq => Range::are_apart(self.range(terms, a), self.range(terms, b)).then_some(false),
            _ => None,
        }
    }

    /// Records the range of `t`, whose arguments are encoded and whose circuit is `word`, and shortens `word`
    /// accordingly.
    fn cut(&mut self, terms: &Terms, t: Term, word: &mut Word) {
        let Sort::Bv(width @ 1..=64) = terms.sort(t) else { return };
        if !self.preprocessing.ranges {
            return;
        }
        let range = match self.substitution.of.get(&t) {
            Some(_) => return,
            None if is_leaf(terms, t) => Range::of_bits(self.substitution.bits(t).unwrap_or(width), width),
            None => value_ranges::range(terms, t, |t| self.range(terms, t)),
        };
        if range != Range::full(width) {
            range.cut(word);
            self.ranges.insert(t, range);
        }
    }

    /// `t`, if it is a leaf of at most 64 bits that has no definition and none of whose bits is needed.
    fn open(&self, terms: &Terms, t: Term) -> Option<OpenLeaf> {
        let Sort::Bv(width @ 1..=64) = terms.sort(t) else { return None };
        let known = !self.preprocessing.comparisons
            || self.substitution.of.contains_key(&t)
            || self.with_bits.contains(&t)
            || self.words.contains(t);
        let bits = self.substitution.bits(t).map_or(width, |bits| bits.min(width));
        (is_leaf(terms, t) && !known).then_some(OpenLeaf { leaf: t, width, bits })
    }

    /// The circuit of `t` by the inputs for comparisons, if `t` compares an open leaf with a constant.
    fn said_by_inputs(&mut self, terms: &Terms, t: Term) -> Option<Lit> {
        if let Some((leaf, k)) = equality(terms, t) {
            let open = self.open(terms, leaf)?;
            let by_order = self.direct.is_ordered(leaf) || open.bits < open.width;
            let one = if by_order { None } else { self.direct.equals(&mut self.graph, leaf, &k) };
            return one.or_else(|| self.leaf_equals(open, &k));
        }
        let said = intervals::membership(terms, t)?;
        let open = self.open(terms, said.of)?;
        let mut any = Lit::FALSE;
        for interval in said.intervals {
            let inside = self.direct.between(&mut self.graph, open, interval);
            any = self.graph.or(any, inside);
        }
        Some(any)
    }

    /// Whether a leaf is `k`, by its inputs for upper bounds.
    fn leaf_equals(&mut self, open: OpenLeaf, k: &Bv) -> Option<Lit> {
        let n = k.to_u64()?;
        Some(self.direct.between(&mut self.graph, open, (n, n)))
    }

    /// The steps that decide `t` by cases, if it is an equality of sums; kept until it has a circuit.
    fn steps(&mut self, terms: &Terms, t: Term) -> Option<Rc<[Step]>> {
        let (Kind::Eq, &[a, b]) = (terms.kind(t), terms.args(t)) else { return None };
        if !self.preprocessing.sums || !matches!(terms.sort(a), Sort::Bv(_)) {
            return None;
        }
        self.by_cases.entry(t).or_insert_with(|| linear_equality::equal(terms, a, b).map(Rc::from)).clone()
    }

    /// The circuit of `steps`, whose terms must be encoded.
    fn cases(&mut self, terms: &Terms, steps: &[Step]) -> Option<Lit> {
        let mut values: Vec<Lit> = Vec::new();
        for step in steps {
            let value = match step {
                Step::Constant(b) => Lit::constant(*b),
                Step::Equals(t, k) => match self.open(terms, *t) {
                    Some(open) => self.leaf_equals(open, k)?,
                    None => circuits::equal(&mut self.graph, self.words.get(*t), &circuits::constant(k)),
                },
                Step::Sum { plus, constant, minus } => {
                    let sum = circuits::add(&mut self.graph, self.words.get(*plus), &circuits::constant(constant));
                    circuits::equal(&mut self.graph, &sum, self.words.get(*minus))
                }
                Step::Choose { condition, then, or_else } => {
                    self.graph.mux(*self.words.get(*condition).first()?, values[*then], values[*or_else])
                }
            };
            values.push(value);
        }
        values.last().copied()
    }

    /// The circuit of `t`, whose arguments must be encoded.
    fn circuit(&mut self, terms: &Terms, t: Term, deadline: &mut Deadline) -> Result<Word, SolverError> {
        if let Some(steps) = self.steps(terms, t) {
            let holds = self.cases(terms, &steps);
            return Ok(vec![holds.ok_or_else(|| SolverError::Failed("an equality has no case".into()))?]);
        }
        if terms.kind(t) == Kind::Read && !self.substitution.of.contains_key(&t) {
            return self.read(terms, t, deadline);
        }
        if let (Kind::Eq, &[a, b]) = (terms.kind(t), terms.args(t))
            && is_array(terms, a)
        {
            let Encoder { graph, substitution, memories, words, .. } = self;
            let mut reader = Reader { memories, terms, graph, substitution, words, deadline };
            return Ok(vec![reader.equal(a, b)?]);
        }
        let Encoder { graph: g, words, .. } = self;
        if let Some(d) = self.substitution.of.get(&t) {
            return Ok(if d.memory().is_some() && is_array(terms, t) {
                Word::new()
            } else {
                d.circuit(g, |t| words.get(t))
            });
        }
        if is_leaf(terms, t) {
            self.leaves.push(t);
            let width = match terms.sort(t) {
                Sort::Bool => 1,
                Sort::Bv(w) => w,
                Sort::Array { .. } => 0,
            };
            let free = self.substitution.bits(t).unwrap_or(width);
            let word: Word = (0..width).map(|i| if i < free { g.input() } else { Lit::FALSE }).collect();
            self.direct.give_bits(g, t, &word);
            return Ok(word);
        }
        let node = terms.node(t);
        let args: SmallVec<[&[Lit]; 3]> = node.args.iter().map(|a| words.get(*a)).collect();
        match node.kind {
            Kind::Ite if is_array(terms, t) => Ok(Word::new()),
            Kind::Bv(BvOp::Mul | BvOp::Sdiv | BvOp::Srem | BvOp::Udiv | BvOp::Urem)
                if node.sort.width() > MAX_ARITHMETIC_BITS =>
            {
                Err(unsupported("arithmetic on very wide words"))
            }
            Kind::Float(..) => Err(unsupported("floats")),
            _ => Ok(circuits::operator(g, terms, t, &args).unwrap_or_default()),
        }
    }

    /// The cells that `t` reads.
    fn read(&mut self, terms: &Terms, t: Term, deadline: &mut Deadline) -> Result<Word, SolverError> {
        let [memory, at] = *terms.args(t) else { return Err(unsupported("a read without an address")) };
        let Sort::Array { elem, .. } = terms.sort(memory) else {
            return Err(unsupported("a read from a term that is not a memory"));
        };
        let bounds = match terms.width(at) {
            1..=64 => self.range(terms, at).bounds(),
            _ => (0, u64::MAX),
        };
        let Encoder { graph, substitution, memories, words, .. } = self;
        let mut reader = Reader { memories, terms, graph, substitution, words, deadline };
        let mut word = Word::new();
        for i in 0..terms.width(t) / elem {
            word.extend(reader.cell_at(memory, at, u64::from(i * elem / 8), bounds)?);
        }
        Ok(word)
    }
}

fn is_array(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::Array { .. })
}

pub(crate) fn unsupported(what: &str) -> SolverError {
    SolverError::Unsupported(what.into())
}
