//! Contracts: calls of a function are replaced by arbitrary values of what it writes, restricted by its postcondition.
//!
//! What has to be shown for the contracts of an accepted certificate: *no execution of the view reaches a target.* The usual rule for
//! recursive procedures (Hoare 1971) assumes about inner calls what it proves about the outer one; this is an induction along executions.
//! A *run* of a graph is an execution that begins where the graph does: at the program's entry, or in any activation of the contract's
//! function, under any callers, in a state that satisfies `pre`. It ends before it leaves this activation.
//!
//! By induction on the number of steps of a run, for all graphs at once: it reaches no target and no construct without a model; its last
//! state is at a node, with the stack above the activation that the graph is about, or within a call that a step of the graph passes
//! over; and if it is at the exit of that activation, then `post` holds for its values, where the symbols of `entry` have the values in
//! the first state of the run.
//!
//! - A step along an edge or a return, from a state at a node: as in [`symbolic`](crate::symbolic), with the valuation of the symbols
//!   under which the state is at the node. Nothing in the graph of a contract changes the values of the symbols of `entry`: its nodes
//!   have no labels, and loop heads ([`loops`](crate::loops)) and calls change only the valuation of their own symbols.
//! - A call that is passed over: `pre` holds before it (checked), and the locals of a new activation are arbitrary. So what follows, up
//!   to the return, is a run of the contract's graph, and a shorter one. By induction it reaches no target; and if it reaches the exit,
//!   then `post` holds there for the values before and after the call. A return changes no variable of global scope, and restores the
//!   caller's locals. Variables that no edge writes in the function, or in a function called from there, keep their values. This is what
//!   the state after the call says, with fresh symbols for the other variables.
//!
//! Calls of a function that never returns have no state after them: contracts say nothing about termination, and need not.
//!
//! Which variables a function may write is computed here; it is not stated in the certificate.

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
    /// By function; each with the variables of global scope that a call may write.
    of: FxHashMap<FuncId, (&'a Contract, FxHashSet<VarId>)>,
}

impl<'a> Contracts<'a> {
    /// The contracts of `cert`, which must be well-formed.
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

    /// The condition under which `state`, at the exit, violates the postcondition.
    pub(crate) fn broken_at_exit(&self, terms: &mut Terms, contract: &Contract, state: &mut State) -> Term {
        let holds = self.all(terms, &contract.post, state, &FxHashMap::default());
        let violated = terms.not(holds);
        terms.and(state.guard, violated)
    }

    /// Changes `state` from the one before a call of `func` to the one after it. Returns the condition under which the precondition is
    /// violated.
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
        let post_holds = self.all(terms, &contract.post, state, &at_entry);
        state.guard = terms.and(state.guard, post_holds);
        broken
    }

    /// The conjunction of `conditions` in `state`, where variables without a value get one. Symbols are replaced as given by `at_entry`,
    /// or kept.
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

/// The variables of global scope that an edge of the view writes in `func`, or in a function that is called from there, directly or
/// indirectly.
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
