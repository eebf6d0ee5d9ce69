//! Bit-vectors by circuits and CaDiCaL: the fast path before Z3.
//!
//! Terms become gates (`encode`), gates become clauses (`cnf`), and CaDiCaL, which runs in this process, answers. Before
//! that, leaves that an equality defines are eliminated (`substitution`). Memories are read through their writes (`memory`).
//! What this engine cannot express (floats, most equalities of memories) is `Unsupported`: an outer layer passes such queries on
//! (`crate::racing`).
//!
//! A query's conjuncts are first tried as assumptions, which yields cores, in a solver that starts with search and that later
//! queries continue to use if they are about the same gates. A query that takes longer is given to a separate solver as
//! facts, so that preprocessing sees the whole query; its independent parts are solved one after the other (`independence`). An
//! unanswered query continues where it stopped when it is asked again.
//!
//! Reading order: `graph` (gates), `simulation` (their values), `circuits` (operators on words), `conjuncts`, `substitution`,
//! `order_encoding` (leaves that are compared with constants), `intervals`, `linear_equality` (of sums), `value_ranges`, `encode` (terms to
//! gates), `memory`, `independence`, `tabulation` (gates of few inputs), `deadline` (limits), `proof` (CaDiCaL's proofs, checked), `refutation`
//! (CaDiCaL's proofs, kept for interpolation), `cnf` (gates to clauses; lemmas), this
//! file (the solver), `enumeration` (all models).

pub mod circuits;
mod cnf;
mod conjuncts;
pub(crate) mod deadline;
pub(crate) mod encode;
mod enumeration;
pub mod graph;
mod independence;
mod intervals;
mod linear_equality;
mod memory;
mod order_encoding;
mod proof;
pub(crate) mod refutation;
mod simulation;
pub(crate) mod substitution;
mod tabulation;
#[cfg(test)]
mod tests;
mod value_ranges;

use crate::model::{Last, Model};
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError, Statistics};
use cfa::eval::{ArrayValue, Evaluation, Value};
use cfa::term::{Kind, Leaf};
use cfa::{Sort, Term, Terms};
use cnf::{Cnf, Start};
use conjuncts::{Common, Conjunct, conjuncts};
use deadline::Deadline;
use encode::Encoder;
use graph::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;
use substitution::Substitution;
use tabulation::{Found, tabulate};

/// Maximum number of conflicts of a query before its conjuncts are given to a separate solver as facts.
const QUICK_CONFLICTS: u32 = 2000;

/// Minimum number of gates of a query for which a table is tried before CaDiCaL.
const MANY_GATES: usize = 5_000;

/// Maximum number of words of 64 cases in a table that is tried before CaDiCaL: some 0.1 s.
const QUICK_TABLE: u64 = 1 << 27;

/// Maximum number of words of 64 cases in a table of a part that CaDiCaL has not solved soon: about a second.
const LONG_TABLE: u64 = 1 << 30;

/// Maximum number of gates before circuits of earlier queries are forgotten.
const KEPT_GATES: usize = 3_000_000;

/// Maximum number of variables of the solver that is kept, for each gate of a query.
const KEPT_VARIABLES_PER_GATE: usize = 3;

/// Number of variables that the solver may have in any case.
const KEPT_VARIABLES: usize = 3000;

/// The steps that are applied to a query before it becomes gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preprocessing {
    /// Whether leaves are replaced by what equalities define them to be, and whether upper bounds shorten leaves.
    pub substitution: bool,
    /// Whether facts that are common to all branches of a disjunction count as conjuncts.
    pub common_facts: bool,
    /// Whether leaves that are only compared with constants get inputs for these comparisons instead of bits.
    pub comparisons: bool,
    /// Whether equalities of sums are decided without the terms that both sides have in common.
    pub sums: bool,
    /// Whether ranges of terms decide comparisons and shorten circuits.
    pub ranges: bool,
    /// Whether parts of a query that share nothing are solved separately.
    pub independent_parts: bool,
}

impl Default for Preprocessing {
    fn default() -> Preprocessing {
        Preprocessing {
            substitution: true,
            common_facts: true,
            comparisons: true,
            sums: true,
            ranges: true,
            independent_parts: true,
        }
    }
}

/// A [`Solver`] for bit-vectors by circuits.
pub struct Bits {
    preprocessing: Preprocessing,
    limits: Limits,
    deadline: Deadline,
    assertions: Vec<Term>,
    /// Leaves that keep their circuits, whatever a query says about them.
    switches: Arc<FxHashSet<Term>>,
    common: Common,
    encoder: Encoder,
    /// The number of gates, for other threads.
    gates: Arc<AtomicUsize>,
    /// The solver for conjuncts as assumptions, kept as long as its size fits.
    kept: Cnf,
    /// The solver for the facts of a single query.
    single: Cnf,
    /// The query whose facts are in `single`.
    open: Option<Open>,
    /// Maximum number of conflicts of a query before its conjuncts are given to `single` as facts.
    quick_conflicts: u32,
    /// Minimum number of gates of a query for which a table is tried before CaDiCaL.
    many_gates: usize,
    /// Whether proofs are checked.
    proves: bool,
    /// The last result; an unread model is in `single` if `true`, else in `kept`.
    last: Last<bool>,
    statistics: Statistics,
}

