//! Refinement of predicate abstraction by interpolants (Henzinger, Jhala, Majumdar, McMillan: Abstractions from proofs, POPL 2004).
//!
//! The blocks on the way to a target are a trace of path formulas ([`BlockTrace`]). If it has a model, one of the paths for which the blocks stand
//! is real: the one that the model takes ([`path`]). If not, interpolants between the blocks say what has to be known there to exclude all
//! of these paths, and become predicates (`predicates`). They speak of variables with few values if these suffice ([`relevant`]). Where they
//! speak of counters of loops, an [infeasible prefix](infeasible_prefixes) of the trace is taken for which they do not, if there is one.
//! Each is tracked where its block ends, and the graph is explored again from the first block that ends with a new one.
//!
//! When the same blocks come back although all predicates of their interpolants are tracked, the abstraction could not combine them: then
//! the conjuncts of the interpolants are predicates themselves; and if even these are tracked, or if there are no interpolants, the
//! conditions of the blocks are.
//!
//! Nothing rests on interpolants: they only choose what is tracked.

mod predicates;

use super::cost::Counters;
use crate::blocks::{Block, BlockTrace, Values, infeasible_prefixes, path, relevant, without_dear};
use crate::cpa::{Cx, Located, Step};
use crate::domains::predicate::{AbstractionId, Abstracts, Predicates, Scope};
use crate::evidence::outcome::UnknownReason;
use crate::program::Halt;
use crate::reach::arg::{Arg, NodeId};
use crate::reach::cegar::{Refinement, Refiner};
use crate::reach::path_check::{Feasibility, check_steps, steps_to};
use cfa::{Term, VarId};
use predicates::{Split, predicates};
use smt::interpolation::{Interpolation, Interpolator};
use smt::{Answer, Limits, Model, SolverError};
use std::time::{Duration, Instant};

/// Maximum time for the interpolants of one trace.
const INTERPOLATION: Duration = Duration::from_secs(20);

/// A precision with new predicates.
struct Extension<P> {
    /// The first cut with a new one.
    first: usize,
    precision: P,
    /// Whether new predicates are about counters of loops or memories, which [cost](super::cost) the most.
    is_dear: bool,
}

/// Refines predicate abstraction, which must be a part of the analysis. Other parts keep their full precision.
pub struct Interpolating<P> {
    scope: Scope,
    /// Maximum number of infeasible prefixes that are tried.
    prefixes: usize,
    /// Time limit for one query whether a path is feasible.
    limit: Duration,
    interpolator: Option<Interpolator>,
    /// The counters of the slice, once they are needed.
    counters: Option<Counters>,
    /// All predicates so far, and the full precision of other parts; `None` before the first refinement.
    total: Option<P>,
}

/// What the path formulas say.
enum Trial {
    /// They have this model.
    Model(Model),
    /// They exclude each other.
    Infeasible,
    /// The solver could not tell, for this reason.
    Undecided(String),
}

/// The blocks on the way to a target.
struct Way {
    /// The abstractions with which they begin.
    begins: Vec<AbstractionId>,
    blocks: Vec<Block>,
    trace: BlockTrace,
}

impl<P> Interpolating<P> {
    /// A refiner that tracks new predicates in `scope`. Where those of a path are about counters, it tries up to `prefixes` infeasible
    /// prefixes. A query may take `limit`.
    pub fn new(scope: Scope, prefixes: usize, limit: Duration) -> Interpolating<P> {
        Interpolating { scope, prefixes, limit, interpolator: None, counters: None, total: None }
    }

    /// The blocks on the way to `n`; `None` if the analysis has no predicate abstraction.
    fn way<C: Located<Precision = P> + Abstracts>(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        n: NodeId,
    ) -> Option<Way> {
        let state = C::abstract_state(&arg.node(n).state)?;
        let cpa = cpa.abstraction()?;
        let mut blocks = cpa.blocks(state);
        if state.ends && blocks.len() > 1 {
            blocks.pop();
        }
        let (begins, blocks): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
        let trace = BlockTrace::new(cpa.maker(), &cx.program.cfa, &mut cx.terms, &blocks);
        Some(Way { begins, blocks, trace })
    }

    /// Whether one of the paths through the blocks is feasible.
    ///
    /// Errors: `OutOfTime`.
    fn try_out(&self, cx: &mut Cx<'_>, trace: &BlockTrace) -> Result<Trial, Halt> {
        let start = Instant::now();
        cx.solver.set_limits(Limits { query: Some(self.limit), deadline: Some(cx.budget.deadline) });
        let answer = cx.algebra.check(&mut cx.terms, cx.solver, &trace.parts);
        cx.statistics.asked(start.elapsed());
        Ok(match answer {
            Ok(Answer::Unsat) => Trial::Infeasible,
            Ok(Answer::Sat) => match cx.solver.model(&cx.terms) {
                Ok(model) => Trial::Model(model.clone()),
                Err(e) => Trial::Undecided(e.to_string()),
            },
            Err(SolverError::Unknown(_)) if cx.budget.left().is_zero() => return Err(Halt::OutOfTime),
            Err(e) => Trial::Undecided(e.to_string()),
        })
    }

