//! Nested sequences for traces with calls (Heizmann, Hoenicke, Podelski: Nested interpolants, POPL 2010).
//!
//! A plain sequence says within a called function what its callers need after the call, in terms of their variables. In a nested one, an
//! interpolant speaks of global variables and those of the running activation only, and what was known where the callers were left holds
//! again when control returns to them. With `J_i` as the interpolants at the last cuts of all activations that are pending at cut `i`:
//!
//! ```text
//! A_1 => I_1      I_i and J_i and A_(i+1) => I_(i+1)      I_(n-1) and J_(n-1) and A_n => false
//! ```
//!
//! The interpolants are made one after the other, each from two parts: what leads to the cut, with the interpolant before it, and what comes
//! after it, with `J_i`. Where there is none without variables of callers, one with them takes its place.

use super::{Interpolation, Interpolator, Sequence, Trace};
use crate::solver::SolverError;
use cfa::term::Leaf;
use cfa::{SymId, Term, Terms};
use rustc_hash::FxHashSet;

/// The activations below the running one at a cut.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// For each of them, the last cut at which it was running.
    pub callers: Vec<usize>,
    /// The symbols of the values of their variables.
    pub hidden: FxHashSet<SymId>,
}

impl Trace {
    /// What holds of the callers that are pending at `cut` by `interpolants`, those of the cuts up to this one.
    pub(super) fn pending<'a>(&'a self, cut: usize, interpolants: &'a [Term]) -> impl Iterator<Item = Term> + 'a {
        let callers = self.calls.get(cut).into_iter().flat_map(|pending| &pending.callers);
        callers.filter_map(|c| interpolants.get(*c).copied())
    }

    /// Whether `t` speaks of the callers that are pending at `cut`.
    fn speaks_of_callers(&self, terms: &Terms, cut: usize, t: Term) -> bool {
        let Some(pending) = self.calls.get(cut) else { return false };
        terms.leaves(&[t]).iter().any(|leaf| matches!(leaf, Leaf::Sym(s) if pending.hidden.contains(s)))
    }
}

impl Interpolator {
    /// A nested sequence, if `plain` is not one already and one is found.
    pub(super) fn nested(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        plain: &Sequence,
    ) -> Result<Option<Vec<Term>>, SolverError> {
        let cuts = plain.interpolants.iter().enumerate();
        let Some(first) = cuts.clone().position(|(cut, t)| trace.speaks_of_callers(terms, cut, *t)) else {
            return Ok(None);
        };
        let mut found = plain.interpolants[..first].to_vec();
        let mut is_better = false;
        for cut in first..plain.interpolants.len() {
            let mut before = vec![trace.parts[cut]];
            if let Some(last) = cut.checked_sub(1) {
                before.push(found[last]);
                before.extend(trace.pending(last, &found));
            }
            let mut after = trace.parts[cut + 1..].to_vec();
            after.extend(trace.pending(cut, &found));
            // What is known of callers may be about values that are none of the cut's.
            let (left, right) = trace.parts.split_at(cut + 1);
            let leaves: FxHashSet<Leaf> = terms.leaves(left).into_iter().collect();
            let mut state = terms.leaves(right);
            state.retain(|leaf| leaves.contains(leaf));
            let own = match trace.calls.get(cut) {
                Some(p) => {
                    state.iter().copied().filter(|l| !matches!(l, Leaf::Sym(s) if p.hidden.contains(s))).collect()
                }
                None => state.clone(),
            };
            let parts = vec![terms.and_all(before), terms.and_all(after)];
            let mut one = None;
            for state in [own, state] {
                let two = Trace { parts: parts.clone(), state: Some(vec![state]), ..Trace::default() };
                let found = self.plain(terms, &two);
                if let Some(Interpolation::Found(sequence)) = self.unless_over(found)? {
                    one = sequence.interpolants.first().copied();
                    break;
                }
            }
            let Some(one) = one else { return Ok(None) };
            let was = trace.speaks_of_callers(terms, cut, plain.interpolants[cut]);
            is_better |= was && !trace.speaks_of_callers(terms, cut, one);
            found.push(one);
        }
        let passes = is_better && self.passes(terms, trace, &found)?;
        self.counters.nested += u64::from(passes);
        Ok(passes.then_some(found))
    }
}