/// A query that has not been answered.
struct Open {
    /// The number of its assertions.
    assertions: usize,
    assumptions: Vec<Term>,
    /// The part that was given to the solver last; the parts before it are satisfiable.
    part: Vec<(Lit, Conjunct)>,
    /// The remaining parts, in reverse order.
    rest: Vec<Vec<(Lit, Conjunct)>>,
}

/// The problem that remains after encoding.
enum Problem {
    /// All of these must hold.
    Open(Vec<(Lit, Conjunct)>),
    /// This conjunct never holds.
    Contradiction(Conjunct),
}

impl Bits {
    /// A new solver.
    pub fn new(limits: Limits) -> Bits {
        Bits::with(limits, Preprocessing::default())
    }

    /// A new solver with the given steps before its circuits.
    pub fn with(limits: Limits, preprocessing: Preprocessing) -> Bits {
        let (deadline, gates) = (Deadline::new(), Arc::<AtomicUsize>::default());
        Bits {
            preprocessing,
            limits,
            assertions: Vec::new(),
            switches: Arc::default(),
            common: Common::default(),
            encoder: Encoder::new(Substitution::default(), preprocessing, gates.clone()),
            gates,
            kept: Cnf::new(&deadline, Start::Search),
            single: Cnf::new(&deadline, Start::Preprocess),
            deadline,
            open: None,
            quick_conflicts: QUICK_CONFLICTS,
            many_gates: MANY_GATES,
            proves: false,
            last: Last::Nothing,
            statistics: Statistics::default(),
        }
    }

    /// The same solver, except that CaDiCaL's proof of each `Unsat` is checked (see `proof`): unproved answers are `Failed`.
    pub fn proving(mut self) -> Bits {
        self.kept.prove();
        self.single.prove();
        self.proves = true;
        self
    }

    /// The approximate number of gates so far of the query that is running or ran last, possibly including gates of
    /// earlier queries.
    pub(crate) fn gates(&self) -> Arc<AtomicUsize> {
        self.gates.clone()
    }

    /// A handle that ends the running query as if its time were up, and later queries too until the next turn begins.
    pub(crate) fn turn_end(&self) -> Interrupter {
        self.deadline.turn_end()
    }

    /// Undoes [`Bits::turn_end`].
    pub(crate) fn turn_begins(&self) {
        self.deadline.turn_begins();
    }

