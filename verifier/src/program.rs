//! What every analysis of one run shares: the program, its slice's view, and what is computed from them once.

use crate::liveness::{Liveness, recursive_functions};
use crate::wto::{Element, weak_topological_order};
use cfa::view::{Slice, View, ViewEdge};
use cfa::{Cfa, FuncId, Id, LocId, Op, Terms};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

/// A program to verify: a frozen CFA and the slice to explore.
pub struct Program {
    /// The uncut CFA.
    pub cfa: Arc<Cfa>,
    /// The CFA's terms, as the base of overlays.
    pub base: Arc<Terms>,
    /// What is explored.
    pub slice: Slice,
    /// The compacted graph of the slice.
    pub view: View,
    /// Live variables in the view.
    pub liveness: Liveness,
    /// Functions in a cycle of the call graph.
    pub recursive: FixedBitSet,
    targets: FixedBitSet,
    orders: RefCell<FxHashMap<FuncId, Rc<Vec<Element>>>>,
}

impl Program {
    /// Prepares `cfa` under `slice`.
    pub fn new(cfa: Arc<Cfa>, slice: Slice) -> Program {
        let view = View::new(&cfa, &slice);
        let liveness = Liveness::new(&cfa, &view);
        let recursive = recursive_functions(&cfa);
        let targets = cfa.targets.iter().map(|l| view.rep(*l).index()).collect();
        let base = Arc::new(cfa.terms.clone());
        Program { cfa, base, slice, view, liveness, recursive, targets, orders: RefCell::default() }
    }

    /// An arena for the terms of one analysis.
    pub fn overlay(&self) -> Terms {
        Terms::over(self.base.clone())
    }

    /// Where execution begins, in the view.
    pub fn start(&self) -> LocId {
        self.entry_of(self.cfa.entry)
    }

    /// First location of a function, in the view.
    pub fn entry_of(&self, f: FuncId) -> LocId {
        self.view.rep(self.cfa.funcs[f].entry)
    }

    /// Last location of a function, in the view.
    pub fn exit_of(&self, f: FuncId) -> LocId {
        self.view.rep(self.cfa.funcs[f].exit)
    }

    /// Whether reaching `l` (of the view) violates the property.
    pub fn is_target(&self, l: LocId) -> bool {
        self.targets.contains(l.index())
    }

    /// What an edge of the view does.
    pub fn op(&self, e: &ViewEdge) -> &Op {
        self.view.op(&self.cfa, e)
    }

    /// The weak topological order of a function, computed once.
    pub fn order(&self, f: FuncId) -> Rc<Vec<Element>> {
        self.orders
            .borrow_mut()
            .entry(f)
            .or_insert_with(|| Rc::new(weak_topological_order(&self.cfa, &self.view, f)))
            .clone()
    }

    /// Whether at most one of the edges that leave `l` can be taken in any state: the two sides of one test, or a single edge.
    pub fn is_deterministic(&self, l: LocId) -> bool {
        match self.view.out(l) {
            [] | [_] => true,
            [a, b] => match (self.op(a), self.op(b)) {
                (Op::Assume { cond: x, .. }, Op::Assume { cond: y, .. }) => {
                    let negates = |s: cfa::Term, t: cfa::Term| {
                        self.base.kind(s) == cfa::term::Kind::Not && self.base.args(s)[0] == t
                    };
                    negates(*x, *y) || negates(*y, *x)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Why an analysis stopped before it had an answer. Holds no verdict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Halt {
    /// The time it was given is over.
    #[error("timeout")]
    OutOfTime,
    /// A named limit on states, terms or memory is reached.
    #[error("{0}")]
    OutOfBudget(String),
    /// Something without a model can be reached.
    #[error("{0}")]
    Unsupported(String),
    /// The solver gave no answer.
    #[error("{0}")]
    Solver(String),
}

/// The time an analysis may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When it has to stop.
    pub deadline: Instant,
}

impl Budget {
    /// A budget of `duration` from now, but no longer than this one.
    pub fn at_most(self, duration: Duration) -> Budget {
        Budget { deadline: self.deadline.min(Instant::now() + duration) }
    }

    /// Time left.
    pub fn left(self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// An error once the time is over.
    pub fn check(self) -> Result<(), Halt> {
        if Instant::now() >= self.deadline { Err(Halt::OutOfTime) } else { Ok(()) }
    }
}
