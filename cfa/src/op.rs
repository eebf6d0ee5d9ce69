//! Operations on the edges of a control-flow automaton.
//!
//! Everything that changes a value is an `Assign` or an `Input`; memory is a variable of array sort, so that a store is an
//! assignment of that variable. Call edges only move the call stack: parameters and results travel through transfer variables
//! that `Assign` edges beside the call set and read, so that each of them can be sliced alone.

use crate::ids::{FuncId, VarId};
use crate::term::Term;

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing (the documents' noop).
    Skip,
    /// Simultaneous assignment: every right-hand side is read in the state before.
    Assign(Box<[(VarId, Term)]>),
    /// Goes on only where `cond` holds.
    Assume {
        /// The condition.
        cond: Term,
        /// Where it comes from.
        kind: AssumeKind,
    },
    /// `var := ?`: an arbitrary value.
    Input {
        /// The variable.
        var: VarId,
        /// Where the value comes from.
        kind: InputKind,
    },
    /// Enters the function; control goes on at the edge's target when that function's exit is reached.
    Call(FuncId),
    /// A call through a pointer, before the call graph is known; resolving replaces it by tests and direct calls.
    CallIndirect(Box<IndirectCall>),
    /// Something without a model: who reaches it knows nothing.
    Unsupported(Box<Unsupported>),
}

/// Where an assumption comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AssumeKind {
    /// A branch of the program.
    Branch,
    /// `__VERIFIER_assume` and its kin.
    User,
    /// The end of an execution that would trap (null dereference, division by zero). It guards the edge after it: a slice
    /// that drops that edge drops the guard.
    Guard,
}

/// Where an arbitrary value comes from.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum InputKind {
    /// An input of the program, by the function that returned it (`__VERIFIER_nondet_int`).
    Program(Box<str>),
    /// The result of an undefined external function.
    External(Box<str>),
    /// The result of a library model.
    Library(Box<str>),
    /// What a library function computes, where its model does not know the value: a violation that depends on it may be none.
    Approximate(Box<str>),
    /// Uninitialised memory, or a variable before its first assignment.
    Uninitialised,
    /// `undef`, `poison`, or a result that the language leaves open.
    Undefined,
    /// What depends on where objects lie: the order of their addresses.
    Layout,
}

/// What an approximate input stands for that is read from memory which the program does not own.
pub const OUTSIDE_MEMORY: &str = "memory outside the program";

/// A call through a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndirectCall {
    /// The address called.
    pub target: Term,
    /// The arguments.
    pub args: Box<[Term]>,
    /// The variable that takes the result.
    pub result: Option<VarId>,
    /// Address of the area of variadic arguments, if the call passes one.
    pub varargs: Option<Term>,
}

/// What an unsupported construct may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What it is, in words.
    pub reason: String,
    /// Variables it may read (`None`: everything that escaped).
    pub reads: Option<Box<[VarId]>>,
    /// Variables it may write (`None`: everything that escaped).
    pub writes: Option<Box<[VarId]>>,
    /// Whether it may call functions of the program.
    pub may_call: bool,
    /// Whether control may not go on behind it.
    pub may_not_return: bool,
}

impl Unsupported {
    /// A construct about which nothing is known.
    pub fn opaque(reason: impl Into<String>) -> Unsupported {
        Unsupported { reason: reason.into(), reads: None, writes: None, may_call: true, may_not_return: true }
    }
}

impl Op {
    /// A single assignment.
    pub fn assign(var: VarId, value: Term) -> Op {
        Op::Assign(Box::new([(var, value)]))
    }

    /// A branch condition.
    pub fn branch(cond: Term) -> Op {
        Op::Assume { cond, kind: AssumeKind::Branch }
    }

    /// Terms that the operation reads.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Op::Assign(list) => list.iter().map(|(_, t)| *t).collect(),
            Op::Assume { cond, .. } => vec![*cond],
            Op::CallIndirect(call) => {
                let mut all = vec![call.target];
                all.extend(&call.args);
                all.extend(call.varargs);
                all
            }
            Op::Skip | Op::Input { .. } | Op::Call(_) | Op::Unsupported(_) => Vec::new(),
        }
    }

    /// Variables that the operation surely names as written (an `Unsupported` with open effects may write more).
    pub fn written(&self) -> Vec<VarId> {
        match self {
            Op::Assign(list) => list.iter().map(|(v, _)| *v).collect(),
            Op::Input { var, .. } => vec![*var],
            Op::CallIndirect(call) => call.result.into_iter().collect(),
            Op::Unsupported(u) => u.writes.iter().flat_map(|w| w.iter().copied()).collect(),
            Op::Skip | Op::Assume { .. } | Op::Call(_) => Vec::new(),
        }
    }
}
