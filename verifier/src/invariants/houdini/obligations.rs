//! Candidates for invariants and contracts, each guarded by a literal of its own, and the passes over the program that assume them.
//!
//! A pass records what must hold for each candidate: an obligation wherever a loop is entered or closed, a function is called, or its
//! exit is reached.

use crate::invariants::abstract_interpretation::Found;
use crate::invariants::array_templates::Elements;
use crate::invariants::contract_templates::{self, Activations, Signature, Signatures};
use crate::invariants::sampling::refute;
use crate::invariants::templates::Vocabulary;
use crate::program::{Budget, Halt, Program};
use crate::unwind::{Abstraction, Bounds, NoPruning, Unwind, Unwinding};
use cfa::path::Env;
use cfa::{FuncId, LocId, Sort, SymId, Term, Terms};
use checker::{Certificate, Contract, ForAll, LoopLabel, NodeId, Universals};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Algebra;

/// The place where a candidate has to hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// At a loop head.
    Head(LocId),
    /// At the entry of each call of a function.
    Entry(FuncId),
    /// At the exit of the function; the candidate may also mention the symbols of its signature.
    Exit(FuncId),
}

/// A candidate for one place.
pub(crate) struct Candidate {
    pub(crate) invariant: Term,
    /// If the candidate is universally quantified: the quantified symbol.
    pub(crate) index: Option<SymId>,
    /// The literal under which the candidate is assumed.
    pub(crate) literal: Term,
    /// Whether it is inductive, together with all other candidates that are marked.
    pub(crate) is_inductive: bool,
}

/// A proof obligation of a candidate: it holds where the loop is entered or closed, where the function is called, or at its exit.
#[derive(Clone, Copy)]
pub(crate) struct Obligation {
    pub(crate) place: Place,
    /// The index of the candidate at this place.
    pub(crate) candidate: usize,
    /// The formula that the place is reached and the candidate violated.
    pub(crate) violation: Term,
}

/// Candidates by place and index.
pub(crate) type Numbers = FxHashSet<(Place, usize)>;

/// All candidates, and the results of the last pass.
pub(crate) struct Candidates {
    /// The k of k-induction.
    pub(crate) k: u32,
    /// `None` if there are to be no candidates.
    vocabulary: Option<Vocabulary>,
    elements: Elements,
    universals: Universals,
    /// The literals of universal candidates, by the names of their bodies where they are assumed.
    named: FxHashMap<Term, Term>,
    signatures: Signatures,
    pub(crate) of: FxHashMap<Place, Vec<Candidate>>,
    /// Candidates for loop heads that other analyses found.
    found: FxHashMap<LocId, Vec<Term>>,
    /// Whether there are candidates that no pruning has considered yet.
    pub(crate) has_new: bool,
    pub(crate) obligations: Vec<Obligation>,
    /// The functions whose calls are passed over, in the order in which they were found.
    called: Vec<FuncId>,
}

impl Candidates {
    /// No candidates yet; `wanted` says whether there will be any.
    pub(crate) fn new(program: &Program, terms: &mut Terms, wanted: bool, budget: Budget<'_>) -> Candidates {
        let signatures = Signatures::new(program, terms);
        let vocabulary = wanted.then(|| Vocabulary::new(program, terms, &signatures, budget.deadline));
        Candidates {
            k: 1,
            vocabulary,
            elements: if wanted { Elements::new(program, terms, budget.deadline) } else { Elements::default() },
            universals: Universals::default(),
            named: FxHashMap::default(),
            signatures,
            of: FxHashMap::default(),
            found: FxHashMap::default(),
            has_new: false,
            obligations: Vec::new(),
            called: Vec::new(),
        }
    }

    /// Adds what an analysis found as candidates, unless executions refute them.
    pub(crate) fn receive(&mut self, program: &Program, terms: &mut Terms, found: &Found) {
        for (head, all) in found.import(terms) {
            let known = self.found.entry(head).or_default();
            let new: Vec<Term> = all.into_iter().filter(|t| !known.contains(t)).collect();
            known.extend(&new);
            if let Some(candidates) = self.of.get_mut(&Place::Head(head)) {
                let is_known = |t: &Term| candidates.iter().any(|candidate| candidate.invariant == *t);
                let new = self.vocabulary.as_ref().into_iter().flat_map(|vocabulary| {
                    new.iter().filter(|t| !is_known(t) && !refute(terms, vocabulary.samples.at(head), **t)).copied()
                });
                let new: Vec<Term> = new.filter(|t| is_about_loop(program, terms, head, *t)).collect();
                self.has_new |= !new.is_empty();
                candidates.extend(new.into_iter().map(|t| Candidate::new(terms, t, None)));
            }
        }
    }

    /// Removes candidates with products that are not inductive: trying them again is too expensive.
    pub(crate) fn forget_wrong_products(&mut self, terms: &Terms) {
        let mut algebra = Algebra::new();
        for all in self.of.values_mut() {
            all.retain(|candidate| candidate.is_inductive || !algebra.is_nonlinear(terms, candidate.invariant));
        }
    }

