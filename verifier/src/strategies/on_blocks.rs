//! What strategies on transition systems of blocks share: bounded model checking block by block, which also proves programs that are
//! unrolled completely, and inductive invariants, which strengthen the system.

use crate::blocks::{CutId, CutNode, ExitKind, Formula, Limits, Reached, System, Unrolling, certificate};
use crate::cpa::Cx;
use crate::domains::intervals::Interesting;
use crate::evidence::outcome::{Outcome, UnknownReason};
use crate::invariants::abstract_interpretation::{self, Told};
use crate::invariants::houdini::on_blocks::inductive;
use crate::program::unsupported::unsupported_construct;
use crate::program::{Budget, Halt, Program};
use cfa::{EdgeId, Term};
use checker::Certificate;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Solver;
use std::ops::ControlFlow;
use std::time::Duration;

/// Maximum number of cut points.
const MAX_CUTS: usize = 1_000;
/// Maximum number of frames of the call stack.
const MAX_DEPTH: u32 = 200;
/// Maximum size of formulas, in terms of about 100 bytes each.
const MAX_TERMS: usize = 20_000_000;
/// Maximum time of a query whether executions get to a cut point at all.
const PRUNING: Duration = Duration::from_millis(200);
/// Maximum time of a query whether something is inductive.
pub(super) const INDUCTIVE: Duration = Duration::from_millis(500);
/// Maximum time of a query whether something bad is excluded.
const EXCLUDED: Duration = Duration::from_secs(10);
/// Maximum time in which abstract interpretation proposes invariants.
const PROPOSING: Duration = Duration::from_secs(1);
/// Maximum number of conjuncts at a cut point that are tried as invariants.
const MAX_CANDIDATES: usize = 200;

/// The search for a proof or a violation in the transition system of a program.
pub(super) struct Search<'a, 'p> {
    pub(super) system: System<'p>,
    pub(super) cx: &'a mut Cx<'p>,
    /// Why not all of the system is known: then bounded model checking has to suffice.
    pub(super) is_incomplete: Option<Halt>,
    /// For each cut point, what is known to hold there.
    pub(super) known: Vec<Term>,
    /// The number of conjuncts found to be inductive.
    pub(super) invariants: u64,
    /// Whether there are candidates that have not been tried.
    has_new: bool,
    /// Whether there are candidates for invariants at all.
    wants_invariants: bool,
    /// For each cut point, what may be invariant there.
    candidates: Vec<Vec<Term>>,
    /// The candidates so far.
    tried: FxHashSet<(CutId, Term)>,
    base: Base,
}

/// What abstract interpretation proposes as invariants if they are `wanted`.
///
/// Errors: the proof, if intervals alone prove the program, so that nothing is left to search.
pub(super) fn proposals(
    wanted: bool,
    program: &Program,
    solver: &mut dyn Solver,
    budget: Budget<'_>,
) -> Result<Option<Vec<abstract_interpretation::Found>>, Box<Certificate>> {
    if !wanted {
        return Ok(None);
    }
    let mut all = Vec::new();
    let mut proof = None;
    let (interesting, budget) = (Interesting::default(), budget.at_most(PROPOSING));
    abstract_interpretation::generate(program, interesting, solver, budget, &mut |told| match told {
        Told::Candidates(found) => {
            all.push(*found);
            ControlFlow::Continue(())
        }
        Told::Proof(found) => {
            proof = Some(found);
            ControlFlow::Break(())
        }
    });
    proof.map_or(Ok(Some(all)), Err)
}

/// The outcome of a proof by intervals, which is counted.
pub(super) fn by_intervals(proof: Box<Certificate>, count: &mut u64) -> Outcome {
    *count += 1;
    Outcome::Proof(proof)
}

/// Bounded model checking, block by block.
struct Base {
    executions: Unrolling,
    /// The number of things in `Unrolling::reached` that have been examined.
    examined: usize,
    /// Why there is no proof by complete unrolling, if the solver did not decide something.
    undecided: Option<String>,
    /// A construct without a model that is reached.
    unsupported: Option<EdgeId>,
}

impl Base {
    fn new() -> Base {
        Base { executions: Unrolling::new(CutId::START), examined: 0, undecided: None, unsupported: None }
    }
}

impl<'a, 'p> Search<'a, 'p> {
    /// The search in the system of the program of `cx`; `proposed` are candidates for invariants, without which there are none.
    ///
    /// Errors: `OutOfTime`.
    pub(super) fn new(
        cx: &'a mut Cx<'p>,
        proposed: Option<Vec<abstract_interpretation::Found>>,
    ) -> Result<Search<'a, 'p>, Halt> {
        let limits = Limits { cuts: MAX_CUTS, depth: MAX_DEPTH };
        let mut system = System::new(cx.program);
        let is_incomplete = match system.complete(&mut cx.terms, limits, cx.budget) {
            Ok(()) => None,
            Err(halt @ (Halt::TooDeep(_) | Halt::OutOfBudget(_))) => Some(halt),
            Err(halt) => return Err(halt),
        };
        let n = system.graph.len();
        let mut search = Search {
            known: vec![cx.terms.tt(); n],
            invariants: 0,
            is_incomplete,
            has_new: false,
            wants_invariants: proposed.is_some(),
            candidates: vec![Vec::new(); n],
            tried: FxHashSet::default(),
            base: Base::new(),
            system,
            cx,
        };
        if search.is_incomplete.is_none() {
            proposed.iter().flatten().for_each(|found| search.propose(found));
        }
        Ok(search)
    }

