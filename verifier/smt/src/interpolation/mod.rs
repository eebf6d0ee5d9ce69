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
//! Both are made for everything that the contradiction needs, and for the shortest end of the trace that contradicts itself (Newton only), which says
//! nothing about how the trace began. Of these sequences, those come first that are inductive where the trace visits a location again
//! ([`Loop`]), then the smaller ones; Newton's are tried first. A sequence is checked by queries to a solver before it is returned
//! (`check`), so that no answer rests on this module.
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
//! the trace's own comparisons), `projection` and `newton`, `landmarks` (some cuts first), `nested` (calls).

mod atoms;
mod check;
mod clauses;
mod conditions;
mod counters;
mod craig;
mod landmarks;
mod memories;
mod nested;
mod newton;
mod normal_form;
mod projection;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

pub use check::{Flaw, check};
pub use counters::Counters;
pub use nested::Pending;

use crate::bits::deadline::Deadline;
use crate::bits::graph::Lit;
use crate::bits::refutation::refute;
use crate::solver::{Answer, Interrupter, Limits, Solver, SolverError};
use atoms::Around;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, SymId, Term, Terms};
use clauses::Clauses;
use craig::{Gates, Rule};
use newton::Facts;
use normal_form::normal_form;
use projection::Projection;
use rustc_hash::{FxHashMap, FxHashSet};
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

/// The same, besides [`REPLACING_FACTOR`] times that of the query.
const REPLACING_BASE: Duration = Duration::from_millis(200);

/// See [`REPLACING_BASE`].
const REPLACING_FACTOR: u32 = 20;

/// Maximum time for a nested sequence.
const NESTED: Duration = Duration::from_secs(2);

/// The number of loops of a trace, from its end, at which interpolants are tried for being inductive.
const LAST_LOOPS: usize = 3;

/// An infeasible trace: parts whose conjunction has no model.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Bool terms that share leaves.
    pub parts: Vec<Term>,
    /// The leaves that are state at each cut, of which there is one less than there are parts; interpolants have no others.
    /// `None`: all leaves that both sides have.
    pub state: Option<Vec<Vec<Leaf>>>,
    /// Where the trace visits a location again.
    pub loops: Vec<Loop>,
    /// For each cut, what is pending there; empty if nested interpolants are not asked for.
    pub calls: Vec<Pending>,
    /// Cuts, in order, whose interpolants are made first, as if there were no others; those between them follow from theirs. Empty: all at once.
    pub landmarks: Vec<usize>,
}

/// Two cuts of a trace at one location. An interpolant at the second one that is inductive there is worth more than others.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The cut of the earlier visit.
    pub from: usize,
    /// The cut of the later visit.
    pub to: usize,
    /// For each symbol at the later cut, the term for the same value at the earlier one.
    pub back: FxHashMap<SymId, Term>,
}

impl Trace {
    /// A trace whose state at a cut is whatever both sides have in common.
    pub fn new(parts: Vec<Term>) -> Trace {
        Trace { parts, ..Trace::default() }
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
    /// A nested sequence ([`Pending`]), if calls are pending and `interpolants` are not one already.
    pub nested: Option<Vec<Term>>,
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
    /// Conjuncts of each part that contradict each other; several choices, the last one for the whole trace.
    cores: Vec<Vec<Term>>,
    vocabulary: Vocabulary,
    /// How long it took to find that out.
    query: Duration,
}

/// Conjuncts of each part that contradict each other, with what follows from them at each cut.
struct Core<'a> {
    parts: &'a [Term],
    forward: Facts,
    backward: Facts,
}

/// A sequence that may be taken.
struct Proposal {
    /// The index of the core that it is made from.
    core: usize,
    inductive: bool,
    cost: usize,
    sequence: Sequence,
}

