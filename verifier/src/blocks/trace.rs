//! The blocks on the way to a state as an infeasible trace: each path formula over symbols of its own, connected by equations.
//!
//! The symbols of a path formula are the same in each block. Here, a block's inputs get fresh symbols, the values where it begins are the
//! current ones of the variables, and what it writes gets new symbols, with an equation:
//!
//! ```text
//! block 1: (true, x := 0)            trace: x1 = 0
//! block 2: (x < 9, x := x + 1)              x1 < 9 and x2 = x1 + 1
//! cut 1: x is x1; cut 2: x is x2
//! ```
//!
//! Only variables that later blocks need have equations, so that interpolants speak of nothing else.

use super::Ends;
use super::formula::{Formula, Maker};
use super::symbols::{StackId, Symbol};
use cfa::term::{Kind, Leaf};
use cfa::{Cfa, LocId, SymId, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::interpolation::{Loop, Pending, Trace};
use std::rc::Rc;

/// A block of a trace.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins, and under which stack.
    pub begin: (LocId, StackId),
    /// What else is known where it begins: Bool terms over its symbols. What they say about variables that nothing else needs is left out.
    pub known: Rc<[Term]>,
    /// Its path formula.
    pub formula: Rc<Formula>,
    /// The stack where it ends.
    pub stack: StackId,
}

/// A variable of an activation.
pub type Place = (VarId, StackId);

/// The state between two blocks.
pub struct Cut {
    /// Where the first of them ends.
    pub loc: LocId,
    /// The stack there.
    pub stack: StackId,
    /// The variables whose values the symbols are, as far as later blocks need them.
    pub places: FxHashMap<SymId, Place>,
}

/// Blocks as a trace.
pub struct BlockTrace {
    /// A Bool term for each block.
    pub parts: Vec<Term>,
    /// For each block, the terms that replace the symbols of its path formula.
    pub renamings: Vec<FxHashMap<SymId, Term>>,
    /// The states between the blocks.
    pub cuts: Vec<Cut>,
}

/// Whether a trace has the condition `c` of block `i`, both from 0, given as `(i, c)`.
type Kept<'a> = dyn Fn((usize, usize)) -> bool + 'a;

/// What a block writes: a variable, and its value over the symbols of the block; an arbitrary one if it is missing.
type Written = Vec<(Place, Option<Term>)>;

impl BlockTrace {
    /// The trace of `blocks`, of which each begins where the one before it ends.
    pub fn new(maker: &Maker, cfa: &Cfa, terms: &mut Terms, blocks: &[Block]) -> BlockTrace {
        BlockTrace::weakened(maker, cfa, terms, blocks, (&FxHashSet::default(), &|_| true))
    }

    /// The trace of `blocks` with those of its conditions that are `kept`. What blocks write has the same values.
    pub(super) fn with_conditions(
        maker: &Maker,
        cfa: &Cfa,
        terms: &mut Terms,
        blocks: &[Block],
        kept: &Kept<'_>,
    ) -> BlockTrace {
        BlockTrace::weakened(maker, cfa, terms, blocks, (&FxHashSet::default(), kept))
    }

    /// The trace of `blocks` in which the values of some variables are not passed on from block to block. It has all executions of the
    /// trace with them.
    pub fn without(
        maker: &Maker,
        cfa: &Cfa,
        terms: &mut Terms,
        blocks: &[Block],
        forgotten: &FxHashSet<Place>,
    ) -> BlockTrace {
        BlockTrace::weakened(maker, cfa, terms, blocks, (forgotten, &|_| true))
    }

