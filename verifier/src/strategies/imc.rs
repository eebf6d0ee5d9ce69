//! Interpolation-based model checking (McMillan: Interpolation and SAT-based model checking, CAV 2003; for programs: Beyer, Lee, Wendler:
//! Interpolation and SAT-based model checking revisited, J. Automated Reasoning, 2024).
//!
//! The program is a transition system of blocks ([`System`]). Bounded model checking looks for violations, one block further in each
//! round. Then, for a bound `n`, sets of states grow that contain all reachable ones:
//!
//! ```text
//! R_start = true, all other R_l = false
//! for each cut point l with blocks from other cut points k, until nothing changes:
//!   A = some R_k holds, and the block from k leads to the values x       B = a target is reached from x within n more blocks
//!   R_l = R_l or the interpolant of A and B over x
//! ```
//!
//! An interpolant is an over-approximated image: it contains what one block leads to, and excludes what reaches a target within `n`
//! blocks. If nothing changes any more, the sets are inductive and exclude all targets; they are the labels of the certificate. If `A` and
//! `B` have a common model, then the sets are too large (a real violation would have been found before), and `n` grows; likewise if they
//! have grown often, since they may do so for as long as the program has states.
//!
//! Two things differ from the cited papers. There is a set for each cut point in place of one over a program counter, as a query about
//! one cut point is smaller. And what the interpolants of a round have in common with inductive invariants is not lost with it: the
//! conjuncts that are inductive together strengthen all later rounds, as do those that abstract interpretation proposes.
//!
//! Nothing rests on interpolants: the checker decides about the labels, the replay about alarms.

use super::on_blocks::{INDUCTIVE, Search, by_intervals, proposals};
use crate::blocks::{CutId, Place, System, Unrolling, symbol_of};
use crate::cpa::Cx;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::program::{Budget, Count, Halt, Program};
use cfa::term::Leaf;
use cfa::{SymId, Term, Terms};
use rustc_hash::FxHashMap;
use smt::interpolation::{Counters, Interpolation, Interpolator, Trace};
use smt::{Solver, SolverError};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Maximum time of one interpolation.
const INTERPOLATION: Duration = Duration::from_secs(10);
/// The number of times that a set may grow with the bound zero, and the number of further times for each further block.
const GROWTH: (u32, u32) = (6, 4);

/// Options of interpolation-based model checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The first bound: the number of blocks within which interpolants exclude targets.
    pub first_bound: u32,
    /// The last bound.
    pub last_bound: u32,
    /// Whether to strengthen the program by inductive invariants.
    pub invariants: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { first_bound: 0, last_bound: 1 << 20, invariants: true }
    }
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// 1 if intervals alone prove the program, without a search of its own.
    pub by_intervals: u64,
    /// The number of cut points.
    pub cuts: u64,
    /// The last bound tried.
    pub bound: u64,
    /// The number of blocks for which there is no violation.
    pub depth: u64,
    /// The number of interpolants.
    pub interpolants: u64,
    /// The number of conjuncts found to be inductive.
    pub invariants: u64,
    /// The number of queries, without those of interpolation.
    pub queries: u64,
    /// What was interpolated, and how.
    pub interpolation: Counters,
}

/// Proves or refutes `program`.
///
/// Errors: `OutOfTime`; `OutOfBudget` and `TooDeep` if the program has too many cut points, for example by recursion, and is not unrolled
/// completely in time.
pub fn run(
    program: &Program,
    options: Options,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
    counts: &mut Counts,
) -> Result<Outcome, Halt> {
    let proposed = match proposals(options.invariants, program, solver, budget) {
        Ok(proposed) => proposed,
        Err(proof) => return Ok(by_intervals(proof, &mut counts.by_intervals)),
    };
    let mut cx = Cx::new(program, solver, budget);
    let search = Search::new(&mut cx, proposed)?;
    counts.cuts = search.system.graph.len() as u64;
    let ahead = search.system.cuts().map(Unrolling::new).collect();
    let interpolator = Interpolator::new(smt::standard(budget.limits()), budget.limits());
    let mut imc = Imc { options, search, counts, interpolator, ahead, primed: FxHashMap::default() };
    let outcome = imc.run();
    let outcome = imc.search.explained(outcome);
    let (depth, invariants) = (imc.search.depth() as u64, imc.search.invariants);
    (imc.counts.depth, imc.counts.invariants) = (depth, invariants);
    imc.counts.interpolation = imc.interpolator.counters();
    budget.free(imc);
    counts.queries = cx.statistics.solver_calls;
    budget.free(cx);
    outcome
}

