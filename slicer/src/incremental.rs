//! Slices that grow criterion by criterion, for searches that find out step by step what matters [Lemberger 2018, 3.3].
//!
//! Dependences that were followed for earlier criteria are not followed again. The result is one slice for all criteria
//! together, because the union of executable slices need not be executable: one slice may keep a call, while only another one
//! needs values at the entry of the function called.

use crate::backward::{Effects, Walk};
use crate::dependence::control_dep::ControlDependence;
use crate::dependence::relevant::Live;
use crate::slice::SliceOptions;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, Op};
use fixedbitset::FixedBitSet;

/// A slice to which edges are added.
pub struct GrowingSlice<'a> {
    live: &'a Live,
    walk: Walk<'a>,
}

impl<'a> GrowingSlice<'a> {
    /// The initial slice. It keeps constructs without a model, and the calls that lead to them and to targets, but not what
    /// decides whether these are reached. `live` and `control` must be those for the program's targets.
    pub fn new(
        cfa: &'a Cfa,
        live: &'a Live,
        control: &'a ControlDependence,
        options: &SliceOptions,
    ) -> GrowingSlice<'a> {
        let mut walk = Walk::new(cfa, live, control, options, Effects::new(cfa, live));
        let leading = leading_functions(cfa, live);
        for (e, edge) in cfa.edges.iter_enumerated() {
            match edge.op {
                Op::Call(f) if leading.contains(f.index()) => walk.pass(e),
                Op::CallIndirect(_) | Op::Unsupported(_) => walk.pass(e),
                _ => {}
            }
        }
        GrowingSlice { live, walk }
    }

    /// Keeps those of `edges` that are live, with everything that decides with which values they are reached and, once their function
    /// has been called, whether they are reached.
    pub fn add(&mut self, edges: &[EdgeId]) {
        self.walk.add(edges);
    }

    /// Whether the slice keeps `e`.
    pub fn keeps(&self, e: EdgeId) -> bool {
        self.walk.kept().contains(e.index())
    }

    /// Whether the slice keeps `e` and what decides whether it is reached.
    pub fn explains(&self, e: EdgeId) -> bool {
        self.keeps(e) && !self.walk.passes(e)
    }

    /// The current slice.
    pub fn slice(&self) -> Slice {
        Slice { kept: self.walk.kept().clone(), live: self.live.edges.clone() }
    }
}

/// Functions in which executions may end, at a target or at a construct without a model, and functions that call such
/// functions.
fn leading_functions(cfa: &Cfa, live: &Live) -> FixedBitSet {
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); cfa.funcs.len()];
    let mut work: Vec<FuncId> = cfa.targets.iter().map(|l| cfa.locs[*l].func).collect();
    for (_, edge) in cfa.edges.iter_enumerated().filter(|(e, _)| live.edge(*e)) {
        let func = cfa.locs[edge.from].func;
        match edge.op {
            Op::Call(f) => callers[f.index()].push(func),
            Op::CallIndirect(_) | Op::Unsupported(_) => work.push(func),
            _ => {}
        }
    }
    let mut leading = FixedBitSet::with_capacity(cfa.funcs.len());
    while let Some(f) = work.pop() {
        if !leading.put(f.index()) {
            work.extend(&callers[f.index()]);
        }
    }
    leading
}
