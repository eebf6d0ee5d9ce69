//! Proofs by loop invariants: every loop is replaced by candidates that turn out to be inductive together.
//!
//! One pass over the program enters each loop once, in an arbitrary state of what is assumed of it; each candidate is assumed
//! under a literal of its own. Candidates that a model refutes are dropped until the rest is inductive (Houdini: Flanagan, Leino,
//! FME 2001); if no target is reachable then, the program is proved. Invariants are guesses: the checker decides.
//!
//! Where products of variables occur, a first try keeps them away from the solver: equations with products are kept or dropped by
//! algebra alone, all other candidates by what else is known.

use crate::candidates::Vocabulary;
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use crate::strategies::bmc::unsupported_reason;
use crate::unwind::{Bounds, CutKind, Feasibility, LoopAbstraction, unwind};
use cfa::eval::Value;
use cfa::path::Env;
use cfa::{LocId, Sort, Term, Terms};
use checker::{Certificate, LoopLabel};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Algebra, Answer, Solver, SolverError};

/// Largest size of the one pass, in terms: beyond it the solver does not even stop in time.
const MAX_TERMS: usize = 400_000;

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Loops replaced.
    pub loops: u64,
    /// Candidates guessed.
    pub candidates: u64,
    /// Candidates that were inductive.
    pub invariants: u64,
    /// Queries to the solver.
    pub queries: u64,
}

/// A guess for one loop, with the literal under which it is assumed.
struct Guess {
    invariant: Term,
    literal: Term,
}

/// What must hold for a guess: it holds where the loop is entered or closed.
struct Obligation {
    head: LocId,
    guess: usize,
    /// Reached and violated.
    violation: Term,
}

struct Guesses {
    vocabulary: Vocabulary,
    of: FxHashMap<LocId, Vec<Guess>>,
    obligations: Vec<Obligation>,
}

impl Guesses {
    fn at(&mut self, program: &Program, terms: &mut Terms, head: LocId) -> &[Guess] {
        let vocabulary = &self.vocabulary;
        self.of.entry(head).or_insert_with(|| {
            let written = program.written_in(&program.component_of(head));
            vocabulary
                .candidates(program, terms, head, &written)
                .into_iter()
                .map(|invariant| Guess { invariant, literal: terms.fresh("guess", Sort::Bool) })
                .collect()
        })
    }
}

impl LoopAbstraction for Guesses {
    fn arrive(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term, _back: bool) {
        self.at(program, terms, head);
        for (i, guess) in self.of[&head].iter().enumerate() {
            let here = env.eval(&program.cfa, terms, guess.invariant);
            let not = terms.not(here);
            let violation = terms.and(guard, not);
            if terms.as_bool(violation) != Some(false) {
                self.obligations.push(Obligation { head, guess: i, violation });
            }
        }
    }

    fn assume(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env) -> Term {
        self.at(program, terms, head);
        let mut all = terms.tt();
        for guess in &self.of[&head] {
            let here = env.eval(&program.cfa, terms, guess.invariant);
            let assumed = terms.implies(guess.literal, here);
            all = terms.and(all, assumed);
        }
        all
    }
}

/// Nothing is pruned: there is one pass only.
struct Everything;

impl Feasibility for Everything {
    fn may_hold(&mut self, _: &mut Terms, _: Term) -> bool {
        true
    }
}

/// Tries to prove the program by inductive candidates.
pub fn run(
    program: &Program,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut terms = program.overlay();
    let vocabulary = Vocabulary::new(program, &mut terms, budget.deadline);
    let mut guesses = Guesses { vocabulary, of: FxHashMap::default(), obligations: Vec::new() };
    let bounds = Bounds { counted: 2, free: 64 };
    let found = unwind(program, &mut terms, bounds, budget, &mut Everything, Some(&mut guesses))?;
    statistics.loops = guesses.of.len() as u64;
    statistics.candidates = guesses.of.values().map(|g| g.len() as u64).sum();
    if terms.len() > MAX_TERMS {
        return Ok(Outcome::Unknown(format!("more than {MAX_TERMS} terms for loop invariants")));
    }
    let unsupported = found.cuts.iter().find_map(|c| match c.kind {
        CutKind::Unsupported(e) => Some(unsupported_reason(program, e)),
        _ => None,
    });
    let violations = found.targets.iter().map(|(_, g)| *g).chain(found.cuts.iter().map(|c| c.guard));
    let any = terms.or_all(violations);
    let mut refute = Refutation { program, solver, algebra: Algebra::new(), budget, statistics };
    let wrong = match refute.by_algebra(&mut terms, &guesses, any)? {
        Some(wrong) => wrong,
        None => {
            let wrong = refute.drop_wrong(&mut terms, &guesses)?;
            if refute.check(&mut terms, any, &alive(&guesses, &wrong))? != Answer::Unsat {
                return Ok(Outcome::Unknown(unsupported.unwrap_or_else(|| "no invariant found that suffices".into())));
            }
            wrong
        }
    };
    statistics.invariants = alive(&guesses, &wrong).len() as u64;
    let mut nodes = found.nodes;
    for &(node, head) in &found.loops {
        let written = program.written_in(&program.component_of(head));
        let invariants = guesses.of[&head]
            .iter()
            .enumerate()
            .filter(|(i, _)| !wrong.contains(&(head, *i)))
            .map(|(_, g)| g.invariant)
            .collect();
        nodes[node as usize].repeats = Some(LoopLabel { written, invariants });
    }
    let (slice, frames) = (program.slice.clone(), found.frames);
    Ok(Outcome::Proof(Box::new(Certificate { slice, terms, frames, nodes, contracts: Vec::new() })))
}

