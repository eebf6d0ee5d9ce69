//! The check of a certificate against the whole program.
//!
//! The check has four parts, each in a file that also contains its part of the argument why an accepted certificate means that no target
//! is reachable:
//!
//! 1. the slice is an abstraction of the program (`abstraction`);
//! 2. the graph covers all control flow of the slice's view (`structure`);
//! 3. its labels cover all values (`symbolic`, on sets of states from `state`, with `loops`, `k_induction` and `quantifiers`);
//! 4. the conditions that remain open are unsatisfiable (`discharge`).
//!
//! A proof by exploration has sets of states in place of the graph; then `explored` takes the place of parts 2 to 4.
//!
//! The trusted base consists of the terms, the symbolic semantics of operations, the view, and the solver.

use crate::abstraction::check_abstraction;
use crate::certificate::Certificate;
use crate::discharge::{Observer, discharge, discharge_in_parallel};
use crate::explored::check_explored;
use crate::k_induction::Windows;
use crate::quantifiers::Universals;
use crate::structure::check_structure;
use crate::symbolic::{Obligation, obligations};
use cfa::view::View;
use cfa::{Cfa, Terms};
use smt::{Limits, Solver};
use std::time::Instant;

/// An accepted certificate: no target of the program is reachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What the check did.
    pub statistics: Statistics,
}

/// Counts of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Number of nodes in the graph.
    pub nodes: usize,
    /// Number of nodes with a label.
    pub labelled: usize,
    /// Number of edges executed symbolically.
    pub steps: usize,
    /// Number of conditions to be refuted.
    pub obligations: usize,
    /// Number of these conditions that did not fold to `false`.
    pub open: usize,
    /// Number of solver queries.
    pub queries: usize,
    /// Number of these queries that were refuted by algebra before they reached the solver (`smt::algebra`).
    pub by_algebra: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// It is wrong: it does not prove that no target is reachable.
    #[error("the certificate is wrong: {0}")]
    Rejected(String),
    /// The check could not be completed.
    #[error("the certificate could not be checked: {0}")]
    Undecided(String),
}

/// Checks that `cert` proves that no target of `cfa` is reachable.
///
/// `cert.terms` is an overlay over the terms of `cfa`. `solver` must be new, since the check extends the terms of the certificate in an
/// arena of its own. Its deadline is set to `deadline`.
///
/// Errors: [`CheckError::Rejected`] if a claim of the certificate is wrong; [`CheckError::Undecided`] if a claim was neither proved nor
/// disproved, for example because time is up. Cost: linear in the size of the graph (of two labels, only the differences are examined),
/// plus the queries.
pub fn check(
    cfa: &Cfa,
    cert: &Certificate,
    solver: &mut dyn Solver,
    deadline: Option<Instant>,
) -> Result<Checked, CheckError> {
    check_observed(cfa, cert, solver, deadline, &mut ())
}

/// Like [`check`], with two threads if there is much to refute; `make` makes their solvers.
pub fn check_in_parallel(
    cfa: &Cfa,
    cert: &Certificate,
    make: &smt::Make<'_>,
    deadline: Option<Instant>,
) -> Result<Checked, CheckError> {
    let mut statistics = Statistics::default();
    if let Some((mut terms, open, universals)) = collect(cfa, cert, deadline, &mut statistics)? {
        let limits = Limits { query: None, deadline };
        discharge_in_parallel(cfa, &mut terms, (open, &universals), (make, limits), &mut statistics)?;
    }
    Ok(Checked { statistics })
}

/// Like [`check`]; `observer` is called with each query that `solver` refuted, in its form before any simplification.
pub fn check_observed(
    cfa: &Cfa,
    cert: &Certificate,
    solver: &mut dyn Solver,
    deadline: Option<Instant>,
    observer: &mut dyn Observer,
) -> Result<Checked, CheckError> {
    let mut statistics = Statistics::default();
    if let Some((mut terms, open, universals)) = collect(cfa, cert, deadline, &mut statistics)? {
        discharge(cfa, &mut terms, (open, &universals), solver, deadline, &mut statistics, observer)?;
    }
    Ok(Checked { statistics })
}

/// The parts of the check that need no solver. Returns the conditions that remain open, with their terms and the universal conditions that
/// they name; `None` if there is nothing left to check.
fn collect(
    cfa: &Cfa,
    cert: &Certificate,
    deadline: Option<Instant>,
    statistics: &mut Statistics,
) -> Result<Option<(Terms, Vec<Obligation>, Universals)>, CheckError> {
    check_abstraction(cfa, &cert.slice).map_err(CheckError::Rejected)?;
    let view = View::new(cfa, &cert.slice);
    if let Some(explored) = &cert.explored {
        check_explored(cfa, &view, cert, explored, deadline, statistics)?;
        return Ok(None);
    }
    check_structure(cfa, &view, cert).map_err(CheckError::Rejected)?;
    let windows = Windows::new(cert).map_err(CheckError::Rejected)?;
    statistics.nodes = cert.nodes.len();
    statistics.labelled = cert.nodes.iter().filter(|n| n.label.is_some()).count();
    let mut terms = cert.terms.clone();
    let (open, universals) = obligations(cfa, &view, cert, windows, &mut terms, deadline, statistics)?;
    Ok(Some((terms, open, universals)))
}
