//! The abstraction of a block: what its path formula says, in terms of predicates (Graf, Saïdi, CAV 1997).
//!
//! *Cartesian* abstraction is a conjunction of predicates and negations, each of which the formula implies (Ball, Podelski, Rajamani,
//! TACAS 2001). *Boolean* abstraction is the strongest combination of the predicates that the formula implies: the union of all its
//! solutions over the predicates (Lahiri, Nieuwenhuis, Oliveras, CAV 2006). It begins with the Cartesian one, so that only the other
//! predicates are enumerated.
//!
//! Both begin with a model: a predicate that is true in one model and false in another is not implied. A query asks for a model in which
//! any of the remaining ones differs, until there is none. The first combinations are found by one query each; if there are many, one
//! solver that continues after each model finds them all.
//!
//! What the last abstraction says about predicates that the block does not touch carries over without queries.

use super::table::Table;
use crate::cpa::Cx;
use crate::program::Halt;
use biodivine_lib_bdd::{Bdd, BddVariable};
use cfa::Term;
use smt::{Answer, Bits, Limits, Solver, SolverError};
use std::time::{Duration, Instant};

/// How abstractions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Method {
    /// Each predicate, or its negation, if it is implied.
    Cartesian,
    /// All combinations of predicates, if there are few undecided ones; otherwise Cartesian.
    #[default]
    Boolean,
}

impl Method {
    /// All methods, by the names used in configurations.
    pub const ALL: [(&'static str, Method); 2] = [("cartesian", Method::Cartesian), ("boolean", Method::Boolean)];

    /// The name used in configurations.
    pub fn name(self) -> &'static str {
        Method::ALL.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }
}

/// Maximum number of predicates whose combinations are enumerated.
const ENUMERATED: usize = 128;

/// Maximum number of combinations of one abstraction.
const MAX_SOLUTIONS: usize = 10_000;

/// Number of combinations above which one solver enumerates them all.
const FEW_QUERIES: usize = 32;

/// Maximum number of combinations that are found by one query each.
const MAX_QUERIES: usize = 300;

/// Maximum time of one query.
const QUERY: Duration = Duration::from_secs(3);

/// Maximum time of the enumeration for one abstraction.
const ENUMERATION: Duration = Duration::from_secs(5);

/// A predicate at the end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub(super) variable: BddVariable,
    /// The predicate there, over the symbols of the block.
    pub(super) term: Term,
}

/// The queries for one abstraction.
pub(super) struct Abstracting<'a, 'b> {
    pub(super) cx: &'a mut Cx<'b>,
    pub(super) table: &'a Table,
    /// What enumerates combinations.
    pub(super) circuits: &'a mut Bits,
    pub(super) method: Method,
    /// What holds at the end of the block: conjuncts over its symbols.
    pub(super) facts: Vec<Term>,
}

/// How an enumeration ended.
#[derive(PartialEq, Eq)]
enum Enumerated {
    /// All combinations were found.
    All,
    /// There are more than allowed.
    TooMany,
    /// A query was not decided, or the time is up.
    Undecided,
}

/// Values of predicates in a model.
type Values = Vec<bool>;

impl Abstracting<'_, '_> {
    /// The abstraction; `false` only if the block is infeasible. What the solver does not decide is not part of it.
    ///
    /// Errors: `OutOfTime`.
    pub(super) fn compute(mut self, predicates: &[Instance]) -> Result<Bdd, Halt> {
        let facts = self.facts.clone();
        let first = match self.ask(&facts, predicates)? {
            Some(None) => return Ok(self.table.ff()),
            Some(Some(values)) => values,
            None => return Ok(self.table.tt()),
        };
        let (implied, mut models) = self.cartesian(predicates, first)?;
        let decided: Vec<(BddVariable, bool)> =
            predicates.iter().zip(&implied).filter_map(|(p, value)| Some((p.variable, (*value)?))).collect();
        let cartesian = self.table.cube(decided);
        if self.method == Method::Cartesian {
            return Ok(cartesian);
        }
        let open: Vec<usize> = (0..predicates.len()).filter(|i| implied[*i].is_none()).collect();
        if open.is_empty() || open.len() > ENUMERATED {
            return Ok(cartesian);
        }
        let predicates: Vec<Instance> = open.iter().map(|i| predicates[*i]).collect();
        for model in &mut models {
            *model = open.iter().map(|i| model[*i]).collect();
        }
        Ok(match self.solutions(&predicates, models)? {
            Some(all) => cartesian.and(&all),
            None => cartesian,
        })
    }

    /// The value of each predicate that is implied, and the values of all in some models.
    fn cartesian(&mut self, predicates: &[Instance], first: Values) -> Result<(Vec<Option<bool>>, Vec<Values>), Halt> {
        let mut implied: Vec<Option<bool>> = first.iter().copied().map(Some).collect();
        let mut models = vec![first];
        loop {
            let differs = implied.iter().zip(predicates).filter_map(|(value, p)| Some((p.term, (*value)?)));
            let differs: Vec<Term> = differs.map(|(t, value)| if value { self.cx.terms.not(t) } else { t }).collect();
            let any = self.cx.terms.or_all(differs);
            let mut query = self.facts.clone();
            query.push(any);
            match self.ask(&query, predicates)? {
                Some(None) => return Ok((implied, models)),
                Some(Some(values)) => {
                    let before = implied.iter().flatten().count();
                    for (known, value) in implied.iter_mut().zip(&values) {
                        *known = known.filter(|k| k == value);
                    }
                    models.push(values);
                    if implied.iter().flatten().count() == before {
                        return Ok((self.one_by_one(predicates, implied)?, models));
                    }
                }
                None => return Ok((self.one_by_one(predicates, implied)?, models)),
            }
        }
    }

