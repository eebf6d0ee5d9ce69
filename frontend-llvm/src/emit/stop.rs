//! How an execution ends in a slice where it cannot reach the criterion any more.
//!
//! Where nothing after the calls of a function matters either, the function returns: its callers end in the same way, up to `main`. This
//! takes one instruction. Elsewhere a call of `exit` ends the execution.

use super::index::Index;
use crate::ir::{AttributeLoc, Opcode, Value};
use cfa::view::Slice;
use cfa::{FuncId, Id, Op};
use rustc_hash::{FxHashMap, FxHashSet};

/// The functions of the program after whose returns no criterion can be reached, so that returning from them ends the execution. `entry` is
/// the name of the function where the program begins.
pub(super) fn returning<'m>(index: &Index<'_, 'm>, slice: &Slice, entry: &str) -> FxHashSet<Value<'m>> {
    let matters = exits_that_matter(index, slice);
    let of_program = index.program.functions().into_iter().filter(|f| !f.is_declaration());
    let ends = |f: &Value<'m>| {
        // Who calls another entry goes on.
        let is_main = f.name() == "main";
        let is_called =
            if f.name() == entry { is_main && !f.has_users() } else { f.users().into_iter().all(|u| calls(u, *f)) };
        let id = index.provenance.functions.get(f);
        is_called
            && id.is_some_and(|id| !matters.contains(id))
            && !f.has_attribute(AttributeLoc::Function, "noreturn")
            && !f.has_attribute(AttributeLoc::Function, "naked")
    };
    of_program.filter(ends).collect()
}

/// The functions after whose return the slice does something.
fn exits_that_matter(index: &Index<'_, '_>, slice: &Slice) -> FxHashSet<FuncId> {
    let cfa = index.cfa;
    let mut found: FxHashSet<FuncId> = FxHashSet::default();
    // For each function, those at whose end it is called.
    let mut last: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    for (e, edge) in cfa.edges.iter_enumerated() {
        let Op::Call(f) = edge.op else { continue };
        if !slice.live.contains(e.index()) {
            continue;
        }
        let caller = cfa.locs[edge.to].func;
        if cfa.out(edge.to).iter().any(|next| slice.live.contains(next.index())) {
            found.insert(f);
        } else if edge.to == cfa.funcs[caller].exit {
            last.entry(caller).or_default().push(f);
        }
    }
    let mut open: Vec<FuncId> = found.iter().copied().collect();
    while let Some(caller) = open.pop() {
        let ended = last.remove(&caller).unwrap_or_default();
        open.extend(ended.into_iter().filter(|f| found.insert(*f)));
    }
    found
}

/// Whether a use of the function `f` is a direct call after which control may come back.
fn calls(user: Value, f: Value) -> bool {
    user.is_instruction()
        && user.opcode() == Opcode::Call
        && user.called() == f
        && !user.call_args().contains(&f)
        && !user.has_call_attribute(AttributeLoc::Function, "noreturn")
        && user.next().is_some_and(|next| next.opcode() != Opcode::Unreachable)
}
