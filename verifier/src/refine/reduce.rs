//! Drops what the analysis does not need from a precision, by running the analysis along the path: greedy deletion, of larger parts
//! first, and of expensive variables first, since time is limited.
//!
//! This is the interpolation of Beyer, Löwe (FASE 2013), on precisions instead of states. The result is minimal, if there is enough time.

use crate::cpa::precision::{Refinable, Tracked};
use crate::cpa::{Cx, Located, Step};
use crate::program::Halt;
use crate::refine::conflict::Execution;
use cfa::{EdgeId, VarId};
use std::ops::Range;
use std::time::Duration;

/// Whether the path cannot be taken with the precision `pi`.
pub(super) fn excludes<C: Located>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    steps: &[Step<'_>],
    pi: &C::Precision,
) -> Result<bool, Halt> {
    let mut run = Execution::new(cpa, cx);
    for step in steps {
        if !run.step(cpa, cx, *step, pi)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A variable or a condition that is tracked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Condition(EdgeId),
    Var(VarId),
}

fn tracked(items: &[Item]) -> Tracked {
    let vars = items.iter().filter_map(|i| if let Item::Var(v) = i { Some(*v) } else { None });
    let conditions = items.iter().filter_map(|i| if let Item::Condition(e) = i { Some(*e) } else { None });
    Tracked::of(vars, conditions)
}

/// A subset of `all` that still excludes the path, as `all` does. Conditions are dropped first, so that none is kept if values suffice;
/// then variables that are `dear`, that is, expensive.
pub(super) fn reduce<C: Located + Refinable>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    steps: &[Step<'_>],
    all: &Tracked,
    dear: &dyn Fn(VarId) -> bool,
    limit: Duration,
) -> Result<Tracked, Halt> {
    let whole = cx.budget;
    // The time limit applies to solver queries as well.
    cx.budget = whole.at_most(limit);
    let mut items: Vec<Item> = all.conditions().map(Item::Condition).collect();
    let conditions = items.len();
    let (first, last): (Vec<VarId>, Vec<VarId>) = all.vars().partition(|v| dear(*v));
    let dear = first.len();
    items.extend(first.into_iter().chain(last).map(Item::Var));
    let result = leave_out(cpa, cx, steps, &mut items, [conditions, dear]);
    cx.budget = whole;
    match result {
        Err(Halt::OutOfTime) if !whole.left().is_zero() => {}
        other => other?,
    }
    Ok(tracked(&items))
}

/// Drops what it can from `items`, which begin with `first[0]` conditions, followed by `first[1]` expensive variables. The remaining
/// items exclude the path at any time.
fn leave_out<C: Located + Refinable>(
    cpa: &mut C,
    cx: &mut Cx<'_>,
    steps: &[Step<'_>],
    items: &mut Vec<Item>,
    first: [usize; 2],
) -> Result<(), Halt> {
    let mut can_do_without = |items: &mut Vec<Item>, part: Range<usize>| -> Result<bool, Halt> {
        cx.budget.check()?;
        let mut fewer = items.clone();
        fewer.drain(part);
        let pi = cpa.tracking(&tracked(&fewer));
        let can = excludes(cpa, cx, steps, &pi)?;
        if can {
            *items = fewer;
        }
        Ok(can)
    };
    // First tries to drop each of the two kinds as a whole; then parts of what is left of these kinds, which matter most; then parts of
    // the rest.
    let mut start = 0;
    for kind in first {
        if kind > 0 && !can_do_without(items, start..start + kind)? {
            start += kind;
        }
    }
    let mut thin = |items: &mut Vec<Item>, from: usize, mut to: usize| -> Result<usize, Halt> {
        let mut size = (to - from).div_ceil(2);
        while size > 0 {
            let mut at = from;
            while at < to {
                let part = at..to.min(at + size);
                let n = part.len();
                if can_do_without(items, part)? {
                    to -= n;
                } else {
                    at += n;
                }
            }
            size /= 2;
        }
        Ok(to)
    };
    let start = thin(items, 0, start)?;
    thin(items, start, items.len())?;
    Ok(())
}
