//! The parts of a trace as clauses, each of which belongs to one part.
//!
//! Each part has circuits of its own; parts share nothing but the bits of their leaves. So a clause is about one part, and a
//! variable is a bit of a leaf, which occurs from a first part to a last one, or a gate of a single part. No step before the
//! circuits mixes parts: what one part says of a leaf is not used in the circuits of another one.

use super::vocabulary::Range;
use crate::bits::Preprocessing;
use crate::bits::deadline::Deadline;
use crate::bits::encode::Encoder;
use crate::bits::graph::{Gate, Lit};
use crate::bits::substitution::Substitution;
use crate::lrat::Literal;
use crate::solver::SolverError;
use cfa::{Term, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Steps that look at one term at a time. The others look at a whole query.
const STEPS: Preprocessing = Preprocessing {
    substitution: false,
    common_facts: false,
    comparisons: false,
    sums: true,
    ranges: true,
    independent_parts: false,
};

/// Clauses of parts.
#[derive(Default)]
pub(crate) struct Clauses {
    /// The literals of each clause: variables from 1 on, negative for negations.
    pub(crate) clauses: Vec<Vec<Literal>>,
    /// The part to which each clause belongs.
    pub(crate) part: Vec<usize>,
    /// For each variable (variable 1 is at 0), where it occurs.
    pub(crate) ranges: Vec<Range>,
    /// For each variable, the leaf and the number of the bit that it is; `None` for gates.
    pub(crate) bits: Vec<Option<(Term, u32)>>,
    /// The variables of bits.
    variables: FxHashMap<(Term, u32), Literal>,
}

impl Clauses {
    /// The clauses of `parts`, which are Bool terms without memories.
    ///
    /// Errors: those of circuits: `Unsupported` for floats, `Unknown` if they become too large or the time is over.
    pub(crate) fn of(terms: &Terms, parts: &[Term], deadline: &mut Deadline) -> Result<Clauses, SolverError> {
        let mut all = Clauses::default();
        for (i, &part) in parts.iter().enumerate() {
            all.add_part(terms, i, part, deadline)?;
        }
        Ok(all)
    }

    fn add_part(&mut self, terms: &Terms, part: usize, t: Term, deadline: &mut Deadline) -> Result<(), SolverError> {
        let mut encoder = Encoder::new(Substitution::default(), STEPS, Arc::default());
        let mut roots = Vec::new();
        for c in terms.conjuncts(&[t]) {
            roots.push(encoder.encode(terms, c, deadline)?);
        }
        let mut variables: FxHashMap<u32, Literal> = FxHashMap::default();
        for &leaf in &encoder.leaves {
            for (bit, l) in (0..).zip(encoder.word(leaf)) {
                // A bit that nothing depends on has a variable without clauses.
                if encoder.graph.gate(l.gate()) == Gate::Input {
                    variables.insert(l.gate(), self.bit(leaf, bit, part));
                }
            }
        }
        let mut writer = PartWriter { all: self, encoder: &encoder, part, variables, work: Vec::new() };
        for root in roots {
            writer.assert(root);
        }
        writer.define_gates(deadline)
    }

    /// The variable of a bit of `leaf`, which occurs in `part`.
    fn bit(&mut self, leaf: Term, bit: u32, part: usize) -> Literal {
        if let Some(&v) = self.variables.get(&(leaf, bit)) {
            self.ranges[v as usize - 1].1 = part;
            return v;
        }
        let v = self.variable(part, Some((leaf, bit)));
        self.variables.insert((leaf, bit), v);
        v
    }

    fn variable(&mut self, part: usize, bit: Option<(Term, u32)>) -> Literal {
        self.ranges.push((part, part));
        self.bits.push(bit);
        self.ranges.len() as Literal
    }
}

/// Writes the clauses of one part.
struct PartWriter<'a> {
    all: &'a mut Clauses,
    encoder: &'a Encoder,
    part: usize,
    /// The variables of gates.
    variables: FxHashMap<u32, Literal>,
    /// Gates that have a variable and no clauses yet.
    work: Vec<u32>,
}

impl PartWriter<'_> {
    fn literal(&mut self, l: Lit) -> Literal {
        let v = match self.variables.get(&l.gate()) {
            Some(&v) => v,
            None => {
                let v = self.all.variable(self.part, None);
                self.variables.insert(l.gate(), v);
                self.work.push(l.gate());
                v
            }
        };
        if l.negated() { -v } else { v }
    }

    fn clause(&mut self, lits: &[Lit]) {
        let mut clause = Vec::with_capacity(lits.len());
        for &l in lits {
            match l.as_constant() {
                Some(true) => return,
                Some(false) => {}
                None => clause.push(self.literal(l)),
            }
        }
        self.all.clauses.push(clause);
        self.all.part.push(self.part);
    }

    /// Says that `l` holds.
    fn assert(&mut self, l: Lit) {
        let mut stack = vec![l];
        while let Some(l) = stack.pop() {
            match self.encoder.graph.gate(l.gate()) {
                Gate::And(a, b) if l.negated() => self.clause(&[!a, !b]),
                Gate::And(a, b) => stack.extend([b, a]),
                _ => self.clause(&[l]),
            }
        }
    }

    /// Says of each gate that is used that it is its function.
    fn define_gates(&mut self, deadline: &mut Deadline) -> Result<(), SolverError> {
        while let Some(gate) = self.work.pop() {
            deadline.tick()?;
            let own = Lit::positive(gate);
            match self.encoder.graph.gate(gate) {
                Gate::False | Gate::Input => {}
                Gate::And(a, b) => {
                    [[!own, a].as_slice(), &[!own, b], &[own, !a, !b]].into_iter().for_each(|c| self.clause(c))
                }
                Gate::Xor(a, b) => {
                    [[!own, a, b], [!own, !a, !b], [own, !a, b], [own, a, !b]].into_iter().for_each(|c| self.clause(&c))
                }
                Gate::Mux(c, t, e) => {
                    [[!own, !c, t], [!own, c, e], [own, !c, !t], [own, c, !e]].into_iter().for_each(|c| self.clause(&c))
                }
                Gate::Maj(a, b, c) => {
                    for [x, y] in [[a, b], [a, c], [b, c]] {
                        self.clause(&[!own, x, y]);
                        self.clause(&[own, !x, !y]);
                    }
                }
            }
        }
        Ok(())
    }
}
