//! The tree of Impact: nodes are cut points with labels, edges are blocks; some nodes are covered by earlier ones.

use crate::blocks::CutId;
use cfa::{Term, Terms};
use std::collections::BTreeMap;

/// A node of the tree, by number: nodes that were made later have larger numbers.
pub(super) type NodeId = usize;

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The cut point.
    pub(super) cut: CutId,
    /// The node before it, and the exit of its block that leads here. `None` for the root.
    pub(super) parent: Option<(NodeId, usize)>,
    /// What holds here, as a Bool term over the values where the block begins.
    pub(super) label: Term,
    /// For each exit of the block the node to which it leads, if it can be taken; `None` if the node has not been expanded.
    pub(super) children: Option<Vec<Option<NodeId>>>,
    /// The node that covers this one: its label is implied by this one's.
    pub(super) covered_by: Option<NodeId>,
}

/// The tree.
#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The nodes at each cut point, ascending.
    at: BTreeMap<CutId, Vec<NodeId>>,
    /// The nodes that each node covers.
    covers: Vec<Vec<NodeId>>,
}

impl Tree {
    /// Adds a node.
    pub(super) fn add(&mut self, cut: CutId, parent: Option<(NodeId, usize)>, label: Term) -> NodeId {
        let n = self.nodes.len();
        self.nodes.push(Node { cut, parent, label, children: None, covered_by: None });
        self.covers.push(Vec::new());
        self.at.entry(cut).or_default().push(n);
        n
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node.
    pub(super) fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n]
    }

    /// The nodes from the root to `n`.
    pub(super) fn path(&self, n: NodeId) -> Vec<NodeId> {
        let mut path = vec![n];
        let mut at = n;
        while let Some((parent, _)) = self.nodes[at].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Whether a node or one before it is covered or stands for no state, so that nothing needs to be done there.
    pub(super) fn is_closed(&self, terms: &Terms, n: NodeId) -> bool {
        let closed =
            |n: &NodeId| self.nodes[*n].covered_by.is_some() || terms.as_bool(self.nodes[*n].label) == Some(false);
        self.path(n).iter().any(closed)
    }

    /// The nodes that may cover `n`: earlier ones at its cut point that have to be explored themselves, the latest one first.
    pub(super) fn candidates(&self, terms: &Terms, n: NodeId) -> Vec<NodeId> {
        let earlier = self.at[&self.nodes[n].cut].iter().rev().copied().skip_while(|m| *m >= n);
        earlier.filter(|m| !self.is_closed(terms, *m)).collect()
    }

    /// The latest node before both `a` and `b`, or one of them.
    pub(super) fn common(&self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (self.path(a), self.path(b));
        a.iter().zip(&b).take_while(|(x, y)| x == y).last().map_or(0, |(x, _)| *x)
    }

    /// Records the children of a node.
    pub(super) fn expand(&mut self, n: NodeId, children: Vec<Option<NodeId>>) {
        self.nodes[n].children = Some(children);
    }

    /// Lets `by` cover `n`. Returns the nodes that are not covered any more: those that nodes from `n` on covered.
    pub(super) fn cover(&mut self, n: NodeId, by: NodeId) -> Vec<NodeId> {
        self.nodes[n].covered_by = Some(by);
        self.covers[by].push(n);
        self.abandon(n)
    }

    /// Strengthens the label of a node. Returns the nodes that are not covered any more.
    pub(super) fn strengthen(&mut self, terms: &Terms, n: NodeId, label: Term) -> Vec<NodeId> {
        self.nodes[n].label = label;
        match terms.as_bool(label) {
            Some(false) => self.abandon(n),
            _ => self.uncover(n),
        }
    }

    /// Nodes from `n` on are not explored any more, and so cover nothing.
    fn abandon(&mut self, n: NodeId) -> Vec<NodeId> {
        self.subtree(n).into_iter().flat_map(|n| self.uncover(n)).collect()
    }

    /// What `n` covers is not covered any more.
    fn uncover(&mut self, n: NodeId) -> Vec<NodeId> {
        let open = std::mem::take(&mut self.covers[n]);
        let open: Vec<NodeId> = open.into_iter().filter(|m| self.nodes[*m].covered_by == Some(n)).collect();
        for &m in &open {
            self.nodes[m].covered_by = None;
        }
        open
    }

    /// The nodes from `n` on that have not been expanded.
    pub(super) fn leaves(&self, n: NodeId) -> Vec<NodeId> {
        let mut leaves = self.subtree(n);
        leaves.retain(|n| self.nodes[*n].children.is_none());
        leaves
    }

    fn subtree(&self, n: NodeId) -> Vec<NodeId> {
        let (mut all, mut work) = (Vec::new(), vec![n]);
        while let Some(n) = work.pop() {
            all.push(n);
            work.extend(self.nodes[n].children.iter().flatten().flatten());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root and two children at one cut point, the second one with a child.
    fn tree(terms: &mut Terms) -> Tree {
        let mut tree = Tree::default();
        let tt = terms.tt();
        let [start, head] = [CutId::START, CutId::START];
        let root = tree.add(start, None, tt);
        let first = tree.add(head, Some((root, 0)), tt);
        let second = tree.add(head, Some((root, 1)), tt);
        tree.expand(root, vec![Some(first), Some(second)]);
        let last = tree.add(head, Some((second, 0)), tt);
        tree.expand(second, vec![Some(last)]);
        tree
    }

    #[test]
    fn covered_nodes_cover_nothing() {
        let mut terms = Terms::new();
        let mut tree = tree(&mut terms);
        assert_eq!(tree.cover(3, 2), []);
        assert!(tree.is_closed(&terms, 3) && !tree.is_closed(&terms, 2));
        assert_eq!(tree.cover(2, 1), [3]);
        assert!(tree.is_closed(&terms, 3), "what comes after a covered node is closed");
        assert_eq!(tree.node(3).covered_by, None);
        assert_eq!(tree.candidates(&terms, 3), [1, 0]);
    }

    #[test]
    fn stronger_labels_uncover() {
        let mut terms = Terms::new();
        let mut tree = tree(&mut terms);
        assert_eq!(tree.cover(2, 1), []);
        let ff = terms.ff();
        assert_eq!(tree.strengthen(&terms, 1, ff), [2]);
        assert!(tree.is_closed(&terms, 1) && !tree.is_closed(&terms, 2));
        assert_eq!(tree.leaves(0), [3, 1]);
        assert_eq!(tree.common(3, 1), 0);
        assert_eq!(tree.common(3, 2), 2);
    }
}
