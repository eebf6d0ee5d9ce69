//! Interpolation: conditions between the parts of an infeasible trace, which say why it is infeasible and speak only of what both
//! sides have in common.
//!
//! For parts `A_1 .. A_n` that contradict each other, interpolants `I_1 .. I_(n-1)` are a sequence with
//!
//! ```text
//! A_1 => I_1      I_i and A_(i+1) => I_(i+1)      I_(n-1) and A_n => false
//! ```
//!
//! in which `I_i` has only leaves that occur both in `A_1 .. A_i` and in `A_(i+1) .. A_n`. They come from two sources:
//!
//! - **Craig**: one refutation of the parts' circuits by CaDiCaL gives partial interpolants at all cuts (McMillan: Interpolation
//!   and SAT-based model checking, CAV 2003; Pudlák: Lower bounds for resolution and cutting plane proofs and monotone computations,
//!   J. Symbolic Logic 62, 1997). These are conditions on bits, which become conditions on words where possible.
//! - **Newton**: postconditions and preconditions along the trace, on what its contradiction needs (Dietsch et al., FSE 2017). This
//!   needs no proof, and so works for floats and whatever else only Z3 decides.
//!
//! Newton's are tried first, and taken if they are simple; otherwise the smallest sequence is. It is checked by queries to a solver before it is returned (`check`), so that no answer rests on
//! this module.
//!
//! Predicate abstraction and lazy abstraction take their predicates from such sequences, interpolation-based model checking its
//! images (Beyer, Lee, Wendler: Interpolation and SAT-based model checking revisited, J. Automated Reasoning, 2024).
//!
//! ```
//! use cfa::bv::BvCmp;
//! use cfa::{Sort, Terms};
//! use smt::interpolation::{Interpolation, Interpolator, Trace};
//! use smt::{Limits, standard};
//!
//! let mut terms = Terms::new();
//! let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(8)));
//! let [nine, ten] = [9, 10].map(|n| terms.int(8, n));
//! let next = terms.add_int(x, 1);
//! // x <= 9; y = x + 1; y > 10
//! let parts = vec![terms.cmp(BvCmp::Ule, x, nine), terms.eq(y, next), terms.cmp(BvCmp::Ult, ten, y)];
//! let mut interpolator = Interpolator::new(standard(Limits::default()), Limits::default());
//! let found = interpolator.interpolate(&mut terms, &Trace::new(parts))?;
//! let Interpolation::Found(sequence) = found else { panic!("{found:?}") };
//! let expected = [terms.cmp(BvCmp::Ule, x, nine), terms.cmp(BvCmp::Ule, y, ten)];
//! assert_eq!(sequence.interpolants, expected);
//! # Ok::<(), smt::SolverError>(())
//! ```
//!
//! Reading order: this file (the interface), `check`, `vocabulary`, `clauses` (parts as clauses), `memories` (parts without
//! memories), `craig` (the rules), `words` and `conditions` (bits to words), `normal_form`, `atoms` (smaller interpolants from
//! the trace's own comparisons), `projection` and `newton`.

mod atoms;
mod check;
mod clauses;
mod conditions;
mod counters;
mod craig;
mod memories;
mod newton;
mod normal_form;
mod projection;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

pub use check::{Flaw, check};
pub use counters::Counters;

use crate::bits::deadline::Deadline;
use crate::bits::graph::Lit;
use crate::bits::refutation::refute;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError};
use atoms::Around;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, Term, Terms};
use clauses::Clauses;
use craig::{Gates, Rule};
use newton::Facts;
use normal_form::normal_form;
use projection::Projection;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use vocabulary::Vocabulary;

/// Maximum time for interpolants from a proof: without steps that mix parts, a proof may take much longer than the query did.
const PROOF: Duration = Duration::from_secs(10);

/// Maximum time for a proof where another sequence is known, besides [`PROOF_FACTOR`] times that of the query.
const PROOF_BASE: Duration = Duration::from_millis(500);

/// See [`PROOF_BASE`].
const PROOF_FACTOR: u32 = 20;

/// Maximum cost of an interpolant for which no proof is made in search of a smaller one.
const SIMPLE: usize = 12;

