//! Insertion of edges into a CFA under construction. Existing edges keep their ids and operations; new ones come last.

use cfa::{Cfa, EdgeId, Id, LocId, Op};

/// Puts a new edge with `op` in front of `e`: what entered `e`'s source takes the new edge first. Returns the new edge.
pub fn insert_before(cfa: &mut Cfa, e: EdgeId, op: Op) -> EdgeId {
    let (from, span) = (cfa.edges[e].from, cfa.edges[e].span);
    let middle = new_loc(cfa, from);
    let new = cfa.edges.push(cfa::Edge { from, to: middle, op, span });
    replace(&mut cfa.locs[from].out, e, new);
    cfa.locs[middle].into.push(new);
    cfa.locs[middle].out.push(e);
    cfa.edges[e].from = middle;
    new
}

/// Puts a new edge with `op` in front of all edges that leave `l`: they leave its new target instead, which is returned.
pub fn insert_at(cfa: &mut Cfa, l: LocId, op: Op) -> LocId {
    let out = std::mem::take(&mut cfa.locs[l].out);
    let span = out.first().map_or_else(Default::default, |&e| cfa.edges[e].span);
    let middle = new_loc(cfa, l);
    for &e in &out {
        cfa.edges[e].from = middle;
    }
    cfa.locs[middle].out = out;
    cfa.add_edge(l, middle, op, span);
    middle
}

/// Puts a new edge with `op` behind `e`. Returns the new edge.
pub fn insert_after(cfa: &mut Cfa, e: EdgeId, op: Op) -> EdgeId {
    let (to, span) = (cfa.edges[e].to, cfa.edges[e].span);
    let middle = new_loc(cfa, to);
    let new = cfa.edges.push(cfa::Edge { from: middle, to, op, span });
    replace(&mut cfa.locs[to].into, e, new);
    cfa.locs[middle].into.push(e);
    cfa.locs[middle].out.push(new);
    cfa.edges[e].to = middle;
    new
}

/// Lets `e` lead to `to`, a location of the same function.
pub fn redirect(cfa: &mut Cfa, e: EdgeId, to: LocId) {
    let old = cfa.edges[e].to;
    cfa.locs[old].into.retain(|x| *x != e);
    cfa.locs[to].into.push(e);
    cfa.edges[e].to = to;
}

fn new_loc(cfa: &mut Cfa, beside: LocId) -> LocId {
    let func = cfa.locs[beside].func;
    cfa.add_loc(func)
}

fn replace(list: &mut [EdgeId], old: EdgeId, new: EdgeId) {
    let at = list.iter().position(|x| *x == old).unwrap_or_else(|| panic!("edge {} is not listed", old.index()));
    list[at] = new;
}
