//! The certificate of a proof: a labelled unwinding graph over a slice.
//!
//! A node represents a set of program states at a location of the slice's view, under a call stack. A labelled node represents all states
//! that its label describes; an unlabelled node represents exactly the states to which its predecessors lead. Every edge of the view that
//! leaves the location of a node either has a successor in the graph or is claimed to be infeasible. No node is at a target, unless the
//! node is likewise claimed to be unreachable. Cycles pass through labelled nodes, so that everything between them can be checked by path
//! formulas. An edge into a labelled node elsewhere in the graph is a cover edge.
//!
//! A recursive function may have a *contract*, which is proved by a graph of its own. A call of the function is then passed over in one
//! step.
//!
//! Special cases: a complete unwinding has no labels (the root's is `true`); an explicit-value ARG has a label at each node.

use cfa::path::Env;
use cfa::view::Slice;
use cfa::{EdgeId, FuncId, LocId, Range, SymId, Term, Terms, VarId};

/// Index of a node in [`Certificate::nodes`].
pub type NodeId = u32;
/// Index of a frame in [`Certificate::frames`].
pub type FrameId = u32;

/// A proof that no target is reachable.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The slice that the graph is about.
    pub slice: Slice,
    /// The terms of the labels; an overlay over the program's.
    pub terms: Terms,
    /// Stack frames of callers.
    pub frames: Vec<Frame>,
    /// The graph. Node 0 is the root: the program's entry with an empty stack. Unlabelled nodes come after all their predecessors. The
    /// nodes of the program's graph are followed by those of the contracts' graphs, in the order of `contracts`.
    pub nodes: Vec<Node>,
    /// Contracts of functions, ascending by their roots.
    pub contracts: Vec<Contract>,
    /// In place of the graph, which has no nodes then: sets of states.
    pub explored: Option<Explored>,
}

/// A proof by exploration: sets of states at cut points. Whatever the program does, it gets from the entry to a state of a set, and from
/// each state of a set to a state of a set, without a target on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// How ranges of values are split into cases where a variable gets them: the first numbers of the cases, ascending.
    pub splits: Vec<(VarId, Vec<i64>)>,
    /// The sets, at most one for each location and stack.
    pub sets: Vec<StateSet>,
}

/// A set of states at a cut point, in rows. A row represents the states in which each variable is in its range; other variables may have
/// any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSet {
    /// A location of the view.
    pub loc: LocId,
    /// The call stack.
    pub stack: Option<FrameId>,
    /// The variables of the rows, of sort Bool or bit-vectors of at most 64 bits.
    pub vars: Vec<VarId>,
    /// For each variable, the ranges that it has in rows.
    pub ranges: Vec<Vec<Range>>,
    /// Row after row: for each variable, the index of its range.
    pub rows: Vec<u16>,
}

impl StateSet {
    /// The rows. A set without variables has one, which represents all states there.
    pub fn each_row(&self) -> impl Iterator<Item = &[u16]> {
        let empty: Option<&[u16]> = self.vars.is_empty().then_some(&[]);
        empty.into_iter().chain(self.rows.chunks(self.vars.len().max(1)))
    }
}

impl Certificate {
    /// The index in [`Certificate::contracts`] of the contract whose graph contains the node; `None` for nodes of the program's own
    /// graph.
    pub fn contract_of(&self, node: NodeId) -> Option<usize> {
        self.contracts.partition_point(|c| c.root <= node).checked_sub(1)
    }
}

/// The precondition and the postcondition of a function (Hoare's rule for recursive procedures, 1971).
///
/// The graph of a contract represents one activation of the function, called by any caller in a state that satisfies `pre`; nodes without
/// a stack are in this activation. Its nodes have no labels. Obligations: no target is reached, as in the program's graph, and `post`
/// holds at the exit of the function. Wherever a call of the function is passed over, `pre` has to hold before it; after it, everything
/// that the function may write is arbitrary, except that `post` holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub func: FuncId,
    /// The first node of its graph: the entry of the function, without a stack. The graph ends where that of the next contract begins.
    pub root: NodeId,
    /// Symbols that represent the values of variables of global scope at the entry.
    pub entry: Vec<(VarId, SymId)>,
    /// What holds at the entry, as Bool terms over variables of global scope.
    pub pre: Vec<Term>,
    /// What holds at the exit, as Bool terms over variables of global scope (with their values at the exit) and the symbols of `entry`.
    pub post: Vec<Term>,
}

