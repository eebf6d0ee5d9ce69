//! Gates over bits of leaves as terms over words, with the same meaning.
//!
//! What a gate says of one leaf alone is read as intervals of the leaf or of some of its bits (`conditions`): `x <= 9`, `x = 3`, a
//! signed bound, or their negation. Conjunctions are taken apart and grouped by leaf first, so that bits of a word that are
//! spread over a conjunction meet again, and bits of two words that are equal in pairs become an equality. Bits are extracted
//! only where none of this applies. (Bitwuzla lifts interpolants, too: Bit-precise interpolation in Bitwuzla,
//! TACAS 2026.)

use super::conditions::{Bits, Condition, FALSE, Interval, TRUE};
use crate::bits::graph::{Gate, Graph, Lit};
use cfa::bv::{Bv, BvCmp};
use cfa::{Sort, Term, Terms};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Maximum number of intervals of a leaf.
const MAX_INTERVALS: usize = 4;

/// Maximum number of bits of a leaf on which an interval may depend.
const MAX_INTERVAL_BITS: u32 = 64;

/// Maximum number of arguments of a conjunction that is taken apart.
const MAX_CONJUNCTION: usize = 512;

/// The leaf and the number of the bit that each input is, by its gate.
pub(crate) type Inputs = FxHashMap<u32, Bit>;

/// What a gate says of one leaf alone.
#[derive(Clone, PartialEq, Eq)]
struct OfLeaf {
    leaf: Term,
    condition: Condition,
}

/// A bit of a leaf.
type Bit = (Term, u32);

/// Bits of two leaves, and whether they are different rather than equal.
type Pair = (Bit, Bit, bool);

/// How a gate becomes a term.
enum Shape {
    /// It says something of one leaf, which intervals express.
    OfLeaf(OfLeaf),
    /// A conjunction.
    And(Vec<Piece>),
    /// By its arguments.
    Gate,
}

/// A part of a conjunction.
enum Piece {
    OfLeaf(OfLeaf),
    /// The bits of two leaves from these numbers on are equal, this number of them; or are all different.
    Equal {
        a: Bit,
        b: Bit,
        bits: u32,
        different: bool,
    },
    Lit(Lit),
}

/// The terms of `roots`.
pub(crate) fn lift(terms: &mut Terms, graph: &Graph, inputs: &Inputs, roots: &[Lit]) -> Vec<Term> {
    let needed = cone(graph, roots);
    let mut users: FxHashMap<u32, u32> = FxHashMap::default();
    for l in needed.iter().flat_map(|gate| graph.args(*gate)) {
        *users.entry(l.gate()).or_default() += 1;
    }
    let mut lift = Lift { terms, graph, inputs, users, bits: FxHashMap::default(), of_leaf: FxHashMap::default() };
    for &gate in &needed {
        if let Some(said) = lift.said_of_leaf(gate) {
            lift.of_leaf.insert(gate, said);
        }
    }
    let mut shapes: FxHashMap<u32, Shape> = FxHashMap::default();
    let mut stack: Vec<u32> = roots.iter().map(|l| l.gate()).collect();
    while let Some(gate) = stack.pop() {
        if shapes.contains_key(&gate) {
            continue;
        }
        let shape = lift.shape(gate);
        match &shape {
            Shape::OfLeaf(_) => {}
            Shape::And(pieces) => {
                stack.extend(pieces.iter().filter_map(|p| if let Piece::Lit(l) = p { Some(l.gate()) } else { None }));
            }
            Shape::Gate => stack.extend(graph.args(gate).iter().map(|l| l.gate())),
        }
        shapes.insert(gate, shape);
    }
    let mut order: Vec<u32> = shapes.keys().copied().collect();
    order.sort_unstable();
    let mut done: FxHashMap<u32, Term> = FxHashMap::default();
    for gate in order {
        let t = lift.term(gate, &shapes[&gate], &done);
        done.insert(gate, t);
    }
    roots.iter().map(|l| lift.literal(*l, &done)).collect()
}

/// The gates on which `roots` depend, ascending.
fn cone(graph: &Graph, roots: &[Lit]) -> Vec<u32> {
    let mut seen = FixedBitSet::with_capacity(graph.len());
    let mut stack: Vec<u32> = roots.iter().map(|l| l.gate()).collect();
    while let Some(gate) = stack.pop() {
        if !seen.put(gate as usize) {
            stack.extend(graph.args(gate).iter().map(|l| l.gate()));
        }
    }
    seen.ones().map(|i| i as u32).collect()
}