/// Maximum time of a query that checks interpolants. What takes longer is not proposed.
const CHECK_QUERY: Duration = Duration::from_secs(5);

/// Maximum time of a query that serves to make interpolants smaller: it is not worth much.
const REPLACING_QUERY: Duration = Duration::from_millis(100);

/// Maximum time to make the interpolants of one trace smaller.
const REPLACING: Duration = Duration::from_secs(1);

/// An infeasible trace: parts whose conjunction has no model.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Bool terms that share leaves.
    pub parts: Vec<Term>,
    /// The leaves that are state at each cut, of which there is one less than there are parts; interpolants have no others.
    /// `None`: all leaves that both sides have.
    pub state: Option<Vec<Vec<Leaf>>>,
}

impl Trace {
    /// A trace whose state at a cut is whatever both sides have in common.
    pub fn new(parts: Vec<Term>) -> Trace {
        Trace { parts, state: None }
    }
}

/// Where interpolants may come from, and what is done to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether to derive them from a proof.
    pub craig: bool,
    /// Whether to derive them from postconditions and preconditions.
    pub newton: bool,
    /// Whether to replace them by comparisons of the trace where that is smaller.
    pub atoms: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { craig: true, newton: true, atoms: true }
    }
}

/// What a sequence was made from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A proof.
    Craig,
    /// Strongest postconditions.
    Forward,
    /// Weakest preconditions.
    Backward,
}

/// Interpolants of a trace, one for each cut; they have been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The interpolants, from that after the first part to that before the last one.
    pub interpolants: Vec<Term>,
    /// What they were made from.
    pub source: Source,
}

/// The result of interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// There are these interpolants.
    Found(Sequence),
    /// The parts have a model.
    Satisfiable,
    /// The parts contradict each other, and no interpolants were found. They may exist.
    NotFound,
}

/// Makes interpolants. It serves one arena, like its solver.
pub struct Interpolator {
    solver: Box<dyn Solver>,
    options: Options,
    /// The rules for proofs, of which the one that yields the smallest interpolants counts.
    rules: &'static [Rule],
    limits: Limits,
    /// The time at which the present trace must be done.
    end: Option<Instant>,
    deadline: Deadline,
    counters: Counters,
}

/// A trace that contradicts itself, and what is known of it.
struct Refuted<'a> {
    trace: &'a Trace,
    /// The conjuncts of each part that the contradiction needs.
    core: Vec<Term>,
    vocabulary: Vocabulary,
    /// How long it took to find that out.
    query: Duration,
}

impl Interpolator {
    /// Interpolation whose queries `solver` answers, which must be new.
    pub fn new(solver: Box<dyn Solver>, limits: Limits) -> Interpolator {
        Interpolator::with(solver, limits, Options::default())
    }

    /// The same with options.
    pub fn with(solver: Box<dyn Solver>, limits: Limits, options: Options) -> Interpolator {
        let (deadline, counters) = (Deadline::new(), Counters::default());
        Interpolator { solver, options, rules: &Rule::ALL, limits, end: None, deadline, counters }
    }

    /// Changes the limits. `query` limits the time of one [`interpolate`](Self::interpolate) with all its queries.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// A handle that stops this from another thread.
    pub fn interrupter(&self) -> Interrupter {
        let (own, solver) = (self.deadline.interrupter(), self.solver.interrupter());
        Interrupter::new(move || {
            own.interrupt();
            solver.interrupt();
        })
    }

