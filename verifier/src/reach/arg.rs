//! The abstract reachability graph and the reached set, in one data structure.
//!
//! Nodes are reached states, connected by runs of steps ([`segments`](crate::reach::segments)). Two kinds of states get no node: states
//! on the way, where only one step can be taken and no other path enters; and successors that a reached state covers, whose run leads to
//! the covering node and is marked. Nodes where paths meet are filed by key, shape and fingerprint (see [`Index`]), so that finding a
//! covering state takes one look-up for each shape that occurs at the key.

use crate::cpa::{Cpa, Index};
use crate::reach::explore::MERGED_STATES;
use crate::reach::layers::Layers;
use crate::reach::segments::{RunId, Runs};
use cfa::{SymId, Term};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Marks the end of a chain of nodes.
const NONE: u32 = u32::MAX;

/// The values of symbols, as terms.
pub type Witness = Vec<(SymId, Term)>;

/// A run of steps into another node. No two links of a node begin with the same step, unless that step has several successors.
#[derive(Clone, Debug)]
pub struct Link<S> {
    /// The steps taken.
    pub run: RunId,
    /// The node that they lead to.
    pub to: NodeId,
    /// Whether that node covers the successor, which has no node of its own.
    pub covers: bool,
    /// How the run ended, if a certificate has to say more about it than where it leads.
    pub ending: Option<Rc<Ending<S>>>,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub struct Ending<S> {
    /// The state there. That of the node may represent more.
    pub state: S,
    /// The values that symbols of the node's state, as it was then, have for this one.
    pub witness: Witness,
    /// The number of values in [`Node::before_merges`] of earlier merges, which do not count for this one.
    pub merged: usize,
}

/// A reached state.
pub struct Node<C: Cpa> {
    /// The state.
    pub state: C::State,
    /// The precision with which it, and all states on the way to it, were computed.
    pub precision: C::Precision,
    /// The node from which it was found, and the run from there; `None` only for the root.
    pub parent: Option<(NodeId, RunId)>,
    /// The runs that start here; empty until the node is expanded.
    pub links: SmallVec<[Link<C::State>; 2]>,
    /// Whether the label after the last step to it has to be stated ([`Cpa::states_new_facts`]); earlier steps of the run never require that.
    pub new_facts: bool,
    /// Whether the node is in the waitlist.
    pub waiting: bool,
    /// Whether the node was pruned, so that it is no longer part of the graph.
    pub pruned: bool,
    /// Whether its state was replaced by a weaker one.
    pub merged: bool,
    /// The values that symbols of the weaker state have for the states before it.
    pub before_merges: Witness,
    /// Whether only the steps without a link have to be taken when it is expanded; the existing links stay.
    pub partial: bool,
    /// The next older node with the same file number; `NONE` if there is none.
    next: u32,
}

/// The graph and the reached set.
pub struct Arg<C: Cpa> {
    /// The steps between nodes.
    pub runs: Runs,
    /// What was expanded, for analyses that [keep it](Cpa::in_layers).
    pub layers: Option<Layers<C::State>>,
    nodes: Vec<Node<C>>,
    pruned: usize,
    /// The newest node for each file number ([`file_number`]).
    files: FxHashMap<u64, u32>,
    /// The shapes that occur at a key, each with one state that has it.
    shapes: FxHashMap<C::Key, SmallVec<[(u64, NodeId); 1]>>,
    /// All nodes of a key, for analyses that merge; their states change, so they are not filed.
    partitions: FxHashMap<C::Key, Vec<NodeId>>,
}

/// Maximum number of shapes at one key that are searched for a covering state.
const SEARCHED_SHAPES: usize = 16;

/// Maximum number of states with the right fingerprint that are compared.
const COMPARED_STATES: usize = 64;

/// Whether nodes are found again by the index of their states, not just by their position.
pub fn files_by_index<C: Cpa>(cpa: &C) -> bool {
    !cpa.merges() || cpa.merges_before_expansion()
}

impl<C: Cpa> Default for Arg<C> {
    fn default() -> Self {
        Arg {
            runs: Runs::default(),
            layers: None,
            nodes: Vec::new(),
            pruned: 0,
            files: FxHashMap::default(),
            shapes: FxHashMap::default(),
            partitions: FxHashMap::default(),
        }
    }
}

impl<C: Cpa> Arg<C> {
    /// The number of nodes, pruned ones included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of pruned nodes.
    pub fn pruned(&self) -> usize {
        self.pruned
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The ids of all nodes, in the order in which they were found; the root comes first.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<C> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// A node.
    pub fn node(&self, n: NodeId) -> &Node<C> {
        &self.nodes[n.0 as usize]
    }

    /// A node, to be changed.
    pub fn node_mut(&mut self, n: NodeId) -> &mut Node<C> {
        &mut self.nodes[n.0 as usize]
    }

    /// Adds a reached state. [`candidates`](Arg::candidates) will not find it unless it is filed.
    pub fn add(
        &mut self,
        state: C::State,
        precision: C::Precision,
        new_facts: bool,
        parent: Option<(NodeId, RunId)>,
    ) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 states"));
        if let Some((from, run)) = parent {
            self.node_mut(from).links.push(Link { run, to: id, covers: false, ending: None });
        }
        self.nodes.push(Node {
            state,
            precision,
            parent,
            links: SmallVec::new(),
            new_facts,
            waiting: false,
            pruned: false,
            merged: false,
            before_merges: Witness::new(),
            partial: false,
            next: NONE,
        });
        id
    }