    /// The sequences of interpolants between the blocks, a nested one first; none if none are found.
    ///
    /// Errors: `OutOfTime`.
    fn interpolants<C: Abstracts>(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        trace: &BlockTrace,
    ) -> Result<Vec<Vec<Term>>, Halt> {
        let Some(analysis) = cpa.abstraction() else { return Ok(Vec::new()) };
        let (maker, ends) = analysis.maker_and_ends();
        let trace = trace.interpolated_nested((maker, ends), &cx.program.cfa, &mut cx.terms);
        let limits = Limits { query: Some(INTERPOLATION.min(self.limit)), deadline: Some(cx.budget.deadline) };
        let interpolator = self.interpolator.get_or_insert_with(|| Interpolator::new(smt::standard(limits), limits));
        interpolator.set_limits(limits);
        let found = interpolator.interpolate(&mut cx.terms, &trace);
        cx.statistics.interpolation = interpolator.counters();
        cx.budget.check()?;
        Ok(match found {
            Ok(Interpolation::Found(sequence)) => sequence.nested.into_iter().chain([sequence.interpolants]).collect(),
            Ok(Interpolation::Satisfiable | Interpolation::NotFound) | Err(_) => Vec::new(),
        })
    }

    /// Adds the predicates of conditions, each at a cut, to `total`. Returns the first cut with a new one, and all that are new.
    fn add<C: Located<Precision = P> + Abstracts>(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        total: &mut Predicates,
        (trace, values): (&BlockTrace, &Values),
        (conditions, split): (&[(usize, Term)], Split),
    ) -> Option<(usize, Vec<Term>)> {
        let cfa = cx.program.cfa.clone();
        let cpa = cpa.abstraction()?;
        let mut first: Option<usize> = None;
        let mut new = Vec::new();
        for &(i, condition) in conditions {
            let cut = &trace.cuts[i];
            let place = self.scope.place(cut.loc, cfa.locs[cut.loc].func);
            let mut found = predicates(cpa.maker(), &cfa, &mut cx.terms, (cut, condition), split);
            if split == Split::Values {
                found = values.instead_of(&mut cx.terms, &found);
            }
            for p in found {
                if total.add(place, p) {
                    first = Some(first.map_or(i, |f| f.min(i)));
                    new.push(p);
                }
            }
        }
        Some((first?, new))
    }

    /// The first of these sets of predicates that has new ones: those of the interpolants, with values in place of bits or as they are,
    /// their conjuncts, the blocks' own conditions.
    fn extend<C: Located<Precision = P> + Abstracts>(
        &self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        (trace, values): (&BlockTrace, &Values),
        interpolants: &[Vec<Term>],
    ) -> Option<Extension<P>>
    where
        P: Clone,
    {
        let mut precision = self.total.clone().unwrap_or_else(|| cpa.full_precision());
        let total = C::predicates(&mut precision)?;
        let at_cuts = |sequence: &Vec<Term>| sequence.iter().copied().enumerate().collect::<Vec<(usize, Term)>>();
        let interpolants: Vec<_> = interpolants.iter().map(at_cuts).collect();
        let conditions: Vec<(usize, Term)> = trace.parts.iter().skip(1).copied().enumerate().collect();
        let splits = [Split::Values, Split::Atoms, Split::Conjuncts];
        let attempts = splits.iter().flat_map(|split| interpolants.iter().map(|sequence| (sequence, *split)));
        for (conditions, split) in attempts.chain([(&conditions, Split::Atoms)]) {
            if let Some((first, new)) = self.add(cpa, cx, total, (trace, values), (conditions, split)) {
                let counters = self.counters.as_ref();
                let is_dear = |v: &VarId| counters.is_some_and(|c| c.is_dear(&cx.program.cfa, *v));
                let is_dear = new.iter().any(|p| cx.terms.vars(*p).iter().any(is_dear));
                return Some(Extension { first, precision, is_dear });
            }
        }
        None
    }
}

