//! The check of a certificate against the uncut program.
//!
//! Four parts, each in a file of its own with its part of the argument why an accepted certificate means that no
//! target is reachable: the slice is an abstraction of the program (`abstraction`); the graph covers all control flow of the slice's view
//! (`structure`); its labels cover all values (`symbolic`, on sets of states of `state`, with `loops`, `windows` and `universals`); and what this left open is
//! unsatisfiable (`discharge`). Trusted are the terms, the symbolic meaning of operations, the view, and the solver.

use crate::abstraction::check_abstraction;
use crate::certificate::Certificate;
use crate::discharge::{Observer, discharge};
use crate::structure::check_structure;
use crate::symbolic::obligations;
use crate::windows::Windows;
use cfa::Cfa;
use cfa::view::View;
use smt::Solver;
use std::time::Instant;

/// An accepted certificate: no target of the program is reachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What the check did.
    pub statistics: Statistics,
}

/// What a check did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Nodes with a label.
    pub labelled: usize,
    /// Edges executed symbolically.
    pub steps: usize,
    /// Conditions to be refuted.
    pub obligations: usize,
    /// Those that did not fold to `false`.
    pub open: usize,
    /// Questions to the solver.
    pub queries: usize,
    /// Those of them that the algebra in front of the solver refuted (`smt::algebra`).
    pub by_algebra: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// It is wrong: it does not prove that no target is reachable.
    #[error("the certificate is wrong: {0}")]
    Rejected(String),
    /// The check came to no end.
    #[error("the certificate could not be checked: {0}")]
    Undecided(String),
}

/// Checks that `cert` proves that no target of `cfa` is reachable.
///
/// `cert.terms` is an overlay over the terms of `cfa`. `solver` is a new one: the check extends the certificate's terms in
/// an arena of its own. Its limits are set to `deadline`. Cost: linear in the graph, labels compared where they differ; plus the queries.
pub fn check(
    cfa: &Cfa,
    cert: &Certificate,
    solver: &mut dyn Solver,
    deadline: Option<Instant>,
) -> Result<Checked, CheckError> {
    check_observed(cfa, cert, solver, deadline, &mut ())
}

/// As [`check`]; `observer` is told each query that `solver` refuted, as it is before anything simplifies it for the solver.
pub fn check_observed(
    cfa: &Cfa,
    cert: &Certificate,
    solver: &mut dyn Solver,
    deadline: Option<Instant>,
    observer: &mut dyn Observer,
) -> Result<Checked, CheckError> {
    check_abstraction(cfa, &cert.slice).map_err(CheckError::Rejected)?;
    let view = View::new(cfa, &cert.slice);
    check_structure(cfa, &view, cert).map_err(CheckError::Rejected)?;
    let windows = Windows::new(cert).map_err(CheckError::Rejected)?;
    let labelled = cert.nodes.iter().filter(|n| n.label.is_some()).count();
    let mut statistics = Statistics { nodes: cert.nodes.len(), labelled, ..Statistics::default() };
    let mut terms = cert.terms.clone();
    let (open, universals) = obligations(cfa, &view, cert, windows, &mut terms, deadline, &mut statistics)?;
    discharge(cfa, &mut terms, (open, &universals), solver, deadline, &mut statistics, observer)?;
    Ok(Checked { statistics })
}
