//! Control dependence of locations: which branches and which calls that may not return decide whether a location is reached.
//!
//! Reading order: `traps` (which operations may trap), `interprocedural` (where executions may end, which calls may not return), `endless`, `flow_graph` (one function
//! as a graph), then a file for each kind: `standard`, `max_path` and `ntscd`, `dod`.
//!
//! | kind | `m` depends on the branch `p` if | endless loops |
//! |---|---|---|
//! | standard | `m` post-dominates some, not every, successor of `p` (Ferrante, Ottenstein, Warren, TOPLAS 1987) | are left sooner or later |
//! | NTSCD | `m` lies on all maximal paths from some, not every, successor of `p` (Ranganath et al., TOPLAS 2007) | matter to what follows |
//! | DOD | `p` decides which of two locations comes first, where both are sure to come | |
//!
//! DOD is a ternary relation. It is queried through [`DecidedOrders`], which is told the locations of a slice.

pub mod dod;
mod endless;
mod flow_graph;
mod interprocedural;
pub mod max_path;
pub mod ntscd;
pub mod standard;
mod traps;

use crate::dependence::relevant::Live;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId};
use fixedbitset::FixedBitSet;
use flow_graph::FlowGraph;
use interprocedural::Ends;
use max_path::MaxPathForest;

/// The kind of control dependence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ControlKind {
    /// By post-dominance. Ignores that a loop may run forever.
    #[default]
    Standard,
    /// Non-termination sensitive, by maximal paths. An endless loop before a criterion stays before it.
    Ntscd,
    /// Non-termination sensitive, including the order of locations that are sure to come; the latter is needed where
    /// endless loops have several entries. The slice reaches the criteria as often as the program does.
    NtscdDod,
}

/// Options of control dependence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ControlOptions {
    /// The definition of control dependence.
    pub kind: ControlKind,
    /// Whether operations that may trap (null dereference, division by zero) decide whether what comes after them is
    /// reached.
    pub traps: bool,
    /// Whether handlers may run at any time, and set variables.
    pub handlers: bool,
}

impl From<ControlKind> for ControlOptions {
    fn from(kind: ControlKind) -> ControlOptions {
        ControlOptions { kind, ..ControlOptions::default() }
    }
}

/// For each location, the locations whose edges decide whether it is reached.
pub struct ControlDependence {
    /// The controllers of location `l` are `controllers[first[l]..first[l + 1]]`.
    first: Vec<u32>,
    controllers: Vec<LocId>,
    may_not_return: Vec<bool>,
    /// The guards that count and may not hold, one bit for each edge.
    traps: FixedBitSet,
    /// The predicate of each decision of order.
    predicates: Vec<LocId>,
    /// The decisions in which each location takes part, by index, with the location's side; ascending by location.
    parts: Vec<(LocId, u32, Side)>,
}

/// The two sides of a decision of order: locations that come first through one successor of the predicate, and through
/// another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    First = 1,
    Second = 2,
}

impl ControlDependence {
    /// Control dependence of the live part of the program.
    ///
    /// Cost: near-linear, plus the number of dependences. For the standard kind, this number is quadratic in the nesting
    /// of loops, and in the length of a chain of tests that each lead back to the head of a loop.
    pub fn new(cfa: &Cfa, live: &Live, criteria: &[LocId], options: ControlOptions) -> ControlDependence {
        let traps = match options {
            ControlOptions { traps: false, .. } => FixedBitSet::new(),
            ControlOptions { handlers: true, .. } => traps::guards(cfa),
            _ => traps::guards_that_may_fail(cfa),
        };
        let ends = Ends::new(cfa, live, criteria, options.kind, &traps);
        let mut found = Found::default();
        let mut locs_of: Vec<Vec<LocId>> = vec![Vec::new(); cfa.funcs.len()];
        for l in cfa.locs.ids().filter(|l| live.loc(*l)) {
            locs_of[cfa.locs[l].func.index()].push(l);
        }
        let mut number = vec![0u32; cfa.locs.len()];
        for (f, locs) in locs_of.into_iter().enumerate() {
            if !locs.is_empty() {
                let graph = FlowGraph::new(cfa, live, &ends, FuncId::from_index(f), locs, &mut number);
                found.add_function(&graph, options.kind);
            }
        }
        found.finish(cfa.locs.len(), ends.may_not_return, traps)
    }