    /// The counters so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Interpolants of `trace`: one for each of its cuts, checked.
    ///
    /// Errors: `Unknown` if the time is over or the solver does not decide the trace; `Unsupported` and `Failed` from the solver.
    ///
    /// # Panics
    /// If the trace has state for another number of cuts than it has, which is a bug of the caller.
    pub fn interpolate(&mut self, terms: &mut Terms, trace: &Trace) -> Result<Interpolation, SolverError> {
        let cuts = trace.parts.len().saturating_sub(1);
        assert!(trace.state.as_ref().is_none_or(|s| s.len() == cuts), "there must be state for {cuts} cuts");
        let time = self.limits.remaining()?;
        self.deadline.set(time);
        self.end = time.map(|t| Instant::now() + t);
        self.limit_queries(None);
        let begin = Instant::now();
        let core = self.core(terms, &trace.parts)?;
        let query = begin.elapsed();
        self.counters.query += query;
        let Some(core) = core else { return Ok(Interpolation::Satisfiable) };
        self.counters.traces += 1;
        // What the contradiction does not need may be needed to say it in terms of the state.
        let retry = trace.state.is_some() && core != trace.parts;
        let mut refuted = Refuted { trace, core, vocabulary: Vocabulary::of(terms, trace), query };
        let mut found = self.smallest(terms, &refuted)?;
        if found.is_none() && retry {
            refuted.core = trace.parts.clone();
            found = self.smallest(terms, &refuted)?;
        }
        let Some(found) = found else { return Ok(Interpolation::NotFound) };
        self.counters.taken += size(terms, &found.interpolants) as u64;
        *match found.source {
            Source::Craig => &mut self.counters.craig,
            Source::Forward => &mut self.counters.forward,
            Source::Backward => &mut self.counters.backward,
        } += 1;
        Ok(Interpolation::Found(found))
    }

    /// The smallest of the sequences that pass the check.
    fn smallest(&mut self, terms: &mut Terms, refuted: &Refuted<'_>) -> Result<Option<Sequence>, SolverError> {
        let (forward, backward) = if self.options.newton || self.options.atoms {
            let Refuted { core, vocabulary, .. } = refuted;
            let forward = newton::postconditions(terms, core, vocabulary, &mut self.deadline)?;
            (forward, newton::preconditions(terms, core, vocabulary, &mut self.deadline)?)
        } else {
            (Facts::new(), Facts::new())
        };
        let Some(found) = self.checked(terms, refuted, &forward, &backward)? else { return Ok(None) };
        if !self.options.atoms {
            return Ok(Some(found));
        }
        let begin = Instant::now();
        let mut smaller = found.clone();
        let replaced = self.replace(terms, refuted, &forward, &backward, &mut smaller.interpolants);
        self.counters.replacing += begin.elapsed();
        replaced?;
        if smaller == found || !self.passes(terms, refuted.trace, &smaller)? {
            return Ok(Some(found));
        }
        self.counters.before_replacing += size(terms, &found.interpolants) as u64;
        self.counters.after_replacing += size(terms, &smaller.interpolants) as u64;
        Ok(Some(smaller))
    }

    /// A sequence that passes the check, the smallest one that is found. There is no proof if a sequence without one is simple.
    fn checked(
        &mut self,
        terms: &mut Terms,
        refuted: &Refuted<'_>,
        forward: &Facts,
        backward: &Facts,
    ) -> Result<Option<Sequence>, SolverError> {
        let mut proposals = self.by_facts(terms, forward, backward);
        proposals.sort_by_key(|p| cost(terms, &p.interpolants));
        let mut found: Option<Sequence> = None;
        for proposal in proposals {
            if self.passes(terms, refuted.trace, &proposal)? {
                found = Some(proposal);
                break;
            }
        }
        let cost_of = |terms: &Terms, s: &Sequence| cost(terms, &s.interpolants);
        let is_simple = |s: &Sequence| cost_of(terms, s) <= SIMPLE * s.interpolants.len();
        if !self.options.craig || found.as_ref().is_some_and(is_simple) {
            return Ok(found);
        }
        // Where there is a sequence already, a long search for a smaller one is not worth it.
        let limit = if found.is_some() { PROOF_BASE + PROOF_FACTOR * refuted.query } else { PROOF };
        let proof = self.by_proof(terms, refuted, limit.min(PROOF))?;
        let Some(proof) = proof.filter(|p| found.as_ref().is_none_or(|f| cost_of(terms, p) < cost_of(terms, f))) else {
            return Ok(found);
        };
        Ok(if self.passes(terms, refuted.trace, &proof)? { Some(proof) } else { found })
    }

    /// Limits each of the queries that follow, besides the time for the trace.
    fn limit_queries(&mut self, query: Option<Duration>) {
        self.solver.set_limits(Limits { query, deadline: self.end });
    }

