//! Context-insensitive live-variable analysis over a view of the whole program.
//!
//! A variable is live at a location if some path from there reads it before writing it, except to compute a variable that is not live
//! afterwards (faint variables: Giegerich, Möncke, Wilhelm, 1981). So a counter on which nothing else depends is dead. States drop dead
//! variables: joins have fewer differences, explicit states that agree on everything that matters cover each other, and no candidate
//! invariants are made for dead variables.

use cfa::view::View;
use cfa::{Cfa, FuncId, Id, LocId, Op, Scope, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Live variables at each location of a view.
pub struct Liveness {
    /// For each location that is reachable, what is live there; nothing if the program is too large, so that all variables count as live.
    live: Vec<Option<LiveSet>>,
    numbers: Numbers,
    complete: bool,
}

/// Maximum number of bits (locations times variables that are not brief) that liveness may take.
const MAX_BITS: usize = 4_000_000_000;

/// Maximum distance, in ids of locations, between what reads and writes a brief variable.
const BRIEF: usize = 64;

impl Liveness {
    /// Computes liveness backward to a fixpoint.
    pub fn new(cfa: &Cfa, view: &View) -> Liveness {
        let locs = view.reachable(cfa);
        let steps = steps(cfa, view, &locs);
        let numbers = Numbers::new(cfa, &locs, &steps);
        if locs.len().saturating_mul(numbers.lasting.len()) > MAX_BITS {
            return Liveness { live: Vec::new(), numbers, complete: false };
        }
        let mut preds: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        // For each function exit in the view, the locations where its calls continue.
        let mut returns: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
        for &l in &locs {
            for step in &steps[l.index()] {
                preds.entry(step.to).or_default().push(l);
                if let Some([entry, exit]) = step.call {
                    preds.entry(entry).or_default().push(l);
                    preds.entry(step.to).or_default().push(exit);
                    returns.entry(exit).or_default().push(step.to);
                }
            }
        }
        let globals = numbers.lasting.iter().map(|v| cfa.vars[*v].scope == Scope::Global);
        let globals: FixedBitSet = globals.enumerate().filter(|(_, is_global)| *is_global).map(|(i, _)| i).collect();
        let mut live: Vec<Option<LiveSet>> = vec![None; steps.len()];
        let nothing = LiveSet { lasting: FixedBitSet::with_capacity(numbers.lasting.len()), brief: SmallVec::new() };
        locs.iter().for_each(|l| live[l.index()] = Some(nothing.clone()));
        // What is executed later is looked at first.
        let order = last_first(view.rep(cfa.funcs[cfa.entry].entry), &locs, &steps, &returns);
        let mut place: Vec<usize> = vec![0; steps.len()];
        order.iter().enumerate().for_each(|(i, l)| place[l.index()] = i);
        let mut queue: BinaryHeap<Reverse<usize>> = (0..order.len()).map(Reverse).collect();
        let mut queued: FixedBitSet = locs.iter().map(|l| l.index()).collect();
        queued.grow(steps.len());
        let at = |live: &[Option<LiveSet>], l: LocId| live[l.index()].clone().unwrap_or_else(|| nothing.clone());
        while let Some(Reverse(l)) = queue.pop() {
            let l = order[l];
            queued.set(l.index(), false);
            let Some(before) = &live[l.index()] else { continue };
            let mut now = nothing.clone();
            for site in returns.get(&l).into_iter().flatten() {
                live[site.index()].iter().for_each(|set| now.extend(set));
            }
            for step in &steps[l.index()] {
                let mut through = at(&live, step.to);
                let after = &live[step.to.index()];
                for v in &step.written {
                    through.remove(&numbers, *v);
                }
                if let Some([entry, _]) = step.call {
                    // What the function does with globals is known at its entry; it does not write locals of this activation.
                    through.lasting.difference_with(&globals);
                    live[entry.index()].iter().for_each(|set| through.extend(set));
                }
                let is_live = |v: VarId| after.as_ref().is_some_and(|set| set.contains(&numbers, v));
                for Reads { vars, .. } in step.reads.iter().filter(|r| r.by.is_none_or(is_live)) {
                    vars.iter().for_each(|v| through.insert(&numbers, *v));
                }
                now.extend(&through);
            }
            if now != *before {
                live[l.index()] = Some(now);
                for &p in preds.get(&l).into_iter().flatten() {
                    // Exits of functions that never return are predecessors, although they are not reachable.
                    if live[p.index()].is_some() && !queued.put(p.index()) {
                        queue.push(Reverse(place[p.index()]));
                    }
                }
            }
        }
        Liveness { live, numbers, complete: true }
    }

    fn at(&self, l: LocId) -> Option<&LiveSet> {
        self.live.get(l.index())?.as_ref()
    }

    /// Whether `v` may be read after `l` before it is written, and something depends on its value.
    pub fn is_live(&self, l: LocId, v: VarId) -> bool {
        !self.complete || self.at(l).is_none_or(|set| set.contains(&self.numbers, v))
    }

    /// The variables that are live at `from` but not at `to`. Cost: linear in the number of variables (in words of a bit set).
    pub fn ending(&self, from: LocId, to: LocId) -> impl Iterator<Item = VarId> + '_ {
        let sets = self.at(from).zip(self.at(to));
        sets.into_iter().flat_map(|(from, to)| {
            let lasting = from.lasting.difference(&to.lasting).map(|i| self.numbers.lasting[i]);
            lasting.chain(from.brief.iter().copied().filter(|v| to.brief.binary_search(v).is_err()))
        })
    }

    /// Whether liveness was computed; if not, every variable counts as live.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// A set of variables.
#[derive(Clone, PartialEq, Eq)]
struct LiveSet {
    /// Variables that are not brief, by their numbers.
    lasting: FixedBitSet,
    /// Brief variables, ascending: hardly ever more than some.
    brief: SmallVec<[VarId; 4]>,
}

impl LiveSet {
    fn contains(&self, numbers: &Numbers, v: VarId) -> bool {
        match numbers.of(v) {
            Some(i) => self.lasting.contains(i),
            None => self.brief.binary_search(&v).is_ok(),
        }
    }

    fn insert(&mut self, numbers: &Numbers, v: VarId) {
        match (numbers.of(v), self.brief.binary_search(&v)) {
            (Some(i), _) => self.lasting.insert(i),
            (None, Err(at)) => self.brief.insert(at, v),
            (None, Ok(_)) => {}
        }
    }

    fn remove(&mut self, numbers: &Numbers, v: VarId) {
        match (numbers.of(v), self.brief.binary_search(&v)) {
            (Some(i), _) => self.lasting.set(i, false),
            (None, Ok(at)) => drop(self.brief.remove(at)),
            (None, Err(_)) => {}
        }
    }

    /// Adds the variables of `other`.
    fn extend(&mut self, other: &LiveSet) {
        self.lasting.union_with(&other.lasting);
        for v in &other.brief {
            if let Err(at) = self.brief.binary_search(v) {
                self.brief.insert(at, *v);
            }
        }
    }
}

/// Which variables are *brief*: locals that are only read and written close together, without a call between, such as what clang loads to
/// test it. Nearly all variables of a large program are brief, and hardly any brief variable is live at a location, so they have no bit there.
struct Numbers {
    /// The variables that are not brief, ascending.
    lasting: Vec<VarId>,
    /// The index of each of them; [`u32::MAX`] for brief variables.
    number: Vec<u32>,
}

impl Numbers {
    fn new(cfa: &Cfa, locs: &[LocId], steps: &[SmallVec<[Step; 2]>]) -> Numbers {
        let calls: Vec<LocId> =
            locs.iter().copied().filter(|l| steps[l.index()].iter().any(|s| s.call.is_some())).collect();
        // Where each variable occurs: between which locations, and whether only in its function.
        let mut places: Vec<Option<(LocId, LocId, bool)>> = vec![None; cfa.vars.len()];
        for l in locs {
            let own = Scope::Local(cfa.locs[*l].func);
            for step in &steps[l.index()] {
                for v in step.written.iter().chain(step.reads.iter().flat_map(|r| r.by.iter().chain(&r.vars))) {
                    let is_own = cfa.vars[*v].scope == own;
                    let (first, _, only) = places[v.index()].unwrap_or((*l, *l, true));
                    places[v.index()] = Some((first, *l, only && is_own));
                }
            }
        }
        let is_brief = |v: &VarId| match places[v.index()] {
            Some((first, last, is_own)) => {
                let called = calls.partition_point(|l| *l < first);
                is_own && last.index() - first.index() <= BRIEF && calls.get(called).is_none_or(|l| *l > last)
            }
            // It is never live.
            None => true,
        };
        let lasting: Vec<VarId> = cfa.vars.ids().filter(|v| !is_brief(v)).collect();
        let mut number = vec![u32::MAX; cfa.vars.len()];
        lasting.iter().enumerate().for_each(|(i, v)| number[v.index()] = i as u32);
        Numbers { lasting, number }
    }

    /// The index of a variable that is not brief.
    fn of(&self, v: VarId) -> Option<usize> {
        self.number.get(v.index()).filter(|i| **i != u32::MAX).map(|i| *i as usize)
    }
}

/// What an edge of the view reads and writes.
struct Step {
    to: LocId,
    written: SmallVec<[VarId; 1]>,
    reads: SmallVec<[Reads; 1]>,
    /// The entry and the exit of the function that it calls.
    call: Option<[LocId; 2]>,
}

/// What the edges of each location read and write.
fn steps(cfa: &Cfa, view: &View, locs: &[LocId]) -> Vec<SmallVec<[Step; 2]>> {
    let mut steps: Vec<SmallVec<[Step; 2]>> = Vec::new();
    steps.resize_with(cfa.locs.len(), SmallVec::new);
    let ends = |f: &FuncId| [cfa.funcs[*f].entry, cfa.funcs[*f].exit].map(|l| view.rep(l));
    for l in locs {
        let step = |e: &cfa::view::ViewEdge| {
            let op = view.op(cfa, e);
            let call = if let Op::Call(f) = op { Some(ends(f)) } else { None };
            Step { to: e.to, written: op.written().into(), reads: reads_of(cfa, op), call }
        };
        steps[l.index()] = view.out(*l).iter().map(step).collect();
    }
    steps
}

/// Variables that an operation reads.
#[derive(Clone)]
struct Reads {
    /// The variable for whose value alone they are read; `None` if they are read for another purpose.
    by: Option<VarId>,
    vars: Vec<VarId>,
}

fn reads_of(cfa: &Cfa, op: &Op) -> SmallVec<[Reads; 1]> {
    match op {
        Op::Assign(list) => list.iter().map(|(v, t)| Reads { by: Some(*v), vars: cfa.terms.vars(*t) }).collect(),
        op => {
            let vars: Vec<VarId> = op.terms().into_iter().flat_map(|t| cfa.terms.vars(t)).collect();
            if vars.is_empty() { SmallVec::new() } else { SmallVec::from_elem(Reads { by: None, vars }, 1) }
        }
    }
}

/// The locations `locs`, each after those that executions from `start` reach after it, except where they come back to it (the order in which a
/// depth-first search leaves them). So one pass over a program without loops suffices, and some more over one with loops.
fn last_first(
    start: LocId,
    locs: &[LocId],
    steps: &[SmallVec<[Step; 2]>],
    returns: &FxHashMap<LocId, Vec<LocId>>,
) -> Vec<LocId> {
    let next = |l: LocId| -> SmallVec<[LocId; 4]> {
        let steps = steps[l.index()].iter().map(|s| s.call.map_or(s.to, |[entry, _]| entry));
        steps.chain(returns.get(&l).into_iter().flatten().copied()).collect()
    };
    let mut seen = FixedBitSet::with_capacity(steps.len());
    let mut order = Vec::with_capacity(locs.len());
    // What comes after calls that do not return is reached from nowhere.
    for root in std::iter::once(start).chain(locs.iter().copied()) {
        if seen.put(root.index()) {
            continue;
        }
        let mut path = vec![(root, next(root))];
        while let Some((l, rest)) = path.last_mut() {
            match rest.pop() {
                Some(to) if seen.put(to.index()) => {}
                Some(to) => path.push((to, next(to))),
                None => {
                    order.push(*l);
                    path.pop();
                }
            }
        }
    }
    order
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