/// The node from which the block `i` on the way to `target` is explored again.
fn pivot<C: Located + Abstracts>(arg: &Arg<C>, target: NodeId, begins: &[AbstractionId], i: usize) -> NodeId {
    let begin = |n: NodeId| C::abstract_state(&arg.node(n).state).map(|s| s.begin);
    let number = |n: NodeId| begin(n).and_then(|b| begins.iter().position(|a| *a == b)).unwrap_or(0);
    let mut pivot = NodeId(0);
    for (n, ..) in arg.path(target) {
        match number(n).cmp(&i) {
            std::cmp::Ordering::Less => pivot = n,
            std::cmp::Ordering::Equal => return n,
            std::cmp::Ordering::Greater => return pivot,
        }
    }
    pivot
}

impl<C: Located + Abstracts> Refiner<C> for Interpolating<C::Precision> {
    fn precision(&self, cpa: &C) -> C::Precision {
        self.total.clone().unwrap_or_else(|| cpa.full_precision())
    }

    fn path<'p>(&mut self, cpa: &mut C, cx: &mut Cx<'p>, arg: &Arg<C>, target: NodeId) -> Result<Vec<Step<'p>>, Halt> {
        if let Some(Way { blocks, trace, .. }) = self.way(cpa, cx, arg, target)
            && let Trial::Model(model) = self.try_out(cx, &trace)?
            && let end = cpa.key(&arg.node(target).state).loc
            && let Some(cpa) = cpa.abstraction()
            && let Some(steps) = path(cpa.maker_and_ends(), cx, (&blocks, &trace), model, end)
        {
            return Ok(steps);
        }
        Ok(steps_to(arg, cx, target))
    }

    fn refine(
        &mut self,
        cpa: &mut C,
        cx: &mut Cx<'_>,
        arg: &Arg<C>,
        target: NodeId,
    ) -> Result<Refinement<C::Precision>, Halt> {
        let imprecise = |reason: &str| Refinement::Stuck(UnknownReason::Imprecise(reason.into()));
        let Some(Way { begins, blocks, trace }) = self.way(cpa, cx, arg, target) else {
            return Ok(imprecise("no part of the analysis has predicates"));
        };
        match self.try_out(cx, &trace)? {
            Trial::Undecided(reason) => return Ok(Refinement::Stuck(UnknownReason::Solver(reason))),
            Trial::Infeasible => {}
            Trial::Model(_) => {
                let steps = self.path(cpa, cx, arg, target)?;
                return Ok(match check_steps(cx, &steps, self.limit)? {
                    Feasibility::Feasible(candidate) => Refinement::Feasible(candidate),
                    Feasibility::Infeasible => imprecise("a model of the blocks takes none of their paths"),
                    Feasibility::Undecided(reason) => Refinement::Stuck(UnknownReason::Solver(reason)),
                });
            }
        }
        let Some(analysis) = cpa.abstraction() else { return Ok(imprecise("no part of the analysis has predicates")) };
        let values = Values::of(&cx.terms, &trace);
        let weak = relevant(analysis.maker(), cx, (&blocks, &trace), &values);
        cx.budget.check()?;
        if !self.counters.as_ref().is_some_and(|c| c.are_of(cx.program)) {
            self.counters = Some(Counters::new(cx.program));
        }
        let cfa = cx.program.cfa.clone();
        let is_dear = |v: VarId| self.counters.as_ref().is_some_and(|c| c.is_dear(&cfa, v));
        // What other parts know may take the place of counters.
        let has_facts = blocks.iter().any(|b| !b.known.is_empty());
        let cheap = match weak {
            None if has_facts => without_dear(analysis.maker(), cx, (&blocks, &trace), &is_dear),
            _ => None,
        };
        let mut best: Option<Extension<C::Precision>> = None;
        for trace in weak.iter().chain(&cheap).chain([&trace]) {
            let interpolants = self.interpolants(cpa, cx, trace)?;
            best = self.extend(cpa, cx, (trace, &values), &interpolants);
            if best.is_some() {
                break;
            }
        }
        if best.as_ref().is_some_and(|e| e.is_dear)
            && let Some(analysis) = cpa.abstraction()
        {
            for prefix in infeasible_prefixes(analysis.maker(), cx, &blocks, self.prefixes) {
                let interpolants = self.interpolants(cpa, cx, &prefix)?;
                let other = self.extend(cpa, cx, (&prefix, &values), &interpolants);
                if let Some(cheap) = other.filter(|e| !e.is_dear) {
                    best = Some(cheap);
                    break;
                }
            }
        }
        let Some(Extension { first, mut precision, .. }) = best else {
            return Ok(imprecise("infeasible paths come back although all their predicates are tracked"));
        };
        cx.statistics.tracked_conditions = C::predicates(&mut precision).map_or(0, |total| total.len() as u64);
        self.total = Some(precision.clone());
        Ok(Refinement::Spurious { pivot: pivot(arg, target, &begins, first), precision })
    }
}
