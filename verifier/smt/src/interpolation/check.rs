//! The check of interpolants: the queries by which a sequence is one, whatever made it.
//!
//! ```text
//! A_1 => I_1      I_i and A_(i+1) => I_(i+1)      I_(n-1) and A_n => false
//! ```
//!
//! and each interpolant has leaves only that both sides of its cut have. Where calls are pending before a part, what holds of the callers
//! is known, too (`nested`).

use super::Trace;
use super::vocabulary::{Vocabulary, leaf_of};
use crate::solver::{Answer, Solver, SolverError};
use cfa::term::Leaf;
use cfa::{Sort, Term, Terms};

/// Why terms are no interpolants of a trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// There is not exactly one term for each cut.
    #[error("there are {found} interpolants for {cuts} cuts")]
    Number {
        /// Number of interpolants.
        found: usize,
        /// Number of cuts.
        cuts: usize,
    },
    /// An interpolant is no Bool.
    #[error("interpolant {0} is no truth value")]
    Sort(usize),
    /// An interpolant has a leaf that is not common to both sides, or no state.
    #[error("interpolant {cut} has the leaf {leaf:?}, which is not for both sides")]
    Vocabulary {
        /// The cut, counted from zero.
        cut: usize,
        /// The leaf.
        leaf: Leaf,
    },
    /// A part does not lead from the interpolant before it to the one after it.
    #[error("the interpolant after part {0} does not follow")]
    Step(usize),
}

/// Checks that `interpolants`, one for each cut, are inductive interpolants of `trace`: `None` if they are.
///
/// `solver` must have no assertions; it is asked as many queries as there are parts.
/// Errors: those of the solver.
pub fn check(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    trace: &Trace,
    interpolants: &[Term],
) -> Result<Option<Flaw>, SolverError> {
    let (found, cuts) = (interpolants.len(), trace.parts.len().saturating_sub(1));
    if found != cuts {
        return Ok(Some(Flaw::Number { found, cuts }));
    }
    let vocabulary = Vocabulary::of(terms, trace);
    for (cut, &t) in interpolants.iter().enumerate() {
        if terms.sort(t) != Sort::Bool {
            return Ok(Some(Flaw::Sort(cut)));
        }
        if let Some(leaf) = vocabulary.foreign(terms, cut, t).and_then(|leaf| leaf_of(terms, leaf)) {
            return Ok(Some(Flaw::Vocabulary { cut, leaf }));
        }
    }
    for (i, &part) in trace.parts.iter().enumerate() {
        let before = if i == 0 { terms.tt() } else { interpolants[i - 1] };
        let after = interpolants.get(i).copied().unwrap_or_else(|| terms.ff());
        let mut from = vec![before, part];
        from.extend(i.checked_sub(1).into_iter().flat_map(|cut| trace.pending(cut, interpolants)));
        if !follows(solver, terms, &from, after)? {
            return Ok(Some(Flaw::Step(i)));
        }
    }
    Ok(None)
}

/// Whether `from` together imply `to`.
pub(crate) fn follows(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    from: &[Term],
    to: Term,
) -> Result<bool, SolverError> {
    let not = terms.not(to);
    let mut query: Vec<Term> = from.to_vec();
    query.push(not);
    query.retain(|t| terms.as_bool(*t) != Some(true));
    if query.iter().any(|t| terms.as_bool(*t) == Some(false)) {
        return Ok(true);
    }
    Ok(solver.check(terms, &query)? == Answer::Unsat)
}
