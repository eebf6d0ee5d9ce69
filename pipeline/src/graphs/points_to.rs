//! What variables and memory may point to, as a list and as a graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfa::dot::escape;
use cfa::{Cfa, FuncId, ObjectId, ObjectKind, Op, Scope, Span, VarId};
use serde::Serialize;
use slicer::points_to::{Pointee, PointsTo};

use super::{place_of, with_place};

/// A variable, or an object of memory, that may hold addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Pointer {
    name: String,
    /// Where an object is declared or allocated, or where a variable is first set; if that is known.
    place: Option<String>,
    points_to: Vec<Target>,
}

/// Where an address may point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Target {
    object: String,
    /// Where the object is declared or allocated, if that is known.
    place: Option<String>,
    /// The distance from the object's beginning in bytes; `None` for any.
    offset: Option<i64>,
}

/// What to list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection {
    /// Only what belongs to this function.
    pub function: Option<FuncId>,
    /// Whether to list values that have no name in the source, too: in C, each address that is computed or loaded.
    pub unnamed: bool,
}

/// The objects whose contents may be addresses, then the variables.
pub(super) fn pointers(cfa: &Cfa, points_to: &PointsTo, wanted: Selection) -> Vec<Pointer> {
    let in_function = |f: Option<FuncId>| wanted.function.is_none() || wanted.function == f;
    let is_outside = |o: ObjectId| cfa.objects[o].kind == ObjectKind::Outside;
    let objects = cfa.objects.ids().filter(|o| !is_outside(*o) && in_function(owner(cfa, *o))).map(|o| Pointer {
        name: cfa.objects[o].name.clone(),
        place: place_of_object(cfa, o),
        points_to: targets(cfa, points_to.contents(o)),
    });
    let first_set = first_set(cfa);
    let from_text = !cfa.funcs[cfa.entry].is_start();
    let variables = cfa.vars.iter_enumerated().filter(|(_, var)| {
        let of = if let Scope::Local(f) = var.scope { Some(f) } else { None };
        in_function(of) && (wanted.unnamed || from_text || var.source.is_some())
    });
    let variables = variables.map(|(v, var)| Pointer {
        name: var.name.clone(),
        place: first_set.get(&v).and_then(|span| place_of(cfa, *span)),
        points_to: targets(cfa, points_to.of_var(v)),
    });
    objects.chain(variables).filter(|pointer| !pointer.points_to.is_empty()).collect()
}

/// The function that an object of memory belongs to.
fn owner(cfa: &Cfa, o: ObjectId) -> Option<FuncId> {
    match cfa.objects[o].kind {
        ObjectKind::Stack(f) | ObjectKind::Site(f) => Some(f),
        ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Outside => None,
    }
}

fn place_of_object(cfa: &Cfa, o: ObjectId) -> Option<String> {
    match cfa.objects[o].kind {
        ObjectKind::Function(f) => place_of(cfa, cfa.funcs[f].span),
        _ => place_of(cfa, cfa.objects[o].span),
    }
}

fn targets(cfa: &Cfa, pointees: &[Pointee]) -> Vec<Target> {
    let target = |&(o, offset): &Pointee| Target {
        object: cfa.objects[o].name.clone(),
        place: place_of_object(cfa, o),
        offset: offset.as_exact(),
    };
    pointees.iter().map(target).collect()
}

/// The position of the first edge, in their order, that sets each variable.
fn first_set(cfa: &Cfa) -> BTreeMap<VarId, Span> {
    let mut first: BTreeMap<VarId, Span> = BTreeMap::new();
    for edge in cfa.edges.iter() {
        let set: Vec<VarId> = match &edge.op {
            Op::Assign(list) => list.iter().map(|(v, _)| *v).collect(),
            Op::Input { var, .. } => vec![*var],
            Op::CallIndirect(call) => call.result.into_iter().collect(),
            _ => Vec::new(),
        };
        for v in set {
            first.entry(v).or_insert(edge.span);
        }
    }
    first
}

/// The offset as it follows a name.
fn offset(target: &Target) -> String {
    match target.offset {
        Some(0) => String::new(),
        Some(bytes) => format!("{bytes:+}"),
        None => "+?".into(),
    }
}

/// One line for each pointer and, indented, for each place to which it may point.
pub(super) fn text(pointers: &[Pointer]) -> String {
    let mut out = String::new();
    for pointer in pointers {
        let _ = writeln!(out, "{}", with_place(&pointer.name, &pointer.place));
        for target in &pointer.points_to {
            let _ = writeln!(out, "  {}", with_place(&format!("{}{}", target.object, offset(target)), &target.place));
        }
    }
    if out.is_empty() { "nothing holds an address\n".into() } else { out }
}

/// The graph in Graphviz's language.
pub(super) fn dot(pointers: &[Pointer]) -> String {
    let mut labels: BTreeMap<&str, String> = BTreeMap::new();
    let mut arrows = BTreeSet::new();
    for pointer in pointers {
        labels.insert(&pointer.name, with_place(&pointer.name, &pointer.place));
        for target in &pointer.points_to {
            labels.entry(&target.object).or_insert_with(|| with_place(&target.object, &target.place));
            arrows.insert((&*pointer.name, &*target.object, offset(target)));
        }
    }
    let number: BTreeMap<&str, usize> = labels.keys().copied().zip(0..).collect();
    let mut out = String::from("digraph pointers {\n  node [shape=box fontsize=10];\n  edge [fontsize=9];\n");
    for (name, label) in &labels {
        let _ = writeln!(out, "  n{} [label=\"{}\"];", number[name], escape(label));
    }
    for (from, to, offset) in arrows {
        let _ = writeln!(out, "  n{} -> n{} [label=\"{offset}\"];", number[from], number[to]);
    }
    out.push_str("}\n");
    out
}