    /// Files a node, so that it can cover later states or merge with them.
    pub fn file(&mut self, cpa: &C, id: NodeId) {
        let state = &self.node(id).state;
        let key = cpa.key(state);
        if !files_by_index(cpa) {
            self.partitions.entry(key).or_default().push(id);
            return;
        }
        let Some(Index { shape, fingerprint }) = cpa.index(state) else { return };
        self.note_shape(key, shape, id);
        let before = self.files.insert(file_number(key, shape, fingerprint), id.0);
        self.node_mut(id).next = before.unwrap_or(NONE);
    }

    /// Notes that `run` of `from` leads to a state that `to` covers.
    pub fn cover(&mut self, (from, run): (NodeId, RunId), to: NodeId, ending: Option<Rc<Ending<C::State>>>) {
        self.node_mut(from).links.push(Link { run, to, covers: true, ending });
    }

    /// Notes how the run ended that led to the node which was added last.
    pub fn note_ending(&mut self, from: NodeId, ending: Ending<C::State>) {
        if let Some(link) = self.node_mut(from).links.last_mut() {
            link.ending = Some(Rc::new(ending));
        }
    }

    /// Replaces the state of a node, mostly by a weaker one. Its successors have to be found again.
    pub fn weaken(&mut self, n: NodeId, state: C::State) {
        let node = self.node_mut(n);
        node.state = state;
        node.merged = true;
        node.partial = false;
        node.links.clear();
    }

    /// Removes everything that was found from `pivot`, by any number of steps.
    ///
    /// Runs from other nodes into removed nodes, which covered their successors, are removed too; the result lists these runs and their
    /// nodes. Their first steps have to be taken again, as do all steps of `pivot`. Cost: linear in the graph.
    pub fn prune(&mut self, cpa: &C, pivot: NodeId) -> Vec<(NodeId, RunId)> {
        let from_pivot = |arg: &Arg<C>, n: NodeId| {
            arg.node(n).parent.is_some_and(|(parent, _)| parent == pivot || arg.node(parent).pruned)
        };
        let mut touched: FxHashSet<C::Key> = FxHashSet::default();
        // The parent of a node has a smaller id.
        for n in (pivot.0 + 1..self.nodes.len() as u32).map(NodeId) {
            if self.node(n).pruned || !from_pivot(self, n) {
                continue;
            }
            self.unfile(cpa, n);
            touched.insert(cpa.key(&self.node(n).state));
            self.pruned += 1;
            let node = self.node_mut(n);
            node.pruned = true;
            node.waiting = false;
            node.links.clear();
        }
        self.node_mut(pivot).links.clear();
        let mut again = Vec::new();
        for i in 0..self.nodes.len() {
            let n = NodeId(i as u32);
            if self.nodes[i].pruned {
                continue;
            }
            let first = again.len();
            let gone = self.nodes[i].links.iter().filter(|l| self.node(l.to).pruned);
            again.extend(gone.map(|l| (n, l.run)));
            self.nodes[i].partial |= again.len() > first;
            let begins = |run: RunId| again[first..].iter().any(|(_, r)| self.runs.first(*r) == self.runs.first(run));
            self.nodes[i].links.retain(|l| !begins(l.run));
            // Removed nodes may have been the representatives of shapes that remaining nodes have as well.
            let state = &self.nodes[i].state;
            if files_by_index(cpa)
                && touched.contains(&cpa.key(state))
                && let Some(index) = cpa.index(state)
            {
                self.note_shape(cpa.key(state), index.shape, n);
            }
        }
        again
    }

