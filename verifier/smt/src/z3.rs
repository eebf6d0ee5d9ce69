//! Z3 as a solver. No other module calls Z3.
//!
//! Each solver owns a Z3 context, so that solvers of different threads share nothing. Formulas without memories and floats go
//! to Z3's bit-vector engine (bit-blasting and an incremental SAT solver), the others to its SMT core. An assumption that is
//! not a literal gets a proxy `p` with `p => assumption`, so that what Z3 learns from it persists.
//!
//! Reading order: this file (the solver), `translate`, `operators` and `floats` (terms to Z3), `values` (Z3's models to values),
//! `spacer` (Horn clauses), `raw` (all that is `unsafe`: contexts, threads, calls that the crate `z3` lacks).

mod floats;
mod operators;
mod raw;
pub(crate) mod spacer;
mod translate;
mod values;

use crate::model::{Last, Model};
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::term::Kind;
use cfa::{Term, Terms};
use raw::{Confined, Context, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use translate::Translator;
use z3::ast::Bool;
use z3::{Params, SatResult};

/// Version of the linked Z3.
pub fn z3_version() -> String {
    z3::full_version().trim().trim_start_matches("Z3").trim().to_string()
}

/// One of Z3's engines, and what has been asserted in it.
struct Engine {
    solver: z3::Solver,
    /// Number of permanent assertions that have been asserted in it.
    asserted: usize,
    /// Proxies of assumptions that have been asserted in it.
    proxies: FxHashMap<Term, Bool>,
    /// The current time-out, in ms.
    timeout_ms: Option<u32>,
}

/// The kind of Z3's engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Logic {
    Bits,
    All,
}

/// How queries are given to Z3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Fresh as long as nothing is asserted, incremental afterwards.
    #[default]
    Auto,
    /// A new engine for each query. This is the fastest mode for many small queries, which leave little to reuse, and for
    /// single hard queries, since Z3 simplifies such a query as a whole. Cores consist of all assumptions.
    Fresh,
    /// One engine that keeps what it learns, for large assertions under changing assumptions.
    Incremental,
}

/// Z3 as a [`Solver`].
pub struct Z3 {
    state: Confined<State>,
    assertions: Vec<Term>,
    limits: Limits,
    mode: Mode,
    stop: Arc<Stop>,
    /// `Unread` for the model in the state.
    last: Last<()>,
    statistics: Statistics,
}

/// The part of the solver that consists of Z3's objects.
struct State {
    translator: Translator,
    bits: Option<Engine>,
    all: Option<Engine>,
    /// The model of the last query, until it is read.
    model: Option<z3::Model>,
}

/// A query.
#[derive(Clone, Copy)]
struct Query<'a> {
    terms: &'a Terms,
    assertions: &'a [Term],
    assumptions: &'a [Term],
    limits: Limits,
    is_fresh: bool,
    stop: &'a Stop,
}

/// A query at work: where it is solved, and what it adds to.
struct Work<'a> {
    context: &'a Context,
    query: Query<'a>,
    statistics: &'a mut Statistics,
}

/// The answer to a query.
enum Found {
    /// There is a model, which needs a check if a term became a function of the address (a lambda).
    Model { has_lambda: bool },
    /// These assumptions contradict the assertions.
    Core(Vec<Term>),
}

/// Maximum number of proxies before an engine is replaced: those of old queries slow it down.
const MAX_PROXIES: usize = 4000;

/// Minimum time-out, in ms.
const MIN_TIMEOUT_MS: u32 = 1;

impl Z3 {
    /// A new solver in mode `Auto`.
    ///
    /// Errors: `Failed` if Z3 has no memory for a context.
    pub fn new(limits: Limits) -> Result<Z3, SolverError> {
        Z3::with_mode(limits, Mode::Auto)
    }

    /// A new solver.
    ///
    /// Errors: as for [`Z3::new`].
    pub fn with_mode(limits: Limits, mode: Mode) -> Result<Z3, SolverError> {
        Ok(Z3 {
            state: Confined::new(|_| Ok(State { translator: Translator::new(), bits: None, all: None, model: None }))?,
            assertions: Vec::new(),
            limits,
            mode,
            stop: Arc::default(),
            last: Last::Nothing,
            statistics: Statistics::default(),
        })
    }