/// Guesses that are not inductive, by loop head and number.
type Wrong = FxHashSet<(LocId, usize)>;

fn alive(guesses: &Guesses, wrong: &Wrong) -> Vec<Term> {
    let mut alive: Vec<Term> = guesses
        .of
        .iter()
        .flat_map(|(head, all)| all.iter().enumerate().map(move |(i, g)| (*head, i, g.literal)))
        .filter(|(head, i, _)| !wrong.contains(&(*head, *i)))
        .map(|(_, _, literal)| literal)
        .collect();
    alive.sort_unstable();
    alive
}

struct Refutation<'a> {
    program: &'a Program,
    solver: &'a mut dyn Solver,
    algebra: Algebra,
    budget: Budget,
    statistics: &'a mut Statistics,
}

impl Refutation<'_> {
    fn check(&mut self, terms: &mut Terms, t: Term, alive: &[Term]) -> Result<Answer, Halt> {
        self.budget.check()?;
        if terms.as_bool(t) == Some(false) {
            return Ok(Answer::Unsat);
        }
        self.statistics.queries += 1;
        self.solver.set_limits(self.budget.limits());
        let mut assumptions = vec![t];
        assumptions.extend(alive);
        self.algebra.check(terms, self.solver, &assumptions).map_err(|e| match e {
            SolverError::Unknown(_) if self.budget.left().is_zero() => Halt::OutOfTime,
            other => Halt::Solver(other.to_string()),
        })
    }

    /// The wrong guesses, by algebra where they have products, if the others exclude `target`. Some that are inductive may count as wrong.
    fn by_algebra(&mut self, terms: &mut Terms, guesses: &Guesses, target: Term) -> Result<Option<Wrong>, Halt> {
        let invariant = |o: &Obligation| guesses.of[&o.head][o.guess].invariant;
        let mut has_product = |t: Term| self.algebra.is_nonlinear(terms, t);
        let (with, without): (Vec<&Obligation>, Vec<&Obligation>) =
            guesses.obligations.iter().partition(|o| has_product(invariant(o)));
        if with.is_empty() && !has_product(target) {
            return Ok(None);
        }
        let mut weaker = Vec::with_capacity(without.len());
        for o in without {
            let known = self.algebra.without_products(terms, &[o.violation]);
            weaker.push(Obligation { violation: terms.and_all(known), ..*o });
        }
        let mut of_products = Wrong::default();
        for (head, all) in &guesses.of {
            let products = all.iter().enumerate().filter(|(_, g)| self.algebra.is_nonlinear(terms, g.invariant));
            of_products.extend(products.map(|(i, _)| (*head, i)));
        }
        // The others are not to need them: so they are dropped as if there were none.
        let mut wrong = self.drop_refuted(terms, guesses, &weaker, of_products.clone())?;
        wrong.retain(|guess| !of_products.contains(guess));
        loop {
            self.budget.check()?;
            let before = wrong.len();
            for o in with.iter().filter(|o| !wrong.contains(&(o.head, o.guess))).collect::<Vec<_>>() {
                let mut assumptions = vec![o.violation];
                assumptions.extend(alive(guesses, &wrong));
                let left = self.algebra.simplify(terms, &assumptions);
                if left.iter().all(|t| terms.as_bool(*t) != Some(false)) {
                    wrong.insert((o.head, o.guess));
                }
            }
            if wrong.len() == before {
                break;
            }
        }
        Ok((self.check(terms, target, &alive(guesses, &wrong))? == Answer::Unsat).then_some(wrong))
    }

    /// The guesses that some model refutes; the others are inductive.
    fn drop_wrong(&mut self, terms: &mut Terms, guesses: &Guesses) -> Result<Wrong, Halt> {
        self.drop_refuted(terms, guesses, &guesses.obligations, Wrong::default())
    }

    /// Drops guesses beyond `wrong` that some model refutes, until `obligations` hold for the rest.
    fn drop_refuted(
        &mut self,
        terms: &mut Terms,
        guesses: &Guesses,
        obligations: &[Obligation],
        mut wrong: Wrong,
    ) -> Result<Wrong, Halt> {
        loop {
            let open: Vec<&Obligation> = obligations.iter().filter(|o| !wrong.contains(&(o.head, o.guess))).collect();
            let any = terms.or_all(open.iter().map(|o| o.violation));
            let alive = alive(guesses, &wrong);
            if self.check(terms, any, &alive)? == Answer::Unsat {
                return Ok(wrong);
            }
            let before = wrong.len();
            for o in open {
                if self.solver.model_value(terms, o.violation) == Ok(Value::Bool(true)) {
                    wrong.insert((o.head, o.guess));
                }
            }
            if wrong.len() == before {
                let at = self.program.cfa.locs.len();
                return Err(Halt::Solver(format!("a model refutes no candidate ({at} locations)")));
            }
        }
    }
}
