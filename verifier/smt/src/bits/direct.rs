//! Leaves by the constants that they are compared with: one input says whether a leaf equals a constant, and the leaf has bits only if
//! something else asks for them.
//!
//! The direct encoding of constraint satisfaction (Walsh: SAT v CSP, CP 2000). Most inputs of a program are compared with one constant
//! and used for nothing else. That a leaf equals one constant at most, and what its bits have to do with the constants, is said by
//! clauses (`cnf`) about those inputs that a query depends on.

use super::circuits::Word;
use super::graph::Lit;
use cfa::bv::Bv;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Most constants of one leaf: those after them are compared with its bits.
const MOST_CONSTANTS: usize = 16;

/// A leaf that is compared with constants.
pub(crate) struct Direct {
    /// The leaf.
    pub(crate) leaf: Term,
    /// The constants, fewer than the leaf has values, and the gates of the inputs for them.
    pub(crate) constants: Vec<(Bv, u32)>,
    /// The leaf's bits, all of them inputs; empty as long as nothing asked for them.
    pub(crate) bits: Word,
    width: u32,
}

impl Direct {
    /// The least value that is none of the constants.
    pub(crate) fn other_value(&self) -> Bv {
        let mut values = (0..=self.constants.len() as u64).map(|n| Bv::new(self.width, n));
        let other = values.find(|v| self.constants.iter().all(|(k, _)| k != v));
        other.unwrap_or_else(|| self.zero())
    }

    /// The leaf's value where nothing is said about it.
    pub(crate) fn zero(&self) -> Bv {
        Bv::new(self.width, 0)
    }

    /// What an input of the leaf says where it has the value `v`.
    pub(crate) fn says(&self, gate: u32, v: &Bv) -> bool {
        match self.constants.iter().find(|(_, g)| *g == gate) {
            Some((k, _)) => k == v,
            None => self.bits.iter().position(|b| b.gate() == gate).is_some_and(|i| v.bit(i as u32)),
        }
    }
}

/// All leaves that are compared with constants.
#[derive(Default)]
pub(crate) struct DirectLeaves {
    leaves: Vec<Direct>,
    of: FxHashMap<Term, u32>,
    /// The leaf of an input.
    owner: FxHashMap<u32, u32>,
}

impl DirectLeaves {
    /// The input that says whether `leaf` is `k`, where there is one or may be another: then `input` makes it.
    pub(crate) fn equals(&mut self, leaf: Term, k: &Bv, input: impl FnOnce() -> Lit) -> Option<Lit> {
        let width = k.width();
        let i = *self.of.entry(leaf).or_insert(self.leaves.len() as u32);
        if i as usize == self.leaves.len() {
            self.leaves.push(Direct { leaf, constants: Vec::new(), bits: Word::new(), width });
        }
        let constants = &mut self.leaves[i as usize].constants;
        if let Some((_, gate)) = constants.iter().find(|(c, _)| c == k) {
            return Some(Lit::positive(*gate));
        }
        // One value is left that is none of them.
        let values = 1usize.checked_shl(width).unwrap_or(usize::MAX);
        if constants.len() >= MOST_CONSTANTS.min(values - 1) {
            return None;
        }
        let l = input();
        constants.push((k.clone(), l.gate()));
        self.owner.insert(l.gate(), i);
        Some(l)
    }

    /// `leaf` has these bits from now on.
    pub(crate) fn give_bits(&mut self, leaf: Term, bits: &[Lit]) {
        let Some(&i) = self.of.get(&leaf) else { return };
        self.owner.extend(bits.iter().map(|b| (b.gate(), i)));
        self.leaves[i as usize].bits = bits.to_vec();
    }

    /// The number of the leaf to which an input belongs.
    pub(crate) fn owner(&self, gate: u32) -> Option<u32> {
        self.owner.get(&gate).copied()
    }

    /// The leaf of this number.
    pub(crate) fn get(&self, i: u32) -> &Direct {
        &self.leaves[i as usize]
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Direct> {
        self.leaves.iter()
    }
}

/// The two sides of `t`, where it compares a bit-vector with a constant.
pub(crate) fn comparison(terms: &Terms, t: Term) -> Option<(Term, Bv)> {
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