/// How growing sets of states ended.
enum Images {
    /// They are inductive, and exclude what is bad.
    Fixpoint(Vec<Term>),
    /// They are too large, or grew too often.
    GaveUp,
}

struct Imc<'a, 'p> {
    options: Options,
    search: Search<'a, 'p>,
    counts: &'a mut Counts,
    interpolator: Interpolator,
    /// The executions from each cut point.
    ahead: Vec<Unrolling>,
    /// The symbols for values after a block.
    primed: FxHashMap<Place, Term>,
}

impl Imc<'_, '_> {
    fn run(&mut self) -> Result<Outcome, Halt> {
        let mut bound = self.options.first_bound;
        let (mut for_base, mut for_images) = (Duration::ZERO, Duration::ZERO);
        loop {
            let begin = Instant::now();
            loop {
                if let Some(outcome) = self.search.base()? {
                    return Ok(outcome);
                }
                let is_deep = self.search.depth() > bound as usize + 1;
                if is_deep && for_base + begin.elapsed() >= for_images {
                    break;
                }
            }
            for_base += begin.elapsed();
            if self.search.only_unrolls() {
                continue;
            }
            let begin = Instant::now();
            self.counts.bound = u64::from(bound);
            self.search.cx.budget.note(Count::Bound, u64::from(bound));
            if let Some(proof) = self.search.strengthen()? {
                return self.search.proof(&proof);
            }
            if let Images::Fixpoint(proof) = self.images(bound)? {
                return self.search.proof(&proof);
            }
            for_images += begin.elapsed();
            if bound >= self.options.last_bound {
                return Ok(Outcome::Unknown(UnknownReason::Limit(format!("bound {bound} is not enough"))));
            }
            bound += 1 + bound / 4;
        }
    }

