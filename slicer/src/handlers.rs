//! Handlers of signals, and threads: functions that may run at any time.
//!
//! The graph calls a handler where the program sets it, and what a thread runs where the program makes the thread. But this may run at any time
//! after that, and find memory as it is then. So a slice keeps such functions whole, with all that they call; it keeps all writes of what they
//! read, wherever these are; and none of its paths ends early, as they may lead to a criterion from everywhere. What decides when and where the
//! program ends stays, too, and so do functions that let time pass: in this time, others run.

use crate::dependence::data_dep::Accesses;
use cfa::{Cfa, EdgeId, FuncId, Id, Op, VarId};
use fixedbitset::FixedBitSet;

/// Functions of the C library that give handlers and threads time to run, or ask others to send signals, and that nothing else keeps.
const WAITING: [&str; 8] = ["sleep", "usleep", "nanosleep", "sched_yield", "poll", "wait", "waitpid", "kill"];

/// The functions of a program that may run at any time.
pub(crate) struct Handlers {
    /// The edges of these functions, of what they call, and of what runs them or waits for them.
    pub within: Vec<EdgeId>,
    reads: FixedBitSet,
    /// Those that they write.
    writes: FixedBitSet,
}

impl Handlers {
    /// Those of the program, if it has any. Linear.
    pub(crate) fn new(cfa: &Cfa, accesses: &Accesses) -> Option<Handlers> {
        if !may_run(cfa) {
            return None;
        }
        let mut callees = vec![Vec::new(); cfa.funcs.len()];
        for edge in cfa.edges.iter() {
            if let Op::Call(g) = edge.op {
                callees[cfa.locs[edge.from].func.index()].push(g);
            }
        }
        let mut called = FixedBitSet::with_capacity(cfa.funcs.len());
        let waiting = cfa.funcs.iter_enumerated().filter(|(_, f)| f.library && WAITING.contains(&f.name.as_str()));
        let mut stack: Vec<FuncId> = waiting.map(|(f, _)| f).collect();
        stack.extend(&cfa.module.handler_runners);
        while let Some(f) = stack.pop() {
            if !called.put(f.index()) {
                stack.extend(&callees[f.index()]);
            }
        }
        let within = cfa.edges.iter_enumerated().filter(|(_, edge)| called.contains(cfa.locs[edge.from].func.index()));
        let within: Vec<EdgeId> = within.map(|(e, _)| e).collect();
        let mut reads = FixedBitSet::with_capacity(cfa.vars.len());
        let mut writes = reads.clone();
        for &e in &within {
            reads.extend(accesses.reads(e).iter().map(|r| r.var.index()));
            reads.extend(cfa.module.opaque_reads.get(&e).into_iter().flat_map(|vars| vars.iter()).map(|v| v.index()));
            writes.extend(accesses.writes(e).iter().map(|w| w.var.index()));
        }
        Some(Handlers { within, reads, writes })
    }

    /// The variables and memories that these functions read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = VarId> + '_ {
        self.reads.ones().map(VarId::from_index)
    }

    /// Whether `e` writes what handlers read.
    pub(crate) fn is_fed_by(&self, e: EdgeId, accesses: &Accesses) -> bool {
        accesses.writes(e).iter().any(|w| self.reads.contains(w.var.index()))
    }

    /// Whether `e` reads what handlers write.
    pub(crate) fn feeds(&self, e: EdgeId, accesses: &Accesses) -> bool {
        accesses.reads(e).iter().any(|r| self.writes.contains(r.var.index()))
    }
}

/// Whether the program has functions that may run at any time.
pub(crate) fn may_run(cfa: &Cfa) -> bool {
    let runners = &cfa.module.handler_runners;
    !runners.is_empty()
        && cfa.edges.iter().any(|edge| matches!(edge.op, Op::Call(_)) && runners.contains(&cfa.locs[edge.from].func))
}
