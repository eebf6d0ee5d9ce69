//! Contracts: arbitrary values of what a function writes, under its postcondition, in place of its calls.
//!
//! What is to be shown, with the contracts of a certificate that is accepted: *no execution of the view reaches a target.* The usual rule
//! for recursive procedures (Hoare 1971) assumes of the inner calls what it shows of the outer one; that is an induction along
//! executions. A *run* of a graph is an execution that begins where the graph does: at the program's entry, or in any activation of
//! the contract's function, under any callers, in a state that satisfies `pre`; it ends before it leaves this activation.
//!
//! By induction on the number of steps of a run, for all graphs at once: it reaches no target and no construct without a model; its last state is
//! at a node, with the stack above the activation that the graph is about, or within a call that a step of the graph passes over; and if it
//! is at the exit of that activation, then `post` holds of its values, with the values of its first state for the symbols of `entry`.
//!
//! - A step along an edge or a return, from a state at a node: as in [`symbolic`](crate::symbolic), with the valuation of the symbols that
//!   gave the node this state. Nothing in the graph of a contract gives the symbols of `entry` other values: its nodes have no labels, loop
//!   heads ([`loops`](crate::loops)) change the valuation of their own symbols only, and calls of theirs.
//! - A call that is passed over: `pre` holds in front of it (checked), and the locals of a new activation are arbitrary. So what
//!   follows, up to the return, is a run of the contract's graph, and a shorter one. By induction it reaches no target; and if it comes to
//!   the exit, then `post` holds there of the values in front of the call and behind it. A return changes no variable of
//!   global scope, and gives the caller's locals back. Variables that no edge writes in the function, or in one that is called from there,
//!   have the values that they had. That is what the state behind the call says, with fresh symbols for the others.
//!
//! Calls of a function that never returns leave nothing behind: contracts say nothing about termination, and need not.
//!
//! Which variables a function may write is computed here, not said in the certificate.

use crate::certificate::{Certificate, Contract};
use crate::state::State;
use cfa::term::Leaf;
use cfa::view::View;
use cfa::{Cfa, FuncId, Id, Op, SymId, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// The contracts of a certificate.
pub(crate) struct Contracts<'a> {
    cfa: &'a Cfa,
    /// By function, each with the variables of global scope that a call may write.
    of: FxHashMap<FuncId, (&'a Contract, FxHashSet<VarId>)>,
}

impl<'a> Contracts<'a> {
    /// The contracts of `cert`, which are well-formed.
    pub(crate) fn new(cfa: &'a Cfa, view: &View, cert: &'a Certificate) -> Contracts<'a> {
        let of = cert.contracts.iter().map(|c| (c.func, (c, written_by(cfa, view, c.func)))).collect();
        Contracts { cfa, of }
    }

    /// The states in which the graph of `contract` begins.
    pub(crate) fn at_entry(&self, terms: &mut Terms, contract: &Contract) -> State {
        let mut state = State::any(terms, contract.root);
        for &(v, s) in &contract.entry {
            let value = terms.sym(s);
            state.env.set(self.cfa, v, value);
        }
        state.guard = self.all(terms, &contract.pre, &mut state, &FxHashMap::default());
        state
    }

    /// A condition under which `state`, at the exit, violates the postcondition.
    pub(crate) fn broken_at_exit(&self, terms: &mut Terms, contract: &Contract, state: &mut State) -> Term {
        let holds = self.all(terms, &contract.post, state, &FxHashMap::default());
        let violated = terms.not(holds);
        terms.and(state.guard, violated)
    }

    /// Makes of `state` in front of a call of `func` the one behind it. A condition under which the precondition is violated.
    pub(crate) fn pass_over(&self, terms: &mut Terms, func: FuncId, state: &mut State) -> Term {
        let (contract, written) = &self.of[&func];
        let holds = self.all(terms, &contract.pre, state, &FxHashMap::default());
        let violated = terms.not(holds);
        let broken = terms.and(state.guard, violated);
        let at_entry =
            contract.entry.iter().map(|&(v, s)| (s, state.env.value(self.cfa, terms, v))).collect::<FxHashMap<_, _>>();
        for v in written {
            state.env.globals.remove(v);
        }
        let left_behind = self.all(terms, &contract.post, state, &at_entry);
        state.guard = terms.and(state.guard, left_behind);
        broken
    }

    /// The conjunction of `conditions` in `state`, whose variables they give values; symbols stand for what `at_entry` says, or else for themselves.
    fn all(
        &self,
        terms: &mut Terms,
        conditions: &[Term],
        state: &mut State,
        at_entry: &FxHashMap<SymId, Term>,
    ) -> Term {
        let mut done = FxHashMap::default();
        let mut all = terms.tt();
        for &t in conditions {
            let here = terms.substitute(t, &mut done, &mut |terms, leaf| match leaf {
                Leaf::Var(v) => Some(state.env.value(self.cfa, terms, v)),
                Leaf::Sym(s) => at_entry.get(&s).copied(),
                Leaf::Addr(_) => None,
            });
            all = terms.and(all, here);
        }
        all
    }
}

/// Variables of global scope that an edge of the view writes in `func`, or in a function that is called from there, however deep.
fn written_by(cfa: &Cfa, view: &View, func: FuncId) -> FxHashSet<VarId> {
    let mut written = FxHashSet::default();
    let mut seen = FixedBitSet::with_capacity(cfa.locs.len());
    let mut work = vec![view.rep(cfa.funcs[func].entry)];
    while let Some(l) = work.pop() {
        if seen.put(l.index()) {
            continue;
        }
        for e in view.out(l) {
            let op = view.op(cfa, e);
            written.extend(op.written().into_iter().filter(|v| !cfa.is_local(*v)));
            if let Op::Call(f) = op {
                work.push(view.rep(cfa.funcs[*f].entry));
            }
            work.push(e.to);
        }
    }
    written
}
