//! Interpolants from a path rather than from a proof: strongest postconditions from its beginning, or weakest preconditions from
//! its end, on what its contradiction needs (Dietsch, Heizmann, Musa, Nutz, Podelski: Craig vs. Newton in software model
//! checking, ESEC/FSE 2017).
//!
//! With `P` the projection on the leaves that are common to both sides of a cut (`projection`), and `C_i` the conjuncts of part
//! `i` that are in the unsatisfiable core:
//!
//! ```text
//! forward    I_i = P(I_(i-1) and C_i)                 from I_0 = true
//! backward   I_i = not P(C_(i+1) and not I_(i+1))     from I_n = false
//! ```
//!
//! Both work in any theory. Where a projection has to drop something, the last step may fail; the check tells.

use super::projection::Projection;
use super::vocabulary::Vocabulary;
use crate::bits::deadline::Deadline;
use crate::solver::SolverError;
use cfa::{Term, Terms};

/// Facts at each cut.
pub(crate) type Facts = Vec<Vec<Term>>;

/// What is known at each cut about where the parts before it lead. `parts` are those of the core.
pub(crate) fn postconditions(
    terms: &mut Terms,
    parts: &[Term],
    vocabulary: &Vocabulary,
    deadline: &mut Deadline,
) -> Result<Facts, SolverError> {
    let mut facts: Facts = Vec::new();
    let before_cuts = &parts[..parts.len().saturating_sub(1)];
    for (cut, &part) in before_cuts.iter().enumerate() {
        let before = facts.last().cloned().unwrap_or_default();
        facts.push(step(terms, before, part, cut, vocabulary, deadline)?);
    }
    Ok(facts)
}

/// What is known at each cut about from where the parts after it can be passed. `parts` are those of the core.
pub(crate) fn preconditions(
    terms: &mut Terms,
    parts: &[Term],
    vocabulary: &Vocabulary,
    deadline: &mut Deadline,
) -> Result<Facts, SolverError> {
    let mut facts: Facts = Vec::new();
    for cut in (0..parts.len().saturating_sub(1)).rev() {
        let after = facts.last().cloned().unwrap_or_default();
        facts.push(step(terms, after, parts[cut + 1], cut, vocabulary, deadline)?);
    }
    facts.reverse();
    Ok(facts)
}

fn step(
    terms: &mut Terms,
    mut facts: Vec<Term>,
    part: Term,
    cut: usize,
    vocabulary: &Vocabulary,
    deadline: &mut Deadline,
) -> Result<Vec<Term>, SolverError> {
    facts.extend(terms.conjuncts(&[part]));
    let keeps = |terms: &Terms, leaf: Term| vocabulary.allows(terms, cut, leaf);
    Projection { terms, keeps: &keeps, deadline }.project(facts)
}
