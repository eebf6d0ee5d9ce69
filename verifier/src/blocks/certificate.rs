//! Certificates from proofs on the block graph.
//!
//! Such a proof is a graph of *cut nodes*: each is a cut point with a condition on the values where its block begins, and says to which cut
//! node each exit of the block leads. The certificate has the cut nodes with their conditions as labels, and the places inside their
//! blocks without labels, as those of predicate abstraction do.

use super::graph::{BlockGraph, CutId, ExitKind, Next};
use super::symbols::{StackId, Symbol};
use crate::evidence::certificate::{Frames, state_value};
use crate::program::{Budget, Halt};
use cfa::term::Leaf;
use cfa::{Term, Terms};
use checker::{Certificate, Label, Node, NodeId, Successor};

/// A node of a proof: states at a cut point.
#[derive(Clone, Debug)]
pub struct CutNode {
    /// The cut point.
    pub cut: CutId,
    /// What holds there, as a Bool term over [`Symbol::Start`]. `None`: exactly the states to which the nodes before it lead; only nodes
    /// before it may lead to it then.
    pub label: Option<Term>,
    /// For each exit of the block, the index of the node to which it leads. `None` if no state of this node takes the exit, as for those
    /// to targets.
    pub exits: Vec<Option<usize>>,
}

/// The certificate with these nodes, of which the first one is at the start of the program. `terms` is the arena of the block graph.
///
/// Errors: as [`BlockGraph::block`], if a block has not been explored yet.
pub fn certificate(
    graph: &mut BlockGraph<'_>,
    terms: &mut Terms,
    nodes: &[CutNode],
    budget: Budget<'_>,
) -> Result<Certificate, Halt> {
    let mut first: Vec<NodeId> = Vec::with_capacity(nodes.len());
    let mut next: NodeId = 0;
    for node in nodes {
        first.push(next);
        let block = graph.block(terms, node.cut, budget)?;
        // A block that begins at a target has no places inside, but its node is in the certificate, too.
        next += NodeId::try_from(block.inner.len().max(1)).expect("fewer than 2^32 nodes");
    }
    let mut frames = Frames::default();
    let mut all: Vec<Node> = Vec::with_capacity(next as usize);
    for (node, &start) in nodes.iter().zip(&first) {
        let block = graph.block(terms, node.cut, budget)?;
        let (loc, stack) = graph.at(node.cut);
        let label = node.label.map(|t| Box::new(label(graph, terms, stack, t)));
        let begin = Node {
            loc,
            stack: frames.of(stack, |s| graph.maker.returns(s)),
            label,
            repeats: None,
            successors: Vec::new(),
        };
        if block.inner.is_empty() {
            all.push(begin);
            continue;
        }
        for (i, inner) in block.inner.iter().enumerate() {
            let leads = |next: Next| match next {
                Next::Inner(i) => Some(start + i as NodeId),
                Next::Exit(i) => match block.exits[i].kind {
                    ExitKind::End(_) => node.exits[i].map(|n| first[n]),
                    ExitKind::Target | ExitKind::Unsupported(_) => None,
                },
            };
            let successor = |(step, next): &(checker::Step, Next)| Some(Successor::new(*step, leads(*next)?));
            let successors = inner.steps.iter().filter_map(successor).collect();
            let here = match i {
                0 => begin.clone(),
                _ => Node {
                    loc: inner.loc,
                    stack: frames.of(inner.stack, |s| graph.maker.returns(s)),
                    label: None,
                    repeats: None,
                    successors: Vec::new(),
                },
            };
            all.push(Node { successors, ..here });
        }
    }
    let slice = graph.program().slice.clone();
    Ok(Certificate {
        slice,
        terms: terms.clone(),
        frames: frames.all,
        nodes: all,
        contracts: Vec::new(),
        explored: None,
    })
}

/// The label with the condition `t`, under `stack`: the variables of which it speaks have their symbols as values.
fn label(graph: &BlockGraph<'_>, terms: &mut Terms, stack: StackId, t: Term) -> Label {
    let mut label = Label::default();
    if terms.as_bool(t) != Some(true) {
        label.constraints.push(t);
    }
    let cfa = &graph.program().cfa;
    for leaf in terms.leaves(&label.constraints) {
        let Leaf::Sym(symbol) = leaf else { continue };
        let Some(Symbol::Start(v, at)) = graph.maker.meaning(symbol) else { continue };
        let value = terms.sym(symbol);
        let depth = if cfa.is_local(v) { above(graph, stack, at) } else { Some(0) };
        if let Some(depth) = depth {
            state_value(cfa, &mut label, (v, depth), value);
        }
    }
    label
}

/// The number of activations of `stack` above `at`; `None` if it is no part of `stack`.
fn above(graph: &BlockGraph<'_>, mut stack: StackId, at: StackId) -> Option<usize> {
    let mut depth = 0;
    while stack != at {
        let (_, below) = graph.maker.returns(stack)?;
        (depth, stack) = (depth + 1, below);
    }
    Some(depth)
}
