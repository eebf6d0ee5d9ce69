//! Houdini on a transition system of blocks: which of some candidates for cut points are inductive together (Flanagan, Leino, FME 2001).
//!
//! Candidates that one transition violates, from states that satisfy all the others, are dropped until none is. What remains is the
//! largest inductive subset, if the solver decides all queries; what it does not decide is dropped.

use crate::blocks::System;
use crate::cpa::Cx;
use crate::program::Halt;
use cfa::Term;
use std::collections::BTreeSet;
use std::time::Duration;

/// Reduces `candidates`, some conditions for each cut point, to those that are inductive, given that `known`, a condition for each cut
/// point, is so. A query may take `limit`.
///
/// Errors: `OutOfTime`; the candidates are not inductive then.
pub fn inductive(
    system: &System<'_>,
    cx: &mut Cx<'_>,
    known: &[Term],
    candidates: &mut [Vec<Term>],
    limit: Duration,
) -> Result<(), Halt> {
    let mut open: BTreeSet<usize> = (0..system.transitions.len()).collect();
    while let Some(t) = open.pop_first() {
        let (from, to) = (system.transitions[t].from.index(), system.transitions[t].to.index());
        let before: Vec<Term> = candidates[to].iter().map(|c| system.before(&mut cx.terms, t, *c)).collect();
        let mut premises = vec![known[from], system.transitions[t].condition];
        premises.extend(&candidates[from]);
        let given: BTreeSet<Term> = premises.iter().copied().collect();
        let mut holds: Vec<bool> = vec![true; before.len()];
        loop {
            cx.budget.check()?;
            let left = before.iter().zip(&holds).filter(|(c, h)| **h && !given.contains(c)).map(|(c, _)| *c);
            let left: Vec<Term> = left.collect();
            let all = cx.terms.and_all(left);
            let violated = cx.terms.not(all);
            if cx.terms.as_bool(violated) == Some(false) {
                break;
            }
            let query: Vec<Term> = premises.iter().copied().chain([violated]).collect();
            match cx.satisfiable(&query, limit) {
                Some(false) => break,
                Some(true) => drop_violated(cx, &before, &mut holds),
                None => {
                    for (c, h) in before.iter().zip(holds.iter_mut()).filter(|(c, h)| **h && !given.contains(c)) {
                        let violated = cx.terms.not(*c);
                        let query: Vec<Term> = premises.iter().copied().chain([violated]).collect();
                        *h = cx.satisfiable(&query, limit) == Some(false);
                    }
                    break;
                }
            }
        }
        if holds.contains(&false) {
            let mut kept = holds.iter();
            candidates[to].retain(|_| *kept.next().expect("one for each candidate"));
            open.extend(&system.from[to]);
        }
    }
    Ok(())
}

/// Marks the candidates that the last model violates; all, if it does not tell.
fn drop_violated(cx: &mut Cx<'_>, before: &[Term], holds: &mut [bool]) {
    let mut any = false;
    if let Ok(model) = cx.solver.model(&cx.terms) {
        let mut model = model.clone();
        for (c, h) in before.iter().zip(holds.iter_mut()).filter(|(_, h)| **h) {
            if model.holds(&cx.terms, *c) == Some(false) {
                (*h, any) = (false, true);
            }
        }
    }
    if !any {
        holds.fill(false);
    }
}