struct Lift<'a> {
    terms: &'a mut Terms,
    graph: &'a Graph,
    inputs: &'a Inputs,
    /// The number of gates that use each gate.
    users: FxHashMap<u32, u32>,
    /// The bits of each leaf.
    bits: FxHashMap<Term, Bits>,
    /// The gates that depend on one leaf alone.
    of_leaf: FxHashMap<u32, OfLeaf>,
}

impl Lift<'_> {
    /// What `gate` says of a leaf, if it depends on one leaf alone and its arguments are known.
    fn said_of_leaf(&mut self, gate: u32) -> Option<OfLeaf> {
        if let Some(&(leaf, bit)) = self.inputs.get(&gate) {
            return Some(OfLeaf { leaf, condition: self.bits_of(leaf)?.bit(bit) });
        }
        let args = self.graph.args(gate);
        let leaf = self.of_leaf.get(&args.first()?.gate())?.leaf;
        let mut all = Vec::with_capacity(3);
        for l in args {
            let said = self.of_leaf.get(&l.gate()).filter(|said| said.leaf == leaf)?;
            all.push(if l.negated() { said.condition.not() } else { said.condition.clone() });
        }
        let condition = match (self.graph.gate(gate), &all[..]) {
            (Gate::And(..), [a, b]) => a.and(b)?,
            (Gate::Xor(..), [a, b]) => a.choose(&b.not(), b)?,
            (Gate::Mux(..), [c, t, e]) => c.choose(t, e)?,
            (Gate::Maj(..), [a, b, c]) => a.choose(&b.or(c)?, &b.and(c)?)?,
            _ => return None,
        };
        Some(OfLeaf { leaf, condition })
    }

    fn bits_of(&mut self, leaf: Term) -> Option<&mut Bits> {
        let width = match self.terms.sort(leaf) {
            Sort::Bv(width) => width,
            _ => 1,
        };
        match self.bits.entry(leaf) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(new) => Some(new.insert(Bits::new(width)?)),
        }
    }

    fn shape(&mut self, gate: u32) -> Shape {
        if let Some(said) = self.of_leaf.get(&gate)
            && self.intervals(said).is_some()
        {
            return Shape::OfLeaf(said.clone());
        }
        match self.graph.gate(gate) {
            Gate::And(a, b) => Shape::And(self.pieces(vec![a, b])),
            Gate::Xor(..) => match self.equal_bits(Lit::positive(gate)) {
                Some((a, b, different)) => Shape::And(vec![Piece::Equal { a, b, bits: 1, different }]),
                None => Shape::Gate,
            },
            _ => Shape::Gate,
        }
    }

    /// The conjunction of `open`, taken apart and grouped.
    fn pieces(&mut self, mut open: Vec<Lit>) -> Vec<Piece> {
        let mut flat: Vec<Lit> = Vec::new();
        while let Some(l) = open.pop() {
            match self.graph.gate(l.gate()) {
                Gate::And(a, b) if !l.negated() && self.is_own(l) && flat.len() + open.len() < MAX_CONJUNCTION => {
                    open.extend([b, a]);
                }
                _ => flat.push(l),
            }
        }
        let mut of_leaf: Vec<OfLeaf> = Vec::new();
        let mut equal: Vec<Pair> = Vec::new();
        let mut pieces = Vec::new();
        for l in flat {
            match (self.conjoin(&mut of_leaf, l), self.equal_bits(l)) {
                (true, _) => {}
                (false, Some(pair)) => equal.push(pair),
                (false, None) => pieces.push(Piece::Lit(l)),
            }
        }
        pieces.extend(of_leaf.into_iter().map(Piece::OfLeaf));
        equal.sort_unstable_by_key(|(a, b, different)| (a.0, b.0, *different, a.1, b.1));
        for (a, b, different) in equal {
            if let Some(Piece::Equal { a: (x, i), b: (y, j), bits, different: d }) = pieces.last_mut()
                && (*x, *y, *i + *bits, *j + *bits, *d) == (a.0, b.0, a.1, b.1, different)
            {
                *bits += 1;
                continue;
            }
            pieces.push(Piece::Equal { a, b, bits: 1, different });
        }
        pieces
    }

    /// Whether `l` has one user, so that nothing is said twice if it is taken apart.
    fn is_own(&self, l: Lit) -> bool {
        self.users.get(&l.gate()).is_none_or(|n| *n <= 1)
    }

    /// Adds `l` to what is said of its leaf, if it is about one leaf alone and intervals express the whole.
    fn conjoin(&mut self, all: &mut Vec<OfLeaf>, l: Lit) -> bool {
        let Some(OfLeaf { leaf, condition }) = self.of_leaf.get(&l.gate()).cloned() else { return false };
        let condition = if l.negated() { condition.not() } else { condition };
        let Some(same) = all.iter().position(|said| said.leaf == leaf) else {
            // Alone it may not be expressible, but together with others.
            all.push(OfLeaf { leaf, condition });
            return true;
        };
        match all[same].condition.and(&condition) {
            Some(both) => {
                all[same].condition = both;
                true
            }
            None => false,
        }
    }

    /// The bits of two leaves that `l` says are equal, or different.
    fn equal_bits(&self, l: Lit) -> Option<Pair> {
        let Gate::Xor(a, b) = self.graph.gate(l.gate()) else { return None };
        let (a, b) = (*self.inputs.get(&a.gate())?, *self.inputs.get(&b.gate())?);
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        (a.0 != b.0).then_some((a, b, !l.negated()))
    }

    fn literal(&mut self, l: Lit, done: &FxHashMap<u32, Term>) -> Term {
        let t = match l.as_constant() {
            Some(_) => self.terms.ff(),
            None => done[&l.gate()],
        };
        if l.negated() { self.terms.not(t) } else { t }
    }

    fn term(&mut self, gate: u32, shape: &Shape, done: &FxHashMap<u32, Term>) -> Term {
        match shape {
            Shape::OfLeaf(said) => self.said(said),
            Shape::And(pieces) => {
                let mut all = self.terms.tt();
                for piece in pieces {
                    let t = match *piece {
                        Piece::OfLeaf(ref said) => self.said(said),
                        Piece::Equal { a, b, bits, different } => self.equality(a, b, bits, different),
                        Piece::Lit(l) => self.literal(l, done),
                    };
                    all = self.terms.and(all, t);
                }
                all
            }
            Shape::Gate => {
                let args: Vec<Term> = self.graph.args(gate).iter().map(|l| self.literal(*l, done)).collect();
                match (self.graph.gate(gate), &args[..]) {
                    (Gate::And(..), &[a, b]) => self.terms.and(a, b),
                    (Gate::Xor(..), &[a, b]) => {
                        let same = self.terms.eq(a, b);
                        self.terms.not(same)
                    }
                    (Gate::Mux(..), &[c, t, e]) => self.terms.ite(c, t, e),
                    (Gate::Maj(..), &[a, b, c]) => {
                        let (both, any) = (self.terms.and(b, c), self.terms.or(b, c));
                        self.terms.ite(a, any, both)
                    }
                    _ => match self.inputs.get(&gate) {
                        Some(&(leaf, bit)) => self.bit(leaf, bit),
                        None => self.terms.ff(),
                    },
                }
            }
        }
    }

    fn bit(&mut self, leaf: Term, bit: u32) -> Term {
        let b = self.slice(leaf, bit, bit);
        if self.terms.sort(b) == Sort::Bool {
            return b;
        }
        let one = self.terms.int(1, 1);
        self.terms.eq(b, one)
    }

    /// The bits `lo` to `hi` of a leaf; a Bool is its own bit.
    fn slice(&mut self, leaf: Term, lo: u32, hi: u32) -> Term {
        if self.terms.sort(leaf) == Sort::Bool { leaf } else { self.terms.extract(hi, lo, leaf) }
    }

    fn equality(&mut self, a: Bit, b: Bit, bits: u32, different: bool) -> Term {
        let [x, y] = [a, b].map(|(leaf, lo)| self.slice(leaf, lo, lo + bits - 1));
        let [x, y] = [x, y].map(|t| if self.terms.sort(t) == Sort::Bool { self.terms.bool_to_bv(t) } else { t });
        let y = if different { self.terms.bv_not(y) } else { y };
        self.terms.eq(x, y)
    }

    /// The bits on which `said` depends, and the intervals of their values; see [`Intervals`].
    fn intervals(&self, said: &OfLeaf) -> Option<Intervals> {
        let Some((lo, hi)) = said.condition.support() else {
            let found = if said.condition.constant() == Some(true) { vec![(0, 1)] } else { Vec::new() };
            return Some(Intervals { lo: 0, hi: 0, signed: false, negated: false, found });
        };
        if hi - lo >= MAX_INTERVAL_BITS {
            return None;
        }
        let not = said.condition.not();
        let is_top = self.terms.sort(said.leaf) == Sort::Bv(hi + 1);
        let mut best: Option<Intervals> = None;
        for signed in [false, true] {
            for negated in [false, true] {
                if signed && !is_top {
                    continue;
                }
                let condition = if negated { &not } else { &said.condition };
                let Some(found) = condition.intervals((lo, hi), signed, MAX_INTERVALS) else { continue };
                let max = if hi - lo == 63 { u64::MAX } else { (1 << (hi - lo + 1)) - 1 };
                let cost = |found: &[Interval]| -> usize {
                    found.iter().map(|&(a, b)| if a == b || a == 0 || b == max { 1 } else { 2 }).sum()
                };
                if best.as_ref().is_none_or(|b| cost(&found) < cost(&b.found)) {
                    best = Some(Intervals { lo, hi, signed, negated, found });
                }
            }
        }
        best
    }

    /// The term of `said`.
    fn said(&mut self, said: &OfLeaf) -> Term {
        if self.terms.sort(said.leaf) == Sort::Bool {
            return match said.condition.constant() {
                Some(holds) => self.terms.bool(holds),
                None => {
                    let positive = self.bits_of(said.leaf).is_some_and(|bits| bits.bit(0) == said.condition);
                    if positive { said.leaf } else { self.terms.not(said.leaf) }
                }
            };
        }
        match self.intervals(said) {
            Some(intervals) => self.union(said.leaf, &intervals),
            None => self.choices(said),
        }
    }

    /// The term of a condition that has too many intervals: a choice by each bit.
    fn choices(&mut self, said: &OfLeaf) -> Term {
        let (ff, tt) = (self.terms.ff(), self.terms.tt());
        let mut done: FxHashMap<usize, Term> = FxHashMap::from_iter([(FALSE, ff), (TRUE, tt)]);
        for node in said.condition.nodes() {
            let b = self.bit(said.leaf, node.bit);
            let t = self.terms.ite(b, done[&node.one], done[&node.zero]);
            done.insert(node.number, t);
        }
        done[&said.condition.root()]
    }

    fn union(&mut self, leaf: Term, all: &Intervals) -> Term {
        let mut any = self.terms.ff();
        for &(a, b) in &all.found {
            let inside = self.interval(leaf, all, a, b);
            any = self.terms.or(any, inside);
        }
        if all.negated { self.terms.not(any) } else { any }
    }

    /// Whether the bits are between `a` and `b`.
    fn interval(&mut self, leaf: Term, all: &Intervals, a: u64, b: u64) -> Term {
        let bits = all.hi - all.lo + 1;
        let width = self.terms.width(leaf);
        let max = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        if all.found.len() == 1 && (a, b) == (0, max) {
            return self.terms.tt();
        }
        // The order of signed numbers has its highest bit inverted.
        let plain = |n: u64| if all.signed { n ^ (1 << (bits - 1)) } else { n };
        // A comparison of the highest bits is one of the whole word, whose other bits are then the least or the greatest.
        let is_bound = a == 0 || b == max;
        let whole = all.hi + 1 == width && (a != b || (all.lo > 0 && is_bound));
        let (word, shift) = if whole { (leaf, all.lo) } else { (self.slice(leaf, all.lo, all.hi), 0) };
        let constant = |terms: &mut Terms, n: u64, fill: bool| {
            let mut v = Bv::new(bits, n);
            if shift > 0 {
                v = v.concat(&if fill { Bv::ones(shift) } else { Bv::new(shift, 0) });
            }
            terms.constant(&v)
        };
        if a == b && !whole {
            let k = constant(self.terms, plain(a), false);
            return self.terms.eq(word, k);
        }
        let cmp = if all.signed { BvCmp::Sle } else { BvCmp::Ule };
        let mut inside = self.terms.tt();
        if a != 0 {
            let k = constant(self.terms, plain(a), false);
            inside = self.terms.cmp(cmp, k, word);
        }
        if b != max {
            let k = constant(self.terms, plain(b), true);
            let below = self.terms.cmp(cmp, word, k);
            inside = self.terms.and(inside, below);
        }
        inside
    }
}

/// Values of some bits of a leaf.
struct Intervals {
    /// The lowest of the bits.
    lo: u32,
    /// The highest of them.
    hi: u32,
    /// Whether the values are in the order of signed numbers, the least of which counts as 0.
    signed: bool,
    /// Whether these are the values for which the condition does not hold.
    negated: bool,
    found: Vec<Interval>,
}
