//! Interpolants as few comparisons of words: what a trace compares anyway, and obvious weakenings of it, in place of an
//! interpolant that is larger.
//!
//! An interpolant at a cut may be any formula between what the parts before the cut lead to and what the interpolant after the
//! next part forbids. So from the comparisons of the trace over the leaves of the cut, those that hold at the cut are taken,
//! found by models that refute the others as in Houdini (Flanagan, Leino, FME 2001); if together they suffice for the next part,
//! as few of them as possible are kept, bounds rather than equations. If they do not, the same is tried from the other side,
//! with the negation of what is forbidden.

use super::check::follows;
use super::cost;
use super::normal_form::bound;
use super::vocabulary::Vocabulary;
use crate::solver::{Answer, Solver, SolverError};
use cfa::bv::BvCmp;
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// Maximum number of candidates at one cut.
const MAX_CANDIDATES: usize = 64;

/// Maximum number of models that may refute candidates at one cut.
const MAX_MODELS: usize = 24;

/// Maximum number of candidates of which each alone is left out, to see whether it is needed.
const MAX_DELETIONS: usize = 16;

/// Cost of an interpolant that needs no replacement: a bound.
const SMALL: usize = 3;

/// The literals from which an interpolant at `cut` may be made, those first that are left out first. `facts` are further sources,
/// besides the parts.
pub(crate) fn candidates(
    terms: &mut Terms,
    parts: &[Term],
    facts: &[&[Term]],
    cut: usize,
    vocabulary: &Vocabulary,
) -> Vec<Term> {
    let mut found: Vec<(u32, Term)> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let facts: Vec<Term> = facts.iter().flat_map(|f| f.iter().copied()).collect();
    // Parts close to the cut come first.
    let mut near: Vec<usize> = (0..parts.len()).collect();
    near.sort_by_key(|i| if *i > cut { 2 * (i - cut) - 1 } else { 2 * (cut - i) });
    let sources = std::iter::once((facts, 1)).chain(near.into_iter().map(|i| (vec![parts[i]], u32::from(i > cut))));
    for (roots, after) in sources {
        for atom in terms.subterms(&roots, |_| false) {
            if !is_atom(terms, atom) || vocabulary.foreign(terms, cut, atom).is_some() {
                continue;
            }
            for (weakness, literal) in literals(terms, atom) {
                if terms.as_bool(literal).is_none() && found.len() < MAX_CANDIDATES && seen.insert(literal) {
                    found.push((2 * weakness + after, literal));
                }
            }
        }
    }
    found.sort_by_key(|(keep, _)| *keep);
    found.into_iter().map(|(_, t)| t).collect()
}

fn is_atom(terms: &Terms, t: Term) -> bool {
    match terms.kind(t) {
        Kind::Eq => !matches!(terms.sort(terms.args(t)[0]), Sort::Bool),
        Kind::Cmp(_) | Kind::Float(..) => terms.sort(t) == Sort::Bool,
        Kind::Var(_) | Kind::Sym(_) => terms.sort(t) == Sort::Bool,
        _ => false,
    }
}

/// Literals about what `atom` compares, each with a number that is larger for those that are rather kept.
fn literals(terms: &mut Terms, atom: Term) -> Vec<(u32, Term)> {
    let not = terms.not(atom);
    match (terms.kind(atom), terms.args(atom)) {
        (Kind::Eq, &[a, b]) if matches!(terms.sort(a), Sort::Bv(_)) => {
            let mut all = vec![(0, atom), (1, not)];
            for cmp in [BvCmp::Ule, BvCmp::Sle] {
                all.extend([(2, terms.cmp(cmp, a, b)), (2, terms.cmp(cmp, b, a))]);
            }
            all
        }
        (Kind::Cmp(cmp), &[a, b]) => {
            let (weak, strict) = match cmp {
                BvCmp::Ult | BvCmp::Ule => (BvCmp::Ule, BvCmp::Ult),
                BvCmp::Slt | BvCmp::Sle => (BvCmp::Sle, BvCmp::Slt),
            };
            [(weak, a, b), (weak, b, a), (strict, a, b), (strict, b, a)]
                .map(|(cmp, a, b)| (2, bound(terms, cmp, a, b)))
                .into_iter()
                .collect()
        }
        _ => vec![(2, atom), (2, not)],
    }
}

