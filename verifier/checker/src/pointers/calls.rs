//! Checks that calls of addresses from outside did not become closed when they were replaced by calls by name.

use super::{NotClosed, Verdict};
use cfa::pointers::PointerClaims;
use cfa::{Cfa, EdgeId, Id, LocId, Op, RawCfa};
use fixedbitset::FixedBitSet;

/// Checks that in the `prepared` program, each indirect call of `raw` that may leave the program according to `claims` can come to an unsupported
/// edge, which is where addresses go that are called by no name. Cost: linear in what replaces these calls.
pub fn check_open_calls(raw: &RawCfa, claims: &PointerClaims, prepared: &Cfa) -> Verdict {
    let mut open: Vec<EdgeId> = claims.open_calls.iter().copied().collect();
    open.sort_unstable();
    let mut seen = FixedBitSet::with_capacity(prepared.locs.len());
    match open.into_iter().find(|e| !is_open(raw, prepared, *e, &mut seen)) {
        Some(e) => {
            Err(NotClosed(format!("a call at {} cannot leave the program", raw.cfa.place(raw.cfa.edges[e].span))))
        }
        None => Ok(()),
    }
}

/// Whether a path of edges that stand for the call `e` leads to an unsupported one. `seen` is empty before and after.
fn is_open(raw: &RawCfa, prepared: &Cfa, e: EdgeId, seen: &mut FixedBitSet) -> bool {
    let origin = raw.cfa.edges[e].origin;
    // Edges keep their ids, and what is inserted before an edge leads to it.
    let mut found: Vec<LocId> = vec![prepared.edges[e].from];
    seen.insert(found[0].index());
    let (mut next, mut is_open) = (0, false);
    while let Some(&l) = found.get(next).filter(|_| !is_open) {
        next += 1;
        for &x in prepared.out(l) {
            let edge = &prepared.edges[x];
            if edge.origin != origin {
                continue;
            }
            is_open |= matches!(edge.op, Op::Unsupported(_));
            if !seen.put(edge.to.index()) {
                found.push(edge.to);
            }
        }
    }
    found.iter().for_each(|l| seen.set(l.index(), false));
    is_open
}