    fn encode(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Problem, SolverError> {
        let common = self.preprocessing.common_facts.then_some(&mut self.common);
        let all = conjuncts(terms, &self.assertions, assumptions, common);
        let (substitution, rest) = match self.preprocessing.substitution {
            true => Substitution::find(terms, all, &self.switches),
            false => (Substitution::default(), all),
        };
        if self.encoder.graph.len() > KEPT_GATES || !substitution.same(&self.encoder.substitution) {
            self.encoder = Encoder::new(substitution, self.preprocessing, self.gates.clone());
            self.kept.reset();
        } else {
            self.encoder.substitution = substitution;
        }
        let before = self.encoder.len();
        self.encoder.look_at(terms, rest.iter().map(|c| c.term), &mut self.deadline)?;
        let mut lits = Vec::with_capacity(rest.len());
        let mut found = None;
        for c in rest {
            let l = self.encoder.encode(terms, c.term, &mut self.deadline)?.flip_if(!c.positive);
            match l.as_constant() {
                Some(true) => {}
                Some(false) => {
                    found = Some(Problem::Contradiction(c));
                    break;
                }
                None => lits.push((l, c)),
            }
        }
        self.statistics.translated += (self.encoder.len() - before) as u64;
        Ok(found.unwrap_or(Problem::Open(lits)))
    }

    fn run(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        if self.deadline.over() {
            return Err(self.deadline.reason());
        }
        let again = self.open.take().filter(|o| o.assertions == self.assertions.len() && o.assumptions == assumptions);
        if let Some(open) = again {
            return self.by_facts(terms, open);
        }
        let lits = match self.encode(terms, assumptions)? {
            Problem::Open(lits) => lits,
            Problem::Contradiction(c) => {
                self.statistics.by_circuit += 1;
                self.last = Last::Core(self.core_of(terms, assumptions, &[c]));
                return Ok(Answer::Unsat);
            }
        };
        let roots: Vec<Lit> = lits.iter().map(|(l, _)| *l).collect();
        let is_large = self.encoder.graph.cone_size(&roots, self.many_gates) == self.many_gates;
        if is_large {
            let all = std::slice::from_ref(&lits);
            if let Some(answer) = self.by_tables(terms, assumptions, all, QUICK_TABLE)? {
                return Ok(answer);
            }
        }
        if let Some(answer) = self.by_assumptions(terms, assumptions, &lits)? {
            return Ok(answer);
        }
        let mut rest: Vec<Vec<(Lit, Conjunct)>> = if self.preprocessing.independent_parts {
            let parts = independence::parts(&self.encoder, &roots);
            parts.into_iter().map(|part| part.into_iter().map(|i| lits[i]).collect()).collect()
        } else {
            vec![lits]
        };
        if let Some(answer) = self.by_tables(terms, assumptions, &rest, LONG_TABLE)? {
            return Ok(answer);
        }
        rest.reverse();
        self.single.reset();
        let (assertions, assumptions) = (self.assertions.len(), assumptions.to_vec());
        self.by_facts(terms, Open { assertions, assumptions, part: Vec::new(), rest })
    }

    /// Continues with `open`, whose parts are given as facts, one after the other.
    fn by_facts(&mut self, terms: &Terms, mut open: Open) -> Result<Answer, SolverError> {
        loop {
            match self.single.solve(&mut self.encoder, &[], None)? {
                Some(Answer::Sat) => {
                    let Some(part) = open.rest.pop() else { break };
                    for (l, _) in &part {
                        self.single.assert(&self.encoder, *l)?;
                    }
                    open.part = part;
                }
                Some(Answer::Unsat) => {
                    self.statistics.proved += u64::from(self.proves);
                    let part: Vec<Conjunct> = open.part.iter().map(|(_, c)| *c).collect();
                    self.last = Last::Core(self.core_of(terms, &open.assumptions, &part));
                    return Ok(Answer::Unsat);
                }
                None => {
                    self.open = Some(open);
                    return Err(self.deadline.reason());
                }
            }
        }
        self.last = Last::Unread(true);
        Ok(Answer::Sat)
    }

    /// Answers by tables of at most `most` words for the parts of a query. `None` if some part that matters has too many inputs, or if
    /// proofs are wanted.
    fn by_tables(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        parts: &[Vec<(Lit, Conjunct)>],
        most: u64,
    ) -> Result<Option<Answer>, SolverError> {
        // A table is no proof.
        if self.proves {
            return Ok(None);
        }
        let (mut case, mut is_whole) = (Vec::new(), true);
        for part in parts {
            let roots: Vec<Lit> = part.iter().map(|(l, _)| *l).collect();
            match tabulate(&self.encoder.graph, &roots, most, &self.deadline)? {
                Some(Found::Never(core)) => {
                    self.statistics.by_circuit += 1;
                    let core: Vec<Conjunct> = core.into_iter().map(|i| part[i].1).collect();
                    self.last = Last::Core(self.core_of(terms, assumptions, &core));
                    return Ok(Some(Answer::Unsat));
                }
                Some(Found::Where(inputs)) => case.extend(inputs),
                None => is_whole = false,
            }
        }
        if !is_whole {
            return Ok(None);
        }
        // What gates do not say of their inputs (equal addresses have equal cells) may rule the case out.
        let mut assumed = Vec::new();
        for l in parts.iter().flatten().map(|(l, _)| *l).chain(case) {
            self.kept.define(&self.encoder, l)?;
            assumed.push(self.kept.literal(l));
        }
        let is_case = self.kept.solve(&mut self.encoder, &assumed, Some(self.quick_conflicts))? == Some(Answer::Sat);
        self.last = if is_case { Last::Unread(false) } else { Last::Nothing };
        Ok(is_case.then_some(Answer::Sat))
    }

    /// Tries the conjuncts as assumptions. `None` if that takes too long.
    fn by_assumptions(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        lits: &[(Lit, Conjunct)],
    ) -> Result<Option<Answer>, SolverError> {
        let roots: Vec<Lit> = lits.iter().map(|(l, _)| *l).collect();
        let variables = self.kept.variables();
        let enough = variables.div_ceil(KEPT_VARIABLES_PER_GATE);
        if variables > KEPT_VARIABLES && self.encoder.graph.cone_size(&roots, enough) < enough {
            self.kept.reset();
        }
        let mut assumed = Vec::with_capacity(lits.len());
        for &l in &roots {
            self.kept.define(&self.encoder, l)?;
            assumed.push(self.kept.literal(l));
        }
        let answer = self.kept.solve(&mut self.encoder, &assumed, Some(self.quick_conflicts))?;
        match answer {
            Some(Answer::Sat) => self.last = Last::Unread(false),
            Some(Answer::Unsat) => {
                self.statistics.proved += u64::from(self.proves);
                let core: FxHashSet<_> = self.kept.core()?.into_iter().collect();
                let failed = assumed.iter().zip(lits).filter(|(l, _)| core.contains(*l));
                let failed: Vec<Conjunct> = failed.map(|(_, (_, c))| *c).collect();
                self.last = Last::Core(self.core_of(terms, assumptions, &failed));
            }
            None => {}
        }
        Ok(answer)
    }

    /// The assumptions that `conjuncts` and the definitions used in them come from.
    fn core_of(&self, terms: &Terms, assumptions: &[Term], conjuncts: &[Conjunct]) -> Vec<Term> {
        let mut sources = self.encoder.substitution.sources(terms, conjuncts.iter().map(|c| c.term));
        sources.extend(conjuncts.iter().filter_map(|c| c.source));
        let mut sources: Vec<usize> = sources.into_iter().collect();
        sources.sort_unstable();
        sources.into_iter().map(|i| assumptions[i]).collect()
    }

    fn read_model(&self, terms: &Terms, single: bool) -> Result<Model, SolverError> {
        let (cnf, encoder) = (if single { &self.single } else { &self.kept }, &self.encoder);
        let unreadable = || SolverError::Failed("a term has no value in the model".into());
        let mut values: FxHashMap<Leaf, Value> = FxHashMap::default();
        let mut simulation = cnf.simulation(encoder);
        for &t in &encoder.leaves {
            let (Some(leaf), word) = (leaf_of(terms, t), encoder.word(t)) else { continue };
            // Nothing was said about other leaves: without a value they count as zero.
            if !word.iter().any(|l| cnf.has_variable(l.gate())) {
                continue;
            }
            match terms.sort(t) {
                Sort::Bool => drop(values.insert(leaf, Value::Bool(cnf.value(word[0].gate())))),
                Sort::Bv(_) => drop(values.insert(leaf, Value::Bv(simulation.word(word)))),
                Sort::Array { .. } => {}
            }
        }
        let direct = encoder.direct.iter().filter_map(|d| Some((leaf_of(terms, d.leaf)?, cnf.direct_value(d)?)));
        values.extend(direct.map(|(leaf, v)| (leaf, Value::Bv(v))));
        let mut memories: FxHashMap<Term, ArrayValue> = FxHashMap::default();
        for (memory, at, value) in cnf.cells(encoder) {
            let Value::Array(zero) = Value::zero(terms.sort(memory)) else { continue };
            memories.entry(memory).or_insert(zero).set_cell(at.to_u64().ok_or_else(unreadable)?, value);
        }
        values.extend(memories.into_iter().filter_map(|(t, m)| Some((leaf_of(terms, t)?, Value::Array(m)))));
        let mut memo = Evaluation::new();
        for t in encoder.substitution.order(terms) {
            let of = |u: Term| {
                let leaf = &mut |l: Leaf, sort| Some(values.get(&l).cloned().unwrap_or_else(|| Value::zero(sort)));
                memo.eval(terms, u, leaf)
            };
            let value = encoder.substitution.of[&t].value(of).ok_or_else(unreadable)?;
            values.extend(leaf_of(terms, t).map(|leaf| (leaf, value)));
        }
        Ok(Model::new(values))
    }
}

fn leaf_of(terms: &Terms, t: Term) -> Option<Leaf> {
    match terms.kind(t) {
        Kind::Var(v) => Some(Leaf::Var(v)),
        Kind::Sym(s) => Some(Leaf::Sym(s)),
        Kind::Addr(o) => Some(Leaf::Addr(o)),
        _ => None,
    }
}

impl Solver for Bits {
    fn assert(&mut self, _terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.last = Last::Nothing;
        self.assertions.push(t);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.last = Last::Nothing;
        self.statistics.queries += 1;
        self.deadline.set(self.limits.remaining()?);
        let begin = Instant::now();
        let answer = self.run(terms, assumptions);
        self.statistics.solved += 1;
        self.statistics.refuted += u64::from(answer == Ok(Answer::Unsat));
        self.statistics.solving += begin.elapsed();
        answer
    }

    fn model(&mut self, terms: &Terms) -> Result<&mut Model, SolverError> {
        if let Last::Unread(single) = self.last {
            self.last = Last::Read(self.read_model(terms, single)?);
        }
        self.last.model()
    }

    fn core(&mut self) -> Vec<Term> {
        self.last.core()
    }

    fn set_switches(&mut self, switches: &[Term]) {
        self.switches = Arc::new(switches.iter().copied().collect());
        // An open query starts over, with suitable circuits.
        self.open = None;
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.deadline.interrupter()
    }

    fn statistics(&self) -> Statistics {
        Statistics { proof_steps: self.kept.proof_steps() + self.single.proof_steps(), ..self.statistics }
    }
}
