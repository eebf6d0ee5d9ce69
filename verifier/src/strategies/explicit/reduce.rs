//! Slices without some variables: what is left if nothing of them is known.
//!
//! Tests that read an untracked variable are dropped with both of their sides, so that control may take either. Of the assignments, only
//! those are kept that a kept test may depend on. Unlike a slice for the targets, this is an abstraction that may be too coarse; but it
//! is a slice like any other: a kept edge reads nothing that a dropped one writes.

use crate::program::Program;
use cfa::view::{Slice, View};
use cfa::{EdgeId, Op, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of times that tests without a consequence are dropped.
const ROUNDS: usize = 8;

/// What the edges of a program read and write.
pub(super) struct Flow {
    tests: Vec<(EdgeId, Vec<VarId>)>,
    assignments: Vec<(EdgeId, Vec<VarId>, Vec<VarId>)>,
    /// For each variable, the indices of its assignments.
    writers: FxHashMap<VarId, Vec<usize>>,
}

impl Flow {
    pub(super) fn new(program: &Program) -> Flow {
        let mut flow = Flow { tests: Vec::new(), assignments: Vec::new(), writers: FxHashMap::default() };
        for l in program.view.reachable(&program.cfa) {
            for e in program.view.out(l) {
                let op = program.op(e);
                let reads = || {
                    let mut all: Vec<VarId> = op.terms().iter().flat_map(|t| program.base.vars(*t)).collect();
                    all.sort_unstable();
                    all.dedup();
                    all
                };
                match op {
                    Op::Assume { .. } => flow.tests.push((e.edge, reads())),
                    Op::Assign(_) | Op::Input { .. } => {
                        for v in op.written() {
                            flow.writers.entry(v).or_default().push(flow.assignments.len());
                        }
                        flow.assignments.push((e.edge, reads(), op.written()));
                    }
                    Op::Skip | Op::Call(_) | Op::CallIndirect(_) | Op::Unsupported(_) => {}
                }
            }
        }
        flow
    }

    /// The slice of `program` without tests of `untracked` variables. Those that other tests depend on are taken out of `untracked`.
    pub(super) fn slice(&self, program: &Program, untracked: &mut FxHashSet<VarId>) -> Slice {
        let mut pointless: FxHashSet<EdgeId> = FxHashSet::default();
        let mut slice = self.without(program, untracked, &pointless);
        for _ in 0..ROUNDS {
            let view = View::new(&program.cfa, &slice);
            let before = pointless.len();
            for l in view.reachable(&program.cfa) {
                if let [a, b] = view.out(l)
                    && a.to == b.to
                    && program.are_sides(a, b)
                {
                    pointless.extend([a.edge, b.edge]);
                }
            }
            if pointless.len() == before {
                break;
            }
            slice = self.without(program, untracked, &pointless);
        }
        slice
    }

    fn without(&self, program: &Program, untracked: &mut FxHashSet<VarId>, pointless: &FxHashSet<EdgeId>) -> Slice {
        loop {
            let is_kept = |(e, reads): &&(EdgeId, Vec<VarId>)| {
                !pointless.contains(e) && !reads.iter().any(|v| untracked.contains(v))
            };
            let mut todo: Vec<VarId> =
                self.tests.iter().filter(is_kept).flat_map(|(_, reads)| reads).copied().collect();
            let mut relevant: FxHashSet<VarId> = todo.iter().copied().collect();
            let mut kept: FxHashSet<EdgeId> = self.tests.iter().filter(is_kept).map(|(e, _)| *e).collect();
            while let Some(v) = todo.pop() {
                for i in self.writers.get(&v).into_iter().flatten() {
                    let (e, reads, _) = &self.assignments[*i];
                    if kept.insert(*e) {
                        todo.extend(reads.iter().copied().filter(|v| relevant.insert(*v)));
                    }
                }
            }
            let needed: Vec<VarId> = untracked.iter().copied().filter(|v| relevant.contains(v)).collect();
            if needed.is_empty() {
                let mut slice = program.slice.clone();
                let scalar = self.tests.iter().map(|(e, _)| e).chain(self.assignments.iter().map(|(e, ..)| e));
                for e in scalar.filter(|e| !kept.contains(e)) {
                    slice.kept.set(cfa::Id::index(*e), false);
                }
                return slice;
            }
            for v in needed {
                untracked.remove(&v);
            }
        }
    }
}
