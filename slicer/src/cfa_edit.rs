//! Insertion of edges into a CFA under construction.
//!
//! Existing edges keep their ids and operations. New edges get the next ids, and the source position and origin of the edge at which
//! they are inserted.

use cfa::{Cfa, Edge, EdgeId, Id, LocId, Op, Origin, Span};

/// Inserts a new edge with `op` before `e`: the edges into `e`'s source now enter the new edge first. Returns the new edge.
pub(crate) fn insert_before(cfa: &mut Cfa, e: EdgeId, op: Op) -> EdgeId {
    let Edge { from, span, origin, .. } = cfa.edges[e];
    let middle = new_loc(cfa, from);
    let new = cfa.edges.push(Edge { from, to: middle, op, span, origin });
    replace(&mut cfa.locs[from].out, e, new);
    cfa.locs[middle].into.push(new);
    cfa.locs[middle].out.push(e);
    cfa.edges[e].from = middle;
    new
}

/// Inserts a new edge with `op` before all edges that leave `l`: they leave the new edge's target instead, which is returned.
pub(crate) fn insert_at(cfa: &mut Cfa, l: LocId, op: Op) -> LocId {
    let out = std::mem::take(&mut cfa.locs[l].out);
    let (span, origin) =
        out.first().map_or((Span::default(), Origin::NONE), |&e| (cfa.edges[e].span, cfa.edges[e].origin));
    let middle = new_loc(cfa, l);
    for &e in &out {
        cfa.edges[e].from = middle;
    }
    cfa.locs[middle].out = out;
    let new = cfa.add_edge(l, middle, op, span);
    cfa.edges[new].origin = origin;
    middle
}

/// Inserts a new edge with `op` after `e`. Returns the new edge.
pub(crate) fn insert_after(cfa: &mut Cfa, e: EdgeId, op: Op) -> EdgeId {
    let Edge { to, span, origin, .. } = cfa.edges[e];
    let middle = new_loc(cfa, to);
    let new = cfa.edges.push(Edge { from: middle, to, op, span, origin });
    replace(&mut cfa.locs[to].into, e, new);
    cfa.locs[middle].into.push(e);
    cfa.locs[middle].out.push(new);
    cfa.edges[e].to = middle;
    new
}

/// A new edge with the source position and origin of `like`.
pub(crate) fn add_like(cfa: &mut Cfa, like: EdgeId, from: LocId, to: LocId, op: Op) -> EdgeId {
    let Edge { span, origin, .. } = cfa.edges[like];
    let new = cfa.add_edge(from, to, op, span);
    cfa.edges[new].origin = origin;
    new
}

/// Moves the source of `e` to `from`, a location of the same function.
pub(crate) fn move_source(cfa: &mut Cfa, e: EdgeId, from: LocId) {
    let old = cfa.edges[e].from;
    cfa.locs[old].out.retain(|x| *x != e);
    cfa.locs[from].out.push(e);
    cfa.edges[e].from = from;
}

/// Moves the target of `e` to `to`, a location of the same function.
pub(crate) fn redirect(cfa: &mut Cfa, e: EdgeId, to: LocId) {
    let old = cfa.edges[e].to;
    cfa.locs[old].into.retain(|x| *x != e);
    cfa.locs[to].into.push(e);
    cfa.edges[e].to = to;
}

/// A new location of the function of `beside`.
pub(crate) fn new_loc(cfa: &mut Cfa, beside: LocId) -> LocId {
    let func = cfa.locs[beside].func;
    cfa.add_loc(func)
}

fn replace(list: &mut [EdgeId], old: EdgeId, new: EdgeId) {
    let at = list.iter().position(|x| *x == old).unwrap_or_else(|| panic!("edge {} is not listed", old.index()));
    list[at] = new;
}
