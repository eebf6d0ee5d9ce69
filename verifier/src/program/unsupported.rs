//! How verdicts describe constructs without a model.

use super::Program;
use cfa::{EdgeId, Op};

/// An unsupported construct and its place in the source, in words.
pub fn unsupported_construct(program: &Program, edge: EdgeId) -> String {
    let e = &program.cfa.edges[edge];
    let what = match &e.op {
        Op::Unsupported(u) => u.reason.as_str(),
        _ => "unresolved call through a pointer",
    };
    format!("{what} at {}", program.cfa.place(e.span))
}
