//! One of the paths for which blocks stand: the one that a model of their trace takes.
//!
//! Different paths of a block exclude each other, so at each location the model satisfies the formula of one step only.
//!
//! A trace mentions only what its formulas need. A condition that the join of two paths has lost (`x < 3 or x >= 3`) still tells which of
//! them is taken, so all values are followed here, those that the trace does not mention, too.

use super::Ends;
use super::formula::{Formula, Maker, Stepped};
use super::symbols::{StackId, Symbol};
use super::trace::{Block, BlockTrace, Place};
use crate::cpa::skeleton::location::Walk;
use crate::cpa::{Cx, Step};
use cfa::term::Leaf;
use cfa::{Cfa, LocId, SymId, Term, Terms};
use rustc_hash::FxHashMap;
use smt::Model;

/// Maximum number of steps of a block.
const LONGEST_BLOCK: usize = 1_000_000;

/// The path through `blocks`, from the start of the program to `end`, that `model`, a model of `trace`, takes; `None` if the model does
/// not tell.
pub fn path<'p>(
    (maker, ends): (&mut Maker, &Ends),
    cx: &mut Cx<'p>,
    (blocks, trace): (&[Block], &BlockTrace),
    model: Model,
    end: LocId,
) -> Option<Vec<Step<'p>>> {
    let program = cx.program;
    let mut walk = Walk::new(program);
    let mut steps: Vec<Step<'p>> = Vec::new();
    let mut stack = StackId::ROOT;
    let mut values = Values { model, now: FxHashMap::default(), copies: FxHashMap::default() };
    for (i, block) in blocks.iter().enumerate() {
        let goal = blocks.get(i + 1).map_or((end, block.stack), |next| next.begin);
        let is_last = i + 1 == blocks.len();
        let mut formula = Formula::default();
        let first = steps.len();
        values.begin(maker, &trace.renamings[i]);
        // A block that has just begun may be where the path ends.
        while !(is_last && (walk.at, stack) == goal) {
            if steps.len() - first > LONGEST_BLOCK {
                return None;
            }
            let mut taken = None;
            for step in walk.steps() {
                let (mut longer, mut then) = (formula.clone(), stack);
                let stepped = maker.step(program, &mut cx.terms, (&mut longer, &mut then), &step);
                if matches!(stepped, Stepped::Continues) && values.hold(maker, &mut cx.terms, (&formula, &longer)) {
                    taken = Some((step, longer, then));
                    break;
                }
            }
            let (step, longer, then) = taken?;
            walk.take(step.taken);
            steps.push(step);
            (formula, stack) = (longer, then);
            if ends.after(&step) {
                match (walk.at, stack) == goal {
                    true => break,
                    false => return None,
                }
            }
        }
        values.end(maker, &program.cfa, &mut cx.terms, (&formula, stack));
    }
    Some(steps)
}

/// The values on the path, as terms over the symbols of the trace and further ones.
struct Values {
    model: Model,
    /// Values of variables.
    now: FxHashMap<Place, Term>,
    /// The terms for other symbols of the block.
    copies: FxHashMap<SymId, Term>,
}

impl Values {
    /// A block begins, whose symbols the trace renames so.
    fn begin(&mut self, maker: &Maker, renaming: &FxHashMap<SymId, Term>) {
        self.copies.clear();
        for (&symbol, &t) in renaming {
            match maker.meaning(symbol) {
                Some(Symbol::Start(v, at)) => drop(self.now.insert((v, at), t)),
                _ => drop(self.copies.insert(symbol, t)),
            }
        }
    }

    /// The block ends with what `formula` writes.
    fn end(&mut self, maker: &Maker, cfa: &Cfa, terms: &mut Terms, at: (&Formula, StackId)) {
        let written = maker.written(cfa, at, &|v, at| self.now.contains_key(&(v, at)));
        let new: Vec<(Place, Option<Term>)> =
            written.into_iter().map(|(v, at, t)| ((v, at), t.map(|t| self.rename(maker, terms, t)))).collect();
        for (place, value) in new {
            match value {
                Some(t) => drop(self.now.insert(place, t)),
                None => drop(self.now.remove(&place)),
            }
        }
    }

    /// A term over the symbols of the block as one over those of the whole path.
    fn rename(&mut self, maker: &Maker, terms: &mut Terms, t: Term) -> Term {
        terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| {
            let Leaf::Sym(symbol) = leaf else { return None };
            let mut fresh = || {
                let symbol = terms.symbol(symbol).clone();
                terms.fresh(symbol.name, symbol.sort)
            };
            Some(match maker.meaning(symbol) {
                Some(Symbol::Start(v, at)) => *self.now.entry((v, at)).or_insert_with(&mut fresh),
                _ => *self.copies.entry(symbol).or_insert_with(&mut fresh),
            })
        })
    }

    /// Whether the conditions of `longer` that are not in `formula` hold in the model.
    fn hold(&mut self, maker: &Maker, terms: &mut Terms, (formula, longer): (&Formula, &Formula)) -> bool {
        let new: Vec<Term> = longer.conditions().filter(|t| !formula.has(*t)).collect();
        new.into_iter().all(|t| {
            let renamed = self.rename(maker, terms, t);
            self.model.holds(terms, renamed) == Some(true)
        })
    }
}
