//! Candidate invariants from a relaxation: the program over unbounded integers is translated to Horn clauses, which Spacer solves.
//!
//! Invariants over integers include linear relations with arbitrary coefficients and disjunctions of them, which no template provides;
//! Spacer finds those that the property needs (survey: Bjørner, Gurfinkel, McMillan, Rybalchenko, 2015). For machine integers they are
//! only candidates, and so are the lemmas that Spacer has when its time is over. So the relaxation need not be sound, and it is not where
//! that makes it simpler: reads of memory, floats, products of variables and bitwise operators have arbitrary values; signedness is
//! chosen heuristically; a call of a recursive function havocs what it writes.
//!
//! Reading order: this file (the clauses, by unwinding from loop head to loop head), `signs`, `to_integers` (terms to integer
//! expressions), `to_bitvectors` (and back).

mod signs;
mod to_bitvectors;
mod to_integers;

use crate::invariants::templates::live_scalars;
use crate::program::{Budget, Halt, Program, Scalar};
use crate::unwind::{Abstraction, Bounds, NoPruning, Unwind, Unwinding};
use cfa::path::Env;
use cfa::term::{Kind, Leaf};
use cfa::{FuncId, Id, LocId, Op, Sort, SymId, Term, Terms, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Spacer;
use smt::horn::{self, Atom, Clause, Node};
use std::collections::BTreeSet;
use to_bitvectors::{Argument, Machine};
use to_integers::Integers;

/// Maximum size of the unwinding, in terms.
const MAX_TERMS: usize = 60_000;
/// Maximum number of paths to the location of a clause, distinguished by the loop heads on them.
const MAX_WAYS: usize = 40;
/// Maximum number of arguments of a relation.
const MAX_ARGUMENTS: usize = 80;
/// Maximum number of candidates of a loop.
const MAX_CANDIDATES: usize = 150;

/// Candidates for the loops of `program`, by loop head: Bool terms of `terms` over variables that are live there.
///
/// Errors: `OutOfTime`; `OutOfBudget` if the program is too large; `Solver` if Spacer fails.
pub fn candidates(
    program: &Program,
    terms: &mut Terms,
    spacer: &Spacer,
    budget: Budget<'_>,
) -> Result<Vec<(LocId, Vec<Term>)>, Halt> {
    let mut arena = program.overlay();
    let (unsigned, recursive) = (signs::unsigned_variables(program), program.recursive.clone());
    let mut paths = Paths { unsigned, recursive, ..Paths::default() };
    let bounds = Bounds { counted: 1, free: 64 };
    let feasibility = &mut NoPruning;
    let found =
        Unwind { program, terms: &mut arena, bounds, budget, feasibility, loops: Some(&mut paths) }.program()?;
    if arena.len() > MAX_TERMS {
        return Err(Halt::OutOfBudget(format!("more than {MAX_TERMS} terms for a relaxation")));
    }
    let (system, goal) = paths.clauses(program, &mut arena, &found, budget)?;
    let solution = spacer.solve(&system, goal, budget.left()).map_err(|e| Halt::Solver(e.to_string()))?;
    let mut all = Vec::new();
    for head in &paths.heads {
        let mut machine = Machine::new(terms, &solution.exprs, &head.arguments);
        let mut of: Vec<Term> = Vec::new();
        for formula in &solution.formulas[head.relation.0 as usize] {
            for t in machine.candidates(*formula) {
                if of.len() < MAX_CANDIDATES && !of.contains(&t) {
                    of.push(t);
                }
            }
        }
        all.push((head.at, of));
    }
    Ok(all)
}

/// A loop head, and the relation that represents the states there.
struct Head {
    at: LocId,
    relation: horn::Relation,
    arguments: Vec<Argument>,
}

/// Records that a path continues from a loop head.
struct Start {
    /// The number of the head.
    head: usize,
    /// The values there, one per argument.
    values: Vec<Term>,
    /// The condition under which the head was reached, if values from before the head are still in use.
    before: Option<Term>,
}

/// Records that a loop head is reached.
struct Arrival {
    head: usize,
    values: Vec<Term>,
    guard: Term,
}

/// Paths from the entry and from loop heads to loop heads and targets. Each path that starts at a head is guarded by a literal of its
/// own.
#[derive(Default)]
struct Paths {
    unsigned: FxHashSet<VarId>,
    /// The functions whose calls are passed over.
    recursive: FixedBitSet,
    heads: Vec<Head>,
    starts: Vec<Start>,
    /// The starts, by their literals.
    literals: FxHashMap<SymId, usize>,
    arrivals: Vec<Arrival>,
    /// For some symbols, the variables whose values they are.
    owners: FxHashMap<SymId, VarId>,
}

/// The starts of a path, ascending; several only if functions with loops are called.
type Way = BTreeSet<usize>;

impl Paths {
    /// Whether `head` is inside a call, so that callers have values that the relation does not contain.
    fn is_in_call(program: &Program, head: LocId) -> bool {
        let entry = program.cfa.entry;
        program.cfa.locs[head].func != entry || program.recursive.contains(entry.index())
    }

    /// The number of a head. The first state that arrives there determines which variables are constants.
    fn head(&mut self, program: &Program, terms: &Terms, head: LocId, env: &Env) -> usize {
        if let Some(known) = self.heads.iter().position(|h| h.at == head) {
            return known;
        }
        let written = program.written_in(&program.component_of(head));
        let is_constant = |v: VarId| {
            let value = env.get(&program.cfa, v);
            written.binary_search(&v).is_err() && value.is_some_and(|t| terms.as_bv(t).is_some())
        };
        let in_call = Paths::is_in_call(program, head);
        let scalars = live_scalars(program, head).into_iter().filter(|x| in_call || !is_constant(x.var));
        let argument = |Scalar { var, width }| Argument { var, width, is_unsigned: self.unsigned.contains(&var) };
        let arguments: Vec<Argument> = scalars.take(MAX_ARGUMENTS).map(argument).collect();
        let relation = horn::Relation(self.heads.len() as u32);
        self.heads.push(Head { at: head, relation, arguments });
        self.heads.len() - 1
    }

    fn values(&self, program: &Program, terms: &mut Terms, head: usize, env: &mut Env) -> Vec<Term> {
        self.heads[head].arguments.iter().map(|a| env.value(&program.cfa, terms, a.var)).collect()
    }

    /// The paths on which `roots` can be true: the last start on the path is one of the literals in them, or there is none.
    fn ways(&self, terms: &Terms, roots: &[Term]) -> BTreeSet<Way> {
        let mut ways = BTreeSet::from([Way::new()]);
        for leaf in terms.leaves(roots) {
            let Leaf::Sym(s) = leaf else { continue };
            let Some(&start) = self.literals.get(&s) else { continue };
            let before = match self.starts[start].before {
                Some(guard) => self.ways(terms, &[guard]),
                None => BTreeSet::from([Way::new()]),
            };
            for mut way in before {
                way.insert(start);
                ways.insert(way);
                if ways.len() > MAX_WAYS {
                    return ways;
                }
            }
        }
        ways
    }

    /// The clauses, and the relation that represents reaching a target.
    fn clauses(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        found: &Unwinding,
        budget: Budget<'_>,
    ) -> Result<(horn::System, horn::Relation), Halt> {
        for input in &found.inputs {
            if let (Kind::Sym(s), Op::Input { var, .. }) = (terms.kind(input.symbol), &program.cfa.edges[input.edge].op)
            {
                self.owners.insert(s, *var);
            }
        }
        let unsigned = self.owners.iter().filter(|(_, v)| self.unsigned.contains(v)).map(|(s, _)| *s).collect();
        let mut integers = Integers::new(unsigned);
        for head in &self.heads {
            let sort = |a: &Argument| if a.width == 1 { horn::Sort::Bool } else { horn::Sort::Int };
            integers.system.relation(head.arguments.iter().map(sort).collect());
        }
        let goal = integers.system.relation(Vec::new());
        let targets = found.targets.iter().map(|(_, guard)| (*guard, goal, &[][..]));
        let arrivals = self.arrivals.iter().map(|a| (a.guard, self.heads[a.head].relation, &a.values[..]));
        for (guard, relation, values) in arrivals.chain(targets) {
            budget.check()?;
            let roots: Vec<Term> = values.iter().copied().chain([guard]).collect();
            for way in self.ways(terms, &roots) {
                self.clause(terms, &mut integers, &way, (guard, relation, values));
            }
        }
        Ok((integers.system, goal))
    }

    /// The clause for one path, unless the path is infeasible.
    fn clause(
        &self,
        terms: &mut Terms,
        integers: &mut Integers,
        way: &Way,
        (guard, relation, values): (Term, horn::Relation, &[Term]),
    ) {
        let mut done = FxHashMap::default();
        let mut on_way = |terms: &mut Terms, t: Term| {
            terms.substitute(t, &mut done, &mut |terms, leaf| match leaf {
                Leaf::Sym(s) => self.literals.get(&s).map(|start| terms.bool(way.contains(start))),
                _ => None,
            })
        };
        let guard = on_way(terms, guard);
        if terms.as_bool(guard) == Some(false) {
            return;
        }
        let mut atom = |relation, values: &[Term]| {
            let args = values.iter().map(|t| {
                let value = on_way(terms, *t);
                integers.value(terms, value)
            });
            Atom { relation, args: args.collect() }
        };
        let starts = way.iter().map(|start| &self.starts[*start]);
        let body: Vec<Atom> = starts.map(|start| atom(self.heads[start.head].relation, &start.values)).collect();
        let head = atom(relation, values);
        let mut conjuncts = vec![integers.value(terms, guard)];
        let mut roots = conjuncts.clone();
        roots.extend(body.iter().chain([&head]).flat_map(|atom| &atom.args));
        conjuncts.extend(integers.facts(&roots));
        let constraint = integers.system.exprs.add(Node::And(conjuncts));
        integers.system.clauses.push(Clause { body, constraint, head });
    }
}

impl Abstraction for Paths {
    fn iterations(&self, _: u32) -> u32 {
        1
    }

    fn arrive(&mut self, program: &Program, terms: &mut Terms, head: LocId, env: &mut Env, guard: Term) {
        let head = self.head(program, terms, head, env);
        let values = self.values(program, terms, head, env);
        self.arrivals.push(Arrival { head, values, guard });
    }

    /// Starts a path here. If no caller has values from before, the relation is all that is known about the values.
    fn assume(&mut self, program: &Program, terms: &mut Terms, at: LocId, env: &mut Env, guard: Term) -> Term {
        let head = self.head(program, terms, at, env);
        let in_call = Paths::is_in_call(program, at);
        for a in &self.heads[head].arguments {
            if !in_call {
                env.set(&program.cfa, a.var, terms.fresh(&*program.cfa.vars[a.var].name, Sort::Bv(a.width)));
            }
            let value = env.value(&program.cfa, terms, a.var);
            if let Kind::Sym(s) = terms.kind(value) {
                self.owners.insert(s, a.var);
            }
        }
        let values = self.values(program, terms, head, env);
        let s = terms.fresh_sym("way", Sort::Bool);
        let literal = terms.sym(s);
        self.literals.insert(s, self.starts.len());
        self.starts.push(Start { head, values, before: in_call.then_some(guard) });
        if in_call { terms.and(guard, literal) } else { literal }
    }

    fn has_contract(&self, func: FuncId) -> bool {
        self.recursive.contains(func.index())
    }

    fn pass_over(&mut self, program: &Program, terms: &mut Terms, func: FuncId, env: &mut Env, _: Term) -> Term {
        for v in program.written_by(func).iter() {
            env.globals.remove(v);
        }
        terms.tt()
    }
}