/// A frame of the call stack below a node: where its function returns to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The location (of the view) after the call edge.
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
    /// What holds here, if it is stated.
    pub label: Option<Box<Label>>,
    /// For an unlabelled loop head, its invariant. Predecessors with larger ids are then allowed: they close the loop.
    pub repeats: Option<Box<LoopLabel>>,
    /// The successors; an edge of the view without one is claimed to be infeasible here. Successors of the same step follow each other
    /// and have labels: each state after the step is in one of these; with cases, in that of its case.
    pub successors: Vec<Successor>,
}

impl Node {
    /// The successors of a step.
    pub fn along(&self, step: Step) -> &[Successor] {
        let first = self.successors.iter().position(|s| s.step == step).unwrap_or(self.successors.len());
        let several = self.successors[first..].iter().take_while(|s| s.step == step).count();
        &self.successors[first..first + several]
    }
}

/// A step of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The step taken.
    pub step: Step,
    /// Where it leads.
    pub to: NodeId,
    /// When the step leads there: Bool terms over the symbols of the last label, all of which hold; none for always. The cases of the
    /// successors of a step leave nothing out.
    pub case: Vec<Term>,
    /// If the successor has a label with symbols: the values of these symbols, as terms over the symbols of this node's label.
    pub witness: Vec<(SymId, Term)>,
}

impl Successor {
    /// The successor that a step leads to whatever the symbols stand for, each for itself in the successor's label.
    pub fn new(step: Step, to: NodeId) -> Successor {
        Successor { step, to, case: Vec::new(), witness: Vec::new() }
    }
}

/// How control moves from a node to its successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Along an edge of the view. For a call edge: into the called function; or, if the successor has the caller's own stack, past the
    /// call of a function with a contract.
    Edge(EdgeId),
    /// From the exit of a function back to the return location of the top frame.
    Return,
}

/// A set of states: those in which, for some values of the symbols that satisfy the constraints, the variables have the given values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// Values of global variables and of the running activation's locals, as terms over symbols; all others are arbitrary.
    pub env: Env,
    /// Values of the locals in each frame below, the top one first; those of missing frames are arbitrary.
    pub below: Vec<imbl::OrdMap<cfa::VarId, Term>>,
    /// Constraints (Bool terms) over symbols.
    pub constraints: Vec<Term>,
}

/// The invariant of a loop at a node of its head: a label relative to the states in which the loop was entered.
///
/// The states of the node are those to which its predecessors with smaller ids (the entries) lead, except that the variables in `written`
/// have arbitrary values that satisfy `invariants`. Obligations: entries satisfy the invariants; so does each state to which a
/// predecessor with a larger id leads (a closing edge), and there every variable that is not in `written` still has the value it has at
/// the node, unless it is never read again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopLabel {
    /// The variables that the loop may write, ascending.
    pub written: Vec<cfa::VarId>,
    /// What holds at the head, as Bool terms over program variables.
    pub invariants: Vec<Term>,
    /// Universal conditions at the head: what holds for all elements of arrays in some range.
    pub universals: Vec<ForAll>,
    /// For an invariant that is inductive only over several iterations: the iterations before the one that is checked.
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

/// The copies of a loop that prove k-induction for k > 1 (Sheeran, Singh, Stålmarck, FMCAD 2000; [Dangl 2013, 2.1]), as ranges of nodes.
///
/// The node with the label represents exactly the states that enter the loop. The copies are, in the order of their nodes:
///
/// - the *base*: the first iterations, unwound one after the other from the node with the label;
/// - `k - 1` *assumed* iterations. The first one begins in arbitrary states that satisfy the invariants. Each is assumed to return to the
///   head: edges out of the loop may be missing in it, and targets and constructs without a model do not count there;
/// - the *checked* iteration, which follows the last assumed one.
///
/// Closing edges lead from the last iteration of the base and from the checked one to the node with the label. Each head satisfies the
/// invariants. The nodes of a copy are those from its head up to the next head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// The heads of the second, third, ... iteration of the base. The base has at least as many iterations as are assumed.
    pub base: Vec<NodeId>,
    /// The heads of the assumed iterations. The first one has no predecessor.
    pub assumed: Vec<NodeId>,
    /// The head of the checked iteration; `end` if no execution gets there.
    pub checked: NodeId,
    /// The first node after the checked iteration.
    pub end: NodeId,
}
