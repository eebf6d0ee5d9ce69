//! The call graph of a program as a list and as a graph: which functions call which, directly or through pointers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfa::dot::escape;
use cfa::{Cfa, FuncId, Op};
use serde::Serialize;
use slicer::points_to::PointsTo;

use super::{place_of, with_place};

/// A function that may be executed, and what it calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Caller {
    function: String,
    /// Where it is defined, if that is known.
    place: Option<String>,
    calls: Vec<Callee>,
}

/// A function that is called somewhere in another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Callee {
    function: String,
    how: How,
}

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum How {
    Directly,
    ThroughPointer,
    /// It has no body in the program.
    WithoutBody,
}

impl How {
    /// The note on such a call, which follows the function's name.
    fn note(self) -> &'static str {
        match self {
            How::Directly => "",
            How::ThroughPointer => " (through a pointer)",
            How::WithoutBody => " (without a body)",
        }
    }
}

/// The callers that the program's entry reaches, or that `from` reaches, in the order of their ids.
pub(super) fn callers(cfa: &Cfa, points_to: &PointsTo, from: Option<FuncId>) -> Vec<Caller> {
    let mut calls: BTreeMap<FuncId, BTreeSet<Callee>> = BTreeMap::new();
    let mut next: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
    for (e, edge) in cfa.edges.iter_enumerated() {
        let f = cfa.locs[edge.from].func;
        let callees: (&[FuncId], How) = match &edge.op {
            Op::Call(g) => (std::slice::from_ref(g), How::Directly),
            Op::CallIndirect(_) => (points_to.callees(e), How::ThroughPointer),
            _ => (&[], How::WithoutBody),
        };
        let known = callees.0.iter().map(|g| Callee { function: cfa.funcs[*g].name.clone(), how: callees.1 });
        // A label that violates the property is noted in the same place.
        let unknown = cfa.external_calls.get(&e).filter(|name| callees.0.is_empty() && !name.contains(' '));
        let unknown = unknown.map(|name| Callee { function: name.clone(), how: How::WithoutBody });
        calls.entry(f).or_default().extend(known.chain(unknown));
        next.entry(f).or_default().extend(callees.0);
    }
    let mut reached = BTreeSet::from([from.unwrap_or(cfa.entry)]);
    let mut open: Vec<FuncId> = reached.iter().copied().collect();
    while let Some(f) = open.pop() {
        open.extend(next.get(&f).into_iter().flatten().filter(|g| reached.insert(**g)));
    }
    let caller = |f: FuncId| Caller {
        function: cfa.funcs[f].name.clone(),
        place: place_of(cfa, cfa.funcs[f].span),
        calls: calls.remove(&f).unwrap_or_default().into_iter().collect(),
    };
    reached.into_iter().map(caller).collect()
}

/// One line for each caller and, indented, for each function that it calls.
pub(super) fn text(callers: &[Caller]) -> String {
    let mut out = String::new();
    for caller in callers {
        let _ = writeln!(out, "{}", with_place(&caller.function, &caller.place));
        for callee in &caller.calls {
            let _ = writeln!(out, "  {}{}", callee.function, callee.how.note());
        }
    }
    out
}

/// The graph in Graphviz's language: calls through pointers are dashed, functions without a body have dashed frames.
pub(super) fn dot(callers: &[Caller]) -> String {
    let mut out = String::from("digraph calls {\n  node [shape=box fontsize=10];\n");
    let mut number: BTreeMap<&str, usize> = BTreeMap::new();
    for caller in callers {
        number.insert(&caller.function, number.len());
    }
    let defined = number.len();
    for callee in callers.iter().flat_map(|c| &c.calls) {
        let fresh = number.len();
        number.entry(&callee.function).or_insert(fresh);
    }
    for (name, i) in &number {
        let style = if *i < defined { "" } else { " style=dashed" };
        let _ = writeln!(out, "  f{i} [label=\"{}\"{style}];", escape(name));
    }
    for caller in callers {
        for callee in &caller.calls {
            let style = if callee.how == How::ThroughPointer { " [style=dashed]" } else { "" };
            let _ = writeln!(out, "  f{} -> f{}{style};", number[&*caller.function], number[&*callee.function]);
        }
    }
    out.push_str("}\n");
    out
}
