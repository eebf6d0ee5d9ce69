//! Which locals a function may read before it writes them: only these have to lose their values when the function is entered.

use cfa::view::View;
use cfa::{Cfa, FuncId, Id, LocId, Op, Range, Scope, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each function, the locals with ranges that may be read in an activation before they are written there. A backward data-flow analysis
/// over the view; cost: the number of locations times the number of such locals that are live there, mostly a few.
pub(super) fn unset(cfa: &Cfa, view: &View) -> Vec<Vec<VarId>> {
    let mut inside: Vec<Vec<LocId>> = vec![Vec::new(); cfa.funcs.len()];
    for l in view.reachable(cfa) {
        inside[cfa.locs[l].func.index()].push(l);
    }
    cfa.funcs.ids().map(|f| before_written(cfa, view, f, &inside[f.index()])).collect()
}

/// The locals of `func` that may be read from its entry on before they are written, ascending; `inside` are its locations.
fn before_written(cfa: &Cfa, view: &View, func: FuncId, inside: &[LocId]) -> Vec<VarId> {
    let is_own = |v: &VarId| {
        cfa.vars.get(*v).is_some_and(|var| var.scope == Scope::Local(func) && Range::of_sort(var.sort).is_some())
    };
    let mut enters: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for l in inside {
        for e in view.out(*l) {
            enters.entry(e.to).or_default().push(*l);
        }
    }
    // Ascending.
    let mut read: FxHashMap<LocId, Vec<VarId>> = FxHashMap::default();
    let (mut todo, mut waiting): (Vec<LocId>, FxHashSet<LocId>) = (inside.to_vec(), inside.iter().copied().collect());
    while let Some(l) = todo.pop() {
        waiting.remove(&l);
        let mut all: Vec<VarId> = Vec::new();
        for e in view.out(l) {
            let op = view.op(cfa, e);
            // What follows a step reads what the step does not write; the step itself reads before it writes.
            let written = if matches!(op, Op::Unsupported(_)) { Vec::new() } else { op.written() };
            all.extend(read.get(&e.to).into_iter().flatten().filter(|v| !written.contains(v)));
            all.extend(op.terms().iter().flat_map(|t| cfa.terms.vars(*t)).filter(is_own));
        }
        all.sort_unstable();
        all.dedup();
        if read.get(&l).map_or(&[][..], |before| before) != all {
            read.insert(l, all);
            let before = enters.get(&l).into_iter().flatten();
            todo.extend(before.copied().filter(|p| waiting.insert(*p)));
        }
    }
    read.remove(&view.rep(cfa.funcs[func].entry)).unwrap_or_default()
}
