//! How often an execution comes by: what lies on no cycle, runs once, or has one instance.

use crate::call_graph::CallGraph;
use crate::scc::for_each_component;
use cfa::{Cfa, EdgeId, FuncId, Id, LocId, ObjectId, ObjectKind};

/// What happens at most once, by the program's graph and calls alone.
///
/// The preparation finds this once, when all calls are direct. The edges that it adds later lie on paths that were there before,
/// so functions and objects keep what is said of them here.
pub struct Occurrences {
    in_cycle: Vec<bool>,
    once: Vec<bool>,
    single: Vec<bool>,
}

impl Occurrences {
    /// Those of a CFA whose indirect calls are resolved.
    pub fn new(cfa: &Cfa) -> Occurrences {
        let in_cycle = locations_in_cycles(cfa);
        let once = CallGraph::new(cfa).run_at_most_once(cfa, &|l: LocId| in_cycle[l.index()]);
        let mut found = Occurrences { in_cycle, once, single: Vec::new() };
        let mut allocations = vec![0; cfa.objects.len()];
        for (e, a) in &cfa.allocations {
            allocations[a.object.index()] += if found.is_executed_once(cfa, *e) { 1 } else { 2 };
        }
        let single = |o: ObjectId| match cfa.objects[o].kind {
            ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Stack(_) => true,
            ObjectKind::Site(_) => allocations[o.index()] == 1,
            ObjectKind::Outside => false,
        };
        found.single = cfa.objects.ids().map(single).collect();
        found
    }

    /// Whether `f` runs at most once.
    pub fn runs_once(&self, f: FuncId) -> bool {
        self.once[f.index()]
    }

    /// Whether `e`, which was there from the start and has nothing inserted before it, is executed at most once.
    pub fn is_executed_once(&self, cfa: &Cfa, e: EdgeId) -> bool {
        let from = cfa.edges[e].from;
        self.once[cfa.locs[from].func.index()] && !self.in_cycle[from.index()]
    }

    /// Whether `o` has at most one instance at a time.
    pub fn is_single(&self, o: ObjectId) -> bool {
        self.single[o.index()]
    }
}

/// Locations that lie on a cycle of their function's graph.
pub(super) fn locations_in_cycles(cfa: &Cfa) -> Vec<bool> {
    let targets = |l: u32| cfa.out(LocId(l)).iter().map(|&e| cfa.edges[e].to.0);
    let mut in_cycle = vec![false; cfa.locs.len()];
    let successors = |l: u32, next: &mut Vec<u32>| next.extend(targets(l));
    for_each_component(cfa.locs.len(), successors, |members| {
        let cyclic = members.len() > 1 || targets(members[0]).any(|m| m == members[0]);
        members.iter().for_each(|&l| in_cycle[l as usize] = cyclic);
    });
    in_cycle
}
