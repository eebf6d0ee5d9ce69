//! Property-directed reachability (Bradley: SAT-based model checking without unrolling, VMCAI 2011; Eén, Mishchenko, Brayton: Efficient
//! implementation of property directed reachability, FMCAD 2011), on the transition system of blocks ([`System`](crate::blocks::System)).
//!
//! Frames `F_0, F_1, .. F_N` are conditions for each cut point: `F_i` holds wherever an execution is after at most `i` blocks, and
//! excludes what is bad up to `F_N`. `F_0` is the start of the program. Each condition is a set of lemmas, negated cubes, of which those
//! of higher frames hold in the lower ones, too (delta encoding).
//!
//! ```text
//! while a state of F_N reaches something bad in one block:
//!   cube = states around it that do so likewise                        (the obligation: exclude the cube at N)
//!   to exclude a cube at i: if a block leads from F_(i-1) to it, first exclude the states before it at i - 1;
//!     if that gets back to the start, there is a violation;
//!     otherwise generalise the cube, and add its negation to F_1 .. F_i
//! push lemmas to the next frame where one block preserves them; if F_i = F_(i+1), it is inductive
//! N = N + 1
//! ```
//!
//! Cubes consist of literals on words (`cubes`). The states before a cube are found from a model: with its inputs, the atoms of the block's
//! formula that determine it. A cube is generalised by the core of the query that excludes it, by dropping literals, and by moving bounds
//! to constants of the program. A lemma on bounds and bits of a single state of the cube is added besides, since bits are what no atom
//! says.
//!
//! Nothing rests on frames: the checker decides about the certificate with the labels `F_i`, and alarms are found by bounded model checking
//! as deep as the violation was, and replayed.

mod cubes;

use super::on_blocks::{Search, by_intervals, proposals};
use crate::blocks::CutId;
use crate::cpa::Cx;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::program::{Budget, Count, Halt, Program};
use cfa::{Term, Terms};
use cubes::{constants, literals, on_words, weaker, with_inputs};
use rustc_hash::FxHashSet;
use smt::{Answer, Limits, Model, Solver, SolverError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::{Duration, Instant};

/// Maximum time of one query.
const QUERY: Duration = Duration::from_secs(10);
/// Maximum number of literals whose removal from a cube may fail.
const MAX_FAILURES: usize = 12;

/// Options of property-directed reachability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of the last frame.
    pub last_frame: u32,
    /// Whether to strengthen the program by inductive invariants.
    pub invariants: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { last_frame: 1 << 20, invariants: true }
    }
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// 1 if intervals alone prove the program, without a search of its own.
    pub by_intervals: u64,
    /// The number of cut points.
    pub cuts: u64,
    /// The number of the last frame.
    pub frames: u64,
    /// The number of blocks for which bounded model checking found no violation.
    pub depth: u64,
    /// The number of lemmas.
    pub lemmas: u64,
    /// The number of obligations.
    pub obligations: u64,
    /// The number of conjuncts that turned out to be inductive by themselves.
    pub invariants: u64,
    /// The number of queries.
    pub queries: u64,
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
    let cuts = search.system.graph.len();
    counts.cuts = cuts as u64;
    let constants = constants(&search.system, &search.cx.terms);
    let lemmas = vec![Vec::new(); cuts];
    let mut pdr = Pdr { options, search, constants, lemmas, last: 1, queries: 0, counts: Counts::default() };
    let outcome = pdr.run();
    let outcome = pdr.search.explained(outcome);
    let (depth, invariants) = (pdr.search.depth() as u64, pdr.search.invariants);
    let (own, queries, frames) = (pdr.counts, pdr.queries, pdr.last as u64);
    budget.free(pdr);
    *counts =
        Counts { cuts: cuts as u64, depth, invariants, frames, queries: queries + cx.statistics.solver_calls, ..own };
    budget.free(cx);
    outcome
}

/// A cube that no execution reaches within `level` blocks.
#[derive(Clone, Debug)]
struct Lemma {
    cube: Vec<Term>,
    level: usize,
}

/// A cube that has to be excluded.
#[derive(Clone, Debug)]
struct Obligation {
    cut: CutId,
    cube: Vec<Term>,
    /// Literals on bounds and bits of one of its states.
    on_words: Vec<Term>,
    /// The number of blocks from the cube to something bad.
    distance: usize,
}

/// Whether a block leads from a frame to a cube.
enum Relative {
    /// None does; these literals of the cube suffice for that.
    Excluded(Vec<Term>),
    /// One does: along this transition, in this model.
    Reached(usize, Model),
}

