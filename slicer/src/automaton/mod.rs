//! Specification automata: finite automata that observe an execution and say what must not happen in it. They are the observer
//! automata of BLAST (Beyer et al., "The BLAST query language for software verification", SAS 2004) and of CPAchecker
//! [Kreppel 2019, 4.3].
//!
//! ```text
//! # Locks are taken and given back in turn.
//! automaton locks
//!
//! state Unlocked initial
//!     call lock                     -> Locked
//!     call unlock                   -> ERROR "unlock() without lock()"
//!
//! state Locked
//!     call unlock                   -> Unlocked
//!     call lock                     -> ERROR "lock() twice"
//!     call resize if $1 > limit     -> ERROR "resize() beyond the limit"
//!     line main.c:17 assume x > 3   -> Locked
//!     exit                          -> ERROR "the lock is never given back"
//! ```
//!
//! # Transitions
//!
//! A transition is `EVENT [if CONDITION] [assume CONDITION] -> STATE`, where the event is one of
//!
//! | event | happens |
//! |---|---|
//! | `call f`, `call f, g` | when the program calls `f` (or `g`), directly or through a pointer, whether or not it has a body |
//! | `line N`, `line FILE:N` | when control comes to a line from another one, or from a caller |
//! | `exit` | when the program ends: by returning from `main` or calling `exit`, after the handlers that these run |
//!
//! For each event, the first transition of the current state whose condition holds is taken; if there is none, the state
//! does not change. `assume` ends executions in which its condition does not hold when the transition is taken. Instead of a state, a
//! transition may lead to `ERROR "what is wrong"`, which violates the specification, or to `STOP`, which ends the execution
//! without a violation (bottom). Several automata in one file run in parallel; on each event they make their transitions in the
//! order of the file. [`expression`] describes the conditions.
//!
//! # Weaving
//!
//! An automaton is *woven* into the raw CFA: a variable holds its state, and edges that test and set this variable are added at
//! each event. So for every analysis, slicing, certificates and replay, automata are part of the program.

mod at_loops;
mod cpachecker;
pub mod expression;
mod lookup;
mod parse;
mod weave;

pub use at_loops::{LoopCondition, LoopTest, event_at, event_before, weave_at_loops};
pub use expression::Expr;
pub use parse::parse;
pub use weave::{StateNames, Violation, Woven, weave};

use cfa::{EdgeId, ValueFormat};
use std::collections::BTreeSet;
use std::fmt;

/// An automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The name under which a violation is reported.
    pub name: String,
    /// Its states.
    pub states: Vec<State>,
    /// Index of the initial state.
    pub initial: usize,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its outgoing transitions; the first that matches is taken.
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The line of the text on which it stands.
    pub line: u32,
    /// The event at which it may be taken.
    pub event: Event,
    /// The transition is taken only where this holds.
    pub condition: Option<Expr>,
    /// Executions that take the transition end where this does not hold.
    pub assumption: Option<Expr>,
    /// Where it leads.
    pub to: Successor,
}

/// When a transition may be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Before a call of one of these functions.
    Call(Vec<String>),
    /// Where control reaches a line.
    Line {
        /// The file, or the last components of its path; `None` for any file.
        file: Option<String>,
        /// The line, from 1.
        line: u32,
    },
    /// Where the program ends.
    Exit,
    /// After one of these edges of the raw CFA, ascending. Texts have no such event; witnesses do. If `result` is given, the event is a call,
    /// and `$1` is its result, interpreted so.
    Edges {
        /// The edges.
        edges: Vec<EdgeId>,
        /// How to interpret the value that the edge sets.
        result: Option<ValueFormat>,
    },
}

/// Where a transition leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Successor {
    /// To the state of this index.
    State(usize),
    /// To a violation, with what is wrong in words.
    Error(String),
    /// Nowhere: the rest of the execution is ignored (bottom).
    Stop,
}

/// An error in an automaton: in its text, or where its conditions do not fit the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonError {
    /// Line of the text, from 1.
    pub line: u32,
    /// What is wrong and how to fix it, in one line.
    pub reason: String,
}

impl fmt::Display for AutomatonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.reason)
    }
}

impl std::error::Error for AutomatonError {}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Call(names) => write!(f, "call {}", names.join(", ")),
            Event::Line { file: Some(file), line } => write!(f, "line {file}:{line}"),
            Event::Line { file: None, line } => write!(f, "line {line}"),
            Event::Exit => f.write_str("exit"),
            Event::Edges { edges, .. } => write!(f, "{} edges", edges.len()),
        }
    }
}

/// The functions whose calls `automata` match. A front-end notes their calls in [`cfa::events::Events`].
pub fn functions(automata: &[Automaton]) -> BTreeSet<String> {
    let transitions = automata.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions);
    let named = transitions.filter_map(|t| if let Event::Call(names) = &t.event { Some(names) } else { None });
    named.flatten().cloned().collect()
}

/// The variables that conditions of `automata` name, without the paths to their parts.
pub fn variables(automata: &[Automaton]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for t in automata.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions) {
        for condition in [&t.condition, &t.assumption].into_iter().flatten() {
            condition.visit(&mut |e| {
                if let Expr::Variable(path) = e {
                    found.extend(path.split(['.', '[']).next().map(str::to_string));
                }
            });
        }
    }
    found
}
