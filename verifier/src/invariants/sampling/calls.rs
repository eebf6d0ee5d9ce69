//! Observes executions: values at the entry and at the exit of the same activation of a function.

use crate::invariants::contract_templates::{Activations, Signatures};
use crate::invariants::sampling::State;
use cfa::bv::Bv;
use cfa::interpret::Machine;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of distinct entries, and of distinct calls, of a function.
const STATES: usize = 800;
/// Maximum number of these from one run, to leave room for what other runs show.
const STATES_OF_A_RUN: usize = 400;

/// Observes the calls of functions that get contracts.
pub struct Watch<'a> {
    cfa: &'a Cfa,
    signatures: &'a Signatures,
    /// The running activations, except that of the entry function.
    active: Vec<Activation>,
    seen: FxHashMap<FuncId, Activations>,
    known: FxHashSet<(FuncId, Vec<(VarId, Bv)>)>,
    /// The number of entries and of calls of each function that the current run has contributed.
    shown: FxHashMap<FuncId, [usize; 2]>,
}

struct Activation {
    func: FuncId,
    return_to: LocId,
    /// The values at the entry, stored under the twins.
    before: Vec<(VarId, Bv)>,
}

impl<'a> Watch<'a> {
    /// Observes calls of the functions that have a signature.
    pub fn new(cfa: &'a Cfa, signatures: &'a Signatures) -> Watch<'a> {
        let (seen, known, shown) = (FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Watch { cfa, signatures, active: Vec::new(), seen, known, shown }
    }

    /// Starts a new execution.
    pub fn begin(&mut self) {
        self.active.clear();
        self.shown.clear();
    }

    /// Called when the execution has taken an edge.
    pub fn observe(&mut self, machine: &Machine<'_>, e: EdgeId) {
        let edge = &self.cfa.edges[e];
        let mut at = edge.to;
        if let Op::Call(func) = edge.op {
            at = self.cfa.funcs[func].entry;
            let before = self.enter(machine, func);
            self.active.push(Activation { func, return_to: edge.to, before });
        }
        while let Some(last) = self.active.pop_if(|a| at == self.cfa.funcs[a.func].exit) {
            at = last.return_to;
            self.leave(machine, last);
        }
    }

    fn enter(&mut self, machine: &Machine<'_>, func: FuncId) -> Vec<(VarId, Bv)> {
        let Some(signature) = self.signatures.get(func) else { return Vec::new() };
        let value = |v: VarId| machine.value(v).and_then(|k| k.as_bv().cloned());
        let entry = signature.entry.iter();
        let values: Vec<(VarId, VarId, Bv)> = entry.filter_map(|x| Some((x.var, x.twin, value(x.var)?))).collect();
        self.note(func, 0, values.iter().map(|(v, _, k)| (*v, k.clone())).collect());
        values.into_iter().map(|(_, twin, k)| (twin, k)).collect()
    }

    fn leave(&mut self, machine: &Machine<'_>, activation: Activation) {
        let Activation { func, before, .. } = activation;
        let Some(signature) = self.signatures.get(func) else { return };
        let value = |v: VarId| machine.value(v).and_then(|k| k.as_bv().cloned());
        let mut values = before;
        values.extend(signature.exit.iter().filter_map(|x| Some((x.var, value(x.var)?))));
        self.note(func, 1, values);
    }

    fn note(&mut self, func: FuncId, kind: usize, values: Vec<(VarId, Bv)>) {
        let seen = self.seen.entry(func).or_default();
        let states = if kind == 0 { &mut seen.entries } else { &mut seen.calls };
        let shown = &mut self.shown.entry(func).or_default()[kind];
        if states.len() < STATES && *shown < STATES_OF_A_RUN && self.known.insert((func, values.clone())) {
            *shown += 1;
            states.push(values.into_iter().collect::<State>());
        }
    }

    /// The observed activations, in random order, because states from one run have much in common.
    pub fn finish(self) -> FxHashMap<FuncId, Activations> {
        let mut seen = self.seen;
        let mut random = fastrand::Rng::with_seed(1);
        for activations in seen.values_mut() {
            random.shuffle(&mut activations.entries);
            random.shuffle(&mut activations.calls);
        }
        seen
    }
}