    /// The number of blocks for which there is no violation.
    pub(super) fn depth(&self) -> usize {
        self.base.executions.last()
    }

    /// Whether only a complete unrolling can be a proof: not all of the system is known, or a construct without a model is reached.
    pub(super) fn only_unrolls(&self) -> bool {
        self.is_incomplete.is_some() || self.base.unsupported.is_some()
    }

    /// `outcome`, unless a construct without a model explains better why there is none.
    pub(super) fn explained(&self, outcome: Result<Outcome, Halt>) -> Result<Outcome, Halt> {
        match (outcome, self.base.unsupported) {
            (Err(Halt::OutOfTime | Halt::OutOfBudget(_)) | Ok(Outcome::Unknown(_)), Some(e)) => {
                Err(Halt::Unsupported(unsupported_construct(self.cx.program, e)))
            }
            (Err(Halt::OutOfTime), None) => Err(self.is_incomplete.clone().unwrap_or(Halt::OutOfTime)),
            (outcome, _) => outcome,
        }
    }

    /// The proof by `invariants`, one for each cut point.
    pub(super) fn proof(&mut self, invariants: &[Term]) -> Result<Outcome, Halt> {
        let certificate = self.system.certificate(&mut self.cx.terms, invariants, self.cx.budget)?;
        Ok(Outcome::Proof(Box::new(certificate)))
    }

    /// Executes one more block from the start. Returns an alarm, or a proof if no execution is left.
    pub(super) fn base(&mut self) -> Result<Option<Outcome>, Halt> {
        self.check_size()?;
        self.base.executions.extend(&mut self.system, &mut self.cx.terms, self.cx.budget)?;
        let reached: Vec<Reached> = self.base.executions.reached[self.base.examined..].to_vec();
        self.base.examined += reached.len();
        let is_target = |r: &Reached| self.system.bad[r.bad].kind == ExitKind::Target;
        let (targets, others): (Vec<Reached>, Vec<Reached>) = reached.into_iter().partition(is_target);
        for reached in targets {
            if let Some(alarm) = self.alarm(reached)? {
                return Ok(Some(alarm));
            }
        }
        for reached in others {
            if self.is_possible(reached.condition, None)? != Some(false)
                && let ExitKind::Unsupported(e) = self.system.bad[reached.bad].kind
            {
                self.base.unsupported = Some(e);
            }
        }
        let last = self.base.executions.last();
        for cut in self.base.executions.cuts(last) {
            let condition = self.base.executions.condition(&mut self.cx.terms, cut);
            if self.is_possible(condition, Some(PRUNING))? == Some(false) {
                self.base.executions.remove(cut);
            }
        }
        if !self.base.executions.cuts(last).is_empty() {
            return Ok(None);
        }
        Ok(Some(match (&self.base.undecided, self.base.unsupported) {
            (None, None) => Outcome::Proof(Box::new(self.unrolled()?)),
            (_, Some(e)) => {
                let what = unsupported_construct(self.system.graph.program(), e);
                Outcome::Unknown(UnknownReason::Unsupported(what))
            }
            (Some(why), None) => Outcome::Unknown(UnknownReason::Solver(why.clone())),
        }))
    }

    /// Bounded model checking alone, where the search for a proof was given up for the reason `why`.
    pub(super) fn unroll(&mut self, why: String) -> Result<Outcome, Halt> {
        loop {
            match self.base() {
                Ok(Some(outcome)) => return Ok(outcome),
                Ok(None) => {}
                Err(Halt::OutOfTime | Halt::OutOfBudget(_)) => return Ok(Outcome::Unknown(UnknownReason::Solver(why))),
                Err(halt) => return Err(halt),
            }
        }
    }

