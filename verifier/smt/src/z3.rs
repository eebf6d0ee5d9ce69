//! Z3 as a solver. No other module names Z3.
//!
//! Each solver owns a Z3 context, so that solvers of different threads share nothing. Formulas without memories and floats go
//! to Z3's bit-vector engine (bit-blasting and an incremental SAT solver), the others to its SMT core. An assumption that is
//! not a literal gets a proxy `p` with `p => assumption`, so that what Z3 learns from it persists.
//!
//! Reading order: this file (the solver), `translate` and `floats` (terms to Z3), `values` (Z3's models to values), `spacer` (Horn clauses).

mod floats;
pub(crate) mod spacer;
mod translate;
mod values;

use crate::model::{Last, Model};
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::term::Kind;
use cfa::{Term, Terms};
use rustc_hash::FxHashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use translate::Translator;
use z3_sys::*;

/// Version of the linked Z3.
pub fn z3_version() -> String {
    // SAFETY: Z3 returns a pointer to a constant string.
    let text = unsafe { CStr::from_ptr(Z3_get_full_version()) };
    text.to_string_lossy().trim().trim_start_matches("Z3").trim().to_string()
}

/// A Z3 context: the owner of all its syntax trees, which live as long as the context.
struct Context {
    raw: Z3_context,
}