/// The obligations, those of the lowest frame first.
#[derive(Default)]
struct Queue {
    heap: BinaryHeap<Reverse<(usize, usize)>>,
    all: Vec<Obligation>,
}

impl Queue {
    fn push(&mut self, level: usize, obligation: Obligation) {
        self.heap.push(Reverse((level, self.all.len())));
        self.all.push(obligation);
    }
}

struct Pdr<'a, 'p> {
    options: Options,
    search: Search<'a, 'p>,
    /// The constants of the program by width.
    constants: BTreeMap<u32, Vec<u64>>,
    /// The lemmas of each cut point.
    lemmas: Vec<Vec<Lemma>>,
    /// The number of the last frame.
    last: usize,
    queries: u64,
    counts: Counts,
}

impl Pdr<'_, '_> {
    fn run(&mut self) -> Result<Outcome, Halt> {
        let (mut for_base, mut for_frames) = (Duration::ZERO, Duration::ZERO);
        loop {
            let begin = Instant::now();
            loop {
                if let Some(outcome) = self.search.base()? {
                    return Ok(outcome);
                }
                if !self.search.only_unrolls() && for_base + begin.elapsed() >= for_frames {
                    break;
                }
            }
            for_base += begin.elapsed();
            let begin = Instant::now();
            match self.next_frame() {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(outcome),
                Err(Halt::Solver(why)) => return self.search.unroll(why),
                Err(halt) => return Err(halt),
            }
            for_frames += begin.elapsed();
            if self.last >= self.options.last_frame as usize {
                return Ok(Outcome::Unknown(UnknownReason::Limit(format!("{} frames are not enough", self.last))));
            }
            self.last += 1;
            self.search.cx.budget.note(Count::Depth, self.last as u64);
        }
    }

