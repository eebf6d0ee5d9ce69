//! The location CPA [Lemberger 2018, 2.6.4]: where control is in the running function.
//!
//! Lattice: flat, over the locations of the view. Transfer: along an edge, into a called function, or back to the return location of a
//! call. Merge-sep, stop-sep. This part of the composition enumerates the steps, so that only edges that leave the location are tried.

use crate::cpa::skeleton::callstack::{CallStack, StackId};
use crate::cpa::{Action, Step};
use crate::program::Program;
use cfa::view::ViewEdge;
use cfa::{LocId, Op};

/// Pushes the steps that control may take from `loc` under `stack`.
pub fn steps<'p>(program: &'p Program, loc: LocId, stack: StackId, stacks: &CallStack, out: &mut Vec<Step<'p>>) {
    out.extend(program.view.out(loc).iter().map(|e| along(program, loc, e)));
    if let Some((return_to, _)) = stacks.frame(stack)
        && loc == program.exit_of(program.cfa.locs[loc].func)
    {
        out.push(back(loc, return_to));
    }
}

/// A path from the program's entry, step by step.
pub struct Walk<'p> {
    program: &'p Program,
    /// Where control is.
    pub at: LocId,
    /// Where the running activations return to, the innermost last.
    returns: Vec<LocId>,
}

impl<'p> Walk<'p> {
    /// The empty path.
    pub fn new(program: &'p Program) -> Walk<'p> {
        Walk { program, at: program.start(), returns: Vec::new() }
    }

    /// The steps that control may take next.
    pub fn steps(&self) -> Vec<Step<'p>> {
        leaving(self.program, self.at, self.returns.last().copied())
    }

    /// Takes the step named `taken`.
    ///
    /// # Panics
    /// If there is no such step.
    pub fn take(&mut self, taken: checker::Step) -> Step<'p> {
        let step = step(self.program, self.at, self.returns.last().copied(), taken);
        match step.action {
            Action::Op(_) => {}
            Action::Enter(_, return_to) => self.returns.push(return_to),
            Action::Leave => drop(self.returns.pop()),
        }
        self.at = step.to;
        step
    }
}

/// The steps that control may take from `loc`, where `return_to` is the return location of the top frame.
pub fn leaving(program: &Program, loc: LocId, return_to: Option<LocId>) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = program.view.out(loc).iter().map(|e| along(program, loc, e)).collect();
    if let Some(return_to) = return_to
        && loc == program.exit_of(program.cfa.locs[loc].func)
    {
        steps.push(back(loc, return_to));
    }
    steps
}

/// The step named `taken` that control may take from `loc`, where `return_to` is the return location of the top frame.
///
/// # Panics
/// If there is no such step.
pub fn step<'p>(program: &'p Program, loc: LocId, return_to: Option<LocId>, taken: checker::Step) -> Step<'p> {
    match taken {
        checker::Step::Edge(edge) => {
            let e = program.view.out(loc).iter().find(|e| e.edge == edge);
            along(program, loc, e.expect("an edge that leaves the location"))
        }
        checker::Step::Return => back(loc, return_to.expect("a caller")),
    }
}

fn along<'p>(program: &'p Program, from: LocId, e: &ViewEdge) -> Step<'p> {
    let op = program.op(e);
    let (to, action) = match op {
        Op::Call(f) => (program.entry_of(*f), Action::Enter(*f, e.to)),
        _ => (e.to, Action::Op(op)),
    };
    Step { taken: checker::Step::Edge(e.edge), from, to, action }
}

fn back<'p>(from: LocId, return_to: LocId) -> Step<'p> {
    Step { taken: checker::Step::Return, from, to: return_to, action: Action::Leave }
}
