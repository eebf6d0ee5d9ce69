//! Operations on the edges of a control-flow automaton.
//!
//! Everything that changes a value is an `Assign` or an `Input`. Memory is a variable of array sort, so that a store is an
//! assignment of that variable. Call edges only change the call stack: parameters and results travel through transfer
//! variables, which `Assign` edges before and after the call set and read, so that each of them can be sliced separately.

use crate::ids::{FuncId, VarId};
use crate::term::Term;
use smallvec::{SmallVec, smallvec};

/// The operation of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// No effect (noop in the cited documents).
    Skip,
    /// Simultaneous assignment: every right-hand side is evaluated in the state before it.
    Assign(Box<[(VarId, Term)]>),
    /// Continues only where `cond` holds.
    Assume {
        /// The condition.
        cond: Term,
        /// The origin of the assumption.
        kind: AssumeKind,
    },
    /// `var := ?`: assigns an arbitrary value.
    Input {
        /// The variable.
        var: VarId,
        /// The origin of the value.
        kind: InputKind,
    },
    /// Enters the function; control continues at the edge's target when that function's exit is reached.
    Call(FuncId),
    /// A call through a pointer, before the call graph is known; resolution replaces it by tests and direct calls.
    CallIndirect(Box<IndirectCall>),
    /// A construct without a model: an analysis that reaches it knows nothing.
    Unsupported(Box<Unsupported>),
}

/// The origin of an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AssumeKind {
    /// A branch of the program.
    Branch,
    /// `__VERIFIER_assume` and similar functions.
    User,
    /// The end of executions that would trap (null dereference, division by zero). It guards the edge after it: a slice
    /// that drops that edge drops the guard, too.
    Guard,
}

/// The origin of an arbitrary value.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum InputKind {
    /// An input of the program, with the function that returned it (`__VERIFIER_nondet_int`).
    Program(Box<str>),
    /// The result of an undefined external function.
    External(Box<str>),
    /// The result of a library model.
    Library(Box<str>),
    /// The result of a library function whose model does not know the value: a violation that depends on it may be
    /// spurious.
    Approximate(Box<str>),
    /// Uninitialised memory, or a variable before its first assignment.
    Uninitialised,
    /// `undef`, `poison`, or a result that the language leaves open.
    Undefined,
    /// A value that depends on where objects lie, for example the order of their addresses.
    Layout,
}

/// The name of approximate inputs that are read from memory which the program does not own.
pub const OUTSIDE_MEMORY: &str = "memory outside the program";

/// A call through a pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndirectCall {
    /// The address that is called.
    pub target: Term,
    /// The arguments.
    pub args: Box<[Term]>,
    /// The variable that takes the result.
    pub result: Option<VarId>,
    /// The address of the area of variadic arguments, if the call passes one.
    pub varargs: Option<Term>,
    /// Functions that would not find what the call passes, or not return what it expects. What calls of these do is not known.
    pub misfits: Box<[FuncId]>,
    /// Whether the front-end compared the address with functions that are no misfits first, which it calls by name.
    pub dispatched: bool,
}

/// The possible effects of an unsupported construct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What the construct is, in words.
    pub reason: String,
    /// Variables that it may read (`None`: everything that escaped).
    pub reads: Option<Box<[VarId]>>,
    /// Variables that it may write (`None`: everything that escaped).
    pub writes: Option<Box<[VarId]>>,
    /// Whether it may call functions of the program.
    pub may_call: bool,
    /// Whether control may fail to continue after it.
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

    /// The terms that the operation reads.
    pub fn terms(&self) -> SmallVec<[Term; 2]> {
        match self {
            Op::Assign(list) => list.iter().map(|(_, t)| *t).collect(),
            Op::Assume { cond, .. } => smallvec![*cond],
            Op::CallIndirect(call) => {
                let mut all = smallvec![call.target];
                all.extend(call.args.iter().copied());
                all.extend(call.varargs);
                all
            }
            Op::Skip | Op::Input { .. } | Op::Call(_) | Op::Unsupported(_) => SmallVec::new(),
        }
    }

    /// The variables that the operation explicitly names as written (an `Unsupported` with unknown effects may write
    /// more).
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
