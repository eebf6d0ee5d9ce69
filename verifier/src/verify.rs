//! From a program to a verdict with evidence: strategies propose, the replay and the certificate checker decide.

use crate::evidence::blocked::Blocked;
use crate::evidence::fault::Fault;
use crate::evidence::outcome::{InputVector, Outcome, UnknownKind, UnknownReason};
use crate::evidence::replay::{self, Cause, Counterexample, Doubt, Unconfirmed};
use crate::evidence::shrink;
use crate::program::{Budget, Halt, Program};
use crate::reach::driver::{Explored, Paused};
use crate::reach::pictures::Drawing;
use crate::strategies::composition::{self, Composition};
use crate::strategies::portfolio::{SOONER, Strategy, Technique, Turn};
use crate::strategies::{bmc, concrete, explicit, imc, impact, k_induction, pdr};
use cfa::view::Slice;
use cfa::{Cfa, LocId, Term};
use checker::{Certificate, CheckError, Checked};
use rustc_hash::FxHashMap;
use smt::Solver;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The answer and its evidence.
#[derive(Debug)]
pub enum Verdict {
    /// No target is reachable, and the certificate was checked.
    True {
        /// The evidence.
        certificate: Box<Certificate>,
        /// What the checker did.
        checked: Checked,
    },
    /// A target is reachable, and the execution was replayed.
    False(Box<Counterexample>),
    /// Neither was shown, for this reason.
    Unknown(UnknownReason),
}

/// One part of the work: a technique, a check or a replay.
#[derive(Clone, Debug)]
pub struct Phase {
    /// What was done.
    pub name: String,
    /// How long it took.
    pub time: Duration,
    /// Its counts, by name.
    pub counts: Vec<(&'static str, u64)>,
    /// Parts of its time, by name. The time of the solver is contained in the others.
    pub times: Vec<(&'static str, Duration)>,
    /// The number of edges in each slice that was made during the phase.
    pub slice_sizes: Vec<u64>,
    /// How it ended, in words.
    pub end: String,
}

/// A verdict and how it came about.
#[derive(Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The name of the technique that found it, unless the answer is unknown.
    pub found_by: Option<String>,
    /// All phases, in order.
    pub phases: Vec<Phase>,
    /// Whether the whole program was explored in the end, because an alarm on the slice did not replay.
    pub is_unsliced: bool,
    /// The graph of the last exploration, if it was to be drawn.
    pub graph: Option<Box<Drawing>>,
    /// Undefined behaviour that was found on the way: the reason that there is no answer, or beside any answer, if it rests on nothing that is not
    /// known.
    pub fault: Option<Box<Fault>>,
    /// The last state found from which an induction fails.
    pub blocked: Option<Blocked>,
    /// Parts that ended by a defect of kerf, by name, each with its message. The others went on.
    pub defects: Vec<(String, String)>,
}

/// What is to be verified, and how.
#[derive(Clone)]
pub struct Task<'a> {
    /// The whole program.
    pub cfa: Arc<Cfa>,
    /// The part of the program that is explored.
    pub slice: Slice,
    /// Candidates for invariants from outside, such as those of another tool: Bool terms of the program's arena over its variables, each at a
    /// location. They are proved or dropped like any other.
    pub hints: Vec<(LocId, Term)>,
    /// What is tried, in which order.
    pub strategy: &'a Strategy,
    /// Makes the solvers.
    pub solver: &'a smt::Make<'a>,
    /// The time that is left.
    pub budget: Budget<'a>,
    /// Whether to draw the graph of reached states, if states are explored.
    pub draws: bool,
    /// Whether to look for a smaller counterexample once one is replayed.
    pub shrinks: bool,
}