    /// Whether a sequence passes the check.
    fn passes(&mut self, terms: &mut Terms, trace: &Trace, sequence: &Sequence) -> Result<bool, SolverError> {
        let begin = Instant::now();
        self.limit_queries(Some(CHECK_QUERY));
        let flaw = check(&mut *self.solver, terms, trace, &sequence.interpolants);
        self.counters.checking += begin.elapsed();
        let passes = self.unless_over(flaw)? == Some(None);
        self.counters.rejected += u64::from(!passes);
        Ok(passes)
    }

    /// The conjuncts of each part that contradict each other, or `None` if they have a model.
    fn core(&mut self, terms: &mut Terms, parts: &[Term]) -> Result<Option<Vec<Term>>, SolverError> {
        let of_parts: Vec<Vec<Term>> = parts.iter().map(|p| terms.conjuncts(&[*p])).collect();
        let mut query: Vec<Term> = of_parts.iter().flatten().copied().collect();
        query.retain(|t| terms.as_bool(*t) != Some(true));
        if query.iter().all(|t| terms.as_bool(*t) != Some(false)) {
            if self.solver.check(terms, &query)? == Answer::Sat {
                return Ok(None);
            }
            let core: FxHashSet<Term> = self.solver.core().into_iter().collect();
            query.retain(|t| core.contains(t));
        }
        let core: FxHashSet<Term> = query.into_iter().collect();
        let needed = |all: Vec<Term>| all.into_iter().filter(|t| core.contains(t)).collect::<Vec<Term>>();
        Ok(Some(of_parts.into_iter().map(|all| terms.and_all(needed(all))).collect()))
    }

    /// The sequence from a proof, if it is found within `limit`.
    fn by_proof(
        &mut self,
        terms: &mut Terms,
        refuted: &Refuted<'_>,
        limit: Duration,
    ) -> Result<Option<Sequence>, SolverError> {
        let begin = Instant::now();
        let left = self.end.map_or(limit, |end| end.saturating_duration_since(begin).min(limit));
        self.deadline.set(Some(left));
        let found = self.craig(terms, refuted);
        self.deadline.set(self.end.map(|end| end.saturating_duration_since(Instant::now())));
        self.counters.proof += begin.elapsed();
        Ok(self.unless_over(found)?.flatten())
    }

    /// The sequences from postconditions and preconditions.
    fn by_facts(&self, terms: &mut Terms, forward: &Facts, backward: &Facts) -> Vec<Sequence> {
        let mut proposals = Vec::new();
        if !self.options.newton {
            return proposals;
        }
        for (facts, source) in [(forward, Source::Forward), (backward, Source::Backward)] {
            let mut interpolants = Vec::with_capacity(facts.len());
            for f in facts {
                let all = terms.and_all(f.iter().copied());
                let all = if source == Source::Forward { all } else { terms.not(all) };
                interpolants.push(normal_form(terms, all));
            }
            proposals.push(Sequence { interpolants, source });
        }
        proposals
    }