    /// Excludes what is bad from the last frame, and looks whether a frame is inductive.
    fn next_frame(&mut self) -> Result<Option<Outcome>, Halt> {
        if let Some(proof) = self.search.strengthen()? {
            return self.search.proof(&proof).map(Some);
        }
        if let Some(distance) = self.exclude_bad()? {
            return self.violation(distance).map(Some);
        }
        let Some(level) = self.propagate()? else { return Ok(None) };
        let cuts: Vec<CutId> = self.search.system.cuts().collect();
        let mut labels = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let frame = self.frame(cut, level);
            labels.push(self.search.cx.terms.and_all(frame));
        }
        self.search.proof(&labels).map(Some)
    }

    /// The alarm of a violation by `distance` blocks and one more.
    fn violation(&mut self, distance: usize) -> Result<Outcome, Halt> {
        while self.search.depth() <= distance {
            if let Some(outcome) = self.search.base()? {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Unknown(UnknownReason::Solver("a violation of which there is no model".into())))
    }

    /// The conjuncts of the frame `level` at `cut`.
    fn frame(&mut self, cut: CutId, level: usize) -> Vec<Term> {
        if cut == CutId::START {
            return Vec::new();
        }
        let terms = &mut self.search.cx.terms;
        if level == 0 {
            return vec![terms.ff()];
        }
        let mut all = vec![self.search.known[cut.index()]];
        for lemma in self.lemmas[cut.index()].iter().filter(|lemma| lemma.level >= level) {
            all.push(negation(terms, &lemma.cube));
        }
        all
    }

    /// Asks the solver, without any change to the query, so that it has a core.
    ///
    /// Errors: `OutOfTime`; `Solver` if it does not answer.
    fn ask(&mut self, query: &[Term]) -> Result<Answer, Halt> {
        self.search.check_size()?;
        let terms = &self.search.cx.terms;
        if query.iter().any(|t| terms.as_bool(*t) == Some(false)) {
            return Ok(Answer::Unsat);
        }
        self.queries += 1;
        let limits = Limits { query: Some(QUERY), deadline: Some(self.search.cx.budget.deadline) };
        self.search.cx.solver.set_limits(limits);
        let query: Vec<Term> = query.iter().copied().filter(|t| terms.as_bool(*t).is_none()).collect();
        let answer = self.search.cx.solver.check(terms, &query);
        answer.map_err(|e| match e {
            SolverError::Unknown(_) if self.search.cx.budget.left().is_zero() => Halt::OutOfTime,
            e => Halt::Solver(e.to_string()),
        })
    }

    fn model(&mut self) -> Result<Model, Halt> {
        let model = self.search.cx.solver.model(&self.search.cx.terms);
        model.cloned().map_err(|e| Halt::Solver(e.to_string()))
    }

    /// Excludes from the last frame what reaches something bad in one block. Returns the length of a violation if there is one.
    fn exclude_bad(&mut self) -> Result<Option<usize>, Halt> {
        for i in 0..self.search.system.bad.len() {
            let (cut, condition) = (self.search.system.bad[i].from, self.search.system.bad[i].condition);
            loop {
                let mut query = self.frame(cut, self.last);
                query.push(condition);
                if self.ask(&query)? == Answer::Unsat {
                    break;
                }
                let model = self.model_of(&query)?;
                let Some(obligation) = self.obligation(cut, condition, model, 0)? else {
                    return Err(Halt::Solver("no literals determine what is bad".into()));
                };
                if let Some(length) = self.exclude(obligation)? {
                    return Ok(Some(length));
                }
            }
        }
        Ok(None)
    }

    /// The model of a query that was just answered; any, if constants decided it.
    fn model_of(&mut self, query: &[Term]) -> Result<Model, Halt> {
        match query.iter().all(|t| self.search.cx.terms.as_bool(*t) == Some(true)) {
            true => Ok(Model::default()),
            false => self.model(),
        }
    }

    /// The cube of the states around that of `model` that satisfy `formula` with its inputs; `None` if no literals determine it.
    fn obligation(
        &mut self,
        cut: CutId,
        formula: Term,
        mut model: Model,
        distance: usize,
    ) -> Result<Option<Obligation>, Halt> {
        self.counts.obligations += 1;
        let (system, terms) = (&self.search.system, &mut self.search.cx.terms);
        let formula = with_inputs(system, terms, formula, &mut model);
        let all = literals(system, terms, formula, &mut model);
        let on_words = on_words(system, terms, &[formula], &mut model);
        let not = terms.not(formula);
        let mut query = all.clone();
        query.push(not);
        if self.ask(&query)? == Answer::Sat {
            return Ok(None);
        }
        let cube = self.needed(&query, all);
        Ok(Some(Obligation { cut, cube, on_words, distance }))
    }

    /// Those of `literals` that the last query, an unsatisfiable one, needs.
    fn needed(&mut self, query: &[Term], literals: Vec<Term>) -> Vec<Term> {
        let terms = &self.search.cx.terms;
        if query.iter().any(|t| terms.as_bool(*t) == Some(false)) {
            return literals.into_iter().filter(|t| terms.as_bool(*t) == Some(false)).take(1).collect();
        }
        let core: FxHashSet<Term> = self.search.cx.solver.core().into_iter().collect();
        literals.into_iter().filter(|t| core.contains(t)).collect()
    }

    /// Excludes a cube from the last frame, and first what leads to it from the frames before. Returns the length of a violation if the
    /// start of the program leads to it.
    fn exclude(&mut self, obligation: Obligation) -> Result<Option<usize>, Halt> {
        let mut queue = Queue::default();
        queue.push(self.last, obligation);
        while let Some(Reverse((level, i))) = queue.heap.pop() {
            let Obligation { cut, cube, on_words, distance } = queue.all[i].clone();
            if cut == CutId::START {
                return Ok(Some(distance));
            }
            let mut query = self.frame(cut, level);
            query.extend(&cube);
            if self.ask(&query)? == Answer::Unsat {
                if level < self.last {
                    queue.heap.push(Reverse((level + 1, i)));
                }
                continue;
            }
            match self.relative(cut, &cube, level)? {
                Relative::Reached(transition, model) => {
                    let formula = self.before(transition, &cube);
                    let from = self.search.system.transitions[transition].from;
                    let Some(before) = self.obligation(from, formula, model, distance + 1)? else {
                        return Err(Halt::Solver("no literals determine a block".into()));
                    };
                    queue.heap.push(Reverse((level, i)));
                    queue.push(level - 1, before);
                }
                Relative::Excluded(core) => {
                    self.learn(cut, core, level)?;
                    if let Relative::Excluded(core) = self.relative(cut, &on_words, level)? {
                        self.learn(cut, core, level)?;
                    }
                    if level < self.last {
                        queue.heap.push(Reverse((level + 1, i)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The condition that a transition is taken to `cube`, as one on the state before it and the inputs.
    fn before(&mut self, transition: usize, cube: &[Term]) -> Term {
        let all = self.search.cx.terms.and_all(cube.iter().copied());
        let before = self.search.system.before(&mut self.search.cx.terms, transition, all);
        self.search.cx.terms.and(self.search.system.transitions[transition].condition, before)
    }

    /// Whether a block leads to `cube` from states of the frame before `level`, outside the cube.
    fn relative(&mut self, cut: CutId, cube: &[Term], level: usize) -> Result<Relative, Halt> {
        let mut needed: FxHashSet<Term> = FxHashSet::default();
        for t in self.search.system.into[cut.index()].clone() {
            let from = self.search.system.transitions[t].from;
            let mut query = self.frame(from, level - 1);
            if from == cut {
                query.push(negation(&mut self.search.cx.terms, cube));
            }
            query.push(self.search.system.transitions[t].condition);
            let mut instances = Vec::with_capacity(cube.len());
            for literal in cube {
                instances.push(self.search.system.before(&mut self.search.cx.terms, t, *literal));
            }
            let literals: Vec<Term> = instances.clone();
            query.extend(&literals);
            if self.ask(&query)? == Answer::Sat {
                let model = self.model_of(&query)?;
                return Ok(Relative::Reached(t, model));
            }
            let core: FxHashSet<Term> = self.needed(&query, literals).into_iter().collect();
            needed.extend(cube.iter().zip(instances).filter(|(_, i)| core.contains(i)).map(|(l, _)| *l));
        }
        // The order of the cube is kept.
        Ok(Relative::Excluded(cube.iter().copied().filter(|l| needed.contains(l)).collect()))
    }

    /// Adds the lemma that a generalisation of `cube`, which is excluded at `level`, is not reached there.
    fn learn(&mut self, cut: CutId, cube: Vec<Term>, mut level: usize) -> Result<(), Halt> {
        let cube = self.generalise(cut, cube, level)?;
        while level < self.last
            && let Relative::Excluded(_) = self.relative(cut, &cube, level + 1)?
        {
            level += 1;
        }
        let lemma = negation(&mut self.search.cx.terms, &cube);
        self.search.remember(cut, lemma);
        let lemmas = &mut self.lemmas[cut.index()];
        let given: FxHashSet<Term> = cube.iter().copied().collect();
        // A lemma of fewer literals says more.
        let implied = |l: &Lemma| l.level <= level && given.iter().all(|literal| l.cube.contains(literal));
        lemmas.retain(|l| !implied(l));
        lemmas.push(Lemma { cube, level });
        self.counts.lemmas += 1;
        Ok(())
    }

    /// A cube around `cube` that is excluded at `level`, too.
    fn generalise(&mut self, cut: CutId, mut cube: Vec<Term>, level: usize) -> Result<Vec<Term>, Halt> {
        let (mut failures, mut kept) = (0, FxHashSet::default());
        while failures < MAX_FAILURES
            && cube.len() > 1
            && let Some(literal) = cube.iter().rev().copied().find(|l| !kept.contains(l))
        {
            let fewer: Vec<Term> = cube.iter().copied().filter(|l| *l != literal).collect();
            match self.relative(cut, &fewer, level)? {
                Relative::Excluded(core) => cube = core,
                Relative::Reached(..) => {
                    failures += 1;
                    kept.insert(literal);
                }
            }
        }
        for i in 0..cube.len() {
            let bounds = weaker(&mut self.search.cx.terms, &self.constants, cube[i]);
            // The bounds before `low` are excluded, those from `high` on are not.
            let (mut low, mut high) = (0, bounds.len());
            while low < high {
                let middle = low.midpoint(high);
                let mut wider = cube.clone();
                wider[i] = bounds[middle];
                match self.relative(cut, &wider, level)? {
                    Relative::Excluded(_) => {
                        cube = wider;
                        low = middle + 1;
                    }
                    Relative::Reached(..) => high = middle,
                }
            }
        }
        Ok(cube)
    }

    /// Pushes lemmas to the next frames where blocks preserve them. Returns the number of a frame that is inductive, if there is one.
    fn propagate(&mut self) -> Result<Option<usize>, Halt> {
        for level in 1..=self.last {
            for cut in self.search.system.cuts() {
                for i in 0..self.lemmas[cut.index()].len() {
                    let lemma = &self.lemmas[cut.index()][i];
                    if lemma.level != level {
                        continue;
                    }
                    let cube = lemma.cube.clone();
                    if let Relative::Excluded(_) = self.relative(cut, &cube, level + 1)? {
                        self.lemmas[cut.index()][i].level = level + 1;
                    }
                }
            }
            if self.lemmas.iter().flatten().all(|lemma| lemma.level != level) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}

/// The clause that excludes a cube.
fn negation(terms: &mut Terms, cube: &[Term]) -> Term {
    let all = terms.and_all(cube.iter().copied());
    terms.not(all)
}
