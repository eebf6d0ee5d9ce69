//! How verdicts describe constructs without a model.

use super::Program;
use cfa::{Cfa, EdgeId, Op};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// An unsupported construct and its place in the source, in words.
pub fn unsupported_construct(program: &Program, edge: EdgeId) -> String {
    let cfa = &program.cfa;
    construct(cfa, edge)
        .unwrap_or_else(|| format!("unresolved call through a pointer at {}", cfa.place(cfa.edges[edge].span)))
}

/// The construct without a model that these words describe, if there is one.
pub fn edge_of(cfa: &Cfa, words: &str) -> Option<EdgeId> {
    cfa.edges.ids().find(|e| construct(cfa, *e).is_some_and(|described| described == words))
}

fn construct(cfa: &Cfa, edge: EdgeId) -> Option<String> {
    let e = &cfa.edges[edge];
    match &e.op {
        Op::Unsupported(u) => Some(format!("{} {}", u.reason, place(cfa, edge))),
        _ => None,
    }
}

/// Maximum number of calls that are named.
const CALLS: usize = 3;

/// Where an edge is, in words. A user does not have the source of library models: for these, where the program calls them.
fn place(cfa: &Cfa, edge: EdgeId) -> String {
    let func = cfa.locs[cfa.edges[edge].from].func;
    let mut calls: BTreeSet<(String, String)> = BTreeSet::new();
    let (mut work, mut seen) = (vec![func], FxHashSet::from_iter([func]));
    while let Some(callee) = work.pop().filter(|f| cfa.funcs[*f].library) {
        for e in cfa.edges.iter().filter(|e| matches!(&e.op, Op::Call(f) if *f == callee)) {
            let caller = cfa.locs[e.from].func;
            if !cfa.funcs[caller].library {
                calls.insert((cfa.funcs[callee].name.clone(), cfa.place(e.span)));
            } else if seen.insert(caller) {
                work.push(caller);
            }
        }
    }
    if calls.is_empty() {
        return format!("at {}", cfa.place(cfa.edges[edge].span));
    }
    let named: Vec<String> = calls.iter().take(CALLS).map(|(name, place)| format!("{name} at {place}")).collect();
    match calls.len() - named.len() {
        0 => format!("in {}", named.join(", ")),
        more => format!("in {} and {more} more calls", named.join(", ")),
    }
}
