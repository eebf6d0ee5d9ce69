//! Gates as clauses in CaDiCaL, and lemmas about the cells of memories.
//!
//! A gate gets clauses only for the directions in which it is used (Plaisted, Greenbaum: A structure-preserving clause form
//! translation, 1986). A conjunction that has no other use is merged into the conjunction above it.

use super::deadline::Deadline;
use super::encode::Encoder;
use super::graph::{Gate, Graph, Lit};
use super::memory::Cell;
use super::order_encoding::Direct;
use super::proof::Proof;
use super::simulation::{Simulation, from_bits};
use crate::solver::{Answer, SolverError};
use cfa::Term;
use cfa::bv::Bv;
use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Cl, Lit as SatLit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Limit};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of arguments of one conjunction.
const MAX_CONJUNCTION: usize = 64;

/// The state of a gate in the solver.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Its variable plus one; 0 if it has none.
    variable: u32,
    /// What has been requested for it, as a set of flags.
    said: u8,
}

/// Flag of gates with the clauses for `gate => its function`.
const FORWARD: u8 = 1;
/// Flag of gates with the clauses for `its function => gate`.
const BACKWARD: u8 = 2;
/// Flag of gates for which the memory cells on which they depend are collected.
const VISITED: u8 = 4;

/// The clauses and the solver for gates of one graph.
pub(crate) struct Cnf {
    solver: CaDiCaL<'static, 'static>,
    /// The solver's proof, if it is checked.
    proof: Option<Proof>,
    /// Number of proof steps of solvers that were dropped.
    past_steps: u64,
    /// Assumptions of the last query that contradict each other according to a checked proof.
    proved: Vec<SatLit>,
    deadline: Deadline,
    start: Start,
    slots: Vec<Slot>,
    /// The gates whose slots are not empty.
    used: Vec<u32>,
    variables: u32,
    /// The cells on which the asserted gates depend.
    cells: Vec<u32>,
    /// Requests that are still to be processed, each as a gate and a flag.
    work: Vec<(u32, u8)>,
    /// Leaves compared with constants about whose inputs something new was said.
    touched: BTreeSet<u32>,
    /// The inputs of such leaves for constants, which exclude each other, by leaf.
    apart: FxHashMap<u32, Vec<u32>>,
    /// The inputs of such leaves for upper bounds, by leaf and bound.
    chains: FxHashMap<u32, BTreeMap<u64, u32>>,
    /// Inputs of such leaves that are tied to the leaf's bits.
    tied: FxHashSet<u32>,
    /// Inputs for constants that are tied to inputs for upper bounds.
    between: FxHashSet<u32>,
    /// Number of lemmas about cells.
    pub(crate) lemmas: u64,
}

/// How a solver starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// With search: most queries are answered before preprocessing would be finished.
    Search,
    /// With preprocessing.
    Preprocess,
}

fn solver_for(deadline: &Deadline, start: Start) -> CaDiCaL<'static, 'static> {
    let mut solver = CaDiCaL::default();
    if start == Start::Search {
        for option in ["preprocesslight", "lucky", "walk"] {
            // A solver without the option has nothing to switch off.
            let _ = solver.set_option(option, 0);
        }
    }
    let deadline = deadline.clone();
    solver.attach_terminator(move || if deadline.over() { ControlSignal::Terminate } else { ControlSignal::Continue });
    solver
}

fn failed(e: impl std::fmt::Display) -> SolverError {
    SolverError::Failed(format!("CaDiCaL: {e}"))
}

impl Cnf {
    /// A new solver.
    pub(crate) fn new(deadline: &Deadline, start: Start) -> Cnf {
        Cnf {
            solver: solver_for(deadline, start),
            proof: None,
            past_steps: 0,
            proved: Vec::new(),
            deadline: deadline.clone(),
            start,
            slots: Vec::new(),
            used: Vec::new(),
            variables: 0,
            cells: Vec::new(),
            work: Vec::new(),
            touched: BTreeSet::new(),
            apart: FxHashMap::default(),
            chains: FxHashMap::default(),
            tied: FxHashSet::default(),
            between: FxHashSet::default(),
            lemmas: 0,
        }
    }

