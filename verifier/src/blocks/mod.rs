//! Blocks: parts of a program without cycles, each with one formula for all paths through it (adjustable-block encoding; Beyer,
//! Keremoglu, Wendler, FMCAD 2010).
//!
//! A block begins at the start of the program or where a block ended. Blocks end at the heads of loops and before calls of recursive
//! functions, so that each is finite; by a setting also at calls and returns, or after each edge ([`Blocks`]).
//!
//! ```text
//! x = 0; while (x < n) { if (*) x++; else x += 2; }
//!
//! first block:  true,                 x := 0
//! loop block:   x < n and c in {0, 1}, x := ite(c = 0, x + 1, x + 2)
//! ```
//!
//! Reading order: this file (where blocks end), `symbols` (what formulas speak of), `formula`, `trace` (blocks one after
//! the other), `relevant` and `values` (which variables a trace needs, and what these are), `prefixes` (why it is infeasible), `path` (one path through them), `graph` (all blocks of a program, each with all its paths), `certificate` (proofs on that graph), `system` (the graph as
//! a transition system), `unrolling` (its executions, as formulas).

mod certificate;
mod formula;
mod graph;
mod path;
mod prefixes;
mod relevant;
mod symbols;
mod system;
mod trace;
mod unrolling;
mod values;

pub use certificate::{CutNode, certificate};
pub use formula::{Formula, Maker, Stepped, Written};
pub use graph::{BlockGraph, BlockPaths, CutId, Exit, ExitKind, Inner, Next};
pub use path::path;
pub use prefixes::infeasible_prefixes;
pub use relevant::{relevant, without_dear};
pub use symbols::{StackId, Symbol};
pub use system::{Bad, Limits, System, Transition};
pub use trace::{Block, BlockTrace, Cut, Place, symbol_of};
pub use unrolling::{Reached, Unrolling};
pub use values::Values;

use crate::cpa::{Action, Step};
use crate::program::Program;
use cfa::{Id, LocId, Op};
use fixedbitset::FixedBitSet;

/// Where blocks end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Blocks {
    /// At the heads of loops and before calls of recursive functions.
    #[default]
    Loops,
    /// There, at all calls and at all returns.
    Calls,
    /// After each edge (single-block encoding).
    Edges,
}

impl Blocks {
    /// All block operators, by the names used in configurations.
    pub const ALL: [(&'static str, Blocks); 3] =
        [("loops", Blocks::Loops), ("calls", Blocks::Calls), ("edges", Blocks::Edges)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Blocks::ALL.iter().find(|(_, blocks)| *blocks == self).map_or("", |(name, _)| name)
    }
}

/// The ends of the blocks of a program.
pub struct Ends {
    blocks: Blocks,
    /// A location in each cycle of control: the heads of loops, and the locations before calls of recursive functions.
    cycles: FixedBitSet,
}

impl Ends {
    /// Where blocks of `program` end.
    pub fn new(program: &Program, blocks: Blocks) -> Ends {
        let mut cycles: FixedBitSet = program.loop_heads().into_iter().map(Id::index).collect();
        let recurses = |op: &Op| matches!(op, Op::Call(f) if program.recursive.contains(f.index()));
        for l in program.view.reachable(&program.cfa) {
            if program.view.out(l).iter().any(|e| recurses(program.op(e))) {
                cycles.grow_and_insert(l.index());
            }
        }
        Ends { blocks, cycles }
    }

    /// Whether `l` is the head of a loop, or the location before a call of a recursive function.
    pub fn cut_cycles_at(&self, l: LocId) -> bool {
        self.cycles.contains(l.index())
    }

    /// Whether a block ends after `step`.
    pub fn after(&self, step: &Step<'_>) -> bool {
        match (self.blocks, step.action) {
            (Blocks::Edges, _) | (Blocks::Calls, Action::Enter(..) | Action::Leave) => true,
            _ => self.cycles.contains(step.to.index()),
        }
    }
}
