//! The certificate of a proof: a labelled unwinding graph over a slice.
//!
//! Nodes stand for sets of program states at a location of the slice's view, under a call stack. A labelled node stands for all
//! states that its label describes; an unlabelled one for those that its predecessors lead to, exactly. Every edge of the view
//! that leaves a node's location either has a successor in the graph or is claimed to be infeasible; no node is at a target, unless
//! it is claimed to be unreachable likewise. Cycles pass through labelled nodes, so that the rest is checked by path formulas. An
//! edge into a labelled node that stands elsewhere in the graph is a cover edge.
//!
//! A recursive function may have a *contract*, which is shown by a graph of its own. A call of it is then passed over in one step.
//!
//! Special cases: a complete unwinding has no label (the root's is `true`); an explicit-value ARG has a label on each node.

use cfa::path::Env;
use cfa::view::Slice;
use cfa::{EdgeId, FuncId, LocId, SymId, Term, Terms, VarId};

/// Index of a node in [`Certificate::nodes`].
pub type NodeId = u32;
/// Index of a frame in [`Certificate::frames`].
pub type FrameId = u32;

/// A proof that no target is reachable.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The slice that the graph is about.
    pub slice: Slice,
    /// Terms of the labels: an overlay over the program's.
    pub terms: Terms,
    /// Stack frames of callers.
    pub frames: Vec<Frame>,
    /// The graph. Node 0 is the root: the program's entry with an empty stack. Unlabelled nodes come after all their predecessors.
    /// Behind the program's nodes stand those of the contracts' graphs, in the order of `contracts`.
    pub nodes: Vec<Node>,
    /// Contracts of functions, ascending by their roots.
    pub contracts: Vec<Contract>,
}

impl Certificate {
    /// The number in [`Certificate::contracts`] of the contract whose graph has the node; none for the program's own.
    pub fn contract_of(&self, node: NodeId) -> Option<usize> {
        self.contracts.partition_point(|c| c.root <= node).checked_sub(1)
    }
}

/// What each call of a function finds and what it leaves behind (Hoare's rule for recursive procedures, 1971).
///
/// Its graph stands for one activation of the function, called by anybody in a state that satisfies `pre`: nodes without a stack are in this
/// activation. Its nodes have no labels. Obligations: no target is reached, as in the program's graph, and at the function's exit, `post` holds.
/// Wherever a call of the function is passed over, `pre` holds in front of it; behind it, what the function may write is arbitrary but for `post`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub func: FuncId,
    /// The first node of its graph: the function's entry, without a stack. The graph ends where the next contract's begins.
    pub root: NodeId,
    /// Symbols that stand for the values of variables of global scope at the entry.
    pub entry: Vec<(VarId, SymId)>,
    /// What holds at the entry, as Bool terms over variables of global scope.
    pub pre: Vec<Term>,
    /// What holds at the exit, as Bool terms over variables of global scope, as they are there, and over the symbols of `entry`.
    pub post: Vec<Term>,
}

/// A frame of the call stack below a node: where its function returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The location (of the view) behind the call edge.
    pub return_to: LocId,
    /// The frame below.
    pub below: Option<FrameId>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// A location of the view.
    pub loc: LocId,
    /// The stack below the running activation.
    pub stack: Option<FrameId>,
    /// What holds here, where that is stated.
    pub label: Option<Label>,
    /// For an unlabelled loop head: its invariant. Predecessors with larger ids are then allowed: they close the loop.
    pub repeats: Option<LoopLabel>,
    /// Successors; an edge of the view that has none is claimed to be infeasible here.
    pub successors: Vec<Successor>,
}

/// A step of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The step taken.
    pub step: Step,
    /// Where it leads.
    pub to: NodeId,
    /// For a labelled successor with symbols: the values of the label's symbols, as terms over the symbols of this node's label.
    pub witness: Vec<(SymId, Term)>,
}

/// How control moves from a node to its successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Along an edge of the view; along a call edge into the called function, or, to a node with the caller's own stack, past the call of
    /// a function that has a contract.
    Edge(EdgeId),
    /// From a function's exit back to where the top frame returns to.
    Return,
}

/// A set of states: those that, for some values of the symbols, satisfy the constraints and give the variables the values named.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// Values in the running activation and of global variables, as terms over symbols; others are arbitrary.
    pub env: Env,
    /// Values of the locals of each frame below, the top one first; missing frames are arbitrary.
    pub below: Vec<imbl::OrdMap<cfa::VarId, Term>>,
    /// Constraints (Bool terms) over symbols.
    pub constraints: Vec<Term>,
}

/// The invariant of a loop at a node of its head: a label relative to how the loop was entered.
///
/// The node's states are those that its predecessors with smaller ids (the entries) lead to, except that the variables in
/// `written` have arbitrary values that satisfy `invariants`. Obligations: an entry satisfies the invariants; so does a state
/// that a predecessor with a larger id leads to (a closing edge), and there every variable that is not in `written` still has the value it
/// has at the node, unless it is never read again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopLabel {
    /// Variables that the loop may write, ascending.
    pub written: Vec<cfa::VarId>,
    /// What holds at the head, as Bool terms over program variables.
    pub invariants: Vec<Term>,
    /// What holds there of all elements of arrays in some range.
    pub universals: Vec<ForAll>,
    /// For what is inductive only over several iterations: those in front of the one that is checked.
    pub window: Option<Window>,
}

/// A condition that holds for all values of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForAll {
    /// The symbol, a bit-vector.
    pub index: SymId,
    /// The condition, as a Bool term over program variables and the symbol.
    pub body: Term,
}

/// The copies of a loop that show k-induction for k > 1 (Sheeran, Singh, Stålmarck, FMCAD 2000; Dangl 2013, 2.1), as ranges of nodes.
///
/// The node that has the label keeps the states that enter the loop, exactly: from there the first iterations are unwound, one behind the
/// other (the base). Beside them begin, in arbitrary states under the invariants, `k - 1` iterations of which it is assumed that they come back to
/// the head: in them, edges out of the loop may be missing, and targets and constructs without a model do not count. Behind these lies the iteration
/// that is checked. Closing edges lead from the last iteration of the base and from the checked one to the node that has the label. Each head
/// satisfies the invariants. A copy's nodes are those from its head to the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// Heads of the second, third, ... iteration of the base, of which there are at least as many as assumed ones.
    pub base: Vec<NodeId>,
    /// Heads of the assumed iterations. The first one has no predecessor.
    pub assumed: Vec<NodeId>,
    /// Head of the checked iteration; `end` if nothing gets there.
    pub checked: NodeId,
    /// The first node behind the checked iteration.
    pub end: NodeId,
}