    /// Checks the proof of each unsatisfiability from now on. Forgets everything.
    pub(crate) fn prove(&mut self) {
        self.begin_anew(true);
    }

    /// The number of checked proof steps.
    pub(crate) fn proof_steps(&self) -> u64 {
        self.past_steps + self.proof.as_ref().map_or(0, Proof::steps)
    }

    fn end_proof(&mut self) {
        self.past_steps = self.proof_steps();
        if let Some(proof) = self.proof.take() {
            proof.end(&mut self.solver);
        }
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self) {
        if !self.used.is_empty() {
            self.begin_anew(self.proof.is_some());
        }
    }

    fn begin_anew(&mut self, proves: bool) {
        self.end_proof();
        self.solver = solver_for(&self.deadline, self.start);
        self.proof = proves.then(|| Proof::of(&mut self.solver));
        for i in self.used.drain(..) {
            self.slots[i as usize] = Slot::default();
        }
        self.variables = 0;
        self.cells.clear();
        self.work.clear();
        self.touched.clear();
        self.apart.clear();
        self.chains.clear();
        self.tied.clear();
        self.between.clear();
    }

    /// The number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.variables as usize
    }

    fn slot(&mut self, gate: u32) -> &mut Slot {
        let i = gate as usize;
        if i >= self.slots.len() {
            self.slots.resize((i + 1).next_power_of_two(), Slot::default());
        }
        if self.slots[i].variable == 0 && self.slots[i].said == 0 {
            self.used.push(gate);
        }
        &mut self.slots[i]
    }

    /// The solver's literal for `l`, which must not be a constant.
    pub(crate) fn literal(&mut self, l: Lit) -> SatLit {
        let next = self.variables + 1;
        let slot = self.slot(l.gate());
        if slot.variable == 0 {
            slot.variable = next;
            self.variables = next;
        }
        SatLit::new(self.slots[l.gate() as usize].variable - 1, l.negated())
    }

    /// Adds a clause. What follows from its literals must have been said.
    pub(crate) fn clause(&mut self, lits: &[Lit]) -> Result<(), SolverError> {
        let mut clause: smallvec::SmallVec<[SatLit; 8]> = smallvec::SmallVec::new();
        for &l in lits {
            match l.as_constant() {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => clause.push(self.literal(l)),
            }
        }
        if let Some(proof) = &self.proof {
            proof.give(&clause);
        }
        self.solver.add_clause_ref(Cl::new(&clause[..])).map_err(failed)
    }

    /// Asserts `l` permanently.
    pub(crate) fn assert(&mut self, encoder: &Encoder, l: Lit) -> Result<(), SolverError> {
        self.define(encoder, l)?;
        self.clause(&[l])
    }

    /// Adds the clauses that follow from `l`, which must not be a constant, so that its literal can be assumed.
    pub(crate) fn define(&mut self, encoder: &Encoder, l: Lit) -> Result<(), SolverError> {
        self.want(l);
        loop {
            while let Some(&(gate, said)) = self.work.last() {
                // Work left by an interruption is done the next time.
                self.deadline.tick()?;
                self.work.pop();
                if said == VISITED {
                    self.visit(encoder, gate);
                    continue;
                }
                self.say(&encoder.graph, gate, said)?;
                if encoder.graph.gate(gate) == Gate::Input {
                    self.want_as(gate, VISITED);
                    self.touched.extend(encoder.direct.owner(gate));
                }
            }
            let Some(&i) = self.touched.last() else { return Ok(()) };
            self.deadline.tick()?;
            self.relate(encoder.direct.get(i), i)?;
            self.touched.remove(&i);
        }
    }

    /// Adds the clauses that relate the inputs of leaf `i`, which is compared with constants.
    fn relate(&mut self, leaf: &Direct, i: u32) -> Result<(), SolverError> {
        let has_bits = leaf.bits.iter().any(|b| self.is_said(b.gate()));
        if has_bits {
            for &(gate, by_bits) in leaf.compared.iter() {
                if self.is_said(gate) && self.tied.insert(gate) {
                    let own = Lit::positive(gate);
                    self.want_both(by_bits);
                    self.clause(&[!own, by_bits])?;
                    self.clause(&[own, !by_bits])?;
                }
            }
        }
        self.order(leaf, i)?;
        for (k, gate) in &leaf.constants {
            let own = Lit::positive(*gate);
            if !self.is_said(*gate) || self.tied.contains(gate) {
                continue;
            }
            if has_bits {
                let bits: Vec<Lit> = leaf.bits.iter().zip(0..).map(|(b, n)| b.flip_if(!k.bit(n))).collect();
                for &bit in &bits {
                    self.clause(&[!own, bit])?;
                }
                let all: Vec<Lit> = bits.into_iter().map(|b| !b).chain([own]).collect();
                self.clause(&all)?;
                self.tied.insert(*gate);
                continue;
            }
            let others = self.apart.get(&i).cloned().unwrap_or_default();
            if others.contains(gate) {
                continue;
            }
            for other in others {
                self.clause(&[!own, !Lit::positive(other)])?;
            }
            self.apart.entry(i).or_default().push(*gate);
        }
        Ok(())
    }

    /// Adds the clauses that order the upper bounds of leaf `i`, and those that place its constants between them.
    fn order(&mut self, leaf: &Direct, i: u32) -> Result<(), SolverError> {
        let mut chain = self.chains.remove(&i).unwrap_or_default();
        for (&k, &gate) in &leaf.bounds {
            if !self.is_said(gate) || chain.contains_key(&k) {
                continue;
            }
            let own = Lit::positive(gate);
            if let Some((_, &below)) = chain.range(..k).next_back() {
                self.clause(&[!Lit::positive(below), own])?;
            }
            if let Some((_, &above)) = chain.range(k..).next() {
                self.clause(&[!own, Lit::positive(above)])?;
            }
            chain.insert(k, gate);
        }
        if !chain.is_empty() {
            for (k, gate) in &leaf.constants {
                if !self.is_said(*gate) || !self.between.insert(*gate) {
                    continue;
                }
                let own = Lit::positive(*gate);
                let [upper, lower] = leaf.around(k);
                let mut all = vec![own];
                for l in upper.map(Lit::positive).into_iter().chain(lower.map(|g| !Lit::positive(g))) {
                    self.want_both(l);
                    self.clause(&[!own, l])?;
                    all.push(!l);
                }
                self.clause(&all)?;
            }
        }
        self.chains.insert(i, chain);
        Ok(())
    }

    fn want_as(&mut self, gate: u32, said: u8) {
        if gate == 0 {
            return;
        }
        let slot = self.slot(gate);
        if slot.said & said == 0 {
            slot.said |= said;
            self.work.push((gate, said));
        }
    }

    /// Requests the clauses that follow from `l`.
    fn want(&mut self, l: Lit) {
        self.want_as(l.gate(), if l.negated() { BACKWARD } else { FORWARD });
    }

    fn want_both(&mut self, l: Lit) {
        self.want(l);
        self.want(!l);
    }

    /// Collects the cells on which `gate` depends.
    fn visit(&mut self, encoder: &Encoder, gate: u32) {
        match encoder.graph.gate(gate) {
            Gate::Input => {
                let Some(&cell) = encoder.memories.owner.get(&gate) else { return };
                let Cell { address, value, .. } = &encoder.memories.cells[cell as usize];
                // One of its inputs represents the whole cell.
                let first = value[0].gate();
                if first != gate {
                    return self.want_as(first, VISITED);
                }
                self.cells.push(cell);
                encoder.memories.word(*address).iter().for_each(|l| self.want_as(l.gate(), VISITED));
            }
            _ => encoder.graph.args(gate).iter().for_each(|l| self.want_as(l.gate(), VISITED)),
        }
    }

    fn say(&mut self, graph: &Graph, gate: u32, said: u8) -> Result<(), SolverError> {
        let forward = said == FORWARD;
        let own = Lit::positive(gate);
        // The literal that implies, and what it implies, in either direction.
        let not_own = own.flip_if(forward);
        let way = |l: Lit| l.flip_if(!forward);
        match graph.gate(gate) {
            Gate::False | Gate::Input => Ok(()),
            Gate::And(a, b) => self.say_and(graph, own, [a, b], forward),
            Gate::Xor(a, b) => {
                self.want_both(a);
                self.want_both(b);
                self.clause(&[not_own, a, way(b)])?;
                self.clause(&[not_own, !a, !way(b)])
            }
            Gate::Mux(c, t, e) => {
                let (t, e) = (way(t), way(e));
                self.want_both(c);
                self.want(t);
                self.want(e);
                self.clause(&[not_own, !c, t])?;
                self.clause(&[not_own, c, e])?;
                self.clause(&[not_own, t, e])
            }
            Gate::Maj(a, b, c) => {
                let [a, b, c] = [a, b, c].map(way);
                [a, b, c].into_iter().for_each(|l| self.want(l));
                self.clause(&[not_own, a, b])?;
                self.clause(&[not_own, a, c])?;
                self.clause(&[not_own, b, c])
            }
        }
    }

    fn say_and(&mut self, graph: &Graph, own: Lit, args: [Lit; 2], forward: bool) -> Result<(), SolverError> {
        let mut parts: Vec<Lit> = Vec::new();
        let mut open = args.to_vec();
        while let Some(l) = open.pop() {
            let known = self.slots.get(l.gate() as usize).is_some_and(|s| s.variable != 0);
            match graph.gate(l.gate()) {
                Gate::And(a, b)
                    if !l.negated()
                        && !known
                        && graph.used_once(l.gate())
                        && parts.len() + open.len() < MAX_CONJUNCTION =>
                {
                    open.extend([a, b]);
                }
                _ => parts.push(l),
            }
        }
        if forward {
            for l in parts {
                self.want(l);
                self.clause(&[!own, l])?;
            }
            return Ok(());
        }
        let mut clause = vec![own];
        for l in parts {
            self.want(!l);
            clause.push(!l);
        }
        self.clause(&clause)
    }

    /// Solves under `assumptions`, with at most `conflicts` conflicts (`None`: any number). Returns `None` if these or the time did not
    /// suffice.
    pub(crate) fn solve(
        &mut self,
        encoder: &mut Encoder,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
    ) -> Result<Option<Answer>, SolverError> {
        loop {
            if self.deadline.over() {
                return Ok(None);
            }
            if let Some(n) = conflicts {
                self.solver.set_limit(Limit::Conflicts(n as i32)).map_err(failed)?;
            }
            if let Some(proof) = &self.proof {
                proof.begin();
            }
            match self.solver.solve_assumps(assumptions).map_err(failed)? {
                SolverResult::Unsat => {
                    if let Some(proof) = &self.proof {
                        self.proved = proof.core(assumptions)?;
                    }
                    return Ok(Some(Answer::Unsat));
                }
                SolverResult::Interrupted => return Ok(None),
                SolverResult::Sat if self.correct_cells(encoder)? => {}
                SolverResult::Sat => return Ok(Some(Answer::Sat)),
            }
        }
    }

    /// Assumptions of the last query that contradict each other.
    pub(crate) fn core(&mut self) -> Result<Vec<SatLit>, SolverError> {
        if self.proof.is_some() {
            return Ok(self.proved.clone());
        }
        Ok(self.solver.core().map_err(failed)?.into_iter().map(|l| !l).collect())
    }

    /// Whether something is said about a gate, even if it has no variable yet.
    fn is_said(&self, gate: u32) -> bool {
        self.slots.get(gate as usize).is_some_and(|s| s.variable != 0 || s.said & (FORWARD | BACKWARD) != 0)
    }

    /// Whether something has been said about a gate.
    pub(crate) fn has_variable(&self, gate: u32) -> bool {
        self.slots.get(gate as usize).is_some_and(|s| s.variable != 0)
    }

    /// The value in the model of an input that does not belong to a leaf compared with constants.
    pub(crate) fn value(&self, gate: u32) -> bool {
        match self.slots.get(gate as usize) {
            Some(s) if s.variable != 0 => {
                self.solver.lit_val(SatLit::new(s.variable - 1, false)).is_ok_and(|v| v == TernaryVal::True)
            }
            _ => false,
        }
    }

    /// The value in the model of a leaf that is compared with constants; `None` if nothing was said about it.
    pub(crate) fn direct_value(&self, leaf: &Direct) -> Option<Bv> {
        if leaf.bits.iter().any(|b| self.has_variable(b.gate())) {
            return Some(from_bits(leaf.bits.iter().map(|b| self.value(b.gate()))));
        }
        let mut said = leaf.constants.iter().filter(|(_, gate)| self.has_variable(*gate)).peekable();
        let mut bounds = leaf.bounds.iter().filter(|(_, gate)| self.has_variable(**gate)).peekable();
        if said.peek().is_none() && bounds.peek().is_none() {
            return None;
        }
        if let Some((k, _)) = said.find(|(_, gate)| self.value(*gate)) {
            return Some(k.clone());
        }
        if bounds.peek().is_none() {
            return Some(leaf.other_value());
        }
        // None of the constants: the value lies between two neighbouring bounds of which only the second is an upper
        // bound.
        let exceeded = bounds.take_while(|(_, gate)| !self.value(**gate)).last();
        Some(leaf.number(exceeded.map_or(0, |(k, _)| k + 1)))
    }

    /// The values of gates in the model. Inputs without a variable have values that are consistent with their leaf.
    pub(crate) fn simulation<'a>(&'a self, encoder: &'a Encoder) -> Simulation<'a, impl Fn(u32) -> bool + 'a> {
        Simulation::new(&encoder.graph, |gate| match encoder.direct.owner(gate) {
            Some(i) if !self.has_variable(gate) => {
                let leaf = encoder.direct.get(i);
                leaf.says(gate, &self.direct_value(leaf).unwrap_or_else(|| leaf.zero()))
            }
            _ => self.value(gate),
        })
    }

    /// The cells of memories in the model, as memory, address and value.
    pub(crate) fn cells<'a>(&'a self, encoder: &'a Encoder) -> impl Iterator<Item = (Term, Bv, Bv)> + 'a {
        let mut simulation = self.simulation(encoder);
        self.cells.iter().map(move |&i| {
            let Cell { memory, address, value } = &encoder.memories.cells[i as usize];
            (*memory, simulation.word(encoder.memories.word(*address)), simulation.word(value))
        })
    }

    /// Adds lemmas where equal addresses read different cells in the model; returns whether there were any.
    fn correct_cells(&mut self, encoder: &mut Encoder) -> Result<bool, SolverError> {
        let mut first: FxHashMap<(Term, Bv), (u32, Bv)> = FxHashMap::default();
        let mut violated = Vec::new();
        for (&cell, (memory, at, value)) in self.cells.iter().zip(self.cells(encoder)) {
            match first.get(&(memory, at.clone())) {
                None => drop(first.insert((memory, at), (cell, value))),
                Some((other, seen)) if *seen != value => violated.push((*other, cell)),
                Some(_) => {}
            }
        }
        for &(a, b) in &violated {
            self.deadline.tick()?;
            let Encoder { graph, memories, .. } = &mut *encoder;
            let (a, b) = (a as usize, b as usize);
            let same = memories.same(graph, memories.cells[a].address, memories.cells[b].address);
            if same.as_constant().is_none() {
                self.define(encoder, !same)?;
            }
            for i in 0..encoder.memories.cells[a].value.len() {
                let (x, y) = (encoder.memories.cells[a].value[i], encoder.memories.cells[b].value[i]);
                self.clause(&[!same, !x, y])?;
                self.clause(&[!same, x, !y])?;
            }
        }
        self.lemmas += violated.len() as u64;
        Ok(!violated.is_empty())
    }
}

impl Drop for Cnf {
    fn drop(&mut self) {
        self.end_proof();
    }
}
