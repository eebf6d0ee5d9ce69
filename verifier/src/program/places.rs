//! How verdicts describe places in the source.

use cfa::{Cfa, Edge, EdgeId, FuncId, Op, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Maximum number of calls that are named.
const CALLS: usize = 3;

/// Where an edge is, in words: `at FILE:LINE`, or `in FUNCTION at FILE:LINE` with the places of calls. A user does not have the source of library
/// models, and functions without debug information (such as those of the compiler's headers) have no places: for these, where the program
/// calls them.
pub fn place_in_words(cfa: &Cfa, edge: EdgeId) -> String {
    let has_no_place = |f: FuncId, span: Span| cfa.funcs[f].library || span.line == 0;
    let Edge { from, span, .. } = cfa.edges[edge];
    let func = cfa.locs[from].func;
    let mut calls: BTreeSet<(String, String)> = BTreeSet::new();
    let (mut work, mut seen) = (Vec::new(), FxHashSet::from_iter([func]));
    if has_no_place(func, span) {
        work.push(func);
    }
    while let Some(callee) = work.pop() {
        for e in cfa.edges.iter().filter(|e| matches!(&e.op, Op::Call(f) if *f == callee)) {
            let caller = cfa.locs[e.from].func;
            if !has_no_place(caller, e.span) {
                calls.insert((name_of_copy(&cfa.funcs[callee].name).into(), cfa.place(e.span)));
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

/// The name of the function of which `name` is a copy, or `name`: copies have a number, which the names of C functions do not have.
fn name_of_copy(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((of, number)) if number.bytes().all(|b| b.is_ascii_digit()) => of,
        _ => name,
    }
}
