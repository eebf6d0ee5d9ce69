//! Computation of gates' values from those of inputs.

use super::graph::{Gate, Graph, Lit};
use cfa::bv::Bv;
use rustc_hash::FxHashMap;

/// The values of a graph's gates, where `input` returns those of inputs. Each value is computed once, on demand.
pub(crate) struct Simulation<'a, F> {
    graph: &'a Graph,
    input: F,
    /// The values of gates that are not inputs.
    values: FxHashMap<u32, bool>,
}

impl<'a, F: Fn(u32) -> bool> Simulation<'a, F> {
    /// A simulation of `graph`.
    pub(crate) fn new(graph: &'a Graph, input: F) -> Simulation<'a, F> {
        Simulation { graph, input, values: FxHashMap::default() }
    }

    /// The value of a word.
    pub(crate) fn word(&mut self, word: &[Lit]) -> Bv {
        from_bits(word.iter().map(|&l| self.value(l)))
    }

    /// The value of `l`.
    pub(crate) fn value(&mut self, l: Lit) -> bool {
        if let Some(value) = self.known(l) {
            return value;
        }
        let mut stack = vec![l.gate()];
        while let Some(&i) = stack.last() {
            if self.known(Lit::positive(i)).is_none() {
                let open = stack.len();
                stack.extend(self.graph.args(i).iter().filter(|a| self.known(**a).is_none()).map(|a| a.gate()));
                if stack.len() > open {
                    continue;
                }
                let value = self.compute(i);
                self.values.insert(i, value);
            }
            stack.pop();
        }
        self.known(l) == Some(true)
    }

    fn known(&self, l: Lit) -> Option<bool> {
        let value = match self.graph.gate(l.gate()) {
            Gate::False => false,
            Gate::Input => (self.input)(l.gate()),
            _ => *self.values.get(&l.gate())?,
        };
        Some(value != l.negated())
    }

    /// The value of a gate whose arguments have known values.
    fn compute(&self, gate: u32) -> bool {
        let of = |l: Lit| self.known(l) == Some(true);
        match self.graph.gate(gate) {
            Gate::False | Gate::Input => of(Lit::positive(gate)),
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(c, t, e) => of(if of(c) { t } else { e }),
            Gate::Maj(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
        }
    }
}

/// The bit-vector with these bits, the least significant one first.
pub(crate) fn from_bits(bits: impl ExactSizeIterator<Item = bool>) -> Bv {
    let width = bits.len();
    let mut words = vec![0u64; width.div_ceil(64)];
    for (i, bit) in bits.enumerate() {
        words[i / 64] |= u64::from(bit) << (i % 64);
    }
    Bv::from_words(width as u32, &words)
}