    /// Checks the model of a query with functions of addresses (lambdas), since Z3 may fail to notice that arrays are equal.
    ///
    /// Errors: `Unknown` if the model does not satisfy the query.
    fn trust(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        let all: Vec<Term> = self.assertions.iter().chain(assumptions).copied().collect();
        let model = self.model(terms)?;
        if all.iter().all(|&t| model.holds(terms, t) == Some(true)) {
            return Ok(());
        }
        self.last = Last::Nothing;
        Err(SolverError::Unknown("equality of memories with block copies".into()))
    }
}

impl State {
    fn check(&mut self, work: Work<'_>) -> Result<Found, SolverError> {
        let Work { context: c, query, .. } = work;
        self.model = None;
        for &t in query.assumptions {
            self.translator.translate(c, query.terms, t)?;
        }
        work.statistics.translated = self.translator.translated();
        let mut all = query.assertions.iter().chain(query.assumptions);
        let logic = if all.all(|&t| self.translator.only_bits(t)) { Logic::Bits } else { Logic::All };
        if query.is_fresh {
            let mut engine = Engine::new(c, logic)?;
            let found = self.solve_fresh(&mut engine, work);
            c.drop(engine);
            return found;
        }
        let slot = if logic == Logic::Bits { &mut self.bits } else { &mut self.all };
        let mut engine = match slot.take() {
            Some(engine) if engine.proxies.len() <= MAX_PROXIES => engine,
            _ => Engine::new(c, logic)?,
        };
        let found = self.solve(&mut engine, work);
        *(if logic == Logic::Bits { &mut self.bits } else { &mut self.all }) = Some(engine);
        found
    }

    /// Solves a query in an engine that keeps its assertions: assumptions become literals.
    fn solve(&mut self, engine: &mut Engine, work: Work<'_>) -> Result<Found, SolverError> {
        let Work { context: c, query, .. } = work;
        while let Some(&t) = query.assertions.get(engine.asserted) {
            engine.assert(c, &self.translator.truth(t)?)?;
            engine.asserted += 1;
        }
        let mut literals = Vec::with_capacity(query.assumptions.len());
        for &t in query.assumptions {
            literals.push(engine.literal(c, &self.translator, query.terms, t)?);
        }
        match self.run(engine, work, &literals)? {
            Answer::Sat => Ok(self.found_model(query)),
            Answer::Unsat => {
                // Without the check, a core that Z3 could not compute would be an empty one.
                let core: FxHashSet<Bool> = c.checked(engine.solver.get_unsat_core())?.into_iter().collect();
                let within = literals.iter().zip(query.assumptions).filter(|(literal, _)| core.contains(literal));
                Ok(Found::Core(within.map(|(_, t)| *t).collect()))
            }
        }
    }

    /// Solves a query in an engine of its own: assumptions become assertions.
    fn solve_fresh(&mut self, engine: &mut Engine, work: Work<'_>) -> Result<Found, SolverError> {
        let Work { context: c, query, .. } = work;
        for &t in query.assertions.iter().chain(query.assumptions) {
            engine.assert(c, &self.translator.truth(t)?)?;
        }
        match self.run(engine, work, &[])? {
            Answer::Sat => Ok(self.found_model(query)),
            Answer::Unsat => Ok(Found::Core(query.assumptions.to_vec())),
        }
    }

    fn found_model(&self, query: Query<'_>) -> Found {
        let mut all = query.assertions.iter().chain(query.assumptions);
        Found::Model { has_lambda: all.any(|&t| self.translator.has_lambda(t)) }
    }

    /// Runs the engine under `literals`, which represent those assumptions that are not asserted in it.
    fn run(&mut self, engine: &mut Engine, work: Work<'_>, literals: &[Bool]) -> Result<Answer, SolverError> {
        let Work { context: c, query, statistics } = work;
        engine.set_timeout(c, query.limits.remaining()?)?;
        let begin = Instant::now();
        // Without literals Z3 may choose a tactic for the query.
        let result = query.stop.during(c, || match literals {
            [] => engine.solver.check(),
            _ => engine.solver.check_assumptions(literals),
        })?;
        statistics.solved += 1;
        statistics.solving += begin.elapsed();
        match result {
            SatResult::Sat => {
                self.model = Some(engine.solver.get_model().ok_or_else(|| c.error())?);
                Ok(Answer::Sat)
            }
            SatResult::Unsat => {
                statistics.refuted += 1;
                Ok(Answer::Unsat)
            }
            SatResult::Unknown => Err(unknown(c, engine, query.stop)),
        }
    }
}

