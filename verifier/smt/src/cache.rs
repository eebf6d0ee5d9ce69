//! A cache of answers and models of earlier queries before a slower solver.
//!
//! Symbolic execution asks many related queries: a path's condition grows by one conjunct at a time, and a model of the
//! shorter path often satisfies the longer one. A query is a set of conjuncts. It is decided without the solver if (1) the
//! set was asked before, (2) it includes a set known to be unsatisfiable, or (3) a recent model satisfies it (Cadar, Dunbar,
//! Engler: KLEE, OSDI 2008, counterexample cache).

use crate::model::Model;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Maximum number of models tried on each query, the most recent first.
const MODELS: usize = 8;

/// Maximum number of unsatisfiable sets tried on each query.
const CORES: usize = 256;

/// Maximum number of evaluated terms that one model remembers.
const MEMO_LIMIT: usize = 1 << 20;

/// Maximum number of answers remembered.
const ANSWERS: usize = 1 << 18;

/// A cache before `S`.
pub struct Cached<S> {
    inner: S,
    assertions: Vec<Term>,
    /// Answers by sorted sets of conjuncts.
    answers: FxHashMap<Box<[Term]>, Answer>,
    /// Unsatisfiable sets, the most recent first.
    cores: VecDeque<Box<[Term]>>,
    /// Models with the number of assertions that they are known to satisfy, the most recently used first.
    models: VecDeque<(Model, usize)>,
    last: Last,
    /// For those conjuncts of the last query that are not assumptions themselves, the assumption from which they come.
    origins: FxHashMap<Term, Term>,
    statistics: Statistics,
}

/// Where the evidence for the last answer is.
enum Last {
    Nothing,
    /// In the inner solver.
    Inner,
    /// In the first of the models.
    Model,
    /// The query was answered `Sat` before and its model is gone: it is asked again when needed.
    Again(Box<[Term]>),
    /// In these conjuncts, which contradict each other.
    Core(Vec<Term>),
}

/// A query as a sorted set of conjuncts.
enum Query {
    Set(Box<[Term]>),
    /// A query with `false` or two complementary conjuncts.
    False(Vec<Term>),
}

/// The query of `assumptions`. `origins` receives, for conjuncts that are not assumptions themselves, the assumption that
/// they come from.
fn normalise(terms: &Terms, assumptions: &[Term], origins: &mut FxHashMap<Term, Term>) -> Query {
    origins.clear();
    let mut set: FxHashSet<Term> = FxHashSet::default();
    let mut stack = Vec::new();
    for &assumption in assumptions {
        stack.push(assumption);
        while let Some(t) = stack.pop() {
            match terms.kind(t) {
                Kind::Bool(true) => {}
                Kind::Bool(false) => return Query::False(vec![assumption]),
                Kind::And if set.insert(t) => stack.extend(terms.args(t)),
                Kind::And => {}
                _ => {
                    if set.insert(t) && t != assumption {
                        origins.insert(t, assumption);
                    }
                }
            }
        }
    }
    for &t in &set {
        if terms.kind(t) == Kind::Not && set.contains(&terms.args(t)[0]) {
            return Query::False(vec![terms.args(t)[0], t]);
        }
    }
    let mut list: Vec<Term> = set.into_iter().filter(|&t| terms.kind(t) != Kind::And).collect();
    list.sort_unstable();
    Query::Set(list.into_boxed_slice())
}

impl<S: Solver> Cached<S> {
    /// An empty cache.
    pub fn new(inner: S) -> Cached<S> {
        Cached {
            inner,
            assertions: Vec::new(),
            answers: FxHashMap::default(),
            cores: VecDeque::new(),
            models: VecDeque::new(),
            last: Last::Nothing,
            origins: FxHashMap::default(),
            statistics: Statistics::default(),
        }
    }

