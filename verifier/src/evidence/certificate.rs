//! What all makers of certificates need: frames, values in labels, and an order of nodes.

use cfa::{Cfa, LocId, Term, VarId};
use checker::{Frame, FrameId, Label};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::Hash;

/// The frames of a certificate, one for each call stack. `S` names the stacks of the search.
pub struct Frames<S> {
    /// The frames; the index is the id.
    pub all: Vec<Frame>,
    ids: FxHashMap<(LocId, Option<FrameId>), FrameId>,
    known: FxHashMap<S, FrameId>,
}

impl<S> Default for Frames<S> {
    fn default() -> Frames<S> {
        Frames { all: Vec::new(), ids: FxHashMap::default(), known: FxHashMap::default() }
    }
}

impl<S: Copy + Eq + Hash> Frames<S> {
    /// The frame for `stack`; `None` for the empty one. `frame` says where the top of a stack returns to, and which stack is below it.
    pub fn of(&mut self, stack: S, frame: impl Fn(S) -> Option<(LocId, S)>) -> Option<FrameId> {
        // The frames that are still missing, the top one first. A loop, not recursion, because stacks may be deep.
        let mut missing = Vec::new();
        let mut at = stack;
        let mut top = loop {
            if let Some(known) = self.known.get(&at) {
                break Some(*known);
            }
            let Some((return_to, below)) = frame(at) else { break None };
            missing.push((at, return_to));
            at = below;
        };
        for (id, return_to) in missing.into_iter().rev() {
            let frame = self.push(return_to, top);
            self.known.insert(id, frame);
            top = Some(frame);
        }
        top
    }

    /// The frame that returns to `return_to`, on top of `below`.
    pub fn push(&mut self, return_to: LocId, below: Option<FrameId>) -> FrameId {
        *self.ids.entry((return_to, below)).or_insert_with(|| {
            self.all.push(Frame { return_to, below });
            self.all.len() as FrameId - 1
        })
    }
}

/// States in `label` that `v` has `value`; if it is local, in the activation `depth` below the running one.
pub fn state_value(cfa: &Cfa, label: &mut Label, (v, depth): (VarId, usize), value: Term) {
    match depth {
        _ if !cfa.is_local(v) => drop(label.env.globals.insert(v, value)),
        0 => drop(label.env.locals.insert(v, value)),
        _ => {
            label.below.resize_with(label.below.len().max(depth), Default::default);
            label.below[depth - 1].insert(v, value);
        }
    }
}

/// `nodes`, numbers below `n`, so that each comes after those that lead to it by `edges`; otherwise the smallest comes first. Those on cycles of
/// `edges`, and what only they lead to, are left out. `edges` must lead to `nodes` only.
pub fn ordered<I: IntoIterator<Item = usize>>(n: usize, nodes: &[usize], edges: impl Fn(usize) -> I) -> Vec<usize> {
    // For each node, the number of edges from nodes that are not in the order yet.
    let mut before = vec![0u32; n];
    for to in nodes.iter().flat_map(|i| edges(*i)) {
        before[to] += 1;
    }
    let mut ready: BTreeSet<usize> = nodes.iter().copied().filter(|i| before[*i] == 0).collect();
    let mut order = Vec::new();
    while let Some(i) = ready.pop_first() {
        order.push(i);
        for to in edges(i) {
            before[to] -= 1;
            if before[to] == 0 {
                ready.insert(to);
            }
        }
    }
    order
}
