//! Events that a specification automaton can observe besides the location of control: calls of certain functions with their
//! arguments, and the program's end.
//!
//! A front-end that is asked for events inserts an edge without effect before each such call and at each end, and records it
//! here. Calls through pointers need no such edge: `functions` tells which functions may be called.

use crate::graph::ValueFormat;
use crate::ids::{EdgeId, FuncId, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The events of one raw CFA.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// The edge inserted before each direct call; only this edge marks the call.
    pub calls: BTreeMap<EdgeId, ObservedCall>,
    /// The edges at each end of the program, after the handlers that run when `main` returns or `exit` is called.
    pub ends: Vec<EdgeId>,
    /// The observed functions that calls through pointers may reach, with their names in C.
    pub functions: BTreeMap<FuncId, String>,
    /// How to interpret the bits of each parameter of a function; `None` where an argument is not a single value.
    pub formats: FxHashMap<String, Vec<Option<ValueFormat>>>,
}

/// A direct call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedCall {
    /// The called function's name in C.
    pub function: String,
    /// The values passed, which can be read after the edge; `None` for an argument that is not a single value.
    pub args: Vec<Option<Term>>,
}