/// What is told while a task is carried out.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The phase with this name begins.
    Begins(&'a str),
    /// A phase has ended.
    Ended(&'a Phase),
}

/// Carries out a task; `tell` is called as its phases begin and end.
pub fn verify(task: Task<'_>, tell: &mut dyn FnMut(Event<'_>)) -> Report {
    let Task { cfa, slice, hints, strategy, solver, budget, draws, shrinks } = task;
    let program = Rc::new(Program::new(cfa, slice).with_hints(hints));
    let mut run = Run {
        program,
        solver,
        budget,
        misled: false,
        has_no_proof: false,
        is_unsliced: false,
        next_bound: 1,
        paused: FxHashMap::default(),
        phases: Vec::new(),
        draws,
        shrinks,
        graph: None,
        faults: Vec::new(),
        blocked: None,
        defects: Vec::new(),
        early: matches!(strategy, Strategy::Auto).then(|| budget.left().mul_f64(EARLY.0)),
        tell,
    };
    let mut reasons: Vec<UnknownReason> = Vec::new();
    // Indices of the turns that would end in the same way in the next round.
    let mut futile: Vec<usize> = Vec::new();
    'rounds: for (number, time) in strategy.rounds(budget).into_iter().enumerate() {
        let round = budget.at_most(time);
        let turns: Vec<(usize, Turn)> = strategy.plan(&run.program, number, round).into_iter().enumerate().collect();
        let mut sooner = turns.clone();
        sooner.retain(|(_, turn)| number > 0 && turn.comes_sooner);
        sooner.iter_mut().for_each(|(_, turn)| turn.time = turn.time.min(SOONER));
        for (i, turn) in sooner.into_iter().chain(turns) {
            if futile.contains(&i) || run.has_no_proof && turn.proves {
                continue;
            }
            let mut verdict = run.attempt(&turn, round);
            if run.stop_slicing() {
                futile.clear();
                verdict = run.attempt(&turn, round);
            }
            match verdict {
                Verdict::Unknown(reason) => {
                    // Induction may end differently with more time: its generators of invariants stop after a share of it.
                    let is_final = reason.is_final() && !matches!(turn.technique, Technique::Induction(_));
                    futile.extend(is_final.then_some(i));
                    reasons.push(reason);
                }
                verdict => {
                    let found_by = Some(turn.technique.name().into());
                    return run.report(verdict, found_by);
                }
            }
            if budget.left().is_zero() {
                break 'rounds;
            }
        }
    }
    let reason = reasons.into_iter().min_by_key(|r| UnknownKind::from(r)).unwrap_or(UnknownReason::OutOfTime);
    run.report(Verdict::Unknown(reason), None)
}

/// The share of the remaining time that shrinking may take, and a limit of it.
const SHRINKING: (f64, Duration) = (0.1, Duration::from_secs(20));
/// The share of the remaining time that a replay may take; a run that takes longer is assumed not to end.
const REPLAY_SHARE: f64 = 0.2;

/// A proof is early if this share of the time is left; its check may take that share of what is left then. Other techniques have not had a turn, and
/// one of them may find a proof that is easier to check.
const EARLY: (f64, f64) = (0.75, 0.4);

struct Run<'a> {
    program: Rc<Program>,
    solver: &'a smt::Make<'a>,
    budget: Budget<'a>,
    /// Whether an alarm did not replay, and [`Run::stop_slicing`] has not dealt with it yet.
    misled: bool,
    /// Whether some values that kerf does not know lead to a target: then neither an alarm nor a proof can rest on what they are.
    has_no_proof: bool,
    /// Whether the whole program is explored, because an alarm on the slice did not replay.
    is_unsliced: bool,
    /// The bound with which bounded model checking continues in its next turn.
    next_bound: u32,
    /// Explorations that go on in their next turn, by the technique's name.
    paused: FxHashMap<String, Box<dyn Paused>>,
    phases: Vec<Phase>,
    /// Whether to draw graphs of states.
    draws: bool,
    /// Whether to shrink counterexamples.
    shrinks: bool,
    /// The last graph drawn.
    graph: Option<Box<Drawing>>,
    /// Undefined behaviour that was found, and whether an alarm led to it.
    faults: Vec<(bool, Box<Fault>)>,
    /// The last state found from which an induction fails.
    blocked: Option<Blocked>,
    /// What ended by a defect of kerf, and its messages.
    defects: Vec<(String, String)>,
    /// The time from which on, if it is left, a proof is early: other techniques follow.
    early: Option<Duration>,
    tell: &'a mut dyn FnMut(Event<'_>),
}