    /// Which of `implied` are, one query for each: where the solver does not decide all at once.
    fn one_by_one(
        &mut self,
        predicates: &[Instance],
        mut implied: Vec<Option<bool>>,
    ) -> Result<Vec<Option<bool>>, Halt> {
        for (p, known) in predicates.iter().zip(&mut implied) {
            let Some(value) = *known else { continue };
            let mut query = self.facts.clone();
            query.push(if value { self.cx.terms.not(p.term) } else { p.term });
            if !matches!(self.ask(&query, &[])?, Some(None)) {
                *known = None;
            }
        }
        Ok(implied)
    }

    /// The union of all combinations of values of `predicates`, of which `models` are some. `None` at a limit.
    fn solutions(&mut self, predicates: &[Instance], mut found: Vec<Values>) -> Result<Option<Bdd>, Halt> {
        found.sort_unstable();
        found.dedup();
        let end = Instant::now() + ENUMERATION;
        let mut state = self.by_queries(predicates, &mut found, FEW_QUERIES, end)?;
        if state == Enumerated::TooMany {
            state = match self.by_circuits(predicates, &mut found)? {
                Some(state) => state,
                None => self.by_queries(predicates, &mut found, MAX_QUERIES, end)?,
            };
        }
        let variables: Vec<BddVariable> = predicates.iter().map(|p| p.variable).collect();
        Ok((state == Enumerated::All).then(|| self.table.cubes(&variables, &found)))
    }

    /// Completes `found`, some combinations of values of `predicates`, by one query after the other, unless there are more than `most`.
    fn by_queries(
        &mut self,
        predicates: &[Instance],
        found: &mut Vec<Values>,
        most: usize,
        end: Instant,
    ) -> Result<Enumerated, Halt> {
        let mut query = self.facts.clone();
        let mut excluded = 0;
        loop {
            for values in &found[excluded..] {
                let terms = &mut self.cx.terms;
                let differs = predicates.iter().zip(values).map(|(p, v)| if *v { terms.not(p.term) } else { p.term });
                let differs: Vec<Term> = differs.collect();
                query.push(terms.or_all(differs));
            }
            excluded = found.len();
            if excluded > most {
                return Ok(Enumerated::TooMany);
            }
            if Instant::now() > end {
                return Ok(Enumerated::Undecided);
            }
            match self.ask(&query, predicates)? {
                Some(None) => return Ok(Enumerated::All),
                // A model that is known already: its values were not read correctly.
                Some(Some(values)) if found.contains(&values) => return Ok(Enumerated::Undecided),
                Some(Some(values)) => found.push(values),
                None => return Ok(Enumerated::Undecided),
            }
        }
    }

    /// Finds all combinations of values of `predicates` by circuits. `None` if these cannot express the formula.
    fn by_circuits(&mut self, predicates: &[Instance], found: &mut Vec<Values>) -> Result<Option<Enumerated>, Halt> {
        let start = Instant::now();
        self.circuits.set_limits(Limits { query: Some(ENUMERATION), deadline: Some(self.cx.budget.deadline) });
        let terms: Vec<Term> = predicates.iter().map(|p| p.term).collect();
        let all = self.circuits.combinations(&self.cx.terms, &self.facts, &terms, MAX_SOLUTIONS);
        self.cx.statistics.asked(start.elapsed());
        Ok(match all {
            Ok(Some(all)) => {
                *found = all;
                Some(Enumerated::All)
            }
            Ok(None) => Some(Enumerated::TooMany),
            Err(SolverError::Unknown(_)) if self.cx.budget.left().is_zero() => return Err(Halt::OutOfTime),
            Err(SolverError::Unknown(_)) => Some(Enumerated::Undecided),
            Err(_) => None,
        })
    }

    /// Whether `query` has a model, and the values of `predicates` in it; `None` if the solver does not know.
    fn ask(&mut self, query: &[Term], predicates: &[Instance]) -> Result<Option<Option<Values>>, Halt> {
        self.cx.budget.check()?;
        let cx = &mut *self.cx;
        if query.iter().any(|t| cx.terms.as_bool(*t) == Some(false)) {
            return Ok(Some(None));
        }
        let start = Instant::now();
        cx.solver.set_limits(Limits { query: Some(QUERY), deadline: Some(cx.budget.deadline) });
        let answer = cx.algebra.check(&mut cx.terms, cx.solver, query);
        cx.statistics.asked(start.elapsed());
        match answer {
            Ok(Answer::Unsat) => return Ok(Some(None)),
            Ok(Answer::Sat) => {}
            Err(SolverError::Unknown(_)) if cx.budget.left().is_zero() => return Err(Halt::OutOfTime),
            Err(_) => return Ok(None),
        }
        let Ok(model) = cx.solver.model(&cx.terms) else { return Ok(None) };
        Ok(predicates.iter().map(|p| model.holds(&cx.terms, p.term)).collect::<Option<Values>>().map(Some))
    }
}
