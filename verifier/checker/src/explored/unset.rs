//! Which locals a function may read before it writes them: only these have to lose their values when the function is entered.

use cfa::view::View;
use cfa::{Cfa, FuncId, Id, LocId, Op, Range, Scope, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// For each function, the locals with ranges that may be read in an activation before they are written there. A backward data-flow analysis
/// over the view; cost: the number of locations times the number of locals of each function, in words of a bit set.
pub(super) fn unset(cfa: &Cfa, view: &View) -> Vec<Vec<VarId>> {
    let mut locals: Vec<Vec<VarId>> = vec![Vec::new(); cfa.funcs.len()];
    for (v, var) in cfa.vars.iter_enumerated() {
        if let (Scope::Local(f), Some(_)) = (var.scope, Range::of_sort(var.sort)) {
            locals[f.index()].push(v);
        }
    }
    let mut inside: Vec<Vec<LocId>> = vec![Vec::new(); cfa.funcs.len()];
    for l in view.reachable(cfa) {
        inside[cfa.locs[l].func.index()].push(l);
    }
    let of = |f: FuncId| before_written(cfa, view, f, &inside[f.index()], &locals[f.index()]);
    cfa.funcs.ids().map(of).collect()
}

/// The locals of `func` among `locals` that may be read from its entry on before they are written; `inside` are its locations.
fn before_written(cfa: &Cfa, view: &View, func: FuncId, inside: &[LocId], locals: &[VarId]) -> Vec<VarId> {
    let number: FxHashMap<VarId, usize> = locals.iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut enters: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    for l in inside {
        for e in view.out(*l) {
            enters.entry(e.to).or_default().push(*l);
        }
    }
    let mut read: FxHashMap<LocId, FixedBitSet> =
        inside.iter().map(|l| (*l, FixedBitSet::with_capacity(locals.len()))).collect();
    let (mut todo, mut waiting): (Vec<LocId>, FxHashSet<LocId>) = (inside.to_vec(), inside.iter().copied().collect());
    while let Some(l) = todo.pop() {
        waiting.remove(&l);
        let mut all = FixedBitSet::with_capacity(locals.len());
        for e in view.out(l) {
            let op = view.op(cfa, e);
            let mut after = read.get(&e.to).cloned().unwrap_or_default();
            // What follows a step reads what the step does not write; the step itself reads before it writes.
            if !matches!(op, Op::Unsupported(_)) {
                op.written().iter().filter_map(|v| number.get(v)).for_each(|i| after.set(*i, false));
            }
            all.union_with(&after);
            let reads = op.terms();
            for v in reads.iter().flat_map(|t| cfa.terms.vars(*t)) {
                number.get(&v).into_iter().for_each(|i| all.insert(*i));
            }
        }
        if read[&l] != all {
            read.insert(l, all);
            let before = enters.get(&l).into_iter().flatten();
            todo.extend(before.copied().filter(|p| waiting.insert(*p)));
        }
    }
    let entry = view.rep(cfa.funcs[func].entry);
    read.get(&entry).into_iter().flat_map(|set| set.ones()).map(|i| locals[i]).collect()
}