    /// Whether a recent model satisfies the query; if so, that model moves to the front.
    fn by_model(&mut self, terms: &Terms, query: &[Term]) -> bool {
        for i in 0..self.models.len() {
            let (model, satisfied) = &mut self.models[i];
            let open = self.assertions[*satisfied..].iter().position(|&t| model.holds(terms, t) != Some(true));
            match open {
                None => *satisfied = self.assertions.len(),
                Some(more) => {
                    *satisfied += more;
                    continue;
                }
            }
            // Later conjuncts are more likely to fail.
            if query.iter().rev().all(|&t| model.holds(terms, t) == Some(true)) {
                if let Some(hit) = self.models.remove(i) {
                    self.models.push_front(hit);
                }
                return true;
            }
        }
        false
    }

    fn by_core(&self, query: &[Term]) -> Option<Vec<Term>> {
        let within = |core: &[Term]| core.iter().all(|t| query.binary_search(t).is_ok());
        self.cores.iter().find(|core| within(core)).map(|core| core.to_vec())
    }

    fn ask(&mut self, terms: &Terms, query: &[Term]) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        let answer = self.inner.check(terms, query)?;
        self.last = Last::Inner;
        match answer {
            Answer::Sat => {
                // The answer stands even if the model cannot be read.
                if let Ok(model) = self.inner.model(terms) {
                    let mut model = model.clone();
                    model.shrink(MEMO_LIMIT);
                    self.models.push_front((model, self.assertions.len()));
                    self.models.truncate(MODELS);
                }
            }
            Answer::Unsat => {
                let mut core = self.inner.core();
                core.sort_unstable();
                self.cores.push_front(core.into_boxed_slice());
                self.cores.truncate(CORES);
            }
        }
        if self.answers.len() >= ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(query.into(), answer);
        Ok(answer)
    }
}

impl<S: Solver> Solver for Cached<S> {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.inner.assert(terms, t)?;
        self.assertions.push(t);
        // Unsatisfiable queries stay unsatisfiable.
        self.answers.retain(|_, a| *a == Answer::Unsat);
        self.last = Last::Nothing;
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.statistics.queries += 1;
        let query = match normalise(terms, assumptions, &mut self.origins) {
            Query::Set(q) => q,
            Query::False(core) => {
                self.statistics.by_answer += 1;
                self.last = Last::Core(core);
                return Ok(Answer::Unsat);
            }
        };
        if let Some(&answer) = self.answers.get(&query) {
            self.statistics.by_answer += 1;
            self.last = match answer {
                Answer::Sat => Last::Again(query),
                Answer::Unsat => Last::Core(self.by_core(&query).unwrap_or_else(|| query.to_vec())),
            };
            return Ok(answer);
        }
        if let Some(core) = self.by_core(&query) {
            self.statistics.by_answer += 1;
            self.last = Last::Core(core);
            return Ok(Answer::Unsat);
        }
        if self.by_model(terms, &query) {
            self.statistics.by_model += 1;
            self.last = Last::Model;
            return Ok(Answer::Sat);
        }
        self.ask(terms, &query)
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        if let Last::Again(query) = &self.last {
            let query = query.clone();
            if self.by_model(terms, &query) {
                self.last = Last::Model;
            } else if self.ask(terms, &query)? == Answer::Unsat {
                return Err(SolverError::Failed("two different answers to the same query".into()));
            }
        }
        match (&self.last, self.models.front_mut()) {
            (Last::Model, Some((model, _))) => Ok(model),
            (Last::Inner, _) => self.inner.model(terms),
            _ => Err(SolverError::Failed("no model: the last answer was not sat".into())),
        }
    }

    fn core(&mut self) -> Vec<Term> {
        let mut core = match &self.last {
            Last::Core(core) => core.clone(),
            Last::Inner => self.inner.core(),
            _ => Vec::new(),
        };
        for t in &mut core {
            *t = self.origins.get(t).copied().unwrap_or(*t);
        }
        core.sort_unstable();
        core.dedup();
        core
    }

    fn set_switches(&mut self, switches: &[Term]) {
        self.inner.set_switches(switches);
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn interrupter(&self) -> Interrupter {
        self.inner.interrupter()
    }

    fn statistics(&self) -> Statistics {
        let Statistics { queries, by_answer, by_model, .. } = self.statistics;
        Statistics { queries, by_answer, by_model, ..self.inner.statistics() }
    }
}
