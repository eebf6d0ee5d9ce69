//! How verdicts describe constructs without a model.

use super::Program;
use cfa::{EdgeId, Op};

/// The reason that names an unsupported construct and its place in the source.
pub fn unsupported_reason(program: &Program, edge: EdgeId) -> String {
    let e = &program.cfa.edges[edge];
    let what = match &e.op {
        Op::Unsupported(u) => u.reason.as_str(),
        _ => "unresolved call through a pointer",
    };
    format!("unsupported: {what} at {}", program.cfa.place(e.span))
}