    /// The number of candidates.
    pub(crate) fn count(&self) -> u64 {
        self.of.values().map(|g| g.len() as u64).sum()
    }

    /// Whether a candidate is known to be inductive.
    pub(crate) fn is_inductive(&self, place: Place, candidate: usize) -> bool {
        self.of[&place][candidate].is_inductive
    }

    /// The literals of all candidates that satisfy `is_alive`, ascending.
    pub(crate) fn literals(&self, is_alive: impl Fn(Place, usize, &Candidate) -> bool) -> Vec<Term> {
        let all = self.of.iter().flat_map(|(place, all)| all.iter().enumerate().map(move |(i, g)| (*place, i, g)));
        let mut alive: Vec<Term> =
            all.filter(|(place, i, g)| is_alive(*place, *i, g)).map(|(_, _, g)| g.literal).collect();
        alive.sort_unstable();
        alive
    }

    /// Records that all candidates except the `wrong` ones are inductive together. Returns whether this is new for some of them.
    pub(crate) fn settle(&mut self, wrong: &Numbers) -> bool {
        let mut is_new = false;
        for (place, all) in &mut self.of {
            for (i, candidate) in all.iter_mut().enumerate() {
                if !wrong.contains(&(*place, i)) {
                    is_new |= !std::mem::replace(&mut candidate.is_inductive, true);
                }
            }
        }
        self.has_new = false;
        is_new
    }

    fn signature(&self, func: FuncId) -> &Signature {
        self.signatures.get(func).expect("a function with a contract")
    }