    /// Grows sets of states until they are inductive; interpolants exclude what is reached within `bound` blocks.
    fn images(&mut self, bound: u32) -> Result<Images, Halt> {
        let n = self.search.system.graph.len();
        let mut reached = vec![self.search.cx.terms.ff(); n];
        reached[CutId::START.index()] = self.search.cx.terms.tt();
        let mut grown = vec![0; n];
        let mut queue: VecDeque<CutId> = VecDeque::new();
        let follow = |system: &System<'_>, queue: &mut VecDeque<CutId>, cut: CutId| {
            for &t in &system.from[cut.index()] {
                let to = system.transitions[t].to;
                if to != CutId::START && !queue.contains(&to) {
                    queue.push_back(to);
                }
            }
        };
        if self.search.excludes_bad(&reached, CutId::START)? != Some(true) {
            return Ok(Images::GaveUp);
        }
        follow(&self.search.system, &mut queue, CutId::START);
        while let Some(cut) = queue.pop_front() {
            self.search.check_size()?;
            let Some(image) = self.image(cut, &reached, bound)? else { return Ok(Images::GaveUp) };
            self.search.remember(cut, image);
            let before = reached[cut.index()];
            let not = self.search.cx.terms.not(before);
            let new = [self.search.known[cut.index()], image, not];
            if self.search.cx.satisfiable(&new, INDUCTIVE) == Some(false) {
                continue;
            }
            grown[cut.index()] += 1;
            if grown[cut.index()] > GROWTH.0 + GROWTH.1 * bound {
                return Ok(Images::GaveUp);
            }
            reached[cut.index()] = self.search.cx.terms.or(before, image);
            follow(&self.search.system, &mut queue, cut);
        }
        let all = reached.iter().zip(&self.search.known).map(|(r, k)| self.search.cx.terms.and(*r, *k)).collect();
        Ok(Images::Fixpoint(all))
    }

    /// An over-approximation of what one block leads to at `cut` from the sets `reached`; `None` if there is none that excludes what is
    /// reached within `bound` blocks, or none was found.
    fn image(&mut self, cut: CutId, reached: &[Term], bound: u32) -> Result<Option<Term>, Halt> {
        let ahead = self.ahead(cut, bound)?;
        if self.search.cx.terms.as_bool(ahead) == Some(false) {
            return Ok(Some(self.search.cx.terms.tt()));
        }
        let mut places = self.search.system.places(&self.search.cx.terms, &[ahead, self.search.known[cut.index()]]);
        places.retain(|p| self.search.system.is_live(cut, *p));
        let from = self.arrives(cut, reached, &places);
        let there = self.search.cx.terms.and(ahead, self.search.known[cut.index()]);
        let there = self.prime(there);
        let state =
            places.iter().filter_map(|p| symbol_of(&self.search.cx.terms, self.primed[p])).map(Leaf::Sym).collect();
        let trace = Trace { parts: vec![from, there], state: Some(vec![state]), ..Trace::default() };
        self.search.cx.budget.check()?;
        self.interpolator.set_limits(self.search.cx.budget.at_most(INTERPOLATION).limits());
        let found = self.interpolator.interpolate(&mut self.search.cx.terms, &trace);
        self.search.cx.budget.check()?;
        match found {
            Ok(Interpolation::Found(sequence)) => {
                self.counts.interpolants += 1;
                Ok(Some(self.unprime(sequence.interpolants[0])))
            }
            Ok(Interpolation::Satisfiable | Interpolation::NotFound) => Ok(None),
            Err(SolverError::Unknown(_) | SolverError::Unsupported(_)) => Ok(None),
            Err(SolverError::Failed(why)) => Err(Halt::Solver(why)),
        }
    }

    /// The condition that something bad is reached from `cut` within `bound` further blocks.
    fn ahead(&mut self, cut: CutId, bound: u32) -> Result<Term, Halt> {
        let ahead = &mut self.ahead[cut.index()];
        while ahead.last() <= bound as usize {
            ahead.extend(&mut self.search.system, &mut self.search.cx.terms, self.search.cx.budget)?;
        }
        let conditions = ahead.reached.iter().filter(|r| r.layer <= bound as usize).map(|r| r.condition);
        Ok(self.search.cx.terms.or_all(conditions))
    }

    /// The condition that a block leads from one of the sets `reached` to `cut`, with the primed values of `places`.
    fn arrives(&mut self, cut: CutId, reached: &[Term], places: &[Place]) -> Term {
        let mut any = self.search.cx.terms.ff();
        for t in self.search.system.into[cut.index()].clone() {
            let transition = &self.search.system.transitions[t];
            let from = transition.from.index();
            let mut all = vec![reached[from], self.search.known[from], transition.condition];
            for &place in places {
                let start = self.search.system.start(&mut self.search.cx.terms, place);
                let value = self.search.system.before(&mut self.search.cx.terms, t, start);
                let primed = primed(&mut self.primed, &mut self.search.cx.terms, place, start);
                all.push(self.search.cx.terms.eq(primed, value));
            }
            let all = self.search.cx.terms.and_all(all);
            any = self.search.cx.terms.or(any, all);
        }
        any
    }

    /// A condition on values before a block as one on primed values.
    fn prime(&mut self, t: Term) -> Term {
        let (system, primes) = (&self.search.system, &mut self.primed);
        self.search.cx.terms.substitute(t, &mut FxHashMap::default(), &mut |terms, leaf| {
            let Leaf::Sym(s) = leaf else { return None };
            let place = system.place(s)?;
            let start = terms.sym(s);
            Some(primed(primes, terms, place, start))
        })
    }

    /// The reverse of [`prime`](Self::prime).
    fn unprime(&mut self, t: Term) -> Term {
        let mut starts: FxHashMap<SymId, Term> = FxHashMap::default();
        for (&place, &primed) in &self.primed {
            if let Some(s) = symbol_of(&self.search.cx.terms, primed) {
                starts.insert(s, self.search.system.start(&mut self.search.cx.terms, place));
            }
        }
        self.search.cx.terms.substitute(t, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
            Leaf::Sym(s) => starts.get(&s).copied(),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        })
    }
}

/// The symbol for the value after a block of the variable whose value before it is `start`.
fn primed(all: &mut FxHashMap<Place, Term>, terms: &mut Terms, place: Place, start: Term) -> Term {
    *all.entry(place).or_insert_with(|| {
        let name = match symbol_of(terms, start) {
            Some(s) => terms.symbol(s).name.clone(),
            None => String::new(),
        };
        terms.fresh(name, terms.sort(start))
    })
}
