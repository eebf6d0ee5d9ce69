//! How verdicts describe constructs without a model.

use super::Program;
use crate::program::places::place_in_words;
use cfa::{Cfa, EdgeId, Op};

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
        Op::Unsupported(u) => Some(format!("{} {}", u.reason, place_in_words(cfa, edge))),
        _ => None,
    }
}
