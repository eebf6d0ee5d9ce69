//! The interface between the constraints and a solver.

use crate::points_to::content::Extent;
use crate::points_to::location::Flow;
use cfa::offset::Pointee;
use cfa::pointers::{ContentClaim, Grid};
use cfa::{EdgeId, ObjectId};

/// A node of the constraint graph.
pub(super) type Node = u32;

/// A constraint that waits at an address for the objects that the address points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Waiting {
    /// The contents of the objects flow to the node, mangled unless `plain`.
    Load {
        /// The bytes that are read.
        extent: Extent,
        /// The node that takes the value.
        to: Node,
        /// Whether the value is a whole pointer.
        plain: bool,
    },
    /// The node flows into the contents of the objects.
    Store {
        /// The bytes that are written.
        extent: Extent,
        /// The node of the value.
        from: Node,
        /// Whether the value is a whole pointer.
        plain: bool,
    },
    /// The edge calls the objects that are functions.
    Call(EdgeId),
}

/// An indirect call, and a function object that arrived at its target.
pub(super) type Arrival = (EdgeId, ObjectId);

/// A summary of what a node points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    /// The first object of the program, if any.
    pub first: Option<ObjectId>,
    /// Whether there is another object.
    pub several: bool,
    /// Whether it may be an address from outside.
    pub outside: bool,
    /// Whether a value was computed from an address in a way that hides the pointer.
    pub mangled: bool,
}

impl Summary {
    /// Whether the node may be an address of anything.
    pub(super) fn is_address(&self) -> bool {
        self.first.is_some() || self.outside
    }
}

/// The sets of a solution: `sets[of_node[n]]` is what node `n` points to, ascending by object; the first set is empty.
pub(super) struct Solution {
    /// The set of each node.
    pub of_node: Vec<u32>,
    /// The set of each object's content.
    pub of_content: Vec<u32>,
    /// The sets, each once.
    pub sets: Vec<Vec<Pointee>>,
    /// The same sets, with a separate entry for each offset.
    pub apart: Vec<Vec<Pointee>>,
    /// What each object's content may hold, part by part.
    pub claims: Vec<ContentClaim>,
    /// How objects are divided into parts.
    pub grid: Grid,
}

/// A constraint graph and its solution so far.
pub(super) trait Solver {
    /// A new node.
    fn add_node(&mut self) -> Node;
    /// Makes `n` point to `p`.
    fn add_location(&mut self, n: Node, p: Pointee);
    /// The content node of `o`, which stands for memory outside the program; it points to `o` itself.
    fn outside(&mut self, o: ObjectId) -> Node;
    /// Makes `to` point to what `from` points to, changed by `flow`.
    fn add_flow(&mut self, from: Node, to: Node, flow: Flow);
    /// Makes both nodes point to the same locations from now on.
    fn unify(&mut self, a: Node, b: Node);
    /// Lets `w` wait at address `n`.
    fn add_waiting(&mut self, n: Node, w: Waiting);
    /// Propagates until nothing changes. Returns the objects that have arrived at indirect calls since the last call.
    fn run(&mut self) -> Vec<Arrival>;
    /// A summary of what `n` points to so far.
    fn summary(&self, n: Node) -> Summary;
    /// All points-to sets, once [`Solver::run`] has nothing more to report.
    fn solution(self, objects: usize) -> Solution;
}