/// The step of a trace around one interpolant: what leads to it and what it must imply.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    /// The interpolant before.
    pub(crate) before: Term,
    /// The part before the cut.
    pub(crate) part: Term,
    /// The part after the cut.
    pub(crate) next: Term,
    /// The interpolant after that.
    pub(crate) after: Term,
}

/// An interpolant made of `candidates` that is smaller than `current`, if there is one.
///
/// Errors: those of the solver.
pub(crate) fn replace(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    around: Around,
    candidates: &[Term],
    current: Term,
) -> Result<Option<Term>, SolverError> {
    let enough = cost(terms, &[current]);
    if enough <= SMALL || candidates.is_empty() {
        return Ok(None);
    }
    let not_after = terms.not(around.after);
    let reached = [around.before, around.part];
    let forbidden = [around.next, not_after];
    for (from, to, negated) in [(reached, forbidden, false), (forbidden, reached, true)] {
        let held = implied(solver, terms, &from, candidates)?;
        let Some(few) = sufficient(solver, terms, &to, held)? else { continue };
        let all = terms.and_all(few);
        let made = if negated { terms.not(all) } else { all };
        if cost(terms, &[made]) < enough {
            return Ok(Some(made));
        }
    }
    Ok(None)
}

/// Those of `candidates` that `from` implies.
fn implied(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    from: &[Term],
    candidates: &[Term],
) -> Result<Vec<Term>, SolverError> {
    let mut left = candidates.to_vec();
    for _ in 0..MAX_MODELS {
        let all = terms.and_all(left.iter().copied());
        if left.is_empty() || follows(solver, terms, from, all)? {
            return Ok(left);
        }
        let mut holds = Vec::with_capacity(left.len());
        for &t in &left {
            holds.push(matches!(solver.model_value(terms, t), Ok(Value::Bool(true))));
        }
        if holds.iter().all(|h| *h) {
            break;
        }
        let mut next = holds.into_iter();
        left.retain(|_| next.next() == Some(true));
    }
    // Too many models: each of a few that are left is asked about alone.
    let mut found = Vec::new();
    for t in left.into_iter().rev().take(MAX_DELETIONS) {
        if follows(solver, terms, from, t)? {
            found.push(t);
        }
    }
    found.reverse();
    Ok(found)
}

/// Few of `held` that together exclude `to`, if all of them do.
fn sufficient(
    solver: &mut dyn Solver,
    terms: &mut Terms,
    to: &[Term],
    held: Vec<Term>,
) -> Result<Option<Vec<Term>>, SolverError> {
    let excludes = |solver: &mut dyn Solver, terms: &Terms, held: &[Term]| {
        let query: Vec<Term> = held.iter().chain(to).copied().filter(|t| terms.as_bool(*t) != Some(true)).collect();
        if query.iter().any(|t| terms.as_bool(*t) == Some(false)) {
            return Ok(true);
        }
        Ok::<bool, SolverError>(solver.check(terms, &query)? == Answer::Unsat)
    };
    if !excludes(solver, terms, &held)? {
        return Ok(None);
    }
    let mut few = held.clone();
    if few.len() > MAX_DELETIONS {
        let core: FxHashSet<Term> = solver.core().into_iter().collect();
        let reduced: Vec<Term> = few.iter().copied().filter(|t| core.contains(t)).collect();
        // A core without candidates may come from a query that was decided without the solver.
        if excludes(solver, terms, &reduced)? {
            few = reduced;
        }
    }
    let mut i = 0;
    for _ in 0..MAX_DELETIONS {
        if i >= few.len() {
            break;
        }
        let mut fewer = few.clone();
        fewer.remove(i);
        if excludes(solver, terms, &fewer)? { few = fewer } else { i += 1 }
    }
    // One alone may do what several weaker ones do.
    let all = terms.and_all(few.iter().copied());
    let enough = cost(terms, &[all]);
    let mut alone: Vec<(usize, Term)> = held.into_iter().rev().map(|t| (cost(terms, &[t]), t)).collect();
    alone.retain(|(cost, _)| *cost < enough);
    alone.sort_by_key(|(cost, _)| *cost);
    for (_, t) in alone.into_iter().take(MAX_DELETIONS) {
        if excludes(solver, terms, &[t])? {
            return Ok(Some(vec![t]));
        }
    }
    Ok(Some(few))
}
