//! The location CPA (S 2.6.4): where control is in the running function.
//!
//! Lattice: flat, over the locations of the view. Transfer: along an edge, into a called function, back to where a call returns
//! to. Merge-sep, stop-sep. It is the part of the composition that enumerates steps, so that no edge is tried in vain.

use crate::domains::callstack::{CallStack, StackId};
use crate::engine::cpa::{Action, Step};
use crate::program::Program;
use cfa::{LocId, Op};

/// Pushes the steps that control may take from `loc` under `stack`.
pub fn steps<'p>(program: &'p Program, loc: LocId, stack: StackId, stacks: &CallStack, out: &mut Vec<Step<'p>>) {
    for e in program.view.out(loc) {
        let op = program.op(e);
        let (to, action) = match op {
            Op::Call(f) => (program.entry_of(*f), Action::Enter(*f, e.to)),
            _ => (e.to, Action::Op(op)),
        };
        out.push(Step { taken: checker::Step::Edge(e.edge), from: loc, to, action });
    }
    if let Some((return_to, _)) = stacks.frame(stack)
        && loc == program.exit_of(program.cfa.locs[loc].func)
    {
        out.push(Step { taken: checker::Step::Return, from: loc, to: return_to, action: Action::Leave });
    }
}
