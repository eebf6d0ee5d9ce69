//! From a program to a verdict with its evidence: strategies propose, the replay and the certificate checker decide.

use crate::program::{Budget, Halt, Program};
use crate::replay::{self, Counterexample};
use crate::strategies::{Outcome, bmc, induction};
use cfa::Cfa;
use cfa::view::Slice;
use checker::{Certificate, CheckError, Checked};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A named way of proving and refuting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Several of the others, one after the other.
    Auto,
    /// Bounded model checking with growing bounds.
    Bmc,
    /// Inductive loop invariants from templates.
    Induction,
    /// Exploration of explicit values.
    Value,
    /// Symbolic execution of single paths.
    Symex,
}

impl Strategy {
    /// All strategies, by the names that the command line uses.
    pub const ALL: [(&'static str, Strategy); 5] = [
        ("auto", Strategy::Auto),
        ("bmc", Strategy::Bmc),
        ("induction", Strategy::Induction),
        ("symex", Strategy::Symex),
        ("value", Strategy::Value),
    ];

    /// The strategy of that name.
    pub fn named(name: &str) -> Option<Strategy> {
        Strategy::ALL.iter().find(|(n, _)| *n == name).map(|(_, s)| *s)
    }

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        Strategy::ALL.iter().find(|(_, s)| *s == self).map_or("?", |(n, _)| n)
    }
}

/// The answer, with its evidence.
#[derive(Debug)]
pub enum Verdict {
    /// No target is reachable; the certificate was checked.
    True {
        /// The evidence.
        certificate: Box<Certificate>,
        /// What the checker did.
        checked: Checked,
    },
    /// A target is reachable; the execution was replayed.
    False(Box<Counterexample>),
    /// Neither is shown.
    Unknown(String),
}

/// One part of the work: a strategy, a check or a replay.
#[derive(Clone, Debug)]
pub struct Phase {
    /// What was done.
    pub name: String,
    /// How long it took.
    pub time: Duration,
    /// Its counts, by name.
    pub counts: Vec<(&'static str, u64)>,
    /// How it ended, in words.
    pub end: String,
}

/// A verdict and how it came about.
#[derive(Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The strategy that found it.
    pub found_by: Strategy,
    /// All phases, in order.
    pub phases: Vec<Phase>,
}

/// Verifies `cfa` within `budget`, exploring `slice`; `on_phase` is told of each phase as it begins.
pub fn verify(
    cfa: Arc<Cfa>,
    slice: Slice,
    strategy: Strategy,
    budget: Budget,
    on_phase: &mut dyn FnMut(&str),
) -> Report {
    let program = Program::new(cfa, slice);
    let mut run = Run { program: &program, budget, phases: Vec::new(), on_phase };
    let plan = match strategy {
        Strategy::Auto => automatic(budget),
        single => vec![(single, budget.left())],
    };
    let mut reasons: Vec<String> = Vec::new();
    for (strategy, time) in plan {
        match run.attempt(strategy, budget.at_most(time)) {
            Verdict::Unknown(reason) => {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
            verdict => return Report { verdict, found_by: strategy, phases: run.phases },
        }
        if budget.left().is_zero() {
            break;
        }
    }
    let verdict = Verdict::Unknown(most_telling(reasons));
    Report { verdict, found_by: strategy, phases: run.phases }
}

/// The sequence of `auto`: quick tries of each strategy, then the rest of the time for bounded model checking.
fn automatic(budget: Budget) -> Vec<(Strategy, Duration)> {
    let all = budget.left();
    vec![
        (Strategy::Bmc, all.mul_f64(0.2)),
        (Strategy::Induction, all.mul_f64(0.25)),
        (Strategy::Value, all.mul_f64(0.15)),
        (Strategy::Bmc, all),
    ]
}

/// An unsupported construct explains more than a timeout, and any reason more than none.
fn most_telling(reasons: Vec<String>) -> String {
    let rank = |r: &String| match r {
        r if r.starts_with("unsupported") => 0,
        r if r.starts_with("counterexample") || r.starts_with("certificate") => 1,
        r if r.contains("timeout") => 2,
        _ => 3,
    };
    reasons.into_iter().min_by_key(rank).unwrap_or_else(|| "timeout".into())
}

struct Run<'a> {
    program: &'a Program,
    budget: Budget,
    phases: Vec<Phase>,
    on_phase: &'a mut dyn FnMut(&str),
}