    /// The alarm that a target is reached, if it is; if possible, one that the replay confirms: inputs that the language leaves open are
    /// zero, and nothing is read that a model approximates.
    fn alarm(&mut self, reached: Reached) -> Result<Option<Outcome>, Halt> {
        let definite = self.base.executions.is_definite(&self.system, &mut self.cx.terms);
        for condition in [self.cx.terms.and(reached.condition, definite), reached.condition] {
            match self.is_possible(condition, None)? {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    self.base.undecided = Some("a target may be reached".into());
                    continue;
                }
            }
            let model = match self.cx.terms.as_bool(condition) {
                Some(_) => smt::Model::default(),
                None => match self.cx.solver.model(&self.cx.terms) {
                    Ok(model) => model.clone(),
                    Err(e) => return Err(Halt::Solver(e.to_string())),
                },
            };
            let inputs = self.base.executions.inputs(&mut self.system, &mut self.cx.terms, model, reached);
            return match inputs {
                Some(inputs) => Ok(Some(Outcome::Alarm(inputs))),
                None => Err(Halt::Solver("a model that does not tell which path it takes".into())),
            };
        }
        Ok(None)
    }

    /// Whether a condition can hold; `None` if it is not decided.
    ///
    /// Errors: `OutOfTime`.
    fn is_possible(&mut self, condition: Term, limit: Option<Duration>) -> Result<Option<bool>, Halt> {
        if let Some(constant) = self.cx.terms.as_bool(condition) {
            return Ok(Some(constant));
        }
        let answer = self.cx.satisfiable(&[condition], limit.unwrap_or(Duration::MAX));
        self.cx.budget.check()?;
        Ok(answer)
    }

    pub(super) fn check_size(&self) -> Result<(), Halt> {
        self.cx.budget.check()?;
        match self.cx.terms.len() > MAX_TERMS {
            true => Err(Halt::OutOfBudget(format!("more than {MAX_TERMS} terms"))),
            false => Ok(()),
        }
    }

    /// The certificate of a complete unrolling.
    fn unrolled(&mut self) -> Result<checker::Certificate, Halt> {
        let layers: Vec<Vec<CutId>> = (0..=self.base.executions.last()).map(|i| self.base.executions.cuts(i)).collect();
        let mut numbers: FxHashMap<(usize, CutId), usize> = FxHashMap::default();
        for (i, layer) in layers.iter().enumerate() {
            for cut in layer {
                numbers.insert((i, *cut), numbers.len());
            }
        }
        let mut nodes = Vec::with_capacity(numbers.len());
        for (i, layer) in layers.iter().enumerate() {
            for &cut in layer {
                let block = self.system.graph.block(&mut self.cx.terms, cut, self.cx.budget)?;
                let leads = |kind: ExitKind| match kind {
                    ExitKind::End(to) => numbers.get(&(i + 1, to)).copied(),
                    ExitKind::Target | ExitKind::Unsupported(_) => None,
                };
                let exits = block.exits.iter().map(|e| leads(e.kind)).collect();
                nodes.push(CutNode { cut, label: None, exits });
            }
        }
        certificate(&mut self.system.graph, &mut self.cx.terms, &nodes, self.cx.budget)
    }

    /// Whether nothing bad is reached by one block from `cut`; `None` if it is not decided.
    pub(super) fn excludes_bad(&mut self, invariants: &[Term], cut: CutId) -> Result<Option<bool>, Halt> {
        let bad = self.system.bad_from[cut.index()].iter().map(|b| self.system.bad[*b].condition);
        let any = self.cx.terms.or_all(bad);
        let (invariant, known) = (invariants[cut.index()], self.known[cut.index()]);
        let possible = self.cx.satisfiable(&[invariant, known, any], EXCLUDED);
        self.cx.budget.check()?;
        Ok(possible.map(|possible| !possible))
    }

    /// Makes candidates of what abstract interpretation has found.
    fn propose(&mut self, found: &abstract_interpretation::Found) {
        let cfa = self.cx.program.cfa.clone();
        let all = found.import(&mut self.cx.terms);
        for cut in self.system.cuts() {
            let (loc, stack) = self.system.graph.at(cut);
            for t in all.iter().filter(|(head, _)| *head == loc).flat_map(|(_, of)| of) {
                let none = Formula::default();
                let instance = self.system.graph.maker.instance(&cfa, &mut self.cx.terms, (&none, stack), *t);
                if let Some(instance) = instance {
                    self.remember(cut, instance);
                }
            }
        }
    }

    /// Makes candidates of the conjuncts of a condition at `cut`.
    pub(super) fn remember(&mut self, cut: CutId, condition: Term) {
        if !self.wants_invariants || cut == CutId::START {
            return;
        }
        for t in self.cx.terms.conjuncts(&[condition]) {
            let is_new = self.cx.terms.as_bool(t).is_none() && self.tried.insert((cut, t));
            if is_new && self.candidates[cut.index()].len() < MAX_CANDIDATES {
                self.candidates[cut.index()].push(t);
                self.has_new = true;
            }
        }
    }

    /// Adds those candidates to what is known that are inductive. Returns what is known if it excludes everything bad.
    pub(super) fn strengthen(&mut self) -> Result<Option<Vec<Term>>, Halt> {
        if !std::mem::take(&mut self.has_new) {
            return Ok(None);
        }
        let mut left = self.candidates.clone();
        inductive(&self.system, self.cx, &self.known, &mut left, INDUCTIVE)?;
        for (i, inductive) in left.into_iter().enumerate() {
            if inductive.is_empty() {
                continue;
            }
            self.invariants += inductive.len() as u64;
            self.candidates[i].retain(|c| !inductive.contains(c));
            self.known[i] = self.cx.terms.and_all(std::iter::once(self.known[i]).chain(inductive));
        }
        let known = self.known.clone();
        for cut in self.system.cuts() {
            if self.excludes_bad(&known, cut)? != Some(true) {
                return Ok(None);
            }
        }
        Ok(Some(known))
    }
}
