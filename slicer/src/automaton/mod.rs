//! Specification automata: what must not happen in an execution, as finite automata that observe it (the observer automata of
//! BLAST, "The BLAST query language for software verification", SAS 2004, and of CPAchecker; Kreppel 2019, 4.3).
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
//! A transition is `EVENT [if CONDITION] [assume CONDITION] -> STATE`, where the event is one of
//!
//! | event | happens |
//! |---|---|
//! | `call f`, `call f, g` | when the program calls `f` (or `g`), directly or through a pointer, whether or not it has a body |
//! | `line N`, `line FILE:N` | when control comes to a line from another one, or from a caller |
//! | `exit` | when the program ends: by returning from `main` or calling `exit`, behind what these run |
//!
//! Of the present state's transitions for an event, the first whose condition holds is taken; if there is none, the state stays. `assume`
//! ends executions in which its condition does not hold, once the transition is taken. Instead of a state may stand `ERROR "what is
//! wrong"`, which violates the specification, or `STOP`, which ends the execution without a violation (bottom). Several automata in
//! one file run beside each other, on each event in the order in which they stand there. [`expression`] says what conditions are made of.
//!
//! An automaton is *woven* into the raw CFA: a variable holds its state, and each event gets tests and assignments of it. So every
//! analysis, slicing, certificates and replay take automata for part of the program.

pub mod expression;
mod lookup;
mod parse;
mod weave;

pub use expression::Expr;
pub use parse::parse;
pub use weave::{StateNames, Violation, Woven, weave};

use std::collections::BTreeSet;
use std::fmt;

/// An automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// Its name, under which a violation is reported.
    pub name: String,
    /// Its states.
    pub states: Vec<State>,
    /// Index of the state in which executions begin.
    pub initial: usize,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What leaves it; the first that matches is taken.
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The line of the text where it stands.
    pub line: u32,
    /// When it may be taken.
    pub event: Event,
    /// It is taken only where this holds.
    pub condition: Option<Expr>,
    /// Executions that take it end where this does not hold.
    pub assumption: Option<Expr>,
    /// Where it leads.
    pub to: Successor,
}

/// When a transition may be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// In front of a call of one of these functions.
    Call(Vec<String>),
    /// Where control comes to a line.
    Line {
        /// The file, or the end of its path; any file without one.
        file: Option<String>,
        /// The line, from 1.
        line: u32,
    },
    /// Where the program ends.
    Exit,
}

/// Where a transition leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Successor {
    /// To the state of this index.
    State(usize),
    /// To a violation, with what is wrong in words.
    Error(String),
    /// Nowhere: what comes behind it is not looked at (bottom).
    Stop,
}

/// What is wrong with an automaton, or with it in this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonError {
    /// Line of the text, from 1.
    pub line: u32,
    /// What is wrong, and what would be right; one line.
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
        }
    }
}

/// The functions whose calls `automata` match: a front-end notes these in [`cfa::events::Events`].
pub fn functions(automata: &[Automaton]) -> BTreeSet<String> {
    let transitions = automata.iter().flat_map(|a| &a.states).flat_map(|s| &s.transitions);
    let named = transitions.filter_map(|t| if let Event::Call(names) = &t.event { Some(names) } else { None });
    named.flatten().cloned().collect()
}

/// The variables that conditions of `automata` name, without paths to parts of them.
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
