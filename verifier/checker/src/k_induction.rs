//! k-induction: the copies of a loop in a [`Window`], their shape, and what does not have to be shown in the assumed copies.
//!
//! Why a window proves its claim: consider an execution while it stays in the loop, and the values `h_0, h_1, ...` that it has whenever
//! it is at the loop head (same location, same stack); it enters with `h_0`. By induction on its length, each of its steps is at an
//! ordinary node, that is, one of the base or of the checked iteration:
//!
//! - `h_0` is at the node with the label, `h_i` at the head of copy `i` of the base. The base has at least `k - 1` copies, and only the
//!   last one leads back to the node with the label.
//! - Assume that the execution returns there with `h_m`, so `m >= k - 1`. All of `h_0, ..., h_m` satisfy the invariants, and variables
//!   that the loop does not write have the values of the entry: this is an obligation at each place where one of them occurs (entry,
//!   base, closing edges). So `h_(m-k+1)` is among the states at the first assumed head, for the values of symbols that `loops`
//!   constructs. From there, the last `k - 1` iterations of the execution lead through the assumed copies to the checked head; so `h_m`
//!   is there.
//!
//! For the last step, it is sufficient that the assumed copies contain those iterations that return to the head. In these, the execution
//! stays at locations for which ordinary copies have nodes, and it reaches neither a target nor a construct without a model: its steps were
//! at ordinary nodes, whose obligations exclude that.

use crate::certificate::{Certificate, NodeId, Window};
use cfa::LocId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The role of a node that is the head of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The head of a later iteration of the base: its states have to satisfy the invariants.
    Base,
    /// The head of the first assumed iteration.
    First,
    /// The head of a later assumed iteration or of the checked one: its states are known to satisfy the invariants.
    Known,
}

/// A copy of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Copy {
    Base(usize),
    Assumed(usize),
    Checked,
}

/// One window.
struct Copies<'a> {
    head: NodeId,
    window: &'a Window,
    /// The enclosing window.
    around: Option<usize>,
    /// The locations in the loop that belong to the loop's function.
    locs: FxHashSet<LocId>,
}

impl Copies<'_> {
    fn contains(&self, node: NodeId) -> bool {
        (self.head..self.window.end).contains(&node)
    }

    /// The copy that a node of the window belongs to.
    fn copy(&self, node: NodeId) -> Copy {
        let (base, assumed) = (&self.window.base, &self.window.assumed);
        if node >= self.window.checked {
            Copy::Checked
        } else if node >= assumed[0] {
            Copy::Assumed(assumed.partition_point(|h| *h <= node) - 1)
        } else {
            Copy::Base(base.partition_point(|h| *h <= node))
        }
    }

    /// The head of a copy.
    fn head_of(&self, copy: Copy) -> NodeId {
        match copy {
            Copy::Base(0) => self.head,
            Copy::Base(i) => self.window.base[i - 1],
            Copy::Assumed(i) => self.window.assumed[i],
            Copy::Checked => self.window.checked,
        }
    }

    /// The first node after a copy.
    fn end_of(&self, copy: Copy) -> NodeId {
        let (base, assumed) = (&self.window.base, &self.window.assumed);
        match copy {
            Copy::Base(i) => *base.get(i).unwrap_or(&assumed[0]),
            Copy::Assumed(i) => *assumed.get(i + 1).unwrap_or(&self.window.checked),
            Copy::Checked => self.window.end,
        }
    }

    /// Whether a step from a node into a node of the window goes where the argument requires.
    fn may_enter(&self, from: NodeId, to: NodeId) -> bool {
        let last = Copy::Base(self.window.base.len());
        let came_from = self.contains(from).then(|| self.copy(from));
        let copy = self.copy(to);
        if to != self.head_of(copy) {
            return came_from == Some(copy);
        }
        match copy {
            Copy::Base(0) => from < self.head || came_from == Some(last) || came_from == Some(Copy::Checked),
            Copy::Base(i) => came_from == Some(Copy::Base(i - 1)),
            Copy::Assumed(0) => false,
            Copy::Assumed(i) => came_from == Some(Copy::Assumed(i - 1)),
            Copy::Checked => came_from == Some(Copy::Assumed(self.window.assumed.len() - 1)),
        }
    }
}

/// All windows of a certificate; any two are disjoint, or one lies within a copy of the other.
pub(crate) struct Windows<'a> {
    cert: &'a Certificate,
    all: Vec<Copies<'a>>,
    /// The innermost window around each node, if there is one.
    innermost: Vec<Option<usize>>,
    roles: FxHashMap<NodeId, (NodeId, Role)>,
}

