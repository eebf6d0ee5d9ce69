//! Which slots of the stack may be gone where they are accessed: those of functions that may have returned, and those whose scope may
//! have ended. And where addresses of slots are computed: before that, no pointer is one to the present instance of a slot.

use cfa::term::{Kind, Term};
use cfa::{Cfa, EdgeId, FuncId, Id, Lifetime, LocId, ObjectId, ObjectKind, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of visits of locations for all slots together; beyond it, a slot may be gone anywhere.
const MAX_VISITS: usize = 20_000_000;

/// Where slots may be gone.
pub(super) struct Gone {
    /// For each slot whose scope ends before its function returns, the locations of the function that can be reached from an end of the
    /// scope without another beginning; `None`: all of them.
    after_end: FxHashMap<ObjectId, Option<FxHashSet<LocId>>>,
}

impl Gone {
    /// Searches from each end of a scope. Cost: linear in the size of the function, for each slot.
    pub(super) fn new(cfa: &Cfa) -> Gone {
        let mut ends: Vec<(ObjectId, LocId)> = Vec::new();
        for (e, event) in &cfa.lifetimes {
            if let Lifetime::Ends(Slot::Object(o)) = event {
                ends.push((*o, cfa.edges[*e].to));
            }
        }
        ends.sort_unstable();
        let mut visits = 0;
        let mut after_end = FxHashMap::default();
        for group in ends.chunk_by(|a, b| a.0 == b.0) {
            let o = group[0].0;
            let starts = |e: EdgeId| cfa.lifetimes.get(&e) == Some(&Lifetime::Starts(Slot::Object(o)));
            let mut found = FxHashSet::default();
            let mut open: Vec<LocId> = group.iter().map(|(_, l)| *l).collect();
            while let Some(l) = open.pop().filter(|_| visits < MAX_VISITS) {
                if found.insert(l) {
                    visits += 1;
                    open.extend(cfa.out(l).iter().filter(|e| !starts(**e)).map(|e| cfa.edges[*e].to));
                }
            }
            after_end.insert(o, (visits < MAX_VISITS).then_some(found));
        }
        Gone { after_end }
    }

    /// Whether `o` may be gone where `e` is executed.
    pub(super) fn may_be(&self, cfa: &Cfa, o: ObjectId, e: EdgeId) -> bool {
        let from = cfa.edges[e].from;
        let is_past_end = || match self.after_end.get(&o) {
            Some(Some(after)) => after.contains(&from),
            Some(None) => true,
            None => false,
        };
        let elsewhere = |f: FuncId| f != cfa.locs[from].func;
        matches!(cfa.objects[o].kind, ObjectKind::Stack(f) if elsewhere(f) || is_past_end())
    }
}

/// Notes at each edge the slots whose addresses it computes, other than to access them there.
pub(super) fn note_addresses(cfa: &mut Cfa) {
    let mut found: Vec<(EdgeId, Vec<ObjectId>)> = Vec::new();
    // The last edge at which each term was met.
    let mut seen: Vec<Option<EdgeId>> = vec![None; cfa.terms.len()];
    let mut todo: Vec<Term> = Vec::new();
    for (e, edge) in cfa.edges.iter_enumerated() {
        let mut slots: Vec<ObjectId> = Vec::new();
        todo.extend(edge.op.terms());
        while let Some(t) = todo.pop() {
            if seen[t.index()].replace(e) == Some(e) {
                continue;
            }
            let args = cfa.terms.args(t);
            match cfa.terms.kind(t) {
                Kind::Addr(o) if matches!(cfa.objects[o].kind, ObjectKind::Stack(_)) => slots.push(o),
                Kind::Read => todo.push(args[0]),
                Kind::Write => todo.extend([args[0], args[2]]),
                Kind::Copy => todo.extend([args[0], args[2]]),
                _ => todo.extend(args),
            }
        }
        if !slots.is_empty() {
            slots.sort_unstable();
            found.push((e, slots));
        }
    }
    cfa.memory.taken = found.into_iter().map(|(e, slots)| (e, slots.into())).collect();
}