impl Engine {
    fn new(c: &Context, logic: Logic) -> Result<Engine, SolverError> {
        let solver = match logic {
            Logic::Bits => z3::Solver::new_for_logic("QF_BV").ok_or_else(|| c.error())?,
            Logic::All => z3::Solver::new(),
        };
        Ok(Engine { solver, asserted: 0, proxies: FxHashMap::default(), timeout_ms: None })
    }

    fn assert(&self, c: &Context, formula: &Bool) -> Result<(), SolverError> {
        self.solver.assert(formula);
        c.checked(())
    }

    /// A Z3 literal that represents the translated `t`.
    fn literal(&mut self, c: &Context, translator: &Translator, terms: &Terms, t: Term) -> Result<Bool, SolverError> {
        let atom = |t: Term| matches!(terms.kind(t), Kind::Var(_) | Kind::Sym(_) | Kind::Bool(_));
        if atom(t) || (terms.kind(t) == Kind::Not && atom(terms.args(t)[0])) {
            return translator.truth(t);
        }
        if let Some(p) = self.proxies.get(&t) {
            return Ok(p.clone());
        }
        let p = Bool::fresh_const("p");
        self.assert(c, &p.implies(translator.truth(t)?))?;
        self.proxies.insert(t, p.clone());
        Ok(p)
    }

    fn set_timeout(&mut self, c: &Context, left: Option<Duration>) -> Result<(), SolverError> {
        // Rounded down to four significant binary digits, so that the parameter rarely changes as the remaining time
        // shrinks.
        let wanted = left.map(|d| {
            let ms = u32::try_from(d.as_millis()).unwrap_or(u32::MAX - 1).max(MIN_TIMEOUT_MS);
            let shift = (32 - ms.leading_zeros()).saturating_sub(4);
            ((ms >> shift) << shift).max(MIN_TIMEOUT_MS)
        });
        if self.timeout_ms == wanted {
            return Ok(());
        }
        let mut params = Params::new();
        params.set_u32("timeout", wanted.unwrap_or(u32::MAX));
        c.checked(())?;
        self.solver.set_params(&params);
        c.checked(())?;
        self.timeout_ms = wanted;
        Ok(())
    }
}

/// Why `engine` has no answer.
fn unknown(c: &Context, engine: &Engine, stop: &Stop) -> SolverError {
    let reason = engine.solver.get_reason_unknown().unwrap_or_default();
    c.has_given(&reason);
    if stop.is_set() {
        return SolverError::Unknown("interrupted".into());
    }
    SolverError::Unknown(if reason == "canceled" || reason == "timeout" { "time-out".into() } else { reason })
}

impl Solver for Z3 {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.last = Last::Nothing;
        self.state.with(|c, state| {
            state.model = None;
            state.translator.translate(c, terms, t)
        })?;
        self.assertions.push(t);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        self.statistics.queries += 1;
        let query = Query {
            terms,
            assertions: &self.assertions,
            assumptions,
            limits: self.limits,
            is_fresh: self.mode == Mode::Fresh || (self.mode == Mode::Auto && self.assertions.is_empty()),
            stop: &self.stop,
        };
        let statistics = &mut self.statistics;
        match self.state.with(|c, state| state.check(Work { context: c, query, statistics }))? {
            Found::Core(core) => {
                self.last = Last::Core(core);
                Ok(Answer::Unsat)
            }
            Found::Model { has_lambda } => {
                self.last = Last::Unread(());
                if has_lambda {
                    self.trust(terms, assumptions)?;
                }
                Ok(Answer::Sat)
            }
        }
    }

    fn model(&mut self, _: &Terms) -> Result<&mut Model, SolverError> {
        if let Last::Unread(()) = self.last {
            let values = self.state.with(|_, state| {
                let model = state.model.take().ok_or_else(|| SolverError::Failed("Z3's model is gone".into()))?;
                values::read(&state.translator.operators, &model)
            })?;
            self.last = Last::Read(Model::new(values));
        }
        self.last.model()
    }

    fn core(&mut self) -> Vec<Term> {
        self.last.core()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        Stop::interrupter(&self.stop)
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

#[cfg(test)]
mod tests;