impl Context {
    fn new() -> Result<Context, SolverError> {
        // SAFETY: plain construction; the configuration is deleted once the context has copied it.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| SolverError::Failed("Z3 gives no configuration".into()))?;
            let raw = Z3_mk_context(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| SolverError::Failed("Z3 gives no context".into()))?;
            Z3_set_error_handler(raw, None);
            Ok(Context { raw })
        }
    }

    /// Z3's last error.
    fn error(&self) -> SolverError {
        // SAFETY: the context is alive, and Z3 returns a constant string for any code.
        let text = unsafe {
            let code = Z3_get_error_code(self.raw);
            CStr::from_ptr(Z3_get_error_msg(self.raw, code))
        };
        SolverError::Failed(text.to_string_lossy().into_owned())
    }

    /// The result of a constructor, or Z3's error.
    fn ok<T>(&self, made: Option<T>) -> Result<T, SolverError> {
        made.ok_or_else(|| self.error())
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol, SolverError> {
        let name = CString::new(name).map_err(|_| SolverError::Failed("a name with a zero byte".into()))?;
        // SAFETY: the string outlives the call, which copies it.
        self.ok(unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: nothing of this context is used after its owner is gone.
        unsafe { Z3_del_context(self.raw) }
    }
}

/// One of Z3's engines, with what it has been told.
struct Engine {
    raw: Z3_solver,
    /// Number of permanent assertions that it has been told.
    asserted: usize,
    /// Proxies of the assumptions that it has been told.
    proxies: FxHashMap<Term, Z3_ast>,
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
    /// A new engine for each query. This is fastest for many small queries, which leave little to reuse, and for single
    /// hard queries, since Z3 simplifies such a query as a whole. Cores consist of all assumptions.
    Fresh,
    /// One engine that keeps what it learns, for large assertions under changing assumptions.
    Incremental,
}

// SAFETY: a Z3 context is bound to no thread; all calls on it and on what belongs to it go through its owner, which one
// thread has at a time (interruptions apart, which Z3 allows from any).
unsafe impl Send for Z3 {}

/// The state that interrupters share with the solver.
struct Shared {
    stopped: AtomicBool,
    /// The context while a query runs.
    running: Mutex<Option<Running>>,
}

impl Shared {
    fn interrupter(shared: &Arc<Shared>) -> Interrupter {
        let shared = Arc::clone(shared);
        Interrupter::new(move || {
            shared.stopped.store(true, Ordering::SeqCst);
            if let Some(Running(c)) = &*lock(&shared.running) {
                // SAFETY: the context is alive as long as its query is registered here.
                unsafe { Z3_interrupt(*c) }
            }
        })
    }
}

/// A context pointer that only `Z3_interrupt` may be called on.
struct Running(Z3_context);

// SAFETY: Z3 allows `Z3_interrupt` from any thread, and the mutex keeps the context alive during the call.
unsafe impl Send for Running {}

/// Z3 as a [`Solver`].
pub struct Z3 {
    // Engines and model are released before the context (see `drop`).
    context: Context,
    translator: Translator,
    bits: Option<Engine>,
    all: Option<Engine>,
    assertions: Vec<Term>,
    limits: Limits,
    mode: Mode,
    shared: Arc<Shared>,
    last: Last<Z3_model>,
    statistics: Statistics,
}

/// Maximum number of proxies before an engine is replaced: those of old queries slow it down.
const MAX_PROXIES: usize = 4000;

/// Minimum time-out, in ms.
const MIN_TIMEOUT_MS: u32 = 1;

impl Z3 {
    /// A new solver in mode `Auto`.
    pub fn new(limits: Limits) -> Result<Z3, SolverError> {
        Z3::with_mode(limits, Mode::Auto)
    }

    /// A new solver.
    pub fn with_mode(limits: Limits, mode: Mode) -> Result<Z3, SolverError> {
        let context = Context::new()?;
        let translator = Translator::new(&context)?;
        Ok(Z3 {
            context,
            translator,
            bits: None,
            all: None,
            assertions: Vec::new(),
            limits,
            mode,
            shared: Arc::new(Shared { stopped: AtomicBool::new(false), running: Mutex::new(None) }),
            last: Last::Nothing,
            statistics: Statistics::default(),
        })
    }

    fn new_engine(&self, logic: Logic) -> Result<Engine, SolverError> {
        let c = &self.context;
        // SAFETY: the context is alive; the reference count is released by `release`.
        unsafe {
            let raw = match logic {
                Logic::Bits => {
                    let name = c.symbol("QF_BV")?;
                    c.ok(Z3_mk_solver_for_logic(c.raw, name))?
                }
                Logic::All => c.ok(Z3_mk_solver(c.raw))?,
            };
            Z3_solver_inc_ref(c.raw, raw);
            Ok(Engine { raw, asserted: 0, proxies: FxHashMap::default(), timeout_ms: None })
        }
    }

    fn release(&self, engine: Engine) {
        // SAFETY: the engine was created with one reference, which ends here.
        unsafe { Z3_solver_dec_ref(self.context.raw, engine.raw) }
    }

    fn forget_model(&mut self) {
        if let Last::Unread(m) = std::mem::replace(&mut self.last, Last::Nothing) {
            // SAFETY: the model was taken with one reference.
            unsafe { Z3_model_dec_ref(self.context.raw, m) }
        }
    }

    /// The engine for `logic`, with all assertions.
    fn engine(&mut self, logic: Logic) -> Result<Engine, SolverError> {
        let slot = if logic == Logic::Bits { &mut self.bits } else { &mut self.all };
        let mut engine = match slot.take() {
            Some(e) if e.proxies.len() <= MAX_PROXIES => e,
            Some(old) => {
                self.release(old);
                self.new_engine(logic)?
            }
            None => self.new_engine(logic)?,
        };
        while let Some(&t) = self.assertions.get(engine.asserted) {
            let Some(ast) = self.translator.known(t) else { break };
            // SAFETY: solver and formula belong to this context.
            unsafe { Z3_solver_assert(self.context.raw, engine.raw, ast) }
            engine.asserted += 1;
        }
        Ok(engine)
    }

    fn put_back(&mut self, logic: Logic, engine: Engine) {
        *(if logic == Logic::Bits { &mut self.bits } else { &mut self.all }) = Some(engine);
    }

    /// A Z3 literal that represents `t` in `engine`.
    fn literal(&mut self, engine: &mut Engine, terms: &Terms, t: Term) -> Result<Z3_ast, SolverError> {
        let atom = |t: Term| matches!(terms.kind(t), Kind::Var(_) | Kind::Sym(_) | Kind::Bool(_));
        let ast = self.translator.term(&self.context, terms, t)?;
        if atom(t) || (terms.kind(t) == Kind::Not && atom(terms.args(t)[0])) {
            return Ok(ast);
        }
        if let Some(&p) = engine.proxies.get(&t) {
            return Ok(p);
        }
        let c = &self.context;
        // SAFETY: all belong to this context.
        unsafe {
            let p = c.ok(Z3_mk_fresh_const(c.raw, c"p".as_ptr(), self.translator.bool_sort()))?;
            let implied = c.ok(Z3_mk_implies(c.raw, p, ast))?;
            Z3_solver_assert(c.raw, engine.raw, implied);
            engine.proxies.insert(t, p);
            Ok(p)
        }
    }

    fn set_timeout(&self, engine: &mut Engine, left: Option<Duration>) -> Result<(), SolverError> {
        // Rounded down to four significant binary digits, so that the parameter rarely changes as the remaining time
        // shrinks.
        let wanted = left.map(|d| {
            let ms = u32::try_from(d.as_millis()).unwrap_or(u32::MAX - 1).max(MIN_TIMEOUT_MS);
            let shift = (32 - ms.leading_zeros()).saturating_sub(4);
            ((ms >> shift) << shift).max(MIN_TIMEOUT_MS)
        });
        if engine.timeout_ms == wanted {
            return Ok(());
        }
        let c = &self.context;
        // SAFETY: the parameter set lives for these calls.
        unsafe {
            let params = c.ok(Z3_mk_params(c.raw))?;
            Z3_params_inc_ref(c.raw, params);
            let key = c.symbol("timeout")?;
            Z3_params_set_uint(c.raw, params, key, wanted.unwrap_or(u32::MAX));
            Z3_solver_set_params(c.raw, engine.raw, params);
            Z3_params_dec_ref(c.raw, params);
        }
        engine.timeout_ms = wanted;
        Ok(())
    }

    fn solve(&mut self, engine: &mut Engine, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let mut literals = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            literals.push(self.literal(engine, terms, t)?);
        }
        let answer = self.run(engine, terms, assumptions, &literals)?;
        if answer == Answer::Unsat {
            self.last = Last::Core(self.read_core(engine, assumptions, &literals)?);
            self.statistics.refuted += 1;
        }
        Ok(answer)
    }

    fn solve_fresh(&mut self, engine: &mut Engine, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        for &t in self.assertions.iter().chain(assumptions) {
            let ast = self.translator.term(&self.context, terms, t)?;
            // SAFETY: solver and formula belong to this context.
            unsafe { Z3_solver_assert(self.context.raw, engine.raw, ast) }
        }
        let answer = self.run(engine, terms, assumptions, &[])?;
        if answer == Answer::Unsat {
            self.last = Last::Core(assumptions.to_vec());
            self.statistics.refuted += 1;
        }
        Ok(answer)
    }

    /// Runs the engine under `literals`, which represent those `assumptions` that are not asserted in it.
    fn run(
        &mut self,
        engine: &mut Engine,
        terms: &Terms,
        assumptions: &[Term],
        literals: &[Z3_ast],
    ) -> Result<Answer, SolverError> {
        let left = self.limits.remaining()?;
        self.set_timeout(engine, left)?;
        if self.shared.stopped.load(Ordering::SeqCst) {
            return Err(SolverError::Unknown("interrupted".into()));
        }
        let c = self.context.raw;
        let begin = Instant::now();
        *lock(&self.shared.running) = Some(Running(c));
        // SAFETY: solver and literals belong to this context. (Without literals Z3 may choose a tactic for the query.)
        let result = unsafe {
            if literals.is_empty() {
                Z3_solver_check(c, engine.raw)
            } else {
                Z3_solver_check_assumptions(c, engine.raw, literals.len() as u32, literals.as_ptr())
            }
        };
        *lock(&self.shared.running) = None;
        self.statistics.solved += 1;
        self.statistics.solving += begin.elapsed();
        match result {
            Z3_L_TRUE => {
                // SAFETY: the solver has just answered with a model; our reference keeps it.
                unsafe {
                    let model = self.context.ok(Z3_solver_get_model(c, engine.raw))?;
                    Z3_model_inc_ref(c, model);
                    self.last = Last::Unread(model);
                }
                self.trust(terms, assumptions)?;
                Ok(Answer::Sat)
            }
            Z3_L_FALSE => Ok(Answer::Unsat),
            _ => Err(self.unknown(engine)),
        }
    }

    /// Checks the model of a query with functions of addresses, since Z3 may fail to notice that arrays are equal.
    fn trust(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<(), SolverError> {
        let all: Vec<Term> = self.assertions.iter().chain(assumptions).copied().collect();
        if !all.iter().any(|&t| self.translator.has_lambda(t)) {
            return Ok(());
        }
        let model = self.model(terms)?;
        if all.iter().all(|&t| model.holds(terms, t) == Some(true)) {
            return Ok(());
        }
        self.last = Last::Nothing;
        Err(SolverError::Unknown("equality of memories with block copies".into()))
    }

    fn read_core(&self, engine: &Engine, assumptions: &[Term], literals: &[Z3_ast]) -> Result<Vec<Term>, SolverError> {
        let c = &self.context;
        // SAFETY: the vector is read while we hold a reference to it.
        unsafe {
            let core = c.ok(Z3_solver_get_unsat_core(c.raw, engine.raw))?;
            Z3_ast_vector_inc_ref(c.raw, core);
            let members: Result<Vec<Z3_ast>, SolverError> =
                (0..Z3_ast_vector_size(c.raw, core)).map(|i| c.ok(Z3_ast_vector_get(c.raw, core, i))).collect();
            Z3_ast_vector_dec_ref(c.raw, core);
            let members = members?;
            let within = literals.iter().zip(assumptions).filter(|(l, _)| members.contains(l));
            Ok(within.map(|(_, t)| *t).collect())
        }
    }

    fn unknown(&self, engine: &Engine) -> SolverError {
        // SAFETY: Z3 returns a string that lives until the next call.
        let reason = unsafe {
            let text = CStr::from_ptr(Z3_solver_get_reason_unknown(self.context.raw, engine.raw));
            text.to_string_lossy().into_owned()
        };
        if self.shared.stopped.load(Ordering::SeqCst) {
            return SolverError::Unknown("interrupted".into());
        }
        SolverError::Unknown(if reason == "canceled" || reason == "timeout" { "time-out".into() } else { reason })
    }
}

fn lock(m: &Mutex<Option<Running>>) -> std::sync::MutexGuard<'_, Option<Running>> {
    m.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Solver for Z3 {
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.forget_model();
        self.translator.term(&self.context, terms, t)?;
        self.assertions.push(t);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.forget_model();
        self.last = Last::Nothing;
        self.statistics.queries += 1;
        for &t in assumptions {
            self.translator.term(&self.context, terms, t)?;
        }
        self.statistics.translated = self.translator.translated();
        let mut all = self.assertions.iter().chain(assumptions);
        let logic = if all.all(|&t| self.translator.only_bits(t)) { Logic::Bits } else { Logic::All };
        if self.mode == Mode::Fresh || (self.mode == Mode::Auto && self.assertions.is_empty()) {
            let mut engine = self.new_engine(logic)?;
            let answer = self.solve_fresh(&mut engine, terms, assumptions);
            self.release(engine);
            return answer;
        }
        let mut engine = self.engine(logic)?;
        let answer = self.solve(&mut engine, terms, assumptions);
        self.put_back(logic, engine);
        answer
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        if let Last::Unread(raw) = self.last {
            let values = values::read(&self.context, &self.translator, terms, raw)?;
            self.forget_model();
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
        Shared::interrupter(&self.shared)
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        self.forget_model();
        for engine in [self.bits.take(), self.all.take()].into_iter().flatten() {
            self.release(engine);
        }
    }
}

#[cfg(test)]
mod tests;