    fn weakened(
        maker: &Maker,
        cfa: &Cfa,
        terms: &mut Terms,
        blocks: &[Block],
        (forgotten, kept): (&FxHashSet<Place>, &Kept<'_>),
    ) -> BlockTrace {
        let needed = needed(maker, cfa, terms, blocks);
        let none = FxHashSet::default();
        let needed_before: Vec<_> = std::iter::once(&none).chain(needed.iter().map(|(after, _)| after)).collect();
        let mut trace = BlockTrace { parts: Vec::new(), renamings: Vec::new(), cuts: Vec::new() };
        let mut now: FxHashMap<Place, Term> = FxHashMap::default();
        for (i, (block, (needed, written))) in blocks.iter().zip(&needed).enumerate() {
            let mut renaming = FxHashMap::default();
            let mut done = FxHashMap::default();
            let mut rename = |terms: &mut Terms, now: &mut FxHashMap<Place, Term>, t: Term| {
                terms.substitute(t, &mut done, &mut |terms, leaf| {
                    let Leaf::Sym(symbol) = leaf else { return None };
                    let meaning = maker.meaning(symbol)?;
                    let renamed = *renaming.entry(symbol).or_insert_with(|| match meaning {
                        Symbol::Start(v, at) => *now.entry((v, at)).or_insert_with(|| copy(terms, symbol)),
                        _ => copy(terms, symbol),
                    });
                    Some(renamed)
                })
            };
            let condition = conditions(&block.formula).into_iter().enumerate().filter(|(c, _)| kept((i, *c)));
            let mut part: Vec<Term> = condition.map(|(_, t)| rename(terms, &mut now, t)).collect();
            for t in block.known.iter() {
                if read(maker, terms, &[*t]).iter().all(|place| needed_before[i].contains(place)) {
                    part.push(rename(terms, &mut now, *t));
                }
            }
            let mut values = Vec::new();
            for &(place, value) in written {
                values.push((place, value.map(|t| rename(terms, &mut now, t))));
            }
            now.retain(|place, _| !forgotten.contains(place));
            for (place, value) in values {
                if forgotten.contains(&place) {
                    continue;
                }
                let var = &cfa.vars[place.0];
                let new = terms.fresh(&*var.name, var.sort);
                if let Some(value) = value {
                    part.push(terms.eq(new, value));
                }
                now.insert(place, new);
            }
            trace.parts.push(terms.and_all(part));
            trace.renamings.push(renaming);
            let Some(next) = blocks.get(i + 1) else { break };
            let places = needed.iter().filter_map(|p| Some((symbol_of(terms, *now.get(p)?)?, *p))).collect();
            let (loc, stack) = next.begin;
            trace.cuts.push(Cut { loc, stack, places });
        }
        trace
    }
}

impl BlockTrace {
    /// The trace for interpolation, with the visits of each location that it visits again.
    pub fn interpolated(&self, terms: &mut Terms) -> Trace {
        let mut last: FxHashMap<(LocId, StackId), usize> = FxHashMap::default();
        let mut loops = Vec::new();
        for (to, cut) in self.cuts.iter().enumerate() {
            let Some(from) = last.insert((cut.loc, cut.stack), to) else { continue };
            let earlier: FxHashMap<Place, SymId> = self.cuts[from].places.iter().map(|(s, p)| (*p, *s)).collect();
            let back = cut.places.iter().filter_map(|(s, p)| Some((*s, terms.sym(*earlier.get(p)?)))).collect();
            loops.push(Loop { from, to, back });
        }
        Trace { loops, ..Trace::new(self.parts.clone()) }
    }

    /// The same with the calls that are pending at each cut, and with the cuts that lie on cycles of control as landmarks.
    pub fn interpolated_nested(&self, (maker, ends): (&Maker, &Ends), cfa: &Cfa, terms: &mut Terms) -> Trace {
        let mut trace = self.interpolated(terms);
        trace.landmarks = (0..self.cuts.len()).filter(|i| ends.cut_cycles_at(self.cuts[*i].loc)).collect();
        if self.cuts.iter().all(|cut| maker.depth(cut.stack) == 0) {
            return trace;
        }
        let mut last: FxHashMap<StackId, usize> = FxHashMap::default();
        for (i, cut) in self.cuts.iter().enumerate() {
            let hidden = cut.places.iter().filter(|(_, (v, at))| cfa.is_local(*v) && *at != cut.stack);
            let mut pending = Pending { hidden: hidden.map(|(s, _)| *s).collect(), callers: Vec::new() };
            let mut at = cut.stack;
            while let Some((_, below)) = maker.returns(at) {
                pending.callers.extend(last.get(&below));
                at = below;
            }
            trace.calls.push(pending);
            last.insert(cut.stack, i);
        }
        trace
    }
}

/// A fresh symbol like `symbol`.
fn copy(terms: &mut Terms, symbol: SymId) -> Term {
    let symbol = terms.symbol(symbol).clone();
    terms.fresh(symbol.name, symbol.sort)
}

/// The symbol that `t` is; `None` if it is another term.
pub fn symbol_of(terms: &Terms, t: Term) -> Option<SymId> {
    match terms.kind(t) {
        Kind::Sym(symbol) => Some(symbol),
        _ => None,
    }
}

fn conditions(formula: &Formula) -> Vec<Term> {
    formula.conditions().collect()
}

/// The variables on whose values where the block begins `terms` depend.
fn read(maker: &Maker, arena: &Terms, terms: &[Term]) -> Vec<Place> {
    let leaves = arena.leaves(terms).into_iter();
    let starts = leaves.filter_map(|leaf| match leaf {
        Leaf::Sym(symbol) => match maker.meaning(symbol)? {
            Symbol::Start(v, at) => Some((v, at)),
            _ => None,
        },
        Leaf::Var(_) | Leaf::Addr(_) => None,
    });
    starts.collect()
}

/// For each block, the variables whose values at its end later blocks need, and what it writes to these.
fn needed(maker: &Maker, cfa: &Cfa, terms: &Terms, blocks: &[Block]) -> Vec<(FxHashSet<Place>, Written)> {
    let mut all = Vec::new();
    let mut after: FxHashSet<Place> = FxHashSet::default();
    for block in blocks.iter().rev() {
        let wanted = |v: VarId, at: StackId| after.contains(&(v, at));
        let written = maker.written(cfa, (&block.formula, block.stack), &wanted).into_iter();
        let written: Written = written.map(|(v, at, t)| ((v, at), t)).filter(|(p, _)| after.contains(p)).collect();
        let mut before = after.clone();
        for (place, _) in &written {
            before.remove(place);
        }
        let mut roots = conditions(&block.formula);
        roots.extend(written.iter().filter_map(|(_, value)| *value));
        before.extend(read(maker, terms, &roots));
        all.push((std::mem::replace(&mut after, before), written));
    }
    all.reverse();
    all
}
