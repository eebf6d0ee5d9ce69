//! k-induction with invariants and contracts: no execution comes to a target in its first iterations, nor behind k - 1 iterations without one
//! from any state that satisfies the invariants (Sheeran, Singh, Stålmarck, FMCAD 2000; I 2.1; here for any number of loops, also nested
//! ones).
//!
//! For each k in turn, one pass over the program has the base and the step of each loop ([`crate::unwind`]). A target that is reached in the base
//! alone is an alarm. Invariants are guesses, each assumed under a literal of its own: those that a model refutes are dropped until the
//! rest is inductive (Houdini: Flanagan, Leino, FME 2001). If no target is reachable then, the program is proved. A recursive function has a pass
//! of its own, from an arbitrary call: what is assumed of its calls is shown at its exit. The checker decides.
//!
//! Where products of variables occur, a first try keeps them away from the solver: equations with products are kept or dropped by
//! algebra alone, all other candidates by what else is known.

use crate::candidates::Vocabulary;
use crate::contracts::{self, Activations, Signature, Signatures};
use crate::invariants;
use crate::program::{Budget, Halt, Program};
use crate::strategies::Outcome;
use crate::strategies::bmc::{inputs_of_model, unsupported_reason};
use crate::unwind::{Abstraction, Bounds, CutKind, Feasibility, Unwinding, unwind, unwind_activation};
use cfa::eval::Value;
use cfa::path::Env;
use cfa::{FuncId, LocId, Sort, SymId, Term, Terms};
use checker::{Certificate, Contract, LoopLabel, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Algebra, Answer, Solver, SolverError};

/// Largest size of a pass, in terms: beyond it the solver does not even stop in time.
const MAX_TERMS: usize = 400_000;
/// Largest k for which guesses that are not inductive for a smaller one are tried again.
const MAX_GUESSING: u32 = 3;

/// What is to be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether invariants and contracts are guessed.
    pub invariants: bool,
    /// The largest k.
    pub last_k: u32,
}

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The last k tried.
    pub k: u64,
    /// Loops replaced.
    pub loops: u64,
    /// Functions whose calls were replaced.
    pub contracts: u64,
    /// Candidates guessed.
    pub candidates: u64,
    /// Candidates that were inductive.
    pub invariants: u64,
    /// Queries to the solver.
    pub queries: u64,
}

/// Where guesses are to hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    /// At a loop's head.
    Head(LocId),
    /// At the entry of each call of a function.
    Entry(FuncId),
    /// At its exit; over the symbols of its signature, too.
    Exit(FuncId),
}

/// A guess for one place, with the literal under which it is assumed.
struct Guess {
    invariant: Term,
    literal: Term,
}

/// What must hold for a guess: it holds where the loop is entered or closed, where the function is called, or at its exit.
struct Obligation {
    place: Place,
    guess: usize,
    /// Reached and violated.
    violation: Term,
}

struct Guesses {
    k: u32,
    /// `None`: nothing is guessed.
    vocabulary: Option<Vocabulary>,
    signatures: Signatures,
    of: FxHashMap<Place, Vec<Guess>>,
    obligations: Vec<Obligation>,
    /// Functions whose calls are passed over, in the order in which they were met.
    called: Vec<FuncId>,
}

impl Guesses {
    fn new(program: &Program, terms: &mut Terms, guessing: bool, solver: &mut dyn Solver, budget: Budget) -> Guesses {
        let signatures = Signatures::new(program, terms);
        let vocabulary = guessing.then(|| {
            let found = invariants::generate(program, terms, solver, budget);
            Vocabulary::new(program, terms, &signatures, budget.deadline).with(found)
        });
        let (of, obligations, called) = (FxHashMap::default(), Vec::new(), Vec::new());
        Guesses { k: 1, vocabulary, signatures, of, obligations, called }
    }

    /// Removes guesses with products that are wrong: they are too expensive for another try.
    fn forget_wrong_products(&mut self, terms: &Terms, inductive: &mut Inductive) {
        let (mut algebra, mut wrong) = (Algebra::new(), Wrong::default());
        for (&place, all) in &mut self.of {
            let old = std::mem::take(all);
            for (i, guess) in old.into_iter().enumerate() {
                let is_wrong = inductive.wrong.contains(&(place, i));
                if is_wrong && algebra.is_nonlinear(terms, guess.invariant) {
                    continue;
                }
                if is_wrong {
                    wrong.insert((place, all.len()));
                }
                all.push(guess);
            }
        }
        *inductive = Inductive { wrong, guesses: self.count() };
    }

