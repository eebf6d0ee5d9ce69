//! What of an execution a specification automaton can observe beside the place where control is: calls of certain functions with
//! what they are passed, and the program's end.
//!
//! A front-end that is asked for events puts an edge that does nothing in front of each such call and at each end, and notes
//! it here. Calls through pointers need no edge of their own: who may be called stands in `functions`.

use crate::graph::ValueFormat;
use crate::ids::{EdgeId, FuncId, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The events of one raw CFA.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// Edges that a direct call passes first, by which alone it can be told that there is one.
    pub calls: BTreeMap<EdgeId, ObservedCall>,
    /// Edges that the program passes last: behind what runs when `main` returns or `exit` is called.
    pub ends: Vec<EdgeId>,
    /// The functions observed that calls through pointers may reach, with their names in C.
    pub functions: BTreeMap<FuncId, String>,
    /// How the bits of each parameter of a function are to be read; `None` where an argument is no single value.
    pub formats: FxHashMap<String, Vec<Option<ValueFormat>>>,
}

/// A direct call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedCall {
    /// The called function's name in C.
    pub function: String,
    /// The values passed, readable behind the edge; `None` for what is no single value.
    pub args: Vec<Option<Term>>,
}