    /// Takes a node out of its file.
    fn unfile(&mut self, cpa: &C, id: NodeId) {
        let state = &self.node(id).state;
        let (key, index) = (cpa.key(state), cpa.index(state));
        if let Some(nodes) = self.partitions.get_mut(&key) {
            nodes.retain(|n| *n != id);
        }
        let Some(Index { shape, fingerprint }) = index else { return };
        if let Some(shapes) = self.shapes.get_mut(&key) {
            shapes.retain(|(_, n)| *n != id);
        }
        let number = file_number(key, shape, fingerprint);
        let next = self.node(id).next;
        let Some(&first) = self.files.get(&number) else { return };
        if first == id.0 {
            if next == NONE {
                self.files.remove(&number)
            } else {
                self.files.insert(number, next)
            };
            return;
        }
        let mut at = first;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            if node.next == id.0 {
                node.next = next;
                return;
            }
            at = node.next;
        }
    }

    fn note_shape(&mut self, key: C::Key, shape: u64, id: NodeId) {
        let shapes = self.shapes.entry(key).or_default();
        if shapes.len() < SEARCHED_SHAPES && !shapes.iter().any(|(s, _)| *s == shape) {
            shapes.push((shape, id));
        }
    }

    /// Sets `found` to the nodes that may cover `s`, the most likely ones first.
    pub fn candidates(&self, cpa: &C, s: &C::State, found: &mut Vec<NodeId>) {
        found.clear();
        if !files_by_index(cpa) {
            let partition = self.partitions.get(&cpa.key(s));
            found.extend(partition.into_iter().flatten().rev().take(MERGED_STATES));
            return;
        }
        let Some(own) = cpa.index(s) else { return };
        let key = cpa.key(s);
        let Some(shapes) = self.shapes.get(&key) else { return };
        self.chain(cpa, key, own, found);
        for &(shape, pattern) in shapes {
            if shape != own.shape
                && let Some(fingerprint) = cpa.fingerprint_as(s, &self.node(pattern).state)
            {
                self.chain(cpa, key, Index { shape, fingerprint }, found);
            }
        }
    }

    fn chain(&self, cpa: &C, key: C::Key, index: Index, found: &mut Vec<NodeId>) {
        let mut at = self.files.get(&file_number(key, index.shape, index.fingerprint)).copied().unwrap_or(NONE);
        let mut left = COMPARED_STATES;
        while at != NONE && left > 0 {
            let node = &self.nodes[at as usize];
            if cpa.key(&node.state) == key {
                found.push(NodeId(at));
            }
            at = node.next;
            left -= 1;
        }
    }

    /// The node from which `n` was found; `None` for the root.
    pub fn found_from(&self, n: NodeId) -> Option<NodeId> {
        self.node(n).parent.map(|(from, _)| from)
    }

    /// The links from the root to `n`: where each starts, its run, and where it ends.
    pub fn path(&self, n: NodeId) -> Vec<(NodeId, RunId, NodeId)> {
        let mut path = Vec::new();
        let mut at = n;
        while let Some((from, run)) = self.node(at).parent {
            path.push((from, run, at));
            at = from;
        }
        path.reverse();
        path
    }
}

/// The hash by which states with this key, shape and fingerprint are filed. Different arguments may collide, so states are compared, too.
fn file_number<K: Hash>(key: K, shape: u64, fingerprint: u64) -> u64 {
    let mut h = FxHasher::default();
    key.hash(&mut h);
    h.write_u64(shape);
    h.write_u64(fingerprint);
    h.finish()
}