    fn count(&self) -> u64 {
        self.of.values().map(|g| g.len() as u64).sum()
    }

    fn signature(&self, func: FuncId) -> &Signature {
        self.signatures.get(func).expect("a function with a contract")
    }

    fn at(&mut self, program: &Program, terms: &mut Terms, place: Place) -> &[Guess] {
        let (vocabulary, signatures) = (&self.vocabulary, &self.signatures);
        self.of.entry(place).or_insert_with(|| {
            let Some(vocabulary) = vocabulary else { return Vec::new() };
            let contract = |f| {
                let seen = vocabulary.samples.of_calls(f).unwrap_or(const { &Activations::NONE });
                (signatures.get(f).expect("a function with a contract"), seen)
            };
            let candidates = match place {
                Place::Head(head) => {
                    let written = program.written_in(&program.component_of(head));
                    vocabulary.candidates(program, terms, head, &written)
                }
                Place::Entry(f) => {
                    let (signature, seen) = contract(f);
                    vocabulary.preconditions(terms, signature, seen)
                }
                Place::Exit(f) => {
                    let (signature, seen) = contract(f);
                    vocabulary.postconditions(terms, signature, seen)
                }
            };
            let guess = |invariant| Guess { invariant, literal: terms.fresh("guess", Sort::Bool) };
            candidates.into_iter().map(guess).collect()
        })
    }

    /// What the guesses at `place` say of `env`, each with its literal; symbols of values at an entry stand for what `at_entry` says, or for
    /// themselves.
    fn here(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        place: Place,
        env: &mut Env,
        at_entry: &FxHashMap<SymId, Term>,
    ) -> Vec<(Term, Term)> {
        self.at(program, terms, place);
        let guesses = self.of[&place].iter();
        guesses.map(|guess| (guess.literal, contracts::eval(program, terms, env, guess.invariant, at_entry))).collect()
    }

    /// Notes that `env` under `guard` has to be as the guesses at `place` say.
    fn demand(&mut self, program: &Program, terms: &mut Terms, place: Place, env: &mut Env, guard: Term) {
        let here = self.here(program, terms, place, env, &FxHashMap::default());
        for (guess, (_, holds)) in here.into_iter().enumerate() {
            let not = terms.not(holds);
            let violation = terms.and(guard, not);
            if terms.as_bool(violation) != Some(false) {
                self.obligations.push(Obligation { place, guess, violation });
            }
        }
    }

    /// Unwinds an arbitrary call of `func`, with its contract as an assumption and as what is to be shown. The first node.
    fn activation(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        (bounds, budget): (Bounds, Budget),
        func: FuncId,
        found: &mut Unwinding,
    ) -> Result<NodeId, Halt> {
        let mut env = Env::default();
        for x in &self.signature(func).entry {
            env.set(&program.cfa, x.var, terms.sym(x.symbol));
        }
        let here = self.here(program, terms, Place::Entry(func), &mut env, &FxHashMap::default());
        let guard = assumed(terms, here);
        let root = found.nodes.len() as NodeId;
        let start = (func, env, guard);
        let end = unwind_activation(program, terms, bounds, budget, &mut Everything, self, found, start)?;
        if let Some((mut env, guard)) = end {
            self.demand(program, terms, Place::Exit(func), &mut env, guard);
        }
        Ok(root)
    }

    /// Unwinds the program with the present k, and an arbitrary call of each function whose calls are passed over.
    fn pass(&mut self, program: &Program, terms: &mut Terms, budget: Budget) -> Result<Pass, Halt> {
        self.obligations.clear();
        self.called.clear();
        let bounds = Bounds { counted: 2, free: 64 };
        let mut found = unwind(program, terms, bounds, budget, &mut Everything, Some(self))?;
        let main = Main { targets: found.targets.len(), inexact: found.inexact.len(), inputs: found.inputs.len() };
        let mut roots = Roots::new();
        while let Some(&func) = self.called.get(roots.len()) {
            roots.push((func, self.activation(program, terms, (bounds, budget), func, &mut found)?));
        }
        Ok(Pass { found, roots, main })
    }

