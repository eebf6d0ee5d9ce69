//! The direct encoding and the order encoding of leaves that are compared with constants: each comparison is an input, and the
//! leaf has bits only if something else needs them.
//!
//! - An input for `leaf = k` is the direct encoding of constraint satisfaction (Walsh: SAT v CSP, CP 2000).
//! - An input for `leaf <= k` is the order encoding (Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, CP
//!   2006).
//!
//! Most inputs of a program are compared with one constant and used for nothing else, and those that bound a loop are
//! compared with each number of iterations. Clauses (`cnf`) relate those inputs that a query depends on: a leaf equals at most
//! one constant, a number that is at most 3 is at most 5, and each input agrees with the leaf's bits, if it has bits.

use super::circuits::{self, Word};
use super::graph::{Graph, Lit};
use cfa::bv::{Bv, BvCmp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of constants of one leaf that exclude each other pairwise; if there are more, all are expressed by order.
const MAX_CONSTANTS: usize = 16;

/// A leaf that is compared with constants.
pub(crate) struct Direct {
    /// The leaf.
    pub(crate) leaf: Term,
    /// The constants (fewer than the leaf has values), and the gates of their inputs.
    pub(crate) constants: Vec<(Bv, u32)>,
    /// Numbers, and the gates of the inputs that say that the leaf is at most this number. If there are any, all
    /// constants and their predecessors are among the numbers.
    pub(crate) bounds: BTreeMap<u64, u32>,
    /// For each input, the circuit of the same comparison on the leaf's bits, if it has bits.
    pub(crate) compared: Vec<(u32, Lit)>,
    /// The leaf's bits, inputs or zero; empty as long as none is needed.
    pub(crate) bits: Word,
    width: u32,
}

impl Direct {
    /// The least value that is not among the constants.
    pub(crate) fn other_value(&self) -> Bv {
        let mut values = (0..=self.constants.len() as u64).map(|n| Bv::new(self.width, n));
        let other = values.find(|v| self.constants.iter().all(|(k, _)| k != v));
        other.unwrap_or_else(|| self.zero())
    }

    /// The leaf's value if nothing is said about it.
    pub(crate) fn zero(&self) -> Bv {
        Bv::new(self.width, 0)
    }

    /// The value of an input of the leaf if the leaf has the value `v`.
    pub(crate) fn says(&self, gate: u32, v: &Bv) -> bool {
        if let Some((k, _)) = self.constants.iter().find(|(_, g)| *g == gate) {
            return k == v;
        }
        match self.bounds.iter().find(|(_, g)| **g == gate) {
            Some((k, _)) => !Bv::compare(BvCmp::Ult, &Bv::new(self.width, *k), v),
            None => self.bits.iter().position(|b| b.gate() == gate).is_some_and(|i| v.bit(i as u32)),
        }
    }

    /// The gates of the inputs for "at most `k`" and "at most `k - 1`", where such inputs are needed and exist.
    pub(crate) fn around(&self, k: &Bv) -> [Option<u32>; 2] {
        let k = k.to_u64();
        [k, k.and_then(|k| k.checked_sub(1))].map(|k| k.and_then(|k| self.bounds.get(&k).copied()))
    }

    /// `k` in the leaf's width.
    pub(crate) fn number(&self, k: u64) -> Bv {
        Bv::new(self.width, k)
    }
}

/// A leaf of at most 64 bits, none of which is needed so far.
#[derive(Clone, Copy)]
pub(crate) struct OpenLeaf {
    pub(crate) leaf: Term,
    pub(crate) width: u32,
    /// Number of low bits that may be set.
    pub(crate) bits: u32,
}

/// All leaves that are compared with constants.
#[derive(Default)]
pub(crate) struct DirectLeaves {
    leaves: Vec<Direct>,
    of: FxHashMap<Term, u32>,
    /// The leaf to which each input belongs.
    owner: FxHashMap<u32, u32>,
}

impl DirectLeaves {
    /// The input that says whether `leaf` is `k`, if there is one or another may be added to `graph`.
    pub(crate) fn equals(&mut self, graph: &mut Graph, leaf: Term, k: &Bv) -> Option<Lit> {
        let i = self.number_of(leaf, k.width());
        let constants = &mut self.leaves[i as usize].constants;
        if let Some((_, gate)) = constants.iter().find(|(c, _)| c == k) {
            return Some(Lit::positive(*gate));
        }
        // Keep one value that is not among the constants.
        let values = 1usize.checked_shl(k.width()).unwrap_or(usize::MAX);
        if constants.len() >= MAX_CONSTANTS.min(values - 1) {
            return None;
        }
        let l = graph.input();
        constants.push((k.clone(), l.gate()));
        self.owner.insert(l.gate(), i);
        Some(l)
    }

    /// Whether `leaf` has inputs for upper bounds.
    pub(crate) fn is_ordered(&self, leaf: Term) -> bool {
        self.of.get(&leaf).is_some_and(|i| !self.leaves[*i as usize].bounds.is_empty())
    }

    /// Whether `open` lies in `least..=most`, or, if `least` is greater than `most`, not strictly between the two.
    pub(crate) fn between(&mut self, graph: &mut Graph, open: OpenLeaf, (least, most): (u64, u64)) -> Lit {
        let upper = self.at_most(graph, open, most);
        let lower = least.checked_sub(1).map_or(Lit::TRUE, |k| !self.at_most(graph, open, k));
        if least <= most { graph.and(lower, upper) } else { graph.or(lower, upper) }
    }

    fn at_most(&mut self, graph: &mut Graph, OpenLeaf { leaf, width, bits }: OpenLeaf, k: u64) -> Lit {
        // All values of the leaf's low bits satisfy this bound. It gets no input, since no clause would say that the input is
        // true: the conjunct that limits the leaf's bits becomes `true` here, too.
        if bits == 0 || k >= u64::MAX >> (64 - bits) {
            return Lit::TRUE;
        }
        let i = self.number_of(leaf, width);
        let Direct { bounds, constants, .. } = &mut self.leaves[i as usize];
        let mut numbers = vec![k];
        if bounds.is_empty() {
            let around = |c: &Bv| [c.to_u64().filter(|_| !c.is_ones()), c.to_u64().and_then(|c| c.checked_sub(1))];
            numbers.extend(constants.iter().flat_map(|(c, _)| around(c)).flatten());
        }
        for n in numbers {
            let owner = &mut self.owner;
            bounds.entry(n).or_insert_with(|| {
                let gate = graph.input().gate();
                owner.insert(gate, i);
                gate
            });
        }
        Lit::positive(bounds[&k])
    }

    fn number_of(&mut self, leaf: Term, width: u32) -> u32 {
        let i = *self.of.entry(leaf).or_insert(self.leaves.len() as u32);
        if i as usize == self.leaves.len() {
            let (constants, bounds, compared) = (Vec::new(), BTreeMap::new(), Vec::new());
            self.leaves.push(Direct { leaf, constants, bounds, compared, bits: Word::new(), width });
        }
        i
    }

    /// Gives `leaf` these bits from now on.
    pub(crate) fn give_bits(&mut self, graph: &mut Graph, leaf: Term, bits: &[Lit]) {
        let Some(&i) = self.of.get(&leaf) else { return };
        let inputs = bits.iter().filter(|b| b.as_constant().is_none());
        self.owner.extend(inputs.map(|b| (b.gate(), i)));
        let direct = &mut self.leaves[i as usize];
        direct.bits = bits.to_vec();
        for (k, gate) in &direct.bounds {
            let k = circuits::constant(&Bv::new(direct.width, *k));
            direct.compared.push((*gate, circuits::compare(graph, BvCmp::Ule, bits, &k)));
        }
    }

    /// The index of the leaf to which an input belongs.
    pub(crate) fn owner(&self, gate: u32) -> Option<u32> {
        self.owner.get(&gate).copied()
    }

    /// The leaf with this index.
    pub(crate) fn get(&self, i: u32) -> &Direct {
        &self.leaves[i as usize]
    }

    /// All leaves.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Direct> {
        self.leaves.iter()
    }
}

/// The term and the constant, if `t` says that a bit-vector equals a constant.
pub(crate) fn equality(terms: &Terms, t: Term) -> Option<(Term, Bv)> {
    let (Kind::Eq, &[a, b]) = (terms.kind(t), terms.args(t)) else { return None };
    if !matches!(terms.sort(a), Sort::Bv(_)) {
        return None;
    }
    match (terms.as_bv(a), terms.as_bv(b)) {
        (Some(k), None) => Some((b, k)),
        (None, Some(k)) => Some((a, k)),
        _ => None,
    }
}
