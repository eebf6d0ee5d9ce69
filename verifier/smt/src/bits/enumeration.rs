//! All combinations of values that some terms can have where a query holds (Lahiri, Nieuwenhuis, Oliveras, CAV 2006).

use super::graph::Lit;
use super::{Bits, Problem};
use crate::solver::{Answer, SolverError};
use cfa::{Term, Terms};

impl Bits {
    /// The combinations of values of the Bools `predicates` in the models of all of `facts`, each once: one solver continues after
    /// each model, which a clause excludes. `None` if there are more than `most`.
    ///
    /// # Errors
    /// As for [`Solver::check`](crate::Solver::check).
    pub fn combinations(
        &mut self,
        terms: &Terms,
        facts: &[Term],
        predicates: &[Term],
        most: usize,
    ) -> Result<Option<Vec<Vec<bool>>>, SolverError> {
        self.deadline.set(self.limits.remaining()?);
        if self.deadline.over() {
            return Err(self.deadline.reason());
        }
        // The solver of a query that is still open is used for another one.
        self.open = None;
        let Problem::Open(query) = self.encode(terms, facts)? else { return Ok(Some(Vec::new())) };
        self.encoder.look_at(terms, predicates.iter().copied(), &mut self.deadline)?;
        let mut lits: Vec<Lit> = Vec::with_capacity(predicates.len());
        for &p in predicates {
            lits.push(self.encoder.encode(terms, p, &mut self.deadline)?);
        }
        self.single.reset();
        for (l, _) in &query {
            self.single.assert(&self.encoder, *l)?;
        }
        let open: Vec<Lit> = lits.iter().copied().filter(|l| l.as_constant().is_none()).collect();
        for &l in &open {
            self.single.define(&self.encoder, l)?;
            self.single.define(&self.encoder, !l)?;
        }
        let mut found = Vec::new();
        loop {
            match self.single.solve(&mut self.encoder, &[], None)? {
                Some(Answer::Unsat) => return Ok(Some(found)),
                Some(Answer::Sat) if found.len() == most => return Ok(None),
                Some(Answer::Sat) => {}
                None => return Err(self.deadline.reason()),
            }
            let holds = |l: &Lit| l.as_constant().unwrap_or_else(|| self.single.value(l.gate()) != l.negated());
            found.push(lits.iter().map(holds).collect());
            if open.is_empty() {
                return Ok(Some(found));
            }
            let other: Vec<Lit> = open.iter().map(|l| l.flip_if(holds(l))).collect();
            self.single.clause(&other)?;
        }
    }
}
