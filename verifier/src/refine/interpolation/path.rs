//! One of the paths for which path formulas stand: the one that a model of them takes.
//!
//! Different paths of a block exclude each other, so at each location the model satisfies the formula of one step only.

use crate::blocks::{Block, BlockTrace, Formula, StackId, Stepped};
use crate::cpa::skeleton::location::Walk;
use crate::cpa::{Cx, Step};
use crate::domains::predicate::PredicateCpa;
use cfa::term::Leaf;
use cfa::{LocId, Term};
use rustc_hash::FxHashMap;
use smt::Model;

/// Maximum number of steps of a block.
const LONGEST_BLOCK: usize = 1_000_000;

/// The path through `blocks` that ends at `end` and that `model`, a model of `trace`, takes; `None` if the model does not tell.
pub(super) fn path<'p>(
    cpa: &mut PredicateCpa,
    cx: &mut Cx<'p>,
    (blocks, trace): (&[Block], &BlockTrace),
    mut model: Model,
    end: LocId,
) -> Option<Vec<Step<'p>>> {
    let program = cx.program;
    let mut walk = Walk::new(program);
    let mut steps: Vec<Step<'p>> = Vec::new();
    let mut stack = StackId::ROOT;
    for (i, block) in blocks.iter().enumerate() {
        let goal = blocks.get(i + 1).map_or((end, block.stack), |next| next.begin);
        let is_last = i + 1 == blocks.len();
        let mut formula = Formula::default();
        let first = steps.len();
        loop {
            if is_last && (walk.at, stack) == goal {
                break;
            }
            if steps.len() - first > LONGEST_BLOCK {
                return None;
            }
            let mut taken = None;
            for step in walk.steps() {
                let (mut longer, mut then) = (formula.clone(), stack);
                let stepped = cpa.maker().step(program, &mut cx.terms, (&mut longer, &mut then), &step);
                if matches!(stepped, Stepped::Continues)
                    && holds(cx, &trace.renamings[i], &mut model, &formula, &longer)
                {
                    taken = Some((step, longer, then));
                    break;
                }
            }
            let (step, longer, then) = taken?;
            walk.take(step.taken);
            steps.push(step);
            (formula, stack) = (longer, then);
            if cpa.ends(&step) {
                match (walk.at, stack) == goal {
                    true => break,
                    false => return None,
                }
            }
        }
    }
    Some(steps)
}

/// Whether the conditions of `longer` that are not in `formula` hold in the model.
fn holds(
    cx: &mut Cx<'_>,
    renaming: &FxHashMap<cfa::SymId, Term>,
    model: &mut Model,
    formula: &Formula,
    longer: &Formula,
) -> bool {
    let new: Vec<Term> = longer.conditions().filter(|t| !formula.has(*t)).collect();
    let mut done = FxHashMap::default();
    new.into_iter().all(|t| {
        let renamed = cx.terms.substitute(t, &mut done, &mut |_, leaf| match leaf {
            Leaf::Sym(symbol) => renaming.get(&symbol).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        });
        model.holds(&cx.terms, renamed) == Some(true)
    })
}