    /// What was found; `None` if it could not be found for another reason than that the time is over.
    fn unless_over<T>(&self, found: Result<T, SolverError>) -> Result<Option<T>, SolverError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(SolverError::Unknown(_) | SolverError::Unsupported(_)) if !self.deadline.over() => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// The interpolants from a proof, by the rule that yields the smallest; `None` if what was said of memories has a model.
    fn craig(&mut self, terms: &mut Terms, refuted: &Refuted<'_>) -> Result<Option<Sequence>, SolverError> {
        // The parts without memories have further leaves.
        let mut vocabulary = Vocabulary::of(terms, refuted.trace);
        let parts = without_local_definitions(terms, &refuted.core, &vocabulary, &mut self.deadline)?;
        let scalars = memories::eliminate(terms, &parts, &mut vocabulary, &mut self.deadline)?;
        let clauses = Clauses::of(terms, &scalars.parts, &mut self.deadline)?;
        let Some(refutation) = refute(&clauses.clauses, &self.deadline)? else { return Ok(None) };
        let mut gates = Gates::new();
        let mut best: Option<(usize, Vec<Lit>)> = None;
        for rule in self.rules {
            let made =
                craig::sequence(&mut gates, &clauses, &refutation, *rule, scalars.parts.len(), &mut self.deadline);
            let Some(roots) = self.unless_over(made)? else { continue };
            let size = gates.graph.cone_size(&roots, usize::MAX);
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, roots));
            }
        }
        let Some((size_in_gates, roots)) = best else { return Ok(None) };
        let bit = |(gate, v): (&u32, &i32)| Some((*gate, clauses.bits[*v as usize - 1]?));
        let inputs = gates.variables.iter().filter_map(bit).collect();
        let lifted = words::lift(terms, &gates.graph, &inputs, &roots);
        let mut interpolants = Vec::with_capacity(lifted.len());
        for t in lifted {
            let t = scalars.restore(terms, t);
            interpolants.push(normal_form(terms, t));
        }
        self.counters.gates += size_in_gates as u64;
        self.counters.lifted += size(terms, &interpolants) as u64;
        Ok(Some(Sequence { interpolants, source: Source::Craig }))
    }

    /// Replaces interpolants by smaller ones, from the last to the first, so that they tend to what the end of the trace needs.
    fn replace(
        &mut self,
        terms: &mut Terms,
        refuted: &Refuted<'_>,
        forward: &Facts,
        backward: &Facts,
        interpolants: &mut [Term],
    ) -> Result<(), SolverError> {
        let (parts, begin) = (&refuted.core, Instant::now());
        self.limit_queries(Some(REPLACING_QUERY));
        for cut in (0..interpolants.len()).rev() {
            if self.deadline.over() {
                return Err(self.deadline.reason());
            }
            if begin.elapsed() > REPLACING {
                break;
            }
            if is_relation(terms, interpolants[cut]) {
                continue;
            }
            let facts = [&forward[cut][..], &backward[cut]];
            let literals = atoms::candidates(terms, &refuted.trace.parts, &facts, cut, &refuted.vocabulary);
            let around = Around {
                before: if cut == 0 { terms.tt() } else { interpolants[cut - 1] },
                part: parts[cut],
                next: parts[cut + 1],
                after: interpolants.get(cut + 1).copied().unwrap_or_else(|| terms.ff()),
            };
            let replaced = atoms::replace(&mut *self.solver, terms, around, &literals, interpolants[cut]);
            match self.unless_over(replaced)? {
                Some(Some(t)) => interpolants[cut] = t,
                Some(None) => {}
                // What is hard at one cut is likely to be so at the others.
                None => break,
            }
        }
        Ok(())
    }
}

/// The parts, where the leaves of one part alone that an equation of it defines are replaced by what they are. This mixes no
/// parts, and more addresses are about leaves that several parts have.
fn without_local_definitions(
    terms: &mut Terms,
    parts: &[Term],
    vocabulary: &Vocabulary,
    deadline: &mut Deadline,
) -> Result<Vec<Term>, SolverError> {
    let mut all = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        let keeps = |_: &Terms, leaf: Term| vocabulary.range(leaf) != Some((i, i));
        let facts = terms.conjuncts(&[*part]);
        let facts = Projection { terms, keeps: &keeps, deadline }.without_definitions(facts)?;
        all.push(terms.and_all(facts));
    }
    Ok(all)
}

/// The number of different terms in `all`, where equations between words count twice: a bound says less, and so is more often
/// true again the next time.
fn cost(terms: &Terms, all: &[Term]) -> usize {
    let is_equation = |t: Term| terms.kind(t) == Kind::Eq && terms.sort(terms.args(t)[0]) != Sort::Bool;
    terms.subterms(all, |_| false).into_iter().map(|t| 1 + usize::from(is_equation(t))).sum()
}

/// Whether `t` is an equation both sides of which have leaves: nothing that a trace compares says the same in fewer words.
fn is_relation(terms: &Terms, t: Term) -> bool {
    let varies = |t: &Term| terms.as_bv(*t).is_none() && terms.sort(*t) != Sort::Bool;
    terms.kind(t) == Kind::Eq && terms.args(t).iter().all(varies)
}

/// The number of different terms in `all`.
fn size(terms: &Terms, all: &[Term]) -> usize {
    terms.subterms(all, |_| false).len()
}