impl Run<'_> {
    /// Runs one strategy and puts what it claims to the test.
    fn attempt(&mut self, strategy: Strategy, budget: Budget) -> Verdict {
        let outcome = self.search(strategy, budget);
        let start = Instant::now();
        match outcome {
            Ok(Outcome::Proof(certificate)) => self.check(certificate, start),
            Ok(Outcome::Alarm(candidate)) => {
                (self.on_phase)("replay");
                let verdict = match replay::replay(self.program, &candidate, self.budget) {
                    Ok(counterexample) => Verdict::False(Box::new(counterexample)),
                    Err(reason) => Verdict::Unknown(format!("counterexample does not replay: {reason}")),
                };
                self.done("replay", start, &verdict);
                verdict
            }
            Ok(Outcome::Unknown(reason)) => Verdict::Unknown(reason),
            Err(halt) => Verdict::Unknown(halt.to_string()),
        }
    }

    fn search(&mut self, strategy: Strategy, budget: Budget) -> Result<Outcome, Halt> {
        (self.on_phase)(strategy.name());
        let start = Instant::now();
        let mut solver = smt::standard(budget.limits()).map_err(|e| Halt::Solver(e.to_string()))?;
        let mut counts = Vec::new();
        let outcome = match strategy {
            Strategy::Bmc => {
                let mut s = bmc::Statistics::default();
                let r = bmc::run(self.program, &bmc::Options::default(), &mut *solver, budget, &mut s);
                counts.extend([("bound", u64::from(s.bound)), ("steps", s.steps), ("queries", s.queries)]);
                r
            }
            Strategy::Induction => {
                let mut s = induction::Statistics::default();
                let r = induction::run(self.program, &mut *solver, budget, &mut s);
                counts.extend([("loops", s.loops), ("candidates", s.candidates), ("invariants", s.invariants)]);
                r
            }
            Strategy::Value | Strategy::Symex | Strategy::Auto => Ok(Outcome::Unknown("no such strategy yet".into())),
        };
        let end = match &outcome {
            Ok(Outcome::Proof(_)) => "proof".to_string(),
            Ok(Outcome::Alarm(_)) => "alarm".to_string(),
            Ok(Outcome::Unknown(reason)) => reason.clone(),
            Err(halt) => halt.to_string(),
        };
        self.phases.push(Phase { name: strategy.name().into(), time: start.elapsed(), counts, end });
        outcome
    }

    fn check(&mut self, certificate: Box<Certificate>, start: Instant) -> Verdict {
        (self.on_phase)("certificate");
        let verdict = match smt::standard(self.budget.limits()) {
            Err(e) => Verdict::Unknown(e.to_string()),
            Ok(mut solver) => {
                match checker::check(&self.program.cfa, &certificate, &mut *solver, Some(self.budget.deadline)) {
                    Ok(checked) => Verdict::True { certificate, checked },
                    Err(CheckError::Rejected(why)) => Verdict::Unknown(format!("certificate rejected: {why}")),
                    Err(CheckError::Undecided(why)) => Verdict::Unknown(format!("certificate not checked: {why}")),
                }
            }
        };
        self.done("certificate", start, &verdict);
        verdict
    }

    fn done(&mut self, name: &str, start: Instant, verdict: &Verdict) {
        let end = match verdict {
            Verdict::True { .. } => "valid".into(),
            Verdict::False(_) => "reached".into(),
            Verdict::Unknown(reason) => reason.clone(),
        };
        self.phases.push(Phase { name: name.into(), time: start.elapsed(), counts: Vec::new(), end });
    }
}