    /// What is left of the guesses at `place` without the `wrong` ones.
    fn right(&self, place: Place, wrong: &Wrong) -> Vec<Term> {
        let all = self.of.get(&place).into_iter().flatten().enumerate();
        all.filter(|(i, _)| !wrong.contains(&(place, *i))).map(|(_, g)| g.invariant).collect()
    }
}

/// That what guesses say holds, each under its literal.
fn assumed(terms: &mut Terms, here: Vec<(Term, Term)>) -> Term {
    let mut all = terms.tt();
    for (literal, holds) in here {
        let assumed = terms.implies(literal, holds);
        all = terms.and(all, assumed);
    }
    all
}

impl Abstraction for Guesses {
    fn iterations(&self, nesting: u32) -> u32 {
        // Copies of copies: the deeper, the fewer.
        (0..nesting).fold(self.k, |k, _| k.div_ceil(2))
    }

    fn arrive(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term) {
        self.demand(program, terms, Place::Head(head), env, guard);
    }

    fn assume(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env) -> Term {
        let here = self.here(program, terms, Place::Head(head), env, &FxHashMap::default());
        assumed(terms, here)
    }

    fn has_contract(&self, func: FuncId) -> bool {
        self.signatures.get(func).is_some()
    }

    fn pass_over(&mut self, program: &Program, terms: &mut Terms, func: FuncId, env: &mut Env, guard: Term) -> Term {
        if !self.called.contains(&func) {
            self.called.push(func);
        }
        self.demand(program, terms, Place::Entry(func), env, guard);
        let at_entry = self.signature(func).values(program, terms, env);
        self.signature(func).forget(env);
        let here = self.here(program, terms, Place::Exit(func), env, &at_entry);
        assumed(terms, here)
    }
}

/// Nothing is pruned: there is one pass only.
struct Everything;

impl Feasibility for Everything {
    fn may_hold(&mut self, _: &mut Terms, _: Term) -> bool {
        true
    }
}

/// Tries to prove the program, or to find an execution to a target, with growing k.
pub fn run(
    program: &Program,
    options: Options,
    solver: &mut dyn Solver,
    budget: Budget,
    statistics: &mut Statistics,
) -> Result<Outcome, Halt> {
    let mut terms = program.overlay();
    let mut guesses = Guesses::new(program, &mut terms, options.invariants, solver, budget);
    let mut inductive = None;
    loop {
        let k = guesses.k;
        statistics.k = u64::from(k);
        let pass = guesses.pass(program, &mut terms, budget)?;
        let (found, roots) = (&pass.found, &pass.roots);
        statistics.loops = guesses.of.keys().filter(|place| matches!(place, Place::Head(_))).count() as u64;
        statistics.contracts = roots.len() as u64;
        statistics.candidates = guesses.count();
        if terms.len() > MAX_TERMS {
            return Ok(Outcome::Unknown(format!("more than {MAX_TERMS} terms for invariants with k = {k}")));
        }
        let mut refute = Refutation { program, solver: &mut *solver, algebra: Algebra::new(), budget, statistics };
        if let Some(alarm) = refute.base(&mut terms, &pass)? {
            return Ok(alarm);
        }
        if let Some(wrong) = refute.step(&mut terms, &guesses, found, &mut inductive)? {
            statistics.invariants = alive(&guesses, &wrong).len() as u64;
            return Ok(Outcome::Proof(Box::new(certificate(program, terms, &guesses, &wrong, pass))));
        }
        let unsupported = found.cuts.iter().find_map(|c| match c.kind {
            CutKind::Unsupported(e) => Some(unsupported_reason(program, e)),
            _ => None,
        });
        if found.loops.is_empty() || k >= options.last_k {
            let reason = unsupported.unwrap_or_else(|| format!("no invariant found that suffices with k = {k}"));
            return Ok(Outcome::Unknown(reason));
        }
        guesses.k = next_k(k).min(options.last_k);
        if let Some(inductive) = &mut inductive {
            guesses.forget_wrong_products(&terms, inductive);
        }
    }
}

fn next_k(k: u32) -> u32 {
    k + (k / 2).max(1)
}

/// Where the activation of each function with a contract begins in an unwinding.
type Roots = Vec<(FuncId, NodeId)>;

