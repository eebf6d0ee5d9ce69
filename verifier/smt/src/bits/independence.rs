//! Parts of a query that share no inputs, which can be solved independently.
//!
//! A query is satisfiable if all its independent parts are (Cadar, Dunbar, Engler: KLEE, OSDI 2008, 3.3); it is unsatisfiable
//! if one of them is. Parts are determined on gates, where simplification has removed spurious dependences.

use super::encode::Encoder;
use super::graph::{Gate, Lit};
use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The indices of `lits` by independent parts, the part with the fewest gates first. Cells of the same memory depend on each
/// other, and so do all inputs of the same leaf.
pub(crate) fn parts(encoder: &Encoder, lits: &[Lit]) -> Vec<Vec<usize>> {
    let mut search = Search {
        encoder,
        same: UnionFind::new(lits.len()),
        seen: FixedBitSet::with_capacity(encoder.graph.len()),
        owner: vec![0; encoder.graph.len()],
        sharing: FxHashMap::default(),
        gates: vec![0; lits.len()],
    };
    for (i, l) in lits.iter().enumerate() {
        search.visit(i, l.gate());
    }
    let mut found: BTreeMap<usize, (usize, Vec<usize>)> = BTreeMap::new();
    for i in 0..lits.len() {
        let part = found.entry(search.same.find(i)).or_default();
        part.0 += search.gates[i];
        part.1.push(i);
    }
    let mut found: Vec<(usize, Vec<usize>)> = found.into_values().collect();
    found.sort_unstable();
    found.into_iter().map(|(_, part)| part).collect()
}

/// A dependence between inputs that is not by gates.
#[derive(PartialEq, Eq, Hash)]
enum Shared {
    /// Cells of a memory.
    Memory(cfa::Term),
    /// A leaf that is compared with constants.
    Leaf(u32),
}

struct Search<'a> {
    encoder: &'a Encoder,
    /// Literals in the same part.
    same: UnionFind<usize>,
    seen: FixedBitSet,
    /// For each gate seen, the literal from which it was first reached.
    owner: Vec<usize>,
    sharing: FxHashMap<Shared, usize>,
    /// The number of gates first reached from each literal.
    gates: Vec<usize>,
}

impl Search<'_> {
    /// Finds the gates on which literal `i` depends.
    fn visit(&mut self, i: usize, gate: u32) {
        let Encoder { graph, memories, direct, .. } = self.encoder;
        let mut stack = vec![gate];
        while let Some(gate) = stack.pop() {
            if self.seen.put(gate as usize) {
                self.same.union(i, self.owner[gate as usize]);
                continue;
            }
            self.owner[gate as usize] = i;
            self.gates[i] += 1;
            stack.extend(graph.args(gate).iter().filter(|l| l.as_constant().is_none()).map(|l| l.gate()));
            if graph.gate(gate) != Gate::Input {
                continue;
            }
            if let Some(&cell) = memories.owner.get(&gate) {
                let cell = &memories.cells[cell as usize];
                let address = memories.word(cell.address).iter();
                stack.extend(address.filter(|l| l.as_constant().is_none()).map(|l| l.gate()));
                self.share(i, Shared::Memory(cell.memory));
            }
            if let Some(leaf) = direct.owner(gate) {
                self.share(i, Shared::Leaf(leaf));
            }
        }
    }

    fn share(&mut self, i: usize, shared: Shared) {
        let first = *self.sharing.entry(shared).or_insert(i);
        self.same.union(i, first);
    }
}
