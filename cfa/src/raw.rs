//! Programs as front-ends make them, before preparation.

use crate::graph::Cfa;
use crate::ids::EdgeId;
use crate::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// A program as a front-end makes it: it has at most one memory, calls may be indirect, and the addresses of objects are names.
///
/// Preparation (in the slicer) turns it into a [`Cfa`] whose indirect calls are resolved, whose memory is split, and whose objects have
/// addresses. What only preparation needs is kept apart from the automaton, so that nothing else can rely on it.
#[derive(Clone, Debug, Default)]
pub struct RawCfa {
    /// The automaton.
    pub cfa: Cfa,
    /// What only preparation needs to know about it.
    pub facts: RawFacts,
}

/// What a front-end knows about edges and terms, for preparation only.
#[derive(Clone, Debug, Default)]
pub struct RawFacts {
    /// Edges that compare two addresses by order or subtract them. Their operation is plain arithmetic, which is exact
    /// only where both addresses lie in one object. Elsewhere, the result becomes an `Input` of kind `Layout` (after
    /// points-to analysis).
    pub pointer_comparisons: FxHashMap<EdgeId, PointerComparison>,
    /// For edges at which an undefined function may change memory, the values that it is given. Preparation turns such an
    /// edge into inputs of what the outside knows.
    pub escapes: FxHashMap<EdgeId, Vec<Term>>,
    /// For edges at which bytes leave the program and may come back from a file or the environment: the values, or where
    /// the flag is set, the addresses of the memory whose pointers may come back.
    pub given_away: FxHashMap<EdgeId, Vec<(Term, bool)>>,
    /// Inputs that stand for the size of the heap block at an address, in bytes. Preparation replaces them by what was asked for when
    /// the block was allocated; where the block may be one from outside, they stay inputs.
    pub block_sizes: FxHashMap<EdgeId, Term>,
    /// The reads and writes of memory whose value has a pointer type in the program. A number that another write stores may be read
    /// later as an address.
    pub pointer_accesses: FxHashSet<Term>,
    /// For a program that is sliced as a module: the arguments of edges that call code which the program does not show
    /// (undefined functions, library models). Such a function may read the memory that they point to. Preparation turns
    /// them into [`ModuleFacts::opaque_reads`](crate::ModuleFacts::opaque_reads). Not part of the text format.
    pub opaque_args: FxHashMap<EdgeId, Vec<Term>>,
    /// For a program that is sliced as a module: edges of calls that may read all memory accessible from outside the
    /// program. Preparation turns them into [`ModuleFacts::opaque_reads`](crate::ModuleFacts::opaque_reads), too.
    pub opaque_calls: FxHashSet<EdgeId>,
}

/// The operands of an order comparison or a subtraction of two addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerComparison {
    /// The left address.
    pub left: Term,
    /// The right address.
    pub right: Term,
}

impl RawCfa {
    /// `cfa` without any facts.
    pub fn new(cfa: Cfa) -> RawCfa {
        RawCfa { cfa, facts: RawFacts::default() }
    }
}

impl RawFacts {
    /// The edges of which something is known, in no order, some of them repeatedly.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        let RawFacts {
            pointer_comparisons,
            escapes,
            given_away,
            block_sizes,
            opaque_args,
            opaque_calls,
            pointer_accesses: _,
        } = self;
        let keys = pointer_comparisons.keys().chain(escapes.keys()).chain(given_away.keys()).chain(opaque_args.keys());
        keys.chain(block_sizes.keys()).chain(opaque_calls).copied()
    }

    /// Removes the facts about an edge. Facts about terms (`pointer_accesses`) stay.
    pub fn remove(&mut self, e: EdgeId) {
        self.pointer_comparisons.remove(&e);
        self.escapes.remove(&e);
        self.given_away.remove(&e);
        self.block_sizes.remove(&e);
        self.opaque_args.remove(&e);
        self.opaque_calls.remove(&e);
    }

    /// The terms that are noted about an edge: what it compares, what leaves the program there, and the block whose size it asks for.
    pub fn terms(&self, e: EdgeId) -> Vec<Term> {
        let compared = self.pointer_comparisons.get(&e).into_iter().flat_map(|c| [c.left, c.right]);
        let escaping = self.escapes.get(&e).into_iter().flatten().copied();
        let given = self.given_away.get(&e).into_iter().flatten().map(|given| given.0);
        compared.chain(escaping).chain(given).chain(self.block_sizes.get(&e).copied()).collect()
    }
}