/// What the program was unwound to for one k.
struct Pass {
    /// The main function, then arbitrary calls of functions with contracts.
    found: Unwinding,
    roots: Roots,
    main: Main,
}

/// How much of an unwinding belongs to the main function.
struct Main {
    targets: usize,
    inexact: usize,
    inputs: usize,
}

/// The graph with the invariants that are left.
fn certificate(
    program: &Program,
    terms: Terms,
    guesses: &Guesses,
    wrong: &Wrong,
    Pass { found, roots, .. }: Pass,
) -> Certificate {
    let mut nodes = found.nodes;
    for of in found.loops {
        let written = program.written_in(&program.component_of(of.head));
        let invariants = guesses.right(Place::Head(of.head), wrong);
        nodes[of.node as usize].repeats = Some(LoopLabel { written, invariants, window: of.window });
    }
    let contract = |&(func, root): &(FuncId, NodeId)| Contract {
        func,
        root,
        entry: guesses.signature(func).entry.iter().map(|x| (x.var, x.symbol)).collect(),
        pre: guesses.right(Place::Entry(func), wrong),
        post: guesses.right(Place::Exit(func), wrong),
    };
    let contracts = roots.iter().map(contract).collect();
    Certificate { slice: program.slice.clone(), terms, frames: found.frames, nodes, contracts }
}

/// Guesses that are not inductive, by place and number.
type Wrong = FxHashSet<(Place, usize)>;

/// The outcome of pruning.
struct Inductive {
    /// All guesses but these are inductive together.
    wrong: Wrong,
    /// How many there were.
    guesses: u64,
}