impl Run<'_> {
    fn report(self, verdict: Verdict, found_by: Option<String>) -> Report {
        let Run { phases, graph, is_unsliced, faults, blocked, defects, .. } = self;
        // If it is the reason that there is no answer, the first one is that of the reason. Beside another answer only what is certain counts.
        let fault = match &verdict {
            Verdict::Unknown(UnknownReason::NotConfirmed(Doubt::Diverged(_, Cause::Fault))) => {
                faults.into_iter().find(|(of_alarm, _)| *of_alarm)
            }
            _ => faults.into_iter().find(|(_, fault)| fault.rests_on.is_none()),
        };
        let fault = fault.map(|(_, fault)| fault);
        Report { verdict, found_by, phases, is_unsliced, graph, fault, blocked, defects }
    }

    /// Runs one technique, and checks or replays what it claims. A defect of kerf in it ends only this attempt.
    fn attempt(&mut self, turn: &Turn, round: Budget<'_>) -> Verdict {
        self.budget.begin();
        let found = self.shielded(turn.technique.name(), |run| run.search(turn, round.at_most(turn.time)));
        let verdict = found.and_then(|outcome| match outcome {
            Ok(Outcome::Proof(certificate)) => self.shielded("certificate", |run| run.check(certificate)),
            Ok(Outcome::Alarm(candidate)) => {
                let verdict = self.shielded("replay", |run| run.replay(&candidate));
                verdict.map(|verdict| self.shrunk(verdict))
            }
            Ok(Outcome::Unknown(reason)) => Ok(Verdict::Unknown(reason)),
            Err(halt) => Ok(Verdict::Unknown(halt.into())),
        });
        verdict.unwrap_or_else(|message| Verdict::Unknown(UnknownReason::Defect(message)))
    }

    /// Does a part of the work. If it panics, the rest is not affected: nothing that is kept rests on what it leaves unfinished, since every
    /// answer is replayed or checked. The error is the panic's message.
    fn shielded<T>(&mut self, name: &str, work: impl FnOnce(&mut Self) -> T) -> Result<T, String> {
        let start = Instant::now();
        catch_unwind(AssertUnwindSafe(|| work(self))).map_err(|panic| {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            self.defects.push((name.to_string(), message.clone()));
            self.done(name, start, format!("internal error: {message}"));
            message
        })
    }

    fn replay(&mut self, candidate: &InputVector) -> Verdict {
        self.begins("replay");
        let start = Instant::now();
        let time = self.budget.left().mul_f64(REPLAY_SHARE);
        let verdict = match replay::replay(&self.program, candidate, self.budget.at_most(time)) {
            Ok(counterexample) => Verdict::False(Box::new(counterexample)),
            Err(Unconfirmed { doubt, fault }) => {
                self.faults.extend(fault.map(|fault| (true, fault)));
                match doubt {
                    Doubt::Diverged(..) => self.misled = true,
                    Doubt::Depends(_) => self.has_no_proof = true,
                }
                Verdict::Unknown(UnknownReason::NotConfirmed(doubt))
            }
        };
        self.done("replay", start, end_of(&verdict));
        verdict
    }

    /// The verdict with a smaller counterexample, if one is wanted and found.
    fn shrunk(&mut self, verdict: Verdict) -> Verdict {
        let Verdict::False(found) = verdict else { return verdict };
        if !self.shrinks {
            return Verdict::False(found);
        }
        let shrunk = self.shielded("shrink", |run| run.shrink(&found));
        Verdict::False(shrunk.map_or(found, Box::new))
    }

    fn shrink(&mut self, found: &Counterexample) -> Counterexample {
        self.begins("shrink");
        let start = Instant::now();
        let (share, most) = SHRINKING;
        let budget = self.budget.at_most(self.budget.left().mul_f64(share).min(most));
        let smaller = shrink::shrink(&self.program, found.clone(), budget);
        let end = format!("{} inputs of {}", smaller.inputs.len(), found.inputs.len());
        self.done("shrink", start, end);
        smaller
    }

    /// If an alarm on a slice did not replay, continues without slicing. Returns whether it does, so that there is something new to try.
    fn stop_slicing(&mut self) -> bool {
        let everything = Slice::whole(&self.program.cfa);
        if !std::mem::take(&mut self.misled) || self.program.slice == everything {
            return false;
        }
        let hints = self.program.hints.clone();
        self.program = Rc::new(Program::new(self.program.cfa.clone(), everything).with_hints(hints));
        self.is_unsliced = true;
        self.next_bound = 1;
        self.paused.clear();
        true
    }

    fn search(&mut self, turn: &Turn, budget: Budget) -> Result<Outcome, Halt> {
        let technique = &turn.technique;
        self.begins(technique.name());
        let start = Instant::now();
        let mut solver = (self.solver)(budget.limits());
        let (mut counts, mut times, mut slice_sizes) = (Vec::new(), Vec::new(), Vec::new());
        let outcome = match technique {
            Technique::Concrete(options) => {
                let mut s = concrete::Counts::default();
                let found = concrete::run(&self.program, *options, budget, &mut s);
                counts.extend([("runs", s.runs), ("steps", s.steps), ("edges", s.edges)]);
                self.faults.extend(found.fault.map(|fault| (false, fault)));
                found.outcome
            }
            Technique::Bmc(options) => {
                let mut s = bmc::Statistics::default();
                let first_bound = options.first_bound.max(self.next_bound).min(options.last_bound);
                let options = bmc::Options { first_bound, ..*options };
                let r = bmc::run(&self.program, &options, &mut *solver, budget, &mut s);
                self.next_bound = s.bound.max(1);
                counts.extend([("bound", u64::from(s.bound)), ("steps", s.steps), ("queries", s.queries)]);
                r
            }
            Technique::Contracts => {
                let options = k_induction::Options { base: false, last_k: 1, ..Default::default() };
                let mut s = k_induction::Statistics::default();
                let r = self.induct(options, budget, &mut s);
                counts.extend([("contracts", s.contracts), ("candidates", s.candidates), ("invariants", s.invariants)]);
                r
            }
            Technique::Induction(options) => {
                let mut s = k_induction::Statistics::default();
                let r = self.induct(*options, budget, &mut s);
                counts.extend([("k", s.k), ("bound", s.bound), ("loops", s.loops), ("contracts", s.contracts)]);
                counts.extend([("candidates", s.candidates), ("invariants", s.invariants)]);
                r
            }
            Technique::Impact(options) => {
                let mut s = impact::Counts::default();
                let r = impact::run(&self.program, *options, &mut *solver, budget, &mut s);
                counts.extend((s.by_intervals > 0).then_some(("proofs by intervals", s.by_intervals)));
                counts.extend((s.by_diagrams > 0).then_some(("answers by diagrams", s.by_diagrams)));
                counts.extend((s.in_diagrams > 0).then_some(("loop heads in diagrams", s.in_diagrams)));
                counts.extend([("nodes", s.nodes), ("covered", s.covered), ("forced", s.forced)]);
                counts.extend([("refinements", s.refinements), ("depth", s.depth), ("queries", s.queries)]);
                counts.extend(s.interpolation.counts());
                times = s.interpolation.times();
                r
            }
            Technique::Imc(options) => {
                let mut s = imc::Counts::default();
                let r = imc::run(&self.program, *options, &mut *solver, budget, &mut s);
                counts.extend((s.by_intervals > 0).then_some(("proofs by intervals", s.by_intervals)));
                counts.extend([("cut points", s.cuts), ("depth", s.depth), ("bound", s.bound)]);
                counts.extend([("interpolants", s.interpolants), ("invariants", s.invariants), ("queries", s.queries)]);
                counts.extend(s.interpolation.counts());
                times = s.interpolation.times();
                r
            }
            Technique::Pdr(options) => {
                let mut s = pdr::Counts::default();
                let r = pdr::run(&self.program, *options, &mut *solver, budget, &mut s);
                counts.extend((s.by_intervals > 0).then_some(("proofs by intervals", s.by_intervals)));
                counts.extend([("cut points", s.cuts), ("depth", s.depth), ("frames", s.frames)]);
                counts.extend([("obligations", s.obligations), ("lemmas", s.lemmas)]);
                counts.extend([("invariants", s.invariants), ("queries", s.queries)]);
                r
            }
            Technique::Explicit => {
                let mut s = explicit::Counts::default();
                let r = explicit::run(&self.program, &mut *solver, budget, &mut s);
                counts.extend([("states", s.states), ("runs", s.runs), ("steps", s.steps), ("rounds", s.rounds)]);
                counts.extend([("classed groups", s.classed), ("untracked variables", s.untracked)]);
                counts.push(("infeasible paths", s.infeasible));
                r
            }
            Technique::Explore { composition, .. } => {
                let found = self.explore(technique.name(), composition, &mut *solver, budget);
                counts = found.statistics.counts();
                times = found.statistics.times();
                slice_sizes = found.statistics.slice_sizes;
                self.graph = found.graph;
                found.outcome
            }
        };
        self.budget.free(solver);
        let end = match &outcome {
            Ok(Outcome::Proof(_)) => "proof".to_string(),
            Ok(Outcome::Alarm(_)) => "alarm".to_string(),
            Ok(Outcome::Unknown(reason)) => reason.to_string(),
            Err(halt) => halt.to_string(),
        };
        self.ended(Phase { name: technique.name().into(), time: start.elapsed(), counts, times, slice_sizes, end });
        outcome
    }

    /// Explores, or goes on where the last turn of the technique called `name` ended.
    fn explore(&mut self, name: &str, composition: &Composition, solver: &mut dyn Solver, budget: Budget) -> Explored {
        let mut found = match self.paused.remove(name) {
            Some(paused) => paused.resume(&self.program, self.draws, solver, budget),
            None => composition::run(&self.program, composition, self.draws, solver, budget),
        };
        self.paused.extend(found.paused.take().map(|paused| (name.to_string(), paused)));
        found
    }

    /// Runs k-induction, and keeps the state from which it fails.
    fn induct(
        &mut self,
        options: k_induction::Options,
        budget: Budget,
        counts: &mut k_induction::Statistics,
    ) -> Result<Outcome, Halt> {
        let found = k_induction::run(&self.program, options, self.solver, budget, counts);
        self.blocked = counts.blocked.take().or(self.blocked.take());
        found
    }

    fn check(&mut self, certificate: Box<Certificate>) -> Verdict {
        self.begins("certificate");
        let start = Instant::now();
        let left = self.budget.left();
        let share = if self.early.is_some_and(|early| left > early) { EARLY.1 } else { 1.0 };
        let deadline = Some(self.budget.at_most(left.mul_f64(share)).deadline);
        let verdict = match checker::check_in_parallel(&self.program.cfa, &certificate, self.solver, deadline) {
            Ok(checked) => Verdict::True { certificate, checked },
            Err(CheckError::Rejected(why)) => Verdict::Unknown(UnknownReason::Rejected(why)),
            Err(CheckError::Undecided(why)) => Verdict::Unknown(UnknownReason::NotChecked(why)),
        };
        self.done("certificate", start, end_of(&verdict));
        verdict
    }

    fn done(&mut self, name: &str, start: Instant, end: String) {
        let time = start.elapsed();
        let phase = Phase { name: name.into(), time, counts: vec![], times: vec![], slice_sizes: vec![], end };
        self.ended(phase);
    }

    fn begins(&mut self, name: &str) {
        (self.tell)(Event::Begins(name));
    }

    fn ended(&mut self, phase: Phase) {
        (self.tell)(Event::Ended(&phase));
        self.phases.push(phase);
    }
}

/// How a check or a replay ended, in words.
fn end_of(verdict: &Verdict) -> String {
    match verdict {
        Verdict::True { .. } => "valid".into(),
        Verdict::False(_) => "reached".into(),
        Verdict::Unknown(reason) => reason.to_string(),
    }
}
