//! Loops by induction: instead of all their iterations, execution from arbitrary states that satisfy their invariants.
//!
//! For k = 1 the loop is executed once. For larger k (Sheeran, Singh, Stålmarck, FMCAD 2000; [Dangl 2013, 2.1]), the base case unwinds the
//! first k - 1 iterations exactly. In the step case, k - 1 iterations from an arbitrary state are assumed to return to the head without a
//! violation, and one more iteration is checked. Executions leave the loop from the base case or from the checked iteration.
//! `checker::Window` describes the corresponding graph.

use crate::program::Halt;
use crate::program::wto::Element;
use crate::unwind::{AbstractLoop, Arbitrary, CutKind, Pending, State, Unwinder};
use cfa::{LocId, Sort};
use checker::{NodeId, Successor, Window};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A loop.
#[derive(Clone, Copy)]
struct Loop<'a> {
    head: LocId,
    body: &'a [Element],
    inside: &'a Arc<FxHashSet<LocId>>,
}

impl Unwinder<'_> {
    /// Executes the loop by its abstraction.
    pub(super) fn abstract_loop(
        &mut self,
        head: LocId,
        body: &[Element],
        inside: Arc<FxHashSet<LocId>>,
        pending: &mut Pending,
    ) -> Result<(), Halt> {
        if let Some(mut state) = pending.states.remove(&head) {
            let of = Loop { head, body, inside: &inside };
            let node = self.node(head, pending.stack, &state);
            self.arrive_at_head(head, &mut state);
            let k = self.loops.as_deref().expect("called with an abstraction").iterations(self.nesting);
            self.nesting += 1;
            if k > 1 {
                self.window(of, node, state, k, pending)?;
            } else {
                self.found.inexact.push(state.guard);
                self.make_arbitrary(of, &mut state);
                self.found.loops.push(AbstractLoop { node, head, window: None });
                self.iterate(of, node, state, pending)?;
                self.close(of, node, pending);
            }
            self.nesting -= 1;
        }
        // The abstraction covers only executions that enter the loop at its head.
        let mut left: Vec<LocId> = inside.iter().copied().filter(|l| pending.states.contains_key(l)).collect();
        left.sort_unstable();
        for l in left {
            let state = pending.states.remove(&l).expect("filtered");
            self.cut(state.guard, CutKind::Iteration(head));
        }
        Ok(())
    }

    /// Unwinds the base case, the assumed iterations and the checked one; `node` is where `state` enters the loop.
    fn window(
        &mut self,
        of: Loop<'_>,
        node: NodeId,
        mut state: State,
        k: u32,
        pending: &mut Pending,
    ) -> Result<(), Halt> {
        // Both parts may meet after the loop, so a fresh choice keeps their guards apart.
        let again = self.terms.fresh("again", Sort::Bool);
        let first = self.terms.not(again);
        let mut any =
            State { guard: self.terms.and(state.guard, again), env: state.env.clone(), from: Default::default() };
        state.guard = self.terms.and(state.guard, first);
        let mut base = Vec::new();
        self.iterate(of, node, state, pending)?;
        for _ in 2..k {
            let Some(mut state) = pending.states.remove(&of.head) else { break };
            self.arrive_at_head(of.head, &mut state);
            let next = self.node(of.head, pending.stack, &state);
            base.push(next);
            self.iterate(of, next, state, pending)?;
        }
        if !self.close(of, node, pending) {
            // The base case contains all iterations that exist.
            return Ok(());
        }
        self.found.inexact.push(any.guard);
        self.make_arbitrary(of, &mut any);
        let mut assumed = Vec::new();
        let mut there = Some(any);
        self.assumed += 1;
        pending.assumed.push(of.inside.clone());
        for _ in 1..k {
            let Some(state) = there.take() else { break };
            let next = self.node(of.head, pending.stack, &state);
            assumed.push(next);
            self.iterate(of, next, state, pending)?;
            there = pending.states.remove(&of.head);
            if let Some(state) = &mut there {
                self.assume_invariants(of.head, state);
            }
        }
        pending.assumed.pop();
        self.assumed -= 1;
        let checked = self.found.nodes.len() as NodeId;
        if let Some(state) = there {
            let next = self.node(of.head, pending.stack, &state);
            self.iterate(of, next, state, pending)?;
            self.close(of, node, pending);
        }
        let window = Some(Window { base, assumed, checked, end: self.found.nodes.len() as NodeId });
        self.found.loops.push(AbstractLoop { node, head: of.head, window });
        Ok(())
    }

    /// Executes one iteration from `state` at the head; what returns to the head waits there.
    fn iterate(&mut self, of: Loop<'_>, node: NodeId, state: State, pending: &mut Pending) -> Result<(), Halt> {
        self.leave(of.head, node, state, pending)?;
        self.elements(of.body, pending)
    }

    /// Closes the loop at `node` with the state that waits at the head. Returns whether there was one.
    fn close(&mut self, of: Loop<'_>, node: NodeId, pending: &mut Pending) -> bool {
        let Some(mut back) = pending.states.remove(&of.head) else { return false };
        self.arrive_at_head(of.head, &mut back);
        for &(from, step) in &back.from {
            self.found.nodes[from as usize].successors.push(Successor::new(step, node));
        }
        true
    }

    fn arrive_at_head(&mut self, head: LocId, state: &mut State) {
        let loops = self.loops.as_deref_mut().expect("called with an abstraction");
        loops.arrive(self.program, self.terms, head, &mut state.env, state.guard);
    }

    /// Havocs the variables that the loop writes, and assumes the invariants.
    fn make_arbitrary(&mut self, of: Loop<'_>, state: &mut State) {
        let program = self.program;
        for &v in program.written_in(of.inside).iter() {
            let var = &program.cfa.vars[v];
            if program.liveness.is_live(of.head, v) {
                let any = self.terms.fresh(&*var.name, var.sort);
                state.env.set(&program.cfa, v, any);
            } else {
                state.env.globals.remove(&v);
                state.env.locals.remove(&v);
            }
        }
        self.assume_invariants(of.head, state);
        let (head, env, guard) = (of.head, state.env.clone(), state.guard);
        self.found.arbitrary.push(Arbitrary { head, env, guard });
    }

    fn assume_invariants(&mut self, head: LocId, state: &mut State) {
        let loops = self.loops.as_deref_mut().expect("called with an abstraction");
        state.guard = loops.assume(self.program, self.terms, head, &mut state.env, state.guard);
    }
}
