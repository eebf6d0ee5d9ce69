//! The symbols of path formulas: one for each value that a block does not compute itself.
//!
//! A path enters each location at most once in a block and under one call stack, since a block ends in each loop. So an input has one
//! symbol for its edge and stack, whatever the path to it, and a variable has one for its value where the block begins. Different paths
//! of a block with the same values of these symbols exclude each other: where control branches without a condition, a symbol chooses.

use cfa::{EdgeId, FuncId, LocId, Sort, SymId, Term, Terms, VarId};
use rustc_hash::FxHashMap;

/// The stack of an activation: of the functions that are active, and where they return to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StackId(u32);

impl StackId {
    /// The stack of the entry function, and of variables of global scope.
    pub const ROOT: StackId = StackId(0);
}

/// An activation.
struct Frame {
    func: FuncId,
    return_to: LocId,
    below: StackId,
    depth: usize,
}

/// All stacks that have occurred.
#[derive(Default)]
pub(super) struct Stacks {
    /// Frame `i` is the top of stack `i + 1`.
    frames: Vec<Frame>,
    ids: FxHashMap<(FuncId, LocId, StackId), StackId>,
}

impl Stacks {
    /// `below`, and on top of it an activation of `func` that returns to `return_to`.
    pub(super) fn push(&mut self, below: StackId, func: FuncId, return_to: LocId) -> StackId {
        let next = StackId(u32::try_from(self.frames.len() + 1).expect("fewer than 2^32 call stacks"));
        let id = *self.ids.entry((func, return_to, below)).or_insert(next);
        if id == next {
            let depth = self.depth(below) + 1;
            self.frames.push(Frame { func, return_to, below, depth });
        }
        id
    }

    /// The stack below the top activation; `None` for the root.
    pub(super) fn below(&self, stack: StackId) -> Option<StackId> {
        self.frame(stack).map(|f| f.below)
    }

    /// The activation of `func` closest to the top of `stack`, and the number of activations above it.
    pub(super) fn activation(&self, entry: FuncId, stack: StackId, func: FuncId) -> Option<(usize, StackId)> {
        let mut at = stack;
        for depth in 0.. {
            match self.frame(at) {
                Some(f) if f.func == func => return Some((depth, at)),
                Some(f) => at = f.below,
                None => return (entry == func).then_some((depth, at)),
            }
        }
        None
    }

    /// The number of activations above that of the entry function.
    pub(super) fn depth(&self, stack: StackId) -> usize {
        self.frame(stack).map_or(0, |f| f.depth)
    }

    /// Where the top activation of `stack` returns to, and the stack below it.
    pub(super) fn returns(&self, stack: StackId) -> Option<(LocId, StackId)> {
        self.frame(stack).map(|f| (f.return_to, f.below))
    }

    fn frame(&self, stack: StackId) -> Option<&Frame> {
        self.frames.get((stack.0 as usize).checked_sub(1)?)
    }
}

/// The meaning of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Symbol {
    /// The value of a variable where the block begins; its activation, or the root for variables of global scope.
    Start(VarId, StackId),
    /// The arbitrary value of a local variable where its activation begins, in the block.
    Entry(VarId, StackId),
    /// The arbitrary value of a dead variable.
    Dead(VarId, StackId),
    /// The input that the edge reads.
    Input(EdgeId, VarId, StackId),
    /// The number of the edge by which control leaves the location.
    Choice(LocId, StackId),
}

/// The symbols, each created when it is first needed.
#[derive(Default)]
pub(super) struct Symbols {
    terms: FxHashMap<Symbol, Term>,
    meanings: FxHashMap<SymId, Symbol>,
}

impl Symbols {
    /// The symbol with this meaning, as a term of the sort `sort`.
    pub(super) fn term(&mut self, terms: &mut Terms, symbol: Symbol, name: &str, sort: Sort) -> Term {
        *self.terms.entry(symbol).or_insert_with(|| {
            let id = terms.fresh_sym(name, sort);
            self.meanings.insert(id, symbol);
            terms.sym(id)
        })
    }

    /// The symbol with this meaning, if there is one.
    pub(super) fn known(&self, symbol: Symbol) -> Option<Term> {
        self.terms.get(&symbol).copied()
    }

    /// The meaning of a symbol; `None` if it is not one of these.
    pub(super) fn meaning(&self, symbol: SymId) -> Option<Symbol> {
        self.meanings.get(&symbol).copied()
    }
}
