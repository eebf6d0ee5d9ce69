//! Programs as front-ends make them, before preparation.

use crate::graph::Cfa;
use crate::ids::{EdgeId, ObjectId};
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
    /// Inputs that stand for answers to questions about blocks of memory. Preparation replaces them by the answers; where the block may be one
    /// from outside, they stay inputs.
    pub block_questions: FxHashMap<EdgeId, BlockQuestion>,
    /// Inputs of arrays that hold addresses of one object: nothing else in them is the address of anything. Preparation tells this to those who
    /// read copies of them.
    pub address_vectors: FxHashMap<EdgeId, AddressVector>,
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

/// What an input of an array holds: each aligned word from `begin` up to `end` is an address within `object`. A copy of the array into memory is
/// at the same addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressVector {
    /// The address of the first word, which is that of an object plus a constant.
    pub begin: Term,
    /// The address after the last word, of global variables only. There are no words if it does not lie behind `begin`.
    pub end: Term,
    /// The object to which the words point, with a constant size.
    pub object: ObjectId,
}

/// A question about the block (an object, or an instance of a site) in which an address lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockQuestion {
    /// The address.
    pub address: Term,
    /// What is asked about the block.
    pub asks: Asks,
}

/// What a [`BlockQuestion`] asks. An address that lies in no object that exists, nor at its end, is that of a block of its own, of 0 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// The number of bytes of the heap block that begins there.
    Size,
    /// The number of bytes from there to the end of the block; if it does not exist, the greatest number.
    Left,
    /// The same, if the program may write to the block.
    LeftToWrite,
    /// The number of bytes of the whole block.
    Extent,
    /// The number of bytes from the beginning of the block.
    Offset,
    /// The address at which the block begins.
    Begin,
}

impl Asks {
    /// All questions, with their words in the text format.
    pub const ALL: [(Asks, &str); 6] = [
        (Asks::Size, "size"),
        (Asks::Left, "left"),
        (Asks::LeftToWrite, "left_to_write"),
        (Asks::Extent, "extent"),
        (Asks::Offset, "offset"),
        (Asks::Begin, "begin"),
    ];
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
            block_questions,
            address_vectors,
            opaque_args,
            opaque_calls,
            pointer_accesses: _,
        } = self;
        let keys = pointer_comparisons.keys().chain(escapes.keys()).chain(given_away.keys()).chain(opaque_args.keys());
        keys.chain(block_questions.keys()).chain(address_vectors.keys()).chain(opaque_calls).copied()
    }

    /// Removes the facts about an edge. Facts about terms (`pointer_accesses`) stay.
    pub fn remove(&mut self, e: EdgeId) {
        self.pointer_comparisons.remove(&e);
        self.escapes.remove(&e);
        self.given_away.remove(&e);
        self.block_questions.remove(&e);
        self.address_vectors.remove(&e);
        self.opaque_args.remove(&e);
        self.opaque_calls.remove(&e);
    }

    /// The terms that are noted about an edge: what it compares, what leaves the program there, the address about whose block it asks, and where
    /// addresses lie that it reads.
    pub fn terms(&self, e: EdgeId) -> Vec<Term> {
        let compared = self.pointer_comparisons.get(&e).into_iter().flat_map(|c| [c.left, c.right]);
        let escaping = self.escapes.get(&e).into_iter().flatten().copied();
        let given = self.given_away.get(&e).into_iter().flatten().map(|given| given.0);
        let vectors = self.address_vectors.get(&e).into_iter().flat_map(|v| [v.begin, v.end]);
        let asked = self.block_questions.get(&e).map(|q| q.address);
        compared.chain(escaping).chain(given).chain(asked).chain(vectors).collect()
    }
}