impl<'a> Windows<'a> {
    /// Finds and checks the windows of `cert`. Returns the reason if the shape of one is wrong.
    pub(crate) fn new(cert: &'a Certificate) -> Result<Windows<'a>, String> {
        let mut windows = Windows { cert, all: Vec::new(), innermost: Vec::new(), roles: FxHashMap::default() };
        let n = cert.nodes.len() as NodeId;
        let mut around: Option<usize> = None;
        for id in 0..n {
            while let Some(w) = around
                && windows.all[w].window.end == id
            {
                around = windows.all[w].around;
            }
            if let Some(window) = cert.nodes[id as usize].repeats.as_ref().and_then(|l| l.window.as_ref()) {
                let limit = around.map_or(n, |w| windows.all[w].end_of(windows.all[w].copy(id)));
                windows.add(id, window, around, limit).map_err(|e| format!("the window of node {id}: {e}"))?;
                around = Some(windows.all.len() - 1);
            }
            windows.innermost.push(around);
        }
        if !windows.all.is_empty() {
            windows.check()?;
        }
        Ok(windows)
    }

    /// Adds a window, which has to end at or before `limit`.
    fn add(&mut self, head: NodeId, window: &'a Window, around: Option<usize>, limit: NodeId) -> Result<(), String> {
        let Window { base, assumed, checked, end } = window;
        if assumed.is_empty() || base.len() + 1 < assumed.len() {
            return Err("its base has fewer iterations than are assumed".into());
        }
        let heads: Vec<NodeId> = [&[head], &base[..], &assumed[..], &[*checked]].concat();
        if !heads.is_sorted_by(|a, b| a < b) || checked > end || *end > limit {
            return Err("its copies do not follow each other".into());
        }
        if self.cert.contracts.iter().any(|c| (head..*end).contains(&c.root)) {
            return Err("another graph begins in it".into());
        }
        let node = |id: NodeId| &self.cert.nodes[id as usize];
        let of_loop = node(head);
        let alike = |id: &NodeId| {
            let n = node(*id);
            n.loc == of_loop.loc && n.stack == of_loop.stack && n.repeats.is_none()
        };
        if !heads[1..].iter().filter(|id| *id < end).all(alike) {
            return Err("a copy's head is elsewhere".into());
        }
        let mut locs = FxHashSet::default();
        for id in head..*end {
            let n = node(id);
            if n.label.is_some() {
                return Err(format!("node {id} in it has a label"));
            }
            if n.stack == of_loop.stack {
                locs.insert(n.loc);
                if n.loc == of_loop.loc && heads.binary_search(&id).is_err() {
                    return Err(format!("node {id} is at its head in the middle of an iteration"));
                }
            }
        }
        self.roles.extend(base.iter().map(|h| (*h, (head, Role::Base))));
        self.roles.insert(assumed[0], (head, Role::First));
        let known = assumed[1..].iter().chain((checked < end).then_some(checked));
        self.roles.extend(known.map(|h| (*h, (head, Role::Known))));
        self.all.push(Copies { head, window, around, locs });
        Ok(())
    }

    /// Checks that steps go from copy to copy.
    fn check(&self) -> Result<(), String> {
        for (from, node) in self.cert.nodes.iter().enumerate() {
            let from = from as NodeId;
            for s in &node.successors {
                if let Some(w) = self.around(s.to).find(|w| !w.may_enter(from, s.to)) {
                    let (to, head) = (s.to, w.head);
                    return Err(format!(
                        "node {from}: its successor {to} is not where an iteration of the loop at node {head} goes"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The windows around a node, from the innermost to the outermost.
    fn around(&self, node: NodeId) -> impl Iterator<Item = &Copies<'a>> {
        let innermost = self.innermost.get(node as usize).copied().flatten();
        std::iter::successors(innermost, |w| self.all[*w].around).map(|w| &self.all[w])
    }

    /// The windows for which the node lies in an assumed copy.
    fn assuming(&self, node: NodeId) -> impl Iterator<Item = &Copies<'a>> {
        self.around(node).filter(move |w| matches!(w.copy(node), Copy::Assumed(_)))
    }

    /// Whether a node lies in an assumed copy: an execution there reaches neither a target nor a construct without a model.
    pub(crate) fn is_assumed(&self, node: NodeId) -> bool {
        self.assuming(node).next().is_some()
    }

    /// Whether an edge from `node` to `to` may be missing without being infeasible, because it leaves the loop of an assumed copy.
    pub(crate) fn may_leave(&self, node: NodeId, to: LocId) -> bool {
        let stack = self.cert.nodes[node as usize].stack;
        self.assuming(node).any(|w| stack == self.cert.nodes[w.head as usize].stack && !w.locs.contains(&to))
    }

    /// If `node` is the head of a copy: the loop's node, and the role of the copy.
    pub(crate) fn role(&self, node: NodeId) -> Option<(NodeId, Role)> {
        self.roles.get(&node).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Contract, LoopLabel, Node};
    use cfa::view::Slice;
    use cfa::{FuncId, Terms};

    fn certificate(window: Window, roots: &[NodeId]) -> Certificate {
        let node = |loc| Node { loc: LocId(loc), stack: None, label: None, repeats: None, successors: Vec::new() };
        let mut nodes: Vec<Node> = [0, 1, 0, 1, 0, 1, 2, 2].into_iter().map(node).collect();
        nodes[0].repeats = Some(Box::new(LoopLabel { window: Some(window), ..LoopLabel::default() }));
        let contract = |root: &NodeId| Contract {
            func: FuncId(0),
            root: *root,
            entry: Vec::new(),
            pre: Vec::new(),
            post: Vec::new(),
        };
        Certificate {
            slice: Slice { kept: Default::default(), live: Default::default() },
            terms: Terms::new(),
            frames: Vec::new(),
            nodes,
            contracts: roots.iter().map(contract).collect(),
            explored: None,
        }
    }

    /// The exemptions in a window must not extend to nodes of a contract's graph, into which no step leads.
    #[test]
    fn a_window_stays_in_its_graph() {
        let window = |checked, end| Window { base: Vec::new(), assumed: vec![2], checked, end };
        assert!(Windows::new(&certificate(window(4, 6), &[6])).is_ok());
        assert!(Windows::new(&certificate(window(4, 8), &[])).is_ok());
        for (checked, end) in [(4, 7), (4, 8)] {
            assert!(Windows::new(&certificate(window(checked, end), &[6])).is_err());
        }
    }
}