fn alive(guesses: &Guesses, wrong: &Wrong) -> Vec<Term> {
    let mut alive: Vec<Term> = guesses
        .of
        .iter()
        .flat_map(|(place, all)| all.iter().enumerate().map(move |(i, g)| (*place, i, g.literal)))
        .filter(|(place, i, _)| !wrong.contains(&(*place, *i)))
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
    /// An alarm, if a target is reached where no loop is in an arbitrary state and no call was passed over.
    fn base(&mut self, terms: &mut Terms, Pass { found, main, .. }: &Pass) -> Result<Option<Outcome>, Halt> {
        let target = terms.or_all(found.targets[..main.targets].iter().map(|(_, g)| *g));
        let inexact = terms.or_all(found.inexact[..main.inexact].iter().copied());
        let exact = terms.not(inexact);
        let reached = terms.and(target, exact);
        if self.check(terms, reached, &[])? == Answer::Unsat {
            return Ok(None);
        }
        let has_model = terms.as_bool(reached).is_none();
        let inputs = inputs_of_model(&found.inputs[..main.inputs], terms, self.solver, has_model);
        Ok(Some(Outcome::Alarm(inputs)))
    }

    /// The wrong guesses, if the others exclude that a target is reached or the pass is incomplete. `inductive` is what
    /// was found for a smaller k.
    fn step(
        &mut self,
        terms: &mut Terms,
        guesses: &Guesses,
        found: &Unwinding,
        inductive: &mut Option<Inductive>,
    ) -> Result<Option<Wrong>, Halt> {
        let violations = found.targets.iter().map(|(_, g)| *g).chain(found.cuts.iter().map(|c| c.guard));
        let any = terms.or_all(violations);
        let Some(Inductive { wrong, guesses: n }) = inductive else {
            let wrong = match self.by_algebra(terms, guesses, any)? {
                Some(wrong) => wrong,
                None => self.drop_wrong(terms, guesses)?,
            };
            return self.suffices(terms, guesses, any, wrong, inductive);
        };
        if *n != self.statistics.candidates {
            // A loop that was not reached before.
            *inductive = None;
            return self.step(terms, guesses, found, inductive);
        }
        // What is inductive stays so for a larger k.
        if self.check(terms, any, &alive(guesses, wrong))? == Answer::Unsat {
            return Ok(Some(wrong.clone()));
        }
        if guesses.k > MAX_GUESSING {
            return Ok(None);
        }
        // The others get another chance.
        let old = wrong.clone();
        let new: Vec<&Obligation> = guesses.obligations.iter().filter(|o| old.contains(&(o.place, o.guess))).collect();
        let wrong = self.drop_refuted(terms, guesses, &new, Wrong::default())?;
        if wrong == old {
            return Ok(None);
        }
        self.suffices(terms, guesses, any, wrong, inductive)
    }

    /// `wrong`, if all other guesses together exclude `any`. They are inductive for sure, which `inductive` remembers.
    fn suffices(
        &mut self,
        terms: &mut Terms,
        guesses: &Guesses,
        any: Term,
        wrong: Wrong,
        inductive: &mut Option<Inductive>,
    ) -> Result<Option<Wrong>, Halt> {
        let proved = self.check(terms, any, &alive(guesses, &wrong))? == Answer::Unsat;
        *inductive = Some(Inductive { wrong: wrong.clone(), guesses: self.statistics.candidates });
        Ok(proved.then_some(wrong))
    }

    /// Whether `t` can hold where the guesses with the literals `alive` do.
    fn check(&mut self, terms: &mut Terms, t: Term, alive: &[Term]) -> Result<Answer, Halt> {
        self.budget.check()?;
        if terms.as_bool(t) == Some(false) {
            return Ok(Answer::Unsat);
        }
        self.statistics.queries += 1;
        self.solver.set_limits(self.budget.limits());
        self.algebra.check(terms, self.solver, &[&[t], alive].concat()).map_err(|e| match e {
            SolverError::Unknown(_) if self.budget.left().is_zero() => Halt::OutOfTime,
            other => Halt::Solver(other.to_string()),
        })
    }

    /// The wrong guesses, by algebra where they have products; `None` if nothing has. Some that are inductive may count as wrong.
    fn by_algebra(&mut self, terms: &mut Terms, guesses: &Guesses, target: Term) -> Result<Option<Wrong>, Halt> {
        let invariant = |o: &Obligation| guesses.of[&o.place][o.guess].invariant;
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
        for (place, all) in &guesses.of {
            let products = all.iter().enumerate().filter(|(_, g)| self.algebra.is_nonlinear(terms, g.invariant));
            of_products.extend(products.map(|(i, _)| (*place, i)));
        }
        // The others are not to need them: so they are dropped as if there were none.
        let weaker: Vec<&Obligation> = weaker.iter().collect();
        let mut wrong = self.drop_refuted(terms, guesses, &weaker, of_products.clone())?;
        wrong.retain(|guess| !of_products.contains(guess));
        loop {
            self.budget.check()?;
            let before = wrong.len();
            for o in with.iter().filter(|o| !wrong.contains(&(o.place, o.guess))).collect::<Vec<_>>() {
                let mut assumptions = vec![o.violation];
                assumptions.extend(alive(guesses, &wrong));
                let left = self.algebra.simplify(terms, &assumptions);
                if left.iter().all(|t| terms.as_bool(*t) != Some(false)) {
                    wrong.insert((o.place, o.guess));
                }
            }
            if wrong.len() == before {
                break;
            }
        }
        Ok(Some(wrong))
    }

    /// The guesses that some model refutes; the others are inductive.
    fn drop_wrong(&mut self, terms: &mut Terms, guesses: &Guesses) -> Result<Wrong, Halt> {
        self.drop_refuted(terms, guesses, &guesses.obligations.iter().collect::<Vec<_>>(), Wrong::default())
    }

    /// Drops guesses beyond `wrong` that some model refutes, until `obligations` hold for the rest.
    fn drop_refuted(
        &mut self,
        terms: &mut Terms,
        guesses: &Guesses,
        obligations: &[&Obligation],
        mut wrong: Wrong,
    ) -> Result<Wrong, Halt> {
        loop {
            let is_open = |o: &&&Obligation| !wrong.contains(&(o.place, o.guess));
            let open: Vec<&Obligation> = obligations.iter().filter(is_open).copied().collect();
            let any = terms.or_all(open.iter().map(|o| o.violation));
            let alive = alive(guesses, &wrong);
            if self.check(terms, any, &alive)? == Answer::Unsat {
                return Ok(wrong);
            }
            let before = wrong.len();
            for o in open {
                if self.solver.model_value(terms, o.violation) == Ok(Value::Bool(true)) {
                    wrong.insert((o.place, o.guess));
                }
            }
            if wrong.len() == before {
                let at = self.program.cfa.locs.len();
                return Err(Halt::Solver(format!("a model refutes no candidate ({at} locations)")));
            }
        }
    }
}