    /// The locations on which `l` is directly control dependent.
    pub fn controllers(&self, l: LocId) -> &[LocId] {
        &self.controllers[self.first[l.index()] as usize..self.first[l.index() + 1] as usize]
    }

    /// Whether a call of `f` may end the execution or (except for the standard kind) run forever, as far as the live part
    /// shows.
    pub fn may_not_return(&self, f: FuncId) -> bool {
        self.may_not_return[f.index()]
    }

    /// Whether `e` is an operation that may trap, if such operations count.
    pub fn may_trap(&self, e: EdgeId) -> bool {
        self.traps.contains(e.index())
    }

    /// The predicates that decide, for some other location, whether it or `l` comes first.
    ///
    /// To take them as controllers of `l` is an over-approximation, but it gives a binary relation, from which summary edges can
    /// be computed.
    pub fn order_predicates(&self, l: LocId) -> impl Iterator<Item = LocId> + '_ {
        self.parts_of(l).iter().map(|(_, d, _)| self.predicates[*d as usize])
    }

    /// The decided orders of a slice that has no locations yet.
    pub fn decided_orders(&self) -> DecidedOrders {
        DecidedOrders { sides: vec![0; self.predicates.len()] }
    }

    fn parts_of(&self, l: LocId) -> &[(LocId, u32, Side)] {
        let begin = self.parts.partition_point(|(m, ..)| *m < l);
        let len = self.parts[begin..].partition_point(|(m, ..)| *m == l);
        &self.parts[begin..begin + len]
    }
}

/// Decisive order dependence of a growing slice: a predicate matters once it decides the order of two locations that both
/// matter.
pub struct DecidedOrders {
    /// For each decision, the sides from which the slice has a location.
    sides: Vec<u8>,
}

impl DecidedOrders {
    /// Records that the slice has `l`, and calls `each` with the predicates on which the slice depends for that reason.
    ///
    /// Each decision is reported at most once; adding a location again has no effect.
    pub fn add(&mut self, control: &ControlDependence, l: LocId, mut each: impl FnMut(LocId)) {
        const BOTH: u8 = Side::First as u8 | Side::Second as u8;
        for &(_, d, side) in control.parts_of(l) {
            let sides = &mut self.sides[d as usize];
            let before = std::mem::replace(sides, *sides | side as u8);
            if before != BOTH && *sides == BOTH {
                each(control.predicates[d as usize]);
            }
        }
    }
}

/// The dependences found so far, function by function.
#[derive(Default)]
struct Found {
    /// Pairs of a location and a controller of it.
    controlled: Vec<(LocId, LocId)>,
    predicates: Vec<LocId>,
    parts: Vec<(LocId, u32, Side)>,
}

impl Found {
    fn add_function(&mut self, flow: &FlowGraph, kind: ControlKind) {
        let controlled = &mut self.controlled;
        let add = |v: u32, p: u32| {
            if v != flow.end() {
                controlled.push((flow.locs[v as usize], flow.locs[p as usize]));
            }
        };
        if kind == ControlKind::Standard {
            return standard::for_each_dependence(&flow.graph, flow.end(), add);
        }
        let forest = MaxPathForest::new(&flow.graph);
        ntscd::for_each_dependence(&flow.graph, &forest, add);
        if kind == ControlKind::NtscdDod {
            for d in dod::decisions(&flow.graph, &forest) {
                let index = self.predicates.len() as u32;
                self.predicates.push(flow.locs[d.predicate as usize]);
                self.parts.extend(d.first.iter().map(|&v| (flow.locs[v as usize], index, Side::First)));
                self.parts.extend(d.second.iter().map(|&v| (flow.locs[v as usize], index, Side::Second)));
            }
        }
    }

    /// Sorts by location, keeping the order in which the controllers of each were found.
    fn finish(mut self, locs: usize, may_not_return: Vec<bool>, traps: FixedBitSet) -> ControlDependence {
        let mut first = vec![0u32; locs + 1];
        for (l, _) in &self.controlled {
            first[l.index() + 1] += 1;
        }
        for i in 0..locs {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut controllers = vec![LocId::default(); self.controlled.len()];
        for (l, p) in &self.controlled {
            controllers[next[l.index()] as usize] = *p;
            next[l.index()] += 1;
        }
        self.parts.sort_unstable();
        let Found { predicates, parts, .. } = self;
        ControlDependence { first, controllers, may_not_return, traps, predicates, parts }
    }
}