    fn at(&mut self, program: &Program, terms: &mut Terms, place: Place) -> &[Candidate] {
        let Candidates { vocabulary, elements, signatures, found, has_new, of, .. } = self;
        of.entry(place).or_insert_with(|| {
            let Some(vocabulary) = vocabulary else { return Vec::new() };
            let contract = |f| {
                let seen = vocabulary.samples.of_calls(f).unwrap_or(const { &Activations::NONE });
                (signatures.get(f).expect("a function with a contract"), seen)
            };
            let mut of_elements = Vec::new();
            let candidates = match place {
                Place::Head(head) => {
                    let written = program.written_in(&program.component_of(head));
                    of_elements = elements.candidates(program, terms, head, &written);
                    let found = found.get(&head).map_or(&[][..], |found| found);
                    vocabulary.candidates(program, terms, head, &written, found)
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
            *has_new |= !(candidates.is_empty() && of_elements.is_empty());
            let plain = candidates.into_iter().map(|invariant| (invariant, None));
            let universal = of_elements.into_iter().map(|u| (u.body, Some(u.index)));
            plain.chain(universal).map(|(invariant, index)| Candidate::new(terms, invariant, index)).collect()
        })
    }

    /// The conjunction of what the candidates at `place` say about `env`, each implied by its literal. Symbols of values at an entry are
    /// replaced as given by `at_entry`, or kept.
    fn assumed(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        place: Place,
        env: &mut Env,
        at_entry: &FxHashMap<SymId, Term>,
    ) -> Term {
        self.at(program, terms, place);
        let mut all = terms.tt();
        for candidate in &self.of[&place] {
            let holds = match candidate.index {
                None => contract_templates::eval(program, terms, env, candidate.invariant, at_entry),
                Some(index) => {
                    let quantified = self.universals.index(terms, terms.symbol(index).sort);
                    let at_index = FxHashMap::from_iter([(index, quantified)]);
                    let body = contract_templates::eval(program, terms, env, candidate.invariant, &at_index);
                    let name = self.universals.name(terms, quantified, body);
                    self.named.insert(name, candidate.literal);
                    name
                }
            };
            let assumed = terms.implies(candidate.literal, holds);
            all = terms.and(all, assumed);
        }
        all
    }

    /// Instances of universal facts assumed in a query, for the candidates with the literals `alive`.
    pub(crate) fn instances(&self, terms: &mut Terms, t: Term, alive: &[Term]) -> Vec<Term> {
        let alive: FxHashSet<Term> = alive.iter().copied().collect();
        let is_alive = |name: Term| self.named.get(&name).is_none_or(|literal| alive.contains(literal));
        self.universals.instances(terms, &[t], &is_alive)
    }

    /// Records the obligations that `env` satisfies the candidates at `place` under `guard`.
    fn demand(&mut self, program: &Program, terms: &mut Terms, place: Place, env: &mut Env, guard: Term) {
        self.at(program, terms, place);
        for (candidate, of) in self.of[&place].iter().enumerate() {
            let any = of.index.map(|index| (index, self.universals.constant(terms, terms.symbol(index).sort)));
            let holds = contract_templates::eval(program, terms, env, of.invariant, &any.into_iter().collect());
            let not = terms.not(holds);
            let violation = terms.and(guard, not);
            if terms.as_bool(violation) != Some(false) {
                self.obligations.push(Obligation { place, candidate, violation });
            }
        }
    }

    /// Unwinds an arbitrary call of `func`: its precondition is assumed, and its postcondition becomes an obligation. Returns the first
    /// node.
    fn activation(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        (bounds, budget): (Bounds, Budget<'_>),
        func: FuncId,
        found: &mut Unwinding,
    ) -> Result<NodeId, Halt> {
        let mut env = Env::default();
        for x in &self.signature(func).entry {
            env.set(&program.cfa, x.var, terms.sym(x.symbol));
        }
        let guard = self.assumed(program, terms, Place::Entry(func), &mut env, &FxHashMap::default());
        let root = found.nodes.len() as NodeId;
        let feasibility = &mut NoPruning;
        let how = Unwind { program, terms, bounds, budget, feasibility, loops: Some(self) };
        if let Some((mut env, guard)) = how.activation(func, env, guard, found)? {
            self.demand(program, terms, Place::Exit(func), &mut env, guard);
        }
        Ok(root)
    }

    /// Unwinds the program with the current k, and an arbitrary call of each function whose calls are passed over.
    pub(crate) fn pass(&mut self, program: &Program, terms: &mut Terms, budget: Budget<'_>) -> Result<Pass, Halt> {
        self.obligations.clear();
        self.called.clear();
        let bounds = Bounds { counted: 2, free: 64 };
        let mut found =
            Unwind { program, terms, bounds, budget, feasibility: &mut NoPruning, loops: Some(self) }.program()?;
        let main = Main { targets: found.targets.len(), inexact: found.inexact.len(), inputs: found.inputs.len() };
        let mut roots = Roots::new();
        while let Some(&func) = self.called.get(roots.len()) {
            roots.push((func, self.activation(program, terms, (bounds, budget), func, &mut found)?));
        }
        Ok(Pass { found, roots, main })
    }

    /// The graph of `pass` with the candidates that are inductive as invariants; `terms` is the arena of both.
    pub(crate) fn certificate(&self, program: &Program, terms: Terms, pass: Pass) -> Certificate {
        let Pass { found, roots, .. } = pass;
        let mut nodes = found.nodes;
        for of in found.loops {
            let written = program.written_in(&program.component_of(of.head));
            let inductive = || self.inductive_at(Place::Head(of.head));
            let invariants = inductive().filter(|g| g.index.is_none()).map(|g| g.invariant).collect();
            let universals = inductive().filter_map(|g| Some(ForAll { index: g.index?, body: g.invariant })).collect();
            nodes[of.node as usize].repeats =
                Some(Box::new(LoopLabel { written, invariants, universals, window: of.window }));
        }
        let contract = |&(func, root): &(FuncId, NodeId)| Contract {
            func,
            root,
            entry: self.signature(func).entry.iter().map(|x| (x.var, x.symbol)).collect(),
            pre: self.inductive_at(Place::Entry(func)).map(|g| g.invariant).collect(),
            post: self.inductive_at(Place::Exit(func)).map(|g| g.invariant).collect(),
        };
        let contracts = roots.iter().map(contract).collect();
        Certificate { slice: program.slice.clone(), terms, frames: found.frames, nodes, contracts, explored: None }
    }

    fn inductive_at(&self, place: Place) -> impl Iterator<Item = &Candidate> {
        self.of.get(&place).into_iter().flatten().filter(|candidate| candidate.is_inductive)
    }
}

impl Candidate {
    fn new(terms: &mut Terms, invariant: Term, index: Option<SymId>) -> Candidate {
        Candidate { invariant, index, literal: terms.fresh("candidate", Sort::Bool), is_inductive: false }
    }
}

/// Whether `t` mentions a variable that the loop at `head` writes; facts about other variables hold because they held before the loop.
fn is_about_loop(program: &Program, terms: &Terms, head: LocId, t: Term) -> bool {
    let written = program.written_in(&program.component_of(head));
    terms.vars(t).iter().any(|v| written.binary_search(v).is_ok())
}

impl Abstraction for Candidates {
    fn iterations(&self, nesting: u32) -> u32 {
        // The copies of nested loops multiply, so loops that are nested more deeply get fewer iterations.
        (0..nesting).fold(self.k, |k, _| k.div_ceil(2))
    }

    fn arrive(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term) {
        self.demand(program, terms, Place::Head(head), env, guard);
    }

    fn assume(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term) -> Term {
        let assumed = self.assumed(program, terms, Place::Head(head), env, &FxHashMap::default());
        terms.and(guard, assumed)
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
        self.assumed(program, terms, Place::Exit(func), env, &at_entry)
    }
}

/// For each function with a contract, the node of the unwinding where its activation begins.
pub(crate) type Roots = Vec<(FuncId, NodeId)>;

/// The unwinding of the program for one k.
pub(crate) struct Pass {
    /// The unwinding of the main function, followed by those of arbitrary calls of functions with contracts.
    pub(crate) found: Unwinding,
    pub(crate) roots: Roots,
    pub(crate) main: Main,
}

/// How much of an unwinding belongs to the main function: the number of its targets, inexact guards and inputs.
pub(crate) struct Main {
    pub(crate) targets: usize,
    pub(crate) inexact: usize,
    pub(crate) inputs: usize,
}
