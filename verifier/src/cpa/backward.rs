//! Backward analysis: a wrapper that runs any located analysis against the direction of control ([Lemberger 2018, 3.1.2] for
//! post-dominators; [Kreppel 2019, 2.2]).
//!
//! The wrapped analysis sees the steps of the reversed graph: a step starts where its edge ends. A call enters the called function at its
//! exit and returns, from its entry, to the location before the call; so the call stack holds the locations before calls, not those after
//! them. What an operation means backward is up to the wrapped analysis. Its labels say nothing about forward reachability, so they
//! cannot be used for a certificate. Analyses of values run on the [reversed program](crate::program::reversed) instead, whose operations
//! are the inverse ones.

use crate::cpa::skeleton::callstack::StackId;
use crate::cpa::{Action, Cpa, Cx, Index, Located, Position, Progress, Step};
use crate::program::{Halt, Program};
use cfa::view::ViewEdge;
use cfa::{IndexVec, LocId, Op};
use checker::Label;

/// The analysis `C` on the reversed graph.
pub struct Backward<C> {
    /// The wrapped analysis.
    pub inner: C,
    start: LocId,
    /// For each location, the edges of the view that enter it, with the locations where they start.
    into: IndexVec<LocId, Vec<(LocId, ViewEdge)>>,
}

impl<C: Located> Backward<C> {
    /// Runs `inner` from `start`, a location of the view of `program`, to all locations from which `start` can be reached.
    pub fn new(inner: C, program: &Program, start: LocId) -> Backward<C> {
        let mut into: IndexVec<LocId, Vec<_>> = program.cfa.locs.iter().map(|_| Vec::new()).collect();
        for l in program.cfa.locs.ids() {
            for e in program.view.out(l) {
                into[e.to].push((l, *e));
            }
        }
        Backward { inner, start, into }
    }
}

impl<C: Located> Cpa for Backward<C> {
    type State = C::State;
    type Precision = C::Precision;
    type Key = Position;

    fn initial(&mut self, cx: &mut Cx<'_>, _at: LocId) -> C::State {
        self.inner.initial(cx, self.start)
    }

    fn full_precision(&self) -> C::Precision {
        self.inner.full_precision()
    }

    fn transfer(
        &mut self,
        cx: &mut Cx<'_>,
        s: &C::State,
        step: Step<'_>,
        pi: &C::Precision,
        out: &mut Vec<C::State>,
    ) -> Result<(), Halt> {
        self.inner.transfer(cx, s, step, pi, out)
    }

    fn covered(&mut self, cx: &mut Cx<'_>, s: &C::State, by: &C::State) -> Result<bool, Halt> {
        self.inner.covered(cx, s, by)
    }

    fn merge(
        &mut self,
        cx: &mut Cx<'_>,
        new: &C::State,
        old: &C::State,
        pi: &C::Precision,
    ) -> Result<Option<C::State>, Halt> {
        self.inner.merge(cx, new, old, pi)
    }

    fn merges(&self) -> bool {
        self.inner.merges()
    }

    fn progress(&self, s: &C::State) -> Progress {
        self.inner.progress(s)
    }

    fn merges_before_expansion(&self) -> bool {
        self.inner.merges_before_expansion()
    }

    fn key(&self, s: &C::State) -> Position {
        self.inner.key(s)
    }

    fn index(&self, s: &C::State) -> Option<Index> {
        self.inner.index(s)
    }

    fn fingerprint_as(&self, s: &C::State, pattern: &C::State) -> Option<u64> {
        self.inner.fingerprint_as(s, pattern)
    }

    fn label(&mut self, cx: &mut Cx<'_>, s: &C::State) -> Label {
        self.inner.label(cx, s)
    }
}

impl<C: Located> Located for Backward<C> {
    fn steps<'p>(&self, program: &'p Program, s: &C::State, out: &mut Vec<Step<'p>>) {
        let Position { loc, stack, .. } = self.inner.key(s);
        for (from, e) in &self.into[loc] {
            // `from` is where the edge starts, and where the backward step goes.
            let op = program.op(e);
            let (to, action) = match op {
                Op::Call(f) => (program.exit_of(*f), Action::Enter(*f, *from)),
                _ => (*from, Action::Op(op)),
            };
            out.push(Step { taken: checker::Step::Edge(e.edge), from: loc, to, action });
        }
        if let Some((call, _)) = self.inner.frame(stack)
            && loc == program.entry_of(program.cfa.locs[loc].func)
        {
            out.push(Step { taken: checker::Step::Return, from: loc, to: call, action: Action::Leave });
        }
    }

    fn frame(&self, stack: StackId) -> Option<(LocId, StackId)> {
        self.inner.frame(stack)
    }

    fn depth(&self, stack: StackId) -> u32 {
        self.inner.depth(stack)
    }

    fn deepen(&mut self) -> bool {
        self.inner.deepen()
    }
}