impl Proposal {
    /// The smaller, the better.
    fn rank(&self) -> (bool, usize) {
        (!self.inductive, self.cost)
    }
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
        let mut found = match self.by_landmarks(terms, trace)? {
            Interpolation::Found(found) => found,
            Interpolation::Satisfiable => return Ok(Interpolation::Satisfiable),
            Interpolation::NotFound => {
                self.counters.traces += 1;
                return Ok(Interpolation::NotFound);
            }
        };
        self.counters.traces += 1;
        self.counters.taken += size(terms, &found.interpolants) as u64;
        *match found.source {
            Source::Craig => &mut self.counters.craig,
            Source::Forward => &mut self.counters.forward,
            Source::Backward => &mut self.counters.backward,
        } += 1;
        // The sequence that is there is not lost if there is no time for a better one.
        let longest = Instant::now() + NESTED;
        self.end = Some(self.end.map_or(longest, |end| end.min(longest)));
        self.deadline.set(self.end.map(|end| end.saturating_duration_since(Instant::now())));
        found.nested = match self.nested(terms, trace, &found) {
            Err(SolverError::Unknown(_)) => None,
            nested => nested?,
        };
        Ok(Interpolation::Found(found))
    }

    /// Interpolants that are not nested, within the time that is set.
    fn plain(&mut self, terms: &mut Terms, trace: &Trace) -> Result<Interpolation, SolverError> {
        self.limit_queries(None);
        let begin = Instant::now();
        let core = self.core(terms, &trace.parts)?;
        let query = begin.elapsed();
        self.counters.query += query;
        let Some(core) = core else { return Ok(Interpolation::Satisfiable) };
        // What the contradiction does not need may be needed to say it in terms of the state.
        let retry = trace.state.is_some() && core != trace.parts;
        let mut cores = self.shortest_end(terms, trace, &core)?;
        cores.push(core);
        let mut refuted = Refuted { trace, cores, vocabulary: Vocabulary::of(terms, trace), query };
        let mut found = self.best(terms, &refuted)?;
        if found.is_none() && retry {
            refuted.cores = vec![trace.parts.clone()];
            found = self.best(terms, &refuted)?;
        }
        Ok(found.map_or(Interpolation::NotFound, Interpolation::Found))
    }

    /// The best of the sequences that pass the check.
    fn best(&mut self, terms: &mut Terms, refuted: &Refuted<'_>) -> Result<Option<Sequence>, SolverError> {
        let mut cores = Vec::new();
        for parts in &refuted.cores {
            let (mut forward, mut backward) = (Facts::new(), Facts::new());
            if self.options.newton || self.options.atoms {
                forward = newton::postconditions(terms, parts, &refuted.vocabulary, &mut self.deadline)?;
                backward = newton::preconditions(terms, parts, &refuted.vocabulary, &mut self.deadline)?;
            }
            cores.push(Core { parts, forward, backward });
        }
        let Some(Proposal { core, inductive, sequence: found, .. }) = self.checked(terms, refuted, &cores)? else {
            return Ok(None);
        };
        self.counters.inductive += u64::from(inductive && !refuted.trace.loops.is_empty());
        if !self.options.atoms {
            return Ok(Some(found));
        }
        let begin = Instant::now();
        let mut smaller = found.clone();
        let replaced = self.replace(terms, refuted, &cores[core], &mut smaller.interpolants);
        self.counters.replacing += begin.elapsed();
        replaced?;
        if smaller == found
            || inductive && !self.is_inductive(terms, refuted.trace, &smaller.interpolants)?
            || !self.passes(terms, refuted.trace, &smaller.interpolants)?
        {
            return Ok(Some(found));
        }
        self.counters.before_replacing += size(terms, &found.interpolants) as u64;
        self.counters.after_replacing += size(terms, &smaller.interpolants) as u64;
        Ok(Some(smaller))
    }

    /// A sequence that passes the check, the best one that is found. There is no proof if a sequence without one is simple.
    fn checked(
        &mut self,
        terms: &mut Terms,
        refuted: &Refuted<'_>,
        cores: &[Core<'_>],
    ) -> Result<Option<Proposal>, SolverError> {
        let mut proposals = Vec::new();
        for (core, Core { forward, backward, .. }) in cores.iter().enumerate() {
            for sequence in self.by_facts(terms, forward, backward) {
                let proposal = self.proposal(terms, refuted.trace, core, sequence)?;
                // What says nothing about the beginning of the trace is worth it only if it says how the end comes about.
                if proposal.inductive || core + 1 == cores.len() {
                    proposals.push(proposal);
                }
            }
        }
        proposals.sort_by_key(|p| p.rank());
        let mut found: Option<Proposal> = None;
        for proposal in proposals {
            if self.passes(terms, refuted.trace, &proposal.sequence.interpolants)? {
                found = Some(proposal);
                break;
            }
        }
        let is_simple = |p: &Proposal| p.cost <= SIMPLE * p.sequence.interpolants.len();
        if !self.options.craig || found.as_ref().is_some_and(is_simple) {
            return Ok(found);
        }
        // Where there is a sequence already, a long search for a smaller one is not worth it.
        let limit = if found.is_some() { PROOF_BASE + PROOF_FACTOR * refuted.query } else { PROOF };
        let (core, whole) = (cores.len() - 1, cores[cores.len() - 1].parts);
        let Some(proof) = self.by_proof(terms, refuted.trace, whole, limit.min(PROOF))? else { return Ok(found) };
        let proof = self.proposal(terms, refuted.trace, core, proof)?;
        let is_better = found.as_ref().is_none_or(|f| proof.rank() < f.rank());
        Ok(if is_better && self.passes(terms, refuted.trace, &proof.sequence.interpolants)? {
            Some(proof)
        } else {
            found
        })
    }

    /// What there is to say for a sequence.
    fn proposal(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        core: usize,
        sequence: Sequence,
    ) -> Result<Proposal, SolverError> {
        let inductive = self.is_inductive(terms, trace, &sequence.interpolants)?;
        Ok(Proposal { core, inductive, cost: cost(terms, &sequence.interpolants), sequence })
    }

    /// Whether one of the last interpolants where the trace visits a location again is found to be inductive there.
    fn is_inductive(&mut self, terms: &mut Terms, trace: &Trace, interpolants: &[Term]) -> Result<bool, SolverError> {
        self.limit_queries(Some(REPLACING_QUERY));
        for Loop { from, to, back } in trace.loops.iter().rev().take(LAST_LOOPS) {
            let after = interpolants[*to];
            if terms.as_bool(after).is_some() {
                continue;
            }
            let is_there = |leaf: &Leaf| matches!(leaf, Leaf::Sym(s) if back.contains_key(s));
            if !terms.leaves(&[after]).iter().all(is_there) {
                continue;
            }
            let before = terms.substitute(after, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
                Leaf::Sym(s) => back.get(&s).copied(),
                Leaf::Var(_) | Leaf::Addr(_) => None,
            });
            let mut facts = vec![before];
            facts.extend(&trace.parts[from + 1..=*to]);
            let follows = check::follows(&mut *self.solver, terms, &facts, after);
            if self.unless_over(follows)? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The conjuncts that contradict each other in the shortest end of the trace that contradicts itself, if it is found and shorter than
    /// what `core` needs.
    fn shortest_end(&mut self, terms: &mut Terms, trace: &Trace, core: &[Term]) -> Result<Vec<Vec<Term>>, SolverError> {
        let Some(first) = core.iter().position(|t| terms.as_bool(*t) != Some(true)) else { return Ok(Vec::new()) };
        if trace.loops.is_empty() {
            return Ok(Vec::new());
        }
        self.limit_queries(Some(REPLACING_QUERY));
        // The end from `low` on contradicts itself, that from `high` on is not known to.
        let (mut low, mut high, mut found) = (first, core.len(), Vec::new());
        while high - low > 1 {
            let middle = low.midpoint(high);
            let mut end = trace.parts.clone();
            end[..middle].fill(terms.tt());
            let shorter = self.core(terms, &end);
            match self.unless_over(shorter)? {
                Some(Some(shorter)) => (low, found) = (middle, vec![shorter]),
                Some(None) | None => high = middle,
            }
        }
        self.limit_queries(None);
        Ok(found)
    }

    /// Limits each of the queries that follow, besides the time for the trace.
    fn limit_queries(&mut self, query: Option<Duration>) {
        self.solver.set_limits(Limits { query, deadline: self.end });
    }

    /// Whether a sequence passes the check.
    fn passes(&mut self, terms: &mut Terms, trace: &Trace, interpolants: &[Term]) -> Result<bool, SolverError> {
        let begin = Instant::now();
        self.limit_queries(Some(CHECK_QUERY));
        let flaw = check(&mut *self.solver, terms, trace, interpolants);
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
        trace: &Trace,
        core: &[Term],
        limit: Duration,
    ) -> Result<Option<Sequence>, SolverError> {
        let begin = Instant::now();
        let left = self.end.map_or(limit, |end| end.saturating_duration_since(begin).min(limit));
        self.deadline.set(Some(left));
        let found = self.craig(terms, trace, core);
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
            proposals.push(Sequence { interpolants, nested: None, source });
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
    fn craig(&mut self, terms: &mut Terms, trace: &Trace, core: &[Term]) -> Result<Option<Sequence>, SolverError> {
        // The parts without memories have further leaves.
        let mut vocabulary = Vocabulary::of(terms, trace);
        let parts = without_local_definitions(terms, core, &vocabulary, &mut self.deadline)?;
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
        Ok(Some(Sequence { interpolants, nested: None, source: Source::Craig }))
    }

    /// Replaces interpolants by smaller ones, from the last to the first, so that they tend to what the end of the trace needs.
    fn replace(
        &mut self,
        terms: &mut Terms,
        refuted: &Refuted<'_>,
        Core { parts, forward, backward }: &Core<'_>,
        interpolants: &mut [Term],
    ) -> Result<(), SolverError> {
        let (begin, longest) = (Instant::now(), REPLACING.min(REPLACING_BASE + REPLACING_FACTOR * refuted.query));
        self.limit_queries(Some(REPLACING_QUERY));
        for cut in (0..interpolants.len()).rev() {
            if self.deadline.over() {
                return Err(self.deadline.reason());
            }
            if begin.elapsed() > longest {
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
