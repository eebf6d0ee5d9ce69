//! What the constraints ask of a solver.

use crate::points_to::content::Extent;
use crate::points_to::location::Flow;
use cfa::offset::Pointee;
use cfa::pointers::{ContentClaim, Grid};
use cfa::{EdgeId, ObjectId};

/// A node of the constraint graph.
pub type Node = u32;

/// What waits at an address for objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Waiting {
    /// The contents of the objects flow to the node; mangled unless `plain`.
    Load {
        /// The bytes that are read.
        extent: Extent,
        /// Where the value goes.
        to: Node,
        /// Whether the value is a whole pointer.
        plain: bool,
    },
    /// The node flows into the contents of the objects.
    Store {
        /// The bytes that are written.
        extent: Extent,
        /// Where the value comes from.
        from: Node,
        /// Whether the value is a whole pointer.
        plain: bool,
    },
    /// Function objects are called by the edge.
    Call(EdgeId),
}

/// A function object arrived at the target of an indirect call.
pub type Arrival = (EdgeId, ObjectId);

/// What a node points to of the program's objects, in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The first object, if there is any.
    pub first: Option<ObjectId>,
    /// Whether there is another one.
    pub several: bool,
    /// Whether the value was computed from an address in a way that pointers do not see.
    pub mangled: bool,
}

/// The sets of a solution: `sets[of_node[n]]` is what node `n` points to, ascending by object; the first set is empty.
pub struct Solution {
    /// The set of each node.
    pub of_node: Vec<u32>,
    /// The set of each object's content.
    pub of_content: Vec<u32>,
    /// The sets, each once.
    pub sets: Vec<Vec<Pointee>>,
    /// The same with each offset by itself.
    pub apart: Vec<Vec<Pointee>>,
    /// What each object may hold, part by part.
    pub claims: Vec<ContentClaim>,
    /// The parts.
    pub grid: Grid,
}

/// A graph of constraints and its solution so far.
pub trait Solver {
    /// A new node.
    fn add_node(&mut self) -> Node;
    /// `n` points to `p`.
    fn add_location(&mut self, n: Node, p: Pointee);
    /// The node of the contents of `o`, which stands for memory outside the program: what points there points there.
    fn outside(&mut self, o: ObjectId) -> Node;
    /// What `from` points to, changed by `flow`, `to` points to.
    fn add_flow(&mut self, from: Node, to: Node, flow: Flow);
    /// Both point to the same.
    fn unify(&mut self, a: Node, b: Node);
    /// Lets `w` wait at address `n`.
    fn add_waiting(&mut self, n: Node, w: Waiting);
    /// Propagates until nothing changes; the objects that arrived at calls.
    fn run(&mut self) -> Vec<Arrival>;
    /// What `n` points to so far, in short.
    fn summary(&self, n: Node) -> Summary;
    /// All sets, once [`Solver::run`] has nothing more to report.
    fn solution(self, objects: usize) -> Solution;
}
