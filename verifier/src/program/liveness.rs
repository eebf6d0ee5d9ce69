//! Context-insensitive live-variable analysis over a view of the whole program.
//!
//! A variable is live at a location if some path from there reads it before writing it, except to compute a variable that is not live
//! afterwards (faint variables: Giegerich, Möncke, Wilhelm, 1981). So a counter on which nothing else depends is dead. States drop dead
//! variables: joins have fewer differences, explicit states that agree on everything that matters cover each other, and no candidate
//! invariants are made for dead variables.

use cfa::view::View;
use cfa::{Cfa, Id, LocId, Op, Scope, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Live variables at each location of a view.
pub struct Liveness {
    /// For each location, one bit per variable; empty if the program is too large for it, so that all variables count as live.
    live: FxHashMap<LocId, FixedBitSet>,
    complete: bool,
}

/// Maximum number of bits (locations times variables) that liveness may take.
const MAX_BITS: usize = 4_000_000_000;

impl Liveness {
    /// Computes liveness backward to a fixpoint.
    pub fn new(cfa: &Cfa, view: &View) -> Liveness {
        let locs = view.reachable(cfa);
        if locs.len().saturating_mul(cfa.vars.len()) > MAX_BITS {
            return Liveness { live: FxHashMap::default(), complete: false };
        }
        let mut preds: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        for &l in &locs {
            for e in view.out(l) {
                preds.entry(e.to).or_default().push(l);
                if let Op::Call(f) = view.op(cfa, e) {
                    preds.entry(view.rep(cfa.funcs[*f].entry)).or_default().push(l);
                    preds.entry(e.to).or_default().push(view.rep(cfa.funcs[*f].exit));
                }
            }
        }
        let returns = return_sites(cfa, view, &locs);
        let mut reads: FxHashMap<cfa::EdgeId, Vec<Reads>> = FxHashMap::default();
        let mut live: FxHashMap<LocId, FixedBitSet> =
            locs.iter().map(|&l| (l, FixedBitSet::with_capacity(cfa.vars.len()))).collect();
        let mut queue: VecDeque<LocId> = locs.iter().rev().copied().collect();
        let mut queued: FixedBitSet = locs.iter().map(|l| l.index()).collect();
        // Exits of functions that never return are predecessors, although they are not reachable.
        queued.grow(cfa.locs.len());
        while let Some(l) = queue.pop_front() {
            queued.set(l.index(), false);
            // The exit of a function that never returns is not reachable.
            if !live.contains_key(&l) {
                continue;
            }
            let mut now = FixedBitSet::with_capacity(cfa.vars.len());
            for site in returns.get(&l).into_iter().flatten() {
                now.union_with(&live[site]);
            }
            for e in view.out(l) {
                let op = view.op(cfa, e);
                let after = &live[&e.to];
                let mut through = after.clone();
                for v in op.written() {
                    through.set(v.index(), false);
                }
                let reads = reads.entry(e.edge).or_insert_with(|| reads_of(cfa, op));
                for Reads { vars, .. } in reads.iter().filter(|r| r.by.is_none_or(|v| after.contains(v.index()))) {
                    through.extend(vars.iter().map(|v| v.index()));
                }
                if let Op::Call(f) = op {
                    through.union_with(&live[&view.rep(cfa.funcs[*f].entry)]);
                }
                now.union_with(&through);
            }
            if now != live[&l] {
                live.insert(l, now);
                for &p in preds.get(&l).into_iter().flatten() {
                    if !queued.put(p.index()) {
                        queue.push_back(p);
                    }
                }
            }
        }
        Liveness { live, complete: true }
    }

    /// Whether `v` may be read after `l` before it is written, and something depends on its value.
    pub fn is_live(&self, l: LocId, v: VarId) -> bool {
        !self.complete || self.live.get(&l).is_none_or(|set| set.contains(v.index()))
    }

    /// The variables that are live at `from` but not at `to`, ascending. Cost: linear in the number of variables (in words of a bit set).
    pub fn ending(&self, from: LocId, to: LocId) -> impl Iterator<Item = VarId> + '_ {
        let sets = self.live.get(&from).zip(self.live.get(&to));
        sets.into_iter().flat_map(|(from, to)| from.difference(to)).map(VarId::from_index)
    }

    /// Whether liveness was computed; if not, every variable counts as live.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// Variables that an operation reads.
struct Reads {
    /// The variable for whose value alone they are read; `None` if they are read for another purpose.
    by: Option<VarId>,
    vars: Vec<VarId>,
}

fn reads_of(cfa: &Cfa, op: &Op) -> Vec<Reads> {
    match op {
        Op::Assign(list) => list.iter().map(|(v, t)| Reads { by: Some(*v), vars: cfa.terms.vars(*t) }).collect(),
        op => vec![Reads { by: None, vars: op.terms().into_iter().flat_map(|t| cfa.terms.vars(t)).collect() }],
    }
}

/// For each function exit in the view, the locations where its calls continue.
fn return_sites(cfa: &Cfa, view: &View, locs: &[LocId]) -> FxHashMap<LocId, Vec<LocId>> {
    let mut sites: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for &l in locs {
        for e in view.out(l) {
            if let Op::Call(f) = view.op(cfa, e) {
                sites.entry(view.rep(cfa.funcs[*f].exit)).or_default().push(e.to);
            }
        }
    }
    sites
}

/// The functions that may be active more than once: those in cycles of the call graph.
pub fn recursive_functions(cfa: &Cfa) -> FixedBitSet {
    let n = cfa.funcs.len();
    let mut graph = petgraph::graph::DiGraph::<(), (), u32>::with_capacity(n, n);
    for _ in 0..n {
        graph.add_node(());
    }
    let mut recursive = FixedBitSet::with_capacity(n);
    for edge in cfa.edges.iter() {
        if let Op::Call(f) = edge.op {
            let caller = cfa.locs[edge.from].func;
            graph.add_edge((caller.0).into(), f.0.into(), ());
            if caller == f {
                recursive.insert(f.index());
            }
        }
    }
    // Petgraph's version of Tarjan's algorithm recurses on the depth of calls.
    for component in petgraph::algo::kosaraju_scc(&graph) {
        if component.len() > 1 {
            recursive.extend(component.into_iter().map(|i| i.index()));
        }
    }
    recursive
}

/// The local variables of each function.
pub fn locals_by_function(cfa: &Cfa) -> Vec<Vec<VarId>> {
    let mut locals = vec![Vec::new(); cfa.funcs.len()];
    for (v, var) in cfa.vars.iter_enumerated() {
        if let Scope::Local(f) = var.scope {
            locals[f.index()].push(v);
        }
    }
    locals
}
